// SPDX-License-Identifier: MIT
// Type inference: binds each call's arguments to its operator's schema, calls the operator's type rule for its result
// types, and checks them against the printed ones. Called by the frontends after import and by the verifier after every
// pass.
// Invariant: after infer_types(g) succeeds, every live node has its values and every view its storage, in blocks as
// well: a block is typed by the call that holds it, from the types of the operands that the call passes to it.
#pragma once
#include <ahead/ir/bind_arguments.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/ir/check_dtypes.hpp>
#include <ahead/ir/type/annotation.hpp>
#include <ahead/ir/type/overlap.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Refuses a write whose result depends on the order in which elements are written, and the writes that PyTorch refuses
/// (at::assert_no_internal_overlap, at::assert_no_partial_overlap, at::assert_no_overlap): to a tensor that overlaps
/// itself, or with operands that share bytes at other element positions.
constexpr bool check_write(graph_view g, const op_row& row, const bound_arguments& bound, diagnosis& d) {
    const auto& written = *bound.at[row.effect.mutates];
    const auto& self = g.value_of(written);
    if (may_overlap_itself(self.type) && !row.effect.writes_one_value)
        return refuse(d, fault::in_place_needs_alias_analysis, "a tensor that does not overlap itself",
                      print(g[written.node()].name));
    const auto is_apart = [&](const argument& a) {
        if (!is_tensor_argument(g, a) || g.value_of(a).storage != self.storage) return true;
        const auto& type = g.value_of(a).type;
        if (row.effect.is_elementwise ? !may_read_written(self.type, type) : !may_overlap(self.type, type)) return true;
        return refuse(d, fault::in_place_needs_alias_analysis, "operands that do not overlap what is written",
                      print(g[a.node()].name));
    };
    for (std::size_t i = 0; i < row.schema.size(); ++i) {
        if (static_cast<int>(i) == row.effect.mutates) continue;
        if (!is_apart(*bound.at[i])) return false;
        for (std::int32_t k = 0; k < bound.at[i]->children.count; ++k)
            if (!is_apart(g[bound.at[i]->children[k]])) return false;
    }
    return true;
}

constexpr bool infer_blocks(graph g, op_table ops, node_id id, const op_row& row, const bound_arguments& bound,
                            diagnosis& d);

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Infers the result types of one call, and types the blocks that it holds. A refusal includes the node's op, name and
/// line.
constexpr bool infer_node(graph g, op_table ops, node_id id, diagnosis& d) {
    const auto& n = g[id];
    bool ok = false;
    if (!n.op.exists()) {
        ok = refuse(d, fault::operator_is_unknown, registered_operator(ops, n.target), n.target);
    } else {
        const auto& row = ops[static_cast<std::size_t>(n.op.index)];
        bound_arguments bound;
        if (bind_arguments(g, id, row, bound, d)) {
            if (row.effect.blocks_take >= 0 && !detail::infer_blocks(g, ops, id, row, bound, d)) return false;
            infer_context context(g, id, bound, d);
            ok = row.infer(context) && d.ok() && (row.effect.mutates < 0 || detail::check_write(g, row, bound, d));
            if (ok && meets_complex(g, n))
                ok = is_of_device(row.name) || (check_dtypes(g, n, ops, d) && check_complex_numbers(g, n, d));
        }
    }
    if (!ok) {
        blame(d, g[id]);
    }
    return ok;
}

