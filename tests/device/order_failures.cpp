// Kernels that throw, launched and replayed, on one stream and on several: who is told, once, and what has no value
// afterwards.
// SPDX-License-Identifier: MIT
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

using namespace ahead;
using namespace test;

namespace {

// A kernel that throws: in order at the launch, on threads when somebody waits, once. What waited for it does not run, and has no value.
void kernels_throw() {
    for (const auto run : both_executions) {
        const bool is_later = run == npu::execution::threads;
        npu::context npu({.run = run});
        const auto s = npu.new_stream(), t = npu.new_stream(), u = npu.new_stream();
        const auto x = make(npu, 1);
        auto state = make(npu, 5), other = make(npu, 5);
        cell y, z, w;
        npu::event e;
        const auto launches = [&] {
            static_cast<void>(raw_launch{add_in_place, {x}, {other}}.on(u));
            y = raw_launch{fails, {x}, {state}}.on(s);
            z = raw_launch{plus_one, {y}}.on(s);
            e.record(s);
            t.wait(e);
            w = raw_launch{plus_one, {z}}.on(t);
        };
        if (is_later)
            launches();
        else
            check_throws<std::runtime_error>(launches, "the kernel failed");
        if (is_later) check_throws<std::runtime_error>([&] { npu.synchronize(); }, "the kernel failed");
        npu.synchronize(); // once
        t.synchronize();
        check_refusal([&] { static_cast<void>(value_of(state)); }, fault::tensor_has_no_value);
        check_equal(value_of(other), 6);
        if (is_later)
            for (const auto& c : {y, z, w}) {
                check_refusal([&] { static_cast<void>(value_of(c)); }, fault::tensor_has_no_value);
                check_refusal([&] { static_cast<void>(raw_launch{plus_one, {c}}.on(u)); }, fault::tensor_has_no_value);
            }
        state.write(std::array{std::int64_t{3}});
        check_equal(value_of(raw_launch{add_in_place, {x}, {state}}.on(t)), 4);
        check_equal(value_of(raw_launch{plus_one, {state}}.on(s)), 5);

        // In a replay.
        npu::graph g(npu);
        {
            npu::capture c(g, s);
            y = raw_launch{plus_one, {x}}.on(s);
            z = raw_launch{fails, {y}, {state}}.on(s);
            w = raw_launch{plus_one, {z}}.on(s);
            c.end();
        }
        for (int i = 0; i < 2; ++i) {
            check_throws<std::runtime_error>(
                [&] {
                    g.replay(s);
                    e.record(s);
                    static_cast<void>(raw_launch{plus_one, {x}}.on(s));
                    e.synchronize();
                },
                "the kernel failed");
            npu.synchronize();
            for (const auto& c : {y, w, state}) check_refusal([&] { static_cast<void>(value_of(c)); }, fault::tensor_has_no_value);
        }
        // Bind and reset wait for the replay; what it threw is not lost.
        if (is_later) {
            g.replay(s);
            g.bind(g.find(x), other);
            check_throws<std::runtime_error>([&] { static_cast<void>(value_of(w)); }, "the kernel failed");
            check_refusal([&] { static_cast<void>(value_of(w)); }, fault::tensor_has_no_value);
            g.replay(s);
        }
        g.reset();
        if (is_later) check_throws<std::runtime_error>([&] { static_cast<void>(raw_launch{plus_one, {w}}.on(t)); }, "the kernel failed");
        npu.synchronize();
        check_equal(value_of(x), 1);

        // A replay that fails leaves no result of the one before.
        npu::graph second(npu);
        auto given = make(npu, 3);
        {
            npu::capture c(second, s);
            y = raw_launch{plus_one, {given}}.on(s);
            z = raw_launch{refuses_negative, {y}}.on(s);
            c.end();
        }
        second.replay(s);
        check(value_of(y) == 4 && value_of(z) == 4);
        given.write(std::array{std::int64_t{-3}});
        check_throws<std::runtime_error>([&] { second.replay(s), s.synchronize(); }, "the kernel failed");
        for (const auto& c : {y, z}) check_refusal([&] { static_cast<void>(value_of(c)); }, fault::tensor_has_no_value);
        given.write(std::array{std::int64_t{5}});
        second.replay(s);
        check(value_of(y) == 6 && value_of(z) == 6);
    }
}

void fails_late(const std::byte* const*, const std::byte*, std::byte*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    throw std::runtime_error("the first kernel failed");
}

// A kernel that throws on one of a graph's streams: once, to who waits, and nothing of the replay has a value. Of two the first one captured is told.
void forks_throw() {
    for (const auto run : both_executions) {
        npu::context npu({.run = run});
        const auto s = npu.new_stream(), t = npu.new_stream(), u = npu.new_stream();
        auto x = make(npu, -5);
        auto state = make(npu, 5);
        npu::event fork, join;
        npu::graph g(npu), h(npu);
        cell a, b, c, d, e, f;
        {
            npu::capture capture(g, s);
            a = raw_launch{plus_one, {x}}.on(s);
            capture.record(fork);
            t.wait(fork);
            b = raw_launch{refuses_negative, {a}}.on(t);
            c = raw_launch{add_in_place, {a}, {state}}.on(s);
            d = raw_launch{plus_one, {b}}.on(t);
            join.record(t);
            capture.wait(join);
            e = raw_launch{sum, {c, d}}.on(s);
            capture.end();
        }
        for (int i = 0; i < 20; ++i) {
            for (auto given : {-5, 3}) {
                x.write(std::array{std::int64_t{given}});
                state.write(std::array{std::int64_t{5}});
                const auto calls = [&] {
                    g.replay(s);
                    join.record(s);
                    u.wait(join);
                    f = raw_launch{plus_one, {e}}.on(u);
                    npu.synchronize();
                };
                if (given < 0) check_throws<std::runtime_error>(calls, "the kernel failed");
                else calls();
                npu.synchronize(); // once
                if (given > 0) check(value_of(state) == 9 && value_of(e) == 14 && value_of(f) == 15);
                else
                    for (const auto& one : {a, b, c, d, e, state}) check_refusal([&] { static_cast<void>(value_of(one)); }, fault::tensor_has_no_value);
            }
        }
        {
            npu::capture capture(h, s);
            capture.record(fork);
            t.wait(fork);
            a = raw_launch{fails_late, {x}}.on(s);
            b = raw_launch{fails, {x}}.on(t);
            c = raw_launch{plus_one, {a}}.on(s);
            join.record(t);
            capture.wait(join);
            capture.end();
        }
        for (int i = 0; i < 3; ++i) {
            check_throws<std::runtime_error>([&] { h.replay(s), s.synchronize(); }, "the first kernel failed");
            npu.synchronize();
        }
    }
}

// The host waits silently, where a graph goes: what the launch in question was to write has no value all the same, and is not taken for one that has.
void failures_are_not_lost() {
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = make(npu, 1);
    auto state = make(npu, 5);
    {
        npu::graph g(npu);
        cell y;
        {
            npu::capture c(g, s);
            y = raw_launch{plus_one, {x}}.on(s);
            c.end();
        }
        g.replay(s);
        static_cast<void>(raw_launch{fails, {x}, {state}}.on(s));
    }
    check_throws([&] { raw_launch{add_in_place, {x}, {state}}.on(t); }, "the kernel failed");
    npu.synchronize();
    check_refusal([&] { static_cast<void>(value_of(state)); }, fault::tensor_has_no_value);
}

} // namespace

int main() {
    kernels_throw();
    failures_are_not_lost();
    forks_throw();
    return report();
}
