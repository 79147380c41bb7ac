// SPDX-License-Identifier: MIT
// Rewrites higher-order calls before the graph is typed. Operators that run their block once become the block's calls:
//     wrap_with_set_grad_enabled, tag_activation_checkpoint, invoke_subgraph, wrap
// map_impl becomes scan without a carry; associative_scan becomes scan over all slices but the first, and with_effects
// becomes the call itself: effect tokens, token: "f32[0]", are neither inputs nor outputs.
// Invariant: none of them is left. flex_attention and vmap are rewritten later, when types are known.
// Called by bind_symbols.hpp.
// Source: torch/_higher_order_ops/wrap.py, map.py, associative_scan.py, effects.py.
#pragma once
#include <ahead/legalize/higher_order/auto_functionalized.hpp>
#include <ahead/legalize/higher_order/autocast.hpp>
#include <ahead/legalize/higher_order/flex_attention.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Graph: graph. A template, so that texts without such calls do not instantiate it.
template <class Graph> class higher_order_writer {
public:
    /// modes: by node; empty if the text has no autocast.
    constexpr higher_order_writer(op_table ops, fixed_buffer<autocast_mode>& modes, diagnosis& d)
        : ops_(ops), d_(d), modes_(modes) {}

    /// Rewrites the graph or block, and the blocks of its calls.
    constexpr bool write_out(Graph g) {
        for (node_id id = g.first(), next; id.exists(); id = next) {
            next = g[id].next;
            if (is_written_out(g[id]) && !write_call(g, id, next)) return false;
        }
        if (!drop_tokens(g)) return false;
        if (has_blocks(g))
            for (node_id id : g)
                for (block_id b : blocks_of(g, g[id]))
                    if (!write_out(g.inside(b))) return false;
        return true;
    }

private:
    op_table ops_;
    diagnosis& d_;
    fixed_buffer<autocast_mode>& modes_;
    node_id is_token_{}; // token of the last rewritten calls

    constexpr bool refuse_call(Graph g, node_id id, const short_text& expected, const short_text& found) {
        return refuse_at(d_, g[id], fault::node_kind_is_unsupported, expected, found);
    }
    constexpr bool write_call(Graph g, node_id id, node_id& next) {
        const auto& n = g[id];
        if (is_auto_functionalized(n)) return functionalized_call(g, ops_, id, d_).write_out();
        if (is_call_of(n, map_impl)) return become_scan(g, id, 1);
        if (is_call_of(n, associative_scan)) return scan_behind_first(g, id);
        if (is_call_of(n, with_effects)) return call_itself(g, id);
        if (is_call_of(n, flex_attention)) return flex_attention_call(g, ops_, id, d_).forget_mask_blocks();
        if (is_call_of(n, flat_apply)) return index(g, id);
        if (is_of_functorch(n)) return true; // batched_calls.hpp
        return write_block(g, id, next);
    }

    // ---- operators that run their block once

    /// The index of the argument that is a block; -1: none.
    constexpr std::int32_t block_among(Graph g, const node& n) const {
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (g.argument_of(n, i).kind == argument_kind::block) return i;
        return -1;
    }
    /// next: set to the first of the block's calls, which replace the call.
    constexpr bool write_block(Graph g, node_id id, node_id& next) {
        const auto at = block_among(g, g[id]);
        if (at < 0) return refuse_call(g, id, "a call of a block", g[id].target);
        const auto body = g.inside(g.argument_of(g[id], at).block());
        fixed_buffer<node_id> given(g[id].arguments.count);
        std::int32_t count = 0;
        for (auto i = at + 1; i < g[id].arguments.count; ++i)
            if (const auto& a = g.argument_of(g[id], i); a.kind == argument_kind::node) given[count++] = a.node();
        const auto behind = next;
        if (!detail::inline_block(g, body, {given.data(), static_cast<std::size_t>(count)}, id, next, d_)) return false;
        if (modes_.size() > 0) {
            const auto mode = is_call_of(g[id], wrap_with_autocast) ? mode_of(g, id) : modes_[id.index];
            for (auto inner = next == behind ? id : next; inner != id; inner = g[inner].next)
                modes_[inner.index] = mode;
        }
        return give_results(g, id, body);
    }
    /// wrap_with_autocast(device, dtype, enabled, cache, block, ...)
    constexpr autocast_mode mode_of(Graph g, node_id id) const {
        const auto& n = g[id];
        const auto &device = g.argument_of(n, 0), &type = g.argument_of(n, 1), &enabled = g.argument_of(n, 2);
        if (enabled.kind != argument_kind::boolean || !enabled.boolean() || type.kind != argument_kind::dtype)
            return {};
        return {type.type(), device.text == "cpu"};
    }
    /// Redirects readers of the call's results to the block's results, and erases the call.
    constexpr bool give_results(Graph g, node_id id, Graph body) {
        const auto results = returned_by(body);
        for (auto use = g[id].first_use; use.exists(); use = g[id].first_use) {
            const auto reader = g[use].owner;
            auto& n = g[reader];
            const bool picks = n.kind == node_kind::call && n.target == "operator.getitem" && n.arguments.count == 2;
            const auto which = picks ? call_editor::integer(&g.argument_of(n, 1), -1) : 0;
            if (which < 0 || which >= results.count || (!picks && results.count != 1))
                return refuse_at(d_, n, fault::index_is_out_of_range,
                                 short_text() << results.count << " results of the block", short_text() << which);
            const auto& made = g[results[static_cast<std::int32_t>(which)]];
            if (!picks) {
                auto a = made;
                a.keyword = g[use].keyword;
                set_argument(g, use, a, reader);
                continue;
            }
            if (made.kind == argument_kind::node) {
                if (g[made.node()].name.number == made.node().index) g[made.node()].name = n.name; // the block's
                replace_all_uses(g, reader, made.node());
            } else give_readers(g, reader, made);
            if (n.use_count > 0)
                return refuse_at(d_, n, fault::argument_has_wrong_kind, "a tensor that is returned",
                                 spelled(made.kind));
            erase(g, reader);
        }
        erase(g, id);
        return true;
    }

    // ---- loops

    /// Rewrites (block, xs, additional) as scan(block, init, xs, additional), in place. `init` is given; the other
    /// lists move.
    constexpr bool become_scan(Graph g, node_id id, std::int32_t at, argument init = {.kind = argument_kind::list}) {
        call_editor edit{g, ops_, d_};
        const auto given = g[id].arguments;
        id_range<argument_id> made;
        if (given.count < at + 1 || g[given[0]].kind != argument_kind::block || !is_list(g[given[at]]))
            return refuse_call(g, id, "a block and lists of tensors", short_text() << given.count << " arguments");
        if (!reserve_arguments(g, 4, made, d_)) return false;
        const auto take = [&](std::int32_t from, std::int32_t to) {
            auto& a = g[made[to]] = g[given[from]];
            if (a.kind == argument_kind::block) g[a.block()].first_use = g[a.block()].last_use = made[to];
            g[given[from]] = {.owner = id};
        };
        take(0, 0);
        init.owner = id;
        g[made[1]] = init;
        take(at, 2);
        if (at + 1 < given.count) take(at + 1, 3);
        else g[made[3]] = {.kind = argument_kind::list, .owner = id};
        for (std::int32_t i = 0; i < 4; ++i) g[made[i]].keyword = {};
        g[id].arguments = made;
        return edit.become(id, "higher_order.scan") || refuse_call(g, id, "higher_order.scan in the registry", "none");
    }
    /// The first slices are the initial carry and the first results; each further result is the block's, applied to the
    /// previous result and the next slices.
    constexpr bool scan_behind_first(Graph g, node_id id) {
        call_editor edit{g, ops_, d_};
        const auto& lists = g[id].arguments;
        if (lists.count < 2 || !is_list(g[lists[1]])) return refuse_call(g, id, "a block and tensors", "others");
        const auto xs = g[lists[1]].children;
        const auto body = g.inside(g[lists[0]].block());
        argument init;
        if (!edit.list(xs.count, init)) return false;
        fixed_buffer<node_id> firsts(xs.count);
        for (std::int32_t k = 0; k < xs.count; ++k) {
            const auto x = argument::of(g[xs[k]].node());
            const argument one[] = {x, argument::of(0), argument::of(0)},
                           first[] = {x, argument::of(0), argument::of(0), argument::of(1)},
                           rest[] = {x, argument::of(0), argument::of(1)};
            const auto carried = edit.insert(id, "aten.select.int", one);
            firsts[k] = edit.insert(id, "aten.slice.Tensor", first);
            const auto behind = edit.insert(id, "aten.slice.Tensor", rest);
            if (!carried.exists() || !firsts[k].exists() || !behind.exists()) return false;
            set_argument(g, init.children[k], argument::of(carried), id);
            set_argument(g, xs[k], argument::of(behind), id);
        }
        return return_twice(body) && become_scan(g, id, 1, init) && join_first(g, id, firsts);
    }
    /// Makes the block return its results twice: as the next carry and as the results of the step.
    constexpr bool return_twice(Graph body) {
        auto& all = body[body[body.last()].arguments[0]];
        const auto once = returned_by(body);
        argument twice{.kind = argument_kind::tuple};
        if (!reserve_arguments(body, 2 * once.count, twice.children, d_)) return false;
        for (std::int32_t k = 0; k < 2 * once.count; ++k) {
            const auto& a = body[once[k % once.count]];
            set_argument(body, twice.children[k], a.kind == argument_kind::node ? argument::of(a.node()) : a,
                         body.last());
        }
        release_arguments(body, body[body.last()].arguments);
        all = twice;
        all.owner = body.last();
        return true;
    }
    constexpr bool join_first(Graph g, node_id id, fixed_buffer<node_id>& firsts) {
        call_editor edit{g, ops_, d_};
        for (auto use = g[id].first_use; use.exists(); use = g[use].next_use) {
            const auto reader = g[use].owner;
            auto& n = g[reader];
            const auto which = n.kind == node_kind::call && n.target == "operator.getitem" && n.arguments.count == 2
                                   ? call_editor::integer(&g.argument_of(n, 1), -1)
                                   : -1;
            if (which < 0 || which >= firsts.size())
                return refuse_at(d_, n, fault::index_is_out_of_range, short_text() << firsts.size() << " results",
                                 short_text() << which);
            g.argument_of(n, 1) = argument::of(which + firsts.size());
            g.argument_of(n, 1).owner = reader;
            argument both;
            if (!edit.list(2, both)) return false;
            node_id joined;
            node cat;
            cat.name = n.name;
            cat.annotation = n.annotation;
            cat.from = n.from;
            cat.target = "aten.cat.default";
            cat.op = find_op(ops_, cat.target);
            if (!insert_call(g, cat, {}, g[reader].next, joined, d_)) return false;
            replace_all_uses(g, reader, joined);
            const argument all[] = {both};
            if (!edit.give(joined, all)) return false;
            set_argument(g, both.children[0], argument::of(firsts[static_cast<std::int32_t>(which)]), joined);
            set_argument(g, both.children[1], argument::of(reader), joined);
            n.name.number = reader.index;
            n.annotation = {};
        }
        return true;
    }

    /// flat_apply(function, spec, '...ModIndex', x, i, j): Dynamo's form of x[i, j].
    constexpr bool index(Graph g, node_id id) {
        call_editor edit{g, ops_, d_};
        const auto given = g[id].arguments;
        if (given.count < 5 || !g[given[2]].text.ends_with(".ModIndex"))
            return refuse_call(g, id, "an index, ModIndex", "another function");
        const node_id specs[] = {g[given[0]].node(), g[given[1]].node()};
        argument list;
        if (!edit.list(given.count - 4, list)) return false;
        for (std::int32_t i = 0; i < list.children.count; ++i) {
            auto a = g[given[4 + i]];
            set_argument(g, list.children[i], a, id);
        }
        const argument all[] = {g[given[3]], list};
        if (!edit.give(id, all) || !edit.become(id, "aten.index.Tensor")) return false;
        for (const auto spec : specs)
            if (g[spec].kind == node_kind::get_attr && g[spec].use_count == 0 && !g[spec].erased) erase(g, spec);
        return true;
    }

    // ---- effects

    /// with_effects(token, op, *args) returns a token and op's results: it becomes op(*args), and the token is passed
    /// through.
    constexpr bool call_itself(Graph g, node_id id) {
        const auto given = g[id].arguments;
        if (given.count < 2 || g[given[0]].kind != argument_kind::node)
            return refuse_call(g, id, "a token and an operator", "others");
        auto name = g[given[1]].text;
        if (name.starts_with("torch.ops.")) name = name.substr(10);
        const auto token = g[given[0]].node();
        const auto op = find_op(ops_, name);
        if (!op.exists())
            return refuse_at(d_, g[id], fault::operator_is_unknown, registered_operator(ops_, name), name);
        for (auto use = g[id].first_use; use.exists();) {
            const auto next = g[use].next_use;
            const auto reader = g[use].owner;
            auto& n = g[reader];
            const auto which = n.kind == node_kind::call && n.target == "operator.getitem" && n.arguments.count == 2
                                   ? call_editor::integer(&g.argument_of(n, 1), -1)
                                   : -1;
            if (which != 0) return refuse_call(g, id, "an operator without results", name);
            replace_all_uses(g, reader, token);
            erase(g, reader);
            use = next;
        }
        detail::unlink_use(g, given[0]);
        g[given[0]] = g[given[1]] = {.owner = id};
        g[id].arguments = {given.first + 2, given.count - 2};
        g[id].op = op;
        g[id].target = ops_[static_cast<std::size_t>(op.index)].name;
        is_token_ = token;
        return true;
    }

    /// Removes the tokens from the graph's inputs and outputs.
    constexpr bool drop_tokens(Graph g) {
        const auto token = is_token_;
        is_token_ = {};
        if (!token.exists() || g[token].kind != node_kind::placeholder) return true;
        const auto returned = returned_by(g);
        std::int32_t kept = 0;
        for (std::int32_t i = 0; i < returned.count; ++i) {
            auto a = g[returned[i]];
            const bool is_token = a.kind == argument_kind::node && a.node() == token;
            if (is_token || kept == i) {
                kept += !is_token;
                continue;
            }
            set_argument(g, returned[kept++], a, a.owner);
        }
        for (auto i = kept; i < returned.count; ++i) set_argument(g, returned[i], {}, g.last());
        if (auto& all = g[g[g.last()].arguments[0]]; is_list(all)) all.children.count = kept;
        if (g[token].use_count == 0) erase(g, token);
        return true;
    }
};

