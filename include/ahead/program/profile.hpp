// SPDX-License-Identifier: MIT
// A session that looks at this machine's clock before and after every task:
//     profiled_session<program> run{weights};
//     run(image);
//     print_trace<program>(run.execution().rows(), text);      // io/chrome_trace.hpp
// Invariant: the bits are a session's; nothing allocates. Each look at the clock takes some 20 to 50 ns, which the task
// behind it seems to wait.
#pragma once
#include <ahead/plan/timeline.hpp>
#include <ahead/program/session.hpp>
#include <chrono>

namespace AHEAD_NAMESPACE {

/// How a session executes its plan: task after task on the caller's thread, each with its times.
struct profiled {
    template <class Program> class execution {
    public:
        bool run(const npu::memory& m, diagnosis* d) {
            complete_ = false;
            began_ = clock::now();
            return complete_ = steps<0, Program::plan.run_tasks>(m, d);
        }
        /// One for each task of the last run, in the order of the plan, from its begin on: what print_trace and
        /// print_timeline take. None before the first run, and after one that threw.
        array_view<const timeline_row> rows() const {
            return {rows_, complete_ ? static_cast<std::size_t>(Program::plan.run_tasks) : 0};
        }

    private:
        using clock = std::chrono::steady_clock;
        clock::time_point began_;
        timeline_row rows_[static_cast<std::size_t>(Program::plan.run_tasks) + 1];
        bool complete_ = false;

        /// Run tasks [Begin, End).
        template <std::int32_t Begin, std::int32_t End> bool steps(const npu::memory& m, diagnosis* d) {
            if constexpr (End - Begin <= npu::detail::chunk_size) {
                return [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
                    return (step<Begin + I>(m, d) && ...);
                }(std::make_integer_sequence<std::int32_t, End - Begin>{});
            } else {
                constexpr auto middle = Begin + (End - Begin) / 2;
                return steps<Begin, middle>(m, d) && steps<middle, End>(m, d);
            }
        }
        template <std::int32_t I> bool step(const npu::memory& m, diagnosis* d) {
            constexpr auto t = Program::plan.prepare_tasks + I;
            const auto start = now();
            if (!npu::run_tasks<Program, t, t + 1>(m, d)) return false;
            rows_[I] = {t, Program::plan_view().tasks[static_cast<std::size_t>(t)].stream, start, now()};
            return true;
        }
        target::ticks now() const {
            return target::ticks::of(std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - began_));
        }
    };
};
template <class Program> using profiled_session = session<Program, profiled>;

} // namespace ahead
