// Order on the device, where a test can hold a kernel at a gate: events that tell of other streams, memory that is used
// again, many host threads at once.
// SPDX-License-Identifier: MIT
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

using namespace ahead;
using namespace test;

namespace {

// t waits for u and launches nothing; an event of t is behind u's launch all the same.
void events_tell_of_others() {
    for (int who = 0; who < 4; ++who) {
        npu::context npu({.run = npu::execution::threads});
        const auto s = npu.new_stream(), t = npu.new_stream(), u = npu.new_stream();
        const auto x = make(npu, 6);
        gate g;
        npu::event first, second;
        const auto y = raw_launch{pass_gate, {x}, {}, constants(g)}.on(u);
        first.record(u);
        t.wait(first);
        second.record(t);
        check(!first.query() && !second.query());
        const opens_later later(g);
        if (who == 0) {
            s.wait(second);
            check_equal(value_of(raw_launch{plus_one, {y}}.on(s)), 8);
        } else if (who == 1) {
            second.synchronize();
        } else if (who == 2) {
            t.synchronize();
        } else {
            while (!second.query()) std::this_thread::yield();
        }
        check(g.is_open, "nobody passes before the launch has run");
        check_equal(value_of(y), 7);
    }
}

// The last command of a stream is a wait, and the context goes.
void contexts_end() {
    for (int i = 0; i < 50; ++i) {
        npu::context npu({.run = npu::execution::threads});
        const auto s = npu.new_stream(), t = npu.new_stream();
        const auto x = make(npu, 1);
        npu::event e;
        for (int k = 0; k < 20; ++k) static_cast<void>(raw_launch{plus_one, {x}}.on(s));
        e.record(s);
        t.wait(e);
        npu.default_stream().wait(e);
        e.record(t);
        s.wait(e);
    }
    check(true);
}

// Memory that a stream gave up is another one's only behind its last use.
void memory_is_used_again() {
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = make(npu, 1);
    const auto is_in = [](const cell& c, const std::byte* begin, std::int64_t bytes) {
        const auto* p = reinterpret_cast<const std::byte*>(c.data());
        return begin <= p && p < begin + bytes;
    };
    const auto rest = raw_launch{plus_one, {x}, {}, nullptr, 64 * 1024 - 64}.on(s); // of the segment that x lies in
    npu.synchronize();
    for (bool gives_back : {false, true}) {
        gate g;
        constexpr std::int64_t bytes = 4096;
        auto y = raw_launch{pass_gate, {x}, {}, constants(g), bytes}.on(s);
        const auto* used = reinterpret_cast<const std::byte*>(y.data());
        y = {};
        if (gives_back) { // s takes a part of it, t what is behind that
            npu.empty_cache();
            const auto z = raw_launch{plus_one, {x}}.on(s);
            check(is_in(z, used, bytes));
            check(!is_in(raw_launch{plus_one, {x}}.on(t), used, bytes), "what s does not need is still used by it");
        } else { // a launch that takes it fails
            npu.fail_at(2);
            check_refusal([&] { static_cast<void>(raw_launch{plus_one, {x}}.on(s)); }, fault::device_failed_as_told);
            check(!is_in(raw_launch{plus_one, {x}}.on(t), used, bytes), "a failed launch forgets nothing");
        }
        g.open();
        npu.synchronize();
        check(is_in(raw_launch{plus_one, {x}}.on(t), used, bytes), "everybody has finished");
        npu.synchronize();
        npu.empty_cache();
    }
}

// What lay in a capture's memory before is no obstacle for the capture; its replays come behind it.
void captures_in_used_memory() {
    for (const auto run : both_executions) {
        npu::context npu({.memory_bytes = 128 * 1024, .run = run});
        const auto s = npu.new_stream();
        const auto x = make(npu, 1);
        static_cast<void>(raw_launch{plus_one, {x}, {}, nullptr, 64 * 1024}.on(s)); // all the other segment
        npu.synchronize();
        npu::graph g(npu);
        cell y;
        {
            npu::capture c(g, s);
            y = raw_launch{plus_one, {x}}.on(s);
            c.end();
        }
        g.replay(s);
        check_equal(value_of(y), 2);
    }
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = make(npu, 1);
    const auto pool = npu.graph_pool_handle();
    gate g;
    npu.begin_allocate_to_pool(pool, t);
    static_cast<void>(raw_launch{pass_gate, {x}, {}, constants(g)}.on(t));
    npu.end_allocate_to_pool(pool);
    npu::event e;
    e.record(t);
    {
        npu::graph abandoned(npu);
        abandoned.capture_begin(s, pool);
        static_cast<void>(raw_launch{plus_one, {x}}.on(s));
    }
    npu::graph kept(npu), dropped(npu);
    kept.capture_begin(s, pool);
    auto y = raw_launch{plus_one, {x}}.on(s);
    kept.capture_end(s);
    check_refusal([&] { kept.replay(s); }, fault::streams_race);
    y = {};
    dropped.capture_begin(s, pool);
    static_cast<void>(raw_launch{plus_one, {x}}.on(s));
    dropped.capture_end(s);
    check_refusal([&] { dropped.replay(s); }, fault::streams_race);
    g.open();
    s.wait(e);
    kept.replay(s);
    dropped.replay(s);
    npu.synchronize();
}

// What a launch takes of a graph's pool is not what a replay underway computes in.
void launches_in_the_pool_of_a_graph() {
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = make(npu, 1);
    gate gate;
    npu::graph g(npu);
    const std::byte* inside = nullptr;
    {
        npu::capture c(g, s);
        inside = reinterpret_cast<const std::byte*>(raw_launch{pass_gate, {x}, {}, constants(gate)}.on(s).data());
        c.end();
    }
    g.replay(s);
    npu.begin_allocate_to_pool(g.pool(), t);
    auto y = raw_launch{plus_one, {x}}.on(t);
    check(reinterpret_cast<const std::byte*>(y.data()) != inside);
    gate.open();
    npu.synchronize();
    const auto z = raw_launch{plus_one, {x}}.on(t);
    check(reinterpret_cast<const std::byte*>(z.data()) == inside);
    npu.end_allocate_to_pool(g.pool());
    check_refusal([&] { g.replay(s); }, fault::memory_is_still_held);
    check_equal(value_of(y), 2);
}

// Threads of the host, each with a stream of its own and all with one tensor that they read; one of them captures and replays.
void many_host_threads() {
    for (const auto run : both_executions) {
        npu::context npu({.run = run});
        const auto shared = make(npu, 1);
        std::atomic<int> right{0};
        std::vector<std::thread> all;
        for (int k = 0; k < 6; ++k)
            all.emplace_back([&, k] {
                const auto s = npu.new_stream();
                for (int round = 0; round < 10; ++round) {
                    if (k == 0) {
                        npu::graph g(npu);
                        g.capture_begin(s, {}, npu::capture_mode::this_thread);
                        auto y = raw_launch{plus_one, {shared}}.on(s);
                        for (int i = 0; i < 20; ++i) y = raw_launch{plus_one, {y}}.on(s);
                        g.capture_end(s);
                        for (int i = 0; i < 20; ++i) g.replay(s);
                        right += value_of(y) == 22;
                    } else {
                        cell y = raw_launch{plus_one, {shared}}.on(s);
                        for (int i = 0; i < 300; ++i) y = raw_launch{plus_one, {y}}.on(s);
                        s.synchronize();
                        static_cast<void>(npu.now().count + npu.launches() + npu.statistics().held_bytes);
                        for (int i = 0; i < 5; ++i) y = raw_launch{sum, {y, shared}}.on(s);
                        npu::event e;
                        e.record(s);
                        e.synchronize();
                        y = raw_launch{sum, {y, shared}}.on(s);
                        // While the one thread captures, a tensor may not be read that its capture uses; this one it does not.
                        right += value_of(y) == 308;
                    }
                }
            });
        for (auto& t : all) t.join();
        check_equal(right.load(), 60);
        npu.synchronize();
        npu.empty_cache();
        check_equal(npu.statistics().held_bytes, 64);
    }
}

// One host thread waits, however it does; another one launches, makes tensors, reads and drops them meanwhile. What is ordered is what was waited for.
void waiting_lets_others_go_on() {
    for (int how = 0; how < 5; ++how) {
        npu::context npu({.run = npu::execution::threads});
        const auto s = npu.new_stream(), t = npu.new_stream();
        auto x = make(npu, 6);
        gate g;
        npu::event e;
        auto y = raw_launch{pass_gate, {x}, {}, constants(g)}.on(s);
        e.record(s);
        std::atomic<bool> begun{false}, over{false};
        std::thread waits([&] {
            begun = true;
            if (how == 0) npu.synchronize();
            else if (how == 1) s.synchronize();
            else if (how == 2) e.synchronize();
            else if (how == 3) check_equal(value_of(y), 7);
            else x.write(std::array{std::int64_t{9}}); // when the launch has read it
            over = true;
        });
        while (!begun) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        {
            const auto z = raw_launch{plus_one, {make(npu, 1)}}.on(t);
            check_equal(value_of(z), 2);
            // fault: streams_race
            check_refusal([&] { static_cast<void>(raw_launch{plus_one, {y}}.on(t)); }, fault::streams_race);
            static_cast<void>(npu.statistics().held_bytes + npu.launches());
            t.synchronize();
        }
        check(!over && !g.is_open, "the other thread waits for nobody");
        g.open();
        waits.join();
        if (how < 4) check_equal(value_of(raw_launch{plus_one, {y}}.on(t)), 8); // now it has been waited for
        npu.synchronize();
        check_equal(value_of(x), how < 4 ? 6 : 9);
    }
}

// Tensors of no elements, and of one.
void no_elements() {
    for (const auto run : both_executions) {
        npu::context npu({.run = run});
        const auto s = npu.new_stream();
        auto none = npu.to_device<f32<0, 3>>({});
        static_assert(decltype(none)::extent == 0);
        check(none.exists() && none.copy().empty());
        none.write({});
        const auto x = make(npu, 1);
        const auto y = raw_launch{plus_one, {x}, {}, nullptr, 1}.on(s);
        check_equal(value_of(y), 2);
    }
}

} // namespace

int main() {
    events_tell_of_others();
    contexts_end();
    memory_is_used_again();
    captures_in_used_memory();
    launches_in_the_pool_of_a_graph();
    many_host_threads();
    waiting_lets_others_go_on();
    no_elements();
    return report();
}
