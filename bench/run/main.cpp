// SPDX-License-Identifier: MIT
// Times each workload's subjects against each other: TSV on standard output, one row a subject, after all of them agreed with the first.
//     ahead_bench [--ratios | --memory] [workload...]
// --ratios: each subject's time over the first one's instead, paired round by round. --memory: the bytes of ahead's plan; nothing is run.
// A subject is a type made from the workload's tensors, called without arguments, whose outputs() are a range of floats.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <tuple>
#include <vector>

#include "ahead.hpp"
#include "memory.hpp"
#include "silero_vad.hpp"
#include "timing.hpp"
#include "w1.hpp"
#include "w2.hpp"
#include "w3.hpp"
#include "w7.hpp"
#include "w8.hpp"

namespace {

template <class Subject> struct named {
    using type = Subject;
    const char* name;
};
template <class Subject> constexpr named<Subject> subject(const char* name) { return {name}; }

/// The largest difference between two outputs, as a share of the largest magnitude; infinite where they cannot be compared.
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
    const bench::schedule plan;
    const char* const names[] = {first.name, rest.name...};
    std::array<bench::blocks, 1 + sizeof...(Rest)> samples;
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
        if (what == mode::ratios) {
            if (i > 0) std::printf("%s\t%s\t%.3f\n", workload, names[i], bench::paired_ratio(samples[i], samples[0]));
        } else {
            const auto [median, min] = bench::summary(samples[i]);
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
    std::printf("%s\t%lld\t%lld\t%lld\t%lld\t%d\n", name, static_cast<long long>(plan.peak_bytes), static_cast<long long>(plan.largest_live_bytes),
                static_cast<long long>(plan.constant_bytes), static_cast<long long>(plan.workspace_bytes), plan.run_tasks);
    return true;
}

} // namespace

int main(int count, char** arguments) {
    using namespace bench;
    mode what = mode::times;
    int first = 1;
    if (count > 1 && std::string_view(arguments[1]) == "--ratios") what = mode::ratios, ++first;
    if (count > 1 && std::string_view(arguments[1]) == "--memory") what = mode::memory, ++first;
    const auto wanted = [&](std::string_view workload) {
        for (int i = first; i < count; ++i)
            if (workload == arguments[i]) return true;
        return count == first;
    };
    std::puts(what == mode::times    ? "workload\tsubject\tmedian_ns\tmin_ns"
              : what == mode::ratios ? "workload\tsubject\tratio"
                                     : "workload\tpeak_bytes\tlargest_live_bytes\tconstant_bytes\tworkspace_bytes\ttasks");
    bool agree = true;
    if (wanted("w1")) agree &= workload<eigen::w1, programs::w1>(what, "w1", mlp_tensors{16, 32, 32, 8});
    if (wanted("w2")) agree &= workload<eigen::w2, programs::w2>(what, "w2", mlp_tensors{784, 512, 256, 10});
    if (wanted("w3")) agree &= workload<eigen::w3, programs::w3>(what, "w3", lenet_tensors{});
    if (wanted("silero_vad")) agree &= workload<eigen::silero_vad, programs::silero_vad>(what, "silero_vad", silero_vad_tensors{});
    if (wanted("w7")) agree &= workload<eigen::w7<256>, programs::w7>(what, "w7", activation_tensors{256});
    if (wanted("w7_1m")) agree &= workload<eigen::w7<(1 << 20)>, programs::w7_1m>(what, "w7_1m", activation_tensors{1 << 20});
    if (wanted("w8")) agree &= workload<eigen::w8, programs::w8>(what, "w8", chain_tensors{});
    return agree ? 0 : 1;
}
