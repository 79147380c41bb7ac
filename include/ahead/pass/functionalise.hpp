// SPDX-License-Identifier: MIT
// In-place operators become functional ones: relu_(x) becomes relu(x), and what read x afterwards reads the result. x may be a view, such as one
// part of a split. Only where alias analysis shows that nobody reads the bytes by another name later; else the operator is refused, because
// renaming alone would be wrong.
// Invariant: afterwards no node mutates a storage. pre: the graph is typed. Called first by npu/compiled.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/overlap.hpp>

namespace ahead {

/// Whether any call of the graph writes into an operand.
constexpr bool has_in_place(graph_view g, op_table ops) {
    for (node_id id : g)
        if (g[id].kind == node_kind::call && g[id].op.exists() && ops[static_cast<std::size_t>(g[id].op.index)].effect.mutates >= 0) return true;
    return false;
}

namespace detail {

/// "aten.relu.default" for "aten.relu_.default".
constexpr op_id functional_form(op_table ops, std::string_view name) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || dot == 0 || name[dot - 1] != '_') return {};
    short_text spelled;
    spelled << name.substr(0, dot - 1) << name.substr(dot);
    return find_op(ops, spelled.view());
}

} // namespace detail

namespace detail {

constexpr bool refuse_mutation(const node& by, short_text expected, short_text found, diagnosis& d) {
    d.line = by.from.line;
    d.op = by.target;
    d.name = print(by.name);
    return refuse(d, fault::in_place_needs_alias_analysis, expected, found);
}

/// A call that writes into an operand, and what others know of the bytes it writes.
class mutation {
public:
    constexpr mutation(graph g, node_id by, std::int32_t operand, diagnosis& d)
        : g_(g), by_(by), self_(g.argument_of(g[by], operand).node()), result_(g.argument_of(g[by], operand).result),
          self_type_(g.value_of(self_, result_).type), storage_(g.value_of(self_, result_).storage), behind_(g.header().used.nodes), d_(d) {}

    /// Refuses what renaming would get wrong: bytes from outside, a tensor that overlaps itself, and later readers by other names.
    constexpr bool check() {
        if (is_external(g_, storage_)) return refuse_here("a tensor made by the graph", print(g_[self_].name));
        for (int k = 0; k < self_type_.rank; ++k)
            if (self_type_.size(k) > 1 && self_type_.stride(k) == 0) return refuse_here("a tensor that does not overlap itself", print(g_[self_].name));
        for (auto later = g_[by_].next; later.exists(); later = g_[later].next) {
            const auto& n = g_[later];
            bool from_self = false;
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto& a = g_.argument_of(n, i);
                if (!check_reader(a, from_self)) return false;
                for (std::int32_t k = 0; k < a.children.count; ++k)
                    if (!check_reader(g_[a.children[k]], from_self)) return false;
            }
            behind_[later.index] = from_self ? reads_result : is_behind;
            for (std::int32_t k = 0; !from_self && k < n.values.count; ++k) // as_strided looks beyond what it was given
                if (const auto& v = g_[n.values[k]]; v.storage == storage_ && may_overlap(v.type, self_type_))
                    return refuse_here("no later reader of the old bytes", print(n.name));
        }
        return true;
    }
    /// Whoever reads self behind the call reads its result.
    constexpr void redirect() {
        for (auto use = g_[self_].first_use; use.exists();) {
            const auto next = g_[use].next_use;
            if (g_[use].result == result_ && behind_[g_[use].owner.index] != 0) {
                auto moved = g_[use];
                moved.bits = by_.index;
                moved.result = 0;
                set_argument(g_, use, moved, moved.owner);
            }
            use = next;
        }
    }
    constexpr bool refuse_here(short_text expected, short_text found) { return refuse_mutation(g_[by_], expected, found, d_); }

private:
    static constexpr std::int8_t is_behind = 1, reads_result = 2; // the latter: self or a later view of it

    graph g_;
    node_id by_, self_;
    std::int32_t result_;
    tensor_type self_type_;
    value_id storage_;
    fixed_buffer<std::int8_t> behind_; // by node: 0 for those before the call
    diagnosis& d_;

    constexpr bool check_reader(const argument& a, bool& from_self) {
        if (a.kind != argument_kind::node || !g_.is_typed(a.node()) || a.result >= g_[a.node()].values.count) return true;
        const auto& v = g_.value_of(a);
        if (v.storage != storage_) return true;
        if (a.node() == by_ || (a.node() == self_ && a.result == result_) || behind_[a.node().index] == reads_result) {
            from_self = true;
            return true;
        }
        return !may_overlap(v.type, self_type_) || refuse_here("no later reader of the old bytes", print(g_[a.node()].name));
    }
};

} // namespace detail

/// Refuses (in_place_needs_alias_analysis) the mutation of inputs and parameters, of tensors that are read later by another name, and a result
/// of another dtype than the tensor it is written into.
constexpr bool functionalise(graph g, op_table ops, diagnosis& d) {
    fixed_buffer<std::int8_t> written(g.header().used.nodes); // by node: the dtype that the call wrote + 1
    for (node_id id : g) { // all aliases keep their old storage until the end
        auto& n = g[id];
        if (n.kind != node_kind::call) continue;
        const auto operand = ops[static_cast<std::size_t>(n.op.index)].effect.mutates;
        if (operand < 0) continue;
        detail::mutation here(g, id, operand, d);
        const auto functional = detail::functional_form(ops, n.target);
        if (!functional.exists()) return here.refuse_here("an operator with a functional form", n.target);
        if (!here.check()) return false;
        here.redirect();
        written[id.index] = static_cast<std::int8_t>(static_cast<int>(g.value_of(id).type.type) + 1);
        n.op = functional;
        n.target = ops[static_cast<std::size_t>(functional.index)].name;
        n.from.made_by = "functionalise";
    }
    forget_annotations(g);
    if (!infer_types(g, ops, d)) return false;
    for (node_id id : g) {
        if (written[id.index] == 0) continue;
        const auto wanted = static_cast<dtype>(written[id.index] - 1);
        if (const auto& made = g.value_of(id).type; made.type != wanted)
            return detail::refuse_mutation(g[id], short_text("a result of ") << facts_of(wanted).annotation, print(made), d);
    }
    return true;
}

} // namespace ahead
