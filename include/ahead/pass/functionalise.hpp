// SPDX-License-Identifier: MIT
// In-place operators become functional ones: relu_(x) becomes relu(x), and whatever read x's bytes afterwards, by x or
// by another view of them, reads the result. Where a reader sees more than was written, the writes are put into the
// whole tensor first (aten.as_strided_scatter) and the reader looks at that, or, in a graph with streams, at once where
// the write stands. The graph also returns the last value of every input and weight that it wrote, marked with it
// (argument::writes).
// Invariant: afterwards no node mutates a storage. pre: the graph is typed. Called first by program/compiled.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/ir/type/overlap.hpp>
#include <ahead/ir/written_weights.hpp>
#include <limits>

namespace AHEAD_NAMESPACE {

/// Whether any call of the graph writes into an operand.
constexpr bool has_in_place(graph_view g, op_table ops) {
    for (node_id id : g)
        if (written_operand(g[id], ops) >= 0) return true;
    return false;
}

namespace detail {

/// "aten.relu.default" for "aten.relu_.default".
constexpr op_id functional_form(op_table ops, std::string_view name) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || dot == 0 || name[dot - 1] != '_') return {};
    if (same_name(name, "aten.normal_.default"))
        return find_op(ops, "aten.normal_functional.default"); // normal is another operator
    if (same_name(name, "aten.bernoulli_.float")) return find_op(ops, "aten.bernoulli.p");
    short_text spelled;
    spelled << name.substr(0, dot - 1) << name.substr(dot);
    return find_op(ops, spelled.view());
}

/// The graph also returns `more`, behind what it returned.
constexpr bool append_returned(graph g, array_view<const argument> more, diagnosis& d) {
    const auto output = g.last();
    const auto given = g[output].arguments;
    const bool in_tuple =
        given.count == 1 && (g[given[0]].kind == argument_kind::tuple || g[given[0]].kind == argument_kind::list);
    const auto old = in_tuple ? g[given[0]].children : given;
    argument all{.kind = argument_kind::tuple, .owner = output};
    id_range<argument_id> one;
    if (!reserve_arguments(g, old.count + static_cast<std::int32_t>(more.size()), all.children, d) ||
        !reserve_arguments(g, 1, one, d))
        return false;
    for (std::int32_t i = 0; i < old.count; ++i) {
        const auto a = g[old[i]];
        set_argument(g, old[i], {}, output);
        set_argument(g, all.children[i], a, output);
    }
    auto next = all.children.first + old.count;
    for (const auto& a : more) set_argument(g, {next++}, a, output);
    if (in_tuple) all.kind = g[given[0]].kind;
    g[one[0]] = all;
    g[output].arguments = one;
    return true;
}

/// One walk down the program. What a value was before the walk is kept, because later lines mean the bytes by it.
class functionaliser {
public:
    constexpr functionaliser(graph g, op_table ops, diagnosis& d)
        : g_(g), ops_(ops), d_(d), before_(g.header().used.values), storages_(g.header().used.values),
          made_at_(g.header().used.values), owner_(g.header().used.values), same_as_(g.header().used.values),
          seen_(g.header().used.values), dropped_(g.header().used.nodes), writes_(count_writes()) {
        for (std::int32_t v = 0; v < g.header().used.values; ++v) before_[v] = g[value_id{v}];
    }

    constexpr bool run() {
        for (auto id = g_.first(); id.exists(); id = g_[id].next) {
            if (id.index >= dropped_.size()) continue; // made here
            const auto operand = written_operand(g_[id], ops_);
            const bool changes_nothing = operand >= 0 && is_self_copy(g_[id]);
            const auto self = operand < 0 ? value_id{} : value_at(g_.argument_of(g_[id], operand));
            if ((write_count_ > 0 || dropped_any_) && !changes_nothing && !read_anew(id)) return false;
            const auto written_before = write_count_; // what a call writes is older than its result
            if (changes_nothing) drop(id, self);
            else if (operand >= 0 ? !write(id, self)
                                  : write_count_ > 0 && g_[id].kind == node_kind::call && !infer_node(g_, ops_, id, d_))
                return false;
            note(id, written_before);
            if (g_[id].kind == node_kind::output) break;
        }
        if (!return_inputs()) return false;
        for (std::int32_t n = 0; n < dropped_.size(); ++n)
            if (dropped_[n]) erase(g_, {n});
        forget_annotations(g_);
        return true;
    }

private:
    /// A view of a storage was written; its new elements are those of `value`.
    struct write_record {
        tensor_type self;
        argument old{}; // what had them before
        argument value{};
        bool is_laid_out = false;           // in memory as self's elements are
        std::int32_t before = 0, after = 0; // of the same storage: write + 1; 0: none
        // So that a reader passes over many writes at once: this one and those before it, as many in all as the lowest
        // bit of its number in the storage.
        std::int32_t number = 0, beyond = 0; // the write before all of them + 1; 0: none
        std::int64_t low = 0, high = 0;      // the elements between which they lie
    };
    struct storage_record {
        std::int32_t first = 0, last = 0; // write + 1; 0: none
        std::int32_t applied = 0;         // the last write that `whole` has; + 1
        argument whole{};                 // all bytes; None: the value that owns them
    };
    /// A view made for readers of a value, good until the next write to its storage.
    struct view_record {
        node_id node;
        std::int32_t as_of = 0;
    };

