// SPDX-License-Identifier: MIT
// oneDNN's contenders without convolutions. "onednn" has its products as matmuls; "onednn_ip" has the same layers as
// inner products; of bytes, "_u8" reads x without its sign.
#include <dnnl_version.h>

#include <algorithm>

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
    mlp(const row_tensors& t, bool inner, std::int64_t in, std::int64_t out) {
        inner_products = inner;
        const auto batch = static_cast<std::int64_t>(t.inputs[0].size()) / in;
        const tail relu{.then = algorithm::eltwise_relu};
        auto h = linear(given(t.inputs[0], {batch, in}), t, "first", relu);
        result(linear(linear(h, t, "second", relu), t, "third"), plain({batch, out}));
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
    explicit pointwise(const row_tensors& t, type element = type::f32) {
        const auto size = static_cast<std::int64_t>(t.inputs[0].size());
        const auto as = [&](const tensor& x, const dims& sizes) {
            return prepared(given(x, sizes), plain(sizes, element));
        };
        auto scale = as(t.inputs[1], {1, size});
        const auto by = [&](float factor) { return as({factor}, {1, 1}); };
        auto y = step(as(t.inputs[0], {1, size}), scale, 0.5f, algorithm::eltwise_tanh);
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

/// The steps of a cell, states in and out: PyTorch's gates in its order, its weights [gates * hidden, in].
struct cell : onednn_net {
    std::int64_t hidden, in, steps;
    dims of_x, of_h, state;
    cell(const row_tensors& t, std::int64_t gates)
        : hidden(static_cast<std::int64_t>(t.inputs[1].size())),
          in(static_cast<std::int64_t>(t.weights["weight_ih"].size()) / gates / hidden),
          steps(static_cast<std::int64_t>(t.inputs[0].size()) / in), of_x{steps, 1, in}, of_h{steps, 1, hidden},
          state{1, 1, 1, hidden} {}
    memory weights(const tensor& w, std::int64_t columns, std::int64_t gates, const memory::desc& as) {
        const dims strides = {columns * gates * hidden, columns * gates * hidden, 1, hidden * columns, columns};
        return prepared(given(w, {{1, 1, columns, gates, hidden}, type::f32, strides}), as);
    }
};

struct lstm : cell {
    explicit lstm(const row_tensors& t) : cell(t, 4) {
        tensor bias = t.weights["bias_ih"];
        for (std::size_t i = 0; i < bias.size(); ++i) bias[i] += t.weights["bias_hh"][i];
        const dnnl::lstm_forward::primitive_desc chosen(
            {dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, plain(of_x),
             plain(state), plain(state), any({1, 1, in, 4, hidden}), any({1, 1, hidden, 4, hidden}),
             plain({1, 1, 4, hidden}), plain(of_h), plain(state), plain(state)},
            engine_);
        auto y = fresh(plain(of_h)), h = fresh(plain(state)), c = fresh(plain(state));
        record(dnnl::lstm_forward(chosen),
               {{DNNL_ARG_SRC_LAYER, given(t.inputs[0], of_x)},
                {DNNL_ARG_SRC_ITER, given(t.inputs[1], state)},
                {DNNL_ARG_SRC_ITER_C, given(t.inputs[2], state)},
                {DNNL_ARG_WEIGHTS_LAYER, weights(t.weights["weight_ih"], in, 4, chosen.weights_layer_desc())},
                {DNNL_ARG_WEIGHTS_ITER, weights(t.weights["weight_hh"], hidden, 4, chosen.weights_iter_desc())},
                {DNNL_ARG_BIAS, given(bias, {1, 1, 4, hidden})},
                {DNNL_ARG_DST_LAYER, y},
                {DNNL_ARG_DST_ITER, h},
                {DNNL_ARG_DST_ITER_C, c},
                {DNNL_ARG_WORKSPACE, fresh(chosen.workspace_desc())}});
        result(y, plain(of_h));
        result(c, plain(state));
    }
};

/// Their gates are z, r and n, of whose biases the one of h stays apart.
struct gru : cell {
    explicit gru(const row_tensors& t) : cell(t, 3) {
        const auto &ih = t.weights["bias_ih"], &hh = t.weights["bias_hh"];
        const auto n = static_cast<std::size_t>(hidden);
        tensor bias(4 * n);
        for (std::size_t i = 0; i < n; ++i) {
            bias[i] = ih[n + i] + hh[n + i];
            bias[n + i] = ih[i] + hh[i];
            bias[2 * n + i] = ih[2 * n + i];
            bias[3 * n + i] = hh[2 * n + i];
        }
        const auto swapped = [](tensor w) {
            const auto part = static_cast<std::ptrdiff_t>(w.size()) / 3;
            std::swap_ranges(w.begin(), w.begin() + part, w.begin() + part);
            return w;
        };
        const dnnl::lbr_gru_forward::primitive_desc chosen(
            {dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right, plain(of_x),
             plain(state), any({1, 1, in, 3, hidden}), any({1, 1, hidden, 3, hidden}), plain({1, 1, 4, hidden}),
             plain(of_h), plain(state)},
            engine_);
        auto y = fresh(plain(of_h)), h = fresh(plain(state));
        record(
            dnnl::lbr_gru_forward(chosen),
            {{DNNL_ARG_SRC_LAYER, given(t.inputs[0], of_x)},
             {DNNL_ARG_SRC_ITER, given(t.inputs[1], state)},
             {DNNL_ARG_WEIGHTS_LAYER, weights(swapped(t.weights["weight_ih"]), in, 3, chosen.weights_layer_desc())},
             {DNNL_ARG_WEIGHTS_ITER, weights(swapped(t.weights["weight_hh"]), hidden, 3, chosen.weights_iter_desc())},
             {DNNL_ARG_BIAS, given(bias, {1, 1, 4, hidden})},
             {DNNL_ARG_DST_LAYER, y},
             {DNNL_ARG_DST_ITER, h},
             {DNNL_ARG_WORKSPACE, fresh(chosen.workspace_desc())}});
        result(y, plain(of_h));
    }
};

/// Four primitives, each a sum with 24 more as post-ops, of which 32 are the most.
struct chain : onednn_net {
    explicit chain(const row_tensors& t) {
        auto sum = given(t.inputs[0], {1, 8}), step = given(t.inputs[1], {1, 8});
        for (int i = 0; i < 4; ++i) sum = added(sum, step, 24);
        result(sum, plain({1, 8}));
    }
};

[[maybe_unused]] const bool added = [] {
    const auto* const version = dnnl_version();
    present().push_back("onednn " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                        std::to_string(version->patch));
    for (const bool inner : {false, true}) {
        const char* const name = inner ? "onednn_ip" : "onednn";
        for (const char* n : {"8", "16", "32", "64", "128", "256", "512", "1024"})
            add_onednn<product>(std::string("gemm_") + n, name, inner);
        for (const char* n : {"256", "1024", "4096"}) add_onednn<product>(std::string("gemv_") + n, name, inner);
        for (const std::string n : {"mm_256", "mm_1024"}) {
            add_onednn<product>(n + "_bf16", name, inner, onednn_net::type::bf16);
            add_onednn<product>(n + "_i8", name, inner, onednn_net::type::s8);
            add_onednn<product>(n + "_i8", inner ? "onednn_ip_u8" : "onednn_u8", inner, onednn_net::type::u8);
        }
        add_onednn<mlp>("small_mlp", name, inner, 16, 8);
        for (const char* row : {"mnist_mlp_1", "mnist_mlp_32"}) add_onednn<mlp>(row, name, inner, 784, 10);
        add_onednn<encoder>("encoder", name, inner);
        for (const char* n : {"1", "128", "512", "2048"}) add_onednn<decode>(std::string("decode_") + n, name, inner);
    }
    add_onednn<attention>("attention", "onednn");
    for (const char* row : {"lstm_32", "lstm_sequence"}) add_onednn<lstm>(row, "onednn");
    for (const char* row : {"gru_20", "gru_sequence"}) add_onednn<gru>(row, "onednn");
    add_onednn<chain>("adds", "onednn");
    for (const char* row : {"pointwise_256", "pointwise_1m"}) add_onednn<pointwise>(row, "onednn");
    add_onednn<pointwise>("pointwise_1m_bf16", "onednn", onednn_net::type::bf16);
    return true;
}();

} // namespace

} // namespace bench
