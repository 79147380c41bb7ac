// SPDX-License-Identifier: MIT
// The pointwise operators that run on vectors, and their vector code: the same bits as in packet_math.hpp, in every
// kernel that uses it. Called by pointwise.hpp, fused.hpp, fused_rows.hpp and epilogue.hpp.
#pragma once
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/pointwise/arithmetic.hpp>
#include <ahead/aten/pointwise/extremes.hpp>
#include <ahead/aten/pointwise/gradients.hpp>
#include <ahead/aten/pointwise/power.hpp>
#include <ahead/aten/pointwise/rounding.hpp>
#include <ahead/aten/pointwise/unary.hpp>
#include <ahead/device/key/pointwise_key.hpp>
#include <ahead/kernels/vector/elementary.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <ahead/kernels/vector/powers.hpp>
#include <ahead/kernels/vector/trigonometry.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::kernels {

/// Specialised for operators with a packet form: run(lanes...) for the operands, then for the constants that matter, or
/// run_of<the key's slots>(lanes...) if the slots determine the code.
template <class Op> struct vector_form {
    static constexpr bool exists = false;
};
struct packets {
    static constexpr bool exists = true;
    static constexpr bool is_short = true; // an instruction or two
    static constexpr bool fits(const device::pointwise_key&) { return true; }
};
struct long_packets : packets {
    static constexpr bool is_short = false;
};

/// Whether the constant in a slot is this number.
constexpr bool is_constant_equal(const device::pointwise_slot& slot, double number) {
    using source = device::pointwise_slot::source;
    return (slot.from == source::integer && static_cast<double>(slot.bits) == number) ||
           (slot.from == source::real && std::bit_cast<double>(slot.bits) == number);
}
struct unscaled_packets : packets {
    static constexpr bool fits(const device::pointwise_key& key) { return is_constant_equal(key.slots[2], 1); }
};

/// Whether a slot is a bound that is a number, or absent.
constexpr bool is_bound(const device::pointwise_slot& slot) {
    using source = device::pointwise_slot::source;
    if (slot.from == source::real) return std::bit_cast<double>(slot.bits) == std::bit_cast<double>(slot.bits);
    return slot.from == source::integer || slot.from == source::absent;
}
struct bounded_packets : packets {
    static constexpr bool fits(const device::pointwise_key& key) {
        return is_bound(key.slots[1]) && is_bound(key.slots[2]);
    }
};

