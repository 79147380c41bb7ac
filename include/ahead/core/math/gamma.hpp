// SPDX-License-Identifier: MIT
// The logarithm of the gamma function and its derivative, of doubles.
// Invariant: the same formulas in constant expressions and at run time; PyTorch's results at the poles.
#pragma once
#include <ahead/core/math/arithmetic.hpp>
#include <ahead/core/math/elementary.hpp>

namespace AHEAD_NAMESPACE::math {

/// ln|gamma(x)| by Stirling's series, shifted above 10; below 1/2 by reflection.
constexpr double lgamma(double x) {
    if (x != x) return x;
    if (isinf(x) || (x <= 0 && detail::floor(x) == x)) return detail::infinity;
    if (x < 0.5) return log(pi / abs(sin(pi * (x - detail::floor(x))))) - lgamma(1 - x);
    double shift = 1;
    for (; x < 10; x += 1) shift *= x;
    const double inverse = 1 / (x * x);
    const double series =
        (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse * (1.0 / 1680 - inverse / 1188)))) / x;
    return (x - 0.5) * log(x) - x + 0.91893853320467274178 + series - log(shift);
}

/// The derivative of ln gamma; -inf at 0 (inf at -0) and NaN at negative integers, as PyTorch defines it.
constexpr double digamma(double x) {
    if (x == 0) return signbit(x) ? detail::infinity : -detail::infinity;
    if (x < 0) {
        if (detail::floor(x) == x) return std::numeric_limits<double>::quiet_NaN();
        return digamma(1 - x) - pi / tan(pi * (x - detail::trunc(x)));
    }
    double sum = 0;
    for (; x < 10; x += 1) sum -= 1 / x;
    const double inverse = 1 / (x * x);
    return sum + log(x) - 0.5 / x -
           inverse * (1.0 / 12 -
                      inverse * (1.0 / 120 -
                                 inverse * (1.0 / 252 -
                                            inverse * (1.0 / 240 - inverse * (1.0 / 132 - inverse * 691 / 32760)))));
}

} // namespace ahead::math
