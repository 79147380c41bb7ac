// SPDX-License-Identifier: MIT
// QR by Householder reflections, Cholesky's factor, elimination with partial pivoting, and the solution of triangular
// systems, on columns of doubles. Source: Golub and Van Loan, Matrix Computations; signs and pivots are those of
// LAPACK's geqrf, potrf and getrf. Called by aten/linalg/.
#pragma once
#include <ahead/core/math/matrix_columns.hpp>
#include <ahead/core/math/elementary.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {
/// Applies the reflection I - factor v v^T to column k of x; v is 1 in row `first`, and a(i, column) below it.
template <class Columns>
constexpr void reflect(Columns a, std::int64_t column, double factor, Columns x, std::int64_t k) {
    double sum = x(column, k);
    for (auto i = column + 1; i < a.rows; ++i) sum += a(i, column) * x(i, k);
    x(column, k) -= factor * sum;
    for (auto i = column + 1; i < a.rows; ++i) x(i, k) -= factor * sum * a(i, column);
}
} // namespace detail

/// a: becomes R in its upper triangle, and below the diagonal the vectors of the reflections, one a column, whose
/// factors are in factors(k, 0).
template <class Columns> constexpr void reflect_columns(Columns a, std::int64_t columns, Columns factors) {
    for (std::int64_t k = 0; k < columns && k < a.rows; ++k) {
        double largest = 0, sum = 0;
        for (auto i = k + 1; i < a.rows; ++i)
            if (const double x = abs(a(i, k)); x > largest || x != x) largest = x;
        factors(k, 0) = 0;
        if (largest == 0) continue;
        const double first = a(k, k);
        const double scale = abs(first) > largest ? abs(first) : largest;
        for (auto i = k; i < a.rows; ++i) sum += a(i, k) / scale * (a(i, k) / scale);
        const double length = scale * sqrt(sum), last = first >= 0 ? -length : length;
        factors(k, 0) = (last - first) / last;
        for (auto i = k + 1; i < a.rows; ++i) a(i, k) /= first - last;
        a(k, k) = last;
        for (auto j = k + 1; j < columns; ++j) detail::reflect(a, k, factors(k, 0), a, j);
    }
}
/// The first `taken` columns of the product of the reflections.
template <class Columns>
constexpr void reflected_basis(Columns a, std::int64_t columns, Columns factors, Columns q, std::int64_t taken) {
    for (std::int64_t j = 0; j < taken; ++j) {
        for (std::int64_t i = 0; i < a.rows; ++i) q(i, j) = i == j ? 1 : 0;
        for (auto k = (columns < a.rows ? columns : a.rows) - 1; k >= 0; --k)
            detail::reflect(a, k, factors(k, 0), q, j);
    }
}

/// The lower triangle of a becomes L of a = L L^T. Returns the number of the first leading minor that is not positive;
/// 0 if there is none.
template <class Columns> constexpr std::int64_t cholesky(Columns a, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
        double rest = a(k, k);
        for (std::int64_t j = 0; j < k; ++j) rest -= a(k, j) * a(k, j);
        if (!(rest > 0)) return k + 1;
        a(k, k) = sqrt(rest);
        for (auto i = k + 1; i < count; ++i) {
            double sum = a(i, k);
            for (std::int64_t j = 0; j < k; ++j) sum -= a(i, j) * a(k, j);
            a(i, k) = sum / a(k, k);
        }
    }
    return 0;
}

/// a becomes L, whose diagonal is 1, below its diagonal, and U above and on it. exchange(k, pivot): rows k and pivot
/// were exchanged. Returns the first column, from 1, without a pivot; 0 if there is none.
template <class Columns> constexpr std::int64_t eliminate(Columns a, std::int64_t columns, auto exchange) {
    std::int64_t found = 0;
    for (std::int64_t k = 0; k < columns && k < a.rows; ++k) {
        auto pivot = k;
        for (auto i = k + 1; i < a.rows; ++i)
            if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
        exchange(k, pivot);
        if (a(pivot, k) == 0) {
            found = found > 0 ? found : k + 1;
            continue;
        }
        for (std::int64_t j = 0; j < columns && pivot != k; ++j) {
            const double x = a(k, j);
            a(k, j) = a(pivot, j);
            a(pivot, j) = x;
        }
        for (auto i = k + 1; i < a.rows; ++i) a(i, k) /= a(k, k);
        for (auto j = k + 1; j < columns; ++j)
            for (auto i = k + 1; i < a.rows; ++i) a(i, j) -= a(i, k) * a(k, j);
    }
    return found;
}

/// at(i, j): an element of a triangular matrix, of which one triangle is read, and the diagonal is 1 if is_unit. The
/// `width` columns of x become the solutions.
template <class Columns>
constexpr void solve_triangular(auto at, bool upper, bool is_unit, Columns x, std::int64_t width) {
    for (std::int64_t k = 0; k < width; ++k)
        for (std::int64_t step = 0; step < x.rows; ++step) {
            const auto i = upper ? x.rows - 1 - step : step;
            double sum = x(i, k);
            for (auto j = upper ? i + 1 : 0; j < (upper ? x.rows : i); ++j) sum -= at(i, j) * x(j, k);
            x(i, k) = is_unit ? sum : sum / at(i, i);
        }
}

} // namespace ahead::math
