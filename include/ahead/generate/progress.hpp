// SPDX-License-Identifier: MIT
// Which phase of some work is under way, said to who waits for it: a line for each, to stderr, once the whole has taken
// longer than they should wait without a word. Called by main.hpp.
// Invariant: what is done before that says nothing.
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
    /// of: what is worked on, in front of every line. pre: `out` is open as long as this is there
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

    /// phase: a text that stays.
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
    std::thread waiter_; // the last: it sees the others

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
