// SPDX-License-Identifier: MIT
// From the graph as it came to the device graph, one constant per stage: functional, after passes, with records for
// waits, lowered. A stage that would change nothing is the one before it. Called by compiled.hpp.
#pragma once
#include <ahead/compile/checked_passes.hpp>
#include <ahead/compile/compiled_block.hpp>
#include <ahead/convert/lower/lower_graph.hpp>
#include <ahead/convert/toolchain.hpp>
#include <ahead/pass/functionalise_random.hpp>
#include <ahead/pass/record_waits.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

template <capacity Capacity> struct edited_stage {
    graph_storage<Capacity> storage;
    diagnosis error;
};
/// Front's graph after an edit: a struct with `room(graph, ops)`, the capacity it needs, and `run(graph, ops,
/// diagnosis)`.
template <class Front, class Edit> constexpr auto edit_stage() {
    constexpr capacity room = Edit::room(Front::storage.view(), Front::registry::table);
    edited_stage<room> out;
    copy_graph(Front::storage.view(), out.storage.edit());
    Edit::run(out.storage.edit(), Front::registry::table, out.error);
    return out;
}
template <class Front, class Edit> struct edited_front {
    using registry = typename Front::registry;

private:
    static constexpr auto made = edit_stage<Front, Edit>();

public:
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};

