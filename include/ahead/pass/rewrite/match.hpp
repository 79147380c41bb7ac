// SPDX-License-Identifier: MIT
// Finds the left side of a rule in a graph. If it has several tensors, the search begins at the call of the first; the
// others are searched among the readers of nodes already found.
// Invariant: an inner call of the match has no other reader, and all of it is on one stream with neither record nor
// wait between (air/stream_map.hpp); all readers of the replaced tensors come after the place of the replacement, all
// operands before it. Called by pass/rewrite.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/frontend/handles/tensor.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/pass/rewrite/pattern.hpp>

namespace AHEAD_NAMESPACE::pass {

/// The value that a rule computes for an operand; the elements of a list are stored separately.
struct computed_value {
    argument value;
    int_list elements;
};

/// A match of a rule: its operands by name, for conditions.
class match {
public:
    /// `left`: the tensors to be replaced; must outlive this object.
    constexpr match(graph_view pattern, array_view<const node_id> left, graph_view g, op_table ops, diagnosis& d)
        : pattern_(pattern), left_(left), first_(ahead::detail::call_of(pattern, left[0])), g_(g), ops_(ops),
          bound_(pattern.header().used.nodes), calls_(pattern.header().used.nodes), streams_(g), d_(&d) {
        for (node_id p : pattern)
            if (pattern[p].kind == node_kind::call) calls_[p.index].row = find_op(ops, pattern[p].target);
    }
    constexpr graph_view graph() const { return g_; }
    /// The call that is to be replaced; of several, the one of the first tensor.
    constexpr node_id root() const { return root_; }
    /// The call before which the replacement is inserted.
    constexpr node_id place() const { return place_; }
    /// The argument bound to an operand of the rule. Refuses (name_is_undefined) a name that the rule does not have.
    constexpr const argument& operand(std::string_view name) const {
        for (node_id p : pattern_)
            if (pattern_[p].kind == node_kind::placeholder && same_name(pattern_[p].target, name))
                return bound_[p.index] == nullptr ? nothing_ : *bound_[p.index];
        d_->name = name;
        refuse(*d_, fault::name_is_undefined, "an operand of the rule", name);
        return nothing_;
    }
    /// The type of that operand. pre: it is a tensor
    constexpr const tensor_type& type(std::string_view name) const {
        const auto& a = operand(name);
        return a.kind == argument_kind::node ? g_.value_of(a).type : anything::type;
    }

    /// Sets the value of an operand that the left side does not have. Refuses like operand(). Returns true.
    constexpr bool give(std::string_view name, std::int64_t value) { return give(name, argument::of(value), {}); }
    constexpr bool give(std::string_view name, double value) { return give(name, argument::of(value), {}); }
    constexpr bool give(std::string_view name, bool value) { return give(name, argument::of(value), {}); }
    constexpr bool give(std::string_view name, const int_list& values) {
        return give(name, {.kind = argument_kind::list}, values);
    }

    /// Whether the left side matches `root` and calls around it, and only its results have other readers. A result
    /// without readers of a call with several may be missing.
    constexpr bool find(node_id root) {
        crosses_ = false;
        if (g_[root].op != calls_[first_.index].row || g_[root].kind != node_kind::call) return false; // usual case
        for (auto& b : bound_.all()) b = nullptr;
        for (auto& c : calls_.all()) c = {c.row, {}, 0};
        root_ = place_ = root;
        if (!same(first_, root)) return false;
        calls_[first_.index].seen = 0; // the other uses are counted from readers
        const bool one = left_.size() == 1 && left_[0] == first_;
        if (!one && !find_others()) return false;
        for (node_id p : pattern_)
            if (const auto& c = calls_[p.index]; c.node.exists() && !is_left(p) && g_[c.node].use_count != c.seen)
                return false;
        for (node_id p : pattern_)
            if (const auto n = found(p); n.exists() && !streams_.together(n, root)) crosses_ = true;
        return !crosses_ && (one || choose_place());
    }
    /// Whether the last find failed only because of streams.
    constexpr bool crosses_streams() const { return crosses_; }
    /// Must be called after the graph was changed.
    constexpr void look_again() {
        if (streams_.any()) streams_ = air::stream_map(g_);
    }
    constexpr const argument* bound(node_id p) const { return bound_[p.index]; }
    constexpr array_view<const argument* const> operands() const { return bound_.all(); }
    constexpr array_view<const computed_value> computed() const { return given_.all(); }
    constexpr node_id found(node_id p) const { return calls_[p.index].node; }

private:
    static constexpr argument nothing_{};
    struct met_call {
        op_id row;
        node_id node;
        std::int32_t seen = 0; // how often it was met
    };

    graph_view pattern_;
    array_view<const node_id> left_;
    node_id first_; // of the pattern: the call where the search begins
    graph_view g_;
    op_table ops_;
    fixed_buffer<const argument*> bound_; // by node of the pattern: the operand
    fixed_buffer<computed_value> given_;  // a computed operand; empty until there is one
    fixed_buffer<met_call> calls_;        // the call
    air::stream_map streams_;
    bool crosses_ = false;
    diagnosis* d_;
    node_id root_, place_;

