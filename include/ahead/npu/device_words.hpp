// SPDX-License-Identifier: MIT
// The texts of the device's refusals: the fault and, as its hint, what torch_npu and the ACL print in the same case,
// word for word, if they print something, and what to do there.
// Invariant: a refusal is thrown before anything has changed; a capture that cannot end is abandoned. Called by
// everything under npu/ that a program does with the device at run time.
// Source of the words: torch_npu (NPUGraph.cpp, NPUCachingAllocator.cpp), ACL error codes 107025 to 107030.
#pragma once
#include <ahead/core/error.hpp>

namespace AHEAD_NAMESPACE::npu {

struct device_words {
    fault what;
    std::string_view text; // the established message, then advice
    std::string_view op{}; // set if the words differ by call
};

inline constexpr std::string_view planned_elsewhere =
    "The program was planned for another device than the context's. Let its toolchain name that one.";
inline constexpr device_words all_device_words[] = {
    {fault::stream_is_default, "The default stream is there as long as its context. Destroy streams of new_stream().",
     "destroy"},
    {fault::stream_is_captured, "End the capture before you destroy a stream that it uses.", "destroy"},
    {fault::pool_is_recording, "End what the stream records to a pool before you destroy it.", "destroy"},
    {fault::stream_is_destroyed, "107003: invalid stream handle. Call with a stream that is there, from new_stream()."},
    {fault::stream_is_default, "NPU graphs must be captured on a non-default stream. (However, after capture, it's ok "
                               "to replay them on the default stream.) "
                               "Capture on a stream of new_stream()."},
    {fault::stream_is_captured,
     "107027: stream is captured. End the capture before you wait for the stream or ask after it."},
    {fault::call_is_illegal_in_capture, "107030: current capture mode does not support this operation. Do it before "
                                        "capture_begin() or after capture_end()."},
    {fault::trace_is_underway, "A context has one trace at a time. End the other one first."},
    {fault::capture_is_underway, "Only one capture at a time is supported. End the other capture first."},
    {fault::capture_has_not_begun, "capture_end() called before capture_begin(). Begin a capture of this graph."},
    {fault::capture_ends_on_another_stream,
     "Capture must end on the same stream it began on. Give capture_end() the stream of capture_begin()."},
    {fault::event_is_outside_the_capture,
     "Record the event within the same capture, or wait before capture_begin() or after capture_end()."},
    {fault::graph_is_captured_already, "This NPUGraph instance already owns a captured graph. To capture a new graph, "
                                       "create a new instance. Or reset() this one."},
    {fault::graph_is_not_captured,
     "Called NPUGraph::replay without a preceding successful capture. Capture the graph first.", "replay"},
    {fault::graph_is_not_captured,
     "Called NPUGraph::pool() without a preceding successful capture. Capture the graph first.", "pool"},
    {fault::graph_is_not_captured, "Capture the graph first."},
    {fault::graph_is_part_of_another, "What a node of a graph runs keeps its tensors. Write the tensor's new value, or "
                                      "bind before the graph becomes a node."},
    {fault::stream_is_not_captured, "Nodes are captured. Make them between capture_begin() and capture_end()."},
    {fault::call_is_illegal_in_callback,
     "A function of the host that a replay runs makes no calls of its device. Call behind the replay."},
    {fault::loop_exceeds_bound, "Give while_() as many rounds as the loop takes, or let its body end it."},
    {fault::tensor_is_not_bound,
     "Update a host parameter that a launch of the capture was given, or call its own update().", "update"},
    {fault::tensor_is_not_bound,
     "Bind in place of a tensor that was made before capture_begin() and read or written in the capture."},
    {fault::pool_handle_is_invalid, "Invalid graph pool handle type. Give what graph_pool_handle(), or pool() of a "
                                    "captured graph, gave: exactly one of the two is nonzero."},
    {fault::pool_is_recording, "beginAllocateToPool: already recording to mempool_id. End that recording first."},
    {fault::pool_is_not_recording, "endAllocatePool: not currently recording to mempool_id. Begin it first."},
    {fault::device_memory_is_exhausted,
     "Drop tensors, reset graphs, call empty_cache(), or give the device more memory_bytes."},
    {fault::memory_is_still_held, "A replay writes memory that another tensor of the pool has by now. Drop that "
                                  "tensor, or copy it first, or give the graph a pool of its own."},
    {fault::stream_is_not_joined, "107025: the capture holds a stream that was not joined. Record an event behind its "
                                  "last launch and let the capture's stream wait for it."},
    {fault::streams_race, "Record an event on the one stream behind the launch, and let the other stream wait for it."},
    {fault::tensor_is_empty, "It was moved from or never made. Give a tensor that holds memory."},
    {fault::tensor_has_no_value, "Replay the graph whose capture made it, or write it, before it is read."},
    {fault::inputs_overlap, "What is written is nobody else's meanwhile. Give it a tensor of its own, or a copy."},
    {fault::device_is_another,
     "Streams, events, graphs and tensors belong to the device that made them. Use those of one device together."},
    {fault::output_is_still_held,
     "Drop the outputs of the last call, or copy() them first, or choose held_policy::keep."},
    {fault::capture_limit_is_reached, "Raise capture_limit, or let when_full evict a graph or run eagerly."},
    {fault::call_would_capture,
     "This usually means that the program was not warmed up with enough inputs. Make the call "
     "before run_only(), or let calls capture again with run_only(false)."},
    {fault::frozen_parameters_have_moved,
     "Leave frozen_parameters out, or call with the prepared weights that were frozen."},
    {fault::option_is_out_of_range, "Give the option a value in its range."},
    {fault::option_has_no_effect, "Leave the option out, or choose another way to run."},
    {fault::device_streams_are_exceeded, planned_elsewhere, "launch"},
    {fault::device_events_are_exceeded, planned_elsewhere, "launch"},
    {fault::device_memory_is_exceeded, planned_elsewhere, "launch"},
    {fault::memory_is_misaligned, planned_elsewhere},
    {fault::device_streams_are_exceeded, "Use the streams that there are, or a context of a device with more."},
    {fault::device_events_are_exceeded,
     "Record an event again that nobody waits for any more, or drop it and its copies."},
    {fault::device_memory_is_exceeded, "Ask for no more memory_bytes than the device has."},
    {fault::device_is_impossible,
     "Give every unit a core and a clock, memory a bandwidth, and an alignment that is a power of two, at least 64."},
    {fault::device_failed_as_told, "fail_at() asked for it. Nothing has changed: call again."},
};

constexpr std::string_view words_of(fault what, std::string_view op) {
    for (const auto& w : all_device_words)
        if (w.what == what && (w.op.empty() || w.op == op)) return w.text;
    return {};
}

[[noreturn, gnu::cold]] inline void refuse_call(const diagnosis& d) { raise(error(d, words_of(d.what, d.op.view()))); }
/// op: the operation called; name: the stream, tensor or pool concerned.
[[noreturn, gnu::cold]] inline void refuse_call(fault what, const short_text& op, const short_text& name,
                                                const short_text& expected, const short_text& found) {
    diagnosis d;
    d.op = op;
    d.name = name;
    refuse(d, what, expected, found);
    refuse_call(d);
}

} // namespace ahead::npu
