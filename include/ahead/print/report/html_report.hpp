// SPDX-License-Identifier: MIT
// A program as one readable page: its inputs and outputs, the time of each task, the memory map, its graph before and
// after the passes and on the device, unless it has too many nodes to be drawn. One HTML file that loads nothing and
// works offline. At run time. Called by users; examples/07_report and 08_inspect.
// Invariant: every number is the plan's; data- attributes have the exact value if the page rounds it.
#pragma once
#include <ahead/compile/inspect.hpp>
#include <ahead/print/print_timeline.hpp>
#include <ahead/print/report/report_page.hpp>
#include <ahead/print/report/summary_rows.hpp>
#include <ahead/print/report/svg_memory_map.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class report_writer {
public:
    report_writer(graph_view device, plan_view plan, array_view<const timeline_row> rows, Sink& out)
        : g_(device), plan_(plan), rows_(rows), out_(out), axis_(rows), blocks_(device, plan, rows), places_(device) {}

    void begin(std::string_view title, const machine::device& on, mode how, std::int32_t rank_id) {
        const auto& sum = plan_.summary;
        out_.append(report_head);
        put(out_,
            {"<title>", html_text{title}, "</title></head><body>\n<h1>", html_text{title}, "</h1>\n<p>compiled for ",
             html_text{on.name}, " as ", how == mode::max_autotune ? "max_autotune" : "reduce_overhead",
             ", planned with effort ", print(plan_.effort).view(), ", rank ", rank_id, "</p>\n<div class=\"cards\">"});
        put_card("one run", (short_text() << in_microseconds(axis_.to).view() << " \xc2\xb5s").view());
        put_card("tasks of a run", (short_text() << sum.run_tasks).view());
        put_card("tasks on the AI CPU", (short_text() << sum.ai_cpu_tasks).view());
        put_card("tasks of prepare", (short_text() << sum.prepare_tasks).view());
        put_card(sum.streams == 1 ? "stream" : "streams", (short_text() << sum.streams).view());
        put_card("arena", print_bytes(sum.peak_bytes).view());
        put_card("constants", print_bytes(sum.constant_bytes).view());
        put(out_, {"</div>\n"});
    }
    /// The contents after begin(). functional: the captured graph if it does not write anything.
    void put_all(graph_view captured, graph_view functional, graph_view optimized,
                 const std::vector<compile::pass_step>& steps) {
        put_pictures();
        put_graphs(captured, optimized);
        begin_passes();
        if (captured.nodes().data() != functional.nodes().data())
            put_pass("functionalise", captured.header().live_nodes, functional.header().live_nodes, "no writes");
        for (const auto& step : steps) put_pass(step.name, step.before, step.after, short_text() << step.changes);
        end_passes();
        put_tables();
        out_.append(report_end);
    }

