// SPDX-License-Identifier: MIT
// Rewrites a call that torch.export prints before it decomposes as other calls, once its operands are typed:
//     - an alias becomes its operator, aten.divide.Tensor becomes aten.div.Tensor;
//     - a composite operator becomes the calls that its law inserts;
//     - the result of an in-place operator, aten.erf_.default, is copied into its first operand; an in-place view,
//       aten.t_.default, becomes the view, because later lines read it and not the operand;
//     - a copied view, aten.unfold_copy.default, becomes a clone of the view.
// Invariant: readers of the call read its replacement, which has its name and printed type; all nodes before it are
// typed.
// Called by infer_printed.hpp.
#pragma once
#include <ahead/legalize/composite/operator_aliases.hpp>
#include <ahead/legalize/composite/wider_operators.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The meaning of a name: an operator, or a composite operator.
struct meaning_of_name {
    op_id op{};
    const composite_row* composite = nullptr;
    constexpr bool exists() const { return op.exists() || composite != nullptr; }
};
/// name: begins with "aten.", unlike most other operators, or is one of Python's operators
template <class C> constexpr meaning_of_name find_meaning(op_table ops, std::string_view name) {
    if (!name.starts_with("aten.") && !name.starts_with("operator.")) return {};
    const auto own = name[0] == 'a' ? name.substr(5) : name;
    for (const auto& row : composites<C>)
        if (same_name(row.name, own)) return {{}, &row};
    if (const auto op = find_op(ops, name); op.exists()) return {op};
    const auto dot = own.rfind('.');
    if (dot == own.npos) return find_meaning<C>(ops, (short_text(name) << ".default").view()); // without overload
    if (const auto means = meaning_of_alias(own); !means.empty())
        return find_meaning<C>(ops, (short_text("aten.") << means).view());
    if (const auto means = meaning_of_alias(own.substr(0, dot)); !means.empty())
        return find_meaning<C>(ops, (short_text("aten.") << means << own.substr(dot)).view());
    return {};
}
/// "aten.relu.default" for "aten.relu_.default"; empty if the name does not have the ending.
constexpr short_text without_ending(std::string_view name, std::string_view ending) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || !name.substr(0, dot).ends_with(ending) || name.substr(0, dot).ends_with("__")) return {};
    return short_text(name.substr(0, dot - ending.size())) << name.substr(dot);
}
/// The result of find_meaning, and how to use the operator's result.
struct meaning_of_call : meaning_of_name {
    enum { as_it_is, in_place, copied } ending = as_it_is;
};
template <class C> constexpr meaning_of_call meaning_of(op_table ops, std::string_view name) {
    if (const auto whole = find_meaning<C>(ops, name); whole.exists()) return {whole};
    if (const auto dot = name.rfind('.'); dot != name.npos && dot > 5 && name.starts_with("aten."))
        if (const auto means = meaning_of_alias(name.substr(5, dot - 5)); means.ends_with('_')) // "aten.__ior__.Tensor"
            return meaning_of<C>(ops, (short_text("aten.") << means << name.substr(dot)).view());
    if (const auto functional = without_ending(name, "_"); functional.length > 0)
        if (const auto out = find_meaning<C>(ops, functional.view()); out.exists())
            return {out, meaning_of_call::in_place};
    if (const auto view = without_ending(name, "_copy"); view.length > 0)
        if (const auto out = find_meaning<C>(ops, view.view()); out.exists()) return {out, meaning_of_call::copied};
    return {};
}

