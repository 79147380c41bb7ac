// SPDX-License-Identifier: MIT
// Strided copies: materializes permute, expand, slice, flip; writes the caller's tensor (npu.assign) or a view of a
// whole tensor (npu.scatter_view); joins tensors (npu.concat).
// Invariant: reads and writes only elements that the key names. Called by runtime/launch/instantiate_kernels.hpp.
#pragma once
#include <ahead/device/assign.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/scatter_view.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/nest.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <cstring>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Lanes of a square tile that is transposed in registers: an element of 4 or 8 bytes is moved as a float of the same
/// size, smaller ones fill registers of 16 bytes.
template <class T>
inline constexpr int turned_lanes = sizeof(T) == 4   ? lanes_within<float>(8)
                                    : sizeof(T) == 8 ? lanes_within<double>(4)
                                    : sizeof(T) < 4  ? 16 / static_cast<int>(sizeof(T))
                                                     : 1;

/// Transposes: element i of rows[k] and element k of rows[i] are exchanged. Each round interleaves row i and row i + N
/// / 2, which moves the first bit of the row index to the last bit of the column index.
template <int Round = 1, class Row, std::size_t N> [[gnu::always_inline]] inline void turn(Row (&rows)[N]) {
    constexpr int half = N / 2;
    Row turned[N];
    const auto interleave = [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
        unroll<half>([&](int i) __attribute__((always_inline)) {
            turned[2 * i] = picked<(Nth / 2 + Nth % 2 * int(N))...>(rows[i], rows[i + half]);
            turned[2 * i + 1] = picked<(half + Nth / 2 + Nth % 2 * int(N))...>(rows[i], rows[i + half]);
        });
    };
    interleave(std::make_integer_sequence<int, static_cast<int>(N)>{});
    unroll<static_cast<int>(N)>([&](int i) __attribute__((always_inline)) { rows[i] = turned[i]; });
    if constexpr (2 << Round <= N) turn<Round + 1>(rows);
}

/// out[r, c] = in[c, r] for one such tile.
template <std::int64_t InRow, std::int64_t OutRow, class T>
[[gnu::always_inline]] inline void turn_tile(const T* in, T* out) {
    constexpr int L = turned_lanes<T>;
    if constexpr (L == 1) {
        *out = *in;
    } else if constexpr (sizeof(T) < 4) {
        vector_of<std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>, L> tile[L];
        unroll<L>([&](int i) __attribute__((always_inline)) { std::memcpy(&tile[i], in + i * InRow, 16); });
        turn(tile);
        unroll<L>([&](int i) __attribute__((always_inline)) {
            std::memcpy(static_cast<void*>(out + i * OutRow), &tile[i], 16);
        });
    } else {
        using real = std::conditional_t<sizeof(T) == 4, float, double>;
        simd<real, L> tile[L];
        unroll<L>([&](int i) __attribute__((always_inline)) {
            tile[i] = simd<real, L>::load(reinterpret_cast<const real*>(in + i * InRow));
        });
        simd<real, L>::transpose(tile);
        unroll<L>([&](int i)
                      __attribute__((always_inline)) { tile[i].store(reinterpret_cast<real*>(out + i * OutRow)); });
    }
}

/// out[Rows, Columns], its rows contiguous, from an input that is contiguous in the other direction, in blocks that
/// stay in L1.
template <std::int64_t Rows, std::int64_t Columns, std::int64_t InColumn, std::int64_t OutRow, class T>
inline void transpose_directly(const T* in, T* out) {
    constexpr std::int64_t L = turned_lanes<T>, block = std::max<std::int64_t>(32, 64 / sizeof(T)); // at least a line
    constexpr bool nearby = L == 1 && Rows * Columns < 1 << 15; // blocks would not help
    constexpr auto whole_rows = nearby ? 0 : Rows / L * L, whole_columns = whole_rows == 0 ? 0 : Columns / L * L;
    if constexpr (whole_columns > 0)
        for (std::int64_t r0 = 0; r0 < whole_rows; r0 += block)
            for (std::int64_t c0 = 0; c0 < whole_columns; c0 += block)
                for (std::int64_t r = r0; r < std::min(whole_rows, r0 + block); r += L)
                    for (std::int64_t c = c0; c < std::min(whole_columns, c0 + block); c += L)
                        turn_tile<InColumn, OutRow>(in + r + c * InColumn, out + r * OutRow + c);
    for (std::int64_t r = 0; r < whole_rows; ++r)
        for (std::int64_t c = whole_columns; c < Columns; ++c) out[r * OutRow + c] = in[r + c * InColumn];
    for (std::int64_t r = whole_rows; r < Rows; ++r)
        for (std::int64_t c = 0; c < Columns; ++c) out[r * OutRow + c] = in[r + c * InColumn];
}

