// SPDX-License-Identifier: MIT
// Singular values and vectors by one-sided Jacobi rotations: pairs of columns are rotated until all are orthogonal;
// then their lengths are the singular values. Source: Demmel and Veselic, Jacobi's method is more accurate than QR,
// SIAM J. Matrix Anal. Appl. 13 (1992). Called by aten/linalg/singular_values.hpp.
// Invariant: in double; for finite elements a step overflows only if the largest singular value does.
#pragma once
#include <ahead/core/math/matrix_columns.hpp>
#include <ahead/core/math/series/exponential.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// Rotates all pairs of the first `count` columns of `left` until they are orthogonal, and applies the rotations to
/// `right`.
template <class Columns> constexpr void turn_to_right_angles(Columns left, Columns right, std::int64_t count) {
    constexpr double negligible = 1e-15;
    constexpr int most_sweeps = 60;
    bool is_turned = true;
    for (int sweep = 0; is_turned && sweep < most_sweeps; ++sweep) {
        is_turned = false;
        for (std::int64_t a = 0; a < count; ++a)
            for (std::int64_t b = a + 1; b < count; ++b) {
                const double of_a = left.product(a, a), of_b = left.product(b, b), both = left.product(a, b);
                if (both == 0 || abs(both) <= negligible * sqrt(of_a) * sqrt(of_b)) continue;
                const double slope = (of_b - of_a) / (2 * both), steep = abs(slope);
                const double tangent =
                    (slope < 0 ? -1 : 1) / (steep > 1e150 ? 2 * steep : steep + sqrt(1 + slope * slope));
                const double cosine = 1 / sqrt(1 + tangent * tangent);
                left.turn(a, b, cosine, cosine * tangent);
                right.turn(a, b, cosine, cosine * tangent);
                is_turned = true;
            }
    }
}

/// Makes column `column` a unit vector orthogonal to those before it: the orthogonal part of the unit vector that is
/// least parallel to them.
template <class Columns> constexpr void complete(Columns q, std::int64_t column) {
    std::int64_t best = 0;
    double least = 2;
    for (std::int64_t i = 0; i < q.rows; ++i) {
        double like = 0;
        for (std::int64_t k = 0; k < column; ++k) like += q(i, k) * q(i, k);
        if (like < least) {
            least = like;
            best = i;
        }
    }
    for (std::int64_t i = 0; i < q.rows; ++i) q(i, column) = i == best ? 1 : 0;
    for (int twice = 0; twice < 2; ++twice)
        for (std::int64_t k = 0; k < column; ++k) {
            const double along = q.product(k, column);
            for (std::int64_t i = 0; i < q.rows; ++i) q(i, column) -= along * q(i, k);
        }
    q.scale(column, 1 / sqrt(q.product(column, column)));
}

} // namespace detail

/// left: `columns` columns, of which the first `count`, at most the number of rows, are a finite matrix. They become
/// its left singular vectors, and the columns after them complete them to a basis. right: [count, count], becomes the
/// right singular vectors, as columns, of the sign that is_to_negate gives them. value(k): the singular values in
/// descending order.
template <class Columns>
constexpr void singular_values(Columns left, std::int64_t columns, Columns right, std::int64_t count, auto value) {
    double largest = 0;
    for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t i = 0; i < left.rows; ++i)
            if (const double x = abs(left(i, k)); x > largest) largest = x;
    for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t i = 0; i < count; ++i) right(i, k) = i == k ? 1 : 0;
        for (std::int64_t i = 0; largest > 0 && i < left.rows; ++i) left(i, k) /= largest;
    }
    detail::turn_to_right_angles(left, right, count);
    for (std::int64_t k = 0; k < count; ++k) value(k) = sqrt(left.product(k, k));
    for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t best = k;
        for (std::int64_t j = k + 1; j < count; ++j)
            if (value(j) > value(best)) best = j;
        if (best == k) continue;
        left.turn(k, best, 0, 1); // exchanges the columns in both, except for a sign
        right.turn(k, best, 0, 1);
        const double length = value(k);
        value(k) = value(best);
        value(best) = length;
    }
    for (std::int64_t k = 0; k < columns; ++k) {
        if (k < count && value(k) > 0) left.scale(k, 1 / value(k));
        else detail::complete(left, k);
    }
    for (std::int64_t k = 0; k < count; ++k) {
        value(k) *= largest;
        if (!is_to_negate([&](std::int64_t i) { return right(i, k); }, count)) continue;
        left.scale(k, -1);
        right.scale(k, -1);
    }
}

} // namespace ahead::math
