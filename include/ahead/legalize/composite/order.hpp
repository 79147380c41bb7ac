// SPDX-License-Identifier: MIT
// Operators that PyTorch composes from sorts, sums and tests: quantiles, means without NaN, cumulative integrals.
// Source: aten/src/ATen/native/Sorting.cpp, ReduceOps.cpp, Integration.cpp.
#pragma once
#include <ahead/legalize/composite/losses.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term msort(auto& c) { return c.pick(c("aten.sort.default", {c["self"], 0}), 0); }
constexpr term argsort(auto& c) {
    return c.pick(
        c("aten.sort.stable", {c["self"], c.named("stable", c.boolean("stable")), c.named("dim", c.integer("dim")),
                               c.named("descending", c.boolean("descending"))}),
        1);
}

/// The sum of the elements that are not NaN, divided by their number.
constexpr term nanmean(auto& c) {
    const auto x = c["self"];
    call_argument dims;
    if (c.has("dim")) dims = c.ints("dim");
    const auto keepdim = c.boolean("keepdim");
    const auto numbers = c("aten.logical_not.default", {c("aten.isnan.default", {x})});
    const auto sum = c("aten.nansum.default", {x, dims, keepdim, c.named("dtype", c["dtype"])});
    return sum / c("aten.sum.dim_IntList", {numbers, dims, keepdim});
}

/// Element q (size - 1) of the sorted elements, interpolated between neighbours. IgnoreNan: of the elements that are
/// not NaN; otherwise the quantile of a row with a NaN is NaN.
template <bool IgnoreNan> constexpr term quantile(auto& c) {
    auto x = c["self"], q = c["q"];
    const auto type = x.type().type;
    const int rank = x.type().rank;
    const auto way = c.text("interpolation");
    const bool is_line = q.type().rank > 0 && q.value.kind == argument_kind::node, along = c.has("dim");
    const int dim = along ? c.dim("dim", rank) : 0;
    x = along && rank > 0 ? c("aten.movedim.int", {x, dim, -1}) : c("aten.reshape.default", {x, int_list{-1}});
    const auto sorted = c.pick(c("aten.sort.default", {x, -1}), 0);
    const auto last = sorted.size(-1) - 1;
    q = q.value.kind == argument_kind::node ? c("aten.reshape.default", {q, int_list{-1}}) : c.full({1}, q, type);
    const auto is_nan = c("aten.isnan.default", {sorted});
    auto ranks = q;
    if (IgnoreNan) {
        const auto numbers = c("aten.sum.dim_IntList", {c("aten.logical_not.default", {is_nan}), int_list{-1}, true});
        ranks = clamped(q * (numbers - 1));
    } else ranks = c("aten.where.self", {c("aten.any.dim", {is_nan, -1, true}), c.full({}, last, type), q * last});
    if (way == "lower") ranks = c("aten.floor.default", {ranks});
    if (way == "higher") ranks = c("aten.ceil.default", {ranks});
    if (way == "nearest") ranks = c("aten.round.default", {ranks});
    const auto at = [&](const term& places) {
        return c("aten.gather.default", {sorted, -1, c.converted(places, dtype::i64)});
    };
    const auto below = c("aten.floor.default", {ranks});
    auto out = at(below);
    if (way == "linear") out = c("aten.lerp.Tensor", {out, at(c("aten.ceil.default", {ranks})), ranks - below});
    if (way == "midpoint") out = c("aten.lerp.Scalar", {out, at(c("aten.ceil.default", {ranks})), 0.5});
    int_list sizes;
    if (is_line) sizes.push_back(q.size(0));
    for (int d = 0; d < rank; ++d) {
        const bool goes = !along || d == dim;
        if (!goes || c.boolean("keepdim")) sizes.push_back(goes ? 1 : c["self"].size(d));
    }
    return c("aten.reshape.default", {c("aten.movedim.int", {out, -1, 0}), sizes});
}

