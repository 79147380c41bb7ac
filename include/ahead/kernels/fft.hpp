// SPDX-License-Identifier: MIT
// The discrete Fourier transform along a dim: each lane of a vector is one line. The numbers of the lines are gathered
// into arrays of real and of imaginary parts, transformed there (fft_passes.hpp) and written back. A line of an even
// number of real numbers is transformed as half that number of complex ones.
// Invariant: sums in the type of the parts, n (sum of n's prime factors) operations per line; roots of unity are
// accurate to half a unit in the last place. The imaginary parts of the first and the middle number of a real line's
// spectrum are not read, as in PyTorch. Semantics: aten._fft_c2c, _fft_r2c, _fft_c2r along one dim.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/kernels/fft_passes.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <cmath>

namespace AHEAD_NAMESPACE::kernels {

/// Real parts, then imaginary parts, of exp(-2 pi i k / count).
template <class T> void fft_roots(std::int64_t count, T* out) {
    for (std::int64_t k = 0; k < count; ++k) {
        const double turn = 2 * math::pi * static_cast<double>(k) / static_cast<double>(count);
        out[k] = static_cast<T>(std::cos(turn));
        out[count + k] = static_cast<T>(-std::sin(turn));
    }
}

namespace detail {

/// The parts of a key that the code of a line uses, as run-time data, so that keys share the code.
template <class T> struct fft_shape {
    std::int64_t outer, count, inner;
    T scale;
    unity_roots<T> roots;
};

/// Some lines of a transform: their begins in the input and in the output.
template <int L> struct line_block {
    std::int64_t x[L], out[L];
    std::int64_t count; // the remaining lanes are unused
};

/// A number of a complex line is two adjacent elements; consecutive numbers are `inner` numbers apart.
template <device::fourier Kind, int L, class T> struct fft_lines {
    static constexpr bool from_real = Kind == device::fourier::from_real || Kind == device::fourier::from_real_all;
    static constexpr bool to_real = Kind == device::fourier::to_real;

    const T* x;
    T* out;
    fft_shape<T> shape;
    line_block<L> at;

    std::int64_t half() const { return shape.count / 2; }
    T real(std::int64_t k, std::int64_t line) const { return x[at.x[line] + k * shape.inner]; }
    T re(std::int64_t k, std::int64_t line) const { return x[2 * (at.x[line] + k * shape.inner)]; }
    T im(std::int64_t k, std::int64_t line) const { return x[2 * (at.x[line] + k * shape.inner) + 1]; }
    void put(std::int64_t k, std::int64_t line, T value_re, T value_im) const {
        const auto to = 2 * (at.out[line] + k * shape.inner);
        out[to] = value_re * shape.scale;
        out[to + 1] = value_im * shape.scale;
    }
    void put_real(std::int64_t k, std::int64_t line, T value) const {
        out[at.out[line] + k * shape.inner] = value * shape.scale;
    }

    /// Unused lanes are zeros.
    void clear(spectrum_lines<T> to, std::int64_t n) const {
        for (std::int64_t k = 0; k < n; ++k)
            for (auto line = at.count; line < L; ++line) to.re[k * L + line] = to.im[k * L + line] = T(0);
    }
    void take(spectrum_lines<T> to, std::int64_t n) const {
        if (at.count < L) clear(to, n);
        each_number(
            n, [&](std::int64_t k, std::int64_t line) __attribute__((always_inline)) {
                auto& into_re = to.re[k * L + line];
                auto& into_im = to.im[k * L + line];
                if constexpr (from_real) {
                    into_re = n == shape.count ? real(k, line) : real(2 * k, line);
                    into_im = n == shape.count ? T(0) : real(2 * k + 1, line);
                } else if constexpr (!to_real) {
                    into_re = re(k, line);
                    into_im = im(k, line);
                } else if (n == shape.count) { // an odd number of them: the other half is the conjugate of this one
                    const auto from = k <= half() ? k : n - k;
                    into_re = re(from, line);
                    into_im = k == 0 ? T(0) : k <= half() ? im(from, line) : -im(from, line);
                } else { // combines the transforms of even and odd positions into one complex line
                    const auto other = n - k;
                    const T a = re(k, line), b = k == 0 ? T(0) : im(k, line);
                    const T c = re(other, line), d = k == 0 ? T(0) : -im(other, line);
                    const T apart_re = a - c, apart_im = b - d;
                    const T turn_re = shape.roots.re[k], turn_im = -shape.roots.im[k];
                    into_re = a + c - (apart_re * turn_im + apart_im * turn_re);
                    into_im = b + d + (apart_re * turn_re - apart_im * turn_im);
                }
            });
    }
    void give(spectrum_lines<T> made, std::int64_t n) const {
        each_number(
            from_real ? half() + 1 : n, [&](std::int64_t k, std::int64_t line) __attribute__((always_inline)) {
                const auto number_re = [&](std::int64_t of) { return made.re[of * L + line]; };
                const auto number_im = [&](std::int64_t of) { return made.im[of * L + line]; };
                if constexpr (to_real) {
                    put_real(n == shape.count ? k : 2 * k, line, number_re(k));
                    if (n != shape.count) put_real(2 * k + 1, line, number_im(k));
                } else if constexpr (!from_real) put(k, line, number_re(k), number_im(k));
                else {
                    const auto one = k == n ? 0 : k, other = k == 0 ? 0 : n - k; // number n is number 0
                    T a = number_re(one), b = number_im(one);
                    if (n != shape.count) { // from even and odd positions
                        const T c = number_re(other), d = -number_im(other);
                        const T odd_re = (b - d) / 2, odd_im = (c - a) / 2;
                        const T turn_re = shape.roots.re[k], turn_im = shape.roots.im[k];
                        a = (a + c) / 2 + odd_re * turn_re - odd_im * turn_im;
                        b = (b + d) / 2 + odd_re * turn_im + odd_im * turn_re;
                    }
                    put(k, line, a, b);
                    if (Kind == device::fourier::from_real_all && k > 0 && 2 * k != shape.count)
                        put(shape.count - k, line, a, -b);
                }
            });
    }
    [[gnu::always_inline]] void each_number(std::int64_t count, auto f) const {
        for (std::int64_t line = 0; line < at.count; ++line)
            for (std::int64_t k = 0; k < count; ++k) f(k, line);
    }
};

template <device::fourier Kind, int L, class T>
[[gnu::noinline]] inline void transform_all(const T* x, T* out, const fft_shape<T>& shape, std::byte* workspace) {
    using device::fourier;
    constexpr bool is_backward = Kind == fourier::backward || Kind == fourier::to_real;
    const auto whole = shape.count, part = whole / 2 + 1;
    const auto n = device::complex_count({.kind = Kind, .count = whole});
    const auto in_line = (Kind == fourier::to_real ? part : whole) * shape.inner;
    const auto out_line = (Kind == fourier::from_real ? part : whole) * shape.inner;
    auto* room = reinterpret_cast<T*>(workspace);
    const auto plane = n * L + device::fft::plane_gap / static_cast<std::int64_t>(sizeof(T));
    spectrum_lines<T> lines{room, room + plane}, other{room + 2 * plane, room + 3 * plane};
    const auto total = shape.outer * shape.inner;
    for (std::int64_t first = 0; first < total; first += L) {
        fft_lines<Kind, L, T> block{x, out, shape, {{}, {}, std::min<std::int64_t>(L, total - first)}};
        for (std::int64_t line = 0; line < block.at.count; ++line) {
            const auto o = (first + line) / shape.inner, i = (first + line) % shape.inner;
            block.at.x[line] = o * in_line + i;
            block.at.out[line] = o * out_line + i;
        }
        // The transform by exp(i ..) is the forward transform with real and imaginary parts exchanged.
        const auto exchanged = [](spectrum_lines<T> of) { return is_backward ? spectrum_lines<T>{of.im, of.re} : of; };
        block.take(exchanged(lines), n);
        block.give(exchanged(transform_lines(lines, other, n, L, shape.roots)), n);
    }
}

} // namespace detail

/// x and out: elements of the parts; a complex number is two elements.
template <device::fft_key Key, class T = element_t<Key.type>>
inline void fft(const T* x, const T* roots, T* out, std::byte* workspace) {
    if constexpr (Key.outer > 0 && Key.inner > 0) {
        constexpr auto lines = Key.outer * Key.inner;
        constexpr int L = lines == 1 ? 1 : lanes_around<T>(lines);
        constexpr auto scale = static_cast<T>(std::bit_cast<double>(Key.scale_bits));
        const detail::fft_shape<T> shape{Key.outer,
                                         Key.count,
                                         Key.inner,
                                         scale,
                                         {roots, roots + Key.count, Key.count}};
        detail::transform_all<Key.kind, L>(x, out, shape, workspace);
    }
}

template <> struct kernel_for<device::fft_roots> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernels::fft_roots(Key.count, at.template out<element_t<Key.type>>());
    }
};
template <> struct kernel_for<device::fft> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::fft<Key>(at.template in<T>(0), at.template in<T>(1), at.template out<T>(), at.workspace);
    }
};

} // namespace ahead::kernels
