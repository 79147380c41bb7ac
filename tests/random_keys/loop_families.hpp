// SPDX-License-Identifier: MIT
// The families of kernels that go through memory: copies, element by element, by index, along a dim. As families.hpp, which includes this.
#pragma once
#include "random_case.hpp"

namespace test {

inline void write_copy(random_case& c) {
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f64", "i64", "i32", "b8", "i8", "f16", "bf16", "i16"});
    c.has_specials = c.one_in(3);
    const auto rank = c.between(1, 4), along = c.below(rank);
    const auto d = static_cast<std::size_t>(along);
    auto sizes = c.sizes(rank);
    const auto kind = c.below(10);
    const auto x = c.operand(type, sizes);
    if (kind < 3) return c.give(c.call({"clone.default", c.call({"permute.default", x.name + ", " + listed(c.order(rank)), type, {}}).name + ", memory_format = torch.contiguous_format", type, {}}));
    if (kind == 3) return c.give(c.call({"clone.default", x.name + ", memory_format = torch.contiguous_format", type, sizes}));
    if (kind < 6) {
        std::string all = x.name;
        const bool is_stack = c.one_in(4);
        for (auto parts = c.one_in(8) ? c.between(10, 18) : c.between(0, 5); parts > 0; --parts) {
            if (!is_stack) sizes[d] = c.size(40);
            all += ", " + c.operand(type, sizes).name;
        }
        return c.give(c.call({is_stack ? "stack.default" : "cat.default", "[" + all + "], " + std::to_string(along), type, {}}));
    }
    if (kind == 6) {
        dims around;
        for (auto i = 2 * c.between(1, rank); i > 0; --i) around.push_back(c.between(-1, 4));
        for (std::size_t k = 0; k < around.size(); ++k) around[k] = std::max(around[k], -(sizes[sizes.size() - 1 - k / 2] / 2));
        return c.give(c.call({"constant_pad_nd.default", x.name + ", " + listed(around) + (type == "b8" ? "" : ", 2"), type, {}}));
    }
    if (kind == 7 && rank > 2) {
        dims around;
        const bool reflects = c.one_in(2);
        const auto pairs = std::min<std::int64_t>(rank - 1, 2);
        for (std::int64_t k = 0; k < 2 * pairs; ++k) around.push_back(c.below(reflects ? std::max<std::int64_t>(1, std::min<std::int64_t>(4, sizes[sizes.size() - 1 - static_cast<std::size_t>(k / 2)])) : 4));
        return c.give(c.call({(reflects ? "reflection_pad" : "replication_pad") + std::to_string(pairs) + "d.default", x.name + ", " + listed(around), type, {}}));
    }
    if (kind == 8) return c.give(c.call({"repeat.default", x.name + ", " + listed(c.small(rank + c.below(2))), type, {}}));
    const std::string to = c.any_of<const char*>({"float32", "float64", "int64", "int32", "bool", "float16", "bfloat16", "uint8", "int8"});
    if (to.find("int") != to.npos) c.has_specials = false; // what NaN becomes then is not said
    c.give(c.call({"_to_copy.default", x.name + ", dtype = torch." + to, "", sizes}));
}

inline void write_pointwise(random_case& c) {
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f32", "f64", "f16", "bf16", "i32", "i64", "u8", "b8"});
    c.has_specials = c.one_in(4);
    const auto sizes = c.sizes(c.between(1, 4));
    const auto other = [&](const std::string& of) {
        auto own = sizes;
        if (c.one_in(3)) own.erase(own.begin(), own.begin() + c.below(static_cast<std::int64_t>(own.size()) + 1));
        for (auto& s : own)
            if (c.one_in(5)) s = 1;
        return c.operand(of, own);
    };
    auto t = c.operand(type, sizes);
    const bool is_half = type == "f16" || type == "bf16", is_bool = type == "b8";
    for (auto steps = is_half ? 1 : c.between(1, 4); steps > 0; --steps) {
        const auto kind = c.below(8);
        if (c.one_in(5)) c.give(t); // so that a loop has several results
        if (is_bool) {
            t = kind < 4 ? c.call({"logical_not.default", t.name, "b8", sizes})
                         : c.call({c.any_of<const char*>({"bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_xor.Tensor", "logical_and.default"}), t.name + ", " + other("b8").name, "b8", sizes});
        } else if (!t.is_floating()) {
            t = kind < 2   ? c.call({c.any_of<const char*>({"neg.default", "abs.default", "bitwise_not.default", "sign.default"}), t.name, type, sizes})
                : kind < 6 ? c.call({c.any_of<const char*>({"add.Tensor", "sub.Tensor", "mul.Tensor", "maximum.default", "minimum.default", "bitwise_and.Tensor", "bitwise_xor.Tensor"}),
                                    t.name + ", " + other(type).name, type, sizes})
                : kind < 7 ? c.call({c.any_of<const char*>({"add.Scalar", "mul.Scalar", "clamp_min.default"}), t.name + ", 3", type, sizes})
                           : c.call({"where.self", joined{other("b8").name, t.name, other(type).name}, type, sizes});
        } else if (kind < 3) {
            const std::string op = c.any_of<const char*>({"relu", "neg", "abs", "sigmoid", "tanh", "exp", "silu", "gelu", "erf", "sin", "cos", "expm1", "floor", "round", "sign", "hardswish", "hardsigmoid",
                                                          "softplus", "elu", "leaky_relu", "log1p", "sqrt", "rsqrt", "log", "reciprocal", "atan", "trunc", "isnan", "logical_not", "square", "mish"});
            if (op == "isnan" || op == "logical_not") {
                c.give(c.call({op + ".default", t.name, "b8", sizes}));
                continue;
            }
            t = c.call({op + ".default", t.name, type, sizes});
        } else if (kind < 6) {
            t = c.call({c.any_of<const char*>({"add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "maximum.default", "minimum.default", "fmax.default", "atan2.default"}),
                       c.one_in(2) ? t.name + ", " + other(type).name : other(type).name + ", " + t.name, type, sizes});
        } else if (kind == 6) {
            const auto with = t.name + ", " + c.number();
            t = c.one_in(3) ? c.call({"clamp.default", t.name + ", -0.5, 0.75", type, sizes})
                            : c.call({c.any_of<const char*>({"add.Scalar", "mul.Scalar", "sub.Scalar", "div.Scalar", "rsub.Scalar", "clamp_min.default", "leaky_relu.default"}), with, type, sizes});
        } else if (c.one_in(3)) {
            c.give(c.call({c.any_of<const char*>({"lt.Tensor", "ge.Tensor", "eq.Tensor", "ne.Tensor"}), t.name + ", " + other(type).name, "b8", sizes}));
        } else if (c.one_in(2)) {
            t = c.call({"where.self", joined{other("b8").name, t.name, other(type).name}, type, sizes});
        } else {
            t = c.call({c.one_in(2) ? "lerp.Tensor" : "addcmul.default", joined{t.name, other(type).name, other(type).name}, type, sizes});
        }
    }
    c.give(t);
}

inline void write_index(random_case& c) {
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f64", "i64", "i32", "i8", "f16"});
    const auto rank = c.between(1, 4), along = c.below(rank);
    const auto d = static_cast<std::size_t>(along);
    auto sizes = c.sizes(rank, 2000);
    sizes[d] = std::max<std::int64_t>(1, sizes[d]);
    const auto dim = std::to_string(along);
    const std::string number = c.one_in(4) ? "i32" : "i64";
    const auto index = [&](const dims& of, bool wraps = false, std::int64_t rows = 0) { return c.input(number, of, false, rows > 0 ? rows : sizes[d], wraps).name; };
    const auto folded = [&](bool sums) {
        const std::string fold = sums && c.one_in(4) ? "sum" : c.any_of<const char*>({"prod", "mean", "amax", "amin"});
        c.has_specials = fold[0] == 'a' && c.one_in(2);
        return ", '" + fold + "'" + (c.one_in(2) ? ", include_self = False" : "");
    };
    const auto kind = c.below(12);
    auto chosen = sizes;
    if (kind < 2) {
        const auto x = c.operand(type, sizes);
        return c.give(c.call({"index_select.default", x.name + ", " + dim + ", " + index({c.size(60)}), type, {}}));
    }
    if (kind == 2) {
        const dims table{std::max<std::int64_t>(1, c.size(60)), c.size(70)};
        const auto w = c.input(type, table, c.one_in(2)).name;
        return c.give(c.call({"embedding.default", w + ", " + index(c.sizes(c.between(1, 3), 60), false, table[0]), type, {}}));
    }
    if (kind < 5) {
        for (std::size_t k = 0; k < chosen.size(); ++k) chosen[k] = k == d ? c.size(30) : c.below(chosen[k] + 1);
        const auto x = c.operand(type, sizes).name;
        return c.give(c.call({"gather.default", x + ", " + dim + ", " + c.input("i64", chosen, false, sizes[d]).name, type, {}}));
    }
    if (kind < 7) { // one or two dims by indices that broadcast
        const auto x = c.operand(type, sizes).name;
        std::string all;
        const auto shape = c.sizes(c.between(1, 2), 60);
        for (std::int64_t k = 0; k < along; ++k) all += "None, ";
        all += index(shape, c.one_in(2));
        if (d + 1 < sizes.size() && sizes[d + 1] > 0 && c.one_in(2)) all += ", " + index(c.one_in(2) ? shape : dims{shape.back()}, true, sizes[d + 1]);
        return c.give(c.call({"index.Tensor", x + ", [" + all + "]", type, {}}));
    }
    const auto x = c.one_in(2) ? c.operand(type, sizes) : c.call({"add.Scalar", c.operand(type, sizes).name + ", 1", type, sizes}); // which may be written to
    if (kind < 10) {
        const std::string op = c.any_of<const char*>({"scatter.src", "scatter_add.default", "scatter.value", "scatter_reduce.two", "scatter_reduce.two"});
        for (std::size_t k = 0; k < chosen.size(); ++k) chosen[k] = k == d ? c.between(0, std::min<std::int64_t>(sizes[d], 30)) : c.below(chosen[k] + 1);
        const auto at = c.input("i64", chosen, false, sizes[d]).name;
        return c.give(c.call({op, x.name + ", " + dim + ", " + at + ", " + (op == "scatter.value" ? "2" : c.operand(type, chosen).name) + (op == "scatter_reduce.two" ? folded(true) : ""), type, {}}));
    }
    chosen[d] = c.size(30);
    const auto at = index({chosen[d]});
    if (kind == 10 && c.one_in(2)) return c.give(c.call({"index_reduce.default", x.name + ", " + dim + ", " + at + ", " + c.operand(type, chosen).name + folded(false), type, {}}));
    if (kind == 10) return c.give(c.call({c.one_in(2) ? "index_add.default" : "index_copy.default", x.name + ", " + dim + ", " + at + ", " + c.operand(type, chosen).name, type, {}}));
    std::string before;
    for (std::int64_t k = 0; k < along; ++k) before += "None, ";
    const auto values = c.operand(type, chosen).name;
    c.give(c.call({"index_put.default", x.name + ", [" + before + at + "], " + values + (c.one_in(2) ? ", True" : ""), type, {}}));
}

/// A recurrent network of a few steps: errors grow from one to the next.
inline void write_recurrent(random_case& c) {
    const auto type = c.any_of<const char*>({"f32", "f32", "f64"});
    const int cell = static_cast<int>(c.below(4)), gates = cell == 0 ? 4 : cell == 1 ? 3 : 1;
    const std::string op = cell == 0 ? "lstm" : cell == 1 ? "gru" : cell == 2 ? "rnn_tanh" : "rnn_relu";
    const auto steps = c.between(1, 4), batch = c.any_of<std::int64_t>({1, 1, 2, 3, 7}), features = c.between(1, 9), hidden = std::max<std::int64_t>(1, c.size(20));
    const auto layers = c.one_in(4) ? 2 : 1, ways = c.one_in(3) ? 2 : 1;
    const bool biases = c.one_in(2), batch_first = c.one_in(3);
    const auto x = c.operand(type, batch_first ? dims{batch, steps, features} : dims{steps, batch, features});
    const auto h = c.operand(type, {layers * ways, batch, hidden});
    std::string list;
    for (int k = 0; k < layers * ways; ++k) {
        const auto add = [&](const dims& sizes) { list += (list.empty() ? "" : ", ") + c.input(type, sizes, c.one_in(2)).name; };
        add({gates * hidden, k < ways ? features : ways * hidden});
        add({gates * hidden, hidden});
        for (int i = 0; biases && i < 2; ++i) add({gates * hidden});
    }
    const auto flag = [](bool is) { return is ? ", True" : ", False"; };
    const auto all = c.call({op + ".input", x.name + ", " + (cell == 0 ? "[" + h.name + ", " + h.name + "]" : h.name) + ", [" + list + "]" + flag(biases) + ", " +
                                                std::to_string(layers) + ", 0.0, False" + flag(ways == 2) + flag(batch_first), type, {}});
    for (int k = 0; k < (cell == 0 ? 3 : 2); ++k) c.give(c.item(all, k, type, {}));
}

/// Numbers as a function of a seed, from an offset on.
inline void write_random(random_case& c) {
    const auto seed = c.input("i64", {}).name, offset = ", offset = " + std::to_string(c.one_in(2) ? 0 : c.below(1000));
    const auto sizes = listed(c.sizes(c.between(1, 3)));
    if (c.one_in(3)) return c.give(c.call({"prims.inductor_randint.default", numbers({-c.below(9), c.between(1, 1 << 20)}) + ", " + sizes + ", " + seed + offset, "i64", {}}));
    c.give(c.call({"prims.inductor_random.default", sizes + ", " + seed + (c.one_in(3) ? ", 'randn'" : ", 'rand'") + offset, "f32", {}}));
}

/// One of a line in order, or where elements would stand in it.
inline void write_ranks(random_case& c) {
    const std::string type = c.any_of<const char*>({"f32", "f32", "f64", "i32", "i64", "i8", "u8", "f16"});
    const auto rank = c.between(1, 3), along = c.below(rank);
    auto sizes = c.sizes(rank, 2000);
    const auto last = static_cast<std::size_t>(c.one_in(2) ? along : rank - 1);
    c.has_specials = c.one_in(2);
    if (c.one_in(3)) {
        const bool is_row = c.one_in(2);
        auto sorted = is_row ? dims{c.size(90)} : sizes;
        sorted.back() = c.size(90);
        const auto row = c.call({"sort.default", c.operand(type, sorted).name, type, sorted}), x = c.operand(type, sizes);
        const std::string in = c.item(row, 0, type, sorted).name;
        return c.give(c.call({"searchsorted.Tensor", in + ", " + x.name + (c.one_in(2) ? ", out_int32 = True" : "") + (c.one_in(2) ? ", right = True" : ""), "", {}}));
    }
    sizes[last] = std::max<std::int64_t>(1, sizes[last]);
    const auto x = c.operand(type, sizes);
    const std::string op = c.any_of<const char*>({"kthvalue.default", "median.dim", "nanmedian.dim", "mode.default"});
    const auto k = op[0] == 'k' ? ", " + std::to_string(c.between(1, sizes[last])) : "";
    const auto both = c.call({op, x.name + k + ", " + std::to_string(last) + (c.one_in(2) ? ", True" : ""), type, {}});
    c.give(c.item(both, 0, type, {}));
    c.give(c.item(both, 1, "i64", {}));
}

inline void write_scan(random_case& c) {
    if (c.one_in(8)) return write_recurrent(c);
    if (c.one_in(12)) return write_random(c);
    if (c.one_in(4)) return write_ranks(c);
    const std::string type = c.any_of<const char*>({"f32", "f32", "f32", "f64", "i32", "i64", "i8", "u8", "b8"});
    const auto rank = c.between(1, 3), along = c.below(rank);
    auto sizes = c.sizes(rank, 4000);
    const auto d = static_cast<std::size_t>(along);
    const auto kind = c.below(8);
    if (c.one_in(10)) sizes[d] = c.between(255, 1600);
    if (kind >= 3) sizes[d] = std::max<std::int64_t>(1, sizes[d]);
    c.has_specials = c.one_in(3);
    const auto x = c.operand(type, sizes);
    const auto with = x.name + ", " + std::to_string(along);
    if (kind < 3) return c.give(c.call({kind < 2 ? "cumsum.default" : "cumprod.default", with, type, sizes}));
    if (c.one_in(4)) {
        const auto both = c.call({c.one_in(2) ? "cummax.default" : "cummin.default", with, type, sizes});
        c.give(c.item(both, 0, type, sizes));
        return c.give(c.item(both, 1, "i64", sizes));
    }
    if (kind < 5) return c.give(c.call({c.one_in(2) ? "argmax.default" : "argmin.default", with + (c.one_in(2) ? ", True" : ""), "i64", {}}));
    const auto both = c.call({c.one_in(2) ? "max.dim" : "min.dim", with + (c.one_in(2) ? ", True" : ""), type, {}});
    c.give(c.item(both, 0, type, {}));
    c.give(c.item(both, 1, "i64", {}));
}

} // namespace test
