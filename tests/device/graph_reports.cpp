// SPDX-License-Identifier: MIT
// What a call of compiled graphs did and why: each reason for a capture, captures that are forced, calls that may only replay, and that a refused call leaves the
// report of the one before.
// fault: call_would_capture
#include "counted_allocations.hpp"
#include "graph_programs.hpp"
#include "splitmix64.hpp"

using namespace ahead;
using namespace test;
using npu::capture_reason;
using npu::graph_step;

namespace {

std::string at(const auto& prepared) { return std::to_string(reinterpret_cast<std::uintptr_t>(prepared.constants())); }

// Each reason in turn.
void reasons(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    const auto z = npu.to_device<f32<16>>(all<16>(4));
    npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 2}, by_two, by_three);
    const auto says = [&](graph_step step, capture_reason reason, const std::string& text, location where = location::current()) {
        check(net.last_call().step == step && net.last_call().reason == reason, {}, where);
        check_equal(print(net.last_call()), text, where);
    };
    const auto two = "program 0, parameters at " + at(by_two), five = "program 0, parameters at " + at(by_five), three = "program 1, parameters at " + at(by_three);
    says(graph_step::none, capture_reason::none, "nothing was called yet");
    check(values(net, x) == all<8>(4));
    says(graph_step::captured, capture_reason::first_call, two + ": captured, first call of the program");
    check(values(net, x) == all<8>(4));
    says(graph_step::replayed, capture_reason::none, two + ": replayed");
    net.use(by_five);
    check(values(net, x) == all<8>(10));
    says(graph_step::captured, capture_reason::other_parameters, five + ": captured, no graph was captured with these parameters");
    check(!net.last_call().limit_is_reached);
    check(values(net, z) == all<16>(15));
    says(graph_step::captured, capture_reason::first_call, three + ": captured, first call of the program; evicted " + two);
    check(net.last_call().limit_is_reached);
    net.use(by_two);
    check(values(net, x) == all<8>(4));
    says(graph_step::captured, capture_reason::was_evicted, two + ": captured, the graph was evicted; evicted " + five);
    net.reset();
    check(values(net, x) == all<8>(4));
    says(graph_step::captured, capture_reason::was_reset, two + ": captured, the graph was reset");
    // A program whose every graph is gone is called with parameters that it never had.
    const auto by_nine = small::prepare(one_weight(9));
    net.reset();
    net.use(by_nine);
    check(values(net, x) == all<8>(18));
    check(net.last_call().reason == capture_reason::other_parameters);
    check(net.last_call().times.run.count() == 0 && net.last_call().times.process_inputs.count() == 0, "nobody listens");

    npu::compiled_graphs<counter> moved(npu, s, {.moved_inputs = npu::moved_policy::recapture}, no_weights);
    auto c = npu.to_device<f32<8>>(eight_ones), d = npu.to_device<f32<8>>(eight_ones);
    static_cast<void>(moved(c, x));
    static_cast<void>(moved(d, x));
    check_equal(print(moved.last_call()), "program 0: captured again, a mutated input moved: c");
    const auto y = npu.to_device<f32<8>>(threes);
    static_cast<void>(moved(d, y));
    check_equal(print(moved.last_call()), "program 0: replayed");

    npu::compiled_graphs<small> kept(npu, s, {.held_outputs = npu::held_policy::keep}, by_two);
    {
        const auto held = kept(x);
        static_cast<void>(kept(x));
        check_equal(print(kept.last_call()), two + ": captured again, an output is still held");
    }
    npu::compiled_graphs<small, middle> few(npu, s, {.capture_limit = 1, .when_full = npu::full_policy::run_eagerly}, by_two, by_three);
    static_cast<void>(few(x));
    static_cast<void>(few(z));
    check_equal(print(few.last_call()), three + ": run eagerly, first call of the program");
    check(few.last_call().limit_is_reached && !few.last_call().evicted);
    npu::compiled_graphs<small> eager(npu, s, {.force_eager = true}, by_two);
    static_cast<void>(eager(x));
    check_equal(print(eager.last_call()), two + ": run eagerly");
}

