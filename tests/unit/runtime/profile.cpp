// A run with the times of its tasks: the bits of a run without, one row a task, in order, no allocation; a trace of them.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "json.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/chrome_trace.hpp>
#include <ahead/runtime/profile/threads.hpp>

#include <chrono>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

inline constexpr auto net = trace([](input<"x", f32<48, 48>> x, input<"w", f32<48, 48>> w) {
    auto m = mm(softmax<1>(mm(x, w)), x);
    return outputs(m, softmax<0>(mm(m, m)));
});
/// Two rows of products, which meet at the end.
inline constexpr auto wide = trace([](input<"x", f32<48, 48>> x, input<"w", f32<48, 48>> w) {
    auto a = mm(x, w), b = mm(w, w);
    for (int i = 0; i < 3; ++i) a = tanh(mm(a, x)), b = tanh(mm(b, w));
    return outputs(sub(a, b), mm(a, b));
});
template <int Streams> inline constexpr config spread_tools_options{.streams = Streams};
template <int Streams> using spread_tools = toolchain<>::with_options<spread_tools_options<Streams>>;
struct lookup {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[8, 4]", i: "i64[2]"):
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(w);  w = None
        embedding: "f32[2, 4]" = torch.ops.aten.embedding.default(exp, i);  exp = i = None
        return (embedding,)
)fx";
};

template <class Program, template <class> class Profiled = profiled_session>
void same_bits() {
    std::vector<float> values(48 * 48);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 17) / 8 - 1;
    const auto prepared = Program::prepare();
    typename Program::session plain{prepared};
    Profiled<Program> run{prepared};
    check(run.execution().rows().empty());

    const std::span<const float, 48 * 48> x(values.data(), 48 * 48);
    const auto [a, b] = plain(x, x);
    const auto begin = std::chrono::steady_clock::now();
    const auto before = allocations.load();
    const auto [c, d] = run(x, x);
    check_equal(allocations.load(), before);
    const auto whole = machine::ticks::of(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin));
    check(a.copy() == c.copy() && b.copy() == d.copy());

    const auto rows = run.execution().rows();
    check_equal(rows.size(), static_cast<std::size_t>(Program::plan.run_tasks));
    constexpr bool one_by_one = std::same_as<Profiled<Program>, profiled_session<Program>>;
    std::array<machine::ticks, static_cast<std::size_t>(Program::plan.streams)> idle_at{};
    bool any_time = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        check_equal(rows[i].task, Program::plan.prepare_tasks + static_cast<std::int32_t>(i));
        check_equal(rows[i].stream, Program::plan_view().tasks[static_cast<std::size_t>(rows[i].task)].stream);
        auto& idle = idle_at[static_cast<std::size_t>(one_by_one ? 0 : rows[i].stream)];
        check(idle <= rows[i].start && rows[i].start <= rows[i].end && rows[i].end <= whole);
        idle = rows[i].end;
        any_time = any_time || rows[i].start < rows[i].end;
    }
    check(any_time);

    std::string text;
    print_trace<Program>(rows, text, "measured");
    const auto trace = json_reader::read(text);
    std::size_t tasks = 0;
    for (const auto& e : trace["traceEvents"].items) tasks += e["ph"].text == "X" && e["cat"].text == "task";
    check_equal(tasks, rows.size());
}

/// A run that throws has no times, and the next one has all.
template <template <class> class Profiled>
void after_a_throw() {
    using program = compiled<fx<lookup>>;
    const auto prepared = program::prepare();
    Profiled<program> run{prepared};
    const std::array<float, 32> table{};
    run(table, std::array<std::int64_t, 2>{1, 7});
    check_equal(run.execution().rows().size(), std::size_t{2});
    check_throws<error>([&] { run(table, std::array<std::int64_t, 2>{1, 8}); });
    check(run.execution().rows().empty());
    run(table, std::array<std::int64_t, 2>{0, 3});
    check_equal(run.execution().rows().size(), std::size_t{2});
}