/// Whether the printed type equals the inferred type. Strides of dims of size 1 are irrelevant and are not compared.
constexpr bool agrees(const annotation& printed, const tensor_type& inferred) {
    if (printed.type.type != inferred.type || printed.type.rank != inferred.rank) return false;
    for (int i = 0; i < inferred.rank; ++i) {
        if (printed.type.size(i) != inferred.size(i)) return false;
        if (printed.has_strides && inferred.size(i) > 1 && element_count(inferred) > 0 &&
            printed.type.stride(i) != inferred.stride(i))
            return false;
    }
    return true;
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// Whether the printed strides of the call's result are those of its `printed_like` operand.
constexpr bool is_printed_like(graph_view g, op_table ops, node_id id, const annotation& printed) {
    const auto& row = ops[static_cast<std::size_t>(g[id].op.index)];
    bound_arguments bound;
    diagnosis ignored;
    if (row.effect.printed_like < 0 || !bind_arguments(g, id, row, bound, ignored)) return false;
    const auto* operand = bound.at[row.effect.printed_like];
    if (operand == nullptr || operand->kind != argument_kind::node) return false;
    auto type = g.value_of(id).type;
    type.strides = g.value_of(*operand).type.strides;
    return agrees(printed, type);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Refuses the printed type of a call's results with annotation_differs_from_inference, and reports the difference: the
/// number of results, rank, the first dim with another size, dtype, or the first dim with another stride.
constexpr bool refuse_annotation(graph_view g, node_id id, const annotation& printed, diagnosis& d) {
    const auto& n = g[id];
    const auto differs = [&](short_text expected, short_text found) {
        const auto inferred =
            n.values.count == 1 ? print(g.value_of(id).type, printed.has_strides) : short_text("no type of its own");
        return refuse(d, fault::annotation_differs_from_inference, expected << ": " << inferred.view(),
                      found << ": " << n.annotation);
    };
    if (n.values.count != 1) return differs(short_text() << n.values.count << " results", "1 result");
    const auto &inferred = g.value_of(id).type, &type = printed.type;
    if (type.rank != inferred.rank)
        return differs(short_text("rank ") << int{inferred.rank}, short_text("rank ") << int{type.rank});
    for (int i = 0; i < inferred.rank; ++i)
        if (type.size(i) != inferred.size(i))
            return differs(short_text() << inferred.size(i) << " in dim " << i, short_text()
                                                                                    << type.size(i) << " in dim " << i);
    if (type.type != inferred.type) return differs(facts_of(inferred.type).annotation, facts_of(type.type).annotation);
    int i = 0;
    while (i + 1 < inferred.rank && (inferred.size(i) <= 1 || type.stride(i) == inferred.stride(i))) ++i;
    return differs(short_text("stride ") << inferred.stride(i) << " in dim " << i,
                   short_text("stride ") << type.stride(i) << " in dim " << i);
}

/// Discards the printed types of calls. They hold for the graph as it was written; edited nodes, and blocks whose
/// parameters receive other values, may have other strides.
constexpr void forget_annotations(graph g) {
    const bool in_block = g.own().exists();
    for (node_id id : g)
        if (in_block || g[id].kind == node_kind::call) g[id].annotation = {};
    if (!has_blocks(g)) return;
    for (node_id id : g)
        for (block_id b : blocks_of(g, g[id])) forget_annotations(g.inside(b));
}

/// Infers all nodes in program order, or those from `from` up to, but not including, `end`. Placeholders take their
/// printed type, unless a type was set before.
constexpr bool infer_types(graph g, op_table ops, diagnosis& d, node_id from = {}, node_id end = {}) {
    for (node_id id = from.exists() ? from : g.first(); id != end; id = g[id].next) {
        auto& n = g[id];
        if (n.kind == node_kind::output) continue;
        annotation printed;
        const bool annotated = !n.annotation.empty();
        bool ok = !annotated || read_annotation(n.annotation, printed, d);
        if (ok && n.kind != node_kind::call && !g.is_typed(id)) {
            ok = annotated ? reserve_values(g, id, 1, d)
                           : refuse(d, fault::input_type_is_missing, "a type such as f32[2, 3]", "none");
            if (ok) g.value_of(id) = {value_kind::tensor, printed.type, n.values[0]};
        }
        if (!ok) {
            // An operator that reports a data-dependent number of elements gives a better diagnosis than its
            // annotation.
            if (diagnosis why; n.kind == node_kind::call && d.what == fault::dimension_is_dynamic &&
                               !infer_node(g, ops, id, why) && why.what == fault::dimension_is_dynamic) {
                d = why;
                return false;
            }
            blame(d, n);
            return false;
        }
        if (n.kind == node_kind::call && !infer_node(g, ops, id, d)) return false;
        if (!annotated || (n.values.count == 1 && agrees(printed, g.value_of(id).type))) continue;
        if (n.kind == node_kind::call && n.values.count == 1 && detail::is_printed_like(g, ops, id, printed)) continue;
        blame(d, n);
        return refuse_annotation(g, id, printed, d);
    }
    return true;
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// Iterates over the tensors that a call passes to its blocks.
struct given_tensors {
    graph_view g;
    const op_row& row;
    const bound_arguments& bound;
    std::size_t parameter = static_cast<std::size_t>(row.effect.blocks_take);
    std::int32_t element = 0;

    /// Null at the end.
    constexpr const argument* next() {
        for (; parameter < row.schema.size(); ++parameter, element = 0)
            if (const auto& list = bound.at[parameter]->children; element < list.count) return &g[list[element++]];
        return nullptr;
    }
    /// Whether a block receives a slice of the tensor that next() returned last.
    constexpr bool is_slice() const { return static_cast<int>(parameter) == row.effect.blocks_slice; }
};

/// Types a block that call `id` holds.
constexpr bool infer_block(graph g, op_table ops, node_id id, block_id b, given_tensors given, diagnosis& d) {
    std::int32_t parameters = 0, tensors = 0;
    for (auto counted = given; counted.next() != nullptr;) ++tensors;
    const auto in = g.inside(b);
    for (node_id n : in) {
        parameters += g[n].kind == node_kind::placeholder;
        if (g[n].kind != node_kind::get_attr || is_literal(g[n])) continue;
        return refuse_at(d, g[n], fault::operand_is_outside_its_block,
                         short_text("an operand of ") << print(g[id].name).view(), "a weight");
    }
    if (parameters != tensors) {
        return refuse_at(d, g[id], fault::block_parameters_differ,
                         short_text() << tensors << " parameters, as many as " << g[id].target << " gives its blocks",
                         short_text() << parameters << " of " << print(g[b].name).view());
    }
    for (node_id n : in) {
        if (g[n].kind != node_kind::placeholder) continue;
        const auto& a = *given.next();
        if (!is_tensor_argument(g, a)) {
            return refuse_at(d, g[id], fault::block_parameters_differ,
                             short_text("a tensor for ") << print(g[n].name).view(), spelled(a.kind));
        }
        if (!g.is_typed(n) && !reserve_values(g, n, 1, d)) {
            blame(d, g[n]);
            return false;
        }
        auto type = g.value_of(a).type;
        type.offset = 0;
        if (given.is_slice()) {
            if (type.rank == 0)
                return refuse_at(d, g[id], fault::rank_is_wrong, "tensors with a dim to go along", print(type));
            remove_dim(type, 0);
        }
        g.value_of(n) = {value_kind::tensor, type, g[n].values[0]};
    }
    if (!infer_types(in, ops, d)) return false;
    for (node_id n : in) {
        if (written_operand(g, g[n], ops) < 0) continue;
        return refuse_at(d, g[n], fault::in_place_needs_alias_analysis,
                         "the functional operator: a block writes nothing", g[n].target);
    }
    return true;
}

/// Types a call's blocks: each parameter has the type of its operand, in separate memory. Refuses a wrong number of
/// operands (block_parameters_differ), a block that reads a weight (operand_is_outside_its_block) or writes
/// (in_place_needs_alias_analysis); the diagnosis has the location of the fault.
constexpr bool infer_blocks(graph g, op_table ops, node_id id, const op_row& row, const bound_arguments& bound,
                            diagnosis& d) {
    for (block_id b : blocks_of(g, g[id]))
        if (!infer_block(g, ops, id, b, {g, row, bound}, d)) return false;
    return true;
}

} // namespace ahead::detail
