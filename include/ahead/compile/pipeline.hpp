// SPDX-License-Identifier: MIT
// The stages from a captured graph to the graph that is lowered. Their order is defined only here. A stage is a struct
// of static functions: applies(graph, ops), whether it would change the graph; room(graph, ops), the capacity that it
// needs; run(graph, ops, options, diagnosis), which edits the graph in place.
// Called by graph_stages.hpp, which makes constants of the graphs, by inspect.hpp and by lowering_outcome.hpp.
// Invariant: a stage that does not apply leaves the graph as it is.
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/pass/functionalise_random.hpp>
#include <ahead/pass/record_waits.hpp>

namespace AHEAD_NAMESPACE::compile {

/// In-place writes become values.
struct functionalise_stage {
    static constexpr bool applies(graph_view g, op_table ops) { return has_in_place(g, ops); }
    static constexpr capacity room(graph_view g, op_table ops) { return pass::room_to_functionalise(g, ops); }
    static constexpr bool run(graph g, op_table ops, const config&, diagnosis& d) {
        return pass::functionalise(g, ops, d);
    }
};
/// The state of random operators becomes a value.
struct functionalise_random_stage {
    static constexpr bool applies(graph_view g, op_table ops) { return pass::has_random(g, ops); }
    static constexpr capacity room(graph_view g, op_table ops) { return pass::room_to_functionalise_random(g, ops); }
    static constexpr bool run(graph g, op_table ops, const config&, diagnosis& d) {
        return pass::functionalise_random(g, ops, d);
    }
};

/// All passes of a toolchain, in the order in which they run; if its pass members are not objects, the toolchain
/// itself, so that the error says it is not a pass. None for a block.
template <class Tools> constexpr auto list_passes() {
    using ahead::detail::builtin_passes_of, ahead::detail::custom_passes_of;
    if constexpr (requires { Tools::is_of_block; }) return pass::pipeline<>{};
    else if constexpr (requires { Tools::pattern_pass, Tools::pre_pass, Tools::post_pass; })
        return pass::pipeline<>{} | Tools::pattern_pass | custom_passes_of<Tools> | Tools::pre_pass |
               builtin_passes_of<Tools> | Tools::post_pass;
    else if constexpr (requires { Tools::pre_pass, Tools::post_pass; })
        return custom_passes_of<Tools> | Tools::pre_pass | builtin_passes_of<Tools> | Tools::post_pass;
    else return custom_passes_of<Tools> | std::type_identity<Tools>{};
}
template <class Tools> using passes_of = decltype(list_passes<Tools>());

/// The passes. A large graph takes several steps for them, `portion` by `portion`; each step has the functions of a
/// stage.
template <class Tools> struct pass_stage {
    using passes = passes_of<Tools>;
    /// The passes from `first` up to the next step, for a graph that had `nodes` nodes before the first pass; only one
    /// if passes are checked.
    static constexpr pass::pass_range portion(std::int32_t first, std::int32_t nodes, const config& options) {
        return {first, first + (options.check_passes ? 1 : pass::passes_at_once(nodes))};
    }
    static constexpr bool applies(graph_view g, op_table ops, pass::pass_range which) {
        return pass::any_applies(passes{}, Tools::options, g, ops, which);
    }
    /// began: the capacity that the graph used before the first pass.
    static constexpr capacity room(graph_view g, op_table ops, const capacity& began, pass::pass_range which = {}) {
        return pass::room_for_passes(passes{}, g, ops, began, which);
    }
    /// log(name, graph, changes), if given, is called after each enabled pass.
    static constexpr bool run(graph g, op_table ops, const config& options, diagnosis& d, pass::pass_range which,
                              auto... log) {
        return pass::run(passes{}, {options, Tools::device}, g, ops, d, log..., which);
    }
};
/// Adds records before the waits for tensors that have none.
struct record_waits_stage {
    static constexpr bool applies(graph_view g, op_table) { return pass::waits_on_tensors(g); }
    static constexpr capacity room(graph_view g, op_table) { return pass::room_to_record_waits(g); }
    static constexpr bool run(graph g, op_table ops, const config& options, diagnosis& d) {
        return pass::record_waits(g, ops, options, d);
    }
};

template <class... Stages> struct stage_list {
    /// Calls f.operator()<Stage>() in order, while it returns true.
    template <class F> static constexpr bool for_each(F f) { return (f.template operator()<Stages>() && ...); }
};

/// From the captured graph to the functional one.
using functional_stages = stage_list<functionalise_stage, functionalise_random_stage>;
/// From the functional graph to the one that is lowered.
template <class Tools> using optimization_stages = stage_list<pass_stage<Tools>, record_waits_stage>;

} // namespace ahead::compile
