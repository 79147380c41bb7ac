// SPDX-License-Identifier: MIT
// The current values of a graph with writes. The value records from before the walk are kept, because later nodes refer
// to storages by them.
// Invariant: a reader is given the elements that it would have read in the original graph, in the layout that it
// expects. Called by functionaliser.hpp.
#pragma once
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/pass/functionalise/new_calls.hpp>
#include <ahead/pass/functionalise/write_history.hpp>

namespace AHEAD_NAMESPACE::detail {

class current_values {
public:
    constexpr current_values(graph g, op_table ops, std::int64_t writes, diagnosis& d)
        : g_(g), ops_(ops), d_(d), calls_(g, ops, d), before_(g.header().used.values),
          writes_(g.header().used.values, writes), made_at_(g.header().used.values), owner_(g.header().used.values),
          same_as_(g.header().used.values), seen_(g.header().used.values) {
        for (std::int32_t v = 0; v < g.header().used.values; ++v) before_[v] = g[value_id{v}];
    }

    constexpr value_id value_at(const argument& a) const { return {g_[a.node()].values.first + a.result}; }
    constexpr bool picks_one_of_several(const node& n) const {
        return same_name(n.target, "operator.getitem") && g_[g_.argument_of(n, 0).node()].values.count > 1;
    }
    /// The value as it was before the walk.
    constexpr const value& before(value_id v) const { return before_[v.index]; }
    constexpr node_id owner_of(value_id v) const { return owner_[v.index]; }
    constexpr std::int32_t write_count() const { return writes_.count(); }
    constexpr bool is_written(value_id storage) const { return writes_.is_written(storage); }

    /// Records that the results of a node are made after `written_before` writes.
    constexpr void note(node_id id, std::int32_t written_before) {
        const auto& n = g_[id];
        if (n.kind == node_kind::call && picks_one_of_several(n))
            written_before = made_at_[value_at(g_.argument_of(n, 0)).index];
        for (auto v = n.values.first; v < n.values.first + n.values.count && v < made_at_.size(); ++v) {
            made_at_[v] = written_before;
            owner_[v] = id;
        }
    }
    /// From now on v, the result of a call that changes nothing, is `same`.
    constexpr void alias(value_id v, value_id same) { same_as_[v.index] = same; }
    /// Records a write: `self` had the elements of `old` and now has those of `value`.
    constexpr void write(value_id self, const argument& old, const argument& value) {
        const auto& was = before_[self.index];
        writes_.add(was.storage, before_[was.storage.index].type.type, was.type, argument::of(old.node(), old.result),
                    argument::of(value.node(), value.result));
    }

    /// Finds the tensor that now has the elements of v; inserts calls before `reader` if no tensor has them yet.
    constexpr bool current(value_id v, node_id reader, argument& out) {
        while (same_as_[v.index].exists()) {
            v = same_as_[v.index];
            out = original(v);
        }
        const auto& was = before_[v.index];
        if (was.kind != value_kind::tensor || !is_written(was.storage)) return true;
        const auto of_storage = before_[was.storage.index].type.type;
        const auto w = writes_.last_seen_by(was.type, was.storage, of_storage, made_at_[v.index]);
        if (w == 0) return true;
        if (writes_[w].self == was.type) {
            if (g_[reader].kind != node_kind::output && !lay_out(writes_[w], reader))
                return false; // outputs may have any layout
            out = writes_[w].value;
            return true;
        }
        auto& seen = seen_[v.index];
        if (const auto last = writes_.of(was.storage).last; seen.as_of != last) {
            argument whole;
            if (!make_whole(was.storage, reader, whole)) return false;
            seen.as_of = last;
            seen.node = whole.node();
            if (!(g_.value_of(whole).type == was.type) && !calls_.insert_view(was.type, whole, reader, seen.node))
                return false;
        }
        out = argument::of(seen.node);
        return true;
    }
    /// The whole storage, with all writes so far.
    constexpr bool make_whole(value_id storage, node_id reader, argument& out) {
        auto& s = writes_.of(storage);
        const auto& type = before_[storage.index].type;
        if (s.whole.kind == argument_kind::none) s.whole = original(storage);
        auto from = s.applied == 0 ? s.first : writes_[s.applied].after;
        for (auto w = s.last; w != s.applied && w != 0;
             w = writes_[w].before) { // a write of the whole storage makes earlier writes irrelevant
            const auto& written = writes_[w];
            if (!(written.self == type) || !(g_.value_of(written.value).type == type)) continue;
            s.whole = written.value;
            from = written.after;
            break;
        }
        for (auto w = from; w != 0; w = writes_[w].after) {
            node_id made;
            if (!calls_.insert_scatter(writes_[w].self, s.whole, writes_[w].value, reader, made)) return false;
            s.whole = argument::of(made);
        }
        s.applied = s.last;
        out = s.whole;
        return is_as_read(storage, g_.value_of(out).type, reader);
    }
    /// Whether offsets in the storage mean what they did before; if not, views of it cannot be read, and it refuses.
    constexpr bool is_as_read(value_id storage, const tensor_type& now, node_id reader) {
        const auto& type = before_[storage.index].type;
        return have_one_order(now, type) ||
               refuse_at(d_, g_[reader], fault::in_place_needs_alias_analysis, print(type, true), print(now, true));
    }

private:
    /// A view made for readers of a value, valid until the next write to its storage.
    struct view_record {
        node_id node;
        std::int32_t as_of = 0;
    };

    graph g_;
    op_table ops_;
    diagnosis& d_;
    new_calls calls_;
    fixed_buffer<value> before_; // by value
    write_history writes_;
    fixed_buffer<std::int32_t> made_at_; // by value: the number of writes before it
    fixed_buffer<node_id> owner_;        // by value: its node
    fixed_buffer<value_id> same_as_;     // by value of a call that changed nothing: the value it returns
    fixed_buffer<view_record> seen_;     // by value

    /// The value as its node makes it.
    constexpr argument original(value_id v) const {
        return argument::of(owner_[v.index], v.index - g_[owner_[v.index]].values.first);
    }
    /// Whether the strides are equal; strides of dims of size 1 do not matter.
    static constexpr bool have_one_order(const tensor_type& a, const tensor_type& b) {
        for (int d = 0; d < a.rank; ++d)
            if (a.size(d) != 1 && a.stride(d) != b.stride(d)) return false;
        return true;
    }
    /// Gives a written value the strides that its readers expect, or, if those leave gaps, dense strides in the same
    /// order of dims.
    constexpr bool lay_out(write_record& w, node_id reader) {
        auto wanted = w.self;
        const tensor_type* alone[] = {&w.self};
        if (!is_dense(wanted)) set_result_strides(wanted, alone);
        const auto& now = g_.value_of(w.value).type;
        if (w.is_laid_out || have_one_order(wanted, now)) return w.is_laid_out = true;
        w.is_laid_out = true;
        const argument arguments[] = {w.old, w.value};
        node_id made;
        if (!calls_.insert("aten.copy.default", arguments, reader, made) || !infer_node(g_, ops_, made, d_))
            return false;
        w.value = argument::of(made);
        return true;
    }
};

} // namespace ahead::detail
