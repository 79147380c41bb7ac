// SPDX-License-Identifier: MIT
// The tensors of every workload, in PyTorch's layout, from one seed: each subject prepares its own copies from the same numbers.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

using tensor = std::vector<float>;

/// Uniform in [-scale, scale]; the same for the same seed.
inline tensor random_tensor(std::uint32_t seed, std::size_t count, double scale = 1) {
    std::mt19937 bits(seed);
    std::uniform_real_distribution<float> uniform(static_cast<float>(-scale), static_cast<float>(scale));
    tensor t(count);
    for (float& x : t) x = uniform(bits);
    return t;
}

/// A layer's weight [out, in] or [out, in, kernel...] and bias [out], scaled as PyTorch initialises them.
struct layer {
    tensor weight, bias;
    layer(std::uint32_t seed, std::size_t out, std::size_t in)
        : weight(random_tensor(seed, out * in, 1.7 / std::sqrt(static_cast<double>(in)))), bias(random_tensor(seed + 1000, out, 0.1)) {}
};

struct mlp_tensors { // W1: 16-32-32-8, W2: 784-512-256-10
    layer first, second, third;
    tensor input;
    mlp_tensors(std::size_t a, std::size_t b, std::size_t c, std::size_t d) : first(1, b, a), second(2, c, b), third(3, d, c), input(random_tensor(4, a)) {}
};

struct lenet_tensors {
    layer conv1{1, 6, 25}, conv2{2, 16, 150}, fc1{3, 120, 400}, fc2{4, 84, 120}, fc3{5, 10, 84};
    tensor input = random_tensor(6, 28 * 28);
};

struct silero_vad_tensors {
    tensor basis = random_tensor(1, 258 * 256, 0.1);
    layer enc0{2, 128, 129 * 3}, enc1{3, 64, 128 * 3}, enc2{4, 64, 64 * 3}, enc3{5, 128, 64 * 3}, ih{6, 512, 128}, hh{7, 512, 128}, out{8, 1, 128};
    tensor audio = random_tensor(9, 576), h = random_tensor(10, 128), c = random_tensor(11, 128);
};

struct activation_tensors {
    tensor x, scale;
    explicit activation_tensors(std::size_t n) : x(random_tensor(1, n)), scale(random_tensor(2, n)) {}
};

struct chain_tensors {
    tensor x = random_tensor(1, 8), step = random_tensor(2, 8, 0.01);
};

} // namespace bench
