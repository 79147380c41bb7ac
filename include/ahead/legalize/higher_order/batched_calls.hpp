// SPDX-License-Identifier: MIT
// Rewrites vmap. Between vmap's marker calls a text shows the tensors of one element,
//     _add_batch_dim: "f32[]" = torch._functorch.predispatch._add_batch_dim(x, 0, 1)
//     mul: "f32[]" = torch.ops.aten.mul.Tensor(_add_batch_dim, y)
//     _remove_batch_dim: "f32[3]" = torch._functorch.predispatch._remove_batch_dim(mul, 1, 3, 0)
// while here all elements are computed at once: the tensors get one leading dim for each vmap level, of size 1 if the
// tensor is the same for all elements. Pointwise calls and indexing are supported; other calls are refused.
// Invariant: no marker call is left. Called by typed_rewrites.hpp. Source: torch/_functorch/predispatch.py, vmap.py.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/legalize/higher_order/names.hpp>
#include <ahead/legalize/host/call_editor.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether each element of the result depends only on operand elements at the same position.
constexpr bool computes_elements(op_table ops, const node& n) {
    if (!n.op.exists()) return false;
    constexpr std::string_view others[] = {"aten._to_copy.default",  "aten.to.dtype",         "aten.clone.default",
                                           "aten.alias.default",     "aten.detach.default",   "aten.zeros_like.default",
                                           "aten.ones_like.default", "aten.full_like.default"};
    for (const auto one : others)
        if (same_name(one, n.target)) return true;
    const auto& row = ops[static_cast<std::size_t>(n.op.index)];
    return row.is_pointwise || row.effect.is_elementwise;
}