/// The same. Lines that are a large power of two apart map to a few sets of L1: in that case a block is transposed in a
/// buffer, and each of its lines is read once and written once. Measured on 2048 x 2048: 3.5, 4 and 1.4 times as fast
/// in 8, 16 and 32 bits.
template <std::int64_t Rows, std::int64_t Columns, std::int64_t InColumn, std::int64_t OutRow, class T>
inline void transpose(const T* in, T* out) {
    constexpr std::int64_t L = turned_lanes<T>, size = sizeof(T), line = 64 / size, apart = 1024;
    constexpr auto rows = std::min<std::int64_t>(64, 2 * line), columns = 4 * line;
    constexpr bool collides = size <= 4 && InColumn * size % apart == 0 && OutRow * size % apart == 0;
    constexpr auto whole_rows = collides && L > 1 && Columns >= columns ? Rows / rows * rows : 0,
                   whole_columns = whole_rows > 0 ? Columns / columns * columns : 0;
    if constexpr (whole_rows == 0) {
        transpose_directly<Rows, Columns, InColumn, OutRow>(in, out);
    } else {
        alignas(64) T turned[rows * columns];
        for (std::int64_t c0 = 0; c0 < whole_columns; c0 += columns)
            for (std::int64_t r0 = 0; r0 < whole_rows; r0 += rows) {
                for (std::int64_t c = 0; c < columns; c += L)
                    for (std::int64_t r = 0; r < rows; r += L)
                        turn_tile<InColumn, columns>(in + r0 + r + (c0 + c) * InColumn, turned + r * columns + c);
                for (std::int64_t r = 0; r < rows; ++r)
                    std::memcpy(static_cast<void*>(out + (r0 + r) * OutRow + c0), turned + r * columns, size * columns);
            }
        if constexpr (whole_columns < Columns)
            transpose_directly<whole_rows, Columns - whole_columns, InColumn, OutRow>(in + whole_columns * InColumn,
                                                                                      out + whole_columns);
        if constexpr (whole_rows < Rows)
            transpose_directly<Rows - whole_rows, Columns, InColumn, OutRow>(in + whole_rows,
                                                                             out + whole_rows * OutRow);
    }
}

/// Whether the innermost dim is contiguous in the result but not in the input, and the order of writes does not matter.
template <int Tensors> constexpr bool may_turn(const device::basic_strided_key<Tensors>& loop) {
    if (loop.rank < 2) return false;
    const auto last = static_cast<std::size_t>(loop.rank - 1);
    for (std::size_t d = 0; d < last; ++d)
        if (loop.strides[0][d] < loop.strides[0][d + 1] * loop.sizes[d + 1]) return false;
    return loop.strides[0][last] == 1 && loop.strides[1][last] > 1;
}
/// The same copy, with the dim that is contiguous in the input moved next to the innermost dim, which is contiguous in
/// the result.
template <int Tensors> constexpr auto with_turned_dims_last(device::basic_strided_key<Tensors> loop) {
    for (std::size_t d = 0; d + 2 < static_cast<std::size_t>(loop.rank); ++d)
        if (loop.strides[1][d] == 1 && loop.sizes[d] >= 8) {
            std::swap(loop.sizes[d], loop.sizes[d + 1]);
            for (auto& strides : loop.strides) std::swap(strides[d], strides[d + 1]);
        }
    return loop;
}

} // namespace detail

/// out = in at every position of Key, a device::basic_strided_key of the two. Semantics: aten.clone of a strided view.
template <auto Key, class T> inline void copy(const T* in, T* out) {
    constexpr bool may_turn = detail::may_turn(Key), in_tiles = may_turn && detail::turned_lanes<T> > 1;
    constexpr auto loop = in_tiles ? detail::with_turned_dims_last(Key) : Key;
    constexpr auto inner = static_cast<std::size_t>(std::max(1, loop.rank) - 1), outer = inner - (inner > 0);
    constexpr auto size = loop.rank == 0 ? 1 : loop.sizes[inner], to = loop.strides[0][inner],
                   from = loop.strides[1][inner];
    constexpr bool turned = may_turn && loop.strides[1][outer] == 1;
    if constexpr (Key.elements() > 0)
        nest<loop, loop.rank - 1 - turned>([&](const auto& at) __attribute__((always_inline)) {
            const T* const x = in + at[1];
            T* const y = out + at[0];
            if constexpr (turned) detail::transpose<loop.sizes[outer], size, from, loop.strides[0][outer]>(x, y);
            else if constexpr (to == 1 && from == 1) std::memcpy(y, x, sizeof(T) * static_cast<std::size_t>(size));
            else if constexpr (to == 1 && from == 0) std::fill_n(y, size, *x);
            else
                for (std::int64_t i = 0; i < size; ++i) y[i * to] = x[i * from];
        });
}

/// The same for operand number `operand` of a task; the result begins `offset` elements after its address.
template <auto Key> inline void copy(const auto& at, std::size_t operand, std::int64_t offset = 0) {
    using T = element_t<moved_as(Key.types[0])>;
    copy<Key>(at.template in<T>(operand), at.template out<T>() + offset);
}

/// Copies each part to its position, except parts that their producer wrote there directly. Semantics: aten.cat and
/// aten.stack of tensors of one dtype. Call::key is the device::concat_key.
template <class Call> inline void concat(const auto& at) {
    unroll<static_cast<int>(Call::key.count)>([&](auto k) __attribute__((always_inline)) {
        constexpr const auto& part = Call::key.parts[k];
        const auto skipped = part.offset * static_cast<std::int64_t>(bytes_of(part.loop.types[0]));
        if (at.inputs[k] != at.outputs[0] + skipped) copy<part.loop>(at, k, part.offset);
    });
}

template <> struct kernel_for<device::copy> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernels::copy<Key>(at, 0); }
};

template <> struct kernel_for<device::assign> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernels::copy<Key>(at, 1); }
};

/// If the result reuses self's memory, only the view is written.
template <> struct kernel_for<device::scatter_view> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        if (at.inputs[0] != at.outputs[0] && Key.whole_bytes > 0)
            std::memcpy(at.outputs[0], at.inputs[0], static_cast<std::size_t>(Key.whole_bytes));
        kernels::copy<Key.part>(at, 1, Key.offset);
    }
};

template <> struct kernel_for<device::concat> {
    template <class Call> static void run_call(const auto& at) { kernels::concat<Call>(at); }
};

} // namespace ahead::kernels
