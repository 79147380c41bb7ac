// SPDX-License-Identifier: MIT
// Restores decomposed resizing, lookups along each dim at computed indices, blended by computed weights, as
// upsample_nearest, _linear and _bicubic.
// Law: the source elements of each new element and their weights are evaluated from the graph, whatever form the
// expression has, and compared with the filter's; they agree except for rounding, and exactly for the nearest filters.
// Source: upsample_nearest, _upsample_linear, upsample_bicubic2d of torch/_decomp/decompositions.py.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/math/resample.hpp>
#include <ahead/pass/recompose/counted_numbers.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class resize_composer : value_reader {
public:
    constexpr explicit resize_composer(Editor& g) : value_reader(g), streams_(g.view()), numbers_(g) {}

    constexpr void run() {
        const auto before = g_.changes();
        for (node_id n : g_.find_nodes("aten.add.Tensor"))
            if (g_.ok() && is_whole(n)) compose(n, linear, cubic);
        if (g_.changes() != before) g_.eliminate_dead_code(); // else their lookups would be tested below
        numbers_.start(true);                                 // the nearest element depends on rounding
        for (std::string_view op : lookups)
            for (node_id n : g_.find_nodes(op))
                if (g_.ok()) compose(n, nearest, nearest_exact);
    }

private:
    static constexpr int most_taps = 4, most_calls = 128;
    /// A filter, and its operators by the number of dims that they resize.
    template <class Of, bool Aligns> struct written {
        using filter = Of;
        static constexpr bool aligns = Aligns; // has align_corners
        std::string_view names[3];
    };
    static constexpr written<linear_filter, true> linear{
        "aten.upsample_linear1d.default", "aten.upsample_bilinear2d.default", "aten.upsample_trilinear3d.default"};
    static constexpr written<cubic_filter, true> cubic{"", "aten.upsample_bicubic2d.default", ""};
    static constexpr written<nearest_filter<false>, false> nearest{
        "aten.upsample_nearest1d.default", "aten.upsample_nearest2d.default", "aten.upsample_nearest3d.default"};
    static constexpr written<nearest_filter<true>, false> nearest_exact{"aten._upsample_nearest_exact1d.default",
                                                                        "aten._upsample_nearest_exact2d.default",
                                                                        "aten._upsample_nearest_exact3d.default"};

    /// The source elements along a dim, and their weights: indices of the first of their numbers in numbers_, which has
    /// one number for each new element.
    struct taps {
        std::int64_t index[most_taps]{}, weight[most_taps]{};
        int count = 0;
    };
    struct blend {
        taps along[3];
    };
    air::stream_map streams_;
    counted_numbers<Editor> numbers_;
    // The match.
    node_id root_;
    argument of_{};
    int spatial_ = 0;
    double step_[3]{}; // factor of positions; 0 if not known

    constexpr bool is_lookup(node_id n) const {
        return g_.calls(n, lookups[0]) || g_.calls(n, lookups[1]);
    }
    /// Whether n is a sum of lookups and weighted lookups, of at most `left` calls.
    constexpr bool is_blend(node_id n, int& left) const {
        if (!n.exists() || --left < 0 || g_[n].arguments.count != 2) return false;
        if (is_lookup(n)) return true;
        if (g_.calls(n, "aten.mul.Tensor")) return g_.operand(n, 1).exists() && is_blend(g_.operand(n, 0), left);
        return (g_.calls(n, "aten.add.Tensor") || g_.calls(n, "aten.sub.Tensor")) && is_blend(g_.operand(n, 0), left) &&
               is_blend(g_.operand(n, 1), left);
    }
    /// Whether n is such a blend and not part of a larger one.
    constexpr bool is_whole(node_id n) const {
        int left = most_calls;
        if (!is_blend(n, left)) return false;
        for (std::int32_t k = 0; k < g_.use_count(n); ++k)
            if (left = most_calls; !is_lookup(g_.user(n, k)) && is_blend(g_.user(n, k), left)) return false;
        return true;
    }

    /// The resized dim along which the numbers of n vary, if there is one number for each element of that dim; -1:
    /// none.
    constexpr int dim_of(node_id n) const {
        const auto& type = type_of(n);
        int found = -1;
        for (int k = 0; k < type.rank; ++k)
            if (type.size(k) != 1) {
                if (found >= 0) return -1;
                found = spatial_ - type.rank + k;
            }
        return found >= 0 && element_count(type) == type_of(root_).size(2 + found) ? found : -1;
    }
    constexpr bool are_same(std::int64_t x, std::int64_t y, std::int64_t count) const {
        for (std::int64_t i = 0; i < count; ++i)
            if (numbers_[x + i] != numbers_[y + i]) return false;
        return true;
    }
    constexpr bool are_same(const taps& x, const taps& y, std::int64_t count) const {
        if (x.count != y.count) return false;
        for (int k = 0; k < x.count; ++k)
            if (!are_same(x.index[k], y.index[k], count) || !are_same(x.weight[k], y.weight[k], count)) return false;
        return true;
    }
    /// x + sign * y
    constexpr bool join(taps& x, const taps& y, double sign, std::int64_t count) {
        for (int k = 0; k < y.count; ++k) {
            int at = 0;
            while (at < x.count && !are_same(x.index[at], y.index[k], count)) ++at;
            if (at == most_taps) return false;
            const auto sums = numbers_.take(count);
            for (std::int64_t i = 0; i < count; ++i)
                numbers_[sums + i] = (at < x.count ? numbers_[x.weight[at] + i] : 0) + sign * numbers_[y.weight[k] + i];
            x.index[at] = y.index[k];
            x.weight[at] = sums;
            if (at == x.count) ++x.count;
        }
        return true;
    }
    /// Evaluates the taps of n, if they are separable by dims.
    constexpr bool read_blend(node_id n, blend& out) {
        if (!streams_.together(n, root_)) return false;
        const auto size = [&](int d) { return type_of(root_).size(2 + d); };
        if (is_lookup(n)) return read_lookup(n, out);
        if (!read_blend(g_.operand(n, 0), out)) return false;
        if (g_.calls(n, "aten.mul.Tensor")) {
            const auto weight = g_.operand(n, 1);
            const auto by = numbers_.read(weight);
            const int d = by < 0 ? -1 : dim_of(weight);
            if (d < 0) return false;
            auto& along = out.along[d];
            for (int k = 0; k < along.count; ++k) {
                const auto products = numbers_.take(size(d));
                for (std::int64_t i = 0; i < size(d); ++i)
                    numbers_[products + i] = numbers_[along.weight[k] + i] * numbers_[by + i];
                along.weight[k] = products;
            }
            return true;
        }
        blend other;
        if (!read_blend(g_.operand(n, 1), other)) return false;
        int dim = -1;
        for (int d = 0; d < spatial_; ++d)
            if (!are_same(out.along[d], other.along[d], size(d))) {
                if (dim >= 0) return false;
                dim = d;
            }
        if (dim < 0) dim = 0;
        return join(out.along[dim], other.along[dim], g_.calls(n, "aten.sub.Tensor") ? -1 : 1, size(dim));
    }
    constexpr bool read_lookup(node_id n, blend& out) {
        const auto& x = g_.argument_of(n, 0);
        const auto& list = g_.argument_of(n, 1).children;
        const auto& type = type_of(root_);
        if (of_.kind == argument_kind::none) of_ = argument::of(x.node(), x.result);
        if (x.node() != of_.node() || x.result != of_.result || list.count != type.rank) return false;
        for (std::int32_t k = 0; k < list.count; ++k) {
            const auto& a = g_.view()[list[k]];
            if (k < 2) {
                if (a.kind != argument_kind::none) return false;
                continue;
            }
            const auto index = a.kind == argument_kind::node ? a.node() : node_id{};
            const auto begin = numbers_.read(index);
            if (begin < 0 || (dim_of(index) != k - 2 && type.size(k) != 1) || is_floating(type_of(index).type))
                return false;
            auto& along = out.along[k - 2];
            along.count = 1;
            along.index[0] = begin;
            along.weight[0] = numbers_.take(type.size(k));
            for (std::int64_t i = 0; i < type.size(k); ++i) numbers_[along.weight[0] + i] = 1;
            step_[k - 2] = step_of(index);
        }
        return true;
    }
    /// The number by which positions are multiplied; 0 if not found.
    constexpr double step_of(node_id n) const {
        for (int depth = 0; n.exists() && depth < 8 && g_[n].arguments.count > 0; ++depth, n = g_.operand(n, 0))
            if (double step = 0; g_.calls(n, "aten.mul.Tensor") && numbers_.is_real(n, 1, step)) return step;
        return 0;
    }

    template <class Filter> constexpr bool is_filtered(const taps& got, const resized_dim& dim) const {
        const auto edge = [&](std::int64_t i) { return i < 0 ? 0 : i < dim.from ? i : dim.from - 1; };
        fixed_buffer<double> off(dim.from); // by element: difference of its weights
        for (std::int64_t i = 0; i < dim.to; ++i) {
            const auto wanted = Filter::taps(dim, i);
            for (std::int64_t k = 0; k < wanted.count; ++k) off[edge(wanted.first + k)] += Filter::weight(wanted, k);
            const auto index = [&](int k) { return static_cast<std::int64_t>(numbers_[got.index[k] + i]); };
            for (int k = 0; k < got.count; ++k) {
                if (index(k) < 0 || index(k) >= dim.from) return false;
                off[index(k)] -= numbers_[got.weight[k] + i];
            }
            const auto settle = [&](std::int64_t at) {
                const bool same = off[at] < 1e-6 && off[at] > -1e-6;
                off[at] = 0;
                return same;
            };
            for (std::int64_t k = 0; k < wanted.count; ++k)
                if (!settle(edge(wanted.first + k))) return false;
            for (int k = 0; k < got.count; ++k)
                if (!settle(index(k))) return false;
        }
        return true;
    }
    template <class Filter>
    constexpr bool has_taps(const blend& found, bool align_corners, call_argument* factors) const {
        const auto &from = g_.view().value_of(of_).type, &to = type_of(root_);
        for (int d = 0; d < spatial_; ++d) {
            resized_dim dim{from.size(2 + d), to.size(2 + d), 0, align_corners};
            factors[d] = {}; // implied by the sizes
            if (is_filtered<Filter>(found.along[d], dim)) continue;
            if (step_[d] <= 0) return false;
            dim.factor = 1 / step_[d];
            if (!is_filtered<Filter>(found.along[d], dim)) return false;
            factors[d] = dim.factor;
        }
        return true;
    }
    /// Calls the filter's operator if the filter has these taps; returns whether it does.
    template <class Written> constexpr bool write(const blend& found, const Written& with) {
        const auto name = with.names[spatial_ - 1];
        for (bool align_corners : {false, true}) {
            call_argument factors[3];
            if (name.empty() || (align_corners && !Written::aligns) ||
                !has_taps<typename Written::filter>(found, align_corners, factors))
                continue;
            auto sizes = sizes_of(type_of(root_));
            for (int d = 0; d < spatial_; ++d) sizes[d] = sizes[2 + d];
            sizes.size = spatial_;
            g_.inserting_before(root_);
            node_id made;
            if constexpr (Written::aligns) {
                const flat_arguments all({of_, sizes, align_corners, factors[0], factors[1], factors[2]});
                made = g_.call(name, all.given.all().first(static_cast<std::size_t>(3 + spatial_)), all.elements.all());
            } else {
                const flat_arguments all({of_, sizes, factors[0], factors[1], factors[2]});
                made = g_.call(name, all.given.all().first(static_cast<std::size_t>(2 + spatial_)), all.elements.all());
            }
            if (g_.ok() && type_of(made) == type_of(root_)) g_.replace_node(root_, argument::of(made));
            return true;
        }
        return false;
    }
    constexpr void compose(node_id n, const auto&... with) {
        root_ = n;
        of_ = {};
        spatial_ = type_of(n).rank - 2;
        blend found;
        if (g_[n].values.count == 1 && spatial_ >= 1 && spatial_ <= 3 && element_count(type_of(n)) > 0 &&
            read_blend(n, found) && element_count(g_.view().value_of(of_).type) > 0)
            static_cast<void>((write(found, with) || ...));
    }
};

struct resizes {
    static constexpr bool applies(const called_operators& called) {
        return called.has("aten.arange.start_step") && called.has_any(lookups);
    }
    static constexpr void compose(auto& g) { resize_composer(g).run(); }
};

} // namespace ahead::pass::detail
