// SPDX-License-Identifier: MIT
// The steps of planning, as text: the plan's tasks, and its buffers with the values that they contain, after each phase
// of the planner that changed them.
// Called by users and tests; at compile time as well.
// Invariant: the phases are those of make_plan, called by the same function.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/plan/make_plan.hpp>
#include <ahead/print/escaped_text.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class phase_printer {
public:
    constexpr phase_printer(const plan_in_progress& plan, Sink& out) : plan_(plan), g_(plan.g), out_(out) {}

    /// In the order of launches, with the syncs between them.
    constexpr void put_tasks() {
        std::int32_t sync = 0;
        for (std::int32_t t = 0; t <= plan_.task_count; ++t) {
            for (; sync < plan_.summary.syncs && plan_.syncs[sync].before == t; ++sync) put_sync(plan_.syncs[sync]);
            if (t < plan_.task_count) put_task(t);
        }
    }
    /// In the order of the graph.
    constexpr void put_buffers() {
        for (node_id id : g_)
            for (std::int32_t k = 0; k < g_[id].values.count; ++k) put_buffer(g_[id].values[k].index);
    }

private:
    const plan_in_progress& plan_;
    graph_view g_;
    Sink& out_;

    template <class... Parts> constexpr void put(const Parts&... parts) { detail::put(out_, {parts...}); }
    /// A value has the name of its node; one of several results also has a number.
    constexpr void put_name(std::int32_t v) {
        const auto id = node_of(g_, {v});
        if (!id.exists()) return put("value ", v);
        put(print(g_[id].name));
        if (g_[id].values.count > 1) put("[", v - g_[id].values.first, "]");
    }
    constexpr void put_range(const live_range& live) { put(", tasks ", live.first, " to ", live.last); }
    constexpr void put_task(std::int32_t t) {
        const auto& job = plan_.tasks[t];
        put("  task ", t, t < plan_.summary.prepare_tasks ? " of prepare: " : ": ", g_[job.node].target, " ",
            print(g_[job.node].name));
        if (job.workspace_bytes > 0) {
            put(", workspace of ", job.workspace_bytes, " bytes");
            if (plan_.has_offsets) put(" at ", job.workspace_offset);
        }
        if (plan_.summary.streams > 1) put(", stream ", job.stream);
        put("\n");
    }
    constexpr void put_sync(const sync& it) {
        put(it.kind == sync_kind::record ? "  record event " : "  wait for event ", it.event);
        put(" on stream ", it.stream, "\n");
    }
    /// "  cat: arena, 64 bytes at 128, tasks 1 to 3; exp at 32 as part of cat, relu in the place of cat".
    constexpr void put_buffer(std::int32_t b) {
        constexpr std::string_view regions[] = {"nowhere",    "input ", "parameter ", "state ",
                                                "a constant", "arena",  "scratch"};
        const auto& it = plan_.buffers.all[b];
        if (it.where == region::nowhere || plan_.buffers.buffer_of(b).buffer != b) return;
        const bool is_port = it.where == region::input || it.where == region::parameter || it.where == region::state;
        put("  ");
        put_name(b);
        put(": ", regions[static_cast<std::size_t>(it.where)]);
        if (is_port) put(it.port);
        put(", ", it.run.bytes, " bytes");
        if (plan_.has_offsets && it.where != region::input && it.where != region::parameter) put(" at ", it.run.offset);
        if (plan_.has_live_ranges && (it.where == region::arena || it.where == region::scratch)) put_range(it.run.live);
        std::string_view between = "; ";
        for (std::int32_t v = 0; v < g_.header().used.values; ++v) {
            const auto& place = plan_.buffers.buffer_of(v);
            if (place.buffer != b || v == b) continue;
            put(between);
            between = ", ";
            put_name(v);
            if (place.how == tenancy::part) put(" at ", place.offset, " as part of ");
            else put(place.how == tenancy::taken ? " in the place of " : " instead of ");
            put_name(place.how == tenancy::own ? b : place.with);
        }
        put("\n");
    }
};

/// Distinguishes two texts.
struct text_hash {
    std::uint64_t hash = 14695981039346656037u;
    constexpr void append(std::string_view text) {
        for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    }
    friend constexpr bool operator==(const text_hash&, const text_hash&) = default;
};

template <text_sink Sink> class phase_log {
public:
    constexpr explicit phase_log(Sink& out) : out_(out) {}

    constexpr void print(std::string_view name, const plan_in_progress& now) {
        text_hash tasks, buffers;
        phase_printer(now, tasks).put_tasks();
        phase_printer(now, buffers).put_buffers();
        out_.append(name);
        out_.append(tasks == tasks_ && buffers == buffers_ ? ": nothing to do\n" : ":\n");
        phase_printer printer(now, out_);
        if (!(tasks == tasks_)) printer.put_tasks();
        if (!(buffers == buffers_)) printer.put_buffers();
        tasks_ = tasks;
        buffers_ = buffers;
    }

private:
    Sink& out_;
    text_hash tasks_, buffers_; // of their last printed texts
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Plans a device graph like make_plan, and prints the result of each phase:
///     find_live_ranges:
///       x: input 0, 256 bytes
///       cat: arena, 512 bytes, tasks 1 to 3; exp at 0 as part of cat, sin at 256 as part of cat
///     reuse_in_place: nothing to do
/// the tasks if these changed, the buffers if they did, or that nothing changed. A buffer is named after the value that
/// it was made for; the other values stored in it follow.
template <text_sink Sink>
constexpr void print_phases(graph_view g, array_view<const device::kernel_needs> needs, Sink& out,
                            const machine::device& on = machine::npu, bool remove_cats = true,
                            const launch_rules* rules = nullptr, effort most = effort::constant) {
    const auto& used = g.header().used;
    const auto streams = rules == nullptr            ? 1
                         : air::has_stream_scopes(g) ? air::stream_map(g).streams()
                                                     : rules->streams;
    plan_summary sum;
    fixed_buffer<task> tasks(used.nodes);
    fixed_buffer<constant_copy> copies(used.nodes);
    fixed_buffer<sync> syncs(sync_room(used.nodes, streams));
    fixed_buffer<placement> placements(used.values);
    detail::plan_in_progress plan{g,    needs.data(), on,           remove_cats,   rules,
                                  most, sum,          tasks.data(), copies.data(), syncs.data()};
    detail::phase_log<Sink> log(out);
    detail::run_phases(plan, placements.data(),
                       [&log](std::string_view name, const detail::plan_in_progress& now) { log.print(name, now); });
}

/// The same for a compiled program: on one stream, or by the given rules.
template <class Program, text_sink Sink>
    requires requires { Program::lowered_graph(); }
constexpr void print_phases(Sink& out, const launch_rules* rules = nullptr) {
    constexpr const auto& options = Program::tools::options;
    print_phases(Program::lowered_graph(), Program::needs, out, Program::device, options.is_on(&config::remove_cat_ops),
                 rules, options.effort);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_phases;
} // namespace ahead
