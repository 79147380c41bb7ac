// SPDX-License-Identifier: MIT
// The small workloads through the library's own door: a graph, written with handles or as PyTorch printed it, compiled,
// prepared, run by a session.
#pragma once
#include <ahead/ahead.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

#include "program.hpp"
#include "weights.hpp"

namespace bench {

namespace graphs {

using namespace ::ahead;

template <std::int64_t A, std::int64_t B, std::int64_t C, std::int64_t D>
inline constexpr auto mlp =
    trace([](input<"x", f32<1, A>> x, param<"first.weight", f32<B, A>> weight1, param<"first.bias", f32<B>> bias1,
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

struct silero_vad {
    static constexpr char text[] =
#include "silero_vad.fx"
        ;
};

template <std::int64_t N>
inline constexpr auto activations = trace([](input<"x", f32<N>> x, input<"scale", f32<N>> scale) {
    auto first = tanh(add(mul(x, scale), 0.5));
    auto second = sigmoid(add(mul(first, 1.5), 0.25));
    return outputs(sigmoid(mul(tanh(sub(mul(second, scale), 0.5)), 2.0)));
});

inline constexpr auto chain = trace([](input<"x", f32<8>> x, input<"step", f32<8>> step) {
    auto sum = add(x, step);
    for (int i = 1; i < 100; ++i) sum = add(sum, step);
    return outputs(sum);
});

} // namespace graphs

inline std::vector<named_tensor> weights_of(const mlp_tensors& t) {
    return {{"first.weight", &t.first.weight}, {"first.bias", &t.first.bias},     {"second.weight", &t.second.weight},
            {"second.bias", &t.second.bias},   {"third.weight", &t.third.weight}, {"third.bias", &t.third.bias}};
}
inline std::vector<named_tensor> weights_of(const lenet_tensors& t) {
    return {{"conv1.weight", &t.conv1.weight}, {"conv1.bias", &t.conv1.bias}, {"conv2.weight", &t.conv2.weight},
            {"conv2.bias", &t.conv2.bias},     {"fc1.weight", &t.fc1.weight}, {"fc1.bias", &t.fc1.bias},
            {"fc2.weight", &t.fc2.weight},     {"fc2.bias", &t.fc2.bias},     {"fc3.weight", &t.fc3.weight},
            {"fc3.bias", &t.fc3.bias}};
}
inline std::vector<named_tensor> weights_of(const silero_vad_tensors& t) {
    return {{"stft_basis", &t.basis},        {"enc0.weight", &t.enc0.weight}, {"enc0.bias", &t.enc0.bias},
            {"enc1.weight", &t.enc1.weight}, {"enc1.bias", &t.enc1.bias},     {"enc2.weight", &t.enc2.weight},
            {"enc2.bias", &t.enc2.bias},     {"enc3.weight", &t.enc3.weight}, {"enc3.bias", &t.enc3.bias},
            {"weight_ih", &t.ih.weight},     {"bias_ih", &t.ih.bias},         {"weight_hh", &t.hh.weight},
            {"bias_hh", &t.hh.bias},         {"out.weight", &t.out.weight},   {"out.bias", &t.out.bias}};
}
inline std::vector<named_tensor> weights_of(const activation_tensors&) { return {}; }
inline std::vector<named_tensor> weights_of(const chain_tensors&) { return {}; }

inline std::vector<const tensor*> inputs_of(const mlp_tensors& t) { return {&t.input}; }
inline std::vector<const tensor*> inputs_of(const lenet_tensors& t) { return {&t.input}; }
inline std::vector<const tensor*> inputs_of(const silero_vad_tensors& t) { return {&t.audio, &t.h, &t.c}; }
inline std::vector<const tensor*> inputs_of(const activation_tensors& t) { return {&t.x, &t.scale}; }
inline std::vector<const tensor*> inputs_of(const chain_tensors& t) { return {&t.x, &t.step}; }

namespace programs {
using w1 = program<::ahead::compiled<graphs::mlp<16, 32, 32, 8>>>;
using w2 = program<::ahead::compiled<graphs::mlp<784, 512, 256, 10>>>;
using w3 = program<::ahead::compiled<graphs::lenet>>;
using silero_vad = program<::ahead::compiled<::ahead::fx<graphs::silero_vad>>>;
using w7 = program<::ahead::compiled<graphs::activations<256>>>;
using w7_1m = program<::ahead::compiled<graphs::activations<1 << 20>>>;
using w8 = program<::ahead::compiled<graphs::chain>>;
} // namespace programs

} // namespace bench
