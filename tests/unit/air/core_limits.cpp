// Limits of cores: what scopes and the options say of them, what they cost on the simulated clock, what runs beside them, and what no pass and no cut may make of
// them; what is no limit.
// SPDX-License-Identifier: MIT
// fault: core_limit_is_out_of_range
// fault: option_is_out_of_range
// fault: rewrite_crosses_streams
#include "fused_agreement.hpp"
#include "lowered.hpp"
#include "planned.hpp"
#include "refusal.hpp"
#include "timed.hpp"
#include "typed_reading.hpp"

#include <ahead/ahead.hpp>
#include <ahead/generate/graph_literal.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/pass/kept_streams.hpp>
#include <ahead/print/chrome_trace.hpp>
#include <ahead/print/plan_table.hpp>
#include <ahead/print/print_timeline.hpp>
#include <ahead/print/report/html_report.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

using namespace ahead;
using namespace test;

namespace {

using reading = typed_reading<capacity{80, 400, 80}>;
using machine::unit;

// ---- what scopes say

constexpr std::string_view scopes = R"fx(def forward(self, x : f32[2]):
    a = torch.ops.aten.neg.default(x)
    e = torch.ops.air.scope_enter.default(['_op_aicore_num', '_op_vectorcore_num'], ['12', '24'])
    b = torch.ops.aten.neg.default(x)
    e_1 = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    c = torch.ops.aten.neg.default(x)
    e_2 = torch.ops.air.scope_enter.default(['_op_aicore_num', '_op_aicore_num'], ['1', '007'])
    d = torch.ops.aten.neg.default(x)
    u_2 = torch.ops.air.scope_exit.default()
    u_1 = torch.ops.air.scope_exit.default()
    e_3 = torch.ops.air.scope_enter.default(['_op_vectorcore_num', '_super_kernel_scope', '_op_aicore_num'], ['3', '', '4'])
    f = torch.ops.aten.neg.default(x)
    u_3 = torch.ops.air.scope_exit.default()
    u = torch.ops.air.scope_exit.default()
    g = torch.ops.aten.neg.default(x)
    return (a, b, c, d, f, g)
)fx";
// Of each neg, the inner scope's number where it says one; a scope behind whose empty super kernel TorchAir applies nothing more.
template <class Reading> constexpr bool innermost_counts(core_limit outside) {
    Reading r(scopes);
    r.storage.edit().header().limit = outside;
    const auto g = r.storage.view();
    const air::stream_map map(g);
    constexpr core_limit said[] = {{}, {12, 24}, {12, 24}, {7, 24}, {12, 3}, {}};
    const core_limit* next = said;
    for (node_id id : g)
        if (same_name(g[id].target, "aten.neg.default") && map.of(id).limit != within(outside, *next++)) return false;
    return next == said + 6 && map.has_limits() && map.has_stream_scopes() && !air::stream_map(reading("def forward(self, x : f32[2]):\n    return (x,)\n").storage.view()).has_limits();
}
static_assert(innermost_counts<reading>({}) && innermost_counts<reading>({20, 0}));

// A graph that limits cores says nothing of streams.
constexpr bool streams_are_said(std::string_view line) {
    const std::string_view before = "def forward(self, x : f32[2]):\n", after = "    return (x,)\n";
    text_buffer<400> text;
    for (auto part : {before, line, after}) text.append(part);
    reading r(text.view());
    return air::has_stream_scopes(r.storage.view());
}
static_assert(!streams_are_said("    e = torch.ops.air.scope_enter.default(['_op_aicore_num', '_user_stream_priority'], ['2', '1'])\n    u = torch.ops.air.scope_exit.default()\n"));
static_assert(streams_are_said("    e = torch.ops.air.scope_enter.default(['_op_aicore_num', '_user_stream_label'], ['2', 'default'])\n    u = torch.ops.air.scope_exit.default()\n"));
static_assert(streams_are_said("    r = torch.ops.air.record.default()\n") && !streams_are_said(""));

static_assert(read_core_count("1") == 1 && read_core_count("048") == 48 && read_core_count("999999999") == 999'999'999);
static_assert(read_core_count("") == 0 && read_core_count("0") == 0 && read_core_count("-1") == 0 && read_core_count("+1") == 0 && read_core_count("1.5") == 0 &&
              read_core_count(" 1") == 0 && read_core_count("1000000000") == 0);
