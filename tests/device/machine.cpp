// A context has its device's streams, events, memory and time: limits, clocks, memory that is used again, failures that
// a test asks for, outputs that hold what they need.
// fault: device_memory_is_exceeded
// fault: device_streams_are_exceeded
// fault: device_events_are_exceeded
// fault: device_failed_as_told
// SPDX-License-Identifier: MIT
#include "device_refusal.hpp"
#include "device_with.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <ahead/machine/presets.hpp>
#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 8>;
using row_tensor = npu::tensor<f32<8>>;
constexpr row counted{1, 2, 3, 4, 5, 6, 7, 8};
constexpr row ones{1, 1, 1, 1, 1, 1, 1, 1};
constexpr auto sum_of = [](auto a, auto b) { return add(a, b); };
constexpr auto doubled = [](auto a) { return mul(a, 2); };

/// Streams and events are as many as the device has: a point that was recorded takes an event until nobody holds it, copies take none.
void limits() {
    npu::context npu({.device = device_with([](auto& d) {
        d.streams = 2;
        d.events = 2;
    })});
    const auto s = npu.new_stream();
    check_refusal([&] { static_cast<void>(npu.new_stream()); }, fault::device_streams_are_exceeded);
    npu::event a, b, c;
    a.record(s);
    a.record(s);
    b.record(s);
    check_refusal([&] { c.record(s); }, fault::device_events_are_exceeded);
    c = a;
    check(c.query() && s.query());
    check_refusal([&] { a.record(s); }, fault::device_events_are_exceeded);
    b = {};
    a.record(s);
    c = {};
    b.record(s);
    check_refusal([&] { c.record(s); }, fault::device_events_are_exceeded);
}