private:
    static constexpr std::int32_t most_boxes = 1000; // of a picture; the number of arrows may be quadratic

    graph_view g_;
    plan_view plan_;
    array_view<const timeline_row> rows_;
    Sink& out_;
    time_axis axis_;
    arena_blocks blocks_;
    air::stream_map places_;

    void put_pictures() {
        put(out_, {"<h2>Streams over time</h2>\n<p>A lane for each stream, a box for each task, an arrow for each wait "
                   "on another stream. "
                   "Names that do not fit show under the "
                   "mouse. Time 0 is the launch of the run.</p>\n"});
        put_legend();
        put(out_, {"<div class=\"wide device\">"});
        print_svg_timeline(g_, plan_, rows_, axis_, out_);
        put(out_, {"</div>\n<h2>Memory over time</h2>\n<p>The arena of a session: a box for each tensor, from the task "
                   "that first writes it to "
                   "the last one that reads it, "
                   "at its address. What is computed in place shares one box; dashed boxes are workspaces.</p>\n<div "
                   "class=\"wide device\">"});
        print_svg_memory_map(g_, plan_, blocks_, axis_, out_);
        put(out_, {"</div>\n"});
    }
    void put_graphs(graph_view captured, graph_view optimized) {
        put(out_, {"<h2>Graphs</h2>\n<p>A weight is a line in the boxes of its readers; scopes, and views that nobody "
                   "reads, are not drawn. "
                   "What is on another stream than the main one has a violet frame.</p>\n<div class=\"choice\"><button "
                   "class=\"on\" "
                   "data-show=\"all\">side by side</button><button "
                   "data-show=\"captured\">as captured</button>"
                   "<button data-show=\"optimized\">after passes</button><button data-show=\"device\">on the "
                   "device</button></div>\n"
                   "<svg width=\"0\" height=\"0\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
                   "markerWidth=\"6\" "
                   "markerHeight=\"6\" orient=\"auto\">"
                   "<path d=\"M0 0L8 4L0 8z\"/></marker></defs></svg>\n<div class=\"graphs\">\n"});
        put_graph("captured", "As captured", captured, {});
        put_graph("optimized", "After passes", optimized, {});
        std::vector<std::int32_t> stream_of(static_cast<std::size_t>(g_.header().used.nodes));
        for (const auto& row : rows_)
            stream_of[static_cast<std::size_t>(plan_.tasks[static_cast<std::size_t>(row.task)].node.index)] =
                row.stream;
        put_graph("device", "On the device", g_, stream_of);
        put(out_, {"</div>\n"});
    }
    void begin_passes() {
        put(out_, {"<h2>Passes</h2>\n<table id=\"passes\"><tr><th>pass</th><th class=\"n\">nodes before</th><th "
                   "class=\"n\">after</th><th "
                   "class=\"n\">changes</th></tr>\n"});
    }
    void put_pass(std::string_view name, std::int32_t before, std::int32_t after, const short_text& changes) {
        put(out_,
            {"<tr data-pass=\"", html_text{name}, "\"><td><code>", html_text{name}, "</code></td><td class=\"n\">",
             before, "</td><td class=\"n\">", after, "</td><td class=\"n\">", changes, "</td></tr>\n"});
    }
    void end_passes() { put(out_, {"</table>\n"}); }
    void put_tables() {
        put(out_, {"<h2>Tasks</h2>\n<div class=\"wide device\"><table id=\"tasks\"><tr><th "
                   "class=\"n\">#</th><th>stream</th><th>task</th><th>operator</th><th>result</th>"
                   "<th class=\"n\">begins, \xc2\xb5s</th><th class=\"n\">takes, \xc2\xb5s</th><th>writes</th><th "
                   "class=\"n\">workspace</th><th class=\"n\">line</th></tr>\n"});
        for (std::int32_t t = 0; t < plan_.summary.prepare_tasks; ++t) put_task(t, nullptr);
        for (const auto& row : rows_) put_task(row.task, &row);
        put(out_, {"</table></div>\n"});
        put_super_kernels();
        put(out_, {"<h2>What lies in the arena</h2>\n<div class=\"columns device\"><table "
                   "id=\"blocks\"><tr><th>tensor</th><th class=\"n\">from</th><th class=\"n\">to</th>"
                   "<th class=\"n\">bytes</th><th class=\"n\">tasks</th></tr>\n"});
        for (const auto& block : blocks_.all()) put_block(block);
        put(out_, {"</table></div>\n<h2>The plan\xe2\x80\x99s numbers</h2>\n<div class=\"columns\"><table "
                   "id=\"summary\">\n"});
        for (const auto& row : summary_rows(plan_.summary))
            put(out_,
                {"<tr data-field=\"", row.name, "\" data-value=\"", row.number, "\"><td><code>", row.name,
                 "</code></td><td class=\"n\">", row.is_bytes ? print_bytes(row.number) : short_text() << row.number,
                 "</td><td>", row.gloss, "</td></tr>\n"});
        put(out_, {"</table></div>\n"});
    }
    /// Each super kernel that scopes name, and why it takes more than one launch.
    void put_super_kernels() {
        const super_kernels all(g_, plan_);
        if (all.count() == 0) return;
        put(out_, {"<h2>Super kernels</h2>\n<table id=\"super-kernels\"><tr><th>name</th><th class=\"n\">tasks</th><th "
                   "class=\"n\">launches</th><th>begins another launch</th></tr>\n"});
        for (std::int32_t k = 1; k <= all.count(); ++k) {
            put(out_, {"<tr><td><code>", html_text{all.name(k)}, "</code></td><td class=\"n\">", all.tasks_of(k),
                       "</td><td class=\"n\">", all.launches_of(k), "</td><td>"});
            for (std::int32_t i = 0; i < plan_.summary.run_tasks; ++i) {
                if (all.of(i) != k || all.reason_for_split(i) == split_reason::no) continue;
                const auto id = plan_.tasks[static_cast<std::size_t>(plan_.summary.prepare_tasks + i)].node;
                put(out_, {"<code>", html_text{ahead::print(g_[id].name).view()}, "</code> ",
                           ahead::print(all.reason_for_split(i)), "<br>"});
            }
            put(out_, {"</td></tr>\n"});
        }
        put(out_, {"</table>\n"});
    }
    void put_card(std::string_view what, std::string_view value) {
        put(out_, {"<div><span>", html_text{what}, "</span><b>", html_text{value}, "</b></div>"});
    }
    void put_legend() {
        put(out_, {"<div class=\"legend\">"});
        for (const auto& [color, meaning] : {std::pair{"product", "products and convolutions"},
                                             {"pointwise", "element by element"},
                                             {"reduce", "reductions, pooling, norms"},
                                             {"move", "moving data"},
                                             {"slow", "on the AI CPU"},
                                             {"prepared", "made of weights and constants alone"}})
            put(out_, {"<span><i class=\"", color, "\"></i>", meaning, "</span>"});
        put(out_, {"</div>\n"});
    }
    void put_graph(std::string_view name, std::string_view heading, graph_view g,
                   array_view<const std::int32_t> stream_of) {
        std::int32_t boxes = 0;
        for (node_id id : g) boxes += is_drawn(g[id]);
        put(out_, {"<section class=\"", name == "device" ? "device" : "", "\" data-shows=\"", name, "\"><h3>", heading,
                   ": ", g.header().live_nodes, " nodes"});
        if (boxes <= most_boxes && boxes < g.header().live_nodes) put(out_, {"<small>, ", boxes, " drawn</small>"});
        put(out_, {"</h3><div class=\"scroll\">"});
        if (boxes <= most_boxes) print_svg_graph(g, name, stream_of, out_);
        else put(out_, {"<p>Too many to be drawn: at most ", most_boxes, " are.</p>"});
        put(out_, {"</div></section>\n"});
    }
    void put_block(const arena_block& block) {
        put(out_,
            {"<tr data-on=\"", block.node.index, "\"><td><code>", html_text{ahead::print(g_[block.node].name).view()},
             block.owner.exists() ? "" : "</code> workspace<code>", "</code></td><td class=\"n\">", block.offset,
             "</td><td class=\"n\">", block.offset + block.bytes, "</td><td class=\"n\">", block.bytes,
             "</td><td class=\"n\">", block.first_task, "\xe2\x80\x93", block.last_task, "</td></tr>\n"});
    }
    /// row: null for a task of prepare.
    void put_task(std::int32_t t, const timeline_row* row) {
        const auto& job = plan_.tasks[static_cast<std::size_t>(t)];
        const auto& n = g_[job.node];
        const auto limit = places_.of(job.node).limit;
        const auto stream = row == nullptr ? std::string("prepare") : std::to_string(row->stream);
        put(out_,
            {"<tr data-on=\"", job.node.index, "\" data-task=\"", t, "\"><td class=\"n\">", t, "</td><td>",
             html_text{stream}, "</td><td><code>", html_text{ahead::print(n.name).view()}, "</code></td><td><code>",
             html_text{n.target}, "</code>",
             row == nullptr || limit == core_limit{} ? short_text() : short_text(" on ") << ahead::print(limit).view(),
             "</td><td><code>", html_text{types_of(g_, n)}, "</code></td><td class=\"n\">"});
        if (row != nullptr)
            put(out_, {in_microseconds(row->start), "</td><td class=\"n\">", in_microseconds(row->end - row->start)});
        else put(out_, {"</td><td class=\"n\">"});
        put(out_, {"</td><td>"});
        if (n.values.count > 0) {
            const auto& p = plan_.placements[static_cast<std::size_t>(n.values.first)];
            put(out_, {print(p.where), " [", p.offset, ", ", p.offset + p.bytes, ")",
                       p.shares.exists()    ? " in place"
                       : p.part_of.exists() ? " as a part"
                                            : ""});
        }
        put(out_, {"</td><td class=\"n\">"});
        if (job.workspace_bytes > 0) put(out_, {print_bytes(job.workspace_bytes)});
        put(out_, {"</td><td class=\"n\">"});
        if (n.from.line > 0) put(out_, {n.from.line});
        put(out_, {"</td></tr>\n"});
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// The page, on the program's device. Each enabled pass has a row in its table; pictures, tables and graphs are the
/// plan's. rank_id: of the process that runs it, from 0.
template <class Program, text_sink Sink>
    requires requires { Program::captured(); }
void print_report(Sink& out, std::string_view title = "ahead", std::int32_t rank_id = 0) {
    std::vector<compile::pass_step> steps;
    compile::for_each_pass_step<Program>([&](const compile::pass_step& step) { steps.push_back(step); });
    detail::report_writer<Sink> page(Program::lowered_graph(), Program::plan_view(), Program::plan.timeline, out);
    page.begin(title, Program::device, Program::tools::options.mode, rank_id);
    page.put_all(Program::captured(), Program::imported::storage.view(), Program::optimized_graph(), steps);
}

/// The same page for a graph that was inspected and accepted, at run time.
template <text_sink Sink>
void print_report(const compile::inspected_graph& made, Sink& out, std::string_view title = "ahead",
                  std::int32_t rank_id = 0) {
    detail::report_writer<Sink> page(made.lowered_graph(), made.plan_view(), made.timeline, out);
    page.begin(title, *made.on, made.options.mode, rank_id);
    page.put_all(made.captured(), made.functional_graph(), made.optimized_graph(), made.steps);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_report;
} // namespace ahead
