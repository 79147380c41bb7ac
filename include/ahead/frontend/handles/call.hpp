// SPDX-License-Identifier: MIT
// One typed call of an operator: call<Op>(where, arguments...). The types of the results come from the operator's own
// type rule (call/infer_call.hpp), the handles that stand for them from call/results.hpp.
// Invariant: a refusal is one error at the user's line, and its result is of type `unknown`, which every later call
// accepts. Users give their operators functions this way:
//     template <class A>
//     constexpr auto gelu(const handle<A>& x, call_site where = call_site::current()) {
//         return call<my::gelu>(where, x);
//     }
#pragma once
#include <ahead/frontend/handles/call/results.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// What a call gives back, All, in the trace given, else in that of its arguments; of a call that is refused, the
/// error, and what stands in its place. All is spelled out because clang cannot deduce what a function returns once an
/// error occurs inside it: so the error comes later.
template <class Results, class All, class... Args>
constexpr All record_call([[maybe_unused]] recorder* trace, [[maybe_unused]] call_site where, const Args&... args) {
    if constexpr (Results::is_known) {
        ((trace = trace ? trace : trace_of(args)), ...);
        const auto line = static_cast<std::int32_t>(where.line());
        constexpr auto size = static_cast<std::int32_t>(slots_of<Args...>);
        if (auto* out = trace->reserve(size)) {
            [[maybe_unused]] argument_writer writer{out, sizeof...(Args)};
            (writer.add(args), ...);
        }
        return Results::get_all({trace, trace->call(Results::facts, size, sizeof...(Args), line)}, line);
    } else {
        static_cast<void>(typename Results::refusal{});
        return {};
    }
}

/// Of a call that is recorded where a tensor of type Here is.
template <class Here, class Op, class... Args>
using results_in = std::conditional_t<std::same_as<Here, unknown>, no_results<nothing>, results_of<false, Op, Args...>>;

} // namespace detail

/// A call of `Op` with its arguments in schema order: handles, tensors, numbers, ints<...>, integer<...>, flag<...>,
/// flags<...>, dtype_is<...>, word<...>, words<...>, none, and keyword<...> of these. Gives a handle, or a tuple of
/// handles where the operator has several results.
template <class Op, class... Args>
constexpr typename detail::results_of<false, Op, Args...>::all call(call_site where, const Args&... args) {
    using results = detail::results_of<false, Op, Args...>;
    return detail::record_call<results, typename results::all>(nullptr, where, args...);
}

/// As call, of an operator that need not have tensors: `here`, any handle of the trace, says which trace it is recorded
/// in, and nothing else.
template <class Op, class Here, class... Args>
constexpr typename detail::results_in<Here, Op, Args...>::all call_in(const handle<Here>& here, call_site where,
                                                                      const Args&... args) {
    using results = detail::results_in<Here, Op, Args...>;
    return detail::record_call<results, typename results::all>(here.trace, where, args...);
}

/// As call, for operators that return a list: a tuple even of one handle. Where the call is refused, Count handles of
/// unknown type, so that structured bindings of its results are no second error.
template <class Op, std::size_t Count, class... Args>
constexpr detail::all_of<detail::results_of<true, Op, Args...>, Count> call_all(call_site where, const Args&... args) {
    using results = detail::results_of<true, Op, Args...>;
    return detail::record_call<results, detail::all_of<results, Count>>(nullptr, where, args...);
}

/// As call, but picks result K of several: only its getitem is recorded.
template <std::size_t K, class Op, class... Args>
constexpr typename detail::results_of<true, Op, Args...>::template one<K> call_result(call_site where,
                                                                                      const Args&... args) {
    using results = detail::picked<detail::results_of<true, Op, Args...>, K>;
    return detail::record_call<results, typename results::all>(nullptr, where, args...);
}

} // namespace ahead
