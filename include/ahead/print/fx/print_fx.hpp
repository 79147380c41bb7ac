// SPDX-License-Identifier: MIT
// A graph as FX prints it: print(gm.graph), print_readable(), gm.code, print(ExportedProgram). At compile time and at
// run time.
// Invariant: print_fx(read_fx(text)) == text up to blanks at line ends, blank lines and comments. Deletions and
// num_users are not kept from the text but computed by FX's rule, so a changed graph prints correctly as well. Called
// by users, reports and tests.
#pragma once
#include <ahead/print/fx/code.hpp>
#include <ahead/print/fx/listing.hpp>

namespace AHEAD_NAMESPACE::printers {

/// Prints the graph in the form of `style`: the one that read_fx returned, or listing_style(), readable_style(),
/// code_style(), exported_style().
/// pre: the last node is the output.
template <text_sink Sink> constexpr void print_fx(graph_view g, const fx_style& style, Sink& out) {
    detail::fx_writer<Sink> writer(g, style, out);
    if (style.form == fx_form::listing) detail::fx_listing<Sink>(writer).print();
    else detail::fx_code<Sink>(writer).print();
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_fx;
} // namespace ahead
