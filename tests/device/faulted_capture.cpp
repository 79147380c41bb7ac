// A failure at each step of a capture, a launch and a replay in turn: it leaves pools, streams, memory and values as
// they were, and the same calls then succeed, at the same addresses. So do exceptions of the user's own, and memory
// that runs out in the middle.
// fault: device_failed_as_told
// fault: device_memory_is_exhausted
// SPDX-License-Identifier: MIT
#include "device_refusal.hpp"
#include "harness.hpp"
#include "raw_launch.hpp"

#include <functional>

using namespace ahead;
using namespace test;

namespace {

constexpr bool every_fault_has_words() {
    for (const auto& w : npu::all_device_words) {
        if (w.text.empty() || !w.text.ends_with(".") || npu::words_of(w.what, w.op) != w.text) return false;
        if (npu::words_of(w.what, "another call").empty()) return false;
    }
    return true;
}
static_assert(every_fault_has_words());

using cells = std::vector<cell>;

struct device {
    explicit device(npu::execution run)
        : npu({.run = run}), s(npu.new_stream()), t(npu.new_stream()), earlier(npu), pool(npu.graph_pool_handle()) {
        earlier.capture_begin(s, pool);
        kept = raw_launch{plus_one, {raw_launch{plus_one, {x}}.on(s)}}.on(s);
        earlier.capture_end(s);
        earlier.replay(s);
        npu.synchronize();
        npu.empty_cache();
    }
    npu::context npu;
    npu::stream s, t;
    cell x = npu.to_device<i64<>>(std::array{std::int64_t{1}}), state = npu.to_device<i64<>>(std::array{std::int64_t{10}}), kept;
    npu::graph earlier; // in `pool`
    npu::mempool_id pool;
};

// What a failure must not change; values are read last, because that waits.
struct snapshot {
    npu::pool_statistics eager, shared;
    std::int64_t unreserved, launches;
    std::ptrdiff_t pools;
    bool s_is_captured, t_is_captured, s_is_done;
    std::array<std::int32_t, 3> holders; // of the three tensors
    std::array<std::int64_t, 3> values;
    friend bool operator==(const snapshot&, const snapshot&) = default;
};
snapshot look(device& d) {
    snapshot out{d.npu.statistics(),
                 d.npu.statistics(d.pool),
                 d.npu.unreserved_bytes(),
                 d.npu.launches(),
                 0,
                 d.s.is_capturing(),
                 d.t.is_capturing(),
                 false,
                 {},
                 {}};
    for (const auto& p : d.npu.memory().pools()) out.pools += p.is_there;
    const auto holders = [&](const cell& c) { return d.npu.memory()[c.memory().block()].holders; };
    out.holders = {holders(d.x), holders(d.state), holders(d.kept)};
    out.values = {value_of(d.x), value_of(d.state), value_of(d.kept)};
    d.npu.synchronize();
    out.s_is_done = d.s.query() && d.t.query();
    return out;
}

struct scenario {
    std::string_view name;
    std::function<cells(device&, npu::graph&)> calls; // with what they make
    std::vector<std::int64_t> values;                 // of that, after a replay if there is a graph
    std::int64_t steps;
    bool pool_may_grow = false;
};
cells plain(device& d, npu::graph& g) {
    npu::capture c(g, d.s);
    auto a = raw_launch{plus_one, {d.x}}.on(d.s);
    auto b = raw_launch{plus_one, {a}}.on(d.s);
    c.end();
    return {b};
}
cells forked(device& d, npu::graph& g) {
    npu::capture c(g, d.s);
    npu::event fork, join;
    const auto a = raw_launch{plus_one, {d.x}}.on(d.s);
    c.record(fork);
    d.t.wait(fork);
    const auto b = raw_launch{plus_one, {a}}.on(d.t);
    const auto e = raw_launch{plus_one, {a}}.on(d.s);
    join.record(d.t);
    c.wait(join);
    auto f = raw_launch{sum, {b, e}}.on(d.s);
    c.end();
    return {b, f};
}
cells shared(device& d, npu::graph& g) {
    npu::capture c(g, d.s, d.pool);
    const auto a = raw_launch{plus_one, {d.x}, {}, nullptr, 100'000}.on(d.s);
    auto b = raw_launch{plus_one, {d.kept}}.on(d.s);
    c.end();
    return {a, b};
}
cells mutated(device& d, npu::graph& g) {
    npu::capture c(g, d.s);
    auto a = raw_launch{add_in_place, {d.x}, {d.state}}.on(d.s);
    c.end();
    return {a};
}
cells eager(device& d, npu::graph&) { return {raw_launch{add_in_place, {d.x}, {d.state}, nullptr, 200'000}.on(d.s)}; }
cells replayed(device& d, npu::graph&) {
    d.earlier.replay(d.t);
    return {d.kept};
}
const scenario all[] = {{"plain", plain, {3}, 8},
                        {"forked", forked, {3, 6}, 12},
                        {"shared pool", shared, {2, 4}, 8, true},
                        {"mutated input", mutated, {11}, 6},
                        {"eager", eager, {11}, 2},
                        {"replay", replayed, {3}, 2}};

std::vector<std::ptrdiff_t> addresses(const device& d, const cells& made) {
    std::vector<std::ptrdiff_t> out;
    for (const auto& c : made) out.push_back(c.data() - d.x.data());
    return out;
}

void at_each_step(npu::execution run, const scenario& what) {
    std::vector<std::ptrdiff_t> expected;
    {
        device d(run);
        npu::graph g(d.npu);
        expected = addresses(d, what.calls(d, g));
    }
    std::int64_t failures = 0;
    for (std::int64_t n = 1;; ++n) {
        device d(run);
        const auto before = look(d);
        npu::graph g(d.npu);
        d.npu.fail_at(n);
        bool has_failed = false;
        cells made;
        try {
            made = what.calls(d, g);
        } catch (const error& e) {
            has_failed = true;
            check_fault(e.what_happened, {fault::device_failed_as_told});
            check(std::string_view(e.what()).ends_with("call again."), e.what());
        }
        d.npu.fail_at(0);
        if (!has_failed) break;
        ++failures;
        auto behind = look(d);
        if (what.pool_may_grow &&
            n > what.steps - 2) // capture_end() failed while the results were held: their segment stays in the shared pool
            behind.shared.reserved_bytes = before.shared.reserved_bytes, behind.unreserved = before.unreserved;
        check(behind == before, what.name);
        check(!g.is_captured());
        made = what.calls(d, g);
        check(addresses(d, made) == expected, what.name);
        if (g.is_captured()) g.replay(d.t);
        for (std::size_t i = 0; i < made.size(); ++i) check_equal(value_of(made[i]), what.values[i]);
        // All that the graph had goes back.
        const auto id = g.is_captured() ? g.pool() : npu::mempool_id{1000, 0};
        made.clear();
        g.reset();
        if (id != d.pool) check(d.npu.statistics(id) == npu::pool_statistics{id});
        d.npu.synchronize();
        d.earlier.replay(d.s);
        check_equal(value_of(d.kept), 3);
        d.npu.empty_cache();
        check(d.npu.statistics() == before.eager && d.npu.statistics(d.pool).held_bytes == before.shared.held_bytes, what.name);
    }
    check_equal(failures, what.steps);
}

// Caught inside the capture, and called again there: the graph is the same.
void goes_on_in_the_capture(npu::execution run) {
    for (std::int64_t n = 1; n <= 6; ++n) {
        device d(run);
        npu::graph g(d.npu);
        npu::capture c(g, d.s);
        d.npu.fail_at(n);
        int failures = 0;
        const auto again = [&](const raw_launch& l) {
            try {
                return l.on(d.s);
            } catch (const error&) {
                ++failures;
                return l.on(d.s);
            }
        };
        const auto a = again({plus_one, {d.x}});
        const auto b = again({add_in_place, {a}, {d.state}});
        auto y = again({sum, {a, b}});
        c.end();
        check_equal(failures, 1);
        check_equal(g.steps().size(), std::size_t{3});
        g.replay(d.s);
        check(value_of(y) == 14 && value_of(d.state) == 12);
        g.replay(d.s);
        check_equal(value_of(y), 16);
    }
}

// Exceptions of the user's own.
void user_throws(npu::execution run) {
    device d(run);
    const auto before = look(d);
    npu::graph g(d.npu);
    for (int i = 0; i < 3; ++i) {
        try {
            npu::capture c(g, d.s, d.pool);
            static_cast<void>(raw_launch{plus_one, {d.x}}.on(d.s));
            if (i == 1) static_cast<void>(raw_launch{add_in_place, {d.x}, {d.state}}.on(d.s));
            throw 7;
        } catch (int) {
        }
        check(look(d) == before);
    }
    // Without the scope, the capture is underway until it is abandoned.
    try {
        g.capture_begin(d.s);
        static_cast<void>(raw_launch{plus_one, {d.x}}.on(d.s));
        throw 7;
    } catch (int) {
    }
    check(d.s.is_capturing());
    g.capture_abandon();
    check(look(d) == before);
    g.capture_abandon();
    check(look(d) == before);
}

// Memory runs out in the middle.
void no_memory(npu::execution run) {
    device d(run);
    const auto before = look(d);
    const auto most = d.npu.unreserved_bytes();
    npu::graph g(d.npu);
    const auto calls = [&](std::int64_t bytes) {
        npu::capture c(g, d.s);
        auto a = raw_launch{plus_one, {d.x}, {}, nullptr, 1'000'000}.on(d.s);
        auto b = raw_launch{plus_one, {a}, {}, nullptr, bytes}.on(d.s);
        c.end();
        return b;
    };
    check_refusal([&] { static_cast<void>(calls(most)); }, fault::device_memory_is_exhausted, "more memory_bytes.");
    check(look(d) == before);
    {
        const auto y = calls(most / 2);
        g.replay(d.s);
        check_equal(value_of(y), 3);
    }
    g.reset();
    // Caught in the capture: what fits goes on.
    g.capture_begin(d.s);
    auto a = raw_launch{plus_one, {d.x}}.on(d.s);
    check_throws<error>([&] { static_cast<void>(raw_launch{plus_one, {a}, {}, nullptr, most}.on(d.s)); }, "device memory is exhausted");
    a = raw_launch{plus_one, {a}}.on(d.s);
    g.capture_end(d.s);
    g.replay(d.s);
    check_equal(value_of(a), 3);
    a = {};
    g.reset();
    check(d.npu.unreserved_bytes() == before.unreserved);
    // And eagerly.
    check_throws<error>(
        [&] {
            static_cast<void>(raw_launch{add_in_place, {d.x}, {d.state}, nullptr, 2 * most}.on(d.s));
        },
        "device memory is exhausted");
    check(look(d).values == before.values && d.npu.unreserved_bytes() == before.unreserved);
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        for (const auto& what : all) at_each_step(run, what);
        goes_on_in_the_capture(run);
        user_throws(run);
        no_memory(run);
    }
    return report();
}
