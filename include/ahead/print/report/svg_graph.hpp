// SPDX-License-Identifier: MIT
// A graph as a picture that a browser draws without scripts: inline SVG. At run time. Called by
// print/report/html_report.hpp.
// Invariant: one rect of class "node" for each node that is_drawn, with data-node, its index in the pool; each use of
// such a node is an arrow down to its reader. A weight is a line in the boxes of its readers.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>
#include <ahead/print/escaped_text.hpp>
#include <ahead/print/report/graph_layout.hpp>
#include <ahead/print/stream_name.hpp>
#include <string>

namespace AHEAD_NAMESPACE::detail {

inline constexpr double character_width = 6.7; // of the monospace font at 11 px
inline constexpr std::size_t box_characters = 34;

/// At most `most` characters.
inline std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    auto size = most - 1;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
    return std::string(text.substr(0, size)) + "\xe2\x80\xa6";
}
/// With one digit after the point.
inline short_text pixels(double x) {
    const auto tenths = static_cast<std::int64_t>(std::lround(x * 10));
    short_text out;
    if (tenths < 0) out << "-";
    return out << std::abs(tenths) / 10 << "." << std::abs(tenths) % 10;
}

/// The CSS class for an operator's kind of work, which determines its colour.
inline std::string_view work_class(const node& n) {
    if (n.kind == node_kind::placeholder) return "in";
    if (n.kind == node_kind::output) return "out";
    if (air::stream_word_of(n) != air::stream_word::none) return "sync";
    const auto has = [&](std::string_view word) { return n.target.find(word) != std::string_view::npos; };
    for (auto word : {"pack",    "view",      "copy",    "cat",     "pad",   "assign", "permute", "reshape",
                      "slice",   "select",    "expand",  "getitem", "clone", "split",  "squeeze", "transpose",
                      "aten.t.", "embedding", "flatten", "stack",   "index", "gather", "scatter"})
        if (has(word)) return "move";
    for (auto word : {"matmul", "mm", "conv", "linear"})
        if (has(word)) return "product";
    for (auto word : {"maximum", "minimum", "fmax", "fmin", "clamp"})
        if (has(word)) return "pointwise";
    for (auto word : {"softmax", "norm", "pool", "reduce", "mean", "sum", "max", "min", "var", "any", "all"})
        if (has(word)) return "reduce";
    return "pointwise";
}
/// For nodes of a device graph: an operator without a kernel.
inline bool runs_on_ai_cpu(const node& n) {
    return n.kind == node_kind::call && (n.target.starts_with("aten.") || is_of_torch_npu(n.target));
}
inline std::string types_of(graph_view g, const node& n) {
    std::string out;
    for (std::int32_t i = 0; i < n.values.count; ++i) {
        const auto& v = g[n.values[i]];
        if (v.kind != value_kind::tensor) continue;
        if (!out.empty()) out += ", ";
        out += v.type.layout == memory_layout::packed ? std::string_view("packed") : print(v.type).view();
    }
    return out;
}
/// The lines of a node's box: name, operator, types, and the weights that it reads.
inline std::vector<std::string> lines_of(graph_view g, node_id id) {
    const auto& n = g[id];
    std::vector<std::string> lines;
    lines.emplace_back(n.kind == node_kind::output ? std::string_view("output") : print(n.name).view());
    if (n.kind == node_kind::call) lines.emplace_back(without_aten(n.target));
    if (auto types = types_of(g, n); !types.empty()) lines.push_back(std::move(types));
    std::size_t weights = 0;
    for_each_operand(g, n.arguments, [&](const argument& a) {
        const auto& from = g[a.node()];
        if (is_drawn(from) || from.kind == node_kind::call || ++weights > 3) return;
        lines.push_back((from.kind == node_kind::get_attr && from.weight.empty() ? "constant " : "weight ") +
                        std::string(from.weight.empty() ? print(from.name).view() : from.weight));
    });
    if (weights > 3) lines.push_back("and " + std::to_string(weights - 3) + " more");
    for (auto& line : lines) line = shortened(line, box_characters);
    return lines;
}