    graph g_;
    op_table ops_;
    diagnosis& d_;
    fixed_buffer<value> before_;            // by value: what it was
    fixed_buffer<storage_record> storages_; // by value that owns bytes
    fixed_buffer<std::int32_t> made_at_;    // by value: how many writes came before it
    fixed_buffer<node_id> owner_;           // by value: its node
    fixed_buffer<value_id> same_as_;        // by value of a call that changed nothing: what it gives back
    fixed_buffer<view_record> seen_;        // by value
    fixed_buffer<bool> dropped_;            // by node: nobody reads it in the end
    fixed_buffer<write_record> writes_;
    std::int32_t write_count_ = 0;
    bool dropped_any_ = false;

    constexpr std::int64_t count_writes() const {
        std::int64_t count = 0;
        for (node_id id : g_) count += written_operand(g_[id], ops_) >= 0;
        return count;
    }
    constexpr value_id value_at(const argument& a) const { return {g_[a.node()].values.first + a.result}; }
    constexpr bool picks_one_of_several(const node& n) const {
        return same_name(n.target, "operator.getitem") && g_[g_.argument_of(n, 0).node()].values.count > 1;
    }
    constexpr void note(node_id id, std::int32_t written_before) {
        const auto& n = g_[id];
        if (n.kind == node_kind::call && picks_one_of_several(n))
            written_before = made_at_[value_at(g_.argument_of(n, 0)).index];
        for (auto v = n.values.first; v < n.values.first + n.values.count && v < made_at_.size(); ++v) {
            made_at_[v] = written_before;
            owner_[v] = id;
        }
    }
    constexpr bool refuse_here(node_id by, short_text expected, short_text found,
                               fault what = fault::in_place_needs_alias_analysis) {
        d_.line = g_[by].from.line;
        d_.op = g_[by].target;
        d_.name = print(g_[by].name);
        return refuse(d_, what, expected, found);
    }

    // ---- readers

