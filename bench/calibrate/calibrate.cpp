// SPDX-License-Identifier: MIT
// Measures this machine with two workloads and the library's own kernels, and prints its description as C++:
//     chains of pointwise operators, 256 and 1M elements, fused and one by one
//     products of n x n by n x n, n from 8 to 1024, and of a vector by n x n, n = 256, 1024, 4096
//     two threads that wait for each other's events by turns
// Nothing else is fitted: convolutions, rows, pooling follow from these by what device/work_of.hpp counts.
// The lines on standard error are the measurements; standard output is a header with the device `this_machine`.
#include "placed.hpp"

#include <ahead/runtime/threads/stream_event.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>
#include <thread>
#include <unistd.h>
#include <utility>

namespace {

using namespace ahead;
using namespace ahead::rooms;

template <std::int64_t N>
inline constexpr auto chain = trace([](input<"x", f32<N>> x, input<"scale", f32<N>> scale) {
    auto first = tanh(add(mul(x, scale), 0.5));
    auto second = sigmoid(add(mul(first, 1.5), 0.25));
    return outputs(sigmoid(mul(tanh(sub(mul(second, scale), 0.5)), 2.0)));
});
template <std::int64_t M, std::int64_t N>
inline constexpr auto product =
    trace([](input<"a", f32<M, N>> a, param<"b", f32<N, N>> b) { return outputs(mm(a, b)); });

inline constexpr config one_by_one_options{.fuse_pointwise = false};
using one_by_one = toolchain<>::with_options<one_by_one_options>;
struct no_converters : ahead::detail::usual_operators {
    using converters = convert::converter_list<>;
};
using by_meaning = toolchain<no_converters>;

template <class Program> double run_ns(const char* name) {
    double ns = INFINITY;
    for (int placement = 0; placement < 3; ++placement) {
        auto placed = bench::placed_at_random<Program>();
        ns = std::min(ns, bench::nanoseconds_of(placed));
    }
    std::fprintf(stderr, "%-24s %12.1f ns\n", name, ns);
    return ns;
}
template <std::int64_t N> double product_ns() {
    return run_ns<compiled<product<N, N>>>(("product " + std::to_string(N)).c_str());
}
template <std::int64_t N> double vector_ns() {
    return run_ns<compiled<product<1, N>>>(("vector x matrix " + std::to_string(N)).c_str());
}
template <std::int64_t N> double first_of_chain_ns() {
    auto placed = bench::placed_at_random<compiled<chain<N>, one_by_one>>();
    placed();
    const double ns = bench::nanoseconds_of([&] { placed.template run_task<0>(); });
    std::fprintf(stderr, "%-24s %12.1f ns\n", ("mul of " + std::to_string(N)).c_str(), ns);
    return ns;
}

/// Dependent multiplications, three clocks each on every x86-64 of the last fifteen years and most others.
double clock_mhz() {
    double best = 0;
    for (int trial = 0; trial < 20; ++trial) {
        constexpr int count = 1 << 20;
        std::uint64_t x = 3;
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i) {
            x *= x;
            asm volatile("" : "+r"(x));
        }
        best = std::max(
            best,
            3 * count / std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// From the record of an event until another thread, which looks for it all the time, has what was recorded: 1 KiB that
/// the two change by turns.
double event_ns() {
    constexpr ahead::runtime::run_number turns = 1 << 14;
    const auto there = std::make_unique<ahead::runtime::stream_event>(),
               back = std::make_unique<ahead::runtime::stream_event>();
    alignas(64) std::array<float, 256> shared{};
    const auto change = [&] {
        for (auto& x : shared) x += 1;
        bench::barrier();
    };
    double least = INFINITY;
    for (int trial = 0; trial < 20; ++trial) {
        const auto first = static_cast<ahead::runtime::run_number>(trial) * turns + 1;
        std::thread other([&] {
            for (auto turn = first; turn < first + turns; ++turn) {
                there->wait(turn);
                change();
                back->record(turn, true);
            }
        });
        const auto start = std::chrono::steady_clock::now();
        for (auto turn = first; turn < first + turns; ++turn) {
            change();
            there->record(turn, true);
            back->wait(turn);
        }
        least =
            std::min(least, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                                (2. * turns));
        other.join();
    }
    std::fprintf(stderr, "%-24s %12.1f ns\n", "event between threads", least);
    return least;
}

std::string line_of(const char* path, std::string_view beginning) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(beginning)) return line.substr(beginning.empty() ? 0 : line.find(':') + 2);
    return {};
}

/// Whether two cores that read so many floats, half of them each, take more than two thirds of what one takes for all.
bool is_shared(std::size_t floats) {
    const std::vector<float, bench::huge_allocator<float>> memory(floats, 1.0f);
    const auto read = [&](std::size_t begin, std::size_t end) {
        float sums[64]{};
        for (auto i = begin; i < end; i += 64)
            for (std::size_t k = 0; k < 64; ++k) sums[k] += memory[i + k];
        asm volatile("" : : "g"(sums) : "memory");
    };
    double one = 0, two = 0; // the quickest of several
    for (int round = 0; round < 20; ++round) {
        const auto quickest = [&](double& least, auto f) {
            const auto start = std::chrono::steady_clock::now();
            f();
            const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            least = round == 0 ? took : std::min(least, took);
        };
        quickest(one, [&] { read(0, floats); });
        std::atomic<int> arrived = 0, done = 0;
        std::thread other([&] {
            ++arrived;
            while (arrived < 2) {
            }
            read(floats / 2, floats);
            ++done;
        });
        while (arrived < 1) {
        }
        quickest(two, [&] {
            ++arrived;
            read(0, floats / 2);
            while (done < 1) {
            }
        });
        other.join();
    }
    return 3 * two > 2 * one;
}

std::int64_t whole(double x) { return std::llround(x); }

/// All times in ns.
struct measurements {
    static constexpr double sizes[] = {8, 16, 32, 64, 128, 256, 512, 1024};
    double mhz = clock_mhz();
    // Pointwise chains.
    double fused = run_ns<compiled<chain<256>>>("chain of 256"),
           apart = run_ns<compiled<chain<256>, one_by_one>>("256, one by one");
    double fused_large = run_ns<compiled<chain<(1 << 20)>>>("chain of 1M"),
           apart_large = run_ns<compiled<chain<(1 << 20)>, one_by_one>>("1M, one by one");
    double mul = first_of_chain_ns<256>(), mul_large = first_of_chain_ns<(1 << 20)>();
    // Products.
    double products[8] = {product_ns<8>(),   product_ns<16>(),  product_ns<32>(),  product_ns<64>(),
                          product_ns<128>(), product_ns<256>(), product_ns<512>(), product_ns<1024>()};
    double vectors[3] = {vector_ns<256>(), vector_ns<1024>(), vector_ns<4096>()};
    double by_meaning_8 = run_ns<compiled<product<8, 8>, by_meaning>>("product 8, AI CPU");
    double by_meaning_32 = run_ns<compiled<product<32, 32>, by_meaning>>("product 32, AI CPU");
    double event = event_ns();
    bool l3_is_shared = is_shared(4 << 20), memory_is_shared = is_shared(64 << 20);
};

machine::device fitted(const measurements& of) {
    constexpr std::int32_t lanes = 16; // of nominal vectors: what kernels are laid out for, whatever the machine's own
    machine::device out;
    out.name = "this machine";
    out.cores = static_cast<std::int32_t>(std::max(std::thread::hardware_concurrency(), 1u)); // a stream is a thread

    // What stands between two tasks: the products of 8 and of 16 as if both ran at one speed.
    const double task =
        std::clamp((4096 * of.products[0] - 1024 * of.products[1]) / (4096 - 1024), 0.0, of.products[0] / 2);
    out.launch = {{whole(task * 1000)}, {0}, {whole(task * 1000)}, {whole(of.event * 1000)}};

    // A thread does not always have a core to itself, and the model is not exact: what would save little is not worth
    // the risk.
    out.least_gain_permille = 100;

    // From one product to the next larger one: what the additional multiply-adds ran at.
    out.cube = {.cores = 1, .clock_mhz = static_cast<std::int32_t>(of.mhz), .tile = {1, 2, lanes}};
    double done = 0, spent = task;
    for (std::size_t i = 0; i < 8; ++i) {
        const double n = of.sizes[i], multiply_adds = n * n * std::ceil(n / lanes) * lanes;
        const double share = (multiply_adds - done) / std::max(of.products[i] - spent, 1e-3) * 1000 /
                             static_cast<double>(machine::peak_rate(out.cube));
        out.cube.brackets[i] = {whole(multiply_adds),
                                static_cast<std::int32_t>(std::max(whole(share * 1000), std::int64_t{1}))};
        done = multiply_adds, spent = of.products[i];
    }

    // Both forms of the chain say how many of the instructions that machine/steps.hpp counts run in a clock; between the
    // two.
    const double instructions =
        static_cast<double>(ahead::detail::task_work<compiled<chain<256>>>[0].vector.element_steps()) / lanes;
    const double per_clock = instructions / std::sqrt(of.fused * of.apart) * 1000 / of.mhz;
    out.vector = {.cores = 1,
                  .clock_mhz = static_cast<std::int32_t>(of.mhz),
                  .lanes = lanes,
                  .permille = static_cast<std::int32_t>(whole(per_clock * 1000)),
                  .latency = 3,
                  .row_latency = 3};

    // A product of n x n by its meaning visits n * n elements and makes n * n * n multiply-adds: the part that grows
    // with n * n alone.
    const double visit = (4 * of.by_meaning_8 / 64 - of.by_meaning_32 / 1024) / 3;
    out.ai_cpu = {.cores = 1, .elements_per_us = std::max(whole(1000 / visit), std::int64_t{1})};

    // 3 KiB of a product of vectors; 256 KiB, 4 MiB and 64 MiB of matrices, 12 MiB of vectors. How large the levels
    // are, the C library asks the processor: /sys does not say it in every virtual machine.
    const double l3 = std::sqrt(4. * 1024 * 1024 / of.vectors[1] * (3 * 4 * (1 << 20)) / of.mul_large);
    out.memory = {
        {{"L1", sysconf(_SC_LEVEL1_DCACHE_SIZE), whole(3 * 256 * 4 / (of.mul - task) * 1000), false},
         {"L2", sysconf(_SC_LEVEL2_CACHE_SIZE), whole(4. * 256 * 256 / (of.vectors[0] - task) * 1000), false},
         {"L3", sysconf(_SC_LEVEL3_CACHE_SIZE), whole(l3 * 1000), of.l3_is_shared},
         {"memory", std::int64_t{1} << 40, whole(4. * 4096 * 4096 / of.vectors[2] * 1000), of.memory_is_shared}}};
    return out;
}

void print(const machine::device& on) {
    const auto number = [](std::int64_t n) { return static_cast<long long>(n); };
    std::puts("// SPDX-License-Identifier: MIT");
    std::puts("// A machine as ahead_bench_calibrate measured it.");
    std::printf("// %s, one core, %s, -O2 -march=native.\n", line_of("/proc/cpuinfo", "model name").c_str(),
                __VERSION__);
    std::puts("#pragma once\n#include <ahead/machine/device.hpp>\n\ninline constexpr "
              "ahead::machine::device this_machine{");
    std::printf("    .name = \"this machine\",\n    .cores = %d,\n", on.cores);
    std::printf("    .cube = {.cores = 1,\n             .clock_mhz = %d,\n             .tile = {%d, %d, %d},\n         "
                "    .brackets = {{",
                on.cube.clock_mhz, on.cube.tile.m, on.cube.tile.k, on.cube.tile.n);
    const char* between = "";
    for (const auto& bracket : on.cube.brackets)
        std::printf("%s{%lld, %d}", std::exchange(between, ", "), number(bracket.multiply_adds), bracket.permille);
    std::printf("}}},\n    .vector = {.cores = 1, .clock_mhz = %d, .lanes = %d, .permille = %d, .latency = %d, "
                ".row_latency = %d},\n",
                on.vector.clock_mhz, on.vector.lanes, on.vector.permille, on.vector.latency, on.vector.row_latency);
    std::printf("    .ai_cpu = {.cores = 1, .elements_per_us = %lld},\n    .memory = {{",
                number(on.ai_cpu.elements_per_us));
    between = "";
    for (const auto& level : on.memory)
        std::printf("%s{\"%s\", %lld, %lld%s}", std::exchange(between, ", "), std::string(level.name).c_str(),
                    number(level.bytes), number(level.bytes_per_us), level.is_shared ? "" : ", false");
    std::printf("}},\n    .launch = {.host = {%lld}, .graph = {%lld}, .task = {%lld}, .event = {%lld}},\n    "
                ".least_gain_permille = %d,\n};\n",
                number(on.launch.host.count), number(on.launch.graph.count), number(on.launch.task.count),
                number(on.launch.event.count), on.least_gain_permille);
}

} // namespace

int main() {
    const auto on = fitted({});
    diagnosis d;
    if (!check_device(on, d)) {
        std::fprintf(stderr, "what was measured describes no machine: %s\n", render(d).c_str());
        return 1;
    }
    print(on);
}