template <class C> class written_out_call {
public:
    constexpr written_out_call(graph g, op_table ops, node_id id, diagnosis& d) : g_(g), ops_(ops), d_(d), id_(id) {}

    /// `first`: the node where typing continues. Returns false if the name is unknown, with the previous diagnosis, or
    /// if its law refuses.
    constexpr bool run(node_id& first) {
        const bool is_known = g_[id_].op.exists();
        const auto wider = find_wider(g_[id_].target);
        if (is_known && wider == std::size(wider_names)) return false;
        const auto meaning =
            is_known ? meaning_of_call{{{}, &wider_operators<C>[wider]}} : meaning_of<C>(ops_, g_[id_].target);
        if (!meaning.exists()) return false;
        const auto said = d_;
        d_ = {};
        const bool is_view = meaning.op.exists() && effect_of(meaning.op).view_of >= 0;
        if (meaning.op.exists() &&
            (meaning.ending == meaning_of_call::as_it_is || (meaning.ending == meaning_of_call::in_place && is_view)))
            return become(meaning.op, first);
        const schema_text schema(meaning.composite ? meaning.composite->schema : std::string_view());
        const auto parameters =
            meaning.composite ? schema.all() : ops_[static_cast<std::size_t>(meaning.op.index)].schema;
        if (meaning.ending == meaning_of_call::in_place && parameters[0].kind == parameter_kind::tensor_list) {
            d_ = said; // _foreach_add_: it writes the tensors of a list
            return false;
        }
        bound_arguments bound;
        if (!bind_arguments(g_, id_, {g_[id_].target, parameters, nullptr, {}}, bound, d_)) {
            blame(d_, g_[id_]);
            return false;
        }
        C c(g_, ops_, id_, bound, parameters, d_);
        auto made = meaning.composite ? meaning.composite->law(c) : call_again(c, meaning.op);
        if (c.ok() && meaning.ending == meaning_of_call::in_place) made = copy_into_first(c, made);
        if (c.ok() && meaning.ending == meaning_of_call::copied) made = clone(c, made);
        if (!c.ok()) {
            if (is_known) d_ = said;
            blame(d_, g_[id_]);
            return false;
        }
        first = c.first();
        return c.several().size() > 0 ? give(c.several()) : give(c, made);
    }

private:
    static_assert([] {
        for (std::size_t i = 0; i < std::size(wider_names); ++i)
            if (wider_operators<C>.size() != std::size(wider_names) || wider_operators<C>[i].name != wider_names[i])
                return false;
        return true;
    }());
    graph g_;
    op_table ops_;
    diagnosis& d_;
    node_id id_;

    constexpr const effects& effect_of(op_id op) const { return ops_[static_cast<std::size_t>(op.index)].effect; }
    constexpr bool become(op_id op, node_id& first) {
        g_[id_].op = op;
        g_[id_].target = ops_[static_cast<std::size_t>(op.index)].name;
        first = id_;
        return true;
    }
    /// Calls another operator with the same arguments.
    constexpr term call_again(composite_call& c, op_id op) {
        const auto own = g_[id_].arguments;
        std::int32_t count = 0;
        for (std::int32_t i = 0; i < own.count; ++i) count += g_[own[i]].children.count;
        fixed_buffer<argument> given(own.count), elements(count);
        count = 0;
        for (std::int32_t i = 0; i < own.count; ++i) {
            given[i] = g_[own[i]];
            given[i].children.first = count;
            for (std::int32_t k = 0; k < given[i].children.count; ++k) elements[count++] = g_[g_[own[i]].children[k]];
        }
        return c.make(ops_[static_cast<std::size_t>(op.index)].name, given.all(), elements.all());
    }
    /// The value must have the operand's sizes, and a dtype that converts to the operand's.
    constexpr term copy_into_first(composite_call& c, const term& made) {
        auto self = g_[g_[id_].arguments[0]];
        self.keyword = {};
        const auto &to = c.type_of(self), &from = made.type();
        if (sizes_of(to) != sizes_of(from)) return c.refuse(fault::shapes_do_not_broadcast, print(to), print(from));
        if (facts_of(from.type).category > facts_of(to.type).category || is_complex(from.type) != is_complex(to.type))
            return c.refuse(fault::dtypes_differ, print(to), print(from));
        return c("aten.copy_.default", {self, made});
    }
    static constexpr term cloned(composite_call& c, const term& x) {
        const argument row_major{.kind = argument_kind::memory_format, .text = "torch.contiguous_format"};
        return c("aten.clone.default", {x, c.named("memory_format", row_major)});
    }
    constexpr term clone(composite_call& c, const term& view) {
        const auto count = g_[view.value.node()].values.count;
        if (count == 1) return cloned(c, view);
        for (std::int32_t k = 0; k < count; ++k) c.give(k, count, cloned(c, c.pick(view, k)));
        return view;
    }
    /// Redirects readers of the call to its replacement. A value that is not a node, or a node from before the call,
    /// gets an alias.
    constexpr bool give(composite_call& c, term made) {
        auto node = made.value.node();
        if (!made.value.node().exists() || !c.first().exists()) made = c("aten.alias.default", {made});
        if (!c.ok()) return false;
        node = made.value.node();
        take_place(id_, node);
        return true;
    }
    constexpr void take_place(node_id of, node_id node) {
        const auto& name = g_[of].name;
        g_[node].name = name;
        g_[node].annotation = g_[of].annotation;
        if (!g_[of].annotation.empty()) g_[node].from.line = g_[of].from.line; // where the type is printed
        replace_all_uses(g_, of, node);
        erase(g_, of);
    }
    constexpr bool give(const fixed_buffer<argument>& all) {
        while (g_[id_].use_count > 0) {
            const auto reader = g_[g_[id_].first_use].owner;
            const auto& n = g_[reader];
            const bool picks = n.kind == node_kind::call && same_name(n.target, "operator.getitem") &&
                               n.arguments.count == 2 && g_.argument_of(n, 1).kind == argument_kind::integer;
            const auto which = picks ? g_.argument_of(n, 1).integer() : -1;
            if (which < 0 || which >= all.size())
                return refuse_at(d_, n, fault::index_is_out_of_range, short_text() << "a result below " << all.size(),
                                 picks ? short_text() << which : short_text("all of them"));
            take_place(reader, all[which].node());
        }
        erase(g_, id_);
        return true;
    }
};

