// SPDX-License-Identifier: MIT
// npu.decompose to factors: QR by Eigen's Householder reflections, Cholesky by Eigen's LLT, elimination on Eigen's
// blocks (its PartialPivLU takes square matrices with an inverse only), inverses by the latter; in double and rounded
// once. Signs and pivots are those of LAPACK.
#pragma once
#include <ahead/core/math/factors.hpp>
#include <ahead/device/linalg/decompose.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/linalg/qr_steps.hpp>
#include <ahead/kernels/linalg/triangle.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

// Classes, so that only programs that call them instantiate Eigen's functions.

/// Returns the first column, from 1, without a pivot; 0 if there is none.
template <class Pivot> struct elimination {
    static std::int64_t run(matrix_map& a, Pivot* pivots) {
        const auto m = a.rows(), n = a.cols(), count = m < n ? m : n;
        std::int64_t found = 0;
        for (std::int64_t k = 0; k < count; ++k) {
            auto pivot = k;
            for (auto i = k + 1; i < m; ++i)
                if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
            pivots[k] = static_cast<Pivot>(pivot + 1);
            if (a(pivot, k) == 0) {
                found = found > 0 ? found : k + 1;
                continue;
            }
            if (pivot != k) a.row(k).swap(a.row(pivot));
            a.col(k).tail(m - k - 1) /= a(k, k);
            for (auto j = k + 1; j < n; ++j) a.col(j).tail(m - k - 1) -= a(k, j) * a.col(k).tail(m - k - 1);
        }
        return found;
    }
};
/// Reads a row-major matrix and writes L into its lower triangle. Returns the number of the first leading minor that is
/// not positive; 0 if there is none.
template <class T> struct cholesky_factor {
    static std::int64_t run(const T* x, bool upper, matrix_map& a) {
        const auto read = [&] {
            read_rows(x, a);
            if (upper) a.transposeInPlace();
        };
        read();
        if (const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(a); factor.info() == Eigen::Success) return 0;
        read(); // Eigen does not say which minor it is
        auto* memory = a.data();
        return math::cholesky(math::matrix_columns(&memory, 0, a.rows()), a.rows());
    }
};

inline bool refuse_singular(diagnosis& d, std::int64_t column) {
    return refuse(d, fault::matrix_is_singular, "a matrix with an inverse",
                  short_text("nothing but 0 to divide by in column ") << column);
}

} // namespace detail

/// q: not written unless the key wants it.
template <device::decompose_key Key, class T = element_t<Key.type>>
inline void qr(const T* x, T* r, [[maybe_unused]] T* q, std::byte* workspace) {
    constexpr auto m = Key.rows, n = Key.columns, taken = Key.full || m < n ? m : n;
    detail::workspace_parts parts(workspace);
    auto a = parts.matrix(m, n), basis = parts.matrix(m, Key.vectors ? taken : 0);
    double *const factors = parts.doubles(n), *const spare = parts.doubles(m < n ? n : m);
    for (std::int64_t b = 0; b < Key.batch; ++b, x += m * n) {
        detail::read_rows(x, a);
        detail::qr_steps<T>::run(a, basis, factors, spare);
        for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t i = 0; i < taken; ++i) *r++ = static_cast<T>(i <= k ? a(i, k) : 0);
        if constexpr (Key.vectors) {
            detail::write_columns(basis, q);
            q += m * taken;
        }
    }
}

template <device::decompose_key Key, class T = element_t<Key.type>>
inline bool cholesky(const T* x, T* out, std::int32_t* info, std::byte* workspace, diagnosis& d) {
    constexpr auto n = Key.rows;
    auto a = detail::workspace_parts(workspace).matrix(n, n);
    for (std::int64_t b = 0; b < Key.batch; ++b, x += n * n) {
        const auto minor = detail::cholesky_factor<T>::run(x, Key.upper, a);
        info[b] = static_cast<std::int32_t>(minor);
        if (Key.checks && minor > 0)
            return refuse(d, fault::matrix_is_not_positive_definite, "a positive-definite matrix",
                          short_text("leading minor ") << minor << " is not positive");
        for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t i = 0; i < n; ++i) {
                const bool is_outside = Key.upper ? i > k : i < k;
                const double v = is_outside ? 0 : Key.upper ? a(k, i) : a(i, k);
                *out++ = minor > 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(v);
            }
    }
    return true;
}

template <device::decompose_key Key, class T = element_t<Key.type>>
inline bool lu(const T* x, T* out, std::int32_t* pivots, std::int32_t* info, std::byte* workspace, diagnosis& d) {
    constexpr auto m = Key.rows, n = Key.columns;
    auto a = detail::workspace_parts(workspace).matrix(m, n);
    for (std::int64_t b = 0; b < Key.batch; ++b, x += m * n, out += m * n, pivots += m < n ? m : n) {
        detail::read_rows(x, a);
        const auto column = detail::elimination<std::int32_t>::run(a, pivots);
        info[b] = static_cast<std::int32_t>(column);
        if (Key.checks && column > 0) return detail::refuse_singular(d, column);
        detail::write_columns(a, out);
    }
    return true;
}

/// The inverse of a matrix without one is NaN.
template <device::decompose_key Key, class T = element_t<Key.type>>
inline bool inverse(const T* x, T* out, std::int32_t* info, std::byte* workspace, diagnosis& d) {
    constexpr auto n = Key.rows;
    detail::workspace_parts parts(workspace);
    auto a = parts.matrix(n, n), made = parts.matrix(n, n);
    auto* const pivots = reinterpret_cast<std::int32_t*>(parts.doubles(n));
    for (std::int64_t b = 0; b < Key.batch; ++b, x += n * n, out += n * n) {
        detail::read_rows(x, a);
        const auto column = detail::elimination<std::int32_t>::run(a, pivots);
        info[b] = static_cast<std::int32_t>(column);
        if (Key.checks && column > 0) return detail::refuse_singular(d, column);
        if (column > 0) {
            detail::write_nan(out, n * n);
            continue;
        }
        made.setIdentity();
        for (std::int64_t k = 0; k < n; ++k) made.row(k).swap(made.row(pivots[k] - 1));
        detail::solve_triangle<false, true>::run(a, made);
        detail::solve_triangle<true, false>::run(a, made);
        detail::write_columns(made, out);
    }
    return true;
}

} // namespace ahead::kernels
