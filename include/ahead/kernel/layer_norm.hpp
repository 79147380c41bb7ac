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

/// Numbers in f64, the first Count of T side by side; 0 behind them, where nothing is read or written.
template <class T> struct f64_numbers {
    static constexpr int width = register_lanes<double>;
    using narrow = typename side_by_side<T, width>::type;
    using vector = typename side_by_side<double, width>::type;
    vector value;

    template <int Count> [[gnu::always_inline]] static f64_numbers load(const T* from) {
        narrow loaded{};
        if constexpr (Count == width) std::memcpy(&loaded, from, sizeof loaded);
        else if constexpr (has_lanes<T, width>)
            loaded = std::bit_cast<narrow>(lanes<T, width>::template load_first<Count>(from));
        else
            for (int i = 0; i < Count; ++i) loaded[i] = from[i];
        return {converted<double>(loaded)};
    }
    template <int Count> [[gnu::always_inline]] void store(T* to) const {
        const narrow rounded = __builtin_convertvector(value, narrow);
        if constexpr (Count == width) std::memcpy(to, &rounded, sizeof rounded);
        else if constexpr (has_lanes<T, width>) std::bit_cast<lanes<T, width>>(rounded).template store_first<Count>(to);
        else
            for (int i = 0; i < Count; ++i) to[i] = rounded[i];
    }
};

/// f(i, count) for the vectors of a row of N elements: vector i holds `count` of them, a constant. The first ones in a
/// loop where they are many.
template <class T, std::int64_t N, class F> [[gnu::always_inline]] inline void each_vector(F f) {
    constexpr std::int64_t width = f64_numbers<T>::width, whole = N / width;
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
    using numbers = detail::f64_numbers<T>;
    constexpr auto n = Key.count;
    constexpr int width = numbers::width;
    constexpr bool holds = n <= 8 * width; // a row, and what is the same for all of them, stays in registers
    constexpr std::int64_t held = holds ? (n + width - 1) / width : 1;
    [[maybe_unused]] numbers row[held], weights[held], biases[held];
    if constexpr (holds)
        detail::each_vector<T, n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
            if constexpr (Key.weight) weights[i] = numbers::template load<count()>(weight + i * width);
            if constexpr (Key.bias) biases[i] = numbers::template load<count()>(bias + i * width);
        });
    for (std::int64_t r = 0; r < Key.rows; ++r, x += n, out += n) {
        const auto at = [&](std::int64_t i, auto count) __attribute__((always_inline)) {
            if constexpr (holds) return row[i];
            else return numbers::template load<count()>(x + i * width);
        };
        if constexpr (holds)
            detail::each_vector<T, n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
                row[i] = numbers::template load<count()>(x + i * width);
            });
        typename numbers::vector sums[4]{};
        detail::each_vector<T, n>([&](std::int64_t i, auto count)
                                      __attribute__((always_inline)) { sums[i % 4] += at(i, count).value; });
        const double middle = detail::total_of((sums[0] + sums[1]) + (sums[2] + sums[3])) / n;
        typename numbers::vector squares[4]{};
        detail::each_vector<T, n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
            auto apart = at(i, count).value - middle;
            for (int k = count(); k < width; ++k) apart[k] = 0;
            squares[i % 4] += apart * apart;
        });
        const double variance = detail::total_of((squares[0] + squares[1]) + (squares[2] + squares[3])) / n;
        const double scale = 1 / std::sqrt(variance + std::bit_cast<double>(Key.eps_bits));
        detail::each_vector<T, n>([&](std::int64_t i, auto count) __attribute__((always_inline)) {
            auto y = (at(i, count).value - middle) * scale;
            if constexpr (Key.weight && holds) y *= weights[i].value;
            if constexpr (Key.weight && !holds) y *= numbers::template load<count()>(weight + i * width).value;
            if constexpr (Key.bias && holds) y += biases[i].value;
            if constexpr (Key.bias && !holds) y += numbers::template load<count()>(bias + i * width).value;
            numbers{y}.template store<count()>(out + i * width);
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
