// Nodes of captured graphs, what can go wrong: captures that fail, calls that cannot be right, kernels that throw. What
// is refused leaves everything as it was.
// fault: stream_is_not_captured
// SPDX-License-Identifier: MIT
#include "node_device.hpp"

#include <ahead/npu/generator.hpp>

#include <deque>
#include <functional>

using namespace ahead;
using namespace test;

namespace {

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
            check_fault(e.what_happened, {fault::device_failed_as_told});
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

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        calls(run);
        hygiene(run);
        failures(run);
    }
    return report();
}