template <text_sink Sink> class graph_picture {
public:
    graph_picture(graph_view g, array_view<const std::int32_t> stream_of, Sink& out)
        : g_(g), stream_of_(stream_of), out_(out), streams_(g),
          layout_(g, [this](node_id id) { return width_of(id); }) {
        tops_.resize(static_cast<std::size_t>(layout_.layers()) + 1);
        heights_.resize(tops_.size());
        for (const auto& item : layout_.items())
            if (item.node.exists()) {
                auto& height = heights_[static_cast<std::size_t>(item.layer)];
                height = std::max(height, height_of(item.node));
            }
        for (std::size_t k = 1; k < tops_.size(); ++k) tops_[k] = tops_[k - 1] + heights_[k - 1] + between;
    }
    void print(std::string_view name) {
        const auto width = layout_.width() + 2 * margin, height = tops_.back() - between + 2 * margin;
        put(out_, {"<svg class=\"graph\" data-graph=\"", name, "\" data-nodes=\"", g_.header().live_nodes,
                   "\" width=\"", pixels(width), "\" height=\"", pixels(height), "\" viewBox=\"", pixels(-margin), " ",
                   pixels(-margin), " ", pixels(width), " ", pixels(height), "\">\n"});
        for (const auto& item : layout_.items()) put_arrows(item);
        for (const auto& item : layout_.items())
            if (item.node.exists()) put_box(item);
        put(out_, {"</svg>\n"});
    }

private:
    static constexpr double margin = 6, between = 24, line_height = 14;
    graph_view g_;
    array_view<const std::int32_t> stream_of_;
    Sink& out_;
    air::stream_map streams_;
    graph_layout layout_;
    std::vector<double> tops_, heights_; // by layer

    std::int32_t stream_of(node_id id) const {
        return stream_of_.empty() ? streams_.of(id).stream : stream_of_[static_cast<std::size_t>(id.index)];
    }
    double width_of(node_id id) const {
        std::size_t longest = 0;
        for (const auto& line : lines_of(g_, id)) longest = std::max(longest, line.size());
        return std::max(46.0, static_cast<double>(longest) * character_width + 14);
    }
    double height_of(node_id id) const { return static_cast<double>(lines_of(g_, id).size()) * line_height + 8; }
    double top(const graph_layout::item& item) const { return tops_[static_cast<std::size_t>(item.layer)]; }
    double bottom(const graph_layout::item& item) const {
        return top(item) + (item.node.exists() ? height_of(item.node) : heights_[static_cast<std::size_t>(item.layer)]);
    }
    /// From one item to one of the next layer; straight down through a point.
    void put_arrows(const graph_layout::item& item) {
        if (!item.node.exists())
            put(out_, {"<path class=\"arrow\" d=\"M", pixels(item.x), " ", pixels(top(item)), "V", pixels(bottom(item)),
                       "\"/>"});
        for (int b : item.below) {
            const auto& to = layout_.items()[static_cast<std::size_t>(b)];
            const auto from_y = bottom(item), to_y = top(to), half = (to_y - from_y) / 2;
            put(out_, {"<path class=\"arrow", to.node.exists() ? " tip" : "", "\" d=\"M", pixels(item.x), " ",
                       pixels(from_y), "C", pixels(item.x), " ", pixels(from_y + half), " ", pixels(to.x), " ",
                       pixels(to_y - half), " ", pixels(to.x), " ", pixels(to_y), "\"/>\n"});
        }
    }
    void put_box(const graph_layout::item& item) {
        const auto& n = g_[item.node];
        const auto lines = lines_of(g_, item.node);
        const auto left = item.x - item.width / 2;
        put(out_, {"<g data-on=\"", item.node.index, "\"><title>",
                   html_text{n.kind == node_kind::output ? short_text("output").view() : ahead::print(n.name).view()}});
        if (n.kind == node_kind::call) put(out_, {"\n", html_text{n.target}});
        put(out_, {"\n", html_text{types_of(g_, n)}});
        if (const auto s = stream_of(item.node); s != 0)
            put(out_, {"\non ", html_text{stream_name(streams_, s).view()}});
        if (n.from.line > 0) put(out_, {"\nline ", n.from.line});
        if (!n.from.comment.empty()) put(out_, {"\n", html_text{n.from.comment}});
        if (!n.from.made_by.empty()) put(out_, {"\nmade by ", html_text{n.from.made_by}});
        put(out_, {"</title><rect class=\"node ", work_class(n),
                   stream_of(item.node) != 0 ? " aside"
                   : item.is_prepared        ? " prepared"
                                             : "",
                   stream_of_.empty() || !runs_on_ai_cpu(n) ? "" : " slow", "\" data-node=\"", item.node.index,
                   "\" x=\"", pixels(left), "\" y=\"", pixels(top(item)), "\" width=\"", pixels(item.width),
                   "\" height=\"", pixels(height_of(item.node)), "\" rx=\"4\"/>"});
        for (std::size_t k = 0; k < lines.size(); ++k)
            put(out_,
                {"<text class=\"", k == 0 ? "name" : "detail", "\" x=\"", pixels(item.x), "\" y=\"",
                 pixels(top(item) + 14 + static_cast<double>(k) * line_height), "\">", html_text{lines[k]}, "</text>"});
        put(out_, {"</g>\n"});
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Appends an <svg> element; name: the value of data-graph. stream_of: by node; empty: by the graph's scopes.
template <text_sink Sink>
void print_svg_graph(graph_view g, std::string_view name, array_view<const std::int32_t> stream_of, Sink& out) {
    detail::graph_picture<Sink>(g, stream_of, out).print(name);
}

} // namespace ahead::printers
