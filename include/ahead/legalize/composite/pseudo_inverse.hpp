// SPDX-License-Identifier: MIT
// Ranks and pseudoinverses, by the singular values that are above a tolerance.
// Source: aten/src/ATen/native/LinearAlgebra.cpp.
#pragma once
#include <ahead/legalize/composite/linalg.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

/// The tolerance that PyTorch takes for matrices like x, relative to the largest singular value.
constexpr double usual_tolerance(const term& x) {
    const auto longer = x.size(-2) < x.size(-1) ? x.size(-1) : x.size(-2);
    const double step =
        x.type().type == dtype::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    return step * static_cast<double>(longer);
}
constexpr term line_of(auto& c, double number) { return c.full({1}, number, dtype::f64); }
/// A parameter that is a number, or a tensor of a number for each matrix, with a dim for singular values.
constexpr term line_of(auto& c, std::string_view name) {
    if (c[name].value.kind != argument_kind::node) return line_of(c, c.number(name));
    return c("aten.unsqueeze.default", {c[name], -1});
}
/// Singular values of up to max(atol, rtol * largest) are as good as 0. Compared in f64, as PyTorch compares with
/// numbers; with tensors of f32 it multiplies in f32.
constexpr term are_above(auto& c, const term& x, const term& values, const term& largest) {
    term absolute, relative;
    if (c.takes("tol")) absolute = line_of(c, "tol"), relative = line_of(c, 0.0);
    else if (c.takes("rcond")) absolute = line_of(c, 0.0), relative = line_of(c, "rcond");
    else {
        const double usual = usual_tolerance(x);
        absolute = c.has("atol") ? line_of(c, "atol") : line_of(c, 0.0);
        if (c.has("rtol")) relative = line_of(c, "rtol");
        else if (!c.has("atol")) relative = line_of(c, usual);
        else if (c["atol"].value.kind != argument_kind::node) relative = line_of(c, c.number("atol") > 0 ? 0.0 : usual);
        else relative = c("aten.where.self", {c("aten.gt.Scalar", {absolute, 0}), line_of(c, 0.0), line_of(c, usual)});
    }
    const auto wide = [&](const term& t) { return c.converted(t, dtype::f64); };
    const auto least = c("aten.maximum.default", {wide(absolute), wide(relative) * wide(largest)});
    return c("aten.gt.Tensor", {wide(values), least});
}
constexpr bool check_matrices(auto& c, const term& x) {
    if (c.ok() && x.type().rank < 2) c.refuse(fault::rank_is_wrong, "rank 2 at least", print(x.type()));
    if (c.ok() && x.type().type != dtype::f32 && x.type().type != dtype::f64)
        c.refuse(fault::dtype_is_unsupported, "f32 or f64", print(x.type()));
    return c.ok();
}
constexpr term sum_of_last(auto& c, const term& x) { return c("aten.sum.dim_IntList", {x, int_list{-1}}); }
constexpr term first_of_last(auto& c, const term& x) { return c("aten.slice.Tensor", {x, -1, 0, 1}); }

/// The singular values of symmetric matrices: the magnitudes of their eigenvalues, and the largest of them.
struct symmetric_values {
    term values, largest;
};
constexpr symmetric_values magnitudes_of(auto& c, const term& eigenvalues) {
    const auto values = c("aten.abs.default", {eigenvalues});
    return {values, c("aten.amax.default", {values, int_list{-1}, true})};
}
constexpr term linalg_matrix_rank(auto& c) {
    const auto x = c.takes("self") ? c["self"] : c["input"];
    if (!check_matrices(c, x)) return x;
    if (element_count(x.type()) == 0) return c.full(sizes_of_each(x, {}), 0, dtype::i64);
    if (c.boolean("hermitian")) {
        const auto of = magnitudes_of(c, c.pick(eigh_of(c, x, false), 0));
        return sum_of_last(c, are_above(c, x, of.values, of.largest));
    }
    const auto values = singular_values_of(c, x);
    return sum_of_last(c, are_above(c, x, values, first_of_last(c, values)));
}

/// 1 / values where they count, else 0.
constexpr term inverted_values(auto& c, const term& values, const term& count) {
    const auto zero = c.full({}, 0, values.type().type);
    return c("aten.where.self", {count, c("aten.reciprocal.default", {values}), zero});
}
constexpr term product_of(auto& c, const term& x, const term& y) { return c("aten.matmul.default", {x, y}); }
constexpr term linalg_pinv(auto& c) {
    const auto x = c["self"];
    if (!check_matrices(c, x)) return x;
    if (element_count(x.type()) == 0) return c.full(sizes_of_each(x, {x.size(-1), x.size(-2)}), 0, x.type().type);
    const auto scaled = [&](const term& columns, const term& by) {
        return columns * c("aten.unsqueeze.default", {by, -2});
    };
    if (c.takes("hermitian") && c.boolean("hermitian")) {
        const auto made = eigh_of(c, x, true);
        const auto values = c.pick(made, 0), vectors = c.pick(made, 1);
        const auto of = magnitudes_of(c, values);
        const auto inverted = inverted_values(c, values, are_above(c, x, of.values, of.largest));
        return product_of(c, scaled(vectors, inverted), transposed(vectors));
    }
    const auto made = c("aten._linalg_svd.default", {x, false, true});
    const auto values = c.pick(made, 1);
    const auto inverted = inverted_values(c, values, are_above(c, x, values, first_of_last(c, values)));
    return product_of(c, scaled(transposed(c.pick(made, 2)), inverted), transposed(c.pick(made, 0)));
}

} // namespace ahead::detail::composite
