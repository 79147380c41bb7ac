// TorchAir's patterns: what each makes of a graph, where it stays out, that the numbers stay, and that a program has them unless its toolchain says otherwise.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/reference/equivalent.hpp>
#include <ahead/torch_npu.hpp>
#include <ahead/torch_npu/joint_fusions.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

constexpr op_table op_rows = torch_npu::registry::table;

std::string calls_of(graph_view g) {
    std::string out;
    for (node_id n : g)
        if (g[n].kind == node_kind::call && g[n].target != "operator.getitem") out += std::string(base_of(g[n].target)) + " ";
    return out;
}
constexpr std::string_view inputs = "x : f16[2, 3, 8], r : f16[2, 3, 8], g : f16[8], b : f16[8], s : f32[8], one : f32[1], z : i8[8], m : f16[8], wide : f32[2, 3, 8], "
                                    "wg : f32[8], cos : f32[1, 3, 8], sin : f32[1, 3, 8], p : f16[2, 3, 4], q : f16[2, 4, 5], pt : f16[3, 2, 4], d : f64[2, 3, 4], e : f64[2, 4, 5], aq : f32[2, 4, 3, 6], ak : f32[2, 4, 5, 6], av : f32[2, 4, 5, 7], am : f32[2, 1, 3, 5], ao : f32[5], "
                                    "hq : f16[2, 4, 3, 6], hk : f16[2, 4, 5, 6], hv : f16[2, 4, 5, 7], one_head : f32[2, 1, 5, 6]";
// The calls that are left of these lines, "name = target(...); ", or the fault; the graph means the same before and after.
template <class Passes> std::string after(const Passes&, std::string_view body) {
    std::string text = "def forward(self, " + std::string(inputs) + "):\n";
    for (std::size_t at = 0; at < body.size();) {
        const auto end = body.find(';', at);
        auto line = std::string(body.substr(at, end - at));
        for (std::string_view room : {"npu.", "aten.", "prims.", "air."})
            if (const auto place = line.find(" " + std::string(room)); place != std::string::npos) line.insert(place + 1, "torch.ops.");
        text += "    " + line + "\n";
        at = end + 2;
    }
    fx_style style;
    diagnosis d;
    heap_storage parsed(count_fx(text));
    if (!check(read_fx(text, op_rows, parsed.edit(), style, d) && infer_types(parsed.edit(), op_rows, d), text + render(d))) return {};
    const auto used = parsed.header.used;
    heap_storage now({2 * used.nodes + 64, 2 * used.arguments + 256, 2 * used.values + 64});
    copy_graph(parsed.view(), now.edit());
    if (!pass::run(pass::pipeline<>{} | Passes{}, config{}, now.edit(), op_rows, d)) return std::string(name_of(d.what)) + ": " + std::string(d.expected.view()) + ", " + std::string(d.found.view());
    for (std::uint64_t seed : {1u, 2u}) check(equivalent<torch_npu::registry>(parsed.view(), now.view(), seed, d), text + render(d));
    const auto left = calls_of(now.view());
    // and taken apart again, as programs do
    heap_storage apart({1000, 10000, 1000});
    copy_graph(now.view(), apart.edit());
    check(pass::run(detail::custom_passes_of<torch_npu::tools> | detail::builtin_passes_of<torch_npu::tools>, config{}, apart.edit(), op_rows, d) &&
              equivalent<torch_npu::registry>(parsed.view(), apart.view(), 3, d),
          text + render(d));
    check(calls_of(apart.view()).find("npu_add") == std::string::npos && calls_of(apart.view()).find("batchmatmul") == std::string::npos, text + calls_of(apart.view()));
    return left;
}
std::string fused(std::string_view body) { return after(torch_npu::fusions, body); }
std::string joint(std::string_view body) { return after(torch_npu::joint_fusions, body); }
std::string line(auto... parts) { return (std::string() + ... + std::string(parts)); }

constexpr std::string_view norm = "n = npu.npu_add_rms_norm.default(x, r, g, 1e-05); y = n[0]; v = n[2]; ";
constexpr std::string_view on_one = "in = air.scope_enter.default(['_user_stream_label'], ['one']); ", off = "out = air.scope_exit.default(); ";

