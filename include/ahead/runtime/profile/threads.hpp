// SPDX-License-Identifier: MIT
// A session that runs each stream of its program on a separate thread (threads/threaded_session.hpp), and whose threads
// read the clock before and after every task:
//     profiled_threaded_session<program> run{weights};
//     run(image);
//     print_trace<program>(run.execution().rows(), text);      // print/chrome_trace.hpp: what ran in parallel
// Invariant: as of profile.hpp and threaded_session.hpp. Needs the platform's threads.
#pragma once
#include <ahead/runtime/profile.hpp>
#include <ahead/runtime/threads/stream_threads.hpp>

namespace AHEAD_NAMESPACE::runtime {

struct profiled_on_threads {
    template <class Program> class on_each : public ahead::detail::task_rows<Program> {
    public:
        bool run(const runtime::region_bases& m, diagnosis* d) {
            return this->measure([&] { return threads_.run(m, d); });
        }

    private:
        runtime::stream_threads<Program, runtime::watched> threads_{&this->times_};
    };
    /// A program of one stream has no threads.
    template <class Program>
    using execution = typename std::conditional_t<(Program::plan.streams > 1), std::type_identity<on_each<Program>>,
                                                  std::type_identity<profiled::execution<Program>>>::type;
};
template <class Program> using profiled_threaded_session = session<Program, profiled_on_threads>;

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::profiled_threaded_session;
} // namespace ahead
