// SPDX-License-Identifier: MIT
// The blocks that the calls of a graph contain, each as a separate program: compiled like the graph, after the graph's
// passes have processed them, planned and verified separately. A block runs inside the task of its call: in the task's
// workspace, on the task's operands, and it writes the task's results.
// Invariant: a block's program does not keep state from run to run. Called by graph_stages.hpp, compiled.hpp; run by
// kernels/control.hpp.
#pragma once
#include <ahead/convert/lower/lowering_state.hpp>
#include <ahead/convert/toolchain.hpp>
#include <ahead/pass/block_graph.hpp>
#include <ahead/runtime/launch/parameters.hpp>

namespace AHEAD_NAMESPACE::compile {

/// The form of a graph to compile: a type with static constants `error` and `storage`, a typed ATen graph, and a
/// `registry`. trace() and fx<> return objects of such types.
template <class Front>
concept compilable = requires {
    Front::error;
    Front::storage;
    typename Front::registry;
};
template <compilable Front, class Given> struct compiled_graph;

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::detail {

/// A block of Front's graph, in the form that programs are compiled from.
template <class Front, std::int32_t Block> struct block_front {
    using registry = typename Front::registry;

private:
    template <capacity Room> struct stage {
        graph_storage<Room> storage;
        diagnosis error;
    };
    static constexpr auto make() {
        constexpr capacity room = pass::room_for_block(Front::storage.view(), {Block});
        stage<room> out;
        pass::block_graph(Front::storage.view(), {Block}, Front::registry::table, out.storage.edit(), out.error);
        return out;
    }
    static constexpr auto made = make();

public:
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};
/// The toolchain of a graph for its blocks, which passes have already processed.
template <class Tools> struct block_tools : Tools {
    static constexpr bool is_of_block = true;
};
template <class Tools> inline constexpr bool is_toolchain<block_tools<Tools>> = true;

/// The program that runs a block. Front: the graph that contains it, after passes.
template <class Front, class Tools, std::int32_t Block> struct compiled_block {
    using program = compile::compiled_graph<block_front<Front, Block>, block_tools<Tools>>;
    static constexpr bool has_constants = program::plan.constant_bytes > 0;
    static constexpr device::block_needs needs{
        {Block},
        program::plan.peak_bytes,
        program::plan.constant_bytes,
        program::plan.scratch_bytes,
        program::accepted ? device::time_in_task(program::plan.makespan, Tools::device.launch.graph)
                          : machine::ticks{}};
    /// Bytes from the first element to the end of the last element of a parameter's value; weights do not count as
    /// parameters.
    template <std::int32_t Nth> static constexpr std::int64_t input_bytes() {
        constexpr const tensor_type& type = program::template input_port<Nth>::type;
        return bytes_of(type.type, extent_of(type));
    }

    /// externals: the values of the parameters that are not weights, then the destinations of the results, except those
    /// that a loop carries. Returns false if a kernel refuses; d has the reason.
    static bool run(const std::byte* const* externals, const std::byte* constants, std::byte* arena, diagnosis& d) {
        constexpr auto first = program::plan.prepare_tasks;
        return runtime::run_tasks<program, first, first + program::plan.run_tasks>({externals, constants, arena}, &d);
    }
    static bool prepare(const std::byte* const* weights, std::byte* constants, std::byte* scratch, diagnosis& d) {
        const std::byte* parameters[static_cast<std::size_t>(program::plan.parameters) + 1]{};
        const auto& wanted = runtime::parameters<program>::made.all;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (wanted[i].literal < 0) parameters[i] = *weights++;
        runtime::copy_parameters<program>(parameters, constants);
        return runtime::run_tasks<program, 0, program::plan.prepare_tasks>({parameters, constants, scratch}, &d);
    }
};

/// Calls f for the blocks that the calls of a graph contain, without blocks inside blocks.
constexpr void for_each_held(graph_view g, auto f) {
    if (has_blocks(g))
        for (node_id id : g)
            for (block_id b : blocks_of(g, g[id])) f(b);
}
template <class Front> constexpr std::size_t count_held() {
    std::size_t count = 0;
    for_each_held(Front::storage.view(), [&](block_id) { ++count; });
    return count;
}
template <class Front> constexpr auto list_held() {
    std::array<block_id, count_held<Front>()> out{};
    std::size_t count = 0;
    for_each_held(Front::storage.view(), [&](block_id b) { out[count++] = b; });
    return out;
}
template <class Front> inline constexpr auto held_by = list_held<Front>();
/// The needs of these blocks.
template <class Front, class Tools> constexpr auto needs_of_held() {
    return []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return std::array<device::block_needs, sizeof...(Nth)>{
            compiled_block<Front, Tools, held_by<Front>[Nth].index>::needs...};
    }(std::make_index_sequence<count_held<Front>()>{});
}
template <class Front, class Tools> inline constexpr auto needs_of_blocks = needs_of_held<Front, Tools>();

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using compile::compiled_graph;
} // namespace ahead
