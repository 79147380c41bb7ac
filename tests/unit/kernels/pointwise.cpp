// SPDX-License-Identifier: MIT
// Pointwise kernels against their meaning in long double, or, where they are made from the meaning itself, against that: operands contiguous and
// broadcast, of lengths that meet every loop and tail, inlined or not, in place. Buffers have exactly the size that the contract names.
#include <ahead/aten/aten.hpp>
#include <ahead/kernels/pointwise.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <source_location>

#include "harness.hpp"
#include "unit/kernel_buffer.hpp"

using namespace ahead;
using namespace ahead::rooms;
using device::pointwise_slot;
using test::buffer;
using test::check;
using test::random_bits;

namespace {

constexpr pointwise_slot operand(std::int64_t i) { return {pointwise_slot::source::operand, i}; }
constexpr pointwise_slot number(double value) { return {pointwise_slot::source::real, std::bit_cast<std::int64_t>(value)}; }

template <class T> inline constexpr dtype dtype_of = std::is_same_v<T, float> ? dtype::f32 : dtype::f64;

/// The key of Op where parameter i comes from Slots[i] and the operands have these types.
template <class Op, pointwise_slot... Slots> constexpr device::pointwise_key key_of(const tensor_type& result, std::initializer_list<tensor_type> operands) {
    device::pointwise_key key;
    std::array<const tensor_type*, device::max_strided> tensors{};
    std::size_t count = 0;
    for (const auto& t : operands) tensors[count++] = &t;
    key.loop = device::strided_key_of(result, array_view(tensors.data(), count));
    key.computed = operands.begin()->type;
    for (const auto& slot : {Slots...}) key.slots[static_cast<std::size_t>(key.parameters++)] = slot;
    return key;
}

template <class Op, device::pointwise_key Key, class R, class... T> void run(R* y, const T*... x) {
    kernels::pointwise<Op, Key>(kernels::ports<sizeof...(T), 1>{{reinterpret_cast<const std::byte*>(x)...}, {reinterpret_cast<std::byte*>(y)}, nullptr});
}
/// y[N] = Op(x...) of contiguous operands.
template <class Op, std::int64_t N, pointwise_slot... Slots, class R, class T, class... Rest> void on(R* y, const T* x, const Rest*... rest) {
    constexpr auto of = [](dtype type) { return tensor_of(type, {N}); };
    constexpr dtype result = std::is_same_v<R, bool> ? dtype::b8 : dtype_of<T>;
    run<Op, key_of<Op, Slots...>(of(result), {of(dtype_of<T>), of(dtype_of<Rest>)...})>(y, x, rest...);
}

double worst_exp = 0, worst_tanh = 0, worst_sigmoid = 0, worst_erf = 0;

/// Distance from the rounded exact value in units of its last place (normal numbers).
template <class T> double ulps(T got, long double exact) {
    const T rounded = static_cast<T>(exact);
    if (got == rounded) return 0;
    const long double unit = std::max<long double>(std::nextafter(std::fabs(rounded), std::numeric_limits<T>::infinity()) - std::fabs(rounded), std::numeric_limits<T>::min());
    return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / unit);
}

template <class T> bool same(T a, T b) { return a == b || (a != a && b != b); }
template <class T> bool near(T got, long double exact) {
    if (std::isinf(exact) || std::isnan(exact)) return same(static_cast<long double>(got), exact);
    const bool close = std::fabs(static_cast<long double>(got) - exact) <= 1e-6L + 1e-5L * std::fabs(exact);
    if (!close) std::cout << "got " << got << ", exactly " << exact << '\n';
    return close;
}

/// Numbers of several magnitudes, and those that are special.
template <class T> void fill(buffer<T>& a) {
    for (T& x : a) {
        const double range[] = {1, 10, 100};
        x = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random_bits) * range[random_bits() % 3]);
        if (random_bits() % 16 == 0) x = std::numeric_limits<T>::quiet_NaN();
        if (random_bits() % 16 == 0) x = std::numeric_limits<T>::infinity();
        if (random_bits() % 16 == 0) x = -std::numeric_limits<T>::infinity();
        if (random_bits() % 16 == 0) x = T(0);
    }
}

