// SPDX-License-Identifier: MIT
// Rewrite rules: equations between expressions, written in the words of the handles, as passes.
//     inline constexpr auto bias_into_product =
//         pass::rule<"bias_into_product">([](any<"a"> a, any<"b"> b, any<"c"> c) {
//             return rewrite(add(mm(a, b), c), addmm(c, a, b));
//         }).when([](const match& m) { return m.type("c").rank == 1; });
// `any` stands for whatever argument the call has there, the same one wherever it occurs; arguments not written must be
// the schema's defaults.
// Law: a call in the middle of what is replaced has no other reader; the replacement has the dtype and sizes of what it
// replaces. One sweep in program order: what a rule has made is not offered to it again. All that is replaced is on one
// stream with neither record nor wait between (ir/streams.hpp): where it is not, the rule leaves it, and across_streams
// counts it. Source: torch.fx's replace_pattern, TorchAir's register_replacement.
#pragma once
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/graph_pass.hpp> // before pipeline.hpp: an error names all files that lead to where it is
#include <ahead/pass/pipeline.hpp>
#include <ahead/pass/rewrite/expansion.hpp>

namespace AHEAD_NAMESPACE {

namespace pass {

/// A rule as a pass. `when` adds a condition, a captureless lambda of a match; with several all must hold.
template <fixed_string Name, class F, class... Conditions> struct rule_pass {
    static constexpr fixed_string spelled = Name;
    static constexpr std::string_view name = spelled.view();

    template <class Condition>
        requires std::is_empty_v<Condition>
    constexpr rule_pass<Name, F, Conditions..., Condition> when(Condition) const {
        return {};
    }
    static constexpr bool applies(graph_view g, op_table ops) {
        diagnosis d;
        match found(sides.graph.view(), g, ops, d);
        for (node_id n : g)
            if (holds(found, n, g)) return true;
        return !d.ok(); // the pass itself reports it
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        match found(sides.graph.view(), g.view(), g.operators(), g.faults());
        for (node_id n : g) {
            if (g.ok() && holds(found, n, g.view())) {
                detail::put_in_place(sides.graph.view(), found, sides.right, g);
                found.look_again();
            } else if (!g.ok()) return;
        }
    }

    /// How many calls the left side is found at but across streams, or across a record or wait, so that they stay;
    /// whatever the conditions say.
    static constexpr std::int32_t across_streams(graph_view g, op_table ops) {
        diagnosis d;
        match found(sides.graph.view(), g, ops, d);
        std::int32_t count = 0;
        for (node_id n : g) count += !found.find(sides.left, n) && found.crosses_streams();
        return count;
    }

private:
    static constexpr const auto& sides = ahead::detail::pattern<F>;

    static_assert(sides.graph.view()[sides.left].kind == node_kind::call, "rule: the left side is a call");
    static_assert(ahead::detail::binds_all(sides.graph.view(), sides.left, sides.right),
                  "rule: the left side has every operand of the right");

    static constexpr bool holds(match& found, node_id n, graph_view g) {
        if (!found.find(sides.left, n) || !(Conditions{}(found) && ...)) return false;
        if (sides.graph.view()[sides.right].kind == node_kind::call) return true;
        const auto& operand = *found.bound(sides.right);
        return operand.kind == argument_kind::node && may_be_returned_for(g, n, operand);
    }
};

/// rule<"name">([](any<"a"> a) { return rewrite(relu(relu(a)), relu(a)); })
template <fixed_string Name, class F>
    requires std::is_empty_v<F>
constexpr rule_pass<Name, F> rule(F) {
    return {};
}

} // namespace pass

} // namespace ahead
