// SPDX-License-Identifier: MIT
// Measured traces of a context: the host's calls, launches, replays and what runs in them, as rows and as JSON; by steps of a schedule; no allocation; the same bits.
// fault: trace_is_underway
#include "counted_allocations.hpp"
#include "device_refusal.hpp"
#include "harness.hpp"
#include "json.hpp"
#include "raw_launch.hpp"

#include <ahead/npu/launch.hpp>
#include <ahead/print/device_trace.hpp>

#include <map>

using namespace ahead;
using namespace test;

namespace {

using npu::trace_kind;

void sleeps(const std::byte* const* given, const std::byte*, std::byte* out) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    at(out) = at(given[0]) + 1;
}
cell number(npu::context& npu, std::int64_t value) { return npu.to_device<i64<>>(std::array<std::int64_t, 1>{value}); }

std::size_t count(std::span<const npu::trace_row> rows, trace_kind kind, std::string_view name) {
    std::size_t found = 0;
    for (const auto& r : rows) found += r.kind == kind && r.name.view() == name;
    return found;
}

/// Two streams, eagerly and captured: every lane's slices nest, each launch has one, arrows lead from calls to them, and they take as long as what ran.
void rows_and_text(npu::execution run) {
    npu::context npu({.run = run, .rank_id = 3});
    const auto a = npu.new_stream(), b = npu.new_stream();
    const auto x = number(npu, 4);
    const auto y = raw_launch{.read = {x}, .name = "before"}.on(a); // is not looked at
    npu.synchronize();
    npu::device_trace trace(npu);
    check_refusal([&] { npu::device_trace another(npu); }, fault::trace_is_underway);
    check(trace.rows().empty());

    const auto p = raw_launch{.run = sleeps, .read = {x}, .name = "say \"a\""}.on(a);
    const auto q = raw_launch{.run = sleeps, .read = {x}, .name = "b"}.on(b);
    check(p.copy()[0] == 5 && q.copy()[0] == 5);
    npu::graph g(npu);
    cell r, s;
    {
        npu::capture c(g, a);
        npu::event fork, join;
        c.record(fork);
        b.wait(fork);
        r = raw_launch{.run = sleeps, .read = {x}, .name = "r"}.on(a);
        s = raw_launch{.run = sleeps, .read = {x}, .name = "s"}.on(b);
        join.record(b);
        c.wait(join);
        c.end();
    }
    g.replay(b);
    b.synchronize();
    g.replay(b);
    check(r.copy()[0] == 5 && s.copy()[0] == 5);

    const auto rows = trace.rows();
    check_equal(trace.dropped(), 0);
    for (auto name : {"say \"a\"", "b"}) check(count(rows, trace_kind::launch, name) == 1 && count(rows, trace_kind::call, name) == 1, name);
    check_equal(count(rows, trace_kind::replay, "replay"), std::size_t{2});
    check_equal(count(rows, trace_kind::call, "replay"), std::size_t{2});
    for (auto name : {"r", "s"}) check(count(rows, trace_kind::step, name) == 2 && count(rows, trace_kind::call, name) == 1, name);
    check_equal(count(rows, trace_kind::call, "stream synchronize"), std::size_t{1});
    check_equal(count(rows, trace_kind::call, "copy_to"), std::size_t{4});
    check_equal(count(rows, trace_kind::launch, "before"), std::size_t{0});
    for (const auto& row : rows) {
        check(row.has_run && row.begun <= row.ended);
        if (row.kind != trace_kind::call && row.kind != trace_kind::replay) check(row.ended - row.begun >= std::chrono::milliseconds(2), row.name.view());
        if (row.kind == trace_kind::step) { // on the stream that replays, what was captured first in its own thread
            check(row.lane == b.number() && row.captured_on == (row.name.view() == "r" ? a : b).number());
            check_equal(row.thread, run == npu::execution::threads && row.name.view() == "s" ? 1 : 0);
        }
        if (row.made >= 0) check(row.begun <= rows[static_cast<std::size_t>(row.made)].begun);
    }

    std::string text;
    print_trace(trace, text, "my \"run\"");
    const auto read = json_reader::read(text);
    check_equal(read["distributedInfo"]["rank"].number, 3.0);
    std::map<double, std::string> names;
    std::map<double, std::vector<std::pair<double, double>>> open; // by lane: slices that have not ended
    std::vector<const json*> slices;
    std::size_t begins = 0, ends = 0;
    for (const auto& e : read["traceEvents"].items) {
        check_equal(e["pid"].number, 4.0);
        const auto kind = e["ph"].text;
        if (kind == "M" && e["name"].text == "thread_name") check(names.emplace(e["tid"].number, e["args"]["name"].text).second);
        if (kind == "X") slices.push_back(&e);
        begins += kind == "s";
        ends += kind == "f";
    }
    check(begins == 4 && ends == 4);
    std::vector<std::string> lanes{"host", "stream 1", "stream 2"};
    if (run == npu::execution::threads) lanes.push_back("stream 2, thread 1 of replays");
    std::vector<std::string> found;
    for (const auto& [tid, name] : names) found.push_back(name);
    check(found == lanes);
    check_equal(slices.size(), rows.size());
    std::sort(slices.begin(), slices.end(), [](const json* l, const json* m) {
        const auto ts = [](const json* e) { return (*e)["ts"].number; };
        return ts(l) != ts(m) ? ts(l) < ts(m) : (*l)["dur"].number > (*m)["dur"].number;
    });
    for (const auto* e : slices) {
        const auto begin = (*e)["ts"].number, end = begin + (*e)["dur"].number;
        auto& stack = open[(*e)["tid"].number];
        while (!stack.empty() && stack.back().second <= begin) stack.pop_back();
        check(stack.empty() || end <= stack.back().second + 1e-6, (*e)["name"].text);
        stack.push_back({begin, end});
    }
}

