// SPDX-License-Identifier: MIT
// Calls of PyTorch that are not operators here: they are rewritten as other calls before the graph is typed.
// Called by reader.hpp and the other files of this folder.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::detail {

inline constexpr std::string_view auto_functionalized = "higher_order.auto_functionalized"sv,
                                  auto_functionalized_v2 = "higher_order.auto_functionalized_v2"sv,
                                  wrap_with_autocast = "higher_order.wrap_with_autocast"sv,
                                  wrap_with_set_grad_enabled = "higher_order.wrap_with_set_grad_enabled"sv,
                                  tag_activation_checkpoint = "higher_order.tag_activation_checkpoint"sv,
                                  invoke_subgraph = "higher_order.invoke_subgraph"sv, wrap = "higher_order.wrap"sv,
                                  map_impl = "higher_order.map_impl"sv,
                                  associative_scan = "higher_order.associative_scan"sv,
                                  with_effects = "higher_order.with_effects"sv,
                                  flex_attention = "higher_order.flex_attention"sv,
                                  flat_apply = "higher_order.flat_apply"sv,
                                  functorch = "torch._functorch.predispatch."sv,
                                  add_batch_dim = "torch._functorch.predispatch._add_batch_dim"sv,
                                  remove_batch_dim = "torch._functorch.predispatch._remove_batch_dim"sv;
inline constexpr std::string_view written_out[] = {auto_functionalized,
                                                   auto_functionalized_v2,
                                                   wrap_with_autocast,
                                                   wrap_with_set_grad_enabled,
                                                   wrap,
                                                   tag_activation_checkpoint,
                                                   invoke_subgraph,
                                                   map_impl,
                                                   associative_scan,
                                                   with_effects,
                                                   flex_attention,
                                                   flat_apply};

/// Whether the rewritten call takes a block. pre: is_written_out(n)
constexpr bool holds_a_block(const node& n) {
    return !same_name(n.target, auto_functionalized) && !same_name(n.target, auto_functionalized_v2) &&
           !same_name(n.target, with_effects) && !same_name(n.target, flat_apply);
}
/// Whether the call has this name and the registry does not have such an operator.
constexpr bool is_call_of(const node& n, std::string_view name) {
    return n.kind == node_kind::call && !n.op.exists() && same_name(n.target, name);
}
/// Whether it is a vmap marker: _add_batch_dim, _remove_batch_dim and the calls around them.
constexpr bool is_of_functorch(const node& n) { return n.target.substr(0, functorch.size()) == functorch; }
constexpr bool is_written_out(const node& n) {
    if (n.kind != node_kind::call || n.op.exists() || n.target.empty()) return false;
    if (n.target[0] == 't') return is_of_functorch(n);
    if (n.target[0] == 'h')
        for (const auto name : written_out)
            if (same_name(n.target, name)) return true;
    return false;
}

} // namespace ahead::detail
