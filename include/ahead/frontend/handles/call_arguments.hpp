// SPDX-License-Identifier: MIT
// The arguments of a typed call: properties that follow from their types, and their conversion to graph arguments.
// Invariant: the number of arguments and list elements written equals slots_of. Called by frontend/handles/call.hpp and
// differential/case_arguments.hpp.
#pragma once
#include <ahead/frontend/handles/record.hpp>
#include <ahead/frontend/handles/tensor.hpp>
#include <concepts>

namespace AHEAD_NAMESPACE::frontend {

/// A list of tensors as one argument.
template <class... Types> struct tensors : ops::any_handles {
    std::array<ops::any_handle, sizeof...(Types)> handles{};
    constexpr tensors() = default;
    constexpr tensors(const handle<Types>&... list) : handles{list...} {}
};
template <> struct tensors<> : ops::any_handles {
    std::array<ops::any_handle, 0> handles{};
};

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

// Properties of an argument's type: the numbers of tensors and list elements, and whether it is known.
template <class T> inline constexpr std::int32_t tensors_in = 0;
template <class T> inline constexpr std::int32_t elements_in = 0;
template <class T> inline constexpr bool is_unknown = false;
/// The tensor's type, if the argument is one tensor.
template <class T> inline constexpr tensor_type type_in{};

template <std::int64_t... Values> inline constexpr std::int32_t elements_in<ints<Values...>> = sizeof...(Values);
template <bool... Values> inline constexpr std::int32_t elements_in<flags<Values...>> = sizeof...(Values);
template <fixed_string... Texts> inline constexpr std::int32_t elements_in<words<Texts...>> = sizeof...(Texts);
template <class Type> inline constexpr std::int32_t tensors_in<handle<Type>> = 1;
template <class Type> inline constexpr const tensor_type& type_in<handle<Type>> = Type::type;
template <> inline constexpr bool is_unknown<handle<unknown>> = true;
template <class... Types> inline constexpr std::int32_t tensors_in<tensors<Types...>> = sizeof...(Types);
template <class... Types> inline constexpr std::int32_t elements_in<tensors<Types...>> = sizeof...(Types);
template <class... Types> inline constexpr bool is_unknown<tensors<Types...>> = (std::same_as<Types, unknown> || ...);
template <fixed_string Name, class T> inline constexpr std::int32_t elements_in<keyword<Name, T>> = elements_in<T>;
template <fixed_string Name, class T> inline constexpr std::int32_t tensors_in<keyword<Name, T>> = tensors_in<T>;
template <fixed_string Name, class T> inline constexpr const tensor_type& type_in<keyword<Name, T>> = type_in<T>;
template <fixed_string Name, class T> inline constexpr bool is_unknown<keyword<Name, T>> = is_unknown<T>;
/// Whether it belongs to a rewrite rule.
template <class T> inline constexpr bool is_pattern = false;
template <> inline constexpr bool is_pattern<handle<anything>> = true;
template <fixed_string Name> inline constexpr bool is_pattern<input<Name, anything>> = true;
template <class... Types> inline constexpr bool is_pattern<tensors<Types...>> = (std::same_as<Types, anything> || ...);
template <fixed_string Name, class T> inline constexpr bool is_pattern<keyword<Name, T>> = is_pattern<T>;
template <class T> inline constexpr bool is_list_of_tensors = false;
template <fixed_string Name, class T>
inline constexpr bool is_list_of_tensors<keyword<Name, T>> = is_list_of_tensors<T>;
template <class... Types> inline constexpr bool is_list_of_tensors<tensors<Types...>> = true;
template <fixed_string Name, class Type> inline constexpr std::int32_t tensors_in<input<Name, Type>> = 1;
template <fixed_string Name, class Type> inline constexpr const tensor_type& type_in<input<Name, Type>> = Type::type;
template <fixed_string Name, class Type, input_role Role>
inline constexpr std::int32_t tensors_in<param<Name, Type, Role>> = 1;
template <fixed_string Name, class Type, input_role Role>
inline constexpr const tensor_type& type_in<param<Name, Type, Role>> = Type::type;

inline void number_is_above_int64() {
} // not a constant expression: the compiler names it if a trace passes such a number

/// Writes arguments in the layout of recorder::call: all of them, then the elements of their lists. `out` holds Nones
/// before.
struct argument_writer {
    argument* out;
    std::int32_t next_element; // starts as the number of arguments
    std::int32_t next = 0;

    constexpr void put(const argument& a) { out[next++] = a; }
    static constexpr void refer(argument& a, const ops::any_handle& h) {
        a.kind = argument_kind::node;
        a.bits = h.node.index;
    }
    constexpr void add(const ops::any_handle& h) { refer(out[next++], h); }
    constexpr void add(bool v) { put(argument::of(v)); }
    template <std::integral T> constexpr void add(T v) {
        const auto value = static_cast<std::int64_t>(v);
        if (std::unsigned_integral<T> && value < 0) number_is_above_int64();
        put(argument::of(value));
    }
    template <std::floating_point T> constexpr void add(T v) { put(argument::of(static_cast<double>(v))); }
    constexpr void add(none) { put({}); }
    template <std::int64_t Value> constexpr void add(integer<Value>) { put(argument::of(Value)); }
    template <bool Value> constexpr void add(flag<Value>) { put(argument::of(Value)); }
    template <dtype Type> constexpr void add(dtype_is<Type>) { put(argument::of(Type)); }
    template <fixed_string Text> constexpr void add(word<Text>) {
        put({.kind = argument_kind::string, .text = word<Text>::text.view()});
    }
    template <fixed_string... Texts> constexpr void add(words<Texts...>) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(Texts)}});
        ((out[next_element++] = {.kind = argument_kind::string, .text = word<Texts>::text.view()}), ...);
    }
    template <std::int64_t... Values> constexpr void add(ints<Values...>) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(Values)}});
        ((out[next_element++] = argument::of(Values)), ...);
    }
    template <bool... Values> constexpr void add(flags<Values...>) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(Values)}});
        ((out[next_element++] = argument::of(Values)), ...);
    }
    template <class... Types> constexpr void add(const tensors<Types...>& list) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(Types)}});
        for (const auto& h : list.handles) refer(out[next_element++], h);
    }
    template <fixed_string Name, class T> constexpr void add(const keyword<Name, T>& k) {
        add(k.value);
        out[next - 1].keyword = keyword<Name, T>::name.view();
    }
};

/// The trace of an argument; null for numbers.
constexpr recorder* trace_of(const ops::any_handle& h) { return h.trace; }
template <class... Types> constexpr recorder* trace_of(const tensors<Types...>& list) {
    for (const auto& h : list.handles)
        if (h.trace) return h.trace;
    return nullptr;
}
template <class T>
    requires(tensors_in<T> == 0 && !is_list_of_tensors<T>)
constexpr recorder* trace_of(const T&) {
    return nullptr;
}
template <fixed_string Name, class T> constexpr recorder* trace_of(const keyword<Name, T>& k) {
    return trace_of(k.value);
}

template <class... Args>
inline constexpr std::size_t slots_of = (elements_in<Args> + ... + static_cast<std::int32_t>(sizeof...(Args)));

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using frontend::tensors;
} // namespace ahead
