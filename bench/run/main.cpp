// SPDX-License-Identifier: MIT
// Times each workload's subjects against each other: TSV on standard output, one row a subject, after all of them agreed with the first.
//     ahead_bench [workload...]
// A subject is a type made from the workload's tensors, called without arguments, whose outputs() are a span; add it to the workload's line below.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels.hpp"
#include "memory.hpp"
#include "silero_vad.hpp"
#include "timing.hpp"
#include "w1.hpp"
#include "w2.hpp"
#include "w3.hpp"
#include "w8.hpp"

namespace {

template <class Subject> struct named {
    using type = Subject;
    const char* name;
};
template <class Subject> constexpr named<Subject> subject(const char* name) { return {name}; }

/// The largest difference between two outputs, as a share of the largest magnitude; infinite where they cannot be compared.
template <class A, class B> double disagreement(const A& a, const B& b) {
    const auto x = a.outputs(), y = b.outputs();
    if (x.size() != y.size()) return INFINITY;
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
        largest = std::fmax(largest, std::fabs(static_cast<double>(x[i])));
        worst = std::fmax(worst, std::fabs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
    }
    return worst == 0 ? 0 : worst / largest;
}

/// Runs, compares, times and prints one workload; false where subjects disagree.
template <class Tensors, class First, class... Rest> bool compare(const char* workload, const Tensors& tensors, named<First> first, named<Rest>... rest) {
    const bench::schedule plan;
    const char* const names[] = {first.name, rest.name...};
    std::array<std::vector<double>, 1 + sizeof...(Rest)> samples;
    bool agree = true;
    const auto run = [&](auto& reference, auto&... others) {
        reference();
        (others(), ...);
        const auto check = [&](const char* name, const auto& other) {
            const double difference = disagreement(reference, other);
            if (difference <= 1e-4) return;
            std::fprintf(stderr, "%s: %s and %s differ by %g of the largest output; not timed\n", workload, first.name, name, difference);
            agree = false;
        };
        (check(rest.name, others), ...);
        if (agree) bench::time_together(plan, samples, reference, others...);
    };
    std::vector<std::tuple<bench::huge_ptr<First>, bench::huge_ptr<Rest>...>> placed; // all kept, so that each placement has pages of its own
    for (int i = 0; i < plan.placements && agree; ++i) {
        placed.emplace_back(bench::make_huge<First>(tensors), bench::make_huge<Rest>(tensors)...);
        std::apply([&](auto&... subjects) { run(*subjects...); }, placed.back());
    }
    if (!agree) return false;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto [median, min] = bench::summary(samples[i]);
        std::printf("%s\t%s\t%.1f\t%.1f\n", workload, names[i], median, min);
    }
    std::fflush(stdout);
    return true;
}

} // namespace

int main(int count, char** arguments) {
    using namespace bench;
    const auto wanted = [&](std::string_view workload) {
        for (int i = 1; i < count; ++i)
            if (workload == arguments[i]) return true;
        return count == 1;
    };
    bool agree = true;
    std::printf("workload\tsubject\tmedian_ns\tmin_ns\n");
    if (wanted("w1")) agree &= compare("w1", mlp_tensors{16, 32, 32, 8}, subject<eigen::w1>("eigen"), subject<kernels::w1>("kernels"));
    if (wanted("w2")) agree &= compare("w2", mlp_tensors{784, 512, 256, 10}, subject<eigen::w2>("eigen"), subject<kernels::w2>("kernels"));
    if (wanted("w3")) agree &= compare("w3", lenet_tensors{}, subject<eigen::w3>("eigen"), subject<kernels::w3>("kernels"));
    if (wanted("silero_vad")) agree &= compare("silero_vad", silero_vad_tensors{}, subject<eigen::silero_vad>("eigen"), subject<kernels::silero_vad>("kernels"));
    if (wanted("w8")) agree &= compare("w8", chain_tensors{}, subject<eigen::w8>("eigen"), subject<kernels::w8>("kernels"));
    return agree ? 0 : 1;
}
