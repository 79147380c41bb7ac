// SPDX-License-Identifier: MIT
// The formats of graphs, and how each is recognised by its first lines or bytes. It reads no graph, so that an importer
// can name the format of a text that is not its own.
// Invariant: no text is recognised as two of them. Called by importer.hpp, any_importer.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::frontend {

/// A format as errors name it: `name`, the text; `spelled`, how a program says that its text has this format.
struct text_format {
    std::string_view name;
    std::string_view spelled;
    bool (*recognises)(std::string_view text);
};

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

/// Whether a line of the text starts a graph as PyTorch prints it; a title or a model may come before it.
constexpr bool is_fx_text(std::string_view text) {
    constexpr std::string_view listing = "graph():";
    while (!text.empty()) {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        while (line.starts_with(' ')) line.remove_prefix(1);
        if (line.starts_with("def ") || line.starts_with("class ") || line.starts_with("ExportedProgram:") ||
            (line.ends_with(listing) && !line.starts_with('#')))
            return true;
    }
    return false;
}

/// Whether the text starts with a message of a GraphDef; comments and blanks may come before it.
constexpr bool is_pbtxt(std::string_view text) {
    const auto skip = [&](std::string_view blanks) {
        const auto at = text.find_first_not_of(blanks);
        text.remove_prefix(at == text.npos ? text.size() : at);
    };
    for (skip(" \t\r\n"); text.starts_with('#'); skip(" \t\r\n")) {
        const auto end = text.find('\n');
        text.remove_prefix(end == text.npos ? text.size() : end);
    }
    for (std::string_view message : {"node", "versions", "library"})
        if (text.starts_with(message)) {
            text.remove_prefix(message.size());
            skip(" \t");
            return text.starts_with('{');
        }
    return false;
}

/// Whether the bytes start as a zip archive does.
constexpr bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\3\4"); }

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

inline constexpr text_format fx_format{"FX text", "fx<source>, inspect_fx(text)", detail::is_fx_text};
inline constexpr text_format pbtxt_format{"a pbtxt", "pbtxt<source>, inspect<pbtxt_importer>(text)", detail::is_pbtxt};
inline constexpr text_format pt2_format{"a .pt2 archive", "inspect<frontend::pt2_importer>(bytes)", detail::is_zip};
inline constexpr const text_format* text_formats[] = {&fx_format, &pbtxt_format, &pt2_format};

} // namespace ahead::frontend
