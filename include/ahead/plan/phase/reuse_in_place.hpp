// SPDX-License-Identifier: MIT
// Results in place: a result takes over the bytes of an operand that its kernel may overwrite and that no later task
// uses. Results of one task take different operands. pre: find_live_ranges. post: such a result is in the operand's
// buffer, whose live range covers the result's too, so a chain of them has one buffer. Called by make_plan.hpp.
#pragma once
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether a result of task t may have the operand's bytes: a whole buffer of the arena that no other task uses any
/// more, that no other result has taken, and that this task reads only through arguments that the result may overwrite.
constexpr bool may_take_over(const plan_in_progress& plan, std::int32_t t, std::int32_t result, std::int32_t operand,
                             std::int64_t bytes) {
    const auto* places = plan.buffers.places.data();
    const auto buffer = places[operand].buffer;
    const auto& theirs = plan.buffers.all[buffer];
    if (theirs.run.live.last != t || theirs.where != region::arena || theirs.run.bytes != bytes ||
        places[operand].how == tenancy::part || plan.uses.is_used_besides(buffer, t))
        return false;
    std::int32_t readings = 0; // of anything in the buffer
    const auto id = plan.tasks[t].node;
    const auto& n = plan.nodes[id.index];
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        if (places[v].buffer == buffer) return false;
    for (const auto v : plan.reads_of(id)) readings += places[v].buffer == buffer;
    return readings == plan.overwritable(id, result, operand);
}

/// Puts result v of task t in the place of an operand that it may overwrite, if there is one.
constexpr void share_buffer(plan_in_progress& plan, std::int32_t t, std::int32_t v) {
    const auto* places = plan.buffers.places.data();
    auto* all = plan.buffers.all.data();
    const auto id = plan.tasks[t].node;
    const auto& n = plan.nodes[id.index];
    const auto& mine = all[places[v].buffer];
    if (mine.where != region::arena || mine.run.bytes == 0 || places[v].how == tenancy::part) return;
    const auto asked = plan.needs[id.index].may_overwrite; // a bit for each argument
    for (std::int32_t i = 0; i < n.arguments.count && asked >> i != 0; ++i) {
        if (!plan.may_overwrite(id, v, i)) continue;
        const auto operand = plan.g.value_of(plan.arguments[n.arguments.first + i]).storage.index;
        if (!may_take_over(plan, t, v, operand, mine.run.bytes)) continue;
        plan.buffers.put(v, operand, tenancy::taken);
        auto& theirs = all[places[v].buffer];
        if (theirs.run.live.last < mine.run.live.last) theirs.run.live.last = mine.run.live.last;
        plan.uses.merge(places[v].buffer, v);
        break;
    }
}

constexpr void reuse_in_place(plan_in_progress& plan) {
    for (auto t = plan.summary.prepare_tasks; t < plan.task_count; ++t) {
        const auto id = plan.tasks[t].node;
        const auto& results = plan.nodes[id.index].values;
        if (plan.needs[id.index].may_overwrite == 0) continue;
        for (auto v = results.first; v < results.first + results.count; ++v) share_buffer(plan, t, v);
    }
}

} // namespace ahead::detail
