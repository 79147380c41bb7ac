// Decompositions: layouts, calls as people write them before PyTorch takes them apart, numbers on grids, and random
// graphs of what decomposes.
// SPDX-License-Identifier: MIT
#include "decomposed.hpp"
#include "harness.hpp"

using namespace ahead;
using namespace test;
using namespace test::decompositions;

namespace {

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
    check(!pass::decompose.applies(reading(many).storage.view(), op_rows));
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
    check(pass::run(pass::pipeline<pass::eliminate_dead_code_pass>{}, config{}, r.storage.edit(), op_rows, r.error));
    check_equal(targets_of(r.storage.view()), "neg ");
}

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

// Random graphs of four calls, each of what an earlier one gave: chains of everything that keeps the shape of x, and leaves.

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
        fired += pass::decompose.applies(r.storage.view(), op_rows);
        becomes(body);
    }
    std::cout << "1000 graphs, decompose fired on " << fired << '\n';
    check(fired >= 200 && fired < 1000);
}

} // namespace

int main() {
    grids();
    layouts();
    written();
    spelled();
    random_graphs();
    return report();
}