static_assert(print(core_limit{}).view() == "all cores" && print(core_limit{3, 0}).view() == "3 AI cores" && print(core_limit{3, 6}).view() == "3 AI cores, 6 vector cores" &&
              print(core_limit{0, 6}).view() == "6 vector cores");

// ---- what they cost

constexpr const machine::device& big = machine::ascend_910b2;
constexpr machine::footprint near{1 << 20, 1 << 20}, far{std::int64_t{1} << 33, std::int64_t{1} << 33};
constexpr machine::work product{.cube = {1, 2048, 2048, 2048}}, rows{.vector = {4800, 6400, 10, 0}}, bytes{.moved_bytes = 1 << 28};
constexpr machine::work limited(machine::work w, core_limit to) {
    w.limit = to;
    return w;
}
constexpr machine::ticks time_on(const machine::work& w, core_limit to, const machine::footprint& used = near) { return machine::time_of(limited(w, to), big, used) - big.launch.task; }
// Twice the time on half of the cores of the unit that it is on; of the other unit's it is the same. Bytes: where cores have a bandwidth of their own, on fewer of both.
constexpr bool about(machine::ticks a, machine::ticks b) { return a.count - b.count < b.count / 1000 && b.count - a.count < b.count / 1000; }
static_assert(about(time_on(product, {12, 0}), 2 * time_on(product, {})) && time_on(product, {0, 24}) == time_on(product, {}));
static_assert(about(time_on(rows, {0, 24}), 2 * time_on(rows, {})) && time_on(rows, {12, 0}) == time_on(rows, {}));
static_assert(about(time_on(bytes, {12, 24}), 2 * time_on(bytes, {})) && about(time_on(bytes, {6, 24}), 2 * time_on(bytes, {})) && time_on(bytes, {12, 0}) == time_on(bytes, {}));
static_assert(time_on(bytes, {12, 24}, far) == time_on(bytes, {}, far)); // behind the caches the bandwidth is nobody's own
static_assert(time_on(product, {24, 48}) == time_on(product, {}) && time_on(product, {99, 99}) == time_on(product, {}));

/// Laws, of any work on any device: a limit takes as long as a device of so many cores, never less than a wider one, and leaves the rest of each unit to others: two
/// whose limits add up to what the device has run side by side as if each were alone.
bool keeps_to_its_cores(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto upto = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
    for (int round = 0; round < 2000; ++round) {
        auto on = round % 3 == 0 ? machine::ascend_310p3 : big;
        if (round % 2 == 0) on.memory[0].bytes_per_us = on.memory[1].bytes_per_us = std::int64_t{1} << 40; // units alone, which is what limits are of
        if (round % 5 == 0) on.launch.task = {}, on.cube.brackets = {{{1 << 20, 1300}, {1 << 30, 900}}}; // nothing stands between, and some are above the peak
        machine::work w{.cube = {upto(2), upto(400), upto(400), upto(400)}, .vector = {upto(300), upto(3000), upto(20), upto(5)}, .after = {1, upto(5000), upto(9), 0}};
        w.moved_bytes = upto(1 << 22);
        const auto ai = static_cast<std::int32_t>(1 + upto(on.cube.cores - 2)), vector = static_cast<std::int32_t>(1 + upto(on.vector.cores - 2));
        const auto mine = limited(w, {ai, vector}), others = limited(w, {on.cube.cores - ai, on.vector.cores - vector}), wider = limited(w, {ai + 1, vector + 1});
        const auto narrow = machine::narrowed(on, {ai, vector});
        if (narrow.cube.cores != ai || narrow.vector.cores != vector || machine::time_of(mine, on, near) != machine::time_of(w, narrow, near)) return false;
        if (machine::time_of(mine, on, near) < machine::time_of(wider, on, near) || machine::time_of(wider, on, near) < machine::time_of(w, on, near)) return false;
        const auto a = machine::demand_of(mine, on, near), b = machine::demand_of(others, on, near);
        for (const auto u : {unit::cube, unit::vector}) {
            const auto has = u == unit::cube ? on.cube.cores : on.vector.cores, may = u == unit::cube ? ai : vector;
            if (a.of(u).count * has > a.alone.count * may || a.alone < a.of(u)) return false;
        }
        if (round % 2 != 0) continue;
        machine::shared_machine machine(4);
        if (machine.run({}, a) != a.alone || machine.run({}, b) != b.alone) return false;
    }
    return true;
}
// Where they add up to more, one of them gets what the other leaves.
static_assert([] {
    const auto task = machine::demand_of(limited(rows, {0, 32}), big, near);
    machine::shared_machine machine(4);
    return machine.run({}, task) == task.alone && machine.run({}, task) > task.alone;
}());