void sums() {
    constexpr std::string_view sum = "a = aten.add.Tensor(x, r); ", of_sum = "n = npu.npu_rms_norm.default(a, g, 1e-03); y = n[0]; ";
    check_equal(fused(line(sum, of_sum, "return (y, a);")), "npu_add_rms_norm ");
    check_equal(fused(line(sum, of_sum, "k = n[1]; q_ = aten.neg.default(a); return (y, k, q_);")), "npu_add_rms_norm neg ");
    check_equal(fused(line("a = aten.add.Tensor(x, r, alpha = 2); ", of_sum, "return (y, a);")), "add npu_rms_norm ");
    check_equal(fused(line("a = aten.add.Tensor(x, b); ", of_sum, "return (y, a);")), "add npu_rms_norm ");
    check_equal(fused(line("a = aten.add.Tensor(x, 1); ", of_sum, "return (y, a);")), "add npu_rms_norm ");
    check_equal(fused(line(sum, on_one, of_sum, off, "return (y, a);")), "add scope_enter npu_rms_norm scope_exit ");
}

void quantised() {
    const auto by = [](std::string_view arguments) { return line("i = npu.npu_quantize.default(y, ", arguments, "); "); };
    check_equal(fused(line(norm, by("s, z, 1, -1"), "return (i, v);")), "npu_add_rms_norm_quant ");
    check_equal(fused(line(norm, by("s, None, 1, 2, False"), "return (i, v);")), "npu_add_rms_norm_quant ");
    check_equal(fused(line(norm, by("one, None, 1, -1"), "return (i,);")), "npu_add_rms_norm_quant ");
    check_equal(fused(line(norm, by("one, None, 1, 0"), "return (i, v);")), "npu_add_rms_norm npu_quantize ");   // another axis
    check_equal(fused(line(norm, by("one, None, 3, -1"), "return (i, v);")), "npu_add_rms_norm npu_quantize ");  // i32
    check_equal(fused(line(norm, by("wide, None, 1, -1"), "return (i, v);")), "npu_add_rms_norm npu_quantize "); // scales of another shape
    check_equal(fused(line(norm, by("s, z, 1, -1"), "return (i, v, y);")), "npu_add_rms_norm npu_quantize ");    // y is read elsewhere
    check_equal(fused(line(norm, "k = n[1]; ", by("s, z, 1, -1"), "return (i, v, k);")), "npu_add_rms_norm npu_quantize ");
    check_equal(fused(line(norm, on_one, by("s, z, 1, -1"), off, "return (i, v);")), "npu_add_rms_norm scope_enter npu_quantize scope_exit ");

    constexpr std::string_view dynamic = "t = npu.npu_dynamic_quant.default(y); i = t[0]; k = t[1]; ";
    check_equal(fused(line(norm, dynamic, "return (i, k, v);")), "npu_add_rms_norm_dynamic_quant ");
    check_equal(fused(line(norm, "t = npu.npu_dynamic_quant.default(y, smooth_scales = m); i = t[0]; return (i, v);")), "npu_add_rms_norm_dynamic_quant ");
    check_equal(fused(line(norm, dynamic, "return (i, k, y);")), "npu_add_rms_norm npu_dynamic_quant ");
    check_equal(fused(line(norm, on_one, dynamic, off, "return (i, k, v);")), "npu_add_rms_norm scope_enter npu_dynamic_quant scope_exit ");
    const auto rows = [](std::string_view size) { return line("h = aten.view.default(y, ", size, "); t = npu.npu_dynamic_quant.default(h); i = t[0]; k = t[1]; "); };
    check_equal(fused(line(norm, rows("[6, 8]"), "return (i, k, v);")), "npu_add_rms_norm_dynamic_quant view view ");
    check_equal(fused(line(norm, rows("[-1, 8]"), "return (i, k);")), "npu_add_rms_norm_dynamic_quant view view ");
    check_equal(fused(line(norm, rows("[12, 4]"), "return (i, k, v);")), "npu_add_rms_norm view npu_dynamic_quant "); // other rows
}

