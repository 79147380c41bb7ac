// SPDX-License-Identifier: MIT
// Short names of operators that decompositions call, constants and lists.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/pass/decompose.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::decomposition {

constexpr std::string_view add = "aten.add.Tensor", sub = "aten.sub.Tensor", mul = "aten.mul.Tensor",
                           view = "aten.view.default", reshape = "aten.reshape.default", expand = "aten.expand.default",
                           mean = "aten.mean.dim", sum = "aten.sum.dim_IntList", mm = "aten.mm.default",
                           bmm = "aten.bmm.default";

/// Whether a call gives a contiguous result with elements.
constexpr bool gives_contiguous_elements(const call_view& call) {
    return is_contiguous(call.result_type()) && element_count(call.result_type()) > 0;
}
/// Whether it gives a dense result with elements, in any order of dims.
constexpr bool gives_dense_elements(const auto& call) {
    return is_dense(call.result_type()) && element_count(call.result_type()) > 0;
}
constexpr bool is_one(const argument& a) { return call_view::to_real(a) == 1; }
constexpr bool is_zero(const argument& a) { return call_view::to_real(a) == 0; }
constexpr argument scaled(decompose_context& c, const argument& x, const argument& factor) {
    return is_one(factor) ? x : c.call(mul, {x, factor});
}
/// A tensor filled with one number, which prepare makes.
constexpr argument full_of(decompose_context& c, const int_list& sizes, const argument& value, dtype type) {
    auto as = argument::of(type);
    as.keyword = "dtype";
    return c.call("aten.full.default", {sizes, value, as});
}
/// A value with the strides of the dense type `wanted`, which has its sizes: copied if its strides differ.
constexpr std::int32_t most_layout_calls = 3;
constexpr argument laid_out_as(auto& c, const argument& x, const tensor_type& wanted) {
    if (!c.editor().ok() || same_strides(c.type_of(x), wanted)) return x;
    int_list order = sizes_of(wanted), back = order; // from the largest stride to the smallest
    for (int d = 0; d < wanted.rank; ++d) {
        int place = 0;
        for (int other = 0; other < wanted.rank; ++other)
            place += wanted.stride(other) > wanted.stride(d) || (wanted.stride(other) == wanted.stride(d) && other < d);
        order[place] = d;
        back[d] = place;
    }
    const auto copy = c.call("aten.contiguous.default", {c.call("aten.permute.default", {x, order})});
    return c.call("aten.permute.default", {copy, back});
}
/// x @ y, of matrices or of batches. A complex product is one product of real parts, [m, 2 k] @ [2 k, 2 n]: the numbers
/// of x in memory order; below each row of y that row times i.
constexpr std::int32_t most_product_calls = 12;
constexpr argument matrix_product(auto& c, const argument& x, const argument& y) {
    const auto& of_x = c.type_of(x);
    const auto of = of_x.rank == 2 ? mm : bmm;
    if (!is_complex(of_x.type) || !c.editor().ok()) return c.call(of, {x, y});
    const int rank = of_x.rank;
    auto rows = sizes_of(of_x), columns = sizes_of(c.type_of(y)), out = rows;
    rows[rank - 1] *= 2;
    out[rank - 1] = columns[rank - 1];
    for (int d = rank - 2; d < rank; ++d) columns[d] *= 2;
    out.push_back(2);
    const auto parts = c.call("aten.view_as_real.default", {y});
    const auto re = c.call("aten.slice.Tensor", {parts, rank, 0, 1}),
               im = c.call("aten.slice.Tensor", {parts, rank, 1, 2});
    const auto minus = c.call("aten.neg.default", {im});
    if (!c.editor().ok()) return {};
    const auto turned = c.call("aten.cat.default", {nodes({minus.node(), re.node()}), rank});
    const auto above = c.call("aten.unsqueeze.default", {parts, rank - 1}),
               below = c.call("aten.unsqueeze.default", {turned, rank - 1});
    if (!c.editor().ok()) return {};
    const auto both = c.call("aten.cat.default", {nodes({above.node(), below.node()}), rank - 1});
    const auto left = c.call(reshape, {c.call("aten.view_as_real.default", {x}), rows});
    const auto made = c.call(of, {left, c.call(reshape, {both, columns})});
    return c.call("aten.view_as_complex.default", {c.call(view, {made, out})});
}
/// Whether products of the dtype are decomposed: those of f16 and bf16 are decomposed after they are widened.
constexpr bool has_products(dtype type) { return (is_floating(type) && has_kernels(type)) || is_complex(type); }

/// The bits of a mask of dims as a list.
constexpr int_list dims_of(unsigned mask, int rank) {
    int_list out;
    for (int d = 0; d < rank; ++d)
        if (mask >> d & 1) out.push_back(d);
    return out;
}
/// One value for each channel as a tensor that broadcasts against [N, channels, ...].
constexpr argument of_channels(decompose_context& c, const argument& x, int rank) {
    int_list sizes{c.type_of(x).size(0)};
    for (int d = 2; d < rank; ++d) sizes.push_back(1);
    return rank > 2 ? c.call(view, {x, sizes}) : x;
}

} // namespace ahead::decomposition
