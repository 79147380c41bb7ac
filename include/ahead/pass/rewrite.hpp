// SPDX-License-Identifier: MIT
// Rewrite rules: equations between expressions of handles, used as passes.
//     inline constexpr auto bias_into_product =
//         pass::rule<"bias_into_product">([](any<"a"> a, any<"b"> b, any<"c"> c) {
//             return rewrite(add(mm(a, b), c), addmm(c, a, b));
//         }).when([](const match& m) { return m.type("c").rank == 1; });
// A rule for several tensors is rewrite(tensors(...), tensors(...)), where pick<K>(a) is result K of a call of several:
//     pass::rule<"add_rms_norm">([](any<"a"> a, any<"b"> b, any<"gamma"> gamma) {
//         const auto sum = a + b, norm = npu_rms_norm(sum, gamma), both = npu_add_rms_norm(a, b, gamma);
//         return rewrite(tensors(pick<0>(norm), pick<1>(norm), sum), tensors(pick<0>(both), pick<1>(both),
//                                                                            pick<2>(both)));
//     });
// If the right side needs further operands, `with` computes them from the match: a number or a list of numbers,
//     pass::rule<"by_heads">([](any<"q"> q, any<"heads"> heads) { return rewrite(relu(q), my_relu(q, heads)); })
//         .with<"heads">([](const match& m) { return m.type("q").size(1); });
// A tensor of the left side without readers may be missing in the graph. Each tensor of the left side may have other
// readers if they come after the replacement, which is inserted before the first matched call that follows all
// operands; otherwise the rule does not apply. `any` matches any argument of the call at its position, the same one at
// each occurrence; arguments that the rule does not write must have the schema's defaults.
// Law: an inner call of the matched expression has no other reader; each replacement has the dtype and sizes of the
// tensor it replaces. One sweep in program order: calls that a rule made are not offered to it again. All matched calls
// are on one stream with neither record nor wait between (air/stream_map.hpp): otherwise the rule leaves them, and
// across_streams counts them. Source: torch.fx's replace_pattern, TorchAir's register_replacement.
#pragma once
#include <ahead/pass/eliminate_duplicates.hpp>
#include <ahead/pass/graph_pass.hpp> // before pipeline.hpp: an error lists the include chain
#include <ahead/pass/pipeline.hpp>
#include <ahead/pass/rewrite/expansion.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// A condition that always holds: sets the operand Name to the value that F computes from a match.
template <fixed_string Name, class F> struct computed_operand {
    static constexpr fixed_string spelled = Name;
    static constexpr std::string_view name = spelled.view();
    constexpr bool operator()(match& found) const { return found.give(name, F{}(found)); }
};
template <class> inline constexpr std::string_view computed_name{};
template <fixed_string Name, class F>
inline constexpr std::string_view computed_name<computed_operand<Name, F>> = computed_operand<Name, F>::name;

} // namespace detail

/// A rule as a pass. `when` adds a condition, a captureless lambda of a match; all conditions must hold. `with` defines
/// an operand that the left side does not have, also by a lambda of a match, which returns an int64, a double, a bool
/// or an int_list. They are evaluated in the order in which they were added.
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

    /// The number of calls where the left side matches except for streams, records or waits, so that they stay;
    /// conditions are not evaluated.
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
    /// Whether the graph may return the operands in place of the tensors that they replace, and no tensor is returned
    /// twice.
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

} // namespace ahead::pass
