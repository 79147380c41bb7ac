// SPDX-License-Identifier: MIT
// The typed graph of a text in a program, which the compiler reads by an importer: imported_graph<fx_importer, source>
// is the type of fx<source>.
// Invariant: `error.ok()`, or the graph must not be used. Called by fx/fx.hpp, pbtxt/pbtxt.hpp, dynamic/.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/frontend/bind_symbols.hpp>
#include <ahead/frontend/importer.hpp>
#include <ahead/frontend/input_description.hpp>
#include <type_traits>

namespace AHEAD_NAMESPACE::frontend {

struct fx_importer;

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

// The text is kept as an array: g++ looks up each call by its arguments, an array by its name but a literal by all of
// its characters, so that a string_view of 900 KB would be hashed at each of a hundred thousand calls. ahead_add_graph
// stores the name of the file after a 0.
template <graph_source Source> constexpr source_text text_of() {
    if constexpr (!std::is_array_v<decltype(Source::text)>) return {.text = Source::text};
    else {
        constexpr std::size_t size = sizeof(Source::text) - 1, longest = 256;
        for (auto i = size; i > 0 && size - i < longest; --i)
            if (Source::text[i - 1] == 0) return {{Source::text + i, size - i}, {Source::text, i - 1}};
        return {.text = {Source::text, size}};
    }
}

/// The graph of a text that has all characters of its names. A static constant: names may be views of `characters`.
template <capacity Capacity, std::int32_t Characters> struct parsed_stage {
    graph_storage<capacity{Capacity.nodes, Capacity.arguments, 0}> storage; // values come with the types
    std::array<char, static_cast<std::size_t>(Characters)> characters{};
    import_notes notes;
    diagnosis error;

    parsed_stage() = default;
    template <class Importer>
    constexpr parsed_stage(std::type_identity<Importer>, std::string_view text, op_table ops) {
        import_text<Importer>(text, ops, storage.edit(), characters, notes, error);
    }
};
// Stages are computed by functions: g++ evaluates a lambda that is called in place two or three times. A stage with
// characters of its own is computed by its constructor, because a copy would have views of another one's.
template <class Importer, class Source, class Registry, capacity Capacity> constexpr auto parse_stage() {
    parsed_stage<Capacity, 0> out;
    import_text<Importer>(text_of<Source>().text, Registry::table, out.storage.edit(), {}, out.notes, out.error);
    return out;
}
template <class Importer, class Source, class Registry, capacity Capacity, std::int32_t Characters> struct parsed_once {
    static constexpr parsed_stage<Capacity, Characters> made{std::type_identity<Importer>{}, text_of<Source>().text,
                                                             Registry::table};
};
template <class Importer, class Source, class Registry, capacity Capacity>
struct parsed_once<Importer, Source, Registry, Capacity, 0> {
    static constexpr parsed_stage<Capacity, 0> made = parse_stage<Importer, Source, Registry, Capacity>();
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// A text, read by the compiler, once per source and registry; `error.ok()`, or the graph must not be used:
///     static_assert(parsed_text<fx_importer, lenet, registry>::error.ok());
template <importer Importer, graph_source Source, class Registry> struct parsed_text {
    static constexpr source_text source = detail::text_of<Source>();
    static constexpr std::string_view text = source.text;

private:
    static constexpr import_room room = Importer::count(text);

public:
    static constexpr ir::capacity capacity = room.capacity;
    static constexpr const auto& parsed =
        detail::parsed_once<Importer, Source, Registry, capacity, room.characters>::made;
    static constexpr const auto& storage = parsed.storage;
    static constexpr const import_notes& notes = parsed.notes;
    static constexpr const diagnosis& error = parsed.error;
};

/// The importer of a source: its member `importer`, or FX text.
template <class Source> struct importer_of { using type = fx_importer; };
template <class Source>
requires requires { typename Source::importer; }
struct importer_of<Source> {
    using type = typename Source::importer;
};

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

/// The type whose text is parsed: sources that differ only in symbols name a common one.
template <class Source> struct text_source { using type = Source; };
template <class Source>
requires requires { typename Source::same_text_as; }
struct text_source<Source> {
    using type = typename Source::same_text_as;
};
template <class Importer, class Source, class Registry>
using parsed_source = parsed_text<Importer, typename text_source<Source>::type, Registry>;

template <class Source> constexpr array_view<const input_description> inputs_of() {
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
template <class Parsed, class Source, class Registry, capacity Capacity> constexpr auto type_stage() {
    typed_stage<Capacity> out;
    out.error = Parsed::error;
    if (!out.error.ok()) return out;
    copy_graph(Parsed::storage.view(), out.storage.edit());
    describe_inputs(out.storage.edit(), inputs_of<Source>(), out.error) &&
        infer_symbolic_types<laws_for<Parsed>>(out.storage.edit(), Registry::table, symbols_of<Source>(),
                                               Parsed::notes.range_constraints, out.error);
    return out;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// The typed graph of a text, which `compiled` takes.
template <importer Importer, graph_source Source, class Registry = aten::registry> struct imported_graph {
    using registry = Registry;
    using parsed = detail::parsed_source<Importer, Source, Registry>;

private:
    static constexpr ir::capacity capacity = [] {
        const auto room = room_for_numbers<detail::laws_for<parsed>>(
            parsed::storage.view(), detail::symbols_of<Source>(), detail::inputs_of<Source>());
        return ir::capacity{room.nodes, room.arguments, room.values + parsed::capacity.values};
    }();
    static constexpr detail::typed_stage<capacity> typed = detail::type_stage<parsed, Source, Registry, capacity>();

public:
    static constexpr source_text source = parsed::source;
    static constexpr const auto& storage = typed.storage;
    static constexpr const diagnosis& error = typed.error;
};

/// The typed graph of a source in its own format, of which compiled_gears and compiled_bounded make programs.
template <graph_source Source, class Registry = aten::registry>
using source_graph = imported_graph<typename importer_of<Source>::type, Source, Registry>;

} // namespace ahead::frontend