void casts() {
    constexpr std::string_view cast = "f = prims.convert_element_type.default(y, torch.float32); ", to = "f = aten._to_copy.default(y, dtype = torch.float32); ";
    check_equal(fused(line(norm, cast, "return (y, f, v);")), "npu_add_rms_norm_cast ");
    check_equal(fused(line(norm, to, "k = n[1]; return (f, k);")), "npu_add_rms_norm_cast ");
    constexpr std::string_view viewed = "h = aten.view.default(y, [-1, 8]); f = prims.convert_element_type.default(h, torch.float32); ";
    check_equal(fused(line(norm, viewed, "return (y, f, v);")), "npu_add_rms_norm_cast view ");
    check_equal(fused(line(norm, "h = aten.view.default(y, [-1, 8]); f = aten._to_copy.default(h, dtype = torch.float32); return (f,);")), "npu_add_rms_norm_cast view ");
    check_equal(fused(line(norm, "f = prims.convert_element_type.default(y, torch.bfloat16); return (y, f, v);")), "npu_add_rms_norm convert_element_type ");
    check_equal(fused(line(norm, viewed, "return (h, f);")), "npu_add_rms_norm view convert_element_type ");
    check_equal(fused(line("n = npu.npu_add_rms_norm.default(wide, wide, wg); y = n[0]; ", cast, "return (y, f);")), "npu_add_rms_norm convert_element_type ");
    check_equal(fused(line(norm, on_one, cast, off, "return (y, f, v);")), "npu_add_rms_norm scope_enter convert_element_type scope_exit ");
}

void products() {
    constexpr std::string_view product = "c = aten.bmm.default(p, q); ";
    check_equal(fused(line(product, "t = aten.transpose.int(c, 0, 1); u = aten.neg.default(t); return (u,);")), "npu_transpose_batchmatmul neg ");
    check_equal(fused(line(product, "t = aten.transpose.int(c, 1, -3); u = aten.neg.default(t); return (u,);")), "npu_transpose_batchmatmul neg ");
    check_equal(fused(line(product, "t = aten.permute.default(c, [1, 0, 2]); u = aten.neg.default(t); return (u,);")), "npu_transpose_batchmatmul neg ");
    constexpr std::string_view turned = "o = aten.transpose.int(pt, 0, 1); c = aten.bmm.default(o, q); ", permuted = "o = aten.permute.default(pt, [1, 0, 2]); c = aten.bmm.default(o, q); ";
    check_equal(fused(line(turned, "t = aten.transpose.int(c, 0, 1); u = aten.neg.default(t); return (u,);")), "npu_transpose_batchmatmul neg ");
    check_equal(fused(line(permuted, "t = aten.permute.default(c, [1, 0, 2]); u = aten.neg.default(t); return (u,);")), "npu_transpose_batchmatmul neg ");
    check_equal(fused(line(product, "t = aten.transpose.int(c, 1, 2); u = aten.neg.default(t); return (u,);")), "bmm transpose neg "); // other dims
    check_equal(fused(line(product, "t = aten.transpose.int(c, 0, 1); u = aten.neg.default(t); return (u, c);")), "bmm transpose neg ");
    check_equal(fused("c = aten.bmm.default(d, e); t = aten.transpose.int(c, 0, 1); u = aten.neg.default(t); return (u,);"), "bmm transpose neg "); // f64
    check_equal(fused(line(product, on_one, "t = aten.transpose.int(c, 0, 1); u = aten.neg.default(t); ", off, "return (u,);")), "bmm scope_enter transpose neg scope_exit ");
}

