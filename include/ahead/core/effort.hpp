// SPDX-License-Identifier: MIT
// How much a plan may cost to make: the caller's to say, as config::effort, and the only thing that does. Read by
// plan/make_plan.hpp and what it calls. What a compiler can pay is one of the levels, and no limit of the others.
// Invariant: the same effort makes the same plan, at compile time and at run time.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE {

/// Steps: looks at a pair of buffers, or what takes as long, and placements of a task on a stream. The arena may take
/// as many as that, a quarter more for the search that knows what cannot be, and the streams may again.
enum class effort : std::int64_t {
    constant = 5'000,  // within the default limits of a constant evaluation, for graphs that are themselves within them
    brisk = 1'000'000, // some hundredths of a second at run time, for whole models, where the least is not found sooner
    patient = 20'000'000 // a second or so at run time, where the least is not found sooner; in a constant evaluation as
                         // far as the compiler's limits go
};
/// Its name, or how many steps.
constexpr short_text print(effort most) {
    if (most == effort::constant) return "constant";
    if (most == effort::brisk) return "brisk";
    if (most == effort::patient) return "patient";
    return short_text() << static_cast<std::int64_t>(most) << " steps";
}

} // namespace ahead
