// SPDX-License-Identifier: MIT
// Schedules on two and four streams: no task starts too early, no two overlap; how far from the least there can be, and how often the very best.
#include <ahead/plan/streams/schedule.hpp>

#include "../harness.hpp"

#include <algorithm>
#include <random>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

struct problem {
    std::vector<machine::ticks> ticks;
    std::vector<std::int32_t> first_need{0}, needs;
    std::int32_t streams = 2;

    problem(std::mt19937& random, int count, int most_needs, int longest, std::int32_t on) : streams(on) {
        const auto any = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        for (int t = 0; t < count; ++t) {
            ticks.push_back({1000 * (1 + any(longest))});
            for (int k = 0; k < most_needs && t > 0; ++k) {
                const auto need = t - 1 - any(std::min(t, 2 + any(8)));
                const auto begin = needs.begin() + first_need.back();
                if (any(4) > 0 && std::find(begin, needs.end(), need) == needs.end()) needs.push_back(need);
            }
            first_need.push_back(static_cast<std::int32_t>(needs.size()));
        }
    }
    int size() const { return static_cast<int>(ticks.size()); }
    std::int64_t length(int t) const { return ticks[static_cast<std::size_t>(t)].count; }
    template <class F> void for_each_need(int t, F f) const {
        for (auto k = first_need[static_cast<std::size_t>(t)]; k < first_need[static_cast<std::size_t>(t) + 1]; ++k) f(needs[static_cast<std::size_t>(k)]);
    }
    std::int64_t work() const {
        std::int64_t sum = 0;
        for (auto t : ticks) sum += t.count;
        return sum;
    }
    /// From the start of each task to the end of the run, along the longest way.
    std::vector<std::int64_t> tails() const {
        std::vector<std::int64_t> out(ticks.size(), 0);
        for (int t = size(); t-- > 0;) {
            out[static_cast<std::size_t>(t)] += length(t);
            for_each_need(t, [&](int need) { out[static_cast<std::size_t>(need)] = std::max(out[static_cast<std::size_t>(need)], out[static_cast<std::size_t>(t)]); });
        }
        return out;
    }
    std::int64_t bound() const {
        const auto all = tails();
        return std::max(*std::max_element(all.begin(), all.end()), (work() + streams - 1) / streams);
    }
};

/// Every schedule, its tasks placed in the order of their starts, but for those that cannot be shorter than what is known.
class exact_search {
public:
    exact_search(const problem& p, std::int64_t known) : p_(p), best_(known), bound_(p.bound()), tail_(p.tails()), end_(p.ticks.size(), -1), idle_(static_cast<std::size_t>(p.streams), 0) {}
    std::int64_t run() {
        go(0, 0, p_.work(), 0, -1);
        return best_;
    }

private:
    const problem& p_;
    std::int64_t best_, bound_;
    std::vector<std::int64_t> tail_, end_, idle_;

    void go(int placed, std::int64_t makespan, std::int64_t left, std::int64_t last_start, int last) {
        if (placed == p_.size()) best_ = std::min(best_, makespan);
        std::int64_t busy = left;
        for (auto i : idle_) busy += i;
        if (best_ == bound_ || placed == p_.size() || (busy + p_.streams - 1) / p_.streams >= best_) return;
        for (int t = 0; t < p_.size(); ++t) {
            if (end_[static_cast<std::size_t>(t)] >= 0) continue;
            std::int64_t allowed = 0;
            bool ready = true;
            p_.for_each_need(t, [&](int need) {
                ready = ready && end_[static_cast<std::size_t>(need)] >= 0;
                allowed = std::max(allowed, end_[static_cast<std::size_t>(need)]);
            });
            std::vector<std::int64_t> tried;
            for (std::size_t s = 0; ready && s < idle_.size(); ++s) {
                const auto old = idle_[s], start = std::max(allowed, old);
                if (std::find(tried.begin(), tried.end(), old) != tried.end() || start + tail_[static_cast<std::size_t>(t)] >= best_) continue;
                if (start < last_start || (start == last_start && t < last)) continue;
                tried.push_back(old);
                idle_[s] = end_[static_cast<std::size_t>(t)] = start + p_.length(t);
                go(placed + 1, std::max(makespan, idle_[s]), left - p_.length(t), start, t);
                idle_[s] = old;
                end_[static_cast<std::size_t>(t)] = -1;
            }
        }
    }
};

