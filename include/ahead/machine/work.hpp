// SPDX-License-Identifier: MIT
// What one task asks of a device's units, in the device's own terms: products, rows of elements, elements of the AI
// CPU, bytes.
// Invariant: no time and no machine in here, but for blocks, which were planned for one; machine/cost.hpp turns work
// into ticks. A device operator may state its own beside key():
//     static constexpr work work(const call_view&);
// what does not is taken for one vector step for each element of its results; pointwise operators state their steps,
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

/// `count` rows of `length` elements, each of which takes `steps` vector instructions. waits: of one row, the
/// instructions that each need the one before and that nobody else's hide, as in a sum of a row: 0 where rows do not
/// depend on anything.
struct vector_rows {
    std::int64_t count = 0, length = 0, steps = 0, waits = 0;
    constexpr std::int64_t element_steps() const { return count * length * steps; }
};

struct work {
    products cube{};
    vector_rows vector{};
    vector_rows after{};              // of the sums of the products, before they are written
    std::int64_t row_waits = 0;       // those of one row of `vector` that the rest of the row waits for
    std::int64_t scalar_steps = 0;    // of elements that the vector unit takes one by one
    std::int64_t ai_cpu_elements = 0; // visited
    std::int64_t constant_bytes = 0;  // read: weights, prepared or not
    std::int64_t moved_bytes = 0;     // read and written otherwise
    ticks held{};                     // that the longest way through the call's blocks takes, where it has some
    core_limit limit{};               // the cores that it may have
    bool continues = false;           // the launch of the task before it, with which it is one
};

/// The same so many times.
constexpr work times(std::int64_t count, work one) {
    one.cube.count *= count;
    one.vector.count *= count;
    one.scalar_steps *= count;
    return one;
}

} // namespace ahead::machine
