// SPDX-License-Identifier: MIT
// npu.decompose to singular values: those of R of a QR decomposition, by Eigen's JacobiSVD, in double and rounded once.
#pragma once
#include <ahead/core/math/singular_values.hpp>
#include <ahead/device/linalg/decompose.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/linalg/qr_steps.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Of square matrices. A class, so that all keys with the same room share the code.
template <int Room, bool Vectors> struct singular_values {
    static constexpr unsigned wanted = Vectors ? Eigen::ComputeFullU | Eigen::ComputeFullV : 0;
#if EIGEN_VERSION_AT_LEAST(3, 4, 90)
    using solver = Eigen::JacobiSVD<small_matrix<Room>, static_cast<int>(wanted) | Eigen::NoQRPreconditioner>;
    static solver* make(std::int64_t n, std::byte* room) { return ::new (room) solver(n, n); }
#else
    using solver = Eigen::JacobiSVD<small_matrix<Room>, Eigen::NoQRPreconditioner>;
    static solver* make(std::int64_t n, std::byte* room) { return ::new (room) solver(n, n, wanted); }
#endif
    /// Null if the iteration does not converge.
    static const solver* run(const auto& a, std::byte* room) {
        auto* const out = make(a.rows(), room);
        out->compute(a);
        return out->info() == Eigen::Success ? out : nullptr;
    }
};

} // namespace detail

/// u, vt: not written unless the key wants them.
template <device::decompose_key Key, class T = element_t<Key.type>>
inline void singular_values(const T* x, T* values, [[maybe_unused]] T* u, [[maybe_unused]] T* vt,
                            std::byte* workspace) {
    // A matrix with more columns than rows is transposed: x is `longer` rows of `count`, left has its singular vectors
    // of `longer` elements.
    constexpr auto m = Key.rows, n = Key.columns, count = m < n ? m : n, longer = m < n ? n : m;
    constexpr auto taken = Key.vectors && Key.full ? longer : count;
    using decomposed = detail::singular_values<static_cast<int>(device::room_for(count)), Key.vectors>;
    detail::workspace_parts parts(workspace);
    auto given = parts.matrix(m, n), a = parts.matrix(longer, count);
    auto q = parts.matrix(longer, Key.vectors ? count : 0), left = parts.matrix(longer, taken);
    auto r = parts.matrix(count, count), right = parts.matrix(count, count);
    double *const factors = parts.doubles(count), *const spare = parts.doubles(longer);
    static_assert(sizeof(typename decomposed::solver) + 8 * (2 * (m * n + count * count) + longer * (taken + count)) +
                      8 * (count + longer) + 8 * 64 <=
                  device::decompose::workspace(Key));
    static_assert(alignof(typename decomposed::solver) <= 64);
    for (std::int64_t b = 0; b < Key.batch; ++b, x += m * n, values += count) {
        const bool is_finite = detail::read_rows(x, given);
        for (std::int64_t k = 0; k < count; ++k)
            for (std::int64_t i = 0; i < longer; ++i) a(i, k) = m < n ? given(k, i) : given(i, k);
        const typename decomposed::solver* found = nullptr;
        if (is_finite) {
            detail::qr_steps<double>::run(a, q, factors, spare);
            for (std::int64_t k = 0; k < count; ++k)
                for (std::int64_t i = 0; i < count; ++i) r(i, k) = i <= k ? a(i, k) : 0;
            found = decomposed::run(r, parts.rest());
        }
        for (std::int64_t k = 0; k < count; ++k)
            values[k] = found ? static_cast<T>(found->singularValues()(k)) : std::numeric_limits<T>::quiet_NaN();
        if constexpr (Key.vectors) {
            for (std::int64_t k = 0; found && k < count; ++k) {
                const bool negate = math::is_to_negate([&](std::int64_t i) { return found->matrixV()(i, k); }, count);
                const double sign = negate ? -1 : 1;
                left.col(k).setZero();
                for (std::int64_t j = 0; j < count; ++j) left.col(k) += sign * found->matrixU()(j, k) * q.col(j);
                right.col(k) = sign * found->matrixV().col(k);
            }
            double* memory = left.data();
            for (auto k = count; found && k < taken; ++k)
                math::detail::complete(math::matrix_columns(&memory, 0, longer), k);
            auto& of_u = m < n ? right : left;
            auto& of_v = m < n ? left : right;
            const auto nan = std::numeric_limits<double>::quiet_NaN();
            if (!found) of_u.setConstant(nan), of_v.setConstant(nan);
            detail::write_columns(of_u, u);
            for (std::int64_t k = 0; k < n; ++k)
                for (std::int64_t i = 0; i < of_v.cols(); ++i) *vt++ = static_cast<T>(of_v(k, i));
            u += of_u.size();
        }
    }
}

} // namespace ahead::kernels
