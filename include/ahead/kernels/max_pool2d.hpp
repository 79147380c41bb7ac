// SPDX-License-Identifier: MIT
// Max pooling over planes and volumes, with or without indices.
// Invariant: NaN wins over any number; of equal maxima the first in row order is indexed, of NaNs the last, as in
// PyTorch.
// Called by runtime/launch/instantiate_kernels.hpp for device max_pool2d; keys and sizes are in device/max_pool2d.hpp.
#pragma once
#include <ahead/device/max_pool2d.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <class T>
inline constexpr T lowest_for_max =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

/// Whether `x` replaces `best`: it is greater, or NaN.
template <class T> [[gnu::always_inline]] constexpr bool beats(T x, T best) { return x > best || x != x; }

/// The taps of a window that are inside an axis: [first, last), `dilation` elements apart.
struct tap_range {
    std::int64_t start, first, last, dilation;
    constexpr std::int64_t at(std::int64_t tap) const { return start + tap * dilation; }
};
/// The taps of window `at`; kernel 0: adapted to `out` windows.
constexpr tap_range taps_inside(std::int64_t at, std::int64_t out, std::int64_t stride, std::int64_t pad,
                                std::int64_t dilation, std::int64_t kernel, std::int64_t size) {
    if (kernel == 0) {
        const auto start = at * size / out;
        return {start, 0, ((at + 1) * size + out - 1) / out - start, 1};
    }
    const auto start = at * stride - pad;
    const auto first = start < 0 ? (-start + dilation - 1) / dilation : 0;
    const auto last = std::min(kernel, start < size ? (size - 1 - start) / dilation + 1 : 0);
    return {start, first, last, dilation};
}
template <device::max_pool2d_key Key> constexpr tap_range planes_of(std::int64_t z) {
    return taps_inside(z, Key.out_d, Key.stride_d, Key.pad_d, Key.dilation_d, Key.kernel_d, Key.in_d);
}
template <device::max_pool2d_key Key> constexpr tap_range rows_of(std::int64_t y) {
    return taps_inside(y, Key.out_h, Key.stride_h, Key.pad_h, Key.dilation_h, Key.kernel_h, Key.in_h);
}
template <device::max_pool2d_key Key> constexpr tap_range columns_of(std::int64_t at) {
    return taps_inside(at, Key.out_w, Key.stride_w, Key.pad_w, Key.dilation_w, Key.kernel_w, Key.in_w);
}

/// Adjacent windows of 2x2, the most common pooling: two rows in, one out, pairs of columns separated in registers.
template <device::max_pool2d_key Key, class T> inline void pool_2x2(const T* x, T* out) {
    constexpr int L = lanes_within<T>(Key.out_w);
    for (std::int64_t plane = 0; plane < Key.planes; ++plane, x += Key.in_h * Key.in_w)
        for (std::int64_t y = 0; y < Key.out_h; ++y, out += Key.out_w) {
            const T* const top = x + 2 * y * Key.in_w;
            const T* const bottom = top + Key.in_w;
            const auto one = [&](std::int64_t column) __attribute__((always_inline)) {
                const auto low = max(simd<T, L>::load(top + 2 * column), simd<T, L>::load(bottom + 2 * column));
                const auto high =
                    max(simd<T, L>::load(top + 2 * column + L), simd<T, L>::load(bottom + 2 * column + L));
                using two = simd<T, L>;
                max(two::template every_second<0>(low, high), two::template every_second<1>(low, high))
                    .store(out + column);
            };
            for (std::int64_t column = 0; column + L <= Key.out_w; column += L) one(column);
            if constexpr (Key.out_w % L != 0) one(Key.out_w - L); // overlaps the last whole vector
        }
}

/// The windows of a row that are inside it and have the same size: [first, last).
struct window_range {
    std::int64_t first, last;
};
constexpr window_range windows_inside(const device::max_pool2d_key& key) {
    if (key.kernel_w == 0) return {0, 0};
    const auto room =
        key.in_w - 1 - (key.kernel_w - 1) * key.dilation_w + key.pad_w; // the last window begins here at most
    const auto first = std::min(key.out_w, (key.pad_w + key.stride_w - 1) / key.stride_w);
    return {first, std::max(first, room < 0 ? 0 : std::min(key.out_w, room / key.stride_w + 1))};
}

/// Maxima of windows at every column, one vector at a time; every stride-th of them is a result. Windows that cross an
/// edge are computed one by one; a window that is completely in padding gives the smallest number.
template <device::max_pool2d_key Key, class T> inline void slide(const T* x, T* out, T* sliding) {
    constexpr auto inside = windows_inside(Key);
    constexpr auto begin = inside.first * Key.stride_w - Key.pad_w,
                   count = inside.first == inside.last ? 0 : (inside.last - 1 - inside.first) * Key.stride_w + 1;
    constexpr int L = lanes_within<T>(count);
    for (std::int64_t plane = 0; plane < Key.planes; ++plane, x += Key.in_d * Key.in_h * Key.in_w)
        for (std::int64_t y = 0; y < Key.out_d * Key.out_h; ++y, out += Key.out_w) {
            const auto planes = planes_of<Key>(y / Key.out_h), rows = rows_of<Key>(y % Key.out_h);
            const auto each_row = [&](auto f) __attribute__((always_inline)) {
                for (auto d = planes.first; d < planes.last; ++d) {
                    const T* const top = x + (planes.at(d) * Key.in_h + rows.at(rows.first)) * Key.in_w;
                    const T* const bottom = top + (rows.last - rows.first) * rows.dilation * Key.in_w;
                    for (const T* row = top; row < bottom; row += rows.dilation * Key.in_w) f(row);
                }
            };
            const auto one = [&](std::int64_t at) __attribute__((always_inline)) {
                auto best = simd<T, L>::all(lowest_for_max<T>);
                each_row([&](const T* row) __attribute__((always_inline)) {
                    unroll<static_cast<int>(Key.kernel_w)>([&](int w) __attribute__((always_inline)) {
                        best = max(best, simd<T, L>::load(row + begin + at + w * Key.dilation_w));
                    });
                });
                best.store(sliding + at);
            };
            for (std::int64_t at = 0; at + L <= count; at += L) one(at);
            if constexpr (count % L != 0) one(count - L);
            for (auto at = inside.first; at < inside.last; ++at) out[at] = sliding[(at - inside.first) * Key.stride_w];
            const auto over_an_edge = [&](std::int64_t at) {
                const auto columns = columns_of<Key>(at);
                T best = lowest_for_max<T>;
                each_row([&](const T* row) {
                    for (auto w = columns.first; w < columns.last; ++w)
                        best = beats(row[columns.at(w)], best) ? row[columns.at(w)] : best;
                });
                out[at] = best;
            };
            for (std::int64_t at = 0; at < inside.first; ++at) over_an_edge(at);
            for (auto at = inside.last; at < Key.out_w; ++at) over_an_edge(at);
        }
}

