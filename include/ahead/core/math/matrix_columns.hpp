// SPDX-License-Identifier: MIT
// Columns of doubles in the caller's memory, for the decompositions of this folder and of aten/linalg/, and the sign of
// eigenvectors and singular vectors.
#pragma once
#include <ahead/core/math/arithmetic.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::math {

/// Consecutive columns of doubles, stored in the caller's memory.
template <class Memory> struct matrix_columns {
    Memory* memory = nullptr;
    std::int64_t begin = 0, rows = 0;
    constexpr double& operator()(std::int64_t row, std::int64_t column) const {
        return (*memory)[static_cast<std::size_t>(begin + column * rows + row)];
    }
    constexpr double product(std::int64_t a, std::int64_t b) const {
        double sum = 0;
        for (std::int64_t i = 0; i < rows; ++i) sum += (*this)(i, a) * (*this)(i, b);
        return sum;
    }
    constexpr void scale(std::int64_t column, double factor) const {
        for (std::int64_t i = 0; i < rows; ++i) (*this)(i, column) *= factor;
    }
    constexpr void turn(std::int64_t a, std::int64_t b, double cosine, double sine) const {
        for (std::int64_t i = 0; i < rows; ++i) {
            const double x = (*this)(i, a), y = (*this)(i, b);
            (*this)(i, a) = cosine * x - sine * y;
            (*this)(i, b) = sine * x + cosine * y;
        }
    }
};
template <class Memory> matrix_columns(Memory*, std::int64_t, std::int64_t) -> matrix_columns<Memory>;

/// Whether to negate the vector at(0), ..., at(count - 1), so that the sign of a vector which is unique except for its
/// sign does not depend on how it was computed: its first element that is not small is positive. Small is 1/128 of the
/// largest element: rounding does not move an element across that.
constexpr bool is_to_negate(auto at, std::int64_t count) {
    double largest = 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (const double x = abs(at(i)); x > largest) largest = x;
    for (std::int64_t i = 0; i < count; ++i)
        if (abs(at(i)) > largest / 128) return at(i) < 0;
    return false;
}

} // namespace ahead::math
