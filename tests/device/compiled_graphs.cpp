// SPDX-License-Identifier: MIT
// Compiled graphs: when a program is captured, bound, captured again or launched eagerly, what each option does, and that nothing it was given is ever lost.
// fault: output_is_still_held
// fault: capture_limit_is_reached
// fault: frozen_parameters_have_moved
// fault: option_is_out_of_range
// fault: option_has_no_effect
#include "graph_programs.hpp"

using namespace ahead;
using namespace test;

namespace {

inline constexpr auto sharing = trace([](input<"x", f32<2, 4>> x, input<"c", f32<2, 4>> c) {
    const auto a = add(x, 1);
    const auto w = copy_(c, add(c, x));
    return outputs(a, view<8>(a), select<0, 1>(a), x, view<8>(x), select<0, 1>(x), permute<1, 0>(x), w, select<0, 1>(c));
});
using shared = compiled<sharing>;

// Captured once and replayed; another shape is another graph; the old shape finds its own again.
void shapes(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    npu::compiled_graphs<small, middle> net(npu, s, {}, by_two, by_three);
    const auto x = npu.to_device<f32<8>>(eight_ones);
    const auto z = npu.to_device<f32<16>>(all<16>(4));
    check(values(net, x) == all<8>(4));
    check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 1});
    check(values(net, x) == all<8>(4));
    check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 2});
    check(values(net, z) == all<16>(15));
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 3});
    const auto launches = npu.launches();
    check(values(net, x) == all<8>(4));
    check_equal(npu.launches(), launches + 1);
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 4});
    check_equal(print(net.counters()), "captured 2, replayed 4");
    check_equal(net.keys().size(), std::size_t{2});
    check_equal(print(net.keys()[1]), "program 1, parameters at " + std::to_string(reinterpret_cast<std::uintptr_t>(by_three.constants())));
    check_equal(print(npu::graph_key{}), "program 0");

    // Without its graphs it captures anew; what is held is there.
    const auto held = net(z);
    net.reset();
    check(net.keys().empty() && held.copy() == all<16>(15));
    check_equal(npu.statistics(net.pool()).users, 1);
    check(values(net, x) == all<8>(4) && values(net, z) == all<16>(15) && held.copy() == all<16>(15));
    check(net.counters() == npu::graph_counters{.captured = 4, .replayed = 7});

    // Eager launches and warm-ups give the same.
    npu::compiled_graphs<small> eager(npu, npu.default_stream(), {.force_eager = true}, by_two);
    npu.synchronize();
    check(values(eager, x) == all<8>(4) && values(eager, x) == all<8>(4));
    check(eager.counters() == npu::graph_counters{.run_eagerly = 2});
    check(eager.keys().empty());
}

