// Decompositions of products, attention, convolutions and einsums, and of their gradients: what each call becomes, and
// where it must not fire.
// SPDX-License-Identifier: MIT
#include "decomposed.hpp"
#include "harness.hpp"

using namespace ahead;
using namespace test;
using namespace test::decompositions;

namespace {

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
    check(pass::run(pass::pipeline<pass::decompose_pass>{}, config{}, causal.storage.edit(), op_rows, causal.error));
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

} // namespace

int main() {
    products();
    attentions();
    attention_gradients();
    convolutions();
    window_gradients();
    einsums();
    return report();
}
