// SPDX-License-Identifier: MIT
// What a pass gives a new call: graph_editor::call("aten.add.Tensor", {x, 1, strings({"a", "b"})}).
// Invariant: an argument is a value; lists of strings and of nodes live as long as the expression that makes them.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/infer.hpp>
#include <initializer_list>

namespace AHEAD_NAMESPACE {

/// A list of strings, or of nodes, as one argument of a new call: strings({"a", "b"}), nodes({a, b}).
struct list_argument {
    fixed_buffer<argument> elements;
};
constexpr list_argument strings(std::initializer_list<std::string_view> texts) {
    list_argument out{fixed_buffer<argument>(static_cast<std::int64_t>(texts.size()))};
    std::int32_t count = 0;
    for (auto text : texts) out.elements[count++] = {.kind = argument_kind::string, .text = text};
    return out;
}
constexpr list_argument nodes(std::initializer_list<node_id> list) {
    list_argument out{fixed_buffer<argument>(static_cast<std::int64_t>(list.size()))};
    std::int32_t count = 0;
    for (auto n : list) out.elements[count++] = argument::of(n);
    return out;
}

/// An argument of a new call: a node, a number, a dtype, a list of ints, strings or nodes, or None.
struct call_argument {
    argument value{};
    int_list list{};
    const list_argument* others = nullptr; // a list of others than ints; lives as long as the call

    constexpr call_argument() = default; // None
    constexpr call_argument(node_id n, std::int32_t result = 0) : value(argument::of(n, result)) {}
    constexpr call_argument(int v) : value(argument::of(v)) {}
    constexpr call_argument(std::int64_t v) : value(argument::of(v)) {}
    constexpr call_argument(double v) : value(argument::of(v)) {}
    constexpr call_argument(bool v) : value(argument::of(v)) {}
    constexpr call_argument(dtype v) : value(argument::of(v)) {}
    constexpr call_argument(const int_list& v) : value{.kind = argument_kind::list}, list(v) {}
    constexpr call_argument(const list_argument& v) : value{.kind = argument_kind::list}, others(&v) {}
    constexpr call_argument(const argument& v) : value(v) {} // pre: no list
};

} // namespace ahead
