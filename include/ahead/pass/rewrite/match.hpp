// SPDX-License-Identifier: MIT
// Where the left side of a rule stands in a graph.
// Invariant: a call in the middle of what was found has no other reader, and all of it is on one stream with neither
// record nor wait between (ir/streams.hpp). Called by pass/rewrite.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/frontend/handles/tensor.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/pass/rewrite/pattern.hpp>

namespace AHEAD_NAMESPACE {

/// What a rule found: its operands by name, for conditions.
class match {
public:
    constexpr match(graph_view pattern, graph_view g, op_table ops, diagnosis& d)
        : pattern_(pattern), g_(g), ops_(ops), bound_(pattern.header().used.nodes), node_(pattern.header().used.nodes),
          seen_(pattern.header().used.nodes), row_(pattern.header().used.nodes), streams_(g), d_(&d) {
        for (node_id p : pattern)
            if (pattern[p].kind == node_kind::call) row_[p.index] = find_op(ops, pattern[p].target);
    }
    constexpr graph_view graph() const { return g_; }
    /// The call that is to be replaced.
    constexpr node_id root() const { return root_; }
    /// The argument that an operand of the rule stands for. Refuses (name_is_undefined) a name that the rule does not
    /// have.
    constexpr const argument& operand(std::string_view name) const {
        for (node_id p : pattern_)
            if (pattern_[p].kind == node_kind::placeholder && same_name(pattern_[p].target, name))
                return *bound_[p.index];
        d_->name = name;
        refuse(*d_, fault::name_is_undefined, "an operand of the rule", name);
        return nothing_;
    }
    /// The type of that operand. pre: it is a tensor
    constexpr const tensor_type& type(std::string_view name) const {
        const auto& a = operand(name);
        return a.kind == argument_kind::node ? g_.value_of(a).type : anything::type;
    }

    /// Whether `left` of the pattern is what `root` computes, and nothing but its result is read elsewhere.
    constexpr bool find(node_id left, node_id root) {
        crosses_ = false;
        if (pattern_[left].kind != node_kind::call || g_[root].op != row_[left.index]) return false; // as most are
        for (auto& b : bound_.all()) b = nullptr;
        for (auto& n : node_.all()) n = {};
        for (auto& s : seen_.all()) s = 0;
        root_ = root;
        if (!same(left, root)) return false;
        for (node_id p : pattern_)
            if (p != left && node_[p.index].exists() && g_[node_[p.index]].use_count != seen_[p.index]) return false;
        for (node_id p : pattern_)
            if (node_[p.index].exists() && !streams_.together(node_[p.index], root)) crosses_ = true;
        return !crosses_;
    }
    /// Whether the last find failed for the streams alone.
    constexpr bool crosses_streams() const { return crosses_; }
    /// To be called after the graph was changed.
    constexpr void look_again() {
        if (streams_.any()) streams_ = stream_map(g_);
    }
    constexpr const argument* bound(node_id p) const { return bound_[p.index]; }
    constexpr array_view<const argument* const> operands() const { return bound_.all(); }
    constexpr node_id found(node_id p) const { return node_[p.index]; }

private:
    static constexpr argument nothing_{};

    graph_view pattern_, g_;
    op_table ops_;
    fixed_buffer<const argument*> bound_; // by node of the pattern: the operand
    fixed_buffer<node_id> node_;          // the call
    fixed_buffer<std::int32_t> seen_;     // how often it was met
    fixed_buffer<op_id> row_;
    stream_map streams_;
    bool crosses_ = false;
    diagnosis* d_;
    node_id root_;

    constexpr bool same(node_id p, node_id n) {
        const auto& wanted = pattern_[p];
        const auto& call = g_[n];
        if (call.kind != node_kind::call || call.op != row_[p.index] || !call.op.exists() || call.values.count != 1)
            return false;
        ++seen_[p.index];
        if (node_[p.index].exists()) return node_[p.index] == n;
        node_[p.index] = n;
        const auto& row = ops_[static_cast<std::size_t>(call.op.index)];
        bound_arguments ours, theirs;
        diagnosis ignored;
        if (!bind_arguments(pattern_, p, row, ours, *d_) || !bind_arguments(g_, n, row, theirs, ignored)) {
            d_->op = wanted.target;
            return false;
        }
        for (std::size_t i = 0; i < row.schema.size(); ++i)
            if (!same(*ours.at[i], *theirs.at[i])) return false;
        return true;
    }
    constexpr bool same(const argument& wanted, const argument& given) {
        if (wanted.kind == argument_kind::node) {
            const auto p = wanted.node();
            if (pattern_[p].kind == node_kind::call)
                return given.kind == argument_kind::node && given.result == 0 && same(p, given.node());
            auto& known = bound_[p.index];
            if (known != nullptr)
                return known->kind == given.kind && known->bits == given.bits && known->result == given.result &&
                       same_name(known->text, given.text);
            known = &given;
            return true;
        }
        if (wanted.children.count > 0 || given.children.count > 0) {
            if (wanted.children.count != given.children.count) return false;
            for (std::int32_t k = 0; k < wanted.children.count; ++k)
                if (!same(pattern_[wanted.children[k]], g_[given.children[k]])) return false;
            return true;
        }
        const auto is_number = [](const argument& a) {
            return a.kind == argument_kind::integer || a.kind == argument_kind::real;
        };
        if (is_number(wanted) && is_number(given))
            return basic_call<false>::to_real(wanted) == basic_call<false>::to_real(given);
        return wanted.kind == given.kind && wanted.bits == given.bits && same_name(wanted.text, given.text);
    }
};

} // namespace ahead
