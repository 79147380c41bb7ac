// SPDX-License-Identifier: MIT
// An event between the threads of streams: one word that says in which run it last happened, so that no run has to reset it. Who waits looks at it for
// a while and then sleeps; who records wakes up only who sleeps.
// Invariant: what happened before a record is seen by whoever waited for it. An event is recorded once in a run, and a run begins when the one before it
// is over on all streams. Used by stream_threads.hpp.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ahead::npu {

inline constexpr std::size_t apart_bytes = 128; // lines come in pairs: what another thread writes lies as far from everything else

/// How long a thread looks at an event before it sleeps.
using spin_time = std::chrono::nanoseconds;

/// The number of a run, as far as an event keeps it: the lowest 30 bits.
using run_number = std::uint32_t;

class alignas(apart_bytes) stream_event {
public:
    /// It has happened in this run. ok: all that stands before it was done; false: some of that failed, and who waits must not read it.
    void record(run_number run, bool ok) {
        const auto old = word_.exchange(run << 2 | (ok ? 0 : failed), std::memory_order_acq_rel);
        if ((old & sleeper) != 0) word_.notify_all();
    }
    /// Returns when it has happened in this run, with what record said.
    bool wait(run_number run, spin_time spin) {
        auto word = word_.load(std::memory_order_acquire);
        if (!has_happened(word, run)) word = spin.count() > 0 ? look(run, spin) : word;
        while (!has_happened(word, run)) {
            if ((word & sleeper) == 0 && !word_.compare_exchange_weak(word, word | sleeper, std::memory_order_acquire)) continue;
            word_.wait(word | sleeper, std::memory_order_acquire);
            word = word_.load(std::memory_order_acquire);
        }
        return (word & failed) == 0;
    }

private:
    static constexpr std::uint32_t failed = 1, sleeper = 2;
    std::atomic<std::uint32_t> word_{0}; // of run 0, which never is

    static constexpr bool has_happened(std::uint32_t word, run_number run) { return word >> 2 == (run << 2) >> 2; }
    static void pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("isb");
#endif
    }
    std::uint32_t look(run_number run, spin_time spin) const {
        constexpr int looks = 16; // between two readings of the clock
        const auto until = std::chrono::steady_clock::now() + spin;
        for (;;) {
            for (int i = 0; i < looks; ++i) {
                if (const auto word = word_.load(std::memory_order_acquire); has_happened(word, run)) return word;
                pause();
            }
            if (std::chrono::steady_clock::now() >= until) return word_.load(std::memory_order_acquire);
        }
    }
};

} // namespace ahead::npu
