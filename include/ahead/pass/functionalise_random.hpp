// SPDX-License-Identifier: MIT
// Random operators become functions (aten/random/philox.hpp) of two more inputs of the graph, after its other inputs:
// rng_seed and rng_offset, both i64 of rank 0. Each call is given the count of numbers that earlier calls draw, and the
// graph writes rng_offset + the total into rng_offset. So the next run draws the next numbers, a new seed takes effect
// at once, and a caller that passes its own rng_seed and rng_offset is independent of all others.
// Invariant: afterwards no call is random: all are pure, and no two calls that draw are equal, because they begin at
// different offsets. Removals by later passes do not change the numbers that other calls draw.
// pre: the graph is typed and writes nothing in place.
// Called by compile/graph_stages.hpp and compile/lowering_outcome.hpp, after functionalise.
// Source: torch._functorch functionalize_rng_ops; TorchAir's Philox offsets.
#pragma once
#include <ahead/aten/random/dropout.hpp>
#include <ahead/ir/operator_map.hpp>
#include <ahead/pass/decompose.hpp>
#include <ahead/pass/decompositions/attention.hpp>
#include <ahead/pass/functionalise.hpp>

namespace AHEAD_NAMESPACE::pass {

/// Whether the call is rewritten: a call of a random operator, even if it draws nothing because it does not train, or
/// any other call that draws.
constexpr bool is_written_anew(graph_view g, node_id id, op_table ops) {
    return is_random(g[id], ops) || draws_numbers(g, id, ops);
}
/// Whether any call is rewritten.
constexpr bool has_random(graph_view g, op_table ops) {
    const node* nodes = g.node_pool();
    const op_row* rows = ops.data();
    for (auto at = g.first().index; at >= 0; at = nodes[at].next.index)
        if (const auto op = nodes[at].op.index;
            op >= 0 && (rows[op].effect.is_random || (rows[op].effect.draws_where >= 0 && draws_numbers(g, {at}, ops))))
            return true;
    return false;
}

} // namespace ahead::pass
namespace AHEAD_NAMESPACE::detail {

/// A random call and the random state of the run, for rewriting the call as functions.
struct random_context {
    decompose_context& c;
    argument seed, offset;
    std::int64_t before = 0; // count of numbers that earlier calls draw

    constexpr argument draw(std::string_view op, const tensor_type& t, const aten::random_draw& how) {
        return c.call(op,
                      {seed, offset, before, sizes_of(t), strides_of(t), plain(how.first), plain(how.second), t.type});
    }
    /// A mask that is true with probability p, a number or a tensor.
    constexpr argument happens(const tensor_type& like, const argument& p) {
        auto t = like;
        t.type = dtype::f32;
        const auto number =
            draw("philox.uniform.default", t, {aten::distribution::uniform, argument::of(0.), argument::of(1.)});
        return p.kind == argument_kind::node ? c.call("aten.lt.Tensor", {number, plain(p)})
                                             : c.call("aten.lt.Scalar", {number, plain(p)});
    }
    constexpr void write(const aten::random_draw& how) {
        using enum aten::distribution;
        const auto& t = c.aten.result_type();
        switch (how.what) {
        case uniform: return c.bind_result(draw("philox.uniform.default", t, how));
        case normal: return c.bind_result(draw("philox.normal.default", t, how));
        case integers: return c.bind_result(draw("philox.randint.default", t, how));
        case shuffled:
            return c.bind_result(c.call("philox.randperm.default", {seed, offset, before, plain(how.first), t.type}));
        case samples:
            return c.bind_result(c.call("philox.multinomial.default", {seed, offset, before, c.operand(first_parameter),
                                                                  plain(how.first), plain(how.second)}));
        case bernoulli:
            return c.bind_result(c.call("prims.convert_element_type.default", {happens(t, how.first), t.type}));
        case dropout: {
            const double kept = 1 - call_view::to_real(how.first);
            const auto mask = happens(t, argument::of(kept));
            c.bind_result(c.call("aten.mul.Tensor",
                            {c.call("aten.mul.Tensor", {c.operand(first_parameter), mask}), kept > 0 ? 1 / kept : 0.}));
            return c.bind_result(mask, 1);
        }
        case none: break;
        }
        if (c.aten.in()[c.aten.id()].values.count == 1) return c.bind_result(c.operand(first_parameter));
        c.bind_result(c.call("aten.clone.default", {c.operand(first_parameter)}));
        auto mask = argument::of(dtype::b8);
        mask.keyword = "dtype";
        c.bind_result(c.call("aten.ones.default", {sizes_of(t), mask}), 1);
    }