    constexpr bool give(std::string_view name, argument value, const int_list& elements) {
        for (node_id p : pattern_) {
            if (pattern_[p].kind != node_kind::placeholder || !same_name(pattern_[p].target, name)) continue;
            if (given_.size() == 0) given_ = fixed_buffer<computed_value>(bound_.size());
            value.children = {0, elements.size};
            given_[p.index] = {value, elements};
            bound_[p.index] = &given_[p.index].value;
            return true;
        }
        static_cast<void>(operand(name)); // refuses
        return true;
    }
    constexpr bool is_left(node_id p) const {
        for (node_id left : left_)
            if (left == p) return true;
        return false;
    }
    /// Whether a call of the pattern is already bound to this node.
    constexpr bool is_taken(node_id n) const {
        for (const auto& c : calls_.all())
            if (c.node == n) return true;
        return false;
    }
    constexpr bool find_others() {
        bool any = false;
        for (node_id p : left_) {
            if (!found(p).exists() && !find_reader(p) && !ahead::detail::is_pick(pattern_, p)) return false;
            any = any || found(p).exists();
        }
        return any;
    }
    /// Finds a call of the pattern among the direct or indirect readers of an operand that is already found.
    constexpr bool find_reader(node_id p) {
        fixed_buffer<node_id> way(calls_.size()); // from p up to the reader of `from`
        std::int32_t length = 0;
        node_id from;
        for (auto at = p; at.exists() && !from.exists();) {
            way[length++] = at;
            node_id up;
            for_each_operand(pattern_, pattern_[at].arguments, [&](const argument& a) {
                const auto* operand = bound_[a.node().index];
                if (from.exists()) return;
                if (found(a.node()).exists()) from = found(a.node());
                else if (operand != nullptr && operand->kind == argument_kind::node) from = operand->node();
                else if (pattern_[a.node()].kind == node_kind::call) up = a.node();
            });
            at = up;
        }
        return from.exists() && find_reader(way, length, from);
    }
    constexpr bool find_reader(const fixed_buffer<node_id>& way, std::int32_t length, node_id from) {
        const auto p = way[length - 1];
        for (auto use = g_[from].first_use; use.exists(); use = g_[use].next_use) {
            const auto reader = g_[use].owner;
            if (g_[reader].op != calls_[p.index].row || is_taken(reader)) continue;
            if (length > 1 ? find_reader(way, length - 1, reader) : is_same(p, reader)) return true;
        }
        return false;
    }
    /// As same; restores the previous bindings on failure.
    constexpr bool is_same(node_id p, node_id n) {
        fixed_buffer<const argument*> bound(bound_.size());
        fixed_buffer<met_call> calls(calls_.size());
        const auto copy = [](const auto& all, auto& out) {
            for (std::int64_t i = 0; i < all.size(); ++i) out[i] = all[i];
        };
        copy(bound_, bound);
        copy(calls_, calls);
        if (same(p, n)) return true;
        copy(bound, bound_);
        copy(calls, calls_);
        return false;
    }
    /// Chooses the first matched call that comes after all operands, if no reader comes before it.
    constexpr bool choose_place() {
        fixed_buffer<std::int32_t> order(g_.header().used.nodes); // 0: outside of this block
        std::int32_t count = 0, last = 0;
        for (node_id n : g_) order[n.index] = ++count;
        for (const argument* a : bound_.all()) {
            if (a == nullptr || a->kind != argument_kind::node) continue;
            if (is_taken(a->node())) return false; // it would read the value that it replaces
            last = std::max(last, order[a->bits]);
        }
        place_ = {};
        for (const auto& c : calls_.all())
            if (const auto n = c.node;
                n.exists() && order[n.index] > last && (!place_.exists() || order[n.index] < order[place_.index]))
                place_ = n;
        for (node_id p : left_) {
            const auto n = found(p);
            if (!n.exists()) continue;
            for (auto use = g_[n].first_use; use.exists(); use = g_[use].next_use)
                if (const auto by = g_[use].owner; !is_taken(by) && order[by.index] < order[place_.index]) return false;
        }
        return true;
    }

    constexpr bool same(node_id p, node_id n) {
        const auto& wanted = pattern_[p];
        const auto& call = g_[n];
        if (call.kind != node_kind::call || call.op != calls_[p.index].row || !call.op.exists() ||
            call.values.count < 1)
            return false;
        ++calls_[p.index].seen;
        if (found(p).exists()) return found(p) == n;
        calls_[p.index].node = n;
        const auto& row = ops_[static_cast<std::size_t>(call.op.index)];
        bound_arguments ours, theirs;
        diagnosis ignored;
        if (!bind_arguments(pattern_, p, row, ours, *d_, true) || !bind_arguments(g_, n, row, theirs, ignored)) {
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
        return wanted.kind == given.kind && wanted.bits == given.bits &&
               (wanted.kind == argument_kind::dtype || same_name(wanted.text, given.text)); // as it was spelled
    }
};

} // namespace ahead::pass

namespace AHEAD_NAMESPACE {
using pass::match;
} // namespace ahead
