// SPDX-License-Identifier: MIT
// One typed call of an operator: call<Op>(where, arguments...). The types of the results come from the operator's own type rule, run on a
// graph of one node; a refusal is an error at the user's line, and its result is of type `unknown`, which every later call accepts.
// Invariant: equal operator and argument types share one evaluation of the rule; nothing is nested, so names stay short.
// Users give their operators functions this way:
//     template <class A> constexpr auto gelu(handle<A> x, source_location where = source_location::current()) { return call<my::gelu>(where, x); }
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/core/require.hpp>
#include <ahead/frontend/record.hpp>
#include <ahead/frontend/tensor.hpp>
#include <tuple>

namespace ahead {

// Arguments that decide a type are themselves types: ints<...> (tensor.hpp) and these.
template <std::int64_t Value>
struct integer {};
template <bool Value>
struct flag {};
template <dtype Type>
struct dtype_is {};
template <fixed_string Text>
struct word {
    static constexpr fixed_string text = Text;
};
struct none {};

/// A list of tensors as one argument.
template <class... Types>
struct tensors {
    std::array<any_handle, sizeof...(Types)> handles{};
    constexpr tensors() = default;
    constexpr tensors(const handle<Types>&... list) : handles{list...} {}
};

/// An argument given by name, as those after the `*` of a schema must be.
template <fixed_string Name, class T>
struct keyword {
    static constexpr fixed_string name = Name;
    T value{};
};

namespace detail {

// What follows from an argument's type alone: how many tensors and list elements it has, and whether it is known.
template <class T>
inline constexpr std::int32_t tensors_in = 0;
template <class T>
inline constexpr std::int32_t elements_in = 0;
template <class T>
inline constexpr bool is_unknown = false;
/// Where it is one tensor, its type.
template <class T>
inline constexpr const tensor_type* type_in = nullptr;

template <std::int64_t... Values>
inline constexpr std::int32_t elements_in<ints<Values...>> = sizeof...(Values);
template <class Type>
inline constexpr std::int32_t tensors_in<handle<Type>> = 1;
template <class Type>
inline constexpr const tensor_type* type_in<handle<Type>> = &Type::type;
template <>
inline constexpr bool is_unknown<handle<unknown>> = true;
template <class... Types>
inline constexpr std::int32_t tensors_in<tensors<Types...>> = sizeof...(Types);
template <class... Types>
inline constexpr std::int32_t elements_in<tensors<Types...>> = sizeof...(Types);
template <class... Types>
inline constexpr bool is_unknown<tensors<Types...>> = (std::same_as<Types, unknown> || ...);
template <fixed_string Name, class T>
inline constexpr std::int32_t elements_in<keyword<Name, T>> = elements_in<T>;

/// Writes arguments down as recorder::call wants them: all of them, then the elements of the lists among them.
struct argument_writer {
    argument* out;
    std::int32_t next_element; // starts as the number of arguments
    std::int32_t next = 0;
    recorder* trace = nullptr;

    constexpr void put(const argument& a) { out[next++] = a; }
    constexpr argument element(const any_handle& h) {
        if (!trace) trace = h.trace;
        return argument::of(h.node);
    }
    constexpr void add(const any_handle& h) { put(element(h)); }
    constexpr void add(const std::int64_t& v) { put(argument::of(v)); }
    constexpr void add(const double& v) { put(argument::of(v)); }
    constexpr void add(const bool& v) { put(argument::of(v)); }
    constexpr void add(none) { put({}); }
    template <std::int64_t Value>
    constexpr void add(integer<Value>) { put(argument::of(Value)); }
    template <bool Value>
    constexpr void add(flag<Value>) { put(argument::of(Value)); }
    template <dtype Type>
    constexpr void add(dtype_is<Type>) { put(argument::of(Type)); }
    template <fixed_string Text>
    constexpr void add(word<Text>) { put({.kind = argument_kind::string, .text = word<Text>::text.view()}); }
    template <std::int64_t... Values>
    constexpr void add(ints<Values...>) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(Values)}});
        ((out[next_element++] = argument::of(Values)), ...);
    }
    template <class... Types>
    constexpr void add(const tensors<Types...>& list) {
        put({.kind = argument_kind::list, .children = {next_element, sizeof...(Types)}});
        for (const auto& h : list.handles) out[next_element++] = element(h);
    }
    template <fixed_string Name, class T>
    constexpr void add(const keyword<Name, T>& k) {
        add(k.value);
        out[next - 1].keyword = keyword<Name, T>::name.view();
    }
};

template <class... Args>
inline constexpr std::size_t slots_of = (elements_in<Args> + ... + static_cast<std::int32_t>(sizeof...(Args)));

template <std::size_t Room>
struct outcome {
    fault what = fault::none;
    std::int32_t count = 0;
    std::array<result_facts, Room> results{};
};

