// SPDX-License-Identifier: MIT
// A thread that does one thing, whenever it is told to: between two times it spins for a moment and then sleeps. A lane
// of stream_executor.hpp and plan_threads.hpp.
// Invariant: what was written before begin() is seen by what it begins; who begins it again knows by other means that
// the last time is over.
#pragma once
#include <ahead/runtime/threads/progress.hpp>
#include <atomic>
#include <thread>

namespace AHEAD_NAMESPACE::runtime {

class stream_thread {
public:
    /// f: is called once for each begin(), and throws nothing. Throws std::system_error where the system has no more
    /// threads.
    template <class F>
    explicit stream_thread(F f)
        : thread_([this, f] {
              for (std::uint64_t next = 1; begun_.wait_for(next), !ends_.load(std::memory_order_relaxed); ++next) f();
          }) {}
    stream_thread(const stream_thread&) = delete;
    stream_thread& operator=(const stream_thread&) = delete;
    ~stream_thread() {
        ends_.store(true, std::memory_order_relaxed);
        begin();
        thread_.join();
    }
    void begin() { begun_.reach(begun_.count() + 1); }

private:
    progress begun_;
    std::atomic<bool> ends_{false};
    std::thread thread_;
};

} // namespace ahead::runtime
