// Decompositions of normalisations, reductions, views and copies, constants, lookups and samples: what each call
// becomes, and where it must not fire.
// SPDX-License-Identifier: MIT
#include "decomposed.hpp"
#include "harness.hpp"

using namespace ahead;
using namespace test;
using namespace test::decompositions;

namespace {

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
    check(!pass::decompose.applies(reading(differences).storage.view(), op_rows));
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
    constants_and_indices();
    normalisations();
    norm_gradients();
    reductions();
    moves();
    sampled();
    fewer_on_the_ai_cpu();
    return report();
}
