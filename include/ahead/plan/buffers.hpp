// SPDX-License-Identifier: MIT
// Which values share one buffer: for each value of a plan in progress, its buffer and its offset into that buffer. A
// value that is computed in place of an operand, written into an input or a state, or computed in its slice of a
// concatenation uses the buffer of that operand, port or concatenation; every other value has a separate buffer.
// Filled and read by the phases of make_plan.hpp; the plan's placements are written from it at the end. The verifier
// (check.hpp) never sees it.
// Invariant: the buffer of a value is the final one, not a value on the way to it: no reader follows chains.
#pragma once
#include <ahead/plan/arena/offset_problem.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::detail {

struct planned_buffer {
    region where = region::nowhere;
    std::int32_t port = 0; // as placement::port
    std::int32_t copy = 0; // as placement::copy, + 1; 0: none
    arena_buffer run;      // its bytes, aligned except for ports; its live range, in scratch and arena
};

/// How a value came into its buffer.
enum class tenancy : std::uint8_t {
    own,   // allocated for it, or for an input or a state that it is written into
    taken, // taken over in place from `with`, an operand of the task that computes it
    part,  // in its slice of the concatenation `with`
};
/// Where a value is stored.
struct buffer_place {
    std::int32_t buffer = 0;
    std::int64_t offset = 0; // bytes into it
    tenancy how = tenancy::own;
    std::int32_t with = 0; // the operand or concatenation that `how` refers to; not used if own
};

/// Pools by pointer and values by index, because calls dominate the cost of constant evaluation.
struct buffer_table {
    fixed_buffer<planned_buffer> all;  // a buffer has the number of the value that it is made for
    fixed_buffer<buffer_place> places; // by value
    fixed_buffer<std::int32_t> parts;  // values: the parts of one concatenation together, after itself if it is a part
    fixed_buffer<std::int32_t> first;  // by value: where a concatenation's parts begin, + 1; 0: none; empty before join
    std::int32_t part_count = 0;

    constexpr explicit buffer_table(std::int32_t values) : all(values), places(values) {
        auto* place = places.data();
        for (std::int32_t v = 0; v < values; ++v) place[v].buffer = v;
    }

    constexpr const buffer_place& buffer_of(std::int32_t v) const { return places.data()[v]; }
    /// The buffer that holds the value.
    constexpr planned_buffer& holder_of(std::int32_t v) { return all.data()[places.data()[v].buffer]; }
    constexpr const planned_buffer& holder_of(std::int32_t v) const { return all.data()[places.data()[v].buffer]; }

    /// Puts v where `other` is. pre: v's buffer holds no value but v.
    constexpr void put(std::int32_t v, std::int32_t other, tenancy how) {
        const auto& there = places[other];
        places[v] = {there.buffer, there.offset, how, other};
    }
    /// Puts a part `begin` bytes after the begin of its concatenation. pre: all parts of one concatenation are joined
    /// in sequence, after it has its final place and before for_each_part visits them.
    constexpr void join(std::int32_t part, std::int32_t whole, std::int64_t begin) {
        if (parts.size() == 0) {
            parts = fixed_buffer<std::int32_t>(places.size());
            first = fixed_buffer<std::int32_t>(places.size());
        }
        parts[part_count++] = part;
        if (first[whole] == 0) first[whole] = part_count;
        put(part, whole, tenancy::part);
        places[part].offset += begin;
    }
    /// f(part) for each part that is stored in its slice of the concatenation.
    template <class F> constexpr void for_each_part(std::int32_t whole, F f) const {
        if (part_count == 0 || first[whole] == 0) return;
        for (auto i = first[whole] - 1; i < part_count && places[parts[i]].with == whole; ++i) f(parts[i]);
    }
};

} // namespace ahead::detail
