// SPDX-License-Identifier: MIT
// A graph written in C++: a captureless lambda over typed handles, traced by the compiler.
//     inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) { return outputs(add(relu(x), 1)); });
// Invariant: the graph is typed and complete; where an error was reported, it is a graph of an output node without
// arguments, so that whatever uses it adds no second error.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE {

/// What a traced lambda returns: the graph's results, in the order in which a run returns them.
template <class... Types>
struct outputs {
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
template <class... Types>
outputs(const handle<Types>&...) -> outputs<Types...>;

namespace detail {

template <class... P>
struct parameter_list {};
template <class Class, class Result, class... P>
parameter_list<std::remove_cvref_t<P>...> parameters_of(Result (Class::*)(P...) const);

template <class P>
concept traced_parameter = requires {
    P::role;
    P::name;
    typename P::tensor;
};

template <traced_parameter P>
constexpr P bind(recorder& trace) {
    return P(&trace, trace.placeholder(P::name.view(), P::weight, P::role, P::tensor::type));
}

/// Stands for any member of a struct of parameters.
struct any_parameter {
    recorder* trace;
    template <traced_parameter P>
    constexpr operator P() const {
        return bind<P>(*trace);
    }
};

/// All parameters are one handle in size, and so a struct of them has as many members as it is larger.
template <class P>
inline constexpr std::size_t members_of = sizeof(P) / sizeof(handle<unknown>);

template <class P>
constexpr P bind(recorder& trace) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return P{(static_cast<void>(I), any_parameter{&trace})...};
    }(std::make_index_sequence<members_of<P>>{});
}

template <class P>
inline constexpr bool is_bindable = traced_parameter<P>;
template <class P>
    requires(!traced_parameter<P> && std::is_aggregate_v<P>)
inline constexpr bool is_bindable<P> = []<std::size_t... I>(std::index_sequence<I...>) {
    return requires(recorder* trace) { P{(static_cast<void>(I), any_parameter{trace})...}; };
}(std::make_index_sequence<members_of<P>>{});

template <class Result>
inline constexpr bool is_outputs = false;
template <class... Types>
inline constexpr bool is_outputs<outputs<Types...>> = true;
template <class Result>
inline constexpr std::int32_t result_count = 1;
template <class... Types>
inline constexpr std::int32_t result_count<outputs<Types...>> = sizeof...(Types);
template <class Result>
inline constexpr bool is_complete = false;
template <class... Types>
inline constexpr bool is_complete<outputs<Types...>> = !(std::same_as<Types, unknown> || ...);

/// The signature of a traced lambda, and its calls.
template <class F, class List>
struct signature;
template <class F, class... P>
struct signature<F, parameter_list<P...>> {
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

template <class F>
struct captures {
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "trace";
        refuse(d, fault::lambda_has_captures, "a lambda that begins with []", "captured variables");
        return d;
    }();
};
template <class Signature>
struct names {
    static constexpr diagnosis error = Signature::check_names();
};

/// What remains of a trace after an error was reported.
struct empty_trace {
    static constexpr ahead::capacity capacity{1, 0, 0};
    static constexpr graph_storage<capacity> storage = [] {
        graph_storage<capacity> out;
        std::array<node_names::slot, slots_for(capacity)> slots;
        node_names names(slots);
        recorder(out.edit(), names).output({}, 0);
        return out;
    }();
};

struct nothing_to_report {};

/// Where the rows of aten::registry are in another registry.
template <class Registry, class From = aten::registry>
inline constexpr auto rows_in = [] {
    std::array<op_id, From::size> rows{};
    for (std::size_t place = 0; place < rows.size(); ++place)
        rows[place] = find_op(Registry::table, From::table[place].name);
    return rows;
}();

// The lambda is run twice: the first run counts, the second fills pools of that size. Both are functions, see fx.hpp.
template <class Signature>
constexpr capacity count_trace() {
    recorder counter;
    Signature::run(counter);
    return counter.counted();
}
template <class Signature, class Registry, capacity Capacity>
constexpr auto record_trace() {
    graph_storage<Capacity> out;
    std::array<node_names::slot, slots_for(Capacity)> slots;
    node_names names(slots);
    recorder writer(out.edit(), names);
    Signature::run(writer);
    if constexpr (!std::same_as<Registry, aten::registry>) {
        std::string_view last;
        op_id row;
        for (auto& n : out.nodes) {
            if (n.kind != node_kind::call) continue;
            if (n.op.exists()) {
                n.op = rows_in<Registry>[static_cast<std::size_t>(n.op.index)];
            } else {
                if (n.target != last) row = find_op(Registry::table, last = n.target);
                n.op = row;
            }
        }
    }
    return out;
}
/// Refuses the first call of an operator that the registry does not have.
constexpr diagnosis check_trace(graph_view g) {
    diagnosis d;
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind != node_kind::call || n.op.exists()) continue;
        d.line = n.from.line;
        d.op = n.target;
        d.name = print(n.name);
        refuse(d, fault::operator_is_unknown, "an operator of the registry given to trace", n.target);
        break;
    }
    return d;
}
template <class Signature, class Registry>
struct filled_trace {
    using refusal = nothing_to_report;
    static constexpr ahead::capacity capacity = count_trace<Signature>();
    static constexpr graph_storage<capacity> storage = record_trace<Signature, Registry, capacity>();
    static constexpr diagnosis error = check_trace(storage.view());
};

template <class F>
concept has_one_call = requires { &F::operator(); };

/// An empty graph and why: what completes its type reports it. It was to return so many tensors.
template <class Refusal, std::int32_t Returned = 1>
struct refused_trace : empty_trace {
    using refusal = Refusal;
    static constexpr std::int32_t returned = Returned;
};
template <bool Given>
struct parameters_are_typed {
    static_assert(
        Given,
        "trace: the lambda has an error of its own, or else: give every parameter of the lambda a type, input<...>, "
        "param<...> or a struct of these");
};
template <bool Given>
struct parameters_are_tensors {
    static_assert(Given, "trace: the lambda's parameters are input<...>, param<...> or structs of these");
};
template <bool Given>
struct result_is_outputs {
    static_assert(Given, "trace: the lambda returns outputs(...)");
};

/// What a trace holds. Nothing is reported in here: clang could not deduce the return type.
template <class F, class Registry>
constexpr auto choose_trace() {
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

} // namespace detail

/// The graph of a lambda, as constants of its type: `storage` holds the pools, of exactly `capacity`; `view()` reads
/// them. `error` is always ok: what is wrong with a trace is reported where it is written.
template <class F, class Registry>
struct traced : decltype(detail::choose_trace<F, Registry>()) {
    using registry = Registry;
    static constexpr diagnosis error{};
    static constexpr graph_view view() { return traced::storage.view(); }
    static_assert(sizeof(typename traced::refusal) > 0);
};

/// Traces a captureless lambda whose parameters are inputs, params, or structs of these, and which returns
/// outputs(...). Give your own registry where the lambda calls operators of yours; as a struct it has a short name in
/// symbols:
///     struct my_registry : aten::registry::with<my::gelu> {};
///     inline constexpr auto net = trace<my_registry>([](...) { ... });
/// Errors: lambda_has_captures, name_is_defined_twice, operator_is_unknown; and, where an operator is called, what its
/// type rule refuses.
template <class Registry = aten::registry, class F>
constexpr traced<F, Registry> trace(F) {
    return {};
}

} // namespace ahead
