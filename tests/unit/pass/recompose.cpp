// What run_decompositions() writes out becomes the call that it was: which calls are made, on which kernels, and that the numbers stay. Texts as PyTorch 2.14
// prints them, read at run time.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "splitmix64.hpp"

#include <cases/recorded_file.hpp>

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/reference/interpreter.hpp>

#include <cmath>

using namespace ahead;
using namespace test;

namespace {

// Inputs from a seed, those of a text in their order; what `set` does to one stands.
using fill = void (*)(std::size_t which, host_tensor& t);
std::vector<host_tensor> inputs_of(graph_view g, fill set) {
    std::vector<host_tensor> out;
    std::uint64_t drawn = 0;
    for (node_id id : g) {
        if (g[id].kind == node_kind::call || g[id].kind == node_kind::output || is_literal(g[id])) continue;
        auto& t = out.emplace_back(g.value_of(id).type);
        for (std::int64_t i = 0; i < element_count(t.type); ++i)
            if (t.type.type == dtype::b8) t.data.put(i, splitmix64(++drawn) % 3 != 0);
            else t.data.put(i, static_cast<double>(splitmix64(++drawn) % 2001) / 1000 - 1);
        set(out.size() - 1, t);
    }
    return out;
}
std::vector<host_tensor> values_of(graph_view g, const std::vector<host_tensor>& inputs) {
    std::vector<host_tensor> out;
    diagnosis d;
    check(interpret<aten::registry>(g, inputs, out, d), render(d));
    return out;
}
/// How many calls of an operator there are.
int count_calls(graph_view g, std::string_view op) {
    int count = 0;
    for (node_id id : g) count += g[id].kind == node_kind::call && g[id].target == op;
    return count;
}

struct expected_calls {
    std::string_view op;
    int calls;
};
/// The text is accepted, its device graph has these calls, its optimised graph those of ATen, and means what was written; returns what it gives.
std::vector<host_tensor> agrees(const std::string& text, std::initializer_list<expected_calls> on_device, fill set = [](std::size_t, host_tensor&) {}) {
    const auto made = inspect_fx(text);
    if (!check(made.error.ok(), render(made.error) + "\n" + text)) return {};
    for (const auto& one : on_device) {
        const auto count = count_calls(one.op.starts_with("aten.") ? made.optimized_graph() : made.lowered_graph(), one.op);
        check(count == one.calls, std::to_string(count) + " of " + std::string(one.op) + "\n" + text);
    }
    const auto inputs = inputs_of(made.captured(), set);
    const auto written = values_of(made.captured(), inputs), now = values_of(made.optimized_graph(), inputs);
    if (!check(written.size() == now.size())) return {};
    double worst = 0, scale = 1;
    for (std::size_t k = 0; k < now.size(); ++k) {
        const double step = written[k].type.type == dtype::bf16 ? 1e-2 : written[k].type.type == dtype::f16 ? 2e-3 : 2e-6;
        for (std::int64_t i = 0; i < element_count(now[k].type); ++i) {
            const auto a = written[k].data.get<double>(i), b = now[k].data.get<double>(i);
            scale = std::max(scale, std::abs(a));
            if (!(std::isnan(a) && std::isnan(b)) && a != b) worst = std::max(worst, std::isnan(a - b) ? 1e30 : std::abs(a - b) / step);
        }
    }
    check(worst <= scale, "off by " + std::to_string(worst) + "\n" + text);
    return now;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) text.replace(at, what.size(), with);
    return text;
}

