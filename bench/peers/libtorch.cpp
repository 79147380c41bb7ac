// SPDX-License-Identifier: MIT
// libtorch's contenders without convolutions. Its products are those of the libblas.so.3 that is found, which should be
// OpenBLAS, told its kernels by OPENBLAS_CORETYPE where it does not know the processor: the first line names both.
#include <dlfcn.h>
#include <torch/csrc/api/include/torch/version.h>

#include "libtorch.hpp"

namespace bench {

namespace {

template <at::ScalarType Type = at::kFloat> run product(const net& n) {
    const auto side = static_cast<std::int64_t>(std::sqrt(n.from.weights["w"].size()));
    const auto rows = static_cast<std::int64_t>(n.from.inputs[0].size()) / side;
    const auto w = n.weight("w", {side, side}).to(Type);
    if (rows == 1) {
        const auto x = n.input(0, {side}), turned = w.t().contiguous();
        return [=]() -> std::vector<Tensor> { return {at::mv(turned, x)}; };
    }
    const auto x = n.input(0, {rows, side}).to(Type);
    return [=]() -> std::vector<Tensor> { return {at::mm(x, w)}; };
}
run mlp(const net& n, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    const dense first(n, "first", b, a), second(n, "second", c, b), third(n, "third", d, c);
    const auto batch = static_cast<std::int64_t>(n.from.inputs[0].size()) / a;
    const auto x = batch == 1 ? n.input(0, {a}) : n.input(0, {batch, a});
    return [=]() -> std::vector<Tensor> { return {third(second(first(x).relu_()).relu_())}; };
}
run small_mlp(const net& n) { return mlp(n, 16, 32, 32, 8); }
run mnist_mlp(const net& n) { return mlp(n, 784, 512, 256, 10); }

struct norm {
    Tensor weight, bias;
    norm(const net& n, const std::string& name)
        : weight(n.weight(name + ".weight", {768})), bias(n.weight(name + ".bias", {768})) {}
    Tensor operator()(const Tensor& x) const { return at::layer_norm(x, {768}, weight, bias); }
};
/// [tokens, 768], or [768], as [1, 12, tokens, 64]
Tensor heads(const Tensor& x) { return x.view({1, x.numel() / 768, 12, 64}).transpose(1, 2); }
Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v) {
    return at::matmul(at::softmax(at::matmul(q, k.transpose(2, 3)).mul_(0.125), 3), v);
}
Tensor merged(const Tensor& seen, at::IntArrayRef sizes) { return seen.transpose(1, 2).reshape(sizes); }

struct transformer {
    dense qkv, proj, up, down;
    norm norm1, norm2;
    explicit transformer(const net& n)
        : qkv(n, "qkv", 2304, 768), proj(n, "proj", 768, 768), up(n, "up", 3072, 768), down(n, "down", 768, 3072),
          norm1(n, "norm1"), norm2(n, "norm2") {}
};

run encoder(const net& n) {
    const transformer layer(n);
    const auto x = n.input(0, {128, 768});
    return [=]() -> std::vector<Tensor> {
        const auto parts = layer.qkv(x).split(768, 1);
        const auto seen = merged(attend(heads(parts[0]), heads(parts[1]), heads(parts[2])), {128, 768});
        const auto h = layer.norm1(layer.proj(seen).add_(x));
        return {layer.norm2(layer.down(at::gelu(layer.up(h))).add_(h))};
    };
}
run decode(const net& n) {
    const transformer layer(n);
    const auto positions = static_cast<std::int64_t>(n.from.inputs[1].size()) / 768;
    const auto x = n.input(0, {768}), k = n.input(1, {1, 12, positions, 64}), v = n.input(2, {1, 12, positions, 64});
    return [=]() -> std::vector<Tensor> {
        const auto all = layer.qkv(layer.norm1(x));
        const auto h = layer.proj(merged(attend(heads(all.slice(0, 0, 768)), k, v), {768})).add_(x);
        return {layer.down(at::gelu(layer.up(layer.norm2(h)))).add_(h), all.slice(0, 768)};
    };
}
run attention(const net& n) {
    const auto q = n.input(0, {1, 8, 512, 64}), k = n.input(1, {1, 8, 512, 64}), v = n.input(2, {1, 8, 512, 64});
    return [=]() -> std::vector<Tensor> { return {attend(q, k, v)}; };
}
struct cell_weights {
    Tensor ih, hh, bias_ih, bias_hh;
    cell_weights(const net& n, std::int64_t gates, std::int64_t hidden)
        : ih(n.weight("weight_ih", {gates * hidden, 1})), hh(n.weight("weight_hh", {gates * hidden, hidden})),
          bias_ih(n.weight("bias_ih", {gates * hidden})), bias_hh(n.weight("bias_hh", {gates * hidden})) {}
};
run lstm(const net& n) {
    const cell_weights w(n, 4, 32);
    const auto x = n.input(0, {1, 1}), h = n.input(1, {1, 32}), c = n.input(2, {1, 32});
    return [=]() -> std::vector<Tensor> {
        auto [next_h, next_c] = at::lstm_cell(x, {h, c}, w.ih, w.hh, w.bias_ih, w.bias_hh);
        return {next_h, next_c};
    };
}
run gru(const net& n) {
    const cell_weights w(n, 3, 20);
    const auto x = n.input(0, {1, 1}), h = n.input(1, {1, 20});
    return [=]() -> std::vector<Tensor> { return {at::gru_cell(x, h, w.ih, w.hh, w.bias_ih, w.bias_hh)}; };
}
/// The weights of 100 steps that read 64 features, with 128 states.
std::vector<Tensor> sequence_weights(const net& n, std::int64_t gates) {
    return {n.weight("weight_ih", {gates * 128, 64}), n.weight("weight_hh", {gates * 128, 128}),
            n.weight("bias_ih", {gates * 128}), n.weight("bias_hh", {gates * 128})};
}
run lstm_sequence(const net& n) {
    const auto w = sequence_weights(n, 4);
    const auto x = n.input(0, {100, 1, 64}), h = n.input(1, {1, 1, 128}), c = n.input(2, {1, 1, 128});
    return [=]() -> std::vector<Tensor> {
        auto [y, next_h, next_c] = at::lstm(x, {h, c}, w, true, 1, 0, false, false, false);
        return {y, next_c};
    };
}
run gru_sequence(const net& n) {
    const auto w = sequence_weights(n, 3);
    const auto x = n.input(0, {100, 1, 64}), h = n.input(1, {1, 1, 128});
    return [=]() -> std::vector<Tensor> { return {std::get<0>(at::gru(x, h, w, true, 1, 0, false, false, false))}; };
}
run chain(const net& n) {
    const auto x = n.input(0, {8}), step = n.input(1, {8});
    return [=]() -> std::vector<Tensor> {
        auto sum = at::add(x, step);
        for (int i = 1; i < 100; ++i) sum.add_(step);
        return {sum};
    };
}
template <at::ScalarType Type = at::kFloat> run pointwise(const net& n) {
    const auto size = static_cast<std::int64_t>(n.from.inputs[0].size());
    const auto x = n.input(0, {size}).to(Type), scale = n.input(1, {size}).to(Type);
    return [=]() -> std::vector<Tensor> {
        auto y = at::mul(x, scale).add_(0.5).tanh_().mul_(1.5).add_(0.25).sigmoid_();
        return {y.mul_(scale).sub_(0.5).tanh_().mul_(2.0).sigmoid_()};
    };
}

[[maybe_unused]] const bool added = [] {
    Dl_info blas{};
    void* const sgemm = dlsym(RTLD_DEFAULT, "sgemm_");
    const bool found = sgemm != nullptr && dladdr(sgemm, &blas) != 0;
    const auto core = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    present().push_back("libtorch " TORCH_VERSION " with sgemm of " + std::string(found ? blas.dli_fname : "its own") +
                        (core != nullptr ? std::string(" for ") + core() : ""));
    for (const char* n : {"8", "16", "32", "64", "128", "256", "512", "1024"})
        add_libtorch(std::string("gemm_") + n, product<>);
    for (const char* n : {"256", "1024", "4096"}) add_libtorch(std::string("gemv_") + n, product<>);
    for (const char* row : {"mm_256_bf16", "mm_1024_bf16"}) add_libtorch(row, product<at::kBFloat16>);
    add_libtorch("small_mlp", small_mlp);
    for (const char* row : {"mnist_mlp_1", "mnist_mlp_32"}) add_libtorch(row, mnist_mlp);
    add_libtorch("encoder", encoder);
    for (const char* n : {"1", "128", "512", "2048"}) add_libtorch(std::string("decode_") + n, decode);
    add_libtorch("attention", attention);
    add_libtorch("lstm_32", lstm);
    add_libtorch("lstm_sequence", lstm_sequence);
    add_libtorch("gru_sequence", gru_sequence);
    add_libtorch("gru_20", gru);
    add_libtorch("adds", chain);
    for (const char* row : {"pointwise_256", "pointwise_1m"}) add_libtorch(row, pointwise<>);
    add_libtorch("pointwise_1m_bf16", pointwise<at::kBFloat16>);
    return true;
}();

} // namespace

} // namespace bench
