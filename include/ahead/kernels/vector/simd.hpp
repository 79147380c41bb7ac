// SPDX-License-Identifier: MIT
// Vectors of N elements of T, and compile-time unrolling: the basis of all other kernels. A register of floats is
// Eigen's packet; for other types, or if the machine has no such register, a vector type of the compiler.
// Invariant: simd<T, widest<T>> is the widest register of floats of this build; loads and stores need no alignment.
// `fma` contracts only if the machine has the instruction (Eigen's pmadd).
#pragma once
#include <ahead/kernels/vector/packets.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes" // a packet as template argument
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <class Packet, int N> constexpr auto narrowed() {
    using traits = Eigen::internal::unpacket_traits<Packet>;
    if constexpr (traits::size == N) return std::type_identity<Packet>{};
    else if constexpr (traits::size < N || std::is_same_v<typename traits::half, Packet>)
        return std::type_identity<void>{};
    else return narrowed<typename traits::half, N>();
}

template <class T, int N>
using register_of = typename decltype(narrowed<typename Eigen::internal::packet_traits<T>::type, N>())::type;

} // namespace detail

/// Elements of S that fill a register of the machine, at most 8.
template <class S> inline constexpr int register_lanes = std::min<int>(8, __BIGGEST_ALIGNMENT__ / sizeof(S));

template <class T>
inline constexpr int widest = std::is_floating_point_v<T> ? Eigen::internal::packet_traits<T>::size : register_lanes<T>;

/// Whether N elements are one register, or one element.
template <class T, int N>
inline constexpr bool has_lanes = N == 1 || (std::is_floating_point_v<T> && !std::is_void_v<detail::register_of<T, N>>);

namespace detail {

template <class T, int N, bool = has_lanes<T, N>> struct packet_of {
    using type = register_of<T, N>;
};
template <class T> struct packet_of<T, 1, true> {
    using type = T;
};
template <class T, int N> struct packet_of<T, N, false> {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};
/// A vector type of the compiler, whatever registers there are.
template <class T, int N> using vector_of = typename packet_of<T, N, false>::type;
template <int N> using words = vector_of<std::uint32_t, N>; // the bits of floats

/// Elements Nth... of the concatenation of two compiler vectors.
template <int... Nth, class V> [[gnu::always_inline]] inline auto picked(V one, V other) {
    return __builtin_shufflevector(one, other, Nth...);
}

} // namespace detail

/// The most lanes that do not exceed `count`.
template <class T> constexpr int lanes_within(std::int64_t count) {
    int lanes = widest<T>;
    while (lanes > 1 && lanes > count) lanes /= 2;
    if (!std::is_floating_point_v<T>) return lanes;
    if (lanes == 8 && !has_lanes<T, 8>) lanes = 4;
    if (lanes == 4 && !has_lanes<T, 4>) lanes = 2;
    if (lanes == 2 && !has_lanes<T, 2>) lanes = 1;
    return lanes;
}

/// The fewest lanes that hold `count` elements.
template <class T> constexpr int lanes_around(std::int64_t count) {
    int lanes = widest<T>;
    while (lanes > 1 && lanes / 2 >= count && lanes_within<T>(lanes / 2) == lanes / 2) lanes /= 2;
    return lanes;
}

/// The number of registers of the machine for simd<T, widest<T>>: 32 with AVX-512, else 16.
#ifdef EIGEN_VECTORIZE_AVX512
inline constexpr int vector_registers = 32;
#else
inline constexpr int vector_registers = 16;
#endif

