// SPDX-License-Identifier: MIT
// Measures how long each kernel of a key takes on this machine, with the epilogue of the first call that has the key.
// Each round calls every kernel once, so that a disturbance of the machine affects all of them. Before each call it
// sweeps as much memory as the model uses and then reads the operand, so that weights are as far from the CPU, and
// activations as near, as in a run of the model.
// Invariant: all kernels of a key read the same random numbers in [-1, 1); a result that differs from that of the
// rule's kernel by more than rounding is a fault, and its kernel is never chosen. Called by tune.hpp.
#pragma once
#include <ahead/core/aligned_memory.hpp>
#include <ahead/tune/candidates.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace AHEAD_NAMESPACE::tune {

struct measured_kernel {
    std::string_view choice;
    double fastest = 0, median = 0; // microseconds
    bool is_right = true;
};
struct measured_key {
    std::string text;
    std::vector<measured_kernel> kernels; // the rule's first
    std::size_t chosen = 0;
    std::int32_t rounds = 0;
};

struct measuring {
    std::int64_t footprint = 0;  // bytes that the model touches between two calls of a task
    double seconds_of_key = 0.1; // approximate
    double least_gain = 0.03;    // the part of the rule's time that another kernel must save
    std::int32_t fewest_rounds = 7;
};

namespace detail {

inline constexpr std::int64_t most_swept = std::int64_t{16} << 20; // bytes; evicts all weights from the caches

inline void randomize(dtype type, std::byte* to, std::int64_t count, std::uint64_t seed) {
    for (std::int64_t i = 0; i < count; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double x = static_cast<double>(seed >> 40) / (1 << 23) - 1;
        if (type == dtype::f64) reinterpret_cast<double*>(to)[i] = x;
        else reinterpret_cast<float*>(to)[i] = static_cast<float>(x);
    }
}
inline std::vector<double> elements_of(dtype type, const std::byte* from, std::int64_t count) {
    std::vector<double> out(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = type == dtype::f64 ? reinterpret_cast<const double*>(from)[i]
                                    : static_cast<double>(reinterpret_cast<const float*>(from)[i]);
    return out;
}
/// Whether two kernels computed the same result, up to the error that either may have.
inline bool agree(dtype type, const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0, apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::fmax(largest, std::fabs(a[i]));
        const double off = std::fabs(a[i] - b[i]);
        apart = off <= apart ? apart : off; // NaN stays
    }
    return apart <= (type == dtype::f64 ? 1e-12 : 1e-4) * (1 + largest);
}
/// Reads and writes all of `memory`, so that its earlier contents leave the caches.
inline std::uint64_t sweep(std::byte* memory, std::int64_t bytes) {
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i + 64 <= bytes; i += 64) {
        auto* const word = reinterpret_cast<std::uint64_t*>(memory + i);
        sum += ++*word;
    }
    return sum;
}

} // namespace detail

/// Measures all kernels of a key.
inline measured_key measure(const tuned_key& key, const measuring& how) {
    using clock = std::chrono::steady_clock;
    const auto& sizes = key.sizes;
    const auto bytes = [&](std::int64_t elements) { return static_cast<std::size_t>(bytes_of(sizes.type, elements)); };
    measured_key out;
    out.text = std::string(key.text.view());
    aligned_memory x(bytes(sizes.x)), weight(bytes(sizes.weight)), bias(bytes(sizes.bias)), result(bytes(sizes.out));
    detail::randomize(sizes.type, x.get(), sizes.x, 1);
    detail::randomize(sizes.type, weight.get(), sizes.weight, 2);
    detail::randomize(sizes.type, bias.get(), sizes.bias, 3);
    std::vector<aligned_memory> others;
    for (const auto size : key.others) {
        others.emplace_back(bytes(size));
        detail::randomize(sizes.type, others.back().get(), size, 4);
    }
    std::int64_t most_work = 0;
    for (const auto& k : key.kernels) most_work = std::max(most_work, k.work);
    aligned_memory work(static_cast<std::size_t>(most_work));

    std::vector<aligned_memory> packed;
    std::vector<tensors> given;
    std::vector<double> expected;
    for (const auto& k : key.kernels) {
        packed.emplace_back(static_cast<std::size_t>(k.packed));
        tensors t{x.get(), weight.get(), nullptr, bias.get(), {}, result.get(), work.get()};
        for (std::size_t i = 0; i < others.size(); ++i) t.others[i] = others[i].get();
        t.packed = k.pack != nullptr ? packed.back().get() : weight.get();
        if (k.pack != nullptr) k.pack(t);
        k.run(t);
        given.push_back(t);
        auto made = detail::elements_of(sizes.type, result.get(), sizes.out);
        if (expected.empty()) expected = made;
        out.kernels.push_back({k.choice, 0, 0, detail::agree(sizes.type, expected, made)});
    }

    const bool sweeps = how.footprint > 256 * 1024; // a smaller model stays in the caches
    const auto swept = sweeps ? std::min(how.footprint, detail::most_swept) : 0;
    aligned_memory rest(static_cast<std::size_t>(swept));
    std::fill_n(rest.get(), static_cast<std::size_t>(swept), std::byte{});
    std::vector<std::vector<double>> samples(key.kernels.size());
    std::vector<std::int32_t> calls(key.kernels.size(), 1); // per sample; > 1 for fast kernels if nothing is swept
    volatile std::uint64_t seen = 0;
    const auto began = clock::now();
    const auto is_over = [&] {
        return std::chrono::duration<double>(clock::now() - began).count() > how.seconds_of_key;
    };
    for (; out.rounds < how.fewest_rounds || (!is_over() && out.rounds < 1000); ++out.rounds)
        for (std::size_t i = 0; i < key.kernels.size(); ++i) {
            seen = seen + detail::sweep(rest.get(), swept);
            const auto size = static_cast<std::int64_t>(bytes(sizes.x)); // the producer has just written the operand
            for (std::int64_t at = 0; at < size; at += 64) seen = seen + static_cast<std::uint64_t>(x.get()[at]);
            const auto from = clock::now();
            for (std::int32_t c = 0; c < calls[i]; ++c) key.kernels[i].run(given[i]);
            const auto took = std::chrono::duration<double, std::micro>(clock::now() - from).count() / calls[i];
            if (out.rounds == 0 && !sweeps)
                calls[i] = static_cast<std::int32_t>(std::clamp(5 / (took + 0.01), 1., 200.));
            if (out.rounds > 0) samples[i].push_back(took); // the first round warms up
        }
    for (std::size_t i = 0; i < samples.size(); ++i) {
        std::sort(samples[i].begin(), samples[i].end());
        out.kernels[i].fastest = samples[i].front();
        out.kernels[i].median = samples[i][samples[i].size() / 2];
    }
    const auto& rule = out.kernels[0];
    for (std::size_t i = 1; i < out.kernels.size(); ++i) {
        const auto &mine = out.kernels[i], &best = out.kernels[out.chosen];
        const auto most = 1 - how.least_gain;
        if (mine.is_right && mine.fastest < most * rule.fastest && mine.median < most * rule.median &&
            mine.fastest < best.fastest)
            out.chosen = i;
    }
    return out;
}

} // namespace ahead::tune
