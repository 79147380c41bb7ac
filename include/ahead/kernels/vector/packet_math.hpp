// SPDX-License-Identifier: MIT
// Pointwise mathematics on contiguous buffers of N elements, N a constant: short ones completely in registers, long
// ones in vector loops.
// Invariant: every element is computed by the same vector formula, wherever it is in the buffer, so a tail has the same
// bits as the body; nothing after N is read or written; x and y may be the same buffer. NaN in, NaN out, in all
// functions (relu(NaN) = NaN), as in PyTorch.
//
// Accuracy of f32 against the exact value on [-100, 100], the worst that tests/unit/kernels/pointwise.cpp measures with
// three compilers, from SSE2 to AVX-512:
//
//   relu, add, sub, mul, div, sqrt    rounded as the C++ operator
//   exp       1.1 units of the last place; inf above 88.7228, 0 below -87.3365 (PyTorch: subnormal there)
//   tanh      5.1 units of the last place (a rational approximation, clamped to +-1)
//   sigmoid   2.8 units of the last place; 0 below -88.7228
//   erf       5 units of the last place (a rational approximation; +-1 from 3.92 on)
//
// and of elementary.hpp, trigonometry.hpp and powers.hpp over every 17th of all floats, as measured by the test
// unit.kernels.vector.elementary:
//
//   log       0.8 units of the last place (0.83 without fma); log2 1.4, log10 1.9, log1p 1.5, exp2 1.3; expm1 5.4 where
//             it is largest
//   silu      3.1, mish 4.5, softplus 2.3 above -80
//   sin, cos  1.6, tan 3.7 (from 2^18 on they are the C++ library's); asin 2.5, acos 1.3, atan 2.9, atan2 2.9
//   sinh      1.7, cosh 1.5, pow 0.51 (computed in f64)
//
// Results are within 1e-5 + 1e-4 |b| of PyTorch everywhere. f64: Cephes' exp, 0 below -709.784, and the C++
// library's functions. All formulas are written here, so bits do not depend on Eigen's release; of Eigen, only
// functions with forced inlining are called, because its functions have the same names in builds for different
// machines.
#pragma once
#include <ahead/kernels/vector/simd.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in simd.hpp
#endif

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

// Eigen's psqrt is approximate unless EIGEN_FAST_MATH is 0, and gives NaN for infinity; these round like std::sqrt.
template <class Packet> [[gnu::always_inline]] inline Packet square_root(const Packet& x) {
    return Eigen::internal::psqrt(x);
}
[[gnu::always_inline]] inline float square_root(float x) { return std::sqrt(x); }
[[gnu::always_inline]] inline double square_root(double x) { return std::sqrt(x); }
#ifdef EIGEN_VECTORIZE_SSE2
[[gnu::always_inline]] inline Eigen::internal::Packet4f square_root(Eigen::internal::Packet4f x) {
    return _mm_sqrt_ps(x);
}
[[gnu::always_inline]] inline Eigen::internal::Packet2d square_root(Eigen::internal::Packet2d x) {
    return _mm_sqrt_pd(x);
}
#endif
#ifdef EIGEN_VECTORIZE_AVX
[[gnu::always_inline]] inline Eigen::internal::Packet8f square_root(Eigen::internal::Packet8f x) {
    return _mm256_sqrt_ps(x);
}
[[gnu::always_inline]] inline Eigen::internal::Packet4d square_root(Eigen::internal::Packet4d x) {
    return _mm256_sqrt_pd(x);
}
#endif
#ifdef EIGEN_VECTORIZE_AVX512
[[gnu::always_inline]] inline Eigen::internal::Packet16f square_root(Eigen::internal::Packet16f x) {
    return _mm512_sqrt_ps(x);
}
[[gnu::always_inline]] inline Eigen::internal::Packet8d square_root(Eigen::internal::Packet8d x) {
    return _mm512_sqrt_pd(x);
}
#endif

/// By the vector operator, not Eigen's function: g++ 12 converts a comparison to a register for that and back to a
/// mask, which makes a logarithm three times as slow.
template <class Packet> [[gnu::always_inline]] inline Packet select(auto condition, Packet yes, Packet no) {
    return condition ? yes : no;
}
template <class T, int L>
[[gnu::always_inline]] inline simd<T, L> select(auto condition, simd<T, L> yes, simd<T, L> no) {
    return {condition ? yes.value : no.value};
}

/// 2^power, a whole number from -126 to 127, built from its bits.
template <class Packet> [[gnu::always_inline]] inline Packet power_of_two(const Packet& power) {
    using namespace Eigen::internal;
    using whole = typename unpacket_traits<Packet>::integer_packet;
    return preinterpret<Packet>(plogical_shift_left<23>(pcast<Packet, whole>(padd(power, pset1<Packet>(127.f)))));
}

