// SPDX-License-Identifier: MIT
// Nodes of captured graphs, what can go wrong: races, memory that somebody else holds, captures that fail, calls that cannot be right. What is refused leaves
// everything as it was. And nodes on several streams, on the clock, in print, with random numbers, without allocations.
// fault: stream_is_not_captured
#include "counted_allocations.hpp"
#include "json.hpp"
#include "node_device.hpp"

#include <ahead/npu/generator.hpp>
#include <ahead/print/print_capture.hpp>

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

/// What is wrong with a node, before anything of it is recorded.
void calls(npu::execution run) {
    node_device d(run);
    const auto p = d.boolean(true);
    auto sum = d.number(0);
    const auto part = d.adding(sum, d.one);
    check_refusal([&] { d.s.child(part); }, fault::stream_is_not_captured, "child 'stream 1'");
    check_refusal([&] { d.s.if_(p, part); }, fault::stream_is_not_captured);
    check_refusal([&] { d.s.host([] {}); }, fault::stream_is_not_captured, "capture_begin()");
    npu::context second;
    const auto there = second.new_stream();
    npu::graph of_another(second), none(d.npu);
    of_another.capture_begin(there);
    of_another.capture_end(there);
    const auto bool_there = second.to_device<b8<>>(std::array{true});
    npu::graph g(d.npu);
    {
        npu::capture c(g, d.s);
        check_refusal([&] { d.t.child(part); }, fault::stream_is_not_captured, "child 'stream 2'");
        check_refusal([&] { c.child(none); }, fault::graph_is_not_captured, "child 'part'");
        check_refusal([&] { c.if_(p, part, none); }, fault::graph_is_not_captured, "if_ 'no'");
        check_refusal([&] { c.if_(p, none, part); }, fault::graph_is_not_captured, "if_ 'yes'");
        check_refusal([&] { c.while_(p, none, 1); }, fault::graph_is_not_captured, "while_ 'body'");
        check_refusal([&] { c.switch_(d.one, {part, part, none}); }, fault::graph_is_not_captured, "switch_ '2'");
        check_refusal([&] { c.child(g); }, fault::graph_is_not_captured); // itself
        check_refusal([&] { c.child(of_another); }, fault::device_is_another, "child");
        check_refusal([&] { c.if_(bool_there, part); }, fault::device_is_another, "if_");
        check_refusal([&] { c.if_(boolean_tensor{}, part); }, fault::tensor_is_empty, "if_");
        check_refusal([&] { c.switch_(cell{}, {part}); }, fault::tensor_is_empty, "switch_");
        check_refusal([&] { c.host([](auto) {}, cell{}); }, fault::tensor_is_empty, "host");
        check_refusal([&] { c.while_(p, part, 0); }, fault::option_is_out_of_range, "while_ 'bound'");
        check_refusal([&] { c.while_(p, part, -1); }, fault::option_is_out_of_range, "rounds, found -1");
        check_refusal([&] { c.while_(p, part, std::int64_t{1} << 60); }, fault::option_is_out_of_range);
        check(!part.is_part() && g.steps().empty() && g.captured().given.empty());
        c.child(part);
        c.end();
    }
    check_equal(g.steps().size(), std::size_t{1});
    g.replay(d.s);
    check_equal(value_of(sum), 1);
    // A graph that is given its tensors with each replay has none by itself.
    auto released = d.adding(sum, d.one);
    released.release_given();
    {
        npu::graph h(d.npu);
        npu::capture c(h, d.s);
        check_refusal([&] { c.child(released); }, fault::tensor_is_empty, "released");
    }
}

