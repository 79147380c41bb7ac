// SPDX-License-Identifier: MIT
// Which dims of a graph's tensors follow a symbol: derived from the device graph at the bound and the one at one size
// less. So type rules and converters compute with numbers; symbolic sizes would need another form of each of them. A
// bounded program takes the compiler about half as long again, beyond the headers, as one of constant sizes.
// Invariant: both graphs have the same calls, except for views, which a size may make redundant; a dim that follows the
// symbol has exactly `each` places for each place of the symbol. Called by bounded_program.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/device/view.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/ir/op.hpp>
#include <array>

namespace AHEAD_NAMESPACE::detail {

/// How a tensor follows the symbol. Its strides are those of the graph at the bound.
struct bounded_value {
    std::int8_t dim = -1;          // the first dim that follows; -1: none
    std::int8_t dims = 0;          // how many dims follow
    std::uint8_t where = 0;        // bit d: dim d follows
    bool is_in_proportion = true;  // false: some size is not `each` per place of the symbol
    bool has_fixed_strides = true; // a tensor of fewer places by itself has the same strides
    std::int64_t each = 0;
    std::int64_t moved = 0; // elements that its offset grows by per place of the symbol
    constexpr bool follows() const { return dims > 0; }
    constexpr bool follows_in(int d) const { return d >= 0 && (where >> d & 1) != 0; }
};

/// Two graphs of the same text, `less` where the symbol is one less than in `full`; and the index in `less` of each
/// node and argument, by index in `full`.
struct size_pair {
    graph_view full, less;
    std::int64_t bound;
    const std::int32_t* node_in_less = nullptr;
    const std::int32_t* argument_in_less = nullptr;

    constexpr node_id in_less(node_id id) const { return {node_in_less[id.index]}; }
    constexpr const argument& in_less(const argument& a) const {
        return less[argument_id{argument_in_less[&a - full.argument_pool()]}];
    }
};

/// The indices of an element in a row-major tensor, dim by dim.
constexpr per_dim<std::int64_t> place_of(const tensor_type& t, std::int64_t element) {
    per_dim<std::int64_t> out{};
    for (int d = 0; d < t.rank; ++d) {
        const auto stride = t.stride(d) > 0 ? t.stride(d) : 1;
        out.at[d] = element / stride;
        element %= stride;
    }
    return out;
}

/// Compares a tensor of the graph at the bound with its counterpart at one size less.
constexpr bounded_value compare_values(const size_pair& of, const value& full, const value& less) {
    bounded_value out;
    const auto &a = full.type, &b = less.type;
    if (full.kind != value_kind::tensor) return out;
    if (a.rank != b.rank || a.type != b.type || a.layout != b.layout)
        return {.dim = 0, .dims = 1, .where = 1, .is_in_proportion = false};
    for (int d = 0; d < a.rank; ++d) {
        if (a.size(d) > 1 && a.stride(d) != b.stride(d)) out.has_fixed_strides = false;
        if (a.size(d) == b.size(d)) continue;
        const auto each = a.size(d) - b.size(d);
        if (out.dims++ == 0) {
            out.dim = static_cast<std::int8_t>(d);
            out.each = each;
        }
        out.where = static_cast<std::uint8_t>(out.where | 1u << d);
        out.is_in_proportion = out.is_in_proportion && each == out.each && each > 0 && each * of.bound == a.size(d);
    }
    if (a.offset == b.offset) return out;
    const auto &whole = of.full[full.storage].type, &smaller = of.less[less.storage].type;
    const auto at = place_of(whole, a.offset), at_less = place_of(smaller, b.offset);
    if (!is_contiguous(whole) || !is_contiguous(smaller)) out.is_in_proportion = false;
    for (int d = 0; d < whole.rank; ++d) out.moved += (at.at[d] - at_less.at[d]) * whole.stride(d);
    return out;
}

/// Matches both graphs, call by call.
class size_matcher {
public:
    constexpr size_matcher(size_pair of, std::int32_t* nodes, std::int32_t* arguments, diagnosis& d)
        : of_(of), nodes_(nodes), arguments_(arguments), d_(d) {}