/// For exp_parts: the range of x already bounds the power.
inline constexpr int any_power = std::numeric_limits<int>::max();
/// x = power log(2) + r, and e^r = 1 + r + r2 rest: Cephes' expf, like Eigen's generic pexp, but one formula for every
/// width: Eigen's version for AVX-512 overflows from 88.38 on. The power is at most Most: 2^128 would be infinite.
template <class Packet, int Most = 127> struct exp_parts {
    Packet power, r, r2, rest;
    [[gnu::always_inline]] explicit exp_parts(const Packet& x) {
        using namespace Eigen::internal;
        const auto all = [](float c) __attribute__((always_inline)) { return pset1<Packet>(c); };
        power = pfloor(pmadd(x, all(1.44269504088896341f), all(0.5f)));
        if constexpr (Most != any_power) power = pmin(power, all(Most));
        r = pmadd(power, all(2.12194440e-4f), pmadd(power, all(-0.693359375f), x));
        r2 = pmul(r, r);
        const Packet front = pmadd(pmadd(all(1.9875691500E-4f), r, all(1.3981999507E-3f)), r, all(8.3334519073E-3f));
        const Packet back = pmadd(pmadd(all(4.1665795894E-2f), r, all(1.6666665459E-1f)), r, all(5.0000001201E-1f));
        rest = pmadd(front, pmul(r2, r), back);
    }
};

/// f of each element: for functions that have no vector form in Eigen, in f64.
template <class T, int L, class F> [[gnu::always_inline]] inline simd<T, L> one_by_one(simd<T, L> x, F f) {
    alignas(64) T each[L];
    x.store(each);
    for (T& value : each) value = f(value);
    return simd<T, L>::load(each);
}

template <class T, int L, class F>
[[gnu::always_inline]] inline simd<T, L> two_by_two(simd<T, L> x, simd<T, L> y, F f) {
    alignas(64) T each[L], other[L];
    x.store(each), y.store(other);
    for (int i = 0; i < L; ++i) each[i] = f(each[i], other[i]);
    return simd<T, L>::load(each);
}

template <class T> inline constexpr int narrowest_vector = has_lanes<T, 4> ? 4 : has_lanes<T, 2> ? 2 : 1;

/// Lanes of the next vector if `left` elements remain: all of them if Masked and the machine can load and store parts
/// of vectors.
template <class T, bool Masked> constexpr int first_lanes(std::int64_t left) {
    if constexpr (Masked && maskable<T, typename Eigen::internal::packet_traits<T>::type>) return lanes_around<T>(left);
    else return std::max(lanes_within<T>(left), narrowest_vector<T>);
}

template <class T, bool Masked, std::int64_t Begin, std::int64_t End, class F>
[[gnu::always_inline]] inline void one_after_another(const F& f) {
    if constexpr (Begin < End) {
        constexpr int L = first_lanes<T, Masked>(End - Begin);
        constexpr int count = static_cast<int>(std::min<std::int64_t>(End - Begin, L));
        f.template operator()<L, 1, count>(Begin);
        one_after_another<T, Masked, Begin + count, End>(f);
    }
}

} // namespace detail

/// Calls f<L, Vectors, Count>(at) for N elements: Together widest vectors at a time in a loop, then the remaining ones
/// (all, if there are at most Few) one after another, then narrower and narrower ones; of the last of which Count
/// elements are used.
template <class T, std::int64_t N, int Together, int Few, bool Masked, class F>
[[gnu::always_inline]] inline void in_vectors(const F& f) {
    constexpr std::int64_t L = widest<T>, together = L * Together, whole = N / L <= Few ? 0 : N / together * together;
    for (std::int64_t at = 0; at < whole; at += together) f.template operator()<L, Together, L>(at);
    detail::one_after_another<T, Masked, whole, N>(f);
}

/// y[i] = f(x[i]...), f from lanes to lanes of any width. Partial vectors are filled up with 1.
template <std::int64_t N, class T, class F, class... From>
[[gnu::always_inline]] inline void map(F f, T* y, const From*... x) {
    in_vectors<T, N, 4, 8, true>([&]<int L, int Vectors, int Count>(std::int64_t at) __attribute__((always_inline)) {
        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
            f(simd<T, L>::template load_first<Count>(x + at + v * L, T(1))...)
                .template store_first<Count>(y + at + v * L);
        });
    });
}

