// SPDX-License-Identifier: MIT
// Compiled graphs and the device's memory: one pool for all, as large as the largest graph needs; and a failure at any step leaves it, and all else, as it was.
// fault: memory_is_still_held
// fault: pool_handle_is_invalid
#include "graph_programs.hpp"

using namespace ahead;
using namespace test;

namespace {

// Two graphs, one pool, by turns; what A computed is there after B was captured.
void one_pool(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    const auto z = npu.to_device<f32<16>>(all<16>(4));
    const auto id = npu.graph_pool_handle();
    {
        npu::compiled_graphs<small> a(npu, s, {.pool = id}, by_two);
        npu::compiled_graphs<middle> b(npu, s, {.pool = id}, by_three);
        check(a.pool() == id && b.pool() == id);
        {
            const auto y = a(x);
            const auto v = b(z);
            check(y.copy() == all<8>(4) && v.copy() == all<16>(15));
            check_equal(npu.statistics(id).users, 3);
        }
        for (int i = 0; i < 3; ++i) {
            const auto first = a(x);
            const auto second = b(z);
            check(first.copy() == all<8>(4) && second.copy() == all<16>(15));
            check_fault([&] { a(x); }, fault::output_is_still_held);
        }
        check(values(a, x) == all<8>(4) && values(b, z) == all<16>(15) && values(a, x) == all<8>(4));
        check(a.counters().captured == 1 && b.counters().captured == 1);

        // A tensor that somebody else put there.
        npu.begin_allocate_to_pool(id);
        const auto foreign = npu.empty<f32<8>>();
        npu.end_allocate_to_pool(id);
        check_fault([&] { a(x); }, fault::memory_is_still_held, "pool of its own");
    }
    npu.release_pool(id);
    check_equal(npu.statistics(id).reserved_bytes, 0);
    check_fault([&] { npu::compiled_graphs<small>(npu, s, {.pool = id}, by_two)(x); }, fault::pool_handle_is_invalid);
}

// The memory of all graphs is that of the largest one, whichever comes first.
template <std::int64_t N>
using wide = compiled<scaled<N>>;
void memory() {
    using tiny = wide<25'600>;
    using wider = wide<51'200>;
    using widest = wide<102'400>;
    const auto a = tiny::prepare(one_weight(2));
    const auto b = wider::prepare(one_weight(2));
    const auto c = widest::prepare(one_weight(2));
    npu::context npu;
    const auto s = npu.new_stream();
    const auto reserved = npu.unreserved_bytes();
    {
        npu::compiled_graphs<tiny, wider, widest> net(npu, s, {}, a, b, c);
        const auto id = net.pool();
        const auto x = npu.empty<f32<25'600>>(), y = npu.empty<f32<25'600>>();
        auto x1 = npu.empty<f32<51'200>>();
        auto x2 = npu.empty<f32<102'400>>();
        const std::vector<float> elements(102'400, 1);
        auto x0 = x;
        x0.write(std::span(elements).first<25'600>());
        x1.write(std::span(elements).first<51'200>());
        x2.write(std::span(elements).first<102'400>());
        for (int i = 0; i < 3; ++i) {
            static_cast<void>(net(x0));
            static_cast<void>(net(x1));
            static_cast<void>(net(x2));
            const auto statistics = npu.statistics(id);
            check(statistics.reserved_bytes >= widest::plan.peak_bytes && statistics.reserved_bytes < widest::plan.peak_bytes + 65'536);
            check_equal(statistics.held_bytes, 0);
            check_equal(statistics.users, 4);
        }
        const auto held = net(x2);
        check_equal(npu.statistics(id).held_bytes, (widest::plan.peak_bytes + 63) / 64 * 64);
    }
    npu.empty_cache();
    check_equal(npu.unreserved_bytes(), reserved);
}

// A failure at each step in turn: graphs, counters, pool and outputs are as before, and the call succeeds afterwards.
void fails_as_told(npu::execution run) {
    using graphs = npu::compiled_graphs<small, middle>;
    using states = npu::compiled_graphs<counter>;
    const auto survives = [run](const npu::graph_options& options, auto prepare, auto call, int expected,
                                location where = location::current()) {
        int failures = 0;
        for (std::int64_t n = 1;; ++n) {
            npu::context npu({.run = run});
            const auto s = npu.new_stream();
            graphs net(npu, s, options, by_two, by_three);
            states state(npu, s, options, no_weights);
            const auto x = npu.to_device<f32<8>>(eight_ones);
            const auto z = npu.to_device<f32<16>>(all<16>(4));
            auto c = npu.to_device<f32<8>>(eight_ones), d = npu.to_device<f32<8>>(eight_ones);
            const auto held = prepare(net, state, x, c);
            npu.synchronize();
            npu.empty_cache();
            const auto before = std::tuple{net.counters(),
                                           net.keys(),
                                           state.counters(),
                                           state.keys(),
                                           npu.statistics(net.pool()),
                                           npu.statistics(state.pool()),
                                           npu.statistics(),
                                           npu.unreserved_bytes()};
            npu.fail_at(n);
            bool done = true;
            try {
                call(net, state, x, z, d);
            } catch (const error& e) {
                check_fault(e.what_happened, {fault::device_failed_as_told}, where);
                done = false;
            }
            npu.fail_at(0);
            check(!s.is_capturing(), {}, where);
            if (done) break;
            ++failures;
            npu.synchronize();
            npu.empty_cache();
            check(before == std::tuple{net.counters(), net.keys(), state.counters(), state.keys(), npu.statistics(net.pool()),
                                       npu.statistics(state.pool()), npu.statistics(), npu.unreserved_bytes()},
                  {}, where);
            check(held.copy() == all<8>(4), {}, where);
            check(d.copy() == eight_ones, {}, where);
            call(net, state, x, z, d);
        }
        check_equal(failures, expected, where);
    };
    const auto call_small = [](auto& net, auto&, const auto& x, const auto&) { return net(x); };
    const auto elsewhere = [](auto& net, auto& state, const auto& x, auto& c) {
        static_cast<void>(state(c, x));
        return net(x);
    };
    const auto other_graph = [](auto& net, auto&, const auto&, const auto& z, auto&) { check(values(net, z) == all<16>(15)); };
    const auto other_tensor = [](auto&, auto& state, const auto& x, const auto&, auto& d) {
        const auto before = d.copy();
        const auto y = state(d, x);
        check(y.copy()[0] == before[0] * 2 + 1 && d.copy()[0] == before[0] * 2);
    };
    const auto same_again = [](auto& net, auto&, const auto& x, const auto&, auto&) { check(values(net, x) == all<8>(4)); };
    survives({}, call_small, other_graph, 8);
    survives({}, elsewhere, other_tensor, 2);
    survives({.capture_limit = 1}, call_small, other_graph, 8);
    survives({.capture_limit = 1, .when_full = npu::full_policy::run_eagerly}, call_small, other_graph, 2);
    survives({.moved_inputs = npu::moved_policy::recapture}, elsewhere, other_tensor, 8);
    survives({.moved_inputs = npu::moved_policy::copy_back}, elsewhere, other_tensor, 6);
    survives({.held_outputs = npu::held_policy::keep}, call_small, same_again, 8);
    survives({.held_outputs = npu::held_policy::keep}, [](auto& net, auto&, const auto& x, const auto&) { net.force_recapture(); const auto y = net(x); net.force_recapture(); return y; },
             same_again, 8);
    survives({.num_warmups = 2}, call_small, other_graph, 12);
    survives(
        {.num_warmups = 1}, [](auto& net, auto&, const auto& x, auto&) { return net(x); }, other_tensor, 12);
}

// Two tensors go back to the caller in one step, or neither does.
inline constexpr auto doubling = trace([](input<"c", f32<8>> c, input<"d", f32<8>> d) {
    copy_(c, mul(c, 2));
    copy_(d, mul(d, 2));
    return outputs(add(c, d));
});
void copies_back_together() {
    const auto weights = compiled<doubling>::prepare();
    for (std::int64_t n = 1, failures = 0;; ++n) {
        npu::context npu;
        const auto s = npu.new_stream(), t = npu.new_stream();
        npu::compiled_graphs<compiled<doubling>> net(npu, s, {.moved_inputs = npu::moved_policy::copy_back}, weights);
        auto c = npu.to_device<f32<8>>(eight_ones), d = npu.to_device<f32<8>>(eight_ones);
        static_cast<void>(net(c, d));
        auto e = npu.to_device<f32<8>>(eight_ones), f = npu.to_device<f32<8>>(eight_ones);
        const auto reader = t.launch([](auto a) { return relu(a); }, f);
        check_fault([&] { net(e, f); }, fault::streams_race);
        check(e.copy() == eight_ones && f.copy() == eight_ones);
        t.synchronize();
        npu.fail_at(n);
        try {
            static_cast<void>(net(e, f));
        } catch (const error&) {
            ++failures;
            check(e.copy() == eight_ones && f.copy() == eight_ones);
            continue;
        }
        check(e.copy() == all<8>(2) && f.copy() == all<8>(2));
        check(failures > 3);
        return;
    }
}

// What somebody else does with its pool, or a stream of another context, ends nothing.
void ends_while_its_pool_is_used() {
    npu::context npu, other;
    const auto s = npu.new_stream();
    npu::graph g(npu);
    {
        npu::compiled_graphs<small> net(npu, s, {}, by_two);
        g.capture_begin(s, net.pool());
    }
    g.capture_end(s);
    {
        npu::compiled_graphs<small> net(npu, s, {}, by_two);
        npu.release_pool(net.pool());
    }
    check_fault([&] { npu::compiled_graphs<small>(npu, other.new_stream(), {}, by_two); }, fault::device_is_another);
}

} // namespace

int main() {
    copies_back_together();
    ends_while_its_pool_is_used();
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        one_pool(run);
        fails_as_told(run);
    }
    memory();
    return report();
}
