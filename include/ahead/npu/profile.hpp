// SPDX-License-Identifier: MIT
// A session that looks at this machine's clock before and after every task:
//     profiled_session<program> run{weights};
//     run(image);
//     print_trace<program>(run.execution().rows(), text);      // io/chrome_trace.hpp
// Invariant: the bits are a session's; nothing allocates. Each look at the clock takes some 20 to 50 ns, which the task behind it seems to wait.
#pragma once
#include <ahead/npu/session.hpp>
#include <ahead/plan/timeline.hpp>
#include <chrono>

namespace AHEAD_NAMESPACE {

/// How a session executes its plan: task after task on the caller's thread, each with its times.
struct profiled {
    template <class Program>
    class execution {
    public:
        void run(const npu::memory& m) {
            complete_ = false;
            began_ = clock::now();
            steps<0, Program::plan.run_tasks>(m);
            complete_ = true;
        }
        /// One for each task of the last run, in the order of the plan, from its begin on: what print_trace and print_timeline take. None before the first run, and after one
        /// that threw.
        array_view<const timeline_row> rows() const { return {rows_, complete_ ? static_cast<std::size_t>(Program::plan.run_tasks) : 0}; }

    private:
        using clock = std::chrono::steady_clock;
        clock::time_point began_;
        timeline_row rows_[static_cast<std::size_t>(Program::plan.run_tasks) + 1];
        bool complete_ = false;

        /// Run tasks [Begin, End).
        template <std::int32_t Begin, std::int32_t End>
        void steps(const npu::memory& m) {
            if constexpr (End - Begin <= npu::detail::chunk_size) {
                [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) { (step<Begin + I>(m), ...); }
                (std::make_integer_sequence<std::int32_t, End - Begin>{});
            } else {
                constexpr auto middle = Begin + (End - Begin) / 2;
                steps<Begin, middle>(m);
                steps<middle, End>(m);
            }
        }
        template <std::int32_t I>
        void step(const npu::memory& m) {
            constexpr auto t = Program::plan.prepare_tasks + I;
            const auto start = now();
            npu::run_tasks<Program, t, t + 1>(m);
            rows_[I] = {t, Program::plan_view().tasks[static_cast<std::size_t>(t)].stream, start, now()};
        }
        target::ticks now() const { return target::ticks::of(std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - began_)); }
    };
};
template <class Program>
using profiled_session = session<Program, profiled>;

} // namespace ahead
