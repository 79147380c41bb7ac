// SPDX-License-Identifier: MIT
// Restores pads that are decomposed as calls of pad with a mode: 'reflect' and 'replicate' from lookups along one dim
// after the other, with indices that count, mirrored or clamped at the edges; 'circular' from an empty tensor into
// which the inner part is written and then, dim by dim, the elements from the opposite end.
// Law: each element is the one that the lookups and writes give. Source: _reflection_pad, _replication_pad of
// torch/_decomp/decompositions.py; circular of torch/_decomp and ATen's PadNd.cpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/recompose/value_reader.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class pad_composer : value_reader {
public:
    constexpr explicit pad_composer(Editor& g) : value_reader(g), streams_(g.view()) {}

    constexpr void run() {
        for (std::string_view op : lookups)
            for (node_id n : g_.find_nodes(op)) {
                border made;
                if (g_.ok() && is_edge_lookup(n, made)) write(n, made);
            }
        for (node_id n : g_.find_nodes("aten.slice_scatter.default")) {
            border made;
            if (g_.ok() && is_circular(n, made)) write(n, made);
        }
    }

private:
    /// The padded tensor, the mode, and the number of elements added before and after each dim.
    struct border {
        argument of{};
        std::string_view mode;
        int_list before, after;
        node_id pad; // the call, once it is made
    };
    air::stream_map streams_;
    border last_; // the last pad; lookups along further dims are merged into it

    constexpr void write(node_id n, border made) {
        if (made.mode != "circular" && made.of.node() == last_.pad && g_.use_count(last_.pad) == 1 &&
            made.mode == last_.mode && streams_.together(n, last_.pad) && are_apart(made, last_)) {
            for (int d = 0; d < made.before.size; ++d) {
                made.before[d] += last_.before[d];
                made.after[d] += last_.after[d];
            }
            made.of = last_.of;
        }
        const int rank = made.before.size;
        int first = 0;
        while (first < rank && is_kept(made, first)) ++first;
        const int spatial = first > rank - 2 ? rank - 2 : rank - first; // after a batch and channels, or channels
        if (spatial < 1 || spatial > 3 || spatial == rank) return;
        int_list list;
        for (int d = rank; d-- > rank - spatial;) {
            list.push_back(made.before[d]);
            list.push_back(made.after[d]);
        }
        g_.inserting_before(n);
        made.pad =
            g_.call("aten.pad.default", {made.of, list, argument{.kind = argument_kind::string, .text = made.mode}});
        if (!g_.ok() || !(type_of(made.pad) == type_of(n))) return;
        g_.replace_node(n, argument::of(made.pad));
        last_ = made;
    }
    static constexpr bool is_kept(const border& b, int d) { return b.before[d] == 0 && b.after[d] == 0; }
    static constexpr bool are_apart(const border& a, const border& b) {
        for (int d = 0; d < a.before.size; ++d)
            if (!is_kept(a, d) && !is_kept(b, d)) return false;
        return true;
    }
    static constexpr border unpadded(const argument& of, std::string_view mode, int rank) {
        border out{of, mode, {}, {}, {}};
        for (int d = 0; d < rank; ++d) {
            out.before.push_back(0);
            out.after.push_back(0);
        }
        return out;
    }

    /// If n is size - 1 - |x|: x; else none.
    constexpr node_id mirrored(node_id n, std::int64_t size) const {
        if (!n.exists() || !g_.calls(n, "aten.sub.Tensor") || g_[n].arguments.count != 2 ||
            !is_number(n, 0, static_cast<double>(size - 1)))
            return {};
        const auto distance = g_.operand(n, 1);
        return distance.exists() && g_.calls(distance, "aten.abs.default") ? g_.operand(distance, 0) : node_id{};
    }
    /// x[.., index, ..], with an index for one dim.
    constexpr bool is_edge_lookup(node_id n, border& out) const {
        const auto& x = g_.argument_of(n, 0);
        const auto& list = g_.argument_of(n, 1).children;
        if (x.kind != argument_kind::node || x.result != 0) return false;
        const auto& type = type_of(x.node());
        int dim = -1;
        for (std::int32_t k = 0; k < list.count; ++k) {
            const auto& a = g_.view()[list[k]];
            if (a.kind == argument_kind::none) continue;
            if (a.kind != argument_kind::node || dim >= 0) return false;
            dim = k;
        }
        if (dim < 0 || !is_floating(type.type)) return false;
        const auto index = g_.view()[list[dim]].node();
        const auto size = type.size(dim);
        if (type_of(index).rank != 1 || !streams_.together(n, index)) return false;
        const bool stops = g_.calls(index, "aten.clamp.default") && is_number(index, 1, 0) &&
                           is_number(index, 2, static_cast<double>(size - 1));
        const auto count = stops ? g_.operand(index, 0) : mirrored(mirrored(index, size), size);
        std::int64_t first = 0;
        if (!count.exists() || !counts_from(count, first)) return false;
        out = unpadded(x, stops ? "replicate" : "reflect", type.rank);
        out.before[dim] = -first;
        out.after[dim] = type_of(count).size(0) + first - size;
        const auto least = -first < out.after[dim] ? -first : out.after[dim],
                   most = -first > out.after[dim] ? -first : out.after[dim];
        return size > 0 && least >= 0 && most > 0 && (stops || most < size);
    }
    /// first, first + 1, ..
    constexpr bool counts_from(node_id n, std::int64_t& first) const {
        if (!g_.calls(n, "aten.arange.start_step") || !counts_by_one(n) || type_of(n).type != dtype::i64 ||
            g_.argument_of(n, 0).kind != argument_kind::integer)
            return false;
        first = g_.argument_of(n, 0).integer();
        return true;
    }

    /// Elements [begin, begin + count) of a dim.
    struct stretch {
        std::int32_t dim = 0;
        std::int64_t begin = 0, count = 0;
        friend constexpr bool operator==(const stretch&, const stretch&) = default;
    };
    /// Reads the range of a slice or slice_scatter from its arguments from i on.
    constexpr bool read_stretch(node_id n, std::int32_t i, stretch& out) const {
        const auto& type = type_of(g_.operand(n, 0));
        std::int64_t given[] = {0, 0, std::numeric_limits<std::int64_t>::max(), 1};
        for (std::int32_t k = 0; k < 4 && i + k < g_[n].arguments.count; ++k) {
            const auto& a = g_.argument_of(n, i + k);
            if (a.kind == argument_kind::none) continue;
            if (a.kind != argument_kind::integer || a.keyword.size() > 0) return false;
            given[k] = a.integer();
        }
        auto [dim, begin, end, step] = given;
        if (dim < 0) dim += type.rank;
        if (dim < 0 || dim >= type.rank || step != 1) return false;
        const auto size = type.size(static_cast<int>(dim));
        for (auto* place : {&begin, &end}) {
            if (*place < 0) *place += size;
            if (*place > size) *place = size;
        }
        out = {static_cast<std::int32_t>(dim), begin, end - begin};
        return begin >= 0 && out.count > 0;
    }
    /// The source of a copy, if it has the copy's type and sizes; otherwise n.
    constexpr node_id copied(node_id n) const {
        if (!n.exists() || !g_.calls(n, "aten.copy.default")) return n;
        const auto from = g_.operand(n, 1);
        return from.exists() && sizes_of(type_of(from)) == sizes_of(type_of(n)) && type_of(from).type == type_of(n).type
                   ? from
                   : n;
    }
    /// Looks through slices: all of them, or only those that keep the sizes.
    constexpr node_id behind_slices(node_id n, bool all) const {
        while (n.exists() && g_.calls(n, "aten.slice.Tensor") &&
               (all || sizes_of(type_of(n)) == sizes_of(type_of(g_.operand(n, 0)))))
            n = g_.operand(n, 0);
        return n;
    }
    /// Reads the inner part, which is written into an empty tensor, and its position in each dim.
    constexpr bool is_inner_part(node_id n, border& out) const {
        for (; n.exists() && g_.calls(n, "aten.slice_scatter.default"); n = g_.operand(n, 1)) {
            stretch there;
            const auto whole = behind_slices(g_.operand(n, 0), true);
            if (!whole.exists() || !g_.calls(whole, "aten.empty.memory_format") || !read_stretch(n, 2, there) ||
                !is_kept(out, there.dim))
                return false;
            out.before[there.dim] = there.begin;
            out.after[there.dim] = type_of(n).size(there.dim) - there.begin - there.count;
        }
        n = behind_slices(copied(n), false);
        if (!n.exists() || g_[n].values.count != 1) return false;
        out.of = argument::of(n);
        return true;
    }
    /// Whether n is the last write of a circular pad: the border of each dim is copied from the opposite end.
    constexpr bool is_circular(node_id n, border& out) const {
        const auto& type = type_of(n);
        if (!is_floating(type.type)) return false;
        out = unpadded({}, "circular", type.rank);
        stretch to[2 * max_rank], from[2 * max_rank];
        int moves = 0;
        for (; n.exists() && g_.calls(n, "aten.slice_scatter.default"); n = g_.operand(n, 0), ++moves) {
            const auto part = copied(g_.operand(n, 1));
            if (moves == 2 * max_rank || !part.exists() || !g_.calls(part, "aten.slice.Tensor") ||
                g_.operand(part, 0) != g_.operand(n, 0))
                break;
            if (!read_stretch(n, 2, to[moves]) || !read_stretch(part, 1, from[moves])) return false;
        }
        if (moves == 0 || !n.exists() || !is_inner_part(n, out) || type_of(out.of.node()).rank != type.rank)
            return false;
        int borders = 0;
        for (int d = 0; d < type.rank; ++d) {
            const auto before = out.before[d], after = out.after[d], size = type.size(d) - before - after;
            if (size != type_of(out.of.node()).size(d) || before > size || after > size) return false;
            const auto is_moved = [&](const stretch& end, const stretch& other) {
                for (int k = 0; k < moves; ++k)
                    if (to[k] == end && from[k] == other) return true;
                return false;
            };
            if ((before > 0 && !is_moved({d, 0, before}, {d, size, before})) ||
                (after > 0 && !is_moved({d, before + size, after}, {d, before, after})))
                return false;
            borders += (before > 0) + (after > 0);
        }
        return borders == moves;
    }
};

struct pads {
    static constexpr bool applies(const called_operators& called) {
        return (called.has("aten.arange.start_step") && called.has_any(lookups)) ||
               called.has_all({"aten.empty.memory_format", "aten.slice_scatter.default"});
    }
    static constexpr void compose(auto& g) { pad_composer(g).run(); }
};

} // namespace ahead::pass::detail
