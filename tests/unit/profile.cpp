// A run with the times of its tasks: the bits of a run without, one row a task, in order, no allocation; a trace of them.
// SPDX-License-Identifier: MIT
#include "counted_allocations.hpp"
#include "harness.hpp"
#include "json.hpp"

#include <ahead/ahead.hpp>
#include <ahead/io/chrome_trace.hpp>
#include <ahead/program/profile.hpp>

#include <chrono>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

inline constexpr auto net = trace([](input<"x", f32<48, 48>> x, input<"w", f32<48, 48>> w) {
    auto m = mm(softmax<1>(mm(x, w)), x);
    return outputs(m, softmax<0>(mm(m, m)));
});
template <int Streams>
struct spread_tools : toolchain<> {
    static constexpr config options{.streams = Streams};
};
struct lookup {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[8, 4]", i: "i64[2]"):
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(w);  w = None
        embedding: "f32[2, 4]" = torch.ops.aten.embedding.default(exp, i);  exp = i = None
        return (embedding,)
)fx";
};

template <class Program>
void same_bits() {
    std::vector<float> values(48 * 48);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 17) / 8 - 1;
    const auto prepared = Program::prepare();
    typename Program::session plain{prepared};
    profiled_session<Program> run{prepared};
    check(run.execution().rows().empty());

    const std::span<const float, 48 * 48> x(values.data(), 48 * 48);
    const auto [a, b] = plain(x, x);
    const auto begin = std::chrono::steady_clock::now();
    const auto before = allocations.load();
    const auto [c, d] = run(x, x);
    check_equal(allocations.load(), before);
    const auto whole = target::ticks::of(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin));
    check(a.copy() == c.copy() && b.copy() == d.copy());

    const auto rows = run.execution().rows();
    check_equal(rows.size(), static_cast<std::size_t>(Program::plan.run_tasks));
    target::ticks idle;
    bool any_time = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        check_equal(rows[i].task, Program::plan.prepare_tasks + static_cast<std::int32_t>(i));
        check_equal(rows[i].stream, Program::plan_view().tasks[static_cast<std::size_t>(rows[i].task)].stream);
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
void after_a_throw() {
    using program = compiled<fx<lookup>>;
    const auto prepared = program::prepare();
    profiled_session<program> run{prepared};
    const std::array<float, 32> table{};
    run(table, std::array<std::int64_t, 2>{1, 7});
    check_equal(run.execution().rows().size(), std::size_t{2});
    check_throws<error>([&] { run(table, std::array<std::int64_t, 2>{1, 8}); });
    check(run.execution().rows().empty());
    run(table, std::array<std::int64_t, 2>{0, 3});
    check_equal(run.execution().rows().size(), std::size_t{2});
}

} // namespace

int main() {
    same_bits<compiled<net>>();
    same_bits<compiled<net, spread_tools<2>>>();
    after_a_throw();
    return report();
}
