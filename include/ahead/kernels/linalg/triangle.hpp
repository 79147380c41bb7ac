// SPDX-License-Identifier: MIT
// Triangular systems by Eigen's triangularView, a few columns at a time, so that its buffers fit the stack. Called by
// factor.hpp and solve.hpp.
#pragma once
#include <ahead/kernels/linalg/eigen_library.hpp>

namespace AHEAD_NAMESPACE::kernels::detail {

/// Reads one triangle of a; Unit: its diagonal is 1. The columns of x become the solutions.
template <bool Upper, bool Unit> struct solve_triangle {
    static constexpr unsigned part = (Upper ? Eigen::Upper : Eigen::Lower) | (Unit ? Eigen::UnitDiag : 0);
    static void run(const matrix_map& a, matrix_map& x) {
        constexpr std::int64_t most = 64;
        for (std::int64_t k = 0; k < x.cols(); k += most) {
            auto some = x.middleCols(k, x.cols() - k < most ? x.cols() - k : most);
            a.triangularView<part>().solveInPlace(some);
        }
    }
};

} // namespace ahead::kernels::detail
