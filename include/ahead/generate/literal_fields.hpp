// SPDX-License-Identifier: MIT
// f(name, value, default) for each field of what a generated program states as literals: of the graph, its arguments,
// the passes' steps and the plan. Each is in its type's namespace, where argument-dependent lookup finds it.
#pragma once
#include <ahead/compile/pass_steps.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::ir {

inline void fields(const argument& k, const argument& usual, auto f) {
    f("kind", k.kind, usual.kind);
    f("result", k.result, usual.result);
    f("bits", k.bits, usual.bits);
    f("text", k.text, usual.text);
    f("keyword", k.keyword, usual.keyword);
    f("writes", k.writes, usual.writes);
    f("children", k.children, usual.children);
}
inline void fields(const capacity& k, const capacity& usual, auto f) {
    f("nodes", k.nodes, usual.nodes);
    f("arguments", k.arguments, usual.arguments);
    f("values", k.values, usual.values);
}
inline void fields(const core_limit& k, const core_limit& usual, auto f) {
    f("ai_cores", k.ai_cores, usual.ai_cores);
    f("vector_cores", k.vector_cores, usual.vector_cores);
}
inline void fields(const graph_header& k, const graph_header& usual, auto f) {
    f("used", k.used, usual.used);
    f("first", k.first, usual.first);
    f("last", k.last, usual.last);
    f("live_nodes", k.live_nodes, usual.live_nodes);
    f("blocks", k.blocks, usual.blocks);
    f("has_streams", k.has_streams, usual.has_streams);
    f("limit", k.limit, usual.limit);
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::compile {

inline void fields(const pass_step& k, const pass_step& usual, auto f) {
    f("name", k.name, usual.name);
    f("before", k.before, usual.before);
    f("after", k.after, usual.after);
    f("changes", k.changes, usual.changes);
}

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::plan {

inline void fields(const task& k, const task& usual, auto f) {
    f("node", k.node, usual.node);
    f("workspace_offset", k.workspace_offset, usual.workspace_offset);
    f("workspace_bytes", k.workspace_bytes, usual.workspace_bytes);
    f("stream", k.stream, usual.stream);
    f("parts", k.parts, usual.parts);
}
inline void fields(const placement& k, const placement& usual, auto f) {
    f("where", k.where, usual.where);
    f("port", k.port, usual.port);
    f("offset", k.offset, usual.offset);
    f("bytes", k.bytes, usual.bytes);
    f("first_task", k.first_task, usual.first_task);
    f("last_task", k.last_task, usual.last_task);
    f("shares", k.shares, usual.shares);
    f("part_of", k.part_of, usual.part_of);
    f("copy", k.copy, usual.copy);
}
inline void fields(const constant_copy& k, const constant_copy& usual, auto f) {
    f("parameter", k.parameter, usual.parameter);
    f("offset", k.offset, usual.offset);
    f("bytes", k.bytes, usual.bytes);
}
inline void fields(const sync& k, const sync& usual, auto f) {
    f("kind", k.kind, usual.kind);
    f("event", k.event, usual.event);
    f("stream", k.stream, usual.stream);
    f("before", k.before, usual.before);
}
inline void fields(const plan_summary& k, const plan_summary& usual, auto f) {
    f("prepare_tasks", k.prepare_tasks, usual.prepare_tasks);
    f("run_tasks", k.run_tasks, usual.run_tasks);
    f("ai_cpu_tasks", k.ai_cpu_tasks, usual.ai_cpu_tasks);
    f("copies", k.copies, usual.copies);
    f("inputs", k.inputs, usual.inputs);
    f("parameters", k.parameters, usual.parameters);
    f("inputs_written", k.inputs_written, usual.inputs_written);
    f("inputs_written_in_place", k.inputs_written_in_place, usual.inputs_written_in_place);
    f("states", k.states, usual.states);
    f("states_written_in_place", k.states_written_in_place, usual.states_written_in_place);
    f("cats_removed", k.cats_removed, usual.cats_removed);
    f("parts_in_place", k.parts_in_place, usual.parts_in_place);
    f("streams", k.streams, usual.streams);
    f("cores", k.cores, usual.cores);
    f("events", k.events, usual.events);
    f("syncs", k.syncs, usual.syncs);
    f("peak_bytes", k.peak_bytes, usual.peak_bytes);
    f("state_bytes", k.state_bytes, usual.state_bytes);
    f("constant_bytes", k.constant_bytes, usual.constant_bytes);
    f("scratch_bytes", k.scratch_bytes, usual.scratch_bytes);
    f("workspace_bytes", k.workspace_bytes, usual.workspace_bytes);
    f("largest_live_bytes", k.largest_live_bytes, usual.largest_live_bytes);
}

} // namespace ahead::plan
