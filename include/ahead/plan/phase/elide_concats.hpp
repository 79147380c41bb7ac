// SPDX-License-Identifier: MIT
// Concatenations without copies: a task of the run that computes an operand of one writes it into its slice of the
// result.
// pre: alias_outputs; operators that join overwrite nothing. post: each such part is in the buffer of the
// concatenation, at its slice, and in one slice only; of woven parts, all are or none is. A concatenation that has
// nothing left to copy is not a task.
// Called by make_plan.hpp.
#pragma once
#include <ahead/device/concat.hpp>
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether the value's storage is in the arena, and not in a slice yet.
constexpr bool is_free_for_slice(const plan_in_progress& plan, const value& v) {
    const auto mine = v.storage.index;
    return plan.buffers.holder_of(mine).where == region::arena && plan.buffers.buffer_of(mine).how != tenancy::part;
}
/// Also, whether the value is all of its storage in row-major order, possibly as a view.
constexpr bool may_be_part(const plan_in_progress& plan, const value& v) {
    const auto& made = plan.g[v.storage].type;
    return is_free_for_slice(plan, v) && made.layout == memory_layout::strided && made.type == v.type.type &&
           v.type.offset == 0 && is_contiguous(v.type) && element_count(v.type) > 0 &&
           extent_of(made) == element_count(v.type);
}
/// Puts as many of the concatenation's operands as possible into their slices. Returns whether nothing is left to copy.
/// A concatenation without such operands stays a task: otherwise no task would write its bytes.
constexpr bool join_operands(plan_in_progress& plan, const node& concat) {
    const auto& g = plan.g;
    const auto parts = g.argument_of(concat, 0).children;
    const auto before = plan.summary.parts_in_place;
    bool copies_none = true;
    std::int64_t begin = 0;
    for (std::int32_t k = 0; k < parts.count; ++k) {
        const auto& v = g.value_of(g[parts[k]]);
        const auto bytes = bytes_of(v.type.type, element_count(v.type));
        if (may_be_part(plan, v)) {
            plan.buffers.join(v.storage.index, concat.values.first, begin);
            ++plan.summary.parts_in_place;
        } else if (bytes > 0) {
            copies_none = false;
        }
        begin += bytes;
    }
    return copies_none && plan.summary.parts_in_place > before;
}

/// Puts woven parts into their slices, if that is possible for all: a copy of one would overwrite the bytes between its
/// rows. Each part must be all of its storage, and no two parts may have the same storage.
constexpr bool weave_operands(plan_in_progress& plan, const node& concat) {
    const auto& g = plan.g;
    const auto parts = g.argument_of(concat, 0).children;
    const auto& whole = g[value_id{concat.values.first}].type;
    const auto axis = static_cast<int>(g.argument_of(concat, 1).integer());
    for (std::int32_t k = 0; k < parts.count; ++k) {
        const auto& v = g.value_of(g[parts[k]]);
        if (!is_free_for_slice(plan, v) || !(g[v.storage].type == v.type)) return false;
        for (std::int32_t other = 0; other < k; ++other)
            if (g.value_of(g[parts[other]]).storage == v.storage) return false;
    }
    std::int64_t begin = 0;
    for (std::int32_t k = 0; k < parts.count; ++k) {
        const auto& v = g.value_of(g[parts[k]]);
        plan.buffers.join(v.storage.index, concat.values.first, bytes_of(whole.type, begin * whole.stride(axis)));
        begin += v.type.size(axis);
    }
    plan.summary.parts_in_place += parts.count;
    return true;
}
constexpr bool is_of_blocks(graph_view g, const node& concat) {
    return device::concat::are_blocks(g[value_id{concat.values.first}].type, g.argument_of(concat, 1).integer());
}

/// Visits the last concatenation first, so that a part of a part is put where the outer concatenation is.
constexpr void elide_concats(plan_in_progress& plan) {
    if (!plan.remove_cats) return;
    fixed_buffer<bool> is_done_elsewhere;
    for (auto t = plan.task_count; t-- > plan.summary.prepare_tasks;) {
        const auto id = plan.tasks[t].node;
        if (!plan.needs[id.index].joins) continue;
        const auto& n = plan.g[id];
        if (plan.buffers.holder_of(n.values.first).where != region::arena ||
            !(is_of_blocks(plan.g, n) ? join_operands(plan, n) : weave_operands(plan, n)))
            continue;
        plan.leave_out(is_done_elsewhere, t);
        ++plan.summary.cats_removed;
    }
    plan.drop_tasks(is_done_elsewhere);
}

} // namespace ahead::detail
