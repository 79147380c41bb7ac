// SPDX-License-Identifier: MIT
// Norms and condition numbers of matrices, which PyTorch composes from norms of vectors and singular values.
// Source: aten/src/ATen/native/LinearAlgebra.cpp.
#pragma once
#include <ahead/aten/reduce/norm.hpp>
#include <ahead/core/math/elementary.hpp>
#include <ahead/legalize/composite/linalg.hpp>
#include <ahead/legalize/composite/wider.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

/// The two dims of x that count rows and columns.
struct matrix_dims {
    int rows = 0, columns = 0;
    constexpr int_list both() const { return {rows, columns}; }
};
constexpr matrix_dims dims_of_matrix(auto& c, const term& x, const int_list& dims) {
    const int rank = x.type().rank;
    if (check_matrices(c, x) && dims.size != 2)
        c.refuse(fault::rank_is_wrong, "2 dims, of rows and of columns", short_text() << dims.size);
    for (const auto d : dims)
        if (c.ok() && (d < -rank || d >= rank))
            c.refuse(fault::dimension_is_out_of_range, short_text() << "a dim from " << -rank << " to " << rank - 1,
                     short_text() << d);
    if (!c.ok()) return {};
    const matrix_dims of{wrapped_dim(dims[0], rank), wrapped_dim(dims[1], rank)};
    if (of.rows == of.columns) c.refuse(fault::dimension_is_repeated, "dims once each", short_text() << of.rows);
    return of;
}

/// The parameter dtype, where the schema has one.
constexpr call_argument wanted_dtype(auto& c) {
    if (c.takes("dtype")) return c.named("dtype", c["dtype"]);
    return c.named("dtype", call_argument{});
}
constexpr term vector_norm(auto& c, const term& x, double order, const int_list& dims, bool keepdim) {
    return c("aten.linalg_vector_norm.default", {x, order, dims, keepdim, wanted_dtype(c)});
}
/// The norm that `reduce` makes of the singular values of each matrix, over dim -1.
constexpr term norm_of_values(auto& c, const term& given, const matrix_dims& of, bool keepdim, auto reduce) {
    if (!check_decomposed_dtype(c, given)) return given;
    auto x = given;
    if (c.takes("dtype") && c.has("dtype")) x = c("prims.convert_element_type.default", {x, c["dtype"]});
    int_list order;
    for (int d = 0; d < x.type().rank; ++d)
        if (d != of.rows && d != of.columns) order.push_back(d);
    order.push_back(of.rows);
    order.push_back(of.columns);
    auto out = reduce(singular_values_of(c, c("aten.permute.default", {x, order})));
    if (!keepdim) return out;
    out = c("aten.unsqueeze.default", {out, of.rows < of.columns ? of.rows : of.columns});
    return c("aten.unsqueeze.default", {out, of.rows < of.columns ? of.columns : of.rows});
}

/// Order 1 is the largest sum of a column's magnitudes, inf that of a row, and 2 the largest singular value; of -1,
/// -inf and -2 the smallest.
constexpr bool check_order(auto& c, double order) {
    if (!aten::detail::is_order_of_matrices(order))
        c.refuse(fault::argument_is_unsupported, "order 1, 2 or inf, or its negative", "another order");
    return c.ok();
}
constexpr term matrix_norm(auto& c, const term& x, double order, const int_list& dims, bool keepdim) {
    if (!check_order(c, order)) return x;
    const auto of = dims_of_matrix(c, x, dims);
    if (!c.ok()) return x;
    const auto extreme = order > 0 ? "aten.amax.default"sv : "aten.amin.default"sv;
    const bool is_empty = x.size(of.rows) == 0 || x.size(of.columns) == 0;
    if (is_empty && order != -2) return vector_norm(c, x, 2, of.both(), keepdim); // 0, as in PyTorch
    if (math::abs(order) == 2)
        return norm_of_values(c, x, of, keepdim, [&](const term& values) {
            return c(extreme, {values, int_list{-1}});
        });
    const bool of_columns = math::abs(order) == 1;
    const auto sums = vector_norm(c, x, 1, {of_columns ? of.rows : of.columns}, true);
    const auto out = c(extreme, {sums, of.both(), true});
    return keepdim ? out : c("aten.squeeze.dims", {out, of.both()});
}
constexpr term nuclear_norm(auto& c, const term& x, const int_list& dims, bool keepdim) {
    const auto of = dims_of_matrix(c, x, dims);
    return norm_of_values(c, x, of, keepdim, [&](const term& values) { return sum_of_last(c, values); });
}
constexpr term matrix_norm(auto& c, const term& x, std::string_view order, const int_list& dims, bool keepdim) {
    if (order == "nuc") return nuclear_norm(c, x, dims, keepdim);
    if (order == "fro") return vector_norm(c, x, 2, dims_of_matrix(c, x, dims).both(), keepdim);
    return c.refuse(fault::argument_has_wrong_kind, "order fro or nuc", order);
}

