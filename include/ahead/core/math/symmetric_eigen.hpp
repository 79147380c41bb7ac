// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi rotations: each makes one element outside the diagonal
// zero, row by row, until all are negligible. Source: Golub and Van Loan, Matrix Computations, 8.5. Called by
// aten/linalg/eigen.hpp.
// Invariant: in double; for finite elements a step overflows only if an eigenvalue does.
#pragma once
#include <ahead/core/math/matrix_columns.hpp>
#include <ahead/core/math/elementary.hpp>

namespace AHEAD_NAMESPACE::math {

/// a: a finite symmetric matrix, [count, count], which is overwritten. vectors: becomes its eigenvectors, as
/// orthonormal columns of the sign that is_to_negate gives them. value(k): the eigenvalues in ascending order.
template <class Columns> constexpr void symmetric_eigen(Columns a, Columns vectors, std::int64_t count, auto value) {
    constexpr double negligible = 1e-17; // of the largest element
    constexpr int most_sweeps = 60;
    double largest = 0;
    for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t i = 0; i < count; ++i) {
            vectors(i, k) = i == k ? 1 : 0;
            if (const double x = abs(a(i, k)); x > largest) largest = x;
        }
    for (std::int64_t k = 0; largest > 0 && k < count; ++k)
        for (std::int64_t i = 0; i < count; ++i) a(i, k) /= largest;
    bool is_turned = true;
    for (int sweep = 0; is_turned && sweep < most_sweeps; ++sweep) {
        is_turned = false;
        for (std::int64_t p = 0; p < count; ++p)
            for (std::int64_t q = p + 1; q < count; ++q) {
                const double both = a(p, q);
                if (abs(both) <= negligible) continue;
                const double slope = (a(q, q) - a(p, p)) / (2 * both), steep = abs(slope);
                const double tangent =
                    (slope < 0 ? -1 : 1) / (steep > 1e150 ? 2 * steep : steep + sqrt(1 + slope * slope));
                const double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
                a.turn(p, q, cosine, sine);
                for (std::int64_t k = 0; k < count; ++k) {
                    const double x = a(p, k), y = a(q, k);
                    a(p, k) = cosine * x - sine * y;
                    a(q, k) = sine * x + cosine * y;
                }
                a(p, q) = a(q, p) = 0;
                vectors.turn(p, q, cosine, sine);
                is_turned = true;
            }
    }
    for (std::int64_t k = 0; k < count; ++k) value(k) = a(k, k);
    for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t best = k;
        for (std::int64_t j = k + 1; j < count; ++j)
            if (value(j) < value(best)) best = j;
        if (best != k) {
            vectors.turn(k, best, 0, 1); // exchanges the columns, except for a sign
            const double first = value(k);
            value(k) = value(best);
            value(best) = first;
        }
        value(k) *= largest;
        if (is_to_negate([&](std::int64_t i) { return vectors(i, k); }, count)) vectors.scale(k, -1);
    }
}

} // namespace ahead::math
