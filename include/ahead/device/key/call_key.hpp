// SPDX-License-Identifier: MIT
// A call without its graph: the AI CPU reads it at run time instead of the program's graph. Attributes in the schema's
// order, and the types of its tensors.
// Invariant: in a graph of its own, the call gives a type rule or a meaning the same information as in the graph that
// it was taken from, except for names and source lines.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// An argument, or an entry of one that is a list.
struct call_part {
    argument_kind kind = argument_kind::none;
    std::int64_t bits = 0;               // as argument's; of a tensor: the operand's number
    std::string_view text{};             // as argument's
    std::int32_t first = 0, entries = 0; // list, tuple, slice: index of its first entry, and their number
    friend constexpr bool operator==(const call_part&, const call_part&) = default;
};
AHEAD_FIELDS(call_part, kind, bits, text, first, entries)

/// How much a call consists of.
struct call_size {
    std::int32_t arguments = 0; // and entries of lists
    std::int32_t operands = 0, results = 0;
    friend constexpr bool operator==(const call_size&, const call_size&) = default;
};
constexpr call_size size_of_call(graph_view g, node_id id, std::size_t parameters, const bound_arguments& bound) {
    call_size out{static_cast<std::int32_t>(parameters), 0, g[id].values.count};
    for (std::size_t i = 0; i < parameters; ++i) out.arguments += bound.at[i]->children.count;
    for_each_operand(g, g[id].arguments, [&](const argument&) { ++out.operands; });
    return out;
}

template <call_size Size> struct call_key {
    std::array<call_part, static_cast<std::size_t>(Size.arguments)> arguments{};
    std::array<tensor_type, static_cast<std::size_t>(Size.operands)> operands{}; // in the order of the ports
    std::array<tensor_type, static_cast<std::size_t>(Size.results)> results{};
    friend constexpr bool operator==(const call_key&, const call_key&) = default;
};
/// f(name, value, default) for each field.
template <call_size Size> constexpr void fields(const call_key<Size>& k, const call_key<Size>& usual, auto f) {
    f("arguments", k.arguments, usual.arguments);
    f("operands", k.operands, usual.operands);
    f("results", k.results, usual.results);
}

/// Writes the call `id` of g, whose operator has `parameters` parameters, to a key, or to any type with the same
/// arrays. pre: typed
constexpr void take_call(graph_view g, node_id id, std::size_t parameters, const bound_arguments& bound, auto& out) {
    auto made = static_cast<std::int32_t>(parameters);
    const auto entry = [&](const argument& a) {
        call_part own{a.kind, a.bits, a.text, 0, 0};
        if (a.kind != argument_kind::node) return own;
        own.bits = 0;
        bool found = false;
        for_each_operand(g, g[id].arguments, [&](const argument& operand) {
            found = found || &operand == &a;
            own.bits += !found;
        });
        out.operands[static_cast<std::size_t>(own.bits)] = g.value_of(a).type;
        return own;
    };
    for (std::size_t i = 0; i < parameters; ++i) {
        const auto& a = *bound.at[i];
        auto& own = out.arguments[i] = entry(a);
        if (a.children.count == 0) continue;
        own.first = made;
        own.entries = a.children.count;
        for (std::int32_t k = 0; k < a.children.count; ++k)
            out.arguments[static_cast<std::size_t>(made++)] = entry(g[a.children[k]]);
    }
    for (std::int32_t k = 0; k < g[id].values.count; ++k)
        out.results[static_cast<std::size_t>(k)] = g.value_of(id, k).type;
}
/// The same, returned as a key. pre: `Size` is its size
template <call_size Size>
constexpr call_key<Size> call_key_of(graph_view g, node_id id, std::size_t parameters, const bound_arguments& bound) {
    call_key<Size> out;
    take_call(g, id, parameters, bound, out);
    return out;
}

/// A graph with only this call: its operands are placeholders with the same numbers, and the call follows them.
template <call_size Size> struct own_graph {
    graph_storage<capacity{Size.operands + 1, Size.arguments, Size.operands + Size.results}> storage;
    static constexpr node_id call{Size.operands};

    constexpr explicit own_graph(const call_key<Size>& key, std::string_view target) {
        auto& header = storage.header;
        header = {{Size.operands + 1, Size.arguments, Size.operands + Size.results}, {0}, call, Size.operands + 1};
        for (std::int32_t i = 0; i <= Size.operands; ++i) {
            auto& n = storage.nodes[static_cast<std::size_t>(i)];
            n.kind = i < Size.operands ? node_kind::placeholder : node_kind::call;
            n.values = {i, i < Size.operands ? 1 : Size.results};
            n.previous = {i - 1};
            n.next = {i < Size.operands ? i + 1 : -1};
        }
        auto& n = storage.nodes[static_cast<std::size_t>(Size.operands)];
        n.target = target;
        std::int32_t values = 0;
        for (const auto& type : key.operands) add(values, type);
        for (const auto& type : key.results) add(values, type);
        for (std::size_t i = 0; i < key.arguments.size(); ++i) {
            const auto& a = key.arguments[i];
            auto& own = storage.arguments[i];
            own = {.kind = a.kind, .bits = a.bits, .text = a.text, .owner = call};
            if (a.entries != 0) own.children = {a.first, a.entries};
        }
    }
    /// `parameters`: the operator's schema.
    constexpr bound_arguments bind(array_view<const parameter> schema) const {
        bound_arguments out;
        out.schema = schema.data();
        for (std::size_t i = 0; i < schema.size(); ++i) out.at[i] = &storage.arguments[i];
        return out;
    }

private:
    constexpr void add(std::int32_t& count, const tensor_type& type) {
        storage.values[static_cast<std::size_t>(count)] = {value_kind::tensor, type, {count}};
        ++count;
    }
};

} // namespace ahead::device
