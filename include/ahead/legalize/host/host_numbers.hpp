// SPDX-License-Identifier: MIT
// Numbers of a text that are not constants. Some are given by the host at each run, arg0_1: "Sym(s1)" where s1 is a
// host parameter: they become 0-d tensors of i64 among the graph's inputs. Others are read from tensors, item:
// "Sym(zuf0)". A call that reads one as a number is rewritten to read it as a tensor: operator.add becomes add.Tensor,
// and so does add.Scalar; full becomes a fill; select, slice and select_scatter at a number become indexing.
// Invariant: values and dtypes are those of the text with the number in it. A tensor of rank 0 promotes as a number
// does, except that with integers of rank 0 the number is cast to their dtype. Sizes, dims and other values that
// kernels are specialized for are refused (host_parameter_is_fixed). Called by bind_symbols.hpp.
// Source: c10/core/ScalarType.h, TensorIterator's wrapped numbers.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/legalize/host/items.hpp>
#include <ahead/legalize/host/mask_behind_lengths.hpp>
#include <ahead/legalize/host/promote_as_number.hpp>
#include <ahead/legalize/host/tensor_names.hpp>

namespace AHEAD_NAMESPACE::detail {

class host_numbers {
public:
    static constexpr int nodes_for_each = 5, arguments_for_each = 24; // most that one call adds
    static constexpr std::string_view updatable =
        "a use that can be updated: arithmetic, Scalars, values filled in, positions of select and of slices";

    /// has_any: if false, the text has no such numbers, and the tables stay empty.
    constexpr host_numbers(graph g, op_table ops, diagnosis& d, bool has_any)
        : g_(g), ops_(ops), d_(d), edit_{g, ops, d}, symbols_(has_any ? g.room().nodes : 0), is_data_(symbols_.size()),
          copies_(symbols_.size()), writes_(symbols_.size()) {}

    /// Records that the node is such a number, with this symbol. is_data: it is read from a tensor.
    constexpr void add(node_id id, std::string_view symbol, bool is_data = false) {
        symbols_[id.index] = symbol;
        is_data_[id.index] = is_data;
    }
    /// Records the numbers that are read from tensors.
    constexpr void add_items() {
        for (node_id id : g_)
            if (auto& n = g_[id]; is_item(n)) {
                const auto said = n.annotation.starts_with("Sym(") ? n.annotation.substr(4) : n.target;
                add(id, said.substr(0, said.find(')')), true);
                n.annotation = {};
            }
    }
    constexpr bool exist() const { return symbols_.size() > 0; }
    /// The symbol of the node; empty if it is not such a number.
    constexpr std::string_view symbol_of(node_id id) const { return symbols_[id.index]; }
    /// Whether to ignore the node's printed type: for arithmetic on numbers that are not known, and for calls that
    /// write to more elements than the text shows.
    constexpr bool has_other_type(node_id id) const {
        return !symbols_[id.index].empty() || writes_[id.index].exists();
    }
    /// Whether the call must be examined when all nodes before it are typed.
    constexpr bool concerns(node_id id) const {
        return writes_[id.index].exists() || (g_[id].kind == node_kind::call && !symbol_read_by(id).empty());
    }
    /// Rewrites such a call to work on tensors. first: the first node that needs typing.
    constexpr bool rewrite(node_id id, node_id& first) {
        edit_.first = id;
        const auto symbol = symbol_read_by(id);
        const bool is_data = reads_data(id);
        if (is_data && is_assertion(g_[id])) { // without effect at run time
            first = first == id ? g_[id].next : first;
            erase(g_, id);
            return true;
        }
        const bool ok = writes_[id.index].exists() ? write_at_position(id) : rewrite_reader(id, symbol);
        if (!ok) {
            if (is_data)
                refuse(d_, fault::dimension_is_dynamic,
                       "a known number: what is read from a tensor is a tensor, for arithmetic", symbol);
            else refuse(d_, fault::host_parameter_is_fixed, updatable, symbol);
            blame(d_, g_[id]);
        }
        first = edit_.first;
        return ok;
    }
    /// Refuses a write that a tensor read at such a position would have to observe: it is a view in the text, but a
    /// copy here.
    constexpr bool check_copies() {
        for (node_id id : g_) {
            const auto written = written_operand(g_, g_[id], ops_);
            if (written < 0 || !is_tensor_argument(g_, g_.argument_of(g_[id], written))) continue;
            const auto storage = g_.value_of(g_.argument_of(g_[id], written)).storage;
            for (node_id copy = g_.first(); copy != id; copy = g_[copy].next)
                if (!copies_[copy.index].empty() && (g_.value_of(copy).storage == storage ||
                                                     g_.value_of(g_.argument_of(g_[copy], 0)).storage == storage))
                    return refuse_at(d_, g_[id], fault::host_parameter_is_fixed,
                                     short_text("no write that ")
                                         << print(g_[copy].name).view() << ", a copy, would see",
                                     copies_[copy.index]);
        }
        return true;
    }

private:
    struct spot {
        node_id position;
        std::int64_t dim = 0;
        std::int64_t length = 0; // slice: number of consecutive positions; 0: a select of one position
        constexpr bool exists() const { return position.exists(); }
    };
    graph g_;
    op_table ops_;
    diagnosis& d_;
    call_editor edit_;
    fixed_buffer<std::string_view> symbols_; // by node: the symbol of a host number
    fixed_buffer<bool> is_data_;             // by node: whether a host number is read from a tensor
    fixed_buffer<std::string_view> copies_;  // by node: for a copy that replaces a view at a host position, its symbol
    fixed_buffer<spot> writes_;              // by node: for a copy_ to such a view, the position