    constexpr bool read_anew(node_id id) {
        const auto& n = g_[id];
        if (n.kind == node_kind::call && picks_one_of_several(n)) return true;
        if (same_name(n.target, "aten.as_strided.default")) { // looks beyond what it is given
            const auto storage = before_[value_at(g_.argument_of(n, 0)).index].storage;
            if (storages_[storage.index].last == 0)
                return read_anew(n.arguments, id) && is_as_read(storage, g_[storage].type, id);
            if (n.arguments.count < 4) return refuse_here(id, "a storage_offset", print(n.name));
            argument whole;
            if (!make_whole(storage, id, whole)) return false;
            set_argument(g_, n.arguments[0], whole, id);
            return true;
        }
        const auto word = g_.header().has_streams ? stream_word_of(n) : stream_word::none;
        if (word == stream_word::wait) return wait_anew(stream_argument(g_, n, 0, "x").children, id);
        if (word == stream_word::wait_tensor)
            return read_anew({n.arguments.first, 1}, id) && wait_anew({n.arguments.first + 1, 1}, id);
        return read_anew(n.arguments, id);
    }
    /// Who waits for a tensor that was written waits for the last write to its storage, all of it.
    constexpr bool wait_anew(id_range<argument_id> range, node_id reader) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto& a = g_[range[i]];
            if (a.kind != argument_kind::node || storages_[before_[value_at(a).index].storage.index].last == 0)
                continue;
            argument whole;
            if (!make_whole(before_[value_at(a).index].storage, reader, whole)) return false;
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
            if (!current(value_at(a), reader, now)) return false;
            if (now.node() == a.node() && now.result == a.result) continue;
            now.keyword = a.keyword;
            now.writes = a.writes;
            set_argument(g_, range[i], now, reader);
        }
        return true;
    }
    /// What now has the elements that v names; made before `reader` where nothing has them yet.
    constexpr bool current(value_id v, node_id reader, argument& out) {
        while (same_as_[v.index].exists()) {
            v = same_as_[v.index];
            out = argument::of(owner_[v.index], v.index - g_[owner_[v.index]].values.first);
        }
        const auto& was = before_[v.index];
        if (was.kind != value_kind::tensor || storages_[was.storage.index].last == 0) return true;
        const auto low = was.type.offset, high = low + extent_of(was.type);
        for (auto w = storages_[was.storage.index].last, next = w; w > made_at_[v.index]; w = next) {
            const auto& written = writes_[w - 1];
            const bool passes = low < high && (written.high <= low || high <= written.low) &&
                                was.type.type == before_[was.storage.index].type.type;
            next = passes ? written.beyond : written.before;
            if (passes || (!(written.self == was.type) && !may_overlap(written.self, was.type)))
                continue; // what has no elements is what was written, too
            if (written.self == was.type) {
                if (g_[reader].kind != node_kind::output && !lay_out(writes_[w - 1], reader))
                    return false; // outputs may lie as they like
                out = written.value;
                return true;
            }
            auto& seen = seen_[v.index];
            if (seen.as_of != storages_[was.storage.index].last) {
                argument whole;
                if (!make_whole(was.storage, reader, whole)) return false;
                seen.as_of = storages_[was.storage.index].last;
                seen.node = whole.node();
                if (!(g_.value_of(whole).type == was.type) && !insert_view(was.type, whole, reader, seen.node))
                    return false;
            }
            out = argument::of(seen.node);
            return true;
        }
        return true;
    }
    /// Strides of dims of size 1 say nothing.
    static constexpr bool have_one_order(const tensor_type& a, const tensor_type& b) {
        for (int d = 0; d < a.rank; ++d)
            if (a.size(d) != 1 && a.stride(d) != b.stride(d)) return false;
        return true;
    }
    /// Places in a storage are as they were before; else nothing can be read at them.
    constexpr bool is_as_read(value_id storage, const tensor_type& now, node_id reader) {
        const auto& type = before_[storage.index].type;
        return have_one_order(now, type) || refuse_here(reader, print(type, true), print(now, true));
    }
    /// All bytes of the storage, with all writes so far.
    constexpr bool make_whole(value_id storage, node_id reader, argument& out) {
        auto& s = storages_[storage.index];
        const auto& type = before_[storage.index].type;
        if (s.whole.kind == argument_kind::none)
            s.whole = argument::of(owner_[storage.index], storage.index - g_[owner_[storage.index]].values.first);
        auto from = s.applied == 0 ? s.first : writes_[s.applied - 1].after;
        for (auto w = s.last; w != s.applied && w != 0;
             w = writes_[w - 1].before) { // what was written before all was written is gone
            const auto& written = writes_[w - 1];
            if (!(written.self == type) || !(g_.value_of(written.value).type == type)) continue;
            s.whole = written.value;
            from = written.after;
            break;
        }
        for (auto w = from; w != 0; w = writes_[w - 1].after) {
            node_id made;
            if (!insert_scatter(writes_[w - 1].self, s.whole, writes_[w - 1].value, reader, made)) return false;
            s.whole = argument::of(made);
        }
        s.applied = s.last;
        out = s.whole;
        return is_as_read(storage, g_.value_of(out).type, reader);
    }

    /// What was written has the strides that its readers know it by, or, where those leave gaps, its order of dims
    /// without them.
    constexpr bool lay_out(write_record& w, node_id reader) {
        auto wanted = w.self;
        const tensor_type* alone[] = {&w.self};
        if (!is_dense(wanted)) set_result_strides(wanted, alone);
        const auto& now = g_.value_of(w.value).type;
        if (w.is_laid_out || have_one_order(wanted, now)) return w.is_laid_out = true;
        w.is_laid_out = true;
        const argument arguments[] = {w.old, w.value};
        node_id made;
        if (!insert("aten.copy.default", arguments, reader, made) || !infer_node(g_, ops_, made, d_)) return false;
        w.value = argument::of(made);
        return true;
    }

    // ---- new calls

    constexpr bool insert(std::string_view target, array_view<const argument> arguments, node_id position,
                          node_id& out) {
        node n;
        n.op = find_op(ops_, target);
        if (!n.op.exists()) return refuse_here(position, target, "a registry without it");
        n.target = ops_[static_cast<std::size_t>(n.op.index)].name;
        n.name = {base_of(n.target), g_.header().used.nodes};
        n.from = g_[position].from;
        n.from.made_by = "functionalise";
        return insert_call(g_, n, arguments, position, out, d_);
    }
    constexpr bool set_list(node_id n, std::int32_t i, const int_list& values) {
        argument list{.kind = argument_kind::list};
        if (!reserve_arguments(g_, values.size, list.children, d_)) return false;
        for (int k = 0; k < values.size; ++k) set_argument(g_, list.children[k], argument::of(values[k]), n);
        set_argument(g_, g_[n].arguments[i], list, n);
        return true;
    }
    static constexpr int_list strides_of(const tensor_type& t) {
        int_list out;
        for (int k = 0; k < t.rank; ++k) out.push_back(t.stride(k));
        return out;
    }
    constexpr bool insert_view(const tensor_type& t, const argument& of, node_id position, node_id& out) {
        const argument arguments[] = {of, {}, {}, argument::of(t.offset)};
        return insert("aten.as_strided.default", arguments, position, out) && set_list(out, 1, sizes_of(t)) &&
               set_list(out, 2, strides_of(t)) && infer_node(g_, ops_, out, d_);
    }
    constexpr bool insert_scatter(const tensor_type& t, const argument& self, const argument& source, node_id position,
                                  node_id& out) {
        const argument arguments[] = {self, source, {}, {}, argument::of(t.offset)};
        return insert("aten.as_strided_scatter.default", arguments, position, out) && set_list(out, 2, sizes_of(t)) &&
               set_list(out, 3, strides_of(t)) && infer_node(g_, ops_, out, d_);
    }
    /// `value` in the dtype and sizes of what it is written into.
    constexpr bool fit(const tensor_type& self, node_id position, argument& value) {
        if (g_.value_of(value).type.type != self.type) {
            const argument arguments[] = {value, argument::of(self.type)};
            node_id made;
            if (!insert("prims.convert_element_type.default", arguments, position, made) ||
                !infer_node(g_, ops_, made, d_))
                return false;
            value = argument::of(made);
        }
        if (sizes_of(g_.value_of(value).type) != sizes_of(self)) {
            const argument arguments[] = {value, {}};
            node_id made;
            if (!insert("aten.expand.default", arguments, position, made) || !set_list(made, 1, sizes_of(self)) ||
                !infer_node(g_, ops_, made, d_))
                return false;
            value = argument::of(made);
        }
        return true;
    }

    // ---- writers

    /// aten.copy_ of a tensor onto itself.
    constexpr bool is_self_copy(const node& n) const {
        if (!same_name(n.target, "aten.copy_.default")) return false;
        const auto& to = before_[value_at(g_.argument_of(n, 0)).index];
        const auto& from = before_[value_at(g_.argument_of(n, 1)).index];
        return to.storage == from.storage && to.type == from.type;
    }
    constexpr void drop(node_id id, value_id same) {
        dropped_[id.index] = dropped_any_ = true;
        same_as_[g_[id].values.first] = same;
    }
    constexpr bool write(node_id id, value_id self) {
        const auto& was = before_[self.index];
        const auto& owner = g_[owner_[was.storage.index]];
        if (owner.kind != node_kind::call && !may_be_written(owner))
            return refuse_here(id, "an input, a parameter, a buffer, or a tensor made by the graph", owner.target,
                               fault::constant_is_written);
        auto value = argument::of(id);
        const auto behind = g_[id].next;
        auto& n = g_[id];
        const auto old = g_.argument_of(n, written_operand(n, ops_));
        if (same_name(n.target, "aten.copy_.default")) {
            value = g_.argument_of(n, 1);
            value.keyword = {};
            if (!fit(was.type, id, value)) return false;
            dropped_[id.index] = true;
        } else {
            const auto functional = functional_form(ops_, n.target);
            if (!functional.exists()) return refuse_here(id, "an operator with a functional form", n.target);
            n.op = functional;
            n.target = ops_[static_cast<std::size_t>(functional.index)].name;
            n.from.made_by = "functionalise";
            if (!infer_node(g_, ops_, id, d_) || !fit(was.type, n.next, value)) return false;
        }
        auto& mine = writes_[write_count_++];
        auto& storage = storages_[was.storage.index];
        mine.self = was.type;
        mine.old = argument::of(old.node(), old.result);
        mine.value = argument::of(value.node(), value.result);
        mine.before = storage.last;
        (storage.last == 0 ? storage.first : writes_[storage.last - 1].after) = write_count_;
        storage.last = write_count_;
        find_reach(mine, before_[was.storage.index].type.type);
        if (!g_.header().has_streams) return true;
        argument whole; // made on the stream that writes, so that whoever waits for the write waits for it
        return make_whole(was.storage, behind, whole);
    }

    /// pre: linked to the write before
    constexpr void find_reach(write_record& w, dtype of_storage) const {
        constexpr auto far = std::numeric_limits<std::int64_t>::max();
        w.number = w.before == 0 ? 1 : writes_[w.before - 1].number + 1;
        const bool known = w.self.type == of_storage; // offsets are counted in elements
        w.low = known ? w.self.offset : -far;
        w.high = known ? w.self.offset + extent_of(w.self) : far;
        w.beyond = w.before;
        for (auto left = (w.number & -w.number) - 1; left > 0;) {
            const auto& block = writes_[w.beyond - 1];
            w.low = block.low < w.low ? block.low : w.low;
            w.high = block.high > w.high ? block.high : w.high;
            left -= block.number & -block.number;
            w.beyond = block.beyond;
        }
    }

    /// The graph returns the last value of every input and weight that was written, behind what it returned.
    constexpr bool return_inputs() {
        const auto output = g_.last();
        std::int32_t count = 0;
        const auto is_written = [&](node_id id) {
            const auto& n = g_[id];
            return n.kind != node_kind::call && n.values.count == 1 && storages_[n.values.first].last != 0;
        };
        for (node_id id : g_) count += is_written(id);
        if (count == 0) return true;
        fixed_buffer<argument> more(count);
        count = 0;
        for (auto id = g_.first(); id != output; id = g_[id].next) {
            if (!is_written(id)) continue;
            auto& whole = more[count++];
            if (!make_whole({g_[id].values.first}, output, whole)) return false;
            whole.writes = id;
        }
        return append_returned(g_, more.all(), d_);
    }
};

} // namespace detail

