// SPDX-License-Identifier: MIT
// Which values are one buffer: where each value of a plan in the making lies, as a buffer and an offset into it. What
// is computed in the place of an operand, written into an input or a state, or computed in its slice of a
// concatenation goes into the buffer of that; every other value has one of its own.
// Filled by the phases of make_plan.hpp and asked by all of them; what a plan says of it (placement) is written from it
// in the end. The verifier (check.hpp) never sees it.
// Invariant: a value's buffer is its buffer, not a step on the way to it: nobody follows chains.
#pragma once
#include <ahead/plan/arena/offset_problem.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

struct planned_buffer {
    region where = region::nowhere;
    std::int32_t port = 0; // as placement::port
    std::int32_t copy = 0; // as placement::copy, + 1; 0: none
    arena_buffer run;      // its bytes: aligned, but those of ports; when they are alive, in scratch and arena
};

/// How a value came into its buffer.
enum class tenancy : std::uint8_t {
    own,   // made for it, or for an input or a state that it is written into
    taken, // from an operand of the task that computes it, `with`, in its place
    part,  // in its slice of a concatenation, `with`
};
/// Where a value lies.
struct buffer_place {
    std::int32_t buffer = 0;
    std::int64_t offset = 0; // bytes into it
    tenancy how = tenancy::own;
    std::int32_t with = 0; // a value, unless it has its own
};

/// Pools by pointer and values by index, because constant evaluation is billed by calls.
struct buffer_table {
    fixed_buffer<planned_buffer> all;  // a buffer has the number of the value that it is made for
    fixed_buffer<buffer_place> places; // by value
    fixed_buffer<std::int32_t> parts;  // values: those of one concatenation together, and behind it, if it is a part
    fixed_buffer<std::int32_t> first;  // by value, a concatenation: where its parts begin, + 1; empty without parts
    std::int32_t part_count = 0;

    constexpr explicit buffer_table(std::int32_t values) : all(values), places(values) {
        auto* place = places.data();
        for (std::int32_t v = 0; v < values; ++v) place[v].buffer = v;
    }

    constexpr const buffer_place& buffer_of(std::int32_t v) const { return places.data()[v]; }
    /// The buffer that the value lies in.
    constexpr planned_buffer& holder_of(std::int32_t v) { return all.data()[places.data()[v].buffer]; }
    constexpr const planned_buffer& holder_of(std::int32_t v) const { return all.data()[places.data()[v].buffer]; }

    /// v goes to where the other one lies. pre: nothing lies in v's buffer but v.
    constexpr void put(std::int32_t v, std::int32_t other, tenancy how) {
        const auto& there = places[other];
        places[v] = {there.buffer, there.offset, how, other};
    }
    /// A part goes so many bytes behind the begin of its concatenation. pre: all parts of one come one after the other,
    /// before its own are asked for, and after it has come to where it lies.
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
    /// f of each part of the concatenation that lies in it.
    template <class F> constexpr void for_each_part(std::int32_t whole, F f) const {
        if (part_count == 0 || first[whole] == 0) return;
        for (auto i = first[whole] - 1; i < part_count && places[parts[i]].with == whole; ++i) f(parts[i]);
    }
};

} // namespace detail

} // namespace ahead
