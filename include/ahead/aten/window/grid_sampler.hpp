// SPDX-License-Identifier: MIT
// grid_sampler_2d and 3d: samples an image or a volume at positions that are data. Positions are computed in the dtype,
// as in PyTorch, sums in double. Source: aten/src/ATen/native/GridSampler.h, GridSampler.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/core/math/resample.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// How an image is sampled between its elements and outside of it. PyTorch passes both as numbers.
enum class grid_interpolation { bilinear, nearest, bicubic };
enum class grid_padding { zeros, border, reflection };

namespace detail {

/// One dim of the image: maps a position in [-1, 1] to indices.
template <class T> struct grid_axis {
    std::int64_t size;
    grid_padding padding;
    bool align_corners;

    /// -1 and 1 are the centres of the first and last element if align_corners, else their outer edges.
    constexpr T unnormalised(T x) const {
        const auto n = static_cast<T>(size);
        return align_corners ? (x + 1) / 2 * (n - 1) : ((x + 1) * n - 1) / 2;
    }
    constexpr T clipped(T x) const {
        const auto last = static_cast<T>(size - 1);
        return x > 0 ? (x < last ? x : last) : T{};
    }
    /// Reflects x at both ends until it is inside.
    constexpr T reflected(T x) const {
        const T low = align_corners ? T{} : T(-0.5), span = static_cast<T>(align_corners ? size - 1 : size);
        if (span == 0) return 0;
        x = math::abs(x - low);
        const T flips = math::floor(x / span), rest = x - flips * span;
        return (math::fmod(flips, T(2)) == 0 ? rest : span - rest) + low;
    }
    /// Applies the padding mode to an index.
    constexpr T padded(T x) const {
        if (padding == grid_padding::zeros) return x;
        return clipped(padding == grid_padding::border ? x : reflected(x));
    }
    /// The element at x; -1 if outside, which reads as 0.
    constexpr std::int64_t element(T x) const {
        return x >= 0 && x < static_cast<T>(size) ? static_cast<std::int64_t>(x) : -1;
    }
};

/// The elements that one sample reads along one dim, and their weights.
template <class T> struct grid_taps {
    std::int64_t index[4]{};
    T weight[4]{};
    int count = 0;

    constexpr void add(std::int64_t i, T w) {
        index[count] = i;
        weight[count++] = w;
    }
};
template <class T> constexpr grid_taps<T> taps_of(const grid_axis<T>& axis, T place, grid_interpolation by) {
    grid_taps<T> out;
    const T whole = axis.unnormalised(place);
    if (by == grid_interpolation::bicubic) {
        const T first = math::floor(whole);
        T weights[4]{};
        cubic_weights(whole - first, weights);
        for (int k = 0; k < 4; ++k) out.add(axis.element(axis.padded(first + static_cast<T>(k - 1))), weights[k]);
        return out;
    }
    const T x = axis.padded(whole);
    if (by == grid_interpolation::nearest) {
        out.add(axis.element(math::nearbyint(x)), 1);
        return out;
    }
    const T first = math::floor(x);
    out.add(axis.element(first), first + 1 - x);
    out.add(axis.element(first + 1), x - first);
    return out;
}

} // namespace detail

namespace detail {

template <int Spatial> struct grid_sampler {
    static constexpr int most_modes = Spatial == 2 ? 3 : 2; // volumes do not support bicubic
    enum at : int { input, grid, interpolation_mode, padding_mode, align_corners };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("grid", parameter_kind::tensor),
        required("interpolation_mode", parameter_kind::integer), required("padding_mode", parameter_kind::integer),
        required("align_corners", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &grid = c.tensor(at::grid);
        for (const auto* t : {&x, &grid})
            if (t->rank != Spatial + 2)
                return c.refuse(fault::rank_is_wrong, short_text("rank ") << Spatial + 2, print(*t));
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (grid.type != x.type) return c.refuse(fault::dtypes_differ, print(x), print(grid));
        auto wanted = sizes_of(grid), sizes = sizes_of(x);
        wanted[0] = x.size(0);
        wanted[Spatial + 1] = Spatial;
        if (sizes_of(grid) != wanted)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(x.type, wanted)), print(grid));
        for (int d = 2; d < Spatial + 2; ++d) {
            if (x.size(d) == 0)
                return c.refuse(fault::window_does_not_fit,
                                Spatial == 2 ? "elements in height and width" : "elements in depth, height and width",
                                print(x));
            sizes[d] = grid.size(d - 1);
        }
        if (c.integer(at::interpolation_mode) < 0 || c.integer(at::interpolation_mode) >= most_modes)
            return c.refuse(fault::argument_has_wrong_kind,
                            Spatial == 2 ? "interpolation_mode: 0 (bilinear), 1 (nearest) or 2 (bicubic)"
                                         : "interpolation_mode: 0 (trilinear) or 1 (nearest)",
                            short_text() << c.integer(at::interpolation_mode));
        if (c.integer(at::padding_mode) < 0 || c.integer(at::padding_mode) > 2)
            return c.refuse(fault::argument_has_wrong_kind, "padding_mode: 0 (zeros), 1 (border) or 2 (reflection)",
                            short_text() << c.integer(at::padding_mode));
        return c.result(tensor_of(x.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto by = c.template word<grid_interpolation>(at::interpolation_mode);
        const auto padding = c.template word<grid_padding>(at::padding_mode);
        const bool align = c.boolean(at::align_corners);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as), grid = c.input(at::grid, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                auto place = at;
                for (int d = 1; d <= Spatial; ++d) place[d] = at[d + 1];
                grid_taps<T> taps[Spatial]; // along the image's dims; the last dim comes first in the grid
                int_list counts;
                for (int d = 0; d < Spatial; ++d) {
                    place[Spatial + 1] = Spatial - 1 - d;
                    taps[d] = taps_of(grid_axis<T>{x.type().size(d + 2), padding, align}, grid[place], by);
                    counts.push_back(taps[d].count);
                }
                double total = 0;
                for_each_index(counts, [&](const int_list& which) {
                    auto from = at;
                    double weight = 1;
                    for (int d = 0; d < Spatial; ++d) {
                        const auto k = static_cast<std::size_t>(which[d]);
                        if (taps[d].index[k] < 0) return;
                        from[d + 2] = taps[d].index[k];
                        weight *= static_cast<double>(taps[d].weight[k]);
                    }
                    total += weight * static_cast<double>(x[from]);
                });
                out.put(at, math::convert<T>(total));
            });
        });
    }
};

} // namespace detail

/// grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners): samples
/// images [N, C, H, W] at positions [N, h, w, 2], (x, y) from -1 to 1, to [N, C, h, w]. interpolation_mode: 0 bilinear,
/// 1 nearest (halves go to the even element), 2 bicubic; padding_mode: 0 zeros, 1 border, 2 reflection.
struct grid_sampler_2d : detail::grid_sampler<2> {
    static constexpr std::string_view name = "aten.grid_sampler_2d.default"sv;
};
/// grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners): samples
/// volumes [N, C, D, H, W] at positions [N, d, h, w, 3], (x, y, z); interpolation_mode: 0 trilinear, 1 nearest.
struct grid_sampler_3d : detail::grid_sampler<3> {
    static constexpr std::string_view name = "aten.grid_sampler_3d.default"sv;
};

using grid_sampler_ops = op_list<grid_sampler_2d, grid_sampler_3d>;

} // namespace ahead::aten
