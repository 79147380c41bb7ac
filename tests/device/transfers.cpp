// SPDX-License-Identifier: MIT
// Copies between contexts, and launched copies between host and device: what they wait for, what comes behind them, what is refused, with whose rank.
#include "counted_allocations.hpp"
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <ahead/npu/launch.hpp>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 8>;
constexpr row counted{1, 2, 3, 4, 5, 6, 7, 8};
constexpr auto doubled = [](auto a) { return mul(a, 2); };
constexpr auto turned = [](auto a) { return permute<1, 0>(a); };

cell number(npu::context& npu, std::int64_t value) { return npu.to_device<i64<>>(std::array<std::int64_t, 1>{value}); }

void between(npu::execution run) {
    npu::context one({.run = run, .rank_id = 1}), two({.run = run, .rank_id = 2});
    const auto a = one.new_stream(), b = two.new_stream();
    const auto x = one.to_device<f32<8>>(counted);
    const auto y = a.launch(doubled, x); // nothing orders it but the copy
    const auto there = y.to(two);
    check(there.memory().npu() == &two && there.copy() == row{2, 4, 6, 8, 10, 12, 14, 16});
    const auto z = b.launch(doubled, there);
    auto back = one.to_device<f32<8>>(counted);
    const auto seen = a.launch(doubled, back); // reads what there was before
    back.copy_from(z);
    check(a.launch(doubled, back).copy() == row{8, 16, 24, 32, 40, 48, 56, 64});
    check(seen.copy() == row{2, 4, 6, 8, 10, 12, 14, 16});
    back.copy_from(x); // of one context
    back.copy_from(back);
    check(back.copy() == counted && x.to(one).copy() == counted);

    // Strided tensors keep their elements.
    const auto m = one.to_device<f32<2, 3>>(std::array<float, 6>{1, 2, 3, 4, 5, 6});
    const auto t = a.launch(turned, m);
    check(t.to(two).copy() == t.copy());

    // The clocks meet.
    const auto now = one.now();
    check(now >= two.now());
    static_cast<void>(y.to(two));
    check(one.now() == two.now() && one.now() > now);

    check_refusal([&] { static_cast<void>(npu::tensor<f32<8>>().to(two)); }, fault::tensor_is_empty, "to");
    check_refusal([&] { back.copy_from(npu::tensor<f32<8>>()); }, fault::tensor_is_empty, "copy_from");
    check_refusal([&] { static_cast<void>(one.empty<f32<8>>().to(two)); }, fault::tensor_has_no_value);
    check_refusal([&] { b.wait([&] { npu::event e; e.record(a); return e; }()); }, fault::device_is_another, "what this context made, rank 2, found what another one made, rank 1");
    check_refusal([&] { static_cast<void>(b.launch(doubled, x)); }, fault::device_is_another, "rank 2, found what another one made, rank 1");
    npu::context small({.memory_bytes = 64});
    const auto only = small.to_device<f32<8>>(counted);
    check_refusal([&] { static_cast<void>(x.to(small)); }, fault::device_memory_is_exhausted);

    npu::graph g(two);
    {
        npu::capture c(g, b);
        static_cast<void>(c.launch(doubled, there));
        check_refusal([&] { static_cast<void>(x.to(two)); }, fault::call_is_illegal_in_capture);
    }
    check(x.to(two).copy() == counted);
}

/// Copies there and back on two threads, beside launches: no deadlock.
void both_ways() {
    npu::context one({.run = npu::execution::threads}), two({.run = npu::execution::threads});
    const auto go = [&](npu::context& from, npu::context& to, bool& ok) {
        const auto s = from.new_stream();
        auto x = number(from, 1);
        for (int i = 0; i < 200; ++i) x = raw_launch{.read = {raw_launch{.read = {x}}.on(s).to(to).to(from)}}.on(s);
        ok = x.copy()[0] == 401;
    };
    bool first = false, second = false;
    std::thread other([&] { go(two, one, second); });
    go(one, two, first);
    other.join();
    check(first && second);
}

/// The host goes on; whoever launches behind comes behind the copy.
void launched(npu::execution run) {
    npu::context npu({.run = run}), other;
    const auto s = npu.new_stream(), t = npu.new_stream();
    std::array<std::int64_t, 1> in{7}, out{0};
    gate g;
    const auto first = number(npu, 1), x = npu.empty<i64<>>();
    if (run == npu::execution::in_order) g.open();
    const auto held = raw_launch{.run = pass_gate, .read = {first}, .constants = constants(g)}.on(s);
    s.write(x, in);
    check_refusal([&] { static_cast<void>(raw_launch{.read = {x}}.on(t)); }, fault::streams_race);
    const auto y = raw_launch{.read = {x}}.on(s);
    s.read(y, out);
    if (run == npu::execution::threads) check_equal(out[0], 0); // the stream stands at the gate
    g.open();
    s.synchronize();
    check_equal(out[0], 8);

    // Captured: each replay copies.
    npu::graph graph(npu);
    {
        npu::capture c(graph, s);
        s.write(x, in);
        const auto z = raw_launch{.read = {x}}.on(s);
        s.read(z, out);
        c.end();
    }
    graph.replay(s);
    s.synchronize();
    const auto before = allocations.load();
    for (std::int64_t i = 0; i < 20; ++i) {
        in[0] = i;
        graph.replay(s);
        s.synchronize();
        check_equal(out[0], i + 1);
    }
    check_equal(allocations.load(), before);
    check_equal(graph.steps().front().name.view(), std::string_view("write"));
    check(graph.steps().front().start < graph.steps().front().end);

    row r{};
    const auto m = npu.empty<f32<8>>();
    s.write(m, counted);
    s.read(m, r);
    s.synchronize();
    check(r == counted);
    const auto turned_by = s.launch(turned, npu.to_device<f32<2, 3>>(std::array<float, 6>{1, 2, 3, 4, 5, 6}));
    std::array<float, 6> elements{};
    s.read(turned_by, elements);
    s.synchronize();
    check(elements == turned_by.copy());
    check_refusal([&] { s.read(npu.empty<i64<>>(), out); }, fault::tensor_has_no_value);
    check_refusal([&] { s.read(cell(), out); }, fault::tensor_is_empty, "read");
    check_refusal([&] { s.write(number(other, 1), in); }, fault::device_is_another, "write");
}

} // namespace

int main() {
    for (auto run : {npu::execution::in_order, npu::execution::threads}) {
        between(run);
        launched(run);
    }
    both_ways();
    return report();
}