// The next call captures again; one that fails leaves that to the next.
void forced(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    npu::compiled_graphs<small> net(npu, s, {.capture_limit = 1, .when_full = npu::full_policy::refuse}, by_two);
    net.force_recapture();
    check(values(net, x) == all<8>(4));
    check(net.last_call().reason == capture_reason::first_call && net.counters() == npu::graph_counters{.captured = 1, .replayed = 1});
    check(values(net, x) == all<8>(4));
    check(net.last_call().step == graph_step::replayed, "a first capture is what was asked for");
    net.force_recapture();
    for (std::int64_t n = 1; n < 3; ++n) {
        npu.fail_at(n);
        const auto before = print(net.last_call());
        check_fault([&] { net(x); }, fault::device_failed_as_told);
        check_equal(print(net.last_call()), before);
    }
    npu.fail_at(0);
    check(values(net, x) == all<8>(4));
    check(net.last_call().step == graph_step::recaptured && net.last_call().reason == capture_reason::forced);
    check(values(net, x) == all<8>(4));
    check(net.last_call().step == graph_step::replayed);
    check_equal(print(net.counters()), "captured 1, replayed 4, recaptured by force 1");
    check_equal(net.keys().size(), std::size_t{1});
    net.force_recapture();
    net.force_recapture(false);
    check(values(net, x) == all<8>(4));
    check_equal(net.counters().recaptured_by_force, 1);

    // An output that is held is held also then.
    {
        const auto y = net(x);
        net.force_recapture();
        check_refusal([&] { net(x); }, fault::output_is_still_held);
        check(y.copy() == all<8>(4));
    }
    check(values(net, x) == all<8>(4));
    check_equal(net.counters().recaptured_by_force, 2);
    npu::compiled_graphs<small> kept(npu, s, {.held_outputs = npu::held_policy::keep}, by_two);
    {
        const auto y = kept(x);
        kept.force_recapture();
        const auto z = kept(npu.to_device<f32<8>>(threes));
        check(y.copy() == all<8>(4) && z.copy() == all<8>(8));
        check_equal(print(kept.counters()), "captured 1, replayed 2, recaptured by force 1");
    }

    // What the graph writes is the caller's also then, whichever policy.
    for (const auto policy : {npu::moved_policy::bind, npu::moved_policy::recapture, npu::moved_policy::copy_back}) {
        npu::compiled_graphs<counter> two(npu, s, {.moved_inputs = policy}, no_weights);
        auto c = npu.to_device<f32<8>>(eight_ones), d = npu.to_device<f32<8>>(all<8>(10));
        check(values(two, c, x) == all<8>(3) && values(two, d, x) == all<8>(21));
        two.force_recapture();
        check(values(two, d, x) == all<8>(41) && c.copy() == all<8>(2) && d.copy() == all<8>(40));
        check_equal(two.counters().recaptured_by_force, 1);
        check(values(two, c, x) == all<8>(5) && d.copy() == all<8>(40));
    }
    npu::compiled_graphs<small> eager(npu, s, {.force_eager = true}, by_two);
    check_refusal([&] { eager.force_recapture(); }, fault::option_has_no_effect, "force_recapture");
    eager.force_recapture(false);
}