template <std::int64_t N, class T> void contiguous_operands_are_right() {
    constexpr T inf = std::numeric_limits<T>::infinity(), s = T(0.75);
    constexpr auto a0 = operand(0), b1 = operand(1), one = number(1), constant = number(0.75);
    buffer<T> a(N), b(N), y(N);
    buffer<bool> flags(N);
    fill(a);
    b.randomize();
    const auto all = [&](auto law) {
        for (std::int64_t i = 0; i < N; ++i)
            if (!law(i)) return false;
        return true;
    };
    on<aten::relu, N, a0>(y.data(), a.data());
    check(all([&](auto i) { return same(y[i], a[i] > 0 || a[i] != a[i] ? a[i] : T(0)); }));
    on<aten::sqrt, N, a0>(y.data(), a.data());
    check(all([&](auto i) { return same(y[i], std::sqrt(a[i])); }));
    on<aten::exp, N, a0>(y.data(), a.data());
    check(all([&](auto i) {
        const auto exact = std::exp(static_cast<long double>(a[i]));
        if (a[i] > -87 && a[i] < 88) worst_exp = std::max(worst_exp, ulps(y[i], exact));
        if (a[i] == -inf && y[i] != 0) return false;
        return near(y[i], std::is_same_v<T, float> && exact > 3.4028235e38L ? static_cast<long double>(inf) : exact);
    }));
    on<aten::tanh, N, a0>(y.data(), a.data());
    check(all([&](auto i) {
        const auto exact = std::tanh(static_cast<long double>(a[i]));
        if (a[i] == a[i]) worst_tanh = std::max(worst_tanh, ulps(y[i], exact));
        return near(y[i], exact);
    }));
    on<aten::sigmoid, N, a0>(y.data(), a.data());
    check(all([&](auto i) {
        const auto exact = 1 / (1 + std::exp(-static_cast<long double>(a[i])));
        if (a[i] > -87) worst_sigmoid = std::max(worst_sigmoid, ulps(y[i], exact));
        return near(y[i], exact);
    }));
    on<aten::erf, N, a0>(y.data(), a.data());
    check(all([&](auto i) {
        const auto exact = std::erf(static_cast<long double>(a[i]));
        if (std::is_same_v<T, float> && a[i] == a[i]) worst_erf = std::max(worst_erf, ulps(y[i], exact));
        return near(y[i], exact);
    }));
    on<aten::gelu, N, a0, number(0)>(y.data(), a.data());
    check(all([&](auto i) {
        const auto x = static_cast<long double>(a[i]);
        return near(y[i], std::isinf(x) && x < 0 ? std::nanl("") : x / 2 * (1 + std::erf(x * 0.70710678118654752440L)));
    }));
    on<aten::gelu, N, a0, number(1)>(y.data(), a.data());
    check(all([&](auto i) {
        const auto x = static_cast<long double>(a[i]);
        return near(y[i], x / 2 * (1 + std::tanh(0.79788456080286535588L * (x + 0.044715L * x * x * x))));
    }));
    on<aten::log, N, a0>(y.data(), a.data()), check(all([&](auto i) { return near(y[i], std::log(static_cast<long double>(a[i]))); }));
    on<aten::log1p, N, a0>(y.data(), a.data()), check(all([&](auto i) { return near(y[i], std::log1p(static_cast<long double>(a[i]))); }));
    on<aten::expm1, N, a0>(y.data(), a.data());
    check(all([&](auto i) {
        const auto exact = std::expm1(static_cast<long double>(a[i]));
        return near(y[i], std::is_same_v<T, float> && exact > 3.4028235e38L ? static_cast<long double>(inf) : exact);
    }));
    const auto no_number = [](long double x, long double otherwise) { return std::isinf(x) && x < 0 ? std::nanl("") : otherwise; };
    on<aten::silu, N, a0>(y.data(), a.data());
    check(all([&](auto i) { const auto x = static_cast<long double>(a[i]); return near(y[i], no_number(x, x / (1 + std::exp(-x)))); }));
    on<aten::mish, N, a0>(y.data(), a.data());
    check(all([&](auto i) { const auto x = static_cast<long double>(a[i]); return near(y[i], no_number(x, x * std::tanh(std::log1p(std::exp(x))))); }));
    // a gradient's slope may be near 0, where it has the errors of what is taken away
    const auto has_slope = [&](auto i, auto slope) {
        const auto g = static_cast<long double>(a[i]), x = static_cast<long double>(b[i]);
        return std::isinf(x) || std::isinf(g) || g == 0 || near(static_cast<T>(y[i] / a[i]), g / g * slope(x));
    };
    on<aten::silu_backward, N, a0, b1>(y.data(), a.data(), b.data());
    check(all([&](auto i) { return has_slope(i, [](long double x) { return (1 + x / (1 + std::exp(x))) / (1 + std::exp(-x)); }); }));
    on<aten::gelu_backward, N, a0, b1, number(0)>(y.data(), a.data(), b.data());
    check(all([&](auto i) {
        return has_slope(i, [](long double x) { return (1 + std::erf(x * 0.70710678118654752440L)) / 2 + x * std::exp(-x * x / 2) * 0.39894228040143267794L; });
    }));
    on<aten::gelu_backward, N, a0, b1, number(1)>(y.data(), a.data(), b.data());
    check(all([&](auto i) {
        return has_slope(i, [](long double x) {
            const auto f = 0.79788456080286535588L, t = std::tanh(f * (x + 0.044715L * x * x * x));
            return (1 + t) / 2 + x / 2 * (1 - t * t) * f * (1 + 3 * 0.044715L * x * x);
        });
    }));
    on<aten::softplus, N, a0, number(0.75), number(20)>(y.data(), a.data());
    check(all([&](auto i) { const auto x = static_cast<long double>(a[i]); return near(y[i], x * 0.75L > 20 ? x : std::log1p(std::exp(x * 0.75L)) / 0.75L); }));
    // as near as can be told from here: tests/unit/kernels/vector/elementary.cpp has each of them over all floats
    const auto agrees = [&](auto exact, std::source_location where = std::source_location::current()) {
        check(all([&](auto i) { return near(y[i], static_cast<long double>(exact(static_cast<long double>(a[i])))); }), "", where);
    };
    on<aten::log2, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::log2(x); });
    on<aten::log10, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::log10(x); });
    on<aten::exp2, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::exp2(x); });
    on<aten::sin, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::sin(x); });
    on<aten::cos, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::cos(x); });
    on<aten::tan, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::tan(x); });
    on<aten::asin, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::asin(x); });
    on<aten::acos, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::acos(x); });
    on<aten::atan, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::atan(x); });
    on<aten::sinh, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::is_same_v<T, float> && std::fabs(x) > 89.41598L ? x * INFINITY : std::sinh(x); });
    on<aten::cosh, N, a0>(y.data(), a.data()), agrees([](auto x) { return std::is_same_v<T, float> && std::fabs(x) > 89.41598L ? INFINITY : std::cosh(x); });
    on<aten::elu, N, a0, number(0.5), number(2), number(0.25)>(y.data(), a.data()), agrees([](auto x) { return x <= 0 ? std::expm1(x / 4) : 2 * x; });
    on<aten::selu, N, a0>(y.data(), a.data());
    agrees([](auto x) { return 1.0507009873554804934193349852946L * (x <= 0 ? 1.6732632423543772848170429916717L * std::expm1(x) : x); });
    on<aten::celu, N, a0, number(0.5)>(y.data(), a.data()), agrees([](auto x) { return x <= 0 ? std::expm1(2 * x) / 2 : x; });
    on<aten::atan2, N, a0, b1>(y.data(), a.data(), b.data());
    check(all([&](auto i) { return near(y[i], std::atan2(static_cast<long double>(a[i]), static_cast<long double>(b[i]))); }));
    on<aten::pow_tensor, N, a0, b1>(y.data(), a.data(), b.data());
    check(all([&](auto i) { return near(y[i], std::pow(static_cast<long double>(a[i]), static_cast<long double>(b[i]))); }));
    on<aten::pow_scalar, N, constant, b1>(y.data(), b.data(), b.data());
    check(all([&](auto i) { return near(y[i], std::pow(0.75L, static_cast<long double>(b[i]))); }));
    const auto power = [&](long double exponent, std::source_location where = std::source_location::current()) {
        agrees([&](auto x) { return std::pow(x, exponent); }, where);
    };
    on<aten::pow_tensor_scalar, N, a0, number(0.5)>(y.data(), a.data()), power(0.5L);
    on<aten::pow_tensor_scalar, N, a0, number(-0.5)>(y.data(), a.data()), power(-0.5L);
    on<aten::pow_tensor_scalar, N, a0, number(-1)>(y.data(), a.data()), power(-1);
    on<aten::pow_tensor_scalar, N, a0, number(1)>(y.data(), a.data()), power(1);
    on<aten::pow_tensor_scalar, N, a0, number(3)>(y.data(), a.data()), power(3);
    on<aten::pow_tensor_scalar, N, a0, number(2.5)>(y.data(), a.data()), power(2.5L);
    // the meaning's bits
    on<aten::floor, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], std::floor(a[i])); }));
    on<aten::ceil, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], std::ceil(a[i])); }));
    on<aten::trunc, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], std::trunc(a[i])); }));
    on<aten::rsqrt, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], aten::rsqrt::meaning<T>(a[i])); }));
    on<aten::reciprocal, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], aten::reciprocal::meaning<T>(a[i])); }));
    on<aten::hardswish, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], aten::hardswish::meaning<T>(a[i])); }));
    on<aten::hardsigmoid, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], aten::hardsigmoid::meaning<T>(a[i])); }));
    on<aten::hardtanh, N, a0, number(-0.5), constant>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], aten::hardtanh::meaning<T>(a[i], T(-0.5), s)); }));
    on<aten::clamp, N, a0, pointwise_slot{}, constant>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], aten::clamp::meaning<T>(a[i], -inf, s)); }));
    on<aten::clamp, N, a0, number(std::numeric_limits<double>::quiet_NaN()), constant>(y.data(), a.data()), check(all([&](auto i) { return y[i] != y[i]; }));
    on<aten::add, N, a0, b1, one>(y.data(), a.data(), b.data()), check(all([&](auto i) { return same(y[i], a[i] + b[i]); }));
    on<aten::sub, N, a0, b1, one>(y.data(), a.data(), b.data()), check(all([&](auto i) { return same(y[i], a[i] - b[i]); }));
    on<aten::mul, N, a0, b1>(y.data(), a.data(), b.data()), check(all([&](auto i) { return same(y[i], a[i] * b[i]); }));
    on<aten::div, N, a0, b1>(y.data(), a.data(), b.data()), check(all([&](auto i) { return same(y[i], a[i] / b[i]); }));
    on<aten::add_scalar, N, a0, constant, one>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], a[i] + s); }));
    on<aten::sub_scalar, N, a0, constant, one>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], a[i] - s); }));
    on<aten::mul_scalar, N, a0, constant>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], a[i] * s); }));
    on<aten::div_scalar, N, a0, constant>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], a[i] / s); }));
    on<aten::pow_tensor_scalar, N, a0, number(2)>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], a[i] * a[i]); }));
    // made from the meaning
    on<aten::abs, N, a0>(y.data(), a.data()), check(all([&](auto i) { return same(y[i], std::fabs(a[i])); }));
    on<aten::clamp, N, a0, number(-2), constant>(y.data(), a.data());
    check(all([&](auto i) { return same(y[i], a[i] != a[i] ? a[i] : std::clamp(a[i], T(-2), s)); }));
    on<aten::maximum, N, a0, b1>(y.data(), a.data(), b.data());
    check(all([&](auto i) { return same(y[i], a[i] != a[i] || a[i] > b[i] ? a[i] : b[i]); }));
    on<aten::gt, N, a0, b1>(flags.data(), a.data(), b.data()), check(all([&](auto i) { return flags[i] == (a[i] > b[i]); }));
    // in place
    buffer<T> kept(N);
    std::copy(a.begin(), a.end(), kept.begin());
    on<aten::add, N, a0, b1, one>(a.data(), a.data(), b.data()), check(all([&](auto i) { return same(a[i], kept[i] + b[i]); }));
    std::copy(kept.begin(), kept.end(), a.begin());
    on<aten::maximum, N, a0, b1>(b.data(), a.data(), b.data());
    on<aten::abs, N, a0>(a.data(), a.data()), check(all([&](auto i) { return same(a[i], std::fabs(kept[i])); }));
}

