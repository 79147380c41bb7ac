// SPDX-License-Identifier: MIT
// The small workloads through the library's own door: a graph, written with handles or as PyTorch printed it, compiled,
// prepared, run by a session.
#pragma once
#include <ahead/ahead.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

#include "graphs.hpp"
#include "program.hpp"
#include "weights.hpp"

namespace bench {

namespace graphs {

struct silero_vad {
    static constexpr char text[] =
#include "silero_vad.fx"
        ;
};

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
using small_mlp = program<::ahead::compiled<graphs::mlp<1, 16, 32, 32, 8>>>;
using mnist_mlp = program<::ahead::compiled<graphs::mlp<1, 784, 512, 256, 10>>>;
using lenet = program<::ahead::compiled<graphs::lenet>>;
using silero_vad = program<::ahead::compiled<::ahead::fx<graphs::silero_vad>>>;
using activations = program<::ahead::compiled<graphs::activations<256>>>;
using activations_1m = program<::ahead::compiled<graphs::activations<1 << 20>>>;
using adds = program<::ahead::compiled<graphs::chain>>;
} // namespace programs

} // namespace bench
