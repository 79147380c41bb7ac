// SPDX-License-Identifier: MIT
// One typed call of an operator: call<Op>(where, arguments...). The types of the results come from the operator's own
// type rule, run on a graph of one node; a refusal is an error at the user's line, and its result is of type `unknown`,
// which every later call accepts.
// Invariant: equal operator and argument types share one evaluation of the rule; nothing is nested, so names stay
// short. Users give their operators functions this way:
//     template <class A> constexpr auto gelu(const handle<A>& x, call_site where = call_site::current()) { return
//     call<my::gelu>(where, x); }
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/core/require.hpp>
#include <ahead/frontend/handles/call_arguments.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE {

namespace detail {

template <std::size_t Room>
struct outcome {
    fault what = fault::none;
    std::int32_t count = 0;
    bool has_streams = false; // as graph_header's
    std::array<result_facts, Room> results{};
};

/// Runs the operator's type rule on a graph of one call, whose tensors are nodes 0, 1, 2, ... `types` holds theirs:
/// values, since g++ 12 with -fsanitize=undefined takes no look through a pointer at a static constant for a constant
/// expression.
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
    for (std::int32_t tensor = 0; auto& a : storage.arguments)
        if (a.kind == argument_kind::node) a.bits = tensor++;
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

template <class T>
constexpr void add_types(tensor_type*& out, const T*) {
    if constexpr (tensors_in<T> == 1) *out++ = type_in<T>;
}
template <class... Types>
constexpr void add_types(tensor_type*& out, const tensors<Types...>*) {
    ((*out++ = Types::type), ...);
}
template <fixed_string Name, class... Types>
constexpr void add_types(tensor_type*& out, const keyword<Name, tensors<Types...>>*) {
    ((*out++ = Types::type), ...);
}

/// An argument of the type, where its value does not matter.
template <class T>
struct stand_in_of {
    using type = T;
};
template <std::derived_from<any_handle> T>
struct stand_in_of<T> {
    using type = any_handle;
};
template <fixed_string Name, class T>
struct stand_in_of<keyword<Name, T>> {
    using type = keyword<Name, typename stand_in_of<T>::type>;
};
template <class T>
constexpr auto stand_in() {
    return typename stand_in_of<T>::type{};
}

template <std::size_t Room, class Op, class... Args>
constexpr outcome<Room> outcome_of(diagnosis& d) {
    if (!d.ok())
        return {}; // first of all: g++ -O2 tries the call as a constant, too, and gives up where it meets a variable of
                   // the caller's
    std::array<argument, slots_of<Args...>> arguments{};
    [[maybe_unused]] argument_writer writer{arguments.data(), sizeof...(Args)};
    (writer.add(stand_in<Args>()), ...);
    constexpr std::size_t count = (tensors_in<Args> + ... + 0);
    tensor_type types[count + 1]; // an operator may take none
    [[maybe_unused]] auto* at = types;
    (add_types(at, static_cast<const Args*>(nullptr)), ...);
    return infer_call<count, slots_of<Args...>, Room>(row_of<Op>(), types, arguments, sizeof...(Args), d);
}

template <std::size_t Room, class Op, class... Args>
constexpr outcome<Room> outcome_of() {
    diagnosis d;
    return outcome_of<Room, Op, Args...>(d);
}

/// The name and number of an operator, and what FX names its nodes after.
template <class Op,
          class Registry = aten::registry> // a parameter, so that the registry's table is made where there is a call
struct op_facts {
    static constexpr std::string_view base = base_of(Op::name);
    static constexpr std::size_t hash = hash_of(base);
    static constexpr op_id id = find_op(Registry::table, Op::name);
};

/// What the type rule gives for these argument types: one evaluation for all calls that share them.
template <std::size_t Room, class Op, class... Args>
struct inferred {
    static constexpr outcome<Room> value = outcome_of<Room, Op, Args...>();
    static constexpr call_facts facts{Op::name,
                                      op_facts<Op>::base,
                                      op_facts<Op>::hash,
                                      op_facts<Op>::id,
                                      {value.results.data(), static_cast<std::size_t>(value.count)},
                                      value.has_streams};
};

template <class Op, class... Args>
struct refusal_of {
    static constexpr diagnosis error = [] {
        diagnosis d;
        outcome_of<256, Op, Args...>(d);
        return d;
    }();
};

/// The descriptor of result K. Unlike static_type it keeps the strides of dims of size 1, on which type rules may
/// depend: handles and text give the same graph.
template <class Inferred, std::size_t K, std::size_t... D>
constexpr auto describe(std::index_sequence<D...>) {
    constexpr const tensor_type& t = Inferred::value.results[K].type;
    if constexpr (is_row_major(t)) return dense<t.type, t.size(D)...>{};
    else return strided<t.type, ints<t.size(D)...>, ints<t.stride(D)...>, t.offset>{};
}
template <class Inferred, std::size_t K>
using result_handle =
    handle<decltype(describe<Inferred, K>(std::make_index_sequence<Inferred::value.results[K].type.rank>{}))>;

template <class Inferred, std::size_t K, class Registry = aten::registry>
struct getitem_facts {
    static constexpr result_facts result = {value_kind::tensor, Inferred::value.results[K].type, 0, K};
    static constexpr std::string_view target = "operator.getitem";
    static constexpr std::string_view base = "getitem";
    static constexpr call_facts value = {target, base, hash_of(base), find_op(Registry::table, target), {&result, 1}};
};

/// How a call gives back its result or results; `from` is its node.
struct nothing {};
template <class Refusal>
struct no_results {
    static constexpr bool is_known = false;
    using refusal = Refusal;
    using all = handle<unknown>;
    template <std::size_t>
    using one = handle<unknown>;
};
template <class Inferred>
struct one_result {
    static constexpr bool is_known = true;
    static constexpr const call_facts& facts = Inferred::facts;
    using all = result_handle<Inferred, 0>;
    static constexpr all get_all(any_handle from, std::int32_t) { return {from.trace, from.node}; }
};
template <class Inferred, class>
struct many_results;
template <class Inferred, std::size_t... K>
struct many_results<Inferred, std::index_sequence<K...>> {
    static constexpr bool is_known = true;
    static constexpr const call_facts& facts = Inferred::facts;
    using all = std::tuple<result_handle<Inferred, K>...>;
    template <std::size_t I>
    using one = result_handle<Inferred, I>;
    static constexpr all get_all([[maybe_unused]] any_handle from, [[maybe_unused]] std::int32_t line) {
        return {get<K>(from, line)...};
    }
    /// A getitem node, as FX picks results.
    template <std::size_t I>
    static constexpr one<I> get(any_handle from, std::int32_t line) {
        if (auto* out = from.trace->reserve(2)) {
            out[0] = argument::of(from.node);
            out[1] = argument::of(static_cast<std::int64_t>(I));
        }
        return {from.trace, from.trace->call(getitem_facts<Inferred, I>::value, 2, 2, line)};
    }
};

/// The type rule's answer with room for all results. Most operators have one, few more than eight.
template <std::size_t Room, class Op, class... Args>
constexpr auto infer_with_room() {
    if constexpr (Room < 256 && inferred<Room, Op, Args...>::value.what == fault::graph_exceeds_capacity)
        return infer_with_room<Room == 1 ? 8 : 256, Op, Args...>();
    else return inferred<Room, Op, Args...>{};
}

/// Of a call in a rewrite rule.
template <class Op>
struct untyped_result {
    static constexpr bool is_known = true;
    static constexpr result_facts result{value_kind::tensor, {}, -1, 0};
    static constexpr call_facts facts{Op::name, op_facts<Op>::base, op_facts<Op>::hash, op_facts<Op>::id, {&result, 1}};
    using all = handle<anything>;
    static constexpr all get_all(any_handle from, std::int32_t) { return {from.trace, from.node}; }
};

template <bool AsList, class Op, class... Args>
constexpr auto choose_results() {
    if constexpr (!operator_shaped<Op>) {
        return no_results<checked_operator<Op>>{};
    } else if constexpr ((is_unknown<Args> || ...)) {
        return no_results<nothing>{}; // there was an error already
    } else if constexpr ((is_pattern<Args> || ...)) {
        return untyped_result<Op>{};
    } else {
        using answer = decltype(infer_with_room<1, Op, Args...>());
        if constexpr (answer::value.what != fault::none) return no_results<require<refusal_of<Op, Args...>>>{};
        else if constexpr (!AsList && answer::value.count == 1) return one_result<answer>{};
        else return many_results<answer, std::make_index_sequence<static_cast<std::size_t>(answer::value.count)>>{};
    }
}
template <bool AsList, class Op, class... Args>
using results_of = decltype(choose_results<AsList, Op, Args...>());

template <class, std::size_t... I>
std::tuple<handle<decltype((static_cast<void>(I), unknown{}))>...> unknown_handles(std::index_sequence<I...>);
template <class Results, std::size_t Count>
struct all_results {
    using type = decltype(unknown_handles<Results>(std::make_index_sequence<Count>{}));
};
template <class Results, std::size_t Count>
    requires(Results::is_known)
struct all_results<Results, Count> {
    using type = typename Results::all;
};
template <class Results, std::size_t Count>
using all_of =
    typename all_results<Results,
                         (Count <= 256 ? Count : 0)>::type; // no call has more, and no compiler likes a list of 2^31

template <class Results, class... Args>
constexpr any_handle record_call_in(recorder* trace, std::int32_t line, const Args&... args) {
    constexpr auto size = static_cast<std::int32_t>(slots_of<Args...>);
    if (auto* out = trace->reserve(size)) {
        [[maybe_unused]] argument_writer writer{out, sizeof...(Args)};
        (writer.add(args), ...);
    }
    return {trace, trace->call(Results::facts, size, sizeof...(Args), line)};
}
template <class Results, class... Args>
constexpr any_handle record_call(std::int32_t line, const Args&... args) {
    recorder* trace = nullptr;
    ((trace = trace ? trace : trace_of(args)), ...);
    return record_call_in<Results>(trace, line, args...);
}

/// Of a call that is recorded where a tensor of type Here is.
template <class Here, class Op, class... Args>
using results_in = std::conditional_t<std::same_as<Here, unknown>, no_results<nothing>, results_of<false, Op, Args...>>;

} // namespace detail