/// A capture that fails, in a branch, or of the whole behind its nodes, leaves pools, memory and parts as they were; so does one that fails at any step.
void hygiene(npu::execution run) {
    node_device d(run);
    const auto p = d.boolean(true);
    auto sum = d.number(0);
    const auto pool = d.npu.graph_pool_handle();
    auto part = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(add_to, sum, d.one)); }, pool);
    d.npu.synchronize();
    d.npu.empty_cache();
    const auto look = [&] {
        std::vector<std::int64_t> holders;
        for (const auto* c : {&sum, &d.zero, &d.one, &d.ten}) holders.push_back(d.npu.memory()[c->memory().block()].holders);
        holders.push_back(d.npu.memory()[p.memory().block()].holders);
        return std::tuple(d.npu.statistics(), d.npu.statistics(pool), d.npu.unreserved_bytes(), part.is_part(), holders);
    };
    const auto before = look();
    npu::graph g(d.npu);
    const auto throws_in_a_branch = [&] {
        npu::capture c(g, d.s, pool);
        static_cast<void>(c.launch(successor, d.ten));
        throw 7;
    };
    const auto throws_behind_nodes = [&] {
        npu::capture c(g, d.s, pool);
        c.child(part);
        c.if_(p, part, part);
        c.while_(p, part, 3);
        check(part.is_part());
        throw 7;
    };
    for (int i = 0; i < 3; ++i) {
        try {
            throws_in_a_branch();
        } catch (int) {
        }
        check(look() == before && !g.is_captured());
        try {
            throws_behind_nodes();
        } catch (int) {
        }
        check(look() == before && !g.is_captured());
    }
    const auto whole = [&] {
        npu::capture c(g, d.s, pool);
        c.child(part);
        static_cast<void>(c.launch(successor, d.ten));
        c.if_(p, part);
        c.end();
    };
    std::int64_t steps = 0;
    for (std::int64_t n = 1;; ++n) {
        d.npu.fail_at(n);
        try {
            whole();
            break;
        } catch (const error& e) {
            check(e.what_happened.what == fault::device_failed_as_told, e.what());
        }
        ++steps;
        check(look() == before && !g.is_captured());
    }
    d.npu.fail_at(0);
    check_equal(steps, 10);
    for (std::int64_t n = 1; n <= 2; ++n) {
        d.npu.fail_at(n);
        check_refusal([&] { g.replay(d.s); }, fault::device_failed_as_told);
    }
    check_equal(value_of(sum), 0);
    g.replay(d.s);
    check_equal(value_of(sum), 2);
    g.reset();
    check(!part.is_part());
    part.replay(d.s);
    check_equal(value_of(sum), 3);
    part.reset();
    d.npu.synchronize();
    d.npu.release_pool(pool);
    check(d.npu.statistics(pool) == npu::pool_statistics{pool});
}

/// What a replay throws, from a kernel deep in a branch: what it was to write has no value, and the next replay runs.
void failures(npu::execution run) {
    node_device d(run);
    auto p = d.boolean(true);
    auto x = d.number(1);
    cell y, z;
    auto fragile = d.captured([&](npu::capture& c) { y = raw_launch{refuses_negative, {x}}.on(c.on()); });
    auto inner = d.captured([&](npu::capture& c) { c.child(fragile); });
    auto g = d.captured([&](npu::capture& c) {
        c.if_(p, inner);
        z = c.launch(successor, x);
    });
    fragile.replay(d.s);
    g.replay(d.s);
    check(value_of(y) == 1 && value_of(z) == 2);
    x.write(std::array{std::int64_t{-1}});
    check_throws<std::runtime_error>(
        [&] {
            g.replay(d.s);
            d.npu.synchronize();
        },
        "the kernel failed");
    check_refusal([&] { static_cast<void>(y.copy()); }, fault::tensor_has_no_value);
    check_refusal([&] { static_cast<void>(z.copy()); }, fault::tensor_has_no_value);
    p.write(std::array{false});
    g.replay(d.s);
    check_equal(value_of(z), 0);
    check_refusal([&] { static_cast<void>(y.copy()); }, fault::tensor_has_no_value);
    p.write(std::array{true});
    x.write(std::array{std::int64_t{5}});
    fragile.replay(d.s);
    g.replay(d.s);
    check(value_of(y) == 5 && value_of(z) == 6);
}

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
        races(run);
        random_captures(run);
        races_of_results(run);
        memory(run);
        calls(run);
        hygiene(run);
        failures(run);
        programs_and_throws(run);
        streams(run);
        random(run);
        allocates_nothing(run);
    }
    clock_and_print();
    return report();
}
