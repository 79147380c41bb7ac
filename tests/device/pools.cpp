// Pools of graphs: a capture that failed leaves none, what is released goes back, graphs share one without meeting, and it lives as long as a tensor in it.
// fault: memory_is_still_held
// fault: pool_is_recording
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "raw_launch.hpp"
#include "refusal.hpp"

using namespace ahead;
using namespace test;

namespace {

constexpr npu::execution both[] = {npu::execution::in_order, npu::execution::threads};
constexpr std::int64_t kib = 1024;
std::int64_t value_of(const cell& c) { return c.copy()[0]; }

struct device {
    explicit device(npu::execution run) : npu({.memory_bytes = 1024 * kib, .run = run}), s(npu.new_stream()), t(npu.new_stream()) {}
    npu::context npu;
    npu::stream s, t;
    cell x = npu.to_device<i64<>>(std::array{std::int64_t{1}});

    // x plus one, so many times in a row; the temporaries, and the result, have so many bytes.
    cell capture(npu::graph& g, int launches, std::int64_t bytes, std::optional<npu::mempool_id> pool = {}) {
        npu::capture c(g, s, pool);
        auto y = x;
        for (int i = 0; i < launches; ++i) y = raw_launch{plus_one, {y}, {}, nullptr, bytes}.on(s);
        c.end();
        return y;
    }
    std::ptrdiff_t pools() {
        std::ptrdiff_t sum = 0;
        for (const auto& p : npu.memory().pools()) sum += p.is_there;
        return sum;
    }
};

void failed_captures(npu::execution run) {
    device d(run);
    const auto unreserved = d.npu.unreserved_bytes();
    for (int i = 0; i < 50; ++i) { // more than fit, were one kept
        npu::graph g(d.npu);
        d.npu.fail_at(6 + i % 3);
        check_fault([&] { d.capture(g, 2, 200 * kib); }, fault::device_failed_as_told);
        d.npu.fail_at(0);
        check(d.npu.unreserved_bytes() == unreserved && d.pools() == 1);
    }
    // What the caller still holds of one is the last of its pool.
    npu::graph g(d.npu);
    g.capture_begin(d.s);
    auto y = raw_launch{plus_one, {d.x}, {}, nullptr, 200 * kib}.on(d.s);
    g.capture_abandon();
    check(d.pools() == 2 && d.npu.unreserved_bytes() < unreserved);
    check_fault([&] { static_cast<void>(value_of(y)); }, fault::tensor_has_no_value);
    y = {};
    check(d.pools() == 1 && d.npu.unreserved_bytes() == unreserved);
}

void released_pools(npu::execution run) {
    device d(run);
    const auto unreserved = d.npu.unreserved_bytes();
    const auto id = d.npu.graph_pool_handle();
    d.npu.begin_allocate_to_pool(id, d.s);
    static_cast<void>(raw_launch{plus_one, {d.x}, {}, nullptr, 100 * kib}.on(d.s));
    auto kept = raw_launch{plus_one, {d.x}, {}, nullptr, 300 * kib}.on(d.s); // another segment
    static_cast<void>(raw_launch{plus_one, {d.x}, {}, nullptr, 8}.on(d.t));  // not of that stream: not of the pool
    check_equal(d.npu.statistics(id).held_bytes, 300 * kib);
    const auto reserved = d.npu.statistics(id).reserved_bytes;
    check(reserved >= 400 * kib);
    check_fault([&] { d.npu.release_pool(id); }, fault::pool_is_recording);
    d.npu.end_allocate_to_pool(id);
    d.npu.synchronize();
    d.npu.empty_cache(); // the user's pool keeps what it has
    check_equal(d.npu.statistics(id).reserved_bytes, reserved);
    d.npu.release_pool(id);
    check(d.npu.statistics(id).reserved_bytes < reserved && d.npu.statistics(id).held_bytes == 300 * kib);
    check_equal(value_of(kept), 2);
    kept = {};
    check(d.npu.statistics(id) == npu::pool_statistics{id} && d.npu.unreserved_bytes() == unreserved && d.pools() == 1);
    check_fault([&] { d.npu.begin_allocate_to_pool(id); }, fault::pool_handle_is_invalid);
}

// Two graphs in one pool take the memory of the larger one, and each may go first.
void shared_pools(npu::execution run) {
    for (bool first_goes_first : {true, false}) {
        device d(run);
        const auto unreserved = d.npu.unreserved_bytes();
        npu::graph g(d.npu), h(d.npu);
        auto y = d.capture(g, 3, 100 * kib);
        const auto id = g.pool();
        const auto of_one = d.npu.statistics(id);
        check_equal(of_one.held_bytes, 100 * kib);
        auto z = d.capture(h, 4, 100 * kib, id);
        check(h.pool() == id && d.npu.statistics(id).users == 2);
        check(d.npu.statistics(id).reserved_bytes <= of_one.reserved_bytes + 128 * kib, "the temporaries of both lie in the same memory");
        for (int i = 0; i < 3; ++i) {
            g.replay(d.s);
            h.replay(d.s);
            check(value_of(y) == 4 && value_of(z) == 5);
        }
        // On two streams they must be ordered.
        g.replay(d.s);
        check_fault([&] { h.replay(d.t); }, fault::streams_race);
        d.npu.synchronize();
        h.replay(d.t);
        d.npu.synchronize();
        auto& gone = first_goes_first ? g : h;
        auto& left = first_goes_first ? h : g;
        gone.reset();
        check_equal(d.npu.statistics(id).users, 1);
        left.replay(d.s);
        check_equal(value_of(first_goes_first ? z : y), first_goes_first ? 5 : 4);
        left.reset();
        // The pool lives while a tensor does.
        check_equal(d.npu.statistics(id).held_bytes, 200 * kib);
        check(value_of(y) == 4 && value_of(z) == 5);
        check_equal(value_of(raw_launch{sum, {y, z}}.on(d.t)), 9);
        d.npu.synchronize();
        y = {};
        check_equal(d.npu.statistics(id).held_bytes, 100 * kib);
        z = {};
        check(d.npu.statistics(id) == npu::pool_statistics{id} && d.pools() == 1);
        d.npu.empty_cache();
        check_equal(d.npu.unreserved_bytes(), unreserved);
    }
}

// A result of the one that nobody holds any more is memory for the other; then the one may not run until that is dropped.
void results_given_up(npu::execution run) {
    device d(run);
    npu::graph g(d.npu), h(d.npu);
    auto y = d.capture(g, 1, 8);
    const auto id = g.pool();
    g.replay(d.s);
    d.npu.synchronize();
    y = {};
    auto z = d.capture(h, 1, 8, id);
    h.replay(d.s);
    check_fault([&] { g.replay(d.s); }, fault::memory_is_still_held);
    check_equal(value_of(z), 2);
    h.reset();
    check_fault([&] { g.replay(d.s); }, fault::memory_is_still_held);
    z = {};
    g.replay(d.s);
    d.npu.synchronize();
    // The tensors of a graph, destroyed after it.
    npu::pool_statistics left;
    cell last;
    {
        npu::graph third(d.npu);
        last = d.capture(third, 2, 8);
        third.replay(d.s);
        left.id = third.pool();
    }
    check_equal(value_of(last), 3);
    last = {};
    check(d.npu.statistics(left.id) == left);
}

} // namespace

int main() {
    for (const auto run : both) {
        failed_captures(run);
        released_pools(run);
        shared_pools(run);
        results_given_up(run);
    }
    return report();
}