    /// Attention with dropout of the attention weights.
    constexpr void write_attention(const aten::attention_parameters& of, int sums) {
        struct dropping {
            random_context& r;
            double dropped;
            constexpr argument shares(const argument& x) {
                const double kept = 1 - dropped;
                if (!r.c.editor().ok()) return x;
                const auto t = tensor_of(dtype::f32, sizes_of(r.c.type_of(x)));
                const auto scaled = r.c.call("aten.mul.Tensor", {x, kept > 0 ? 1 / kept : 0.});
                return r.c.call("aten.mul.Tensor", {scaled, r.happens(t, argument::of(kept))});
            }
            constexpr argument drawn(std::int32_t k) {
                const auto count = r.c.editor()[r.c.aten.id()].values.count;
                const bool nine = count == 9, is_seed = k == (nine ? 6 : 2), is_offset = k == (nine ? 7 : 3);
                if (!is_seed && !is_offset) return {};
                return is_seed ? r.c.call("aten.clone.default", {r.seed})
                               : r.c.call("aten.add.Tensor", {r.offset, r.before});
            }
        };
        decomposition::decompose_attention(c, of, sums, dropping{*this, c.aten.real(of.dropout_p)});
    }

private:
    static constexpr argument plain(argument a) {
        a.keyword = {};
        return a;
    }
};

/// A random operator: the draw of a call, or, if `draw` is null, the attention whose weights it drops.
struct random_row {
    std::string_view op;
    aten::random_draw (*draw)(const call_view&) = nullptr;
    aten::attention_parameters attended{};
    int sums = no_parameter;

    /// The count of numbers that the call draws.
    constexpr std::int64_t numbers(const call_view& call) const {
        if (draw == nullptr) return aten::attended_shares(call, attended);
        return draw(call).what != aten::distribution::none ? element_count(call.result_type()) : 0;
    }
    constexpr void write(random_context& r) const {
        if (draw == nullptr) r.write_attention(attended, sums);
        else r.write(draw(r.c.aten));
    }
};
template <class Op> constexpr random_row random_row_of() {
    if constexpr (requires { Op::attended; }) return {Op::name, nullptr, Op::attended, Op::sums};
    else return {Op::name, &Op::template draw<call_view>};
}
template <class... Ops> constexpr std::array<random_row, sizeof...(Ops)> list_random(op_list<Ops...>) {
    return {random_row_of<Ops>()...};
}
inline constexpr auto random_rows = list_random(join<aten::random_ops, aten::attention_ops>{});

/// Inserts an input of the run, i64 of rank 0, before `position`.
constexpr bool insert_state(graph g, std::string_view name, node_id position, argument& out, diagnosis& d) {
    node n;
    n.kind = node_kind::placeholder;
    n.name = {name, 0};
    for (node_id id : g)
        if (same_name(g[id].name.text, name)) n.name.number = g.header().used.nodes; // the user's input has this name
    n.target = name;
    node_id id;
    if (!insert_node(g, n, position, id, d) || !reserve_values(g, id, 1, d)) return false;
    g.value_of(id) = {value_kind::tensor, tensor_of(dtype::i64, {}), g[id].values[0]};
    out = argument::of(id);
    return true;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// The capacity that functionalise_random needs.
constexpr capacity room_to_functionalise_random(graph_view g, op_table ops) {
    auto out = g.header().used;
    std::int32_t calls = 0; // calls of the rewritten form
    for (node_id id : g)
        if (is_written_anew(g, id, ops)) calls += is_random(g[id], ops) ? 4 : 64;
    const auto returned = g[g.last()].arguments;
    const auto children = returned.count == 1 ? g[returned[0]].children.count : 0;
    return {out.nodes + calls + 3, out.arguments + (8 + max_rank) * calls + returned.count + children + 4,
            out.values + calls + 3};
}

/// Refuses what the operators' type rules refuse (numbers that a lambda gives are first checked here), and a
/// user-defined random operator (random_operator_is_unknown).
/// pre: the pools have room_to_functionalise_random
constexpr bool functionalise_random(graph g, op_table ops, diagnosis& d) {
    graph_editor editor(g, ops, d, "functionalise_random");
    operator_map<ahead::detail::random_row> known(ahead::detail::random_rows, ops);
    argument seed, offset;
    std::int64_t taken = 0;
    if (const auto place = place_of_random_state(g, ops); place.exists())
        if (!ahead::detail::insert_state(g, "rng_seed", place, seed, d) ||
            !ahead::detail::insert_state(g, "rng_offset", place, offset, d))
            return false;
    for (node_id id : g) {
        if (!is_written_anew(g, id, ops)) continue;
        if (!infer_node(g, ops, id, d)) return false;
        const auto place = known.of(g[id]);
        if (place < 0) {
            editor.refuse_at(id, fault::random_operator_is_unknown, "a random operator of aten::random_ops",
                             g[id].target);
            return false;
        }
        bound_arguments bound;
        if (!bind_arguments(g, id, ops[static_cast<std::size_t>(g[id].op.index)], bound, d)) return false;
        const call_view call(g, id, bound, d);
        const auto& row = ahead::detail::random_rows[static_cast<std::size_t>(place)];
        decompose_context c(call, editor);
        ahead::detail::random_context context{c, seed, offset, taken};
        row.write(context);
        if (!editor.ok()) return false;
        taken = math::add(taken, numbers_taken(row.numbers(call)));
        c.replace();
    }
    if (seed.kind == argument_kind::node) {
        editor.inserting_before(g.last());
        auto next = argument::of(editor.call("aten.add.Tensor", {offset, taken}));
        next.writes = offset.node();
        if (!editor.ok() || !ahead::detail::append_returned(g, array_view<const argument>(&next, 1), d)) return false;
    }
    forget_annotations(g);
    return editor.infer_stale();
}

} // namespace ahead::pass