/// The clock of several streams is that of one machine: launches that fill a unit come after each other there, those that leave room run beside each other,
/// captured or not, and a replay takes what its launches take.
void streams_share_the_machine() {
    using machine::unit;
    const auto seven = [](const std::byte* const*, const std::byte*, std::byte* out) { at(out) = 7; };
    const auto filling = [](unit u, std::int64_t busy) {
        machine::demand out{{1'000'000'000}};
        out.of(u) = {busy};
        return out;
    };
    npu::context npu({.device = device_with([](auto& d) { d.launch = {{}, {}, {}, {}}; })});
    const auto s = npu.new_stream(), t = npu.new_stream(), u = npu.new_stream();
    const auto end = [&](const npu::stream& on, const machine::demand& takes) {
        static_cast<void>(raw_launch{.run = seven, .takes = takes}.on(on));
        return on.busy_until();
    };
    const auto first = end(s, filling(unit::cube, 800'000'000)), second = end(t, filling(unit::cube, 800'000'000)), third = end(u, filling(unit::vector, 1'000'000'000));
    check(first == machine::ticks{1'000'000'000} && second == machine::ticks{1'750'000'000} && third == first);
    npu.synchronize();
    check(npu.now() == second);

    npu::graph g(npu);
    g.capture_begin(s);
    npu::event fork, join;
    fork.record(s);
    t.wait(fork);
    for (int i = 0; i < 100; ++i)
        for (const auto& on : {s, t}) static_cast<void>(raw_launch{.run = seven, .takes = filling(unit::memory, 900'000'000)}.on(on));
    join.record(t);
    s.wait(join);
    g.capture_end(s);
    check(g.makespan() >= machine::ticks{180'000'000'000} && g.makespan() < machine::ticks{182'000'000'000});
    g.replay(s);
    check(s.busy_until() == second + g.makespan());
    const auto beside = end(t, filling(unit::memory, 1'000'000'000));
    check(beside >= second + machine::ticks{90'000'000'000});
}

/// A launch takes the time of the context's device, whatever device its program was planned for; one whose plan does not fit there is refused.
inline constexpr auto two_columns = trace([](input<"x", f32<64, 64>> x) {
    const auto a = mm(exp(x), x), b = mm(tanh(x), x);
    return outputs(add(mm(a, a), mm(b, b)));
});
using for_another = toolchain<>::with_device<machine::ascend_310p3>;
inline constexpr config on_two_streams_options{.streams = 2};
using on_two_streams = toolchain<>::with_options<on_two_streams_options>;
template <class Program, const machine::device& On> void takes_its_time() {
    npu::context npu({.device = On});
    const auto s = npu.new_stream();
    static const auto weights = Program::prepare();
    const auto x = npu.empty<f32<64, 64>>();
    npu::graph g(npu);
    g.capture_begin(s);
    static_cast<void>(s.launch(weights, x));
    g.capture_end(s);
    constexpr auto expected = timing<Program, On>::makespan - On.launch.graph;
    check(g.makespan() == expected && expected > machine::ticks{0});
}
void the_clock_is_the_devices() {
    using by_default = compiled<two_columns>;
    using by_another = compiled<two_columns, for_another>;
    using by_streams = compiled<two_columns, on_two_streams>;
    static_assert(by_streams::plan.streams == 2 && by_streams::plan.events > 0);
    static_assert(timing<by_default, machine::npu>::makespan != timing<by_default, machine::ascend_910b2>::makespan);
    takes_its_time<by_default, machine::npu>();
    takes_its_time<by_default, machine::ascend_910b2>();
    takes_its_time<by_streams, machine::npu>();
    takes_its_time<by_streams, machine::ascend_910b2>();
    takes_its_time<by_another, machine::ascend_310p3>();
    takes_its_time<by_another, machine::ascend_910b2>();

    { // eagerly, again and again
        npu::context npu({.device = machine::ascend_910b2});
        const auto s = npu.new_stream();
        const auto x = npu.to_device<f32<8>>(counted);
        for (int i = 0; i < 3; ++i) {
            const auto [two, plus] = s.launch([](auto a) { return outputs(mul(a, 2), add(a, 1)); }, x);
            using program = compiled_graph<npu::detail::eager_front<decltype([](auto a) { return outputs(mul(a, 2), add(a, 1)); }), f32<8>>>;
            check(s.busy_until() - npu.now() == timing<program, machine::ascend_910b2>::makespan - machine::ascend_910b2.launch.graph);
            check(two.copy()[7] == 16 && plus.copy()[7] == 9);
            npu.synchronize();
        }
    }
    const auto refuses = [](const auto& weights, const machine::device& on, fault what, std::string_view words) {
        npu::context npu({.memory_bytes = 32'768, .device = on});
        const auto s = npu.new_stream();
        const auto x = npu.empty<f32<64, 64>>();
        const auto before = npu.statistics();
        check_refusal([&] { s.launch(weights, x); }, what, words);
        npu::graph g(npu);
        npu::capture c(g, s);
        check_refusal([&] { c.launch(weights, x); }, what, "Let its toolchain name that one");
        check(npu.launches() == 0 && npu.statistics() == before && g.steps().empty());
        c.end();
    };
    const auto streamed = by_streams::prepare();
    const auto other = by_another::prepare();
    const auto plain = by_default::prepare();
    refuses(streamed, device_with([](auto& d) { d.events = 1; }), fault::device_events_are_exceeded, "at most 1 events");
    refuses(other, machine::npu, fault::memory_is_misaligned, "memory at multiples of 512 bytes");
    refuses(plain, device_with([](auto& d) { d.memory[0].bytes = 32'768; }), fault::device_memory_is_exceeded, "at most 32768 bytes");
    npu::context one({.device = device_with([](auto& d) { d.streams = 1; })});
    check_refusal([&] { one.default_stream().launch(streamed, one.empty<f32<64, 64>>()); }, fault::device_streams_are_exceeded, "at most 1 streams, found 2");
}

// Memory that was used before is free for a capture; a replay comes behind those who used it.
void used_before() {
    npu::context npu;
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(counted);
    const std::vector<float> many(20'000, 1);
    static_cast<void>(s.launch(doubled, npu.to_device<f32<20'000>>(std::span(many).first<20'000>())));
    npu::graph g(npu), h(npu);
    row_tensor y;
    {
        npu::capture c(g, s); // gives back what was launched
        y = c.launch(doubled, x);
        c.end();
    }
    g.replay(s);
    npu::event e;
    e.record(s);
    t.wait(e);
    static_cast<void>(t.launch(doubled, y));
    y = row_tensor{};
    h.capture_begin(s, g.pool());
    y = s.launch(doubled, x);
    h.capture_end(s);
    check_refusal([&] { h.replay(s); }, fault::streams_race);
    e.record(t);
    s.wait(e);
    h.replay(s);
    check(y.copy()[1] == 4);
}

void fails_as_told() {
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(counted);
    auto y = s.launch(doubled, x);
    npu.synchronize();
    npu.empty_cache();
    const auto held = npu.statistics();
    const auto unreserved = npu.unreserved_bytes();
    int failures = 0;
    for (std::int64_t n = 1;; ++n) {
        npu::graph g(npu);
        row_tensor z;
        npu.fail_at(n);
        try {
            npu::capture c(g, s);
            z = c.launch(doubled, c.launch(sum_of, x, y));
            c.end();
            g.replay(s);
        } catch (const error& e) {
            check_fault(e.what_happened, {fault::device_failed_as_told});
            ++failures;
        }
        const bool done = npu.steps_to_failure() > 0;
        npu.fail_at(0);
        z = row_tensor{};
        g.reset();
        check(npu.statistics() == held);
        check_equal(npu.unreserved_bytes(), unreserved);
        check(!s.is_capturing());
        npu.synchronize();
        check(y.copy()[3] == 8);
        if (done) break;
    }
    check_equal(failures, 10);
}

// What is held of a launch is its outputs: a scalar is a block of its own, and two outputs of one launch are two tensors to the next one.
constexpr auto one_of_many = [](auto a) { return sum<0, 1>(mm(exp(cumsum<0>(mm(a, a))), a)); };
constexpr auto twice_and_more = [](auto a) { return outputs(mul(a, 2), add(a, 1), permute<1, 0>(add(a, 1))); };
inline constexpr auto added_in_place = trace([](input<"x", f32<4, 4>> x, input<"y", f32<4, 4>> y) {
    auto sum = add(x, y);
    copy_(x, sum);
    return outputs(add(sum, 0));
});
void outputs_hold_what_they_need(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto ones_of = [&]<class Type>(std::type_identity<Type>) {
        auto t = npu.empty<Type>();
        std::vector<float> values(t.size(), 1);
        t.write(std::span<const float, npu::tensor<Type>::extent>(values));
        return t;
    };
    const auto wide = ones_of(std::type_identity<f32<64, 64>>{});
    const auto before = npu.statistics().held_bytes;
    {
        std::vector<decltype(s.launch(one_of_many, wide))> kept;
        for (int i = 0; i < 5; ++i) kept.push_back(s.launch(one_of_many, wide));
        check_equal(npu.statistics().held_bytes - before, 5 * 64);
        for (const auto& k : kept) check(k.copy() == kept[0].copy() && k.copy()[0] > 0);
        // The memory between them is used again, by launches behind them and by the host.
        const auto reserved = npu.statistics().reserved_bytes;
        for (int i = 0; i < 100; ++i) kept.push_back(s.launch(one_of_many, wide));
        check_equal(npu.statistics().reserved_bytes, reserved);
        for (const auto& k : kept) check(k.copy() == kept[0].copy());
    }
    npu.synchronize();
    check_equal(npu.statistics().held_bytes, before);

    const auto square = ones_of(std::type_identity<f32<4, 4>>{});
    using adds = compiled<added_in_place>;
    static const auto weights = adds::prepare();
    const auto use_both = [&](auto& two, const auto& one) { return s.launch(weights, two, one); };
    {
        auto [two, plus, turned] = s.launch(twice_and_more, square);
        check(npu.statistics().held_bytes - before == 3 * 64 || npu.statistics().held_bytes - before == 4 * 64);
        const auto five = use_both(two, plus);
        check(five.copy()[3] == 4 && two.copy()[0] == 4 && plus.copy()[15] == 2 && turned.copy()[1] == 2);
        check_fault([&] { use_both(two, two); }, fault::inputs_overlap);
        plus = {};
        check(turned.copy()[2] == 2, "it holds its memory itself");
    }
    { // the same in a graph
        npu::graph g(npu);
        npu::tensor<f32<4, 4>> out;
        {
            npu::capture c(g, s);
            auto [two, plus, turned] = c.launch(twice_and_more, square);
            out = c.launch(weights, two, plus);
            c.end();
        }
        g.replay(s);
        check(out.copy()[5] == 4);
        g.replay(s);
        check(out.copy()[5] == 4);
    }
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) outputs_hold_what_they_need(run);
    limits();
    streams_share_the_machine();
    the_clock_is_the_devices();
    used_before();
    fails_as_told();
    return report();
}
