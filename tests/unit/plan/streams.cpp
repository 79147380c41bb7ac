// Plans of several streams: what the graph says of them, what it leaves to the planner, and every way in which a plan can be wrong about them.
// SPDX-License-Identifier: MIT
// fault: wait_is_never_met
// fault: stream_is_not_forked
// fault: stream_is_not_joined
// fault: memory_is_reused_too_early
// fault: device_events_are_exceeded
// fault: option_is_out_of_range
#include "harness.hpp"
#include "refusal.hpp"

#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/print/print_timeline.hpp>

#include <algorithm>
#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_fault;

namespace {

inline constexpr config each_tools_options{.mode = mode::reduce_overhead};
using each_tools = toolchain<>::with_options<each_tools_options>;
template <int Streams> inline constexpr config spread_tools_options{.streams = Streams};
template <int Streams> using spread_tools = toolchain<>::with_options<spread_tools_options<Streams>>;

/// "0 npu.matmul|r0@1 w0@0 1 npu.abs...": what is launched, in order: tasks with their streams, records and waits of events with theirs.
template <class Program> std::string launches() {
    std::string out;
    const auto plan = Program::plan_view();
    auto sync = plan.syncs.begin();
    for (auto t = plan.summary.prepare_tasks; t <= plan.summary.prepare_tasks + plan.summary.run_tasks; ++t) {
        for (; sync != plan.syncs.end() && sync->before == t; ++sync)
            out += (sync->kind == sync_kind::record ? "r" : "w") + std::to_string(sync->event) + "@" + std::to_string(sync->stream) + " ";
        if (t == plan.summary.prepare_tasks + plan.summary.run_tasks) break;
        const auto& job = plan.tasks[static_cast<std::size_t>(t)];
        out += std::string(Program::lowered_graph()[job.node].target.substr(4)) + "@" + std::to_string(job.stream) + " ";
    }
    return out;
}
template <class Program> auto results(const std::vector<float>& x) {
    const auto weights = Program::prepare();
    typename Program::session run{weights};
    std::vector<std::vector<float>> out;
    const auto keep = [&](const auto&... leases) { (out.emplace_back(leases.data(), leases.data() + 9), ...); };
    std::apply(keep, run(std::span<const float, 9>(x.data(), 9)));
    return out;
}
const std::vector<float> image{1, -2, 3, 4, 5, -6, 7, 8, 9};

// ---- the graph of seed 004: mm and abs on a stream of their own, sub after abs

constexpr std::string_view as_written = R"fx(def forward(self, x : f32[3, 3]):
    mm = torch.ops.aten.mm.default(x, x)
    abs_1 = torch.ops.aten.abs.default(mm)
    add = torch.ops.aten.add.Tensor(abs_1, 1)
    sub = torch.ops.aten.sub.Tensor(x, mm)
    return (add, sub)
)fx";
constexpr std::string_view placed = R"fx(def forward(self, x : f32[3, 3]):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['stream_1'])
    mm = torch.ops.aten.mm.default(x, x)
    abs_1 = torch.ops.aten.abs.default(mm)
    record = torch.ops.air.record.default()
    scope_exit = torch.ops.air.scope_exit.default()
    wait_1 = torch.ops.air.wait.default([record])
    add = torch.ops.aten.add.Tensor(abs_1, 1)
    wait = torch.ops.air.wait.default([record])
    sub = torch.ops.aten.sub.Tensor(x, mm)
    return (add, sub)
)fx";
constexpr std::string_view unordered = R"fx(def forward(self, x : f32[3, 3]):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['stream_1'])
    mm = torch.ops.aten.mm.default(x, x)
    abs_1 = torch.ops.aten.abs.default(mm)
    add = torch.ops.aten.add.Tensor(abs_1, 1)
    scope_exit = torch.ops.air.scope_exit.default()
    sub = torch.ops.aten.sub.Tensor(x, mm)
    return (add, sub)
)fx";
struct as_written_text { static constexpr std::string_view text = as_written; };
struct placed_text { static constexpr std::string_view text = placed; };
struct unordered_text { static constexpr std::string_view text = unordered; };
using written_program = compiled<fx<as_written_text>>;
using placed_each = compiled<fx<placed_text>, each_tools>;
using placed_whole = compiled<fx<placed_text>>;
using unordered_whole = compiled<fx<unordered_text>>;

void seed_004() {
    const auto expected = results<written_program>(image);
    check(results<placed_each>(image) == expected);
    check(results<placed_whole>(image) == expected);
    check(results<unordered_whole>(image) == expected);
    check(launches<placed_each>() == "r0@0 w0@1 matmul@1 abs.default@1 r1@1 w1@0 add.Tensor@0 sub.Tensor@0 ", launches<placed_each>());
    check(launches<placed_whole>() == "r0@0 w0@1 matmul@1 abs.default@1 r1@1 w1@0 add.Tensor@0 sub.Tensor@0 ", launches<placed_whole>());
    // Nobody says that sub waits for mm: the planner does. It does not wait for what follows mm, but the end of the run does.
    check(launches<unordered_whole>() == "r0@0 w0@1 matmul@1 r1@1 fused@1 r2@1 w1@0 sub.Tensor@0 w2@0 ", launches<unordered_whole>());
}

