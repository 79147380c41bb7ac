// SPDX-License-Identifier: MIT
// Every workload as a plain sequence of our own kernels, operator by operator as the graph says, each output in its own place of one buffer:
// what a plan without fusion comes down to, and so what the kernels themselves are worth.
#pragma once
#include <ahead/npu/kernel/convolution.hpp>
#include <ahead/npu/kernel/matmul.hpp>
#include <ahead/npu/kernel/max_pool2d.hpp>
#include <ahead/npu/kernel/packet_math.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "weights.hpp"

namespace bench::kernels {

namespace kernel = ahead::npu::kernel;
namespace target = ahead::target;
using ahead::dtype;

/// y[Out] = weight[Out, In] x + bias, packed.
template <std::int64_t Out, std::int64_t In> struct dense {
    static constexpr target::matmul_key key{dtype::f32, 1, Out, In, true, true, In, 1, 1, In, 0, 1};
    alignas(64) float weight[static_cast<std::size_t>(target::packed_elements(key))];
    alignas(64) float bias[Out];
    explicit dense(const layer& from) {
        kernel::pack_matmul<key>(from.weight.data(), weight);
        std::copy(from.bias.begin(), from.bias.end(), bias);
    }
    void operator()(const float* x, float* y) const { kernel::matmul<key>(x, weight, bias, y); }
};

template <target::convolution_key Key> struct convolution {
    alignas(64) float weight[static_cast<std::size_t>(target::packed_elements(Key))];
    alignas(64) float bias[Key.out_channels];
    alignas(64) std::byte workspace[target::workspace_bytes(Key) + 1];
    explicit convolution(const layer& from) {
        kernel::pack_convolution<Key>(from.weight.data(), weight);
        std::copy(from.bias.begin(), from.bias.end(), bias);
    }
    explicit convolution(const tensor& from) { kernel::pack_convolution<Key>(from.data(), weight); }
    void operator()(const float* x, float* y) { kernel::convolution<Key>(x, weight, bias, y, workspace); }
};

template <std::int64_t A, std::int64_t B, std::int64_t C, std::int64_t D> struct mlp {
    dense<B, A> first;
    dense<C, B> second;
    dense<D, C> third;
    alignas(64) float input[A];
    alignas(64) float a[B], a_relu[B], b[C], b_relu[C], output[D];
    explicit mlp(const mlp_tensors& t) : first(t.first), second(t.second), third(t.third) { std::copy(t.input.begin(), t.input.end(), input); }
    void operator()() {
        first(input, a);
        kernel::relu<B>(a, a_relu);
        second(a_relu, b);
        kernel::relu<C>(b, b_relu);
        third(b_relu, output);
    }
    std::span<const float> outputs() const { return output; }
};
using w1 = mlp<16, 32, 32, 8>;
using w2 = mlp<784, 512, 256, 10>;

struct w3 {
    convolution<target::convolution_key{.in_h = 28, .in_w = 28, .out_channels = 6, .kernel_h = 5, .kernel_w = 5, .pad_h = 2, .pad_w = 2, .bias = true}> conv1;
    convolution<target::convolution_key{.in_channels = 6, .in_h = 14, .in_w = 14, .out_channels = 16, .kernel_h = 5, .kernel_w = 5, .bias = true}> conv2;
    dense<120, 400> fc1;
    dense<84, 120> fc2;
    dense<10, 84> fc3;
    alignas(64) float input[784];
    alignas(64) float maps1[6 * 784], relu1[6 * 784], pooled1[6 * 196];
    alignas(64) float maps2[1600], relu2[1600], pooled2[400];
    alignas(64) float a[120], b[84], output[10];

    explicit w3(const lenet_tensors& t) : conv1(t.conv1), conv2(t.conv2), fc1(t.fc1), fc2(t.fc2), fc3(t.fc3) { std::copy(t.input.begin(), t.input.end(), input); }

