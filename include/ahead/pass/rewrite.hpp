// SPDX-License-Identifier: MIT
// Rewrite rules: equations between expressions, written in the words of the handles, as passes.
//     inline constexpr auto bias_into_product =
//         pass::rule<"bias_into_product">([](any<"a"> a, any<"b"> b, any<"c"> c) {
//             return rewrite(add(mm(a, b), c), addmm(c, a, b));
//         }).when([](const match& m) { return m.type("c").rank == 1; });
// Several tensors at once are rewrite(tensors(...), tensors(...)), where pick<K>(a) is result K of a call of several:
//     pass::rule<"add_rms_norm">([](any<"a"> a, any<"b"> b, any<"gamma"> gamma) {
//         const auto sum = a + b, norm = npu_rms_norm(sum, gamma), both = npu_add_rms_norm(a, b, gamma);
//         return rewrite(tensors(pick<0>(norm), pick<1>(norm), sum), tensors(pick<0>(both), pick<1>(both),
//                                                                            pick<2>(both)));
//     });
// What the right side needs beside its operands is computed from what was found: a number or a list of them,
//     pass::rule<"by_heads">([](any<"q"> q, any<"heads"> heads) { return rewrite(relu(q), my_relu(q, heads)); })
//         .with<"heads">([](const match& m) { return m.type("q").size(1); });
// Those that nobody reads need not be there. Each may be read by others, too, behind where the replacement goes: before
// the first of the calls that stands behind all operands; else the rule leaves all as it is.
// `any` stands for whatever argument the call has there, the same one wherever it occurs; arguments not written must be
// the schema's defaults.
// Law: a call in the middle of what is replaced has no other reader; each replacement has the dtype and sizes of what
// it replaces. One sweep in program order: what a rule has made is not offered to it again. All that is replaced is on
// one stream with neither record nor wait between (air/stream_map.hpp): where it is not, the rule leaves it, and
// across_streams counts it. Source: torch.fx's replace_pattern, TorchAir's register_replacement.
#pragma once
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/graph_pass.hpp> // before pipeline.hpp: an error names all files that lead to where it is
#include <ahead/pass/pipeline.hpp>
#include <ahead/pass/rewrite/expansion.hpp>

namespace AHEAD_NAMESPACE {

namespace pass {

namespace detail {

/// A condition that always holds: gives the operand Name what F says of a match.
template <fixed_string Name, class F> struct computed_operand {
    static constexpr fixed_string spelled = Name;
    static constexpr std::string_view name = spelled.view();
    constexpr bool operator()(match& found) const { return found.give(name, F{}(found)); }
};
template <class> inline constexpr std::string_view computed_name{};
template <fixed_string Name, class F>
inline constexpr std::string_view computed_name<computed_operand<Name, F>> = computed_operand<Name, F>::name;

} // namespace detail

/// A rule as a pass. `when` adds a condition, a captureless lambda of a match; with several all must hold. `with` says
/// what an operand is that the left side does not have, a lambda of a match, too, that gives an int64, a double, a bool
/// or an int_list. They are asked in their order.
template <fixed_string Name, class F, class... Conditions> struct rule_pass {
    static constexpr fixed_string spelled = Name;
    static constexpr std::string_view name = spelled.view();

    template <class Condition>
        requires std::is_empty_v<Condition>
    constexpr rule_pass<Name, F, Conditions..., Condition> when(Condition) const {
        return {};
    }
    template <fixed_string Operand, class Value>
        requires std::is_empty_v<Value>
    constexpr rule_pass<Name, F, Conditions..., detail::computed_operand<Operand, Value>> with(Value) const {
        return {};
    }
    static constexpr bool applies(graph_view g, op_table ops) {
        diagnosis d;
        match found(pattern.graph.view(), pattern.sides.left, g, ops, d);
        for (node_id n : g)
            if (holds(found, n, g)) return true;
        return !d.ok(); // the pass itself reports it
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        match found(pattern.graph.view(), pattern.sides.left, g.view(), g.operators(), g.faults());
        for (node_id n : g) {
            if (g.ok() && holds(found, n, g.view())) {
                detail::put_in_place(pattern.graph.view(), found, pattern.sides, g);
                found.look_again();
            } else if (!g.ok()) return;
        }
    }

    /// How many calls the left side is found at but across streams, or across a record or wait, so that they stay;
    /// whatever the conditions say.
    static constexpr std::int32_t across_streams(graph_view g, op_table ops) {
        diagnosis d;
        match found(pattern.graph.view(), pattern.sides.left, g, ops, d);
        std::int32_t count = 0;
        for (node_id n : g) count += !found.find(n) && found.crosses_streams();
        return count;
    }

private:
    static constexpr const auto& pattern = ahead::detail::pattern<F>;

    static constexpr bool binds_all() {
        const std::string_view computed[] = {std::string_view(), detail::computed_name<Conditions>...};
        return ahead::detail::binds_all(pattern.graph.view(), pattern.sides.left, pattern.sides.right, computed);
    }
    static constexpr bool holds(match& found, node_id n, graph_view g) {
        static_assert(ahead::detail::are_calls(pattern.graph.view(), pattern.sides.left),
                      "rule: the left side is a call");
        static_assert(binds_all(), "rule: the left side has every operand of the right, or `with` says what it is");
        return found.find(n) && (Conditions{}(found) && ...) && may_be_returned(found, g);
    }
    /// Whether an operand may stand where the graph returns what it replaces, and no tensor is returned twice.
    static constexpr bool may_be_returned(const match& found, graph_view g) {
        const auto &left = pattern.sides.left, &right = pattern.sides.right;
        for (std::size_t k = 0; k < left.size(); ++k) {
            const auto n = found.found(left[k]);
            if (!n.exists()) continue;
            if (pattern.graph.view()[right[k]].kind != node_kind::call) {
                const auto& operand = *found.bound(right[k]);
                if (operand.kind != argument_kind::node || !may_be_returned_for(g, n, operand)) return false;
            }
            for (std::size_t i = 0; i < k; ++i)
                if (const auto other = found.found(left[i]);
                    right[i] == right[k] && other.exists() && is_returned(g, n) && is_returned(g, other))
                    return false;
        }
        return true;
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
