// SPDX-License-Identifier: MIT
// A post-condition of every pass: a call that it keeps is on the stream it was on, within the same limit of cores.
// Called by pass/pipeline.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/streams.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// On which streams a graph's calls are. A pass that leaves the scopes alone leaves every call that it keeps on its
/// stream.
class kept_streams {
public:
    constexpr explicit kept_streams(graph_view g) : map_(g), nodes_(g.header().used.nodes), scopes_(count_scopes(g)) {}
    constexpr bool check(graph_view g, diagnosis& d) const {
        if (!map_.any() || count_scopes(g) != scopes_) return true;
        const stream_map now(g);
        for (node_id id : g) {
            const auto before = map_.label(map_.of(id).stream), after = now.label(now.of(id).stream);
            const auto had = map_.of(id).limit, has = now.of(id).limit;
            if (id.index >= nodes_ || g[id].kind != node_kind::call || (same_name(before, after) && had == has))
                continue;
            if (had != has)
                return refuse_at(d, g[id], fault::rewrite_crosses_streams,
                                 short_text("a call that keeps ") << print(had).view(), print(has));
            return refuse_at(d, g[id], fault::rewrite_crosses_streams, short_text("a call that stays on ") << before,
                             short_text("on ") << after);
        }
        return true;
    }

private:
    stream_map map_;
    std::int32_t nodes_;
    std::int32_t scopes_;

    static constexpr std::int32_t count_scopes(graph_view g) {
        std::int32_t count = 0;
        if (!g.header().has_streams) return 0;
        for (node_id id : g) count += stream_word_of(g[id]) == stream_word::scope_enter;
        return count;
    }
};

} // namespace ahead::pass::detail