void written() {
    const auto rms = [](std::string_view square, std::string_view x, std::string_view dim, std::string_view epsilon, std::string_view last) {
        return line("a = ", square, "; k = aten.mean.dim(a, [", dim, "], True); h = aten.add.Tensor(k, ", epsilon, "); j = aten.rsqrt.default(h); y = aten.mul.Tensor(", x, ", j); ", last);
    };
    constexpr std::string_view power = "aten.pow.Tensor_Scalar(wide, 2)", times = "aten.mul.Tensor(wide, wide)", by = "o = aten.mul.Tensor(y, wg); return (o,);",
                               of = "o = aten.mul.Tensor(wg, y); return (o,);";
    for (auto square : {power, times})
        for (auto last : {by, of}) check_equal(joint(rms(square, "wide", "-1", "1e-05", last)), "npu_rms_norm ");
    check_equal(joint(rms(power, "wide", "2", "0.25", by)), "npu_rms_norm ");
    constexpr std::string_view whole = "pow mean add rsqrt mul mul ";
    check_equal(joint(rms(power, "wide", "1", "1e-05", by)), whole);                                                 // another dim
    check_equal(joint(rms(power, "wide", "-1", "one", by)), whole);                                                  // an epsilon that is a tensor
    check_equal(joint(rms("aten.pow.Tensor_Scalar(wide, 3)", "wide", "-1", "1e-05", by)), whole);                    // no square
    check_equal(joint(rms(power, "wide", "-1", "1e-05", "o = aten.mul.Tensor(y, one); return (o,);")), whole);       // a gamma of another shape
    check_equal(joint(rms("aten.pow.Tensor_Scalar(x, 2)", "x", "-1", "1e-05", "o = aten.mul.Tensor(y, g); return (o,);")), whole); // f16 is rounded in between
    check_equal(joint(rms(power, "wide", "-1", "1e-05", line(on_one, "o = aten.mul.Tensor(y, wg); ", off, "return (o,);"))), "pow mean add rsqrt mul scope_enter mul scope_exit ");

    const auto rotary = [](std::string_view x, std::string_view halves, std::string_view end) {
        return line(halves, "i = aten.neg.default(l); t = aten.cat.default([i, f], -1); c = aten.mul.Tensor(", x, ", cos); ", end);
    };
    constexpr std::string_view halves = "f = aten.slice.Tensor(wide, 2, 0, 4); l = aten.slice.Tensor(wide, -1, 4, 9223372036854775807); ", end = "k = aten.mul.Tensor(t, sin); o = aten.add.Tensor(c, k); return (o,);";
    check_equal(joint(rotary("wide", halves, end)), "npu_rotary_mul ");
    constexpr std::string_view kept = "slice slice neg cat mul mul add ";
    check_equal(joint(rotary("wide", "f = aten.slice.Tensor(wide, 2, 0, 3); l = aten.slice.Tensor(wide, -1, 3, 8); ", end)), kept); // no halves
    check_equal(joint(rotary("wide", "f = aten.slice.Tensor(wide, 2, 4, 8); l = aten.slice.Tensor(wide, 2, 0, 4); ", end)), kept); // the other way
    check_equal(joint(rotary("wide", halves, line("k = aten.mul.Tensor(t, sin); ", on_one, "o = aten.add.Tensor(c, k); ", off, "return (o,);"))), "slice slice neg cat mul mul scope_enter add scope_exit ");
}

using without = torch_npu::tools::with_pattern_pass<>;
using joined = torch_npu::tools::with_pattern_pass<torch_npu::joint_fusions | torch_npu::fusions>;

