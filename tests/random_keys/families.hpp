// SPDX-License-Identifier: MIT
// The families of kernels, each a function that writes a random case of it. Called by inspected_case.hpp.
#pragma once
#include "loop_families.hpp"
#include "step_pairs.hpp"

namespace test {

/// What may follow a product or a convolution, element by element.
inline case_tensor followed(random_case& c, case_tensor t) {
    if (!t.is_floating() || !c.one_in(2)) return t;
    const bool is_half = t.type == "f16" || t.type == "bf16";
    for (auto steps = c.between(1, 3); steps > 0; --steps) {
        const auto kind = c.below(is_half ? 3 : 8);
        if (kind == 0) t = c.call({"relu.default", t.name, t.type, t.sizes});
        else if (kind == 1) t = c.call({"mul.Scalar", t.name + ", 0.5", t.type, t.sizes});
        else if (kind == 2) t = c.call({"hardtanh.default", t.name + ", -1.5, 2.0", t.type, t.sizes});
        else if (kind == 3) t = c.call({"sigmoid.default", t.name, t.type, t.sizes});
        else if (kind == 4) t = c.call({"gelu.default", t.name, t.type, t.sizes});
        else if (kind == 5) t = c.call({"add.Tensor", t.name + ", " + c.input(t.type, t.sizes).name, t.type, t.sizes});
        else if (kind == 6) t = c.call({"mul.Tensor", t.name + ", " + c.input(t.type, {t.sizes.back()}).name, t.type, t.sizes});
        else t = c.call({"tanh.default", t.name, t.type, t.sizes});
    }
    return t;
}

inline void write_product(random_case& c) {
    const auto m = c.size(70), n = c.size(150), k = std::min(c.size(), 60'000 / std::max<std::int64_t>(1, m * n) + 1);
    const auto kind = c.below(10);
    if (kind == 9) {
        const auto a = c.operand("i8", {m, k}), b = c.operand("i8", {k, n}, c.one_in(2));
        return c.give(c.call({"_int_mm.default", a.name + ", " + b.name, "i32", {m, n}}));
    }
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f32", "f64", "f16", "bf16", "i32", "i64"});
    const bool is_weight = c.one_in(2);
    const auto bias = [&](const dims& sizes) {
        auto own = sizes;
        if (c.one_in(2)) own.erase(own.begin(), own.end() - 1);
        for (auto& s : own)
            if (c.one_in(6)) s = 1;
        return c.operand(type, own, c.one_in(2)).name;
    };
    const std::string scale = c.one_in(4) ? ", beta = 2, alpha = 3" : "";
    if (kind < 2) {
        const auto a = c.operand(type, {m, k}), b = c.operand(type, {k, n}, is_weight);
        c.give(followed(c, c.call({"mm.default", a.name + ", " + b.name, type, {m, n}})));
    } else if (kind < 4) {
        const auto with = bias({m, n});
        const auto a = c.operand(type, {m, k}), b = c.operand(type, {k, n}, is_weight);
        c.give(followed(c, c.call({"addmm.default", with + ", " + a.name + ", " + b.name + scale, type, {m, n}})));
    } else if (kind < 6) {
        auto sizes = c.one_in(3) ? dims{c.between(1, 3), m} : dims{m};
        auto rows = sizes;
        rows.push_back(k), sizes.push_back(n);
        const auto x = c.operand(type, rows);
        const auto w = c.operand(type, {n, k}, is_weight);
        const auto with = c.one_in(2) ? ", " + c.input(type, {n}, c.one_in(2)).name : "";
        c.give(followed(c, c.call({"linear.default", x.name + ", " + w.name + with, type, sizes})));
    } else if (kind < 8) {
        const auto batch = c.any_of<std::int64_t>({0, 1, 2, 2, 3, 3, 4});
        const auto a = c.operand(type, {batch, m, k / 2}), b = c.operand(type, {batch, k / 2, n}, is_weight);
        const auto both = a.name + ", " + b.name;
        if (c.one_in(3)) return c.give(c.call({"baddbmm.default", c.operand(type, {batch, m, n}).name + ", " + both + scale, type, {batch, m, n}}));
        c.give(followed(c, c.call({"bmm.default", both, type, {batch, m, n}})));
    } else {
        const auto a = c.operand(type, {2, m, k / 2});
        c.give(c.call({"matmul.default", a.name + ", " + c.operand(type, {k / 2, n}, is_weight).name, type, {2, m, n}}));
    }
}

inline void write_convolution(random_case& c) {
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f32", "f64"});
    const auto kind = c.below(10);
    const bool is_flat = kind == 0, is_winograd = kind == 1, is_tiny = kind == 2, is_pixel = kind == 3, is_point = kind == 7;
    const std::size_t spatial = is_flat ? 1 : 2;
    std::int64_t groups = 1, channels = c.between(1, 9), filters = c.size(70);
    if (kind == 4 || kind == 5) groups = channels, filters = channels * c.between(1, 2);              // depthwise
    if (kind == 6) groups = c.between(2, 3), channels = groups * c.between(1, 4), filters = groups * c.between(1, 20);
    if (is_winograd) channels = c.between(16, 20), filters = c.between(16, 35);
    dims x{c.any_of<std::int64_t>({0, 1, 1, 1, 1, 2, 2, 3}), channels}, w{filters, channels / groups}, stride, pad, dilation, out{x[0], filters};
    const bool is_square = c.one_in(2);
    for (std::size_t d = 0; d < spatial; ++d) {
        const auto kernel = is_winograd ? 3 : is_pixel ? 1 : is_point ? c.any_of<std::int64_t>({1, 3}) : is_square && d > 0 ? w[2] : c.any_of<std::int64_t>({1, 1, 2, 3, 3, 3, 4, 5, 7});
        const auto far = is_winograd || is_pixel || is_point || !c.one_in(4) ? 1 : c.between(2, 3), by = is_winograd || (is_pixel && c.one_in(2)) || c.one_in(2) ? 1 : c.between(2, 3);
        const auto around = is_winograd ? c.below(2) : is_pixel ? 0 : is_point ? kernel / 2 : c.below((kernel - 1) * far + 1);
        const auto least = std::max<std::int64_t>(1, far * (kernel - 1) + 1 - 2 * around);
        auto size = is_winograd ? c.between(14, 17) : is_point ? 1 : is_tiny ? least + c.below(3) : least + c.size(is_flat ? 60 : 24);
        x.push_back(size), w.push_back(kernel), stride.push_back(by), pad.push_back(around), dilation.push_back(far);
        out.push_back((size + 2 * around - far * (kernel - 1) - 1) / by + 1);
    }
    const auto in = c.operand(is_winograd ? "f32" : type, x);
    const auto weight = c.operand(in.type, w, !c.one_in(4));
    const auto bias = c.one_in(2) ? c.input(in.type, {filters}, c.one_in(2)).name : "None";
    c.give(followed(c, c.call({"convolution.default",
                              in.name + ", " + weight.name + ", " + bias + ", " + listed(stride) + ", " + listed(pad) + ", " + listed(dilation) + ", False, " +
                                  listed(dims(spatial)) + ", " + std::to_string(groups),
                              in.type, out})));
}

inline void write_pool(random_case& c) {
    const bool is_average = c.one_in(3), is_adaptive = is_average && c.one_in(3), is_pair = c.one_in(3);
    const std::string type = is_average ? c.any_of<const char*>({"f32", "f32", "f64"}) : c.any_of<const char*>({"f32", "f32", "f32", "f64", "i32", "i64", "i8", "u8"});
    c.has_specials = !is_average && c.one_in(4);
    dims x{c.between(1, 2), c.between(1, 5)}, kernel, stride, pad, dilation, out{x[0], x[1]};
    const bool ceils = c.one_in(3);
    for (int d = 0; d < 2; ++d) {
        const auto wide = is_pair ? 2 : c.any_of<std::int64_t>({1, 2, 2, 3, 3, 4, 5}), by = is_pair ? 2 : c.between(1, 4);
        const auto far = is_pair || is_average || !c.one_in(4) ? 1 : c.between(2, 3), around = is_pair ? 0 : c.below(wide / 2 + 1);
        const auto size = std::max<std::int64_t>(1, far * (wide - 1) + 1 - 2 * around) + c.size(d == 0 ? 12 : 75);
        x.push_back(size), kernel.push_back(wide), stride.push_back(by), pad.push_back(around), dilation.push_back(far);
        out.push_back(c.between(1, 9)); // of adaptive ones
    }
    const auto in = c.operand(type, x);
    const auto window = in.name + ", " + listed(kernel) + ", " + listed(stride) + ", " + listed(pad);
    const std::string ceil = ceils ? ", True" : ", False";
    if (is_adaptive) return c.give(c.call({"_adaptive_avg_pool2d.default", in.name + ", " + listed({out[2], out[3]}), type, out}));
    const std::string counts = c.one_in(2) ? ", True" : ", False", divisor = c.one_in(3) ? ", 3" : "";
    if (is_average) return c.give(c.call({"avg_pool2d.default", window + ceil + counts + divisor, type, {}}));
    if (c.one_in(3)) {
        const auto both = c.call({"max_pool2d_with_indices.default", window + ", " + listed(dilation) + ceil, type, {}});
        c.give(c.item(both, 0, type, {}));
        return c.give(c.item(both, 1, "i64", {}));
    }
    c.give(c.call({"max_pool2d.default", window + ", " + listed(dilation) + ceil, type, {}}));
}

inline void write_rows(random_case& c) {
    const auto rank = c.between(1, 4), along = c.below(rank);
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f32", "f64"});
    const auto sizes = c.sizes(rank);
    const auto last = std::to_string(rank - 1), dim = c.one_in(3) ? std::to_string(along) : last;
    const auto kind = c.below(12);
    if (kind < 5) { // reductions over any dims
        dims over;
        for (std::int64_t d = 0; d < rank; ++d)
            if (c.one_in(2)) over.push_back(d);
        const auto which = c.any_of<const char*>({"sum.dim_IntList", "mean.dim", "amax.default", "amin.default", "prod.dim_int"});
        const std::string op = which;
        const bool is_extreme = op[0] == 'a', is_any = op != "mean.dim" && c.one_in(4);
        c.has_specials = is_extreme && c.one_in(3);
        const auto x = c.operand(is_any ? c.any_of<const char*>({"i32", "i64", "i8", "u8", "i16"}) : type.c_str(), sizes);
        const auto dims_of = op == "prod.dim_int" ? std::to_string(along) : listed(over);
        return c.give(c.call({op, x.name + ", " + dims_of + (c.one_in(2) ? ", True" : ""), x.type, {}}));
    }
    auto x = c.operand(type, sizes);
    if (c.one_in(3)) x = c.call({"mul.Tensor", x.name + ", " + c.input(type, c.one_in(2) ? sizes : dims{sizes.back()}).name, type, sizes});
    if (kind < 7) x = c.call({c.one_in(4) ? "_log_softmax.default" : "_softmax.default", x.name + ", " + dim + ", False", type, sizes});
    else if (kind == 7) x = c.call({"_safe_softmax.default", x.name + ", " + last, type, sizes});
    else if (kind < 10) {
        const std::string with = joined{c.input(type, {sizes.back()}, c.one_in(2)).name, c.input(type, {sizes.back()}, c.one_in(2)).name};
        const auto whole = c.call({"native_layer_norm.default", x.name + ", " + listed({sizes.back()}) + ", " + (c.one_in(3) ? "None, None" : with) + ", 1e-05", type, sizes});
        if (c.one_in(3)) c.give(c.item(whole, 1, type, {})), c.give(c.item(whole, 2, type, {}));
        x = c.item(whole, 0, type, sizes);
    } else { // what becomes one call that goes through rows in phases
        const auto mean = c.call({"mean.dim", x.name + ", [-1], True", type, {}});
        const auto apart = c.call({"sub.Tensor", x.name + ", " + mean.name, type, sizes});
        const auto most = c.call({"amax.default", c.call({"abs.default", apart.name, type, sizes}).name + ", [-1], True", type, {}});
        x = c.call({"div.Tensor", apart.name + ", " + c.call({"add.Scalar", most.name + ", 1", type, {}}).name, type, sizes});
    }
    if (c.one_in(3)) x = c.call({"relu.default", x.name, type, sizes});
    c.give(x);
}

inline void write_attention(random_case& c) {
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f64"});
    const auto batch = c.between(1, 2), heads = c.between(1, 3);
    const bool is_small = c.one_in(6); // which stays several calls
    const auto at_least = [&](std::int64_t least, std::int64_t most) { return std::max(is_small ? 1 : least, c.size(most)); };
    const auto m = at_least(8, 70), n = at_least(16, 70), k = at_least(1, 40), e = at_least(16, 40);
    const auto in_heads = [&](std::int64_t rows, std::int64_t width) { // as a model has them: [batch, rows, heads, width], turned
        if (!c.one_in(2)) return c.operand(type, {batch, heads, rows, width});
        return c.call({"permute.default", c.input(type, {batch, rows, heads, width}).name + ", [0, 2, 1, 3]", type, {batch, heads, rows, width}});
    };
    const auto q = in_heads(m, k), keys = in_heads(n, k), v = in_heads(n, e);
    std::string mask = "None";
    const auto kind = c.below(5);
    const std::string of = c.one_in(3) ? "b8" : type;
    if (kind == 1) mask = c.operand(of, {m, n}).name;
    if (kind == 2) mask = c.operand(of, {batch, 1, m, n}).name;
    if (kind == 3) mask = c.operand(of, {batch, 1, 1, n}).name;
    const std::string rest = kind == 4 ? ", True" : ", False";
    c.give(c.call({"scaled_dot_product_attention.default", q.name + ", " + keys.name + ", " + v.name + ", " + mask + ", 0.0" + rest + (c.one_in(3) ? ", scale = 0.3" : ""), type, {}}));
}

struct family {
    std::string_view name;
    void (*write)(random_case&);
    std::uint64_t (*count)() = nullptr; // of all its cases, by number; null: there are more and more
};
inline constexpr family families[] = {{"product", write_product}, {"convolution", write_convolution}, {"pool", write_pool},
                                      {"rows", write_rows},       {"copy", write_copy},               {"pointwise", write_pointwise},
                                      {"index", write_index},     {"scan", write_scan},               {"attention", write_attention},
                                      {"steps", write_step_pair, count_of_step_pairs}};

} // namespace test