// F.scaled_dot_product_attention(q, k, v, mask) of [2, 4, 16, 32].
std::string attention_text(std::string_view type, std::string_view mask) {
    std::string text = R"(def forward(self, q: "f32[2, 16, 4, 32]", k: "f32[2, 24, 4, 32]", v: "f32[2, 24, 4, 32]", mask: "b8[2, 1, 16, 24]"):
    permute: "f32[2, 4, 16, 32]" = torch.ops.aten.permute.default(q, [0, 2, 1, 3])
    permute_1: "f32[2, 4, 24, 32]" = torch.ops.aten.permute.default(k, [0, 2, 1, 3])
    permute_2: "f32[2, 4, 24, 32]" = torch.ops.aten.permute.default(v, [0, 2, 1, 3])
    scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float32, device = device(type='cpu'))
    scalar_tensor_1: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
    where: "f32[2, 1, 16, 24]" = torch.ops.aten.where.self(mask, scalar_tensor_1, scalar_tensor)
    mul: "f32[2, 4, 16, 32]" = torch.ops.aten.mul.Scalar(permute, 0.4204482076268573)
    permute_3: "f32[2, 4, 32, 24]" = torch.ops.aten.permute.default(permute_1, [0, 1, 3, 2])
    mul_1: "f32[2, 4, 32, 24]" = torch.ops.aten.mul.Scalar(permute_3, 0.4204482076268573)
    expand_2: "f32[2, 4, 16, 32]" = torch.ops.aten.expand.default(mul, [2, 4, 16, 32])
    clone: "f32[2, 4, 16, 32]" = torch.ops.aten.clone.default(expand_2, memory_format = torch.contiguous_format)
    view_10: "f32[8, 16, 32]" = torch.ops.aten.view.default(clone, [8, 16, 32])
    expand_3: "f32[2, 4, 32, 24]" = torch.ops.aten.expand.default(mul_1, [2, 4, 32, 24])
    clone_1: "f32[2, 4, 32, 24]" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format)
    view_11: "f32[8, 32, 24]" = torch.ops.aten.view.default(clone_1, [8, 32, 24])
    bmm: "f32[8, 16, 24]" = torch.ops.aten.bmm.default(view_10, view_11)
    view_12: "f32[2, 4, 16, 24]" = torch.ops.aten.view.default(bmm, [2, 4, 16, 24])
    add_3: "f32[2, 4, 16, 24]" = torch.ops.aten.add.Tensor(view_12, where)
    _softmax: "f32[2, 4, 16, 24]" = torch.ops.aten._softmax.default(add_3, -1, False)
    eq: "b8[2, 4, 16, 24]" = torch.ops.aten.eq.Scalar(add_3, -inf)
    logical_not: "b8[2, 4, 16, 24]" = torch.ops.aten.logical_not.default(eq)
    any_1: "b8[2, 4, 16, 1]" = torch.ops.aten.any.dim(logical_not, -1, True)
    logical_not_1: "b8[2, 4, 16, 1]" = torch.ops.aten.logical_not.default(any_1)
    full_like: "f32[2, 4, 16, 24]" = torch.ops.aten.full_like.default(_softmax, 0, pin_memory = False, memory_format = torch.preserve_format)
    where_1: "f32[2, 4, 16, 24]" = torch.ops.aten.where.self(logical_not_1, full_like, _softmax)
    expand_4: "f32[2, 4, 16, 24]" = torch.ops.aten.expand.default(where_1, [2, 4, 16, 24])
    view_13: "f32[8, 16, 24]" = torch.ops.aten.view.default(expand_4, [8, 16, 24])
    expand_5: "f32[2, 4, 24, 32]" = torch.ops.aten.expand.default(permute_2, [2, 4, 24, 32])
    clone_2: "f32[2, 4, 24, 32]" = torch.ops.aten.clone.default(expand_5, memory_format = torch.contiguous_format)
    view_14: "f32[8, 24, 32]" = torch.ops.aten.view.default(clone_2, [8, 24, 32])
    bmm_1: "f32[8, 16, 32]" = torch.ops.aten.bmm.default(view_13, view_14)
    view_15: "f32[2, 4, 16, 32]" = torch.ops.aten.view.default(bmm_1, [2, 4, 16, 32])
    permute_8: "f32[2, 16, 4, 32]" = torch.ops.aten.permute.default(view_15, [0, 2, 1, 3])
    clone_3: "f32[2, 16, 4, 32]" = torch.ops.aten.clone.default(permute_8, memory_format = torch.contiguous_format)
    view_16: "f32[2, 16, 128]" = torch.ops.aten.view.default(clone_3, [2, 16, 128])
    return (view_16,)
)";
    if (mask.empty()) text = replaced(replaced(replaced(text, "add_3: \"f32[2, 4, 16, 24]\" = torch.ops.aten.add.Tensor(view_12, where)\n    ", ""), "(add_3", "(view_12"), ", mask: \"b8[2, 1, 16, 24]\"", "");
    if (mask.empty()) text.erase(text.find("    scalar_tensor:"), text.find("    mul:") - text.find("    scalar_tensor:"));
    if (mask == "f32") text = replaced(replaced(text, "mask: \"b8[", "mask: \"f32["), "torch.ops.aten.where.self(mask, scalar_tensor_1, scalar_tensor)", "torch.ops.aten.mul.Tensor(mask, 1.5)");
    if (type == "f64") return replaced(replaced(text, "f32", "f64"), "torch.float32", "torch.float64");
    if (type != "f32") { // computed in f32, as PyTorch has it
        for (std::string_view t : {"q", "k", "v"}) text = replaced(text, " " + std::string(t) + ": \"f32", " " + std::string(t) + ": \"" + std::string(type));
        text = replaced(text, "    permute: ", "    q32: \"f32[2, 16, 4, 32]\" = torch.ops.aten._to_copy.default(q, dtype = torch.float32)\n    k32: \"f32[2, 24, 4, 32]\" = torch.ops.aten._to_copy.default(k, dtype = torch.float32)\n"
                                                "    v32: \"f32[2, 24, 4, 32]\" = torch.ops.aten._to_copy.default(v, dtype = torch.float32)\n    permute: ");
        for (std::string_view t : {"q", "k", "v"}) text = replaced(text, "permute.default(" + std::string(t) + ",", "permute.default(" + std::string(t) + "32,");
        text = replaced(text, "    return (view_16,)", "    back = torch.ops.aten._to_copy.default(view_16, dtype = torch." + std::string(type == "f16" ? "float16" : "bfloat16") + ")\n    return (back,)");
    }
    return text;
}

