// SPDX-License-Identifier: MIT
// Statistics of every pass of a program, as constants of the program: at run time no pass runs, or is even compiled to
// code. Computed only if they are used, like compile/timing.hpp. Called by print/report/html_report.hpp.
// Invariant: the passes are evaluated in the same portions as when the program was compiled, so a graph that compiles
// has steps.
#pragma once
#include <ahead/compile/graph_stages.hpp>

namespace AHEAD_NAMESPACE::compile {

/// An enabled pass: the number of nodes before and after it, and of its changes.
struct pass_step {
    std::string_view name;
    std::int32_t before = 0, after = 0, changes = 0;
};

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::detail {

template <std::size_t Size> struct pass_step_list {
    std::array<compile::pass_step, Size + 1> steps{};
    std::size_t count = 0;
};
/// The steps of one portion of the passes, from Front's graph on.
template <class Front, class Tools, class Portion> constexpr auto list_pass_steps() {
    using passes = compile::passes_of<Tools>;
    pass_step_list<static_cast<std::size_t>(passes::size)> out;
    const graph_view from = Front::storage.view();
    heap_storage storage(Portion::room(from, Front::registry::table));
    copy_graph(from, storage.edit());
    auto nodes = from.header().live_nodes;
    diagnosis d; // stays empty: these passes ran when the program was compiled
    pass::run(
        passes{}, {Tools::options, Tools::device}, storage.edit(), Front::registry::table, d,
        [&](std::string_view name, graph_view now, std::int32_t changes) {
            out.steps[out.count++] = {name, nodes, now.header().live_nodes, changes};
            nodes = now.header().live_nodes;
        },
        Portion::which);
    return out;
}
template <class Front, class Tools, class Portion>
inline constexpr auto pass_steps_of = list_pass_steps<Front, Tools, Portion>();

template <class Front, class Tools, class Imported, std::int32_t First, class F> void for_each_portion(F f) {
    if constexpr (First < compile::passes_of<Tools>::size) {
        using portion = pass_portion<Tools, Imported, First>;
        constexpr const auto& made = pass_steps_of<Front, Tools, portion>;
        for (std::size_t i = 0; i < made.count; ++i) f(made.steps[i]);
        using next =
            std::conditional_t<stage_applies<Front, portion>(), edited_front<Front, Tools, portion>, Front>;
        for_each_portion<next, Tools, Imported, portion::which.end>(f);
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// Calls f for every pass_step of the program, in the order in which the passes ran.
template <class Program, class F> void for_each_pass_step(F f) {
    if constexpr (requires { Program::pass_steps; }) { // a written program's sources contain them
        for (const auto& step : Program::pass_steps) f(step);
    } else {
        using imported = typename Program::imported;
        ahead::detail::for_each_portion<imported, typename Program::tools, imported, 0>(f);
    }
}

} // namespace ahead::compile
