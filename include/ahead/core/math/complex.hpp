// SPDX-License-Identifier: MIT
// The elements of c64 and c128 tensors: two floats or doubles, the real part first, as in std::complex and C. The
// library defines this type because <complex> includes the stream headers.
// Invariant: products are computed as c10::complex computes them, without C's recovery of infinities.
#pragma once
#include <ahead/core/build.hpp>
#include <concepts>
#include <type_traits>

namespace AHEAD_NAMESPACE::core {

/// Converts to and from any type that consists of two numbers, read as real() and imag(), such as std::complex<T>.
template <class T> struct complex_number {
    using value_type = T;
    T re = 0, im = 0;

    constexpr complex_number() = default;
    template <class Real>
        requires(std::is_arithmetic_v<Real>)
    constexpr complex_number(Real real) : re(static_cast<T>(real)) {}
    constexpr complex_number(T real, T imag) : re(real), im(imag) {}
    template <class U>
        requires(!std::same_as<U, T>)
    constexpr explicit complex_number(const complex_number<U>& x)
        : re(static_cast<T>(x.re)), im(static_cast<T>(x.im)) {}
    template <class Other>
        requires std::same_as<typename Other::value_type, T> && requires(const Other& x) { x.real(), x.imag(); }
    constexpr complex_number(const Other& x) : re(x.real()), im(x.imag()) {}
    template <class Other>
        requires std::same_as<typename Other::value_type, T> && std::constructible_from<Other, T, T>
    constexpr operator Other() const {
        return Other(re, im);
    }

    friend constexpr bool operator==(const complex_number&, const complex_number&) = default;
    friend constexpr complex_number operator+(complex_number x, complex_number y) { return {x.re + y.re, x.im + y.im}; }
    friend constexpr complex_number operator-(complex_number x, complex_number y) { return {x.re - y.re, x.im - y.im}; }
    friend constexpr complex_number operator*(complex_number x, complex_number y) {
        return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
    }
    /// Does not overflow if the quotient does not. Source: c10/util/complex.h.
    friend constexpr complex_number operator/(complex_number x, complex_number y) {
        const T wide = y.re < 0 ? -y.re : y.re, high = y.im < 0 ? -y.im : y.im;
        if (wide == 0 && high == 0) return {x.re / wide, x.im / high};
        if (wide >= high) {
            const T ratio = y.im / y.re, scale = 1 / (y.re + y.im * ratio);
            return {(x.re + x.im * ratio) * scale, (x.im - x.re * ratio) * scale};
        }
        const T ratio = y.re / y.im, scale = 1 / (y.re * ratio + y.im);
        return {(x.re * ratio + x.im) * scale, (x.im * ratio - x.re) * scale};
    }
    constexpr complex_number operator-() const { return {-re, -im}; }
};
using complex64 = complex_number<float>;   // torch.complex64
using complex128 = complex_number<double>; // torch.complex128

template <class T> inline constexpr bool is_complex_number = false;
template <class T> inline constexpr bool is_complex_number<complex_number<T>> = true;

constexpr complex128 conjugate(complex128 x) { return {x.re, -x.im}; }

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::complex128, core::complex64;
} // namespace ahead
