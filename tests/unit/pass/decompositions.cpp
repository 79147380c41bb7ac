// SPDX-License-Identifier: MIT
// Decompositions: what every built-in one makes of a call, that it means the same and leaves nothing to the AI CPU, where each must not fire; and
// users' own, in handles and as functions, in a toolchain.
#include "harness.hpp"
#include "lowered.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table ops = aten::registry::table;
using reading = typed_reading<capacity{128, 768, 288}>;

std::string targets_of(graph_view g) {
    std::string out;
    for (node_id n : g)
        if (g[n].kind == node_kind::call) out += std::string(base_of(g[n].target)) + " ";
    return out;
}
// The body of a graph of x: f32[2, 4, 6], y: f32[4, 6], w, b: f32[4], row: f32[6], m: f32[6, 3].
std::string text_of(std::string_view body) {
    std::string out = "def forward(self, x : f32[2, 4, 6], y : f32[4, 6], w : f32[4], b : f32[4], row : f32[6], m : f32[6, 3], n : f64[3, "
                      "4], k : i64[4, 6]):\n";
    for (std::size_t at = 0; at < body.size();) {
        const auto end = body.find(';', at);
        out += "    " + std::string(body.substr(at, end - at)) + "\n";
        at = end + 2;
    }
    return out;
}
// What a call becomes. Law: equivalent, and nothing that is left runs on the AI CPU, but for what prepare does, in brackets.
std::string becomes(std::string_view body) {
    const auto text = text_of(body);
    const reading before(text);
    reading after(text);
    if (!after.error.ok()) return std::string(name_of(after.error.what));
    const pass::pipeline<pass::decompose_pass> passes;
    const bool applies = pass::any_applies(passes, config{}, after.storage.view(), ops);
    std::int32_t changes = 0;
    if (!pass::run(passes, config{}, after.storage.edit(), ops, after.error,
                   [&](std::string_view, graph_view, std::int32_t more) { changes += more; }))
        return std::string(name_of(after.error.what)) + ": " + std::string(after.error.expected.view()) + ", " +
               std::string(after.error.found.view());
    check(applies == (changes > 0), text);
    diagnosis d;
    check(equivalent(before.storage.view(), after.storage.view(), 5, d), text + std::string(d.found.view()));
    if (changes > 0) {
        const lowered device(after.storage.view());
        auto tasks = device.tasks();
        for (auto at = tasks.find("[aten."); at != std::string::npos; at = tasks.find("[aten.")) tasks.erase(at, 6);
        check(device.error.ok() && tasks.find("aten.") == std::string::npos, text + device.tasks());
    }
    return targets_of(after.storage.view());
}

// v: c64[2, 4, 3], the pairs of x.
const std::string complex_x = "p = torch.ops.aten.view.default(x, [2, 4, 3, 2]); v = torch.ops.aten.view_as_complex.default(p); ";

// One call, whose first result is returned.
std::string becomes_call(std::string_view call) { return becomes("r = torch.ops.aten." + std::string(call) + "; return (r,);"); }
std::string becomes_first(std::string_view call) { return becomes("r = torch.ops.aten." + std::string(call) + "; g = r[0]; return (g,);"); }

void products() {
    check_equal(becomes_call("addmm.default(b, y, y, beta = 0.5)"), "matmul_inner_extents_differ");
    check_equal(
        becomes(
            "z = torch.ops.aten.slice.Tensor(b, 0, 0, 3); r = torch.ops.aten.addmm.default(z, y, m, beta = 0.5, alpha = 2); return (r,);"),
        "slice mm mul mul add ");
    check_equal(
        becomes(
            "z = torch.ops.aten.slice.Tensor(b, 0, 0, 3); r = torch.ops.aten.addmm.default(z, y, m, beta = 0, alpha = 2); return (r,);"),
        "slice mm mul ");
    check_equal(
        becomes("z = torch.ops.aten.slice.Tensor(b, 0, 0, 3); r = torch.ops.aten.addmm.default(z, y, m, alpha = 0.5); return (r,);"),
        "slice mm mul add ");
    check_equal(becomes("z = torch.ops.aten.slice.Tensor(b, 0, 0, 3); r = torch.ops.aten.addmm.default(z, y, m); return (r,);"),
                "slice addmm ");
    check_equal(becomes("t = torch.ops.aten.transpose.int(x, 1, 2); r = torch.ops.aten.baddbmm.default(b, x, t, alpha = 3); return (r,);"),
                "transpose bmm mul add ");

    check_equal(becomes_call("matmul.default(y, m)"), "mm ");
    check_equal(becomes_call("matmul.default(x, m)"), "reshape mm view ");
    check_equal(becomes_call("matmul.default(y, row)"), "unsqueeze mm view ");
    check_equal(becomes_call("matmul.default(w, y)"), "unsqueeze mm view ");
    check_equal(becomes_call("matmul.default(x, row)"), "unsqueeze reshape mm view ");
    check_equal(becomes_call("matmul.default(row, row)"), "unsqueeze unsqueeze mm view ");
    check_equal(becomes("t = torch.ops.aten.transpose.int(x, 1, 2); r = torch.ops.aten.matmul.default(x, t); return (r,);"),
                "transpose bmm ");
    check_equal(becomes("t = torch.ops.aten.transpose.int(x, 1, 2); r = torch.ops.aten.matmul.default(y, t); return (r,);"),
                "transpose expand bmm ");
    check_equal(becomes("t = torch.ops.aten.view.default(x, [2, 1, 6, 4]); u = torch.ops.aten.expand.default(x, [3, 2, 4, 6]); "
                        "v = torch.ops.aten.transpose.int(u, 0, 1); r = torch.ops.aten.matmul.default(v, t); return (r,);"),
                "view expand transpose reshape expand reshape bmm view ");
    check_equal(becomes("t = torch.ops.aten.transpose.int(x, 1, 2); r = torch.ops.aten.matmul.default(row, t); return (r,);"),
                "transpose unsqueeze expand bmm view ");
    check_equal(becomes_call("outer.default(row, w)"), "unsqueeze mul ");
    check_equal(becomes_call("addr.default(y, w, row)"), "unsqueeze mul add ");
    check_equal(becomes_call("addr.default(y, w, row, beta = 2, alpha = 0.5)"), "unsqueeze mul mul mul add ");
    check_equal(becomes_call("addr.default(y, w, row, beta = 0)"), "unsqueeze mul ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [3, 4, 4]); q = torch.ops.aten.slice.Tensor(y, 1, 0, 4); z = torch.ops.aten.slice.Tensor(w, 0, 0, 3); "
                        "r = torch.ops.aten.bilinear.default(q, q, v, z); return (r,);"),
                "view slice slice permute reshape reshape reshape mm view mul sum view add ");
    check_equal(becomes_call("mv.default(y, row)"), "unsqueeze mm view ");
    check_equal(becomes_call("dot.default(row, row)"), "unsqueeze unsqueeze mm view ");
    check_equal(becomes_call("vdot.default(row, row)"), "unsqueeze unsqueeze mm view ");
    check_equal(becomes("i = torch.ops.aten.transpose.int(k, 0, 1); r = torch.ops.aten.matmul.default(k, i); return (r,);"),
                "transpose matmul ");
}

// In handles, too.
constexpr auto in_handles = trace([](input<"q", f32<2, 3, 4>> q, input<"k", f32<2, 5, 4>> k, input<"v", f32<2, 5, 6>> v, input<"m", b8<3, 5>> m) {
    return outputs(scaled_dot_product_attention(q, k, v), scaled_dot_product_attention(q, k, v, m), scaled_dot_product_attention(q, k, v, is_causal));
});
static_assert(std::same_as<typed<in_handles>::node<"scaled_dot_product_attention_2">::result<>, f32<2, 3, 6>>);

// What is known of a causal mask is computed by prepare.
void attentions() {
    const std::string heads = "h = torch.ops.aten.view.default(x, [1, 2, 4, 6]); ";
    check_equal(becomes_call("scaled_dot_product_attention.default(x, x, x)"), "transpose bmm mul _softmax bmm ");
    check_equal(becomes(heads + "r = torch.ops.aten.scaled_dot_product_attention.default(h, h, h, scale = 2.0); return (r,);"),
                "view reshape reshape transpose reshape bmm mul _softmax bmm view ");
    check_equal(becomes_call("scaled_dot_product_attention.default(x, y, y)"), "expand transpose expand bmm mul _softmax bmm ");
    check_equal(
        becomes("s = torch.ops.aten.gt.Scalar(b, 0); r = torch.ops.aten.scaled_dot_product_attention.default(x, x, x, s); return (r,);"),
        "gt transpose bmm mul where view add view amax clamp_min sub exp sum clamp_min div bmm ");
    check_equal(becomes("a = torch.ops.aten.slice.Tensor(x, 0, 0, 1); r = torch.ops.aten.scaled_dot_product_attention.default(x, a, a, b, "
                        "enable_gqa = True); "
                        "return (r,);"),
                "slice unsqueeze expand reshape transpose unsqueeze expand reshape bmm mul view add view amax clamp_min sub exp sum "
                "clamp_min div bmm ");
    check_equal(
        becomes(
            heads +
            "t = torch.ops.aten._scaled_dot_product_efficient_attention.default(h, h, h, None, True); r = t[0]; s = t[1]; return (r, s);"),
        "view reshape reshape transpose reshape bmm mul amax sub exp sum log add view constant_pad_nd div bmm view ");
    const auto text = text_of("r = torch.ops.aten.scaled_dot_product_attention.default(x, x, x, None, 0.0, True); return (r,);");
    reading causal(text); // its names are views of the text
    check(pass::run(pass::pipeline<pass::decompose_pass>{}, config{}, causal.storage.edit(), ops, causal.error));
    check_equal(
        lowered(causal.storage.view()).tasks(),
        "npu.batch_matmul [aten.full.default] [aten.triu.default] npu.fused npu.softmax npu.batch_matmul ");
}