/// y[3, N] = a choice by flags[3, N] between x[3, N] and others that are contiguous, a column, or one number.
template <std::int64_t N, dtype Type> void choices_are_right() {
    using T = element_t<Type>;
    constexpr auto whole = tensor_of(Type, {3, N}), column = tensor_of(Type, {3, 1}), one = tensor_of(Type, {}), mask = tensor_of(dtype::b8, {3, N});
    constexpr auto computed = [](device::pointwise_key key) {
        key.computed = Type;
        return key;
    };
    buffer<T> x(3 * N), other(3 * N), y(3 * N);
    buffer<bool> flags(3 * N);
    for (auto* b : {&x, &other})
        for (T& v : *b) v = T(static_cast<float>(static_cast<int>(random_bits() % 1000)) - 500);
    flags.randomize();
    x[3 * N - 1] = T(std::numeric_limits<float>::infinity()), other[0] = T(std::numeric_limits<float>::quiet_NaN());
    const auto is = [&](auto yes, auto no, std::source_location where = std::source_location::current()) {
        bool right = true;
        for (std::int64_t i = 0; i < 3 * N; ++i) right &= same(static_cast<double>(static_cast<float>(y[i])), static_cast<double>(static_cast<float>(flags[i] ? yes(i) : no(i))));
        check(right, std::to_string(N), where);
    };
    const auto given = [&](std::int64_t i) { return x[i]; };
    constexpr auto f0 = operand(0), x1 = operand(1), o2 = operand(2);
    run<aten::where, computed(key_of<aten::where, f0, x1, o2>(whole, {mask, whole, whole}))>(y.data(), flags.data(), x.data(), other.data()), is(given, [&](std::int64_t i) { return other[i]; });
    run<aten::where, computed(key_of<aten::where, f0, x1, o2>(whole, {mask, column, whole}))>(y.data(), flags.data(), other.data(), x.data()), is([&](std::int64_t i) { return other[i / N]; }, given);
    run<aten::where_scalar_other, computed(key_of<aten::where_scalar_other, f0, x1, number(0.5)>(whole, {mask, whole}))>(y.data(), flags.data(), x.data()), is(given, [](std::int64_t) { return T(0.5f); });
    run<aten::masked_fill_scalar, computed(key_of<aten::masked_fill_scalar, f0, x1, number(-INFINITY)>(whole, {whole, mask}))>(y.data(), x.data(), flags.data()), is([](std::int64_t) { return T(-INFINITY); }, given);
    run<aten::masked_fill_tensor, computed(key_of<aten::masked_fill_tensor, f0, x1, o2>(whole, {whole, mask, one}))>(x.data(), x.data(), flags.data(), other.data() + 1);
    std::swap_ranges(x.begin(), x.end(), y.begin()), is([&](std::int64_t) { return other[1]; }, [&](std::int64_t i) { return y[i]; });
    check(kernels::detail::chooses_on_packets<aten::where>(computed(key_of<aten::where, f0, x1, o2>(whole, {mask, column, whole}))) == (Type != dtype::f64));
}