// ---- whole programs

using on_big = toolchain<>::with_device<machine::ascend_910b2>;
std::string scope(const core_limit& l, std::string_view label = {}) {
    std::string keys, values;
    const auto add = [&](std::string_view key, const std::string& value) {
        if (!keys.empty()) keys += ", ", values += ", ";
        ((keys += "'") += key) += "'";
        ((values += "'") += value) += "'";
    };
    if (l.ai_cores > 0) add("_op_aicore_num", std::to_string(l.ai_cores));
    if (l.vector_cores > 0) add("_op_vectorcore_num", std::to_string(l.vector_cores));
    if (!label.empty()) add("_user_stream_label", std::string(label));
    return "torch.ops.air.scope_enter.default([" + keys + "], [" + values + "])\n";
}
compile::inspected_graph inspected(const std::string& text, const config& options = {}) {
    auto made = inspect_fx<on_big>(text, options);
    check(made.error.ok(), render(made.error));
    return made;
}
std::vector<machine::ticks> durations(const compile::inspected_graph& made) {
    std::vector<machine::ticks> out;
    for (const auto& row : made.timeline) out.push_back(row.end - row.start);
    return out;
}
std::string products(const core_limit& first, const core_limit& second, bool apart) {
    return "def forward(self, x : f32[1024, 1024], y : f32[1024, 1024]):\n    e = " + scope(first, apart ? "one" : "") + "    a = torch.ops.aten.mm.default(x, y)\n    u = torch.ops.air.scope_exit.default()\n    e_1 = " +
           scope(second, apart ? "two" : "") + "    b = torch.ops.aten.mm.default(y, x)\n    u_1 = torch.ops.air.scope_exit.default()\n    return (a, b)\n";
}
void clocks() {
    const auto free = inspected(products({24, 48}, {24, 48}, false)), one = inspected(products({12, 24}, {24, 48}, false));
    const auto none = inspected("def forward(self, x : f32[1024, 1024], y : f32[1024, 1024]):\n    a = torch.ops.aten.mm.default(x, y)\n    b = torch.ops.aten.mm.default(y, x)\n    return (a, b)\n");
    check(durations(free) == durations(none) && free.plan() == none.plan());
    const auto slow = durations(one), usual = durations(none);
    check(slow.size() == 2 && about(slow[0] - big.launch.task, 2 * (usual[0] - big.launch.task)) && slow[1] == usual[1]);
    // The option is a scope around all, in which others stand.
    check(durations(inspected(products({12, 24}, {24, 48}, false), {.aicore_num = 6, .vectorcore_num = 12})) == slow);
    check(durations(inspected(products({12, 0}, {0, 48}, false), {.aicore_num = 24, .vectorcore_num = 24}))[0] == slow[0]);
    const auto all = durations(inspected("def forward(self, x : f32[1024, 1024], y : f32[1024, 1024]):\n    a = torch.ops.aten.mm.default(x, y)\n    return (a,)\n", {.aicore_num = 12, .vectorcore_num = 24}));
    check(all.size() == 1 && all[0] == slow[0]);
    // On two streams: side by side where they add up to what there is; else later.
    const auto halves = inspected(products({12, 24}, {12, 24}, true)), crowded = inspected(products({20, 40}, {20, 40}, true));
    const auto alone = inspected(products({20, 40}, {20, 40}, false));
    check(durations(halves) == std::vector{slow[0], slow[0]});
    check(halves.timeline[0].start == halves.timeline[1].start && halves.plan().streams == 3);
    check(durations(crowded)[0] == durations(alone)[0] && durations(crowded)[1] > durations(alone)[1]);
}