/// If a window has no largest element, because all of it is padding or the smallest number, its index is that of its
/// first position, which may be outside the plane. Windows that do not cross the edges of their rows are computed in
/// vectors, one per lane.
template <device::max_pool2d_key Key, class T>
inline void pool_with_indices(const T* x, T* out, std::int64_t* indices) {
    using place_type = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    constexpr bool fits = sizeof(T) >= 4 && Key.in_d * Key.in_h * Key.in_w <= std::numeric_limits<std::int32_t>::max();
    constexpr int L = fits ? register_lanes<T> : 1;
    constexpr auto inside = windows_inside(Key);
    constexpr auto whole = L > 1 ? inside.first + (inside.last - inside.first) / L * L : inside.first;
    using places = simd<place_type, L>;
    for (std::int64_t plane = 0; plane < Key.planes; ++plane, x += Key.in_d * Key.in_h * Key.in_w)
        for (std::int64_t y = 0; y < Key.out_d * Key.out_h; ++y, out += Key.out_w, indices += Key.out_w) {
            const auto planes = planes_of<Key>(y / Key.out_h), rows = rows_of<Key>(y % Key.out_h);
            const auto row_at = [&](std::int64_t d, std::int64_t h) {
                return (planes.at(d) * Key.in_h + rows.at(h)) * Key.in_w;
            };
            const auto one = [&](std::int64_t at) {
                const auto columns = columns_of<Key>(at);
                auto index = row_at(planes.first, rows.first) + columns.at(columns.first);
                T best = lowest_for_max<T>;
                for (auto d = planes.first; d < planes.last; ++d)
                    for (auto h = rows.first; h < rows.last; ++h)
                        for (auto w = columns.first; w < columns.last; ++w) {
                            const auto from = row_at(d, h) + columns.at(w);
                            if (beats(x[from], best)) {
                                best = x[from];
                                index = from;
                            }
                        }
                out[at] = best;
                indices[at] = index;
            };
            for (std::int64_t at = 0; at < inside.first; ++at) one(at);
            if constexpr (whole > inside.first)
                for (auto at = inside.first; at < whole; at += L) {
                    const auto begin = at * Key.stride_w - Key.pad_w;
                    typename places::packet steps{};
                    unroll<L>([&](int l) { steps[l] = static_cast<place_type>(l * Key.stride_w); });
                    auto best = simd<T, L>::all(lowest_for_max<T>).value;
                    auto index = steps + static_cast<place_type>(row_at(planes.first, rows.first) + begin);
                    for (auto d = planes.first; d < planes.last; ++d)
                        for (auto h = rows.first; h < rows.last; ++h)
                            unroll<static_cast<int>(Key.kernel_w)>([&](int w) __attribute__((always_inline)) {
                                const auto from = row_at(d, h) + begin + w * Key.dilation_w;
                                const auto next = simd<T, L>::template load_apart<Key.stride_w>(x + from).value;
                                const auto better = (next > best) | (next != next);
                                best = better ? next : best;
                                index = better ? steps + static_cast<place_type>(from) : index;
                            });
                    simd<T, L>{best}.store(out + at);
                    places{index}.template as<std::int64_t>().store(indices + at);
                }
            for (auto at = whole; at < Key.out_w; ++at) one(at);
        }
}

} // namespace detail

/// Semantics: aten.max_pool1d to 3d, with indices or without, adaptive_max_pool1d to 3d. indices: not written unless
/// Key.indices. workspace: device::workspace_bytes(Key).
template <device::max_pool2d_key Key, class T = element_t<Key.type>>
inline void max_pool2d(const T* x, T* out, [[maybe_unused]] std::int64_t* indices = nullptr,
                       [[maybe_unused]] std::byte* workspace = nullptr) {
    if constexpr (Key.planes == 0 || Key.out_d == 0 || Key.out_h == 0 || Key.out_w == 0) return;
    else if constexpr (Key.indices) detail::pool_with_indices<Key>(x, out, indices);
    else if constexpr (device::takes_pairs(Key) && lanes_within<T>(Key.out_w) > 1) detail::pool_2x2<Key>(x, out);
    else detail::slide<Key>(x, out, reinterpret_cast<T*>(workspace));
}

template <> struct kernel_for<device::max_pool2d> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        std::int64_t* indices = nullptr;
        if constexpr (Key.indices) indices = at.template out<std::int64_t>(1);
        kernels::max_pool2d<Key>(at.template in<T>(0), at.template out<T>(), indices, at.workspace);
    }
};

} // namespace ahead::kernels
