// SPDX-License-Identifier: MIT
// A compiled program with weights, inputs and memory of its own, in huge pages: what is timed here, whole runs and
// single tasks.
#pragma once
#include <ahead/ahead.hpp>

#include <run/memory.hpp>
#include <run/timing.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

namespace bench {

using huge_bytes = std::vector<std::byte, huge_allocator<std::byte>>;

template <class Program, class Session = typename Program::session>
class placed_program {
public:
    placed_program(const ahead::weights& weights, std::vector<huge_bytes> inputs)
        : inputs_(std::move(inputs)), weights_(weights, constants_), run_(weights_, arena_) {
        for (const auto& input : inputs_) externals_.push_back(input.data());
        externals_.push_back(nullptr);
    }
    void operator()() {
        [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
            run_(input<I>()...);
        }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
    }
    /// Task number I of the run, on what the run left in memory.
    template <std::int32_t I>
    void run_task() {
        constexpr auto task = Program::plan.prepare_tasks + I;
        ahead::runtime::run_tasks<Program, task, task + 1>({externals_.data(), constants_.data(), arena_.data()});
    }

private:
    std::vector<huge_bytes> inputs_;
    huge_bytes constants_ = huge_bytes(static_cast<std::size_t>(Program::plan.constant_bytes) + 64);
    huge_bytes arena_ = huge_bytes(static_cast<std::size_t>(Program::plan.peak_bytes) + 64);
    std::vector<const std::byte*> externals_;
    ahead::prepared_weights<Program> weights_;
    Session run_;

    template <std::int32_t I>
    auto input() const {
        using wanted = ahead::runtime::tensor_input<ahead::ir::static_type<typename Program::template input_port<I>>>;
        using element = typename wanted::element;
        return std::span<const element, wanted::extent>(reinterpret_cast<const element*>(inputs_[I].data()),
                                                        wanted::extent);
    }
};

inline huge_bytes random_bytes(std::int64_t elements, std::uint32_t seed) {
    std::mt19937 bits(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    huge_bytes out(static_cast<std::size_t>(elements) * sizeof(float) + 64);
    for (std::int64_t i = 0; i < elements; ++i) reinterpret_cast<float*>(out.data())[i] = uniform(bits);
    return out;
}

/// With f32 weights and inputs from one seed.
template <class Program, class Session = typename Program::session>
placed_program<Program, Session> placed_at_random() {
    ahead::weights weights;
    const auto g = Program::captured();
    std::uint32_t seed = 1;
    for (ahead::node_id id : g) {
        if (g[id].weight.empty()) continue;
        const auto sizes = ahead::ir::sizes_of(g.value_of(id).type);
        const auto bytes = random_bytes(ahead::element_count(g.value_of(id).type), ++seed);
        weights.add(std::string(g[id].weight), ahead::dtype::f32, {sizes.begin(), sizes.end()},
                    std::span(bytes).first(static_cast<std::size_t>(ahead::element_count(g.value_of(id).type)) *
                                           sizeof(float)));
    }
    std::vector<huge_bytes> inputs;
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        (inputs.push_back(random_bytes(ahead::element_count(Program::template input_port<I>::type), ++seed)), ...);
    }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{});
    return {weights, std::move(inputs)};
}

/// Of this thread: what others do on the machine in the meantime does not count, but for the caches they share.
inline double thread_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// One call of f: in the quietest of several blocks, the median of its samples.
template <class F>
double nanoseconds_of(F&& f) {
    const auto sample = [&](std::int64_t calls) {
        const double start = thread_ns();
        for (std::int64_t i = 0; i < calls; ++i) {
            f();
            barrier();
        }
        return thread_ns() - start;
    };
    std::int64_t calls = 1;
    while (sample(calls) < 2e5) calls *= 2; // long beside the reading of the clock
    double quietest = 0;
    for (int block = 0; block < 12; ++block) {
        std::vector<double> samples;
        for (double spent = 0; samples.size() < 3 || spent < 4e6; spent += samples.back())
            samples.push_back(sample(calls));
        const double ns = median(samples) / static_cast<double>(calls);
        quietest = block == 0 ? ns : std::min(quietest, ns);
    }
    return quietest;
}

} // namespace bench