/// What torch.profiler.schedule says, step by step: - nothing, w warmup, r record, S record and save.
std::string sequence(const runtime::schedule_options& options, int steps) {
    profile_schedule s(options);
    std::string out;
    for (int i = 0; i < steps; ++i) {
        check(s.now() == i && s.action() == s.at(i) && s.is_recording() == (s.action() >= runtime::profile_action::record));
        out += "-wrS"[static_cast<std::size_t>(s.action())];
        s.step();
    }
    return out;
}
void schedules() {
    check_equal(sequence({.wait = 1, .warmup = 1, .active = 2}, 10), "-wrS-wrS-w"); // on and on
    check_equal(sequence({.wait = 1, .warmup = 1, .active = 2, .repeat = 1}, 10), "-wrS------");
    check_equal(sequence({.wait = 1, .warmup = 1, .active = 3, .repeat = 2, .skip_first = 4}, 16), "-----wrrS-wrrS--");
    check_equal(sequence({.wait = 0, .warmup = 0, .active = 1}, 4), "SSSS");
    check_equal(sequence({.wait = 0, .warmup = 2, .active = 1, .repeat = 2}, 8), "wwSwwS--");
    check_equal(sequence({.wait = 2, .warmup = 0, .active = 2, .skip_first = 1}, 7), "---rS--");
    static_assert(profile_schedule({.wait = 1}).at(1'000'000'000'000) == runtime::profile_action::none);
    static_assert(profile_schedule({.wait = 1}).at(1'000'000'000'001) == runtime::profile_action::record_and_save);
    const auto refused = [](const runtime::schedule_options& options, std::string_view why) { check_throws<error>([&] { profile_schedule s(options); }, why); };
    refused({.wait = -1}, "profile_schedule 'wait': option is out of range: expected 0 or more, found -1");
    refused({.warmup = -2}, "'warmup': option is out of range: expected 0 or more, found -2");
    refused({.active = 0}, "'active': option is out of range: expected 1 or more, found 0");
    refused({.repeat = -1}, "'repeat': option is out of range");
    refused({.skip_first = -1}, "'skip_first': option is out of range");
    check_throws<error>([] { static_cast<void>(profile_schedule({}).at(-1)); }, "'step': option is out of range");
}

/// A session that follows a schedule has rows in the steps that are recorded, and the bits in all.
template <class Program, template <class> class Profiled>
void follows() {
    const auto prepared = Program::prepare();
    typename Program::session plain{prepared};
    Profiled<Program> run{prepared};
    profile_schedule steps({.wait = 1, .warmup = 1, .active = 2, .repeat = 1});
    run.execution().follow(steps);
    const std::vector<float> x(48 * 48, 0.5f);
    const auto [a, b] = plain(x, x);
    std::string recorded;
    for (int i = 0; i < 6; ++i) {
        const auto before = allocations.load();
        const auto [c, d] = run(x, x);
        check_equal(allocations.load(), before);
        check(a.copy() == c.copy() && b.copy() == d.copy());
        const auto rows = run.execution().rows().size();
        check(rows == 0 || rows == static_cast<std::size_t>(Program::plan.run_tasks));
        recorded += rows > 0 ? 'r' : '-';
        steps.step();
    }
    check_equal(recorded, "--rr--");
}

} // namespace

int main() {
    same_bits<compiled<net>>();
    same_bits<compiled<net, spread_tools<2>>>();
    same_bits<compiled<net>, profiled_threaded_session>();
    same_bits<compiled<wide, spread_tools<2>>, profiled_threaded_session>();
    static_assert(compiled<wide, spread_tools<2>>::plan.streams == 2);
    after_a_throw<profiled_session>();
    after_a_throw<profiled_threaded_session>();
    schedules();
    follows<compiled<net>, profiled_session>();
    follows<compiled<wide, spread_tools<2>>, profiled_threaded_session>();
    return report();
}
