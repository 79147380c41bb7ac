// SPDX-License-Identifier: MIT
// The contents of a captured graph, as JSON: its launches with stream and time on the simulated clock, nodes with the
// graphs that they may run, its pool, its operand tensors, and the results that are still held. For people, and for
// tools that examine a replay.
// Invariant: valid JSON whatever the operators' names. Called by users.
#pragma once
#include <ahead/npu/graph.hpp>
#include <ahead/print/escaped_text.hpp>
#include <algorithm>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// Steps of a graph, and for each node those of the graphs that it may run.
template <text_sink Sink> void put_steps(Sink& out, const npu::captured_graph& g) {
    put(out, {"\"steps\":["});
    std::string_view between = "\n";
    for (std::size_t i = 0; i < g.steps.size(); ++i) {
        const auto& s = g.steps[i];
        put(out, {between, "{\"name\":\"", json_text{s.name.view()}, "\",\"stream\":", s.stream,
                  ",\"start_us\":", s.start, ",\"end_us\":", s.end});
        if (s.priority != 0) put(out, {",\"priority\":", s.priority});
        if (const auto* node = g.node_at(i)) {
            put(out, {",\"kind\":\"", name_of(node->kind), "\",\"worst_us\":", node->worst});
            if (node->kind == npu::captured_kind::while_)
                put(out, {",\"loop\":\"", json_text{node->name.view()}, "\",\"bound\":", node->bound});
            put(out, {",\"graphs\":["});
            for (std::size_t part = 0; part < node->graphs.size(); ++part) {
                const auto& one = *node->graphs[part];
                put(out, {part == 0 ? "\n" : ",\n", "{\"graph\":\"", node->name_of_graph(part).view(), "\",\"pool\":[",
                          one.pool.by_capture, ",", one.pool.by_user, "],\"makespan_us\":", one.makespan, ","});
                put_steps(out, one);
                put(out, {"}"});
            }
            put(out, {"]"});
        }
        put(out, {"}"});
        between = ",\n";
    }
    put(out, {"]"});
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// One object; times in microseconds from a replay's start, memory in bytes into the device's memory:
///     {"rank":0,"pool":[1,0],"makespan_us":7.5,
///      "steps":[{"name":"relu","stream":1,"start_us":0,"end_us":7.5}],
///      "given":[{"begin":0,"bytes":64,"is_written":false,"steps":[0]}],
///      "kept":[{"begin":64,"bytes":64}]}
/// A given tensor that is a host parameter has "is_updatable":true and "has_changed": whether the next replay reads
/// another value than the previous one.
/// A step of a stream with a priority has it: "priority":-3.
/// A step that is a node lists the graphs that it may run, and the time of the longest:
///     {"name":"IF","stream":1,"start_us":7.5,"end_us":9.5,"kind":"IF","worst_us":2,
///      "graphs":[{"graph":"yes","pool":[2,0],"makespan_us":2,"steps":[...]},{"graph":"no",...}]}
/// kind: CHILD, IF, SWITCH, HOST, or WHILE, which has a "bound" and a "loop", the name by which exceeding it is
/// refused.
/// Throws graph_is_not_captured.
template <text_sink Sink> void print_capture(const npu::graph& g, Sink& out) {
    using detail::put;
    const auto pool = g.pool();
    const auto& recorded = g.captured();
    const auto put_all = [&](std::string_view name, const auto& all, auto put_one) {
        put(out, {",\n\"", name, "\":["});
        std::string_view between = "\n";
        for (const auto& one : all) {
            put(out, {between, "{"});
            put_one(one);
            put(out, {"}"});
            between = ",\n";
        }
        put(out, {"]"});
    };
    const auto put_block = [&](std::int32_t block) {
        const auto range = g.npu().range_of(block);
        put(out, {"\"begin\":", range.begin, ",\"bytes\":", range.end - range.begin});
    };
    put(out, {"{\"rank\":", g.npu().rank_id(), ",\"pool\":[", pool.by_capture, ",", pool.by_user,
              "],\"makespan_us\":", recorded.makespan});
    put(out, {",\n"});
    detail::put_steps(out, recorded);
    put_all("given", recorded.given, [&](const npu::given_tensor& t) {
        put_block(t.block);
        put(out, {",\"is_written\":", t.is_written ? "true" : "false"});
        if (const auto updates = g.npu().updates_of(t.block); updates > 0)
            put(out, {",\"is_updatable\":true,\"has_changed\":", updates != t.seen ? "true" : "false"});
        put(out, {",\"steps\":["});
        std::string_view between;
        for (std::size_t at : t.at) { // one of the externals: the step is the last one that begins there or before
            const auto behind = std::upper_bound(recorded.first.begin(), recorded.first.end(), at);
            put(out, {between, behind - recorded.first.begin() - 1});
            between = ",";
        }
        put(out, {"]"});
    });
    std::vector<std::int32_t> held;
    for (auto block : recorded.kept)
        if (g.npu().is_result(recorded, block)) held.push_back(block);
    put_all("kept", held, put_block);
    put(out, {"}\n"});
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_capture;
} // namespace ahead