/// The rewriting of calls that typing refuses, and of higher-order calls. Templates, so that programs without such
/// calls do not pay for them.
struct all_laws {
    static constexpr bool are_any = true;
    template <class C = composite_call>
    static constexpr bool write_out(graph g, op_table ops, node_id id, diagnosis& d, node_id& first) {
        return written_out_call<C>(g, ops, id, d).run(first);
    }
    /// The additional capacity that they need.
    template <class C = composite_call> static constexpr capacity room(graph_view g) {
        std::int32_t calls = 0;
        for (std::int32_t index = 0; index < g.header().used.nodes; ++index) { // including those in blocks
            const auto& n = g[node_id{index}];
            if (n.kind != node_kind::call) continue;
            if (!n.op.exists()) calls += 2 + 2 * n.use_count;
            if (const auto* composite = find<C>(n)) calls += composite->calls + composite->each * count_repeats(g, n);
        }
        return {calls, 10 * calls, 3 * calls};
    }

private:
    template <class C> static constexpr const composite_row* find(const node& n) {
        if (!n.op.exists()) return meaning_of<C>({}, n.target).composite;
        const auto wider = find_wider(n.target);
        return wider < std::size(wider_names) ? &wider_operators<C>[wider] : nullptr;
    }
    /// 1 + the number of elements in the call's lists, plus its first number - 1.
    static constexpr std::int32_t count_repeats(graph_view g, const node& n) {
        std::int32_t out = 1;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) out += g.argument_of(n, i).children.count;
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (const auto& a = g.argument_of(n, i); a.kind == argument_kind::integer)
                return a.bits > 1 && a.bits < 64 ? out + static_cast<std::int32_t>(a.bits) - 1 : out;
        return out;
    }
};
/// For a text with known operators only.
struct no_laws {
    static constexpr bool are_any = false;
    static constexpr bool write_out(graph, op_table, node_id, diagnosis&, node_id&) { return false; }
    static constexpr capacity room(graph_view) { return {}; }
};
/// Whether a text may need the laws.
constexpr bool needs_laws(graph_view g) {
    for (std::int32_t index = 0; index < g.header().used.nodes; ++index)
        if (const auto& n = g[node_id{index}];
            n.kind == node_kind::call && (!n.op.exists() || find_wider(n.target) < std::size(wider_names)))
            return true;
    return false;
}

} // namespace ahead::detail