/// Streams are called what the graph calls them.
void timeline_names_streams() {
    std::string out;
    print_timeline<placed_each>(out);
    check(out.find("\nstream 1 |") != std::string::npos && out.find("| stream_1\nstream\tstart\tend\top\nstream_1\t") != std::string::npos, out);
    check(out.find("| default\n") != std::string::npos && out.find("\ndefault\t") != std::string::npos, out);
    std::string table;
    print_timeline_table<placed_each>(table);
    check(out.ends_with("\n" + table) && table.starts_with("stream\tstart"), table);
}

// ---- scopes

/// Labels nest: the innermost counts, also for records and waits; what stands behind an inner scope is on the outer one's stream again.
struct nested_text {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['outer'])
    a = torch.ops.aten.abs.default(x)
    enter_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['inner'])
    b = torch.ops.aten.neg.default(a)
    r = torch.ops.air.record.default()
    exit_1 = torch.ops.air.scope_exit.default()
    w = torch.ops.air.wait.default([r])
    c = torch.ops.aten.mm.default(a, b)
    r_1 = torch.ops.air.record.default()
    exit_2 = torch.ops.air.scope_exit.default()
    w_1 = torch.ops.air.wait.default([r_1])
    d = torch.ops.aten.add.Tensor(c, x)
    return (d,)
)fx";
};
/// A scope starts after what stands before it where it is entered, not with the run; a wait that nothing follows on its stream still holds the end.
struct forked_text {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    a = torch.ops.aten.mm.default(x, x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    b = torch.ops.aten.neg.default(a)
    exit_1 = torch.ops.air.scope_exit.default()
    c = torch.ops.aten.abs.default(a)
    r = torch.ops.air.record.default()
    enter_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    w = torch.ops.air.wait.default([r])
    exit_2 = torch.ops.air.scope_exit.default()
    return (b, c)
)fx";
};
void scopes() {
    using nested = compiled<fx<nested_text>, each_tools>;
    using forked = compiled<fx<forked_text>, each_tools>;
    check(launches<nested>() == "r0@0 w0@1 abs.default@1 r1@1 w1@2 neg.default@2 r2@2 w2@1 matmul@1 r3@1 w3@0 add.Tensor@0 ", launches<nested>());
    check(launches<forked>() == "matmul@0 r0@0 w0@1 neg.default@1 r1@1 abs.default@0 w1@0 ", launches<forked>());
    check(results<forked>(image) == results<compiled<fx<forked_text>>>(image));
}

// ---- plans that are wrong: run-time values of the same kind, broken

using broken_plan = std::remove_const_t<decltype(placed_each::planned)>;
diagnosis judged(const broken_plan& plan) {
    diagnosis d;
    check_plan(placed_each::lowered_graph(), placed_each::needs, plan.view(), d);
    return d;
}
broken_plan without_sync(std::int32_t which) {
    auto plan = placed_each::planned;
    std::copy(plan.syncs.begin() + which + 1, plan.syncs.begin() + plan.summary.syncs, plan.syncs.begin() + which);
    --plan.summary.syncs;
    return plan;
}
void every_event_is_needed() {
    check(judged(placed_each::planned).ok());
    const fault expected[] = {fault::wait_is_never_met, fault::stream_is_not_forked, fault::wait_is_never_met, fault::stream_is_not_joined};
    for (std::int32_t s = 0; s < 4; ++s) check_fault(judged(without_sync(s)), {expected[s]});
    const auto race = judged(without_sync(3));
    check(race.name.view() == "abs_1" && race.found.view() == "stream_1", race.found.view());
}
/// Joined at the end, but not before it reads what the other stream computes; and bytes of an operand that the other stream still reads.
void reads_too_early() {
    auto plan = placed_each::planned;
    const auto end = plan.summary.prepare_tasks + plan.summary.run_tasks;
    plan.syncs[3].before = end; // the main stream's wait
    const auto race = judged(plan);
    check_fault(race, {.what = fault::streams_race, .name = "add", .expected = "an event between abs_1 and it",
                       .found = "reads what stream_1 may still write, on default"});
}
struct reuse_text { // b is computed while the side stream may still read a
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    a = torch.ops.aten.mm.default(x, x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    s = torch.ops.aten.mm.default(a, x)
    exit_1 = torch.ops.air.scope_exit.default()
    b = torch.ops.aten.mm.default(x, x)
    c = torch.ops.aten.mm.default(b, x)
    return (s, c)
)fx";
};
void reuses_too_early() {
    using program = compiled<fx<reuse_text>, each_tools>;
    auto plan = program::planned;
    const auto offset_of = [&](int task) -> std::int64_t& {
        const auto& n = program::lowered_graph()[plan.tasks[static_cast<std::size_t>(task)].node];
        return plan.placements[static_cast<std::size_t>(n.values.first)].offset;
    };
    check(launches<program>() == "matmul@0 r0@0 w0@1 matmul@1 r1@1 matmul@0 matmul@0 w1@0 ", launches<program>());
    diagnosis d;
    check(check_plan(program::lowered_graph(), program::needs, plan.view(), d));
    check(offset_of(2) != offset_of(0));
    offset_of(2) = offset_of(0);
    check(!check_plan(program::lowered_graph(), program::needs, plan.view(), d));
    check_fault(d, {.what = fault::memory_is_reused_too_early, .name = "b", .found = "writes over what side may still use, on default"});
}

