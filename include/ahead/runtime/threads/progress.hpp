// SPDX-License-Identifier: MIT
// The progress of a thread, as a count that other threads can wait for: they spin for a moment, then sleep. Used by the
// device's streams.
// Invariant: the count never decreases; a thread that reads it sees everything that was written before it was reached.
#pragma once
#include <ahead/core/build.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::runtime {

namespace detail {
/// A pause between two reads of a variable that another core writes.
[[gnu::always_inline]] inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}
} // namespace detail

class progress {
public:
    std::uint64_t count() const { return count_.load(std::memory_order_acquire); }

    /// pre: only one thread calls it, with non-decreasing counts.
    void reach(std::uint64_t count) {
        count_.store(count, std::memory_order_seq_cst);
        if (sleepers_.load(std::memory_order_seq_cst) != 0) count_.notify_all();
    }
    void wait_for(std::uint64_t count) const {
        for (int i = 0; i < spins; ++i) {
            if (this->count() >= count) return;
            detail::relax();
        }
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        for (auto seen = count_.load(std::memory_order_seq_cst); seen < count;
             seen = count_.load(std::memory_order_seq_cst))
            count_.wait(seen, std::memory_order_seq_cst);
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
    }

private:
    static constexpr int spins = 4000; // 50 to 200 us, depending on the machine's pause instruction
    alignas(64) std::atomic<std::uint64_t> count_{0};
    alignas(64) mutable std::atomic<std::int32_t> sleepers_{0};
};

} // namespace ahead::runtime
