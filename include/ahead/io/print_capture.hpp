// SPDX-License-Identifier: MIT
// What a graph has captured, as JSON: its launches with stream and time on the simulated clock, its pool, the tensors
// that it was given, the results that somebody still holds. For people, and for tools that look for what a replay does.
// Invariant: valid JSON whatever the operators' names. Called by users.
#pragma once
#include <ahead/io/escaped_text.hpp>
#include <ahead/npu/graph.hpp>
#include <algorithm>
#include <vector>

namespace AHEAD_NAMESPACE {

/// One object; times in microseconds from a replay's begin, memory in bytes into the device's memory:
///     {"rank":0,"pool":[1,0],"makespan_us":7.5,
///      "steps":[{"name":"relu","stream":1,"start_us":0,"end_us":7.5}],
///      "given":[{"begin":0,"bytes":64,"is_written":false,"steps":[0]}],
///      "kept":[{"begin":64,"bytes":64}]}
/// Of a given tensor that is a host parameter, "is_updatable":true and "has_changed": whether the next replay reads
/// another value than the last one.
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
    put_all("steps", recorded.steps, [&](const npu::captured_step& s) {
        put(out, {"\"name\":\"", json_text{s.name.view()}, "\",\"stream\":", s.stream, ",\"start_us\":", s.start,
                  ",\"end_us\":", s.end});
    });
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

} // namespace ahead