// One graph more than the limit.
void limits(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    const auto z = npu.to_device<f32<16>>(all<16>(4));
    const auto v = npu.to_device<f32<32>>(all<32>(1));
    {
        npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 1, .when_full = npu::full_policy::run_eagerly}, by_two, by_three);
        for (int i = 0; i < 2; ++i) check(values(net, x) == all<8>(4) && values(net, z) == all<16>(15));
        check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 2, .run_eagerly = 2});
        check_equal(net.keys()[0].program, std::size_t{0});
    }
    {
        npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 1, .when_full = npu::full_policy::refuse}, by_two, by_three);
        check(values(net, x) == all<8>(4));
        check_fault([&] { net(z); }, fault::capture_limit_is_reached, "Raise capture_limit");
        check(values(net, x) == all<8>(4));
        check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 2});
    }
    {
        npu::compiled_graphs<small, middle, large> net(npu, s, {.capture_limit = 2}, by_two, by_three, by_four);
        check(values(net, x) == all<8>(4) && values(net, z) == all<16>(15));
        check(values(net, x) == all<8>(4)); // the other one is older now
        check(values(net, v) == all<32>(8));
        check(net.counters() == npu::graph_counters{.captured = 3, .replayed = 4, .evicted = 1});
        check(net.keys()[0].program + net.keys()[1].program == 2);
        check(values(net, x) == all<8>(4) && values(net, v) == all<32>(8));
        check_equal(net.counters().captured, 3);
        check_equal(npu.statistics(net.pool()).users, 3);
    }
    using of_small = npu::compiled_graphs<small>;
    check_fault([&] { of_small(npu, s, {.capture_limit = 0}, by_two); }, fault::option_is_out_of_range, "capture_limit");
    check_fault([&] { of_small(npu, s, {.num_warmups = -1}, by_two); }, fault::option_is_out_of_range, "num_warmups");
    // What is said of graphs beside force_eager.
    const auto has_no_effect = [&](npu::graph_options options, const char* name) {
        options.force_eager = true;
        check_fault([&] { of_small(npu, s, options, by_two); }, fault::option_has_no_effect, name);
    };
    has_no_effect({.capture_limit = 2}, "capture_limit");
    has_no_effect({.when_full = npu::full_policy::refuse}, "when_full");
    has_no_effect({.moved_inputs = npu::moved_policy::copy_back}, "moved_inputs");
    has_no_effect({.held_outputs = npu::held_policy::keep}, "held_outputs");
    has_no_effect({.num_warmups = 1}, "num_warmups");
    has_no_effect({.pool = npu.graph_pool_handle()}, "pool");
    has_no_effect({.mode = npu::capture_mode::relaxed}, "mode");
    check_fault([&] { of_small(npu, s, {.force_eager = true, .num_warmups = 1}, by_two); }, fault::option_has_no_effect, "given, with force_eager");
    of_small frozen(npu, s, {.frozen_parameters = true, .force_eager = true}, by_two);
    const auto others = small::prepare(one_weight(5));
    check_fault([&] { frozen.use(others); }, fault::frozen_parameters_have_moved);
    check_fault([&] { of_small(npu, npu.default_stream(), {}, by_two); }, fault::stream_is_default, "new_stream()");
}

// What the graph writes is the caller's tensor, wherever it lies.
void mutated_inputs(npu::execution run) {
    for (const auto moved : {npu::moved_policy::bind, npu::moved_policy::recapture, npu::moved_policy::copy_back}) {
        npu::context npu({.run = run});
        const auto s = npu.new_stream();
        npu::compiled_graphs<counter> net(
            npu, s, {.capture_limit = 1, .when_full = npu::full_policy::refuse, .moved_inputs = moved, .num_warmups = 2}, no_weights);
        auto c = npu.to_device<f32<8>>(eight_ones);
        const auto x = npu.to_device<f32<8>>(threes);
        check(values(net, c, x) == all<8>(5) && c.copy() == all<8>(2));
        check(values(net, c, x) == all<8>(7) && c.copy() == all<8>(4));
        check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 2});

        auto d = npu.to_device<f32<8>>(all<8>(10));
        check(values(net, d, x) == all<8>(23) && d.copy() == all<8>(20));
        check(c.copy() == all<8>(4), "the tensor that was captured is the caller's, too");
        check(values(net, d, x) == all<8>(43) && d.copy() == all<8>(40));
        npu::graph_counters expected{.captured = 1, .replayed = 4};
        if (moved == npu::moved_policy::bind)
            expected.bound = 1;
        else if (moved == npu::moved_policy::recapture)
            expected.recaptured_for_mutated_inputs = 1;
        else
            expected.copied_back = 2;
        check_equal(print(net.counters()), print(expected));
        check(values(net, c, x) == all<8>(11) && c.copy() == all<8>(8) && d.copy() == all<8>(40));
        check_equal(net.keys().size(), std::size_t{1});
        check(x.copy() == threes);
        check_fault([&] { net(c, c); }, fault::inputs_overlap);

        // Two that change places.
        auto e = npu.to_device<f32<8>>(eight_ones);
        check(values(net, c, e) == all<8>(17) && values(net, e, c) == all<8>(18));
        check(c.copy() == all<8>(16) && e.copy() == all<8>(2));
    }
    // Three shapes, then one of them with another buffer.
    for (const auto moved : {npu::moved_policy::bind, npu::moved_policy::recapture, npu::moved_policy::copy_back}) {
        npu::context npu({.run = run});
        const auto s = npu.new_stream();
        npu::compiled_graphs<counter, counter2, counter3> net(npu, s, {.moved_inputs = moved}, no_weights, no_weights2, no_weights3);
        const auto turn = [&]<std::size_t N>(std::integral_constant<std::size_t, N>, int times) {
            auto c = npu.to_device<f32<static_cast<std::int64_t>(N)>>(all<N>(1));
            const auto x = npu.to_device<f32<static_cast<std::int64_t>(N)>>(all<N>(3));
            float value = 1;
            for (int i = 0; i < times; ++i) {
                check(values(net, c, x) == all<N>(value * 2 + 3));
                check(c.copy() == all<N>(value *= 2));
            }
            return c;
        };
        const auto a = turn(std::integral_constant<std::size_t, 8>{}, 2);
        const auto b = turn(std::integral_constant<std::size_t, 16>{}, 2);
        const auto c = turn(std::integral_constant<std::size_t, 32>{}, 2);
        const auto d = turn(std::integral_constant<std::size_t, 16>{}, 3);
        check_equal(net.counters().captured, 3);
        check_equal(net.counters().replayed, 9);
        check(a.copy() == all<8>(4) && b.copy() == all<16>(4) && c.copy() == all<32>(4) && d.copy() == all<16>(8));
    }
}

