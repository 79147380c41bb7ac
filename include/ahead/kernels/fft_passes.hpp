// SPDX-License-Identifier: MIT
// The passes of a discrete Fourier transform of n numbers, by exp(-i ..), after Stockham: each splits lines by one
// factor of n and leaves the result in order. Real and imaginary parts are stored in separate arrays; number k of
// `together` lines is stored contiguously from k * together on, so that a vector holds the same number of several
// lines, or several numbers that are multiplied by the same root.
// Invariant: in and out do not overlap; the factor of a pass is known at run time, so that keys share the code. Called
// by kernels/fft.hpp. Source: Swarztrauber, "Vectorizing the FFTs" (1982).
#pragma once
#include <ahead/device/fft.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <cstdint>
#include <utility>

namespace AHEAD_NAMESPACE::kernels::detail {

/// Real and imaginary parts.
template <class T> struct spectrum_lines { T *re, *im; };

/// cos(2 pi k / count) and -sin(2 pi k / count) for each k.
template <class T> struct unity_roots {
    const T *re, *im;
    std::int64_t count;
};

template <class V> struct complex_simd {
    V re, im;
    [[gnu::always_inline]] friend complex_simd operator+(complex_simd a, complex_simd b) {
        return {a.re + b.re, a.im + b.im};
    }
    [[gnu::always_inline]] friend complex_simd operator-(complex_simd a, complex_simd b) {
        return {a.re - b.re, a.im - b.im};
    }
    [[gnu::always_inline]] friend complex_simd operator*(V a, complex_simd b) { return {a * b.re, a * b.im}; }
    [[gnu::always_inline]] friend complex_simd operator*(complex_simd a, complex_simd b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    /// Times -i.
    [[gnu::always_inline]] complex_simd turned_back() const { return {im, V::zero() - re}; }
};

/// The transform of R numbers, in place. Factors other than 2 to 5 are summed with their roots (one_pass_by).
template <int R, class V> [[gnu::always_inline]] inline void butterfly(complex_simd<V>* x) {
    using T = typename V::element;
    if constexpr (R == 2) {
        const auto sum = x[0] + x[1];
        x[1] = x[0] - x[1];
        x[0] = sum;
    } else if constexpr (R == 3) {
        const auto sum = x[1] + x[2];
        const auto middle = x[0] - V::all(T(0.5)) * sum;
        const auto side = V::all(T(0.86602540378443864676)) * (x[1] - x[2]).turned_back(); // the root of 3 / 4
        x[0] = x[0] + sum;
        x[1] = middle + side;
        x[2] = middle - side;
    } else if constexpr (R == 4) {
        const auto even = x[0] + x[2], even_apart = x[0] - x[2], odd = x[1] + x[3];
        const auto odd_apart = (x[1] - x[3]).turned_back();
        x[0] = even + odd;
        x[1] = even_apart + odd_apart;
        x[2] = even - odd;
        x[3] = even_apart - odd_apart;
    } else {
        static_assert(R == 5);
        const auto c1 = V::all(T(0.30901699437494742410)), c2 = V::all(T(-0.80901699437494742410)); // cos(2 pi k / 5)
        const auto s1 = V::all(T(0.95105651629515357212)), s2 = V::all(T(0.58778525229247312917));  // sin(2 pi k / 5)
        const auto nearby = x[1] + x[4], near_apart = (x[1] - x[4]).turned_back();
        const auto distant = x[2] + x[3], far_apart = (x[2] - x[3]).turned_back();
        const auto one = x[0] + c1 * nearby + c2 * distant, two = x[0] + c2 * nearby + c1 * distant;
        const auto one_apart = s1 * near_apart + s2 * far_apart, two_apart = s2 * near_apart - s1 * far_apart;
        x[0] = x[0] + nearby + distant;
        x[1] = one + one_apart;
        x[2] = two + two_apart;
        x[3] = two - two_apart;
        x[4] = one - one_apart;
    }
}

/// One pass by factor R over lines of n numbers that are `apart` elements apart, a multiple of V's lanes.
template <int R, class V, class T>
inline void one_pass(spectrum_lines<T> in, spectrum_lines<T> out, std::int64_t n, std::int64_t apart,
                     unity_roots<T> roots) {
    constexpr std::int64_t lanes_of = sizeof(V) / sizeof(T);
    const auto part = n / R, step = roots.count / n;
    for (std::int64_t p = 0; p < part; ++p) {
        complex_simd<V> root[R];
        unroll<R>([&](auto k) __attribute__((always_inline)) {
            root[k] = {V::all(roots.re[p * k * step]), V::all(roots.im[p * k * step])};
        });
        for (std::int64_t q = 0; q < apart; q += lanes_of) {
            complex_simd<V> x[R];
            unroll<R>([&](auto k) __attribute__((always_inline)) {
                const auto from = (p + part * k) * apart + q;
                x[k] = {V::load(in.re + from), V::load(in.im + from)};
            });
            butterfly<R>(x);
            unroll<R>([&](auto k) __attribute__((always_inline)) {
                const auto to = (R * p + k) * apart + q;
                if constexpr (k > 0) x[k] = x[k] * root[k];
                x[k].re.store(out.re + to);
                x[k].im.store(out.im + to);
            });
        }
    }
}
/// The same for any factor; the number of multiplications per number is the factor.
template <class V, class T>
inline void one_pass_by(std::int64_t factor, spectrum_lines<T> in, spectrum_lines<T> out, std::int64_t n,
                        std::int64_t apart, unity_roots<T> roots) {
    constexpr std::int64_t lanes_of = sizeof(V) / sizeof(T);
    const auto part = n / factor, step = roots.count / n;
    for (std::int64_t p = 0; p < part; ++p)
        for (std::int64_t k = 0; k < factor; ++k)
            for (std::int64_t q = 0; q < apart; q += lanes_of) {
                complex_simd<V> sum{V::zero(), V::zero()};
                auto turn = p * k % n; // of (p + part * j) * k, in n-th parts of a circle
                for (std::int64_t j = 0; j < factor; ++j) {
                    const auto from = (p + part * j) * apart + q;
                    const complex_simd<V> root{V::all(roots.re[turn * step]), V::all(roots.im[turn * step])};
                    sum = sum + root * complex_simd<V>{V::load(in.re + from), V::load(in.im + from)};
                    turn = (turn + part * k) % n;
                }
                const auto to = (factor * p + k) * apart + q;
                sum.re.store(out.re + to);
                sum.im.store(out.im + to);
            }
}

/// Elements that are `apart` from each other.
template <class V, class T>
[[gnu::always_inline]] inline V gathered(const T* from, std::int64_t first, std::int64_t apart) {
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
        return V{typename V::packet{from[first + Nth * apart]...}};
    }(std::make_integer_sequence<int, static_cast<int>(sizeof(V) / sizeof(T))>{});
}

/// The first pass by 4 over one line: vectors hold adjacent numbers, each with its own root. pre: n is a multiple of
/// four times V's lanes.
template <class V, class T>
inline void first_pass(spectrum_lines<T> in, spectrum_lines<T> out, std::int64_t n, unity_roots<T> roots) {
    constexpr std::int64_t lanes_of = sizeof(V) / sizeof(T);
    const auto part = n / 4, step = roots.count / n;
    const auto interleave = [](T * to, V a, V b, V c, V d) __attribute__((always_inline)) {
        const auto put = [&](auto half) __attribute__((always_inline)) {
            const V even = V::template side_by_side<half>(a, c), odd = V::template side_by_side<half>(b, d);
            V::template side_by_side<0>(even, odd).store(to + 2 * half * lanes_of);
            V::template side_by_side<1>(even, odd).store(to + (2 * half + 1) * lanes_of);
        };
        put(std::integral_constant<int, 0>{});
        put(std::integral_constant<int, 1>{});
    };
    for (std::int64_t p = 0; p < part; p += lanes_of) {
        complex_simd<V> x[4];
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            x[k] = {V::load(in.re + p + part * k), V::load(in.im + p + part * k)};
        });
        butterfly<4>(x);
        unroll<3>([&](auto before) __attribute__((always_inline)) {
            constexpr int k = before + 1;
            x[k] = x[k] * complex_simd<V>{gathered<V>(roots.re, p * k * step, k * step),
                                           gathered<V>(roots.im, p * k * step, k * step)};
        });
        interleave(out.re + 4 * p, x[0].re, x[1].re, x[2].re, x[3].re);
        interleave(out.im + 4 * p, x[0].im, x[1].im, x[2].im, x[3].im);
    }
}

