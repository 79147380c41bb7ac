// SPDX-License-Identifier: MIT
// Reports the phase of long-running work: one line per phase to stderr, once the whole has taken longer than
// `patience`. Called by main.hpp.
// Invariant: work that is done before that is not reported.
#pragma once
#include <ahead/core/build.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace AHEAD_NAMESPACE::generate {

class progress {
public:
    /// of: the name of the work, at the start of every line. pre: `out` is open during this object's lifetime
    progress(std::string of, std::chrono::milliseconds patience, std::FILE* out)
        : of_(std::move(of)), out_(out), waiter_([this, patience] { wait(patience); }) {}
    ~progress() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_one();
        waiter_.join();
    }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// phase: a text that outlives this object.
    void enter(std::string_view phase) {
        const std::lock_guard lock(mutex_);
        if (phase == phase_) return;
        phase_ = phase;
        if (is_late_) say();
    }

private:
    std::string of_;
    std::FILE* out_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string_view phase_;
    bool is_late_ = false, is_over_ = false;
    std::thread waiter_; // the last member: it uses the others

    void wait(std::chrono::milliseconds patience) {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, patience, [&] { return is_over_; })) return;
        is_late_ = true;
        if (!phase_.empty()) say();
    }
    void say() {
        std::fprintf(out_, "%s: %.*s ...\n", of_.c_str(), static_cast<int>(phase_.size()), phase_.data());
        std::fflush(out_);
    }
};

} // namespace ahead::generate