namespace detail {

/// The elements with a bit in `mask`, from memory; the others from `rest`. Only if the machine has masked loads.
template <class T, class Packet> Packet load_masked(const T* from, unsigned mask, Packet rest) = delete;
#ifdef __AVX512VL__
using Eigen::internal::Packet16f, Eigen::internal::Packet8f, Eigen::internal::Packet4f;
using Eigen::internal::Packet8d, Eigen::internal::Packet4d, Eigen::internal::Packet2d;
[[gnu::always_inline]] inline Packet16f load_masked(const float* from, unsigned mask, Packet16f rest) {
    return _mm512_mask_loadu_ps(rest, static_cast<__mmask16>(mask), from);
}
[[gnu::always_inline]] inline Packet8f load_masked(const float* from, unsigned mask, Packet8f rest) {
    return _mm256_mask_loadu_ps(rest, static_cast<__mmask8>(mask), from);
}
[[gnu::always_inline]] inline Packet4f load_masked(const float* from, unsigned mask, Packet4f rest) {
    return _mm_mask_loadu_ps(rest, static_cast<__mmask8>(mask), from);
}
[[gnu::always_inline]] inline Packet8d load_masked(const double* from, unsigned mask, Packet8d rest) {
    return _mm512_mask_loadu_pd(rest, static_cast<__mmask8>(mask), from);
}
[[gnu::always_inline]] inline Packet4d load_masked(const double* from, unsigned mask, Packet4d rest) {
    return _mm256_mask_loadu_pd(rest, static_cast<__mmask8>(mask), from);
}
[[gnu::always_inline]] inline Packet2d load_masked(const double* from, unsigned mask, Packet2d rest) {
    return _mm_mask_loadu_pd(rest, static_cast<__mmask8>(mask), from);
}
#endif

/// The larger of each two elements; NaN if either is NaN.
template <class Packet> [[gnu::always_inline]] inline Packet larger_or_nan(const Packet& a, const Packet& b) {
    return Eigen::internal::pmax<Eigen::PropagateNaN>(a, b);
}
#ifdef EIGEN_VECTORIZE_AVX512
// Eigen's version has twice as many instructions. The machine's maximum returns its second operand if either is NaN;
// only a NaN in the first remains to be handled.
[[gnu::always_inline]] inline Eigen::internal::Packet16f larger_or_nan(const Eigen::internal::Packet16f& a,
                                                                       const Eigen::internal::Packet16f& b) {
    return _mm512_mask_mov_ps(_mm512_max_ps(b, a), _mm512_cmp_ps_mask(b, b, _CMP_UNORD_Q), b);
}
[[gnu::always_inline]] inline Eigen::internal::Packet8d larger_or_nan(const Eigen::internal::Packet8d& a,
                                                                      const Eigen::internal::Packet8d& b) {
    return _mm512_mask_mov_pd(_mm512_max_pd(b, a), _mm512_cmp_pd_mask(b, b, _CMP_UNORD_Q), b);
}
#endif

template <class T, class Packet>
concept maskable = requires(const T* from, Packet x) { load_masked(from, 1u, x); };

/// One function instead of two, each of which g++ would copy with everything that it calls.
template <class Indices> struct unrolled;
template <int... Nth> struct unrolled<std::integer_sequence<int, Nth...>> {
    template <class F> [[gnu::always_inline]] constexpr void operator()(F&& f) const {
        (f(std::integral_constant<int, Nth>{}), ...);
    }
};

} // namespace detail

/// unroll<N>(f): f(0), f(1), ..., f(N-1), each index a compile-time constant: values stay in registers at -O2. An f
/// that takes `int` is compiled once, at a fraction of the compile time of one that takes `auto`, which is needed only
/// for an index used as a template argument.
template <int N> inline constexpr detail::unrolled<std::make_integer_sequence<int, N>> unroll;

