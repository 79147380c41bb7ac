// Nodes of captured graphs that race, with launches or with each other, and that compute in memory of somebody else:
// refused at the capture or at the replay.
// SPDX-License-Identifier: MIT
#include "node_device.hpp"

#include <deque>
#include <functional>
#include <random>

using namespace ahead;
using namespace test;

namespace {

/// Of a tensor that one branch uses, whichever runs: in the capture, and beside the replay.
void races(npu::execution run) {
    node_device d(run);
    auto p = d.boolean(false);
    auto x = d.number(3), out = d.number(0);
    const auto reads = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(successor, x)); }), writes = d.putting(out, d.one);
    npu::graph g(d.npu);
    npu::event fork, join;
    const auto forked = [&](auto on_s, auto on_t) {
        npu::capture c(g, d.s);
        c.record(fork);
        d.t.wait(fork);
        on_s(c);
        on_t();
        join.record(d.t);
        c.wait(join);
        c.end();
    };
    const auto launch_reader = [&](const npu::stream& on) { static_cast<void>(on.launch(successor, out)); };
    const auto launch_writer = [&](const npu::stream& on) { static_cast<void>(on.launch(put_into, x, d.ten)); };
    const auto both = [&](npu::capture& c) { c.if_(p, reads, writes); };
    check_refusal([&] { forked(both, [&] { launch_reader(d.t); }); }, fault::streams_race, "it reads what that launch writes");
    check_refusal([&] { forked(both, [&] { launch_writer(d.t); }); }, fault::streams_race, "it writes what that launch uses");
    check_refusal([&] { forked([&](npu::capture&) { launch_reader(d.s); }, [&] { d.t.if_(p, reads, writes); }); }, fault::streams_race, "if_ ");
    check_refusal([&] { forked(both, [&] { d.t.if_(p, reads); }); }, fault::streams_race); // memory of its own, twice
    check_refusal([&] { forked(both, [&] { static_cast<void>(d.t.launch(put_into, p, p)); }); }, fault::inputs_overlap);
    check_refusal([&] { forked(both, [&] { static_cast<void>(d.t.launch(put_is_positive, p, x)); }); }, fault::streams_race); // the predicate
    check(!g.is_captured() && !reads.is_part() && !writes.is_part() && !d.s.is_capturing() && !d.t.is_capturing());
    forked(both, [&] { static_cast<void>(d.t.launch(successor, d.ten)); });
    check(reads.is_part());

    // A replay beside who uses what it may use.
    d.npu.synchronize();
    launch_reader(d.t);
    check_refusal([&] { g.replay(d.s); }, fault::streams_race, "replay ");
    fork.record(d.t);
    d.s.wait(fork);
    g.replay(d.s);
    check_refusal([&] { launch_writer(d.t); }, fault::streams_race);
    check_refusal([&] { launch_reader(d.t); }, fault::streams_race); // which was not written: the predicate is false... but might have been
    check_refusal([&] { g.replay(d.t); }, fault::streams_race);
    d.npu.synchronize();
    launch_writer(d.t);
    check_refusal([&] { g.replay(d.s); }, fault::streams_race);
    d.npu.synchronize();

    // A part by itself and the whole: one behind the other.
    auto alone = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(successor, d.one)); });
    auto whole = d.captured([&](npu::capture& c) { c.if_(p, alone); });
    whole.replay(d.s);
    check_refusal([&] { alone.replay(d.t); }, fault::streams_race, "in this pool");
    fork.record(d.s);
    d.t.wait(fork);
    alone.replay(d.t);
    check_refusal([&] { whole.replay(d.s); }, fault::streams_race);
    d.npu.synchronize();
    // So are two wholes that share it.
    auto other = d.captured([&](npu::capture& c) { c.child(alone); });
    whole.replay(d.s);
    check_refusal([&] { other.replay(d.t); }, fault::streams_race);
    d.npu.synchronize();

    // A graph without memory of its own is not run beside itself either.
    const auto nothing = d.captured([](npu::capture& c) { c.host([] {}); });
    g.reset();
    check_refusal([&] { forked([&](npu::capture& c) { c.child(nothing); }, [&] { d.t.child(nothing); }); }, fault::streams_race, "it runs the same graph");
    const auto holds_it = d.captured([&](npu::capture& c) { c.if_(p, nothing); });
    check_refusal([&] { forked([&](npu::capture& c) { c.child(nothing); }, [&] { d.t.child(holds_it); }); }, fault::streams_race, "it runs the same graph");
}

