// SPDX-License-Identifier: MIT
// Removes calls that return their operand unchanged: views of the same shape, full slices, conversions to the same
// dtype, copies in the same layout, repeats by one, pads by zero, a concatenation of one tensor, the rounding of
// integers, the power of one.
// Law: the operand has the result's dtype, sizes and strides. A call stays if the graph returns it and the operand's
// bytes belong to an input, weight or constant (an output must not be an input), or if the graph returns both, and the
// call is not a view (two outputs are two tensors). A copy stays if its source was made on another stream. Source:
// Inductor's remove_noop_ops, which TorchAir runs.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/ir/operator_map.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// The condition, in addition to equal types, for a call that is not a view to be a no-op.
enum class noop_if : std::uint8_t { always, pads_are_zero, exponent_is_one, operand_is_integral, list_has_one };

struct noop_row {
    std::string_view op;
    noop_if condition = noop_if::always;
    std::int32_t operand = 0; // the operand that it returns
};
inline constexpr noop_row noops[] = {
    {"aten.clone.default"},
    {"aten.contiguous.default"},
    {"aten._to_copy.default"},
    {"aten.to.dtype"},
    {"aten.type_as.default"},
    {"aten.lift_fresh_copy.default"},
    {"prims.convert_element_type.default"},
    {"prims.device_put.default"},
    {"aten.repeat.default"},
    {"aten.slice_scatter.default", noop_if::always, 1}, // the slice covers the whole
    {"aten.constant_pad_nd.default", noop_if::pads_are_zero},
    {"aten.pow.Tensor_Scalar", noop_if::exponent_is_one},
    {"aten.cat.default", noop_if::list_has_one},
    {"aten.ceil.default", noop_if::operand_is_integral},
    {"aten.floor.default", noop_if::operand_is_integral},
    {"aten.round.default", noop_if::operand_is_integral},
    {"aten.trunc.default", noop_if::operand_is_integral},
};

constexpr bool holds(noop_if condition, graph_view g, const node& n, const tensor_type& operand) {
    switch (condition) {
    case noop_if::always:
    case noop_if::list_has_one: return true;
    case noop_if::operand_is_integral: return !is_floating(operand.type);
    case noop_if::exponent_is_one: {
        const auto& exponent = g.argument_of(n, 1);
        return exponent.kind == argument_kind::real ? exponent.real() == 1
                                                    : exponent.kind == argument_kind::integer && exponent.bits == 1;
    }
    case noop_if::pads_are_zero: {
        const auto& pads = g.argument_of(n, 1).children;
        for (std::int32_t k = 0; k < pads.count; ++k)
            if (g[pads[k]].bits != 0) return false;
        return true;
    }
    }
    return false;
}

/// The argument that n returns unchanged; null if n computes something.
constexpr const argument* given_back(const graph_view& g, node_id id, operator_map<noop_row>& known) {
    const node& n = g.node_pool()[id.index];
    if (n.kind != node_kind::call || n.values.count != 1) return nullptr;
    const value& result = g.value_of(id);
    if (n.arguments.count == 0 || result.kind != value_kind::tensor) return nullptr;
    if (result.storage.index != n.values.first) { // a view: the same bytes in the same order
        const auto& from = g.argument_of(n, 0);
        if (from.kind != argument_kind::node || n.target == "operator.getitem" ||
            air::stream_word_of(n) != air::stream_word::none)
            return nullptr;
        const auto& operand = g.value_of(from);
        return operand.storage == result.storage && operand.type == result.type ? &from : nullptr;
    }
    const auto place = known.of(n);
    if (place < 0) return nullptr;
    const auto& row = noops[place];
    const auto* from = &g.argument_of(n, row.operand);
    if (row.condition == noop_if::list_has_one) {
        if (from->children.count != 1) return nullptr;
        from = &g[from->children[0]];
    }
    if (from->kind != argument_kind::node || g.value_of(*from).kind != value_kind::tensor) return nullptr;
    auto type = g.value_of(*from).type;
    type.offset = result.type.offset;
    return type == result.type && holds(row.condition, g, n, type) ? from : nullptr;
}

} // namespace detail

namespace detail {
/// Whether `id` is a copy, not a view, on another stream than the call that made its source.
constexpr bool copies_to_stream(graph_view g, const air::stream_map& streams, node_id id, node_id from) {
    return g[from].kind == node_kind::call && streams.of(id).stream != streams.of(from).stream &&
           g.value_of(id).storage == g[id].values[0];
}
} // namespace detail

struct remove_noop_ops_pass {
    static constexpr std::string_view name = "remove_noop_ops";
    static constexpr toggle config::* option = &config::remove_noop_ops;

    static constexpr bool applies(graph_view g, op_table ops) {
        operator_map known(array_view(detail::noops), ops);
        const node* nodes = g.node_pool();
        for (auto id = g.first(); id.index >= 0; id = nodes[id.index].next)
            if (detail::given_back(g, id, known)) return true;
        return false;
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        operator_map known(array_view(detail::noops), g.operators());
        const air::stream_map streams(g.view());
        for (node_id id : g) {
            if (g.changes() > 0) g.infer(id);
            const auto* from = detail::given_back(g.view(), id, known);
            if (!from || !g.may_be_returned_for(id, *from)) continue;
            if (streams.any() && detail::copies_to_stream(g.view(), streams, id, from->node())) continue;
            g.replace_all_uses_with(id, from->node(), from->result);
            g.erase_node(id);
        }
    }
};
inline constexpr remove_noop_ops_pass remove_noop_ops;

} // namespace ahead::pass
