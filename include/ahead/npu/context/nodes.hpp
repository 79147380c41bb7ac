// SPDX-License-Identifier: MIT
// Graphs and host functions as nodes of a capture, and the effect of a replay of the whole on the memory of its parts.
// Invariant: a node uses everything that any of its graphs uses, whichever of them a replay runs: their tensors, and
// the memory that they compute in. A tensor that not every replay writes keeps its value, and therefore needs one.
#pragma once
#include <ahead/npu/context/interface.hpp>
#include <ahead/npu/nodes/run_node.hpp>
#include <algorithm>
#include <limits>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

/// The operands that a node reads itself, followed by the given tensors that its graphs use.
inline std::vector<operand> operands_of(const graph_node& node, std::span<const operand> read) {
    struct use {
        operand what;
        std::size_t writers = 0; // number of graphs that write it
        bool is_read = false;    // one of them reads it before it writes it
    };
    std::vector<use> all;
    for (const auto& g : node.graphs)
        for (const auto& t : g->given) {
            auto u = std::find_if(all.begin(), all.end(), [&](const use& one) {
                return one.what.block == t.block && one.what.address == t.address;
            });
            if (u == all.end()) u = all.insert(u, {{t.block, t.address, false, false}, 0, false});
            u->what.is_written = u->what.is_written || t.is_written;
            u->is_read = u->is_read || t.is_read;
            u->writers += t.is_written;
        }
    std::vector<operand> out(read.begin(), read.end());
    for (auto& u : all) {
        const bool is_sure = node.runs_one_for_sure() && u.writers == node.graphs.size();
        u.what.is_changed = u.what.is_written && (u.is_read || !is_sure);
        out.push_back(u.what);
    }
    return out;
}

/// Takes as long as the longest of its graphs, times the largest number of rounds, which check_node has bounded so that
/// the clock does not overflow.
inline machine::demand demand_of(const graph_node& node) {
    machine::demand out;
    const auto rounds = node.kind == captured_kind::while_ ? node.bound : 1;
    for (const auto& g : node.graphs) {
        out.alone = std::max(out.alone, rounds * g->makespan);
        for (int u = 0; u < machine::units; ++u)
            out.at_peak[u] = std::max(out.at_peak[u], rounds * g->takes.at_peak[u]);
    }
    return out;
}

inline void add_part(std::vector<graph_part>& to, captured_graph* graph, bool is_certain) {
    const auto p = std::find_if(to.begin(), to.end(), [&](const graph_part& one) { return one.graph == graph; });
    if (p == to.end()) to.push_back({graph, is_certain, 0});
    else p->is_certain = p->is_certain || is_certain;
}
inline std::vector<graph_part> parts_of(const graph_node& node) {
    std::vector<graph_part> out;
    const bool is_certain = node.kind == captured_kind::child;
    for (const auto& g : node.graphs) {
        add_part(out, g.get(), is_certain);
        for (const auto& p : g->parts) add_part(out, p.graph, is_certain && p.is_certain);
    }
    return out;
}

} // namespace detail

inline void context::check_not_called_back(const short_text& op) const {
    if (detail::called_back_by == this)
        refuse_call(fault::call_is_illegal_in_callback, op, {}, "no function of the host that a replay runs",
                    "a call from one");
}

/// Calls f(block) for each block of the memory that a graph computes in.
template <class F> void context::for_memory_of(const captured_graph& g, F f) {
    for (auto row = memory_.first(); row >= 0; row = memory_[row].behind) {
        const auto& b = memory_[row];
        const auto is_in = [&](const byte_range& r) { return b.offset < r.end && r.begin < b.offset + b.bytes; };
        if (b.pool == g.pool_row && std::any_of(g.own.begin(), g.own.end(), is_in)) f(row);
    }
}

inline void context::check_node(const graph_node& node, std::int32_t on) {
    const auto op = call_of(node.kind);
    if (!at(on).is_captured)
        refuse_call(fault::stream_is_not_captured, op, name_of_stream(on), "a stream that is captured",
                    "one that is not");
    for (std::size_t i = 0; i < node.graphs.size(); ++i) {
        const auto& g = *node.graphs[i];
        if (!g.is_complete)
            refuse_call(fault::graph_is_not_captured, op, node.name_of_graph(i), "a graph that was captured",
                        "one that was not");
        if (!g.next.empty())
            refuse_call(fault::tensor_is_empty, op, node.name_of_graph(i),
                        "a graph that holds the tensors that it was given", "one that has released them");
        constexpr auto longest = std::numeric_limits<std::int64_t>::max() / 64;
        const auto most = longest / std::max<std::int64_t>(g.makespan.count, 1);
        if (node.kind == captured_kind::while_ && (node.bound < 1 || node.bound > most))
            refuse_call(fault::option_is_out_of_range, op, "bound", short_text("1 to ") << most << " rounds",
                        short_text() << node.bound);
    }
}