// Behind the forward kernel, whose results they take.
void attention_gradients() {
    const std::string forward = "h = torch.ops.aten.view.default(x, [1, 2, 4, 6]); "
                                "t = torch.ops.aten._scaled_dot_product_efficient_attention.default(h, h, h, None, True); o = t[0]; s = t[1]; ";
    const std::string made = "view reshape reshape transpose reshape bmm mul amax sub exp sum log add view constant_pad_nd div bmm view ";
    check_equal(becomes(forward + "g = torch.ops.aten._scaled_dot_product_efficient_attention_backward.default(h, h, h, h, None, o, s, None, None, "
                                  "0.0, [True, True, True, False]); dq = g[0]; dk = g[1]; dv = g[2]; db = g[3]; return (dq, dk, dv, db);"),
                made + "reshape reshape reshape reshape transpose bmm mul slice reshape sub exp reshape mul sum transpose bmm sub mul bmm mul view "
                       "transpose bmm mul view transpose bmm view full ");
    check_equal(becomes(forward + "g = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(h, h, h, h, o, s, 0.0, True); "
                                  "q = g[0]; return (q,);"),
                made + "reshape reshape reshape reshape transpose bmm mul full triu add slice reshape sub exp reshape mul sum transpose bmm sub mul "
                       "bmm mul view ");
    const std::string one_head = "e = torch.ops.aten.slice.Tensor(h, 1, 0, 1); ";
    check_equal(becomes(forward + one_head +
                        "g = torch.ops.aten._scaled_dot_product_flash_attention_backward.default(h, h, e, e, o, s, None, None, 4, 4, 0.0, False, "
                        "None, None); v = g[2]; return (v,);"),
                made + "slice reshape unsqueeze expand reshape reshape unsqueeze expand reshape reshape reshape transpose bmm mul slice reshape sub exp "
                       "reshape mul sum transpose bmm sub mul transpose bmm view sum ");
    check_equal(becomes(forward + "g = torch.ops.aten._scaled_dot_product_fused_attention_overrideable_backward.default(h, h, h, h, b, [True, True, "
                                  "True, True], o, s, None, None, 4, 4, 0.0, False, None, None); db = g[3]; return (db,);"),
                made + "reshape reshape reshape reshape transpose bmm mul view add view slice reshape clamp_min sub exp reshape mul sum transpose bmm "
                       "sub mul view sum view ");
}

void normalisations() {
    check_equal(becomes_first("native_batch_norm.default(x, w, b, b, w, False, 0.1, 1.5)"), "add rsqrt mul mul sub view mul view add ");
    check_equal(becomes_first("_native_batch_norm_legit_no_training.default(y, None, None, row, row, 0.1, 1.5)"),
                "add rsqrt mul neg mul add ");
    check_equal(becomes("r = torch.ops.aten.native_batch_norm.default(x, w, b, b, w, False, 0.1, 1.5); g = r[0]; h = r[1]; return (g, h);"),
                "add rsqrt mul mul sub view mul view add slice ");
    check_equal(becomes_first("_native_batch_norm_legit.default(y, None, None, row, row, False, 0.1, 1.5)"), "add rsqrt mul neg mul add ");
    // by the batch's own moments
    check_equal(becomes_first("native_batch_norm.default(x, w, b, None, None, True, 0.1, 1.5)"),
                "mean sub mul mean add rsqrt mul view mul view add ");
    check_equal(becomes("r = torch.ops.aten._native_batch_norm_legit.no_stats(x, None, b, True, 0.1, 1.5); g = r[0]; h = r[1]; i = r[2]; "
                        "return (g, h, i);"),
                "mean sub mul mean add rsqrt mul view add view view ");
    check_equal(becomes("r = torch.ops.aten._native_batch_norm_legit_functional.default(x, w, b, b, w, True, 0.1, 1.5); g = r[3]; h = r[4]; "
                        "return (g, h);"),
                "mean sub mul mean add rsqrt mul view mul view add mul view mul add mul view mul add ");
    // what does not train and gives its statistics back stays
    check_equal(becomes_first("_native_batch_norm_legit_functional.default(x, w, b, b, w, False, 0.1, 1.5)"),
                "_native_batch_norm_legit_functional getitem ");
    check_equal(becomes_call("group_norm.default(x, 2)"), "reshape native_layer_norm getitem view ");
    check_equal(becomes_call("group_norm.default(x, 2, w, b, 0.1)"), "reshape native_layer_norm getitem view view mul view add ");
    check_equal(becomes_first("native_group_norm.default(x, w, None, 2, 4, 6, 4, 0.1)"),
                "reshape native_layer_norm getitem view view mul ");
    check_equal(
        becomes("r = torch.ops.aten.native_group_norm.default(x, w, b, 2, 4, 6, 2, 0.1); g = r[0]; h = r[1]; i = r[2]; return (g, h, i);"),
        "reshape native_layer_norm getitem view view mul view add getitem view getitem view ");
    check_equal(becomes_call("rms_norm.default(y, [6], row, 0.1)"), "mul mean add rsqrt mul mul ");
    check_equal(becomes_call("rms_norm.default(x, [4, 6])"), "mul mean add rsqrt mul ");
}

void norm_gradients() {
    const std::string moments = "o = torch.ops.aten.native_layer_norm.default(x, [6], None, None, 0.5); u = o[1]; s = o[2]; "
                                "r = torch.ops.aten.native_layer_norm_backward.default(x, x, [6], u, s, row, row, ";
    check_equal(becomes(moments + "[True, True, True]); g = r[0]; h = r[1]; i = r[2]; return (g, h, i);"),
                "native_layer_norm getitem getitem sub mul mul mean mul mean sub mul sub mul view mul sum view sum view ");
    check_equal(becomes(moments + "[False, False, True]); g = r[2]; return (g,);"),
                "native_layer_norm getitem getitem sub mul sum view ");
    // an empty tensor for None is asked for
    check_equal(becomes(moments + "[False, False, True]); g = r[0]; return (g,);"),
                "native_layer_norm getitem getitem native_layer_norm_backward getitem ");
    check_equal(becomes("o = torch.ops.aten.native_layer_norm.default(y, [4, 6], None, None, 0.5); u = o[1]; s = o[2]; "
                        "r = torch.ops.aten.native_layer_norm_backward.default(y, y, [4, 6], u, s, y, None, [True, True, True]); g = r[1]; "
                        "return (g,);"),
                "native_layer_norm getitem getitem sub mul mul view ");
    check_equal(becomes("o = torch.ops.aten.native_group_norm.default(x, w, b, 2, 4, 6, 2, 0.5); u = o[1]; s = o[2]; "
                        "r = torch.ops.aten.native_group_norm_backward.default(x, x, u, s, w, 2, 4, 6, 2, [True, True, True]); g = r[0]; "
                        "h = r[1]; return (g, h);"),
                "reshape native_layer_norm getitem view view mul view add getitem view getitem view view reshape reshape reshape reshape sub "
                "mul mul mean mul mean sub mul sub mul view mul sum view ");
}

