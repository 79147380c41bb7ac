// SPDX-License-Identifier: MIT
// Times several callables against each other on a machine that is not quiet: blocks of calls, interleaved and rotated,
// each block warmed up, many short samples; the median says what is usual, the minimum what is possible.
// Calls follow one another without dependence, so short ones overlap in the core: compare like with like.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

struct timing {
    double median_ns, min_ns;
};

/// Everything in memory may have been read and written: what lies before is done, what lies behind is not done yet.
[[gnu::always_inline]] inline void barrier() { asm volatile("" ::: "memory"); }

struct schedule {
    int placements = 24; // how often the subjects are made anew, in other memory
    int rounds = 2;      // of one block of each subject; a block is cut into samples
    double block_ns = 4e6, sample_ns = 4e4;
};

/// The times of single calls, in ns, block by block; block i of every subject was timed in one round.
using blocks = std::vector<std::vector<double>>;

namespace detail {

template <class Subject> [[gnu::noinline]] double nanoseconds(Subject& subject, std::size_t calls) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; ++i) {
        subject();
        barrier();
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

template <class Subject> void run_block(Subject& subject, const schedule& plan, std::size_t& calls, blocks& samples) {
    while (calls == 0 || nanoseconds(subject, calls) < plan.sample_ns / 2)
        calls = calls * 2 + 1;   // only until it is long enough
    nanoseconds(subject, calls); // warm-up
    samples.emplace_back();
    for (double spent = 0; spent < plan.block_ns;) {
        const double ns = nanoseconds(subject, calls);
        samples.back().push_back(ns / static_cast<double>(calls));
        spent += ns;
    }
}

} // namespace detail

/// Adds a block per round to each subject's samples.
template <class... Subjects> void time_together(const schedule& plan, std::array<blocks, sizeof...(Subjects)>& samples,
                                                Subjects&... subjects) {
    constexpr std::size_t count = sizeof...(Subjects);
    std::array<std::size_t, count> calls{};
    for (std::size_t round = 0; round < static_cast<std::size_t>(plan.rounds); ++round)
        for (std::size_t turn = 0; turn < count; ++turn) {
            const std::size_t chosen = (round + turn) % count;
            std::size_t i = 0;
            ((i == chosen ? detail::run_block(subjects, plan, calls[i], samples[i]) : void(), ++i), ...);
        }
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

inline timing summary(const blocks& samples) {
    std::vector<double> all;
    for (const auto& block : samples) all.insert(all.end(), block.begin(), block.end());
    return {median(all), *std::min_element(all.begin(), all.end())};
}

/// The time of one subject over another's: the median over the rounds, each of which compares two medians of the same
/// few milliseconds.
inline double paired_ratio(const blocks& one, const blocks& other) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < one.size(); ++i) ratios.push_back(median(one[i]) / median(other[i]));
    return median(ratios);
}

} // namespace bench
