// SPDX-License-Identifier: MIT
// Cells of recurrent networks: the next state from the input's and the state's contributions to each gate.
// Source: aten/src/ATen/native/RNN.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::aten {

enum class recurrent_cell { lstm, gru, tanh, relu };

/// The number of a weight's rows per element of the state, one per gate, in PyTorch's order.
constexpr std::int64_t gates_of(recurrent_cell cell) {
    return cell == recurrent_cell::lstm ? 4 : cell == recurrent_cell::gru ? 3 : 1;
}

namespace detail {

/// An element of the next state from the input's and the state's contributions to each gate; updates lstm's cell as
/// well.
template <class T>
constexpr T next_state(recurrent_cell cell, const T* of_input, const T* of_state, T hidden, T& cells) {
    const auto gate = [&](int g) { return 1 / (1 + math::exp(-(of_input[g] + of_state[g]))); };
    const T first = of_input[0] + of_state[0];
    switch (cell) {
    case recurrent_cell::lstm:
        cells = gate(1) * cells + gate(0) * math::tanh(of_input[2] + of_state[2]);
        return gate(3) * math::tanh(cells);
    case recurrent_cell::gru: {
        const T fresh = math::tanh(of_input[2] + gate(0) * of_state[2]);
        return fresh + gate(1) * (hidden - fresh);
    }
    case recurrent_cell::tanh: return math::tanh(first);
    case recurrent_cell::relu: break;
    }
    return first < 0 ? T{} : first;
}

} // namespace detail

} // namespace ahead::aten
