// SPDX-License-Identifier: MIT
// The positions of a graph's nodes in a picture: layers from top to bottom, no two nodes of a layer overlapping, arrows
// as short and straight as that allows (Sugiyama's method: layers, an order within each by the means of neighbours,
// then positions by least squares). At run time. Called by print/report/svg_graph.hpp.
// Invariant: an arrow goes down, from every node to every other that reads it, and has a separate point in each layer
// between them.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

namespace AHEAD_NAMESPACE::printers {

/// Whether a node is a separate box in a picture: weights and constants are listed in the boxes of their readers,
/// scopes are shown as streams, and an unused view does not run on the device.
inline bool is_drawn(const node& n) {
    if (n.kind == node_kind::get_attr || (n.kind == node_kind::placeholder && n.role != input_role::user)) return false;
    const auto word = air::stream_word_of(n);
    return word != air::stream_word::scope_enter && word != air::stream_word::scope_exit &&
           !(n.target == "npu.view" && n.use_count == 0);
}

/// A graph's picture: `items` are the boxes of drawn nodes, and the points where long arrows cross a layer.
class graph_layout {
public:
    struct item {
        node_id node; // none(): a point of an arrow
        int layer = 0;
        double width = 0;
        double x = 0;                  // of its centre
        bool is_prepared = false;      // computed from weights and constants alone
        std::vector<int> above, below; // connected items of the previous and the next layer
    };
    /// width_of(node_id): of its box, in pixels.
    template <class WidthOf>
    graph_layout(graph_view g, WidthOf width_of)
        : g_(g), item_of_(static_cast<std::size_t>(g.header().used.nodes), -1) {
        find_layers();
        for (node_id id : g)
            if (item_of(id) >= 0) items_[at(item_of(id))].width = width_of(id);
        add_points();
        order_layers();
        place_items();
    }

