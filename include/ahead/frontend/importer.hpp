// SPDX-License-Identifier: MIT
// An importer reads a graph from the contents of a file. All users of texts (compiled<>, inspect, gears, bounded
// programs, the generator, coverage) take one, and know no format.
//     struct my_importer {
//         static constexpr const text_format& format = my_format;
//         static constexpr import_room count(std::string_view text);
//         static constexpr bool read(std::string_view text, op_table ops, graph g, array_view<char> characters,
//                                    import_notes& notes, diagnosis& d);
//     };
// Invariant: read makes no types: a type that the text states is the annotation of its node, and typing compares it.
// Models: fx/fx.hpp, pbtxt/pbtxt.hpp, any_importer.hpp.
#pragma once
#include <ahead/frontend/formats.hpp>
#include <ahead/ir/op.hpp>
#include <concepts>

namespace AHEAD_NAMESPACE::frontend {

/// The room that reading needs. Suffices for any text.
struct import_room {
    ir::capacity capacity;       // values: of typing
    std::int32_t characters = 0; // of names and texts of the graph that are not in the text as they are
};

/// Facts of a text that are not in its graph.
struct import_notes {
    std::string_view range_constraints; // of its symbols, "{s0: VR[2, 16], s1: VR[2, int_oo]}"; empty: none
    bool names_writes = false;          // the text says which of its inputs the graph writes
};

/// A format of graphs. read: `text` is the whole file, bytes if the format is binary; `g` is empty, with the room that
/// count gives; names and texts of the graph are views of `text` or of `characters`. The last node is the output, each
/// node's line (from.line) is that of the text, 0 in a binary file, and operators that `ops` lacks stay none(). If it
/// returns false, `d` names the line, what was expected and what was found.
template <class T>
concept importer = requires(std::string_view text, op_table ops, graph g, array_view<char> characters,
                            import_notes& notes, diagnosis& d) {
    { T::format } -> std::convertible_to<const text_format&>;
    { T::count(text) } -> std::same_as<import_room>;
    { T::read(text, ops, g, characters, notes, d) } -> std::same_as<bool>;
};

/// As Importer::read, but the refusal of a text of another format says which format it has.
template <importer Importer>
constexpr bool import_text(std::string_view text, op_table ops, graph g, array_view<char> characters,
                           import_notes& notes, diagnosis& d) {
    if (Importer::read(text, ops, g, characters, notes, d)) return true;
    if (Importer::format.recognises(text)) return false;
    for (const auto* other : text_formats)
        if (other->recognises(text)) {
            d = {};
            return refuse(d, fault::text_has_another_format, Importer::format.name,
                          short_text(other->name) << ": " << other->spelled);
        }
    return false;
}

/// A text in a program. It may also have
///     static constexpr input_description inputs[] = ...   facts of its placeholders that the text lacks
///     static constexpr symbol_value symbols[] = ...       values of its symbols
///     using importer = pbtxt_importer                     its format, for compiled_gears and compiled_bounded
template <class Source>
concept graph_source = requires {
    std::string_view(Source::text);
};

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::importer;
} // namespace ahead
