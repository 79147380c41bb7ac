// SPDX-License-Identifier: MIT
// The walk that makes a graph functional: each reader of bytes that were written reads their current value.
// Invariant: after the current node the graph is unchanged; before it nothing is written, and every type is inferred.
// Called by pass/functionalise.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/ir/functional_form.hpp>
#include <ahead/pass/functionalise/append_returned.hpp>
#include <ahead/pass/functionalise/current_values.hpp>

namespace AHEAD_NAMESPACE::detail {

class functionaliser {
public:
    constexpr functionaliser(graph g, op_table ops, diagnosis& d)
        : g_(g), ops_(ops), d_(d), calls_(g, ops, d), now_(g, ops, count_writes(), d), dropped_(g.header().used.nodes) {
    }

    /// One walk down the program.
    constexpr bool run() {
        for (auto id = g_.first(); id.exists(); id = g_[id].next) {
            if (id.index >= dropped_.size()) continue; // made by this walk
            const auto operand = written_operand(g_, g_[id], ops_);
            const bool changes_nothing = operand >= 0 && is_self_copy(g_[id]);
            const auto self = operand < 0 ? value_id{} : now_.value_at(g_.argument_of(g_[id], operand));
            if ((now_.write_count() > 0 || dropped_any_) && !changes_nothing && !read_anew(id)) return false;
            const auto written_before = now_.write_count(); // the call's own write counts as later than its result
            if (changes_nothing) drop(id, self);
            else if (operand >= 0
                         ? !write(id, self)
                         : now_.write_count() > 0 && g_[id].kind == node_kind::call && !infer_node(g_, ops_, id, d_))
                return false;
            now_.note(id, written_before);
            if (g_[id].kind == node_kind::output) break;
        }
        if (!return_inputs()) return false;
        for (std::int32_t n = 0; n < dropped_.size(); ++n)
            if (dropped_[n]) erase(g_, {n});
        forget_annotations(g_);
        return true;
    }

private:
    graph g_;
    op_table ops_;
    diagnosis& d_;
    new_calls calls_;
    current_values now_;
    fixed_buffer<bool> dropped_; // by node: to be erased at the end
    bool dropped_any_ = false;

    constexpr std::int64_t count_writes() const {
        std::int64_t count = 0;
        for (node_id id : g_) count += written_operand(g_, g_[id], ops_) >= 0;
        return count;
    }
    constexpr bool refuse_here(node_id by, const short_text& expected, const short_text& found,
                               fault what = fault::in_place_needs_alias_analysis) {
        return refuse_at(d_, g_[by], what, expected, found);
    }

    // ---- readers

    constexpr bool read_anew(node_id id) {
        const auto& n = g_[id];
        if (n.kind == node_kind::call && now_.picks_one_of_several(n)) return true;
        if (same_name(n.target, "aten.as_strided.default")) { // reads beyond its operand's elements
            const auto storage = now_.before(now_.value_at(g_.argument_of(n, 0))).storage;
            if (!now_.is_written(storage))
                return read_anew(n.arguments, id) && now_.is_as_read(storage, g_[storage].type, id);
            if (n.arguments.count < 4) return refuse_here(id, "a storage_offset", print(n.name));
            argument whole;
            if (!now_.make_whole(storage, id, whole)) return false;
            set_argument(g_, n.arguments[0], whole, id);
            return true;
        }
        const auto word = g_.header().has_streams ? air::stream_word_of(n) : air::stream_word::none;
        if (word == air::stream_word::wait) return wait_anew(stream_argument(g_, n, 0, "x").children, id);
        if (word == air::stream_word::wait_tensor)
            return read_anew({n.arguments.first, 1}, id) && wait_anew({n.arguments.first + 1, 1}, id);
        return read_anew(n.arguments, id);
    }
    /// A wait for a tensor that was written becomes a wait for the whole storage after its last write.
    constexpr bool wait_anew(id_range<argument_id> range, node_id reader) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto& a = g_[range[i]];
            if (a.kind != argument_kind::node) continue;
            const auto storage = now_.before(now_.value_at(a)).storage;
            if (!now_.is_written(storage)) continue;
            argument whole;
            if (!now_.make_whole(storage, reader, whole)) return false;
            whole.keyword = a.keyword;
            set_argument(g_, range[i], whole, reader);
        }
        return true;
    }
    constexpr bool read_anew(id_range<argument_id> range, node_id reader) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto a = g_[range[i]];
            if (a.children.count > 0 && !read_anew(a.children, reader)) return false;
            if (a.kind != argument_kind::node || g_[a.node()].values.count == 0) continue;
            argument now = a;
            if (!now_.current(now_.value_at(a), reader, now)) return false;
            if (now.node() == a.node() && now.result == a.result) continue;
            now.keyword = a.keyword;
            now.writes = a.writes;
            set_argument(g_, range[i], now, reader);
        }
        return true;
    }

    // ---- writers

    /// aten.copy_ of a tensor onto itself.
    constexpr bool is_self_copy(const node& n) const {
        if (!same_name(n.target, "aten.copy_.default")) return false;
        const auto& to = now_.before(now_.value_at(g_.argument_of(n, 0)));
        const auto& from = now_.before(now_.value_at(g_.argument_of(n, 1)));
        return to.storage == from.storage && to.type == from.type;
    }
    constexpr void drop(node_id id, value_id same) {
        dropped_[id.index] = dropped_any_ = true;
        now_.alias({g_[id].values.first}, same);
    }
    constexpr bool write(node_id id, value_id self) {
        const auto& was = now_.before(self);
        const auto& owner = g_[now_.owner_of(was.storage)];
        if (owner.kind != node_kind::call && !may_be_written(owner))
            return refuse_here(id, "an input, a parameter, a buffer, or a tensor made by the graph", owner.target,
                               fault::constant_is_written);
        auto value = argument::of(id);
        const auto behind = g_[id].next;
        auto& n = g_[id];
        const auto old = g_.argument_of(n, written_operand(g_, n, ops_));
        if (same_name(n.target, "aten.copy_.default")) {
            value = g_.argument_of(n, 1);
            value.keyword = {};
            if (!calls_.fit(was.type, id, value)) return false;
            dropped_[id.index] = true;
        } else {
            const auto functional = functional_form(ops_, n.target);
            if (!functional.exists()) return refuse_here(id, "an operator with a functional form", n.target);
            n.op = functional;
            n.target = ops_[static_cast<std::size_t>(functional.index)].name;
            n.from.made_by = "functionalise";
            if (!infer_node(g_, ops_, id, d_) || !calls_.fit(was.type, n.next, value)) return false;
        }
        now_.write(self, old, value);
        if (!g_.header().has_streams) return true;
        argument whole; // made on the stream that writes, so that a wait for the write includes it
        return now_.make_whole(was.storage, behind, whole);
    }

    /// Returns the last value of every input and weight that was written, after the graph's earlier results.
    constexpr bool return_inputs() {
        const auto output = g_.last();
        std::int32_t count = 0;
        const auto is_written = [&](node_id id) {
            const auto& n = g_[id];
            return n.kind != node_kind::call && n.values.count == 1 && now_.is_written({n.values.first});
        };
        for (node_id id : g_) count += is_written(id);
        if (count == 0) return true;
        fixed_buffer<argument> more(count);
        count = 0;
        for (auto id = g_.first(); id != output; id = g_[id].next) {
            if (!is_written(id)) continue;
            auto& whole = more[count++];
            if (!now_.make_whole({g_[id].values.first}, output, whole)) return false;
            whole.writes = id;
        }
        return append_returned(g_, more.all(), d_);
    }
};

} // namespace ahead::detail
