// Nodes of captured graphs on several streams, on the clock, in print, with random numbers, without allocations.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "json.hpp"
#include "node_device.hpp"

#include <ahead/npu/generator.hpp>
#include <ahead/print/print_capture.hpp>

#include <functional>

using namespace ahead;
using namespace test;

namespace {

/// Programs of several streams are launched in branches; what is thrown on one stream of a part is thrown by the whole.
constexpr auto two_columns = trace([](input<"y", f32<16, 16>> y, input<"x", f32<16, 16>> x) {
    const auto a = mm(exp(x), x), b = mm(tanh(x), x);
    copy_(y, add(mm(a, a), mm(b, b)));
    return outputs(add(a, 0));
});
inline constexpr config on_two_streams_options{.streams = 2};
using on_two_streams = toolchain<>::with_options<on_two_streams_options>;
void programs_and_throws(npu::execution run) {
    using program = compiled<two_columns, on_two_streams>;
    static_assert(program::plan.streams == 2);
    static const auto weights = program::prepare();
    node_device d(run);
    const auto p = d.boolean(true);
    std::array<float, 256> values;
    for (std::size_t i = 0; i < 256; ++i) values[i] = static_cast<float>(i % 7) / 8;
    const auto x = d.npu.to_device<f32<16, 16>>(values);
    auto expected = d.npu.empty<f32<16, 16>>(), y = d.npu.to_device<f32<16, 16>>(values);
    static_cast<void>(d.s.launch(weights, expected, x));
    auto branch = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(weights, y, x)); });
    auto g = d.captured([&](npu::capture& c) { c.if_(p, branch); });
    for (int i = 0; i < 50; ++i) {
        y.write(values);
        g.replay(d.s);
        if (y.copy() != expected.copy()) check(false, std::to_string(i));
    }

    auto n = d.number(1);
    npu::event fork, join;
    const auto fragile = d.captured([&](npu::capture& c) { static_cast<void>(raw_launch{refuses_negative, {n}}.on(c.on())); });
    const auto forked = d.captured([&](npu::capture& c) {
        c.record(fork);
        d.t.wait(fork);
        c.host([] {});
        d.t.if_(p, fragile);
        join.record(d.t);
        c.wait(join);
    });
    auto whole = d.captured([&](npu::capture& c) { c.child(forked); });
    for (const std::int64_t value : {1, -1, 2, -2, 3}) {
        n.write(std::array{value});
        const auto replay = [&] {
            whole.replay(d.s);
            d.npu.synchronize();
        };
        if (value > 0) replay();
        else check_throws<std::runtime_error>(replay, "the kernel failed");
    }
}

/// Nodes on several streams, graphs of several streams as nodes.
void streams(npu::execution run) {
    node_device d(run);
    auto p = d.boolean(true);
    auto a = d.number(0), b = d.number(0), both = d.number(0);
    npu::event fork, join;
    auto left = d.adding(a, d.one), right = d.adding(b, d.ten);
    auto forked = d.captured([&](npu::capture& c) {
        c.record(fork);
        d.t.wait(fork);
        c.child(left);
        d.t.child(right);
        join.record(d.t);
        c.wait(join);
        static_cast<void>(c.launch(put_sum, both, a, b));
    });
    check(!forked.captured().lanes == (run == npu::execution::in_order));
    auto g = d.captured([&](npu::capture& c) {
        c.child(forked);
        c.if_(p, forked);
        c.record(fork);
        d.t.wait(fork);
        d.t.host([] {});
        join.record(d.t);
        c.wait(join);
    });
    for (std::int64_t i = 1; i <= 200; ++i) {
        g.replay(i % 2 == 0 ? d.s : d.t);
        d.npu.synchronize();
        if (value_of(a) != 2 * i || value_of(b) != 20 * i || value_of(both) != 22 * i) check(false, std::to_string(i));
    }
    check_equal(value_of(both), 4400);
}

