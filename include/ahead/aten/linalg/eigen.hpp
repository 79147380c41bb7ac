// SPDX-License-Identifier: MIT
// _linalg_eigh by core/math/symmetric_eigen.hpp, per matrix, in double and rounded once.
// Source: aten/src/ATen/native/native_functions.yaml, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/linalg/matrices.hpp>
#include <ahead/core/math/symmetric_eigen.hpp>
#include <ahead/ir/registry.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

/// _linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True): (eigenvalues [.., n] in ascending order, eigenvectors
/// [.., n, n] as columns) of the symmetric matrices A, [.., n, n] of f32 or f64, whose lower triangle is read, or the
/// upper one with "U"; no eigenvectors unless compute_v. PyTorch does not define the signs of eigenvectors, nor the
/// basis for equal eigenvalues. Here the first element that is not small is positive. A matrix with an infinity or NaN,
/// for which PyTorch throws, gives NaN.
struct linalg_eigh {
    static constexpr std::string_view name = "aten._linalg_eigh.default"sv;
    enum at : int { A, UPLO, compute_v };
    static constexpr std::string_view triangles[] = {"L"sv, "U"sv, "l"sv, "u"sv};
    static constexpr parameter schema[] = {
        required("A", parameter_kind::tensor),
        one_of(triangles, defaulted("UPLO", parameter_kind::string, {.kind = argument_kind::string, .text = "L"})),
        defaulted("compute_v", parameter_kind::boolean, argument::of(true))};
    static constexpr bool reads_upper(const argument& triangle) {
        return triangle.text == triangles[1] || triangle.text == triangles[3];
    }
    static constexpr bool infer(infer_context& c) {
        if (!detail::check_square(c, at::A)) return false;
        const auto& t = c.tensor(at::A);
        const auto n = detail::row_count(t);
        const auto vectors = c.boolean(at::compute_v) ? in_columns(t, n, n) : tensor_of(t.type, {0});
        const auto values = tensor_of(t.type, detail::line_for_each(t, n));
        return c.results(2) && c.set(0, values) && c.set(1, vectors);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto n = detail::row_count(c.tensor(at::A));
        return 8 * (2 * n * n + n);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real(c.tensor(at::A).type, [&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::A, as);
            const auto values_out = c.output(0, as), vectors_out = c.output(1, as);
            const auto n = detail::row_count(in.type());
            auto memory = c.scratch(2 * n * n + n, 0.0);
            const math::matrix_columns a(&memory, 0, n), vectors(&memory, n * n, n), values(&memory, 2 * n * n, n);
            const bool upper = reads_upper(c.at(at::UPLO));
            detail::for_each_matrix(in.type(), [&](const int_list& of) {
                bool is_finite = true;
                for (std::int64_t k = 0; k < n; ++k)
                    for (std::int64_t i = k; i < n; ++i) {
                        const auto x =
                            static_cast<double>(in[upper ? detail::place_in(of, k, i) : detail::place_in(of, i, k)]);
                        a(i, k) = a(k, i) = x;
                        is_finite = is_finite && math::abs(x) <= std::numeric_limits<double>::max();
                    }
                if (is_finite)
                    math::symmetric_eigen(a, vectors, n, [&](std::int64_t k) -> double& { return values(k, 0); });
                const auto rounded = [&](double x) {
                    return is_finite ? math::convert<T>(x) : std::numeric_limits<T>::quiet_NaN();
                };
                for (std::int64_t k = 0; k < n; ++k) {
                    auto index = of;
                    index.push_back(k);
                    values_out.put(index, rounded(values(k, 0)));
                    for (std::int64_t i = 0; i < n && c.boolean(at::compute_v); ++i)
                        vectors_out.put(detail::place_in(of, i, k), rounded(vectors(i, k)));
                }
            });
        });
    }
};

using eigen_ops = op_list<linalg_eigh>;

} // namespace ahead::aten
