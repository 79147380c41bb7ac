// SPDX-License-Identifier: MIT
// Launching on a stream: at once, on its thread, or into the graph that is being captured there.
// Invariant: everything that can throw precedes every change; a launch is ordered after the earlier uses of its bytes,
// or refused.
#pragma once
#include <ahead/npu/context/traces.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

inline void context::check_order(const short_text& op, const block& b, const history& known, bool writing,
                                 bool capturing) const {
    const auto* other = (capturing ? b.in_capture : b.uses).unordered(known, writing);
    if (other)
        refuse_call(fault::streams_race, op, name_of_stream(other->stream),
                    "an event between a launch there and this one",
                    writing ? "it writes what that launch uses" : "it reads what that launch writes");
}

inline void context::check_use(const short_text& op, const block& b, const history& known, bool reading, bool writing) {
    if (reading) check_value(op, b);
    else if (host_.knows(b.uses.written)) rethrow(b.uses.written);
    check_order(op, b, known, writing, false);
}

/// A block for a launch on stream `on`, or for a tensor of the host if on is -1.
inline std::int32_t context::take(std::int32_t on, std::int64_t bytes, const short_text& op) {
    if (on >= 0 && at(on).is_captured) { // uses before the capture are checked by replays
        const auto block = memory_.take(capture_->pool, bytes, at(on).captured.known(), true);
        if (block < 0) refuse_memory(bytes, op);
        memory_[block].graph = capture_->id;
        return block;
    }
    std::int32_t pool = 0;
    for (const auto& r : recordings_)
        if (r.stream < 0 || r.stream == on) pool = r.pool;
    const auto& known = on < 0 ? host_ : at(on).eager.known();
    auto block = memory_.take(pool, bytes, known, false, !forbids_host_calls());
    if (block >= 0) return block;
    check_host_call(op);
    if (!capture_) { // releases unused memory, and waits for everything that runs
        for (std::int32_t s = 0; s < count(); ++s) finish(s);
        if (on >= 0) at(on).eager.learn(host_);
        memory_.give_back(0); // unused pools have already released theirs
        block = memory_.take(pool, bytes, known, false);
    }
    if (block < 0) refuse_memory(bytes, op);
    return block;
}

inline std::int32_t context::launch(const stream& stream, const launch_request& what) {
    check_not_called_back(what.name);
    const std::scoped_lock lock(mutex_);
    check_exists(stream, what.name.view());
    const auto on = stream.number_;
    auto& s = at(on);
    traced_call call(*this, what.name.view());
    if (s.is_captured) return capture_launch(on, what);
    const auto takes = clock_.time_of(what);
    step(what.name);
    s.eager.learn(host_);
    for (const auto& o : what.operands) {
        const auto& b = memory_[o.block];
        if (capture_ && b.graph == capture_->id)
            refuse_call(fault::tensor_has_no_value, what.name, {}, "tensors that were written",
                        "one of a capture underway");
        follow_update(s, b);
        check_use(what.name, b, s.eager.known(), !o.is_written || o.is_changed, o.is_written);
    }
    externals_.clear();
    for (const auto& o : what.operands) externals_.push_back(o.address);
    if (what.outputs) memory_.reserve_blocks(2 * what.outputs->all.size() + 2); // and the rest that take() splits off
    const auto segments = memory_.segments();
    const auto block = what.arena_bytes > 0 ? take(on, what.arena_bytes, what.name) : -1;
    const auto now = s.eager.next();
    bool has_begun = false;
    try {
        step(what.name);
        has_begun = !s.queue;
        const runtime::kernel_launch k{
            what.run, {externals_.data(), what.constants, block < 0 ? nullptr : memory_.address(block)}, what.streams};
        auto* row = call.launches(what.name.view(), on);
        if (s.queue) {
            s.queue->launch(now.number, k, externals_.size(), row);
        } else {
            const timed_row timed(row);
            k();
        }
    } catch (...) {
        if (block >= 0) memory_.undo_take(block, segments);
        for (const auto& o : what.operands)
            if (has_begun && o.is_written) memory_[o.block].has_value = false;
        throw;
    }
    s.eager.launch();
    for (const auto& o : what.operands) used(o.block, now, o.is_written);
    if (block >= 0) used(block, now, true);
    clock_.launched(what.launches);
    s.eager.done_at(clock_.run(s.eager.done_at(), takes));
    if (what.outputs && block >= 0) { // later users of the rest of its memory are ordered after it
        what.outputs->memory = memory_.address(block);
        memory_.keep(block, what.outputs->all);
    }
    return block;
}

inline std::int32_t context::capture_launch(std::int32_t on, const launch_request& what) {
    auto& s = at(on);
    auto& g = *capture_->into;
    const auto takes = clock_.time_of(what);
    step(what.name);
    for (const auto& o : what.operands) {
        const auto& b = memory_[o.block];
        if (b.graph == capture_->id && b.in_capture.written.number == 0 && !o.is_written)
            refuse_call(fault::tensor_has_no_value, what.name, {}, "tensors that the capture wrote, or was given",
                        "one that nothing wrote");
        check_order(what.name, b, s.captured.known(), o.is_written, true);
    }
    const auto segments = memory_.segments();
    const auto block = what.arena_bytes > 0 ? take(on, what.arena_bytes, what.name) : -1;
    try {
        step(what.name);
    } catch (...) {
        if (block >= 0) memory_.undo_take(block, segments);
        throw;
    }
    if (block >= 0) g.own.push_back(range_of(block));
    const auto now = s.captured.launch();
    g.first.push_back(g.externals.size());
    for (const auto& o : what.operands) g.externals.push_back(o.address);
    g.launches.push_back(
        {what.run, {nullptr, what.constants, block < 0 ? nullptr : memory_.address(block)}, what.streams});
    for (std::size_t i = 0; i < what.operands.size(); ++i) {
        const auto& o = what.operands[i];
        auto& b = memory_[o.block];
        b.in_capture.add(now, o.is_written);
        if (b.graph == capture_->id) continue;
        auto t = std::find_if(g.given.begin(), g.given.end(), [&](const given_tensor& one) {
            return one.block == o.block && one.address == o.address;
        });
        if (t == g.given.end()) {
            memory_.hold(o.block);
            const bool is_made = std::find(capture_->made.begin(), capture_->made.end(), o.block) !=
                                 capture_->made.end(); // an earlier node writes it
            t = g.given.insert(
                t, {o.block, o.address, is_made, !is_made && (!o.is_written || o.is_changed), {}, o.is_states});
        }
        t->is_written = t->is_written || o.is_written;
        t->at.push_back(g.first.back() + i);
    }
    if (block >= 0) memory_[block].in_capture.add(now, true);
    const auto start = s.captured.done_at();
    if (capture_->machine.is_full()) capture_->machine.grow();
    s.captured.done_at(capture_->machine.run(start, takes));
    g.takes.add_work(takes);
    g.steps.push_back({what.name, on, start, s.captured.done_at(), s.priority});
    capture_->takes.push_back(takes);
    g.calls.push_back({on, {}});
    if (what.outputs && block >= 0) { // the graph owns all of it
        what.outputs->memory = memory_.address(block);
        for (auto& o : what.outputs->all) {
            o.block = block;
            memory_.hold(block);
        }
        memory_.drop(block);
    }
    return block;
}

} // namespace ahead::npu