/// y[3, N] of x[3, N], with a row, a column and a transposed matrix.
template <class Op, std::int64_t N, class T, pointwise_slot... More> void strided_operands_are_right(auto meaning, std::source_location where = std::source_location::current()) {
    constexpr dtype type = dtype_of<T>;
    constexpr auto whole = tensor_of(type, {3, N});
    constexpr auto turned = [] {
        auto t = tensor_of(type, {3, N});
        t.strides[0] = 1, t.strides[1] = 3;
        return t;
    }();
    buffer<T> x(3 * N), other(3 * N), y(3 * N);
    x.randomize(), other.randomize();
    const auto is_right = [&](std::int64_t row, std::int64_t column) {
        bool right = true;
        for (std::int64_t i = 0; i < 3; ++i)
            for (std::int64_t j = 0; j < N; ++j) right &= y[i * N + j] == meaning(x[i * N + j], other[i * row + j * column]);
        check(right, "", where);
    };
    run<Op, key_of<Op, operand(0), operand(1), More...>(whole, {whole, tensor_of(type, {N})})>(y.data(), x.data(), other.data()), is_right(0, 1);
    run<Op, key_of<Op, operand(0), operand(1), More...>(whole, {whole, tensor_of(type, {3, 1})})>(y.data(), x.data(), other.data()), is_right(1, 0);
    run<Op, key_of<Op, operand(0), operand(1), More...>(whole, {whole, tensor_of(type, {})})>(y.data(), x.data(), other.data()), is_right(0, 0);
    run<Op, key_of<Op, operand(0), operand(1), More...>(whole, {whole, turned})>(y.data(), x.data(), other.data()), is_right(1, 3);
}

