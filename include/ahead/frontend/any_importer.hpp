// SPDX-License-Identifier: MIT
// The importer of files whose format the program does not know: the first importer that recognises the text reads it.
//     const auto made = inspect<any_importer>(text);
// Invariant: a text that one importer recognises is read by that one alone; a text that none recognises is read as FX
// text, whose refusal says how a graph starts. Called by generate/main.hpp, examples/08_inspect.
#pragma once
#include <ahead/frontend/fx/fx.hpp>
#include <ahead/frontend/pbtxt/pbtxt.hpp>
#include <ahead/frontend/pt2/pt2.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Calls f.operator()<Importer>() with the importer of the text.
template <importer First, importer... Others> constexpr auto with_importer_of(std::string_view text, auto f) {
    decltype(f.template operator()<First>()) out{};
    const auto takes = [&]<class Importer>() {
        if (!Importer::format.recognises(text)) return false;
        out = f.template operator()<Importer>();
        return true;
    };
    if (!(takes.template operator()<First>() || ... || takes.template operator()<Others>()))
        out = f.template operator()<First>();
    return out;
}
constexpr auto with_known_importer(std::string_view text, auto f) {
    return with_importer_of<fx_importer, pbtxt_importer, pt2_importer>(text, f);
}
constexpr bool is_any_format(std::string_view text) {
    for (const auto* one : text_formats)
        if (one->recognises(text)) return true;
    return false;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

struct any_importer {
    static constexpr text_format format{"FX text, a pbtxt or a .pt2 archive", "inspect<any_importer>(text)",
                                        detail::is_any_format};
    static import_room count(std::string_view text) {
        return detail::with_known_importer(text, [&]<class Importer>() { return Importer::count(text); });
    }
    static bool read(std::string_view text, op_table ops, graph g, array_view<char> characters, import_notes& notes,
                     diagnosis& d) {
        return detail::with_known_importer(
            text, [&]<class Importer>() { return Importer::read(text, ops, g, characters, notes, d); });
    }
};

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::any_importer;
} // namespace ahead
