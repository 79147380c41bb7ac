// SPDX-License-Identifier: MIT
// Runs the subjects of one workload, compares their outputs with the first one's, times them against each other, and
// prints. A subject is a type made from the workload's tensors, called without arguments, whose outputs() are a range
// of floats.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <tuple>
#include <vector>

#include "memory.hpp"
#include "timing.hpp"

namespace bench {

template <class Subject> struct named {
    using type = Subject;
    const char* name;
};
template <class Subject> constexpr named<Subject> subject(const char* name) { return {name}; }

/// The largest difference between two outputs, as a share of the largest magnitude; infinite where they cannot be
/// compared.
template <class A, class B> double disagreement(const A& a, const B& b) {
    const auto x = a.outputs();
    const auto y = b.outputs();
    if (x.size() != y.size()) return INFINITY;
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
        largest = std::fmax(largest, std::fabs(static_cast<double>(x[i])));
        worst = std::fmax(worst, std::fabs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
    }
    return worst == 0 ? 0 : worst / largest;
}

enum class mode { times, ratios, memory };

/// Runs, compares, times and prints one workload; false where subjects disagree.
template <class Tensors, class First, class... Rest>
bool compare(mode what, const char* workload, const Tensors& tensors, named<First> first, named<Rest>... rest) {
    const schedule plan;
    const char* const names[] = {first.name, rest.name...};
    std::array<blocks, 1 + sizeof...(Rest)> samples;
    bool agree = true;
    const auto run = [&](auto& reference, auto&... others) {
        reference();
        (others(), ...);
        const auto check = [&](const char* name, const auto& other) {
            const double difference = disagreement(reference, other);
            if (difference <= 1e-4) return;
            std::fprintf(stderr, "%s: %s and %s differ by %g of the largest output; not timed\n", workload, first.name,
                         name, difference);
            agree = false;
        };
        (check(rest.name, others), ...);
        if (agree) time_together(plan, samples, reference, others...);
    };
    std::vector<std::tuple<huge_ptr<First>, huge_ptr<Rest>...>>
        placed; // all kept, so that each placement has pages of its own
    for (int i = 0; i < plan.placements && agree; ++i) {
        placed.emplace_back(make_huge<First>(tensors), make_huge<Rest>(tensors)...);
        std::apply([&](auto&... subjects) { run(*subjects...); }, placed.back());
    }
    if (!agree) return false;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (what == mode::ratios) {
            if (i > 0) std::printf("%s\t%s\t%.3f\n", workload, names[i], paired_ratio(samples[i], samples[0]));
        } else {
            const auto [median, min] = summary(samples[i]);
            std::printf("%s\t%s\t%.1f\t%.1f\n", workload, names[i], median, min);
        }
    }
    std::fflush(stdout);
    return true;
}

/// One workload: the tensors, the hand-written program first, then ours.
template <class Eigen, class Ahead, class Tensors> bool workload(mode what, const char* name, const Tensors& tensors) {
    if (what != mode::memory) return compare(what, name, tensors, subject<Eigen>("eigen"), subject<Ahead>("ahead"));
    constexpr auto plan = Ahead::compiled::plan;
    std::printf("%s\t%lld\t%lld\t%lld\t%lld\t%d\n", name, static_cast<long long>(plan.peak_bytes),
                static_cast<long long>(plan.largest_live_bytes), static_cast<long long>(plan.constant_bytes),
                static_cast<long long>(plan.workspace_bytes), plan.run_tasks);
    return true;
}

} // namespace bench
