// SPDX-License-Identifier: MIT
// One typed call of an operator: call<Op>(where, arguments...). The operator's type rule determines the types of the
// results (call/infer_call.hpp), and call/results.hpp the handles that represent them.
// Invariant: a refusal is one error at the user's line, and its result has type `unknown`, which every later call
// accepts. Users write functions for their operators this way:
//     template <class A>
//     constexpr auto gelu(const handle<A>& x, call_site where = call_site::current()) {
//         return call<my::gelu>(where, x);
//     }
#pragma once
#include <ahead/frontend/handles/call/results.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Records a call and returns its results, of type All, in the given trace, or else in the trace of its arguments; for
/// a refused call, reports the error and returns the substitute. All is a template argument because clang cannot deduce
/// the return type of a function with an error inside it: so the error is raised later.
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

/// For a call that is recorded in the trace of a tensor of type Here.
template <class Here, class Op, class... Args>
using results_in = std::conditional_t<std::same_as<Here, unknown>, no_results<nothing>, results_of<false, Op, Args...>>;

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// A call of `Op` with its arguments in schema order: handles, tensors, numbers, ints<...>, integer<...>, flag<...>,
/// flags<...>, dtype_is<...>, word<...>, words<...>, none, and keyword<...> of these. Returns a handle, or a tuple of
/// handles if the operator has several results.
template <class Op, class... Args>
constexpr typename detail::results_of<false, Op, Args...>::all call(call_site where, const Args&... args) {
    using results = detail::results_of<false, Op, Args...>;
    return detail::record_call<results, typename results::all>(nullptr, where, args...);
}

/// As call, for an operator that need not have tensors: `here`, any handle of the trace, only identifies the trace to
/// record in.
template <class Op, class Here, class... Args>
constexpr typename detail::results_in<Here, Op, Args...>::all call_in(const handle<Here>& here, call_site where,
                                                                      const Args&... args) {
    using results = detail::results_in<Here, Op, Args...>;
    return detail::record_call<results, typename results::all>(here.trace, where, args...);
}

/// As call, for operators that return a list: a tuple even for one handle. A refused call returns Count handles of
/// unknown type, so that structured bindings of its results cause no second error.
template <class Op, std::size_t Count, class... Args>
constexpr detail::all_of<detail::results_of<true, Op, Args...>, Count> call_all(call_site where, const Args&... args) {
    using results = detail::results_of<true, Op, Args...>;
    return detail::record_call<results, detail::all_of<results, Count>>(nullptr, where, args...);
}

/// As call, but selects result K of several: only its getitem is recorded.
template <std::size_t K, class Op, class... Args>
constexpr typename detail::results_of<true, Op, Args...>::template one<K> call_result(call_site where,
                                                                                      const Args&... args) {
    using results = detail::picked<detail::results_of<true, Op, Args...>, K>;
    return detail::record_call<results, typename results::all>(nullptr, where, args...);
}

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::call, frontend::call_in;
} // namespace ahead
