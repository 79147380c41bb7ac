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

template <class Results, class... Args>
constexpr any_handle record_call_in(recorder* trace, std::int32_t line, const Args&... args) {
    constexpr auto size = static_cast<std::int32_t>(slots_of<Args...>);
    if (auto* out = trace->reserve(size)) {
        [[maybe_unused]] argument_writer writer{out, sizeof...(Args)};
        (writer.add(args), ...);
    }
    return {trace, trace->call(Results::facts, size, sizeof...(Args), line)};
}
template <class Results, class... Args> constexpr any_handle record_call(std::int32_t line, const Args&... args) {
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