/// Random nodes and launches on two streams: refused exactly where two of them use the same, one of them writes it, and no event orders them, whichever
/// graph a node would run. So is what is launched beside the replay.
void random_captures(npu::execution run) {
    struct uses {
        std::uint32_t read = 0, written = 0; // bits: four numbers, the predicate, and the memory that each part computes in
        bool races(const uses& other) const { return (written & (other.read | other.written)) != 0 || (read & other.written) != 0; }
        void add(const uses& other) { read |= other.read, written |= other.written; }
    };
    constexpr std::uint32_t predicate = 1U << 4;
    node_device d(run);
    std::mt19937 random(3);
    const auto below = [&](std::size_t end) { return random() % end; };
    const auto bit = [](std::size_t i) { return 1U << i; };
    const auto p = d.boolean(false);
    std::array<cell, 4> n{d.number(9), d.number(9), d.number(9), d.number(9)};
    std::deque<npu::graph> parts;
    std::vector<uses> used;
    for (std::size_t k = 0; k < 4; ++k) {
        parts.push_back(d.putting(n[k], n[(k + 1) % 4]));
        used.push_back({bit((k + 1) % 4), bit(k) | bit(5 + k)});
    }
    parts.push_back(d.captured([&](npu::capture& c) { static_cast<void>(c.launch(successor, n[0])); }));
    used.push_back({bit(0), bit(9)});
    parts.push_back(d.captured([&](npu::capture& c) { c.if_(p, parts[0], parts[4]); }));
    used.push_back({predicate, bit(10)});
    used[5].add(used[0]), used[5].add(used[4]);
    int refused = 0, accepted = 0;
    for (int trial = 0; trial < 200; ++trial) {
        npu::graph g(d.npu);
        npu::capture c(g, d.s);
        npu::event e;
        c.record(e);
        d.t.wait(e);
        std::vector<uses> before;
        uses all;
        std::array<std::uint64_t, 2> known{};
        for (int left = 14; left > 0; --left) {
            const auto a = below(2);
            const auto& on = a == 0 ? d.s : d.t;
            const auto i = below(4), one = below(parts.size()), other = below(parts.size());
            uses now;
            std::function<void()> call;
            switch (below(8)) {
            case 0:
            case 1:
                e.record(on);
                (a == 0 ? d.t : d.s).wait(e);
                known[1 - a] |= known[a];
                continue;
            case 2:
                now = {bit((i + 1) % 4), bit(i)};
                call = [&] { static_cast<void>(on.launch(put_into, n[i], n[(i + 1) % 4])); };
                break;
            case 3:
                now = used[one];
                call = [&] { on.child(parts[one]); };
                break;
            case 4:
                now = {predicate, 0};
                now.add(used[one]);
                call = [&] { on.if_(p, parts[one]); };
                break;
            case 5:
                now = {predicate, 0};
                now.add(used[one]), now.add(used[other]);
                call = [&] { on.if_(p, parts[one], parts[other]); };
                break;
            case 6:
                now = {predicate, 0};
                now.add(used[one]);
                call = [&] { on.while_(p, parts[one], 2); };
                break;
            default:
                now = {bit(i), 0};
                now.add(used[one]), now.add(used[other]);
                call = [&] { on.switch_(n[i], {parts[one], parts[other]}); };
            }
            bool races = false;
            for (std::size_t o = 0; o < before.size(); ++o) races = races || ((known[a] >> o & 1) == 0 && before[o].races(now));
            if (races) {
                check_refusal(call, fault::streams_race);
                ++refused;
                continue;
            }
            call();
            ++accepted;
            known[a] |= std::uint64_t{1} << before.size();
            before.push_back(now);
            all.add(now);
        }
        e.record(d.t);
        c.wait(e);
        c.end();
        d.npu.synchronize();
        g.replay(d.s);
        const auto i = below(4), k = (i + 1 + below(3)) % 4;
        const uses now = {bit(k), bit(i)};
        const auto beside = [&] { static_cast<void>(d.t.launch(put_into, n[i], n[k])); };
        if (all.races(now)) check_refusal(beside, fault::streams_race);
        else beside();
        d.npu.synchronize();
    }
    check(refused > 200 && accepted > 200, std::to_string(refused) + " refused, " + std::to_string(accepted) + " accepted");
}

