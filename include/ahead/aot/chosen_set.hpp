// SPDX-License-Identifier: MIT
// Selects which tasks of a written program run where they are compiled for several levels of x86-64: those of the
// highest level that the processor has, chosen once, or those that the program names. Called by the sources of a
// program that ahead_add_model(... ISA v2 v3 v4) writes.
// Invariant: a task of a level that the processor lacks is never called; if it lacks all of them, the request is
// refused before anything changes.
#pragma once
#include <ahead/aot/instruction_set.hpp>
#include <ahead/core/array_view.hpp>
#include <ahead/core/diagnosis.hpp>
#include <ahead/runtime/launch/address.hpp>
#include <atomic>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace AHEAD_NAMESPACE::aot {

/// The tasks of a program for x86-64-v<level>.
struct level_row {
    int level;
    const instruction_set* tasks;
};

/// The n of the x86-64-vn that this processor and its operating system support; 0 on another architecture.
inline int processor_level() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    unsigned a = 0, b = 0, c = 0, d = 0, more = 0; // features that __builtin_cpu_supports of clang 16 has no name for
    __get_cpuid(1, &a, &b, &c, &d);
    __get_cpuid(0x80000001, &a, &b, &more, &d);
    constexpr unsigned cmpxchg16b = 1u << 13, movbe = 1u << 22, f16c = 1u << 29, lahf = 1u << 0, lzcnt = 1u << 5;
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("ssse3") || !__builtin_cpu_supports("popcnt") ||
        (c & cmpxchg16b) == 0 || (more & lahf) == 0)
        return 1;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || (c & movbe) == 0 || (c & f16c) == 0 || (more & lzcnt) == 0)
        return 2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512cd") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return 3;
    return 4;
#else
    return 0;
#endif
}

/// The highest of the rows whose level is at most `processor`. Errors: processor_is_too_old
constexpr const level_row* choose_level(array_view<const level_row> rows, int processor, diagnosis& d) {
    const level_row* best = nullptr;
    for (const auto& row : rows)
        if (row.level <= processor && (best == nullptr || row.level > best->level)) best = &row;
    if (best != nullptr) return best;
    short_text compiled = "a processor of x86-64-v";
    for (std::size_t i = 0; i < rows.size(); ++i) compiled << (i == 0 ? "" : ", v") << rows.data()[i].level;
    refuse(d, fault::processor_is_too_old, compiled, short_text("x86-64-v") << processor);
    return nullptr;
}

/// The tasks of one program. Thread-safe, except for use().
class chosen_set {
public:
    constexpr explicit chosen_set(array_view<const level_row> rows) : rows_(rows) {}

    /// Whether the program has tasks for this level and the processor supports it.
    bool has(int level) const { return row_of(level) != nullptr; }
    /// The level whose tasks run; 0 if the processor supports none of the levels.
    int level() {
        diagnosis d;
        const auto* row = chosen(d);
        return row == nullptr ? 0 : row->level;
    }
    /// Selects the tasks of this level for all later calls. If the processor or the program lacks the level, returns
    /// false and changes nothing.
    bool use(int level) {
        const auto* row = row_of(level);
        if (row != nullptr) chosen_.store(row, std::memory_order_relaxed); // rows are constants
        return row != nullptr;
    }

    /// As in instruction_set. Errors: processor_is_too_old
    bool run(std::int32_t begin, std::int32_t end, const runtime::region_bases& m, diagnosis& d) {
        const auto* row = chosen(d);
        return row != nullptr && row->tasks->run(begin, end, m.externals, m.constants, m.arena, &d);
    }
    std::int32_t address(std::int32_t task, std::int32_t which, runtime::address& out, diagnosis& d) {
        const auto* row = chosen(d);
        return row == nullptr ? 0 : row->tasks->address(task, which, &out);
    }

private:
    const level_row* row_of(int level) const {
        for (const auto& row : rows_)
            if (row.level == level) return level <= processor_level() ? &row : nullptr;
        return nullptr;
    }
    const level_row* chosen(diagnosis& d) {
        const auto* row = chosen_.load(std::memory_order_relaxed);
        if (row != nullptr) return row;
        row = choose_level(rows_, processor_level(), d);
        chosen_.store(row, std::memory_order_relaxed); // two threads that both get here store the same value
        return row;
    }

    array_view<const level_row> rows_;
    std::atomic<const level_row*> chosen_ = nullptr;
};

} // namespace ahead::aot
