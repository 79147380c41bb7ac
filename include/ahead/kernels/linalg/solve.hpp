// SPDX-License-Identifier: MIT
// npu.solve by Eigen's triangular systems, in double and rounded once. A zero on a diagonal gives infinities and NaN;
// which of them is unspecified, as it is in PyTorch.
#pragma once
#include <ahead/device/linalg/solve.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/linalg/triangle.hpp>

namespace AHEAD_NAMESPACE::kernels {

/// pivots: null unless Key.lu. Refuses one that is not a row.
template <device::solve_key Key, class T = element_t<Key.type>>
inline bool solve(const T* given, const T* right_side, [[maybe_unused]] const std::int32_t* pivots, T* out,
                  std::byte* workspace, [[maybe_unused]] diagnosis& d) {
    constexpr auto n = Key.count, width = Key.width;
    // X A = B is A^T X^T = B^T.
    constexpr bool turned = Key.lu ? Key.adjoint == Key.left : !Key.left;
    detail::workspace_parts parts(workspace);
    auto a = parts.matrix(n, n), x = parts.matrix(n, width);
    for (std::int64_t b = 0; b < Key.batch; ++b, given += n * n, right_side += n * width, out += n * width) {
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t k = 0; k < n; ++k) (turned ? a(k, i) : a(i, k)) = static_cast<double>(given[i * n + k]);
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t k = 0; k < width; ++k)
                x(i, k) = static_cast<double>(right_side[Key.left ? i * width + k : k * n + i]);
        if constexpr (Key.lu) {
            const auto exchange = [&](std::int64_t k) {
                const std::int64_t row = pivots[k] - 1;
                if (row < 0 || row >= n)
                    return refuse(d, fault::index_is_out_of_range, expected_index(0, row, n), short_text() << row);
                x.row(k).swap(x.row(row));
                return true;
            };
            for (std::int64_t k = 0; !turned && k < n; ++k)
                if (!exchange(k)) return false;
            detail::solve_triangle<false, !turned>::run(a, x);
            detail::solve_triangle<true, turned>::run(a, x);
            for (auto k = n - 1; turned && k >= 0; --k)
                if (!exchange(k)) return false;
            pivots += n;
        } else detail::solve_triangle<Key.upper == Key.left, Key.unit>::run(a, x);
        for (std::int64_t k = 0; k < width; ++k)
            for (std::int64_t i = 0; i < n; ++i)
                out[(Key.left == Key.in_rows) ? i * width + k : k * n + i] = static_cast<T>(x(i, k));
    }
    return true;
}

template <> struct kernel_for<device::solve> {
    static constexpr bool refuses = true; // a pivot that is not a row
    template <auto Key> static bool run(const auto& at, diagnosis& d) {
        using T = element_t<Key.type>;
        return kernels::solve<Key>(at.template in<T>(0), at.template in<T>(1), at.template in_or_null<std::int32_t>(2),
                                   at.template out<T>(), at.workspace, d);
    }
};

} // namespace ahead::kernels
