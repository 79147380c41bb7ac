// SPDX-License-Identifier: MIT
// Rows of known operators whose type rule refuses cases that PyTorch accepts: each is a schema and the law for the call
// that was refused.
// Called by write_out.hpp. Source of schemas and names: aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/legalize/composite/composites.hpp>
#include <ahead/legalize/composite/wider.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Laws for further cases of known operators, tried if the operator's type rule refuses. Sorted by name.
template <class C>
inline constexpr auto wider_operators = std::to_array<composite_row>({
    {"_native_batch_norm_legit.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float "
     "momentum, float eps",
     &composite::native_batch_norm<C>, 10},
    {"_scaled_dot_product_flash_attention.default",
     "Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, "
     "float? scale=None",
     &composite::flash_attention<C>, 14},
    {"_scaled_dot_product_flash_attention_backward.default",
     "Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor? cum_seq_q, "
     "Tensor? cum_seq_k, int max_q, int max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor "
     "philox_offset, float? scale=None",
     &composite::flash_attention_backward<C>, 8},
    {"addr.default", "Tensor self, Tensor vec1, Tensor vec2, Scalar beta=1, Scalar alpha=1", &composite::addr<C>, 6},
    {"batch_norm.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float "
     "momentum, float eps, bool cudnn_enabled",
     &composite::batch_norm<C>, 10},
    {"clamp_max.Tensor", "Tensor self, Tensor max", &composite::clamp_max<C>},
    {"clamp_min.Tensor", "Tensor self, Tensor min", &composite::clamp_min<C>},
    {"conj_physical.default", "Tensor self", &composite::conj_physical<C>},
    {"conj_physical_.default", "Tensor self", &composite::conj_physical_in_place<C>},
    {"im2col.default", "Tensor self, int[] kernel_size, int[] dilation, int[] padding, int[] stride",
     &composite::im2col<C>},
    {"instance_norm.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool use_input_stats, float "
     "momentum, float eps, bool cudnn_enabled",
     &composite::instance_norm<C>, 18},
    {"linalg_norm.default",
     "Tensor self, Scalar? ord=None, int[]? dim=None, bool keepdim=False, ScalarType? dtype=None",
     &composite::linalg_norm<C>, 7},
    {"mode.default", "Tensor self, int dim=-1, bool keepdim=False", &composite::mode<C>, 6},
    {"multi_margin_loss.default",
     "Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int "
     "reduction=1",
     &composite::multi_margin_loss<C>, 6},
    {"native_batch_norm.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float "
     "momentum, float eps",
     &composite::native_batch_norm<C>, 10},
    {"outer.default", "Tensor self, Tensor vec2", &composite::outer<C>},
    {"pad.default", "Tensor self, int[] pad, str mode=\"constant\", float? value=None", &composite::pad<C>},
    {"poisson_nll_loss.default", "Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction",
     &composite::poisson_nll_loss<C>, 18},
    {"square.default", "Tensor self", &composite::square<C>},
    {"tensordot.default", "Tensor self, Tensor other, int[] dims_self, int[] dims_other", &composite::tensordot<C>, 10},
    {"trapezoid.dx", "Tensor y, Scalar dx=1, int dim=-1", &composite::trapezoid_dx<C>, 8},
    {"trapezoid.x", "Tensor y, Tensor x, int dim=-1", &composite::trapezoid_x<C>, 12},
});
/// The names of wider_operators, in the same order.
inline constexpr std::string_view wider_names[] = {"_native_batch_norm_legit.default"sv,
                                                   "_scaled_dot_product_flash_attention.default"sv,
                                                   "_scaled_dot_product_flash_attention_backward.default"sv,
                                                   "addr.default"sv,
                                                   "batch_norm.default"sv,
                                                   "clamp_max.Tensor"sv,
                                                   "clamp_min.Tensor"sv,
                                                   "conj_physical.default"sv,
                                                   "conj_physical_.default"sv,
                                                   "im2col.default"sv,
                                                   "instance_norm.default"sv,
                                                   "linalg_norm.default"sv,
                                                   "mode.default"sv,
                                                   "multi_margin_loss.default"sv,
                                                   "native_batch_norm.default"sv,
                                                   "outer.default"sv,
                                                   "pad.default"sv,
                                                   "poisson_nll_loss.default"sv,
                                                   "square.default"sv,
                                                   "tensordot.default"sv,
                                                   "trapezoid.dx"sv,
                                                   "trapezoid.x"sv};
/// The index of a name in wider_names; the size of wider_names if it is not there.
constexpr std::size_t find_wider(std::string_view name) {
    constexpr std::uint64_t lengths = [] {
        std::uint64_t out = 0;
        for (const auto& each : wider_names) out |= std::uint64_t{1} << (each.size() + 5);
        return out;
    }();
    std::size_t at = std::size(wider_names);
    if (name.size() < 64 && (lengths >> name.size() & 1) != 0 && name.starts_with("aten."))
        for (at = 0; at < std::size(wider_names) && !same_name(wider_names[at], name.substr(5));) ++at;
    return at;
}

} // namespace ahead::detail
