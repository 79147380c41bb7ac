// SPDX-License-Identifier: MIT
// Linear algebra that PyTorch composes from decompositions: determinants, solutions, norms of matrices, and the names
// that torch.export prints before it decomposes.
// Source: aten/src/ATen/native/LinearAlgebra.cpp, BatchLinearAlgebra.cpp, torch/_refs/linalg/__init__.py.
#pragma once
#include <ahead/aten/linalg/matrices.hpp>
#include <ahead/legalize/composite/losses.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term transposed(const term& x) { return x.call("aten.transpose.int", {x, -2, -1}); }
constexpr term matmul(auto& c, const term& x, const term& y) { return c("aten.matmul.default", {x, y}); }
constexpr term sum_of_last(auto& c, const term& x) { return c("aten.sum.dim_IntList", {x, int_list{-1}}); }
/// Refuses what is not a batch of matrices, of square ones, or of a dtype that matrices are decomposed in.
constexpr bool check_matrices(auto& c, const term& x) {
    if (c.ok() && x.type().rank < 2) c.refuse(fault::rank_is_wrong, "rank 2 at least", print(x.type()));
    return c.ok();
}
constexpr bool check_square(auto& c, const term& x) {
    if (c.ok() && x.size(-2) != x.size(-1)) c.refuse(fault::matrix_is_not_square, "square matrices", print(x.type()));
    return c.ok();
}
constexpr bool check_decomposed_dtype(auto& c, const term& x) {
    if (c.ok() && x.type().type != dtype::f32 && x.type().type != dtype::f64)
        c.refuse(fault::dtype_is_unsupported, "f32 or f64", print(x.type()));
    return c.ok();
}
/// The sizes of x without the last two, followed by others.
constexpr int_list sizes_of_each(const term& x, const int_list& others) {
    auto sizes = aten::detail::batch_of(x.type());
    for (const auto size : others) sizes.push_back(size);
    return sizes;
}
/// Gives all `of` results of a call, or its first ones.
constexpr term give_all(auto& c, const term& made, std::int32_t of) {
    for (std::int32_t k = 0; k < of; ++k) c.give(k, of, c.pick(made, k));
    return {};
}
/// (LU, pivots, info) of A.
constexpr term factored(auto& c, const term& a, bool check_errors) {
    return c("aten.linalg_lu_factor_ex.default", {a, c.named("check_errors", check_errors)});
}
/// The same for a determinant: PyTorch factors the transpose of a row-major matrix, which saves it a copy.
constexpr term factored_either(auto& c, const term& a) {
    return factored(c, is_contiguous(a.type()) ? transposed(a) : a, false);
}
/// -1 where the number of rows that were exchanged is odd, else 1.
constexpr term sign_of(auto& c, const term& pivots, dtype type) {
    const auto own = c("aten.arange.start", {1, pivots.size(-1) + 1, c.named("dtype", dtype::i32)});
    const auto moved = sum_of_last(c, c("aten.ne.Tensor", {pivots, own}));
    return c.converted(c("aten.bitwise_and.Scalar", {moved, 1}) * -2 + 1, type);
}
constexpr term diagonal_of(auto& c, const term& x) { return c("aten.diagonal.default", {x, 0, -2, -1}); }

/// (determinant, LU, pivots).
constexpr term linalg_det_of(auto& c, const term& lu) {
    const auto factor = c.pick(lu, 0);
    return c("aten.prod.dim_int", {diagonal_of(c, factor), -1}) * sign_of(c, c.pick(lu, 1), factor.type().type);
}
constexpr term linalg_det(auto& c) {
    const auto lu = factored_either(c, c["A"]);
    c.give(0, 3, linalg_det_of(c, lu));
    for (std::int32_t k = 0; k < 2; ++k) c.give(k + 1, 3, c.pick(lu, k));
    return {};
}
constexpr term det(auto& c) { return linalg_det_of(c, factored_either(c, c["A"])); }
/// (sign, log |determinant|, LU, pivots), or the first two of them.
template <int Results> constexpr term slogdet(auto& c) {
    const auto lu = factored_either(c, c["A"]);
    const auto factor = c.pick(lu, 0), diagonal = diagonal_of(c, factor);
    const auto sign = c("aten.prod.dim_int", {c("aten.sgn.default", {diagonal}), -1});
    const auto logs = c("aten.log.default", {c("aten.abs.default", {diagonal})});
    c.give(0, Results, sign * sign_of(c, c.pick(lu, 1), factor.type().type));
    c.give(1, Results, sum_of_last(c, logs));
    for (std::int32_t k = 0; k < Results - 2; ++k) c.give(k + 2, Results, c.pick(lu, k));
    return {};
}
/// NaN for a negative determinant.
constexpr term logdet(auto& c) { return c("aten.log.default", {linalg_det_of(c, factored_either(c, c["self"]))}); }

