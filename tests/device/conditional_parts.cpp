// Nodes of captured graphs: graphs in graphs, and functions of the host. Who owns what, what a function of the host may
// not call, and random graphs of all of them.
// fault: graph_is_part_of_another
// fault: call_is_illegal_in_callback
// SPDX-License-Identifier: MIT
#include "node_device.hpp"

#include <deque>
#include <functional>
#include <random>

using namespace ahead;
using namespace test;

namespace {

/// A part is replayed by itself, is a node of several graphs, and twice of one; its results are read behind it.
void children(npu::execution run) {
    node_device d(run);
    auto sum = d.number(0), x = d.number(3);
    cell y;
    auto part = d.captured([&](npu::capture& c) {
        static_cast<void>(c.launch(add_to, sum, x));
        y = c.launch(successor, sum);
    });
    cell z;
    auto whole = d.captured([&](npu::capture& c) {
        c.child(part);
        z = c.launch(successor, y);
        c.child(part);
    });
    auto larger = d.captured([&](npu::capture& c) {
        c.child(whole);
        c.child(part);
    });
    check_refusal([&] { static_cast<void>(y.copy()); }, fault::tensor_has_no_value);
    whole.replay(d.s);
    check(value_of(sum) == 6 && value_of(y) == 7 && value_of(z) == 5);
    part.replay(d.s);
    check(value_of(sum) == 9 && value_of(y) == 10);
    larger.replay(d.s);
    check(value_of(sum) == 18 && value_of(y) == 19 && value_of(z) == 14);
    check_equal(larger.captured().parts.size(), std::size_t{2});

    // It keeps its tensors.
    const auto other = d.number(100);
    check_refusal([&] { part.bind(part.find(x), other); }, fault::graph_is_part_of_another, "bind: graph is part of another");
    check_refusal([&] { part.release_given(); }, fault::graph_is_part_of_another);
    check_refusal([&] { whole.bind(whole.find(x), other); }, fault::graph_is_part_of_another);
    check_refusal([&] { larger.bind(larger.find(x), other); }, fault::graph_is_part_of_another, "a tensor that no graph within this one uses");
    check_refusal([&] { part.capture_begin(d.s); }, fault::graph_is_captured_already);
    larger.replay(d.s);
    check_equal(value_of(sum), 27);
    // What the whole's own launches use is bound to other tensors, but to no result of a part.
    auto reads = d.captured([&](npu::capture& c) {
        c.child(part);
        z = c.launch(successor, d.ten);
    });
    check_refusal([&] { reads.bind(reads.find(x), d.one); }, fault::graph_is_part_of_another);
    check_refusal([&] { reads.bind(reads.find(d.ten), y); }, fault::inputs_overlap, "one of its own results");
    check_refusal([&] { reads.bind(reads.find(d.ten), sum); }, fault::inputs_overlap);
    reads.bind(reads.find(d.ten), other);
    reads.replay(d.s);
    check(value_of(z) == 101 && value_of(sum) == 30);
    sum.write(std::array{std::int64_t{27}});

    // Whoever lets go of it leaves it to the others.
    const auto id = part.pool();
    part.reset();
    check(!part.is_captured() && !part.is_part());
    larger.replay(d.s);
    check_equal(value_of(sum), 36);
    part.capture_begin(d.s);
    part.capture_end(d.s);
    whole.reset();
    larger.replay(d.s);
    check_equal(value_of(sum), 45);
    check_equal(d.npu.statistics(id).users, 1);
    larger.reset();
    reads.reset();
    check_equal(d.npu.statistics(id).users, 0);
    y = {};
    check(d.npu.statistics(id) == npu::pool_statistics{id});
    // Once nothing runs it any more, it takes other tensors again.
    auto alone = d.adding(sum, x);
    {
        const auto with = d.captured([&](npu::capture& c) { c.child(alone); });
        check(alone.is_part());
    }
    check(!alone.is_part());
    alone.bind(alone.find(x), other);
    alone.replay(d.s);
    check_equal(value_of(sum), 145);
}

/// A part that reads what another one makes, three graphs deep: it needs no value before.
void results_of_parts(npu::execution run) {
    node_device d(run);
    cell a, b;
    auto first = d.captured([&](npu::capture& c) { a = c.launch(successor, d.ten); });
    auto second = d.captured([&](npu::capture& c) { b = c.launch(successor, a); });
    auto both = d.captured([&](npu::capture& c) {
        c.child(first);
        c.child(second);
    });
    cell z;
    auto whole = d.captured([&](npu::capture& c) {
        c.child(both);
        z = c.launch(successor, b);
    });
    whole.replay(d.s);
    check(value_of(z) == 13 && value_of(a) == 11 && value_of(b) == 12);

    // In a branch it does.
    const auto p = d.boolean(false);
    cell y;
    auto branch = d.captured([&](npu::capture& c) { y = c.launch(successor, d.one); });
    auto reads = d.captured([&](npu::capture& c) {
        c.if_(p, branch);
        z = c.launch(successor, y);
    });
    check_refusal([&] { reads.replay(d.s); }, fault::tensor_has_no_value);
    auto runs = d.captured([&](npu::capture& c) { c.if_(p, branch); });
    runs.replay(d.s);
    check_refusal([&] { static_cast<void>(y.copy()); }, fault::tensor_has_no_value);
    auto deeper = d.captured([&](npu::capture& c) { c.child(runs); });
    deeper.replay(d.s);
    check_refusal([&] { static_cast<void>(y.copy()); }, fault::tensor_has_no_value);
    branch.replay(d.s);
    reads.replay(d.s);
    check(value_of(y) == 2 && value_of(z) == 3);
}

/// Functions of the host: in order, with the elements that are there by then.
void hosts(npu::execution run) {
    node_device d(run);
    auto n = d.number(1);
    std::vector<std::int64_t> seen;
    const auto p = d.boolean(true);
    const auto inside = d.captured([&](npu::capture& c) { c.host([&] { seen.push_back(-1); }); });
    auto g = d.captured([&](npu::capture& c) {
        c.host([&](std::span<const std::int64_t, 1> now) { seen.push_back(now[0]); }, n);
        static_cast<void>(c.launch(add_to, n, d.ten));
        c.host([&](auto now, auto other) { seen.push_back(now[0] + other[0]); }, n, d.ten);
        c.if_(p, inside);
    });
    g.replay(d.s);
    g.replay(d.s);
    d.npu.synchronize();
    check(seen == std::vector<std::int64_t>{1, 21, -1, 11, 31, -1});
    check(value_of(n) == 21);

    // Thrown as what a kernel throws.
    auto result = d.number(0);
    auto throws = d.captured([&](npu::capture& c) {
        c.host([] { throw std::runtime_error("the host has had enough"); });
        static_cast<void>(c.launch(put_into, result, n));
    });
    check_throws<std::runtime_error>(
        [&] {
            throws.replay(d.s);
            d.npu.synchronize();
        },
        "had enough");
    check_refusal([&] { static_cast<void>(result.copy()); }, fault::tensor_has_no_value);

    // It does not call its device, whatever it calls; another one it may.
    npu::graph other(d.npu);
    npu::event e;
    npu::context second;
    npu::host_parameter<i64<>> position(d.npu, 0);
    const auto pool = d.npu.graph_pool_handle();
    npu::graph captured = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(successor, n)); });
    const std::pair<std::string_view, std::function<void()>> calls[] = {
        {"npu.add.Tensor", [&] { static_cast<void>(d.s.launch(successor, n)); }},
        {"synchronize", [&] { d.npu.synchronize(); }},
        {"synchronize", [&] { d.s.synchronize(); }},
        {"synchronize", [&] { e.synchronize(); }},
        {"replay", [&] { captured.replay(d.s); }},
        {"copy_to", [&] { static_cast<void>(n.copy()); }},
        {"write", [&] { n.write(std::array{std::int64_t{1}}); }},
        {"empty", [&] { static_cast<void>(d.npu.empty<i64<>>()); }},
        {"capture_begin", [&] { other.capture_begin(d.s); }},
        {"capture_end", [&] { other.capture_end(d.s); }},
        {"record", [&] { e.record(d.s); }},
        {"wait", [&] { d.s.wait(e); }},
        {"query", [&] { static_cast<void>(d.s.query()); }},
        {"query", [&] { static_cast<void>(e.query()); }},
        {"bind", [&] { captured.bind(captured.find(n), d.ten); }},
        {"reset", [&] { captured.reset(); }},
        {"new_stream", [&] { static_cast<void>(d.npu.new_stream()); }},
        {"empty_cache", [&] { d.npu.empty_cache(); }},
        {"reserve", [&] { static_cast<void>(d.npu.reserve(captured.pool(), 64)); }},
        {"update", [&] { position.update(1); }},
        {"graph_pool_handle", [&] { static_cast<void>(d.npu.graph_pool_handle()); }},
        {"release_pool", [&] { d.npu.release_pool(pool); }},
        {"beginAllocateToPool", [&] { d.npu.begin_allocate_to_pool(pool); }},
        {"endAllocatePool", [&] { d.npu.end_allocate_to_pool(pool); }},
        {"host", [&] { d.s.host([] {}); }},
        {"child", [&] { d.s.child(captured); }},
    };
    e.record(d.s);
    for (const auto& [name, call] : calls) {
        auto h = d.captured([&](npu::capture& c) { c.host(call); });
        check_fault(
            [&] {
                h.replay(d.t);
                d.t.synchronize();
            },
            {.what = fault::call_is_illegal_in_callback, .op = name});
    }
    bool is_right = false;
    auto h = d.captured([&](npu::capture& c) {
        c.host([&] {
            const auto there = second.to_device<i64<>>(std::array{std::int64_t{3}});
            is_right = second.default_stream().launch(successor, there).copy()[0] == 4;
        });
    });
    h.replay(d.s);
    d.npu.synchronize();
    check(is_right && value_of(n) == 21);
}

