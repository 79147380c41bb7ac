// Traces for viewers: JSON, and what the Trace Event Format asks for; the numbers are the plan's; names of any text.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "json.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/chrome_trace.hpp>

#include <algorithm>
#include <map>

using namespace ahead;
using namespace test;

namespace {

using events = std::vector<json>;

inline constexpr auto chain =
    trace([](input<"x", f32<8, 8>> x, param<"w", f32<8, 8>> w) { return outputs(softmax<1>(mm(abs(mm(x, w)), x)), mm(x, x)); });

// Labels, node names and comments of any text.
struct streamed_text {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[32, 32]):
    # File: a "quoted" \ path<&>.py:3 in forward, code: torch.mm(x, x)
    a = torch.ops.aten.mm.default(x, x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side "<&>'])
    b = torch.ops.aten.mm.default(a, x)
    c = torch.ops.aten.exp.default(b)
    exit_1 = torch.ops.air.scope_exit.default()
    d = torch.ops.aten.mm.default(x, a)
    e = torch.ops.aten.add.Tensor(c, d)
    return (e,)
)fx";
};
template <int Streams> inline constexpr config spread_tools_options{.streams = Streams};
template <int Streams> using spread_tools = toolchain<>::with_options<spread_tools_options<Streams>>;
inline constexpr auto forked = trace(
    [](input<"x", f32<64, 64>> x, input<"y", f32<64, 64>> y) { return outputs(add(mm(mm(mm(x, x), x), x), mm(mm(mm(y, y), y), y))); });

template <class Program>
std::string trace_of(array_view<const timeline_row> rows, std::string_view title = "run", std::int32_t rank_id = 0) {
    std::string out;
    print_trace<Program>(rows, out, title, rank_id);
    return out;
}
events of_kind(const json& trace, std::string_view ph, std::string_view cat = {}) {
    events out;
    for (const auto& e : trace["traceEvents"].items)
        if (e["ph"].text == ph && (cat.empty() || e["cat"].text == cat)) out.push_back(e);
    return out;
}
double end_of(const json& slice) { return slice["ts"].number + slice["dur"].number; }

/// What every viewer relies on: each event's fields are there and are numbers; slices of a lane nest; each arrow has two ends, in that order, each in a slice.
void check_format(const json& trace) {
    for (const auto& e : trace["traceEvents"].items) {
        check(e["ph"].is == json::kind::string && e["pid"].is == json::kind::number && e["tid"].is == json::kind::number &&
              e["name"].is == json::kind::string);
        if (e["ph"].text != "M") check(e["ts"].is == json::kind::number && e["ts"].number >= 0);
        if (e["ph"].text == "X") check(e["dur"].is == json::kind::number && e["dur"].number >= 0);
    }
    const auto tasks = of_kind(trace, "X", "task"), runs = of_kind(trace, "X", "run");
    std::map<double, double> idle;
    for (const auto& t : tasks) {
        check(t["ts"].number > idle[t["tid"].number]); // as numbers of a viewer: no rounding makes two of them overlap
        idle[t["tid"].number] = end_of(t) + 0.0009;
        check(std::any_of(runs.begin(), runs.end(),
                          [&](const json& r) { return r["tid"].number == t["tid"].number && end_of(t) <= end_of(r) + 1e-9; }));
    }
    std::map<std::string, const json*> begun;
    const auto starts = of_kind(trace, "s"), ends = of_kind(trace, "f");
    check_equal(starts.size(), ends.size());
    for (const auto& s : starts) check(begun.emplace(s["id"].text, &s).second);
    for (const auto& f : ends) {
        const auto s = begun.find(f["id"].text);
        if (!check(s != begun.end() && f["bp"].text == "e")) continue;
        check((*s->second)["cat"].text == f["cat"].text && (*s->second)["name"].text == f["name"].text &&
              (*s->second)["tid"].text != f["tid"].text);
        check((*s->second)["ts"].number <= f["ts"].number);
        for (const auto* end : {s->second, &f})
            check(std::any_of(runs.begin(), runs.end(),
                              [&](const json& r) { return r["tid"].text == (*end)["tid"].text && (*end)["ts"].number < end_of(r); }));
    }
}
double most_live(const json& trace) {
    double most = 0;
    for (const auto& c : of_kind(trace, "C")) most = std::max(most, c["args"]["live bytes"].number);
    return most;
}

/// Tasks, lanes, arrows and bytes are the plan's.
template <class Program>
json check_numbers(array_view<const timeline_row> rows) {
    const auto text = trace_of<Program>(rows);
    const auto trace = json_reader::read(text);
    check_format(trace);
    const auto plan = Program::plan_view();
    const auto tasks = of_kind(trace, "X", "task");
    check_equal(tasks.size(), static_cast<std::size_t>(plan.summary.run_tasks));
    check_equal(of_kind(trace, "X", "run").size(), static_cast<std::size_t>(plan.summary.streams));
    check_equal(of_kind(trace, "s").size(), static_cast<std::size_t>(std::count_if(plan.syncs.begin(), plan.syncs.end(), [](const ahead::plan::sync& s) {
                    return s.kind == sync_kind::wait;
                })));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const auto& row = rows[i];
        const auto id = plan.tasks[static_cast<std::size_t>(row.task)].node;
        check_equal(tasks[i]["name"].text, std::string(Program::lowered_graph()[id].target));
        check_equal(tasks[i]["args"]["node"].text, std::string(print(Program::lowered_graph()[id].name).view()));
        check_equal(tasks[i]["ts"].number, static_cast<double>(row.start.count) / 1e6);
        check_equal(tasks[i]["dur"].text, std::string(detail::exact_microseconds((row.end - row.start).count - 1000).view()));
        check_equal(tasks[i]["args"]["begins at ps"].text, std::to_string(row.start.count));
        check_equal(tasks[i]["args"]["takes ps"].text, std::to_string((row.end - row.start).count));
        check_equal(tasks[i]["tid"].number, static_cast<double>(row.stream));
    }
    check(most_live(trace) <= static_cast<double>(plan.summary.peak_bytes));
    return trace;
}

