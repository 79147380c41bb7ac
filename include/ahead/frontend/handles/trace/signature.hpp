// SPDX-License-Identifier: MIT
// The signature of a traced lambda: its parameters, bound to placeholders, and its results.
// Invariant: parameters are bound in order, and so are the members of structs. Called by trace.hpp, pass/rewrite.
#pragma once
#include <ahead/frontend/handles/record.hpp>
#include <ahead/frontend/handles/tensor.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::frontend {

/// The return type of a traced lambda: the graph's results, in the order in which a run returns them.
template <class... Types> struct outputs {
    static_assert(sizeof...(Types) > 0, "outputs: a graph returns at least one tensor");
    constexpr outputs(const handle<Types>&... results, call_site where = call_site::current()) {
        if constexpr (!(std::same_as<Types, unknown> || ...)) {
            recorder* trace = nullptr;
            ((trace = trace ? trace : results.trace), ...);
            const argument returned[] = {{.kind = argument_kind::tuple, .children = {1, sizeof...(Types)}},
                                         argument::of(results.node)...};
            trace->output(returned, static_cast<std::int32_t>(where.line()));
        }
    }
};
template <class... Types> outputs(const handle<Types>&...) -> outputs<Types...>;

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

template <class... P> struct parameter_list {};
template <class Class, class Result, class... P>
parameter_list<std::remove_cvref_t<P>...> parameters_of(Result (Class::*)(P...) const);

template <class P>
concept traced_parameter = requires {
    P::role;
    P::name;
    typename P::tensor;
};

template <traced_parameter P> constexpr P bind(recorder& trace) {
    return P(&trace, trace.placeholder(P::name.view(), P::weight, P::role, P::tensor::type));
}

/// Converts to any member of a struct of parameters.
struct any_parameter {
    recorder* trace;
    template <traced_parameter P> constexpr operator P() const { return bind<P>(*trace); }
};

/// All parameters have the size of one handle, so the number of a struct's members follows from its size.
template <class P> inline constexpr std::size_t members_of = sizeof(P) / sizeof(handle<unknown>);

template <class P> constexpr P bind(recorder& trace) {
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return P{(static_cast<void>(Nth), any_parameter{&trace})...};
    }(std::make_index_sequence<members_of<P>>{});
}

template <class P> inline constexpr bool is_bindable = traced_parameter<P>;
template <class P>
    requires(!traced_parameter<P> && std::is_aggregate_v<P>)
inline constexpr bool is_bindable<P> = [
]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    return requires(recorder * trace) { P{(static_cast<void>(Nth), any_parameter{trace})...}; };
}
(std::make_index_sequence<members_of<P>>{});

template <class Result> inline constexpr bool is_outputs = false;
template <class... Types> inline constexpr bool is_outputs<outputs<Types...>> = true;
template <class Result> inline constexpr std::int32_t result_count = 1;
template <class... Types> inline constexpr std::int32_t result_count<outputs<Types...>> = sizeof...(Types);
template <class Result> inline constexpr bool is_complete = false;
template <class... Types> inline constexpr bool is_complete<outputs<Types...>> = !(std::same_as<Types, unknown> || ...);

/// The signature of a traced lambda, and how to call it.
template <class F, class List> struct signature;
template <class F, class... P> struct signature<F, parameter_list<P...>> {
    static constexpr bool is_bindable = (detail::is_bindable<P> && ...);
    static constexpr std::int32_t members = (static_cast<std::int32_t>(members_of<P>) + ... + 0);

    using result = decltype(std::declval<const F&>()(std::declval<P>()...));
    static constexpr bool returns_outputs = is_outputs<result>;
    static constexpr bool is_complete = detail::is_complete<result>;

    static constexpr void run(recorder& trace) { std::apply(F{}, std::tuple<P...>{bind<P>(trace)...}); }
    static constexpr diagnosis check_names() {
        graph_storage<capacity{members, 0, members}> placeholders;
        std::array<node_names::slot, slots_for({members, 0, 0})> slots;
        node_names names(slots);
        recorder trace(placeholders.edit(), names);
        static_cast<void>(std::tuple<P...>{bind<P>(trace)...});
        diagnosis d;
        for (std::size_t i = 0; i < placeholders.nodes.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (placeholders.nodes[i].target == placeholders.nodes[k].target) {
                    d.name = placeholders.nodes[i].target;
                    refuse(d, fault::name_is_defined_twice, "a name for each parameter", d.name);
                }
        return d;
    }
};

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using frontend::outputs;
} // namespace ahead
