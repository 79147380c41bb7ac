// SPDX-License-Identifier: MIT
// Rewrite rules: equations between expressions, written in the words of the handles, as passes.
//     inline constexpr auto bias_into_product =
//         pass::rule<"bias_into_product">([](any<"a"> a, any<"b"> b, any<"c"> c) { return rewrite(add(mm(a, b), c),
//         addmm(c, a, b)); })
//             .when([](const match& m) { return m.type("c").rank == 1; });
// `any` stands for whatever argument the call has there, the same one wherever it occurs; arguments not written must be
// the schema's defaults.
// Law: a call in the middle of what is replaced has no other reader; the replacement has the dtype and sizes of what it
// replaces. One sweep in program order: what a rule has made is not offered to it again. All that is replaced is on one
// stream with neither record nor wait between (ir/streams.hpp): where it is not, the rule leaves it, and across_streams
// counts it. Source: torch.fx's replace_pattern, TorchAir's register_replacement.
#pragma once
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/pipeline.hpp>

namespace AHEAD_NAMESPACE {

/// An operand of a rewrite rule.
template <fixed_string Name>
using any = input<Name, anything>;

/// Both sides of a rule.
struct equation {
    recorder* trace = nullptr;
    node_id left, right;
};
/// `left` becomes `right`.
constexpr equation rewrite(const handle<anything>& left, const handle<anything>& right) {
    return {left.trace, left.node, right.node};
}

namespace detail {

template <capacity Capacity>
struct pattern_storage {
    graph_storage<Capacity> graph;
    node_id left, right;
};
template <class F, class List>
struct pattern_of;
template <class F, class... P>
struct pattern_of<F, parameter_list<P...>> {
    static_assert((is_pattern<P> && ...), "rule: the lambda's parameters are any<...>");
    static constexpr equation run(recorder& trace) { return std::apply(F{}, std::tuple<P...>{bind<P>(trace)...}); }
    static constexpr auto record() {
        constexpr capacity size = count_trace<pattern_of>();
        pattern_storage<size> out;
        std::array<node_names::slot, slots_for(size)> slots;
        node_names names(slots);
        recorder writer(out.graph.edit(), names);
        const auto sides = run(writer);
        out.left = sides.left;
        out.right = sides.right;
        return out;
    }
};
/// Whether `side` reads `operand`, itself included.
constexpr bool reads(graph_view g, node_id side, node_id operand) {
    if (side == operand) return true;
    bool found = false;
    for_each_operand(g, g[side], [&](const argument& a) { found = found || reads(g, a.node(), operand); });
    return found;
}
/// Whether the left side has every operand of the right.
constexpr bool binds_all(graph_view g, node_id left, node_id right) {
    for (node_id p : g)
        if (g[p].kind == node_kind::placeholder && reads(g, right, p) && !reads(g, left, p)) return false;
    return true;
}
template <class F>
inline constexpr auto pattern = pattern_of<F, decltype(parameters_of(&F::operator()))>::record();

} // namespace detail

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

namespace pass {

namespace detail {

/// Writes an expression of a pattern into a graph, each operand as the argument that it stands for.
class expansion {
public:
    /// `bound`: by node of the pattern, the argument of an operand.
    constexpr expansion(graph_view pattern, array_view<const argument* const> bound, graph_editor& g)
        : pattern_(pattern), bound_(bound), g_(g), made_(pattern.header().used.nodes) {}

    constexpr bool make(node_id p, argument& out) {
        if (pattern_[p].kind == node_kind::placeholder) {
            out = *bound_[static_cast<std::size_t>(p.index)];
            out.keyword = {};
            return true;
        }
        if (!made_[p.index].exists()) {
            const auto& n = pattern_[p];
            argument given[most], elements[most];
            std::int32_t used = 0;
            if (n.arguments.count > most) return false;
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto& a = pattern_.argument_of(n, i);
                if (!make_argument(a, given[i])) return false;
                given[i].keyword = a.keyword;
                const bool is_operand = a.kind == argument_kind::node; // a list then is one of the graph
                const auto list = given[i].children;
                if (list.count == 0) continue;
                if (used + list.count > most) return false;
                given[i].children = {used, list.count};
                for (std::int32_t k = 0; k < list.count; ++k, ++used) {
                    if (is_operand) elements[used] = g_.view()[list[k]];
                    else if (!make_argument(pattern_[list[k]], elements[used])) return false;
                }
            }
            made_[p.index] =
                g_.call(n.target, array_view<const argument>(given, static_cast<std::size_t>(n.arguments.count)),
                        array_view<const argument>(elements));
        }
        out = argument::of(made_[p.index]);
        return made_[p.index].exists();
    }

private:
    static constexpr std::int32_t most = 32; // arguments of one call, elements of lists included