void one_stream() {
    using program = compiled<chain>;
    for (const auto& rows : {program::plan.timeline, eager_timing<program, machine::npu>::timeline}) {
        const auto trace = check_numbers<program>(rows);
        // One task after the other: what is alive is what the planner counted.
        check_equal(most_live(trace), static_cast<double>(program::plan.largest_live_bytes));
        // The first output lives while the second one is computed.
        const auto counts = of_kind(trace, "C");
        check(counts.size() > 3 && counts.back()["args"]["live bytes"].number == 0);
        check_equal(counts[counts.size() - 2]["args"]["live bytes"].number, 2 * 8 * 8 * 4.0);
    }
}
void two_streams() {
    using program = compiled<forked, spread_tools<2>>;
    static_assert(program::plan.streams == 2 && program::plan.events > 0);
    const auto trace = check_numbers<program>(program::plan.timeline);
    check(most_live(trace) > 0);
    // An arrow begins in the last task before the record, ends where the first one behind the wait begins, else with the run.
    const auto starts = of_kind(trace, "s"), ends = of_kind(trace, "f");
    const auto plan = program::plan_view();
    std::size_t i = 0;
    for (const auto& record : plan.syncs)
        for (const auto& wait : plan.syncs) {
            if (record.kind != sync_kind::record || wait.kind != sync_kind::wait || record.event != wait.event || !check(i < starts.size()))
                continue;
            machine::ticks earliest, latest, ending = program::plan.makespan - machine::ticks{1000};
            for (const auto& row : program::plan.timeline) {
                if (row.stream == record.stream && row.task < record.before) earliest = row.start, latest = row.end;
                if (row.stream == wait.stream && row.task >= wait.before && row.start < ending) ending = row.start;
            }
            check(starts[i]["ts"].number >= earliest.microseconds() &&
                  starts[i]["ts"].number <= latest.microseconds() - (latest.count > 0 ? 0.0019 : 0));
            check_equal(ends[i]["ts"].number, ending.microseconds());
            check(starts[i]["tid"].number == record.stream && ends[i]["tid"].number == wait.stream);
            ++i;
        }
    check(i > 1);
}
void any_names() {
    using program = compiled<fx<streamed_text>>;
    check_numbers<program>(program::plan.timeline);
    const auto trace = json_reader::read(trace_of<program>(program::plan.timeline, "a \"title\"\n\t\\ \x01\xff\xe2\x82\xac"));
    const auto names = of_kind(trace, "M");
    check_equal(names[0]["args"]["name"].text, "a \"title\"\n\t\\ \xef\xbf\xbd\xef\xbf\xbd\xe2\x82\xac");
    check(std::any_of(names.begin(), names.end(),
                      [](const json& m) { return m["name"].text == "thread_name" && m["args"]["name"].text == "side \"<&>"; }));
    check(std::any_of(names.begin(), names.end(),
                      [](const json& m) { return m["name"].text == "thread_name" && m["args"]["name"].text == "default"; }));
    const auto tasks = of_kind(trace, "X", "task");
    check(tasks[0]["args"].has("source") && tasks[0]["args"]["source"].text.find("a \"quoted\" \\ path<&>.py:3") != std::string::npos);
    check_equal(tasks[0]["args"]["line"].number, 3.0);
}

/// Traces of two ranks have no process in common, and say which they are of.
void ranks() {
    for (std::int32_t rank : {0, 3}) {
        const auto trace = json_reader::read(trace_of<compiled<chain>>(compiled<chain>::plan.timeline, "run", rank));
        check_equal(trace["distributedInfo"]["rank"].number, static_cast<double>(rank));
        for (const auto& e : trace["traceEvents"].items) check_equal(e["pid"].number, rank + 1.0);
        const auto names = of_kind(trace, "M");
        check(std::any_of(names.begin(), names.end(), [&](const json& m) {
            return m["name"].text == "process_labels" && m["args"]["labels"].text == "rank" + std::to_string(rank);
        }));
    }
}

/// The same in a constant.
constexpr auto constant_trace = [] {
    text_buffer<16384> out;
    print_trace<compiled<chain>>(out);
    return out;
};
void at_compile_time() {
    static constexpr auto text = constant_trace();
    static_assert(text.lost == 0);
    check_equal(text.view(), std::string_view(trace_of<compiled<chain>>(compiled<chain>::plan.timeline)));
}

/// The reader of this test refuses what is not JSON.
void strict_reader() {
    for (const std::string_view wrong :
         {"{\"a\":1,}", "[1 2]", "\"a\nb\"", "{\"a\":1,\"a\":2}", "01", "[1]]", "\"\\x\"", "1.", "{a:1}", ""})
        check_throws([&] { json_reader::read(wrong); }, "JSON: expected");
}

} // namespace

int main() {
    strict_reader();
    one_stream();
    two_streams();
    any_names();
    ranks();
    at_compile_time();
    return report();
}
