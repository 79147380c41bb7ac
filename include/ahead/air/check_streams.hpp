// SPDX-License-Identifier: MIT
// Checks that the calls that assign streams (air/stream_map.hpp) are consistent: scopes are entered and left in pairs,
// and each wait has a preceding record. Called on every compiled graph, after every pass that changed a graph, and by
// users. Source: TorchAir's checks of its scopes and events.
// Invariant: in an accepted graph every node has a stream, and every wait has a record above it.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/blame.hpp>

namespace AHEAD_NAMESPACE::detail {

class stream_verifier {
public:
    constexpr stream_verifier(graph_view g, diagnosis& d)
        : g_(g), d_(d), open_(g.header().used.nodes), met_(g.header().used.nodes), tagged_(g),
          waited_(g.header().used.nodes) {}

    constexpr bool run() {
        for (node_id id : g_) {
            met_[id.index] = true;
            if (!check_node(id)) return false;
        }
        return depth_ == 0 || refuse_at(open_[depth_ - 1], fault::scope_is_not_left, "a scope_exit behind it", "none");
    }

private:
    graph_view g_;
    diagnosis& d_;
    fixed_buffer<node_id> open_; // scopes, by depth
    fixed_buffer<bool> met_;     // by node
    air::tagged_records tagged_;
    fixed_buffer<bool> waited_; // by tag: whether a call waited for the last record
    std::int32_t depth_ = 0;

    constexpr bool refuse_at(node_id n, fault what, const short_text& expected, const short_text& found) {
        return ir::refuse_at(d_, g_[n], what, expected, found);
    }

    constexpr bool check_node(node_id id) {
        switch (air::stream_word_of(g_[id])) {
        case air::stream_word::scope_enter: open_[depth_++] = id; return true;
        case air::stream_word::scope_exit:
            if (depth_ == 0)
                return refuse_at(id, fault::scope_is_not_entered, "a scope_enter above it", "none that is open");
            --depth_;
            return true;
        case air::stream_word::record: return check_readers(id);
        case air::stream_word::wait: return check_waited(id);
        case air::stream_word::tagged_event_record: return record_tag(id);
        case air::stream_word::tagged_event_wait: return wait_for_tag(id);
        default: return true;
        }
    }
    /// A record's tensor has no elements: only waits may read it.
    constexpr bool check_readers(node_id id) {
        for (auto use = g_[id].first_use; use.exists(); use = g_[use].next_use) {
            const auto by = g_[use].owner;
            if (const auto word = air::stream_word_of(g_[by]);
                word != air::stream_word::wait && word != air::stream_word::wait_tensor)
                return refuse_at(by, fault::record_has_no_elements, "a record to be waited for", print(g_[id].name));
        }
        return true;
    }
    constexpr bool check_waited(node_id id) {
        const auto list = stream_argument(g_, g_[id], 0, "x").children;
        for (std::int32_t k = 0; k < list.count; ++k)
            if (const auto& a = g_[list[k]]; a.kind == argument_kind::node && !met_[a.bits])
                return refuse_at(id, fault::wait_comes_before_its_record, "what it waits for above it",
                                 print(g_[a.node()].name));
        return true;
    }
    constexpr bool record_tag(node_id id) {
        const auto k = tagged_.find(id);
        if (k < tagged_.size() && !waited_[k])
            return refuse_at(id, fault::tagged_event_is_in_use,
                             short_text("a wait for tag ") << tagged_.tag_of(id) << " before it is recorded again",
                             short_text("recorded by ") << print(g_[tagged_[k]].name).view());
        tagged_.put(k, id);
        waited_[k] = false;
        return true;
    }
    /// Several calls may wait for one record.
    constexpr bool wait_for_tag(node_id id) {
        const auto k = tagged_.find(id);
        if (k == tagged_.size())
            return refuse_at(id, fault::tagged_event_is_not_in_use,
                             short_text("a record of tag ") << tagged_.tag_of(id) << " above it", "none");
        return waited_[k] = true;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::air {

/// Refuses: a scope_exit without scope_enter (scope_is_not_entered), and the reverse (scope_is_not_left); a wait for a
/// record or tensor below it (wait_comes_before_its_record); a tagged event recorded again before a wait for it
/// (tagged_event_is_in_use), or waited for without a record (tagged_event_is_not_in_use); a reader of a record that is
/// not a wait (result_is_not_a_tensor). pre: typed, or no such calls.
constexpr bool check_streams(graph_view g, diagnosis& d) {
    return !g.header().has_streams || ahead::detail::stream_verifier(g, d).run();
}

} // namespace ahead::air
