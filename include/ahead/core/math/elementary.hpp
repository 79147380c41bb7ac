// SPDX-License-Identifier: MIT
// Elementary functions: series in constant expressions, because the functions in std are not constexpr; the C library
// at run time.
// Invariant: both agree to 4 ulp of double over the ranges tested by tests/unit/core/math.cpp; float goes through
// double in constant expressions. The rules for NaN and overflow hold at run time only. Called by `meaning` functions.
#pragma once
#include <ahead/core/math/c_library.hpp>
#include <ahead/core/math/convert.hpp>
#include <ahead/core/math/series/error_function.hpp>
#include <ahead/core/math/series/exponential.hpp>
#include <ahead/core/math/series/rounding.hpp>
#include <ahead/core/math/series/trigonometry.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// The series, or the C library's function: in float for float, in double for every other type.
template <double (*Series)(double), float (*InFloat)(float), double (*InDouble)(double), class T>
constexpr T either(T x) {
    if (std::is_constant_evaluated()) return convert<T>(Series(static_cast<double>(x)));
    if constexpr (std::same_as<T, float>) return InFloat(x);
    else return convert<T>(InDouble(static_cast<double>(x)));
}
template <double (*Series)(double, double), float (*InFloat)(float, float), double (*InDouble)(double, double), class T>
constexpr T either(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(Series(static_cast<double>(x), static_cast<double>(y)));
    if constexpr (std::same_as<T, float>) return InFloat(x, y);
    else return convert<T>(InDouble(static_cast<double>(x), static_cast<double>(y)));
}

} // namespace detail

template <class T> constexpr T exp(T x) { return detail::either<detail::exp, c_library::exp, c_library::exp>(x); }
template <class T> constexpr T exp2(T x) { return detail::either<detail::exp2, c_library::exp2, c_library::exp2>(x); }
template <class T> constexpr T expm1(T x) {
    return detail::either<detail::expm1, c_library::expm1, c_library::expm1>(x);
}
template <class T> constexpr T log(T x) { return detail::either<detail::log, c_library::log, c_library::log>(x); }
template <class T> constexpr T log2(T x) { return detail::either<detail::log2, c_library::log2, c_library::log2>(x); }
template <class T> constexpr T log10(T x) {
    return detail::either<detail::log10, c_library::log10, c_library::log10>(x);
}
template <class T> constexpr T log1p(T x) {
    return detail::either<detail::log1p, c_library::log1p, c_library::log1p>(x);
}
template <class T> constexpr T sqrt(T x) { return detail::either<detail::sqrt, c_library::sqrt, c_library::sqrt>(x); }
template <class T> constexpr T floor(T x) {
    return detail::either<detail::floor, c_library::floor, c_library::floor>(x);
}
template <class T> constexpr T ceil(T x) { return detail::either<detail::ceil, c_library::ceil, c_library::ceil>(x); }
template <class T> constexpr T trunc(T x) {
    return detail::either<detail::trunc, c_library::trunc, c_library::trunc>(x);
}
template <class T> constexpr T nearbyint(T x) {
    return detail::either<detail::nearbyint, c_library::nearbyint, c_library::nearbyint>(x);
}
template <class T> constexpr T sin(T x) { return detail::either<detail::sin, c_library::sin, c_library::sin>(x); }
template <class T> constexpr T cos(T x) { return detail::either<detail::cos, c_library::cos, c_library::cos>(x); }
template <class T> constexpr T tan(T x) { return detail::either<detail::tan, c_library::tan, c_library::tan>(x); }
template <class T> constexpr T asin(T x) { return detail::either<detail::asin, c_library::asin, c_library::asin>(x); }
template <class T> constexpr T acos(T x) { return detail::either<detail::acos, c_library::acos, c_library::acos>(x); }
template <class T> constexpr T atan(T x) { return detail::either<detail::atan, c_library::atan, c_library::atan>(x); }
template <class T> constexpr T sinh(T x) { return detail::either<detail::sinh, c_library::sinh, c_library::sinh>(x); }
template <class T> constexpr T cosh(T x) { return detail::either<detail::cosh, c_library::cosh, c_library::cosh>(x); }
template <class T> constexpr T tanh(T x) { return detail::either<detail::tanh, c_library::tanh, c_library::tanh>(x); }
template <class T> constexpr T asinh(T x) {
    return detail::either<detail::asinh, c_library::asinh, c_library::asinh>(x);
}
template <class T> constexpr T acosh(T x) {
    return detail::either<detail::acosh, c_library::acosh, c_library::acosh>(x);
}
template <class T> constexpr T atanh(T x) {
    return detail::either<detail::atanh, c_library::atanh, c_library::atanh>(x);
}
template <class T> constexpr T erf(T x) { return detail::either<detail::erf, c_library::erf, c_library::erf>(x); }
template <class T> constexpr T erfc(T x) { return detail::either<detail::erfc, c_library::erfc, c_library::erfc>(x); }
template <class T> constexpr T pow(T x, T y) {
    return detail::either<detail::pow, c_library::pow, c_library::pow>(x, y);
}
template <class T> constexpr T atan2(T x, T y) {
    return detail::either<detail::atan2, c_library::atan2, c_library::atan2>(x, y);
}
template <class T> constexpr T fmod(T x, T y) {
    return detail::either<detail::fmod, c_library::fmod, c_library::fmod>(x, y);
}
template <class T> constexpr T hypot(T x, T y) {
    return detail::either<detail::hypot, c_library::hypot, c_library::hypot>(x, y);
}

} // namespace ahead::math
