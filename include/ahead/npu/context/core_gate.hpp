// SPDX-License-Identifier: MIT
// Limits the number of launches that run at once, if there are fewer cores than streams. The waiting launch whose
// stream has the highest priority (the lowest number) enters first; among equals, any.
// Invariant: at most as many launches have entered as there are cores; a launch waits only while no core is free or one
// with a higher priority waits. Allocates nothing. Called by stream_queue.hpp.
#pragma once
#include <ahead/npu/context_options.hpp>
#include <array>
#include <condition_variable>
#include <mutex>

namespace AHEAD_NAMESPACE::npu {

class core_gate {
public:
    /// cores: at least 1
    explicit core_gate(std::int32_t cores) : free_(cores) {}
    core_gate(const core_gate&) = delete;
    core_gate& operator=(const core_gate&) = delete;

    void enter(std::int32_t priority) {
        std::unique_lock lock(mutex_);
        auto& mine = waiting_[place_of(priority)];
        ++mine;
        changed_.wait(lock, [&] { return free_ > 0 && is_next(priority); });
        --mine;
        if (--free_ > 0) changed_.notify_all();
    }
    void leave() {
        const std::scoped_lock lock(mutex_);
        ++free_;
        changed_.notify_all();
    }
    std::int32_t waiting() const {
        const std::scoped_lock lock(mutex_);
        std::int32_t all = 0;
        for (auto each : waiting_) all += each;
        return all;
    }

private:
    static constexpr std::size_t levels = stream_priorities.lowest - stream_priorities.highest + 1;
    static constexpr std::size_t place_of(std::int32_t priority) {
        return static_cast<std::size_t>(priority - stream_priorities.highest);
    }
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::int32_t free_;
    std::array<std::int32_t, levels> waiting_{}; // by priority, highest first

    bool is_next(std::int32_t priority) const {
        for (std::size_t i = 0; i < place_of(priority); ++i)
            if (waiting_[i] > 0) return false;
        return true;
    }
};

} // namespace ahead::npu
