// SPDX-License-Identifier: MIT
// Replaying a graph, with the captured tensors or with others.
// Invariant: a replay that would race, read a tensor without a value, or overwrite another tensor is refused, and then
// nothing has changed.
#pragma once
#include <ahead/npu/context/nodes.hpp>
#include <ahead/npu/context/traces.hpp>

namespace AHEAD_NAMESPACE::npu {

/// Refuses a replay that would race, read a tensor without a value, or overwrite another tensor.
inline void context::check_replay(const captured_graph& g, const history& known) {
    for (const auto& t : g.given) check_use("replay", memory_[t.block], known, t.is_read, t.is_written);
    check_memory(g, g, g.pool_changes, known);
    for (const auto& p : g.parts) check_memory(*p.graph, g, p.pool_changes, known);
}

inline void context::replay(captured_graph& g, const stream& on) {
    check_not_called_back("replay");
    const std::scoped_lock lock(mutex_);
    check_mine(on.npu_, "replay");
    check_exists(on, "replay");
    if (!g.is_complete)
        refuse_call(fault::graph_is_not_captured, "replay", {}, "a graph that was captured", "one that was not");
    auto& s = at(on.number_);
    traced_call call(*this, "replay");
    if (s.is_captured)
        refuse_call(fault::call_is_illegal_in_capture, "replay", name_of_stream(on.number_),
                    "a stream that is not captured", "one that is");
    step("replay");
    s.eager.learn(host_);
    for (const auto& t : g.given) follow_update(s, memory_[t.block]);
    check_replay(g, s.eager.known());
    step("replay");
    const auto now = s.eager.next();
    auto* traced = call.launches("replay", on.number_, &g);
    if (s.queue) {
        s.queue->launch(now.number, g, traced);
    } else {
        try {
            const timed_row timed(traced);
            g.run(traced ? traced + 1 : nullptr);
        } catch (...) {
            for (const auto& t : g.given)
                if (t.is_written) memory_[t.block].has_value = false;
            const auto lose = [&](const captured_graph& one) {
                for (auto row : one.kept)
                    if (memory_[row].graph == one.id) memory_[row].has_value = false;
            };
            lose(g);
            for (const auto& p : g.parts) lose(*p.graph);
            throw;
        }
    }
    s.eager.launch();
    for (auto& t : g.given) {
        used(t.block, now, t.is_written);
        t.seen = memory_[t.block].updates;
    }
    g.pool_changes = replayed(g, now, true);
    for (auto& p : g.parts) p.pool_changes = replayed(*p.graph, now, p.is_certain);
    clock_.launched(1);
    auto takes = g.takes;
    takes.alone = options_.device.launch.graph + g.makespan;
    s.eager.done_at(clock_.run(s.eager.done_at(), takes));
}

inline std::int32_t context::replay(captured_graph& g, const stream& on, std::span<const operand> operands) {
    check_not_called_back("replay");
    const std::scoped_lock lock(mutex_);
    if (!g.is_complete)
        refuse_call(fault::graph_is_not_captured, "replay", {}, "a graph that was captured", "one that was not");
    if (const auto holder = holder_of(g); holder >= 0)
        refuse_call(memory_[holder].graph != 0 ? fault::output_is_still_held : fault::memory_is_still_held, "replay",
                    print(g.pool), "nobody's tensor where the graph computes",
                    short_text("one of ") << memory_[holder].bytes << " bytes");
    const auto& own = g.own.front();
    const auto block = memory_.take_at(own.begin, own.end - own.begin, g.kept.empty() ? -1 : g.kept.front());
    memory_[block].graph = g.id;
    g.kept.assign(1, block);
    g.pool_changes = memory_.pool(g.pool_row).changes; // its memory is one block, which it owns
    bool is_moved = false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        g.given.push_back({operands[i].block,
                           operands[i].address,
                           operands[i].is_written,
                           !operands[i].is_written || operands[i].is_changed,
                           {},
                           operands[i].is_states});
        g.next[i] = operands[i].address;
        is_moved = is_moved || g.next[i] != g.externals[i];
    }
    if (is_moved) {
        settled(g);
        g.externals.swap(g.next);
        g.link();
    }
    try {
        replay(g, on);
    } catch (...) {
        g.given.clear();
        memory_.drop(block);
        throw;
    }
    g.given.clear();
    return block;
}

inline void context::rebind(captured_graph& g, std::size_t which, std::int32_t block, const std::byte* address) {
    check_not_called_back("bind");
    const std::scoped_lock lock(mutex_);
    if (g.given[which].is_parts)
        refuse_call(fault::graph_is_part_of_another, "bind", {}, "a tensor that no graph within this one uses",
                    "one that one does");
    if (memory_[block].graph != 0 && g.is_whole_of(memory_[block].graph))
        refuse_call(fault::inputs_overlap, "bind", {}, "memory that the graph does not compute in",
                    "that of one of its own results");
    auto& t = g.given[which];
    if (t.address == address) return;
    for (const auto& other : g.given)
        if (&other != &t && other.block == block && (t.is_written || other.is_written))
            refuse_call(fault::inputs_overlap, "bind", {}, "memory of its own, because the graph writes it",
                        "that of another tensor of the graph");
    settled(g);
    memory_.hold(block);
    memory_.drop(t.block);
    t.block = block;
    t.address = address;
    for (auto i : t.at) g.externals[i] = address;
}

inline void context::release_given(captured_graph& g) {
    const std::scoped_lock lock(mutex_);
    g.next.resize(g.externals.size());
    g.given.reserve(g.externals.size());
    for (const auto& t : g.given) memory_.drop(t.block);
    g.given.clear();
}

inline void context::forget(captured_graph& g) noexcept {
    const std::scoped_lock lock(mutex_);
    settled(g);
    for (const auto& t : g.given) memory_.drop(t.block);
    memory_.leave(g.pool_row);
    g.clear();
}

} // namespace ahead::npu
