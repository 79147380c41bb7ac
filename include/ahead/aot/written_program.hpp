// SPDX-License-Identifier: MIT
// A program that was planned and written as C++ at build time (generate/), usable wherever a program is expected:
// prepare, sessions on one thread and on several, launches, captures, timing, traces, reports and comparisons take it
// like compiled<net>, with the same plan and the same bits.
// Invariant: graphs and plan are literals of the sources; nothing is parsed, transformed or planned here. Written has
// the contents of these sources: tools, manifest, lowered, planned, and of_prepare, of_run, prepare, run, or instead of
// these `sets`, which has them for several levels of x86-64 (chosen_set.hpp). Graphs has the history of the ATen graph,
// for reports and comparisons with the reference: registry, captured, functional, optimized, steps.
#pragma once
#include <ahead/aot/linked_graph.hpp>
#include <ahead/aot/manifest.hpp>
#include <ahead/aot/task.hpp>
#include <ahead/compile/equal_calls.hpp>
#include <ahead/compile/graph_summary.hpp>
#include <ahead/compile/pass_steps.hpp>
#include <ahead/compile/planned_program.hpp>
#include <ahead/compile/timing.hpp>
#include <ahead/compile/used_operators.hpp>
#include <ahead/convert/toolchain.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A graph in the sources, with the same members as a front's.
template <const auto& Storage, class Registry> struct written_front {
    using registry = Registry;
    static constexpr const auto& storage = Storage;
    static constexpr diagnosis error{};
    static constexpr bool is_complete = true;
};

/// Whether every call of a graph refers to the registry row that it was written for: another version of the library, or
/// a changed toolchain, has other rows.
constexpr bool has_rows_of(graph_view g, op_table ops) {
    for (node_id id : g)
        if (const auto& n = g[id]; n.kind == node_kind::call)
            if (n.op.index < 0 || static_cast<std::size_t>(n.op.index) >= ops.size() ||
                ops.data()[n.op.index].name != n.target)
                return false;
    return true;
}

} // namespace ahead::detail
/// The programs of the blocks that the calls of a written program hold.
namespace AHEAD_NAMESPACE::aot {

template <class... Blocks> struct block_list {
    static constexpr std::array<device::block_needs, sizeof...(Blocks)> needs{Blocks::needs...};
    /// Calls f.operator()<Block>() for each, until one returns false.
    template <class F> static constexpr bool for_each([[maybe_unused]] F f) {
        return (f.template operator()<Blocks>() && ...);
    }
};

} // namespace ahead::aot
namespace AHEAD_NAMESPACE::detail {

template <class Written> struct blocks_of_written { using type = aot::block_list<>; };
template <class Written>
    requires requires { typename Written::blocks; }
struct blocks_of_written<Written> {
    using type = typename Written::blocks;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::aot {

/// The ATen graphs of a program, if they are given.
template <class Graphs> struct written_graphs {
    using registry = typename Graphs::registry;
    using imported = ahead::detail::written_front<Graphs::functional, registry>;
    using optimized = ahead::detail::written_front<Graphs::optimized, registry>;
    static constexpr graph_view captured() { return Graphs::captured.view(); }
    static constexpr graph_view optimized_graph() { return Graphs::optimized.view(); }
    static constexpr array_view<const compile::pass_step> pass_steps{Graphs::steps};
    static_assert(ahead::detail::has_rows_of(captured(), registry::table) &&
                      ahead::detail::has_rows_of(optimized_graph(), registry::table),
                  "these sources were written for operators that are not here: write them again");
};
template <> struct written_graphs<void> {};

template <class Written, class Graphs = void>
struct written_program : compile::planned_program<written_program<Written, Graphs>>, written_graphs<Graphs> {
    using sources = Written;
    using tools = typename Written::tools;
    using device_registry = typename tools::device_registry;
    using operators = ahead::detail::used_operators<ahead::detail::written_front<Written::lowered, device_registry>>;
    static constexpr bool accepted = true;
    static_assert(sizeof(require<aot::made_for<Written::manifest, tools>>) > 0);

    static constexpr graph_view lowered_graph() { return Written::lowered.view(); }
    static_assert(ahead::detail::has_rows_of(lowered_graph(), device_registry::table),
                  "these sources were written for operators that are not here: write them again");

    /// By node, the first that is alike, for timing.
    static constexpr auto alike = compile::list_alike<lowered_graph().header().used.nodes>(lowered_graph());
    static constexpr const auto& block_list = ahead::detail::blocks_of_written<Written>::type::needs;
    static constexpr plan::plan_view plan_view() { return Written::planned.view(); }
    static constexpr plan_summary_with<compile::timed_plan<written_program>> plan{Written::planned.summary, {}};
    static constexpr const machine::device& device = tools::device;
    static constexpr compile::graph_summary summary =
        compile::summarize(Written::planned.summary, tools::device);
    static constexpr std::int32_t output_count = lowered_graph()[lowered_graph().last()].arguments.count;

    static constexpr bool written_tasks = true; // runtime::is_written
    /// Runs tasks [Begin, End) of the plan, in order, as runtime::run_tasks. pre: a part or all of prepare, or of the
    /// run
    template <std::int32_t Begin, std::int32_t End>
    static bool run_written(const runtime::region_bases& m, diagnosis* d) {
        constexpr auto first = plan.prepare_tasks;
        static_assert(End <= first || Begin >= first, "tasks of prepare and of the run find other memory");
        if constexpr (requires { Written::sets; }) return Written::sets.run(Begin, End, m, *d);
        else if constexpr (Begin == first && End == first + plan.run_tasks) return Written::run(m, d);
        else if constexpr (Begin == 0 && End == first) return Written::prepare(m, d);
        else if constexpr (End - Begin > 1) return run_written<Begin, End - 1>(m, d) && run_written<End - 1, End>(m, d);
        else if constexpr (Begin < first) return Written::of_prepare[Begin]->run(m, d);
        else return Written::of_run[Begin - first]->run(m, d);
    }
    /// Returns the number of addresses of a task as its source has it; writes address number `which`, if it exists, to
    /// `out`. Errors: processor_is_too_old
    static std::int32_t written_address(std::int32_t t, std::int32_t which, runtime::address& out,
                                        [[maybe_unused]] diagnosis& d) {
        if constexpr (requires { Written::sets; }) return Written::sets.address(t, which, out, d);
        else {
            const auto& task =
                t < plan.prepare_tasks ? *Written::of_prepare[t] : *Written::of_run[t - plan.prepare_tasks];
            if (which < task.addresses) out = task.at[which];
            return task.addresses;
        }
    }
};

} // namespace ahead::aot
