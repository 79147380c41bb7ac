// SPDX-License-Identifier: MIT
// Which dims of a graph's tensors follow a symbol: read off the device graph at the bound and the one at a size less.
// Invariant: both graphs are the same calls; a dim that follows has `each` places for each of the symbol's, and none
// more. Called by compiled_bounded.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/ir/op.hpp>
#include <array>

namespace AHEAD_NAMESPACE::detail {

/// How a tensor follows the symbol. Its strides are those of the graph at the bound.
struct bounded_value {
    std::int8_t dim = -1;          // the first dim that follows; -1: none does
    std::int8_t dims = 0;          // how many do
    std::uint8_t where = 0;        // bit d: dim d does
    bool is_in_proportion = true;  // false: a size is none of `each` for each of the symbol's
    bool has_fixed_strides = true; // the elements of fewer places lie as they would by themselves
    std::int64_t each = 0;
    std::int64_t moved = 0; // it begins so many elements further on for each of the symbol's
    constexpr bool follows() const { return dims > 0; }
    constexpr bool follows_in(int d) const { return d >= 0 && (where >> d & 1) != 0; }
};

/// Two graphs of the same text, `less` where the symbol is one less than in `full`.
struct size_pair {
    graph_view full, less;
    std::int64_t bound;
};

constexpr bool has_same_arguments(const size_pair& of, const argument& a, const argument& b) {
    if (a.kind != b.kind || a.result != b.result || a.children.count != b.children.count) return false;
    if (a.kind == argument_kind::node && a.bits != b.bits) return false;
    for (std::int32_t k = 0; k < a.children.count; ++k)
        if (!has_same_arguments(of, of.full[a.children[k]], of.less[b.children[k]])) return false;
    return true;
}
/// Refuses graphs that are not the same calls of the same values (size_changes_the_graph).
constexpr bool check_same_calls(const size_pair& of, diagnosis& d) {
    const auto smaller = short_text() << "at " << of.bound - 1;
    auto other = of.less.first();
    for (node_id id : of.full) {
        const auto& n = of.full[id];
        if (other != id || of.less[other].kind != n.kind || !same_name(of.less[other].target, n.target) ||
            of.less[other].arguments.count != n.arguments.count || of.less[other].values.count != n.values.count)
            return refuse_at(d, n, fault::size_changes_the_graph, "the same call at each size",
                             !other.exists() ? short_text(smaller) << " none"
                                             : short_text(smaller) << " " << of.less[other].target);
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (!has_same_arguments(of, of.full.argument_of(n, i), of.less.argument_of(of.less[other], i)))
                return refuse_at(d, n, fault::size_changes_the_graph, "the same operands at each size",
                                 short_text("others ") << smaller.view());
        other = of.less[other].next;
    }
    return true;
}

/// Where an element lies in a row-major tensor, dim by dim.
constexpr per_dim<std::int64_t> place_of(const tensor_type& t, std::int64_t element) {
    per_dim<std::int64_t> out{};
    for (int d = 0; d < t.rank; ++d) {
        const auto stride = t.stride(d) > 0 ? t.stride(d) : 1;
        out.at[d] = element / stride;
        element %= stride;
    }
    return out;
}

constexpr bounded_value compare_values(const size_pair& of, value_id v) {
    bounded_value out;
    const auto &a = of.full[v].type, &b = of.less[v].type;
    if (of.full[v].kind != value_kind::tensor) return out;
    if (a.rank != b.rank || a.type != b.type || a.layout != b.layout) return {.dim = 0, .dims = 1, .where = 1, .is_in_proportion = false};
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
    const auto root = of.full[v].storage;
    const auto &whole = of.full[root].type, &smaller = of.less[root].type;
    const auto at = place_of(whole, a.offset), at_less = place_of(smaller, b.offset);
    if (!is_contiguous(whole) || !is_contiguous(smaller)) out.is_in_proportion = false;
    for (int d = 0; d < whole.rank; ++d) out.moved += (at.at[d] - at_less.at[d]) * whole.stride(d);
    return out;
}

/// All values of a graph.
template <std::size_t Count> constexpr auto find_bounded_values(const size_pair& of) {
    std::array<bounded_value, Count> out{};
    for (node_id id : of.full)
        for (std::int32_t k = 0; k < of.full[id].values.count; ++k) {
            const auto v = of.full[id].values[k];
            out[static_cast<std::size_t>(v.index)] = compare_values(of, v);
        }
    return out;
}

/// Refuses a type or a number of `at_least`, the same text where the symbol is `size`, that does not lie on the line
/// through those of the two others (size_changes_the_graph).
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
                                     short_text("size ") << wanted << " of dim " << dim << " at " << size,
                                     print(c));
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
