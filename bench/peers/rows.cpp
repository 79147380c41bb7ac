// SPDX-License-Identifier: MIT
// The rows and their tensors. Layers are as PyTorch has them: weights [out, in], images [N, C, H, W].
#include "rows.hpp"

#include "mobilenet_v2.hpp"

namespace bench {

namespace {

/// x[m, n] @ w[n, n]
row_tensors product(std::size_t m, std::size_t n) {
    row_tensors t;
    t.weights.add("w", n * n, 1.7 / std::sqrt(static_cast<double>(n)));
    t.inputs = {random_tensor(1000, m * n)};
    return t;
}

/// The same of whole numbers, which every sum has exactly: x of 0 to 127, for who wants no sign, w of -127 to 127.
row_tensors whole_product(std::size_t n) {
    auto t = product(n, n);
    for (float& x : t.inputs[0]) x = std::floor((x + 1) * 63.9f);
    for (float& x : t.weights["w"]) x = std::round(x / 1.7f * std::sqrt(static_cast<float>(n)) * 127);
    return t;
}

/// A layer of u8 by i8, numbers on grids, n filters of k weights each.
row_tensors quantised_layer(std::size_t inputs, std::size_t n, std::size_t k) {
    row_tensors t;
    t.inputs = {random_tensor(1000, inputs)};
    for (float& x : t.inputs[0]) x = std::floor((x + 1) * 127.9f);
    t.weights.add("w", n * k, 127);
    for (float& x : t.weights["w"]) x = std::round(x);
    t.weights.add("s", n, 0.04 / std::sqrt(static_cast<double>(k)), 0.1f / std::sqrt(static_cast<float>(k)));
    t.weights.add("b", n, 3);
    return t;
}

/// Three layers, a-b-c-d.
row_tensors mlp(std::size_t batch, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    row_tensors t;
    t.weights.add_layer("first", b, a);
    t.weights.add_layer("second", c, b);
    t.weights.add_layer("third", d, c);
    t.inputs = {random_tensor(1000, batch * a)};
    return t;
}

row_tensors lenet() {
    row_tensors t;
    t.weights.add_layer("conv1", 6, 25);
    t.weights.add_layer("conv2", 16, 150);
    t.weights.add_layer("fc1", 120, 400);
    t.weights.add_layer("fc2", 84, 120);
    t.weights.add_layer("fc3", 10, 84);
    t.inputs = {random_tensor(1000, 28 * 28)};
    return t;
}

/// Steps of a cell that reads so many features, one of one unless it is said: x, and as many states as it carries.
row_tensors cell(std::size_t gates, std::size_t hidden, std::size_t states, std::size_t steps = 1,
                 std::size_t features = 1) {
    row_tensors t;
    t.weights.add("weight_ih", gates * hidden * features, 1 / std::sqrt(static_cast<double>(features)));
    t.weights.add("bias_ih", gates * hidden, 0.1);
    t.weights.add("weight_hh", gates * hidden * hidden, 1.7 / std::sqrt(static_cast<double>(hidden)));
    t.weights.add("bias_hh", gates * hidden, 0.1);
    t.inputs = {random_tensor(1000, steps * features)};
    for (std::uint32_t i = 0; i < states; ++i) t.inputs.push_back(random_tensor(1001 + i, hidden));
    return t;
}

row_tensors block() {
    row_tensors t;
    t.weights.add_layer("conv1", 64, 64 * 9);
    t.weights.add_layer("conv2", 64, 64 * 9);
    t.inputs = {random_tensor(1000, 64 * 56 * 56)};
    return t;
}

/// Batch norms folded.
row_tensors resnet18() {
    row_tensors t;
    t.weights.add_layer("conv1", 64, 3 * 49);
    for (std::size_t stage = 1, in = 64, out = 64; stage <= 4; ++stage, in = out, out *= 2)
        for (std::size_t block = 0; block < 2; ++block) {
            const auto name = "layer" + std::to_string(stage) + "." + std::to_string(block) + ".";
            const auto first = block == 0 ? in : out;
            t.weights.add_layer(name + "conv1", out, first * 9);
            t.weights.add_layer(name + "conv2", out, out * 9);
            if (first != out) t.weights.add_layer(name + "downsample", out, first);
        }
    t.weights.add_layer("fc", 1000, 512);
    t.inputs = {random_tensor(1000, 3 * 224 * 224)};
    return t;
}

row_tensors mobilenet_v2(std::size_t batch) {
    row_tensors t;
    walk_mobilenet_v2(0, [&](int, const image_layer& l, const int*) {
        t.weights.add_layer("conv" + std::to_string(l.index), static_cast<std::size_t>(l.out),
                            static_cast<std::size_t>(l.in / l.groups * l.kernel * l.kernel));
        return 0;
    });
    t.weights.add_layer("fc", 1000, 1280);
    t.inputs = {random_tensor(1000, batch * 3 * 224 * 224)};
    return t;
}

/// A layer of BERT-base or GPT-2 small: 768, 12 heads, 3072.
row_tensors transformer(std::size_t tokens) {
    row_tensors t;
    t.weights.add_layer("qkv", 3 * 768, 768);
    t.weights.add_layer("proj", 768, 768);
    t.weights.add_norm("norm1", 768);
    t.weights.add_layer("up", 3072, 768);
    t.weights.add_layer("down", 768, 3072);
    t.weights.add_norm("norm2", 768);
    t.inputs = {random_tensor(1000, tokens * 768)};
    return t;
}

row_tensors decode(std::size_t positions) {
    auto t = transformer(1);
    t.inputs.push_back(random_tensor(1001, 12 * positions * 64));
    t.inputs.push_back(random_tensor(1002, 12 * positions * 64));
    return t;
}

row_tensors with_inputs(std::size_t count, std::size_t elements) {
    row_tensors t;
    for (std::size_t i = 0; i < count; ++i)
        t.inputs.push_back(random_tensor(1000 + static_cast<std::uint32_t>(i), elements));
    return t;
}

std::vector<row> listed() {
    std::vector<row> all;
    const auto add = [&](std::string name, std::function<row_tensors()> tensors, double tolerance = 1e-4) {
        all.push_back({std::move(name), std::move(tensors), tolerance});
    };
    for (const std::size_t n : {8, 16, 32, 64, 128, 256, 512, 1024})
        add("gemm_" + std::to_string(n), [n] { return product(n, n); });
    for (const std::size_t n : {256, 1024, 4096}) add("gemv_" + std::to_string(n), [n] { return product(1, n); });
    for (const std::size_t n : {256, 1024}) {
        add("mm_" + std::to_string(n) + "_bf16", [n] { return product(n, n); }, 0.02);
        add("mm_" + std::to_string(n) + "_i8", [n] { return whole_product(n); }, 0);
    }
    constexpr double step = 1 / 170.; // of the largest of the outputs, which go to 200
    add("linear_u8", [] { return quantised_layer(256 * 1024, 1024, 1024); }, step);
    add("conv_3x3_u8", [] { return quantised_layer(64 * 56 * 56, 64, 64 * 9); }, step);
    add("conv_1x1_u8", [] { return quantised_layer(64 * 56 * 56, 256, 64); }, step);
    add("small_mlp", [] { return mlp(1, 16, 32, 32, 8); });
    add("mnist_mlp_1", [] { return mlp(1, 784, 512, 256, 10); });
    add("mnist_mlp_32", [] { return mlp(32, 784, 512, 256, 10); });
    add("lenet", lenet);
    add("block", block);
    add("resnet18", resnet18, 1e-3);
    for (const std::size_t n : {1, 8}) add("mobilenet_v2_" + std::to_string(n), [n] { return mobilenet_v2(n); }, 1e-3);
    add("encoder", [] { return transformer(128); });
    for (const std::size_t n : {1, 128, 512, 2048}) add("decode_" + std::to_string(n), [n] { return decode(n); });
    add("attention", [] { return with_inputs(3, 8 * 512 * 64); });
    add("lstm_32", [] { return cell(4, 32, 2); });
    add("gru_20", [] { return cell(3, 20, 1); });
    add("lstm_sequence", [] { return cell(4, 128, 2, 100, 64); });
    add("gru_sequence", [] { return cell(3, 128, 1, 100, 64); });
    add("adds", [] { return with_inputs(2, 8); });
    add("pointwise_256", [] { return with_inputs(2, 256); });
    add("pointwise_1m", [] { return with_inputs(2, 1 << 20); });
    add("pointwise_1m_bf16", [] { return with_inputs(2, 1 << 20); }, 0.02);
    return all;
}

} // namespace

const std::vector<row>& all_rows() {
    static const auto all = listed();
    return all;
}

} // namespace bench
