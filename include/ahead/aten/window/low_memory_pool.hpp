// SPDX-License-Identifier: MIT
// Max poolings as Inductor prints them: they return the maxima and, as i8, the offset of each maximum in its window;
// another operator converts offsets to indices into the plane. Source: torch/_inductor/inductor_prims.py, lowering.py.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/window/pool.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Pools two dims, or, under the newer name, as many dims as the kernel has: two or three.
template <int Spatial> struct pool_with_offsets {
    enum at : int { self, kernel_size, stride, padding, dilation, ceil_mode };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),       required("kernel_size", parameter_kind::int_list),
        required("stride", parameter_kind::int_list),   required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list), required("ceil_mode", parameter_kind::boolean)};
    static constexpr auto window = schemas::max_pool::window;
    static constexpr int spatial_of(const auto& c) { return Spatial > 0 ? Spatial : c.ints(at::kernel_size).size; }
    static constexpr bool infer(infer_context& c) {
        const int spatial = spatial_of(c);
        if (spatial != 2 && spatial != 3)
            return c.refuse(fault::rank_is_wrong, "a kernel of 2 or 3 dims", short_text() << spatial);
        int_list sizes;
        if (!infer_pool(c, window, spatial, c.boolean(at::ceil_mode), sizes)) return false;
        std::int64_t taps = 1;
        for (auto size : window_of(c, window, spatial).kernel) taps = (checked_int(taps) * size).get();
        if (taps > 127)
            return c.refuse(fault::window_does_not_fit, "at most 127 elements, which i8 counts", short_text() << taps);
        return c.results(2) && c.set(0, pooled(c, c.tensor(at::self).type, sizes, spatial)) &&
               c.set(1, pooled(c, dtype::i8, sizes, spatial));
    }
    static constexpr void evaluate(auto& c) {
        const auto w = window_of(c, window, spatial_of(c));
        const auto offsets = c.output(1, std::int64_t{});
        evaluate_max_pool(c, w, [&](const int_list& out, const int_list& place) {
            std::int64_t offset = 0;
            for (int d = 0; d < w.kernel.size; ++d) {
                const int dim = out.size - w.kernel.size + d;
                const auto first = out[dim] * w.stride[d] - w.padding[d];
                offset = offset * w.kernel[d] + (place[dim] - first) / w.dilation[d];
            }
            offsets.put(out, offset);
        });
    }
};

/// A window, and the sizes of the plane or volume that it moves over; the first size is not used.
struct window_in_plane {
    pool_window window;
    int_list plane;
};
/// Writes the index into the plane for each offset into a window.
constexpr void evaluate_places(auto& c, const window_in_plane& of) {
    const auto& [w, plane] = of;
    const auto offsets = c.input(first_parameter, std::int64_t{});
    const auto out = c.output(0, std::int64_t{});
    const int spatial = w.kernel.size;
    for_each_index(sizes_of(out.type()), [&](const int_list& at) {
        auto rest = offsets[at];
        int_list inside = w.kernel;
        for (int d = spatial; d-- > 0; rest = d > 0 ? rest / w.kernel[d] : 0)
            inside[d] = d > 0 ? rest % w.kernel[d] : rest;
        std::int64_t place = 0;
        for (int d = 0; d < spatial; ++d)
            place =
                place * plane[d] + at[at.size - spatial + d] * w.stride[d] - w.padding[d] + inside[d] * w.dilation[d];
        out.put(at, place);
    });
}
/// pre: offsets are parameter 0
constexpr bool infer_places(infer_context& c, int spatial, std::initializer_list<int> lists) {
    const auto& offsets = c.tensor(first_parameter);
    if (offsets.type != dtype::i8) return c.refuse(fault::dtype_is_unsupported, "offsets in i8", print(offsets));
    if (offsets.rank < spatial)
        return c.refuse(fault::rank_is_wrong, short_text("rank ") << spatial << " at least", print(offsets));
    for (int i : lists)
        if (!check_spatial(c, i, spatial)) return false;
    return c.result(like(offsets, dtype::i64));
}

} // namespace detail

/// prims._low_memory_max_pool2d_with_offsets(Tensor self, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding,
/// SymInt[2] dilation, bool ceil_mode): (maxima, offsets)
struct low_memory_max_pool2d_with_offsets : detail::pool_with_offsets<2> {
    static constexpr std::string_view name = "prims._low_memory_max_pool2d_with_offsets.default"sv;
};

/// prims._low_memory_max_pool_with_offsets(Tensor self, SymInt[] kernel_size, SymInt[] stride, SymInt[] padding,
/// SymInt[] dilation, bool ceil_mode): (maxima, offsets)
struct low_memory_max_pool_with_offsets : detail::pool_with_offsets<0> {
    static constexpr std::string_view name = "prims._low_memory_max_pool_with_offsets.default"sv;
};

/// prims._low_memory_max_pool2d_offsets_to_indices(Tensor self, SymInt kernel_w, SymInt input_w, SymInt[2] stride,
/// SymInt[2] padding): i64 indices into the plane
struct low_memory_max_pool2d_offsets_to_indices {
    static constexpr std::string_view name = "prims._low_memory_max_pool2d_offsets_to_indices.default"sv;
    enum at : int { self, kernel_w, input_w, stride, padding };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("kernel_w", parameter_kind::integer),
        required("input_w", parameter_kind::integer), required("stride", parameter_kind::int_list),
        required("padding", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        if (c.integer(at::kernel_w) < 1)
            return c.refuse(fault::stride_must_be_positive, "a kernel from 1", short_text() << c.integer(at::kernel_w));
        return detail::infer_places(c, 2, {at::stride, at::padding});
    }
    static constexpr detail::window_in_plane window_and_plane(const auto& c) {
        return {{{1, c.integer(at::kernel_w)}, spread(c, at::stride, 2), spread(c, at::padding, 2), {1, 1}},
                {0, c.integer(at::input_w)}};
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_places(c, window_and_plane(c)); }
};

/// prims._low_memory_max_pool_offsets_to_indices(Tensor self, SymInt[] kernel_size, SymInt[] input_size, SymInt[]
/// stride, SymInt[] padding, SymInt[] dilation): i64 indices into the plane or volume of input_size
struct low_memory_max_pool_offsets_to_indices {
    static constexpr std::string_view name = "prims._low_memory_max_pool_offsets_to_indices.default"sv;
    enum at : int { self, kernel_size, input_size, stride, padding, dilation };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),         required("kernel_size", parameter_kind::int_list),
        required("input_size", parameter_kind::int_list), required("stride", parameter_kind::int_list),
        required("padding", parameter_kind::int_list),    required("dilation", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto kernel = c.ints(at::kernel_size);
        for (auto size : kernel)
            if (size < 1) return c.refuse(fault::stride_must_be_positive, "a kernel from 1", short_text() << size);
        return detail::infer_places(c, kernel.size, {at::input_size, at::stride, at::padding, at::dilation});
    }
    static constexpr detail::window_in_plane window_and_plane(const auto& c) {
        const auto kernel = c.ints(at::kernel_size);
        return {{kernel, spread(c, at::stride, kernel.size), spread(c, at::padding, kernel.size),
                 spread(c, at::dilation, kernel.size)},
                spread(c, at::input_size, kernel.size)};
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_places(c, window_and_plane(c)); }
};

using low_memory_pool_ops = op_list<low_memory_max_pool2d_with_offsets, low_memory_max_pool_with_offsets,
                                    low_memory_max_pool2d_offsets_to_indices, low_memory_max_pool_offsets_to_indices>;

} // namespace ahead::aten
