// SPDX-License-Identifier: MIT
// The memory that a session runs in: its own, or the caller's.
// Invariant: no two living sessions run in the same bytes of the caller's memory, where each would overwrite the
// other's data. Called by session.hpp, bounded_session.hpp, compiled_gears.hpp.
#pragma once
#include <ahead/runtime/memory/memory_range.hpp>
#include <ahead/runtime/memory/region_memory.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::detail {

/// One session's range of the caller's memory, linked into a list of the ranges of all sessions. Neither copied nor
/// moved.
class claimed_range {
public:
    claimed_range() = default;
    claimed_range(const claimed_range&) = delete;
    claimed_range& operator=(const claimed_range&) = delete;
    ~claimed_range() {
        const lock alone;
        give_up();
    }

    /// Whether the bytes belong to no session. Refuses memory_is_in_use.
    static bool is_free(const memory_range& wanted, diagnosis& d) {
        const lock alone;
        return is_free(wanted, nullptr, d);
    }
    /// Replaces the range claimed before. Refuses memory_is_in_use; nothing has changed then.
    bool claim(const memory_range& wanted, diagnosis& d) {
        const lock alone;
        if (!is_free(wanted, this, d)) return false;
        give_up();
        range_ = wanted;
        next_ = first;
        first = this;
        return true;
    }

private:
    // <atomic> would include all of <unistd.h>
    struct lock {
        lock() {
            while (__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE)) {}
        }
        lock(const lock&) = delete;
        ~lock() { __atomic_clear(&is_taken, __ATOMIC_RELEASE); }
    };
    // pre, of both: locked
    static bool is_free(const memory_range& wanted, const claimed_range* but, diagnosis& d) {
        for (const auto* other = first; other != nullptr; other = other->next_)
            if (other != but && overlap(other->range_, wanted))
                return refuse(d, fault::memory_is_in_use, "memory that no other living session runs in",
                              short_text("memory of which ") << other->range_.bytes << " bytes are another one's");
        return true;
    }
    void give_up() {
        for (auto** at = &first; *at != nullptr; at = &(*at)->next_)
            if (*at == this) {
                *at = next_;
                return;
            }
    }
    static inline claimed_range* first = nullptr;
    static inline bool is_taken = false;
    memory_range range_{nullptr, 0};
    claimed_range* next_ = nullptr;
};

} // namespace ahead::detail

namespace AHEAD_NAMESPACE::runtime {

/// Belongs to a session; neither copied nor moved.
class session_arena {
public:
    session_arena(std::size_t bytes, std::int64_t alignment) : memory_(bytes, alignment) {}
    /// In the caller's memory. Throws what fits() refuses.
    session_arena(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment)
        : memory_(given, bytes, alignment) {
        if (diagnosis d; !claimed_.claim({given.data(), bytes}, d)) raise(d);
    }
    /// Memory that was claimed by a session made of several.
    explicit session_arena(region_memory part) : memory_(std::move(part)) {}
    /// Whether the caller's memory is suitable for a new session: memory_is_too_small, memory_is_misaligned, and
    /// memory_is_in_use if another living session has it.
    static bool fits(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment, diagnosis& d) {
        return region_memory::fits(given, bytes, alignment, d) &&
               ahead::detail::claimed_range::is_free({given.data(), bytes}, d);
    }
    /// Continues in the caller's memory; copies the last `kept` of the bytes to it, also if old and new memory overlap.
    /// Refuses what fits() does; nothing has changed then.
    bool move_to(std::span<std::byte> given, std::size_t bytes, std::int64_t alignment, std::size_t kept,
                 diagnosis& d) {
        if (!region_memory::fits(given, bytes, alignment, d) || !claimed_.claim({given.data(), bytes}, d)) return false;
        if (kept > 0) std::memmove(given.data() + (bytes - kept), begin() + (bytes - kept), kept);
        memory_ = region_memory(given, bytes, alignment);
        return true;
    }
    std::byte* begin() const { return memory_.begin(); }

private:
    region_memory memory_;
    ahead::detail::claimed_range claimed_;
};

} // namespace ahead::runtime