// ---- limits

void limits() {
    machine::device small;
    small.streams = 1;
    diagnosis d;
    check(!check_limits(placed_each::planned.summary, small, d));
    check_fault(d, {.what = fault::device_streams_are_exceeded, .found = "2"});
    small.streams = 2;
    small.events = 1;
    d = {};
    check(!check_limits(placed_each::planned.summary, small, d));
    check_fault(d, {.what = fault::device_events_are_exceeded, .expected = "at most 1 events"});
    small.events = 2;
    d = {};
    check(check_limits(placed_each::planned.summary, small, d));
    check(!pass::check_config({.streams = 0}, d));
    check_fault(d, {.what = fault::option_is_out_of_range, .name = "streams"});
    d = {};
    check(!pass::check_config({.mode = mode::reduce_overhead, .streams = 2}, d));
    check_fault(d, {fault::option_has_no_effect});
}

// ---- two graphs, each with streams of its own, run by turns: they share nothing

void two_graphs() {
    using first = placed_each;
    using second = compiled<fx<forked_text>, each_tools>;
    const auto expected = results<first>(image);
    const auto weights = first::prepare();
    const auto others = second::prepare();
    first::session a{weights};
    second::session b{others};
    const std::span<const float, 9> x(image.data(), 9);
    for (int round = 0; round < 3; ++round) {
        const auto [sum, difference] = a(x);
        const auto [left, right] = b(x);
        check(std::equal(expected[0].begin(), expected[0].end(), sum.data()) && std::equal(expected[1].begin(), expected[1].end(), difference.data()));
        check(results<second>(image)[1] == std::vector<float>(right.data(), right.data() + 9));
    }
}

// ---- automatic placement

struct branches_text {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    a = torch.ops.aten.mm.default(x, x)
    b = torch.ops.aten.mm.default(a, x)
    c = torch.ops.aten._softmax.default(x, -1, False)
    d = torch.ops.aten.mm.default(c, x)
    e = torch.ops.aten.mm.default(b, d)
    return (e,)
)fx";
};
void automatic() {
    using one = compiled<fx<branches_text>>;
    using two = compiled<fx<branches_text>, spread_tools<2>>;
    static_assert(one::plan.streams == 1 && one::plan.syncs == 0 && two::plan.streams == 2 && two::plan.makespan < one::plan.makespan);
    check(results<one>(image) == results<two>(image));
    text_buffer<2000> out;
    print_timeline<two>(out);
    check(out.view().find("stream 1 |") != std::string_view::npos, out.view());
    // A chain stays where it is, whatever the number of streams.
    using chain = compiled<fx<as_written_text>, spread_tools<4>>;
    check(results<chain>(image) == results<written_program>(image));
}

/// What an event costs, and what must be saved at least, keep small graphs on one stream.
constexpr machine::device npu_with(machine::ticks event, std::int32_t least_gain_permille) {
    auto on = machine::npu;
    on.launch.event = event;
    on.least_gain_permille = least_gain_permille;
    return on;
}
inline constexpr machine::device dear_events_device = npu_with({10'000'000}, 0);
using dear_events = spread_tools<2>::with_device<dear_events_device>;
inline constexpr machine::device much_to_save_device = npu_with({}, 900);
using much_to_save = spread_tools<2>::with_device<much_to_save_device>;
using here = spread_tools<2>::with_device<machine::xeon_2core>;
template <int N> inline constexpr auto two_chains = trace([](input<"x", f32<N, N>> x, input<"y", f32<N, N>> y) { return outputs(mm(mm(x, x), x), mm(mm(y, y), y)); });
void spread_only_where_it_pays() {
    using stays = compiled<fx<branches_text>, dear_events>;
    static_assert(stays::plan.streams == 1 && stays::plan.syncs == 0 && stays::plan.peak_bytes == compiled<fx<branches_text>>::plan.peak_bytes);
    static_assert(compiled<fx<branches_text>, much_to_save>::plan.streams == 1);
    static_assert(compiled<two_chains<8>, here>::plan.streams == 1 && compiled<two_chains<128>, here>::plan.streams == 2);
    check(results<stays>(image) == results<compiled<fx<branches_text>>>(image));
}

} // namespace

int main() {
    seed_004();
    timeline_names_streams();
    scopes();
    every_event_is_needed();
    reads_too_early();
    reuses_too_early();
    limits();
    two_graphs();
    automatic();
    spread_only_where_it_pays();
    return test::report();
}
