// SPDX-License-Identifier: MIT
// _linalg_svd by core/math/singular_values.hpp, per matrix, in double and rounded once.
// Source: aten/src/ATen/native/native_functions.yaml, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/linalg/matrices.hpp>
#include <ahead/core/math/singular_values.hpp>
#include <ahead/ir/registry.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

/// _linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None): A, [.., m, n] of f32 or
/// f64, is U @ diag(S) @ Vh with U [.., m, k], S [.., k] in descending order, Vh [.., k, n] and k = min(m, n); U [..,
/// m, m] and Vh [.., n, n] if full_matrices; U and Vh are empty unless compute_uv. Columns of U and rows of Vh are
/// orthonormal. PyTorch does not define which ones: the signs of u and v, the basis for equal singular values, and the
/// completion of full matrices may differ from LAPACK's. Here the first element of v that is not small is positive
/// (of u, where A has more columns than rows). A matrix with an infinity or NaN, for which PyTorch throws,
/// gives NaN. A driver is specific to CUDA, and refused.
struct linalg_svd {
    static constexpr std::string_view name = "aten._linalg_svd.default"sv;
    enum at : int { A, full_matrices, compute_uv, driver };
    static constexpr parameter schema[] = {required("A", parameter_kind::tensor),
                                           defaulted("full_matrices", parameter_kind::boolean, argument::of(false)),
                                           defaulted("compute_uv", parameter_kind::boolean, argument::of(true)),
                                           defaulted("driver", parameter_kind::optional_string)};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::A);
        if (!detail::check_matrices(c, at::A)) return false;
        if (c.is_given(at::driver)) return c.refuse(fault::argument_is_unknown, "driver=None", "a driver of CUDA");
        const auto rows = t.size(t.rank - 2), columns = t.size(t.rank - 1), count = rows < columns ? rows : columns;
        auto values = sizes_of(t);
        --values.size;
        values[t.rank - 2] = count;
        const bool wants = c.boolean(at::compute_uv), full = c.boolean(at::full_matrices);
        const auto none = tensor_of(t.type, {0});
        return c.results(3) && c.set(0, wants ? in_columns(t, rows, full ? rows : count) : none) &&
               c.set(1, tensor_of(t.type, values)) &&
               c.set(2, wants ? in_columns(t, full ? columns : count, columns) : none);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::A).type, [&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::A, as);
            const auto& t = in.type();
            const int last = t.rank - 1;
            const bool wants = c.boolean(at::compute_uv), is_wide = t.size(last - 1) < t.size(last);
            const auto longer = t.size(is_wide ? last : last - 1), count = t.size(is_wide ? last - 1 : last);
            const auto columns = wants && c.boolean(at::full_matrices) ? longer : count;
            auto memory = c.scratch(doubles(longer, columns, count), 0.0);
            const math::matrix_columns left(&memory, 0, longer), right(&memory, longer * columns, count);
            const math::matrix_columns values(&memory, longer * columns + count * count, count);
            detail::for_each_matrix(t, [&](const int_list& of) {
                const auto at_place = [&](std::int64_t i, std::int64_t k) { return detail::place_in(of, i, k); };
                bool is_finite = true;
                for (std::int64_t k = 0; k < count; ++k)
                    for (std::int64_t i = 0; i < longer; ++i) {
                        const auto x = static_cast<double>(in[is_wide ? at_place(k, i) : at_place(i, k)]);
                        left(i, k) = x;
                        is_finite = is_finite && math::abs(x) <= std::numeric_limits<double>::max();
                    }
                if (is_finite)
                    math::singular_values(left, columns, right, count,
                                          [&](std::int64_t k) -> double& { return values(k, 0); });
                const auto rounded = [&](double x) {
                    return is_finite ? math::convert<T>(x) : std::numeric_limits<T>::quiet_NaN();
                };
                auto index = of;
                index.push_back(0);
                for (auto& k = index[last - 1]; k < count; ++k) c.output(1, as).put(index, rounded(values(k, 0)));
                if (!wants) return;
                for (std::int64_t k = 0; k < columns; ++k)
                    for (std::int64_t i = 0; i < longer; ++i)
                        c.output(is_wide ? 2 : 0, as)
                            .put(is_wide ? at_place(k, i) : at_place(i, k), rounded(left(i, k)));
                for (std::int64_t k = 0; k < count; ++k)
                    for (std::int64_t i = 0; i < count; ++i)
                        c.output(is_wide ? 0 : 2, as)
                            .put(is_wide ? at_place(i, k) : at_place(k, i), rounded(right(i, k)));
            });
        });
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& t = c.tensor(at::A);
        const auto rows = t.size(t.rank - 2), columns = t.size(t.rank - 1);
        const auto longer = rows < columns ? columns : rows, count = rows < columns ? rows : columns;
        return 8 * doubles(longer, c.boolean(at::full_matrices) ? longer : count, count);
    }

private:
    static constexpr std::int64_t doubles(std::int64_t longer, std::int64_t columns, std::int64_t count) {
        return longer * columns + count * count + count;
    }
};

using singular_value_ops = op_list<linalg_svd>;

} // namespace ahead::aten
