// SPDX-License-Identifier: MIT
// Ranks, pseudoinverses and least squares, by the singular values that are above a tolerance.
// Source: aten/src/ATen/native/LinearAlgebra.cpp, BatchLinearAlgebra.cpp.
#pragma once
#include <ahead/ir/graph.hpp>
#include <ahead/legalize/composite/linalg.hpp>
#include <ahead/legalize/composite/shapes.hpp>

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
    if (!check_matrices(c, x) || !check_decomposed_dtype(c, x)) return x;
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
constexpr term linalg_pinv(auto& c) {
    const auto x = c["self"];
    if (!check_matrices(c, x) || !check_decomposed_dtype(c, x)) return x;
    if (element_count(x.type()) == 0) return c.full(sizes_of_each(x, {x.size(-1), x.size(-2)}), 0, x.type().type);
    const auto scaled = [&](const term& columns, const term& by) {
        return columns * c("aten.unsqueeze.default", {by, -2});
    };
    if (c.takes("hermitian") && c.boolean("hermitian")) {
        const auto made = eigh_of(c, x, true);
        const auto values = c.pick(made, 0), vectors = c.pick(made, 1);
        const auto of = magnitudes_of(c, values);
        const auto inverted = inverted_values(c, values, are_above(c, x, of.values, of.largest));
        return matmul(c, scaled(vectors, inverted), transposed(vectors));
    }
    const auto made = c("aten._linalg_svd.default", {x, false, true});
    const auto values = c.pick(made, 1);
    const auto inverted = inverted_values(c, values, are_above(c, x, values, first_of_last(c, values)));
    return matmul(c, scaled(transposed(c.pick(made, 2)), inverted), transposed(c.pick(made, 0)));
}

