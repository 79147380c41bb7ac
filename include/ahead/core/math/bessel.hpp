// SPDX-License-Identifier: MIT
// Modified Bessel functions of orders 0 and 1, plain and times e^-|x|: power series up to 20, asymptotic series above.
// Called by aten/pointwise/special.hpp.
#pragma once
#include <ahead/core/math/gamma.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// I_Order(x) for x >= 0; with `scaled`, times e^-x.
template <int Order> constexpr double modified_bessel(double x, bool scaled) {
    if (x != x) return x;
    double term = 1, sum = 1;
    if (x <= 20) {
        for (double k = 1; term > sum * 1e-17; k += 1) sum += term *= x * x / (4 * k * (k + Order));
        if (Order == 1) sum *= x / 2;
        return scaled ? sum * math::exp(-x) : sum;
    }
    for (double k = 1; math::abs(term) > sum * 1e-17 && k < 20; k += 1)
        sum += term *= ((2 * k - 1) * (2 * k - 1) - 4 * Order) / (8 * k * x);
    const double root = math::sqrt(2 * pi * x);
    if (scaled) return sum / root;
    const double half = math::exp(x / 2); // e^x alone may overflow
    return half * (sum / root) * half;
}

} // namespace detail

/// NaN for infinities, as in PyTorch; the scaled function gives 0.
constexpr double i0(double x, bool scaled = false) {
    if (isinf(x)) return scaled ? 0 : std::numeric_limits<double>::quiet_NaN();
    return detail::modified_bessel<0>(abs(x), scaled);
}
constexpr double i1(double x, bool scaled = false) {
    if (isinf(x)) return scaled ? copysign(0.0, x) : std::numeric_limits<double>::quiet_NaN();
    const double size = detail::modified_bessel<1>(abs(x), scaled);
    return x < 0 ? -size : size;
}

} // namespace ahead::math
