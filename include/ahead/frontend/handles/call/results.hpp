// SPDX-License-Identifier: MIT
// Determines the return type of a call from the type rule's result for the types of its arguments:
//     results_of<AsList, Op, Args...> is
//         no_results<checked_operator<Op>>          Op is not an operator: the error; handle<unknown>
//         no_results<nothing>                       an argument is unknown, whose error was reported; handle<unknown>
//         untyped_result<Op>                        in a rewrite rule; handle<anything>
//         no_results<require<refusal_of<...>>>      the rule refuses: the error; handle<unknown>
//         one_result<inferred<Room, Op, Args...>>   handle<its type>
//         many_results<inferred<...>, 0, 1, ...>    several, or a list: a tuple of handles, each picked by a getitem
//     all_of<results_of<...>, Count>                that tuple; Count unknown handles in place of an error
// Each has is_known: whether a call can be recorded. If so, it has facts, which the recorder stores, and get_all, the
// handles. If not, it has refusal, a type that reports the error when it is instantiated.
// Invariant: equal operator and argument types share one evaluation of the rule; names are not nested, so they stay
// short. Called by call.hpp.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/frontend/handles/call/infer_call.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

/// The name and index of an operator, and the base of FX's names for its nodes.
template <class Op,
          class Registry = aten::registry> // a parameter, so that the registry's table is instantiated only at a call
struct op_facts {
    static constexpr std::string_view base = base_of(Op::name);
    static constexpr std::size_t hash = hash_of(base);
    static constexpr op_id id = find_op(Registry::table, Op::name);
};

/// The type rule's result for these argument types: one evaluation for all calls that share them.
template <std::size_t Room, class Op, class... Args> struct inferred {
    static constexpr outcome<Room> value = outcome_of<Room, Op, Args...>();
    static constexpr call_facts facts{Op::name,
                                      op_facts<Op>::base,
                                      op_facts<Op>::hash,
                                      op_facts<Op>::id,
                                      {value.results.data(), static_cast<std::size_t>(value.count)},
                                      value.has_streams};
};

/// The descriptor of result K. Unlike static_type it keeps the strides of dims of size 1, which type rules may use:
/// handles and text must give the same graph.
template <class Inferred, std::size_t K, std::size_t... D> constexpr auto describe(std::index_sequence<D...>) {
    constexpr const tensor_type& t = Inferred::value.results[K].type;
    if constexpr (is_row_major(t)) return dense<t.type, t.size(D)...>{};
    else return strided<t.type, ints<t.size(D)...>, ints<t.stride(D)...>, t.offset>{};
}
template <class Inferred, std::size_t K>
using result_handle =
    handle<decltype(describe<Inferred, K>(std::make_index_sequence<Inferred::value.results[K].type.rank>{}))>;

template <class Inferred, std::size_t K, class Registry = aten::registry> struct getitem_facts {
    static constexpr result_facts result = {value_kind::tensor, Inferred::value.results[K].type, 0, K};
    static constexpr std::string_view target = "operator.getitem";
    static constexpr std::string_view base = "getitem";
    static constexpr call_facts value = {target, base, hash_of(base), find_op(Registry::table, target), {&result, 1}};
};

/// How a call returns its result or results; `from` is its node.
struct nothing {};
template <class Refusal> struct no_results {
    static constexpr bool is_known = false;
    using refusal = Refusal;
    using all = handle<unknown>;
    template <std::size_t> using one = handle<unknown>;
};
template <class Inferred> struct one_result {
    static constexpr bool is_known = true;
    static constexpr const call_facts& facts = Inferred::facts;
    using all = result_handle<Inferred, 0>;
    static constexpr all get_all(ops::any_handle from, std::int32_t) { return {from.trace, from.node}; }
};
template <class Inferred, class> struct many_results;
template <class Inferred, std::size_t... K> struct many_results<Inferred, std::index_sequence<K...>> {
    static constexpr bool is_known = true;
    static constexpr const call_facts& facts = Inferred::facts;
    using all = std::tuple<result_handle<Inferred, K>...>;
    template <std::size_t Nth> using one = result_handle<Inferred, Nth>;
    static constexpr all get_all([[maybe_unused]] ops::any_handle from, [[maybe_unused]] std::int32_t line) {
        return {get<K>(from, line)...};
    }
    /// A getitem node, as FX selects results.
    template <std::size_t Nth> static constexpr one<Nth> get(ops::any_handle from, std::int32_t line) {
        if (auto* out = from.trace->reserve(2)) {
            out[0] = argument::of(from.node);
            out[1] = argument::of(static_cast<std::int64_t>(Nth));
        }
        return {from.trace, from.trace->call(getitem_facts<Inferred, Nth>::value, 2, 2, line)};
    }
};

/// Result K alone of several results.
template <class Results, std::size_t K> struct picked : Results {
    using all = typename Results::template one<K>;
    static constexpr all get_all(ops::any_handle from, std::int32_t line) {
        return Results::template get<K>(from, line);
    }
};

/// The type rule's result with room for all results. Most operators have one, few more than eight.
template <std::size_t Room, class Op, class... Args> constexpr auto infer_with_room() {
    if constexpr (Room < 256 && inferred<Room, Op, Args...>::value.what == fault::graph_exceeds_capacity)
        return infer_with_room<Room == 1 ? 8 : 256, Op, Args...>();
    else return inferred<Room, Op, Args...>{};
}

/// For a call in a rewrite rule.
template <class Op> struct untyped_result {
    static constexpr bool is_known = true;
    static constexpr result_facts result{value_kind::tensor, {}, -1, 0};
    static constexpr call_facts facts{Op::name, op_facts<Op>::base, op_facts<Op>::hash, op_facts<Op>::id, {&result, 1}};
    using all = handle<anything>;
    static constexpr all get_all(ops::any_handle from, std::int32_t) { return {from.trace, from.node}; }
};

template <bool AsList, class Op, class... Args> constexpr auto choose_results() {
    if constexpr (!operator_shaped<Op>) {
        return no_results<checked_operator<Op>>{};
    } else if constexpr ((is_unknown<Args> || ...)) {
        return no_results<nothing>{}; // an error was reported before
    } else if constexpr ((is_pattern<Args> || ...)) {
        return untyped_result<Op>{};
    } else {
        using answer = decltype(infer_with_room<1, Op, Args...>());
        if constexpr (answer::value.what != fault::none) return no_results<require<refusal_of<Op, Args...>>>{};
        else if constexpr (!AsList && answer::value.count == 1) return one_result<answer>{};
        else return many_results<answer, std::make_index_sequence<static_cast<std::size_t>(answer::value.count)>>{};
    }
}
template <bool AsList, class Op, class... Args> using results_of = decltype(choose_results<AsList, Op, Args...>());

template <class, std::size_t... Nth>
std::tuple<handle<decltype((static_cast<void>(Nth), unknown{}))>...> unknown_handles(std::index_sequence<Nth...>);
template <class Results, std::size_t Count> struct all_results {
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
                         (Count <= 256 ? Count : 0)>::type; // calls have at most 256; compilers fail on a list of 2^31

} // namespace ahead::detail
