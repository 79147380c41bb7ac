// SPDX-License-Identifier: MIT
// Layer norm of rows: (x - mean) / sqrt(variance + eps) * weight + bias, in f64 from the moments to the last rounding.
// Source of the semantics: aten/src/ATen/native/layer_norm.cpp.
// Invariant: x and out do not overlap.
#pragma once
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/kernel/reduce.hpp>
#include <ahead/target/op/layer_norm.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

/// f(i, count) for the vectors of a row of N elements: vector i holds `count` of them, a constant. The first ones in a
/// loop where they are many.
template <std::int64_t N, class F> [[gnu::always_inline]] inline void each_vector(F f) {
    constexpr std::int64_t width = register_lanes<double>, whole = N / width;
    constexpr int rest = static_cast<int>(N - whole * width);
    constexpr std::integral_constant<int, static_cast<int>(width)> full{};
    if constexpr (whole <= 8)
        unroll<static_cast<int>(whole)>([&](int i) __attribute__((always_inline)) { f(i, full); });
    else
        for (std::int64_t i = 0; i < whole; ++i) f(i, full);
    if constexpr (rest > 0) f(whole, std::integral_constant<int, rest>{});
}

} // namespace detail

/// weight, bias: not read unless the key has them. mean, rstd: an element a row, not written unless Key.statistics.
template <target::layer_norm_key Key, class T = element_t<Key.type>>
inline void layer_norm(const T* x, [[maybe_unused]] const T* weight, [[maybe_unused]] const T* bias, T* out,
                       [[maybe_unused]] T* mean, [[maybe_unused]] T* rstd) {
    constexpr auto n = Key.count;
    constexpr int width = register_lanes<double>;
    using numbers = lanes<double, width>; // 0 behind the last of a row
    const auto load = [](const T* from, auto count) __attribute__((always_inline)) {
        return lanes<T, width>::template load_first<count()>(from).template as<double>();
    };
    constexpr bool holds = n <= 8 * width; // a row, and what is the same for all of them, stays in registers
    constexpr std::int64_t held = holds ? (n + width - 1) / width : 1;
    [[maybe_unused]] numbers row[held], weights[held], biases[held];
    if constexpr (holds)
        detail::each_vector<n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
            if constexpr (Key.weight) weights[i] = load(weight + i * width, count);
            if constexpr (Key.bias) biases[i] = load(bias + i * width, count);
        });
    for (std::int64_t r = 0; r < Key.rows; ++r, x += n, out += n) {
        const auto at = [&](std::int64_t i, auto count) __attribute__((always_inline)) {
            if constexpr (holds) return row[i];
            else return load(x + i * width, count);
        };
        if constexpr (holds)
            detail::each_vector<n>([&](std::int64_t i, auto count)
                                       __attribute__((always_inline)) { row[i] = load(x + i * width, count); });
        numbers sums[4]{};
        detail::each_vector<n>([&](std::int64_t i, auto count)
                                   __attribute__((always_inline)) { sums[i % 4] = sums[i % 4] + at(i, count); });
        const double middle = ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum() / n;
        numbers squares[4]{};
        detail::each_vector<n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
            auto apart = at(i, count) - numbers::all(middle);
            for (int k = count(); k < width; ++k) apart.value[k] = 0;
            squares[i % 4] = squares[i % 4] + apart * apart;
        });
        const double variance = ((squares[0] + squares[1]) + (squares[2] + squares[3])).sum() / n;
        const double scale = 1 / std::sqrt(variance + std::bit_cast<double>(Key.eps_bits));
        detail::each_vector<n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
            auto y = (at(i, count) - numbers::all(middle)) * numbers::all(scale);
            if constexpr (Key.weight && holds) y = y * weights[i];
            if constexpr (Key.weight && !holds) y = y * load(weight + i * width, count);
            if constexpr (Key.bias && holds) y = y + biases[i];
            if constexpr (Key.bias && !holds) y = y + load(bias + i * width, count);
            y.template as<T>().template store_first<count()>(out + i * width);
        });
        if constexpr (Key.statistics) {
            mean[r] = static_cast<T>(middle);
            rstd[r] = static_cast<T>(scale);
        }
    }
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::layer_norm> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        T *mean = nullptr, *rstd = nullptr;
        if constexpr (Key.statistics) mean = at.template out<T>(1), rstd = at.template out<T>(2);
        kernel::layer_norm<Key>(at.template in<T>(0), at.template in_or_null<T>(1),
                                at.template in_or_null<T>(Key.weight ? 2 : 1), at.template out<T>(), mean, rstd);
    }
};

} // namespace ahead::npu
