// torch_npu's operators: what PyTorch's equivalent expressions gave (torch_npu/*.txt), by their meaning and after the passes; what their calls become on
// the device; what is refused; and a program that lacks the header is told of it.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/core/error.hpp>
#include <ahead/program/inspect_fx.hpp>
#include <ahead/torch_npu.hpp>
#include <cases/interpret.hpp>
#include <cases/recorded_file.hpp>

#include <map>
#include <set>

using namespace ahead;
using test::check, test::check_equal;

namespace {

inspected_graph inspect(const std::string& text) { return inspect_fx<torch_npu::tools, torch_npu::registry>(text); }

// "npu.concat npu.fused ", views aside.
std::string tasks_of(const inspected_graph& made) {
    std::string out;
    for (node_id id : made.lowered_graph())
        if (const auto& n = made.lowered_graph()[id]; n.kind == node_kind::call && n.target != "npu.view" && !n.constant) out += std::string(n.target) + " ";
    return out;
}
bool uses_ai_cpu(const inspected_graph& made) {
    for (node_id id : made.lowered_graph())
        if (const auto& n = made.lowered_graph()[id];
            n.kind == node_kind::call && !n.constant && (n.target.starts_with("aten.") || n.target.starts_with("prims.") || is_of_torch_npu(n.target)))
            return true;
    return false;
}

// Operators none of whose calls is left to the AI CPU.
const std::set<std::string_view> on_kernels = {
    "npu_rms_norm", "npu_gemma_rms_norm", "npu_add_rms_norm", "npu_layer_norm_eval", "npu_scaled_masked_softmax", "npu_fast_gelu", "npu_gelu", "npu_silu",
    "npu_mish", "npu_swiglu", "npu_geglu", "npu_rotary_mul", "npu_interleave_rope", "npu_apply_rotary_pos_emb", "npu_incre_flash_attention", "npu_dtype_cast",
    "_npu_dtype_cast", "npu_format_cast", "npu_transpose", "npu_broadcast", "npu_linear", "npu_bmmV2", "npu_anti_quant",
    "npu_fused_infer_attention_score", "npu_fused_infer_attention_score_v2", "npu_prompt_flash_attention", "npu_one_hot", "npu_dynamic_quant",
    "npu_quant_matmul", "npu_dequant_swiglu_quant"};

void recorded() {
    using passes = decltype(detail::custom_passes_of<torch_npu::tools> | detail::builtin_passes_of<torch_npu::tools>);
    const config all_passes;
    std::map<std::string, std::string> left; // tasks of operators that are not on kernels
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
            else if (uses_ai_cpu(made)) left[op] += tasks_of(made);
        }
    check(seen.size() == torch_npu::operators::size, std::to_string(seen.size()));
    for (const auto& [op, tasks] : left) std::cout << op << ": " << tasks << '\n';
}

} // namespace

int main() {
    recorded();
    return test::report();
}
