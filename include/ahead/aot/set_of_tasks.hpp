// SPDX-License-Identifier: MIT
// The tasks of a written program, compiled for one level of x86-64, in the form that the choosing program takes. Called
// by the source NAME_x86_64_vN.cpp that generate/ writes for each level.
// Invariant: compiled for exactly this level, which that source checks: build_level.
#pragma once
#include <ahead/aot/instruction_set.hpp>
#include <ahead/aot/task.hpp>
#include <cstring>
#include <type_traits>

namespace AHEAD_NAMESPACE::aot {

/// The n if this build may use exactly the instructions of x86-64-vn; else 0.
inline constexpr int build_level =
#if !defined(__x86_64__) || AHEAD_BEYOND(AHEAD_ONE) 0 || defined(__AVX512VBMI__)
    0;
#elif defined(__AVX512F__)
    4;
#elif defined(__AVX2__)
    3;
#elif defined(__SSE4_2__)
    2;
#else
    1;
#endif

/// Tasks: of_prepare and of_run are arrays that end in nullptr; prepare and run execute all of them.
template <class Tasks> struct set_of_tasks {
    static constexpr auto first = static_cast<std::int32_t>(std::size(Tasks::of_prepare)) - 1;
    static constexpr auto end = first + static_cast<std::int32_t>(std::size(Tasks::of_run)) - 1;

    static const task& task_at(std::int32_t t) { return t < first ? *Tasks::of_prepare[t] : *Tasks::of_run[t - first]; }
    static bool run(std::int32_t from, std::int32_t to, const std::byte* const* externals, const std::byte* constants,
                    std::byte* arena, void* why) {
        const region_bases m{externals, constants, arena};
        diagnosis d;
        static_assert(std::is_trivially_copyable_v<diagnosis>);
        bool done = true;
        if (from == first && to == end) done = Tasks::run(m, &d);
        else if (from == 0 && to == first) done = Tasks::prepare(m, &d);
        else
            for (auto t = from; done && t < to; ++t) done = task_at(t).run(m, &d);
        if (!done) std::memcpy(why, &d, sizeof d);
        return done;
    }
    static std::int32_t address(std::int32_t t, std::int32_t which, void* out) {
        const auto& of = task_at(t);
        static_assert(std::is_trivially_copyable_v<runtime::address>);
        if (which < of.addresses) std::memcpy(out, of.at + which, sizeof *of.at);
        return of.addresses;
    }
};

} // namespace ahead::aot
