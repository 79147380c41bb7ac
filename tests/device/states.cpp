// SPDX-License-Identifier: MIT
// What a program writes of its weights, on the device: launched, captured and replayed it goes on as in a session, to the bit; it is the object's own, never copied,
// and whoever uses it unordered is refused.
#include "check_fault.hpp"
#include "counted_allocations.hpp"
#include "harness.hpp"

#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/npu/compiled_graphs.hpp>
#include <ahead/npu/generator.hpp>

using namespace ahead;
using namespace test;

namespace {

/// A cache of eight rows, written in place, one at a step; a sum that is read and written; a counter.
template <std::int64_t Rows>
inline constexpr auto decoder = trace([](input<"x", f32<Rows, 4>> x, input<"position", i64<1>> position, param<"w", f32<4, 4>> w,
                                         param<"cache", f32<8, 4>, input_role::buffer> cache, param<"sum", f32<4>, input_role::buffer> total,
                                         param<"n", i64<>, input_role::buffer> n) {
    const auto key = ahead::sum<0>(sigmoid(mm(x, w)));
    const auto all = copy_(cache, call<aten::index_copy>(call_site::current(), cache, integer<0>{}, position, view<1, 4>(key)));
    const auto next = copy_(total, add(mul(total, 0.5), key));
    const auto count = copy_(n, add(n, 1));
    return outputs(mm(x, permute<1, 0>(all)), add(next, 1), count);
});
using program = compiled<decoder<1>>;
using wide = compiled<decoder<3>>;
static_assert(program::plan.states == 3 && program::plan.state_bytes == 256 && program::plan.states_written_in_place == 2); // the counter is returned as well
inline constexpr config on_two_options{.streams = 2};
using on_two = toolchain<>::with_options<on_two_options>;
using spread = compiled<decoder<1>, on_two>;
inline constexpr auto counting = trace([](input<"x", f32<2>> x, param<"n", i64<>, input_role::buffer> n) { return outputs(mul(x, copy_(n, add(n, 1)))); });
using counter = compiled<counting>;

constexpr std::array<float, 16> w_values{0.5f, -1, 0.25f, 2, 1, 0, -0.5f, 0.125f, 3, -2, 1, 0, 0.75f, 1, -1, 0.5f};
constexpr std::array<float, 32> began{1, 2, 3, 4};

weights given() {
    static constexpr std::int64_t n = 5;
    weights out;
    out.add("w", dtype::f32, {4, 4}, std::as_bytes(std::span(w_values)));
    out.add("cache", dtype::f32, {8, 4}, std::as_bytes(std::span(began)));
    out.add("sum", dtype::f32, {4}, std::as_bytes(std::span(w_values)).first(16));
    out.add("n", dtype::i64, {}, std::as_bytes(std::span(&n, 1)));
    return out;
}
template <std::size_t Count> std::array<float, Count> at_step(int step) {
    std::array<float, Count> out;
    for (std::size_t i = 0; i < Count; ++i) out[i] = static_cast<float>((step * 7 + static_cast<int>(i) * 5) % 11) * 0.25f - 1;
    return out;
}
std::array<std::int64_t, 1> position(int step) { return {step % 8}; }

/// Outputs and states of a session, against those of the device.
template <class Program> struct by_session {
    prepared_weights<Program> prepared = Program::prepare(given());
    typename Program::session run{prepared};

    template <std::size_t Count> bool step_is(int step, const auto& outputs) {
        const auto [scores, next, count] = run(at_step<Count>(step), position(step));
        return scores.copy() == std::get<0>(outputs).copy() && next.copy() == std::get<1>(outputs).copy() && count.copy() == std::get<2>(outputs).copy();
    }
    bool states_are(const auto& s) {
        return run.template state<"cache">().copy() == s.template state<"cache">().copy() && run.template state<"sum">().copy() == s.template state<"sum">().copy() &&
               run.template state<"n">().copy() == s.template state<"n">().copy();
    }
};

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

struct rows_of {
    static constexpr char text[] = R"fx(def forward(self, cache: "f32[8, 4]", x: "f32[s0, 4]", position: "i64[1]"):
    sum_1: "f32[1, 4]" = torch.ops.aten.sum.dim_IntList(x, [0], True)
    index_put_: "f32[8, 4]" = torch.ops.aten.index_put_.default(cache, [position], sum_1)
    permute: "f32[4, 8]" = torch.ops.aten.permute.default(index_put_, [1, 0])
    mm: "f32[s0, 8]" = torch.ops.aten.mm.default(x, permute)
    return (mm,)
)fx";
    static constexpr fx_input inputs[] = {{.placeholder = "cache", .weight = "cache"}};
};
using steps_of = compiled_gears<rows_of, gears<"s0", 1, 3>>;

