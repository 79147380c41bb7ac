// SPDX-License-Identifier: MIT
// Which share of each unit of a device is taken at which time. Tasks of several streams run in parallel where there is
// capacity for them, and one after another where there is not. A task that is launched first gets the rate that it
// demands; tasks launched after it get the remaining capacity, and take longer. Called by plan/timeline.hpp for the
// tasks of a plan, by npu/context.hpp for launches.
// Invariant: at no time more of a unit is taken than exists, so that tasks never end before their work could be done at
// the units' peaks; a task that runs while no other does takes its time `alone`. Integers only, and an end that was
// returned never changes.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/machine/cost.hpp>

namespace AHEAD_NAMESPACE::machine {

class shared_machine {
public:
    /// tasks: how many can be remembered at full resolution.
    constexpr explicit shared_machine(std::int64_t tasks) : pieces_(2 * tasks + 3) {}

    /// Puts a task on the machine. Returns its end.
    constexpr ticks run(ticks start, const demand& task) {
        if (task.alone.count <= 0) return start;
        if (is_full()) merge_last();
        std::int64_t shares[units];
        for (int u = 0; u < units; ++u) shares[u] = share_of(task.at_peak[u].count, task.alone.count);
        auto i = split(start.count);
        for (auto left = task.alone.count;; ++i) {
            auto& now = pieces_[i];
            const auto rate = rate_in(now, shares);
            const auto done = i + 1 == count_ ? left : part(pieces_[i + 1].begin - now.begin, rate);
            const auto end =
                done < left ? 0 : now.begin + left / rate * whole + (left % rate * whole + rate - 1) / rate;
            if (done >= left) split(end);
            for (int u = 0; u < units; ++u) now.taken[u] += (rate * shares[u] + whole - 1) / whole;
            if (done >= left) return {end};
            left -= done;
        }
    }
    /// Whether the next task is placed only after the pieces furthest in the future were merged: of each unit, the
    /// merged piece takes the most that one of them took.
    constexpr bool is_full() const { return count_ + 2 > pieces_.size(); }
    /// Doubles the number of tasks that can be remembered.
    constexpr void grow() {
        fixed_buffer<piece> more(2 * pieces_.size());
        for (std::int64_t i = 0; i < count_; ++i) more[i] = pieces_[i];
        pieces_ = std::move(more);
    }
    /// Forgets what ended before `now`: no task will be put before this time any more.
    constexpr void forget_before(ticks now) {
        std::int64_t old = 0;
        while (old + 1 < count_ && pieces_[old + 1].begin <= now.count) ++old;
        for (auto i = old; old > 0 && i < count_; ++i) pieces_[i - old] = pieces_[i];
        count_ -= old;
    }

private:
    static constexpr std::int64_t whole =
        2'882'880; // parts of a unit; a multiple of every number of cores up to 16, and of 24, 32, 48 and 64
    struct piece {
        std::int64_t begin =
            0; // it ends where the next one begins; the last one does not end, and nothing is taken in it
        std::int64_t taken[units]{};
    };
    fixed_buffer<piece> pieces_;
    std::int64_t count_ = 1;

    /// time * rate / whole, rounded down.
    static constexpr std::int64_t part(std::int64_t time, std::int64_t rate) {
        return time / whole * rate + time % whole * rate / whole;
    }
    /// busy / alone in parts of `whole`, rounded up, at most `whole`.
    static constexpr std::int64_t share_of(std::int64_t busy, std::int64_t alone) {
        for (; alone > (std::int64_t{1} << 40); alone /= 2) busy = (busy + 1) / 2;
        const auto share = (busy * whole + alone - 1) / alone;
        return share < whole ? share : whole;
    }
    /// The rate at which a task runs in this piece with the remaining capacity of each unit.
    static constexpr std::int64_t rate_in(const piece& p, const std::int64_t* shares) {
        auto rate = whole;
        for (int u = 0; u < units; ++u)
            if (shares[u] > 0)
                if (const auto left = (whole - p.taken[u]) * whole / shares[u]; left < rate) rate = left;
        return rate;
    }
    constexpr void merge_last() {
        for (; is_full() && count_ > 2; --count_) {
            for (int u = 0; u < units; ++u)
                if (pieces_[count_ - 3].taken[u] < pieces_[count_ - 2].taken[u])
                    pieces_[count_ - 3].taken[u] = pieces_[count_ - 2].taken[u];
            pieces_[count_ - 2] = pieces_[count_ - 1];
        }
    }
    /// The piece that begins at `time`, split from another one if there is none yet.
    constexpr std::int64_t split(std::int64_t time) {
        auto i = count_ - 1;
        while (i > 0 && pieces_[i].begin > time) --i;
        if (pieces_[i].begin >= time) return i;
        for (auto k = count_++; k > i + 1; --k) pieces_[k] = pieces_[k - 1];
        pieces_[i + 1] = pieces_[i];
        pieces_[i + 1].begin = time;
        return i + 1;
    }
};

} // namespace ahead::machine