// What is seen of them.
void reports() {
    const auto text = products({12, 24}, {0, 48}, true);
    const auto made = inspected(text);
    std::string table, trace, page;
    print_timeline_table(made.lowered_graph(), made.plan_view(), made.timeline, table);
    check(table.starts_with("stream\tstart\tend\top\tcores\none\t") && table.find("npu.matmul\t12 AI cores, 24 vector cores\n") != table.npos && table.find("npu.matmul\t48 vector cores\n") != table.npos, table);
    print_trace(made.lowered_graph(), made.plan_view(), made.timeline, trace);
    check(trace.find(",\"cores\":\"12 AI cores, 24 vector cores\"") != trace.npos && trace.find(",\"cores\":\"48 vector cores\"") != trace.npos);
    print_report(made, page);
    check(page.find("\n12 AI cores, 24 vector cores</title>") != page.npos && page.find("</code> on 48 vector cores</td>") != page.npos);
    const auto plan = plan_table(made.lowered_graph(), made.plan_view());
    check(plan.find(" on 12 AI cores, 24 vector cores\n") != plan.npos && plan.find(" on 48 vector cores\n") != plan.npos, plan);
    const std::string free_text = "def forward(self, x : f32[4]):\n    a = torch.ops.aten.neg.default(x)\n    return (a,)\n";
    const auto free = inspected(free_text);
    std::string without, quiet;
    print_timeline_table(free.lowered_graph(), free.plan_view(), free.timeline, without);
    print_trace(free.lowered_graph(), free.plan_view(), free.timeline, quiet);
    check(without.starts_with("stream\tstart\tend\top\n") && quiet.find("cores") == quiet.npos);
    check(plan_table(free.lowered_graph(), free.plan_view()).find(" on ") == std::string::npos);
}

// A block has the cores of the call that holds it, and what its own scopes say.
void blocks() {
    const auto text = [](const std::string& before, const std::string& after) {
        return R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[512, 512]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
)fx" + before + R"fx(        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x]);  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[512, 512]" = cond[0];  cond = None
)fx" + after + R"fx(        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[512, 512]"):
            mm: "f32[512, 512]" = torch.ops.aten.mm.default(x, x);  x = None
            return (mm,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[512, 512]"):
            mm: "f32[512, 512]" = torch.ops.aten.mm.default(x, x);  x = None
            return (mm,)
)fx";
    };
    const auto free_text = text("", ""), half_text = text("        e = " + scope({12, 24}), "        u = torch.ops.air.scope_exit.default()\n");
    const auto free = inspected(free_text), half = inspected(half_text), option = inspected(free_text, {.aicore_num = 12, .vectorcore_num = 24});
    const auto overridden = inspected(half_text, {.aicore_num = 3, .vectorcore_num = 3});
    check(half.blocks.size() == 2 && half.blocks[0].as_lowered.header.limit == core_limit{12, 24});
    check(half.makespan() > free.makespan() && half.makespan() == option.makespan() && half.makespan() == overridden.makespan());
    check(half.blocks[0].makespan() == option.blocks[0].makespan());
}

// ---- what is kept apart

