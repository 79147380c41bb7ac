// A decoder layer as TorchAir prints one, with torch_npu's operators between ATen's, f16 with two quantised products: compiled, run on the device without the
// AI CPU, and compared with what PyTorch's equivalent expressions gave.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/torch_npu.hpp>
#include <cases/device.hpp>
#include <cases/recorded_file.hpp>

namespace {

struct decoder_layer {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, hidden: "f16[1, 4, 32]", cos: "f16[1, 4, 1, 8]", sin: "f16[1, 4, 1, 8]", mask: "b8[4, 4]", input_norm: "f16[32]", qkv: "i8[32, 64]", qkv_scale: "f32[64]", o_proj: "f16[32, 32]", post_norm: "f16[32]", gate_up: "i8[32, 96]", gate_up_scale: "f32[96]", down: "f16[32, 48]"):
        npu_rms_norm = torch.ops.npu.npu_rms_norm.default(hidden, input_norm, 1e-06);  input_norm = None
        getitem: "f16[1, 4, 32]" = npu_rms_norm[0];  npu_rms_norm = None
        view: "f16[4, 32]" = torch.ops.aten.view.default(getitem, [4, 32]);  getitem = None
        npu_dynamic_quant = torch.ops.npu.npu_dynamic_quant.default(view);  view = None
        getitem_1: "i8[4, 32]" = npu_dynamic_quant[0]
        getitem_2: "f32[4]" = npu_dynamic_quant[1];  npu_dynamic_quant = None
        npu_quant_matmul: "f16[4, 64]" = torch.ops.npu.npu_quant_matmul.default(getitem_1, qkv, qkv_scale, pertoken_scale = getitem_2, output_dtype = 5);  getitem_1 = qkv = qkv_scale = getitem_2 = None
        view_1: "f16[1, 4, 64]" = torch.ops.aten.view.default(npu_quant_matmul, [1, 4, 64]);  npu_quant_matmul = None
        split_with_sizes = torch.ops.aten.split_with_sizes.default(view_1, [32, 16, 16], -1);  view_1 = None
        getitem_3: "f16[1, 4, 32]" = split_with_sizes[0]
        getitem_4: "f16[1, 4, 16]" = split_with_sizes[1]
        getitem_5: "f16[1, 4, 16]" = split_with_sizes[2];  split_with_sizes = None
        view_2: "f16[1, 4, 4, 8]" = torch.ops.aten.view.default(getitem_3, [1, 4, 4, 8]);  getitem_3 = None
        view_3: "f16[1, 4, 2, 8]" = torch.ops.aten.view.default(getitem_4, [1, 4, 2, 8]);  getitem_4 = None
        view_4: "f16[1, 4, 2, 8]" = torch.ops.aten.view.default(getitem_5, [1, 4, 2, 8]);  getitem_5 = None
        npu_rotary_mul: "f16[1, 4, 4, 8]" = torch.ops.npu.npu_rotary_mul.default(view_2, cos, sin);  view_2 = None
        npu_rotary_mul_1: "f16[1, 4, 2, 8]" = torch.ops.npu.npu_rotary_mul.default(view_3, cos, sin);  view_3 = cos = sin = None
        npu_fused_infer_attention_score = torch.ops.npu.npu_fused_infer_attention_score.default(npu_rotary_mul, npu_rotary_mul_1, view_4, atten_mask = mask, num_heads = 4, scale = 0.35355339059327373, input_layout = 'BSND', num_key_value_heads = 2);  npu_rotary_mul = npu_rotary_mul_1 = view_4 = mask = None
        getitem_6: "f16[1, 4, 4, 8]" = npu_fused_infer_attention_score[0];  npu_fused_infer_attention_score = None
        view_5: "f16[1, 4, 32]" = torch.ops.aten.view.default(getitem_6, [1, 4, 32]);  getitem_6 = None
        npu_linear: "f16[1, 4, 32]" = torch.ops.npu.npu_linear.default(view_5, o_proj);  view_5 = o_proj = None
        npu_add_rms_norm = torch.ops.npu.npu_add_rms_norm.default(npu_linear, hidden, post_norm);  npu_linear = hidden = post_norm = None
        getitem_7: "f16[1, 4, 32]" = npu_add_rms_norm[0]
        getitem_8: "f16[1, 4, 32]" = npu_add_rms_norm[2];  npu_add_rms_norm = None
        view_6: "f16[4, 32]" = torch.ops.aten.view.default(getitem_7, [4, 32]);  getitem_7 = None
        npu_dynamic_quant_1 = torch.ops.npu.npu_dynamic_quant.default(view_6);  view_6 = None
        getitem_9: "i8[4, 32]" = npu_dynamic_quant_1[0]
        getitem_10: "f32[4]" = npu_dynamic_quant_1[1];  npu_dynamic_quant_1 = None
        npu_quant_matmul_1: "f16[4, 96]" = torch.ops.npu.npu_quant_matmul.default(getitem_9, gate_up, gate_up_scale, pertoken_scale = getitem_10, output_dtype = 5);  getitem_9 = gate_up = gate_up_scale = getitem_10 = None
        npu_swiglu: "f16[4, 48]" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_1);  npu_quant_matmul_1 = None
        npu_linear_1: "f16[4, 32]" = torch.ops.npu.npu_linear.default(npu_swiglu, down);  npu_swiglu = down = None
        view_7: "f16[1, 4, 32]" = torch.ops.aten.view.default(npu_linear_1, [1, 4, 32]);  npu_linear_1 = None
        add: "f16[1, 4, 32]" = torch.ops.aten.add.Tensor(getitem_8, view_7);  getitem_8 = view_7 = None
        return (add,)
)fx";
};
using program = ahead::compiled<ahead::fx<decoder_layer, ahead::torch_npu::registry>, ahead::torch_npu::tools>;
static_assert(program::plan.ai_cpu_tasks == 0);

} // namespace

int main() {
    const auto recorded = ::cases::read_recorded("torch_npu/layer.txt");
    test::check_equal(recorded.size(), std::size_t{1});
    test::check_equal(std::string_view(recorded[0].text), decoder_layer::text);
    const auto found = ::cases::run_text<decoder_layer, ahead::torch_npu::tools, ahead::torch_npu::registry>(recorded[0].tensors);
    test::check(found.what == ::cases::outcome::passed, found.why);
    return test::report();
}