/// Random graphs of random graphs, four deep, whose handles are gone, against what a host makes of them.
struct random_parts {
    struct state {
        std::array<std::int64_t, 3> n{};
        std::array<bool, 2> p{};
    };
    using model = std::function<void(state&)>; // throws an int where a loop does not end
    struct part {
        npu::graph graph;
        model run;
    };
    node_device& d;
    std::mt19937 random;
    std::array<cell, 3> n{d.number(0), d.number(0), d.number(0)};
    std::array<boolean_tensor, 2> p{d.boolean(false), d.boolean(false)};
    cell minus = d.number(-1);
    npu::mempool_id pool = d.npu.graph_pool_handle();

    std::size_t below(std::size_t end) { return random() % end; }
    part make(int depth) {
        std::deque<part> parts;
        for (std::size_t i = depth == 0 ? 0 : 1 + below(3); i > 0; --i) parts.push_back(make(depth - 1));
        std::vector<model> all;
        const auto any = [&]() -> part& { return parts[below(parts.size())]; };
        npu::graph g(d.npu);
        npu::capture c(g, d.s, below(2) == 0 ? std::optional(pool) : std::nullopt);
        for (std::size_t left = 1 + below(4); left > 0; --left) {
            const auto i = below(3), k = below(3), q = below(2);
            switch (parts.empty() ? below(3) : below(8)) {
            case 0: {
                const auto [other, by] = std::array{std::pair{&minus, -1}, std::pair{&d.one, 1}, std::pair{&d.zero, 0}}[below(3)];
                if (i == k) static_cast<void>(c.launch(add_to, n[i], *other));
                else static_cast<void>(c.launch(put_sum, n[i], n[k], *other));
                all.push_back([=](state& now) { now.n[i] = now.n[k] + by; });
                break;
            }
            case 1:
            case 2:
                static_cast<void>(c.launch(put_is_positive, p[q], n[i]));
                all.push_back([=](state& now) { now.p[q] = now.n[i] > 0; });
                break;
            case 3: {
                auto& a = any();
                c.child(a.graph);
                all.push_back(a.run);
                break;
            }
            case 4: {
                auto& a = any();
                c.if_(p[q], a.graph);
                all.push_back([=, a = a.run](state& now) { now.p[q] ? a(now) : void(); });
                break;
            }
            case 5: {
                auto &a = any(), &b = any();
                c.if_(p[q], a.graph, b.graph);
                all.push_back([=, a = a.run, b = b.run](state& now) { now.p[q] ? a(now) : b(now); });
                break;
            }
            case 6: {
                auto& a = any();
                const auto bound = static_cast<std::int64_t>(1 + below(6));
                c.while_(p[q], a.graph, bound);
                all.push_back([=, a = a.run](state& now) {
                    for (std::int64_t round = 0; now.p[q]; ++round) {
                        if (round == bound) throw 7;
                        a(now);
                    }
                });
                break;
            }
            default: {
                auto &a = any(), &b = any();
                c.switch_(n[k], {a.graph, b.graph});
                all.push_back([=, a = a.run, b = b.run](state& now) { now.n[k] == 0 ? a(now) : now.n[k] == 1 ? b(now) : void(); });
            }
            }
        }
        c.end();
        return {std::move(g), [all](state& now) {
                    for (const auto& one : all) one(now);
                }};
    }
};
void random_programs(npu::execution run) {
    node_device d(run);
    random_parts r{d, std::mt19937(11)};
    int ended = 0, endless = 0;
    for (int program = 0; program < 60; ++program) {
        auto whole = r.make(3);
        for (int i = 0; i < 12; ++i) {
            random_parts::state now;
            for (auto& value : now.n) value = static_cast<std::int64_t>(r.below(5)) - 1;
            for (auto& value : now.p) value = r.below(2) == 0;
            for (std::size_t k = 0; k < 3; ++k) r.n[k].write(std::array{now.n[k]});
            for (std::size_t k = 0; k < 2; ++k) r.p[k].write(std::array{now.p[k]});
            bool ends = true;
            try {
                whole.run(now);
            } catch (int) {
                ends = false;
            }
            (ends ? ended : endless)++;
            const auto replay = [&] {
                whole.graph.replay(d.s);
                d.npu.synchronize();
            };
            if (!ends) {
                check_refusal(replay, fault::loop_exceeds_bound, "while_ 'step ");
                continue;
            }
            replay();
            for (std::size_t k = 0; k < 3; ++k) check_equal(value_of(r.n[k]), now.n[k]);
            for (std::size_t k = 0; k < 2; ++k) check_equal(r.p[k].copy()[0], now.p[k]);
        }
    }
    check(ended > 200 && endless > 20, std::to_string(ended) + " ended, " + std::to_string(endless) + " did not");
    d.npu.release_pool(r.pool);
    check(d.npu.statistics(r.pool) == npu::pool_statistics{r.pool});
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        children(run);
        results_of_parts(run);
        hosts(run);
        random_programs(run);
    }
    return report();
}
