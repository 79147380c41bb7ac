// SPDX-License-Identifier: MIT
// flex_attention(query, key, value, score_mod, block_mask, scale, kernel_options, buffers, mask_buffers): applies
// score_mod to the scores (query times key times scale), masks them where mask_mod, the last entry of block_mask, is
// false, and multiplies their softmax by value. The blocks are functions of one element, (score,) b, h, q, k and
// buffers: they are rewritten like vmap. The other entries of block_mask list empty blocks of the mask, and do not
// affect the result.
// Results: the attention, the logsumexp of the scores divided by ln 2, their maximum divided by ln 2.
// Called by write_out.hpp, typed_rewrites.hpp. Source: torch/_higher_order_ops/flex_attention.py, math_attention.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/legalize/higher_order/inline_block.hpp>
#include <ahead/legalize/higher_order/names.hpp>
#include <ahead/legalize/host/call_editor.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::detail {

/// The capacity that one rewritten call needs, without its blocks.
inline constexpr capacity room_for_flex_attention{64, 256, 0};

/// Graph: graph. A template, so that texts without such calls do not instantiate it.
template <class Graph> class flex_attention_call {
public:
    constexpr flex_attention_call(Graph g, op_table ops, node_id id, diagnosis& d)
        : g_(g), ops_(ops), d_(d), edit_{g, ops, d, id}, id_(id) {}

    /// Drops the operands that list empty mask blocks, and the calls that only compute them.
    constexpr bool forget_mask_blocks() {
        if (!is_whole()) return refuse_call();
        const auto all = given(mask).children;
        for (std::int32_t i = 0; i < all.count; ++i)
            if (g_[all[i]].kind == argument_kind::node) set_argument(g_, all[i], {}, id_);
        for (node_id id = g_[id_].previous, before; id.exists(); id = before) {
            before = g_[id].previous;
            if (is_dead(id)) erase(g_, id);
        }
        return true;
    }
    /// first: the first node that needs typing and rewriting. pre: its operands are typed
    constexpr bool write_out(node_id& first) {
        if (!is_whole() || !is_tensor_argument(g_, given(query)) || !is_tensor_argument(g_, given(key)) ||
            !is_tensor_argument(g_, given(value)))
            return refuse_call();
        const auto q = given(query).node(), k = given(key).node(), v = given(value).node();
        const auto type = g_.value_of(q).type;
        const auto heads = g_.value_of(k).type.size(1);
        if (type.rank != 4 || g_.value_of(k).type.rank != 4 || g_.value_of(v).type.rank != 4 || heads == 0)
            return refuse_call();
        const int_list sizes{type.size(0), type.size(1), type.size(2), g_.value_of(k).type.size(2)};
        const auto working = type.type == dtype::f64 ? dtype::f64 : dtype::f32;
        const auto keys =
            call("aten.transpose.int", {as(of_each_head(k, type), type.type, working), number(-2), number(-1)});
        const auto products = call("aten.matmul.default", {as(argument::of(q), type.type, working), keys});
        auto factor = given(scale);
        factor.keyword = {};
        auto score_of_all = call("aten.mul.Tensor", {products, factor});
        node_id places[5]; // for one element: its score, b, h, q and k
        for (int level = 1; level <= 4; ++level) {
            score_of_all = mark("_add_batch_dim", {score_of_all, number(0), number(level)});
            auto as_i32 = argument::of(dtype::i32);
            as_i32.keyword = "dtype";
            const auto row = call("aten.arange.default", {number(sizes[level - 1]), as_i32});
            places[level] = mark("_add_batch_dim", {row, number(0), number(level)}).node();
        }
        places[0] = score_of_all.node();
        argument modified, seen;
        const auto all = given(mask).children;
        if (!d_.ok() || !inline_function(given(score).block(), {places, 5}, 7, modified) ||
            !inline_function(g_[all[all.count - 1]].block(), {places + 1, 4}, 8, seen))
            return false;
        const auto hidden = argument::of(-std::numeric_limits<double>::infinity());
        auto scores = call("aten.where.ScalarOther", {seen, modified, hidden});
        for (int level = 4; level > 0; --level)
            scores = mark("_remove_batch_dim", {scores, number(level), number(sizes[level - 1]), number(0)});
        const auto weights = call("aten._softmax.default", {scores, number(-1), argument::of(false)});
        // A row in which all scores are -inf attends to no key: the result is 0, as in PyTorch's decomposition.
        const auto is_hidden = call("aten.logical_not.default", {call("aten.eq.Scalar", {scores, hidden})});
        const auto sees = call("aten.any.dim", {is_hidden, number(-1), argument::of(true)});
        const auto safe = call("aten.where.self", {call("aten.logical_not.default", {sees}),
                                                   call("aten.full_like.default", {weights, number(0)}), weights});
        give(0, call("aten.matmul.default", {as(safe, working, type.type), of_each_head(v, type)}));
        give_by_ln2(1, "aten.logsumexp.default", scores);
        give_by_ln2(2, "aten.amax.default", scores);
        if (!d_.ok()) return false;
        if (g_[id_].use_count > 0) return refuse_call();
        first = edit_.first;
        erase(g_, id_);
        return true;
    }

private:
    enum : std::int32_t { query, key, value, score, mask, scale };
    Graph g_;
    op_table ops_;
    diagnosis& d_;
    call_editor edit_;
    node_id id_;

    constexpr const argument& given(std::int32_t i) const { return g_.argument_of(g_[id_], i); }
    static constexpr argument number(std::int64_t n) { return argument::of(n); }
    constexpr bool refuse_call() {
        return refuse_at(d_, g_[id_], fault::node_kind_is_unsupported,
                         "query, key and value of rank 4, a score_mod and a mask_mod", g_[id_].target);
    }
    constexpr bool is_whole() const {
        if (g_[id_].arguments.count < 9 || given(score).kind != argument_kind::block) return false;
        const auto all = given(mask).children;
        return all.count > 0 && g_[all[all.count - 1]].kind == argument_kind::block;
    }
    /// An unused call, or an in-place call whose target is not read later.
    constexpr bool is_dead(node_id id) const {
        const auto& n = g_[id];
        if (n.kind != node_kind::call || n.use_count > 0) return false;
        if (is_of_functorch(n)) return n.target.ends_with("_batch_dim");
        if (!n.op.exists()) return n.target.starts_with("aten.") && !base_of(n.target).ends_with('_');
        const auto& row = ops_[static_cast<std::size_t>(n.op.index)];
        const auto written = written_operand(g_, n, ops_);
        if (written < 0) return !row.effect.has_side_effect;
        const auto& a = g_.argument_of(n, written);
        if (a.kind != argument_kind::node || !g_[a.node()].target.starts_with("aten.new_")) return false;
        for (auto use = g_[a.node()].first_use; use.exists(); use = g_[use].next_use)
            for (node_id behind = n.next; behind.exists(); behind = g_[behind].next)
                if (g_[use].owner == behind) return false;
        return true;
    }

    // ---- calls inserted before it; None after a refusal

    constexpr argument call(std::string_view name, std::initializer_list<argument> all) {
        for (const auto& a : all)
            if (a.kind == argument_kind::none) return {};
        const auto made = edit_.insert(id_, name, array_view<const argument>(all.begin(), all.size()));
        if (!made.exists() && d_.ok()) refuse_at(d_, g_[id_], fault::operator_is_unknown, name, "none in the registry");
        return made.exists() ? argument::of(made) : argument{};
    }
    constexpr argument mark(std::string_view name, std::initializer_list<argument> all) {
        node n;
        n.name = {g_[id_].name.text, g_.header().used.nodes};
        n.from = g_[id_].from;
        n.target = name == "_add_batch_dim" ? add_batch_dim : remove_batch_dim;
        node_id made;
        if (all.begin()->kind != argument_kind::node ||
            !insert_call(g_, n, array_view<const argument>(all.begin(), all.size()), id_, made, d_))
            return {};
        return argument::of(made);
    }
    constexpr argument as(const argument& x, dtype from, dtype to) {
        if (from == to || x.kind != argument_kind::node) return x;
        const auto made = edit_.cast(id_, x, to);
        return made.exists() ? argument::of(made) : argument{};
    }
    /// Keys or values, expanded to the query's numbers of heads and batches.
    constexpr argument of_each_head(node_id x, const tensor_type& q) {
        const auto t = g_.value_of(x).type;
        auto out = argument::of(x);
        if (const auto group = q.size(1) / t.size(1); group > 1)
            out = call("aten.repeat_interleave.self_int", {out, number(group), number(1)});
        if (t.size(0) == q.size(0)) return out;
        argument sizes;
        if (!edit_.list(int_list{q.size(0), q.size(1), t.size(2), t.size(3)}, sizes)) return {};
        return call("aten.expand.default", {out, sizes});
    }
    /// The result of a block for the given element positions and the buffers that argument `at` lists.
    constexpr bool inline_function(block_id block, array_view<const node_id> places, std::int32_t at, argument& out) {
        const auto buffers = given(at).children;
        const auto body = g_.inside(block);
        fixed_buffer<node_id> all(static_cast<std::int32_t>(places.size()) + buffers.count);
        std::int32_t count = 0;
        for (const auto place : places) all[count++] = place;
        for (std::int32_t i = 0; i < buffers.count; ++i) {
            if (g_[buffers[i]].kind != argument_kind::node) return refuse_call();
            all[count++] = g_[buffers[i]].node();
        }
        node_id first;
        if (!inline_block(g_, body, {all.data(), static_cast<std::size_t>(count)}, id_, first, d_)) return false;
        const auto results = returned_by(body);
        if (results.count != 1 || g_[results[0]].kind != argument_kind::node) return refuse_call();
        out = argument::of(g_[results[0]].node());
        return true;
    }

    // ---- results

    constexpr node_id reader_of(std::int64_t k) const {
        for (auto use = g_[id_].first_use; use.exists(); use = g_[use].next_use) {
            const auto& n = g_[g_[use].owner];
            if (n.kind == node_kind::call && n.target == "operator.getitem" && n.arguments.count == 2 &&
                call_editor::integer(&g_.argument_of(n, 1), -1) == k)
                return g_[use].owner;
        }
        return {};
    }
    constexpr void give(std::int64_t k, const argument& made) {
        for (auto reader = reader_of(k); reader.exists() && d_.ok(); reader = reader_of(k)) {
            g_[made.node()].name = g_[reader].name;
            g_[made.node()].annotation = g_[reader].annotation;
            replace_all_uses(g_, reader, made.node());
            erase(g_, reader);
        }
    }
    constexpr void give_by_ln2(std::int64_t k, std::string_view name, const argument& scores) {
        const auto reader = reader_of(k);
        if (!reader.exists() || !d_.ok()) return;
        argument dims;
        if (g_[reader].use_count == 0) return erase(g_, reader);
        if (!edit_.list(int_list{-1}, dims)) return;
        give(k, call("aten.div.Tensor", {call(name, {scores, dims}), argument::of(0.6931471805599453)}));
    }
};

} // namespace ahead::detail
