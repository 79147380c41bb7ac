// SPDX-License-Identifier: MIT
// Decompositions written as expressions of handles: a lambda whose operands are named as the operator's parameters, and
// which returns the expression that replaces the call, or outputs(...) if the operator has several results.
//     struct my_softplus {
//         using op = my::softplus;
//         static constexpr auto decomposition = [](any<"self"> x, any<"beta"> beta) {
//             return div(log1p(exp(mul(x, beta))), beta);
//         };
//     };
// Law: an argument that the lambda does not name has the schema's default, or the call stays. Used by
// convert/extension.hpp.
#pragma once
#include <ahead/pass/decompose.hpp>
#include <ahead/pass/rewrite.hpp>

namespace AHEAD_NAMESPACE::detail {

template <capacity Capacity> struct expression_storage {
    graph_storage<Capacity> graph;
    node_id results[decompose_context::most_results];
    std::int32_t count = 0;
};
template <class F, class List> struct expression_of;
template <class F, class... P> struct expression_of<F, parameter_list<P...>> {
    static_assert((is_pattern<P> && ...), "decomposition: the lambda's parameters are any<...>");
    static constexpr auto run(recorder& trace) { return std::apply(F{}, std::tuple<P...>{bind<P>(trace)...}); }
    static constexpr auto record() {
        constexpr capacity size = count_trace<expression_of>();
        expression_storage<size> out;
        std::array<node_names::slot, slots_for(size)> slots;
        node_names names(slots);
        const auto g = out.graph.edit();
        recorder writer(g, names);
        const auto result = run(writer);
        if constexpr (is_outputs<std::remove_const_t<decltype(result)>>) {
            const auto returned = g.argument_of(g[g.last()], 0).children;
            for (; out.count < returned.count; ++out.count) out.results[out.count] = g[returned[out.count]].node();
        } else {
            out.results[out.count++] = result.node;
        }
        return out;
    }
    /// Whether every operand is a parameter, and every parameter without a default is an operand.
    static constexpr bool names_parameters(array_view<const parameter> schema) {
        const auto is_parameter = [&](std::string_view name) {
            for (const auto& p : schema)
                if (same_name(p.name, name)) return true;
            return false;
        };
        if (!(is_parameter(P::name.view()) && ...)) return false;
        for (const auto& p : schema)
            if (!p.has_default && !(same_name(p.name, P::name.view()) || ...)) return false;
        return true;
    }
    static constexpr bool names(std::string_view parameter) { return (same_name(parameter, P::name.view()) || ...); }
};

constexpr bool is_default(const argument& given, const argument& value) {
    if (is_number(given.kind) && is_number(value.kind))
        return basic_call<false>::to_real(given) == basic_call<false>::to_real(value);
    return given.kind == value.kind && given.bits == value.bits && given.children.count == 0 &&
           same_name(given.text, value.text);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// D with its lambda as a function of the call.
template <class D> struct written_decomposition {
    using op = typename D::op;

private:
    using lambda = std::remove_const_t<decltype(D::decomposition)>;
    using expression =
        ahead::detail::expression_of<lambda, decltype(ahead::detail::parameters_of(&lambda::operator()))>;
    static constexpr auto recorded = expression::record();
    static constexpr graph_view pattern() { return recorded.graph.view(); }
    static_assert(expression::names_parameters(op::schema),
                  "decomposition: the operands are named as the operator's parameters, and all of these "
                  "without a default are among them");

public:
    static constexpr std::int32_t most_calls = recorded.graph.header.used.nodes;

    static constexpr bool when(const call_view& call) {
        const array_view<const parameter> schema(op::schema);
        for (std::size_t i = 0; i < schema.size(); ++i)
            if (!expression::names(schema[i].name) &&
                !ahead::detail::is_default(call.at(static_cast<int>(i)), schema[i].value.get()))
                return false;
        if constexpr (requires { D::when(call); }) return D::when(call);
        else return true;
    }
    static constexpr void decompose(decompose_context& c) {
        fixed_buffer<const argument*> bound(most_calls);
        const array_view<const parameter> schema(op::schema);
        for (node_id p : pattern())
            for (std::size_t i = 0; i < schema.size(); ++i)
                if (pattern()[p].kind == node_kind::placeholder && same_name(pattern()[p].target, schema[i].name))
                    bound[p.index] = &c.aten.at(static_cast<int>(i));
        pass::detail::expansion made(pattern(), bound.all(), c.editor());
        for (std::int32_t k = 0; k < recorded.count; ++k)
            if (argument result; made.make(recorded.results[k], result)) c.bind_result(result, k);
    }
};

} // namespace ahead::pass