// Parameters that moved are other parameters.
void parameters(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    npu::compiled_graphs<small> net(npu, s, {.capture_limit = 2, .when_full = npu::full_policy::refuse}, by_two);
    check(values(net, x) == all<8>(4));
    net.use(by_five);
    check(values(net, x) == all<8>(10));
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 2});
    net.use(by_two);
    check(values(net, x) == all<8>(4));
    check(net.counters() == npu::graph_counters{.captured = 2, .replayed = 3});
    const auto by_seven = small::prepare(one_weight(7));
    net.use(by_seven);
    check_fault([&] { net(x); }, fault::capture_limit_is_reached);

    auto mine = small::prepare(one_weight(2));
    npu::compiled_graphs<small> frozen(npu, s, {.frozen_parameters = true}, mine);
    check(values(frozen, x) == all<8>(4));
    check_fault([&] { frozen.use(by_five); }, fault::frozen_parameters_have_moved, "Leave frozen_parameters out");
    check(values(frozen, x) == all<8>(4));
    mine = small::prepare(one_weight(5));
    check_fault([&] { frozen(x); }, fault::frozen_parameters_have_moved);
    check_equal(frozen.counters().replayed, 2);
}

// What the graph reads is never written, and not copied.
void user_inputs(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    npu::compiled_graphs<small> net(npu, s, {}, by_two);
    const auto first = npu.to_device<f32<8>>(eight_ones), other = npu.to_device<f32<8>>(threes);
    check(values(net, first) == all<8>(4));
    const auto launches = npu.launches();
    check(values(net, other) == all<8>(8));
    check_equal(npu.launches(), launches + 1);
    check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 2, .bound = 1});
    check(first.copy() == eight_ones && other.copy() == threes);
    check(values(net, other) == all<8>(8));
    check_equal(net.counters().bound, 1);
    // One tensor twice, then two; and none of them is kept from going.
    npu::compiled_graphs<counter> two(npu, s, {}, no_weights);
    auto c = npu.to_device<f32<8>>(eight_ones);
    const auto held = npu.statistics().held_bytes;
    {
        const auto x = npu.to_device<f32<8>>(threes);
        check(values(two, c, x) == all<8>(5));
    }
    check_equal(npu.statistics().held_bytes, held);
    check_fault([&] { net(npu::tensor<f32<8>>{}); }, fault::tensor_is_empty);
    check_fault([&] { net(npu.empty<f32<8>>()); }, fault::tensor_has_no_value);
    npu::context second;
    check_fault([&] { net(second.to_device<f32<8>>(eight_ones)); }, fault::device_is_another);
    check_equal(net.counters().bound, 1);
    npu::graph around(npu);
    {
        npu::capture scope(around, s);
        check_fault([&] { net(first); }, fault::stream_is_captured, "End the capture");
    }
    check(values(net, first) == all<8>(4));
}