/// Bit by bit, for every 4093th of the floats up to 0, the bounds of exp, infinity and NaN.
void exp_up_to_zero_is_exp() {
    constexpr int L = kernels::widest<float>;
    using vector = kernels::simd<float, L>;
    bool same_bits = true;
    const auto one = [&](std::uint32_t bits) {
        float whole[L], part[L];
        kernels::exp(vector::all(std::bit_cast<float>(bits))).store(whole);
        kernels::exp_up_to_zero(vector::all(std::bit_cast<float>(bits))).store(part);
        for (int i = 0; i < L; ++i) same_bits &= std::bit_cast<std::uint32_t>(whole[i]) == std::bit_cast<std::uint32_t>(part[i]) || (whole[i] != whole[i] && part[i] != part[i]);
    };
    constexpr std::uint32_t minus_infinity = 0xff80'0000;
    for (std::uint32_t bits = 0x8000'0000; bits < minus_infinity; bits += 4093) one(bits);
    const auto low = std::bit_cast<std::uint32_t>(-87.336544f);
    for (std::uint32_t bits = low - 1000; bits < low + 1000; ++bits) one(bits);
    for (std::uint32_t bits : {0u, minus_infinity, 0x7fc0'0000u, 0xffc0'0001u}) one(bits);
    check(same_bits, "exp up to 0");
}

} // namespace