void reductions() {
    check_equal(becomes_call("var.correction(x, [0, -1], correction = 0)"), "mean sub mul sum div ");
    check_equal(becomes_call("std.correction(y, [1], keepdim = True)"), "mean sub mul sum div sqrt ");
    check_equal(becomes_call("var.correction(row)"), "mean sub mul sum div ");
    check_equal(
        becomes("r = torch.ops.aten.var_mean.correction(x, [1], correction = 0, keepdim = True); g = r[0]; h = r[1]; return (g, h);"),
        "mean sub mul sum div ");
    check_equal(becomes("r = torch.ops.aten.var_mean.correction(x, [1]); g = r[0]; h = r[1]; return (g, h);"),
                "mean sub mul sum div view ");
    check_equal(becomes_first("var_mean.correction(x, [1])"), "mean sub mul sum div ");
    check_equal(becomes("r = torch.ops.aten.std_mean.correction(x, [1], correction = 0, keepdim = True); g = r[0]; h = r[1]; return (g, h);"),
                "mean sub mul sum div sqrt ");
    check_equal(becomes_first("std_mean.correction(x, [1])"), "mean sub mul sum div sqrt ");
    check_equal(becomes_call("dist.default(x, row)"), "sub mul sum sqrt ");
    check_equal(becomes_call("dist.default(row, x, 1)"), "sub abs sum ");
    check_equal(becomes_call("dist.default(x, x, inf)"), "sub abs amax ");
    check_equal(becomes_call("dist.default(x, x, 3)"), "dist ");
    check_equal(becomes_call("logsumexp.default(x, [1])"), "amax clamp sub exp sum view log add ");
    check_equal(becomes_call("logsumexp.default(x, [0, 2], True)"), "amax clamp sub exp sum log add ");
    check_equal(becomes_call("var.dim(x, [0, -1], False)"), "mean sub mul sum div ");
    check_equal(becomes_call("_cdist_forward.default(x, y, 2.0, None)"), "unsqueeze unsqueeze sub mul sum sqrt ");
    check_equal(becomes_call("_cdist_forward.default(y, x, 1.0, 1)"), "unsqueeze unsqueeze sub abs sum ");
    check_equal(becomes_call("_cdist_forward.default(x, x, 3.0, None)"), "unsqueeze unsqueeze sub abs pow sum pow ");
    check_equal(becomes_call("_cdist_forward.default(x, x, inf, None)"), "unsqueeze unsqueeze sub abs amax ");
    check_equal(becomes_call("_cdist_forward.default(y, y, 2.0, 1)"), "mul sum mul sum transpose add transpose mm mul sub clamp_min sqrt ");
    check_equal(becomes("v = torch.ops.aten.add.Tensor(x, 1); r = torch.ops.aten._cdist_forward.default(x, v, 2.0, 1); return (r,);"),
                "add mul sum mul sum transpose add transpose bmm mul sub clamp_min sqrt ");
    check_equal(becomes("v = torch.ops.aten.repeat.default(y, [10, 1]); r = torch.ops.aten._cdist_forward.default(v, y, 2.0, None); "
                        "return (r,);"),
                "reshape expand reshape mul sum mul sum transpose add transpose mm mul sub clamp_min sqrt "); // as many rows as PyTorch asks for
    const auto differences = text_of("v = torch.ops.aten.zeros.default([1000, 5]); r = torch.ops.aten._cdist_forward.default(v, v, 1.0, "
                                     "None); return (r,);"); // more than are held
    check(!pass::decompose.applies(reading(differences).storage.view(), ops));
    check_equal(becomes_call("_cdist_forward.default(x, x, 0.0, None)"), "_cdist_forward "); // a count
    check_equal(becomes_call("linalg_vector_norm.default(x, 2, [1])"), "mul sum sqrt ");
    check_equal(becomes_call("linalg_vector_norm.default(x, 1, None, True)"), "abs sum ");
    check_equal(becomes_call("linalg_vector_norm.default(x, 3, [1])"), "linalg_vector_norm ");
    check_equal(becomes_call("norm.Scalar(x)"), "mul sum sqrt ");
    check_equal(becomes_call("norm.ScalarOpt_dim(x, None, [1], True)"), "mul sum sqrt ");
    check_equal(becomes_call("mse_loss.default(x, x)"), "sub mul mean ");
    check_equal(becomes_call("mse_loss.default(x, x, 2)"), "sub mul sum ");
    check_equal(becomes_call("l1_loss.default(x, x, 0)"), "sub abs ");
}

void layouts() {
    check_equal(becomes_call("_adaptive_avg_pool2d.default(x, [1, 1])"), "reshape mean ");
    check_equal(becomes_call("_adaptive_avg_pool2d.default(x, [2, 3])"), "reshape mean ");
    check_equal(becomes_call("_adaptive_avg_pool2d.default(x, [3, 3])"), "_adaptive_avg_pool2d ");
    check_equal(becomes_call("adaptive_avg_pool1d.default(x, [3])"), "reshape mean ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [2, 2, 2, 6]); r = torch.ops.aten._adaptive_avg_pool3d.default(v, [1, 2, 3]); "
                        "return (r,);"),
                "view reshape mean ");
    const std::string part = "v = torch.ops.aten.slice.Tensor(x, 1, 0, 2); ";
    check_equal(becomes(part + "r = torch.ops.aten._adaptive_avg_pool2d_backward.default(v, x); return (r,);"),
                "slice div reshape expand reshape ");
    check_equal(becomes("v = torch.ops.aten.slice.Tensor(x, 1, 0, 3); r = torch.ops.aten._adaptive_avg_pool2d_backward.default(v, x); "
                        "return (r,);"),
                "slice reshape arange mul add floor_divide view add floor_divide view arange ge lt logical_and convert_element_type sub convert_element_type div mm view "
                "arange mul add floor_divide view add floor_divide view arange ge lt logical_and convert_element_type sub convert_element_type div transpose expand bmm view "); // windows overlap
    check_equal(becomes_call("im2col.default(x, [2, 3], [1, 2], [0, 0], [2, 1])"), "as_strided reshape ");
    check_equal(becomes(part + "r = torch.ops.aten.im2col.default(v, [2, 2], [1, 1], [0, 0], [1, 2]); return (r,);"),
                "slice as_strided reshape ");
    check_equal(becomes("v = torch.ops.aten.transpose.int(x, 1, 2); r = torch.ops.aten.im2col.default(v, [2, 2], [2, 1], [1, 2], [3, 1]); "
                        "return (r,);"),
                "transpose constant_pad_nd as_strided reshape ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [1, 8, 2, 3]); r = torch.ops.aten.pixel_shuffle.default(v, 2); return (r,);"),
                "view reshape permute reshape ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [2, 4, 6, 1]); v2 = torch.ops.aten.permute.default(v, [0, 3, 1, 2]); r = "
                        "torch.ops.aten.pixel_unshuffle.default(v2, 2); return (r,);"),
                "view permute reshape permute reshape ");
    check_equal(becomes_call("narrow_copy.default(x, 1, -3, 2)"), "narrow clone ");
    check_equal(becomes_call("narrow_copy.default(x, 2, 1, 1)"), "narrow clone ");
    check_equal(becomes("v = torch.ops.aten.transpose.int(x, 1, 2); r = torch.ops.aten.narrow_copy.default(v, 0, 0, 1); return (r,);"),
                "transpose narrow_copy "); // a clone would lie as the view does
    check_equal(becomes_call("repeat.default(x, [2, 1, 3])"), "reshape expand reshape ");
    check_equal(becomes_call("repeat.default(row, [2, 2])"), "reshape expand reshape ");
    check_equal(becomes_call("repeat.default(y, [2, 2, 2, 2, 2])"), "repeat ");
}

// What people write, before PyTorch takes it apart.
void written() {
    check_equal(becomes_call("softmax.int(y, 0)"), "_softmax ");
    check_equal(becomes_call("log_softmax.int(n, 1, torch.float32)"), "convert_element_type _log_softmax ");
    check_equal(becomes_call("glu.default(y, 0)"), "slice slice sigmoid mul ");
    check_equal(becomes("g = torch.ops.aten.glu.default(x); r = torch.ops.aten.glu_backward.default(g, x, -1); return (r,);"),
                "slice slice sigmoid mul slice slice sigmoid mul mul sigmoid_backward cat ");
    check_equal(becomes_call("prelu.default(x, w)"), "view _prelu_kernel ");
    check_equal(becomes("s = torch.ops.aten.slice.Tensor(w, 0, 0, 1); r = torch.ops.aten.prelu.default(x, s); return (r,);"), "slice _prelu_kernel ");
    check_equal(becomes_call("elu_backward.default(x, 1.5, 1, 1, False, y)"), "exp mul le where mul ");
    check_equal(becomes_call("elu_backward.default(y, 1.5, 2, 0.5, True, y)"), "add mul le where mul ");
    check_equal(becomes_call("kl_div.default(x, x)"), "xlogy mul sub mean ");
    check_equal(becomes_call("kl_div.default(x, x, 2, log_target = True)"), "exp sub mul sum ");
    const std::string classes = "i = torch.ops.aten.remainder.Scalar(k, 3); ";
    check_equal(becomes(classes + "r = torch.ops.aten.one_hot.default(i, 3); return (r,);"), "remainder eye embedding ");
    const auto many = text_of("r = torch.ops.aten.one_hot.default(k, 2000); return (r,);");
    check(!pass::decompose.applies(reading(many).storage.view(), ops));
    check_equal(becomes_call("slice_backward.default(y, [4, 9], 1, 2, 8, 1)"), "full slice_scatter ");
    check_equal(becomes_call("select_backward.default(k, [2, 4, 6], 0, 1)"), "full select_scatter ");
    check_equal(becomes_call("pad.default(x, [1, 2], 'constant', 0.5)"), "constant_pad_nd ");
    check_equal(becomes_call("pad.default(x, [1, 2, 2, 0], 'reflect')"), "reflection_pad2d ");
    check_equal(becomes_call("pad.default(x, [1, 2], 'replicate')"), "replication_pad1d ");
    check_equal(becomes_call("pad.default(x, [1, 2], 'circular')"), "slice slice cat ");
    check_equal(becomes_call("pad.default(x, [-1, 2], 'circular')"), "slice slice cat ");
    check_equal(becomes_call("adaptive_avg_pool2d.default(x, [2, 3])"), "reshape mean ");
    check_equal(becomes_call("adaptive_avg_pool2d.default(x, [3, 3])"), "adaptive_avg_pool2d ");
    check_equal(becomes_call("batch_norm.default(x, w, b, b, w, False, 0.1, 1.5, True)"), "add rsqrt mul mul sub view mul view add ");
    check_equal(becomes_call("batch_norm.default(x, w, b, None, None, True, 0.1, 1.5, True)"), "mean sub mul mean add rsqrt mul view mul view add ");
    check_equal(becomes_call("instance_norm.default(x, w, b, None, None, True, 0.1, 0.5, True)"),
                "reshape native_layer_norm getitem view view mul view add ");
    check_equal(becomes_call("instance_norm.default(x, None, b, b, w, False, 0.1, 1.5, True)"), "add rsqrt mul sub view mul view add ");
}