// Behind the warm-up nothing captures, for whatever reason; what was captured runs on.
void only_replays(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    const auto z = npu.to_device<f32<16>>(all<16>(4));
    const auto refused = [](auto& net, auto call, const char* why, location where = location::current()) {
        const auto before = std::tuple{net.counters(), net.keys(), print(net.last_call())};
        check_refusal(call, fault::call_would_capture, why, where);
        check(before == std::tuple{net.counters(), net.keys(), print(net.last_call())}, {}, where);
    };
    {
        npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 2}, by_two, by_three);
        check(values(net, x) == all<8>(4));
        net.run_only();
        check(values(net, x) == all<8>(4));
        refused(net, [&] { net(z); }, "first call of the program");
        refused(net, [&] { net(z); }, "program 1, parameters at ");
        net.use(by_five);
        refused(net, [&] { net(x); }, "no graph was captured with these parameters");
        net.use(by_two);
        net.force_recapture();
        refused(net, [&] { net(x); }, "forced");
        net.force_recapture(false);
        check(values(net, x) == all<8>(4));
        net.reset();
        refused(net, [&] { net(x); }, "the graph was reset");
        net.run_only(false);
        check(values(net, x) == all<8>(4) && values(net, z) == all<16>(15));
        net.use(by_five);
        check(values(net, x) == all<8>(10)); // in the place of by_two
        net.run_only();
        net.use(by_two);
        refused(net, [&] { net(x); }, "the graph was evicted");
    }
    {
        npu::compiled_graphs<small, middle> net(npu, s, {.capture_limit = 1, .when_full = npu::full_policy::run_eagerly}, by_two, by_three);
        check(values(net, x) == all<8>(4));
        net.run_only();
        refused(net, [&] { net(z); }, "first call"); // and is not run eagerly
    }
    {
        npu::compiled_graphs<counter> net(npu, s, {.moved_inputs = npu::moved_policy::recapture}, no_weights);
        auto c = npu.to_device<f32<8>>(eight_ones), d = npu.to_device<f32<8>>(eight_ones);
        check(values(net, c, x) == all<8>(3));
        net.run_only();
        refused(net, [&] { net(d, x); }, "a mutated input moved");
        check(d.copy() == eight_ones && values(net, c, x) == all<8>(5));
    }
    {
        npu::compiled_graphs<small> net(npu, s, {.held_outputs = npu::held_policy::keep}, by_two);
        const auto held = net(x);
        net.run_only();
        refused(net, [&] { net(x); }, "an output is still held");
        check(held.copy() == all<8>(4));
    }
    {
        // Every check of a call is made also then.
        npu::compiled_graphs<counter> net(npu, s, {}, no_weights);
        auto c = npu.to_device<f32<8>>(eight_ones);
        check(values(net, c, x) == all<8>(3));
        net.run_only();
        npu::context second;
        auto elsewhere = second.to_device<f32<8>>(eight_ones);
        npu::tensor<f32<8>> none;
        check_refusal([&] { net(c, c); }, fault::inputs_overlap);
        check_refusal([&] { net(elsewhere, x); }, fault::device_is_another);
        check_refusal([&] { net(c, none); }, fault::tensor_is_empty);
        check_refusal([&] { net(c, npu.empty<f32<8>>()); }, fault::tensor_has_no_value);
        const auto held = net(c, x);
        check_refusal([&] { net(c, x); }, fault::output_is_still_held);
        check(c.copy() == all<8>(4));
        npu::compiled_graphs<small> frozen(npu, s, {.frozen_parameters = true}, by_two);
        check(values(frozen, x) == all<8>(4));
        frozen.run_only();
        check_refusal([&] { frozen.use(by_five); }, fault::frozen_parameters_have_moved);
    }
    npu::compiled_graphs<small> eager(npu, s, {.force_eager = true}, by_two);
    check_refusal([&] { eager.run_only(); }, fault::option_has_no_effect, "run_only");
}

