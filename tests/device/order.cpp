// What must come behind what on the device, where a test can hold a kernel at a gate: events that tell of other streams, memory that is used again, failures
// on threads, handles that are gone, many host threads at once.
// SPDX-License-Identifier: MIT
#include "check_fault.hpp"
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <cstdlib>
#include <random>

using namespace ahead;
using namespace test;

namespace {

constexpr npu::execution both[] = {npu::execution::in_order, npu::execution::threads};
cell make(npu::context& npu, std::int64_t value) { return npu.to_device<i64<>>(std::array{value}); }
std::int64_t value_of(const cell& c) { return c.copy()[0]; }

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
    for (const auto run : both) {
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

// A kernel that throws: in order at the launch, on threads when somebody waits, once. What waited for it does not run, and has no value.
void kernels_throw() {
    for (const auto run : both) {
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

void handles() {
    npu::context npu, second;
    const auto s = npu.new_stream();
    const auto x = make(npu, 1), other = make(npu, 10);

    // A pool is given back once.
    const auto pool = npu.graph_pool_handle();
    npu::graph g(npu), h(npu);
    g.capture_begin(s, pool);
    auto y = raw_launch{plus_one, {x}}.on(s);
    g.capture_end(s);
    npu.release_pool(pool);
    check_refusal([&] { npu.release_pool(pool); }, fault::pool_handle_is_invalid);
    check_refusal([&] { npu.begin_allocate_to_pool(g.pool(), second.new_stream()); }, fault::device_is_another);
    check_equal(npu.statistics(pool).users, 1);
    h.capture_begin(s);
    h.capture_end(s);
    check_refusal([&] { npu.release_pool(h.pool()); }, fault::pool_handle_is_invalid);

    // An empty capture is a graph of no launches.
    check_equal(h.steps().size(), std::size_t{0});
    const auto launches = npu.launches();
    h.replay(s);
    check_equal(npu.launches(), launches + 1);

    // Places are of one graph.
    const auto place = g.find(x);
    check_refusal([&] { h.bind(place, other); }, fault::tensor_is_not_bound);
    check_refusal([&] { g.bind(npu::given<i64<>>{}, other); }, fault::tensor_is_not_bound);
    check_refusal([&] { g.bind(place, y); }, fault::inputs_overlap);
    g.bind(place, other);
    g.replay(s);
    check_equal(value_of(y), 11);

    // Moved graphs.
    npu::graph moved(std::move(g));
    moved.replay(s);
    check_refusal([&] { g.replay(s); }, fault::graph_is_not_captured);
    check_refusal([&] { g.capture_end(s); }, fault::capture_has_not_begun);
    check(!g.is_captured() && g.steps().empty());
    g.capture_begin(s);
    static_cast<void>(raw_launch{plus_one, {x}}.on(s));
    npu::graph during(std::move(g));
    check_refusal([&] { g.capture_end(s); }, fault::capture_has_not_begun);
    during.capture_end(s);
    during.replay(s);
    moved = std::move(during);
    check_equal(npu.statistics(pool).users, 0);
    moved.replay(s);
    check_equal(value_of(y), 11);
    y = {};
    check_equal(npu.statistics(pool).reserved_bytes, 0);

    // Reset and destroyed while they are captured.
    moved.reset();
    {
        npu::capture c(moved, s);
        static_cast<void>(raw_launch{plus_one, {x}}.on(s));
        moved.reset();
        check(!s.is_capturing());
        check_refusal([&] { c.end(); }, fault::capture_has_not_begun);
        check_equal(value_of(raw_launch{plus_one, {x}}.on(s)), 2);
    }
    // A scope that is over leaves the next capture of its graph alone.
    {
        npu::capture c(moved, s);
        c.end();
        moved.reset();
        moved.capture_begin(s);
    }
    check(s.is_capturing());
    moved.capture_abandon();
    {
        npu::graph gone(npu);
        gone.capture_begin(s);
        y = raw_launch{plus_one, {x}}.on(s);
    }
    check(!s.is_capturing());
    check_refusal([&] { static_cast<void>(value_of(y)); }, fault::tensor_has_no_value);
    y = {};

    // Streams made while a graph is captured are outside it until they wait for an event of it.
    moved.capture_begin(s);
    const auto t = npu.new_stream();
    check(!t.is_capturing());
    npu::event e;
    check_equal(raw_launch{plus_one, {x}}.on(t).memory().block() >= 0, true);
    e.record(s);
    t.wait(e);
    check(t.is_capturing());
    y = raw_launch{plus_one, {x}}.on(t);
    check_refusal([&] { moved.replay(t); }, fault::graph_is_not_captured);
    check_refusal([&] { h.replay(t); }, fault::call_is_illegal_in_capture);
    e.record(t);
    e.record(t);
    s.wait(e);
    s.wait(e);
    t.wait(e);
    moved.capture_end(s);
    moved.replay(t);
    check_equal(value_of(y), 2);
}

// A tensor of the capture is nothing to launches outside it, even where they would write it.
void captured_tensors_outside() {
    npu::context npu;
    const auto s = npu.new_stream(), t = npu.new_stream();
    const auto x = make(npu, 1);
    npu::graph g(npu);
    g.capture_begin(s, {}, npu::capture_mode::relaxed);
    auto y = raw_launch{plus_one, {x}}.on(s);
    check_refusal([&] { static_cast<void>(raw_launch{add_in_place, {x}, {y}}.on(t)); }, fault::tensor_has_no_value);
    check_refusal([&] { y.write(std::array{std::int64_t{1}}); }, fault::stream_is_captured);
    g.capture_end(s);
    g.replay(s);
    check_equal(value_of(y), 2);
}

// What host calls each mode allows, of the capturing thread and of another one.
void modes() {
    for (const auto mode : {npu::capture_mode::global, npu::capture_mode::this_thread, npu::capture_mode::relaxed})
        for (bool of_another : {false, true})
            for (const auto run : both) {
                npu::context npu({.run = run});
                const auto s = npu.new_stream(), t = npu.new_stream();
                auto x = make(npu, 1), y = make(npu, 2);
                npu::graph g(npu);
                g.capture_begin(s, {}, mode);
                static_cast<void>(raw_launch{plus_one, {x}}.on(s));
                const bool is_refused = mode == npu::capture_mode::global || (mode == npu::capture_mode::this_thread && !of_another);
                const auto allowed_or = [&](auto f) {
                    if (is_refused)
                        check_refusal(f, fault::call_is_illegal_in_capture);
                    else
                        f();
                };
                const auto calls = [&] {
                    allowed_or([&] { static_cast<void>(npu.empty<i64<>>()); });
                    allowed_or([&] { check_equal(value_of(make(npu, 3)), 3); });
                    allowed_or([&] { check_equal(value_of(y), 2); });
                    allowed_or([&] { y.write(std::array{std::int64_t{2}}); });
                    allowed_or([&] { npu.empty_cache(); });
                    allowed_or([&] { static_cast<void>(raw_launch{plus_one, {y}, {}, nullptr, 1 << 20}.on(t)); }); // a new segment
                    static_cast<void>(raw_launch{plus_one, {y}}.on(t));
                    t.synchronize();
                    // What would wait for the capture, or change what it uses, is refused in all of them.
                    const auto expected = is_refused ? fault::call_is_illegal_in_capture : fault::stream_is_captured;
                    check_refusal([&] { x.write(std::array{std::int64_t{9}}); }, expected);
                    check_refusal([&] { static_cast<void>(value_of(x)); }, expected);
                    check_refusal([&] { npu.synchronize(); }, fault::stream_is_captured);
                    check_refusal([&] { s.synchronize(); }, fault::stream_is_captured);
                };
                if (of_another)
                    std::thread(calls).join();
                else
                    calls();
                g.capture_end(s);
                g.replay(s);
                npu.synchronize();
            }
}

// Threads of the host, each with a stream of its own and all with one tensor that they read; one of them captures and replays.
void many_host_threads() {
    for (const auto run : both) {
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

// One of two kernels that run beside each other, or else wait in vain.
struct meeting {
    gate here;
    meeting* other = nullptr;
    std::thread::id thread{};
    bool has_met = false;
};
void meets(const std::byte* const* given, const std::byte* constants, std::byte* out) {
    auto& m = *reinterpret_cast<meeting*>(const_cast<std::byte*>(constants));
    m.here.open();
    m.other->here.pass();
    m.has_met = m.other->here.is_open;
    m.thread = std::this_thread::get_id();
    at(out) = at(given[0]) + 1;
}
const std::byte* constants(const meeting& m) { return reinterpret_cast<const std::byte*>(&m); }
void fails_late(const std::byte* const*, const std::byte*, std::byte*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    throw std::runtime_error("the first kernel failed");
}

// A replay runs what was captured on two streams on two threads; for the stream that it is on it is one launch.
void replays_fork() {
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream(), t = npu.new_stream(), u = npu.new_stream();
    const auto x = make(npu, 1);
    npu::event fork, join;
    meeting left, right{{}, &left};
    left.other = &right;
    npu::graph g(npu), h(npu);
    cell y, z, w;
    {
        npu::capture c(g, s);
        const auto a = raw_launch{plus_one, {x}}.on(s);
        c.record(fork);
        t.wait(fork);
        y = raw_launch{meets, {a}, {}, constants(left)}.on(s);
        z = raw_launch{meets, {a}, {}, constants(right)}.on(t);
        join.record(t);
        c.wait(join);
        w = raw_launch{sum, {y, z}}.on(s);
        c.end();
    }
    for (const auto& on : {s, t, u}) {
        left.here.is_open = right.here.is_open = left.has_met = right.has_met = false;
        const auto launches = npu.launches();
        g.replay(on);
        check_equal(npu.launches(), launches + 1);
        on.synchronize();
        check(left.has_met && right.has_met, "they run beside each other");
        check(left.thread != right.thread && left.thread != std::this_thread::get_id() && right.thread != std::this_thread::get_id());
        check_equal(value_of(w), 6);
    }

    // What comes behind it waits for all of it, on this stream and on another; so does the next replay.
    gate gate;
    {
        npu::capture c(h, s);
        c.record(fork);
        t.wait(fork);
        y = raw_launch{plus_one, {x}}.on(s);
        z = raw_launch{pass_gate, {x}, {}, constants(gate)}.on(t);
        join.record(t);
        c.wait(join);
        c.end();
    }
    h.replay(s);
    w = raw_launch{sum, {y, z}}.on(s);
    join.record(s);
    u.wait(join);
    const auto v = raw_launch{sum, {w, z}}.on(u);
    join.record(u);
    t.wait(join);
    h.replay(t);
    check(!s.query() && !u.query() && !t.query());
    const opens_later later(gate);
    check_equal(value_of(v), 6);
    t.synchronize();
    check(gate.is_open);
    h.replay(t);
    h.reset(); // waits for it
    check_equal(value_of(z), 2);
}

// A kernel that throws on one of a graph's streams: once, to who waits, and nothing of the replay has a value. Of two the first one captured is told.
void forks_throw() {
    for (const auto run : both) {
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

// Launches on four streams, each of which reads what any of them made, in memory that goes from one to the other: 400 replays with random tensors, with
// AHEAD_LONG=1 ten times as many.
void replays_of_a_mesh() {
    for (const auto run : both) {
        std::mt19937 random(7);
        const auto below = [&](std::size_t n) { return random() % n; };
        npu::context npu({.run = run});
        const std::array on{npu.new_stream(), npu.new_stream(), npu.new_stream(), npu.new_stream()};
        std::vector<cell> given;
        for (int i = 0; i < 16; ++i) given.push_back(make(npu, static_cast<std::int64_t>(below(1000))));
        struct slot {
            cell made;
            npu::event behind;
        };
        struct call {
            std::size_t to, left, right;
        };
        std::vector<slot> slots;
        for (std::size_t i = 0; i < 8; ++i) slots.push_back({given[i], {}});
        std::vector<call> calls;
        npu::graph g(npu);
        {
            npu::capture c(g, on[0]);
            npu::event e;
            c.record(e);
            for (const auto& s : on) s.wait(e);
            for (int i = 0; i < 60; ++i) {
                const call now{below(8), below(8), below(8)};
                const auto& s = on[below(4)];
                for (const auto* read : {&slots[now.left], &slots[now.right]}) s.wait(read->behind);
                slots[now.to].made = raw_launch{sum, {slots[now.left].made, slots[now.right].made}}.on(s);
                slots[now.to].behind.record(s);
                calls.push_back(now);
            }
            for (const auto& s : on) {
                e.record(s);
                c.wait(e);
            }
            c.end();
        }
        std::vector<npu::given<i64<>>> places;
        std::vector<std::size_t> bound;
        for (std::size_t i = 0; i < 8; ++i) { // not all of them are read
            const auto& all = g.captured().given;
            if (std::none_of(all.begin(), all.end(), [&](const auto& t) { return t.block == given[i].memory().block(); })) continue;
            places.push_back(g.find(given[i]));
            bound.push_back(i);
        }
        check(places.size() > 2);
        std::array<std::int64_t, 8> first{};
        for (std::size_t i = 0; i < 8; ++i) first[i] = value_of(given[i]);
        std::int64_t wrong = 0;
        long allocated = 0;
        for (int i = 0; i < (std::getenv("AHEAD_LONG") != nullptr ? 4000 : 400); ++i) {
            const auto before = allocations.load();
            if (below(3) == 0) {
                const auto which = below(places.size()), with = below(16);
                g.bind(places[which], given[with]);
                first[bound[which]] = value_of(given[with]);
            }
            g.replay(on[0]);
            if (i >= 300) allocated += allocations.load() - before; // by then every tensor has room for who uses it
            if (below(4) != 0) continue;
            auto expected = first;
            for (const auto& c : calls) expected[c.to] = expected[c.left] + expected[c.right];
            on[0].synchronize();
            for (std::size_t k = 0; k < 8; ++k)
                if (slots[k].made.data() != given[k].data()) wrong += value_of(slots[k].made) != expected[k];
        }
        npu.synchronize();
        check_equal(wrong, 0);
        check_equal(allocated, 0L);
    }
}

// Tensors of no elements, and of one.
void no_elements() {
    for (const auto run : both) {
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
    events_tell_of_others();
    contexts_end();
    memory_is_used_again();
    captures_in_used_memory();
    launches_in_the_pool_of_a_graph();
    kernels_throw();
    failures_are_not_lost();
    handles();
    captured_tensors_outside();
    modes();
    many_host_threads();
    waiting_lets_others_go_on();
    replays_fork();
    forks_throw();
    replays_of_a_mesh();
    no_elements();
    return report();
}