    constexpr std::string_view symbol_of(const argument& a) const {
        return a.kind == argument_kind::node ? symbols_[a.node().index] : std::string_view();
    }
    constexpr std::string_view symbol_read_by(node_id id) const {
        std::string_view out;
        for_each_operand(g_, g_[id].arguments, [&](const argument& a) {
            if (out.empty()) out = symbol_of(a);
        });
        return out;
    }
    constexpr bool reads_data(node_id id) const {
        bool out = false;
        for_each_operand(g_, g_[id].arguments, [&](const argument& a) { out = out || is_data_[a.node().index]; });
        return out;
    }
    static constexpr bool is_assertion(const node& n) {
        return n.use_count == 0 &&
               (n.target == "aten._assert_scalar.default" || n.target.starts_with("aten.sym_constrain_range"));
    }
    constexpr bool is_host(const argument* a) const { return a != nullptr && !symbol_of(*a).empty(); }

    constexpr bool rewrite_reader(node_id id, std::string_view symbol) {
        const auto name = g_[id].target;
        if (name == "aten.select.int" || name == "aten.slice.Tensor") return read_at_position(id, symbol);
        if (name == "aten.select_scatter.default" || name == "aten.slice_scatter.default")
            return scatter_at_position(id);
        if (name == "aten.arange.start" || name == "aten.arange.start_step") return count_from(id);
        if (name == "aten.full.default" || name == "aten.full_like.default") return fill_created(id, 1);
        if (name == "aten.fill.Scalar") return edit_.become(id, "aten.full_like.default") && fill_created(id, 1);
        if (name == "aten.new_full.default") return fill_created(id, 2);
        if (name == "aten.scalar_tensor.default") return fill_created(id, 0);
        if (!mask_behind_lengths(edit_, id)) return false;
        const bool is_number = name.starts_with("operator.");
        short_text other;
        for (const auto& row : tensor_names)
            if (row.from == name) other = row.to;
        if (const auto at = name.rfind("Scalar"); other.length == 0 && at != name.npos)
            other << name.substr(0, at) << "Tensor" << name.substr(at + 6);
        if (other.length > 0 && !edit_.become(id, other.view())) return false;
        if (is_number) {
            add(id, symbol, reads_data(id));
            g_[id].annotation = {};
        }
        return takes_tensors(id) &&
               promote_as_number(edit_, id, [&](const argument& a) { return !symbol_of(a).empty(); });
    }
    /// Whether the schema accepts tensors in place of the host's numbers.
    constexpr bool takes_tensors(node_id id) const {
        const auto& n = g_[id];
        if (!n.op.exists()) return true; // refused as unknown
        const auto schema = ops_[static_cast<std::size_t>(n.op.index)].schema;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            const bool reads = a.kind == argument_kind::node ? !symbol_of(a).empty() : holds_number(a);
            if (!reads) continue;
            std::size_t slot = static_cast<std::size_t>(i);
            if (!a.keyword.empty())
                for (slot = 0; slot < schema.size() && schema[slot].name != a.keyword;) ++slot;
            if (slot >= schema.size()) return true; // refused elsewhere
            using enum parameter_kind;
            const auto kind = schema[slot].kind;
            if (kind != tensor && kind != optional_tensor && kind != tensor_or_scalar && kind != tensor_list)
                return false;
        }
        return true;
    }
    constexpr bool holds_number(const argument& list) const {
        bool out = false;
        if (list.children.count > 0)
            for_each_operand(g_, list.children, [&](const argument& a) { out = out || !symbol_of(a).empty(); });
        return out;
    }
    /// full(sizes, n): creates zeros and adds n.
    constexpr bool fill_created(node_id id, std::int32_t place) {
        std::int32_t at = -1;
        for (std::int32_t i = 0; i < g_[id].arguments.count; ++i) {
            const auto& a = g_.argument_of(g_[id], i);
            if (symbol_of(a).empty()) {
                if (holds_number(a)) return false;
                continue;
            }
            if (at >= 0 || (a.keyword.empty() ? i != place
                                              : a.keyword != "fill_value" && a.keyword != "s" && a.keyword != "value"))
                return false;
            at = i;
        }
        if (at < 0) return false;
        const auto number = argument::of(g_.argument_of(g_[id], at).node());
        auto zero = argument::of(0);
        zero.keyword = g_.argument_of(g_[id], at).keyword;
        set_argument(g_, g_[id].arguments[at], zero, id);
        const auto made = edit_.move_in_front(id);
        if (!made.exists() || !infer_node(g_, ops_, made, d_)) return false;
        edit_.first = id;
        const auto& type = g_.value_of(made).type;
        const bool as_it_is = type.type == dtype::i64 || has_fractions(type.type) || is_complex(type.type) ||
                              (type.rank > 0 && type.type != dtype::b8);
        const auto as = as_it_is ? number.node() : edit_.cast(id, number, type.type);
        const argument all[] = {argument::of(made), argument::of(as)};
        return as.exists() && edit_.give(id, all) && edit_.become(id, "aten.add.Tensor");
    }
    /// The number of positions from `start` to `end`, which is start + n; 0 if it is not known.
    constexpr std::int64_t length_between(const argument* start, const argument* end) const {
        if (!is_host(start) || !is_host(end) || g_[end->node()].target != "aten.add.Tensor") return 0;
        const auto &a = g_.argument_of(g_[end->node()], 0), &b = g_.argument_of(g_[end->node()], 1);
        const auto is_start = [&](const argument& x) {
            return x.kind == argument_kind::node && x.node() == start->node();
        };
        const auto length = is_start(a) ? call_editor::integer(&b, 0) : is_start(b) ? call_editor::integer(&a, 0) : 0;
        return length > 0 ? length : 0;
    }
    /// A row of consecutive positions that begins with `start`.
    constexpr node_id positions(node_id before, const argument& start, std::int64_t length) {
        const argument one[] = {argument::of(start.node()), argument::of(0)};
        if (length == 1) return edit_.insert(before, "aten.unsqueeze.default", one);
        const argument count[] = {argument::of(length)};
        const auto row = edit_.insert(before, "aten.arange.default", count);
        if (!row.exists()) return {};
        const argument both[] = {argument::of(row), argument::of(start.node())};
        return edit_.insert(before, "aten.add.Tensor", both);
    }
    /// Finds the position that a select, a slice, or one of their scatters accesses; self and dim are given. False if
    /// the position is not a host number, or if the length is unknown. at: index of parameter dim.
    constexpr bool find_spot(node_id id, std::int32_t at, spot& out) {
        const bool is_slice = g_[id].target.starts_with("aten.slice");
        const auto *self = edit_.given(id, 0, "self"), *asked = edit_.given(id, at, "dim"),
                   *from = edit_.given(id, at + 1, is_slice ? "start" : "index"), *end = edit_.given(id, at + 2, "end"),
                   *step = edit_.given(id, at + 3, "step");
        if (self == nullptr || !is_tensor_argument(g_, *self) || !symbol_of(*self).empty() || !is_host(from) ||
            (asked != nullptr && asked->kind != argument_kind::integer) || (step != nullptr && step->bits != 1))
            return false;
        const auto& type = g_.value_of(*self).type;
        out.dim = call_editor::integer(asked, 0);
        if (out.dim < 0) out.dim += type.rank;
        if (out.dim < 0 || out.dim >= type.rank) return false;
        out.length = is_slice ? length_between(from, end) : 0;
        if (is_slice && (out.length == 0 || out.length > type.size(static_cast<int>(out.dim)))) return false;
        out.position = is_slice ? positions(id, *from, out.length) : from->node();
        return out.exists();
    }
    /// Reads self at the position, or returns self with the values written there. A select with a negative position
    /// counts from the end, as in index and index_put; a slice with one would have another length, and is out of range.
    constexpr bool look_at(node_id id, const spot& where, bool in_place, const argument* values) {
        const auto given = *edit_.given(id, 0, "self");
        const auto self = argument::of(given.node(), given.result);
        auto put = values ? argument::of(values->node(), values->result) : argument();
        if (where.length > 0) {
            auto sizes = sizes_of(g_.value_of(self).type);
            sizes[static_cast<int>(where.dim)] = where.length;
            if (values && sizes_of(g_.value_of(put).type) != sizes) {
                argument list;
                if (!edit_.list(sizes, list)) return false;
                const argument all[] = {put, list};
                const auto wide = edit_.insert(id, "aten.expand.default", all);
                if (!wide.exists()) return false;
                put = argument::of(wide);
            }
            const argument all[] = {self, argument::of(where.dim), argument::of(where.position), put};
            return edit_.give(id, array_view<const argument>(all, values ? 4u : 3u)) &&
                   edit_.become(id, !values    ? "aten.index_select.default"
                                    : in_place ? "aten.index_copy_.default"
                                               : "aten.index_copy.default");
        }
        argument list; // [None, ..., position]
        const auto count = static_cast<std::int32_t>(where.dim) + 1;
        if (!edit_.list(count, list)) return false;
        const argument all[] = {self, list, put};
        if (!edit_.give(id, array_view<const argument>(all, values ? 3u : 2u))) return false;
        set_argument(g_, list.children[count - 1], argument::of(where.position), id);
        return edit_.become(id, !values    ? "aten.index.Tensor"
                                : in_place ? "aten.index_put_.default"
                                           : "aten.index_put.default");
    }
    /// x[:, n]
    constexpr bool read_at_position(node_id id, std::string_view symbol) {
        spot where;
        if (!find_spot(id, 1, where)) return false;
        const auto use = g_[id].first_use;
        if (g_[id].use_count == 1 && is_written_by(g_[use].owner, use)) { // x[:, n] = y
            const auto self = *edit_.given(id, 0, "self");
            if (edit_.first == id) edit_.first = g_[id].next;
            writes_[g_[use].owner.index] = where;
            set_argument(g_, use, argument::of(self.node(), self.result), g_[use].owner);
            erase(g_, id);
            return true;
        }
        copies_[id.index] = symbol;
        return look_at(id, where, false, nullptr);
    }
    constexpr bool is_written_by(node_id writer, argument_id use) const {
        return g_[writer].target == "aten.copy_.default" && use == g_[writer].arguments[0] && g_[writer].use_count == 0;
    }
    /// x[:, n] = y; erases the view x[:, n].
    constexpr bool write_at_position(node_id id) {
        const auto* source = edit_.given(id, 1, "src");
        if (source == nullptr || !is_tensor_argument(g_, *source)) return false;
        auto values = *source;
        if (const auto type = g_.value_of(*edit_.given(id, 0, "self")).type.type;
            g_.value_of(values).type.type != type) {
            const auto made = edit_.cast(id, values, type);
            if (!made.exists() || !infer_node(g_, ops_, made, d_)) return false;
            values = argument::of(made);
        }
        g_[id].annotation = {};
        return look_at(id, writes_[id.index], true, &values);
    }
    constexpr bool scatter_at_position(node_id id) {
        spot where;
        const auto* source = edit_.given(id, 1, "src");
        return source != nullptr && is_tensor_argument(g_, *source) && find_spot(id, 2, where) &&
               look_at(id, where, false, source);
    }
    /// arange(n, n + 3)
    constexpr bool count_from(node_id id) {
        const auto *start = edit_.given(id, 0, "start"), *end = edit_.given(id, 1, "end"),
                   *type = edit_.given(id, -1, "dtype");
        const auto* step = g_[id].target == "aten.arange.start" ? nullptr : edit_.given(id, 2, "step");
        const auto length = length_between(start, end);
        if (length == 0 || (step != nullptr && call_editor::integer(step, 0) != 1)) return false;
        if (type != nullptr && (type->kind != argument_kind::dtype || type->type() != dtype::i64)) return false;
        const argument count[] = {argument::of(length)};
        const auto row = edit_.insert(id, "aten.arange.default", count);
        const argument both[] = {argument::of(row), argument::of(start->node())};
        return row.exists() && edit_.give(id, both) && edit_.become(id, "aten.add.Tensor");
    }
};

} // namespace ahead::detail
