// torch_npu's operators: what PyTorch's equivalent expressions gave (torch_npu/*.txt), by their meaning and after the passes; what their calls become on
// the device; what is refused; and a program that lacks the header is told of it.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/error.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/torch_npu.hpp>
#include <cases/interpret.hpp>
#include <cases/recorded_file.hpp>

#include <set>

using namespace ahead;
using namespace ahead::rooms;
using test::check, test::check_equal;

namespace {

compile::inspected_graph inspect(const std::string& text) { return inspect_fx<torch_npu::tools, torch_npu::registry>(text); }

// "npu.concat npu.fused ", views aside.
std::string tasks_of(const compile::inspected_graph& made) {
    std::string out;
    for (node_id id : made.lowered_graph())
        if (const auto& n = made.lowered_graph()[id]; n.kind == node_kind::call && n.target != "npu.view" && !n.constant)
            out += std::string(n.target) + " ";
    return out;
}
bool uses_ai_cpu(const compile::inspected_graph& made) {
    for (node_id id : made.lowered_graph())
        if (const auto& n = made.lowered_graph()[id];
            n.kind == node_kind::call && !n.constant &&
            (n.target.starts_with("aten.") || n.target.starts_with("prims.") || is_of_torch_npu(n.target)))
            return true;
    return false;
}

// Operators none of whose calls is left to the AI CPU.
const std::set<std::string_view> on_kernels = {"npu_rms_norm",
                                               "npu_sort_v2",
                                               "npu_gemma_rms_norm",
                                               "npu_add_rms_norm",
                                               "npu_layer_norm_eval",
                                               "npu_scaled_masked_softmax",
                                               "npu_fast_gelu",
                                               "npu_gelu",
                                               "npu_silu",
                                               "npu_mish",
                                               "npu_swiglu",
                                               "npu_geglu",
                                               "npu_rotary_mul",
                                               "npu_interleave_rope",
                                               "npu_apply_rotary_pos_emb",
                                               "npu_incre_flash_attention",
                                               "npu_dtype_cast",
                                               "_npu_dtype_cast",
                                               "npu_format_cast",
                                               "npu_transpose",
                                               "npu_broadcast",
                                               "npu_linear",
                                               "npu_bmmV2",
                                               "npu_anti_quant",
                                               "npu_fused_infer_attention_score",
                                               "npu_fused_infer_attention_score_v2",
                                               "npu_prompt_flash_attention",
                                               "npu_one_hot",
                                               "npu_dynamic_quant",
                                               "npu_quant_matmul",
                                               "npu_quantize",
                                               "npu_dequant_swiglu_quant"};

void recorded() {
    using passes = decltype(detail::custom_passes_of<torch_npu::tools> | detail::builtin_passes_of<torch_npu::tools>);
    const config all_passes;
    std::set<std::string> left; // operators some of whose calls, or parts of one, the AI CPU runs
    std::set<std::string> seen;
    for (const char* file : {"normalise", "activation", "rotary", "attention", "shape", "quantise", "routing"})
        for (const auto& one : ::cases::read_recorded(std::string("torch_npu/") + file + ".txt")) {
            const auto op = one.name.substr(0, one.name.find('.'));
            seen.insert(op);
            for (const auto* options : {static_cast<const config*>(nullptr), &all_passes}) {
                const auto found = ::cases::interpret_text<torch_npu::registry, passes>(one.text, one.tensors, options);
                check(found.what == ::cases::outcome::passed, one.name + (options ? ", after the passes: " : ": ") + found.why);
            }
            const auto made = inspect(one.text);
            if (!check(made.error.ok(), one.name + ": " + render(made.error))) continue;
            if (on_kernels.count(op) != 0) check(!uses_ai_cpu(made), one.name + " runs " + tasks_of(made));
            else if (uses_ai_cpu(made)) left.insert(op);
        }
    // Those that are others joined: torch_npu_patterns.cpp.
    check(seen.size() + torch_npu::add_rms_norm_ops::size + 1 == torch_npu::operators::size, std::to_string(seen.size()));
    check(left == std::set<std::string>{"npu_fusion_attention", "npu_grouped_matmul", "npu_moe_compute_expert_tokens",
                                        "npu_moe_finalize_routing", "npu_moe_gating_top_k", "npu_moe_gating_top_k_softmax",
                                        "npu_moe_init_routing"});
}

// Of a call on x: f16[2, 4, 8], w: f16[8], y: f32[2, 4, 8], q: f16[1, 2, 3, 4], k: f16[1, 2, 5, 4], c: f16[1, 2, 3, 3], s: f32[4], a: i8[3, 4], b: i8[4, 4], i:
// i32[3, 2], l: i64[2], d: f64[2, 8], m: b8[3, 5], whose result is returned: "fault: expected, found".
template <class Tools = torch_npu::tools, class Registry = torch_npu::registry> std::string refusal(const std::string& call) {
    const auto text = "def forward(self, x : f16[2, 4, 8], w : f16[8], y : f32[2, 4, 8], q : f16[1, 2, 3, 4], k : f16[1, 2, 5, 4], c : "
                      "f16[1, 2, 3, 3], s : f32[4], "
                      "a : i8[3, 4], b : i8[4, 4], i : i32[3, 2], l : i64[2], d : f64[2, 8], m : b8[3, 5]):\n    r = torch.ops.npu." +
                      call + "\n    return (r,)\n";
    const auto made = inspect_fx<Tools, Registry>(text);
    return std::string(name_of(made.error.what)) + ": " + std::string(made.error.expected.view()) + ", " +
           std::string(made.error.found.view());
}

void refusals() {
    const auto is = [](const std::string& call, const std::string& why) { check_equal(call + " " + refusal(call), call + " " + why); };
    is("npu_rms_norm.default(d, d)", "dtype_is_unsupported: f16, bf16 or f32, f64[2, 8]");
    is("npu_rms_norm.default(x, y)", "dtypes_differ: f16[2, 4, 8], f32[2, 4, 8]");
    is("npu_rms_norm.default(x, q)", "rank_is_wrong: rank 1 to 3, f16[1, 2, 3, 4]");
    is("npu_gemma_rms_norm.default(y, s)", "shapes_do_not_broadcast: f32[8], f32[4]");
    is("npu_add_rms_norm.default(x, w, w)", "shapes_do_not_broadcast: f16[2, 4, 8], f16[8]");
    is("npu_add_rms_norm.default(x, y, w)", "dtypes_differ: f16[2, 4, 8], f32[2, 4, 8]");
    is("npu_layer_norm_eval.default(x, [4])", "shapes_do_not_broadcast: f16[4], f16[2, 4, 8]");
    is("npu_scaled_masked_softmax.default(x, m)", "rank_is_wrong: rank 4, f16[2, 4, 8]");
    is("npu_scaled_masked_softmax.default(q, k)", "dtype_is_unsupported: b8, f16[1, 2, 5, 4]");
    is("npu_scaled_masked_softmax.default(q, m)", "shapes_do_not_broadcast: [1, 2, 3, 4], b8[3, 5]");
    is("npu_fast_gelu.default(i)", "dtype_is_unsupported: a dtype the operator is defined for, i32");
    is("npu_gelu.default(x, approximate = 'erf')", "argument_has_wrong_kind: approximate: none or tanh, erf");
    is("npu_swiglu.default(x, 3)", "dimension_is_out_of_range: a dim from -3 to 2, 3");
    is("npu_swiglu.default(c)", "split_sizes_do_not_add_up: two halves of a dim of even size, f16[1, 2, 3, 3]");
    is("npu_geglu.default(x, -1, 2)", "argument_has_wrong_kind: approximate: 0 or 1, 2");
    is("npu_rotary_mul.default(w, w, w)", "rank_is_wrong: rank 3 to 4, f16[8]");
    is("npu_rotary_mul.default(x, x, w, 'quarter')", "argument_has_wrong_kind: rotary_mode: half or interleave, quarter");
    is("npu_rotary_mul.default(x, x, w, 'half', w)", "argument_has_wrong_kind: rotate: None, a tensor");
    is("npu_rotary_mul.default(c, c, c)", "split_sizes_do_not_add_up: two halves of a last dim of even size, f16[1, 2, 3, 3]");
    is("npu_rotary_mul.default(x, w, q)", "shapes_do_not_broadcast: [1, 2, 4, 8], f16[1, 2, 3, 4]");
    is("npu_interleave_rope.default(x, x, x)", "rank_is_wrong: rank 4, f16[2, 4, 8]");
    is("npu_apply_rotary_pos_emb.default(q, k, q, q)", "shapes_do_not_broadcast: [1, 2, 5, 4], f16[1, 2, 3, 4]");
    is("npu_apply_rotary_pos_emb.default(q, q, q, q, 'TND')", "rank_is_wrong: rank 3, f16[1, 2, 3, 4]");
    const std::string attention = "npu_fused_infer_attention_score.default(q, k, k, num_heads = 2, input_layout = ";
    is(attention + "'TND')", "argument_has_wrong_kind: input_layout: BSH, BNSD, BSND or BNSD_BSND, TND");
    is(attention + "'BNSD', num_key_value_heads = 3)", "argument_has_wrong_kind: heads of queries, a multiple of those of keys, 2 and 3");
    is(attention + "'BSND')", "channels_differ: 2 heads, f16[1, 2, 3, 4]");
    is(attention + "'BSH')", "rank_is_wrong: rank 3, f16[1, 2, 3, 4]");
    is(attention + "'BNSD', sparse_mode = 4)", "argument_has_wrong_kind: sparse_mode: 0 to 3, 4");
    is(attention + "'BNSD', sparse_mode = 2)", "argument_is_missing: a mask for sparse_mode 2, nothing");
    is(attention + "'BNSD', sparse_mode = 2, atten_mask = m)", "shapes_do_not_broadcast: a mask of [2048, 2048], b8[3, 5]");
    is(attention + "'BNSD', atten_mask = i)", "dtype_is_unsupported: a mask of b8, i8 or u8, i32[3, 2]");
    is(attention + "'BNSD', atten_mask = a)", "shapes_do_not_broadcast: i8[1, 2, 3, 5], i8[3, 4]");
    for (const std::string name : {"block_table", "actual_seq_lengths_kv", "antiquant_scale", "query_rope"})
        check(refusal(attention + "'BNSD', " + name + " = m)").ends_with(", " + name));
    is("npu_fused_infer_attention_score.default(q, c, k, num_heads = 2, input_layout = 'BNSD')",
       "matmul_inner_extents_differ: keys of 4 elements for each head, as queries, f16[1, 2, 3, 3]");
    is("npu_prompt_flash_attention.default(q, k, q, num_heads = 2, input_layout = 'BNSD')",
       "matmul_inner_extents_differ: 5 values, as many as keys, f16[1, 2, 3, 4]");
    is("npu_prompt_flash_attention.default(x, y, y)", "dtypes_differ: f16[2, 4, 8], f32[2, 4, 8]");
    is("npu_incre_flash_attention.default(q, k, k, num_heads = 2, input_layout = 'BNSD')", "shapes_do_not_broadcast: one query, 3");
    is("npu_fusion_attention.default(q, k, k, 2, 'BNSD', c)", "shapes_do_not_broadcast: f16[1, 2, 3, 5], f16[1, 2, 3, 3]");
    is("npu_fusion_attention.default(q, k, k, 2, 'BNSD', None, c)", "argument_has_wrong_kind: padding_mask: None, a value");
    is("npu_fusion_attention.default(q, k, k, 2, 'BNSD', keep_prob = 0.5)",
       "argument_has_wrong_kind: keep_prob: 1, since nothing is drawn, another one");
    is("npu_fusion_attention.default(q, k, k, 3, 'BNSD')",
       "argument_has_wrong_kind: heads of queries, a multiple of those of keys, 3 and 2");
    is("npu_fusion_attention.default(q, k, k, 2, 'SBH')", "argument_has_wrong_kind: input_layout: BSH, BNSD, BSND or BNSD_BSND, SBH");
    is("npu_dtype_cast.default(x, 285)", "dtype_is_unsupported: a dtype of this library, dtype 285");
    is("npu_dtype_cast.default(x, 9)", "dtype_is_unsupported: a dtype of this library, dtype 9");
    is("npu_transpose.default(x, [0, 1])", "rank_is_wrong: 3 dims, 2");
    is("npu_transpose.default(x, [0, 1, 1])", "dimension_is_repeated: each dim once, 1");
    is("npu_broadcast.default(x, [4, 8])", "rank_is_wrong: at least 3 sizes, 2");
    is("npu_broadcast.default(x, [2, 3, 8])", "shapes_do_not_broadcast: [2, 3, 8], f16[2, 4, 8]");
    is("npu_one_hot.default(x)", "dtype_is_unsupported: i32 or i64, f16[2, 4, 8]");
    is("npu_one_hot.default(i, 0, 5)", "argument_has_wrong_kind: num_classes: -1, 0");
    is("npu_one_hot.default(i, -1, -5)", "size_is_negative: a depth from 0, -5");
    is("npu_sort_v2.default(x, 3)", "dimension_is_out_of_range: a dim from -3 to 2, 3");
    is("npu_linear.default(i, i)", "dtype_is_unsupported: f16, bf16 or f32, i32[3, 2]");
    is("npu_bmmV2.default(x, x, [])", "matmul_inner_extents_differ: 8 rows to follow f16[2, 4, 8], f16[2, 4, 8]");
    is("npu_quantize.default(y, w, None, 5)", "dtype_is_unsupported: i8, u8 or i32, dtype 5");
    is("npu_quantize.default(y, s, None, 1, 2)", "shapes_do_not_broadcast: 1 or 8 values, f32[4]");
    is("npu_quantize.default(y, l, None, 1)", "shapes_do_not_broadcast: 1 or 4 values, i64[2]");
    is("npu_dynamic_quant.default(w)", "rank_is_wrong: rank 2 to 8, f16[8]");
    is("npu_dynamic_quant.default(x, dst_type = 16)", "dtype_is_unsupported: i8, dtype 16");
    is("npu_dynamic_quant.default(x, group_index = l)", "argument_has_wrong_kind: group_index: None, a tensor");
    is("npu_dynamic_quant.default(x, quant_mode = 'perchannel')", "argument_has_wrong_kind: quant_mode: pertoken, perchannel");
    is("npu_anti_quant.default(i, s)", "dtype_is_unsupported: i8, i32[3, 2]");
    is("npu_anti_quant.default(a, w)", "dtype_is_unsupported: f32 or bf16, f16[8]");
    is("npu_anti_quant.default(a, s, dst_dtype = 6)", "dtype_is_unsupported: f16 or bf16, dtype 6");
    is("npu_quant_matmul.default(i, i, s)", "dtype_is_unsupported: i8, i32[3, 2]");
    is("npu_quant_matmul.default(a, b, l)", "dtype_is_unsupported: f32 or bf16, i64[2]");
    is("npu_quant_matmul.default(a, b, s, output_dtype = 3)", "dtype_is_unsupported: i8, f16 or bf16, dtype 3");
    is("npu_quant_matmul.default(a, b, s, offset = s, output_dtype = 5)", "argument_has_wrong_kind: offset: None, but for i8, a tensor");
    is("npu_quant_matmul.default(a, b, s, pertoken_scale = s)", "shapes_do_not_broadcast: f32[3], f32[4]");
    is("npu_quant_matmul.default(a, b, s, bias = l)", "shapes_do_not_broadcast: i64[4], i64[2]");
    is("npu_dequant_swiglu_quant.default(i)", "argument_has_wrong_kind: quant_mode: 1, dynamic, 0");
    is("npu_dequant_swiglu_quant.default(i, weight_scale = s, quant_mode = 1)", "shapes_do_not_broadcast: f32[2], f32[4]");
    is("npu_moe_gating_top_k_softmax.default(x, k = 9)", "index_is_out_of_range: k from 1 to 8 experts, 9");
    is("npu_moe_gating_top_k_softmax.default(x, m)", "shapes_do_not_broadcast: b8[2, 4], b8[3, 5]");
    is("npu_moe_gating_top_k.default(x, 2)", "rank_is_wrong: rank 2, f16[2, 4, 8]");
    is("npu_moe_init_routing.default(x, i, i, 3)", "rank_is_wrong: rank 2, f16[2, 4, 8]");
    is("npu_moe_compute_expert_tokens.default(i, 3)", "rank_is_wrong: rank 1, i32[3, 2]");
    is("npu_moe_compute_expert_tokens.default(l, 3)", "dtype_is_unsupported: i32, i64[2]");
    is("npu_moe_finalize_routing.default(x, None, None, None, None, i, None)", "rank_is_wrong: rank 2, f16[2, 4, 8]");
    is("npu_grouped_matmul.default([x, x], [w])", "element_counts_differ: as many weights, and biases if any, as x, 2, 1 and 0");
    is("npu_grouped_matmul.default([x], [y])", "dtypes_differ: f16[2, 4, 8], another dtype, or None");
    is("npu_grouped_matmul.default([x], [x], split_item = 2)", "argument_is_missing: a group_list for split_item 2 and 3, None");
    is("npu_grouped_matmul.default([x], [x], group_list = l)",
       "argument_has_wrong_kind: one x, group_type 0 and split_item 2 or 3 beside a group_list, others");
    is("npu_grouped_matmul.default([x], [x], act_type = 1)", "argument_has_wrong_kind: act_type: 0, 1");
    is("npu_nms_rotated.default(x)",
       "operator_is_unknown: a registered operator, or your own, given to the registry, npu.npu_nms_rotated.default");
    is("npu_rms_nrom.default(x, w)",
       "operator_is_unknown: npu.npu_rms_norm.default, or another registered operator, npu.npu_rms_nrom.default");
    check_equal(
        refusal<toolchain<>, aten::registry>("npu_rms_norm.default(x, w)"),
        "operator_is_unknown: torch_npu's operators: #include <ahead/torch_npu.hpp> and give torch_npu::registry and torch_npu::tools, "
        "npu.npu_rms_norm.default");
}

// A node with several results is none of them, as elsewhere.
void several_results() {
    check_equal(inspect("def forward(self, x : f32[2, 8], w : f32[8]):\n    r = torch.ops.npu.npu_rms_norm.default(x, w)\n"
                        "    s = torch.ops.npu.npu_swiglu.default(r)\n    return (s,)\n")
                    .error.what,
                fault::result_is_not_a_tensor);
}

// The same in handles, and a toolchain of one's own over these.
inline constexpr config my_tools_options{.fuse_pointwise = false};
using my_tools = torch_npu::tools::with_options<my_tools_options>;
constexpr auto in_handles = trace<torch_npu::registry>([](input<"x", f16<2, 4, 64>> x, param<"g", f16<64>> g, input<"c", f16<2, 4, 64>> cos,
                                                          input<"w", i8<32, 8>> w, input<"s", f32<8>> s, input<"m", b8<4, 4>> m) {
    auto [y, rstd] = npu_rms_norm(x, g);
    auto [z, rstd_1, sum] = npu_add_rms_norm(y, x, g);
    auto turned = npu_rotary_mul(z, cos, cos);
    auto [a, none_1] = npu_fused_infer_attention_score<4>(turned, y, y, 0.25);
    auto [b, none_2] = npu_fused_infer_attention_score<4>(turned, y, y, m, 0.25);
    auto [bent, half] = npu_geglu(a);
    auto rows = reshape<8, 32>(npu_swiglu(npu_silu(npu_gelu(npu_fast_gelu(npu_mish(b))))));
    auto [quantised, scales] = npu_dynamic_quant(rows);
    return outputs(npu_quant_matmul(quantised, w, s, scales), bent, half, rstd, rstd_1, sum);
});
static_assert(std::same_as<typed<in_handles>::node<"npu_quant_matmul">::result<>, f16<8, 8>>);
static_assert(compiled<in_handles, my_tools>::plan.ai_cpu_tasks == 0);

} // namespace

int main() {
    recorded();
    refusals();
    several_results();
    return test::report();
}