/// Results of a branch that somebody holds: read beside the node they race, too.
void races_of_results(npu::execution run) {
    node_device d(run);
    const auto p = d.boolean(true);
    cell y;
    auto branch = d.captured([&](npu::capture& c) { y = c.launch(successor, d.one); });
    branch.replay(d.s);
    d.npu.synchronize();
    npu::graph g(d.npu);
    npu::event fork, join;
    {
        npu::capture c(g, d.s);
        c.record(fork);
        d.t.wait(fork);
        c.if_(p, branch);
        check_refusal([&] { static_cast<void>(d.t.launch(successor, y)); }, fault::streams_race);
        join.record(d.t);
        c.wait(join);
        c.end();
    }
    g.replay(d.s);
    check_refusal([&] { static_cast<void>(d.t.launch(successor, y)); }, fault::streams_race);
    d.npu.synchronize();
    static_cast<void>(d.t.launch(successor, y));
    check_refusal([&] { g.replay(d.s); }, fault::streams_race);
    d.npu.synchronize();
    check_equal(value_of(y), 2);
}

/// A branch computes where somebody else's tensor lies by now: refused at the capture, and at the replay.
void memory(npu::execution run) {
    node_device d(run);
    const auto p = d.boolean(true);
    const auto pool = d.npu.graph_pool_handle();
    const auto scratch = [&] { return d.captured([&](npu::capture& c) { static_cast<void>(c.launch(successor, d.ten)); }, pool); };
    auto part = scratch();
    npu::graph g(d.npu);
    cell y;
    { // the whole's own
        npu::capture c(g, d.s, pool);
        y = c.launch(successor, d.one);
        check_refusal([&] { c.if_(p, part); }, fault::memory_is_still_held, "if_ 'pool (0, 1)'");
        y = {};
        c.if_(p, part);
        y = c.launch(successor, d.one); // behind it, it may
        check_refusal([&] { c.child(part); }, fault::memory_is_still_held);
        c.end();
    }
    for (int i = 0; i < 2; ++i) {
        g.replay(d.s);
        check_equal(value_of(y), 2);
    }
    check_refusal([&] { part.replay(d.s); }, fault::memory_is_still_held);
    check_equal(value_of(y), 2);
    auto around = d.captured([&](npu::capture& c) { c.if_(p, g); }); // in whose capture y came behind the part
    around.replay(d.s);
    check_equal(value_of(y), 2);
    around.reset();
    g.replay(d.s);
    y = {};
    part.replay(d.s);
    g.replay(d.s);

    // An eager tensor in the same pool.
    d.npu.begin_allocate_to_pool(pool);
    auto eager = d.s.launch(successor, d.ten);
    d.npu.end_allocate_to_pool(pool);
    const auto range = d.npu.range_of(eager.memory().block());
    check(range.begin == part.captured().own[0].begin);
    check_refusal([&] { g.replay(d.s); }, fault::memory_is_still_held, "replay 'pool (0, 1)'");
    check_equal(value_of(eager), 11);
    eager = {};
    g.replay(d.s);
    d.npu.synchronize();

    // A result of another branch in the same pool.
    auto other = d.captured([&](npu::capture& c) { y = c.launch(successor, d.one); }, pool);
    {
        npu::graph h(d.npu);
        npu::capture c(h, d.s);
        c.child(other);
        check_refusal([&] { c.if_(p, other, part); }, fault::memory_is_still_held);
    }
    y = {};
    auto h = d.captured([&](npu::capture& c) { c.if_(p, other, part); });
    h.replay(d.s);

    // Beside a launch of the whole that uses the same memory on another stream.
    npu::graph beside(d.npu);
    npu::event fork;
    beside.capture_begin(d.s, pool);
    fork.record(d.s);
    d.t.wait(fork);
    static_cast<void>(d.t.launch(successor, d.one));
    check_refusal([&] { d.s.child(part); }, fault::streams_race, "child 'stream 2'");
    fork.record(d.t);
    d.s.wait(fork);
    d.s.child(part);
    beside.capture_end(d.s);
    beside.replay(d.s);
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        races(run);
        random_captures(run);
        races_of_results(run);
        memory(run);
    }
    return report();
}
