// Random numbers on the device: eager launches and replays draw the same ones, in a row; a new seed holds for the next replay; who shares a generator takes
// turns, or is refused.
// fault: call_is_illegal_in_capture
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/npu/generator.hpp>
#include <ahead/npu/graph.hpp>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 6>;
using row_tensor = npu::tensor<f32<6>>;
constexpr row zeros{};
constexpr auto uniform = [](auto a) { return add(rand_like(a), a); };
constexpr auto normal = [](auto a) { return outputs(randn<6>(a), rand_like(a)); };
inline constexpr auto net = trace([](input<"x", f32<6>> x) { return outputs(add(rand_like(x), x)); });
using program = compiled<net>;

// The numbers of `count` eager launches in a row, which are those of a session.
std::vector<row> in_a_row(std::int64_t seed, int count) {
    const auto weights = program::prepare();
    program::session run{weights};
    std::array<std::int64_t, 1> offset{0};
    std::vector<row> out;
    for (int i = 0; i < count; ++i) out.push_back(std::get<0>(run(zeros, std::array{seed}, offset)).copy());
    return out;
}

void launches_and_replays(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<6>>(zeros);
    npu::generator gen(npu, 5);
    const auto expected = in_a_row(5, 6);
    check(expected[0] != expected[1]);
    check(gen.get_state() == npu::generator_state{5, 0});
    check(gen.launch(s, uniform, x).copy() == expected[0]);
    const auto weights = program::prepare();
    check(s.launch(weights, x, gen.seed(), gen.offset()).copy() == expected[1]);
    check(gen.get_state() == npu::generator_state{5, 16});

    npu::graph g(npu);
    row_tensor y;
    {
        npu::capture c(g, s);
        y = gen.launch(c.on(), uniform, x);
        c.end();
    }
    check(gen.get_state() == npu::generator_state{5, 16}, "a capture draws nothing");
    for (std::size_t i = 2; i < 5; ++i) {
        g.replay(s);
        check(y.copy() == expected[i]);
    }
    check(gen.launch(s, uniform, x).copy() == expected[5], "a launch behind a replay");
    check(gen.get_state() == npu::generator_state{5, 48});

    // A new seed holds for the next replay; so does a state.
    gen.manual_seed(6);
    g.replay(s);
    check(y.copy() == in_a_row(6, 1)[0]);
    gen.set_state({5, 8});
    g.replay(s);
    check(y.copy() == expected[1]);
    // Another generator in its place.
    npu::generator other(npu, 6);
    g.bind(g.find(gen.seed()), other.seed());
    g.bind(g.find(gen.offset()), other.offset());
    g.replay(s);
    check(y.copy() == in_a_row(6, 1)[0] && gen.get_state() == npu::generator_state{5, 16} &&
          other.get_state() == npu::generator_state{6, 8});

    // Several draws in a launch, and several launches in a graph.
    gen.manual_seed(9);
    const auto [a, b] = gen.launch(s, normal, x);
    const auto c = gen.launch(s, uniform, x);
    npu::graph two(npu);
    std::tuple<row_tensor, row_tensor> both;
    {
        npu::capture scope(two, s);
        both = gen.launch(s, normal, x);
        y = gen.launch(s, uniform, x);
        scope.end();
    }
    gen.manual_seed(9);
    two.replay(s);
    check(std::get<0>(both).copy() == a.copy() && std::get<1>(both).copy() == b.copy() && y.copy() == c.copy());
}

// The state is not the host's while a graph is captured, in any mode.
void in_captures() {
    for (const auto mode : {npu::capture_mode::global, npu::capture_mode::this_thread, npu::capture_mode::relaxed}) {
        npu::context npu;
        const auto s = npu.new_stream();
        const auto x = npu.to_device<f32<6>>(zeros);
        npu::generator gen(npu, 5);
        npu::graph g(npu);
        g.capture_begin(s, {}, mode);
        check_fault([&] { gen.manual_seed(1); }, fault::call_is_illegal_in_capture);
        const auto y = gen.launch(s, uniform, x);
        check_fault([&] { gen.manual_seed(1); }, fault::call_is_illegal_in_capture);
        check_fault([&] { gen.set_state({1, 1}); }, fault::call_is_illegal_in_capture);
        check_fault([&] { static_cast<void>(gen.get_state()); }, fault::call_is_illegal_in_capture);
        g.capture_end(s);
        check(gen.get_state() == npu::generator_state{5, 0});
        g.replay(s);
        check(y.copy() == in_a_row(5, 1)[0]);
    }
}

void on_two_streams(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = npu.to_device<f32<6>>(zeros);
    npu::generator gen(npu, 5), other(npu, 5);
    const auto expected = in_a_row(5, 2);
    npu::graph g(npu), h(npu), own(npu);
    row_tensor y[3];
    const auto capture = [&](npu::graph& into, npu::generator& from, row_tensor& out) {
        npu::capture c(into, s);
        out = from.launch(s, uniform, x);
        c.end();
    };
    capture(g, gen, y[0]), capture(h, gen, y[1]), capture(own, other, y[2]);
    g.replay(s);
    check_fault([&] { h.replay(t); }, fault::streams_race);
    check_fault([&] { static_cast<void>(gen.launch(t, uniform, x)); }, fault::streams_race);
    own.replay(t);
    npu::event e;
    e.record(s);
    t.wait(e);
    h.replay(t);
    check(y[0].copy() == expected[0] && y[1].copy() == expected[1] && y[2].copy() == expected[0]);
    check(gen.get_state() == npu::generator_state{5, 16} && other.get_state() == npu::generator_state{5, 8});
}

// A capture that failed has drawn nothing: the next one gives the same numbers.
void captured_again(npu::execution run) {
    const auto expected = in_a_row(5, 3);
    for (std::int64_t n = 1; n <= 8; ++n) {
        npu::context npu({.run = run});
        const auto s = npu.new_stream();
        const auto x = npu.to_device<f32<6>>(zeros);
        npu::generator gen(npu, 5);
        check(gen.launch(s, uniform, x).copy() == expected[0]);
        npu::graph g(npu);
        row_tensor y, z;
        const auto capture = [&] {
            npu::capture c(g, s);
            y = gen.launch(s, uniform, x);
            z = gen.launch(s, uniform, x);
            c.end();
        };
        npu.fail_at(n);
        check_fault(capture, fault::device_failed_as_told);
        check(gen.get_state() == npu::generator_state{5, 8});
        capture();
        npu.fail_at(1 + n % 2);
        check_fault([&] { g.replay(s); }, fault::device_failed_as_told);
        check(gen.get_state() == npu::generator_state{5, 8});
        g.replay(s);
        check(y.copy() == expected[1] && z.copy() == expected[2]);
        npu::context second;
        npu::generator elsewhere(second);
        check_fault([&] { static_cast<void>(elsewhere.launch(s, uniform, x)); }, fault::device_is_another);
    }
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        launches_and_replays(run);
        on_two_streams(run);
        captured_again(run);
    }
    in_captures();
    return report();
}
