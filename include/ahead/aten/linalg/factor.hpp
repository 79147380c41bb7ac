// SPDX-License-Identifier: MIT
// Factors of matrices, as LAPACK computes them: linalg_qr, linalg_cholesky_ex, linalg_lu_factor_ex; in double and
// rounded once. Source: aten/src/ATen/native/BatchLinearAlgebra.cpp, torch/_meta_registrations.py; LAPACK's geqrf,
// orgqr, potrf and getrf.
#pragma once
#include <ahead/aten/linalg/matrices.hpp>
#include <ahead/core/math/factors.hpp>
#include <ahead/ir/registry.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

/// linalg_qr(Tensor A, str mode="reduced"): (Q, R); A, [.., m, n] of f32 or f64, is Q R, where the columns of Q are
/// orthonormal and R is upper triangular. "reduced": Q is [.., m, k] and R [.., k, n], k = min(m, n); "complete": Q is
/// [.., m, m] and R [.., m, n]; "r": R as of "reduced", and Q empty. The signs are LAPACK's.
struct linalg_qr {
    static constexpr std::string_view name = "aten.linalg_qr.default"sv;
    enum at : int { A, mode };
    static constexpr std::string_view modes[] = {"reduced"sv, "complete"sv, "r"sv};
    static constexpr parameter schema[] = {
        required("A", parameter_kind::tensor),
        one_of(modes, defaulted("mode", parameter_kind::string, {.kind = argument_kind::string, .text = "reduced"}))};
    static constexpr bool is_complete(const argument& mode) { return mode.text == modes[1]; }
    static constexpr bool has_q(const argument& mode) { return mode.text != modes[2]; }
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_matrices(c, at::A)) return false;
        const auto& t = c.tensor(at::A);
        const auto rows = detail::row_count(t), columns = detail::column_count(t);
        const auto taken = is_complete(c.at(at::mode)) || rows < columns ? rows : columns;
        const auto r = in_columns(t, taken, columns);
        const auto q = has_q(c.at(at::mode)) ? in_columns(t, rows, taken) : tensor_of(t.type, {0});
        return c.results(2) && c.set(0, q) && c.set(1, r);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& t = c.tensor(at::A);
        const auto rows = detail::row_count(t), columns = detail::column_count(t);
        return 8 * (rows * columns + rows * rows + columns);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::A).type, [&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::A, as);
            const auto q_out = c.output(0, as), r_out = c.output(1, as);
            const auto rows = detail::row_count(in.type()), columns = detail::column_count(in.type());
            const auto taken = detail::row_count(r_out.type());
            auto memory = c.scratch(rows * columns + rows * rows + columns, 0.0);
            const math::matrix_columns a(&memory, 0, rows), q(&memory, rows * columns, rows);
            const math::matrix_columns factors(&memory, rows * columns + rows * rows, columns);
            detail::for_each_matrix(in.type(), [&](const int_list& of) {
                detail::read_matrix(in, of, a);
                math::reflect_columns(a, columns, factors);
                for (std::int64_t k = 0; k < columns; ++k)
                    for (std::int64_t i = 0; i < taken; ++i)
                        r_out.put(detail::place_in(of, i, k), math::convert<T>(i <= k ? a(i, k) : 0));
                if (!has_q(c.at(at::mode))) return;
                math::reflected_basis(a, columns, factors, q, taken);
                detail::write_matrix(q_out, of, q, as);
            });
        });
    }
};

namespace detail {
constexpr void refuse_indefinite(auto& c, std::int64_t minor) {
    c.refuse(fault::matrix_is_not_positive_definite, "a positive-definite matrix",
             short_text("leading minor ") << minor << " is not positive");
}
} // namespace detail

/// linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False): (L, info) of the symmetric matrices
/// self, [.., n, n] of f32 or f64, whose lower triangle is read: self = L L^T with L lower triangular; with upper, the
/// upper triangle is read, and the result is L^T. info, i32[..], is 0, or the number of the first leading minor that is
/// not positive. The factor of such a matrix, which PyTorch leaves unspecified, is NaN; with check_errors it is an
/// error at run time.
struct linalg_cholesky_ex {
    static constexpr std::string_view name = "aten.linalg_cholesky_ex.default"sv;
    enum at : int { self, upper, check_errors };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("upper", parameter_kind::boolean, argument::of(false)),
                                           defaulted("check_errors", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_square(c, at::self)) return false;
        const auto& t = c.tensor(at::self);
        const auto n = detail::row_count(t);
        return c.results(2) && c.set(0, in_columns(t, n, n)) && c.set(1, tensor_of(dtype::i32, detail::batch_of(t)));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto n = detail::row_count(c.tensor(at::self));
        return 8 * n * n;
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::self).type, [&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto n = detail::row_count(in.type());
            auto memory = c.scratch(n * n, 0.0);
            const math::matrix_columns a(&memory, 0, n);
            const bool upper = c.boolean(at::upper);
            detail::for_each_matrix(in.type(), [&](const int_list& of) {
                for (std::int64_t k = 0; k < n; ++k)
                    for (std::int64_t i = k; i < n; ++i)
                        a(i, k) =
                            static_cast<double>(in[upper ? detail::place_in(of, k, i) : detail::place_in(of, i, k)]);
                const auto minor = math::cholesky(a, n);
                c.output(1, std::int32_t{}).put(of, static_cast<std::int32_t>(minor));
                if (minor > 0 && c.boolean(at::check_errors)) return detail::refuse_indefinite(c, minor);
                for (std::int64_t k = 0; k < n; ++k)
                    for (std::int64_t i = 0; i < n; ++i) {
                        const T x =
                            minor > 0 ? std::numeric_limits<T>::quiet_NaN() : math::convert<T>(i < k ? 0 : a(i, k));
                        out.put(upper ? detail::place_in(of, k, i) : detail::place_in(of, i, k), x);
                    }
            });
        });
    }
};

/// linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False): (LU, pivots, info); A, [.., m, n] of f32
/// or f64, is P L U. LU, [.., m, n], has U in its upper triangle and L, whose diagonal is 1, below it. pivots, i32[..,
/// min(m, n)]: row k was exchanged with row pivots[k], from 1, in order. info, i32[..], is 0, or the first column, from
/// 1, whose element on the diagonal of U is 0; with check_errors that is an error at run time. pivot=False is specific
/// to CUDA, and refused.
struct linalg_lu_factor_ex {
    static constexpr std::string_view name = "aten.linalg_lu_factor_ex.default"sv;
    enum at : int { A, pivot, check_errors };
    static constexpr parameter schema[] = {required("A", parameter_kind::tensor),
                                           defaulted("pivot", parameter_kind::boolean, argument::of(true)),
                                           defaulted("check_errors", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_matrices(c, at::A)) return false;
        if (!c.boolean(at::pivot))
            return c.refuse(fault::argument_is_unsupported, "pivot=True", "pivot=False, which is of CUDA");
        const auto& t = c.tensor(at::A);
        const auto rows = detail::row_count(t), columns = detail::column_count(t);
        const auto pivots = detail::line_for_each(t, rows < columns ? rows : columns);
        return c.results(3) && c.set(0, in_columns(t, rows, columns)) && c.set(1, tensor_of(dtype::i32, pivots)) &&
               c.set(2, tensor_of(dtype::i32, detail::batch_of(t)));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& t = c.tensor(at::A);
        return 8 * detail::row_count(t) * detail::column_count(t);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::A).type, [&](auto as) {
            const auto in = c.input(at::A, as);
            const auto out = c.output(0, as);
            const auto rows = detail::row_count(in.type()), columns = detail::column_count(in.type());
            auto memory = c.scratch(rows * columns, 0.0);
            const math::matrix_columns a(&memory, 0, rows);
            detail::for_each_matrix(in.type(), [&](const int_list& of) {
                detail::read_matrix(in, of, a);
                auto place = of;
                place.push_back(0);
                const auto column = math::eliminate(a, columns, [&](std::int64_t k, std::int64_t pivot) {
                    place[of.size] = k;
                    c.output(1, std::int32_t{}).put(place, static_cast<std::int32_t>(pivot + 1));
                });
                c.output(2, std::int32_t{}).put(of, static_cast<std::int32_t>(column));
                if (column > 0 && c.boolean(at::check_errors)) return detail::refuse_singular(c, column);
                detail::write_matrix(out, of, a, as);
            });
        });
    }
};

using factor_ops = op_list<linalg_qr, linalg_cholesky_ex, linalg_lu_factor_ex>;

} // namespace ahead::aten
