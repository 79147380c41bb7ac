// SPDX-License-Identifier: MIT
// What decompositions say often: operators by short names, constants and lists.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/pass/decompose.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::decomposition {

constexpr std::string_view add = "aten.add.Tensor", sub = "aten.sub.Tensor", mul = "aten.mul.Tensor",
                           view = "aten.view.default", reshape = "aten.reshape.default", expand = "aten.expand.default",
                           mean = "aten.mean.dim", sum = "aten.sum.dim_IntList", mm = "aten.mm.default",
                           bmm = "aten.bmm.default";

constexpr bool is_one(const argument& a) { return call_view::to_real(a) == 1; }
constexpr bool is_zero(const argument& a) { return call_view::to_real(a) == 0; }
constexpr argument scaled(decompose_context& c, const argument& x, const argument& factor) {
    return is_one(factor) ? x : c.call(mul, {x, factor});
}
/// A tensor of one number, which prepare makes.
constexpr argument full_of(decompose_context& c, const int_list& sizes, const argument& value, dtype type) {
    auto as = argument::of(type);
    as.keyword = "dtype";
    return c.call("aten.full.default", {sizes, value, as});
}
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
