// SPDX-License-Identifier: MIT
// Max pools as Inductor prints them: as those that give places in the plane, which offsets into windows are made of, and
// made into.
#pragma once
#include <ahead/pass/decompositions/moves.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// Each window's first place along spatial dim d, as a tensor that broadcasts against what is pooled.
constexpr argument window_begins(decompose_context& c, const aten::pool_window& w, const tensor_type& pooled, int d) {
    const int spatial = w.kernel.size, dim = pooled.rank - spatial + d;
    const auto first = -w.padding[d];
    int_list sizes{pooled.size(dim)};
    for (int behind = d + 1; behind < spatial; ++behind) sizes.push_back(1);
    return c.call(view, {counted(c, first, first + pooled.size(dim) * w.stride[d], w.stride[d]), sizes});
}

/// Maxima, and where in its window each one is, from where in its plane it is.
template <class Op> struct pool_with_offsets {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 40;
    static constexpr bool takes_any_dtype = true; // offsets are i8
    static constexpr bool when(const call_view& call) { return gives_contiguous_elements(call); }
    static constexpr void decompose(auto& c) {
        const auto w = aten::window_of(c.aten, Op::window, Op::spatial_of(c.aten));
        const auto pooled = c.aten.result_type();
        const auto& x = c.aten.tensor(at::self);
        const int spatial = w.kernel.size;
        const auto both =
            c.call(spatial == 2 ? "aten.max_pool2d_with_indices.default" : "aten.max_pool3d_with_indices.default",
                   {c.operand(at::self), w.kernel, w.stride, w.padding, w.dilation, c.aten.boolean(at::ceil_mode)});
        c.finish(c.pick(both, 0));
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
        c.finish(c.call("prims.convert_element_type.default", {offset, dtype::i8}), 1);
    }
};

/// The other way round. plane: its sizes; of the first, as of the kernel's, nothing is asked.
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
    static constexpr std::int32_t most_calls = 40;
    static constexpr bool takes_any_dtype = true; // offsets are i8
    static constexpr bool when(const call_view& call) { return gives_contiguous_elements(call); }
    static constexpr void decompose(auto& c) {
        const auto [window, plane] = Op::window_and_plane(c.aten);
        c.finish(places_of(c, window, plane));
    }
};

/// Maxima back where they were in their planes, among zeros.
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
        c.finish(c.call(view, {made, sizes_of(out)}));
    }
};

} // namespace ahead::decomposition
