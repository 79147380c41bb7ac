// SPDX-License-Identifier: MIT
// Recurrent networks: each step is a product of the state, the gates, and, if there is one, a projection of their
// result, while all are in a near cache.
// Invariant: an element's bits depend only on the key, not on the number of steps.
#pragma once
#include <ahead/device/product/recurrent.hpp>
#include <ahead/kernels/product/matmul.hpp>
#include <ahead/kernels/vector/elementary.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// One row of a batch: computes Count elements of the state `next` from the gate values of the inputs (x) and of the
/// previous state `before` (h); the values of the gates are stored one gate after the other. cells: those of an lstm,
/// updated in place.
template <device::recurrent_cell Cell, std::int64_t Count, class T>
[[gnu::always_inline]] inline void step_cells(const T* x, const T* h, [[maybe_unused]] const T* before,
                                              [[maybe_unused]] T* cells, T* next) {
    using cell = device::recurrent_cell;
    if constexpr (Cell == cell::lstm) {
        map<Count>([](auto xi, auto hi, auto xf, auto hf, auto xg, auto hg, auto c) __attribute__((
                       always_inline)) { return fma(sigmoid(xf + hf), c, sigmoid(xi + hi) * tanh(xg + hg)); },
                   cells, x, h, x + Count, h + Count, x + 2 * Count, h + 2 * Count, static_cast<const T*>(cells));
        map<Count>([](auto xo, auto ho, auto c) __attribute__((always_inline)) { return sigmoid(xo + ho) * tanh(c); },
                   next, x + 3 * Count, h + 3 * Count, static_cast<const T*>(cells));
    } else if constexpr (Cell == cell::gru) {
        map<Count>(
            [](auto xr, auto hr, auto xz, auto hz, auto xn, auto hn, auto b) __attribute__((always_inline)) {
                const auto fresh = tanh(fma(sigmoid(xr + hr), hn, xn));
                return fma(sigmoid(xz + hz), b - fresh, fresh);
            },
            next, x, h, x + Count, h + Count, x + 2 * Count, h + 2 * Count, before);
    } else if constexpr (Cell == cell::tanh) {
        map<Count>([](auto a, auto b) __attribute__((always_inline)) { return tanh(a + b); }, next, x, h);
    } else {
        map<Count>([](auto a, auto b) __attribute__((always_inline)) { return relu(a + b); }, next, x, h);
    }
}

} // namespace detail

/// Semantics: aten.lstm, gru, rnn_tanh and rnn_relu, one direction of one layer; operands and results as in
/// device::recurrent. steps: only the first `steps` of the key's steps are computed. workspace:
/// device::workspace_bytes(Key), 64-byte aligned.
template <device::recurrent_key Key, class T = element_t<Key.state.type>>
void recurrent(const T* x, const T* weight, const T* bias, const T* hidden, [[maybe_unused]] const T* cells,
               [[maybe_unused]] const T* projection, T* out, T* last, [[maybe_unused]] T* last_cells,
               std::byte* workspace, std::int64_t steps = Key.steps) {
    // Separate constants: g++ 12 crashes on members of members of a key that a loop reads.
    constexpr auto state = Key.state, projecting = Key.projection;
    constexpr auto cell = Key.cell;
    constexpr auto batch = state.m, width = state.k, gates = state.n, count = device::cells_of(Key);
    constexpr auto size = static_cast<std::size_t>(batch) * sizeof(T);
    constexpr bool reverse = Key.reverse, has_cells = cell == device::recurrent_cell::lstm;
    constexpr bool projects = device::is_projected(Key);
    T* const sums = reinterpret_cast<T*>(workspace);
    T* const shown = reinterpret_cast<T*>(workspace + device::state_sum_bytes(Key));
    std::byte* const rest = workspace + device::state_sum_bytes(Key) + device::shown_bytes(Key);
    if constexpr (has_cells) std::memcpy(last_cells, cells, size * static_cast<std::size_t>(count));
    const T* before = hidden;
    for (std::int64_t step = 0; step < steps; ++step) {
        const auto first = (reverse ? steps - 1 - step : step) * batch;
        T* const next = out + first * width;
        matmul<state>(before, weight, bias, sums, rest);
        for (std::int64_t row = 0; row < batch; ++row)
            detail::step_cells<cell, count>(x + (first + row) * gates, static_cast<const T*>(sums) + row * gates,
                                            before + row * width, has_cells ? last_cells + row * count : nullptr,
                                            (projects ? shown : next) + row * count);
        if constexpr (projects)
            matmul<projecting>(static_cast<const T*>(shown), projection, static_cast<const T*>(nullptr), next, rest);
        before = next;
    }
    std::memcpy(last, before, size * static_cast<std::size_t>(width));
}

/// The same on a task's ports.
template <device::recurrent_key Key> [[gnu::always_inline]] inline void recurrent_at(const auto& at, auto... steps) {
    using T = element_t<Key.state.type>;
    constexpr bool has_bias = Key.state.bias, has_cells = Key.cell == device::recurrent_cell::lstm,
                   projects = device::is_projected(Key);
    T* last_cells = nullptr;
    if constexpr (has_cells) last_cells = at.template out<T>(2);
    recurrent<Key>(at.template in<T>(0), at.template in<T>(1), has_bias ? at.template in<T>(2) : nullptr,
                   at.template in<T>(2 + has_bias), has_cells ? at.template in_or_null<T>(3 + has_bias) : nullptr,
                   projects ? at.template in_or_null<T>(4 + has_bias) : nullptr, at.template out<T>(0),
                   at.template out<T>(1), last_cells, at.workspace, steps...);
}

template <> struct kernel_for<device::recurrent> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        kernels::recurrent_at<Call::key>(at);
    }
};

} // namespace ahead::kernels
