// SPDX-License-Identifier: MIT
// The blocks in the arena of a run, by address and time, as a picture that a browser draws without scripts: inline SVG,
// times from left to right, addresses from bottom to top. At run time. Called by print/report/html_report.hpp.
// Invariant: one rect of class "block" for each block of the arena; no two of them overlap if they are alive at the
// same time, because plans are checked.
#pragma once
#include <ahead/plan/arena/arena_blocks.hpp>
#include <ahead/print/report/svg_timeline.hpp>

namespace AHEAD_NAMESPACE::detail {

/// "37,632 B".
inline short_text print_bytes(std::int64_t bytes) {
    short_text out, digits;
    digits << bytes;
    for (std::size_t i = 0; i < digits.length; ++i)
        out << (i > 0 && (digits.length - i) % 3 == 0 ? "," : "") << digits.view().substr(i, 1);
    return out << " B";
}

template <text_sink Sink> class memory_picture {
public:
    memory_picture(graph_view g, plan_view plan, const arena_blocks& blocks, const time_axis& axis, Sink& out)
        : g_(g), plan_(plan), blocks_(blocks), axis_(axis), out_(out), peak_(plan.summary.peak_bytes) {}
    void print() {
        put(out_, {"<svg id=\"memory\" data-blocks=\"", blocks_.all().size(), "\" data-peak-bytes=\"", peak_,
                   "\" width=\"1320\" height=\"", pixels(height + 46), "\" viewBox=\"0 -24 1320 ", pixels(height + 46),
                   "\">\n"});
        put_times(axis_, 0, height, out_);
        put_addresses();
        std::int32_t number = 0;
        for (const auto& block : blocks_.all()) put_block(block, number++);
        put_level("peak", short_text("arena: ") << print_bytes(peak_).view(), peak_, -8);
        if (plan_.summary.streams == 1 && plan_.summary.largest_live_bytes < peak_)
            put_level("least", short_text("alive at once: ") << print_bytes(plan_.summary.largest_live_bytes).view(),
                      plan_.summary.largest_live_bytes, 14);
        put(out_, {"</svg>\n"});
    }

private:
    static constexpr double height = 340;
    graph_view g_;
    plan_view plan_;
    const arena_blocks& blocks_;
    const time_axis& axis_;
    Sink& out_;
    std::int64_t peak_;

    double y(std::int64_t offset) const {
        return peak_ == 0 ? height : height * (1 - static_cast<double>(offset) / static_cast<double>(peak_));
    }
    void put_addresses() {
        std::int64_t step = 64;
        while (step * 8 < peak_) step *= 2;
        for (std::int64_t at = 0; at <= peak_; at += step) {
            const auto label = step < 1024        ? print_bytes(at)
                               : step < 1'048'576 ? short_text() << at / 1024 << " KiB"
                                                  : short_text() << at / 1'048'576 << " MiB";
            put(out_, {"<path class=\"grid\" d=\"M", pixels(axis_.left), " ", pixels(y(at)), "H", pixels(axis_.right()),
                       "\"/>"});
            put(out_, {"<text class=\"address\" x=\"", pixels(axis_.left - 6), "\" y=\"", pixels(y(at) + 4), "\">",
                       label, "</text>\n"});
        }
    }
    void put_level(std::string_view as, const short_text& text, std::int64_t bytes, double above) {
        put(out_, {"<path class=\"", as, "\" d=\"M", pixels(axis_.left), " ", pixels(y(bytes)), "H",
                   pixels(axis_.right()), "\"/><text class=\"level\" x=\"", pixels(axis_.right()), "\" y=\"",
                   pixels(y(bytes) + above), "\">", text, "</text>\n"});
    }
    void put_block(const arena_block& block, std::int32_t number) {
        const auto& n = g_[block.node];
        const bool is_workspace = !block.owner.exists();
        const auto name = std::string(ahead::print(n.name).view()) + (is_workspace ? ": workspace" : "");
        const auto left = axis_.x(block.begin), width = std::max(axis_.x(block.end) - left, 0.5);
        const auto top = y(block.offset + block.bytes), tall = std::max(y(block.offset) - top, 0.5);
        put(out_, {"<g data-on=\"",
                   block.node.index,
                   "\"><title>",
                   html_text{name},
                   "\n[",
                   block.offset,
                   ", ",
                   block.offset + block.bytes,
                   "): ",
                   print_bytes(block.bytes),
                   "\nfrom ",
                   block.begin,
                   " to ",
                   block.end,
                   " \xc2\xb5s</title><rect class=\"block c",
                   number % 8,
                   is_workspace ? " workspace" : "",
                   "\" data-offset=\"",
                   block.offset,
                   "\" data-bytes=\"",
                   block.bytes,
                   "\" data-first-task=\"",
                   block.first_task,
                   "\" data-last-task=\"",
                   block.last_task,
                   "\" x=\"",
                   pixels(left),
                   "\" y=\"",
                   pixels(top),
                   "\" width=\"",
                   pixels(width),
                   "\" height=\"",
                   pixels(tall),
                   "\"/>"});
        const auto across = fitting(name, width), up = fitting(name, tall);
        const auto middle = left + width / 2, centre = top + tall / 2;
        if (tall >= 13 && !across.empty() && (across == name || up != name || width < 13)) {
            const auto bytes = print_bytes(block.bytes);
            const bool says_bytes = tall >= 30 && fitting(bytes.view(), width) == bytes.view();
            put_label(out_, "name", middle, centre + (says_bytes ? -3 : 4), across);
            if (says_bytes) put_label(out_, "detail", middle, centre + 11, bytes.view());
        } else if (width >= 13 && !up.empty()) {
            put(out_, {"<text class=\"name\" transform=\"translate(", pixels(middle + 4), " ", pixels(centre),
                       ") rotate(-90)\">", html_text{up}, "</text>"});
        }
        put(out_, {"</g>\n"});
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Appends an <svg id="memory"> element.
template <text_sink Sink>
void print_svg_memory_map(graph_view g, plan_view plan, const arena_blocks& blocks, const time_axis& axis, Sink& out) {
    detail::memory_picture<Sink>(g, plan, blocks, axis, out).print();
}

} // namespace ahead::printers
