// SPDX-License-Identifier: MIT
// The operands and results of a node, as types. Called by ir/static_node.hpp.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/static_type.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

template <class Graph, std::int32_t Value> struct value_holder {
    static constexpr tensor_type type = Graph::storage.values[Value].type;
};
template <class Graph, std::int32_t Value> constexpr auto value_type_of() {
    if constexpr (Graph::storage.values[Value].kind == value_kind::tensor)
        return std::type_identity<exact_type<value_holder<Graph, Value>>>{};
    else return std::type_identity<void>{};
}
template <class Graph, std::int32_t Value> using value_type = typename decltype(value_type_of<Graph, Value>())::type;

template <class Graph, std::int32_t First, std::int32_t Count> struct operands_in {
    static constexpr id_range<argument_id> arguments{First, Count};
    static constexpr std::size_t count = [] {
        std::size_t n = 0;
        for_each_operand(Graph::storage.view(), arguments, [&](const argument&) { ++n; });
        return n;
    }();
    static constexpr std::array<std::int32_t, count> values = [] {
        std::array<std::int32_t, count> out{};
        auto at = out.begin();
        const graph_view g = Graph::storage.view();
        for_each_operand(g, arguments, [&](const argument& a) { *at++ = g[a.node()].values[a.result].index; });
        return out;
    }();
    template <std::size_t... Nth>
    static std::tuple<value_type<Graph, values[Nth]>...> tuple(std::index_sequence<Nth...>);
    using types = decltype(tuple(std::make_index_sequence<count>{}));
};

} // namespace ahead::detail