/// Whether B is a batch of vectors.
constexpr bool is_vector(const term& a, const term& b) {
    const auto &of_a = a.type(), &of_b = b.type();
    bool is_line = of_a.rank - 1 == of_b.rank;
    for (int d = 0; is_line && d < of_b.rank; ++d) is_line = of_a.size(d) == of_b.size(d);
    return of_b.rank == 1 || is_line;
}
/// X of A X = B, or of X A = B unless left.
constexpr term solution(auto& c, const term& lu, const term& a, const term& b, bool left) {
    const bool vector = is_vector(a, b);
    const auto columns = vector ? c("aten.unsqueeze.default", {b, -1}) : b;
    auto x = c("aten.linalg_lu_solve.default", {c.pick(lu, 0), c.pick(lu, 1), columns, c.named("left", left)});
    if (vector) x = c("aten.squeeze.dim", {x, -1});
    if (!vector || !left || x.type().rank < 2) return x;
    return transposed(c("aten.contiguous.default", {transposed(x)})); // PyTorch's strides of several vectors
}
constexpr bool check_vector(auto& c, bool left) {
    const auto a = c["A"], b = c["B"];
    if (!left && c.ok() && is_vector(a, b))
        c.refuse(fault::argument_is_unsupported, "left=True for vectors", "left=False");
    return c.ok();
}
/// (X, LU, pivots, info), or (X, info).
template <int Results> constexpr term solve_ex(auto& c) {
    const auto a = c["A"], b = c["B"];
    if (!check_vector(c, c.boolean("left"))) return {};
    const auto lu = factored(c, a, c.boolean("check_errors"));
    c.give(0, Results, solution(c, lu, a, b, c.boolean("left")));
    for (std::int32_t k = 1; k < Results; ++k) c.give(k, Results, c.pick(lu, Results == 2 ? 2 : k - 1));
    return {};
}
constexpr term solve(auto& c) {
    const auto a = c["A"], b = c["B"];
    if (!check_vector(c, c.boolean("left"))) return b;
    return solution(c, factored(c, a, true), a, b, c.boolean("left"));
}
constexpr term lu_factor(auto& c) {
    const auto lu = c("aten.linalg_lu_factor_ex.default",
                      {c["A"], c.named("pivot", c.boolean("pivot")), c.named("check_errors", true)});
    return give_all(c, lu, 2);
}
/// P of LU and pivots with `rows` rows: the X of P^T X = 1, by the solution for L = U = 1. Every number of it is exact.
constexpr term permutation_of(auto& c, const term& lu, const term& pivots) {
    const auto rows = lu.size(-2), known = pivots.size(-1);
    const auto sizes = sizes_of_each(lu, {rows, rows});
    const auto type = lu.type().type;
    if (c.ok() && element_count(tensor_of(type, sizes)) == 0) return c.full(sizes, 0, type);
    auto all = pivots;
    if (known < rows) { // the other rows are not exchanged
        const auto own = c("aten.arange.start", {known + 1, rows + 1, c.named("dtype", dtype::i32)});
        const auto each = c("aten.expand.default", {own, sizes_of_each(lu, {rows - known})});
        all = c("aten.cat.default", {nodes({pivots.value.node(), each.value.node()}), -1});
    }
    const auto one = c("aten.eye.default", {rows, c.named("dtype", type)});
    const auto ones = c("aten.contiguous.default", {c("aten.expand.default", {one, sizes})});
    return c("aten.linalg_lu_solve.default", {ones, all, ones, c.named("adjoint", true)});
}
/// (P, L, U), or empty tensors in place of those that are not wanted.
constexpr term unpacked(auto& c, const term& lu, const term& pivots, bool wants_factors, bool wants_permutation) {
    if (!check_matrices(c, lu)) return lu;
    const auto rows = lu.size(-2), columns = lu.size(-1), shorter = rows < columns ? rows : columns;
    const auto type = lu.type().type;
    if (wants_permutation) {
        const auto wanted = tensor_of(dtype::i32, sizes_of_each(lu, {shorter})), got = pivots.type();
        if (got.type != wanted.type) return c.refuse(fault::dtypes_differ, print(wanted), print(got));
        if (sizes_of(got) != sizes_of(wanted))
            return c.refuse(fault::shapes_do_not_broadcast, print(wanted), print(got));
    }
    c.give(0, 3, wants_permutation ? permutation_of(c, lu, pivots) : c.full({0}, 0, type));
    if (!wants_factors) {
        for (std::int32_t k = 1; k < 3; ++k) c.give(k, 3, c.full({0}, 0, type));
        return {};
    }
    const auto below = c("aten.tril.default", {c("aten.slice.Tensor", {lu, -1, 0, shorter}), -1});
    c.give(1, 3, below + c("aten.eye.m", {rows, shorter, c.named("dtype", type)}));
    c.give(2, 3, c("aten.triu.default", {c("aten.slice.Tensor", {lu, -2, 0, shorter})}));
    return {};
}
constexpr term lu_unpack(auto& c) {
    return unpacked(c, c["LU_data"], c["LU_pivots"], c.boolean("unpack_data"), c.boolean("unpack_pivots"));
}
constexpr term linalg_lu(auto& c) {
    const auto made = c("aten.linalg_lu_factor_ex.default", {c["A"], c.named("pivot", c.boolean("pivot"))});
    return unpacked(c, c.pick(made, 0), c.pick(made, 1), true, true);
}
constexpr term lu_solve(auto& c) {
    return c("aten.linalg_lu_solve.default", {c["LU_data"], c["LU_pivots"], c["self"]});
}

