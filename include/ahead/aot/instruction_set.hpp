// SPDX-License-Identifier: MIT
// The interface through which objects compiled for one level of x86-64 pass the tasks of a written program to the
// program that chooses among them (ahead_add_model(... ISA v2 v3 v4)): set_of_tasks.hpp there, chosen_set.hpp here.
// Invariant: no functions, so it is the same in every build; for that reason it is outside AHEAD_NAMESPACE, as the only
// such type. The objects that the functions write through `void*` are copied bytes, of the same header in both builds.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>

namespace ahead {

struct instruction_set {
    /// Runs tasks [begin, end) of the plan, in order. Returns false if one refuses; the diagnosis at `why` gives the
    /// reason.
    bool (*run)(std::int32_t begin, std::int32_t end, const std::byte* const* externals, const std::byte* constants,
                std::byte* arena, void* why);
    /// Returns the number of addresses of a task; writes address number `which`, if it exists, to *address, a
    /// runtime::address.
    std::int32_t (*address)(std::int32_t task, std::int32_t which, void* address);
};

} // namespace ahead