// Compiled graphs: one state, made once, for all gears; no copy of it, whatever is copied besides.
void compiled_graphs_share_it(npu::execution how) {
    using one_row = steps_of::program<0>;
    using three_rows = steps_of::program<1>;
    static_assert(one_row::plan.states_written_in_place == 1 && three_rows::plan.states_written_in_place == 1);
    static_assert(npu::detail::keep_the_same_states<one_row, three_rows>() && !npu::detail::keep_the_same_states<one_row, program>());
    weights one;
    one.add("cache", dtype::f32, {8, 4}, std::as_bytes(std::span(began)));
    const auto prepared = steps_of::prepare(one);
    steps_of::session run{prepared};
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    npu::compiled_graphs<one_row, three_rows> net(npu, side, {}, prepared.get<0>(), prepared.get<1>());
    npu::compiled_graphs<one_row> alone(npu, side, {}, prepared.get<0>());
    const auto x = npu.to_device<f32<1, 4>>(at_step<4>(1));
    const auto z = npu.to_device<f32<3, 4>>(at_step<12>(2));
    auto p = npu.to_device<i64<1>>(position(0));
    const auto* address = net.state<one_row, "cache">().data();
    check(address == net.state<three_rows, "cache">().data() && address != alone.state<one_row, "cache">().data());
    for (int i = 0; i < 64; ++i) {
        p.write(position(i));
        const auto launches = npu.launches();
        if (i % 3 == 0) check(net(z, p).copy() == std::get<0>(run.at<3>()(at_step<12>(2), position(i))).copy());
        else check(net(x, p).copy() == std::get<0>(run.at<1>()(at_step<4>(1), position(i))).copy());
        check_equal(npu.launches(), launches + 1); // and no copy
        check(net.state<one_row, "cache">().data() == address);
    }
    check(net.state<three_rows, "cache">().copy() == run.at<1>().state<"cache">().copy());
    check(alone.state<one_row, "cache">().copy() == began);
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 64});
    check(npu.statistics(net.pool()).reserved_bytes > 0);
    // Graphs go, states stay; and go back.
    net.reset();
    check(net.state<one_row, "cache">().copy() != began && net.state<one_row, "cache">().data() == address);
    net.reset_states();
    check(net.state<one_row, "cache">().copy() == began);
    run.reset();
    p.write(position(3));
    check(net(x, p).copy() == std::get<0>(run.at<1>()(at_step<4>(1), position(3))).copy());
    // Other weights are another graph, which goes on with the same states; they begin as these weights when they are set back.
    constexpr std::array<float, 32> nothing{};
    weights zeros;
    zeros.add("cache", dtype::f32, {8, 4}, std::as_bytes(std::span(nothing)));
    const auto others = steps_of::prepare(zeros);
    net.use(others.get<0>());
    net.use(others.get<1>());
    p.write(position(5));
    check(net(x, p).copy() == std::get<0>(run.at<1>()(at_step<4>(1), position(5))).copy() && net.state<one_row, "cache">().data() == address);
    check_equal(net.counters().captured, 4); // two before reset(), two after it
    net.reset_states();
    check(net.state<one_row, "cache">().copy() == nothing);
    // The same states by hand, for both gears.
    npu::states<one_row> s(npu, prepared.get<0>());
    npu::states<three_rows> same(s, prepared.get<1>());
    side.launch(same, z, p);
    run.reset();
    run.at<3>()(at_step<12>(2), position(5));
    check(s.state<"cache">().copy() == run.at<1>().state<"cache">().copy());
}