void attention() {
    constexpr auto see_nothing = [](std::size_t which, host_tensor& t) { // the second query of all heads
        for (std::int64_t i = 0; which == 3 && i < 24; ++i)
            if (t.type.type == dtype::b8) t.data.put(24 + i, false);
            else t.data.put(24 + i, -std::numeric_limits<double>::infinity());
    };
    for (std::string_view type : {"f32", "f64", "f16", "bf16"})
        for (std::string_view mask : {"", "b8", "f32"}) {
            const auto out = agrees(attention_text(type, mask), {{"npu.attention", 1}, {"npu.batch_matmul", 0}, {"npu.eq.Scalar", 0}}, see_nothing);
            for (std::int64_t i = 0; !mask.empty() && i < 128 && !out.empty(); ++i) check_equal(out[0].data.get<double>(128 + i), 0.0);
        }
    // What somebody else reads stays, and what is no safe softmax.
    const auto whole = attention_text("f32", "b8");
    agrees(replaced(whole, "return (view_16,)", "return (view_16, where_1)"), {{"npu.attention", 0}, {"npu.batch_matmul", 2}});
    agrees(replaced(whole, "full_like.default(_softmax, 0,", "full_like.default(_softmax, 1,"), {{"npu.attention", 0}});
    agrees(replaced(whole, "eq.Scalar(add_3, -inf)", "eq.Scalar(add_3, inf)"), {{"npu.attention", 0}});
}

void products() {
    // linear of what does not lie contiguously, and a @ w of three dims; a batch of one with a weight.
    agrees(R"(def forward(self, x: "f32[5, 3, 8]", w: "f32[7, 8]", b: "f32[7]"):
    permute: "f32[3, 5, 8]" = torch.ops.aten.permute.default(x, [1, 0, 2])
    permute_1: "f32[8, 7]" = torch.ops.aten.permute.default(w, [1, 0])
    expand: "f32[3, 5, 8]" = torch.ops.aten.expand.default(permute, [3, 5, 8])
    view: "f32[3, 5, 8]" = torch.ops.aten.view.default(expand, [3, 5, 8])
    expand_1: "f32[3, 8, 7]" = torch.ops.aten.expand.default(permute_1, [3, 8, 7])
    view_1: "f32[3, 8, 7]" = torch.ops.aten.view.default(expand_1, [3, 8, 7])
    bmm: "f32[3, 5, 7]" = torch.ops.aten.bmm.default(view, view_1)
    view_2: "f32[3, 5, 7]" = torch.ops.aten.view.default(bmm, [3, 5, 7])
    add: "f32[3, 5, 7]" = torch.ops.aten.add.Tensor(view_2, b)
    return (add,)
)",
           {{"npu.matmul", 1}, {"npu.batch_matmul", 0}, {"npu.add.Tensor", 0}});
    agrees(R"(def forward(self, x: "f32[1, 5, 8]", w: "f32[8, 7]"):
    expand_1: "f32[1, 8, 7]" = torch.ops.aten.expand.default(w, [1, 8, 7])
    bmm: "f32[1, 5, 7]" = torch.ops.aten.bmm.default(x, expand_1)
    return (bmm,)
)",
           {{"npu.matmul", 1}, {"npu.batch_matmul", 0}});
    agrees(R"(def forward(self, x: "f32[2, 5, 8]", w: "f32[2, 8, 7]"):
    bmm: "f32[2, 5, 7]" = torch.ops.aten.bmm.default(x, w)
    return (bmm,)
)",
           {{"npu.matmul", 0}, {"npu.batch_matmul", 1}});
}