template <> struct vector_form<aten::relu> : packets {
    static auto run(auto x) { return relu(x); }
};
template <> struct vector_form<aten::sqrt> : long_packets {
    static auto run(auto x) { return sqrt(x); }
};
template <> struct vector_form<aten::exp> : long_packets {
    static auto run(auto x) { return exp(x); }
};
template <> struct vector_form<aten::tanh> : long_packets {
    static auto run(auto x) { return tanh(x); }
};
template <> struct vector_form<aten::sigmoid> : long_packets {
    static auto run(auto x) { return sigmoid(x); }
};
template <> struct vector_form<aten::erf> : long_packets {
    static auto run(auto x) { return erf(x); }
};
/// By erf or by tanh, according to `approximate`: a constant, so only one of the branches remains.
template <> struct vector_form<aten::gelu> : long_packets {
    static auto run(auto x, auto approximate) {
        using T = typename decltype(x)::element;
        const auto all = [](T c) { return decltype(x)::all(c); };
        if (approximate.value[0] == static_cast<T>(aten::approximation::none))
            return x * all(T(0.5)) * (all(1) + erf(x * all(static_cast<T>(0.70710678118654752440))));
        const auto inner = all(static_cast<T>(0.79788456080286535588)) * fma(all(T(0.044715)) * x * x, x, x);
        return all(T(0.5)) * x * (all(1) + tanh(inner));
    }
};
template <> struct vector_form<aten::log> : long_packets {
    static auto run(auto x) { return log(x); }
};
template <> struct vector_form<aten::log1p> : long_packets {
    static auto run(auto x) { return log1p(x); }
};
template <> struct vector_form<aten::expm1> : long_packets {
    static auto run(auto x) { return expm1(x); }
};
template <> struct vector_form<aten::rsqrt> : long_packets {
    static auto run(auto x) { return decltype(x)::all(1) / sqrt(x); }
};
template <> struct vector_form<aten::reciprocal> : long_packets {
    static auto run(auto x) { return decltype(x)::all(1) / x; }
};
template <> struct vector_form<aten::silu> : long_packets {
    static auto run(auto x) { return silu(x); }
};
template <> struct vector_form<aten::silu_backward> : long_packets {
    static auto run(auto gradient, auto x) {
        const auto one = decltype(x)::all(1), s = sigmoid(x);
        return gradient * s * fma(x, one - s, one);
    }
};
template <> struct vector_form<aten::gelu_backward> : long_packets {
    static auto run(auto gradient, auto x, auto approximate) {
        using T = typename decltype(x)::element;
        const auto all = [](double c) { return decltype(x)::all(static_cast<T>(c)); };
        const auto half = all(0.5), one = all(1), square = x * x;
        if (approximate.value[0] == static_cast<T>(aten::approximation::none)) {
            const auto integral = half * (one + erf(x * all(0.70710678118654752440)));
            return gradient * fma(x * exp(square * all(-0.5)), all(0.39894228040143267794), integral);
        }
        const auto factor = all(0.79788456080286535588);
        const auto t = tanh(factor * fma(all(0.044715) * square, x, x));
        const auto slope = factor * fma(all(3 * 0.044715), square, one);
        return gradient * half * fma(x * (one - t * t), slope, one + t);
    }
};
template <> struct vector_form<aten::mish> : long_packets {
    static auto run(auto x) { return mish(x); }
};
template <> struct vector_form<aten::softplus> : long_packets {
    static auto run(auto x, auto beta, auto threshold) { return softplus(x, beta, threshold); }
};
template <> struct vector_form<aten::hardsigmoid> : long_packets {
    static auto run(auto x) {
        using all = decltype(x);
        return clamp(x + all::all(3), all::all(0), all::all(6)) / all::all(6);
    }
};
template <> struct vector_form<aten::hardswish> : long_packets {
    static auto run(auto x) {
        using all = decltype(x);
        return x * clamp(x + all::all(3), all::all(0), all::all(6)) / all::all(6);
    }
};
template <> struct vector_form<aten::clamp> : bounded_packets {
    static auto run(auto x, auto low, auto high) { return clamp(x, low, high); }
};
template <> struct vector_form<aten::hardtanh> : vector_form<aten::clamp> {};
template <> struct vector_form<aten::mul> : packets {
    static auto run(auto x, auto y) { return x * y; }
};
template <> struct vector_form<aten::mul_scalar> : packets {
    static auto run(auto x, auto y) { return x * y; }
};
template <> struct vector_form<aten::div> : long_packets {
    static auto run(auto x, auto y) { return x / y; }
};
template <> struct vector_form<aten::div_scalar> : long_packets {
    static auto run(auto x, auto y) { return x / y; }
};
template <> struct vector_form<aten::add> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x + y; }
};
template <> struct vector_form<aten::add_scalar> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x + y; }
};
template <> struct vector_form<aten::sub> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x - y; }
};
template <> struct vector_form<aten::sub_scalar> : unscaled_packets {
    static auto run(auto x, auto y, auto) { return x - y; }
};
template <> struct vector_form<aten::log2> : long_packets {
    static auto run(auto x) { return log2(x); }
};
template <> struct vector_form<aten::log10> : long_packets {
    static auto run(auto x) { return log10(x); }
};
template <> struct vector_form<aten::exp2> : long_packets {
    static auto run(auto x) { return exp2(x); }
};
template <> struct vector_form<aten::sin> : long_packets {
    static auto run(auto x) { return sin(x); }
};
template <> struct vector_form<aten::cos> : long_packets {
    static auto run(auto x) { return cos(x); }
};
template <> struct vector_form<aten::tan> : long_packets {
    static auto run(auto x) { return tan(x); }
};
template <> struct vector_form<aten::asin> : long_packets {
    static auto run(auto x) { return asin(x); }
};
template <> struct vector_form<aten::acos> : long_packets {
    static auto run(auto x) { return acos(x); }
};
template <> struct vector_form<aten::atan> : long_packets {
    static auto run(auto x) { return atan(x); }
};
template <> struct vector_form<aten::atan2> : long_packets {
    static auto run(auto x, auto y) { return atan2(x, y); }
};
template <> struct vector_form<aten::sinh> : long_packets {
    static auto run(auto x) { return sinh(x); }
};
template <> struct vector_form<aten::cosh> : long_packets {
    static auto run(auto x) { return cosh(x); }
};
template <> struct vector_form<aten::elu> : long_packets {
    static auto run(auto x, auto alpha, auto scale, auto input_scale) { return elu(x, alpha, scale, input_scale); }
};
template <> struct vector_form<aten::selu> : long_packets {
    static auto run(auto x) {
        using T = typename decltype(x)::element;
        const auto all = [](double c) { return decltype(x)::all(static_cast<T>(c)); };
        return elu(x, all(1.6732632423543772848170429916717), all(1.0507009873554804934193349852946), all(1));
    }
};
template <> struct vector_form<aten::celu> : long_packets {
    static auto run(auto x, auto alpha) { return celu(x, alpha); }
};
template <> struct vector_form<aten::floor> : packets {
    static auto run(auto x) { return floor(x); }
};
template <> struct vector_form<aten::ceil> : packets {
    static auto run(auto x) { return ceil(x); }
};
template <> struct vector_form<aten::trunc> : packets {
    static auto run(auto x) { return trunc(x); }
};
template <> struct vector_form<aten::pow_tensor> : long_packets {
    static auto run(auto x, auto y) { return pow(x, y); }
};
template <> struct vector_form<aten::pow_scalar> : long_packets {
    static auto run(auto x, auto y) { return pow(x, y); }
};
/// Roots and small powers separately: the general form is not even compiled for them.
template <> struct vector_form<aten::pow_tensor_scalar> : long_packets {
    template <auto Slots> static auto run_of(auto x, auto y) {
        if constexpr (is_constant_equal(Slots[1], 2)) return x * x;
        else if constexpr (is_constant_equal(Slots[1], 3)) return x * x * x;
        else if constexpr (is_constant_equal(Slots[1], 1)) return x;
        else if constexpr (is_constant_equal(Slots[1], -1)) return decltype(x)::all(1) / x;
        else if constexpr (is_constant_equal(Slots[1], 0.5)) return root(x);
        else if constexpr (is_constant_equal(Slots[1], -0.5)) return decltype(x)::all(1) / root(x);
        else return pow(x, y);
    }
    /// The same if a step's slots cannot be named, as in epilogues: y is a constant, so only one branch remains.
    static auto run(auto x, auto y) {
        const auto all = [](int c) { return decltype(x)::all(static_cast<typename decltype(x)::element>(c)); };
        const auto by = y.value[0];
        if (by == 2) return x * x;
        if (by == 3) return x * x * x;
        if (by == 1) return x;
        if (by == -1) return all(1) / x;
        if (by == decltype(by)(0.5)) return root(x);
        if (by == decltype(by)(-0.5)) return all(1) / root(x);
        return pow(x, y);
    }
};

} // namespace ahead::kernels