/// A call of `Op` with its arguments in schema order: handles, tensors, numbers, ints<...>, integer<...>, flag<...>,
/// dtype_is<...>, word<...>, words<...>, none, and keyword<...> of these. Gives a handle, or a tuple of handles where
/// the operator has several results. Its return type is spelled out because clang cannot deduce a lambda's own once an
/// error occurs inside it: so the error comes later.
template <class Op, class... Args>
constexpr typename detail::results_of<false, Op, Args...>::all call(call_site where, const Args&... args) {
    using results = detail::results_of<false, Op, Args...>;
    if constexpr (results::is_known) {
        const auto line = static_cast<std::int32_t>(where.line());
        return results::get_all(detail::record_call<results>(line, args...), line);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}

/// As call, of an operator that need not have tensors: `here`, any handle of the trace, says which trace it is recorded
/// in, and nothing else.
template <class Op, class Here, class... Args>
constexpr typename detail::results_in<Here, Op, Args...>::all call_in(const handle<Here>& here, call_site where,
                                                                      const Args&... args) {
    using results = detail::results_in<Here, Op, Args...>;
    if constexpr (results::is_known) {
        const auto line = static_cast<std::int32_t>(where.line());
        return results::get_all(detail::record_call_in<results>(here.trace, line, args...), line);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}

/// As call, for operators that return a list: a tuple even of one handle. Where the call is refused, Count handles of
/// unknown type, so that structured bindings of its results are no second error.
template <class Op, std::size_t Count, class... Args>
constexpr detail::all_of<detail::results_of<true, Op, Args...>, Count> call_all(call_site where, const Args&... args) {
    using results = detail::results_of<true, Op, Args...>;
    if constexpr (results::is_known) {
        const auto line = static_cast<std::int32_t>(where.line());
        return results::get_all(detail::record_call<results>(line, args...), line);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}

/// As call, but picks result K of several: only its getitem is recorded.
template <std::size_t K, class Op, class... Args>
constexpr typename detail::results_of<true, Op, Args...>::template one<K> call_result(call_site where,
                                                                                      const Args&... args) {
    using results = detail::results_of<true, Op, Args...>;
    if constexpr (results::is_known) {
        const auto line = static_cast<std::int32_t>(where.line());
        return results::template get<K>(detail::record_call<results>(line, args...), line);
    } else {
        static_cast<void>(typename results::refusal{});
        return {};
    }
}

} // namespace ahead
