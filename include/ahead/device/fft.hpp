// SPDX-License-Identifier: MIT
// npu.fft: the discrete Fourier transform along one dim; several dims take one call each, in sequence. npu.fft_roots:
// the roots of unity that it multiplies by, which prepare computes once.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::device {

enum class fourier : std::uint8_t {
    forward,       ///< complex numbers to equally many, by exp(-i ..)
    backward,      ///< by exp(i ..)
    from_real,     ///< real numbers to the first half of their spectrum, count / 2 + 1 complex numbers
    from_real_all, ///< real numbers to the whole spectrum
    to_real        ///< the first half of a spectrum, backward, to real numbers
};

/// Lines of `count` numbers, x[outer, count, inner]; the result of from_real and the operand of to_real have
/// count / 2 + 1. type: of real and imaginary parts. Results are multiplied by scale.
struct fft_key {
    dtype type = dtype::f32;
    fourier kind = fourier::forward;
    std::int64_t outer = 1, count = 1, inner = 1;
    std::int64_t scale_bits = std::bit_cast<std::int64_t>(1.0); // of a double
    friend constexpr bool operator==(const fft_key&, const fft_key&) = default;
};
AHEAD_FIELDS(fft_key, type, kind, outer, count, inner, scale_bits)

/// Whether one of the two sides is real.
constexpr bool is_of_real(const fft_key& k) { return k.kind >= fourier::from_real; }
/// How many complex numbers are transformed: two real ones are packed into one if their number is even.
constexpr std::int64_t complex_count(const fft_key& k) {
    return is_of_real(k) && k.count % 2 == 0 ? k.count / 2 : k.count;
}
/// The radix of the first pass over n numbers: 4 if it divides n, else the smallest prime that does.
constexpr std::int64_t radix_of(std::int64_t n) {
    if (n % 4 == 0) return 4;
    for (std::int64_t p = 2; p * p <= n; ++p)
        if (n % p == 0) return p;
    return n;
}

/// Passes over lines in the lanes of vectors; each number is loaded and stored separately.
constexpr machine::work work_of(const fft_key& k) {
    std::int64_t steps = 0;
    for (auto n = complex_count(k); n > 1;) {
        const auto radix = radix_of(n);
        steps += radix <= 5 ? 4 + 4 * radix : 4 * radix * radix;
        n /= radix;
    }
    const auto lines = k.outer * k.inner;
    return {.vector = {lines, complex_count(k), steps, 0}, .scalar_steps = 4 * lines * k.count};
}

/// npu.fft_roots(int count, ScalarType dtype): [2, count], cos(2 pi k / count) and -sin(2 pi k / count).
struct fft_roots {
    static constexpr std::string_view name = "npu.fft_roots"sv;
    enum at : int { count, dtype };
    static constexpr parameter schema[] = {required("count", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.type(at::dtype), {2, c.integer(at::count)}));
    }
    static constexpr fft_key key(const call_view& c) {
        return {.type = c.result_type().type, .count = c.integer(at::count)};
    }
};

/// npu.fft(Tensor x, Tensor roots, int dim, int kind, int count, float scale): x is contiguous; dim counts from 0;
/// kind: a `fourier`; count: the numbers of a whole line; roots: fft_roots(count). The result is row-major.
struct fft {
    static constexpr std::string_view name = "npu.fft"sv;
    static constexpr effects effect{.takes_complex = true};
    enum at : int { x, roots, dim, kind, count, scale };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor),      required("roots", parameter_kind::tensor),
        required("dim", parameter_kind::integer),   required("kind", parameter_kind::integer),
        required("count", parameter_kind::integer), required("scale", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::x);
        const auto how = static_cast<fourier>(c.integer(at::kind));
        auto sizes = sizes_of(t);
        auto& along = sizes[static_cast<int>(c.integer(at::dim))];
        along = how == fourier::from_real ? c.integer(at::count) / 2 + 1 : c.integer(at::count);
        const auto part = c.tensor(at::roots).type;
        return c.result(tensor_of(how == fourier::to_real ? part : of_parts(part), sizes));
    }
    static constexpr fft_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        const auto along = static_cast<int>(c.integer(at::dim));
        fft_key key{.type = c.tensor(at::roots).type,
                    .kind = static_cast<fourier>(c.integer(at::kind)),
                    .count = c.integer(at::count),
                    .scale_bits = std::bit_cast<std::int64_t>(c.real(at::scale))};
        for (int d = 0; d < t.rank; ++d)
            if (d != along) (d < along ? key.outer : key.inner) *= t.size(d);
        return key;
    }
    /// Real and imaginary parts of as many lines as a vector has lanes, before and after a pass. A load waits for
    /// independent stores whose address differs by a power of two, so there is a gap.
    static constexpr std::int64_t plane_gap = 192;
    static constexpr std::int64_t workspace(const fft_key& k) {
        constexpr std::int64_t most_bytes = 64; // of a vector
        return 4 * (most_bytes * complex_count(k) + plane_gap);
    }
};

} // namespace ahead::device
