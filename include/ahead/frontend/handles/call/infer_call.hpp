// SPDX-License-Identifier: MIT
// Runs an operator's type rule for arguments of given types, on a graph of one call.
// Invariant: equal operator and argument types give equal results; values of tensors and of the program's numbers are
// not read. Called by results.hpp.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/frontend/handles/call_arguments.hpp>

namespace AHEAD_NAMESPACE::detail {

template <std::size_t Room> struct outcome {
    fault what = fault::none;
    std::int32_t count = 0;
    bool has_streams = false; // as in graph_header
    std::array<result_facts, Room> results{};
};

/// Runs the operator's type rule on a graph of one call, whose tensors are nodes 0, 1, 2, ... with the types `types`:
/// passed as values, because g++ 12 with -fsanitize=undefined does not treat a read through a pointer to a static
/// constant as a constant expression.
template <std::size_t Tensors, std::size_t Arguments, std::size_t Room>
constexpr outcome<Room> infer_call(const op_row& row, const tensor_type* types,
                                   const std::array<argument, Arguments>& arguments, std::int32_t count, diagnosis& d) {
    graph_storage<capacity{Tensors + 1, Arguments, Tensors + Room}> storage;
    auto g = storage.edit();
    outcome<Room> out;
    for (std::size_t i = 0; i < Tensors; ++i) {
        const auto n = static_cast<std::int32_t>(i);
        storage.nodes[i].values = {n, 1};
        storage.values[i] = {value_kind::tensor, types[i], {n}};
    }
    storage.header.used = {Tensors + 1, Arguments, Tensors};
    const node_id call{Tensors};
    storage.arguments = arguments;
    std::int32_t tensor = 0; // in the order given, list elements in place of their list
    const auto number = [&](argument& a) {
        if (a.kind == argument_kind::node) a.bits = tensor++;
    };
    for (std::int32_t i = 0; i < count; ++i) {
        auto& a = storage.arguments[static_cast<std::size_t>(i)];
        number(a);
        for (std::int32_t k = 0; k < a.children.count; ++k)
            number(storage.arguments[static_cast<std::size_t>(a.children.first + k)]);
    }
    auto& n = g[call];
    n.target = row.name;
    n.op = {0};
    n.arguments = {0, count};
    const bool mutates = row.effect.mutates >= 0;
    if (mutates) refuse(d, fault::in_place_needs_alias_analysis, "the functional operator", row.name);
    if (mutates || !infer_node(g, {&row, 1}, call, d)) {
        out.what = d.what;
        return out;
    }
    out.count = n.values.count;
    out.has_streams = storage.header.has_streams;
    for (std::int32_t k = 0; k < out.count; ++k) {
        const auto& v = g[n.values[k]];
        const bool shares = v.storage.index < static_cast<std::int32_t>(Tensors);
        out.results[static_cast<std::size_t>(k)] = {v.kind, v.type, shares ? v.storage.index : -1, 0};
    }
    return out;
}

template <class T> constexpr void add_types(tensor_type*& out, const T*) {
    if constexpr (tensors_in<T> == 1) *out++ = type_in<T>;
}
template <class... Types> constexpr void add_types(tensor_type*& out, const tensors<Types...>*) {
    ((*out++ = Types::type), ...);
}
template <fixed_string Name, class... Types>
constexpr void add_types(tensor_type*& out, const keyword<Name, tensors<Types...>>*) {
    ((*out++ = Types::type), ...);
}

/// An argument of the type, if its value does not matter.
template <class T> struct stand_in_of {
    using type = T;
};
template <std::derived_from<ops::any_handle> T> struct stand_in_of<T> {
    using type = ops::any_handle;
};
template <fixed_string Name, class T> struct stand_in_of<keyword<Name, T>> {
    using type = keyword<Name, typename stand_in_of<T>::type>;
};
template <class T> constexpr auto stand_in() { return typename stand_in_of<T>::type{}; }

template <std::size_t Room, class Op, class... Args> constexpr outcome<Room> outcome_of(diagnosis& d) {
    if (!d.ok())
        return {}; // must come first: g++ -O2 also tries to evaluate the call as a constant, and fails when it reads a
                   // variable of the caller
    std::array<argument, slots_of<Args...>> arguments{};
    [[maybe_unused]] argument_writer writer{arguments.data(), sizeof...(Args)};
    (writer.add(stand_in<Args>()), ...);
    constexpr std::size_t count = (tensors_in<Args> + ... + 0);
    tensor_type types[count + 1]; // an operator may take none
    [[maybe_unused]] auto* at = types;
    (add_types(at, static_cast<const Args*>(nullptr)), ...);
    return infer_call<count, slots_of<Args...>, Room>(row_of<Op>(), types, arguments, sizeof...(Args), d);
}

template <std::size_t Room, class Op, class... Args> constexpr outcome<Room> outcome_of() {
    diagnosis d;
    return outcome_of<Room, Op, Args...>(d);
}

template <class Op, class... Args> struct refusal_of {
    static constexpr diagnosis error = [] {
        diagnosis d;
        outcome_of<256, Op, Args...>(d);
        return d;
    }();
};

} // namespace ahead::detail
