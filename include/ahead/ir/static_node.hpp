// SPDX-License-Identifier: MIT
// Any node of a graph as a type: its operator's struct, the types of its operands and results, its attributes.
//     using product = typed<net>::node<"mm">;
//     static_assert(std::same_as<product::op, aten::mm> && std::same_as<product::result<>, f32<3, 3>>);
//     static_assert(typed<net>::node<"softmax">::attribute<"dim"> == -1);
// Invariant: it says what the graph's value says. Called by users; the graph is what trace() and fx<> give, or
// compiled<...>::device_graph.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/static_type.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE {

namespace detail {

// Value number Value of a graph, as dense<...>, strided<...> or packed<...>; void for what is no tensor.
template <class Graph, std::int32_t Value>
struct value_holder {
    static constexpr tensor_type type = Graph::storage.values[Value].type;
};
template <class Graph, std::int32_t Value>
constexpr auto value_type_of() {
    if constexpr (Graph::storage.values[Value].kind == value_kind::tensor)
        return std::type_identity<exact_type<value_holder<Graph, Value>>>{};
    else return std::type_identity<void>{};
}
template <class Graph, std::int32_t Value>
using value_type = typename decltype(value_type_of<Graph, Value>())::type;

/// Calls f(value) for what the arguments read, in their order, those in lists included.
template <class F>
constexpr void for_each_operand(graph_view g, id_range<argument_id> arguments, F f) {
    for (std::int32_t i = 0; i < arguments.count; ++i) {
        const auto& a = g[arguments[i]];
        if (a.kind == argument_kind::node) f(g[a.node()].values[a.result].index);
        else for_each_operand(g, a.children, f);
    }
}
template <class Graph, std::int32_t First, std::int32_t Count>
struct operands_in {
    static constexpr id_range<argument_id> arguments{First, Count};
    static constexpr std::size_t count = [] {
        std::size_t n = 0;
        for_each_operand(Graph::storage.view(), arguments, [&](std::int32_t) { ++n; });
        return n;
    }();
    static constexpr std::array<std::int32_t, count> values = [] {
        std::array<std::int32_t, count> out{};
        auto at = out.begin();
        for_each_operand(Graph::storage.view(), arguments, [&](std::int32_t value) { *at++ = value; });
        return out;
    }();
    template <std::size_t... I>
    static std::tuple<value_type<Graph, values[I]>...> tuple(std::index_sequence<I...>);
    using types = decltype(tuple(std::make_index_sequence<count>{}));
};

/// The schema of a call, and its arguments in the schema's order.
template <class Graph, std::int32_t Index>
struct bound_call {
    static constexpr const node& call = Graph::storage.nodes[Index];
    static constexpr const op_row& row = Graph::registry::table[static_cast<std::size_t>(call.op.index)];
    static constexpr bound_arguments arguments = [] {
        bound_arguments out;
        diagnosis d;
        bind_arguments(Graph::storage.view(), {Index}, row, out, d);
        return out;
    }();
};

/// A list's elements, all of one kind.
template <class Graph, class T, std::int32_t First, std::int32_t Count>
constexpr std::array<T, Count> elements_of() {
    std::array<T, Count> out{};
    for (std::int32_t i = 0; i < Count; ++i) {
        const auto& a = Graph::storage.arguments[static_cast<std::size_t>(First + i)];
        out[static_cast<std::size_t>(i)] =
            a.kind == argument_kind::real ? static_cast<T>(a.real()) : static_cast<T>(a.bits);
    }
    return out;
}

template <class Graph, std::int32_t Index, std::int32_t Slot>
constexpr auto attribute_of() {
    using call = bound_call<Graph, Index>;
    constexpr const argument& a = *call::arguments.at[Slot];
    constexpr auto kind = call::row.schema[Slot].kind;
    constexpr bool is_list = is_ints(kind);
    constexpr bool is_real = kind == parameter_kind::real || kind == parameter_kind::optional_real;
    if constexpr (a.kind == argument_kind::none) {
        return none{};
    } else if constexpr (a.kind == argument_kind::list || a.kind == argument_kind::tuple) {
        constexpr auto list = a.children;
        if constexpr (kind == parameter_kind::real_list) return elements_of<Graph, double, list.first, list.count>();
        else if constexpr (kind == parameter_kind::boolean_list)
            return elements_of<Graph, bool, list.first, list.count>();
        else return elements_of<Graph, std::int64_t, list.first, list.count>();
    } else if constexpr (a.kind == argument_kind::boolean) {
        return a.boolean();
    } else if constexpr (a.kind == argument_kind::integer) {
        if constexpr (is_list) return std::array{a.integer()};
        else if constexpr (is_real) return static_cast<double>(a.integer());
        else return a.integer();
    } else if constexpr (a.kind == argument_kind::real) {
        return a.real();
    } else if constexpr (a.kind == argument_kind::dtype) {
        return a.type();
    } else {
        return a.text;
    }
}

/// The place of a parameter in the schema of a call.
template <class Graph, std::int32_t Index, fixed_string Name>
struct parameter_of {
    static constexpr auto schema = bound_call<Graph, Index>::row.schema;
    static constexpr std::int32_t slot = [] {
        for (std::size_t i = 0; i < schema.size(); ++i)
            if (schema[i].name == Name.view()) return static_cast<std::int32_t>(i);
        return std::int32_t{-1};
    }();
    static constexpr diagnosis error = [] {
        diagnosis d;
        if (slot >= 0) return d;
        d.op = bound_call<Graph, Index>::row.name;
        d.name = print(bound_call<Graph, Index>::call.name);
        short_text all;
        for (const auto& p : schema) all << (all.length ? ", " : "") << p.name;
        refuse(d, fault::argument_is_unknown, all, Name.view());
        return d;
    }();
};
template <class Graph, std::int32_t Index, fixed_string Name>
constexpr auto named_attribute() {
    using parameter = parameter_of<Graph, Index, Name>;
    if constexpr (parameter::slot < 0) return none{};
    else return attribute_of<Graph, Index, parameter::slot>();
}

template <class Graph, std::int32_t Index, node_kind Kind>
struct operator_of {
    using type = void;
};
template <class Graph, std::int32_t Index>
struct operator_of<Graph, Index, node_kind::call> {
    using type = typename Graph::registry::template at<Graph::registry::position_of(Graph::storage.nodes[Index].op)>;
};

template <class Graph, fixed_string Name>
struct node_named {
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

} // namespace detail

/// Node number Index of a graph's pool. Graph has `storage`, a typed graph, and `registry`, as static constants.
template <class Graph, std::int32_t Index>
struct static_node {
    static constexpr const node& value = Graph::storage.nodes[Index];
    static constexpr node_kind kind = value.kind;
    /// Calls: the operator's struct; otherwise void.
    using op = typename detail::operator_of<Graph, Index, kind>::type;
    /// A std::tuple of the types of the tensors read, in the order of the arguments, those in lists included.
    using operands = typename detail::operands_in<Graph, value.arguments.first, value.arguments.count>::types;
    static constexpr std::int32_t result_count = value.values.count;
    /// The type of result K: dense<...> as f32<2, 3>, strided<...>, or, on the device, packed<...>. Placeholders have
    /// one result.
    template <std::int32_t K = 0>
        requires(K >= 0 && K < result_count)
    using result = detail::value_type<Graph, value.values[K].index>;
    /// Calls: what is given for a parameter of the operator's schema, or its default: std::int64_t, double, bool,
    /// dtype, a std::array of one of these, std::string_view (strings, devices, layouts, memory formats), or none.
    /// Errors: argument_is_unknown.
    template <fixed_string Parameter>
    static constexpr decltype(detail::named_attribute<Graph, Index, Parameter>()) attribute =
        (static_cast<void>(require<detail::parameter_of<Graph, Index, Parameter>>{}),
         detail::named_attribute<Graph, Index, Parameter>());
};

namespace detail {
/// What a name that the graph does not have stands for: the error, then nothing.
template <class Graph, fixed_string Name>
struct missing_node : require<node_named<Graph, Name>> {
    using op = void;
    using operands = std::tuple<>;
    static constexpr std::int32_t result_count = 0;
    template <std::int32_t K = 0>
    using result = void;
    template <fixed_string Parameter>
    static constexpr none attribute{};
};
template <class Graph, fixed_string Name, std::int32_t Index>
struct found_node {
    using type = static_node<Graph, Index>;
};
template <class Graph, fixed_string Name>
struct found_node<Graph, Name, -1> {
    using type = missing_node<Graph, Name>;
};
} // namespace detail

/// The nodes of a graph as types.
template <class Graph>
struct typed_graph : require<Graph> {
    static constexpr std::int32_t size = Graph::storage.header.live_nodes;

private:
    static constexpr auto order = [] {
        std::array<std::int32_t, static_cast<std::size_t>(size)> out{};
        auto at = out.begin();
        for (node_id id : Graph::storage.view()) *at++ = id.index;
        return out;
    }();

public:
    /// The I-th node in program order.
    template <std::int32_t I>
    using at = static_node<Graph, order[I]>;
    /// The first node that FX prints under this name. Errors: name_is_undefined.
    template <fixed_string Name>
    using node = typename detail::found_node<Graph, Name, detail::node_named<Graph, Name>::index>::type;
};

/// typed<net>, where net is the object that trace(...) or fx<...> is.
template <const auto& Net>
using typed = typed_graph<std::remove_cvref_t<decltype(Net)>>;

} // namespace ahead