/// The capacity that functionalise needs, where the graph writes.
constexpr capacity room_to_functionalise(graph_view g, op_table ops) {
    auto out = g.header().used;
    std::int32_t writes = 0;
    for (node_id id : g) writes += written_operand(g[id], ops) >= 0;
    if (writes == 0) return out;
    fixed_buffer<bool> written(out.values);
    for (node_id id : g)
        if (const auto operand = written_operand(g[id], ops); operand >= 0)
            written[g.value_of(g.argument_of(g[id], operand)).storage.index] = true;
    std::int32_t readers = 0;
    for (std::int32_t i = 0; i < g.header().used.arguments; ++i)
        if (const auto& a = g[argument_id{i}];
            a.kind == argument_kind::node && g.is_typed(a.node()) && written[g.value_of(a).storage.index])
            ++readers;
    const auto calls =
        readers + 4 * writes; // views of what was written; writes into the whole, conversions, expansions, strides
    const auto returned = g[g.last()].arguments;
    const auto children = returned.count == 1 ? g[returned[0]].children.count : 0;
    return {out.nodes + calls, out.arguments + calls * (5 + 2 * max_rank) + returned.count + children + writes + 1,
            out.values + calls};
}

/// Refuses the mutation of constants (constant_is_written), writes that overlap (in_place_needs_alias_analysis, as
/// infer_node does: handles record types that nobody infers); and what the operators that stand for a write refuse,
/// such as a write into a part of an input that is not dense (view_needs_a_copy).
/// pre: the pools have room_to_functionalise.
constexpr bool functionalise(graph g, op_table ops, diagnosis& d) {
    for (node_id id : g)
        if (written_operand(g[id], ops) >= 0 && !infer_node(g, ops, id, d)) return false;
    return detail::functionaliser(g, ops, d).run();
}

} // namespace ahead