/// The longest branch counts, a loop as often as it may run; and all of it is printed.
void clock_and_print() {
    node_device d(npu::execution::in_order);
    const auto p = d.boolean(false);
    const auto index = d.number(0);
    const auto taking = [&](std::int64_t us) {
        return d.captured([&](npu::capture& c) { static_cast<void>(raw_launch{plus_one, {d.one}, {}, nullptr, 8, "a \"b\"", {{us * 1'000'000}}}.on(c.on())); });
    };
    const auto one = taking(1), three = taking(3), none = d.captured([](npu::capture&) {});
    auto inner = d.captured([&](npu::capture& c) {
        c.if_(p, one, three);
        c.child(one);
    });
    auto g = d.captured([&](npu::capture& c) {
        c.if_(p, one);
        c.if_(p, inner, three);
        c.while_(p, three, 5, "l\"p");
        c.switch_(index, {none, one, three, one});
        c.host([] {});
        c.child(inner);
    });
    constexpr std::int64_t takes[] = {1, 4, 15, 3, 0, 4};
    std::int64_t at = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        check(g.steps()[i].start == machine::ticks{at * 1'000'000});
        at += takes[i];
        check(g.steps()[i].end == machine::ticks{at * 1'000'000});
    }
    check(g.makespan() == machine::ticks{27'000'000});
    const auto launched = d.npu.launches();
    g.replay(d.s);
    check_equal(d.npu.launches(), launched + 1);

    std::string text;
    print_capture(g, text);
    const auto all = json_reader::read(text);
    const auto& steps = all["steps"].items;
    check_equal(steps.size(), std::size_t{6});
    constexpr std::string_view kinds[] = {"IF", "IF", "WHILE", "SWITCH", "HOST", "CHILD"};
    constexpr std::size_t graphs[] = {1, 2, 1, 4, 0, 1};
    for (std::size_t i = 0; i < 6; ++i) {
        check(steps[i]["name"].text == kinds[i] && steps[i]["kind"].text == kinds[i], steps[i]["kind"].text);
        check_equal(steps[i]["graphs"].items.size(), graphs[i]);
        check(steps[i]["worst_us"].number == static_cast<double>(takes[i]), steps[i]["worst_us"].text);
    }
    const auto& branches = steps[1]["graphs"].items;
    check(branches[0]["graph"].text == "yes" && branches[0]["makespan_us"].number == 4 && branches[1]["graph"].text == "no" && branches[1]["makespan_us"].number == 3);
    check(branches[1]["steps"].items[0]["name"].text == "a \"b\"" && branches[1]["steps"].items[0]["end_us"].number == 3);
    const auto& deep = branches[0]["steps"].items;
    check(deep.size() == 2 && deep[0]["kind"].text == "IF" && deep[1]["kind"].text == "CHILD" && deep[0]["graphs"].items[1]["makespan_us"].number == 3);
    check(steps[2]["bound"].number == 5 && steps[2]["loop"].text == "l\"p" && steps[2]["graphs"].items[0]["graph"].text == "body");
    check(steps[3]["graphs"].items[2]["graph"].text == "2" && steps[3]["graphs"].items[0]["steps"].items.empty());
    check(text.find("\"is_written\":false,\"steps\":[0,1,1,2,5]}") != text.npos, text); // the predicate
}

/// Random numbers in a branch: drawn only where it runs.
void random(npu::execution run) {
    node_device d(run);
    auto p = d.boolean(true);
    npu::generator gen(d.npu, 5), same(d.npu, 5);
    const auto x = d.npu.to_device<f32<8>>(std::array<float, 8>{1, 1, 1, 1, 1, 1, 1, 1});
    auto out = d.npu.to_device<f32<8>>(std::array<float, 8>{});
    constexpr auto drop = [](auto a) { return dropout(a, 0.5); };
    auto draws = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(put_into, out, gen.launch(c.on(), drop, x))); });
    auto g = d.captured([&](npu::capture& c) { c.if_(p, draws); });
    for (const bool holds : {true, true, false, true, false, true}) {
        p.write(std::array{holds});
        const auto before = out.copy();
        g.replay(d.s);
        check(out.copy() == (holds ? same.launch(d.s, drop, x).copy() : before));
    }
    check(gen.get_state() == same.get_state() && gen.get_state().offset > 0);
    gen.manual_seed(9);
    same.manual_seed(9);
    p.write(std::array{true});
    g.replay(d.s);
    check(out.copy() == same.launch(d.s, drop, x).copy());
}

/// Replays allocate nothing, whatever they run.
void allocates_nothing(npu::execution run) {
    node_device d(run);
    const auto minus = d.number(-1);
    auto n = d.number(0), sum = d.number(0), index = d.number(0);
    auto goes_on = d.boolean(false);
    npu::event fork, join;
    std::int64_t called = 0;
    auto body = d.captured([&](npu::capture& c) {
        static_cast<void>(c.launch(add_to, n, minus));
        static_cast<void>(c.launch(put_is_positive, goes_on, n));
        c.host([&](auto now) { called += now[0] >= 0; }, n);
    });
    auto one = d.adding(sum, d.one), ten = d.adding(sum, d.ten);
    auto forked = d.captured([&](npu::capture& c) {
        c.record(fork);
        d.t.wait(fork);
        c.child(one);
        d.t.host([&] { ++called; });
        join.record(d.t);
        c.wait(join);
    });
    auto g = d.captured([&](npu::capture& c) {
        static_cast<void>(c.launch(put_into, n, d.ten));
        static_cast<void>(c.launch(put_is_positive, goes_on, n));
        c.while_(goes_on, body, 10);
        c.switch_(n, {one, ten});
        c.if_(goes_on, ten, forked);
    });
    const auto replay = [&](int times) {
        for (int i = 0; i < times; ++i) {
            g.replay(d.s);
            d.s.synchronize();
        }
    };
    replay(20);
    const auto before = allocations.load();
    replay(1000);
    check_equal(allocations.load() - before, 0L);
    check_equal(value_of(sum), 2 * 1020);
    check_equal(called, 11 * 1020);
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        programs_and_throws(run);
        streams(run);
        random(run);
        allocates_nothing(run);
    }
    clock_and_print();
    return report();
}
