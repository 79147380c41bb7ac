// SPDX-License-Identifier: MIT
// The function with which a launch runs a program: on the thread of its stream, or with a thread for each stream of its
// plan. Called by request_of.hpp, kept_outputs.hpp.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/npu/device_tensor.hpp>
#include <ahead/runtime/threads/stream_threads.hpp>

namespace AHEAD_NAMESPACE::npu::detail {

template <class Program>
void run_program(const std::byte* const* externals, const std::byte* constants, std::byte* arena) {
    constexpr auto first = Program::plan.prepare_tasks;
    runtime::run_tasks<Program, first, first + Program::plan.run_tasks>({externals, constants, arena});
}
/// The same on threads: Launched::run_stream<s> for each stream s of the plan that has steps.
template <class Program, class Launched> struct launched_streams {
    static constexpr auto all = []<std::int32_t... S>(std::integer_sequence<std::int32_t, S...>) {
        return std::array<runtime::plan_streams::stream_function, sizeof...(S)>{
            (runtime::detail::stream_steps<Program, S>::count > 0 ? &Launched::template run_stream<S> : nullptr)...};
    }(std::make_integer_sequence<std::int32_t, Program::plan.streams>{});
    static constexpr runtime::plan_streams made{Program::plan.streams, Program::plan.events, all.data()};
};
/// Null if the plan has one stream.
template <class Program, class Launched> constexpr const runtime::plan_streams* streams_of() {
    if constexpr (Program::plan.streams > 1) return &launched_streams<Program, Launched>::made;
    else return nullptr;
}
/// A program whose outputs stay where its plan places them.
template <class Program> struct whole_arena {
    template <std::int32_t Stream>
    static void run_stream(const runtime::region_bases& m, runtime::stream_event* events,
                           runtime::stream_progress& now) noexcept {
        runtime::run_stream<Program, Stream>(m, events, now);
    }
};

} // namespace ahead::npu::detail