template <class T, int L> [[gnu::always_inline]] inline simd<T, L> relu(simd<T, L> x) {
    return {Eigen::internal::pmax(
        x.value, Eigen::internal::pset1<typename simd<T, L>::packet>(T(0)))}; // Eigen's pmax keeps a NaN on its left
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> sqrt(simd<T, L> x) {
    return {detail::square_root(x.value)};
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> exp(simd<T, L> x) {
    using namespace Eigen::internal;
    using packet = typename simd<T, L>::packet;
    const auto all = [](T c) __attribute__((always_inline)) { return pset1<packet>(c); };
    if constexpr (std::is_same_v<T, float>) {
        const packet low = all(-87.336544f), high = all(88.722839f);
        const auto by = detail::exp_parts<packet>(pmax(pmin(x.value, high), low));
        const packet y = pmadd(by.rest, by.r2, padd(by.r, all(1.f)));
        const packet scaled = pmul(y, detail::power_of_two(by.power));
        const packet infinity = all(std::numeric_limits<float>::infinity());
        return {detail::select(x.value < low, all(0), detail::select(high < x.value, infinity, scaled))};
    } else {
        // Cephes' exp: 1 + 2 r p(r^2) / (q(r^2) - r p(r^2)) times a power of two; the last maximum passes infinity and
        // NaN through.
        const packet bounded = pmax(pmin(x.value, all(709.784)), all(-709.784));
        const packet power = pfloor(pmadd(all(1.4426950408889634073599), bounded, all(0.5)));
        const packet r = psub(psub(bounded, pmul(power, all(0.693145751953125))),
                              pmul(power, all(1.42860682030941723212e-6))),
                     r2 = pmul(r, r);
        const packet p = pmul(pmadd(pmadd(all(1.26177193074810590878e-4), r2, all(3.02994407707441961300e-2)), r2,
                                    all(9.99999999999999999910e-1)),
                              r);
        const packet q = pmadd(pmadd(pmadd(all(3.00198505138664455042e-6), r2, all(2.52448340349684104192e-3)), r2,
                                     all(2.27265548208155028766e-1)),
                               r2, all(2.));
        const packet y = pmax(pldexp(pmadd(all(2.), pdiv(p, psub(q, p)), all(1.)), power), x.value);
        return {detail::select(x.value < all(-709.784), all(0), y)};
    }
}
/// exp(x) with the same bits for x <= 0, NaN for NaN: the upper bounds are not checked.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> exp_up_to_zero(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        using packet = typename simd<T, L>::packet;
        const auto all = [](T c) __attribute__((always_inline)) { return pset1<packet>(c); };
        const packet low = all(-87.336544f);
        const auto by = detail::exp_parts<packet, detail::any_power>(pmax(x.value, low));
        const packet y = pmadd(by.rest, by.r2, padd(by.r, all(1.f)));
        return {detail::select(x.value < low, all(0), pmul(y, detail::power_of_two(by.power)))};
    } else {
        return exp(x);
    }
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> tanh(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        // x * front(x^2) / back(x^2): coefficients fitted for the least relative error on [0, 9.02], 2.1e-8. All are
        // positive: nothing cancels.
        using namespace Eigen::internal;
        using packet = typename simd<T, L>::packet;
        const auto all = [](float c) __attribute__((always_inline)) { return pset1<packet>(c); };
        const packet bounded = pmax(pmin(x.value, all(9.02f)), all(-9.02f)), square = pmul(bounded, bounded);
        packet front = pmadd(all(1.331780979e-08f), square, all(2.058257232e-05f)),
               back = pmadd(all(7.761502158e-07f), square, all(3.283003184e-04f));
        front = pmadd(front, square, all(3.493980258e-03f)), back = pmadd(back, square, all(2.587086842e-02f));
        front = pmadd(front, square, all(1.337967287e-01f)), back = pmadd(back, square, all(4.671298818e-01f));
        front = pmadd(front, square, all(9.999999792e-01f)), back = pmadd(back, square, all(1.f));
        return {pmax(pmin(pdiv(pmul(bounded, front), back), all(1.f)), all(-1.f))};
    } else {
        return detail::one_by_one(x, [](T value) { return std::tanh(value); });
    }
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> erf(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        // x * front(x^2) / back(x^2): coefficients fitted for the least relative error on [0, 3.92], 1.9e-8. All are
        // positive: nothing cancels.
        using namespace Eigen::internal;
        using packet = typename simd<T, L>::packet;
        const auto all = [](float c) __attribute__((always_inline)) { return pset1<packet>(c); };
        const packet limit = all(3.92f), square = pmin(pmul(x.value, x.value), all(15.3664f));
        packet front = pmadd(all(2.049991749e-06f), square, all(2.84871235e-04f)),
               back = pmadd(all(3.809010969e-05f), square, all(1.162488674e-03f));
        front = pmadd(front, square, all(3.765493388e-03f)), back = pmadd(back, square, all(1.496898511e-02f));
        front = pmadd(front, square, all(5.274833798e-02f)), back = pmadd(back, square, all(1.141082841e-01f));
        front = pmadd(front, square, all(1.904048416e-01f)), back = pmadd(back, square, all(5.020746402e-01f));
        front = pmadd(front, square, all(1.128379146f)), back = pmadd(back, square, all(1.f));
        const packet inside = pdiv(pmul(x.value, front), back);
        return {detail::select(limit <= x.value, all(1.f), detail::select(x.value <= all(-3.92f), all(-1.f), inside))};
    } else {
        return detail::one_by_one(x, [](T value) { return std::erf(value); });
    }
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> sigmoid(simd<T, L> x) {
    const auto one = simd<T, L>::all(T(1));
    return one / (one + exp(simd<T, L>{Eigen::internal::pnegate(x.value)}));
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