// Calls, resets, forced captures and switches of run_only() by chance, beside a list of keys that says what must come of each.
void as_a_list_says() {
    std::uint64_t numbers = 0;
    const auto below = [&](std::uint64_t n) { return splitmix64(numbers++) % n; };
    for (int round = 0; round < 40; ++round) {
        npu::context npu;
        const auto s = npu.new_stream();
        const auto x = npu.to_device<f32<8>>(eight_ones);
        const auto z = npu.to_device<f32<16>>(all<16>(4));
        const npu::graph_options options{.capture_limit = static_cast<std::int64_t>(1 + below(3)), .when_full = static_cast<npu::full_policy>(below(3))};
        npu::compiled_graphs<small, middle> net(npu, s, options, by_two, by_three);
        std::vector<npu::graph_key> there; // the one used longest ago first
        std::vector<std::pair<npu::graph_key, capture_reason>> gone;
        npu::graph_counters expected;
        bool forced = false, run_only = false, with_five = false;
        const auto went = [&](const npu::graph_key& key, capture_reason why) {
            std::erase_if(gone, [&](const auto& one) { return one.first == key; });
            gone.push_back({key, why});
        };
        for (int i = 0; i < 60; ++i) {
            switch (below(10)) {
            case 0:
                net.reset();
                for (const auto& key : there) went(key, capture_reason::was_reset);
                there.clear();
                continue;
            case 1: net.force_recapture(forced = below(3) > 0); continue;
            case 2: net.run_only(run_only = below(3) == 0); continue;
            case 3: net.use(with_five ? by_two : by_five); with_five = !with_five; continue;
            default: break;
            }
            const std::size_t program = below(2);
            const npu::graph_key key{program, program == 1 ? by_three.constants() : with_five ? by_five.constants() : by_two.constants()};
            const auto at = std::find(there.begin(), there.end(), key);
            const bool is_full = std::ssize(there) == options.capture_limit;
            auto reason = at == there.end() ? capture_reason::first_call : forced ? capture_reason::forced : capture_reason::none;
            if (at == there.end()) {
                for (const auto& one : there)
                    if (one.program == program) reason = capture_reason::other_parameters;
                for (const auto& [one, why] : gone)
                    if (one.program == program) reason = capture_reason::other_parameters;
                for (const auto& [one, why] : gone)
                    if (one == key) reason = why;
            }
            const auto call = [&] {
                if (program == 1) check(values(net, z) == all<16>(15));
                else check(values(net, x) == all<8>(with_five ? 10 : 4));
            };
            const bool captures = reason != capture_reason::none;
            if (captures && run_only) check_fault(call, fault::call_would_capture, npu::words_of(reason));
            else if (at == there.end() && is_full && options.when_full == npu::full_policy::refuse) check_fault(call, fault::capture_limit_is_reached);
            else {
                call();
                std::optional<npu::graph_key> evicted;
                auto step = captures ? at == there.end() ? graph_step::captured : graph_step::recaptured : graph_step::replayed;
                if (at != there.end()) there.erase(at);
                else if (is_full && options.when_full == npu::full_policy::run_eagerly) step = graph_step::run_eagerly;
                else if (is_full) {
                    evicted = there.front();
                    there.erase(there.begin());
                    went(*evicted, capture_reason::was_evicted);
                }
                if (step == graph_step::run_eagerly) ++expected.run_eagerly;
                else {
                    there.push_back(key);
                    forced = forced && step == graph_step::replayed;
                    expected.captured += step == graph_step::captured;
                    expected.recaptured_by_force += step == graph_step::recaptured;
                    expected.evicted += evicted.has_value();
                    ++expected.replayed;
                }
                const auto& last = net.last_call();
                check(last.key == key && last.step == step && last.reason == reason && last.evicted == evicted, print(last));
            }
            check_equal(print(net.counters()), print(expected));
            const auto keys = net.keys();
            check(std::is_permutation(keys.begin(), keys.end(), there.begin(), there.end()));
        }
    }
}

// A listener is told what succeeded, with times; a report allocates nothing.
struct heard {
    mutable int calls = 0;
    mutable npu::graph_report last{};
    mutable bool is_last_call = false;
    const npu::graph_report* last_call = nullptr;
    static void hear(const void* who, const npu::graph_report& report, const npu::graph_options&) noexcept {
        const auto& me = *static_cast<const heard*>(who);
        ++me.calls;
        me.last = report;
        me.is_last_call = me.last_call->step == report.step && me.last_call->times.run == report.times.run;
    }
};
void listeners() {
    npu::context npu;
    const auto s = npu.new_stream();
    const auto x = npu.to_device<f32<8>>(eight_ones);
    npu::compiled_graphs<small> net(npu, s, {}, by_two);
    heard who;
    who.last_call = &net.last_call();
    net.listen({&heard::hear, &who});
    static_cast<void>(net(x));
    check_equal(who.calls, 1);
    check(who.is_last_call);
    check(who.last.step == graph_step::captured && who.last.reason == capture_reason::first_call);
    check(who.last.times.process_inputs.count() > 0 && who.last.times.capture.count() > 0 && who.last.times.run.count() > 0);
    static_cast<void>(net(x));
    check(who.last.step == graph_step::replayed && who.last.times.capture.count() == 0 && who.last.times.run.count() > 0);
    check(net.last_call().times.run == who.last.times.run);
    {
        const auto y = net(x);
        check_equal(who.calls, 3);
        check_fault([&] { net(x); }, fault::output_is_still_held);
        check_equal(who.calls, 3);
    }
    for (const bool listens : {true, false}) {
        net.listen(listens ? npu::graph_listener{&heard::hear, &who} : npu::graph_listener{});
        for (int i = 0; i < 3; ++i) static_cast<void>(net(x));
        const auto before = allocations.load();
        for (int i = 0; i < 100; ++i) static_cast<void>(net(x));
        check_equal(allocations.load(), before);
        check_equal(who.calls, 106);
    }
}

} // namespace

int main() {
    for (const auto run : {npu::execution::in_order, npu::execution::threads}) {
        reasons(run);
        forced(run);
        only_replays(run);
    }
    as_a_list_says();
    listeners();
    return report();
}
