// SPDX-License-Identifier: MIT
// The storage of a device trace: rows for the host's calls, for launches and replays, and for the launches within a
// replay, with the times measured by the threads that ran them.
// Invariant: rows are allocated in advance; calls take them under the context's lock, in the order of the calls, and
// one thread writes the times of each. Rows that do not fit are counted. Called by npu/context/, stream_queue.hpp,
// stream_executor.hpp.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/machine/ticks.hpp>
#include <array>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// call: a call of the host, while it runs; launch, replay: while it runs; step: a launch within a replay.
enum class trace_kind : std::uint8_t { call, launch, replay, step };

struct trace_row {
    using clock = std::chrono::steady_clock;
    short_text name;
    trace_kind kind = trace_kind::call;
    std::int32_t lane = 0;         // of a call: the host thread; otherwise the stream that it ran on
    std::int32_t thread = 0;       // of a step: the thread of the replay; 0 is the stream's thread
    std::int32_t captured_on = -1; // of a step: the stream that it was captured on
    std::int32_t made = -1;        // of a call: the row of what it launched
    bool has_run = false;
    clock::time_point begun{}, ended{};
};

/// Its lifetime is the time that the row's launch runs; null: not traced.
class timed_row {
public:
    explicit timed_row(trace_row* row) : row_(row) {
        if (row_) row_->begun = trace_row::clock::now();
    }
    timed_row(const timed_row&) = delete;
    timed_row& operator=(const timed_row&) = delete;
    ~timed_row() {
        if (!row_) return;
        row_->ended = trace_row::clock::now();
        row_->has_run = true;
    }

private:
    trace_row* row_;
};

class trace_rows {
public:
    explicit trace_rows(std::size_t room) : rows_(room) {}

    /// Takes `count` consecutive rows; null if they do not fit, or if nothing is recorded now.
    trace_row* take(std::size_t count) {
        if (!records_) return nullptr;
        if (begins_anew_) clear();
        if (count > rows_.size() - used_) {
            dropped_ += static_cast<std::int64_t>(count);
            return nullptr;
        }
        used_ += count;
        return &rows_[used_ - count];
    }
    std::int32_t place_of(const trace_row* row) const {
        return row ? static_cast<std::int32_t>(row - rows_.data()) : -1;
    }
    /// The index of this thread among the host's threads; threads that do not fit share the last index.
    std::int32_t this_thread() {
        const auto me = std::this_thread::get_id();
        std::size_t i = 0;
        while (i + 1 < threads_.size() && i < seen_ && threads_[i] != me) ++i;
        if (i == seen_) threads_[seen_++] = me;
        return static_cast<std::int32_t>(i);
    }
    void record(bool on) {
        if (on && !records_) begin_anew();
        records_ = on;
    }
    /// The next recorded row replaces the present ones.
    void begin_anew() {
        begins_anew_ = true;
        next_began_ = trace_row::clock::now();
    }
    bool records() const { return records_; }
    std::span<const trace_row> rows() const { return {rows_.data(), used_}; }
    std::int64_t dropped() const { return dropped_; }
    trace_row::clock::time_point began() const { return began_; }

private:
    std::vector<trace_row> rows_;
    std::size_t used_ = 0;
    std::int64_t dropped_ = 0;
    bool records_ = false, begins_anew_ = false;
    trace_row::clock::time_point began_{}, next_began_{};
    std::array<std::thread::id, 16> threads_{};
    std::size_t seen_ = 0;

    void clear() {
        for (std::size_t i = 0; i < used_; ++i) rows_[i] = {};
        used_ = seen_ = 0;
        dropped_ = 0;
        begins_anew_ = false;
        began_ = next_began_;
    }
};

} // namespace ahead::npu