// Attention by matmul and by bmm, with and without what is added to its scores.
std::string attention(std::string_view scaled, std::string_view more = "", std::string_view dims = "2, 3", std::string_view softmax = "a3, -1", std::string_view q = "aq",
                      std::string_view k = "ak", std::string_view v = "av") {
    const bool is_masked = !more.empty();
    return line("a0 = aten.transpose.int(", k, ", ", dims, "); a1 = aten.matmul.default(", q, ", a0); ", is_masked ? "a2" : "a3", " = aten.", scaled, "; ",
                is_masked ? line("a3 = aten.add.Tensor(a2, ", more, "); ") : std::string(), "a4 = aten.softmax.int(", softmax, "); y = aten.matmul.default(a4, ", v, "); ");
}
std::string traced(std::string_view q4 = "[2, 4, 3, 6]", std::string_view scores = "[2, 4, 3, 5]", std::string_view half = "False") {
    return line("a0 = aten.transpose.int(ak, -2, -1); b0 = aten.expand.default(aq, ", q4, "); b1 = aten.view.default(b0, [8, 3, 6]); b2 = aten.expand.default(a0, [2, 4, 6, 5]); "
                "b3 = aten.view.default(b2, [8, 6, 5]); b4 = aten.bmm.default(b1, b3); a1 = aten.view.default(b4, ", scores, "); a2 = aten.div.Tensor(a1, 2.4494897427831779); "
                "a3 = aten.add.Tensor(a2, am); a4 = aten._softmax.default(a3, -1, ", half, "); b5 = aten.expand.default(a4, [2, 4, 3, 5]); b6 = aten.view.default(b5, [8, 3, 5]); "
                "b7 = aten.expand.default(av, [2, 4, 5, 7]); b8 = aten.view.default(b7, [8, 5, 7]); b9 = aten.bmm.default(b6, b8); y = aten.view.default(b9, [2, 4, 3, 7]); ");
}
void attentions() {
    constexpr std::string_view ret = "return (y,);", whole = "transpose matmul mul softmax matmul ";
    check_equal(joint(attention("div.Tensor(a1, 2.4494897427831779)") + std::string(ret)), "npu_fusion_attention ");
    check_equal(joint(attention("mul.Tensor(a1, 0.4)") + std::string(ret)), "npu_fusion_attention ");
    check_equal(joint(attention("mul.Tensor(a1, 2)", "", "-1, -2", "a3, 3") + std::string(ret)), "npu_fusion_attention ");
    check_equal(joint(attention("div.Tensor(a1, 2.5)", "am") + std::string(ret)), "expand npu_fusion_attention ");
    check_equal(joint(attention("mul.Tensor(a1, 0.4)", "ao") + std::string(ret)), "expand npu_fusion_attention "); // of keys alone
    check_equal(joint(attention("mul.Tensor(a1, 0.4)", "", "2, 3", "a3, -1, torch.float32") + std::string(ret)), "npu_fusion_attention ");
    check_equal(joint(traced() + std::string(ret)), "expand npu_fusion_attention ");
    check_equal(joint(traced("[-1, 4, -1, 6]", "[2, 4, 3, -1]") + std::string(ret)), "expand npu_fusion_attention ");
    // left as they are: other dims, another softmax, f16, which rounds in between, heads that are spread, weights that others read, by zero
    check_equal(joint(attention("mul.Tensor(a1, 0.4)", "", "2, 3", "a3, 2") + std::string(ret)), whole);
    check_equal(joint(attention("mul.Tensor(a1, 0.4)", "", "2, 3", "a3, -1", "hq", "hk", "hv") + std::string(ret)), whole);
    check_equal(joint(attention("mul.Tensor(a1, 0.4)", "", "2, 3", "a3, -1", "aq", "one_head") + std::string(ret)), whole);
    check_equal(joint(attention("mul.Tensor(a1, 0.4)") + "return (y, a4);"), whole);
    check_equal(joint(attention("div.Tensor(a1, 0)") + std::string(ret)), "transpose matmul div softmax matmul ");
    // On kernels, as what it was: the same tasks and bytes.
    const std::string text = "def forward(self, q: \"f32[2, 4, 3, 6]\", k: \"f32[2, 4, 5, 6]\", v: \"f32[2, 4, 5, 7]\"):\n    t = torch.ops.aten.transpose.int(k, 2, 3)\n"
                             "    s = torch.ops.aten.matmul.default(q, t)\n    c = torch.ops.aten.mul.Tensor(s, 0.4)\n    w = torch.ops.aten.softmax.int(c, -1)\n"
                             "    y = torch.ops.aten.matmul.default(w, v)\n    return (y,)\n";
    const auto fused = inspect_fx<joined, torch_npu::registry>(text), apart = inspect_fx<without, torch_npu::registry>(text);
    if (!check(fused.error.ok() && apart.error.ok(), render(fused.error))) return;
    check_equal(fused.plan().ai_cpu_tasks, 0);
    check(fused.plan().run_tasks <= apart.plan().run_tasks && fused.plan().peak_bytes <= apart.plan().peak_bytes);
}

