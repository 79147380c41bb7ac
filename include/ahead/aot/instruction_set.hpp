// SPDX-License-Identifier: MIT
// The tasks of a written program as they pass from objects compiled for one level of x86-64 to the program that chooses
// among them (ahead_add_model(... ISA v2 v3 v4)): set_of_tasks.hpp there, chosen_set.hpp here.
// Invariant: no functions, so it is the same in every build; therefore, and only it, outside of AHEAD_NAMESPACE. What
// the functions write for `void*` is copied bytes, of the same header in both builds.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>

namespace ahead {

struct instruction_set {
    /// Tasks [begin, end) of the plan, in order. False where one refuses: *why, a diagnosis, says why.
    bool (*run)(std::int32_t begin, std::int32_t end, const std::byte* const* externals, const std::byte* constants,
                std::byte* arena, void* why);
    /// How many addresses a task has; the which-th of them, where there is one, becomes *address, an runtime::address.
    std::int32_t (*address)(std::int32_t task, std::int32_t which, void* address);
};

} // namespace ahead
