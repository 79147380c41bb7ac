// The two modes: what each makes of the same graph, which options each knows, and that both compute the same. How long the planner looks.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/plan_table.hpp>

#include <array>

using namespace ahead;
using namespace test;

namespace {

// A product with a relu, a sum of two equal calls, a view of the same shape, and a chain.
inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, param<"w", f32<4, 3>> w, param<"b", f32<4>> b) {
    auto y = relu(linear(x, w, b));
    auto twice = add(exp(y), exp(y));
    return outputs(tanh(mul(reshape<2, 4>(twice), y)));
});
inline constexpr config captured_options{.mode = mode::reduce_overhead};
using captured = toolchain<>::with_options<captured_options>;
inline constexpr config captured_as_written_options{.mode = mode::reduce_overhead, .remove_noop_ops = false, .eliminate_dead_code = false};
using captured_as_written = toolchain<>::with_options<captured_as_written_options>;
using whole = compiled<net>;
using single = compiled<net, captured>;
using written = compiled<net, captured_as_written>;

// The product, and all else behind it, y read twice; linear, relu, exp, exp, add, mul, tanh.
static_assert(whole::plan.run_tasks == 1);
static_assert(single::plan.run_tasks == 7);
static_assert(written::plan.run_tasks == 7);

constexpr fault checked(const config& options) {
    diagnosis d;
    return pass::check_config(options, d) ? fault::none : d.what;
}
static_assert(checked({}) == fault::none);
static_assert(checked({.remove_noop_ops = false, .fuse_pointwise = true}) == fault::none);
static_assert(checked({.mode = mode::reduce_overhead, .eliminate_dead_code = false}) == fault::none);
static_assert(checked({.mode = mode::reduce_overhead, .eliminate_duplicates = true}) == fault::option_has_no_effect);
static_assert(checked({.mode = mode::reduce_overhead, .fuse_activation = false}) == fault::option_has_no_effect);
static_assert(checked({.mode = static_cast<mode>(2)}) == fault::mode_is_unknown);
static_assert(checked({.effort = effort{0}}) == fault::none && checked({.mode = mode::reduce_overhead, .effort = effort::patient}) == fault::none);
static_assert(checked({.effort = effort{-1}}) == fault::option_is_out_of_range);

// Every option is in the table, once: all off is not what all on is in any of them.
constexpr bool table_is_whole() {
    config off;
    for (const auto& row : pass::option_table) off.*row.option = false;
    for (const auto& row : pass::option_table)
        if (off.is_on(row.option) || !config{}.is_on(row.option)) return false;
    struct all_in_table {
        ahead::mode mode;
        std::int32_t streams, cores, aicore_num, vectorcore_num;
        ahead::effort effort;
        std::int64_t loop_bound;
        bool check_passes;
        std::string_view choices;
        toggle options[std::size(pass::option_table)];
    };
    return sizeof(config) == sizeof(all_in_table);
}
static_assert(table_is_whole());

// How long the planner looks: without a step buffers lie by time, where the last one has no room below the second.
inline constexpr auto last_is_largest = trace([](input<"x", f32<512>> x, input<"y", f32<768>> y) {
    auto second = exp(slice<0, 0, 256>(exp(x)));
    auto last = sum<0>(exp(y));
    return outputs(add(last, sum<0>(second)));
});
template <effort Most> inline constexpr config planned_with_options{.mode = mode::reduce_overhead, .effort = Most};
template <effort Most> using planned_with = toolchain<>::with_options<planned_with_options<Most>>;
using by_time = compiled<last_is_largest, planned_with<effort{0}>>;
using patient = compiled<last_is_largest, planned_with<effort::patient>>;
static_assert(by_time::plan.effort == effort{0} && by_time::plan_view().effort == effort{0} && patient::plan.effort == effort::patient && whole::plan.effort == effort::constant);
static_assert(patient::plan.peak_bytes == patient::plan.largest_live_bytes && patient::plan.peak_bytes < by_time::plan.peak_bytes);

template <class Program> std::array<float, 8> run() {
    const std::array<float, 12> w{0.5f, -1, 2, 0.25f, 1, -0.5f, -2, 0.75f, 1, 0.1f, 0.2f, 0.3f};
    const std::array<float, 4> b{0.1f, -0.2f, 0.3f, 0};
    weights all;
    all.add("w", dtype::f32, {4, 3}, std::as_bytes(std::span(w)));
    all.add("b", dtype::f32, {4}, std::as_bytes(std::span(b)));
    const auto prepared = Program::prepare(all);
    typename Program::session session{prepared};
    const std::array<float, 6> x{1, 2, 3, -1, 0.5f, 0.25f};
    const auto [y] = session(x);
    std::array<float, 8> out;
    std::copy(y.data(), y.data() + 8, out.begin());
    return out;
}

} // namespace

int main() {
    const auto a = run<whole>(), b = run<single>(), c = run<written>();
    for (std::size_t i = 0; i < a.size(); ++i) check(a[i] == b[i] && a[i] == c[i]);
    check(a[0] != 0);
    const auto table = plan_table(by_time::lowered_graph(), by_time::plan_view());
    check(table.ends_with(", effort 0 steps, cores 1\n"), table);
    check(plan_table(patient::lowered_graph(), patient::plan_view()).ends_with(", effort patient, cores 1\n"));
    return report();
}
