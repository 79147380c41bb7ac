// A graph of nested branches, its blocks and nodes by name, and its text with a change: shared by the tests of blocks.
// SPDX-License-Identifier: MIT
#pragma once
#include "block_texts.hpp"
#include "harness.hpp"
#include "typed_reading.hpp"

#include <string>

namespace test::nested_blocks {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr auto nested = nested_branches, loop = power_loop;

inline constexpr op_table op_rows = aten::registry::table;
using reading = typed_reading<capacity{48, 128, 96}>;

inline constexpr block_id whole, yes{5}, no{6}, inner_yes{16}, inner_no{17}; // their heads stand where the text names them
inline constexpr std::int32_t all_nodes = 10 + 7 + 5 + 4 + 7;                // of the graph, of the branches, of those in the first

inline constexpr node_id named(graph_view in, std::string_view name) {
    for (node_id id : in)
        if (print(in[id].name).view() == name) return id;
    return {};
}
inline constexpr node_id named(graph_view g, block_id b, std::string_view name) { return named(g.inside(b), name); }

inline std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
    std::string out(text);
    const auto at = out.find(what);
    check(at != out.npos, what);
    return out.replace(at, what.size(), with);
}
inline std::string printed(graph_view g, const fx_style& style) {
    std::string out;
    print_fx(g, style, out);
    return out;
}

} // namespace test::nested_blocks