/// Law: a task starts when what it needs has ended, a wait for another stream later; one stream does one thing at a time; other streams than the main one
/// begin an event after the run and end one before it; none of them is used where that takes as long as doing without, or saves less than the gain.
bool is_sound(const problem& p, const std::vector<scheduled_task>& all, machine::ticks event, machine::ticks makespan, std::int32_t gain = 0) {
    std::int64_t latest = 0;
    bool is_spread = false;
    for (int t = 0; t < p.size(); ++t) {
        const auto& mine = all[static_cast<std::size_t>(t)];
        const auto end = mine.start.count + p.length(t);
        const auto away = mine.stream == 0 ? 0 : event.count;
        bool ok = mine.start.count >= away && mine.stream >= 0 && mine.stream < p.streams;
        p.for_each_need(t, [&](int need) {
            const auto& theirs = all[static_cast<std::size_t>(need)];
            ok = ok && mine.start.count >= theirs.start.count + p.length(need) + (theirs.stream == mine.stream ? 0 : event.count);
        });
        for (int other = 0; other < t; ++other)
            if (const auto& o = all[static_cast<std::size_t>(other)]; o.stream == mine.stream)
                ok = ok && (o.start.count + p.length(other) <= mine.start.count || end <= o.start.count);
        if (!ok) return false;
        latest = std::max(latest, end + away);
        is_spread = is_spread || mine.stream != 0;
    }
    return latest == makespan.count && (is_spread ? latest < p.work() && 1000 * latest <= (1000 - gain) * p.work() : latest == p.work());
}
machine::ticks schedule(const problem& p, std::vector<scheduled_task>& out, machine::ticks event = {}, std::int32_t gain = 0) {
    out.resize(p.ticks.size());
    return schedule_tasks({p.ticks, p.first_need, p.needs, p.streams, event, gain}, out.data());
}

} // namespace

int main() {
    std::mt19937 random(12);
    std::vector<scheduled_task> made;
    for (const std::int32_t streams : {2, 4}) {
        std::vector<double> ratios;
        int stayed = 0;
        for (int round = 0; round < 200; ++round) {
            const problem p(random, 13 + static_cast<int>(random() % 60), 1 + round % 3, round % 2 == 0 ? 10 : 100, streams);
            const auto makespan = schedule(p, made);
            check(is_sound(p, made, {}, makespan));
            ratios.push_back(static_cast<double>(makespan.count) / static_cast<double>(p.bound()));
            for (const std::int64_t event : {700, 20'000, 500'000}) {
                const auto with_events = schedule(p, made, {event});
                check(is_sound(p, made, {event}, with_events));
                const auto that_pays = schedule(p, made, {event}, 300);
                check(is_sound(p, made, {event}, that_pays, 300));
                stayed += that_pays > with_events;
            }
        }
        check(stayed > 10 && stayed < 590);
        std::sort(ratios.begin(), ratios.end());
        int best = 0;
        for (int round = 0; round < 200; ++round) {
            const problem p(random, 4 + static_cast<int>(random() % 9), 1 + round % 3, round % 2 == 0 ? 10 : 100, streams);
            const auto makespan = schedule(p, made);
            check(is_sound(p, made, {}, makespan));
            best += exact_search(p, makespan.count).run() == makespan.count;
        }
        std::cout << streams << " streams, 200 graphs of 13 to 72 tasks: time over max(longest way, work / streams): median " << ratios[100] << ", at most " << ratios.back()
                  << "; 200 of up to 12 tasks: " << best << " as short as can be\n";
        check(ratios[100] <= 1.05 && best >= 190);
    }
    return test::report();
}