    graph_view pattern_;
    array_view<const argument* const> bound_;
    graph_editor& g_;
    fixed_buffer<node_id> made_; // by node of the pattern

    constexpr bool make_argument(const argument& a, argument& out) {
        if (a.kind == argument_kind::node) return make(a.node(), out);
        out = a;
        return true;
    }
};

/// Puts the right side of a rule in the place of what was found.
constexpr void put_in_place(graph_view pattern, const match& found, node_id right, graph_editor& g) {
    const auto root = found.root();
    g.inserting_before(root);
    argument now;
    if (!expansion(pattern, found.operands(), g).make(right, now) || !g.ok()) return;
    if (!g.replace_node(root, now)) return;
    for (bool erased = true; erased;) { // what only the root read
        erased = false;
        for (node_id p : pattern) {
            const auto n = found.found(p);
            if (!n.exists() || n == root || g[n].erased || g.use_count(n) > 0) continue;
            g.erase_node(n);
            erased = true;
        }
    }
}

} // namespace detail

/// A rule as a pass. `when` adds a condition, a captureless lambda of a match; with several all must hold.
template <fixed_string Name, class F, class... Conditions>
struct rule_pass {
    static constexpr fixed_string spelled = Name;
    static constexpr std::string_view name = spelled.view();

    template <class Condition>
        requires std::is_empty_v<Condition>
    constexpr rule_pass<Name, F, Conditions..., Condition> when(Condition) const {
        return {};
    }
    static constexpr bool applies(graph_view g, op_table ops) {
        diagnosis d;
        match found(sides.graph.view(), g, ops, d);
        for (node_id n : g)
            if (holds(found, n, g)) return true;
        return !d.ok(); // the pass itself reports it
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        match found(sides.graph.view(), g.view(), g.operators(), g.faults());
        for (node_id n : g) {
            if (g.ok() && holds(found, n, g.view())) {
                detail::put_in_place(sides.graph.view(), found, sides.right, g);
                found.look_again();
            } else if (!g.ok()) return;
        }
    }

    /// How many calls the left side is found at but across streams, or across a record or wait, so that they stay;
    /// whatever the conditions say.
    static constexpr std::int32_t across_streams(graph_view g, op_table ops) {
        diagnosis d;
        match found(sides.graph.view(), g, ops, d);
        std::int32_t count = 0;
        for (node_id n : g) count += !found.find(sides.left, n) && found.crosses_streams();
        return count;
    }

private:
    static constexpr const auto& sides = ahead::detail::pattern<F>;

    static_assert(sides.graph.view()[sides.left].kind == node_kind::call, "rule: the left side is a call");
    static_assert(ahead::detail::binds_all(sides.graph.view(), sides.left, sides.right),
                  "rule: the left side has every operand of the right");

    static constexpr bool holds(match& found, node_id n, graph_view g) {
        if (!found.find(sides.left, n) || !(Conditions{}(found) && ...)) return false;
        if (sides.graph.view()[sides.right].kind == node_kind::call) return true;
        const auto& operand = *found.bound(sides.right);
        return operand.kind == argument_kind::node && may_be_returned_for(g, n, operand);
    }
};

/// rule<"name">([](any<"a"> a) { return rewrite(relu(relu(a)), relu(a)); })
template <fixed_string Name, class F>
    requires std::is_empty_v<F>
constexpr rule_pass<Name, F> rule(F) {
    return {};
}

} // namespace pass

} // namespace ahead
