// SPDX-License-Identifier: MIT
// A post-condition of every pass: a call that it keeps stays on its stream, within the same limit of cores and in the
// same super kernel. Called by pass/pipeline.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blame.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// The streams of a graph's calls. A pass that does not change the scopes leaves every call that it keeps on its
/// stream.
class kept_streams {
public:
    constexpr explicit kept_streams(graph_view g) : map_(g), nodes_(g.header().used.nodes), scopes_(count_scopes(g)) {}
    constexpr bool check_graph(graph_view g, diagnosis& d) const {
        if (!map_.any() || count_scopes(g) != scopes_) return true;
        const air::stream_map now(g);
        for (node_id id : g) {
            if (id.index >= nodes_ || g[id].kind != node_kind::call) continue;
            const auto before = map_.of(id), after = now.of(id);
            if (const auto on = map_.label(before.stream), is_on = now.label(after.stream); !same_name(on, is_on))
                return moved(d, g[id], short_text("a call that stays on ") << on, short_text("on ") << is_on);
            if (before.limit != after.limit)
                return moved(d, g[id], short_text("a call that keeps ") << print(before.limit).view(),
                             print(after.limit));
            if (const auto in = map_.name_of_super_kernel(before.super_kernel),
                is_in = now.name_of_super_kernel(after.super_kernel);
                !same_name(in, is_in))
                return moved(d, g[id], short_text("a call that stays in super kernel '") << in << "'",
                             short_text("in '") << is_in << "'");
        }
        return true;
    }

private:
    air::stream_map map_;
    std::int32_t nodes_;
    std::int32_t scopes_;

    static constexpr bool moved(diagnosis& d, const node& n, const short_text& expected, const short_text& found) {
        return refuse_at(d, n, fault::rewrite_crosses_streams, expected, found);
    }
    static constexpr std::int32_t count_scopes(graph_view g) {
        std::int32_t count = 0;
        if (!g.header().has_streams) return 0;
        for (node_id id : g) count += air::stream_word_of(g[id]) == air::stream_word::scope_enter;
        return count;
    }
};

} // namespace ahead::pass::detail
