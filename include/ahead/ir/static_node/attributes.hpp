// SPDX-License-Identifier: MIT
// The attributes of a call, as constants of the corresponding C++ types. Called by ir/static_node.hpp.
// Invariant: a parameter that was not given has its default; a name that the schema does not have is an error.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/static_type.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

/// The schema of a call, and its arguments in the schema's order.
template <class Graph, std::int32_t Index> struct bound_call {
    static constexpr const node& call = Graph::storage.nodes[Index];
    static constexpr const op_row& row = Graph::registry::table[static_cast<std::size_t>(call.op.index)];
    static constexpr bound_arguments arguments = [] {
        bound_arguments out;
        diagnosis d;
        bind_arguments(Graph::storage.view(), {Index}, row, out, d);
        return out;
    }();
};

/// The elements of a list whose elements have one kind.
template <class Graph, class T, std::int32_t First, std::int32_t Count> constexpr std::array<T, Count> elements_of() {
    std::array<T, Count> out{};
    for (std::int32_t i = 0; i < Count; ++i) {
        const auto& a = Graph::storage.arguments[static_cast<std::size_t>(First + i)];
        out[static_cast<std::size_t>(i)] =
            a.kind == argument_kind::real ? static_cast<T>(a.real()) : static_cast<T>(a.bits);
    }
    return out;
}

template <class Graph, std::int32_t Index, std::int32_t Slot> constexpr auto attribute_of() {
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

/// The index of a parameter in the schema of a call.
template <class Graph, std::int32_t Index, fixed_string Name> struct parameter_of {
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
template <class Graph, std::int32_t Index, fixed_string Name> constexpr auto named_attribute() {
    using parameter = parameter_of<Graph, Index, Name>;
    if constexpr (parameter::slot < 0) return none{};
    else return attribute_of<Graph, Index, parameter::slot>();
}

} // namespace ahead::detail
