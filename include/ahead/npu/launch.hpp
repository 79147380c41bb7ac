// SPDX-License-Identifier: MIT
// Launching on a stream: one operator, any expression of handles, or a program with its prepared weights.
//     auto y = side.launch([](auto a, auto b) { return add(a, b); }, x, step);     // npu::tensor in, npu::tensor out
//     auto z = side.launch(weights, image);                                         // weights: program::prepare(...)
//     auto t = side.launch(states, token);                                          // npu::states<program> of weights
// Every launch runs a compiled program, so the eager device and a compiled graph run the same kernels. A launch gets
// memory from the stream's pool; its results are stored there, and hold it.
// Invariant: a launch that does not fit the types of its tensors does not compile.
#pragma once
#include <ahead/npu/launch/kept_outputs.hpp>
#include <ahead/npu/launch/launch_inputs.hpp>
#include <ahead/npu/launch/launched_program.hpp>
#include <ahead/npu/launch/request_of.hpp>
#include <ahead/npu/launch/transfers.hpp>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

/// pre: the tensors have the right types.
template <class Program, class... Types>
auto launch_program(const stream& on, const std::byte* constants, const block_lease& states,
                    const tensor<Types>&... given) {
    auto& npu = on.npu();
    const auto operands = operands_of<Program>(npu, states, given...);
    auto what = request_of<Program>(constants);
    what.operands = operands;
    what.run = &kept_outputs<Program>::run;
    what.streams = streams_of<Program, kept_outputs<Program>>();
    what.arena_bytes += kept_outputs<Program>::front;
    return [&]<std::int32_t... Out>(std::integer_sequence<std::int32_t, Out...>) {
        auto all = kept_outputs<Program>::all;
        launch_outputs kept{all};
        what.outputs = &kept;
        npu.launch(on, what);
        if constexpr (sizeof...(Out) == 1) return output_at<Program, 0>(npu, kept);
        else return std::tuple{output_at<Program, Out>(npu, kept)...};
    }(std::make_integer_sequence<std::int32_t, Program::output_count>{});
}

} // namespace detail

/// f: prepared weights, which must outlive the launch and the replays of a graph that captures it; npu::states of
/// prepared weights, for a program that writes its weights; or a captureless lambda over handles. given: npu::tensor of
/// this context. Returns one tensor, or a tuple with one per output. An input that the graph writes needs a non-const
/// tensor. Throws streams_race, tensor_is_empty, tensor_has_no_value, device_is_another, inputs_overlap,
/// device_memory_is_exhausted, and in order what a kernel throws; if the program was planned for another device than
/// the context's, whose clock counts, and does not fit it, device_streams_are_exceeded, device_events_are_exceeded,
/// device_memory_is_exceeded, memory_is_misaligned. Compile errors: input_count_differs, input_has_wrong_type,
/// mutated_input_is_const, program_keeps_states, program_has_constants, lambda_has_captures.
template <class F, class... Given> auto stream::launch(F&& f, Given&&... given) const {
    using what = detail::launched<std::remove_cvref_t<F>, std::remove_cvref_t<Given>...>;
    static_cast<void>(require<what>{});
    if constexpr (what::error.ok()) {
        using program = typename what::program;
        using checked = detail::launch_inputs<program, Given&&...>;
        static_cast<void>(require<checked>{});
        if constexpr (checked::error.ok() && program::accepted)
            return detail::launch_program<program>(*this, what::constants(f), what::states(f), given...);
    }
}

} // namespace ahead::npu