/// Runs the operator's type rule on a graph of one call. `arguments` mention their tensors as nodes 0, 1, 2, ...
template <std::size_t Tensors, std::size_t Arguments, std::size_t Room>
constexpr outcome<Room> infer_call(const op_row& row, const std::array<const tensor_type*, Tensors>& types,
                                   std::array<argument, Arguments> arguments, std::int32_t count, diagnosis& d) {
    graph_storage<capacity{Tensors + 1, Arguments, Tensors + Room}> storage;
    auto g = storage.edit();
    outcome<Room> out;
    for (std::size_t i = 0; i < Tensors; ++i) {
        const auto n = static_cast<std::int32_t>(i);
        storage.nodes[i].values = {n, 1};
        storage.values[i] = {value_kind::tensor, *types[i], {n}};
    }
    storage.header.used = {Tensors + 1, Arguments, Tensors};
    const node_id call{Tensors};
    for (std::int32_t tensor = 0; auto& a : arguments)
        if (a.kind == argument_kind::node) a.bits = tensor++;
    storage.arguments = arguments;
    auto& n = g[call];
    n.target = row.name;
    n.op = {0};
    n.arguments = {0, count};
    if (!infer_node(g, {&row, 1}, call, d)) {
        out.what = d.what;
        return out;
    }
    out.count = n.values.count;
    for (std::int32_t k = 0; k < out.count; ++k) {
        const auto& v = g[n.values[k]];
        const bool shares = v.storage.index < static_cast<std::int32_t>(Tensors);
        out.results[static_cast<std::size_t>(k)] = {v.kind, v.type, shares ? v.storage.index : -1, 0};
    }
    return out;
}

template <class T>
constexpr void add_types(const tensor_type**& out, const T*) {
    if constexpr (tensors_in<T> == 1) *out++ = type_in<T>;
}
template <class... Types>
constexpr void add_types(const tensor_type**& out, const tensors<Types...>*) {
    ((*out++ = &Types::type), ...);
}

template <std::size_t Room, class Op, class... Args>
constexpr outcome<Room> outcome_of(diagnosis& d) {
    std::array<argument, slots_of<Args...>> arguments{};
    argument_writer writer{arguments.data(), sizeof...(Args)};
    (writer.add(Args{}), ...);
    std::array<const tensor_type*, (tensors_in<Args> + ... + 0)> types{};
    auto** at = types.data();
    (add_types(at, static_cast<const Args*>(nullptr)), ...);
    return infer_call<types.size(), slots_of<Args...>, Room>(row_of<Op>(), types, arguments, sizeof...(Args), d);
}

/// The results of a call; most operators have few, split has many.
template <std::size_t Room, class Op, class... Args>
struct inferred_with {
    static constexpr auto value = [] {
        diagnosis d;
        return outcome_of<Room, Op, Args...>(d);
    }();
};
template <class First, class Second>
using with_room = std::conditional_t<First::value.what != fault::graph_exceeds_capacity, First, Second>;
template <class Op, class... Args>
using inferred = with_room<inferred_with<1, Op, Args...>, inferred_with<256, Op, Args...>>;

template <class Op, class... Args>
struct refusal_of {
    static constexpr diagnosis error = [] {
        diagnosis d;
        outcome_of<256, Op, Args...>(d);
        return d;
    }();
};

template <class Op>
struct op_facts {
    static constexpr std::string_view base = base_of(Op::name);
    static constexpr std::size_t hash = hash_of(base);
    static constexpr op_id id = find_op(aten::registry::table, Op::name);
};
template <class Op, class... Args>
inline constexpr call_facts facts_for = {Op::name, op_facts<Op>::base, op_facts<Op>::hash, op_facts<Op>::id,
                                         std::span(inferred<Op, Args...>::value.results.data(), inferred<Op, Args...>::value.count)};

constexpr bool is_row_major(const tensor_type& t) {
    std::int64_t step = 1;
    for (int d = t.rank; d-- > 0;) {
        if (t.stride(d) != step) return false;
        step *= t.size(d) > 1 ? t.size(d) : 1;
    }
    return t.offset == 0;
}

/// The descriptor of a result's type: dense where the strides are row-major, otherwise strided.
template <class Outcome, std::size_t K>
struct result_type {
    static constexpr const tensor_type& type = Outcome::value.results[K].type;
    template <std::size_t... I>
    static auto describe(std::index_sequence<I...>) {
        if constexpr (is_row_major(type)) return dense<type.type, type.size(I)...>{};
        else return strided<type.type, ints<type.size(I)...>, ints<type.stride(I)...>, type.offset>{};
    }
    using descriptor = decltype(describe(std::make_index_sequence<type.rank>{}));
};

/// Numbers count as the widest of their kind, inputs and params as handles: fewer types, fewer evaluations.
template <class T>
struct canonical { using type = T; };
template <class T>
    requires requires { typename T::tensor; }
