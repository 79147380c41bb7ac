// SPDX-License-Identifier: MIT
// The last step before lowering: a wait for a tensor becomes a wait for a record inserted directly after the call that
// made the tensor, one record for all waits on that call. wait_tensor becomes a wait, and its result is replaced by its
// operand. Waits for tensors that exist before the run are removed.
// Invariant: afterwards every air.wait names records, each once. Called by compile/graph_stages.hpp and
// compile/lowering_outcome.hpp. Source: TorchAir's apply_event_record.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool is_record(graph_view g, const argument& a) {
    return a.kind == argument_kind::node && air::stream_word_of(g[a.node()]) == air::stream_word::record;
}
constexpr bool waits_on_tensor(graph_view g, const node& n) {
    const auto word = air::stream_word_of(n);
    if (word == air::stream_word::wait_tensor) return true;
    if (word != air::stream_word::wait) return false;
    const auto list = stream_argument(g, n, 0, "x").children;
    for (std::int32_t k = 0; k < list.count; ++k)
        if (!is_record(g, g[list[k]])) return true;
    return false;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// Whether any call waits for a tensor rather than a record.
constexpr bool waits_on_tensors(graph_view g) {
    if (!g.header().has_streams) return false;
    for (node_id id : g)
        if (ahead::detail::waits_on_tensor(g, g[id])) return true;
    return false;
}

/// The capacity that record_waits needs.
constexpr capacity room_to_record_waits(graph_view g) {
    auto room = g.header().used;
    for (node_id id : g) {
        if (!ahead::detail::waits_on_tensor(g, g[id])) continue;
        const auto list = ahead::detail::stream_argument(g, g[id], 0, "x").children;
        room.nodes += list.count + 3;
        room.arguments += 8;
        room.values += list.count + 3;
    }
    return room;
}

} // namespace ahead::pass
namespace AHEAD_NAMESPACE::detail {

class wait_recorder {
public:
    constexpr wait_recorder(graph g, op_table ops, diagnosis& d)
        : g_(g), editor_(g, ops, d, "record_waits"), made_by_(g.header().used.values), record_(g.room().nodes) {
        for (node_id id : g)
            for (std::int32_t k = 0; k < g[id].values.count; ++k) made_by_[g[id].values.first + k] = id;
    }
    constexpr bool run(const config& options) {
        for (node_id id : g_) {
            if (!editor_.ok()) return false;
            if (!waits_on_tensor(g_, g_[id])) continue;
            if (air::stream_word_of(g_[id]) == air::stream_word::wait) record_all(id);
            else if (options.mode == mode::max_autotune) become_wait(id);
            else
                editor_.refuse_at(id, fault::mode_has_no_wait_tensor, "record and wait, or tagged events, in this mode",
                                  "npu_wait_tensor");
        }
        return editor_.ok();
    }

private:
    graph g_;
    graph_editor editor_;
    fixed_buffer<node_id> made_by_; // by value
    fixed_buffer<node_id> record_;  // by node: the record after it

    /// The record after the call that makes the tensor; none for a tensor that exists when the run begins.
    constexpr node_id record_of(const argument& a) {
        if (is_record(g_, a)) return a.node();
        const auto by = made_by_[g_.value_of(a).storage.index];
        if (g_[by].kind != node_kind::call) return {};
        if (!record_[by.index].exists()) {
            editor_.inserting_after(by);
            record_[by.index] = editor_.call("air.record.default", {});
        }
        return record_[by.index];
    }
    constexpr void record_all(node_id wait) {
        const auto range = g_[wait].arguments;
        argument_id list{range.first};
        std::int32_t kept = 0;
        const auto all = g_[list].children;
        for (std::int32_t k = 0; k < all.count && editor_.ok(); ++k) {
            const auto record = record_of(g_[all[k]]);
            set_argument(g_, all[k], {}, wait);
            bool is_new = record.exists();
            for (std::int32_t before = 0; before < kept; ++before) is_new = is_new && g_[all[before]].node() != record;
            if (is_new) set_argument(g_, all[kept++], argument::of(record), wait);
        }
        g_[list].children.count = kept;
        if (kept == 0) editor_.erase_node(wait);
    }
    constexpr void become_wait(node_id id) {
        const auto self = stream_argument(g_, g_[id], 0, "self"),
                   dependency = stream_argument(g_, g_[id], 1, "dependency");
        const auto record = record_of(dependency);
        editor_.inserting_before(id);
        if (record.exists()) editor_.call("air.wait.default", {nodes({record})});
        auto same = argument::of(self.node(), self.result);
        if (editor_.is_returned(id))
            same = argument::of(editor_.call("aten.clone.default", {same})); // two outputs are two tensors
        if (!editor_.ok()) return;
        editor_.replace_all_uses_with(id, same.node(), same.result);
        editor_.erase_node(id);
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// Refuses (mode_has_no_wait_tensor) npu_wait_tensor in reduce_overhead, where the user assigns the streams. pre:
/// room_to_record_waits; functional.
constexpr bool record_waits(graph g, op_table ops, const config& options, diagnosis& d) {
    return ahead::detail::wait_recorder(g, ops, d).run(options);
}

} // namespace ahead::pass