// How PyTorch unrolls three steps of a layer's direction: batch 2, 5 features, states of 4.
struct unrolled {
    std::string_view cell; // lstm, gru, tanh, relu
    bool reverse = false, biased = true;
    std::string_view returned = "cat, last"; // of cat, last, cells, and h1, c1 .. of the steps
    std::string_view second_weight = "w";
    std::string_view type = "f32";
    bool projected = false; // states of 3
};
std::string text_of(const unrolled& u) {
    const auto number = [](auto n) { return std::to_string(n); };
    const int gates = u.cell == "lstm" ? 4 : u.cell == "gru" ? 3 : 1;
    const std::string type(u.type), rows = number(4 * gates), state = u.projected ? "3" : "4";
    std::string out = "def forward(self, x: \"" + type + "[3, 2, 5]\", h: \"" + type + "[2, 2, " + state + "]\", c: \"" + type + "[1, 2, 4]\", v: \"" + type + "[" + rows + ", 5]\", w: \"" + type + "[" + rows +
                      ", " + state + "]\", a: \"" + type + "[" + rows + "]\", b: \"" + type + "[" + rows + "]\", w2: \"" + type + "[" + rows + ", " + state + "]\", proj: \"" + type + "[3, 4]\", proj2: \"" + type + "[3, 4]\"):\n";
    const auto line = [&](const std::string& name, const std::string& op, const std::string& arguments) { out += "    " + name + " = torch.ops.aten." + op + "(" + arguments + ")\n"; };
    const auto linear = [&](const std::string& name, const std::string& bias, const std::string& of, const std::string& weight) {
        line(name + "_t", "permute.default", weight + ", [1, 0]");
        if (u.biased) line(name, "addmm.default", bias + ", " + of + ", " + name + "_t");
        else line(name, "mm.default", of + ", " + name + "_t");
    };
    line("rows", "view.default", "x, [6, 5]");
    linear("product", "a", "rows", "v");
    line("whole", "view.default", "product, [3, 2, " + rows + "]");
    if (u.reverse) line("flip", "flip.default", "whole, [0]");
    line("slice_h", "slice.Tensor", "h, 0, 1, 2");
    line("squeeze_h", "squeeze.dims", "slice_h, [0]");
    line("h0", "unsqueeze.default", "squeeze_h, 0");
    std::string before = "c", states;
    for (int t = 0; t < 3; ++t) {
        const auto k = number(t), next = "h" + number(t + 1);
        line("slice_" + k, "slice.Tensor", std::string(u.reverse ? "flip" : "whole") + ", 0, " + k + ", " + number(t + 1));
        line("x" + k, "squeeze.dims", "slice_" + k + ", [0]");
        line("hv" + k, "view.default", "h" + k + ", [2, " + state + "]");
        linear("m" + k, "b", "hv" + k, t == 1 ? std::string(u.second_weight) : "w");
        line("mv" + k, "view.default", "m" + k + ", [1, 2, " + rows + "]");
        if (u.cell == "gru") {
            line("xs" + k, "split_with_sizes.default", "x" + k + ", [4, 4, 4], 1");
            line("hs" + k, "split_with_sizes.default", "mv" + k + ", [4, 4, 4], 2");
            for (int g = 0; g < 3; ++g) out += "    xg" + k + number(g) + " = xs" + k + "[" + number(g) + "]\n    hg" + k + number(g) + " = hs" + k + "[" + number(g) + "]\n";
            line("r" + k, "add.Tensor", "hg" + k + "0, xg" + k + "0");
            line("rs" + k, "sigmoid.default", "r" + k);
            line("z" + k, "add.Tensor", "hg" + k + "1, xg" + k + "1");
            line("zs" + k, "sigmoid.default", "z" + k);
            line("p" + k, "mul.Tensor", "hg" + k + "2, rs" + k);
            line("n" + k, "add.Tensor", "xg" + k + "2, p" + k);
            line("nt" + k, "tanh.default", "n" + k);
            line("d" + k, "sub.Tensor", "h" + k + ", nt" + k);
            line("dz" + k, "mul.Tensor", "d" + k + ", zs" + k);
            line(next, "add.Tensor", "dz" + k + ", nt" + k);
        } else {
            line("sum" + k, "add.Tensor", "mv" + k + ", x" + k);
            if (u.cell == "lstm") {
                line("s" + k, "split_with_sizes.default", "sum" + k + ", [4, 4, 4, 4], 2");
                for (int g = 0; g < 4; ++g) {
                    out += "    g" + k + number(g) + " = s" + k + "[" + number(g) + "]\n";
                    line("f" + k + number(g), g == 2 ? "tanh.default" : "sigmoid.default", "g" + k + number(g));
                }
                line("kept" + k, "mul.Tensor", "f" + k + "1, " + before);
                line("new" + k, "mul.Tensor", "f" + k + "0, f" + k + "2");
                before = "c" + number(t + 1);
                line(before, "add.Tensor", "kept" + k + ", new" + k);
                line("shown" + k, "tanh.default", before);
                line((u.projected ? "o" : "h") + number(t + 1), "mul.Tensor", "f" + k + "3, shown" + k);
                if (u.projected) {
                    line("pt" + k, "permute.default", "proj, [1, 0]");
                    line("ov" + k, "view.default", "o" + number(t + 1) + ", [2, 4]");
                    line("om" + k, "mm.default", "ov" + k + ", pt" + k);
                    line(next, "view.default", "om" + k + ", [1, 2, 3]");
                }
            } else {
                line(next, std::string(u.cell) + ".default", "sum" + k);
            }
        }
        states = u.reverse ? next + (t == 0 ? "" : ", " + states) : states + (t == 0 ? "" : ", ") + next;
    }
    line("cat", "cat.default", "[" + states + "]");
    line("last", "squeeze.dims", "h3, [0]");
    return out + "    return (" + std::string(u.returned) + ",)\n";
}