/// Refuses a part that runs concurrently with itself, or in memory that others hold or use concurrently.
inline void context::check_part(const captured_graph& part, const std::vector<graph_part>& all, const history& known,
                                const short_text& op) {
    for (const auto& use : capture_->parts)
        if (use.graph == &part && !known.knows(use.when))
            refuse_call(fault::streams_race, op, name_of_stream(use.when.stream),
                        "an event between a node there and this one", "it runs the same graph");
    for_memory_of(part, [&](std::int32_t row) {
        const auto& b = memory_[row];
        const bool is_its_own = std::any_of(all.begin(), all.end(), [&](const graph_part& p) {
            return p.graph->id == b.graph && p.graph->is_whole_of(part.id); // whose capture checked the order
        });
        if (b.holders > 0 && !is_its_own)
            refuse_call(fault::memory_is_still_held, op, print(part.pool),
                        "nobody else's tensor where the graph computes", short_text("one of ") << b.bytes << " bytes");
        check_order(op, b, known, true, true);
    });
}

inline void context::capture_node(const stream& stream, std::unique_ptr<graph_node> node,
                                  std::span<const operand> read) {
    const auto op = call_of(node->kind);
    check_not_called_back(op);
    const std::scoped_lock lock(mutex_);
    check_exists(stream, op);
    const auto on = stream.number_;
    check_node(*node, on);
    auto& g = *capture_->into;
    const auto operands = detail::operands_of(*node, read);
    auto parts = detail::parts_of(*node);
    for (const auto& p : parts) check_part(*p.graph, parts, at(on).captured.known(), op);
    node->step = g.steps.size();
    if (node->name.length == 0) node->name = short_text("step ") << node->step;
    launch_request what;
    what.name = op;
    what.run = &run_node;
    what.constants = reinterpret_cast<const std::byte*>(node.get());
    what.operands = operands;
    what.takes = detail::demand_of(*node);
    node->worst = what.takes.alone;
    capture_launch(on, what);
    const auto now = at(on).captured.last();
    g.steps.back().name = name_of(node->kind);
    g.nodes.push_back(std::move(node));
    for (auto i = read.size(); i < operands.size(); ++i)
        for (auto& t : g.given)
            if (t.block == operands[i].block && t.address == operands[i].address) t.is_parts = true;
    for (const auto& p : parts) {
        detail::add_part(g.parts, p.graph, p.is_certain);
        capture_->parts.push_back({p.graph, now});
        for_memory_of(*p.graph, [&](std::int32_t row) { memory_[row].in_capture.add(now, true); });
        for (auto row : p.graph->kept)
            if (p.is_certain && memory_[row].graph == p.graph->id) capture_->made.push_back(row);
    }
}

/// Refuses a replay of `whole` that would overwrite another tensor in the memory where `g`, which is `whole` or a part
/// of it, computes. seen: the pool's counter when there was no such tensor.
inline void context::check_memory(const captured_graph& g, const captured_graph& whole, std::uint64_t seen,
                                  const history& known) {
    for (auto row : g.kept)
        if (memory_[row].graph == g.id) check_order("replay", memory_[row], known, true, false);
    const auto& pool = memory_.pool(g.pool_row);
    if (!known.knows(pool.last_replay))
        refuse_call(fault::streams_race, "replay", name_of_stream(pool.last_replay.stream),
                    "an event between the last replay in this pool and this one", "it writes the same memory");
    if (seen == pool.changes) return;
    for_memory_of(g, [&](std::int32_t row) {
        const auto& b = memory_[row];
        if (b.graph != 0 && whole.is_whole_of(b.graph)) return;
        if (b.holders > 0)
            refuse_call(fault::memory_is_still_held, "replay", print(g.pool),
                        "nobody else's tensor where the graph computes", short_text("one of ") << b.bytes << " bytes");
        check_order("replay", b, known, true, false);
    });
}

/// Marks a graph as replayed, alone or as a part. Returns the counter of its pool.
inline std::uint64_t context::replayed(captured_graph& g, moment now, bool is_certain) {
    for (auto row : g.kept)
        if (memory_[row].graph == g.id) {
            memory_[row].uses.add(now, true);
            memory_[row].has_value = memory_[row].has_value || is_certain;
        }
    auto& pool = memory_.pool(g.pool_row);
    pool.last_replay = g.last_replay = now;
    return pool.changes;
}

} // namespace ahead::npu