/// Editor: call_editor. A template, so that texts without vmap do not instantiate it.
template <class Editor> class batched_calls {
public:
    constexpr batched_calls(graph g, op_table ops, diagnosis& d, bool has_any)
        : edit_{g, ops, d}, depths_(has_any ? g.room().nodes : 0), levels_(depths_.size()) {}

    constexpr bool concerns(node_id id) const {
        const auto& n = edit_.g[id];
        return depths_.size() > 0 && n.kind == node_kind::call && (is_of_functorch(n) || depth_read_by(id) > 0);
    }
    /// first: the first node that needs typing. pre: all nodes before id are typed
    constexpr bool rewrite(node_id id, node_id& first) {
        edit_.first = id;
        const auto& n = edit_.g[id];
        const bool ok = is_of_functorch(n) ? rewrite_mark(id) : rewrite_call(id);
        first = edit_.first;
        return ok;
    }
    /// Records that the leading `depth` dims of the tensor are batch dims.
    constexpr void set_depth(node_id id, int depth, unsigned levels) {
        depths_[id.index] = static_cast<std::int8_t>(depth);
        levels_[id.index] = static_cast<std::uint8_t>(levels);
    }
    constexpr int depth(const argument& a) const { return a.kind == argument_kind::node ? depths_[a.node().index] : 0; }

private:
    Editor edit_;
    fixed_buffer<std::int8_t> depths_;  // by node: number of leading batch dims
    fixed_buffer<std::uint8_t> levels_; // the levels among these whose elements differ

    constexpr const tensor_type& type_of(const argument& a) const { return edit_.g.value_of(a).type; }
    constexpr int depth_read_by(node_id id) const {
        int out = 0;
        for_each_operand(edit_.g, edit_.g[id].arguments,
                         [&](const argument& a) { out = depth(a) > out ? depth(a) : out; });
        return out;
    }
    constexpr bool refuse_call(node_id id, const short_text& found) {
        return refuse_at(edit_.d, edit_.g[id], fault::node_kind_is_unsupported,
                         "elementwise calls and index within vmap, or an export with .run_decompositions()", found);
    }
    constexpr void erase_mark(node_id id) {
        if (edit_.first == id) edit_.first = edit_.g[id].next;
        erase(edit_.g, id);
    }
    constexpr std::int64_t number(node_id id, std::int32_t i) const {
        return i < edit_.g[id].arguments.count ? call_editor::integer(&edit_.g.argument_of(edit_.g[id], i), 0) : 0;
    }
    constexpr bool become(node_id id, std::string_view name, std::initializer_list<argument> all) {
        return edit_.give(id, array_view<const argument>(all.begin(), all.size())) && edit_.become(id, name);
    }
    /// Inserts a typed call before `id`.
    constexpr node_id insert(node_id id, std::string_view name, std::initializer_list<argument> all) {
        const auto made = edit_.insert(id, name, array_view<const argument>(all.begin(), all.size()));
        if (!made.exists() || !infer_node(edit_.g, edit_.ops, made, edit_.d)) return {};
        return made;
    }
    constexpr node_id view(node_id id, const argument& x, const int_list& sizes) {
        argument list;
        if (!edit_.list(sizes, list)) return {};
        const auto made = edit_.insert(id, "aten.view.default", std::array{argument::of(x.node(), x.result), list});
        if (!made.exists()) return {};
        for (std::int32_t i = 0; i < list.children.count; ++i) edit_.g[list.children[i]].owner = made;
        if (!infer_node(edit_.g, edit_.ops, made, edit_.d)) return {};
        return made;
    }

    // ---- markers

    constexpr bool rewrite_mark(node_id id) {
        const auto name = edit_.g[id].target.substr(functorch.size());
        if (name == "_add_batch_dim") return add_dim(id);
        if (name == "_remove_batch_dim") return remove_dim(id);
        if (edit_.g[id].use_count > 0) return refuse_call(id, edit_.g[id].target);
        erase_mark(id);
        return true;
    }
    constexpr bool check_tensor(node_id id) {
        const auto& n = edit_.g[id];
        return (n.arguments.count >= 3 && is_tensor_argument(edit_.g, edit_.g.argument_of(n, 0))) ||
               refuse_call(id, n.target);
    }
    constexpr bool add_dim(node_id id) {
        if (!check_tensor(id)) return false;
        auto x = edit_.g.argument_of(edit_.g[id], 0);
        const auto& t = type_of(x);
        const auto level = static_cast<int>(number(id, 2));
        const int depth_now = depth(x), rank = t.rank - depth_now;
        auto dim = number(id, 1);
        if (dim < 0) dim += rank;
        if (dim < 0 || dim >= rank || level <= depth_now || level > max_rank)
            return refuse_call(id, short_text() << "dim " << number(id, 1) << " of " << print(t).view());
        const auto from = argument::of(depth_now + dim), to = argument::of(depth_now);
        const auto levels = levels_[x.node().index] | 1u << (level - 1);
        const auto tensor = argument::of(x.node(), x.result);
        bool ok = true;
        if (level - 1 == depth_now) ok = become(id, "aten.movedim.int", {tensor, from, to});
        else {
            const auto moved = insert(id, "aten.movedim.int", {tensor, from, to});
            if (!moved.exists()) return false;
            auto sizes = spread(sizes_of(edit_.g.value_of(moved).type), depth_now, level - 1 - depth_now);
            argument list;
            ok = edit_.list(sizes, list) && become(id, "aten.view.default", {argument::of(moved), list});
        }
        set_depth(id, level, levels);
        edit_.g[id].annotation = {};
        return ok;
    }
    constexpr bool remove_dim(node_id id) {
        if (!check_tensor(id)) return false;
        const auto x = edit_.g.argument_of(edit_.g[id], 0);
        const auto level = static_cast<int>(number(id, 1));
        const auto size = number(id, 2);
        const int depth_now = depth(x), rank = type_of(x).rank - depth_now;
        auto dim = number(id, 3);
        if (dim < 0) dim += rank + 1;
        if (dim < 0 || dim > rank || level < 1 || depth_now > level) return refuse_call(id, edit_.g[id].target);
        auto tensor = argument::of(x.node(), x.result);
        auto levels = static_cast<unsigned>(levels_[x.node().index]);
        const bool is_there = depth_now == level;
        auto sizes = sizes_of(type_of(x));
        if (!is_there) { // the same for all elements
            sizes = spread(sizes, depth_now + static_cast<int>(dim), 1);
            const auto made = view(id, tensor, sizes);
            if (!made.exists()) return false;
            tensor = argument::of(made);
        }
        const int at = is_there ? level - 1 : depth_now + static_cast<int>(dim);
        bool ok = true;
        if (sizes[at] != size) {
            sizes[at] = size;
            argument list;
            if (!edit_.list(sizes, list)) return false;
            if (!is_there) ok = become(id, "aten.expand.default", {tensor, list});
            else {
                const auto made = edit_.insert(id, "aten.expand.default", std::array{tensor, list});
                if (!made.exists()) return false;
                tensor = argument::of(made);
            }
        } else if (!is_there) ok = become(id, "aten.alias.default", {tensor});
        if (is_there)
            ok = become(id, "aten.movedim.int", {tensor, argument::of(level - 1), argument::of(level - 1 + dim)});
        set_depth(id, is_there ? level - 1 : depth_now, is_there ? levels & ~(1u << (level - 1)) : levels);
        if (depths_[id.index] > 0) edit_.g[id].annotation = {};
        return ok;
    }
    /// The sizes with `ones` ones inserted before dim `at`.
    static constexpr int_list spread(const int_list& sizes, int at, int ones) {
        int_list out;
        for (int d = 0; d <= sizes.size; ++d) {
            for (int i = 0; d == at && i < ones; ++i) out.push_back(1);
            if (d < sizes.size) out.push_back(sizes[d]);
        }
        return out;
    }

    // ---- calls between the markers

    constexpr bool rewrite_call(node_id id) {
        auto& n = edit_.g[id];
        if (n.use_count == 0 && n.target.starts_with("aten._assert_")) return erase_mark(id), true;
        if (n.target.starts_with("aten.new_")) return true; // has the element's dtype, and is the same for all elements
        if (n.target == "aten.index.Tensor") return index_elements(id);
        for (const std::string_view bits : {"and", "or", "xor"}) // the names of Python's operators for them
            if (n.target == (short_text("aten.__") << bits << "__.Tensor").view())
                edit_.become(id, (short_text("aten.bitwise_") << bits << ".Tensor").view());
        if (!computes_elements(edit_.ops, n)) return refuse_call(id, n.target);
        int deepest = 0, rank = 0;
        unsigned levels = 0;
        measure(n.arguments, deepest, rank, levels);
        if (!align(id, n.arguments, deepest, rank)) return false;
        set_depth(id, deepest, levels);
        n.annotation = {};
        return true;
    }
    constexpr void measure(id_range<argument_id> all, int& deepest, int& rank, unsigned& levels) const {
        for (std::int32_t i = 0; i < all.count; ++i) {
            const auto& a = edit_.g[all[i]];
            if (!is_tensor_argument(edit_.g, a)) continue;
            deepest = std::max(deepest, depth(a));
            rank = std::max(rank, type_of(a).rank - depth(a));
            levels |= levels_[a.node().index];
        }
    }
    /// Aligns the operands: batch dims first, followed by the number of dims of the element with the highest rank.
    constexpr bool align(node_id id, id_range<argument_id> all, int deepest, int rank) {
        for (std::int32_t i = 0; i < all.count; ++i) {
            const auto a = edit_.g[all[i]];
            if (!is_tensor_argument(edit_.g, a) || depth(a) == 0) continue;
            const auto& t = type_of(a);
            const int missing = deepest - depth(a) + rank - (t.rank - depth(a));
            if (missing == 0) continue;
            const auto made = view(id, a, spread(sizes_of(t), depth(a), missing));
            if (!made.exists()) return false;
            auto aligned = argument::of(made);
            aligned.keyword = a.keyword;
            set_argument(edit_.g, all[i], aligned, id);
        }
        return true;
    }
    /// x[i, j] of a tensor that is the same for all elements, or of a batched tensor, whose batch dims are indexed by
    /// position.
    constexpr bool index_elements(node_id id) {
        auto& n = edit_.g[id];
        if (n.arguments.count != 2) return refuse_call(id, n.target);
        const auto self = edit_.g.argument_of(n, 0);
        const auto given = edit_.g.argument_of(n, 1).children;
        int deepest = depth(self), rank = 0;
        unsigned levels = levels_[self.node().index];
        for (std::int32_t i = 0; i < given.count; ++i)
            if (!is_tensor_argument(edit_.g, edit_.g[given[i]]))
                return refuse_call(id, "an index that leaves dims out");
        measure(given, deepest, rank, levels);
        if (!align(id, given, deepest, rank)) return false;
        if (const int own = depth(self); own > 0) {
            argument list;
            if (!edit_.list(own + given.count, list)) return false;
            for (int k = 0; k < own; ++k) {
                const auto size = type_of(self).size(k);
                const auto row = insert(id, "aten.arange.default", {argument::of(size)});
                if (!row.exists()) return false;
                int_list sizes;
                for (int d = 0; d < deepest + rank; ++d) sizes.push_back(d == k ? size : 1);
                const auto place = view(id, argument::of(row), sizes);
                if (!place.exists()) return false;
                set_argument(edit_.g, list.children[k], argument::of(place), id);
            }
            for (std::int32_t i = 0; i < given.count; ++i)
                set_argument(edit_.g, list.children[own + i], argument::of(edit_.g[given[i]].node()), id);
            for (std::int32_t i = 0; i < given.count; ++i) set_argument(edit_.g, given[i], {}, id);
            edit_.g.argument_of(n, 1).children = list.children;
        }
        set_depth(id, deepest, levels);
        n.annotation = {};
        return true;
    }
};

} // namespace ahead::detail
