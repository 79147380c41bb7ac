// SPDX-License-Identifier: MIT
// A thread that runs one function each time it is told to: in between, it spins for a moment and then sleeps. A lane of
// stream_executor.hpp and plan_threads.hpp.
// Invariant: the function sees everything that was written before begin(); a caller that calls begin() again must know
// by other means that the previous call of the function has returned.
#pragma once
#include <ahead/runtime/threads/progress.hpp>
#include <atomic>
#include <thread>

namespace AHEAD_NAMESPACE::runtime {

class stream_thread {
public:
    /// f: called once for each begin(), must not throw. Throws std::system_error if the system cannot create more
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