// Whatever the options say, a call advances the states once; warm-ups work on a copy, and copies of other tensors take none along.
inline constexpr auto writing = trace([](input<"c", f32<2>> c, param<"n", i64<>, input_role::buffer> n) {
    copy_(c, add(c, 1));
    return outputs(mul(c, copy_(n, add(n, 1))));
});
using writer = compiled<writing>;
void options_keep_it(npu::execution how) {
    static constexpr std::int64_t n = 0;
    weights one;
    one.add("n", dtype::i64, {}, std::as_bytes(std::span(&n, 1)));
    const auto prepared = writer::prepare(one);
    for (const auto moved : {npu::moved_policy::bind, npu::moved_policy::recapture, npu::moved_policy::copy_back})
        for (const std::int64_t warmups : {0, 2}) {
            npu::context npu({.run = how});
            const auto side = npu.new_stream();
            npu::compiled_graphs<writer> net(npu, side, {.moved_inputs = moved, .num_warmups = warmups}, prepared);
            auto c = npu.to_device<f32<2>>(std::array<float, 2>{0, 1}), d = npu.to_device<f32<2>>(std::array<float, 2>{10, 20});
            const auto* address = net.state<writer, "n">().data();
            const auto first = net(c).copy(), second = net(d).copy(), third = net(c).copy();
            check(first[1] == 2 && second[1] == 42 && third[1] == 9 && c.copy()[1] == 3);
            check(net.state<writer, "n">().copy()[0] == 3 && net.state<writer, "n">().data() == address);
            check_equal(net.counters().copied_back, moved == npu::moved_policy::copy_back ? 2 : 0); // of d and c, and of no state
        }
    npu::context npu({.run = how});
    {
        // What is held stays: the next call computes elsewhere, on the same states.
        const auto side = npu.new_stream();
        npu::compiled_graphs<writer> net(npu, side, {.held_outputs = npu::held_policy::keep}, prepared);
        auto c = npu.to_device<f32<2>>(std::array<float, 2>{0, 1});
        const auto first = net(c), second = net(c);
        check(first.copy()[1] == 2 && second.copy()[1] == 6 && net.state<writer, "n">().copy()[0] == 2);
        check_equal(net.counters().recaptured_for_held_outputs, 1);
    }
    npu::compiled_graphs<writer> eager(npu, npu.default_stream(), {.force_eager = true}, prepared);
    auto c = npu.to_device<f32<2>>(std::array<float, 2>{0, 1});
    eager(c);
    check(eager(c).copy()[1] == 6);
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

// Draws and states in one program: both go on in replays.
inline constexpr auto walking = trace([](input<"x", f32<6>> x, param<"at", f32<6>, input_role::buffer> at) { return outputs(add(copy_(at, add(at, rand_like(x))), x)); });
void with_draws(npu::execution how) {
    using walk = compiled<walking>;
    const std::array<float, 6> zeros{}, ones{1, 1, 1, 1, 1, 1};
    weights one;
    one.add("at", dtype::f32, {6}, std::as_bytes(std::span(ones)));
    const auto prepared = walk::prepare(one);
    walk::session run{prepared};
    npu::context npu({.run = how});
    const auto side = npu.new_stream();
    npu::states<walk> s(npu, prepared);
    npu::generator gen(npu, 3);
    const auto x = npu.to_device<f32<6>>(zeros);
    std::array<std::int64_t, 1> offset{0};
    const auto wanted = [&] { return std::get<0>(run(zeros, std::array<std::int64_t, 1>{3}, offset)).copy(); };
    check(gen.launch(side, s, x).copy() == wanted());
    npu::graph g(npu);
    npu::tensor<f32<6>> y;
    {
        npu::capture c(g, side);
        y = gen.launch(side, s, x);
        c.end();
    }
    for (int i = 0; i < 3; ++i) {
        g.replay(side);
        check(y.copy() == wanted() && s.state<"at">().copy() == run.state<"at">().copy());
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
        compiled_graphs_share_it(how);
        options_keep_it(how);
        with_draws(how);
    }
    a_failure_is_not_passed_over();
    pools();
    return report();
}
