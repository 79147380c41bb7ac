// Captures and replays on the device: handles that are gone or of another graph, which calls a capture forbids, replays
// of several streams.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <cstdlib>
#include <random>

using namespace ahead;
using namespace test;

namespace {

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
            for (const auto run : both_executions) {
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

// Launches on four streams, each of which reads what any of them made, in memory that goes from one to the other: 400 replays with random tensors, with
// AHEAD_LONG=1 ten times as many.
void replays_of_a_mesh() {
    for (const auto run : both_executions) {
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

} // namespace

int main() {
    handles();
    captured_tensors_outside();
    modes();
    replays_fork();
    replays_of_a_mesh();
    return report();
}