// Words for what others say.
void spelled() {
    check_equal(becomes_call("tile.default(x, [2, 1, 3])"), "reshape expand reshape ");
    check_equal(becomes_call("tile.default(x, [3])"), "reshape expand reshape ");
    check_equal(becomes_call("tile.default(row, [2, 2])"), "reshape expand reshape ");
    check_equal(becomes_call("hstack.default([row, w])"), "cat ");
    check_equal(becomes_call("hstack.default([x, x])"), "cat ");
    check_equal(becomes_call("vstack.default([row, y])"), "reshape cat ");
    check_equal(becomes_call("dstack.default([y, y])"), "reshape reshape cat ");
    check_equal(becomes("s = torch.ops.aten.split.Tensor(row, 3); p = s[0]; q = s[1]; r = torch.ops.aten.hstack.default([p, q]); return (r,);"),
                "split getitem getitem cat ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [1, 4, 2, 6]); r = torch.ops.aten.channel_shuffle.default(v, 2); return (r,);"),
                "view reshape transpose reshape ");
    check_equal(becomes("r = torch.ops.aten.split_with_sizes_copy.default(x, [1, 3], 1); g = r[0]; h = r[1]; return (g, h);"),
                "slice view_copy slice view_copy ");
    check_equal(becomes("r = torch.ops.aten.split_with_sizes_copy.default(x, [1, 3], 1); h = r[1]; return (h,);"), "slice view_copy ");
    check_equal(becomes_call("count_nonzero.default(x)"), "ne convert_element_type sum ");
    check_equal(becomes_call("count_nonzero.dim_IntList(k, [1])"), "ne convert_element_type sum ");
    check_equal(becomes("b1 = torch.ops.aten.gt.Scalar(y, 0); r = torch.ops.aten.count_nonzero.default(b1, 0); return (r,);"),
                "gt convert_element_type sum ");
    check_equal(becomes_call("trapezoid.dx(y, dx = 0.5)"), "slice slice add sum mul ");
    check_equal(becomes_call("trapezoid.x(y, w, dim = 0)"), "slice slice add slice slice sub view mul sum div ");
    check_equal(becomes_call("trapezoid.x(x, x)"), "slice slice add slice slice sub mul sum div ");
    check_equal(becomes_call("rrelu.default(x)"), "leaky_relu ");
    check_equal(becomes_call("linalg_norm.default(x)"), "mul sum sqrt ");
    check_equal(becomes_call("linalg_norm.default(y, 1, [0], True)"), "abs sum ");
    check_equal(becomes_call("linalg_norm.default(y, 3, [0])"), "linalg_norm ");
    check_equal(becomes_call("frobenius_norm.dim(x, [1, 2])"), "mul sum sqrt ");
    const std::string classes = "i = torch.ops.aten.remainder.Scalar(k, 4); s = torch.ops.aten.select.int(i, 1, 0); t = torch.ops.aten.slice.Tensor(s, 0, 0, 2); "
                                "j = torch.ops.aten.slice.Tensor(i, 0, 0, 2); ";
    const std::string_view made = "remainder select slice slice ";
    const auto loss = [&](std::string_view call, std::string_view calls) {
        check_equal(becomes(classes + "r = torch.ops.aten." + std::string(call) + "; return (r,);"), std::string(made) + std::string(calls));
    };
    loss("cross_entropy_loss.default(x, j)", "_log_softmax ne where arange view embedding view view eq where sum mul where sum convert_element_type sum div ");
    loss("cross_entropy_loss.default(x, j, w, 1, 2, 0.25)",
         "_log_softmax view mul ne where arange view embedding view view eq where sum mul sum mul sub where sum convert_element_type where sum mul sum div ");
    loss("nll_loss_nd.default(x, j, None, 2)", "ne where arange view embedding view view eq where sum mul where sum ");
    loss("nll_loss.default(x, j, w, 0)", "view mul ne where arange view embedding view view eq where sum mul where ");
    check_equal(becomes_call("cross_entropy_loss.default(x, x, w)"), "_log_softmax view mul mul sum mul sum div ");
    check_equal(becomes_call("cross_entropy_loss.default(row, row, None, 0)"), "_log_softmax mul sum mul ");
    check_equal(becomes_call("poisson_nll_loss.default(x, x, True, False, 0.5, 1)"), "exp mul sub mean ");
    check_equal(becomes("v = torch.ops.aten.abs.default(x); r = torch.ops.aten.poisson_nll_loss.default(v, v, False, True, 0.5, 0); return (r,);"),
                "abs add log mul sub mul log mul log mul sub add gt where add ");
    // Each side of every border, and with weights.
    const auto of_pairs = [](const std::string& call, const std::string& becomes_these) {
        check_equal(becomes("v = torch.ops.aten.sigmoid.default(x); u = torch.ops.aten.sigmoid.default(y); r = torch.ops.aten." + call + "; return (r,);"), "sigmoid sigmoid " + becomes_these);
    };
    const std::string near = "sub abs clamp_max mul sub ";
    of_pairs("smooth_l1_loss.default(x, v)", near + "mul mean ");
    of_pairs("smooth_l1_loss.default(x, v, 0, 0.25)", near + "div mul ");
    of_pairs("smooth_l1_loss.default(x, v, 2, 0.0)", "sub abs sum ");
    of_pairs("huber_loss.default(x, v, 1, 0.5)", near + "mul mean ");
    of_pairs("soft_margin_loss.default(x, v, 2)", "neg mul exp log1p sum ");
    of_pairs("binary_cross_entropy.default(v, v)", "neg log1p clamp_min log clamp_min sub mul mul sub mean ");
    of_pairs("binary_cross_entropy.default(v, v, row, 0)", "neg log1p clamp_min log clamp_min sub mul mul sub mul ");
    const std::string of_logits = "abs neg exp log1p clamp_max sub ";
    of_pairs("binary_cross_entropy_with_logits.default(x, v)", of_logits + "rsub mul add mean ");
    of_pairs("binary_cross_entropy_with_logits.default(x, v, u, row, 0)", of_logits + "sub mul add mul rsub mul add mul ");
    check_equal(becomes("i = torch.ops.aten.remainder.Scalar(k, 6); j = torch.ops.aten.select.int(i, 1, 0); r = torch.ops.aten.multi_margin_loss.default(y, j, 2, 0.5, row, 0); return (r,);"),
                "remainder select reshape reshape gather sub add clamp_min mul arange ne where sum div reshape index_select mul ");
    check_equal(becomes("i = torch.ops.aten.remainder.Scalar(k, 6); j = torch.ops.aten.select.int(i, 1, 0); h = torch.ops.aten.select.int(j, 0, 2); r = torch.ops.aten.multi_margin_loss.default(row, h, 1, 1, None, 0); return (r,);"),
                "remainder select select reshape reshape gather sub add clamp_min arange ne where sum div view ");
    check_equal(becomes_call("cosine_similarity.default(x, y, 2)"), "expand mul sum mul sum sqrt clamp_min mul sum sqrt clamp_min mul div ");
    check_equal(becomes_call("_safe_softmax.default(x, 1)"), "_softmax eq all where ");
    check_equal(becomes_call("_safe_softmax.default(n, 1, torch.float32)"), "convert_element_type _softmax eq all where ");
    check_equal(becomes_first("_fused_rms_norm.default(x, [6], row, None)"), "mul mean add rsqrt mul mul ");
    check_equal(becomes("r = torch.ops.aten._fused_rms_norm.default(x, [4, 6], None, 0.5); g = r[0]; h = r[1]; return (g, h);"), "mul mean add rsqrt mul ");
    check_equal(becomes_call("cdist.default(x, y)"), "unsqueeze unsqueeze sub mul sum sqrt ");
    check_equal(becomes_call("inner.default(x, row)"), "reshape reshape mm view ");
    check_equal(becomes_call("inner.default(y, x)"), "reshape permute reshape mm view ");
    check_equal(becomes_call("tensordot.default(x, y, [1, 2], [0, 1])"), "reshape reshape mm view ");
    check_equal(becomes_call("tensordot.default(x, y, [1], [0])"), "permute reshape reshape mm view ");
    check_equal(becomes_call("tensordot.default(k, k, [0], [0])"), "tensordot ");
    // Views and copies need no other words.
    check_equal(becomes_call("ravel.default(x)"), "ravel ");
    check_equal(becomes_call("movedim.int(x, 0, 2)"), "movedim ");
    // What is asserted holds or is refused: nothing is left to run.
    const auto asserted = text_of("a = torch.ops.aten._assert_tensor_metadata.default(x, dtype = torch.float32, layout = torch.strided); "
                                  "r = torch.ops.aten.neg.default(x); return (r,);");
    reading r(asserted);
    check(pass::run(pass::pipeline<pass::eliminate_dead_code_pass>{}, config{}, r.storage.edit(), ops, r.error));
    check_equal(targets_of(r.storage.view()), "neg ");
}

