// SPDX-License-Identifier: MIT
// The weights that a program writes, on the device: each launch, or replay of a graph that captured one, continues with
// the values that the previous one left.
//     npu::states<program> s(npu, weights);       // begins as the weights' values
//     auto y = side.launch(s, x);                 // reads and writes it
//     c.launch(s, x);                             // captured: so does every replay
//     s.state<"cache">().copy();  s.reset();
// Invariant: the states are one block, which a launch changes like a tensor that the graph writes: two launches without
// an order are refused (streams_race), and graphs that captured the block hold it. Called by npu/launch.hpp,
// npu/compiled_graphs.hpp.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/npu/device_tensor.hpp>
#include <ahead/npu/launch_request.hpp>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

template <class Program> block_lease allocate_states(context& npu) {
    return {npu, npu.allocate(std::max<std::int64_t>(Program::plan.state_bytes, 1), "states")};
}
/// Resets every state to its value in the weights. Waits for pending uses.
template <class Program> void reset_states(const block_lease& memory, const std::byte* constants) {
    if (memory.npu() == nullptr)
        refuse_call(fault::tensor_is_empty, "reset", {}, "states that hold memory", "some that do not");
    memory.npu()->access(memory.block(), true, "reset",
                         [&] { runtime::begin_states<Program>(constants, memory.npu()->address(memory.block())); });
}
/// The state called Name as a tensor; a compile error for any other name (state_is_unknown).
template <class Program, fixed_string Name> auto state_in(const block_lease& memory) {
    using port = typename Program::template state_port<Name>;
    static_cast<void>(require<port>{});
    using made = tensor<static_type<port>>;
    if (memory.npu() == nullptr) return made();
    return made(memory, memory.npu()->address(memory.block()) + port::offset);
}
inline operand operand_of(const context& npu, const block_lease& states) {
    return {states.block(), npu.address(states.block()), true, true, true};
}

/// Whether the written weights of two programs have the same names, types and offsets, as the gears of one graph do.
template <class A, class B> constexpr bool keep_the_same_states() {
    const auto& a = runtime::parameters<A>::made.all;
    const auto& b = runtime::parameters<B>::made.all;
    const auto has_all_of = [](const auto& mine, const auto& theirs) {
        return std::ranges::all_of(theirs, [&](const runtime::prepare_input& p) {
            const auto same =
                std::ranges::find_if(mine, [&](const runtime::prepare_input& q) { return q.name == p.name; });
            return p.state_at < 0 || (same != mine.end() && same->state_at == p.state_at && same->type == p.type);
        });
    };
    return A::plan.state_bytes == B::plan.state_bytes && has_all_of(a, b) && has_all_of(b, a);
}

} // namespace detail

/// Not copied; an object that was moved from holds nothing (tensor_is_empty). Destroyed before its context; the
/// prepared weights outlive its launches, and replays of them.
template <class Program> class states {
public:
    static constexpr std::int64_t bytes = Program::plan.state_bytes;

    /// Throws device_memory_is_exhausted, call_is_illegal_in_capture.
    states(context& npu, const prepared_weights<Program>& weights)
        : constants_(weights.constants()), memory_(detail::allocate_states<Program>(npu)) {
        reset();
    }
    states(context&, const prepared_weights<Program>&&) = delete; // bind the weights to a name
    /// Shares the states with another program that keeps the same ones: another gear of the graph.
    template <class Other>
        requires(detail::keep_the_same_states<Program, Other>())
    states(const states<Other>& same, const prepared_weights<Program>& weights)
        : constants_(weights.constants()), memory_(same.memory()) {}
    states(const states&) = delete;
    states& operator=(const states&) = delete;
    states(states&&) noexcept = default;
    states& operator=(states&&) noexcept = default;

    /// Resets every state to its value in the weights. Waits for the launches and replays that use them. Throws
    /// call_is_illegal_in_capture, stream_is_captured, and what an earlier launch threw.
    void reset() { detail::reset_states<Program>(memory_, constants_); }
    /// The value that the next launch finds in a weight that the graph writes, by its name in the weights: a tensor,
    /// which is read and written like all others, and holds all states. A compile error for any other name
    /// (state_is_unknown).
    template <fixed_string Name> auto state() const { return detail::state_in<Program, Name>(memory_); }

    const block_lease& memory() const { return memory_; }
    const std::byte* constants() const { return constants_; }

private:
    const std::byte* constants_;
    block_lease memory_;
};

} // namespace ahead::npu
