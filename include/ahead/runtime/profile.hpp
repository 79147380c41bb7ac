// SPDX-License-Identifier: MIT
// A session that reads this machine's clock before and after every task:
//     profiled_session<program> run{weights};
//     run(image);
//     print_trace<program>(run.execution().rows(), text);      // print/chrome_trace.hpp
// With run.execution().follow(steps) it measures only the runs that the steps of a profile_schedule select. Streams on
// threads are measured by profile/threads.hpp.
// Invariant: the results have the same bits as a session's; nothing allocates. Each reading of the clock takes some 20
// to 50 ns, which shows as waiting time of the following task.
#pragma once
#include <ahead/runtime/profile/task_rows.hpp>
#include <ahead/runtime/session.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// How a session executes its plan: tasks in order on the caller's thread, each with its times.
struct profiled {
    template <class Program> class execution : public ahead::detail::task_rows<Program> {
    public:
        bool run(const runtime::region_bases& m, diagnosis* d) {
            return this->measure([&] { return steps<0, Program::plan.run_tasks>(m, d); });
        }

    private:
        /// Runs tasks [Begin, End).
        template <std::int32_t Begin, std::int32_t End> bool steps(const runtime::region_bases& m, diagnosis* d) {
            if constexpr (End - Begin <= runtime::detail::chunk_size) {
                return [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
                    return (step<Begin + Nth>(m, d) && ...);
                }(std::make_integer_sequence<std::int32_t, End - Begin>{});
            } else {
                constexpr auto middle = Begin + (End - Begin) / 2;
                return steps<Begin, middle>(m, d) && steps<middle, End>(m, d);
            }
        }
        template <std::int32_t Nth> bool step(const runtime::region_bases& m, diagnosis* d) {
            constexpr auto t = Program::plan.prepare_tasks + Nth;
            const runtime::watched::task timed(&this->times_, t,
                                               Program::plan_view().tasks[static_cast<std::size_t>(t)].stream);
            return runtime::run_tasks<Program, t, t + 1>(m, d);
        }
    };
};
template <class Program> using profiled_session = session<Program, profiled>;

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::profiled, runtime::profiled_session;
} // namespace ahead