/// On threads what two streams run overlaps, and the host's calls are over before.
void overlaps() {
    npu::context npu({.run = npu::execution::threads});
    const auto a = npu.new_stream(), b = npu.new_stream();
    gate first, second;
    const auto x = number(npu, 4);
    npu::device_trace trace(npu);
    static_cast<void>(raw_launch{.run = pass_gate, .read = {x}, .constants = constants(first), .name = "a"}.on(a));
    static_cast<void>(raw_launch{.run = pass_gate, .read = {x}, .constants = constants(second), .name = "b"}.on(b));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    first.open();
    second.open();
    const auto rows = trace.rows();
    std::vector<const npu::trace_row*> ran, calls;
    for (const auto& r : rows) (r.kind == trace_kind::call ? calls : ran).push_back(&r);
    check(ran.size() == 2 && calls.size() == 2);
    check(ran[0]->begun < ran[1]->ended && ran[1]->begun < ran[0]->ended);
    check(calls[0]->ended < ran[0]->ended && calls[1]->ended < ran[1]->ended);
}

/// Nothing allocates; what finds no room is counted, and runs.
void room(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = number(npu, 4);
    cell y;
    npu::graph g(npu);
    {
        npu::capture c(g, s);
        y = raw_launch{.read = {x}, .name = "y"}.on(s);
        c.end();
    }
    g.replay(s);
    npu.synchronize();
    npu::device_trace trace(npu, {.rows = 100});
    const auto before = allocations.load();
    for (int i = 0; i < 100; ++i) g.replay(s);
    npu.synchronize();
    check_equal(allocations.load(), before);
    check_equal(y.copy()[0], 5);
    check(trace.rows().size() <= 100 && trace.rows().size() >= 99);
    check(trace.dropped() >= 200);
    check_refusal([&] { npu::context other; npu::device_trace(other, {.rows = 0}); }, fault::option_is_out_of_range, "1 or more, found 0");
}

/// A schedule's steps: what is recorded is that of the last cycle.
void by_steps(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = number(npu, 4);
    npu::device_trace trace(npu, {.rows = 50}, profile_schedule({.wait = 1, .warmup = 1, .active = 2, .repeat = 2}));
    std::string said;
    for (int i = 0; i < 12; ++i) {
        static_cast<void>(raw_launch{.read = {x}, .name = short_text(("step " + std::to_string(i)).c_str()).view()}.on(s));
        const auto action = trace.action();
        const bool is_ready = trace.step();
        check(is_ready == (action == runtime::profile_action::record_and_save));
        said += "-wrS"[static_cast<std::size_t>(action)];
        if (!is_ready) continue;
        const auto rows = trace.rows();
        const auto name = [](int n) { return "step " + std::to_string(n); };
        check(rows.size() == 4 && count(rows, trace_kind::launch, name(i)) == 1 && count(rows, trace_kind::launch, name(i - 1)) == 1);
    }
    check_equal(said, "-wrS-wrS----");
    check_equal(trace.rows().size(), std::size_t{4});

}
void each_cycle(npu::execution run) {
    npu::context npu({.run = run});
    const auto s = npu.new_stream();
    const auto x = number(npu, 4);
    npu::device_trace trace(npu, {}, profile_schedule({}));
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k <= i; ++k) static_cast<void>(raw_launch{.read = {x}}.on(s));
        check(trace.step());
        check_equal(trace.rows().size(), static_cast<std::size_t>(2 * (i + 1)));
    }
}

/// What throws is told as ever, and what is behind it has no times.
void throws() {
    npu::context npu({.run = npu::execution::threads});
    const auto s = npu.new_stream();
    const auto x = number(npu, 4);
    npu::device_trace trace(npu);
    static_cast<void>(raw_launch{.run = fails, .read = {x}, .name = "fails"}.on(s));
    static_cast<void>(raw_launch{.read = {x}, .name = "behind"}.on(s));
    for (const auto& r : trace.rows())
        if (r.kind == trace_kind::launch) check_equal(r.has_run, r.name.view() == "fails");
    std::string text;
    print_trace(trace, text);
    check(text.find("\"cat\":\"launch\",\"name\":\"behind\"") == text.npos);
    check_throws<std::runtime_error>([&] { s.synchronize(); }, "the kernel failed");
    npu::graph g(npu);
    {
        npu::capture c(g, s);
        c.host([&] { static_cast<void>(trace.rows()); });
        c.end();
    }
    g.replay(s);
    check_fault([&] { s.synchronize(); }, fault::call_is_illegal_in_callback, "device_trace");
    trace.stop();
    static_cast<void>(raw_launch{.read = {x}, .name = "later"}.on(s));
    check_equal(count(trace.rows(), trace_kind::call, "later"), std::size_t{0});
}

} // namespace

int main() {
    for (auto run : {npu::execution::in_order, npu::execution::threads}) {
        rows_and_text(run);
        room(run);
        by_steps(run);
        each_cycle(run);
    }
    overlaps();
    throws();
    return report();
}
