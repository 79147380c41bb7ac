// SPDX-License-Identifier: MIT
// oneDNN's contenders. "onednn" has its products as matmuls and its convolutions as it chooses itself; "onednn_ip" has
// the same layers as inner products, "onednn_winograd" its convolutions by convolution_winograd where it has that.
// Images come in PyTorch's layout, as they do for ahead, and stay in oneDNN's when they are put out.
#include <dnnl_version.h>

#include "onednn_net.hpp"

namespace bench {

namespace {

using dnnl::algorithm;

struct product : onednn_net {
    product(const row_tensors& t, bool inner, type element = type::f32) {
        const auto n = static_cast<std::int64_t>(std::sqrt(t.weights["w"].size())),
                   m = static_cast<std::int64_t>(t.inputs[0].size()) / n;
        inner_products = inner;
        auto x = prepared(given(t.inputs[0], {m, n}), plain({m, n}, element));
        result(dense(x, t.weights["w"], n, {n, 1}, nullptr), plain({m, n}));
    }
};

struct mlp : onednn_net {
    mlp(const row_tensors& t, bool inner) {
        inner_products = inner;
        const auto batch = static_cast<std::int64_t>(t.inputs[0].size()) / 784;
        const tail relu{.then = algorithm::eltwise_relu};
        auto h = linear(given(t.inputs[0], {batch, 784}), t, "first", relu);
        result(linear(linear(h, t, "second", relu), t, "third"), plain({batch, 10}));
    }
};

struct residual_net : onednn_net {
    algorithm how;
    explicit residual_net(algorithm chosen) : how(chosen) {}
    /// The second convolution is added to the shortcut in its place: without one, to what the first one reads.
    memory block(memory x, memory shortcut, const row_tensors& t, const std::string& name, std::int64_t step) {
        const tail relu{.then = algorithm::eltwise_relu};
        memory read;
        auto first = convolution(x, t, name + "conv1", 3, step, how, relu, &read);
        return convolution(first, t, name + "conv2", 3, 1, how,
                           {.sum = shortcut ? shortcut : read, .then = algorithm::eltwise_relu});
    }
};

struct block : residual_net {
    block(const row_tensors& t, algorithm chosen) : residual_net(chosen) {
        const dims sizes = {1, 64, 56, 56};
        result(residual_net::block(given(t.inputs[0], sizes), {}, t, "", 1), plain(sizes));
    }
};

struct resnet18 : residual_net {
    resnet18(const row_tensors& t, algorithm chosen) : residual_net(chosen) {
        auto x =
            convolution(given(t.inputs[0], {1, 3, 224, 224}), t, "conv1", 7, 2, how, {.then = algorithm::eltwise_relu});
        x = pool(x, algorithm::pooling_max, 3, 2, 1);
        for (const char* stage : {"1", "2", "3", "4"})
            for (const char* number : {"0", "1"}) {
                const auto name = std::string("layer") + stage + "." + number + ".";
                const bool halves = *stage > '1' && *number == '0';
                auto shortcut = halves ? convolution(x, t, name + "downsample", 1, 2, how) : memory();
                x = residual_net::block(x, shortcut, t, name, halves ? 2 : 1);
            }
        x = reordered(pool(x, algorithm::pooling_avg_exclude_padding, 7, 1, 0), plain({1, 512, 1, 1}));
        result(linear(part(x, 0, plain({1, 512})), t, "fc"), plain({1, 1000}));
    }
};

/// Heads of [tokens, 3 * 768]: part i of the projections as [12, tokens, 64], or transposed.
struct transformer : onednn_net {
    explicit transformer(bool inner) { inner_products = inner; }
    memory heads(memory& qkv, std::int64_t tokens, std::int64_t i, bool transposed = false) {
        return part(qkv, i * 768,
                    transposed ? memory::desc({12, 64, tokens}, type::f32, dims{64, 1, 2304})
                               : memory::desc({12, tokens, 64}, type::f32, dims{64, 2304, 1}));
    }
    memory attend(std::int64_t tokens, memory q, memory k_t, memory v) {
        auto seen = fresh(plain({tokens, 768}));
        attention(q, k_t, v, part(seen, 0, {{12, tokens, 64}, type::f32, dims{64, 768, 1}}));
        return seen;
    }
    memory feed_forward(memory x, memory residual, const row_tensors& t) {
        return linear(linear(x, t, "up", {.then = algorithm::eltwise_gelu_erf}), t, "down", {.add = residual});
    }
};

struct encoder : transformer {
    encoder(const row_tensors& t, bool inner) : transformer(inner) {
        auto x = given(t.inputs[0], {128, 768});
        auto qkv = linear(x, t, "qkv");
        auto seen = attend(128, heads(qkv, 128, 0), heads(qkv, 128, 1, true), heads(qkv, 128, 2));
        auto h = layer_norm(linear(seen, t, "proj", {.add = x}), t, "norm1");
        result(layer_norm(feed_forward(h, h, t), t, "norm2"), plain({128, 768}));
    }
};

struct decode : transformer {
    decode(const row_tensors& t, bool inner) : transformer(inner) {
        const auto positions = static_cast<std::int64_t>(t.inputs[1].size()) / 768;
        auto x = given(t.inputs[0], {1, 768});
        auto k = given(t.inputs[1], {12, positions, 64}), v = given(t.inputs[2], {12, positions, 64});
        auto k_t = part(k, 0, {{12, 64, positions}, type::f32, dims{64 * positions, 1, 64}});
        auto qkv = linear(layer_norm(x, t, "norm1"), t, "qkv");
        auto h = linear(attend(1, heads(qkv, 1, 0), k_t, v), t, "proj", {.add = x});
        result(feed_forward(layer_norm(h, t, "norm2"), h, t), plain({1, 768}));
        result(part(qkv, 768, plain({1, 1536})), plain({1, 1536}));
    }
};

struct attention : onednn_net {
    explicit attention(const row_tensors& t) {
        const dims sizes = {8, 512, 64};
        auto k_t = given(t.inputs[1], {{8, 64, 512}, type::f32, dims{512 * 64, 1, 64}});
        result(onednn_net::attention(given(t.inputs[0], sizes), k_t, given(t.inputs[2], sizes), fresh(plain(sizes))),
               plain(sizes));
    }
};

/// Four primitives, each a product with its sum and function as post-ops. (Of two linear post-ops in one primitive 2.6.3
/// mistakes one for the other.)
struct pointwise : onednn_net {
    explicit pointwise(const row_tensors& t) {
        const auto size = static_cast<std::int64_t>(t.inputs[0].size());
        auto scale = given(t.inputs[1], {1, size});
        const auto by = [&](float factor) { return given({factor}, {1, 1}); };
        auto y = step(given(t.inputs[0], {1, size}), scale, 0.5f, algorithm::eltwise_tanh);
        y = step(y, by(1.5f), 0.25f, algorithm::eltwise_logistic);
        y = step(y, scale, -0.5f, algorithm::eltwise_tanh);
        result(step(y, by(2), 0, algorithm::eltwise_logistic), plain({1, size}));
    }

private:
    memory step(memory x, memory y, float plus, algorithm then) {
        dnnl::post_ops after;
        if (plus != 0) after.append_eltwise(1, algorithm::eltwise_linear, 1, plus);
        after.append_eltwise(1, then, 0, 0);
        return product(x, y, after);
    }
};

template <class Net, class... How> void add(const std::string& row, const char* name, How... how) {
    entries().push_back(
        {row, name, 0, [how...](const row_tensors& t) { return std::make_unique<contending<Net>>(t, how...); }});
}

[[maybe_unused]] const bool added = [] {
    const auto* const version = dnnl_version();
    present().push_back("onednn " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                        std::to_string(version->patch));
    for (const bool inner : {false, true}) {
        const char* const name = inner ? "onednn_ip" : "onednn";
        for (const char* n : {"16", "32", "64", "128", "256", "512", "1024"})
            add<product>(std::string("gemm_") + n, name, inner);
        for (const char* n : {"256", "1024", "4096"}) add<product>(std::string("gemv_") + n, name, inner);
        add<product>("mm_256_bf16", name, inner, onednn_net::type::bf16);
        for (const char* row : {"w2_1", "w2_32"}) add<mlp>(row, name, inner);
        add<encoder>("encoder", name, inner);
        for (const char* n : {"1", "128", "512", "2048"}) add<decode>(std::string("decode_") + n, name, inner);
    }
    for (const auto& [name, how] : {std::pair("onednn", algorithm::convolution_auto),
                                    std::pair("onednn_winograd", algorithm::convolution_winograd)}) {
        add<block>("block", name, how);
        add<resnet18>("resnet18", name, how);
    }
    add<attention>("attention", "onednn");
    for (const char* row : {"pointwise_256", "pointwise_1m"}) add<pointwise>(row, "onednn");
    return true;
}();

} // namespace

} // namespace bench