template <class T, int N> struct simd {
    using element = T;
    using packet = typename detail::packet_of<T, N>::type;
    typedef packet in_memory __attribute__((aligned(alignof(T)), may_alias));
    packet value;

    [[gnu::always_inline]] static simd load(const T* from) { return {*reinterpret_cast<const in_memory*>(from)}; }
    [[gnu::always_inline]] static simd all(T x) {
        if constexpr (has_lanes<T, N>) return {Eigen::internal::pset1<packet>(x)};
        else return {x - packet{}};
    }
    [[gnu::always_inline]] static simd zero() { return all(T(0)); }
    [[gnu::always_inline]] void store(T* to) const { *reinterpret_cast<in_memory*>(to) = value; }

    /// Elements that are Stride apart; reads nothing after the last one, nor between them unless Stride is 1 or 2.
    template <std::int64_t Stride> [[gnu::always_inline]] static simd load_apart(const T* from) {
        if constexpr (Stride == 1) return load(from);
        else if constexpr (Stride == 2 && N > 1) { // second half loaded one element earlier, to end at the last one
            const packet low = load(from).value, high = load(from + N - 1).value;
            return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
                return simd{static_cast<packet>(detail::picked<(Nth < N / 2 ? 2 * Nth : 2 * Nth + 1)...>(low, high))};
            }(std::make_integer_sequence<int, N>{});
        } else {
            return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
                return simd{packet{from[Nth * Stride]...}};
            }(std::make_integer_sequence<int, N>{});
        }
    }
    /// Loads the first Count elements, the rest is `fill`; reads nothing after them.
    template <int Count> [[gnu::always_inline]] static simd load_first(const T* from, T fill = T(0)) {
        if constexpr (Count == N) return load(from);
        else if constexpr (detail::maskable<T, packet>)
            return {detail::load_masked(from, (1u << Count) - 1, all(fill).value)};
        else {
            alignas(64) T all_of[N];
            for (int i = Count; i < N; ++i) all_of[i] = fill;
            std::memcpy(all_of, from, sizeof(T) * static_cast<std::size_t>(Count));
            return load(all_of);
        }
    }
    template <int Count> [[gnu::always_inline]] void store_first(T* to) const {
        if constexpr (Count == N) store(to);
        else { // not by a masked store: loads of the data after it would have to wait
            alignas(64) T all_of[N];
            store(all_of);
            std::memcpy(to, all_of, sizeof(T) * static_cast<std::size_t>(Count));
        }
    }

    [[gnu::always_inline]] friend simd operator+(simd a, simd b) { return {a.value + b.value}; }
    [[gnu::always_inline]] friend simd operator-(simd a, simd b) { return {a.value - b.value}; }
    [[gnu::always_inline]] friend simd operator*(simd a, simd b) { return {a.value * b.value}; }
    [[gnu::always_inline]] friend simd operator/(simd a, simd b) { return {a.value / b.value}; }
    /// For select() of packet_math.hpp.
    [[gnu::always_inline]] friend auto operator<(simd a, simd b) { return a.value < b.value; }
    [[gnu::always_inline]] friend auto operator<=(simd a, simd b) { return a.value <= b.value; }
    [[gnu::always_inline]] friend auto operator==(simd a, simd b) { return a.value == b.value; }
    [[gnu::always_inline]] friend auto operator!=(simd a, simd b) { return a.value != b.value; }
    /// a * b + c
    [[gnu::always_inline]] friend simd fma(simd a, simd b, simd c) {
        return {Eigen::internal::pmadd(a.value, b.value, c.value)};
    }
    /// The nearest whole number; of two, the even one.
    [[gnu::always_inline]] friend simd round_to_even(simd a) { return {Eigen::internal::print(a.value)}; }
    /// NaN if either is NaN, like torch.maximum.
    [[gnu::always_inline]] friend simd max(simd a, simd b) {
        if constexpr (!std::is_floating_point_v<T>) return {a.value > b.value ? a.value : b.value};
        else if constexpr (N == 1) return {(a.value != a.value || a.value > b.value) ? a.value : b.value};
        else return {detail::larger_or_nan(a.value, b.value)};
    }
    /// The larger of each two; any number if either is NaN.
    [[gnu::always_inline]] friend simd larger(simd a, simd b) { return {Eigen::internal::pmax(a.value, b.value)}; }
    [[gnu::always_inline]] T largest() const { return Eigen::internal::predux_max(value); }
    /// By a tree of additions if they are in one register, else one after the other.
    [[gnu::always_inline]] T sum() const {
        if constexpr (has_lanes<T, N>) {
            return Eigen::internal::predux(value);
        } else {
            T total = 0;
            for (int i = 0; i < N; ++i) total += value[i];
            return total;
        }
    }
    /// The same numbers as S: one instruction if the machine has one, which g++ 12 does not select by itself.
    template <class S> [[gnu::always_inline]] simd<S, N> as() const {
#ifdef EIGEN_VECTORIZE_AVX512
        if constexpr (N == 8 && std::is_same_v<T, float> && std::is_same_v<S, double>) return {_mm512_cvtps_pd(value)};
        else if constexpr (N == 8 && std::is_same_v<T, double> && std::is_same_v<S, float>)
            return {_mm512_cvtpd_ps(value)};
        else
#endif
            return {__builtin_convertvector(value, typename simd<S, N>::packet)};
    }
    /// Of the 2 N elements of `low` and `high`, every second one from First on; or, with Block and Span, every second
    /// block of Block elements, within each span of Span elements of `low` and of `high` separately.
    template <int First, int Block = 1, int Span = N>
    [[gnu::always_inline]] static simd every_second(simd low, simd high) {
        return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
            constexpr int half = Span / 2;
            return simd{static_cast<packet>(
                detail::picked<(Nth % Span / half * N + Nth / Span * Span + (Nth % half / Block * 2 + First) * Block +
                                Nth % Block)...>(low.value, high.value))};
        }(std::make_integer_sequence<int, N>{});
    }
    /// Within each four blocks of Block elements of four vectors, block i of vector k and block k of vector i are
    /// exchanged.
    template <int Block> [[gnu::always_inline]] static void turn_fours(simd& a, simd& b, simd& c, simd& d) {
        constexpr int span = 4 * Block;
        const simd even[2] = {every_second<0, Block, span>(a, b), every_second<0, Block, span>(c, d)};
        const simd odd[2] = {every_second<1, Block, span>(a, b), every_second<1, Block, span>(c, d)};
        a = every_second<0, Block, span>(even[0], even[1]), b = every_second<0, Block, span>(odd[0], odd[1]);
        c = every_second<1, Block, span>(even[0], even[1]), d = every_second<1, Block, span>(odd[0], odd[1]);
    }
    /// The first of each four elements, then the second of each, and so on.
    [[gnu::always_inline]] simd transpose4x4() const {
        return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
            return simd{static_cast<packet>(detail::picked<(Nth % (N / 4) * 4 + Nth / (N / 4))...>(value, value))};
        }(std::make_integer_sequence<int, N>{});
    }
    /// Interleaves half number Half of both: each element of `even` is followed by that of `odd`.
    template <int Half> [[gnu::always_inline]] static simd side_by_side(simd even, simd odd) {
        return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
            return simd{
                static_cast<packet>(detail::picked<(Nth % 2 * N + Nth / 2 + Half * N / 2)...>(even.value, odd.value))};
        }(std::make_integer_sequence<int, N>{});
    }
    /// Transposes: element i of rows[k] and element k of rows[i] are exchanged. Eigen's function for 16 rows goes
    /// through memory; here blocks of 4x4 are transposed and then exchanged: no shuffle needs an index from a register.
    [[gnu::always_inline]] static void transpose(simd (&rows)[N]) {
        if constexpr (N == 16) {
            unroll<4>([&](int i) __attribute__((always_inline)) {
                turn_fours<1>(rows[4 * i], rows[4 * i + 1], rows[4 * i + 2], rows[4 * i + 3]);
            });
            unroll<4>([&](int i) __attribute__((always_inline)) {
                turn_fours<4>(rows[i], rows[i + 4], rows[i + 8], rows[i + 12]);
            });
        } else {
            Eigen::internal::PacketBlock<packet, N> tile;
            for (int i = 0; i < N; ++i) tile.packet[i] = rows[i].value;
            Eigen::internal::ptranspose(tile);
            for (int i = 0; i < N; ++i) rows[i].value = tile.packet[i];
        }
    }
};

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
