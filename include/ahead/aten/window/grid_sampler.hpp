// SPDX-License-Identifier: MIT
// grid_sampler_2d: an image read at places that data gives. Places are computed in the dtype, as PyTorch does, sums in
// double. Source: aten/src/ATen/native/GridSampler.h, GridSampler.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/core/math/resample.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// How an image is read between its elements, and outside of it. PyTorch gives both by their numbers.
enum class grid_interpolation { bilinear, nearest, bicubic };
enum class grid_padding { zeros, border, reflection };

namespace detail {

/// One dim of the image: from a place between -1 and 1 to indices.
template <class T> struct grid_axis {
    std::int64_t size;
    grid_padding padding;
    bool align_corners;

    /// -1 and 1 are the centres of the first and last element where corners are aligned, else their outer edges.
    constexpr T unnormalised(T x) const {
        const auto n = static_cast<T>(size);
        return align_corners ? (x + 1) / 2 * (n - 1) : ((x + 1) * n - 1) / 2;
    }
    constexpr T clipped(T x) const {
        const auto last = static_cast<T>(size - 1);
        return x > 0 ? (x < last ? x : last) : T{};
    }
    /// Mirrored at both ends, as often as it takes.
    constexpr T reflected(T x) const {
        const T low = align_corners ? T{} : T(-0.5), span = static_cast<T>(align_corners ? size - 1 : size);
        if (span == 0) return 0;
        x = math::abs(x - low);
        const T flips = math::floor(x / span), rest = x - flips * span;
        return (math::fmod(flips, T(2)) == 0 ? rest : span - rest) + low;
    }
    /// What the padding makes of an index.
    constexpr T padded(T x) const {
        if (padding == grid_padding::zeros) return x;
        return clipped(padding == grid_padding::border ? x : reflected(x));
    }
    /// The element there; -1 for none, which counts as 0.
    constexpr std::int64_t element(T x) const {
        return x >= 0 && x < static_cast<T>(size) ? static_cast<std::int64_t>(x) : -1;
    }
};

/// The elements that a place is read from, along one dim, and their weights.
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

/// grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners): images [N,
/// C, H, W] at the places of [N, h, w, 2], x and y from -1 to 1, are [N, C, h, w]. interpolation_mode: 0 bilinear, 1
/// nearest (halves go to the even element), 2 bicubic; padding_mode: 0 zeros, 1 border, 2 reflection.
struct grid_sampler_2d {
    static constexpr std::string_view name = "aten.grid_sampler_2d.default";
    enum at : int { input, grid, interpolation_mode, padding_mode, align_corners };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("grid", parameter_kind::tensor),
        required("interpolation_mode", parameter_kind::integer), required("padding_mode", parameter_kind::integer),
        required("align_corners", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &grid = c.tensor(at::grid);
        for (const auto* t : {&x, &grid})
            if (t->rank != 4) return c.refuse(fault::rank_is_wrong, "rank 4", print(*t));
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (grid.type != x.type) return c.refuse(fault::dtypes_differ, print(x), print(grid));
        const int_list wanted{x.size(0), grid.size(1), grid.size(2), 2};
        if (sizes_of(grid) != wanted)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(x.type, wanted)), print(grid));
        if (x.size(2) == 0 || x.size(3) == 0)
            return c.refuse(fault::window_does_not_fit, "elements in height and width", print(x));
        if (c.integer(at::interpolation_mode) < 0 || c.integer(at::interpolation_mode) > 2)
            return c.refuse(fault::argument_has_wrong_kind,
                            "interpolation_mode: 0 (bilinear), 1 (nearest) or 2 (bicubic)",
                            short_text() << c.integer(at::interpolation_mode));
        if (c.integer(at::padding_mode) < 0 || c.integer(at::padding_mode) > 2)
            return c.refuse(fault::argument_has_wrong_kind, "padding_mode: 0 (zeros), 1 (border) or 2 (reflection)",
                            short_text() << c.integer(at::padding_mode));
        return c.result(tensor_of(x.type, {x.size(0), x.size(1), grid.size(1), grid.size(2)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto by = c.template word<grid_interpolation>(at::interpolation_mode);
        const auto padding = c.template word<grid_padding>(at::padding_mode);
        const bool align = c.boolean(at::align_corners);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as), grid = c.input(at::grid, as);
            const auto out = c.output(0, as);
            const detail::grid_axis<T> rows{x.type().size(2), padding, align},
                columns{x.type().size(3), padding, align};
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto row = detail::taps_of(rows, grid[{at[0], at[2], at[3], 1}], by);
                const auto column = detail::taps_of(columns, grid[{at[0], at[2], at[3], 0}], by);
                double total = 0;
                for (int i = 0; i < row.count; ++i)
                    for (int k = 0; k < column.count; ++k) {
                        if (row.index[i] < 0 || column.index[k] < 0) continue;
                        total += static_cast<double>(row.weight[i]) * static_cast<double>(column.weight[k]) *
                                 static_cast<double>(x[{at[0], at[1], row.index[i], column.index[k]}]);
                    }
                out.put(at, math::convert<T>(total));
            });
        });
    }
};

using grid_sampler_ops = op_list<grid_sampler_2d>;

} // namespace ahead::aten