// What the operators refuse that patterns join.
void refusals() {
    const auto is = [](const std::string& call, const std::string& why) {
        const auto made = inspect_fx<torch_npu::tools, torch_npu::registry>("def forward(self, " + std::string(inputs) + "):\n    o = torch.ops.npu." + call + "\n    k = o[0]\n    return (k,)\n");
        check_equal(call + " " + std::string(name_of(made.error.what)) + ": " + std::string(made.error.expected.view()) + ", " + std::string(made.error.found.view()), call + " " + why);
    };
    is("npu_add_rms_norm_cast.default(x, b, g)", "shapes_do_not_broadcast: f16[2, 3, 8], f16[8]");
    is("npu_add_rms_norm_cast.default(x, wide, g)", "dtypes_differ: f16[2, 3, 8], f32[2, 3, 8]");
    is("npu_add_rms_norm_quant.default(x, r, g, s, z, b)", "argument_has_wrong_kind: beta: None, a tensor");
    is("npu_add_rms_norm_quant.default(x, r, g, s, scales2 = s)", "argument_has_wrong_kind: scales2: None, a tensor");
    is("npu_add_rms_norm_quant.default(x, r, g, s, axis = 0)", "dimension_is_out_of_range: axis: -1, 0");
    is("npu_add_rms_norm_quant.default(x, r, g, cos)", "rank_is_wrong: rank 1, f32[1, 3, 8]");
    is("npu_add_rms_norm_quant.default(x, r, g, z)", "dtype_is_unsupported: floating point, i8[8]");
    is("npu_add_rms_norm_dynamic_quant.default(x, r, g, smooth_scale1 = s)", "dtypes_differ: f16[2, 3, 8], f32[8]");
    is("npu_add_rms_norm_dynamic_quant.default(x, r, g, smooth_scale2 = m)", "argument_has_wrong_kind: smooth_scale2: None, a tensor");
    is("npu_transpose_batchmatmul.default(p, q, bias = g)", "argument_has_wrong_kind: bias: None, a tensor");
    is("npu_transpose_batchmatmul.default(p, q, perm_y = [0, 0, 2])", "dimension_is_repeated: perm_y: each of 0, 1 and 2, others");
    is("npu_transpose_batchmatmul.default(p, q, batch_split_factor = 2)", "argument_has_wrong_kind: batch_split_factor: 1, 2");
    is("npu_transpose_batchmatmul.default(p, g)", "rank_is_wrong: rank 3, f16[8]");
    check(!inspect_fx<torch_npu::tools, torch_npu::registry>("def forward(self, " + std::string(inputs) + "):\n    o = torch.ops.npu.npu_transpose_batchmatmul.default(p, p)\n    return (o,)\n").error.ok());
}

// On in torch_npu::tools; what it is joined to is taken apart again, by kernels.
const std::string layer = "def forward(self, x : f16[2, 3, 8], r : f16[2, 3, 8], g : f16[8]):\n    a = torch.ops.aten.add.Tensor(x, r)\n    n = torch.ops.npu.npu_rms_norm.default(a, g)\n"
                          "    y = n[0]\n    t = torch.ops.npu.npu_dynamic_quant.default(y)\n    i = t[0]\n    k = t[1]\n    return (i, k, a)\n";
template <class Tools> std::int32_t changes_of(std::string_view pass, const std::string& text) {
    std::int32_t found = 0;
    diagnosis d;
    fx_style style;
    heap_storage g(count_fx(text));
    check(read_fx(text, op_rows, g.edit(), style, d) && infer_types(g.edit(), op_rows, d));
    heap_storage room({400, 4000, 400});
    copy_graph(g.view(), room.edit());
    check(pass::run(compile::passes_of<Tools>{}, config{}, room.edit(), op_rows, d, [&](std::string_view name, graph_view, std::int32_t changes) {
        if (name == pass) found += changes;
    }));
    return found;
}
void in_programs() {
    check(changes_of<torch_npu::tools>("add_rms_norm_dynamic_quant", layer) > 0);
    check_equal(changes_of<without>("add_rms_norm_dynamic_quant", layer), 0);
    check_equal(changes_of<torch_npu::tools>("rms_norm_of_powers", layer), 0);
    const auto with = inspect_fx<torch_npu::tools, torch_npu::registry>(layer), apart = inspect_fx<without, torch_npu::registry>(layer);
    check(with.error.ok() && apart.error.ok(), render(with.error));
    check_equal(with.plan().ai_cpu_tasks, 0);
    check_equal(with.plan().run_tasks, apart.plan().run_tasks);
    check((inspect_fx<joined, torch_npu::registry>(layer).error.ok()));
}

} // namespace

int main() {
    sums();
    quantised();
    casts();
    products();
    written();
    attentions();
    refusals();
    in_programs();
    return test::report();
}
