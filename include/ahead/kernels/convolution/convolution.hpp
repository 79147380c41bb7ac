// SPDX-License-Identifier: MIT
// Convolutions without im2col: a register tile of pixels x filters that reads the input in place, or a padded copy of
// it.
// Invariant: every output element is one sum over channel, kernel row, kernel column, in an order that depends only on
// the key and the build; nothing outside the operands and the workspace is read. device/key/convolution_key.hpp chooses
// the algorithm and sizes the packed weights. Called by runtime/launch/instantiate_kernels.hpp for device convolutions.
// Products are contracted (fma) if the machine supports it.
#pragma once
#include <ahead/device/convolution.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/kernels/convolution/convolution_depthwise.hpp>
#include <ahead/kernels/convolution/convolution_filters.hpp>
#include <ahead/kernels/convolution/convolution_pixels.hpp>
#include <ahead/kernels/convolution/convolution_pointwise.hpp>
#include <ahead/kernels/convolution/convolution_winograd.hpp>
#include <ahead/kernels/convolution/convolution_winograd_small.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/pad.hpp>
#include <ahead/kernels/product/matmul.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <device::convolution_key Key, class T, class After>
inline void convolve_group(const T* x, const T* w, const T* bias, T* out, After after, T* work,
                           [[maybe_unused]] bool first) {
    using algorithm = device::convolution_algorithm;
    constexpr auto chosen = device::algorithm_of(Key);
    constexpr auto per_filter = device::channels_per_group(Key) * device::packed_taps(Key);
    static_assert(chosen == algorithm::winograd || device::makes_all_rows(Key));
    if constexpr (chosen == algorithm::winograd) {
        winograd<Key>(x, w, bias, out, after, work);
    } else if constexpr (chosen == algorithm::winograd_2x2) {
        winograd_2x2<Key>(x, w, bias, out, after, work);
    } else if constexpr (chosen == algorithm::im2col) {
        eigen_kernel<Key>::run(x, w, bias, out, after, work);
    } else if constexpr (chosen == algorithm::tiny_map) {
        each_panel<Key>([&](auto width, auto count, std::int64_t o) __attribute__((always_inline)) {
            tiny_map_panel<Key, width(), count()>(x, w + o * per_filter, bias_from<Key>(bias, o),
                                                  out + o * device::out_pixels(Key), after);
        });
    } else if constexpr (chosen == algorithm::channels_in_lanes) {
        constexpr bool copied = device::detail::reads_padding(Key);
        constexpr auto in_w = copied ? device::detail::padded_columns(Key) : Key.in_w;
        constexpr auto in_h = copied ? device::detail::padded_rows(Key) : Key.in_h;
        if constexpr (copied) {
            constexpr auto c = device::channels_per_group(Key);
            pad<device::pad_key{Key.type,
                                device::pad_mode::constant,
                                3,
                                0,
                                {c, Key.in_h, Key.in_w},
                                {c, in_h, in_w},
                                {0, Key.pad_h, Key.pad_w},
                                {Key.in_h * Key.in_w, Key.in_w, 1}}>(x, work);
        }
        each_panel<Key>([&](auto width, auto count, std::int64_t o) __attribute__((always_inline)) {
            channel_panel<Key, width(), count(), in_w, in_w * in_h>(copied ? work : x, w + o * per_filter,
                                                                    bias_from<Key>(bias, o),
                                                                    out + o * device::out_pixels(Key), after);
        });
    } else if constexpr (is_depthwise<Key, T>) {
        depthwise<Key>(x, w, bias, out, after);
    } else if constexpr (is_pointwise<Key, T>) {
        pointwise<Key>(x, w, bias, out, after, work);
    } else {
        constexpr auto phase = device::detail::phase_width(Key), line = phase * device::detail::phases(Key);
        if constexpr (!device::detail::copies_for_pixels(Key)) {
            pixels_of_group<Key, device::out_h(Key), Key.in_w, Key.in_w * Key.in_h, phase>(x, w, bias, out, after);
        } else {
            each_piece<device::out_h(Key), device::detail::copied_rows(Key)>([&](auto rows, std::int64_t y) {
                copy_phases<Key, rows()>(x, work, first && y == 0, y);
                pixels_of_group<Key, rows(), line, line * device::detail::padded_rows(Key, rows()), phase>(
                    work, w, bias, out + y * device::out_w(Key), after);
            });
        }
    }
}

} // namespace detail

