// SPDX-License-Identifier: MIT
// The operands that a run concatenates without a copy, and the reasons for copying the others: one line per
// concatenation, then the sums. Computed on request from a finished plan, so that other programs do not pay for it.
// Law: the sums are those of the plan's summary.
#pragma once
#include <ahead/device/concat.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::printers {

/// Concatenations of a run, the number of them that are not tasks, and their operands: computed in their slices, or
/// copied there.
struct cat_summary {
    std::int32_t cats = 0;
    std::int32_t removed = 0;
    std::int32_t in_place = 0;
    std::int32_t copied = 0;
    std::int64_t in_place_bytes = 0;
    std::int64_t copied_bytes = 0;
    friend constexpr bool operator==(const cat_summary&, const cat_summary&) = default;
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

class cat_reporter {
public:
    constexpr cat_reporter(graph_view g, plan_view plan) : g_(g), plan_(plan) {}

    template <text_sink Sink> constexpr cat_summary run(Sink& out) const {
        cat_summary sum;
        for (node_id id : g_)
            if (const auto& n = g_[id]; device::is_concat(n)) describe(n, sum, out);
        return sum;
    }

private:
    graph_view g_;
    plan_view plan_;

    constexpr const placement& place(value_id v) const { return plan_.placements[static_cast<std::size_t>(v.index)]; }
    constexpr bool are_blocks(const node& n) const {
        return device::concat::are_blocks(g_[value_id{n.values.first}].type, g_.argument_of(n, 1).integer());
    }

    /// Bytes from the start of an interleaved part to the start of the next one.
    constexpr std::int64_t step_of_woven(const node& n, const value& part) const {
        const auto axis = static_cast<int>(g_.argument_of(n, 1).integer());
        return bytes_of(part.type.type, part.type.size(axis) * g_[value_id{n.values.first}].type.stride(axis));
    }

    template <text_sink Sink> constexpr void describe(const node& n, cat_summary& sum, Sink& out) const {
        const value_id whole{n.values.first};
        const auto where = place(whole).where;
        if (where == region::scratch || where == region::constants) return; // prepare's
        const auto parts = g_.argument_of(n, 0).children;
        const auto copied_before = sum.copied, in_place_before = sum.in_place;
        out.append(print(n.name).view());
        bool first = true;
        auto offset = place(whole).offset;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            const auto bytes = bytes_of(part.type.type, element_count(part.type));
            const bool is_there = place(part.storage).part_of == whole && place(part.storage).offset == offset;
            offset += are_blocks(n) ? bytes : step_of_woven(n, part);
            if (bytes == 0) continue;
            ++(is_there ? sum.in_place : sum.copied);
            (is_there ? sum.in_place_bytes : sum.copied_bytes) += bytes;
            if (is_there) continue;
            out.append(first ? ": copies " : ", ");
            first = false;
            out.append(print(g_[g_[parts[k]].node()].name).view());
            if (where != region::arena || !are_blocks(n)) continue;
            out.append(" (");
            explain(part, whole, out);
            out.append(")");
        }
        ++sum.cats;
        if (sum.copied == copied_before && sum.in_place == in_place_before) {
            out.append(": of nothing");
        } else if (sum.copied == copied_before) {
            ++sum.removed;
            out.append(": all computed in place");
        } else if (where == region::input || where == region::state) {
            out.append(where == region::input ? "; it is written into an input of the run"
                                              : "; it is written into a state");
        } else if (!are_blocks(n)) {
            out.append("; these are no blocks of the result");
        }
        out.append("\n");
    }
    /// Why the operand is copied, though the concatenation has a block for it.
    template <text_sink Sink> constexpr void explain(const value& part, value_id whole, Sink& out) const {
        const auto& mine = place(part.storage);
        const auto& made = g_[part.storage].type;
        if (mine.where == region::input) {
            out.append("an input");
        } else if (mine.where == region::state) {
            out.append("a state");
        } else if (mine.where != region::arena) {
            out.append("a constant");
        } else if (made.layout != memory_layout::strided || !is_contiguous(part.type) ||
                   extent_of(made) != element_count(part.type)) {
            out.append("not all of ");
            out.append(print(g_[node_of(g_, part.storage)].name).view());
            out.append(" in its order");
        } else if (mine.part_of == whole) {
            out.append("in place elsewhere in it");
        } else if (mine.part_of.exists()) {
            out.append("in place in ");
            out.append(print(g_[node_of(g_, mine.part_of)].name).view());
        } else {
            out.append("remove_cat_ops is off");
        }
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// "cat: all computed in place", "cat_1: copies x (an input), relu (in place in cat)", then the sums. Returns the sums.
template <text_sink Sink> constexpr cat_summary print_cats(graph_view g, plan_view plan, Sink& out) {
    const auto sum = detail::cat_reporter(g, plan).run(out);
    out.append((short_text() << "removed " << sum.removed << " of " << sum.cats << ", in place " << sum.in_place << " ("
                             << sum.in_place_bytes << " bytes), copied " << sum.copied << " (" << sum.copied_bytes
                             << " bytes)\n")
                   .view());
    return sum;
}
/// For a compiled program: `std::string text; print_cats<program>(text);`
template <class Program, text_sink Sink> constexpr cat_summary print_cats(Sink& out) {
    return print_cats(Program::lowered_graph(), Program::plan_view(), out);
}
/// The sums alone: static_assert(cats_of<program>().copied == 0);
template <class Program> constexpr cat_summary cats_of() {
    no_text nowhere;
    return detail::cat_reporter(Program::lowered_graph(), Program::plan_view()).run(nowhere);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_cats;
} // namespace ahead
