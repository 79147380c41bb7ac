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
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/frontend/imported_graph.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// Texts that PyTorch printed, in any of its forms; only print(exported program) names the weights that are written.
struct fx_importer {
    static constexpr const text_format& format = fx_format;
    static constexpr import_room count(std::string_view text) { return {count_fx(text)}; }
    static constexpr bool read(std::string_view text, op_table ops, graph g, array_view<char>, import_notes& notes,
                               diagnosis& d) {
        fx_style style;
        const bool is_read = read_fx(text, ops, g, style, d);
        notes = {style.range_constraints, style.form == fx_form::exported};
        return is_read;
    }
};

/// A description of a placeholder of FX text.
using fx_input = input_description;
template <class Source>
concept fx_source = graph_source<Source>;
template <graph_source Source, class Registry> using parsed_fx = parsed_text<fx_importer, Source, Registry>;

/// The typed graph of FX text.
template <graph_source Source, class Registry = aten::registry>
using fx_graph = imported_graph<fx_importer, Source, Registry>;

/// The argument of `compiled`: fx<source>, or fx<source, my_registry> if the text calls operators of the user's
/// registry.
template <class Source, class Registry = aten::registry> inline constexpr fx_graph<Source, Registry> fx{};

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::fx, frontend::fx_input;
} // namespace ahead