    const std::vector<item>& items() const { return items_; }
    int layers() const { return static_cast<int>(by_layer_.size()); }
    /// From the left to the right edge; all items are between 0 and this.
    double width() const { return width_; }
    int item_of(node_id id) const { return item_of_[static_cast<std::size_t>(id.index)]; }

private:
    static constexpr double gap = 14;
    graph_view g_;
    std::vector<int> item_of_; // by node; -1: not drawn
    std::vector<item> items_;
    std::vector<std::vector<int>> by_layer_; // items, from left to right
    double width_ = 0;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    template <class F> void for_each_drawn_operand(node_id id, F f) const {
        for_each_operand(g_, g_[id].arguments, [&](const argument& a) {
            if (item_of(a.node()) >= 0) f(item_of(a.node()));
        });
    }
    /// Each node is below all that it reads; inputs, and nodes computed from weights and constants alone, are as low as
    /// their readers allow.
    void find_layers() {
        for (node_id id : g_) {
            if (!is_drawn(g_[id])) continue;
            item_of_[at(id.index)] = static_cast<int>(items_.size());
            items_.push_back({id, 0, 0, 0, g_[id].kind == node_kind::call, {}, {}});
            auto& mine = items_.back();
            for_each_drawn_operand(id, [&](int operand) {
                mine.layer = std::max(mine.layer, items_[at(operand)].layer + 1);
                mine.is_prepared = mine.is_prepared && items_[at(operand)].is_prepared;
            });
        }
        std::vector<int> lowest(items_.size(), -1);
        for (std::size_t i = items_.size(); i-- > 0;) {
            const bool is_source = g_[items_[i].node].kind == node_kind::placeholder;
            if ((items_[i].is_prepared || is_source) && lowest[i] >= 0) items_[i].layer = lowest[i];
            for_each_drawn_operand(items_[i].node, [&](int operand) {
                auto& low = lowest[at(operand)];
                if (low < 0 || low > items_[i].layer - 1) low = items_[i].layer - 1;
            });
        }
    }
    /// One row of points below a node, down to its last reader, for all arrows that leave it.
    void add_points() {
        const auto nodes = items_.size();
        std::vector<std::vector<int>> way(nodes); // from the item, one item per layer
        for (std::size_t i = 0; i < nodes; ++i) way[i] = {static_cast<int>(i)};
        for (std::size_t i = 0; i < nodes; ++i)
            for_each_drawn_operand(items_[i].node, [&](int operand) {
                auto& path = way[at(operand)];
                const auto steps = items_[i].layer - items_[at(operand)].layer;
                while (static_cast<int>(path.size()) < steps) {
                    const auto next = static_cast<int>(items_.size());
                    const auto layer = items_[at(path.back())].layer + 1;
                    items_.push_back({{}, layer, 2, 0, items_[at(operand)].is_prepared, {}, {}});
                    connect(path.back(), next);
                    path.push_back(next);
                }
                connect(path[at(steps - 1)], static_cast<int>(i));
            });
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (by_layer_.size() <= at(items_[i].layer)) by_layer_.resize(at(items_[i].layer) + 1);
            by_layer_[at(items_[i].layer)].push_back(static_cast<int>(i));
        }
    }
    void connect(int from, int to) {
        auto& below = items_[at(from)].below;
        if (std::find(below.begin(), below.end(), to) != below.end()) return;
        below.push_back(to);
        items_[at(to)].above.push_back(from);
    }
    /// Nodes computed from weights alone are placed next to the path of the data.
    double weight_of(int i) const { return items_[at(i)].is_prepared ? 0.02 : 1; }
    /// The mean of f over the neighbours; `otherwise` without neighbours.
    template <class F> double mean(const std::vector<int>& neighbours, double otherwise, F f) const {
        double sum = 0, weight = 0;
        for (int i : neighbours) {
            sum += weight_of(i) * f(i);
            weight += weight_of(i);
        }
        return weight == 0 ? otherwise : sum / weight;
    }
    void order_layers() {
        std::vector<double> rank(items_.size());
        const auto number = [&](const std::vector<int>& layer) {
            for (std::size_t k = 0; k < layer.size(); ++k) rank[at(layer[k])] = static_cast<double>(k);
        };
        for (const auto& layer : by_layer_) number(layer);
        for (int sweep = 0; sweep < 12; ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t k = 0; k < by_layer_.size(); ++k) {
                auto& layer = by_layer_[down ? k : by_layer_.size() - 1 - k];
                std::vector<double> wanted(items_.size());
                for (int i : layer) {
                    const auto& one = items_[at(i)];
                    wanted[at(i)] =
                        mean(down ? one.above : one.below, rank[at(i)], [&](int other) { return rank[at(other)]; });
                }
                std::sort(layer.begin(), layer.end(), [&](int a, int b) {
                    return std::pair(wanted[at(a)], rank[at(a)]) < std::pair(wanted[at(b)], rank[at(b)]);
                });
                number(layer);
            }
        }
    }
    void place_items() {
        for (auto& layer : by_layer_) spread(layer, [](int) { return 0.0; });
        for (int sweep = 0; sweep < 24; ++sweep)
            for (std::size_t k = 0; k < by_layer_.size(); ++k)
                spread(by_layer_[sweep % 2 == 0 ? k : by_layer_.size() - 1 - k], [&](int i) {
                    const auto& one = items_[at(i)];
                    const auto x = [&](int other) { return items_[at(other)].x; };
                    const auto above = mean(one.above, mean(one.below, one.x, x), x), below = mean(one.below, above, x);
                    return sweep < 8 ? (sweep % 2 == 0 ? above : below) : (above + below) / 2;
                });
        double left = 0, right = 0;
        bool any = false;
        for (const auto& one : items_) {
            left = any ? std::min(left, one.x - one.width / 2) : one.x - one.width / 2;
            right = any ? std::max(right, one.x + one.width / 2) : one.x + one.width / 2;
            any = true;
        }
        for (auto& one : items_) one.x -= left;
        width_ = right - left;
    }
    /// Moves the items of a layer as near to their wanted positions as their order and widths allow: least squares,
    /// with points weighted more than boxes.
    template <class Wanted> void spread(const std::vector<int>& layer, Wanted wanted) {
        struct touching {
            double sum = 0, weight = 0;
            std::size_t count = 0;
            double middle() const { return sum / weight; }
        };
        std::vector<touching> runs;
        std::vector<double> shift; // of each item from the first, if all are adjacent
        for (int i : layer) {
            const auto& one = items_[at(i)];
            const bool first = shift.empty();
            const auto before = first ? one : items_[at(layer[shift.size() - 1])];
            shift.push_back(first ? 0 : shift.back() + (before.width + one.width) / 2 + gap);
            const double weight = (one.node.exists() ? 1 : 4) * weight_of(i);
            runs.push_back({weight * (wanted(i) - shift.back()), weight, 1});
            while (runs.size() > 1 && runs[runs.size() - 2].middle() > runs.back().middle()) {
                const auto last = runs.back();
                runs.pop_back();
                runs.back() = {runs.back().sum + last.sum, runs.back().weight + last.weight,
                               runs.back().count + last.count};
            }
        }
        std::size_t k = 0;
        for (const auto& b : runs)
            for (std::size_t n = 0; n < b.count; ++n, ++k) items_[at(layer[k])].x = b.middle() + shift[k];
    }
};

} // namespace ahead::printers