int main() {
    exp_up_to_zero_is_exp();
    contiguous_operands_are_right<0, float>();
    contiguous_operands_are_right<1, float>();
    contiguous_operands_are_right<7, float>();
    contiguous_operands_are_right<8, float>();
    contiguous_operands_are_right<31, float>();
    contiguous_operands_are_right<64, float>(); // the longest that is inlined
    contiguous_operands_are_right<65, float>();
    contiguous_operands_are_right<4099, float>();
    contiguous_operands_are_right<5, double>();
    contiguous_operands_are_right<301, double>();
    strided_operands_are_right<aten::sub, 5, float, number(1)>([](float a, float b) { return a - b; });
    strided_operands_are_right<aten::sub, 133, float, number(1)>([](float a, float b) { return a - b; });
    strided_operands_are_right<aten::minimum, 133, float>([](float a, float b) { return std::min(a, b); });
    strided_operands_are_right<aten::sub, 19, double, number(1)>([](double a, double b) { return a - b; });
    choices_are_right<5, dtype::f32>();
    choices_are_right<133, dtype::f32>();
    choices_are_right<41, dtype::f64>();
    choices_are_right<41, dtype::f16>();
    choices_are_right<41, dtype::bf16>();
    std::cout << "worst ulps: exp " << worst_exp << ", tanh " << worst_tanh << ", sigmoid " << worst_sigmoid << ", erf " << worst_erf << '\n';
    return test::report();
}