struct functionalising {
    static constexpr capacity room(graph_view g, op_table ops) { return room_to_functionalise(g, ops); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { functionalise(g, ops, d); }
};
struct functionalising_random {
    static constexpr capacity room(graph_view g, op_table ops) { return room_to_functionalise_random(g, ops); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { functionalise_random(g, ops, d); }
};
/// Front itself where nothing is mutated and nothing random; else its functional form.
template <class Front> constexpr bool mutates() {
    const graph_view g = Front::storage.view(); // a variable: g++ -O2 evaluates a call of constants twice
    return Front::error.ok() && has_in_place(g, Front::registry::table);
}
template <class Front> constexpr bool is_random() {
    const graph_view g = Front::storage.view();
    return Front::error.ok() && has_random(g, Front::registry::table);
}
template <class Front>
using deterministic = std::conditional_t<is_random<Front>(), edited_front<Front, functionalising_random>, Front>;
template <class Front>
using functional = deterministic<std::conditional_t<mutates<Front>(), edited_front<Front, functionalising>, Front>>;

/// All passes of a toolchain, in the order they run in; where its own are no objects, that it is no pass. Of a block,
/// none.
template <class Tools> constexpr auto list_passes() {
    if constexpr (requires { Tools::is_of_block; }) return pass::pipeline<>{};
    else if constexpr (requires { Tools::pattern_pass, Tools::pre_pass, Tools::post_pass; })
        return pass::pipeline<>{} | Tools::pattern_pass | custom_passes_of<Tools> | Tools::pre_pass |
               builtin_passes_of<Tools> | Tools::post_pass;
    else if constexpr (requires { Tools::pre_pass, Tools::post_pass; })
        return custom_passes_of<Tools> | Tools::pre_pass | builtin_passes_of<Tools> | Tools::post_pass;
    else return custom_passes_of<Tools> | std::type_identity<Tools>{};
}
template <class Tools> using passes_of = decltype(list_passes<Tools>());

/// The passes from First up to the next so many, of a graph that began with Imported's nodes; one where each is
/// checked.
template <class Tools, class Imported, std::int32_t First> struct passing {
    static constexpr const capacity& began = Imported::storage.header.used;
    static constexpr pass::pass_range which{
        First, First + (Tools::options.check_passes ? 1 : pass::passes_at_once(began.nodes))};
    static constexpr capacity room(graph_view g, op_table ops) {
        return pass::room_for_passes(passes_of<Tools>{}, g, ops, began, which);
    }
    static constexpr void run(graph g, op_table ops, diagnosis& d) {
        pass::run(passes_of<Tools>{}, Tools::options, g, ops, d, which);
    }
};
/// Front itself where none of them would run; else its graph after these passes.
template <class Front, class Passing, class Tools> constexpr bool some_pass_applies() {
    const graph_view g = Front::storage.view();
    return Front::error.ok() &&
           pass::any_applies(passes_of<Tools>{}, Tools::options, g, Front::registry::table, Passing::which);
}
/// Front after all passes of Tools from First on: a large graph takes several constants for that, one after the other.
template <class Front, class Tools, class Imported = Front, std::int32_t First = 0> struct after_passes {
    using passing = detail::passing<Tools, Imported, First>;
    using edited = edited_front<Front, passing>;
    using checked = checked_front<Front, edited, passes_of<Tools>, First>;
    using next = std::conditional_t<some_pass_applies<Front, passing, Tools>(),
                                    std::conditional_t<Tools::options.check_passes, checked, edited>, Front>;
    using type = typename after_passes<next, Tools, Imported, passing::which.end>::type;
};
template <class Front, class Tools, class Imported, std::int32_t First>
    requires(First >= passes_of<Tools>::size)
struct after_passes<Front, Tools, Imported, First> {
    using type = Front;
};
template <class Front, class Tools> using passed = typename after_passes<Front, Tools>::type;

template <class Tools> struct recording_waits {
    static constexpr capacity room(graph_view g, op_table) { return room_to_record_waits(g); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { record_waits(g, ops, Tools::options, d); }
};
template <class Front> constexpr bool is_waiting() {
    const graph_view g = Front::storage.view();
    return Front::error.ok() && waits_on_tensors(g);
}
/// Front itself where all that is waited for are records; else its graph with records.
template <class Front, class Tools>
using with_records = std::conditional_t<is_waiting<Front>(), edited_front<Front, recording_waits<Tools>>, Front>;

/// The same of the device graph.
template <class Tools> constexpr auto list_device_passes() {
    if constexpr (requires { Tools::device_pre_pass, Tools::device_post_pass; })
        return pass::pipeline<>{} | Tools::device_pre_pass | pass::device_builtin<Tools::device> |
               Tools::device_post_pass;
    else return pass::pipeline<>{} | std::type_identity<Tools>{};
}
template <class Tools> using device_passes_of = decltype(list_device_passes<Tools>());

template <capacity Capacity> struct lowered_stage {
    graph_storage<Capacity> graph;
    diagnosis error;
};

/// Front's graph on the device, in this room. post: error.ok(), or the graph is what was made before the fault.
template <class Front, class Tools, capacity Room> constexpr auto lower_stage() {
    lowered_stage<Room> out;
    if (Front::error.ok())
        lower_graph(Front::storage.view(), Front::registry::table, Tools::converters::table, out.graph.edit(),
                    Tools::device_registry::table, Tools::options, out.error, device_passes_of<Tools>{},
                    needs_of_blocks<Front, Tools>);
    return out;
}
template <class Front, class Tools> struct lowered_stages {
    static constexpr capacity usual = usual_lowered_capacity(Front::storage.view());
    static constexpr auto at_once = lower_stage<Front, Tools, usual>();
    static constexpr bool is_enough = at_once.error.what != fault::graph_exceeds_capacity || !Front::error.ok();
};
/// A graph that does not fit where most do is lowered once to count it, in twice the room, as that takes the compiler
/// as long as lowering itself.
template <class Front, class Tools> struct counted_stages {
    static constexpr capacity size = lowered_capacity(
        Front::storage.view(), Front::registry::table, Tools::converters::table, Tools::device_registry::table,
        Tools::options, device_passes_of<Tools>{}, needs_of_blocks<Front, Tools>, 1);
    static constexpr auto in_all = lower_stage<Front, Tools, size>();
};
template <class Front, class Tools> constexpr const auto& choose_lowered() {
    if constexpr (lowered_stages<Front, Tools>::is_enough) return lowered_stages<Front, Tools>::at_once;
    else return counted_stages<Front, Tools>::in_all;
}
template <class Front, class Tools> inline constexpr const auto& lowered_of = choose_lowered<Front, Tools>();

} // namespace detail

} // namespace ahead
