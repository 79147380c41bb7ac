// SPDX-License-Identifier: MIT
// Reports which lines of a choice file apply to a graph that was compiled at run time (compile/inspect.hpp),
// including its blocks.
// Called by generate/main.hpp.
#pragma once
#include <ahead/compile/inspect.hpp>
#include <ahead/print/choice_report.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class Tools>
void add_choice_rows(std::vector<choice_row>& rows, const compile::inspected_graph& made, op_table ops) {
    const auto blocks = made.needs_of_blocks();
    add_choice_rows<Tools>(rows, made.optimized_graph(), ops, made.options, {blocks.data(), blocks.size()});
    for (const auto& block : made.blocks) add_choice_rows<Tools>(rows, block, ops);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::tune {

/// The report for the choices in its options. pre: the graph was lowered
template <class Tools = toolchain<>, class Registry = aten::registry>
choice_report report_choices(const compile::inspected_graph& made) {
    using tools = typename ahead::detail::kept_toolchain<Tools>::type;
    std::vector<choice_row> rows;
    ahead::detail::add_choice_rows<tools>(rows, made, Registry::table);
    return ahead::detail::report_rows(std::move(rows), made.options.choices);
}

} // namespace ahead::tune