struct canonical<T> { using type = handle<typename T::tensor>; };
template <number T>
struct canonical<T> {
    using type = std::conditional_t<std::same_as<T, bool>, bool, std::conditional_t<std::integral<T>, std::int64_t, double>>;
};

template <class Outcome, std::size_t K>
struct getitem_facts {
    static constexpr result_facts result = {value_kind::tensor, result_type<Outcome, K>::type, 0, K};
    static constexpr std::string_view target = "operator.getitem";
    static constexpr std::string_view base = "getitem";
    static constexpr call_facts value = {target, base, hash_of(base), find_op(aten::registry::table, target), {&result, 1}};
};

/// The types of a call's results: each, and all together. A refused call and a call on unknown tensors have one result, unknown.
struct unknown_results {
    static constexpr bool is_known = false;
    template <std::size_t>
    using one = handle<unknown>;
    using all = handle<unknown>;
};
template <class Outcome, class = std::make_index_sequence<Outcome::value.count>>
struct known_results;
template <class Outcome, std::size_t... K>
struct known_results<Outcome, std::index_sequence<K...>> {
    static constexpr bool is_known = true;
    using outcome = Outcome;
    template <std::size_t I>
    using one = handle<typename result_type<Outcome, I>::descriptor>;
    using all = std::tuple<one<K>...>;
};
template <class Outcome>
struct known_results<Outcome, std::index_sequence<0>> {
    static constexpr bool is_known = true;
    using outcome = Outcome;
    template <std::size_t I>
    using one = handle<typename result_type<Outcome, I>::descriptor>;
    using all = one<0>;
};
template <class Op, class... Args>
constexpr auto choose_results() {
    if constexpr ((is_unknown<Args> || ...)) return unknown_results{};
    else if constexpr (inferred<Op, Args...>::value.what != fault::none) return unknown_results{};
    else return known_results<inferred<Op, Args...>>{};
}
template <class Op, class... Args>
using results_of = decltype(choose_results<Op, typename canonical<Args>::type...>());

struct recorded_call {
    recorder* trace;
    node_id node;
    std::int32_t line;

    /// Result K through a getitem node, as FX picks it.
    template <class Results, std::size_t K>
    constexpr typename Results::template one<K> get() const {
        const argument arguments[] = {argument::of(node), argument::of(static_cast<std::int64_t>(K))};
        return {trace, trace->call(getitem_facts<typename Results::outcome, K>::value, arguments, 2, line)};
    }
};

template <class Op, class... Args>
constexpr recorded_call record_call(std::source_location where, const Args&... args) {
    std::array<argument, slots_of<Args...>> arguments{};
    argument_writer writer{arguments.data(), sizeof...(Args)};
    (writer.add(static_cast<const Args&>(args)), ...);
    const auto line = static_cast<std::int32_t>(where.line());
    return {writer.trace, writer.trace->call(facts_for<Op, Args...>, arguments, sizeof...(Args), line), line};
}

/// The error, unless an argument is unknown: then there was one already.
template <class Op, class... Args>
constexpr void require_acceptance() {
    if constexpr (!(is_unknown<Args> || ...)) static_cast<void>(require<refusal_of<Op, Args...>>{});
}

} // namespace detail

/// A call of `Op` with its arguments in schema order: handles, tensors, numbers, ints<...>, integer<...>, flag<...>, dtype_is<...>, word<...>,
/// none, and keyword<...> of these. Gives a handle, or a tuple of handles where the operator has several results.
/// The result type is spelled out because clang cannot deduce a lambda's own once an error occurs inside it: so errors come later.
template <class Op, class... Args>
constexpr typename detail::results_of<Op, Args...>::all call(std::source_location where, const Args&... args) {
    using results = detail::results_of<Op, Args...>;
    if constexpr (!results::is_known) {
        detail::require_acceptance<Op, typename detail::canonical<Args>::type...>();
        return {};
    } else {
        const auto made = detail::record_call<Op, typename detail::canonical<Args>::type...>(where, args...);
        if constexpr (results::outcome::value.count == 1) return {made.trace, made.node};
        else
            return [&]<std::size_t... K>(std::index_sequence<K...>) {
                return typename results::all{made.template get<results, K>()...};
            }(std::make_index_sequence<results::outcome::value.count>{});
    }
}

/// As call, but picks one result of several: only its getitem is recorded.
template <std::size_t K, class Op, class... Args>
constexpr typename detail::results_of<Op, Args...>::template one<K> call_result(std::source_location where, const Args&... args) {
    using results = detail::results_of<Op, Args...>;
    if constexpr (!results::is_known) {
        detail::require_acceptance<Op, typename detail::canonical<Args>::type...>();
        return {};
    } else {
        return detail::record_call<Op, typename detail::canonical<Args>::type...>(where, args...).template get<results, K>();
    }
}

} // namespace ahead