void convolutions() {
    const std::string lines = "v = torch.ops.aten.view.default(x, [2, 4, 6]); f = torch.ops.aten.view.default(x, [4, 2, 6]); ";
    check_equal(becomes(lines + "r = torch.ops.aten.conv_transpose1d.default(v, f, b, [1], [1], [0], 2); return (r,);"),
                "view view reshape permute reshape permute reshape arange embedding t reshape convolution ");
    check_equal(becomes(lines + "r = torch.ops.aten.conv_transpose1d.default(v, f, None, [2], [0], [1]); return (r,);"),
                "view view reshape permute reshape arange embedding t reshape convolution reshape permute reshape constant_pad_nd ");
    check_equal(becomes("v = torch.ops.aten.view.default(y, [4, 6]); f = torch.ops.aten.view.default(x, [4, 4, 3]); r = torch.ops.aten.conv1d.default(v, f); return (r,);"), "view view unsqueeze convolution squeeze ");
    const std::string planes = "v = torch.ops.aten.view.default(x, [1, 4, 2, 6]); f = torch.ops.aten.view.default(x, [4, 3, 2, 2]); ";
    check_equal(becomes(planes + "r = torch.ops.aten.conv_transpose2d.input(v, f, None, [2, 1], [1, 2], [0, 0]); return (r,);"),
                "view view reshape permute reshape arange embedding t reshape convolution reshape permute reshape constant_pad_nd ");
    check_equal(becomes(planes + "g = torch.ops.aten.slice.Tensor(b, 0, 0, 3); r = torch.ops.aten.conv_transpose2d.input(v, f, g, 2, 0, 0, 1, [1, 2]); return (r,);"), "view view slice reshape constant_pad_nd reshape reshape permute reshape arange embedding t reshape reshape expand reshape convolution reshape permute reshape constant_pad_nd ");
    check_equal(becomes(planes + "r = torch.ops.aten.convolution.default(v, f, None, [1, 1], [0, 0], [1, 1], True, [0, 0], 1); return (r,);"),
                "view view reshape permute reshape arange embedding t reshape convolution ");
    check_equal(becomes(planes + "t = torch.ops.aten.view.default(x, [3, 4, 2, 2]); r = torch.ops.aten.conv2d.padding(v, t, None, [1, 1], 'same'); return (r,);"),
                "view view view constant_pad_nd convolution ");
    check_equal(becomes(planes + "t = torch.ops.aten.view.default(x, [3, 4, 2, 2]); r = torch.ops.aten.conv2d.padding(v, t, None, [2, 1]); return (r,);"),
                "view view view convolution ");
    const std::string volumes = "v = torch.ops.aten.view.default(x, [2, 2, 2, 3, 2]); f = torch.ops.aten.view.default(x, [4, 2, 2, 3, 1]); ";
    check_equal(becomes(volumes + "r = torch.ops.aten.conv3d.default(v, f, b, [1, 2, 1], [1, 1, 0]); return (r,);"), "view view constant_pad_nd contiguous as_strided reshape reshape convolution reshape permute contiguous ");
    check_equal(becomes(volumes + "t = torch.ops.aten.view.default(x, [2, 4, 2, 3, 1]); r = torch.ops.aten.conv_transpose3d.input(v, t, None, [2, 1, 2]); return (r,);"), "view view view constant_pad_nd reshape permute reshape arange embedding t reshape contiguous as_strided reshape reshape convolution reshape permute contiguous reshape permute reshape constant_pad_nd ");
}

void window_gradients() {
    // x: [2, 4, 6] as one image of 4 channels, 4 x 3; g: of 2 filters of 2 x 2.
    const std::string lines = "v = torch.ops.aten.view.default(x, [1, 4, 4, 3]); h = torch.ops.aten.slice.Tensor(y, 0, 0, 2); g = torch.ops.aten.view.default(h, [1, 2, 3, 2]); "
                              "f = torch.ops.aten.slice.Tensor(x, 0, 0, 1); u = torch.ops.aten.slice.Tensor(f, 2, 0, 4); c = torch.ops.aten.clone.default(u); ";
    const auto gradient = [&](std::string_view weight, std::string_view rest) {
        return becomes(lines + "q = torch.ops.aten.view.default(c, " + std::string(weight) + "); r = torch.ops.aten.convolution_backward.default(g, v, q, [2], [1, 1], [0, 0], [1, 1], False, [0, 0], " + std::string(rest));
    };
    const std::string_view groups = "[2, 2, 2, 2]";
    check_equal(gradient(groups, "2, [True, False, False]); a = r[0]; return (a,);"), "view slice view slice slice clone view reshape permute reshape permute reshape arange embedding t reshape convolution ");
    check_equal(gradient(groups, "2, [True, True, True]); a = r[1]; return (a,);"), "view slice view slice slice clone view reshape permute reshape permute contiguous convolution permute contiguous ");
    check_equal(gradient(groups, "2, [True, False, True]); a = r[2]; return (a,);"), "view slice view slice slice clone view sum ");
    check_equal(gradient(groups, "2, [False, True, True]); a = r[0]; return (a,);"), "view slice view slice slice clone view convolution_backward getitem ");
    const std::string pooled = "g = torch.ops.aten.slice.Tensor(x, 2, 0, 3); h = torch.ops.aten.slice.Tensor(g, 1, 0, 2); ";
    check_equal(becomes(pooled + "r = torch.ops.aten.avg_pool2d_backward.default(h, x, [2, 2], [2, 2], [0, 0], False, True, None); return (r,);"), "slice slice mul reshape reshape expand reshape ");
    check_equal(becomes(pooled + "r = torch.ops.aten.avg_pool2d_backward.default(h, x, [3, 2], [2, 2], [1, 0], False, True, 5); return (r,);"), "slice slice mul reshape full constant_pad_nd reshape permute reshape arange embedding t reshape convolution reshape permute reshape constant_pad_nd reshape ");
    check_equal(becomes(pooled + "r = torch.ops.aten.avg_pool2d_backward.default(h, x, [3, 3], [2, 2], [1, 1], False, False, None); return (r,);"), "slice slice full avg_pool2d avg_pool2d div mul reshape full constant_pad_nd reshape permute reshape arange embedding t reshape convolution reshape permute reshape constant_pad_nd reshape ");
}