void recurrences() {
    for (std::string_view cell : {"lstm", "gru", "tanh", "relu"})
        for (bool reverse : {false, true})
            for (bool biased : {false, true})
                agrees(text_of({cell, reverse, biased, cell == "lstm" ? "cat, last, c3" : "cat, last"}), {{"npu.recurrent", 1}, {"npu.matmul", 1}, {"npu.pack_matmul", 1}, {"npu.concat", 0}});
    // The last state alone; one in between besides, or all in another order: read where the call gives them.
    for (bool reverse : {false, true}) {
        agrees(text_of({"gru", reverse, true, "last"}), {{"npu.recurrent", 1}, {"npu.matmul", 1}});
        agrees(text_of({"lstm", reverse, true, "cat, last, h2"}), {{"npu.recurrent", 1}, {"npu.matmul", 1}});
        agrees(replaced(text_of({"tanh", reverse, true, "cat, last"}), reverse ? "[h3, h2, h1]" : "[h1, h2, h3]", "[h2, h1, h3]"), {{"npu.recurrent", 1}, {"npu.matmul", 1}, {"npu.concat", 1}});
    }
    agrees(text_of({"gru", false, true, "cat", "w", "f64"}), {{"npu.recurrent", 1}});
    // Cells that others read, too, and a step with a weight of its own stay what they are; two of the same follow each other still.
    agrees(text_of({"lstm", false, true, "cat, c2"}), {{"npu.recurrent", 0}, {"npu.matmul", 4}});
    agrees(text_of({"lstm", false, true, "cat", "w2"}), {{"npu.recurrent", 0}, {"npu.matmul", 4}});
    // States that are projections.
    for (bool reverse : {false, true})
        for (bool biased : {false, true}) {
            const auto projected = text_of({"lstm", reverse, biased, "cat, last, c3, h2", "w", "f32", true});
            agrees(projected, {{"npu.recurrent", 1}, {"npu.matmul", 1}, {"npu.index_select", reverse ? 2 : 0}});
            agrees(replaced(projected, "default(proj, [1, 0])\n    ov2", "default(proj2, [1, 0])\n    ov2"), {{"npu.recurrent", 0}, {"npu.matmul", 7}}); // another weight in the last step
            agrees(replaced(projected, "h2,)", "o2,)"), {{"npu.recurrent", 0}}); // what is projected, returned
        }
    // A gate at another place, a state that is not the one that changes.
    agrees(replaced(text_of({"lstm"}), "[3]\n", "[0]\n"), {{"npu.recurrent", 0}});
    agrees(replaced(text_of({"gru"}), "sub.Tensor(h1,", "sub.Tensor(h0,"), {{"npu.recurrent", 0}});
}

void activations() {
    const std::string text = R"(def forward(self, x: "f32[4, 8]", w: "f32[8, 16]"):
    mm = torch.ops.aten.mm.default(x, w)
    gt = torch.ops.aten.gt.Scalar(mm, 0)
    mul = torch.ops.aten.mul.Tensor(mm, 0.01)
    where = torch.ops.aten.where.self(gt, mm, mul)
    return (where,)
)";
    const auto steps_of = [](const std::string& changed, int leaky, int prelu) {
        agrees(changed, {{"npu.matmul", 1}, {"aten.leaky_relu.default", leaky}, {"aten._prelu_kernel.default", prelu}});
    };
    steps_of(text, 1, 0);
    steps_of(replaced(text, "(mm, 0.01)", "(0.01, mm)"), 1, 0);
    steps_of(replaced(text, "gt.Scalar(mm, 0)", "gt.Scalar(mm, 1)"), 0, 0);
    steps_of(replaced(text, "where.self(gt, mm, mul)", "where.self(gt, mul, mm)"), 0, 0);
    // A slope that is a tensor: of all, of each channel; of another product it is none.
    const auto of_tensor = replaced(replaced(text, "\"f32[8, 16]\")", "\"f32[8, 16]\", s: \"f32[1, 16]\")"), "(mm, 0.01)", "(s, mm)");
    steps_of(of_tensor, 0, 1);
    steps_of(replaced(of_tensor, "f32[1, 16]", "f32[1, 1]"), 0, 1);
    steps_of(replaced(of_tensor, "(s, mm)", "(s, s)"), 0, 0);
    steps_of(replaced(replaced(text, "(mm, 0.01)", "(0.01, mm)"), "Tensor(0.01, mm)", "Tensor(gt, mm)"), 0, 0);
}