    void operator()() {
        using target::max_pool2d_key;
        conv1(input, maps1);
        kernel::relu<6 * 784>(maps1, relu1);
        kernel::max_pool2d<max_pool2d_key{dtype::f32, 6, 28, 28, 14, 14, 2, 2, 2, 2}>(relu1, pooled1);
        conv2(pooled1, maps2);
        kernel::relu<1600>(maps2, relu2);
        kernel::max_pool2d<max_pool2d_key{dtype::f32, 16, 10, 10, 5, 5, 2, 2, 2, 2}>(relu2, pooled2);
        fc1(pooled2, a);
        kernel::relu<120>(a, a);
        fc2(a, b);
        kernel::relu<84>(b, b);
        fc3(b, output);
    }
    std::span<const float> outputs() const { return output; }
};

struct silero_vad {
    convolution<target::convolution_key{.in_w = 640, .out_channels = 258, .kernel_w = 256, .stride_w = 128}> stft;
    convolution<target::convolution_key{.in_channels = 129, .in_w = 4, .out_channels = 128, .kernel_w = 3, .pad_w = 1, .bias = true}> enc0;
    convolution<target::convolution_key{.in_channels = 128, .in_w = 4, .out_channels = 64, .kernel_w = 3, .stride_w = 2, .pad_w = 1, .bias = true}> enc1;
    convolution<target::convolution_key{.in_channels = 64, .in_w = 2, .out_channels = 64, .kernel_w = 3, .stride_w = 2, .pad_w = 1, .bias = true}> enc2;
    convolution<target::convolution_key{.in_channels = 64, .in_w = 1, .out_channels = 128, .kernel_w = 3, .pad_w = 1, .bias = true}> enc3;
    convolution<target::convolution_key{.in_channels = 128, .bias = true}> head;
    dense<512, 128> ih, hh;
    alignas(64) float audio[576];
    alignas(64) float h[128], c[128];
    alignas(64) float padded[640], spectrum[258 * 4], real[516], imaginary[516], power[516], magnitude[516];
    alignas(64) float y0[512], y1[128], y2[64], y3[128];
    alignas(64) float from_x[512], from_h[512], gates[512];
    alignas(64) float in[128], forget[128], cell[128], out[128], kept[128], added[128], activated[128], score[16];
    alignas(64) float result[1 + 128 + 128];

    explicit silero_vad(const silero_vad_tensors& t)
        : stft(t.basis), enc0(t.enc0), enc1(t.enc1), enc2(t.enc2), enc3(t.enc3), head(t.out), ih(t.ih), hh(t.hh) {
        std::copy(t.audio.begin(), t.audio.end(), audio);
        std::copy(t.h.begin(), t.h.end(), h);
        std::copy(t.c.begin(), t.c.end(), c);
    }

    void operator()() {
        std::copy(audio, audio + 576, padded);
        for (int i = 0; i < 64; ++i) padded[576 + i] = audio[574 - i];
        stft(padded, spectrum);
        kernel::mul<516>(spectrum, spectrum, real);
        kernel::mul<516>(spectrum + 516, spectrum + 516, imaginary);
        kernel::add<516>(real, imaginary, power);
        kernel::sqrt<516>(power, magnitude);
        enc0(magnitude, y0);
        kernel::relu<512>(y0, y0);
        enc1(y0, y1);
        kernel::relu<128>(y1, y1);
        enc2(y1, y2);
        kernel::relu<64>(y2, y2);
        enc3(y2, y3);
        kernel::relu<128>(y3, y3);
        ih(y3, from_x);
        hh(h, from_h);
        kernel::add<512>(from_x, from_h, gates);
        float* const next_h = result + 1;
        float* const next_c = result + 129;
        kernel::sigmoid<128>(gates + 128, forget);
        kernel::mul<128>(forget, c, kept);
        kernel::sigmoid<128>(gates, in);
        kernel::tanh<128>(gates + 256, cell);
        kernel::mul<128>(in, cell, added);
        kernel::add<128>(kept, added, next_c);
        kernel::sigmoid<128>(gates + 384, out);
        kernel::tanh<128>(next_c, activated);
        kernel::mul<128>(out, activated, next_h);
        kernel::relu<128>(next_h, activated);
        head(activated, score);
        kernel::sigmoid<1>(score, result);
    }
    std::span<const float> outputs() const { return result; }
};

struct w8 {
    alignas(64) float x[8];
    alignas(64) float step[8];
    alignas(64) float arena[2][16];

    explicit w8(const chain_tensors& t) {
        std::copy(t.x.begin(), t.x.end(), x);
        std::copy(t.step.begin(), t.step.end(), step);
    }
    /// 100 operators, their results in two places by turns, as a planner would lay them.
    void operator()() {
        kernel::add<8>(x, step, arena[0]);
        kernel::unroll<99>([&](auto i) __attribute__((always_inline)) { kernel::add<8>(arena[i % 2], step, arena[(i + 1) % 2]); });
    }
    std::span<const float> outputs() const { return {arena[1], 8}; }
};

} // namespace bench::kernels
