// SPDX-License-Identifier: MIT
// The entry point for a pbtxt, the text of a GraphDef: pbtxt<source> is a typed graph, as fx<source> is.
//     struct lenet { static constexpr char text[] = R"pb( node { name: "x" op: "Placeholder" ... } )pb"; };
//     using digits = compiled<pbtxt<lenet>>;
// A source may have `inputs` and `symbols`, as one of FX text (fx/fx.hpp). A size may be a symbol, dim { size: 8 name:
// "s0" }, or its type an annotation, "f32[s0, 3]".
// Types that the text states of a call with one result (_annotation, _output_shapes, _output_types, _output_strides)
// are compared with inference; storages and offsets, and types of several results, are computed anew. Errors name the
// line of the node's operator in this text, not the line that `_line` says of another one.
// Invariant: `error.ok()`, or the graph must not be used.
#pragma once
#include <ahead/frontend/imported_graph.hpp>
#include <ahead/frontend/pbtxt/read_pbtxt.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The length of the number at the end of a string that names a result, "split:12"; 0 if it names none. end: of the
/// string, the position of its quote.
constexpr std::int32_t digits_of_result(std::string_view text, std::size_t end) {
    auto at = end;
    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9') --at;
    return at > 0 && at < end && text[at - 1] == ':' ? static_cast<std::int32_t>(end - at) : 0;
}

/// The room of a graph whose types are inferred.
constexpr import_room count_pbtxt_source(std::string_view text) {
    constexpr std::int32_t longest_dtype = 8 + 4, longest_size = 16 + 2, results = 8;
    const auto printed = count_pbtxt(text);
    import_room out{printed.capacity, printed.characters + longest_dtype * printed.capacity.values};
    std::int32_t picked = 0;  // results of calls that a getitem reads, if the text states none
    std::string_view last;    // the call that the last numbered result is of
    std::int32_t of_last = 0; // its results that were counted
    for (std::size_t i = 3; i < text.size(); ++i) {
        if (text[i] == 'e' && text.substr(i - 3, 4) == "size") out.characters += longest_size;
        if (text[i] == 'm' && i >= 7 && text.substr(i - 6, 7) == "getitem") picked += results;
        if (text[i] != '"') continue;
        const auto digits = digits_of_result(text, i);
        if (digits == 0 || digits > 4) continue;
        const auto end = i - static_cast<std::size_t>(digits) - 1;
        const auto name = text.substr(text.rfind('"', end) + 1, end - text.rfind('"', end) - 1);
        std::int32_t number = 0;
        for (auto k = end + 1; k < i; ++k) number = number * 10 + (text[k] - '0');
        if (name != last) of_last = 0;
        last = name;
        if (number < of_last) continue;
        picked += number + 1 - of_last;
        of_last = number + 1;
    }
    auto& values = out.capacity.values;
    values = out.capacity.nodes + 16 + (values > picked ? values : picked);
    return out;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// Texts that print_pbtxt writes. They name the inputs that the graph writes.
struct pbtxt_importer {
    static constexpr const text_format& format = pbtxt_format;
    static constexpr import_room count(std::string_view text) { return detail::count_pbtxt_source(text); }
    static constexpr bool read(std::string_view text, op_table ops, graph g, array_view<char> characters,
                               import_notes& notes, diagnosis& d) {
        notes = {{}, true};
        return detail::pbtxt_graph_reader(text, ops, g, characters, detail::pbtxt_use::source, d).read();
    }
};

/// The argument of `compiled`: pbtxt<source>, or pbtxt<source, my_registry> if the text calls operators of the user's
/// registry.
template <class Source, class Registry = aten::registry>
inline constexpr imported_graph<pbtxt_importer, Source, Registry> pbtxt{};

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::pbtxt, frontend::pbtxt_importer;
} // namespace ahead