std::string tasks(const std::string& lines) {
    const std::string text = "def forward(self, x : f32[8, 8]):\n" + lines + "    return (y,)\n";
    reading r{std::string_view(text)};
    check(r.error.ok(), render(r.error));
    const lowered device(r.storage.view());
    check(device.error.ok(), name_of(device.error.what));
    std::string out;
    for (node_id id : device.storage.view())
        if (const auto& n = device.storage.view()[id]; n.kind == node_kind::call && n.target.starts_with("npu.") && n.target != "npu.view") out += std::string(n.target.substr(4)) + " ";
    return out;
}
const std::string exit_scope = "    u = torch.ops.air.scope_exit.default()\n", exit_again = "    u_1 = torch.ops.air.scope_exit.default()\n";
std::string in(const core_limit& l, const char* name = "e") { return std::string("    ") + name + " = " + scope(l); }
void fusing() {
    const std::string a = "    a = torch.ops.aten.exp.default(x)\n", y = "    y = torch.ops.aten.neg.default(a)\n", mm = "    a = torch.ops.aten.mm.default(x, x)\n";
    check_equal(tasks(in({2, 2}) + a + y + exit_scope), "fused ");
    check_equal(tasks(in({2, 2}) + a + exit_scope + in({2, 2}, "e_1") + y + exit_again), "fused "); // the same limits again
    check_equal(tasks(in({2, 2}) + a + exit_scope + in({2, 0}, "e_1") + in({0, 2}, "e_2") + y + exit_again + "    u_2 = torch.ops.air.scope_exit.default()\n"), "fused ");
    check_equal(tasks(in({2, 2}) + a + exit_scope + y), "exp.default neg.default ");
    check_equal(tasks(in({2, 2}) + a + exit_scope + in({2, 1}, "e_1") + y + exit_again), "exp.default neg.default ");
    check_equal(tasks(in({2, 2}) + mm + y + exit_scope), "matmul ");
    check_equal(tasks(mm + in({2, 2}) + y + exit_scope), "matmul neg.default ");
    // Nor are duplicates one across them.
    const std::string again = "    b = torch.ops.aten.exp.default(x)\n", sum = "    y = torch.ops.aten.add.Tensor(a, b)\n";
    const auto merged = [](const std::string& lines) {
        const std::string text = "def forward(self, x : f32[8, 8]):\n" + lines + "    return (y,)\n";
        reading r{std::string_view(text)};
        pass::run(pass::pipeline<>{} | pass::eliminate_duplicates, config{}, r.storage.edit(), aten::registry::table, r.error);
        int count = 0;
        for (node_id id : r.storage.view()) count += r.storage.view()[id].target == "aten.exp.default";
        return count;
    };
    check(merged(a + again + sum) == 1 && merged(in({2, 2}) + a + again + exit_scope + sum) == 1 && merged(in({2, 2}) + a + exit_scope + again + sum) == 2);
}
// A pass that takes a call that it keeps out of its limit is refused.
void passes() {
    const std::string text = "def forward(self, x : f32[8, 8]):\n    e = " + scope({2, 3}) + "    y = torch.ops.aten.exp.default(x)\n    u = torch.ops.air.scope_exit.default()\n    return (y,)\n";
    reading r{std::string_view(text)};
    const auto g = r.storage.edit();
    const pass::detail::kept_streams kept(g);
    diagnosis d;
    check(kept.check_graph(g, d));
    for (node_id id : g)
        if (g[id].target == "aten.exp.default") move_node(g, id, g.last()); // behind the exit
    check(!kept.check_graph(g, d));
    check_fault(d, {.what = fault::rewrite_crosses_streams, .expected = "a call that keeps 2 AI cores, 3 vector cores", .found = "all cores"});
}

// ---- cuts

inline constexpr machine::device cut_device = where_meeting_is_free(machine::xeon_2core, 3);
template <int Cores, int Limit = 0> inline constexpr config cut_options{.cores = Cores, .aicore_num = Limit};
template <int Cores, int Limit = 0> using cut = toolchain<>::with_device<cut_device>::with_options<cut_options<Cores, Limit>>;
constexpr auto two_products = trace([](input<"x", f32<64, 40>> x, param<"v", f32<40, 40>> v, param<"w", f32<40, 24>> w) {
    auto a = mm(x, v);
    auto b = mm(a, w);
    {
        limit_core_num<"2", "3"> two(x);
        b = exp(mm(a, w));
    }
    scope_enter(x, words<"_op_vectorcore_num">{}, words<"1">{});
    auto c = softmax<1>(b);
    scope_exit(x);
    return outputs(c);
});
void cutting() {
    using whole = compiled<two_products, cut<1>>;
    using parts = compiled<two_products, cut<3>>;
    using narrow = compiled<two_products, cut<3, 1>>;
    static_assert(parts::plan.streams == 3);
    check(tasks_of<whole>("npu.matmul") == 2 && tasks_of<parts>("npu.matmul") == 3 + 2 && tasks_of<parts>("npu.softmax") == 1);
    check_equal(tasks_of<narrow>("npu.matmul"), 1 + 2); // the scope's limit, not the option's
    const auto given = random_inputs(whole::captured());
    const auto wanted = outputs_of<whole>(given);
    check(outputs_of<parts>(given) == wanted && outputs_of<narrow>(given) == wanted);
    check(outputs_of<parts, threaded_session<parts>>(given) == wanted, "on threads");
    static_assert(machine::cores_within({}, cut<1>::device) == 3 && machine::cores_within({2, 0}, cut<1>::device) == 2 && machine::cores_within({2, 1}, cut<1>::device) == 1);
    static_assert(machine::cores_within({9, 9}, cut<1>::device) == 3 && machine::cores_within({1, 1}, machine::npu) == 1);
    // The verifier: a task in more parts than it may have cores.
    auto plan = parts::planned;
    for (auto t = plan.summary.prepare_tasks; t < plan.summary.prepare_tasks + plan.summary.run_tasks; ++t) {
        const auto limit = machine::cores_within(air::stream_map(parts::lowered_graph()).of(plan.tasks[static_cast<std::size_t>(t)].node).limit, parts::device);
        for (std::int32_t in_parts = 1; in_parts <= 3; ++in_parts) {
            auto shaken = plan;
            shaken.summary.cores = 3;
            shaken.tasks[static_cast<std::size_t>(t)].parts = in_parts;
            diagnosis d;
            check(check_plan(parts::lowered_graph(), parts::needs, shaken.view(), d, parts::device) == (in_parts <= limit));
        }
    }
}

