// SPDX-License-Identifier: MIT
// Running a program: weights checked by name, shape and dtype; memory the caller brings; leases; no allocation in a run.
#include <ahead/ahead.hpp>

#include "counted_allocations.hpp"
#include "harness.hpp"
#include "refusal.hpp"

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_fault;
using test::check_throws;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, param<"w", f32<3, 4>> w, param<"b", f32<4>> b) {
    auto y = relu(addmm(b, x, w));
    return outputs(y, permute<1, 0>(y), x);
});
using program = compiled<net>;

namespace {

constexpr std::array<float, 12> w_values{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, -9};
constexpr std::array<float, 4> b_values{0.5f, 0, 0, 0};
constexpr std::array<float, 6> x_values{1, 2, 3, -1, -2, -3};

weights good() {
    weights out;
    out.add("w", dtype::f32, {3, 4}, std::as_bytes(std::span(w_values)));
    out.add("b", dtype::f32, {4}, std::as_bytes(std::span(b_values)));
    return out;
}

void runs_and_leases() {
    const auto weights = program::prepare(good());
    program::session run{weights};
    {
        auto [y, turned, x] = run(x_values);
        check(y(0, 0) == 1.5f && y(0, 1) == 2 && y(0, 2) == 3 && y(0, 3) == 0 && y(1, 0) == 0);
        check(turned(2, 0) == 3 && turned.storage().data() == y.data());
        check(x(1, 2) == -3 && x.data() != x_values.data());
        // fault: output_is_still_held
        check_fault([&] { run(x_values); }, fault::output_is_still_held);
        check(y(0, 1) == 2);
    }
    auto kept = std::get<0>(run(x_values)).copy();
    check(kept[1] == 2);
    run(x_values);

    // Weights are shared by sessions.
    program::session other{weights};
    auto [a, b, c] = run(x_values);
    auto [d, e, f] = other(x_values);
    check(a(0, 0) == d(0, 0) && a.data() != d.data());
}

void refuses_wrong_weights() {
    // fault: weight_is_missing
    check_fault([] { program::prepare(weights{}); }, fault::weight_is_missing);
    check_throws<error>([] { program::prepare(weights{}); }, "'w'");
    // fault: weight_is_superfluous
    check_fault(
        [] {
            auto w = good();
            w.add("extra", dtype::f32, {4}, std::as_bytes(std::span(b_values)));
            program::prepare(w);
        },
        fault::weight_is_superfluous);
    // fault: weight_has_wrong_shape
    check_fault(
        [] {
            weights w;
            w.add("w", dtype::f32, {4, 3}, std::as_bytes(std::span(w_values)));
            program::prepare(w);
        },
        fault::weight_has_wrong_shape);
    // fault: weight_has_wrong_dtype
    check_fault(
        [] {
            weights w;
            w.add("w", dtype::i32, {3, 4}, std::as_bytes(std::span(w_values)));
            program::prepare(w);
        },
        fault::weight_has_wrong_dtype);
}

void passes_over_other_weights() {
    auto w = good();
    w.add("extra", dtype::f32, {4}, std::as_bytes(std::span(b_values)));
    alignas(64) static std::array<std::byte, prepared_weights<program>::bytes> constants;
    const auto is_right = [](const prepared_weights<program>& prepared) {
        program::session run{prepared};
        return std::get<0>(run(x_values))(0, 0) == 1.5f;
    };
    check(is_right(program::prepare(w, {.strict = false})));
    check(is_right(*program::try_prepare(w, {.strict = false})));
    check(is_right(*program::try_prepare(w, constants, {.strict = false})));
    check(is_right(prepared_weights<program>(w, constants, {.strict = false})));
    check_fault(program::try_prepare(w, {.strict = true}).why(), {fault::weight_is_superfluous});
    check_fault(program::try_prepare(w, constants).why(), {fault::weight_is_superfluous});
    // What is missing is missed, and what it may be called is said: no tensor that is another parameter's.
    w.rename({{"w", "module.w"}, {"b", "module.b"}});
    check_throws<error>([&] { program::prepare(w, {.strict = false}); },
                        "weight 'w' is missing: expected f32[3, 4], found no tensor of this name; perhaps module.w");
    w.rename({{"module.w", "w"}, {"module.b", "z"}});
    check_throws<error>([&] { program::prepare(w); }, "weight 'b' is missing: expected f32[4], found no tensor of this name");
    check(program::try_prepare(w).why().found.view() == "no tensor of this name");
    const auto as_w = runtime::parameters<program>::made.all[0].type;
    const runtime::prepare_input wanted[] = {{"fc1.weight", as_w, 48}, {"fc2.weight", as_w, 48}};
    weights two;
    for (const char* name : {"fc1.w", "fc2.weight"}) two.add(name, dtype::f32, {3, 4}, std::as_bytes(std::span(w_values)));
    const std::byte* places[2];
    diagnosis d;
    check(!runtime::bind_weights(wanted, two, {}, places, d) && d.found.view() == "no tensor of this name; perhaps fc1.w");
    w.rename({{"z", "b"}});
    check(is_right(program::prepare(w, {.strict = false})));
}

void runs_in_the_callers_memory() {
    alignas(64) static std::array<std::byte, prepared_weights<program>::bytes> constants;
    alignas(64) static std::array<std::byte, program::session::bytes + 64> arena;
    const auto source = good();
    const auto before = test::allocations.load();
    const prepared_weights<program> weights(source, constants);
    program::session run(weights, arena);
    auto [y, turned, x] = run(x_values);
    test::check_equal(test::allocations.load(), before);
    check(y(0, 1) == 2 && reinterpret_cast<const std::byte*>(y.data()) >= arena.data() &&
          reinterpret_cast<const std::byte*>(y.data()) < arena.data() + arena.size());

    // fault: memory_is_too_small
    check_fault([&] { program::session(weights, std::span(arena).first(program::session::bytes - 1)); }, fault::memory_is_too_small);
    // fault: memory_is_misaligned
    check_fault([&] { program::session(weights, std::span(arena).subspan(4)); }, fault::memory_is_misaligned);
}

void allocates_nothing_in_a_run() {
    const auto weights = program::prepare(good());
    program::session run{weights};
    const auto before = test::allocations.load();
    for (int i = 0; i < 1000; ++i) run(x_values);
    test::check_equal(test::allocations.load(), before);
}

} // namespace

int main() {
    runs_and_leases();
    refuses_wrong_weights();
    passes_over_other_weights();
    runs_in_the_callers_memory();
    allocates_nothing_in_a_run();
    return test::report();
}
