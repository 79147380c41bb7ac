// SPDX-License-Identifier: MIT
// A graph written in C++: a captureless lambda over typed handles, traced by the compiler.
//     inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) { return outputs(add(relu(x), 1)); });
// Invariant: the graph is typed and complete; after a reported error it is a graph with only an output node without
// arguments, so that its users report no second error.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <ahead/frontend/handles/trace/recorded.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class F>
concept has_one_call = requires { &F::operator(); };

/// The base of `traced`. It reports no errors itself, because clang could not deduce the return type then.
template <class F, class Registry> constexpr auto choose_trace() {
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
        return refused_trace<require<captures<F>>>{};
    } else if constexpr (!has_one_call<F>) {
        return refused_trace<parameters_are_typed<has_one_call<F>>>{};
    } else {
        using signature = detail::signature<F, decltype(parameters_of(&F::operator()))>;
        if constexpr (!signature::is_bindable) return refused_trace<parameters_are_tensors<signature::is_bindable>>{};
        else if constexpr (!names<signature>::error.ok()) return refused_trace<require<names<signature>>>{};
        else if constexpr (!signature::returns_outputs)
            return refused_trace<result_is_outputs<signature::returns_outputs>>{};
        else if constexpr (!signature::is_complete)
            return refused_trace<nothing_to_report, result_count<typename signature::result>>{};
        else if constexpr (!filled_trace<signature, Registry>::error.ok())
            return refused_trace<require<filled_trace<signature, Registry>>>{};
        else return filled_trace<signature, Registry>{};
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// The graph of a lambda, as constants of its type: `storage` holds the pools, of exactly `capacity`; `view()` reads
/// them. `error` is always ok: errors are reported at the trace.
template <class F, class Registry> struct traced : decltype(detail::choose_trace<F, Registry>()) {
    using registry = Registry;
    static constexpr diagnosis error{};
    static constexpr graph_view view() { return traced::storage.view(); }
    static_assert(sizeof(typename traced::refusal) > 0);
};

/// Traces a captureless lambda whose parameters are inputs, params, or structs of these, and which returns
/// outputs(...). Pass another registry if the lambda calls user operators; as a struct it has a short name in symbols:
///     struct my_registry : aten::registry::with<my::gelu> {};
///     inline constexpr auto net = trace<my_registry>([](...) { ... });
/// Errors: lambda_has_captures, name_is_defined_twice, operator_is_unknown; and, for each operator call, the refusals
/// of its type rule.
template <class Registry = aten::registry, class F> constexpr traced<F, Registry> trace(F) { return {}; }

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::trace;
} // namespace ahead
