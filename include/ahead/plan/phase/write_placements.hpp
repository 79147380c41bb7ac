// SPDX-License-Identifier: MIT
// The last phase: the placement of each value, from the buffers.
// pre: assign_offsets. post: placements (by value, with their defaults before) are the plan's.
// Called by make_plan.hpp.
#pragma once
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr void write_placements(const plan_in_progress& plan, placement* placements) {
    const auto values = plan.g.header().used.values;
    const auto* places = plan.buffers.places.data();
    const auto* all = plan.buffers.all.data();
    const auto* live = plan.live.data();
    for (std::int32_t v = 0; v < values; ++v) {
        const auto& place = places[v];
        const auto& buffer = all[place.buffer];
        if (buffer.where == region::nowhere) continue;
        placement out;
        out.where = buffer.where;
        out.port = buffer.port;
        out.offset = buffer.run.offset + place.offset;
        out.bytes = place.how == tenancy::part ? plan.bytes_of_value(v) : buffer.run.bytes;
        out.first_task = live[v].first;
        out.last_task = live[v].last;
        if (place.how == tenancy::taken) out.shares.index = place.with;
        if (place.how == tenancy::part) out.part_of.index = place.with;
        if (place.buffer == v) out.copy = buffer.copy - 1;
        placements[v] = out; // as a whole, see graph_storage
    }
}

} // namespace ahead::detail
