// SPDX-License-Identifier: MIT
// Priorities of streams: kept and printed; who goes first where there are not cores enough; who has the units first on the simulated clock.
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <ahead/npu/launch.hpp>
#include <ahead/print/print_capture.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

constexpr auto us = [](std::int64_t n) { return machine::ticks{n * 1'000'000}; };

void kept(npu::execution run) {
    npu::context npu({.run = run});
    check_equal(npu.default_stream().priority(), 0);
    check_equal(npu.new_stream().priority(), 0);
    auto s = npu.new_stream(-7);
    check_equal(s.priority(), npu::stream_priorities.highest);
    npu.destroy(s);
    const auto next = npu.new_stream(-2); // in its place
    check(next.number() == s.number() && next.priority() == -2);
    for (std::int32_t none : {-8, 1})
        check_refusal([&] { static_cast<void>(npu.new_stream(none)); }, fault::option_is_out_of_range, "-7, the highest, to 0, found " + std::to_string(none));
    check_refusal([&] { npu::context({.cores = -1}); }, fault::option_is_out_of_range, "0 or more, found -1");
    check_refusal([&] { npu::context({.cores = 1}); }, fault::option_has_no_effect, "execution::threads");
}

struct order {
    gate first;
    mutable gate has_begun{};
    std::atomic<std::int64_t> next{0};
};
void takes_number(const std::byte* const*, const std::byte* o, std::byte* out) { at(out) = const_cast<order*>(reinterpret_cast<const order*>(o))->next++; }
void waits_first(const std::byte* const*, const std::byte* o, std::byte*) {
    reinterpret_cast<const order*>(o)->has_begun.open();
    reinterpret_cast<const order*>(o)->first.pass();
}

/// One core: of those that wait for it, the highest priority goes first, whoever was launched first.
void cores() {
    for (int round = 0; round < 10; ++round) {
        npu::context npu({.run = npu::execution::threads, .cores = 1});
        order o;
        const auto* given = reinterpret_cast<const std::byte*>(&o);
        const auto low = npu.new_stream(), middle = npu.new_stream(-3), high = npu.new_stream(-7);
        const auto held = raw_launch{.run = waits_first, .constants = given}.on(npu.default_stream());
        o.has_begun.pass();
        std::vector<cell> out;
        int launched = 0;
        for (const auto& s : {low, middle, high}) {
            out.push_back(raw_launch{.run = takes_number, .constants = given}.on(s));
            ++launched;
            for (int i = 0; i < 2000 && npu.waiting_for_cores() < launched; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        o.first.open();
        check(out[0].copy()[0] == 2 && out[1].copy()[0] == 1 && out[2].copy()[0] == 0);
        check_equal(npu.waiting_for_cores(), 0);
    }
    // Two cores run two; a launch that throws gives its core back.
    npu::context npu({.run = npu::execution::threads, .cores = 2});
    const auto x = npu.to_device<i64<>>(std::array<std::int64_t, 1>{4});
    const auto s = npu.new_stream();
    for (int i = 0; i < 5; ++i) {
        static_cast<void>(raw_launch{.run = fails, .read = {x}}.on(s));
        check_throws<std::runtime_error>([&] { s.synchronize(); });
    }
    gate g;
    const auto y = raw_launch{.run = pass_gate, .read = {x}, .constants = constants(g)}.on(s);
    check_equal(raw_launch{.read = {x}}.on(npu.default_stream()).copy()[0], 5);
    g.open();
    check_equal(y.copy()[0], 5);
}

/// Two launches that want all of a unit: alone each takes 10 us.
struct forked {
    machine::ticks first_end, second_end, makespan;
};
forked captured(npu::execution run, std::int32_t first, std::int32_t second, std::string* text = nullptr) {
    npu::context npu({.run = run});
    const auto x = npu.to_device<i64<>>(std::array<std::int64_t, 1>{4});
    const auto a = npu.new_stream(first), b = npu.new_stream(second);
    machine::demand whole{us(10)};
    whole.at_peak[0] = us(10);
    npu::graph g(npu);
    npu::capture c(g, a);
    npu::event fork, join;
    c.record(fork);
    b.wait(fork);
    static_cast<void>(raw_launch{.read = {x}, .name = "one", .takes = whole}.on(a));
    static_cast<void>(raw_launch{.read = {x}, .name = "two", .takes = whole}.on(b));
    join.record(b);
    c.wait(join);
    c.end();
    if (text) print_capture(g, *text);
    g.replay(a);
    npu.synchronize();
    return {g.steps()[0].end, g.steps()[1].end, g.makespan()};
}
void clock(npu::execution run) {
    const auto toll = machine::npu.launch.event;
    const auto alike = captured(run, 0, 0), before = captured(run, -1, 0), behind = captured(run, 0, -1);
    check(alike.first_end == us(10) && alike.second_end == us(20)); // captured first
    check(before.first_end == us(10) && before.second_end == us(20));
    check(behind.first_end == us(20) && behind.second_end == us(10));
    check(before.makespan == us(20) + toll && behind.makespan == us(20));
    std::string text;
    captured(run, 0, -1, &text);
    check(text.find("{\"name\":\"two\",\"stream\":2,\"start_us\":0,\"end_us\":10,\"priority\":-1}") != text.npos, text);
    check(text.find("{\"name\":\"one\",\"stream\":1,\"start_us\":0,\"end_us\":20}") != text.npos, text);

    // A launch of low priority that one of high priority waits for comes first.
    npu::context npu({.run = run});
    const auto x = npu.to_device<i64<>>(std::array<std::int64_t, 1>{4});
    const auto low = npu.new_stream(), high = npu.new_stream(-7);
    npu::graph g(npu);
    npu::capture c(g, low);
    npu::event fork, join;
    const auto y = raw_launch{.read = {x}, .takes = {us(3)}}.on(low);
    c.record(fork);
    high.wait(fork);
    const auto z = raw_launch{.read = {y}, .takes = {us(3)}}.on(high);
    join.record(high);
    c.wait(join);
    static_cast<void>(raw_launch{.read = {z}, .takes = {us(3)}}.on(low));
    c.end();
    check(g.steps()[0].end == us(3) && g.steps()[1].start == us(3) + toll && g.steps()[2].start == us(6) + 2 * toll && g.makespan() == us(9) + 2 * toll);
}

} // namespace

int main() {
    for (auto run : {npu::execution::in_order, npu::execution::threads}) {
        kept(run);
        clock(run);
    }
    cores();
    return report();
}