// ---- what is no limit

void refusals() {
    const auto refused = [](std::string_view key, std::string_view value) {
        const std::string text = "def forward(self, x : f32[3]):\n    y = torch.ops.aten.neg.default(x)\n    e = torch.ops.air.scope_enter.default(['" + std::string(key) + "'], ['" + std::string(value) +
                                 "'])\n    u = torch.ops.air.scope_exit.default()\n    return (y,)\n";
        const auto d = inspect_fx<on_big>(text).error;
        check_fault(d, {.what = fault::core_limit_is_out_of_range, .line = 3, .op = "air.scope_enter.default"});
        return std::string(d.expected.view()) + "; " + std::string(d.found.view());
    };
    for (std::string_view value : {"", "0", "-1", "24|48", "all", "1e1"})
        for (auto key : {air::ai_cores_key, air::vector_cores_key})
            check_equal(refused(key, value), std::string(key) + " of at least 1; '" + std::string(value) + "'");
    check_equal(refused(air::ai_cores_key, "25"), "_op_aicore_num of at most 24, as Ascend 910B2 has; '25'");
    check_equal(refused(air::vector_cores_key, "49"), "_op_vectorcore_num of at most 48, as Ascend 910B2 has; '49'");
    // Of the graph as a whole, as a written program says it.
    const std::string text = "def forward(self, x : f32[3]):\n    y = torch.ops.aten.neg.default(x)\n    return (y,)\n";
    reading r{std::string_view(text)};
    for (const auto& [limit, is_one] : {std::pair{core_limit{24, 48}, true}, {core_limit{25, 0}, false}, {core_limit{0, 49}, false}, {core_limit{-1, 0}, false}}) {
        diagnosis d;
        r.storage.edit().header().limit = limit;
        check(check_core_limits(r.storage.view(), big, d) == is_one && (is_one || d.what == fault::core_limit_is_out_of_range));
    }
    std::string literal;
    graph_header header;
    header.live_nodes = 3;
    header.limit = {12, 24};
    ahead::detail::append_literal(literal, header);
    check_equal(literal, "{.live_nodes = 3, .limit = {.ai_cores = 12, .vector_cores = 24}}");
    const auto fault_of = [](const config& options, const machine::device& on = big) {
        diagnosis d;
        static_cast<void>(pass::check_config(options, d) && pass::check_cores(options, on, d));
        return std::string(name_of(d.what)) + " " + std::string(d.name.view()) + " " + std::string(d.expected.view());
    };
    check_equal(fault_of({.aicore_num = 24, .vectorcore_num = 48}), "none  ");
    check_equal(fault_of({.mode = mode::reduce_overhead, .aicore_num = 1}), "none  ");
    check_equal(fault_of({.aicore_num = -1}), "option_is_out_of_range aicore_num at least 1, or 0 for all of the device's");
    check_equal(fault_of({.vectorcore_num = -1}), "option_is_out_of_range vectorcore_num at least 1, or 0 for all of the device's");
    check_equal(fault_of({.aicore_num = 25}), "option_is_out_of_range aicore_num at most 24, as the device Ascend 910B2 has");
    check_equal(fault_of({.vectorcore_num = 49}), "option_is_out_of_range vectorcore_num at most 48, as the device Ascend 910B2 has");
    check_equal(fault_of({.aicore_num = 2}, machine::npu), "option_is_out_of_range aicore_num at most 1, as the device npu has");
    check_equal(fault_of({.aicore_num = 2}, machine::xeon_2core), "none  "); // two cores of one each
}

} // namespace

int main() {
    check(innermost_counts<reading>({}) && innermost_counts<reading>({20, 0}));
    check(keeps_to_its_cores(5));
    clocks();
    reports();
    blocks();
    fusing();
    passes();
    cutting();
    refusals();
    return test::report();
}
