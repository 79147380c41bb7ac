// SPDX-License-Identifier: MIT
// The address of an operand of a task: a region of an execution's memory, and an offset in it. Called by
// instantiate_kernels.hpp, which reads addresses from a plan, and by written programs (aot/task.hpp), whose sources
// contain them.
// Invariant: an address does not depend on where the regions are; runtime::region_bases gives their bases, anew in each
// run.
#pragma once
#include <ahead/plan/plan.hpp>
#include <ahead/runtime/launch/kernel_launch.hpp>

namespace AHEAD_NAMESPACE::runtime {

struct address {
    region where = region::nowhere;
    std::int32_t port = 0;   // for inputs, parameters and states: the index of the external
    std::int64_t offset = 0; // bytes
    friend constexpr bool operator==(const address&, const address&) = default;
};

namespace detail {

/// The address of an operand's first element. In a run, parameters are read from their copy in the constant region;
/// states are one more external, after the inputs.
constexpr address address_of(graph_view g, plan_view plan, const value& v, bool preparing) {
    const auto& p = plan.placements.data()[v.storage.index];
    address at{p.where, p.port, p.offset};
    bool external = at.where == region::input || at.where == region::parameter || at.where == region::state;
    if (p.where == region::parameter && !preparing) at = {region::constants, 0, plan.copies.data()[p.copy].offset};
    if (p.where == region::state) at.port = plan.summary.inputs;
    // An external tensor is passed as a pointer to its first element, which its type places at the type's offset.
    const auto elements = external ? v.type.offset - g[v.storage].type.offset : v.type.offset;
    if (elements != 0) at.offset += bytes_of(v.type.type, elements);
    return at;
}

[[gnu::always_inline]] inline const std::byte* resolve(const region_bases& m, const address& at) {
    switch (at.where) {
    case region::input:
    case region::parameter:
    case region::state: return m.externals[at.port] + at.offset;
    case region::constants: return m.constants + at.offset;
    default: return m.arena + at.offset;
    }
}

/// Calls f for each address of a task: of its operands, those in lists included, of its results, and of its workspace.
template <class F> constexpr void for_each_address(graph_view g, plan_view plan, std::int32_t t, F f) {
    const auto& task = plan.tasks.data()[t];
    const auto& n = g[task.node];
    const bool preparing = t < plan.summary.prepare_tasks;
    for_each_operand(g, n.arguments, [&](const argument& a) { f(address_of(g, plan, g.value_of(a), preparing)); });
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        f(address_of(g, plan, g[value_id{v}], preparing));
    f(address{region::nowhere, 0, task.workspace_offset});
}

} // namespace detail

} // namespace ahead::runtime
