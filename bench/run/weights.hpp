// SPDX-License-Identifier: MIT
// The tensors of every workload, in PyTorch's layout, from fixed seeds: each subject prepares its own copies from the
// same numbers.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
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
        : weight(random_tensor(seed, out * in, 1.7 / std::sqrt(static_cast<double>(in)))),
          bias(random_tensor(seed + 1000, out, 0.1)) {}
};

/// A model's weights, by the names that its graph knows them by.
class model_weights {
public:
    /// Uniform in [middle - scale, middle + scale].
    void add(const std::string& name, std::size_t count, double scale, float middle = 0) {
        auto t = random_tensor(static_cast<std::uint32_t>(tensors_.size() + 1), count, scale);
        for (float& x : t) x += middle;
        tensors_.emplace(name, std::move(t));
    }
    /// name.weight [out, in...] and name.bias [out]
    void add_layer(const std::string& name, std::size_t out, std::size_t in) {
        add(name + ".weight", out * in, 1.7 / std::sqrt(static_cast<double>(in)));
        add(name + ".bias", out, 0.1);
    }
    /// name.weight and name.bias of a normalisation
    void add_norm(const std::string& name, std::size_t count) {
        add(name + ".weight", count, 0.2, 1);
        add(name + ".bias", count, 0.1);
    }
    tensor& operator[](const std::string& name) { return tensors_.at(name); }
    const tensor& operator[](const std::string& name) const { return tensors_.at(name); }
    auto begin() const { return tensors_.begin(); }
    auto end() const { return tensors_.end(); }

private:
    std::map<std::string, tensor> tensors_;
};

struct mlp_tensors { // small_mlp: 16-32-32-8, mnist_mlp: 784-512-256-10
    layer first, second, third;
    tensor input;
    mlp_tensors(std::size_t a, std::size_t b, std::size_t c, std::size_t d)
        : first(1, b, a), second(2, c, b), third(3, d, c), input(random_tensor(4, a)) {}
};

struct lenet_tensors {
    layer conv1{1, 6, 25}, conv2{2, 16, 150}, fc1{3, 120, 400}, fc2{4, 84, 120}, fc3{5, 10, 84};
    tensor input = random_tensor(6, 28 * 28);
};

struct silero_vad_tensors {
    tensor basis = random_tensor(1, 258 * 256, 0.1);
    layer enc0{2, 128, 129 * 3}, enc1{3, 64, 128 * 3}, enc2{4, 64, 64 * 3}, enc3{5, 128, 64 * 3}, ih{6, 512, 128},
        hh{7, 512, 128}, out{8, 1, 128};
    tensor audio = random_tensor(9, 576), h = random_tensor(10, 128), c = random_tensor(11, 128);
};

struct activation_tensors {
    tensor x, scale;
    explicit activation_tensors(std::size_t n) : x(random_tensor(1, n)), scale(random_tensor(2, n)) {}
};

struct chain_tensors {
    tensor x = random_tensor(1, 8), step = random_tensor(2, 8, 0.01);
};

struct resnet18_w16_tensors {
    model_weights weights;
    tensor image = random_tensor(1, 3 * 64 * 64);

    resnet18_w16_tensors() {
        add_convolution("conv1", "bn1", 16, 3 * 49);
        std::size_t in = 16, out = 16;
        for (int stage = 1; stage <= 4; ++stage, in = out, out *= 2)
            for (int block = 0; block < 2; ++block) {
                const auto name = "layer" + std::to_string(stage) + "." + std::to_string(block) + ".";
                const auto first = block == 0 && stage > 1 ? in : out;
                add_convolution(name + "conv1", name + "bn1", out, first * 9);
                add_convolution(name + "conv2", name + "bn2", out, out * 9);
                if (first != out) add_convolution(name + "downsample.0", name + "downsample.1", out, first);
            }
        weights.add_layer("fc", 10, 128);
    }

private:
    void add_convolution(const std::string& name, const std::string& norm, std::size_t out, std::size_t in) {
        weights.add(name + ".weight", out * in, 1.7 / std::sqrt(static_cast<double>(in)));
        weights.add_norm(norm, out);
        weights.add(norm + ".running_mean", out, 0.1);
        weights.add(norm + ".running_var", out, 0.5, 1);
    }
};

/// Of two transformer blocks, l1 and l2.
inline void add_transformer_blocks(model_weights& weights, std::size_t width, std::size_t hidden) {
    for (const std::string name : {"l1.", "l2."}) {
        weights.add_norm(name + "n1", width);
        weights.add_layer(name + "a.qkv", 3 * width, width);
        weights.add_layer(name + "a.proj", width, width);
        weights.add_norm(name + "n2", width);
        weights.add_layer(name + "f1", hidden, width);
        weights.add_layer(name + "f2", width, hidden);
    }
    weights.add_norm("norm", width);
}

struct vit_tiny_tensors {
    model_weights weights;
    tensor images = random_tensor(1, 2 * 3 * 32 * 32);

    vit_tiny_tensors() {
        weights.add("cls", 48, 0.5);
        weights.add("pos", 17 * 48, 0.5);
        weights.add_layer("patch", 48, 3 * 8 * 8);
        add_transformer_blocks(weights, 48, 96);
        weights.add_layer("head", 10, 48);
    }
};

struct gpt_block_tensors {
    model_weights weights;
    tensor tokens = random_tensor(1, 24); // ids, as floats

    gpt_block_tensors() {
        weights.add("tok.weight", 64 * 32, 1);
        weights.add("pe.weight", 16 * 32, 1);
        weights.add("mask", 16 * 16, 0);
        for (std::size_t row = 0; row < 16; ++row)
            for (std::size_t column = 0; column <= row; ++column) weights["mask"][row * 16 + column] = 1;
        add_transformer_blocks(weights, 32, 64);
        weights.add("head.weight", 64 * 32, 0.3);
        for (float& id : tokens) id = std::floor((id + 1) * 31.99f);
    }
};

} // namespace bench