    /// Refuses graphs that are not the same calls of the same values (size_changes_the_graph).
    constexpr bool match() {
        auto other = behind_views(of_.less.first());
        for (auto id = behind_views(of_.full, of_.full.first()); id.exists();
             id = behind_views(of_.full, of_.full[id].next)) {
            const auto& n = of_.full[id];
            if (!other.exists() || !is_same_call(n, of_.less[other]))
                return refuse_at(d_, n, fault::size_changes_the_graph, "the same call at each size",
                                 short_text("at ")
                                     << of_.bound - 1 << " " << (other.exists() ? of_.less[other].target : "none"));
            nodes_[id.index] = other.index;
            for (std::int32_t i = 0; i < n.arguments.count; ++i)
                if (!take(of_.full.argument_of(n, i), of_.less.argument_of(of_.less[other], i)))
                    return refuse_at(d_, n, fault::size_changes_the_graph, "the same operands at each size",
                                     short_text("others at ") << of_.bound - 1);
            other = behind_views(of_.less[other].next);
        }
        return true;
    }

private:
    size_pair of_;
    std::int32_t* nodes_;
    std::int32_t* arguments_;
    diagnosis& d_;

    static constexpr node_id behind_views(graph_view g, node_id id) {
        while (id.exists() && device::is_view(g[id])) id = g[id].next;
        return id;
    }
    constexpr node_id behind_views(node_id id) const { return behind_views(of_.less, id); }
    constexpr bool is_same_call(const node& a, const node& b) const {
        return a.kind == b.kind && same_name(a.target, b.target) && a.arguments.count == b.arguments.count &&
               a.values.count == b.values.count;
    }
    constexpr bool take(const argument& a, const argument& b) {
        if (a.kind != b.kind || a.children.count != b.children.count) return false;
        arguments_[&a - of_.full.argument_pool()] = static_cast<std::int32_t>(&b - of_.less.argument_pool());
        for (std::int32_t k = 0; k < a.children.count; ++k)
            if (!take(of_.full[a.children[k]], of_.less[b.children[k]])) return false;
        if (a.kind != argument_kind::node || of_.full.value_of(a).kind != value_kind::tensor) return true;
        const auto full = owner_of(of_.full, a), less = owner_of(of_.less, b);
        return nodes_[full.index] == less.index && of_.full.value_of(a).storage.index - of_.full[full].values.first ==
                                                       of_.less.value_of(b).storage.index - of_.less[less].values.first;
    }
};

/// Refuses a type or a number of `at_size`, the same text where the symbol is `size`, that is not on the line through
/// those of the two others (size_changes_the_graph). of: the two graphs of the text.
constexpr bool check_is_linear(const size_pair& of, graph_view at_size, std::int64_t size, diagnosis& d) {
    const auto steps = of.bound - size;
    auto other = at_size.first();
    for (node_id id : of.full) {
        const auto& n = of.full[id];
        const bool is_there = other == id && at_size[other].values.count == n.values.count &&
                              at_size[other].arguments.count == n.arguments.count;
        for (std::int32_t k = 0; is_there && k < n.values.count; ++k) {
            const auto &a = of.full.value_of(id, k).type, &b = of.less.value_of(id, k).type,
                       &c = at_size.value_of(id, k).type;
            for (int dim = 0; dim < a.rank; ++dim)
                if (const auto wanted = a.size(dim) - steps * (a.size(dim) - b.size(dim));
                    c.rank != a.rank || c.size(dim) != wanted)
                    return refuse_at(d, n, fault::size_changes_the_graph,
                                     short_text("size ") << wanted << " of dim " << dim << " at " << size, print(c));
        }
        for (std::int32_t i = 0; is_there && i < n.arguments.count; ++i) {
            const auto &a = of.full.argument_of(n, i), &b = of.less.argument_of(of.less[id], i),
                       &c = at_size.argument_of(at_size[id], i);
            if (a.kind == argument_kind::integer && c.bits != a.bits - steps * (a.bits - b.bits))
                return refuse_at(d, n, fault::size_changes_the_graph, "numbers that grow evenly with the size",
                                 short_text() << c.bits << " at " << size);
        }
        if (!is_there)
            return refuse_at(d, n, fault::size_changes_the_graph, "the same call at each size",
                             short_text("another one at ") << size);
        other = at_size[other].next;
    }
    return true;
}

} // namespace ahead::detail
