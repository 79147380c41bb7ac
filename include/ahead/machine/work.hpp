// SPDX-License-Identifier: MIT
// The work of one task for each of a device's units, in the device's own terms: products, rows of elements, elements of
// the AI CPU, bytes.
// Invariant: no time and no machine in here, except for blocks, which were planned for one machine; machine/cost.hpp
// turns work into ticks. A device operator may state its work next to key():
//     static constexpr work work(const call_view&);
// An operator without it counts as one vector step per element of its results; pointwise operators state their steps,
// see machine/steps.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <ahead/ir/core_limit.hpp>
#include <ahead/machine/ticks.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::machine {

/// `count` products of m x k by k x n.
struct products {
    std::int64_t count = 0, m = 0, k = 0, n = 0;
    constexpr std::int64_t multiply_adds() const { return count * m * k * n; }
};

/// `count` rows of `length` elements, each of which takes `steps` vector instructions. waits: the number of
/// instructions of one row that each need the result of the one before, where no other instruction hides the latency,
/// as in a sum of a row; 0 where the instructions of a row are independent.
struct vector_rows {
    std::int64_t count = 0, length = 0, steps = 0, waits = 0;
    constexpr std::int64_t element_steps() const { return count * length * steps; }
};

struct work {
    products cube{};
    vector_rows vector{};
    vector_rows after{};              // on the sums of the products, before they are written
    std::int64_t row_waits = 0;       // instructions of one row of `vector` that the rest of the row waits for
    std::int64_t scalar_steps = 0;    // on elements that the vector unit takes one by one
    std::int64_t ai_cpu_elements = 0; // that the AI CPU visits
    std::int64_t constant_bytes = 0;  // read: weights, prepared or not
    std::int64_t moved_bytes = 0;     // all others, read and written
    ticks held{};                     // the time of the longest path through the call's blocks, if it has any
    core_limit limit{};               // the cores that it may use
    bool continues = false;           // it is part of the launch of the task before it
};

/// `count` times the same products, rows and scalar steps; the other fields are not multiplied.
constexpr work times(std::int64_t count, work one) {
    one.cube.count *= count;
    one.vector.count *= count;
    one.scalar_steps *= count;
    return one;
}

} // namespace ahead::machine