/// Twice the integral between neighbouring elements, for each pair.
constexpr term between_neighbours(auto& c, bool by_places) {
    const auto y = c["y"];
    const int dim = c.dim("dim", y.type().rank);
    const auto neighbour = [&](const term& of, int along, int which) {
        return c("aten.slice.Tensor", {of, along, which, of.size(along) - 1 + which});
    };
    const auto both = neighbour(y, dim, 1) + neighbour(y, dim, 0);
    if (!by_places) return both * c["dx"];
    const auto x = c["x"];
    const bool is_line = x.type().rank == 1;
    const int along = is_line ? 0 : c.dim("dim", x.type().rank);
    auto apart = neighbour(x, along, 1) - neighbour(x, along, 0);
    int_list sizes{apart.size(0)};
    for (int d = dim + 1; d < y.type().rank; ++d) sizes.push_back(1);
    return both * (is_line ? c("aten.view.default", {apart, sizes}) : apart);
}
/// The integral up to each element.
constexpr term cumulative_trapezoid(auto& c, bool by_places) {
    return c("aten.cumsum.default", {between_neighbours(c, by_places) / 2, c.integer("dim")});
}
constexpr term cumulative_trapezoid_dx(auto& c) { return cumulative_trapezoid(c, false); }
constexpr term cumulative_trapezoid_x(auto& c) { return cumulative_trapezoid(c, true); }

/// Slopes along one dim: from both neighbours inside, from the nearest two or three elements at the edges.
constexpr term slopes(auto& c, const term& x, int dim, double apart) {
    const auto size = x.size(dim);
    const auto at = [&](std::int64_t from, std::int64_t end) { return c("aten.slice.Tensor", {x, dim, from, end}); };
    const auto edge = [&](std::int64_t first, std::int64_t step) { // from the edge inwards
        const auto one = [&](std::int64_t k) { return at(first + k * step, first + k * step + 1); };
        const auto slope = c.integer("edge_order") == 1 ? one(1) - one(0)
                                                        : (one(0) * -1.5 + one(1) * 2) - one(2) * 0.5;
        return slope / (static_cast<double>(step) * apart);
    };
    const auto inside = (at(2, size) - at(0, size - 2)) / (2 * apart);
    list_argument all = nodes({edge(0, 1).value.node(), inside.value.node(), edge(size - 1, -1).value.node()});
    return c("aten.cat.default", {all, dim});
}
/// Along each given dim, or along all.
constexpr term gradient(auto& c) {
    const auto x = c["self"];
    int_list dims;
    if (c.has("dim")) dims = c.ints("dim");
    else
        for (int d = 0; d < x.type().rank; ++d) dims.push_back(d);
    for (int i = 0; i < dims.size && c.ok(); ++i) {
        const auto dim = wrapped_dim(dims[i], x.type().rank);
        double apart = 1;
        if (c.takes("spacing") && c.has("spacing"))
            apart = c.count("spacing") > 0 ? c.number("spacing", i) : c.number("spacing");
        const bool exists = dim >= 0 && dim < x.type().rank;
        if (!exists || x.size(dim) < c.integer("edge_order") + 1)
            return c.refuse(exists ? fault::window_does_not_fit : fault::dimension_is_out_of_range,
                            "a dim of edge_order + 1 elements at least", short_text() << dims[i]);
        c.give(i, dims.size, slopes(c, x, dim, apart));
    }
    return {};
}

/// Whether all elements along the dims are true; without dims, along all dims.
constexpr term all_dims(auto& c) {
    auto x = c["self"];
    const int rank = x.type().rank;
    int_list dims;
    if (c.has("dim")) dims = c.ints("dim");
    for (int d = 0; !c.has("dim") && d < rank; ++d) dims.push_back(d);
    for (auto dim : dims) x = c("aten.all.dim", {x, dim, true});
    if (dims.size == 0) return x.type().type == dtype::u8 ? x : c("aten.ne.Scalar", {x, 0});
    return c.boolean("keepdim") ? x : c("aten.squeeze.dims", {x, dims});
}

} // namespace ahead::detail::composite
