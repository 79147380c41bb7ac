// SPDX-License-Identifier: MIT
// The time and stream of each task of a run, as a picture that a browser draws without scripts: inline SVG. At run
// time. Called by print/report/html_report.hpp.
// Invariant: one lane for each stream of the plan, one rect of class "task" for each row, one arrow for each wait;
// their data- attributes have the exact numbers.
#pragma once
#include <ahead/plan/timeline.hpp>
#include <ahead/print/report/svg_graph.hpp>

namespace AHEAD_NAMESPACE::printers {

/// From the start of the first task to the end of the last one, from left to right; shared by all pictures of a run.
struct time_axis {
    machine::ticks from, to;
    double left = 96, width = 1204; // pixels

    explicit time_axis(array_view<const timeline_row> rows) : from(makespan_of(rows)), to(from) {
        for (const auto& row : rows) from = std::min(from, row.start);
    }
    double x(machine::ticks t) const {
        return from == to
                   ? left
                   : left + width * static_cast<double>((t - from).count) / static_cast<double>((to - from).count);
    }
    double right() const { return left + width; }
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

/// "12 us", in a unit that suits the step.
inline short_text time_label(std::int64_t ps, std::int64_t step) {
    const std::int64_t unit = step < 1'000           ? 1
                              : step < 1'000'000     ? 1'000
                              : step < 1'000'000'000 ? 1'000'000
                                                     : 1'000'000'000;
    return short_text() << ps / unit
                        << (unit == 1           ? " ps"
                            : unit == 1'000     ? " ns"
                            : unit == 1'000'000 ? " \xc2\xb5s"
                                                : " ms");
}
template <text_sink Sink> void put_label(Sink& out, std::string_view as, double x, double y, std::string_view text) {
    put(out, {"<text class=\"", as, "\" x=\"", pixels(x), "\" y=\"", pixels(y), "\">", html_text{text}, "</text>"});
}
/// Lines and labels of the times, for a picture from `top` to `bottom`.
template <text_sink Sink> void put_times(const time_axis& axis, double top, double bottom, Sink& out) {
    std::int64_t step = 1; // 1, 2 or 5 times a power of ten, with at most twelve in the run
    const auto all = (axis.to - axis.from).count;
    for (std::int64_t power = 1; step * 12 < all; power *= 10)
        for (const std::int64_t digit : {1, 2, 5})
            if (step * 12 < all) step = digit * power;
    for (auto t = (axis.from.count + step - 1) / step * step; t <= axis.to.count; t += step)
        put(out, {"<path class=\"grid\" d=\"M", pixels(axis.x({t})), " ", pixels(top), "V", pixels(bottom),
                  "\"/><text class=\"axis\" x=\"", pixels(axis.x({t})), "\" y=\"", pixels(bottom + 16), "\">",
                  time_label(t, step), "</text>\n"});
}
/// As much of the text as fits in a box of this width; empty if that is too little to be useful.
inline std::string fitting(std::string_view text, double width) {
    const auto room = static_cast<std::int64_t>((width - 6) / character_width);
    if (room >= static_cast<std::int64_t>(text.size())) return std::string(text);
    return room < 4 ? std::string() : shortened(text, static_cast<std::size_t>(room));
}
inline std::string_view without_room(std::string_view target) {
    return target.starts_with("npu.") ? target.substr(4) : target;
}

template <text_sink Sink> class timeline_picture {
public:
    timeline_picture(graph_view g, plan_view plan, array_view<const timeline_row> rows, const time_axis& axis,
                     Sink& out)
        : g_(g), plan_(plan), rows_(rows), axis_(axis), out_(out), streams_(g) {}
    void print() {
        const auto bottom = lane_top(plan_.summary.streams) - lane_gap + 6;
        put(out_,
            {"<svg id=\"timeline\" data-lanes=\"", plan_.summary.streams, "\" data-makespan-ps=\"", axis_.to.count,
             "\" width=\"1320\" height=\"", pixels(bottom + 22), "\" viewBox=\"0 0 1320 ", pixels(bottom + 22),
             "\">\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
             "markerHeight=\"7\" "
             "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/>"
             "</marker></defs>\n"});
        for (std::int32_t s = 0; s < plan_.summary.streams; ++s) put_lane(s);
        put_times(axis_, 0, bottom, out_);
        for (const auto& row : rows_) put_task(row);
        for_each_wait(plan_, [&](const sync& record, const sync& wait) { put_arrow(record, wait); });
        put(out_, {"</svg>\n"});
    }

private:
    static constexpr double lane_height = 44, lane_gap = 26;
    graph_view g_;
    plan_view plan_;
    array_view<const timeline_row> rows_;
    const time_axis& axis_;
    Sink& out_;
    air::stream_map streams_;

    static double lane_top(std::int32_t s) { return s * (lane_height + lane_gap) + 4; }
    void put_lane(std::int32_t s) {
        const auto label = stream_name(streams_, s);
        put(out_,
            {"<g><title>", html_text{label.view()}, "</title><rect class=\"lane\" x=\"", pixels(axis_.left), "\" y=\"",
             pixels(lane_top(s)), "\" width=\"", pixels(axis_.width), "\" height=\"", pixels(lane_height),
             "\"/><text class=\"lane-name\" x=\"4\" y=\"", pixels(lane_top(s) + lane_height / 2 + 4), "\">",
             html_text{shortened(label.view(), 13)}, "</text></g>\n"});
    }
    void put_task(const timeline_row& row) {
        const auto id = plan_.tasks[static_cast<std::size_t>(row.task)].node;
        const auto& n = g_[id];
        const auto x = axis_.x(row.start), width = std::max(axis_.x(row.end) - x, 0.5), y = lane_top(row.stream);
        const auto limit = streams_.of(id).limit;
        const auto in = streams_.of(id).super_kernel;
        const auto name = fitting(ahead::print(n.name).view(), width), op = fitting(without_room(n.target), width);
        put(out_, {"<g data-on=\"",
                   id.index,
                   "\"><title>",
                   html_text{ahead::print(n.name).view()},
                   "\n",
                   html_text{n.target},
                   "\n",
                   html_text{types_of(g_, n)},
                   "\nfrom ",
                   row.start,
                   " to ",
                   row.end,
                   " \xc2\xb5s: ",
                   row.end - row.start,
                   " \xc2\xb5s",
                   limit == core_limit{} ? short_text() : short_text("\n") << ahead::print(limit).view(),
                   in == 0 ? "" : "\nsuper kernel ",
                   html_text{streams_.name_of_super_kernel(in)},
                   "</title><rect class=\"task ",
                   work_class(n),
                   runs_on_ai_cpu(n) ? " slow" : "",
                   width < 4 ? " thin" : "",
                   "\" data-task=\"",
                   row.task,
                   "\" data-stream=\"",
                   row.stream,
                   "\" data-start-ps=\"",
                   row.start.count,
                   "\" data-end-ps=\"",
                   row.end.count,
                   "\" x=\"",
                   pixels(x),
                   "\" y=\"",
                   pixels(y),
                   "\" width=\"",
                   pixels(width),
                   "\" height=\"",
                   pixels(lane_height),
                   "\"/>"});
        if (!name.empty()) put_label(out_, "name", x + width / 2, y + 18, name);
        if (!op.empty()) put_label(out_, "detail", x + width / 2, y + 34, op);
        put(out_, {"</g>\n"});
    }
    /// From the end of the task before the record to the start of the task after the wait.
    void put_arrow(const sync& record, const sync& wait) {
        machine::ticks from = axis_.from, to = axis_.to;
        for (const auto& row : rows_)
            if (row.stream == record.stream && row.task < record.before) from = row.end;
        for (std::size_t i = rows_.size(); i-- > 0;)
            if (rows_[i].stream == wait.stream && rows_[i].task >= wait.before) to = rows_[i].start;
        const bool down = record.stream < wait.stream;
        const auto y0 = lane_top(record.stream) + (down ? lane_height : 0),
                   y1 = lane_top(wait.stream) + (down ? 0 : lane_height), bend = (y1 - y0) / 2;
        put(out_, {"<path class=\"event\" data-event=\"",
                   record.event,
                   "\" d=\"M",
                   pixels(axis_.x(from)),
                   " ",
                   pixels(y0),
                   "C",
                   pixels(axis_.x(from)),
                   " ",
                   pixels(y0 + bend),
                   " ",
                   pixels(axis_.x(to)),
                   " ",
                   pixels(y1 - bend),
                   " ",
                   pixels(axis_.x(to)),
                   " ",
                   pixels(y1),
                   "\"><title>event ",
                   record.event,
                   "</title></path>\n"});
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Appends an <svg id="timeline"> element. rows: one for each run task, in the order of the plan.
template <text_sink Sink>
void print_svg_timeline(graph_view g, plan_view plan, array_view<const timeline_row> rows, const time_axis& axis,
                        Sink& out) {
    detail::timeline_picture<Sink>(g, plan, rows, axis, out).print();
}

} // namespace ahead::printers
