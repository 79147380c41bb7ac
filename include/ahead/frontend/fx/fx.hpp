// SPDX-License-Identifier: MIT
// The entry point for FX text: fx<source> is a typed graph, which the compiler builds from text that PyTorch printed.
//     struct lenet {
//         static constexpr char text[] = R"fx( ... )fx";
//         // Information that the text lacks: all forms but print(exported program) lack weights; print(gm.graph) and
//         // gm.code lack types.
//         static constexpr fx_input inputs[] = {{"arg0_1", "conv1.weight", "f32[6, 1, 5, 5]"},
//                                               {.placeholder = "arg10_1", .type = "f32[1, 1, 28, 28]"}};
//     };
//     using digits = compiled<fx<lenet>>;
// If sizes are symbols, f32[s0, 3], the source gives their values,
//         static constexpr symbol_value symbols[] = {{"s0", 4}, host_symbol("s1")};
// or gears (dynamic/gears/compiled_gears.hpp) do; host_symbol: a number that the caller gives at each run.
// Invariant: `error.ok()`, or the graph must not be used.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/frontend/fx/bind_symbols.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <type_traits>

namespace AHEAD_NAMESPACE {

template <class Source>
concept fx_source = requires { std::string_view(Source::text); };

namespace detail {

// The text is kept as an array: g++ looks up each call by its arguments, an array by its name but a literal by all of
// its characters, so that a string_view of 900 KB would be hashed at each of a hundred thousand calls. ahead_add_graph
// stores the name of the file after a 0.
template <fx_source Source> constexpr source_text text_of() {
    if constexpr (!std::is_array_v<decltype(Source::text)>) return {.text = Source::text};
    else {
        constexpr std::size_t size = sizeof(Source::text) - 1, longest = 256;
        for (auto i = size; i > 0 && size - i < longest; --i)
            if (Source::text[i - 1] == 0) return {{Source::text + i, size - i}, {Source::text, i - 1}};
        return {.text = {Source::text, size}};
    }
}

template <capacity Capacity> struct parsed_stage {
    graph_storage<capacity{Capacity.nodes, Capacity.arguments, 0}> storage; // values come with the types
    fx_style style;
    diagnosis error;
};
// Stages are computed by functions: g++ evaluates a lambda that is called in place two or three times.
template <class Source, class Registry, capacity Capacity> constexpr auto parse_stage() {
    parsed_stage<Capacity> out;
    read_fx(text_of<Source>().text, Registry::table, out.storage.edit(), out.style, out.error);
    return out;
}

} // namespace detail

/// A text, parsed by the compiler, once per source and registry; `error.ok()`, or the graph must not be used:
///     static_assert(parsed_fx<lenet, registry>::error.ok());
template <fx_source Source, class Registry> struct parsed_fx {
    static constexpr source_text source = detail::text_of<Source>();
    static constexpr std::string_view text = source.text;
    static constexpr ahead::capacity capacity = count_fx(text);
    static constexpr detail::parsed_stage<capacity> parsed = detail::parse_stage<Source, Registry, capacity>();
    static constexpr const auto& storage = parsed.storage;
    static constexpr const fx_style& style = parsed.style;
    static constexpr const diagnosis& error = parsed.error;
};

/// Additional information from the user about one placeholder of a text.
struct fx_input {
    std::string_view placeholder; // name in the definition, input, or in the body, input_1
    std::string_view weight{};    // the tensor's name in the weight file; empty for a user input
    std::string_view type{};      // as "f32[2, 3]"; empty if the text prints it
    std::string_view writes{};    // the returned value that is its new value; empty: none, or the one that the text's
                                  // signature names
};

namespace detail {
// pre: as after read_fx, the node's name is a view of the text.
constexpr bool is_input(const node& n, std::string_view name) {
    return n.kind != node_kind::call && n.kind != node_kind::output &&
           (same_name(n.name.text, name) || (n.kind == node_kind::placeholder && same_name(n.target, name)));
}
/// The placeholder or attribute of this name, searched from `from` on and then from the beginning; none() if not found.
constexpr node_id find_input(graph_view g, node_id from, std::string_view name) {
    const node* nodes = g.node_pool();
    for (auto at = from.index; at >= 0; at = nodes[at].next.index)
        if (is_input(nodes[at], name)) return {at};
    for (auto at = g.first().index; at != from.index; at = nodes[at].next.index)
        if (is_input(nodes[at], name)) return {at};
    return {};
}
} // namespace detail

namespace detail {
/// Marks the returned value of this name as the new value of an input. Refuses a name that is not returned.
constexpr bool mark_written(graph g, node_id input, std::string_view name, diagnosis& d) {
    const auto returned = returned_by(g);
    for (std::int32_t i = 0; i < returned.count; ++i) {
        auto& a = g[returned[i]];
        if (a.kind != argument_kind::node || a.writes.exists() || !same_name(g[a.node()].name.text, name)) continue;
        a.writes = input;
        return true;
    }
    d.name = g[input].name.text;
    return refuse(d, fault::name_is_undefined, "a value that the graph returns", name);
}
} // namespace detail

/// Adds the user's descriptions to the graph, in one walk if they are in the order of its placeholders. Refuses
/// placeholders that the graph does not have, and values that it does not return.
constexpr bool describe_inputs(graph g, array_view<const fx_input> inputs, diagnosis& d) {
    node_id next = g.first();
    for (const auto& input : inputs) {
        const auto id = detail::find_input(g, next, input.placeholder);
        if (!id.exists()) {
            d.name = input.placeholder;
            return refuse(d, fault::parameter_is_not_a_placeholder, "a placeholder of the graph", input.placeholder);
        }
        auto& n = g[id];
        if (!input.weight.empty()) {
            n.role = input_role::parameter;
            n.weight = input.weight;
        }
        if (!input.type.empty()) n.annotation = input.type;
        if (!input.writes.empty() && !detail::mark_written(g, id, input.writes, d)) return false;
        next = n.next;
    }
    return true;
}

namespace detail {

/// The type whose text is parsed: sources that differ only in symbols name a common one.
template <class Source> struct text_source {
    using type = Source;
};
template <class Source>
    requires requires { typename Source::same_text_as; }
struct text_source<Source> {
    using type = typename Source::same_text_as;
};

template <class Source> constexpr array_view<const fx_input> inputs_of() {
    if constexpr (requires { Source::inputs; }) return Source::inputs;
    else return {};
}
template <class Source> constexpr symbol_values symbols_of() {
    if constexpr (requires { Source::symbols; }) return Source::symbols;
    else return {};
}

/// If all operators of a text are known, the laws are not instantiated.
template <class Parsed> using laws_for = std::conditional_t<needs_laws(Parsed::storage.view()), all_laws, no_laws>;

template <capacity Capacity> struct typed_stage {
    graph_storage<Capacity> storage;
    diagnosis error;
};
template <class Source, class Registry, capacity Capacity> constexpr auto type_stage() {
    using parsed = parsed_fx<typename text_source<Source>::type, Registry>;
    typed_stage<Capacity> out;
    out.error = parsed::error;
    if (!out.error.ok()) return out;
    copy_graph(parsed::storage.view(), out.storage.edit());
    describe_inputs(out.storage.edit(), inputs_of<Source>(), out.error) &&
        infer_symbolic_types<laws_for<parsed>>(out.storage.edit(), Registry::table, symbols_of<Source>(),
                                               parsed::style.range_constraints, out.error);
    return out;
}

} // namespace detail

/// The typed graph of a text.
template <fx_source Source, class Registry = aten::registry> struct fx_graph {
    using registry = Registry;
    using parsed = parsed_fx<typename detail::text_source<Source>::type, Registry>;

private:
    static constexpr ahead::capacity capacity = [] {
        const auto room = room_for_numbers<detail::laws_for<parsed>>(
            parsed::storage.view(), detail::symbols_of<Source>(), detail::inputs_of<Source>());
        return ahead::capacity{room.nodes, room.arguments, room.values + parsed::capacity.values};
    }();
    static constexpr detail::typed_stage<capacity> typed = detail::type_stage<Source, Registry, capacity>();

public:
    static constexpr source_text source = parsed::source;
    static constexpr const auto& storage = typed.storage;
    static constexpr const diagnosis& error = typed.error;
};

/// The argument of `compiled`: fx<source>, or fx<source, my_registry> if the text calls operators of the user's
/// registry.
template <class Source, class Registry = aten::registry> inline constexpr fx_graph<Source, Registry> fx{};

} // namespace ahead