/// Packs the weights [out_channels, in_channels / groups, kernel_h, kernel_w] for convolution<Key>. Once, at load.
template <device::convolution_key Key, class T = element_t<Key.type>>
void pack_convolution(const T* weight, T* packed) {
    constexpr auto key = device::with_rows_merged(Key);
    constexpr auto chosen = device::algorithm_of(key);
    constexpr auto group =
        device::filters_per_group(key) * device::channels_per_group(key) * key.kernel_h * key.kernel_w;
    for (std::int64_t g = 0; g < key.groups; ++g, weight += group, packed += device::packed_group_elements(key)) {
        if constexpr (chosen == device::convolution_algorithm::product) {
            constexpr auto tap = key.pad_h / std::max<std::int64_t>(1, key.dilation_h) * key.kernel_w +
                                 key.pad_w / std::max<std::int64_t>(1, key.dilation_w);
            if constexpr (device::live_taps(key) == 0)
                std::fill(packed, packed + device::packed_group_elements(key), T(0));
            else pack_matmul<device::product_of(key)>(weight + tap, packed);
        } else if constexpr (chosen == device::convolution_algorithm::winograd) {
            detail::pack_winograd<key>(weight, packed);
        } else if constexpr (chosen == device::convolution_algorithm::winograd_2x2) {
            detail::pack_winograd_2x2<key>(weight, packed);
        } else if constexpr (chosen == device::convolution_algorithm::pixels_in_lanes ||
                             chosen == device::convolution_algorithm::im2col) {
            std::copy(weight, weight + group, packed);
        } else {
            constexpr auto filter = device::channels_per_group(key) * key.kernel_h * key.kernel_w;
            constexpr auto kept = device::channels_per_group(key) * device::packed_taps(key);
            detail::each_panel<key>([&](auto width, auto count, std::int64_t o) {
                detail::pack_filters<device::with_rows_merged(Key), width(), count()>(weight + o * filter,
                                                                                      packed + o * kept);
            });
        }
    }
}

/// out[batch, out_channels, out_h, out_w] = x * weights (+ bias[out_channels]), or the result of `after` on that.
/// Semantics: aten.convolution, not transposed. packed: from pack_convolution<Key>. bias: not read unless Key.bias.
/// workspace: device::workspace_bytes(Key), 64-byte aligned. rows: the number of images of a convolution that is a
/// product: the key's, or fewer. If the key selects a range of rows, out is the first pixel of that range; its planes
/// have all rows.
template <device::convolution_key Key, class T = element_t<Key.type>, class After = no_epilogue,
          class Rows = detail::rows_of_key>
inline void convolution(const T* x, const T* packed, const T* bias, T* out,
                        [[maybe_unused]] std::byte* workspace = nullptr, [[maybe_unused]] After after = {},
                        [[maybe_unused]] Rows rows = {}) {
    static_assert(is_floating(Key.type), "convolution has kernels for f32 and f64");
    constexpr auto key = device::with_rows_merged(Key);
    if constexpr (key.batch > 0 && key.out_channels > 0 && device::out_pixels(key) > 0) {
        constexpr auto in_plane = key.in_h * key.in_w, filters = device::filters_per_group(key),
                       channels = device::channels_per_group(key);
        if constexpr (device::algorithm_of(key) == device::convolution_algorithm::product) {
            for (std::int64_t g = 0; g < key.groups; ++g)
                matmul<device::product_of(key)>(x + g * channels, packed + g * device::packed_group_elements(key),
                                                detail::bias_from<key>(bias, g * filters), out + g * filters, workspace,
                                                after, rows);
        } else {
            static_assert(detail::is_whole<Rows>);
            for (std::int64_t b = 0; b < key.batch; ++b)
                for (std::int64_t g = 0; g < key.groups; ++g)
                    detail::convolve_group<key>(x + b * device::image_of_input(key) + g * channels * in_plane,
                                                packed + g * device::packed_group_elements(key),
                                                detail::bias_from<key>(bias, g * filters),
                                                out + (b * key.out_channels + g * filters) * device::out_pixels(key),
                                                after, reinterpret_cast<T*>(workspace), b == 0 && g == 0);
        }
    }
}

template <> struct kernel_for<device::convolution> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        kernels::convolution<key>(
            at.template in<T>(0), at.template in<T>(1), at.template in_or_null<T>(2), at.template out<T>(),
            at.workspace,
            kernels::epilogue_of<Call, T, key.out_channels, device::out_pixels(key)>(at, key.bias ? 3 : 2));
    }
};

template <> struct kernel_for<device::pack_convolution> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::pack_convolution<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
