// SPDX-License-Identifier: MIT
// How much work planning may do. The caller sets it as config::effort, and nothing else affects it. Read by
// plan/make_plan.hpp and the functions it calls. `constant` is what a compiler can afford; it does not limit the other
// levels.
// Invariant: the same effort makes the same plan, at compile time and at run time.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::core {

/// In steps: one comparison of a pair of buffers, or equivalent work, or one placement of a task on a stream. The arena
/// may take that many steps, and a quarter more for the search that excludes impossible placements; the streams may
/// take that many again.
enum class effort : std::int64_t {
    constant = 5'000,  // fits the default limits of a constant evaluation, for graphs that themselves fit them
    brisk = 1'000'000, // some hundredths of a second at run time, for whole models, if the optimum is not found sooner
    patient = 20'000'000 // about a second at run time, if the optimum is not found sooner; in a constant evaluation as
                         // far as the compiler's limits allow
};
/// The level's name, or the number of steps.
constexpr short_text print(effort most) {
    if (most == effort::constant) return "constant";
    if (most == effort::brisk) return "brisk";
    if (most == effort::patient) return "patient";
    return short_text() << static_cast<std::int64_t>(most) << " steps";
}

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::effort, core::print;
} // namespace ahead