/// The X of the smallest length among those that make A X - B smallest.
struct least_squares {
    term solution, rank, values; // rank and values are of singular values
};
/// Singular values of up to `tolerance` times the largest are as good as 0. PyTorch's usual driver, gelsy, decides that
/// by pivots of QR: the two differ for values near the tolerance only.
constexpr least_squares solved_by_values(auto& c, const term& a, const term& b, double tolerance) {
    const auto made = c("aten._linalg_svd.default", {a, false, true});
    const auto values = c.pick(made, 1);
    const auto above = c("aten.gt.Tensor", {values, first_of_last(c, values) * tolerance});
    const auto inverted = c("aten.unsqueeze.default", {inverted_values(c, values, above), -1});
    const auto scaled = inverted * matmul(c, transposed(c.pick(made, 0)), b);
    return {matmul(c, transposed(c.pick(made, 2)), scaled), sum_of_last(c, above), values};
}
/// By QR of A, or of its transpose if A has more columns than rows. Refuses the run if R has a 0 on its diagonal.
constexpr term solved_by_qr(auto& c, const term& a, const term& b) {
    const bool is_tall = a.size(-2) >= a.size(-1);
    const auto made = c("aten.linalg_qr.default", {is_tall ? a : transposed(a)});
    const auto q = c.pick(made, 0), r = c.pick(made, 1), diagonal = diagonal_of(c, r);
    const auto end = diagonal.size(-1) + 1;
    const auto places = c("aten.arange.start", {1, end, c.named("dtype", dtype::i32)});
    const auto are_zero = c("aten.eq.Scalar", {diagonal, 0});
    const auto found = c("aten.where.self", {are_zero, places, c.full({}, end, dtype::i32)});
    const auto first = c("aten.amin.default", {found, int_list{-1}});
    const auto info = c("aten.remainder.Scalar", {first, end}); // 0 where there is none
    const argument name{.kind = argument_kind::string, .text = "linalg.lstsq"};
    c("aten._linalg_check_errors.default", {info, name, c.named("is_matrix", a.type().rank == 2)});
    const auto triangle = [&](const term& t, const term& x, bool upper) {
        return c("aten.linalg_solve_triangular.default", {t, x, c.named("upper", upper)});
    };
    return is_tall ? triangle(r, matmul(c, transposed(q), b), true) : matmul(c, q, triangle(transposed(r), b, false));
}
/// The arguments of a call, read.
struct least_squares_call {
    bool by_qr = false, gives_values = false, is_vector = false;
    double tolerance = 0;
};
constexpr least_squares_call check_least_squares(auto& c, const term& a, const term& b) {
    least_squares_call out;
    if (!check_matrices(c, a) || !check_decomposed_dtype(c, a)) return out;
    const auto refuse = [&](fault what, const short_text& expected, const short_text& found) {
        c.refuse(what, expected, found);
        return out;
    };
    const auto driver = c.has("driver") ? c.text("driver") : "gelsy"sv;
    out.by_qr = driver == "gels";
    out.gives_values = driver == "gelsd" || driver == "gelss";
    if (!out.by_qr && !out.gives_values && driver != "gelsy")
        return refuse(fault::argument_has_wrong_kind, "driver: gels, gelsy, gelsd or gelss", driver);
    out.is_vector = b.type().rank + 1 == a.type().rank;
    if (!out.is_vector && b.type().rank != a.type().rank)
        return refuse(fault::rank_is_wrong, short_text("rank ") << int{a.type().rank} << ", or one less for vectors",
                      print(b.type()));
    if (a.type().type != b.type().type) return refuse(fault::dtypes_differ, print(a.type()), print(b.type()));
    if (b.size(out.is_vector ? -1 : -2) != a.size(-2))
        return refuse(fault::matmul_inner_extents_differ, short_text() << a.size(-2) << " rows", print(b.type()));
    const double usual = usual_tolerance(a);
    out.tolerance = c.has("rcond") ? c.number("rcond") : usual;
    if (driver == "gelsy" && out.tolerance > usual) // it drops columns of QR then, in place of singular values
        return refuse(fault::argument_is_unsupported, "rcond=None, or driver gelsd", "rcond of gelsy");
    if (out.gives_values && a.size(-2) > a.size(-1) && is_result_used(c.g, c.id(), 1))
        return refuse(fault::dimension_is_dynamic, "driver gels for residuals", "as many as the ranks say");
    return out;
}
/// (solution, residuals, rank, singular values): those that the driver of LAPACK gives, and empty tensors for the
/// others.
constexpr term linalg_lstsq(auto& c) {
    const auto a = c["self"], b = c["b"];
    const auto call = check_least_squares(c, a, b);
    if (!c.ok()) return a;
    const auto y = call.is_vector ? c("aten.unsqueeze.default", {b, -1}) : b;
    const auto type = a.type().type;
    const bool is_tall = a.size(-2) > a.size(-1);
    const bool is_empty = element_count(a.type()) == 0 || element_count(b.type()) == 0;
    least_squares found;
    if (is_empty) {
        auto sizes = common_sizes(c, sizes_of_each(a, {}), sizes_of_each(y, {}));
        sizes.push_back(a.size(-1));
        sizes.push_back(y.size(-1));
        found = {c.full(sizes, 0, type), c.full(sizes_of_each(a, {}), 0, dtype::i64),
                 c.full(sizes_of_each(a, {is_tall ? a.size(-1) : a.size(-2)}), 0, type)};
    } else if (call.by_qr) found.solution = solved_by_qr(c, a, y);
    else found = solved_by_values(c, a, y, call.tolerance);
    const auto& x = found.solution;
    c.give(0, 4, call.is_vector ? c("aten.squeeze.dim", {x, -1}) : x);
    const auto none = [&](dtype of) { return c.full({0}, 0, of); };
    if (call.by_qr && is_tall && !is_empty) {
        const auto rest = matmul(c, a, x) - y;
        c.give(1, 4, c("aten.sum.dim_IntList", {rest * rest, int_list{-2}}));
    } else c.give(1, 4, none(type));
    c.give(2, 4, call.by_qr ? none(dtype::i64) : found.rank);
    c.give(3, 4, call.gives_values ? found.values : none(type));
    return {};
}

} // namespace ahead::detail::composite
