// SPDX-License-Identifier: MIT
// The interface of a pass: an object with a name and a call operator,
//     struct swap_adds {
//         static constexpr std::string_view name = "swap_adds";
//         constexpr void operator()(graph_editor& g, const config&) const;
//     };
// without data members. A pass that asks for the device and the inputs' types takes a const pass::context&
// (context.hpp) in place of the config. It may have static `applies(graph_view, op_table)`, false if the pass would
// change nothing; `growth(graph_view, op_table)`, the capacity that it may add in excess of the graph's initial size;
// and an `option`, the member of config that switches it, or `is_on(const config&)`. Called by pipeline.hpp.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/context.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

/// A call operator of a pass: it takes the options, or the options, the device and the inputs.
template <class P>
concept takes_options = requires(const P& p, graph_editor& g, const config& options) {
    p(g, options);
};
template <class P>
concept takes_context = requires(const P& p, graph_editor& g, const pass::context& c) {
    p(g, c);
};

template <class P>
concept graph_pass = std::is_empty_v<P> &&(takes_options<P> || takes_context<P>)&&requires {
    { P::name } -> std::convertible_to<std::string_view>;
}
&&(
    requires(graph_view g, op_table ops) { bool{P::applies(g, ops)}; } || !requires { &P::applies; }) &&
    (
        requires(graph_view g, op_table ops) { capacity{P::growth(g, ops)}; } || !requires { &P::growth; }) &&
    (
        requires(const config& options) { options.is_on(P::option); } || !requires { &P::option; }) &&
    (
        requires(const config& options) { bool{P::is_on(options)}; } || !requires { &P::is_on; });

/// Instantiated only for a type that is not a pass: its static_assert is the error.
template <class P, bool IsOne = false> struct checked_pass {
    static_assert(IsOne, "a pass is a struct without data members that has: static constexpr std::string_view name; "
                         "constexpr void operator()(graph_editor&, const config&) "
                         "const, or with const pass::context& in place of the config; where it has them, "
                         "static bool applies(graph_view, op_table), capacity "
                         "growth(graph_view, op_table), toggle config::*option. "
                         "A lambda is one as pass::named<\"name\">(lambda)");
};

} // namespace ahead::pass
