// SPDX-License-Identifier: MIT
// ATen's operators and torch_npu's: all that a text printed by TorchAir may call.
//     using program = compiled<fx<decoder, torch_npu::registry>, torch_npu::tools>;
// Called by users, through <ahead/torch_npu.hpp>.
#pragma once
#include <ahead/torch_npu/activation.hpp>
#include <ahead/torch_npu/add_rms_norm.hpp>
#include <ahead/torch_npu/attention.hpp>
#include <ahead/torch_npu/experts.hpp>
#include <ahead/torch_npu/fusion_attention.hpp>
#include <ahead/torch_npu/normalise.hpp>
#include <ahead/torch_npu/quantise.hpp>
#include <ahead/torch_npu/quantised_product.hpp>
#include <ahead/torch_npu/rotary.hpp>
#include <ahead/torch_npu/routing.hpp>
#include <ahead/torch_npu/shape.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

using operators = join<normalise_ops, activation_ops, rotary_ops, attention_ops, training_attention_ops, shape_ops,
                       quantise_ops, quantised_product_ops, add_rms_norm_ops, gating_ops, expert_ops>;

namespace detail {
template <class List> struct registry_with;
template <class... Op> struct registry_with<op_list<Op...>> {
    using type = aten::registry::with<Op...>;
};
} // namespace detail

/// A struct, not an alias, so that symbols contain `registry`.
struct registry : detail::registry_with<operators>::type {};

} // namespace ahead::torch_npu
