// SPDX-License-Identifier: MIT
// A node of a graph as a type: its operator's struct, the types of its operands and results, its attributes.
//     using product = typed<net>::node<"mm">;
//     static_assert(std::same_as<product::op, aten::mm> && std::same_as<product::result<>, f32<3, 3>>);
//     static_assert(typed<net>::node<"softmax">::attribute<"dim"> == -1);
// Invariant: it agrees with the graph value. Called by users; the graph is the result of trace() or fx<>, or
// compiled<...>::device_graph.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/static_node/attributes.hpp>
#include <ahead/ir/static_node/operands.hpp>
#include <ahead/ir/type/static_type.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

// The type of value number Value of a graph, as dense<...>, strided<...> or packed<...>; void for a value that is not a
// tensor.
template <class Graph, std::int32_t Index, node_kind Kind> struct operator_of {
    using type = void;
};
template <class Graph, std::int32_t Index> struct operator_of<Graph, Index, node_kind::call> {
    using type = op_of<typename Graph::registry, Graph::registry::position_of(Graph::storage.nodes[Index].op)>;
};

template <class Graph, fixed_string Name> struct node_named {
    static constexpr std::int32_t index = [] {
        const graph_view g = Graph::storage.view();
        for (node_id id : g)
            if (print(g[id].name).view() == Name.view()) return id.index;
        return std::int32_t{-1};
    }();
    static constexpr diagnosis error = [] {
        diagnosis d;
        const bool refused_before = Graph::storage.header.live_nodes <= 1;
        if (index >= 0 || refused_before) return d;
        d.op = "typed";
        d.name = Name.view();
        refuse(d, fault::name_is_undefined, "the name of a node of the graph", Name.view());
        return d;
    }();
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Node number Index of a graph's pool. Graph has `storage`, a typed graph, and `registry`, as static constants.
template <class Graph, std::int32_t Index> struct static_node {
    static constexpr const node& value = Graph::storage.nodes[Index];
    static constexpr node_kind kind = value.kind;
    /// For calls, the operator's struct; otherwise void.
    using op = typename detail::operator_of<Graph, Index, kind>::type;
    /// A std::tuple of the types of the tensors read, in the order of the arguments, those in lists included.
    using operands = typename detail::operands_in<Graph, value.arguments.first, value.arguments.count>::types;
    static constexpr std::int32_t result_count = value.values.count;
    /// The type of result K: dense<...> such as f32<2, 3>, strided<...>, or, on the device, packed<...>. Placeholders
    /// have one result.
    template <std::int32_t K = 0>
        requires(K >= 0 && K < result_count)
    using result = detail::value_type<Graph, value.values[K].index>;
    /// For calls, the argument for a parameter of the operator's schema, or its default: std::int64_t, double, bool,
    /// dtype, a std::array of one of these, std::string_view (strings, devices, layouts, memory formats), or none.
    /// Errors: argument_is_unknown.
    template <fixed_string Parameter>
    static constexpr decltype(detail::named_attribute<Graph, Index, Parameter>()) attribute =
        (static_cast<void>(require<detail::parameter_of<Graph, Index, Parameter>>{}),
         detail::named_attribute<Graph, Index, Parameter>());
};

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// A substitute for a name that the graph does not have: reports the error, and has no members of a node.
template <class Graph, fixed_string Name> struct missing_node : require<node_named<Graph, Name>> {
    using op = void;
    using operands = std::tuple<>;
    static constexpr std::int32_t result_count = 0;
    template <std::int32_t K = 0> using result = void;
    template <fixed_string Parameter> static constexpr none attribute{};
};
template <class Graph, fixed_string Name, std::int32_t Index> struct found_node {
    using type = static_node<Graph, Index>;
};
template <class Graph, fixed_string Name> struct found_node<Graph, Name, -1> {
    using type = missing_node<Graph, Name>;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The nodes of a graph as types, except those in blocks.
template <class Graph> struct typed_graph : require<Graph> {
    /// The number of nodes of the graph, without those in blocks.
    static constexpr std::int32_t size = [] {
        std::int32_t count = 0;
        for ([[maybe_unused]] node_id id : Graph::storage.view()) ++count;
        return count;
    }();

private:
    static constexpr auto order = [] {
        std::array<std::int32_t, static_cast<std::size_t>(size)> out{};
        auto at = out.begin();
        for (node_id id : Graph::storage.view()) *at++ = id.index;
        return out;
    }();

public:
    /// The Nth-th node in program order.
    template <std::int32_t Nth> using at = static_node<Graph, order[Nth]>;
    /// The first node that FX prints under this name. Errors: name_is_undefined.
    template <fixed_string Name>
    using node = typename detail::found_node<Graph, Name, detail::node_named<Graph, Name>::index>::type;
};

/// typed<net>, where net is the result object of trace(...) or fx<...>.
template <const auto& Net> using typed = typed_graph<std::remove_cvref_t<decltype(Net)>>;

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::typed;
} // namespace ahead