// F.pad by word, as run_decompositions() writes it: lookups by numbers that turn around at the edges, or stop there; copies of what stands at the other end.
std::string lookups(std::string_view mode) {
    const std::string reflect = R"(def forward(self, x: "f32[1, 3, 6, 5]"):
    a = torch.ops.aten.arange.start_step(-2, 7, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
    b = torch.ops.aten.abs.default(a)
    c = torch.ops.aten.sub.Tensor(5, b)
    d = torch.ops.aten.abs.default(c)
    rows: "i64[9]" = torch.ops.aten.sub.Tensor(5, d)
    y: "f32[1, 3, 9, 5]" = torch.ops.aten.index.Tensor(x, [None, None, rows, None])
    e = torch.ops.aten.arange.start_step(-3, 5, 1, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
    f = torch.ops.aten.abs.default(e)
    g = torch.ops.aten.sub.Tensor(4, f)
    h = torch.ops.aten.abs.default(g)
    columns: "i64[8]" = torch.ops.aten.sub.Tensor(4, h)
    z: "f32[1, 3, 9, 8]" = torch.ops.aten._unsafe_index.Tensor(y, [None, None, None, columns])
    return (z,)
)";
    const std::string replicate = R"(def forward(self, x: "f32[1, 3, 6, 5]"):
    a = torch.ops.aten.arange.start_step(-2, 7, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
    rows: "i64[9]" = torch.ops.aten.clamp.default(a, 0, 5)
    y: "f32[1, 3, 9, 5]" = torch.ops.aten.index.Tensor(x, [None, None, rows, None])
    e = torch.ops.aten.arange.start_step(-13, 5, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
    columns: "i64[18]" = torch.ops.aten.clamp.default(e, 0, 4)
    z: "f32[1, 3, 9, 18]" = torch.ops.aten.index.Tensor(y, [None, None, None, columns])
    return (z,)
)";
    return mode == "reflect" ? reflect : replicate;
}
const std::string circular = R"(def forward(self, x: "f32[1, 3, 6, 5]"):
    empty: "f32[1, 3, 9, 9]" = torch.ops.aten.empty.memory_format([1, 3, 9, 9], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
    slice_1: "f32[1, 3, 9, 5]" = torch.ops.aten.slice.Tensor(empty, 3, 1, 6)
    slice_2: "f32[1, 3, 6, 5]" = torch.ops.aten.slice.Tensor(x, 3, 0, 5)
    slice_3: "f32[1, 3, 6, 5]" = torch.ops.aten.slice.Tensor(slice_1, 2, 2, -1)
    slice_4: "f32[1, 3, 6, 5]" = torch.ops.aten.slice.Tensor(slice_2, 2, 0, 6)
    copy: "f32[1, 3, 6, 5]" = torch.ops.aten.copy.default(slice_3, slice_4)
    slice_5: "f32[1, 3, 9, 5]" = torch.ops.aten.slice.Tensor(empty, 3, 1, 6)
    slice_scatter: "f32[1, 3, 9, 5]" = torch.ops.aten.slice_scatter.default(slice_5, copy, 2, 2, -1)
    slice_scatter_1: "f32[1, 3, 9, 9]" = torch.ops.aten.slice_scatter.default(empty, slice_scatter, 3, 1, 6)
    slice_10: "f32[1, 3, 9, 1]" = torch.ops.aten.slice.Tensor(slice_scatter_1, 3, 0, 1)
    slice_11: "f32[1, 3, 9, 1]" = torch.ops.aten.slice.Tensor(slice_scatter_1, 3, 5, 6)
    copy_1: "f32[1, 3, 9, 1]" = torch.ops.aten.copy.default(slice_10, slice_11)
    slice_scatter_2: "f32[1, 3, 9, 9]" = torch.ops.aten.slice_scatter.default(slice_scatter_1, copy_1, 3, 0, 1)
    slice_15: "f32[1, 3, 9, 3]" = torch.ops.aten.slice.Tensor(slice_scatter_2, 3, -3, 9223372036854775807)
    slice_16: "f32[1, 3, 9, 3]" = torch.ops.aten.slice.Tensor(slice_scatter_2, 3, 1, 4)
    copy_2: "f32[1, 3, 9, 3]" = torch.ops.aten.copy.default(slice_15, slice_16)
    slice_scatter_3: "f32[1, 3, 9, 9]" = torch.ops.aten.slice_scatter.default(slice_scatter_2, copy_2, 3, -3, 9223372036854775807)
    slice_20: "f32[1, 3, 2, 9]" = torch.ops.aten.slice.Tensor(slice_scatter_3, 2, 0, 2)
    slice_21: "f32[1, 3, 2, 9]" = torch.ops.aten.slice.Tensor(slice_scatter_3, 2, 6, 8)
    copy_3: "f32[1, 3, 2, 9]" = torch.ops.aten.copy.default(slice_20, slice_21)
    slice_scatter_4: "f32[1, 3, 9, 9]" = torch.ops.aten.slice_scatter.default(slice_scatter_3, copy_3, 2, 0, 2)
    slice_25: "f32[1, 3, 1, 9]" = torch.ops.aten.slice.Tensor(slice_scatter_4, 2, 8, 9)
    slice_26: "f32[1, 3, 1, 9]" = torch.ops.aten.slice.Tensor(slice_scatter_4, 2, 2, 3)
    copy_4: "f32[1, 3, 1, 9]" = torch.ops.aten.copy.default(slice_25, slice_26)
    slice_scatter_5: "f32[1, 3, 9, 9]" = torch.ops.aten.slice_scatter.default(slice_scatter_4, copy_4, 2, 8, 9)
    return (slice_scatter_5,)
)";
void pads() {
    const auto reflect = lookups("reflect"), replicate = lookups("replicate");
    agrees(reflect, {{"npu.pad", 1}, {"npu.index_select", 0}});
    agrees(replicate, {{"npu.pad", 1}, {"npu.index_select", 0}});
    agrees(circular, {{"npu.concat", 2}, {"npu.copy", 0}});
    // What is read between the two, or returned besides, is there.
    agrees(replaced(reflect, "return (z,)", "return (z, y)"), {{"npu.pad", 2}, {"npu.index_select", 0}});
    agrees(replaced(circular, "return (slice_scatter_5,)", "r = torch.ops.aten.relu.default(slice_scatter_5)\n    return (r, slice_scatter_5)"), {{"npu.concat", 2}});
    // Of lines, with a batch and without.
    for (std::string_view batch : {"1, 3, ", ""}) {
        const auto lines = [&](std::string text) {
            text.replace(text.find("    e = "), text.find("    return") - text.find("    e = "), "");
            return replaced(replaced(replaced(replaced(text, "1, 3, 6, 5", std::string(batch) + "6"), "1, 3, 9, 5", std::string(batch) + "9"), "[None, None, rows, None]", batch.empty() ? "[rows]" : "[None, None, rows]"), "return (z,)", "return (y,)");
        };
        agrees(lines(reflect), {{"npu.pad", batch.empty() ? 0 : 1}, {"npu.index_select", batch.empty() ? 1 : 0}});
        agrees(lines(replicate), {{"npu.pad", batch.empty() ? 0 : 1}});
    }
    // Numbers that stop, turn or count elsewhere, of integers, and what is written elsewhere, stay what they are.
    agrees(replaced(replicate, "(a, 0, 5)", "(a, 0, 4)"), {{"npu.pad", 1}, {"npu.index_select", 1}});
    agrees(replaced(replicate, "(a, 0, 5)", "(a, 1, 5)"), {{"npu.pad", 1}, {"npu.index_select", 1}});
    agrees(replaced(reflect, "sub.Tensor(5, d)", "sub.Tensor(4, d)"), {{"npu.pad", 1}, {"npu.index_select", 1}});
    agrees(replaced(replaced(replicate, "(-2, 7,", "(-2, 16, 2,"), "i64[9]\" = torch.ops.aten.clamp.default(a, 0, 5)", "i64[9]\" = torch.ops.aten.clamp.default(a, 0, 5)"), {{"npu.pad", 1}, {"npu.index_select", 1}});
    agrees(replaced(circular, "slice.Tensor(slice_scatter_4, 2, 2, 3)", "slice.Tensor(slice_scatter_4, 2, 3, 4)"), {{"npu.concat", 0}});
    agrees(replaced(circular, "slice.Tensor(slice_scatter_2, 3, 1, 4)", "slice.Tensor(slice_scatter_1, 3, 1, 4)"), {{"npu.concat", 0}});
}

void losses() {
    const std::string smooth = R"(def forward(self, x: "f32[4, 8]", y: "f32[4, 8]"):
    sub = torch.ops.aten.sub.Tensor(x, y)
    abs_1 = torch.ops.aten.abs.default(sub)
    lt = torch.ops.aten.lt.Scalar(abs_1, 0.5)
    pow_1 = torch.ops.aten.pow.Tensor_Scalar(abs_1, 2)
    mul = torch.ops.aten.mul.Tensor(pow_1, 0.5)
    div = torch.ops.aten.div.Tensor(mul, 0.5)
    sub_1 = torch.ops.aten.sub.Tensor(abs_1, 0.25)
    where = torch.ops.aten.where.self(lt, div, sub_1)
    mean = torch.ops.aten.mean.default(where)
    return (mean,)
)";
    const std::string huber = replaced(replaced(replaced(smooth, "pow_1 = torch.ops.aten.pow.Tensor_Scalar(abs_1, 2)", "pow_1 = torch.ops.aten.mul.Tensor(abs_1, 0.5)"), "mul.Tensor(pow_1, 0.5)", "mul.Tensor(pow_1, abs_1)"),
                                       "div = torch.ops.aten.div.Tensor(mul, 0.5)\n    sub_1 = torch.ops.aten.sub.Tensor(abs_1, 0.25)", "sub_2 = torch.ops.aten.sub.Tensor(abs_1, 0.25)\n    sub_1 = torch.ops.aten.mul.Tensor(sub_2, 0.5)");
    const std::string huber_where = replaced(huber, "where.self(lt, div, sub_1)", "where.self(lt, mul, sub_1)");
    constexpr auto rare = [](std::size_t which, host_tensor& t) {
        const double infinity = std::numeric_limits<double>::infinity();
        t.data.put(1, which == 0 ? infinity : 1.0);
        t.data.put(2, which == 0 ? std::nan("") : 0.5);
        t.data.put(3, which == 0 ? 1.5 : 1.0); // on the border
        t.data.put(4, which == 0 ? 2.0 : std::nan(""));
        t.data.put(5, 0);
    };
    for (const auto& text : {smooth, huber_where}) {
        const auto whole = replaced(text, "return (mean,)", "return (where,)");
        agrees(text, {{"aten.where.self", 0}, {"npu.lt.Scalar", 0}});
        agrees(whole, {{"aten.where.self", 0}, {"npu.fused", 1}}, rare);
        agrees(replaced(whole, "lt.Scalar(abs_1, 0.5)", "lt.Scalar(abs_1, 0.25)"), {{"aten.where.self", 1}}, rare);
        agrees(replaced(whole, "(abs_1, 0.25)", "(abs_1, 0.75)"), {{"aten.where.self", 1}}, rare);
        agrees(replaced(whole, "abs.default(sub)", "neg.default(sub)"), {{"aten.where.self", 1}}, rare);
    }
    agrees(replaced(smooth, "y: \"f32[4, 8]\"", "y: \"f32[8]\""), {{"aten.where.self", 1}}); // losses do not broadcast

    const std::string xlogy = R"(def forward(self, x: "f32[4, 8]", y: "f32[4, 8]"):
    eq = torch.ops.aten.eq.Scalar(x, 0)
    log = torch.ops.aten.log.default(y)
    mul = torch.ops.aten.mul.Tensor(x, log)
    scalar_tensor = torch.ops.aten.scalar_tensor.default(0, dtype = torch.float32)
    where = torch.ops.aten.where.self(eq, scalar_tensor, mul)
    isnan = torch.ops.aten.isnan.default(y)
    scalar_tensor_1 = torch.ops.aten.scalar_tensor.default(nan, dtype = torch.float32)
    where_1 = torch.ops.aten.where.self(isnan, scalar_tensor_1, where)
    return (where_1,)
)";
    agrees(xlogy, {{"aten.where.self", 0}, {"npu.xlogy.Tensor", 1}}, rare);
    agrees(replaced(xlogy, "isnan.default(y)", "isnan.default(x)"), {{"aten.where.self", 2}}, rare);
    agrees(replaced(xlogy, "eq.Scalar(x, 0)", "eq.Scalar(x, 1)"), {{"aten.where.self", 2}}, rare);
    agrees(replaced(xlogy, "default(nan,", "default(2,"), {{"aten.where.self", 2}}, rare);

    agrees(R"(def forward(self, x: "f32[4, 8]", y: "f32[4, 8]"):
    eq = torch.ops.aten.eq.Scalar(x, 1)
    bitwise_not = torch.ops.aten.bitwise_not.default(eq)
    ne = torch.ops.aten.ne.Scalar(x, 1)
    eq_1 = torch.ops.aten.eq.Tensor(x, y)
    bitwise_not_1 = torch.ops.aten.bitwise_not.default(eq_1)
    bitwise_not_2 = torch.ops.aten.bitwise_not.default(bitwise_not_1)
    return (bitwise_not, ne, bitwise_not_1, bitwise_not_2)
)",
           {{"npu.bitwise_not.default", 1}, {"npu.eq.Tensor", 0}}, rare);
}

