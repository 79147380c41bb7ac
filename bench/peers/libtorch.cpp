// SPDX-License-Identifier: MIT
// libtorch's contenders: at:: functions in InferenceMode, in place where they are given their own results.
// "libtorch" has dense tensors, "libtorch_mkldnn" its convolutions in oneDNN's layout, weights reordered ahead, as
// optimize_for_inference leaves them. Its products are those of the libblas.so.3 that is found, which should be OpenBLAS,
// told its kernels by OPENBLAS_CORETYPE where it does not know the processor: the first line names both.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <dlfcn.h>
#include <torch/csrc/api/include/torch/version.h>

#include <optional>

#include "rows.hpp"

namespace bench {

namespace {

using at::Tensor;

struct net {
    const row_tensors& from;
    bool mkldnn = false;

    Tensor given(const tensor& elements, at::IntArrayRef sizes) const {
        return at::from_blob(const_cast<float*>(elements.data()), sizes, at::kFloat).clone();
    }
    Tensor input(std::size_t i, at::IntArrayRef sizes) const { return given(from.inputs[i], sizes); }
    Tensor weight(const std::string& name, at::IntArrayRef sizes) const { return given(from.weights[name], sizes); }
};

struct dense {
    Tensor weight, bias;
    dense(const net& n, const std::string& name, std::int64_t out, std::int64_t in)
        : weight(n.weight(name + ".weight", {out, in})), bias(n.weight(name + ".bias", {out})) {}
    /// A vector for one row, of which libtorch is several times as fast as of a matrix.
    Tensor operator()(const Tensor& x) const {
        return x.dim() == 1 ? at::addmv(bias, weight, x) : at::linear(x, weight, bias);
    }
};
struct norm {
    Tensor weight, bias;
    norm(const net& n, const std::string& name)
        : weight(n.weight(name + ".weight", {768})), bias(n.weight(name + ".bias", {768})) {}
    Tensor operator()(const Tensor& x) const { return at::layer_norm(x, {768}, weight, bias); }
};
struct convolution {
    std::int64_t step, pad;
    Tensor weight, bias;
    convolution(const net& n, const std::string& name, std::int64_t out, std::int64_t in, std::int64_t kernel,
                std::int64_t stride = 1)
        : step(stride), pad(kernel / 2), weight(n.weight(name + ".weight", {out, in, kernel, kernel})),
          bias(n.weight(name + ".bias", {out})) {
        if (!n.mkldnn) return;
        weight = at::mkldnn_reorder_conv2d_weight(weight.to_mkldnn(), {pad, pad}, {step, step}, {1, 1}, 1);
        bias = bias.to_mkldnn();
    }
    Tensor operator()(const Tensor& x) const { return at::conv2d(x, weight, bias, {step, step}, {pad, pad}); }
};
struct block {
    convolution first, second;
    std::optional<convolution> shortcut;
    block(const net& n, const std::string& name, std::int64_t out, std::int64_t in)
        : first(n, name + "conv1", out, in, 3, out == in ? 1 : 2), second(n, name + "conv2", out, out, 3) {
        if (out != in) shortcut.emplace(n, name + "downsample", out, in, 1, 2);
    }
    Tensor operator()(const Tensor& x) const {
        auto y = second(first(x).relu_());
        return y.add_(shortcut ? (*shortcut)(x) : x).relu_();
    }
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

using run = std::function<std::vector<Tensor>()>;

class libtorch {
public:
    libtorch(const row_tensors& t, run (*make)(const net&), bool mkldnn) {
        at::set_num_threads(threads);
        const c10::InferenceMode inference;
        run_ = make({t, mkldnn});
    }
    void operator()() {
        const c10::InferenceMode inference;
        results_ = run_();
    }
    std::vector<float> outputs() const {
        const c10::InferenceMode inference;
        std::vector<float> all;
        for (const auto& result : results_) {
            const auto plain = (result.is_mkldnn() ? result.to_dense() : result).to(at::kFloat).contiguous();
            all.insert(all.end(), plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel());
        }
        return all;
    }

private:
    run run_;
    std::vector<Tensor> results_;
};

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
run mlp(const net& n) {
    const dense first(n, "first", 512, 784), second(n, "second", 256, 512), third(n, "third", 10, 256);
    const auto batch = static_cast<std::int64_t>(n.from.inputs[0].size()) / 784;
    const auto x = batch == 1 ? n.input(0, {784}) : n.input(0, {batch, 784});
    return [=]() -> std::vector<Tensor> { return {third(second(first(x).relu_()).relu_())}; };
}
run one_block(const net& n) {
    const block only(n, "", 64, 64);
    const auto x = n.input(0, {1, 64, 56, 56});
    if (n.mkldnn) return [=]() -> std::vector<Tensor> { return {only(x.to_mkldnn())}; };
    return [=]() -> std::vector<Tensor> { return {only(x)}; };
}
run resnet18(const net& n) {
    const convolution first(n, "conv1", 64, 3, 7, 2);
    std::vector<block> blocks;
    for (std::int64_t stage = 1, in = 64, out = 64; stage <= 4; ++stage, in = out, out *= 2) {
        const auto name = "layer" + std::to_string(stage) + ".";
        blocks.emplace_back(n, name + "0.", out, in);
        blocks.emplace_back(n, name + "1.", out, out);
    }
    const dense fc(n, "fc", 1000, 512);
    const auto image = n.input(0, {1, 3, 224, 224});
    return [=, mkldnn = n.mkldnn]() -> std::vector<Tensor> {
        auto x = first(mkldnn ? image.to_mkldnn() : image).relu_();
        x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
        for (const auto& each : blocks) x = each(x);
        if (mkldnn) x = x.to_dense();
        return {fc(x.mean({2, 3}))};
    };
}
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
run pointwise(const net& n) {
    const auto size = static_cast<std::int64_t>(n.from.inputs[0].size());
    const auto x = n.input(0, {size}), scale = n.input(1, {size});
    return [=]() -> std::vector<Tensor> {
        auto y = at::mul(x, scale).add_(0.5).tanh_().mul_(1.5).add_(0.25).sigmoid_();
        return {y.mul_(scale).sub_(0.5).tanh_().mul_(2.0).sigmoid_()};
    };
}

void add(const std::string& row, run (*make)(const net&), bool mkldnn = false) {
    entries().push_back({row, mkldnn ? "libtorch_mkldnn" : "libtorch", 0, [=](const row_tensors& t) {
                             return std::make_unique<contending<libtorch>>(t, make, mkldnn);
                         }});
}

[[maybe_unused]] const bool added = [] {
    Dl_info blas{};
    void* const sgemm = dlsym(RTLD_DEFAULT, "sgemm_");
    const bool found = sgemm != nullptr && dladdr(sgemm, &blas) != 0;
    const auto core = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    present().push_back("libtorch " TORCH_VERSION " with sgemm of " + std::string(found ? blas.dli_fname : "its own") +
                        (core != nullptr ? std::string(" for ") + core() : ""));
    for (const char* n : {"16", "32", "64", "128", "256", "512", "1024"}) add(std::string("gemm_") + n, product<>);
    for (const char* n : {"256", "1024", "4096"}) add(std::string("gemv_") + n, product<>);
    add("mm_256_bf16", product<at::kBFloat16>);
    for (const char* row : {"w2_1", "w2_32"}) add(row, mlp);
    for (const bool mkldnn : {false, true}) {
        add("block", one_block, mkldnn);
        add("resnet18", resnet18, mkldnn);
    }
    add("encoder", encoder);
    for (const char* n : {"1", "128", "512", "2048"}) add(std::string("decode_") + n, decode);
    add("attention", attention);
    for (const char* row : {"pointwise_256", "pointwise_1m"}) add(row, pointwise);
    return true;
}();

} // namespace

} // namespace bench