// Views, copies and lookups stand for what moves elements.
void moves() {
    check_equal(becomes_call("permute_copy.default(x, [2, 0, 1])"), "permute contiguous ");
    check_equal(becomes_call("expand_copy.default(row, [3, 6])"), "expand contiguous ");
    check_equal(becomes_call("flip.default(x, [-1, 0])"), "arange index_select arange index_select ");
    check_equal(becomes_call("roll.default(x, [-1, 2], [0, 1])"), "slice slice cat slice slice cat reshape ");
    check_equal(becomes_call("roll.default(y, [5])"), "reshape slice slice cat reshape ");
    check_equal(becomes_call("fft_fftshift.default(x)"), "slice slice cat slice slice cat slice slice cat reshape ");
    check_equal(becomes("v = torch.ops.aten.slice.Tensor(y, 0, 0, 3); u = torch.ops.aten.unsqueeze.default(v, 0); r = torch.ops.aten.fft_ifftshift.default(u, [0, 1]); return (r,);"),
                "slice unsqueeze slice slice cat reshape "); // two of three
    check_equal(becomes(complex_x + "r = torch.ops.aten.real.default(v); s = torch.ops.aten.imag.default(v); return (r, s);"),
                "view view_as_complex view_as_real select view_as_real select ");
    check_equal(becomes(complex_x + "r = torch.ops.aten._conj.default(v); q = torch.ops.aten.conj_physical.default(r); s = torch.ops.aten.view_as_real.default(q); return (s,);"),
                "view view_as_complex _conj_physical _conj_physical view_as_real ");
    check_equal(becomes_call("real.default(x)"), "real "); // a view of x
    check_equal(becomes_call("conj.default(x)"), "conj ");
    // Windows beside each other, over each other, apart, and over the border.
    check_equal(becomes("v = torch.ops.aten.view.default(x, [1, 8, 6]); r = torch.ops.aten.col2im.default(v, [3, 4], [2, 2], [1, 1], [0, 0], [1, 1]); return (r,);"),
                "view arange as_strided full reshape reshape index_add view reshape ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [12, 4]); r = torch.ops.aten.col2im.default(v, [5, 4], [2, 3], [2, 1], [0, 1], [2, 2]); return (r,);"),
                "view arange as_strided full reshape reshape index_add view slice reshape ");
    check_equal(becomes("v = torch.ops.aten.view.default(x, [3, 8, 2]); r = torch.ops.aten.col2im.default(v, [2, 3], [2, 2], [1, 1], [1, 0], [2, 3]); return (r,);"),
                "view arange as_strided full reshape reshape index_add view slice reshape ");
    check_equal(becomes("v = torch.ops.aten.transpose.int(y, 0, 1); u = torch.ops.aten.unsqueeze.default(v, 0); r = torch.ops.aten.col2im.default(u, [1, 9], [1, 6], [1, 1], [0, 0], [1, 1]); return (r,);"),
                "transpose unsqueeze transpose arange as_strided full reshape reshape index_add view reshape ");
    const std::string count = "reshape clamp eq sub div mul clamp_max where full convert_element_type full index_add slice ";
    check_equal(becomes_call("histc.default(x, 5, -0.5, 0.75)"), count); // some outside
    check_equal(becomes("i = torch.ops.aten.remainder.Scalar(k, 5); v = torch.ops.prims.convert_element_type.default(i, torch.float64); r = torch.ops.aten.histc.default(v, 4, 0, 3); return (r,);"),
                "remainder convert_element_type " + count); // the last bin has its bound
    check_equal(becomes_call("histc.default(x, 5)"), "histc "); // bounds that data decide
    check_equal(becomes_call("tril.default(y, -1)"), "arange unsqueeze arange sub le full where ");
    check_equal(becomes_call("triu.default(k, 1)"), "arange unsqueeze arange sub ge full where ");
    check_equal(becomes_call("diag_embed.default(y)"), "arange unsqueeze eq unsqueeze full where ");
    check_equal(becomes_call("repeat_interleave.self_int(y, 2, 0)"), "reshape expand reshape ");
    check_equal(becomes_call("repeat_interleave.self_int(y, 3)"), "reshape expand reshape ");
    check_equal(becomes_call("fill.Scalar(y, 2.5)"), "full ");
    check_equal(becomes_call("zero.default(k)"), "full ");
    check_equal(becomes("v = torch.ops.aten.select.int(w, 0, 1); r = torch.ops.aten.fill.Tensor(y, v); return (r,);"), "select expand contiguous ");
    for (const std::string padding : {"-1", "2"})
        check_equal(becomes("i = torch.ops.aten.remainder.Scalar(k, 5); g = torch.ops.aten.view.default(x, [4, 6, 2]); r = torch.ops.aten.embedding_dense_backward.default(g, i, 5, " + padding +
                            ", False); return (r,);"),
                    padding == "2" ? "remainder view reshape reshape ne unsqueeze full where full index_add " : "remainder view reshape reshape full index_add ");
    check_equal(becomes_call("diag_embed.default(y, 1)"), "diag_embed "); // beside it

    // No decomposition: copies into another layout, of another dtype, that broadcast.
    const auto tasks_of = [](std::string_view body) {
        const auto text = text_of("v = torch.ops.aten.view.default(x, [1, 2, 4, 6]); r = torch.ops.aten." + std::string(body) + "; return (r,);");
        const reading r(text);
        check(r.error.ok(), text);
        return lowered(r.storage.view()).tasks();
    };
    check_equal(tasks_of("clone.default(v, memory_format = torch.channels_last)"), "npu.copy ");
    check_equal(tasks_of("_to_copy.default(v, dtype = torch.float64, memory_format = torch.channels_last)"), "npu.cast npu.copy ");
    check_equal(tasks_of("copy.default(y, row)"), "npu.copy ");
    check_equal(tasks_of("copy.default(y, k)"), "npu.cast ");
    check_equal(tasks_of("sum.dim_IntList(k, [1], dtype = torch.float32)"), "npu.cast npu.reduce ");
}

