// Calls that run_decompositions() wrote out are calls again: recurrent layers, activations, paddings and losses, in
// texts as PyTorch prints them, read at run time.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "recomposed.hpp"

using namespace ahead;
using namespace test;
using namespace test::recomposed;

namespace {

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
    agrees(replaced(replicate, "(-2, 7,", "(-2, 16, step = 2,"), {{"npu.pad", 1}, {"npu.index_select", 1}}); // a step by keyword, too
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

} // namespace

int main() {
    losses();
    activations();
    pads();
    recurrences();
    return report();
}
