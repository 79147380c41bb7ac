// SPDX-License-Identifier: MIT
// The small workloads as graphs in handles, for whatever compiles them: small_mlp, mnist_mlp, lenet, activations, adds.
#pragma once
#include <ahead/ahead.hpp>

#include <cstdint>

namespace bench::graphs {

using namespace ::ahead;

template <std::int64_t Batch, std::int64_t A, std::int64_t B, std::int64_t C, std::int64_t D>
inline constexpr auto mlp =
    trace([](input<"x", f32<Batch, A>> x, param<"first.weight", f32<B, A>> weight1, param<"first.bias", f32<B>> bias1,
             param<"second.weight", f32<C, B>> weight2, param<"second.bias", f32<C>> bias2,
             param<"third.weight", f32<D, C>> weight3, param<"third.bias", f32<D>> bias3) {
        return outputs(linear(relu(linear(relu(linear(x, weight1, bias1)), weight2, bias2)), weight3, bias3));
    });

inline constexpr auto lenet = trace(
    [](input<"x", f32<1, 1, 28, 28>> x, param<"conv1.weight", f32<6, 1, 5, 5>> weight1,
       param<"conv1.bias", f32<6>> bias1, param<"conv2.weight", f32<16, 6, 5, 5>> weight2,
       param<"conv2.bias", f32<16>> bias2, param<"fc1.weight", f32<120, 400>> weight3,
       param<"fc1.bias", f32<120>> bias3, param<"fc2.weight", f32<84, 120>> weight4, param<"fc2.bias", f32<84>> bias4,
       param<"fc3.weight", f32<10, 84>> weight5, param<"fc3.bias", f32<10>> bias5) {
        auto first = max_pool2d<kernel<2, 2>>(relu(conv2d<padding<2, 2>>(x, weight1, bias1)));
        auto second = max_pool2d<kernel<2, 2>>(relu(conv2d(first, weight2, bias2)));
        return outputs(
            linear(relu(linear(relu(linear(flatten<1>(second), weight3, bias3)), weight4, bias4)), weight5, bias5));
    });

template <std::int64_t N, dtype Type = dtype::f32>
inline constexpr auto activations = trace([](input<"x", dense<Type, N>> x, input<"scale", dense<Type, N>> scale) {
    auto first = tanh(add(mul(x, scale), 0.5));
    auto second = sigmoid(add(mul(first, 1.5), 0.25));
    return outputs(sigmoid(mul(tanh(sub(mul(second, scale), 0.5)), 2.0)));
});

inline constexpr auto chain = trace([](input<"x", f32<8>> x, input<"step", f32<8>> step) {
    auto sum = add(x, step);
    for (int i = 1; i < 100; ++i) sum = add(sum, step);
    return outputs(sum);
});

} // namespace bench::graphs
