// SPDX-License-Identifier: MIT
// Matrix inverses by Gauss-Jordan elimination with the largest pivot of each column, in double and rounded
// once. Source: aten/src/ATen/native/BatchLinearAlgebra.cpp, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/linalg/matrices.hpp>
#include <ahead/ir/registry.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Op's first parameter is a batch of square matrices. Result 0 has their inverses, column-major.
template <class Op> struct inverses {
    static constexpr bool check_matrix(infer_context& c) { return detail::check_square(c, first_parameter); }
    static constexpr tensor_type type_of(const infer_context& c) {
        const auto& t = c.tensor(first_parameter);
        return in_columns(t, t.size(t.rank - 1), t.size(t.rank - 1));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& t = c.tensor(first_parameter);
        return 16 * t.size(t.rank - 1) * t.size(t.rank - 1);
    }
    /// Calls done(of, column) for each matrix of the batch; column is the first one, from 1, without a pivot, and then
    /// nothing is written; 0 if the inverse exists.
    static constexpr void invert(auto& c, auto done) {
        c.compute_real([&](auto as) {
            const auto in = c.input(first_parameter, as);
            const auto out = c.output(0, as);
            const auto n = in.type().size(in.type().rank - 1);
            auto memory = c.scratch(2 * n * n, 0.0); // rows of the matrix, and of its future inverse
            const auto at = [&](std::int64_t row, std::int64_t column) -> double& {
                return memory[static_cast<std::size_t>(row * 2 * n + column)];
            };
            for_each_matrix(in.type(), [&](const int_list& of) {
                const auto each = [&](auto f) {
                    auto index = of;
                    index.size += 2;
                    for (std::int64_t i = 0; i < n; ++i)
                        for (std::int64_t k = 0; k < n; ++k) {
                            index[of.size] = i;
                            index[of.size + 1] = k;
                            f(index, i, k);
                        }
                };
                each([&](const int_list& index, std::int64_t i, std::int64_t k) {
                    at(i, k) = static_cast<double>(in[index]);
                    at(i, n + k) = i == k;
                });
                const auto column = eliminate(at, n);
                if (column == 0)
                    each([&](const int_list& index, std::int64_t i, std::int64_t k) {
                        out.put(index, math::convert<decltype(as)>(at(i, n + k)));
                    });
                done(of, column);
            });
        });
    }

private:
    static constexpr std::int64_t eliminate(auto at, std::int64_t n) {
        for (std::int64_t k = 0; k < n; ++k) {
            auto pivot = k;
            for (auto i = k + 1; i < n; ++i)
                if (math::abs(at(i, k)) > math::abs(at(pivot, k))) pivot = i;
            if (at(pivot, k) == 0) return k + 1;
            for (std::int64_t j = 0; j < 2 * n && pivot != k; ++j) std::swap(at(k, j), at(pivot, j));
            const auto first = at(k, k);
            for (std::int64_t j = 0; j < 2 * n; ++j) at(k, j) /= first;
            for (std::int64_t i = 0; i < n; ++i) {
                const auto factor = at(i, k);
                if (i == k || factor == 0) continue;
                for (auto j = k; j < 2 * n; ++j) at(i, j) -= factor * at(k, j);
            }
        }
        return 0;
    }
};

} // namespace detail

/// linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (inverse, info): A is [.., n, n] of f32 or f64; info,
/// i32[..], is 0, or the first column, from 1, in which elimination finds only zeros. The inverse of such a matrix,
/// which PyTorch leaves unspecified, is NaN; with check_errors it is an error at run time.
struct linalg_inv_ex : detail::inverses<linalg_inv_ex> {
    static constexpr std::string_view name = "aten.linalg_inv_ex.default"sv;
    enum at : int { A, check_errors };
    static constexpr parameter schema[] = {required("A", parameter_kind::tensor),
                                           defaulted("check_errors", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        if (!check_matrix(c)) return false;
        auto batch = sizes_of(c.tensor(at::A));
        batch.size -= 2;
        return c.results(2) && c.set(0, type_of(c)) && c.set(1, tensor_of(dtype::i32, batch));
    }
    static constexpr void evaluate(auto& c) {
        const auto info = c.output(1, std::int32_t{});
        invert(c, [&](const int_list& of, std::int64_t column) {
            info.put(of, static_cast<std::int32_t>(column));
            if (column == 0) return;
            if (c.boolean(at::check_errors)) return detail::refuse_singular(c, column);
            c.compute_real([&](auto as) {
                const auto out = c.output(0, as);
                const auto n = out.type().size(of.size);
                for_each_index({n, n}, [&](const int_list& at) {
                    auto index = of;
                    index.push_back(at[0]);
                    index.push_back(at[1]);
                    out.put(index, std::numeric_limits<decltype(as)>::quiet_NaN());
                });
            });
        });
    }
};

/// linalg_inv(Tensor A): the inverse; a singular matrix is an error at run time
struct linalg_inv : detail::inverses<linalg_inv> {
    static constexpr std::string_view name = "aten.linalg_inv.default"sv;
    enum at : int { A };
    static constexpr parameter schema[] = {required("A", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return check_matrix(c) && c.result(type_of(c)); }
    static constexpr void evaluate(auto& c) {
        invert(c, [&](const int_list&, std::int64_t column) {
            if (column > 0) detail::refuse_singular(c, column);
        });
    }
};

/// inverse(Tensor self): linalg_inv
struct inverse : detail::inverses<inverse> {
    static constexpr std::string_view name = "aten.inverse.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return check_matrix(c) && c.result(type_of(c)); }
    static constexpr void evaluate(auto& c) { linalg_inv::evaluate(c); }
};

using inverse_ops = op_list<linalg_inv_ex, linalg_inv, inverse>;

} // namespace ahead::aten
