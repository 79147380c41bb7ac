// SPDX-License-Identifier: MIT
// A session that runs each stream of its program on a separate thread; otherwise identical to a session, with the same
// bits.
//     inline constexpr config two_streams{.streams = 2};
//     using on_two = toolchain<>::with_options<two_streams>;
//     threaded_session<compiled<net, on_two>> run{weights};
// Invariant: a program of one stream has no threads, and is executed as by a session. Not part of ahead.hpp: needs
// <thread>, and at link time the platform's threads, which ahead::ahead links.
#pragma once
#include <ahead/runtime/session.hpp>
#include <ahead/runtime/threads/stream_threads.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// Stream 0 runs on the caller's thread, each other one on a thread that the session owns from its construction to its
/// destruction. A thread that waits for another spins for a moment and then sleeps, also between runs. A run allocates
/// nothing and takes no lock, unless it throws. It then throws the same exception as a run in order; inputs that are
/// written, and states, may hold more of their new values than after a run in order.
struct on_threads {
    template <class Program>
    using execution =
        typename std::conditional_t<(Program::plan.streams > 1), std::type_identity<runtime::stream_threads<Program>>,
                                    std::type_identity<in_order::execution<Program>>>::type;
};

template <class Program> using threaded_session = session<Program, on_threads>;

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::threaded_session;
} // namespace ahead
