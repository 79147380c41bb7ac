// SPDX-License-Identifier: MIT
// npu.decompose by Eigen's decompositions, in double and rounded once.
#pragma once
#include <ahead/core/math/matrix_columns.hpp>
#include <ahead/device/linalg/decompose.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/linalg/eigen_library.hpp>
#include <ahead/kernels/linalg/factor.hpp>
#include <ahead/kernels/linalg/singular_values.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// A class, so that all keys with the same room share the code. a: [n, n], of which the lower triangle is read; becomes
/// the eigenvectors, if they are wanted.
template <int Room> struct symmetric_eigen {
    using solver = Eigen::SelfAdjointEigenSolver<small_matrix<Room>>;
    /// Returns false if the iteration does not converge.
    static bool run(matrix_map& a, bool vectors, double* values, std::byte* room) {
        auto* const s = ::new (room) solver(a.rows());
        s->compute(a, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
        if (s->info() != Eigen::Success) return false;
        for (std::int64_t k = 0; k < a.rows(); ++k) {
            values[k] = s->eigenvalues()(k);
            if (!vectors) continue;
            const auto column = s->eigenvectors().col(k);
            const bool negate = math::is_to_negate([&](std::int64_t i) { return column(i); }, a.rows());
            for (std::int64_t i = 0; i < a.rows(); ++i) a(i, k) = negate ? -column(i) : column(i);
        }
        return true;
    }
};

} // namespace detail

/// vectors: not written unless the key wants them.
template <device::decompose_key Key, class T = element_t<Key.type>>
inline void symmetric_eigen(const T* x, T* values, [[maybe_unused]] T* vectors, std::byte* workspace) {
    constexpr auto n = Key.rows;
    using decomposed = detail::symmetric_eigen<static_cast<int>(device::room_for(n))>;
    detail::workspace_parts parts(workspace);
    auto a = parts.matrix(n, n);
    double* const found = parts.doubles(n);
    static_assert(sizeof(typename decomposed::solver) + 8 * (n * n + n) + 128 <= device::decompose::workspace(Key));
    static_assert(alignof(typename decomposed::solver) <= 64);
    for (std::int64_t b = 0; b < Key.batch; ++b, x += n * n, values += n) {
        bool is_found = detail::read_rows(x, a);
        if constexpr (Key.upper) a.transposeInPlace();
        is_found = is_found && decomposed::run(a, Key.vectors, found, parts.rest());
        for (std::int64_t k = 0; is_found && k < n; ++k) values[k] = static_cast<T>(found[k]);
        if (!is_found) detail::write_nan(values, n);
        if constexpr (Key.vectors) {
            if (is_found) detail::write_columns(a, vectors);
            else detail::write_nan(vectors, n * n);
            vectors += n * n;
        }
    }
}

template <> struct kernel_for<device::decompose> {
    static constexpr bool refuses = true; // a matrix without an inverse or a factor, if the key checks that
    template <auto Key> static bool run(const auto& at, diagnosis& d) {
        using T = element_t<Key.type>;
        using device::decomposition;
        const auto* const x = at.template in<T>(0);
        auto* const first = at.template out<T>(0);
        T *second = nullptr, *third = nullptr;
        if constexpr (Key.vectors) second = at.template out<T>(1);
        if constexpr (Key.kind == decomposition::symmetric_eigen)
            kernels::symmetric_eigen<Key>(x, first, second, at.workspace);
        else if constexpr (Key.kind == decomposition::singular_values) {
            if constexpr (Key.vectors) third = at.template out<T>(2);
            kernels::singular_values<Key>(x, first, second, third, at.workspace);
        } else if constexpr (Key.kind == decomposition::qr) kernels::qr<Key>(x, first, second, at.workspace);
        else if constexpr (Key.kind == decomposition::cholesky)
            return kernels::cholesky<Key>(x, first, at.template out<std::int32_t>(1), at.workspace, d);
        else if constexpr (Key.kind == decomposition::lu)
            return kernels::lu<Key>(x, first, at.template out<std::int32_t>(1), at.template out<std::int32_t>(2),
                                    at.workspace, d);
        else return kernels::inverse<Key>(x, first, at.template out<std::int32_t>(1), at.workspace, d);
        return true;
    }
};

} // namespace ahead::kernels
