// A chain of 100 adds of 8 floats, three ways: every add launched by itself, all of them captured once and replayed as
// one launch, and compiled as one program. Prints what an add takes each way: on the simulated clock, where the host
// pays for every launch as it would for an NPU, and on this machine's, kernels included.
#include <ahead/ahead.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace ahead;

constexpr int length = 100;
inline constexpr auto one_add = [](auto x, auto step) { return add(x, step); };
inline constexpr auto chain = trace([](input<"x", f32<8>> x, input<"step", f32<8>> step) {
    auto sum = add(x, step);
    for (int i = 1; i < length; ++i) sum = add(sum, step);
    return outputs(sum);
});
using row = npu::tensor<f32<8>>;

// The whole chain, launched op by op: on a stream, or into a capture.
row launch_all(const auto& on, row sum, const row& step) {
    for (int i = 0; i < length; ++i) sum = on.launch(one_add, sum, step);
    return sum;
}

// Nanoseconds of one call, divided by the adds that it makes.
template <class F> double simulated_ns(npu::context& npu, F f) {
    npu.synchronize();
    const auto begin = npu.now();
    f();
    npu.synchronize();
    return static_cast<double>((npu.now() - begin).count) / 1e3 / length;
}
template <class F> double real_ns(F f) {
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 500; ++i) f();
        const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
        best = std::min(best, taken.count() / 500 / length);
    }
    return best;
}

int main() {
    npu::context npu;
    const auto side = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(std::array<float, 8>{0, 1, 2, 3, 4, 5, 6, 7});
    const auto step = npu.to_device<f32<8>>(std::array<float, 8>{1, 1, 1, 1, 1, 1, 1, 1});

    npu::graph graph(npu);
    row captured;
    {
        npu::capture c(graph, side);
        captured = launch_all(c, x, step);
        c.end();
    }
    const auto weights = compiled<chain>::prepare();

    const auto launches = [&](auto f) {
        const auto before = npu.launches();
        f();
        return static_cast<long>(npu.launches() - before);
    };
    const auto eagerly = [&] { return launch_all(side, x, step); };
    const auto replayed = [&] { graph.replay(side); };
    const auto compiled_once = [&] { return side.launch(weights, x, step); };

    const auto expected = eagerly().copy();
    replayed();
    if (captured.copy() != expected || compiled_once().copy() != expected) {
        std::puts("the three ways differ");
        return 1;
    }
    std::puts("clock\teager_ns_per_op\tcaptured_ns_per_op\tcompiled_ns_per_op");
    std::printf("simulated\t%.1f\t%.1f\t%.1f\n", simulated_ns(npu, eagerly), simulated_ns(npu, replayed),
                simulated_ns(npu, compiled_once));
    std::printf("real\t%.2f\t%.2f\t%.2f\n", real_ns(eagerly), real_ns(replayed), real_ns(compiled_once));
    const auto eager_launches = launches(eagerly), captured_launches = launches(replayed),
               compiled_launches = launches(compiled_once);
    std::printf("# launches of one chain: %ld, %ld, %ld\n", eager_launches, captured_launches, compiled_launches);
    return 0;
}
