// States of compiled graphs: one for all gears, advanced once by a call whatever the options say, beside random
// numbers.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "decoder.hpp"
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/npu/compiled_graphs.hpp>
#include <ahead/npu/generator.hpp>

using namespace ahead;
using namespace test;
using namespace test::decoder_step;

namespace {

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

} // namespace

int main() {
    for (const auto how : {npu::execution::in_order, npu::execution::threads}) {
        compiled_graphs_share_it(how);
        options_keep_it(how);
        with_draws(how);
    }
    return report();
}
