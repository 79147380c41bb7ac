// SPDX-License-Identifier: MIT
// Max pools as Inductor exports them: as pools that give indices in the plane, from which offsets into windows are
// computed, and into which offsets are converted.
#pragma once
#include <ahead/pass/decompositions/rearrange.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// The first position of each window along spatial dim d, as a tensor that broadcasts against the pooled tensor.
constexpr argument window_begins(decompose_context& c, const aten::pool_window& w, const tensor_type& pooled, int d) {
    const int spatial = w.kernel.size, dim = pooled.rank - spatial + d;
    const auto first = -w.padding[d];
    int_list sizes{pooled.size(dim)};
    for (int behind = d + 1; behind < spatial; ++behind) sizes.push_back(1);
    return c.call(view, {counted(c, first, first + pooled.size(dim) * w.stride[d], w.stride[d]), sizes});
}

/// Maxima, and the offset of each in its window, computed from its index in the plane.
template <class Op> struct pool_with_offsets {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 40 + most_layout_calls;
    static constexpr bool takes_any_dtype = true; // offsets are i8
    static constexpr bool when(const call_view& call) { return gives_dense_elements(call); }
    static constexpr void decompose(auto& c) {
        const auto w = aten::window_of(c.aten, Op::window, Op::spatial_of(c.aten));
        const auto pooled = c.aten.result_type();
        const auto& x = c.aten.tensor(at::self);
        const int spatial = w.kernel.size;
        const auto both =
            c.call(spatial == 2 ? "aten.max_pool2d_with_indices.default" : "aten.max_pool3d_with_indices.default",
                   {c.operand(at::self), w.kernel, w.stride, w.padding, w.dilation, c.aten.boolean(at::ceil_mode)});
        c.bind_result(c.pick(both, 0));
        if (!c.is_result_used(1)) return;
        auto rest = c.pick(both, 1), offset = argument{};
        std::int64_t taps = 1;
        for (int d = spatial; d-- > 0; taps *= w.kernel[d]) {
            const auto size = x.size(x.rank - spatial + d);
            auto inside = d > 0 ? c.call("aten.remainder.Scalar", {rest, size}) : rest;
            if (d > 0) rest = c.call("aten.floor_divide.default", {rest, size});
            inside = c.call(sub, {inside, window_begins(c, w, pooled, d)});
            if (w.dilation[d] > 1) inside = c.call("aten.floor_divide.default", {inside, w.dilation[d]});
            if (taps > 1) inside = c.call("aten.mul.Scalar", {inside, taps});
            offset = d + 1 < spatial ? c.call(add, {offset, inside}) : inside;
        }
        offset = c.call("prims.convert_element_type.default", {offset, dtype::i8});
        c.bind_result(laid_out_as(c, offset, c.aten.result_type(1)), 1);
    }
};

/// Indices in the plane from offsets. plane: its sizes; the first sizes of plane and kernel are not used.
constexpr argument places_of(decompose_context& c, const aten::pool_window& w, const int_list& plane) {
    const auto pooled = c.aten.result_type();
    auto rest = c.call("prims.convert_element_type.default", {c.operand(first_parameter), dtype::i64});
    argument place;
    std::int64_t step = 1;
    for (int d = w.kernel.size; d-- > 0; step *= plane[d]) {
        auto inside = d > 0 ? c.call("aten.remainder.Scalar", {rest, w.kernel[d]}) : rest;
        if (d > 0) rest = c.call("aten.floor_divide.default", {rest, w.kernel[d]});
        if (w.dilation[d] > 1) inside = c.call("aten.mul.Scalar", {inside, w.dilation[d]});
        inside = c.call(add, {inside, window_begins(c, w, pooled, d)});
        if (step != 1) inside = c.call("aten.mul.Scalar", {inside, step});
        place = d + 1 < w.kernel.size ? c.call(add, {place, inside}) : inside;
    }
    return place;
}

template <class Op> struct pool_places {
    using op = Op;
    static constexpr std::int32_t most_calls = 40 + most_layout_calls;
    static constexpr bool takes_any_dtype = true; // offsets are i8
    static constexpr bool when(const call_view& call) { return gives_dense_elements(call); }
    static constexpr void decompose(auto& c) {
        const auto [window, plane] = Op::window_and_plane(c.aten);
        c.bind_result(laid_out_as(c, places_of(c, window, plane), c.aten.result_type()));
    }
};

/// The gradient of means of windows that do not tile the plane, since they overlap: A^T @ gradient @ B of planes, where
/// A and B hold the weight of each position in each window along a dim.
struct adaptive_mean_gradient {
    using op = aten::adaptive_avg_pool2d_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 40 + most_layout_calls;
    static constexpr bool when(const call_view& call) {
        return has_products(call.result_type().type) && gives_dense_elements(call) &&
               element_count(call.tensor(at::grad_output)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type(), g = c.aten.tensor(at::grad_output);
        const auto height = t.size(t.rank - 2), width = t.size(t.rank - 1), rows = g.size(g.rank - 2),
                   columns = g.size(g.rank - 1), planes = element_count(g) / (rows * columns);
        const auto lines = c.call(reshape, {c.operand(at::grad_output), int_list{planes * rows, columns}});
        const auto wide = c.call(mm, {lines, shares(c, width, columns, t.type)});
        auto sums = c.call(view, {wide, int_list{planes, rows, width}});
        const auto down = c.call("aten.transpose.int", {shares(c, height, rows, t.type), 0, 1});
        sums = c.call(bmm, {c.call(expand, {down, int_list{planes, height, rows}}), sums});
        c.bind_result(laid_out_as(c, c.call(view, {sums, sizes_of(t)}), t));
    }

private:
    /// [windows, places]: window i goes from i places / windows, rounded down, to (i + 1) places / windows, rounded up.
    static constexpr argument shares(auto& c, std::int64_t places, std::int64_t windows, dtype type) {
        const auto starts = c.call("aten.mul.Scalar", {counted(c, 0, windows), places});
        const auto bound = [&](std::int64_t more) {
            const auto each = c.call("aten.floor_divide.default", {c.call(add, {starts, more}), windows});
            return c.call(view, {each, int_list{windows, 1}});
        };
        const auto first = bound(0), behind = bound(places + windows - 1), place = counted(c, 0, places);
        const auto inside = c.call("aten.logical_and.default", {c.call("aten.ge.Tensor", {place, first}),
                                                                c.call("aten.lt.Tensor", {place, behind})});
        const auto as_real = [&](const argument& x) { return c.call("prims.convert_element_type.default", {x, type}); };
        return c.call("aten.div.Tensor", {as_real(inside), as_real(c.call(sub, {behind, first}))});
    }
};

/// Writes maxima back to their positions in planes of zeros.
template <class Op, int Spatial> struct unpooled {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr bool when(const call_view& call) {
        return element_count(call.tensor(at::self)) > 0 && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto out = c.aten.result_type();
        std::int64_t plane = 1;
        for (int d = 0; d < Spatial; ++d) plane *= out.size(out.rank - Spatial + d);
        const auto planes = element_count(out) / plane;
        const auto lines = [&](int i) {
            return c.call(reshape, {c.operand(i), int_list{planes, element_count(x) / planes}});
        };
        const auto zeros = full_of(c, {planes, plane}, argument::of(0.0), out.type);
        const auto made = c.call("aten.scatter.src", {zeros, 1, lines(at::indices), lines(at::self)});
        c.bind_result(c.call(view, {made, sizes_of(out)}));
    }
};

} // namespace ahead::decomposition