// An output is nobody else's while somebody holds it.
void held_outputs(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones), other = npu.to_device<f32<8>>(threes);
    npu::compiled_graphs<small, middle> net(npu, s, {}, by_two, by_three);
    {
        const auto y = net(x);
        check_fault([&] { net(other); }, fault::output_is_still_held, "copy() them first");
        check(y.copy() == all<8>(4));
        check(net.counters() == npu::graph_counters{.captured = 1, .replayed = 1});
        check_fault([&] { net(y); }, fault::output_is_still_held);
    }
    check(values(net, other) == all<8>(8));

    npu::compiled_graphs<small, middle> kept(npu, s, {.held_outputs = npu::held_policy::keep}, by_two, by_three);
    auto y = kept(x);
    auto z = kept(other);
    check(y.copy() == all<8>(4) && z.copy() == all<8>(8));
    check(kept.counters() == npu::graph_counters{.captured = 1, .replayed = 2, .recaptured_for_held_outputs = 1});
    z = kept(z); // reads what the last call gave
    check(y.copy() == all<8>(4) && z.copy() == all<8>(18));
    y = {};
    z = {};
    check(values(kept, x) == all<8>(4));
    check_equal(kept.counters().recaptured_for_held_outputs, 2);
    check_equal(kept.keys().size(), std::size_t{1});
    check_equal(npu.statistics(kept.pool()).held_bytes, 0);
    check_equal(npu.statistics(kept.pool()).users, 2);

    // Another graph's outputs lie where this one computes: they are safe as well.
    const auto v = npu.to_device<f32<16>>(all<16>(4));
    check(values(kept, v) == all<16>(15));
    check(values(net, v) == all<16>(15));
    const auto a = kept(x), b = net(x);
    const auto c = kept(v);
    check_fault([&] { net(v); }, fault::output_is_still_held);
    check(a.copy() == all<8>(4) && b.copy() == all<8>(4) && c.copy() == all<16>(15));
}

// Outputs that share storage share memory; one that is an input is the caller's tensor.
void rebuilt_outputs(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto prepared = shared::prepare();
    for (const bool force_eager : {false, true}) {
        npu::compiled_graphs<shared> net(npu, s, {.force_eager = force_eager}, prepared);
        const auto x = npu.to_device<f32<2, 4>>(std::array<float, 8>{1, 2, 3, 4, 5, 6, 7, 8});
        for (int i = 0; i < 3; ++i) {
            auto c = npu.to_device<f32<2, 4>>(eight_ones);
            const auto [a, flat, last, same, flat_x, last_x, turned, written, last_c] = net(x, c);
            check(flat.data() == a.data() && last.data() == a.data() + 4);
            check(a.copy()[4] == 6 && flat.copy()[4] == 6 && last.copy()[0] == 6);
            check(same.data() == x.data() && flat_x.data() == x.data() && last_x.data() == x.data() + 4 && turned.data() == x.data());
            static_assert(decltype(turned)::type::type.stride(0) == 1 && decltype(turned)::type::type.stride(1) == 4);
            check(same.memory().block() == x.memory().block());
            check(written.data() == c.data() && last_c.data() == c.data() + 4);
            check(written.copy() == c.copy() && c.copy()[7] == 9 && last_c.copy()[3] == 9);
        }
        // Who holds the input alone holds nothing of the graph's.
        auto c = npu.to_device<f32<2, 4>>(eight_ones);
        const auto same = std::get<3>(net(x, c));
        const auto again = std::get<7>(net(x, c));
        check(again.copy()[0] == 3);
        check_equal(npu.statistics(net.pool()).held_bytes, 0);
    }
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        shapes(run);
        limits(run);
        mutated_inputs(run);
        parameters(run);
        user_inputs(run);
        held_outputs(run);
        rebuilt_outputs(run);
    }
    return report();
}
