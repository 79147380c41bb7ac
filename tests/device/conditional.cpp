// Nodes of captured graphs: branches, loops and switches. What a replay runs, in order and on threads, and what needs a
// value before.
// fault: loop_exceeds_bound
// SPDX-License-Identifier: MIT
#include "node_device.hpp"

#include <functional>

using namespace ahead;
using namespace test;

namespace {

/// Both outcomes after one capture, by a predicate that the same replay computes, that is given, and that is bound.
void ifs(npu::execution run) {
    node_device d(run);
    auto x = d.number(5), out = d.npu.empty<i64<>>();
    const auto yes = d.putting(out, d.one), no = d.putting(out, d.ten);
    cell behind;
    auto g = d.captured([&](npu::capture& c) {
        c.if_(c.launch(is_positive, x), yes, no);
        behind = c.launch(successor, out);
    });
    check(yes.is_part() && no.is_part() && !g.is_part());
    for (const std::int64_t value : {5, -5, 0, 7}) {
        x.write(std::array{value});
        g.replay(d.s);
        check_equal(value_of(out), value > 0 ? 1 : 10);
        check_equal(value_of(behind), value > 0 ? 2 : 11);
    }
    // Without an else: what is not written keeps its value.
    auto p = d.boolean(false);
    auto sum = d.number(0);
    const auto add_one = d.adding(sum, d.one);
    auto h = d.captured([&](npu::capture& c) { c.if_(p, add_one); });
    h.replay(d.s);
    check_equal(value_of(sum), 0);
    p.write(std::array{true});
    h.replay(d.s);
    d.npu.synchronize();
    h.replay(d.npu.default_stream());
    check_equal(value_of(sum), 2);
    // A predicate of the graph's own is bound to another one.
    const auto never = d.boolean(false);
    h.bind(h.find(p), never);
    h.replay(d.s);
    check_equal(value_of(sum), 2);
    check_equal(h.steps().size(), std::size_t{1});
    check(h.steps()[0].name.view() == "IF");
}

/// A branch with memory of its own, with branches in it; all in one pool.
void nested(npu::execution run) {
    node_device d(run);
    auto p = d.boolean(true), q = d.boolean(true);
    auto out = d.npu.empty<i64<>>();
    const auto pool = d.npu.graph_pool_handle();
    const auto writes = [&](std::int64_t plus) {
        return d.captured(
            [&](npu::capture& c) {
                auto a = c.launch(successor, d.ten);
                for (std::int64_t i = 1; i < plus; ++i) a = c.launch(successor, a);
                static_cast<void>(c.launch(put_into, out, a));
            },
            pool);
    };
    auto one = writes(1), two = writes(2), three = writes(3);
    auto inner = d.captured([&](npu::capture& c) { c.if_(q, one, two); }, pool);
    auto outer = d.captured([&](npu::capture& c) { c.if_(p, inner, three); }, pool);
    for (int i = 0; i < 8; ++i) {
        p.write(std::array{i % 2 == 0});
        q.write(std::array{i / 2 % 2 == 0});
        outer.replay(d.s);
        check_equal(value_of(out), i % 2 != 0 ? 13 : i / 2 % 2 != 0 ? 12 : 11);
    }
    check_equal(outer.captured().parts.size(), std::size_t{4});
    // The handles go, the whole goes on.
    const auto id = outer.pool();
    for (auto* part : {&one, &two, &three, &inner}) part->reset();
    outer.replay(d.s);
    check(value_of(out) == 13);
    check_equal(d.npu.statistics(id).users, 6);
    outer.reset();
    d.npu.synchronize();
    check_equal(d.npu.statistics(id).users, 1);
    d.npu.release_pool(id);
    check(d.npu.statistics(id) == npu::pool_statistics{id});
}

/// while n > 0: n -= 1, sum += 2
void loops(npu::execution run) {
    node_device d(run);
    const auto minus = d.number(-1), two = d.number(2);
    auto n = d.number(5), sum = d.number(0);
    auto goes_on = d.npu.empty<b8<>>();
    const auto body = d.captured([&](npu::capture& c) {
        static_cast<void>(c.launch(add_to, n, minus));
        static_cast<void>(c.launch(add_to, sum, two));
        static_cast<void>(c.launch(put_is_positive, goes_on, n));
    });
    auto g = d.captured([&](npu::capture& c) {
        static_cast<void>(c.launch(put_is_positive, goes_on, n));
        c.while_(goes_on, body, 7, "counting \"down\"");
    });
    g.replay(d.s);
    check(value_of(n) == 0 && value_of(sum) == 10);
    g.replay(d.s); // no round
    check(value_of(n) == 0 && value_of(sum) == 10);
    n.write(std::array{std::int64_t{7}}); // as many as there may be
    g.replay(d.s);
    check(value_of(n) == 0 && value_of(sum) == 24);
    n.write(std::array{std::int64_t{8}});
    check_refusal(
        [&] {
            g.replay(d.s);
            d.npu.synchronize();
        },
        fault::loop_exceeds_bound, "while_ 'counting \"down\"': loop exceeds bound: expected at most 7 rounds");
    check_refusal([&] { static_cast<void>(sum.copy()); }, fault::tensor_has_no_value);
    n.write(std::array{std::int64_t{1}});
    sum.write(std::array{std::int64_t{0}});
    g.replay(d.s);
    check_equal(value_of(sum), 2);

    // A loop in a loop, which has no name: its step says which.
    auto m = d.number(3);
    auto outer_goes_on = d.boolean(true);
    const auto round = d.captured([&](npu::capture& c) {
        static_cast<void>(c.launch(put_into, n, two));
        static_cast<void>(c.launch(put_is_positive, goes_on, n));
        c.while_(goes_on, body, 2);
        static_cast<void>(c.launch(add_to, m, minus));
        static_cast<void>(c.launch(put_is_positive, outer_goes_on, m));
    });
    auto both = d.captured([&](npu::capture& c) { c.while_(outer_goes_on, round, 3); });
    sum.write(std::array{std::int64_t{0}});
    both.replay(d.s);
    check(value_of(sum) == 12 && value_of(m) == 0);
    both.replay(d.s);
    check_equal(value_of(sum), 12);
    m.write(std::array{std::int64_t{4}});
    outer_goes_on.write(std::array{true});
    check_refusal(
        [&] {
            both.replay(d.s);
            d.npu.synchronize();
        },
        fault::loop_exceeds_bound, "while_ 'step 0'");
}

template <class Index>
void switches(npu::execution run) {
    using element = typename npu::tensor<Index>::element;
    node_device d(run);
    auto out = d.number(0);
    static_cast<void>(d.number(-1)); // what lies behind a narrow index is not read
    auto index = d.npu.template to_device<Index>(std::array{element{0}});
    const auto a = d.putting(out, d.zero), b = d.putting(out, d.one), c = d.putting(out, d.ten);
    auto g = d.captured([&](npu::capture& in) { in.switch_(index, {a, b, c, b}); });
    for (const int i : {0, 1, 2, 3, 4, -1, 100, -100}) {
        out.write(std::array{std::int64_t{-7}});
        index.write(std::array{static_cast<element>(i)});
        g.replay(d.s);
        constexpr std::int64_t expected[] = {0, 1, 10, 1};
        check_equal(value_of(out), i >= 0 && i < 4 ? expected[i] : -7);
    }
    if constexpr (sizeof(element) == 8) { // all of it counts
        out.write(std::array{std::int64_t{-7}});
        index.write(std::array{element{1} << 32});
        g.replay(d.s);
        check_equal(value_of(out), -7);
    }
    auto none = d.captured([&](npu::capture& in) { in.switch_(index, {}); });
    none.replay(d.s);
    const std::vector<npu::graph_ref> listed{b, a, c};
    auto of_list = d.captured([&](npu::capture& in) { in.switch_(index, listed); });
    index.write(std::array{element{2}});
    of_list.replay(d.s);
    check_equal(value_of(out), 10);
}

/// What all branches write needs no value, what some write, or a loop, does.
void values(npu::execution run) {
    node_device d(run);
    const auto p = d.boolean(true);
    const auto index = d.number(0);
    auto out = d.npu.empty<i64<>>();
    const auto yes = d.putting(out, d.one), no = d.putting(out, d.ten), reads = d.captured([&](npu::capture& c) { static_cast<void>(c.launch(successor, out)); });
    const auto replay = [&](auto f) {
        auto g = d.captured(f);
        g.replay(d.s);
    };
    check_refusal([&] { replay([&](npu::capture& c) { c.if_(p, yes); }); }, fault::tensor_has_no_value);
    check_refusal([&] { replay([&](npu::capture& c) { c.if_(p, yes, reads); }); }, fault::tensor_has_no_value);
    check_refusal([&] { replay([&](npu::capture& c) { c.switch_(index, {yes, no}); }); }, fault::tensor_has_no_value);
    check_refusal([&] { replay([&](npu::capture& c) { c.while_(p, yes, 1); }); }, fault::tensor_has_no_value);
    const auto changes = d.adding(out, d.one); // reads it first
    check_refusal([&] { replay([&](npu::capture& c) { c.child(changes); }); }, fault::tensor_has_no_value);
    check_refusal([&] { replay([&](npu::capture& c) { c.if_(p, changes, changes); }); }, fault::tensor_has_no_value);
    check_refusal([&] { replay([&](npu::capture& c) { c.if_(p, yes, changes); }); }, fault::tensor_has_no_value);
    check_refusal([&] { static_cast<void>(out.copy()); }, fault::tensor_has_no_value);
    replay([&](npu::capture& c) {
        c.if_(p, yes, no);
        c.if_(p, reads);
    });
    check_equal(value_of(out), 1);
    // A predicate needs one as well.
    const auto never = d.npu.empty<b8<>>();
    check_refusal([&] { replay([&](npu::capture& c) { c.if_(never, yes, no); }); }, fault::tensor_has_no_value);
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        ifs(run);
        nested(run);
        loops(run);
        switches<i64<>>(run);
        switches<i32<1>>(run);
        values(run);
    }
    return report();
}