constexpr term cholesky(auto& c) {
    const auto made = c("aten.linalg_cholesky_ex.default",
                        {c["self"], c.named("upper", c.boolean("upper")), c.named("check_errors", true)});
    return c.pick(made, 0);
}
/// X of A X = B from the factor of A.
constexpr term solved_by_cholesky(auto& c, const term& factor, const term& b, bool upper) {
    const auto triangle = [&](const term& a, const term& x, bool is_upper) {
        return c("aten.linalg_solve_triangular.default", {a, x, c.named("upper", is_upper)});
    };
    const auto lower = upper ? transposed(factor) : factor;
    return triangle(transposed(lower), triangle(lower, b, false), true);
}
constexpr term cholesky_solve(auto& c) { return solved_by_cholesky(c, c["input2"], c["self"], c.boolean("upper")); }
constexpr term cholesky_inverse(auto& c) {
    const auto factor = c["self"];
    const auto one = c("aten.eye.default", {factor.size(-1), c.named("dtype", factor.type().type)});
    return solved_by_cholesky(c, factor, one, c.boolean("upper"));
}

constexpr term eigh_of(auto& c, const term& x, bool vectors) {
    const bool has_word = c.takes("UPLO");
    auto triangle = argument{.kind = argument_kind::string, .text = "L"};
    if (has_word) triangle.text = c.text("UPLO");
    return c("aten._linalg_eigh.default", {x, triangle, vectors});
}
constexpr term eigh(auto& c) { return give_all(c, eigh_of(c, c["self"], true), 2); }
constexpr term eigvalsh(auto& c) { return c.pick(eigh_of(c, c["self"], false), 0); }

constexpr term singular_values_of(auto& c, const term& x) {
    return c.pick(c("aten._linalg_svd.default", {x, false, false}), 1);
}
constexpr bool check_driver(auto& c) {
    if (c.has("driver")) c.refuse(fault::argument_is_unknown, "driver=None", "a driver of CUDA");
    return c.ok();
}
constexpr term svdvals(auto& c) { return check_driver(c) ? singular_values_of(c, c["A"]) : c["A"]; }
constexpr term linalg_svd(auto& c) {
    if (!check_driver(c)) return {};
    return give_all(c, c("aten._linalg_svd.default", {c["A"], c.boolean("full_matrices"), true}), 3);
}
/// (U, S, V): V in place of its transpose.
constexpr term svd(auto& c) {
    if (!c.boolean("compute_uv"))
        return c.refuse(fault::argument_is_unsupported, "compute_uv=True, or linalg_svdvals", "compute_uv=False");
    const auto made = c("aten._linalg_svd.default", {c["self"], !c.boolean("some"), true});
    for (std::int32_t k = 0; k < 2; ++k) c.give(k, 3, c.pick(made, k));
    c.give(2, 3, transposed(c.pick(made, 2)));
    return {};
}

/// A product of squares of squares, as PyTorch multiplies them: of the inverse, for a negative power.
constexpr term matrix_power(auto& c) {
    const auto x = c["self"];
    const auto power = c.integer("n");
    if (!check_matrices(c, x) || !check_square(c, x)) return x;
    if (power == 0) {
        const auto one = c("aten.eye.default", {x.size(-1), c.named("dtype", x.type().type)});
        return c("aten.clone.default", {c("aten.expand.default", {one, sizes_of(x.type())})});
    }
    auto square = power < 0 ? c("aten.linalg_inv.default", {x}) : x;
    if (power == 1 || power == -1) return power < 0 ? square : c("aten.clone.default", {x});
    auto left = power < 0 ? 0 - static_cast<std::uint64_t>(power) : static_cast<std::uint64_t>(power);
    if (left == 3) return matmul(c, matmul(c, square, square), square);
    term out;
    for (bool is_first = true;; square = matmul(c, square, square)) {
        if (left % 2 == 1) {
            out = is_first ? square : matmul(c, out, square);
            is_first = false;
        }
        left /= 2;
        if (left == 0 || !c.ok()) return out;
    }
}

} // namespace ahead::detail::composite
