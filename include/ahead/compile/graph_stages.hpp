// SPDX-License-Identifier: MIT
// From the captured graph to the device graph, one constant per stage of pipeline.hpp, and the lowered graph. A stage
// that would not change the graph is identical to the previous one. Called by compiled.hpp.
#pragma once
#include <ahead/compile/checked_passes.hpp>
#include <ahead/compile/compiled_block.hpp>
#include <ahead/compile/pipeline.hpp>
#include <ahead/convert/lower/lower_graph.hpp>

namespace AHEAD_NAMESPACE::detail {

template <capacity Capacity> struct edited_stage {
    graph_storage<Capacity> storage;
    diagnosis error;
};
/// Front's graph after an edit: a struct with `room(graph, ops)`, the capacity that it needs, and `run(graph, ops,
/// options, diagnosis)`.
template <class Front, class Edit> constexpr auto edit_stage(const config& options) {
    constexpr capacity room = Edit::room(Front::storage.view(), Front::registry::table);
    edited_stage<room> out;
    copy_graph(Front::storage.view(), out.storage.edit());
    Edit::run(out.storage.edit(), Front::registry::table, options, out.error);
    return out;
}
template <class Front, class Tools, class Edit> struct edited_front {
    using registry = typename Front::registry;

private:
    static constexpr auto made = edit_stage<Front, Edit>(Tools::options);

public:
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};
/// Whether a stage applies to Front's graph; if not, Front itself is the result.
template <class Front, class Stage> constexpr bool stage_applies() {
    const graph_view g = Front::storage.view(); // a variable: g++ -O2 evaluates a call of constants twice
    return Front::error.ok() && Stage::applies(g, Front::registry::table);
}
template <class Front, class Tools, class Stage> struct after_stage {
    using type = std::conditional_t<stage_applies<Front, Stage>(), edited_front<Front, Tools, Stage>, Front>;
};

/// The passes of Tools from First on, for a graph that initially had Imported's nodes.
template <class Tools, class Imported, std::int32_t First> struct pass_portion {
    using stage = compile::pass_stage<Tools>;
    static constexpr const capacity& began = Imported::storage.header.used;
    static constexpr auto which = stage::portion(First, began.nodes, Tools::options);
    static constexpr bool applies(graph_view g, op_table ops) { return stage::applies(g, ops, which); }
    static constexpr capacity room(graph_view g, op_table ops) { return stage::room(g, ops, began, which); }
    static constexpr void run(graph g, op_table ops, const config& options, diagnosis& d) {
        stage::run(g, ops, options, d, which);
    }
};
/// Front after all passes of Tools from First on: a large graph takes several constants for them, one after the other.
template <class Front, class Tools, class Imported = Front, std::int32_t First = 0> struct after_passes {
    using portion = pass_portion<Tools, Imported, First>;
    using edited = edited_front<Front, Tools, portion>;
    using checked = checked_front<Front, edited, compile::passes_of<Tools>, First>;
    using next = std::conditional_t<stage_applies<Front, portion>(),
                                    std::conditional_t<Tools::options.check_passes, checked, edited>, Front>;
    using type = typename after_passes<next, Tools, Imported, portion::which.end>::type;
};
template <class Front, class Tools, class Imported, std::int32_t First>
    requires(First >= compile::passes_of<Tools>::size)
struct after_passes<Front, Tools, Imported, First> {
    using type = Front;
};
template <class Front, class Tools> struct after_stage<Front, Tools, compile::pass_stage<Tools>> {
    using type = typename after_passes<Front, Tools>::type;
};

template <class Front, class Tools, class Stages> struct after_stages {
    using type = Front;
};
template <class Front, class Tools, class Stage, class... Rest>
struct after_stages<Front, Tools, compile::stage_list<Stage, Rest...>> {
    using type = typename after_stages<typename after_stage<Front, Tools, Stage>::type, Tools,
                                       compile::stage_list<Rest...>>::type;
};
struct no_options {
    static constexpr config options{};
};
template <class Front> using functional = typename after_stages<Front, no_options, compile::functional_stages>::type;
template <class Front, class Tools>
using optimized = typename after_stages<functional<Front>, Tools, compile::optimization_stages<Tools>>::type;

/// The passes of the device graph.
template <class Tools> constexpr auto list_device_passes() {
    if constexpr (requires { Tools::device_pre_pass, Tools::device_post_pass; })
        return pass::pipeline<>{} | Tools::device_pre_pass |
               pass::device_builtin<Tools::device, typename Tools::operators> | Tools::device_post_pass;
    else return pass::pipeline<>{} | std::type_identity<Tools>{};
}
template <class Tools> using device_passes_of = decltype(list_device_passes<Tools>());
template <class Tools> using enabled_device_passes = decltype(pass::enabled_passes<Tools>(device_passes_of<Tools>{}));

template <capacity Capacity, std::int32_t Values> struct lowered_stage {
    graph_storage<Capacity> graph;
    std::array<convert::device_value, static_cast<std::size_t>(Values)> made{}; // by value of the ATen graph
    diagnosis error;
};

/// Front's graph on the device, in this room. post: error.ok(), or the graph contains what was made before the fault.
template <class Front, class Tools, capacity Room> constexpr auto lower_stage() {
    lowered_stage<Room, Front::storage.view().header().used.values> out;
    if (Front::error.ok())
        convert::lower_graph<enabled_device_passes<Tools>, device_passes_of<Tools>>(
            Front::storage.view(), Front::registry::table, Tools::converters::table, out.graph.edit(),
            Tools::device_registry::table, {Tools::options, Tools::device}, out.error, enabled_device_passes<Tools>{},
            needs_of_blocks<Front, Tools>, out.made);
    return out;
}
template <class Front, class Tools> struct lowered_stages {
    static constexpr capacity usual = convert::usual_lowered_capacity(Front::storage.view());
    static constexpr auto at_once = lower_stage<Front, Tools, usual>();
    static constexpr bool is_enough = at_once.error.what != fault::graph_exceeds_capacity || !Front::error.ok();
};
/// If a graph needs more than the usual room, it is lowered once to count its size, in twice the room, because that
/// takes the compiler as long as the lowering itself.
template <class Front, class Tools> struct counted_stages {
    static constexpr capacity size = convert::lowered_capacity(
        Front::storage.view(), Front::registry::table, Tools::converters::table, Tools::device_registry::table,
        {Tools::options, Tools::device}, enabled_device_passes<Tools>{}, needs_of_blocks<Front, Tools>, 1);
    static constexpr auto in_all = lower_stage<Front, Tools, size>();
};
template <class Front, class Tools> constexpr const auto& choose_lowered() {
    if constexpr (lowered_stages<Front, Tools>::is_enough) return lowered_stages<Front, Tools>::at_once;
    else return counted_stages<Front, Tools>::in_all;
}
template <class Front, class Tools> inline constexpr const auto& lowered_of = choose_lowered<Front, Tools>();

} // namespace ahead::detail