/// Which kinds of rewritten calls a graph has.
struct written_out_calls {
    bool any = false, autocast = false, batches = false;
    static constexpr written_out_calls of(graph_view g) {
        written_out_calls out;
        for (std::int32_t i = 0; i < g.header().used.nodes; ++i) {
            const auto& n = g[node_id{i}];
            if (n.op.exists() || n.erased || !is_written_out(n)) continue;
            out.any = true;
            out.autocast = out.autocast || is_call_of(n, wrap_with_autocast);
            out.batches = out.batches || is_of_functorch(n) || is_call_of(n, flex_attention);
        }
        return out;
    }
};

/// The capacity that the rewritten calls need; zero if there are none.
constexpr capacity room_to_write_out(graph_view g) {
    capacity out{0, 0, 0};
    const auto there = written_out_calls::of(g);
    for (std::int32_t i = 0; there.any && i < g.header().used.nodes; ++i) {
        const auto& n = g[node_id{i}];
        if (n.erased || n.kind != node_kind::call) continue;
        std::int32_t tensors = 0;
        for_each_operand(g, n.arguments, [&](const argument&) { ++tensors; });
        if (!n.op.exists() && is_written_out(n)) {
            out.nodes += 2 + 4 * tensors;
            out.arguments += 8 + n.arguments.count + 24 * tensors;
        }
        if (there.autocast) { // one cast of each operand
            out.nodes += tensors;
            out.arguments += 2 * tensors;
        }
        if (there.batches) { // one view of each operand; for an index, also one of each batch dim
            out.nodes += 3 * tensors;
            out.arguments += 4 * max_rank * (1 + tensors);
        }
        if (is_call_of(n, flex_attention)) {
            out.nodes += room_for_flex_attention.nodes;
            out.arguments += room_for_flex_attention.arguments;
        }
    }
    out.values = 2 * out.nodes;
    return out;
}

} // namespace ahead::detail
