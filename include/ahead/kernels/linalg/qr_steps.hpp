// SPDX-License-Identifier: MIT
// QR by Eigen's Householder reflections, one after another: Eigen's HouseholderQR, which joins them in blocks,
// allocates these. Called by factor.hpp and singular_values.hpp.
#pragma once
#include <ahead/kernels/linalg/eigen_library.hpp>

namespace AHEAD_NAMESPACE::kernels::detail {

/// A class template, so that only programs that call it instantiate Eigen's functions.
/// a becomes R, and the reflections below its diagonal; q their product, if it has columns.
template <class T> struct qr_steps {
    static void run(matrix_map& a, matrix_map& q, double* factors, double* spare) {
        const auto m = a.rows(), n = a.cols(), count = m < n ? m : n;
        for (std::int64_t k = 0; k < count; ++k) {
            double last = 0;
            a.col(k).tail(m - k).makeHouseholderInPlace(factors[k], last);
            a(k, k) = last;
            a.bottomRightCorner(m - k, n - k - 1)
                .applyHouseholderOnTheLeft(a.col(k).tail(m - k - 1), factors[k], spare);
        }
        if (q.cols() == 0) return;
        q.setIdentity();
        for (auto k = (count < q.cols() ? count : q.cols()) - 1; k >= 0; --k)
            q.bottomRightCorner(m - k, q.cols() - k)
                .applyHouseholderOnTheLeft(a.col(k).tail(m - k - 1), factors[k], spare);
    }
};

} // namespace ahead::kernels::detail
