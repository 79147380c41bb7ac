// SPDX-License-Identifier: MIT
// Systems of triangular matrices, and of factors: linalg_solve_triangular, linalg_lu_solve; in double and rounded once.
// Source: aten/src/ATen/native/BatchLinearAlgebra.cpp, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/linalg/matrices.hpp>
#include <ahead/core/math/factors.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The type of X in A X = B, or in X A = B unless `left`: A's and B's batch dims are broadcast.
constexpr bool infer_solution(infer_context& c, int a, int b, bool left, bool in_rows) {
    if (!check_square(c, a) || !check_matrices(c, b)) return false;
    const auto &of_a = c.tensor(a), &of_b = c.tensor(b);
    if (of_a.type != of_b.type) return c.refuse(fault::dtypes_differ, print(of_a), print(of_b));
    const auto rows = row_count(of_b), columns = column_count(of_b);
    if ((left ? rows : columns) != row_count(of_a))
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text() << row_count(of_a) << (left ? " rows" : " columns"), print(of_b));
    int_list batch = batch_of(of_a);
    if (!broadcast_into(c, batch, tensor_of(of_b.type, batch_of(of_b)))) return false;
    batch.push_back(rows);
    batch.push_back(columns);
    const auto out = tensor_of(of_b.type, batch);
    return c.result(in_rows ? out : in_columns(out, rows, columns));
}
/// The matrix of a broadcast operand for a matrix of the result.
constexpr int_list matrix_of(const tensor_type& t, const int_list& of) {
    return broadcast_index(tensor_of(t.type, batch_of(t)), of);
}

/// For each matrix of the result: reads A, and B transposed unless `left`; calls solve(matrix of A, columns of B), and
/// writes the columns.
constexpr void evaluate_solution(auto& c, int a, int b, bool left, auto solve) {
    c.compute_real([&](auto as) {
        const auto in = c.input(a, as), given = c.input(b, as);
        const auto out = c.output(0, as);
        const auto n = row_count(in.type()), width = left ? column_count(out.type()) : row_count(out.type());
        auto memory = c.scratch(n * n + n * width, 0.0);
        const math::matrix_columns matrix(&memory, 0, n), x(&memory, n * n, n);
        for_each_matrix(out.type(), [&](const int_list& of) {
            const auto of_a = matrix_of(in.type(), of), of_b = matrix_of(given.type(), of);
            read_matrix(in, of_a, matrix);
            for (std::int64_t k = 0; k < width; ++k)
                for (std::int64_t i = 0; i < n; ++i)
                    x(i, k) = static_cast<double>(given[left ? place_in(of_b, i, k) : place_in(of_b, k, i)]);
            solve(matrix, x, width, of_a);
            for (std::int64_t k = 0; k < width; ++k)
                for (std::int64_t i = 0; i < n; ++i)
                    out.put(left ? place_in(of, i, k) : place_in(of, k, i), math::convert<decltype(as)>(x(i, k)));
        });
    });
}
constexpr std::int64_t solution_scratch(const call_view& c, int a) {
    const auto n = row_count(c.tensor(a));
    const auto& t = c.result_type();
    return 8 * (n * n + row_count(t) * column_count(t));
}

} // namespace detail

/// linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False): X of self X
/// = B, or of X self = B unless left. Only the upper or the lower triangle of self, [.., n, n] of f32 or f64, is read;
/// its diagonal is 1 if unitriangular. A zero on the diagonal gives infinities and NaN, as in PyTorch.
struct linalg_solve_triangular {
    static constexpr std::string_view name = "aten.linalg_solve_triangular.default"sv;
    enum at : int { self, B, upper, left, unitriangular };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("B", parameter_kind::tensor),
        required("upper", parameter_kind::boolean), defaulted("left", parameter_kind::boolean, argument::of(true)),
        defaulted("unitriangular", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        return detail::infer_solution(c, at::self, at::B, c.boolean(at::left), false);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return detail::solution_scratch(c, at::self); }
    static constexpr void evaluate(auto& c) {
        const bool left = c.boolean(at::left), upper = c.boolean(at::upper), is_unit = c.boolean(at::unitriangular);
        detail::evaluate_solution(c, at::self, at::B, left, [&](auto a, auto x, std::int64_t width, const int_list&) {
            const auto element = [&](std::int64_t i, std::int64_t j) { return left ? a(i, j) : a(j, i); };
            math::solve_triangular(element, upper == left, is_unit, x, width);
        });
    }
};

/// linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False): X of A X = B, or of X A
/// = B unless left, where LU and pivots are those of A (linalg_lu_factor_ex); of A^T if adjoint. A zero on the diagonal
/// of U gives infinities and NaN, as in PyTorch.
struct linalg_lu_solve {
    static constexpr std::string_view name = "aten.linalg_lu_solve.default"sv;
    enum at : int { LU, pivots, B, left, adjoint };
    static constexpr parameter schema[] = {
        required("LU", parameter_kind::tensor), required("pivots", parameter_kind::tensor),
        required("B", parameter_kind::tensor), defaulted("left", parameter_kind::boolean, argument::of(true)),
        defaulted("adjoint", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const bool left = c.boolean(at::left);
        if (!detail::infer_solution(c, at::LU, at::B, left, !left)) return false;
        const auto& t = c.tensor(at::LU);
        const auto wanted = tensor_of(dtype::i32, detail::line_for_each(t, detail::row_count(t)));
        const auto& got = c.tensor(at::pivots);
        if (got.type != wanted.type) return c.refuse(fault::dtypes_differ, print(wanted), print(got));
        return sizes_of(got) == sizes_of(wanted) || c.refuse(fault::shapes_do_not_broadcast, print(wanted), print(got));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return detail::solution_scratch(c, at::LU); }
    static constexpr void evaluate(auto& c) {
        const bool left = c.boolean(at::left), turned = c.boolean(at::adjoint) == left; // A^T X = B
        const auto pivots = c.input(at::pivots, std::int32_t{});
        detail::evaluate_solution(c, at::LU, at::B, left, [&](auto a, auto x, std::int64_t width, const int_list& of) {
            const auto element = [&](std::int64_t i, std::int64_t j) { return turned ? a(j, i) : a(i, j); };
            const auto exchange = [&](std::int64_t k) {
                auto place = of;
                place.push_back(k);
                const auto row = c.index(pivots[place] - 1, x.rows);
                for (std::int64_t j = 0; row && j < width; ++j) std::swap(x(k, j), x(*row, j));
            };
            for (std::int64_t k = 0; !turned && k < x.rows; ++k) exchange(k);
            math::solve_triangular(element, false, !turned, x, width);
            math::solve_triangular(element, true, turned, x, width);
            for (auto k = x.rows - 1; turned && k >= 0; --k) exchange(k);
        });
    }
};

using solve_ops = op_list<linalg_solve_triangular, linalg_lu_solve>;

} // namespace ahead::aten