void einsums() {
    check_equal(becomes_call("einsum.default('ij,jk->ik', [y, m])"), "mm ");
    check_equal(becomes_call("einsum.default('ij,kj->ki', [y, y])"), "permute mm permute ");
    check_equal(becomes_call("einsum.default('bij,bkj->bik', [x, x])"), "permute bmm ");
    check_equal(becomes_call("einsum.default('bij,j->bi', [x, row])"), "reshape reshape mm view ");
    check_equal(becomes_call("einsum.default('i,j->ji', [row, w])"), "reshape reshape mul permute ");
    check_equal(becomes_call("einsum.default('ij->j', [y])"), "sum ");
    check_equal(becomes_call("einsum.default('bii->b', [x])"), "shapes_do_not_broadcast");
    check_equal(becomes("v = torch.ops.aten.slice.Tensor(x, 2, 0, 4); r = torch.ops.aten.einsum.default('bii->ib', [v]); return (r,);"),
                "slice diagonal permute ");
    check_equal(becomes_call("einsum.default('ij,jk,ik->', [y, m, m])"), "shapes_do_not_broadcast");
    check_equal(becomes_call("einsum.default('ij,ij->ij', [y, y])"), "mul ");
    check_equal(becomes_call("einsum.default('...j,jk', [x, m])"), "reshape mm view ");
    check_equal(becomes_call("einsum.default('ab,ca->c', [k, k])"), "shapes_do_not_broadcast");
    check_equal(becomes_call("einsum.default('ab,ab->a', [k, k])"), "einsum "); // integers

    // Dims as letters.
    check_equal(becomes("u = torch.ops.aten.slice.Tensor(y, 0, 0, 2); v = torch.ops.aten.slice.Tensor(m, 0, 0, 2); z = torch.ops.aten.transpose.int(x, 1, 2); s = torch.ops.aten.slice.Tensor(z, 2, 0, 3); "
                        "r = torch.ops.aten._trilinear.default(u, s, v, [1, 3], [0], [1, 2], [2, 3]); return (r,);"),
                "slice slice transpose slice permute reshape mm view reshape bmm view ");
    check_equal(becomes_call("_trilinear.default(y, y, y, [2], [2], [2], [0])"), "_trilinear "); // a dim that none has

    // Complex numbers as pairs of real ones.
    const std::string parts = "view_as_real slice slice neg cat unsqueeze unsqueeze cat view_as_real reshape reshape ",
                      back = "view view_as_complex ";
    const std::string matrices = complex_x + "a = torch.ops.aten.select.int(v, 0, 0); z = torch.ops.aten.select.int(v, 0, 1); t = torch.ops.aten.transpose.int(z, 0, 1); ",
                      given = "view view_as_complex select select transpose ";
    check_equal(becomes(matrices + "r = torch.ops.aten.mm.default(a, t); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                given + parts + "mm " + back + "view_as_real ");
    check_equal(becomes(complex_x + "t = torch.ops.aten.transpose.int(v, 1, 2); r = torch.ops.aten.bmm.default(t, v); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                "view view_as_complex transpose " + parts + "bmm " + back + "view_as_real ");
    check_equal(becomes(matrices + "q = torch.ops.aten.slice.Tensor(a, 1, 0, 1); r = torch.ops.aten.addmm.default(q, a, t, alpha = 2); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                given + "slice " + parts + "mm " + back + "mul add view_as_real ");
    check_equal(becomes(matrices + "h = torch.ops.aten.select.int(t, 0, 0); r = torch.ops.aten.linear.default(v, z, h); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                given + "select reshape t " + parts + "mm " + back + "add view view_as_real ");
    check_equal(becomes(matrices + "h = torch.ops.aten.select.int(a, 0, 0); g = torch.ops.aten.select.int(z, 0, 0); r = torch.ops.aten.vdot.default(h, g); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                given + "select select _conj_physical unsqueeze unsqueeze " + parts + "mm " + back + "view view_as_real ");
    check_equal(becomes(matrices + "r = torch.ops.aten.einsum.default('ij,kj->ki', [a, z]); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                given + "permute " + parts + "mm " + back + "permute view_as_real ");
    check_equal(becomes(matrices + "r = torch.ops.aten.inner.default(a, z); s = torch.ops.aten.view_as_real.default(r); return (s,);"),
                given + "reshape permute reshape " + parts + "mm " + back + "view view_as_real ");
}

// Random graphs of four calls, each of what an earlier one gave: chains of everything that keeps the shape of x, and leaves.
void grids() {
    const std::string onto = "mul round add nan_to_num clamp ", integers = "v = torch.ops.prims.convert_element_type.default(k, torch.int8); ";
    const std::string rare = "l = torch.ops.aten.log.default(y); "; // NaN and infinities
    check_equal(becomes(rare + "r = torch.ops.quantized_decomposed.quantize_per_tensor.default(l, 0.1, 3, -128, 127, torch.int8); return (r,);"), "log " + onto + "convert_element_type ");
    check_equal(becomes(rare + "r = torch.ops.aten.fake_quantize_per_tensor_affine.default(l, 0.1, 3, -8, 7); return (r,);"), "log " + onto + "sub mul ");
    check_equal(becomes("i = torch.ops.aten.arange.start_step(0, 4, 1); a = torch.ops.aten.abs.default(b); r = torch.ops.quantized_decomposed.quantize_per_channel.default(y, a, i, 0, 0, 255, torch.uint8); return (r,);"),
                "arange abs view convert_element_type view reciprocal " + onto + "convert_element_type ");
    check_equal(becomes(integers + "r = torch.ops.quantized_decomposed.dequantize_per_tensor.default(v, 0.1, 3, -128, 127, torch.int8, out_dtype = torch.float64); return (r,);"),
                "convert_element_type convert_element_type sub mul ");
    check_equal(becomes(integers + "r = torch.ops.quantized_decomposed.dequantize_per_channel.default(v, row, None, 1, -128, 127, torch.int8); return (r,);"),
                "convert_element_type view convert_element_type mul ");
    check_equal(becomes("h = torch.ops.prims.convert_element_type.default(y, torch.float16); "
                        "r = torch.ops.quantized_decomposed.quantize_per_tensor.default(h, 0.1, 3, -128, 127, torch.int8); return (r,);"),
                "convert_element_type convert_element_type " + onto + "convert_element_type ");
    check_equal(becomes("r = torch.ops.quantized_decomposed.quantize_per_tensor.default(y, 0.1, 3, -2147483648, 2147483647, torch.int32); return (r,);"),
                "quantize_per_tensor "); // bounds that are no floats
}

void random_graphs() {
    constexpr std::string_view keep[] = {"relu.default($)",
                                         "group_norm.default($, 2, w, b, 0.5)",
                                         "rms_norm.default($, [6], row, 0.5)",
                                         "rms_norm.default($, [4, 6], None, 0.5)",
                                         "sub.Tensor($, x)",
                                         "tanh.default($)",
                                         "mse_loss.default($, x, 0)",
                                         "l1_loss.default($, x, 0)",
                                         "scaled_dot_product_attention.default($, x, $, b)"};
    constexpr std::string_view leaf[] = {"var.correction($, [1])",
                                         "std.correction($, [0, 2], correction = 0, keepdim = True)",
                                         "logsumexp.default($, [1])",
                                         "linalg_vector_norm.default($, 2, [1])",
                                         "matmul.default($, m)",
                                         "matmul.default($, row)",
                                         "_adaptive_avg_pool2d.default($, [2, 2])",
                                         "repeat.default($, [1, 2, 1])",
                                         "sum.default($)",
                                         "amax.default($, [1])",
                                         "permute.default($, [2, 0, 1])",
                                         "mse_loss.default($, x)"};
    std::uint64_t state = 17;
    const auto below = [&](std::size_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(state >> 33) % n;
    };
    int fired = 0;
    for (int graph = 0; graph < 1000; ++graph) {
        std::string body, last = "x";
        for (int i = 0; i < 4; ++i) {
            const auto call = i < 3 ? keep[below(std::size(keep))] : leaf[below(std::size(leaf))];
            const auto result = "v" + std::to_string(i);
            body += result + " = torch.ops.aten.";
            for (char c : call) body += c == '$' ? last : std::string(1, c);
            body += "; ";
            last = result;
        }
        body += "return (v2, v3);";
        const auto text = text_of(body); // the names of the graph are views of it
        reading r(text);
        fired += pass::decompose.applies(r.storage.view(), ops);
        becomes(body);
    }
    std::cout << "1000 graphs, decompose fired on " << fired << '\n';
    check(fired >= 200 && fired < 1000);
}

// Constants of a tensor's sizes; what is filled, picked and added where indices say; gradients of losses and softmaxes.
// k: i64[4, 6], numbers from 0 to 3.
void constants_and_indices() {
    check_equal(becomes_call("zeros_like.default(x)"), "full ");
    check_equal(becomes_call("ones_like.default(x, dtype = torch.int64)"), "full ");
    check_equal(becomes_call("full_like.default(y, 2.5)"), "full ");
    check_equal(becomes_call("new_full.default(x, [3], 2)"), "full ");
    check_equal(becomes_call("new_zeros.default(x, [2, 0])"), "full ");
    check_equal(becomes("t = torch.ops.aten.t.default(y); r = torch.ops.aten.ones_like.default(t); return (r,);"), "t ones_like "); // columns

    check_equal(becomes_call("scatter.value(y, 1, k, 2.5)"), "full expand scatter ");
    check_equal(becomes("i = torch.ops.aten.slice.Tensor(k, 1, 0, 2); r = torch.ops.aten.scatter.value(y, -2, i, 1); return (r,);"), "slice full expand scatter ");
    check_equal(becomes("i = torch.ops.aten.select.int(k, 0, 1); r = torch.ops.aten.index_fill.int_Scalar(x, -2, i, 3); return (r,);"), "select full index_put ");
    check_equal(becomes("i = torch.ops.aten.select.int(k, 0, 1); v = torch.ops.aten.select.int(w, 0, 0); r = torch.ops.aten.index_fill.int_Tensor(x, 1, i, v); return (r,);"),
                "select select index_put ");
    check_equal(becomes_call("scatter.value_reduce(y, 1, k, 2.5, reduce = 'multiply')"), "full expand scatter ");
    check_equal(becomes_call("put.default(y, k, y)"), "reshape reshape reshape index_put view ");
    check_equal(becomes_call("put.default(y, k, y, True)"), "reshape reshape reshape index_put view ");
    const std::string column = "c = torch.ops.aten.select.int(k, 1, 0); ", far = column + "i = torch.ops.aten.mul.Scalar(c, -3); q = torch.ops.aten.lt.Scalar(y, 0); ";
    check_equal(becomes(far + "r = torch.ops.aten._unsafe_masked_index.default(y, q, [i], 7); return (r,);"), "select mul lt clamp index full where ");
    check_equal(becomes(far + "r = torch.ops.aten._unsafe_masked_index_put_accumulate.default(y, q, [i], y); return (r,);"), "select mul lt full where clamp index_put ");
    check_equal(becomes(far + "l = torch.ops.aten.lt.Scalar(w, 0); r = torch.ops.aten._unsafe_masked_index.default(x, l, [None, c, i], 0.5); return (r,);"),
                "select mul lt lt clamp clamp index full where ");
    check_equal(becomes(column + "r = torch.ops.aten.bincount.default(c, None, 6); return (r,);"), "select full full index_add ");
    check_equal(becomes(column + "r = torch.ops.aten.bincount.default(c, w, 6); return (r,);"), "select full index_add ");
    check_equal(becomes_call("searchsorted.Scalar(row, 0.5, side = 'right')"), "full searchsorted ");
    check_equal(becomes_call("bucketize.Scalar(0.5, row, right = True)"), "full bucketize ");
    for (const std::string_view window : {"[2, 3], [1, 2], [1, 1], [1, 1]", "[2, 2], [2, 1], [0, 1], [1, 2]"}) {
        const auto pooled = "p = torch.ops.prims._low_memory_max_pool_with_offsets.default(x, " + std::string(window) + ", False); o = p[1]; ";
        const auto rest = "[" + std::string(window.substr(1, 4)) + "], [4, 6]" + std::string(window.substr(6)); // the kernel, the plane and what follows
        check(becomes(pooled + "v = p[0]; return (v, o);").find("_low_memory") == std::string::npos, window);
        check(becomes(pooled + "r = torch.ops.prims._low_memory_max_pool_offsets_to_indices.default(o, " + rest + "); return (r,);").find("_low_memory") == std::string::npos, rest);
    }
    check(becomes("p = torch.ops.prims._low_memory_max_pool2d_with_offsets.default(x, [2, 3], [1, 2], [1, 1], [1, 1], True); o = p[1]; "
                  "r = torch.ops.prims._low_memory_max_pool2d_offsets_to_indices.default(o, 3, 6, [1, 2], [1, 1]); return (r,);").find("_low_memory") == std::string::npos);
    check(becomes("u = torch.ops.aten.unsqueeze.default(x, 0); p = torch.ops.prims._low_memory_max_pool_with_offsets.default(u, [2, 2, 3], [1, 1, 2], [0, 1, 1], [1, 1, 1], False); o = p[1]; "
                  "r = torch.ops.prims._low_memory_max_pool_offsets_to_indices.default(o, [2, 2, 3], [2, 4, 6], [1, 1, 2], [0, 1, 1], [1, 1, 1]); return (r,);")
              .find("_low_memory") == std::string::npos);
    // Channels last, as they lie then.
    const std::string last = "p = torch.ops.aten.view.default(x, [1, 4, 6, 2]); l = torch.ops.aten.permute.default(p, [0, 3, 1, 2]); ";
    check_equal(becomes(last + "a = torch.ops.aten.max_pool2d_with_indices.default(l, [2, 3], [1, 1], [1, 1]); g = a[0]; i = a[1]; "
                               "r = torch.ops.aten.max_pool2d_with_indices_backward.default(g, l, [2, 3], [1, 1], [1, 1], [1, 1], False, i); return (r,);"),
                "view permute max_pool2d_with_indices getitem getitem full reshape reshape scatter_add view permute contiguous permute ");
    check_equal(becomes(last + "g = torch.ops.aten.avg_pool2d.default(l, [2, 2]); "
                               "r = torch.ops.aten.avg_pool2d_backward.default(g, l, [2, 2], [2, 2], [0, 0], False, True, None); return (r,);"),
                "view permute avg_pool2d mul reshape reshape expand reshape permute contiguous permute ");
    check(becomes(last + "g = torch.ops.aten.avg_pool2d.default(l, [3, 2], [1, 2], [1, 1]); "
                         "r = torch.ops.aten.avg_pool2d_backward.default(g, l, [3, 2], [1, 2], [1, 1], False, False, None); return (r,);")
              .ends_with("reshape permute contiguous permute "));
    for (const std::string_view rest : {"r = q[1]; ", "o = q[1]; r = torch.ops.prims._low_memory_max_pool_offsets_to_indices.default(o, [2, 3], [4, 6], [1, 2], [1, 1], [1, 1]); "})
        check(becomes(last + "q = torch.ops.prims._low_memory_max_pool_with_offsets.default(l, [2, 3], [1, 2], [1, 1], [1, 1], False); " + std::string(rest) + "return (r,);").find("_low_memory") ==
              std::string::npos, rest);
    check_equal(becomes("c = torch.ops.aten.select.int(k, 1, 0); r = torch.ops.prims.inductor_lookup_seed.default(c, 2); return (r,);"), "select select ");
    check_equal(becomes_call("repeat.default(x, [2, 2, 1, 1, 3])"), "reshape expand reshape ");
    const std::string targets = "i = torch.ops.aten.select.int(k, 1, 0); j = torch.ops.aten.select.int(k, 1, 1); ";
    for (const std::string_view weight : {"None", "row"})
        for (int reduction : {0, 1, 2})
            for (const std::string_view ignored : {"-100", "1"}) {
                const auto rest = ", i, " + std::string(weight) + ", " + std::to_string(reduction) + ", " + std::string(ignored);
                for (int which : {0, 1})
                    check(becomes(targets + "f = torch.ops.aten.nll_loss_forward.default(y" + rest + "); g = f[" + std::to_string(which) + "]; return (g,);").find("nll") == std::string::npos, rest);
                check(becomes(targets + "v = torch.ops.aten.select.int(w, 0, 0); r = torch.ops.aten.nll_loss_backward.default(" + (reduction == 0 ? "w" : "v") + ", y" + rest + ", v); return (r,);")
                              .find("nll") == std::string::npos, rest);
            }
    check_equal(becomes("a = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 3], [1, 1], [1, 1]); g = a[0]; i = a[1]; "
                        "r = torch.ops.aten.max_pool2d_with_indices_backward.default(g, x, [2, 3], [1, 1], [1, 1], [1, 1], False, i); return (r,);"),
                "max_pool2d_with_indices getitem getitem full reshape reshape scatter_add view ");
    for (int reduction : {0, 1, 2})
        check_equal(becomes("z = torch.ops.aten.select.int(x, 0, 0); v = torch.ops.aten.select.int(w, 0, 0); r = torch.ops.aten.mse_loss_backward.default(" + std::string(reduction == 0 ? "z" : "v") +
                            ", y, z, " + std::to_string(reduction) + "); return (r,);"),
                    "select select sub mul mul ");
    check_equal(becomes_call("_softmax_backward_data.default(x, x, 1, torch.float32)"), "mul sum sub mul ");
    check_equal(becomes_call("_log_softmax_backward_data.default(x, x, -1, torch.float32)"), "sum exp mul sub ");
}

// Sums so far of exponentials, sums without what is no number, what is among others, and maxima put back.
void fewer_on_the_ai_cpu() {
    for (const std::string_view call : {"logcumsumexp.default(y, 0)", "logcumsumexp.default(x, -1)", "nansum.default(y)", "nansum.default(x, [0, 2], True)", "isin.Tensor_Scalar(k, 2)",
                                        "isin.Tensor_Scalar(y, 0.5, invert = True)", "isin.Tensor_Tensor(k, k)", "isin.Tensor_Tensor(y, row, invert = True)", "isin.Scalar_Tensor(2, k)"})
        check(becomes_call(std::string(call)).find(call.substr(0, call.find('.'))) == std::string::npos, call);
    // From far below to far above, and what is infinite or no number.
    const std::string wide = "f = torch.ops.aten.mul.Tensor(y, 1e3); e = torch.ops.aten.log.default(y); ";
    becomes(wide + "r = torch.ops.aten.logcumsumexp.default(f, 1); s = torch.ops.aten.logcumsumexp.default(e, 0); t = torch.ops.aten.nansum.default(e, [1]); return (r, s, t);");
    const std::string pooled = "p = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 3], [2, 3]); v = p[0]; i = p[1]; ";
    check(becomes(pooled + "r = torch.ops.aten.max_unpool2d.default(v, i, [4, 6]); return (r,);").find("unpool") == std::string::npos);
    check(becomes(pooled + "w4 = torch.ops.aten.unsqueeze.default(v, 0); i4 = torch.ops.aten.unsqueeze.default(i, 0); r = torch.ops.aten.max_unpool3d.default(w4, i4, [2, 4, 6], [1, 1, 1], [0, 0, 0]); return (r,);").find("unpool") ==
          std::string::npos);
}

// Places within the image and outside of it, in two images of two channels, and a volume.
void sampled() {
    const std::string given = "u = torch.ops.aten.view.default(x, [2, 2, 3, 4]); g = torch.ops.aten.view.default(y, [2, 2, 3, 2]); s = torch.ops.aten.mul.Tensor(g, 0.7); ",
                      volume = "u = torch.ops.aten.view.default(x, [1, 2, 2, 3, 4]); g = torch.ops.aten.view.default(y, [1, 2, 2, 2, 3]); ";
    for (int mode = 0; mode < 3; ++mode)
        for (int padding = 0; padding < 3; ++padding)
            for (const std::string_view align : {"False", "True"}) {
                const auto rest = std::to_string(mode) + ", " + std::to_string(padding) + ", " + std::string(align) + "); return (r,);";
                check(becomes(given + "r = torch.ops.aten.grid_sampler_2d.default(u, s, " + rest).find("grid_sampler") == std::string::npos, rest);
                if (mode < 2) check(becomes(volume + "r = torch.ops.aten.grid_sampler_3d.default(u, g, " + rest).find("grid_sampler") == std::string::npos, rest);
            }
    // What is outside is not read, whatever stands at the edge; what is no number is nowhere.
    const std::string far = "a = torch.ops.aten.full.default([1, 1, 1, 2], inf); c = torch.ops.aten.full.default([1, 2, 1, 2], %); ";
    for (const std::string_view place : {"-3.5", "1e30", "inf", "nan"}) {
        auto text = far;
        text.replace(text.find('%'), 1, place);
        for (const std::string_view mode : {"0", "1", "2"})
            becomes(text + "r = torch.ops.aten.grid_sampler_2d.default(a, c, " + std::string(mode) + ", 0, False); return (r,);");
    }
}

} // namespace

int main() {
    grids();
    constants_and_indices();
    products();
    attentions();
    attention_gradients();
    normalisations();
    norm_gradients();
    reductions();
    layouts();
    written();
    spelled();
    convolutions();
    window_gradients();
    moves();
    einsums();
    random_graphs();
    sampled();
    fewer_on_the_ai_cpu();
    return report();
}
