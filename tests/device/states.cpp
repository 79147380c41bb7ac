// States of a program on the device: launched, captured and replayed it goes on as in a session, to the bit; states are
// the object's own memory, and an unordered use of them is refused.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "decoder.hpp"
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/npu/graph.hpp>
#include <ahead/npu/launch.hpp>

using namespace ahead;
using namespace test;
using namespace test::decoder_step;

namespace {

// Eager launches, then 64 replays, then launches again, on one state.
template <class Program> void goes_on(npu::execution how) {
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    const auto prepared = Program::prepare(given());
    by_session<Program> session;
    npu::states<Program> s(npu, prepared);
    check(session.states_are(s) && s.template state<"n">().copy()[0] == 5);
    auto x = npu.to_device<f32<1, 4>>(at_step<4>(0));
    auto p = npu.to_device<i64<1>>(position(0));
    const auto set = [&](int step) {
        x.write(at_step<4>(step));
        p.write(position(step));
    };
    for (int i = 0; i < 5; ++i) {
        set(i);
        check(session.template step_is<4>(i, side.launch(s, x, p)));
    }
    check(session.states_are(s));

    npu::graph g(npu);
    using outputs = decltype(side.launch(s, x, p));
    outputs y;
    {
        npu::capture c(g, side);
        y = c.launch(s, x, p);
        c.end();
    }
    check(session.states_are(s)); // nothing has run
    const auto* address = s.template state<"cache">().data();
    const auto prints = allocations.load();
    g.replay(side);
    side.synchronize();
    check_equal(allocations.load(), prints);
    check(session.template step_is<4>(4, y)); // as the last launch was given
    for (int i = 5; i < 69; ++i) {
        set(i);
        g.replay(side);
        check(session.template step_is<4>(i, y));
    }
    check(session.states_are(s) && s.template state<"cache">().data() == address);
    set(69);
    check(session.template step_is<4>(69, side.launch(s, x, p)));

    // Back to the weights; the graph goes on from there.
    s.reset();
    session.run.reset();
    check(session.states_are(s));
    for (int i = 0; i < 3; ++i) {
        set(i);
        g.replay(side);
        check(session.template step_is<4>(i, y));
    }
    check(session.states_are(s));

    // A state is a tensor: read and written as others are.
    auto cache = s.template state<"cache">();
    cache.write(began);
    check(s.template state<"cache">().copy() == began);
    check(std::get<0>(std::tuple{side.launch([](auto a) { return abs(a); }, s.template state<"sum">())}).copy()[0] >= 0);
}

// Who has states of their own disturbs nobody; what a graph holds outlives the object.
void are_the_objects_own(npu::execution how) {
    npu::context npu({.run = how});
    const auto a = npu.new_stream(), b = npu.new_stream();
    const auto prepared = counter::prepare([] {
        static constexpr std::int64_t n = 0;
        weights out;
        out.add("n", dtype::i64, {}, std::as_bytes(std::span(&n, 1)));
        return out;
    }());
    const auto x = npu.to_device<f32<2>>(std::array<float, 2>{1, 10});
    npu::graph ga(npu), gb(npu);
    npu::tensor<f32<2>> ya, yb;
    {
        npu::states<counter> sa(npu, prepared), sb(npu, prepared);
        for (auto [g, on, s, y] : {std::tuple{&ga, a, &sa, &ya}, std::tuple{&gb, b, &sb, &yb}}) {
            npu::capture c(*g, on);
            *y = c.launch(*s, x);
            c.end();
        }
        for (int i = 0; i < 3; ++i) ga.replay(a);
        gb.replay(b);
        check(ya.copy()[1] == 30 && yb.copy()[1] == 10 && sa.state<"n">().copy()[0] == 3 && sb.state<"n">().copy()[0] == 1);
        // A move takes them along.
        npu::states<counter> moved(std::move(sa));
        check(moved.state<"n">().copy()[0] == 3);
        check_fault([&] { a.launch(sa, x); }, fault::tensor_is_empty);
        check_fault([&] { sa.reset(); }, fault::tensor_is_empty);
        check_fault([&] { sa.state<"n">().copy(); }, fault::tensor_is_empty);
    }
    ga.replay(a);
    gb.replay(b);
    check(ya.copy()[1] == 40 && yb.copy()[1] == 20);
}

inline constexpr auto doubling = trace([](input<"c", f32<8, 4>> c, param<"cache", f32<8, 4>, input_role::buffer> cache) { return outputs(add(copy_(cache, mul(cache, 2)), c)); });
using cached = compiled<doubling>;
// fault: streams_race
void races_are_refused(npu::execution how) {
    npu::context npu({.run = how});
    const auto a = npu.new_stream(), b = npu.new_stream();
    const auto prepared = program::prepare(given());
    npu::states<program> s(npu, prepared);
    const auto x = npu.to_device<f32<1, 4>>(at_step<4>(0));
    const auto p = npu.to_device<i64<1>>(position(0));
    const auto n = [&] { return s.state<"n">().copy()[0]; };
    a.launch(s, x, p);
    check_fault([&] { b.launch(s, x, p); }, fault::streams_race);
    check_fault([&] { b.launch([](auto c) { return abs(c); }, s.state<"cache">()); }, fault::streams_race);
    npu::event done;
    done.record(a);
    b.wait(done);
    b.launch(s, x, p);
    check_equal(n(), 7);
    // In a capture, and in its replays.
    npu::graph g(npu);
    {
        npu::capture c(g, a);
        npu::event fork, join;
        c.record(fork);
        b.wait(fork);
        c.launch(s, x, p);
        check_fault([&] { b.launch(s, x, p); }, fault::streams_race);
        check_fault([&] { s.reset(); }, fault::call_is_illegal_in_capture);
        check_fault([&] { npu::states<program>(npu, prepared); }, fault::call_is_illegal_in_capture);
        join.record(b);
        c.wait(join);
        c.end();
    }
    b.launch(s, x, p);
    check_fault([&] { g.replay(a); }, fault::streams_race);
    check_equal(n(), 8);
    g.replay(a);
    check_fault([&] { b.launch(s, x, p); }, fault::streams_race);
    check_equal(n(), 9);
    // What the graph is given is no state that it writes, and no other tensor takes the states' place.
    weights one;
    one.add("cache", dtype::f32, {8, 4}, std::as_bytes(std::span(began)));
    const auto of_one = cached::prepare(one);
    npu::states<cached> mine(npu, of_one), other(npu, of_one);
    check_fault([&] { a.launch(mine, mine.state<"cache">()); }, fault::inputs_overlap, "found that of the states");
    check(a.launch(mine, other.state<"cache">()).copy()[1] == 6 && mine.state<"cache">().copy()[1] == 4);
    npu::graph held(npu);
    {
        npu::capture c(held, a);
        c.launch(mine, other.state<"cache">());
        c.end();
    }
    check_fault([&] { held.find(mine.state<"cache">()); }, fault::tensor_is_not_bound);
    check_fault([&] { held.bind(held.find(other.state<"cache">()), mine.state<"cache">()); }, fault::inputs_overlap);
    npu::context elsewhere;
    npu::states<program> far(elsewhere, prepared);
    check_fault([&] { a.launch(far, x, p); }, fault::device_is_another);
}

// A launch that fails leaves states without a value, and says so, until they are set back.
void a_failure_is_not_passed_over() {
    npu::context npu;
    const auto side = npu.new_stream();
    const auto prepared = program::prepare(given());
    npu::states<program> s(npu, prepared);
    const auto x = npu.to_device<f32<1, 4>>(at_step<4>(0));
    auto p = npu.to_device<i64<1>>(std::array<std::int64_t, 1>{8});
    check_fault([&] { side.launch(s, x, p); }, fault::index_is_out_of_range);
    p.write(position(0));
    check_fault([&] { side.launch(s, x, p); }, fault::tensor_has_no_value);
    s.reset();
    by_session<program> session;
    check(session.step_is<4>(0, side.launch(s, x, p)));
    // As the device fails: nothing has changed.
    for (std::int64_t n = 1;; ++n) {
        npu.fail_at(n);
        try {
            side.launch(s, x, p);
        } catch (const error&) {
            check(session.states_are(s));
            continue;
        }
        check(npu.steps_to_failure() > 0 && n > 1);
        break;
    }
}

// States are no memory of the pool that graphs compute in, and go when their last holder goes.
void pools() {
    npu::context npu;
    const auto side = npu.new_stream();
    const auto prepared = program::prepare(given());
    const auto before = npu.statistics().held_bytes;
    const auto x = npu.to_device<f32<1, 4>>(at_step<4>(0));
    const auto p = npu.to_device<i64<1>>(position(0));
    const auto with_inputs = npu.statistics().held_bytes;
    {
        npu::graph g(npu);
        {
            npu::states<program> s(npu, prepared);
            check_equal(npu.statistics().held_bytes, with_inputs + program::plan.state_bytes);
            npu::capture c(g, side);
            c.launch(s, x, p);
            c.end();
        }
        check_equal(npu.statistics().held_bytes, with_inputs + program::plan.state_bytes); // the graph's
        g.replay(side);
        side.synchronize();
    }
    check_equal(npu.statistics().held_bytes, with_inputs);
    check(before < with_inputs);
    npu::context small({.memory_bytes = 64});
    check_fault([&] { npu::states<program>(small, prepared); }, fault::device_memory_is_exhausted, "states");
}

} // namespace

int main() {
    for (const auto how : {npu::execution::in_order, npu::execution::threads}) {
        goes_on<program>(how);
        goes_on<spread>(how);
        are_the_objects_own(how);
        races_are_refused(how);
    }
    a_failure_is_not_passed_over();
    pools();
    return report();
}