// Texts that PyTorch 2.14 printed, which recorded.cpp runs besides.
std::vector<std::string> texts_of(std::string_view name) {
    std::vector<std::string> out;
    for (const auto& one : ::cases::read_recorded("recorded/exported_texts.txt"))
        if (one.name.starts_with(name)) out.push_back(one.text.substr(one.text.find("def forward"), one.text.find("Graph signature:") - one.text.find("def forward")));
    return out;
}
void norms() {
    const auto texts = texts_of("instance_norm ");
    if (check(texts.size() == 1)) agrees(texts[0], {{"npu.layer_norm", 1}, {"npu.reduce", 0}});
}
void resizes() {
    const auto texts = texts_of("resize ");
    if (!check(texts.size() == 6, std::to_string(texts.size()))) return;
    constexpr int calls[] = {4, 2, 2, 3, 4, 6}; // one for each dim
    for (std::size_t k = 0; k < 6; ++k) agrees(texts[k], {{"npu.resize", calls[k]}, {"npu.gather", 0}, {"npu.index_select", 0}, {"aten.index.Tensor", 0}});
    const auto &cubic = texts[1], &linear = texts[2], &volume = texts[3], &middle = texts[5];
    agrees(cubic, {{"aten.upsample_bicubic2d.default", 1}});
    agrees(linear, {{"aten.upsample_linear1d.default", 2}});
    agrees(volume, {{"aten.upsample_trilinear3d.default", 1}});
    agrees(texts[4], {{"aten.upsample_nearest1d.default", 1}, {"aten.upsample_nearest3d.default", 1}});
    agrees(middle, {{"aten._upsample_nearest_exact1d.default", 1}, {"aten._upsample_nearest_exact2d.default", 1}, {"aten._upsample_nearest_exact3d.default", 1}});
    // What stands behind one is no part of it, and what is read besides is there.
    agrees(replaced(cubic, "return (", "more = torch.ops.aten.add.Tensor(add_24, add_24)\n            return (more, "), {{"npu.resize", 2}});
    agrees(replaced(volume, "return (", "return (index_3, "), {{"npu.resize", 3}});
    // Other weights, places, edges and signs stay lookups.
    const auto stays = [&](const std::string& text, std::string_view what, std::string_view with) {
        check(text.find(what) != text.npos, std::string(what));
        agrees(replaced(text, what, with), {{"aten.upsample_bicubic2d.default", 0}, {"aten.upsample_trilinear3d.default", 0}});
    };
    stays(cubic, ", -0.75)", ", -0.5)");
    stays(cubic, ", 1.25)", ", 1.5)");
    stays(cubic, "mul.Tensor(_to_copy_1, 1.5)", "mul.Tensor(_to_copy_1, 1.4)");
    stays(cubic, "clamp.default(sub_2, 0, 4)", "clamp.default(sub_2, 1, 4)");
    stays(volume, "clamp.default(add_1, None, 2)", "clamp.default(add_1, None, 1)");
    stays(volume, "sub.Tensor(add_9, add_8)", "sub.Tensor(add_8, add_9)");
    stays(volume, "mul.Tensor(sub_4, clamp_6)", "mul.Tensor(sub_4, 0.5)");
}

} // namespace

int main() {
    norms();
    resizes();
    losses();
    activations();
    pads();
    attention();
    products();
    recurrences();
    return report();
}