template <class V, class T>
inline void pass_of(std::int64_t factor, spectrum_lines<T> in, spectrum_lines<T> out, std::int64_t n,
                    std::int64_t apart, unity_roots<T> roots) {
    switch (factor) {
    case 2: return one_pass<2, V>(in, out, n, apart, roots);
    case 3: return one_pass<3, V>(in, out, n, apart, roots);
    case 4: return one_pass<4, V>(in, out, n, apart, roots);
    case 5: return one_pass<5, V>(in, out, n, apart, roots);
    default: return one_pass_by<V>(factor, in, out, n, apart, roots);
    }
}

/// Transforms the n numbers of `together` lines; the result is in x or in other, whichever is returned. pre:
/// roots.count is a multiple of n.
template <class T>
[[gnu::noinline]] inline spectrum_lines<T> transform_lines(spectrum_lines<T> x, spectrum_lines<T> other, std::int64_t n,
                                                           std::int64_t together, unity_roots<T> roots) {
    for (auto apart = together; n > 1;) {
        const auto factor = device::radix_of(n);
        constexpr int most = widest<T>, some = lanes_within<T>(4);
        if (apart == 1 && factor == 4 && n % (4 * most) == 0) first_pass<simd<T, most>>(x, other, n, roots);
        else if (apart % most == 0) pass_of<simd<T, most>>(factor, x, other, n, apart, roots);
        else if (some < most && apart % some == 0) pass_of<simd<T, some>>(factor, x, other, n, apart, roots);
        else pass_of<simd<T, 1>>(factor, x, other, n, apart, roots);
        n /= factor;
        apart *= factor;
        std::swap(x, other);
    }
    return x;
}

} // namespace ahead::kernels::detail