constexpr int_list last_two_unless_given(auto& c) {
    return c.takes("dim") && c.has("dim") ? c.ints("dim") : int_list{-2, -1};
}
constexpr term linalg_matrix_norm(auto& c) {
    return matrix_norm(c, c["self"], c.number("ord"), last_two_unless_given(c), c.boolean("keepdim"));
}
constexpr term linalg_matrix_norm_word(auto& c) {
    return matrix_norm(c, c["self"], c.text("ord"), last_two_unless_given(c), c.boolean("keepdim"));
}
constexpr term nuclear_norm(auto& c) {
    return nuclear_norm(c, c["self"], last_two_unless_given(c), c.boolean("keepdim"));
}
/// linalg_norm's dims; all of a matrix, if none are given.
constexpr int_list dims_of_norm(auto& c) {
    if (c.has("dim")) return c.ints("dim");
    if (c["self"].type().rank != 2) c.refuse(fault::rank_is_wrong, "rank 2, or dims", print(c["self"].type()));
    return {0, 1};
}
/// Of matrices: aten/reduce/norm.hpp takes the others.
constexpr term linalg_norm(auto& c) {
    if (!c.has("ord")) return another_case(c);
    const auto dims = dims_of_norm(c);
    return c.ok() ? matrix_norm(c, c["self"], c.number("ord"), dims, c.boolean("keepdim")) : c["self"];
}
constexpr term linalg_norm_word(auto& c) {
    const auto dims = dims_of_norm(c);
    return c.ok() ? matrix_norm(c, c["self"], c.text("ord"), dims, c.boolean("keepdim")) : c["self"];
}
/// norm with a dtype: over all dims, or the given ones.
constexpr term norm_as(auto& c) {
    call_argument dims, keepdim = false;
    if (c.takes("dim")) dims = c.ints("dim"), keepdim = c.boolean("keepdim");
    return c("aten.linalg_vector_norm.default",
             {c["self"], c.has("p") ? c["p"] : term{&c, argument::of(2)}, dims, keepdim, wanted_dtype(c)});
}

/// The norm times that of the inverse; inf for a matrix without an inverse.
constexpr term condition(auto& c, const term& x, const auto& order) {
    const auto inverted = c("aten.linalg_inv_ex.default", {x});
    auto info = c.pick(inverted, 1);
    for (int k = 0; k < 2; ++k) info = c("aten.unsqueeze.default", {info, -1});
    constexpr double inf = std::numeric_limits<double>::infinity();
    const auto inverse = c("aten.masked_fill.Scalar", {c.pick(inverted, 0), c("aten.gt.Scalar", {info, 0}), inf});
    const int_list dims{-2, -1};
    const auto out = matrix_norm(c, x, order, dims, false) * matrix_norm(c, inverse, order, dims, false);
    return c("aten.nan_to_num.default", {out, inf, inf, -inf}); // 0 times inf is inf
}
/// Whether the condition numbers are those of matrices without elements, 0. Refused if x is not made of matrices.
constexpr bool is_condition_empty(auto& c, const term& x) {
    return check_matrices(c, x) && element_count(x.type()) == 0;
}
constexpr term empty_condition(auto& c, const term& x) { return vector_norm(c, x, 2, {-2, -1}, false); }
constexpr term linalg_cond(auto& c) {
    const auto x = c["self"];
    const double order = c.has("p") ? c.number("p") : 2;
    if (!check_order(c, order)) return x;
    if (is_condition_empty(c, x)) return empty_condition(c, x);
    if (math::abs(order) != 2) return condition(c, x, order);
    const auto values = singular_values_of(c, x);
    const auto at = [&](int k) { return c("aten.select.int", {values, -1, k}); };
    return order > 0 ? at(0) / at(-1) : at(-1) / at(0);
}
constexpr term linalg_cond_word(auto& c) {
    const auto x = c["self"];
    const auto order = c.text("p");
    if (order != "fro" && order != "nuc") return c.refuse(fault::argument_has_wrong_kind, "order fro or nuc", order);
    if (is_condition_empty(c, x)) return empty_condition(c, x);
    if (order == "fro") return condition(c, x, order);
    if (!check_square(c, x)) return x;
    const auto values = singular_values_of(c, x);
    return sum_of_last(c, values) * sum_of_last(c, c("aten.reciprocal.default", {values}));
}

} // namespace ahead::detail::composite
