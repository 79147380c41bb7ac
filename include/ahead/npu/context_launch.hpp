// SPDX-License-Identifier: MIT
// How the device launches, captures and replays: the rest of context.hpp, which includes it.
// Invariant: whatever can throw comes before whatever changes; a capture that fails is abandoned, and then all is as it
// was before it began.
#pragma once
#include <ahead/npu/context.hpp>
#include <algorithm>
#include <functional>

namespace AHEAD_NAMESPACE::npu {

/// A block for a launch on a stream, or for a tensor of the host's: on is -1.
inline std::int32_t context::take(std::int32_t on, std::int64_t bytes, short_text op) {
    if (on >= 0 && at(on).is_captured) { // what used it before the capture is looked at by replays
        const auto block = memory_.take(capture_->pool, bytes, at(on).captured.known, true);
        if (block < 0) refuse_memory(bytes, op);
        memory_[block].graph = capture_->id;
        return block;
    }
    std::int32_t pool = 0;
    for (const auto& r : recordings_)
        if (r.stream < 0 || r.stream == on) pool = r.pool;
    const auto& known = on < 0 ? host_ : at(on).eager.known;
    auto block = memory_.take(pool, bytes, known, false, !forbids_host_calls());
    if (block >= 0) return block;
    check_host_call(op);
    if (!capture_) { // what nobody needs goes back, and everything that runs is waited for
        for (std::int32_t s = 0; s < count(); ++s) finish(s);
        if (on >= 0) at(on).eager.known.learn(host_);
        memory_.give_back(0); // pools that nobody uses have given theirs back
        block = memory_.take(pool, bytes, known, false);
    }
    if (block < 0) refuse_memory(bytes, op);
    return block;
}

inline target::demand context::time_of(const launch_request& what) {
    if (!what.takes_on) return what.takes;
    auto d =
        std::find_if(devices_.begin(), devices_.end(), [&](const auto& one) { return one.first == what.planned_for; });
    if (d == devices_.end()) d = devices_.insert(d, {what.planned_for, *what.planned_for == options_.device});
    if (d->second) return what.takes;
    const auto is_before = [](const auto& one, auto other) { return std::less<>()(one.first, other); };
    auto t = std::lower_bound(times_.begin(), times_.end(), what.takes_on, is_before);
    if (t == times_.end() || t->first != what.takes_on)
        t = times_.insert(t, {what.takes_on, what.takes_on(options_.device)});
    return t->second;
}

inline std::int32_t context::launch(std::int32_t on, const launch_request& what) {
    const std::scoped_lock turn(turn_);
    auto& s = at(on);
    if (s.is_captured) return capture_launch(on, what);
    const auto takes = time_of(what);
    step(what.name);
    s.eager.known.learn(host_);
    for (const auto& o : what.operands) {
        const auto& b = memory_[o.block];
        if (capture_ && b.graph == capture_->id)
            refuse_call(fault::tensor_has_no_value, what.name, {}, "tensors that were written",
                        "one of a capture underway");
        check_use(what.name, b, s.eager.known, !o.is_written || o.is_changed, o.is_written);
    }
    externals_.clear();
    for (const auto& o : what.operands) externals_.push_back(o.address);
    if (what.outputs) memory_.reserve_blocks(2 * what.outputs->all.size() + 2); // and what take() cuts off
    const auto segments = memory_.segments();
    const auto block = what.arena_bytes > 0 ? take(on, what.arena_bytes, what.name) : -1;
    const auto number = s.eager.launched + 1;
    bool has_begun = false;
    try {
        step(what.name);
        has_begun = !s.queue;
        const kernel_launch k{
            what.run, {externals_.data(), what.constants, block < 0 ? nullptr : memory_.address(block)}, what.streams};
        if (s.queue) s.queue->launch(number, k, externals_.size());
        else k();
    } catch (...) {
        if (block >= 0) memory_.undo_take(block, segments);
        for (const auto& o : what.operands)
            if (has_begun && o.is_written) memory_[o.block].has_value = false;
        throw;
    }
    const moment now{on, number};
    s.eager.launched = number;
    s.eager.known.learn(now);
    for (const auto& o : what.operands) used(o.block, now, o.is_written);
    if (block >= 0) used(block, now, true);
    launches_ += what.launches;
    now_ += what.launches * options_.device.launch.host;
    s.eager.free = run_on_machine(s.eager, takes);
    if (what.outputs && block >= 0) { // who takes the rest of its memory comes behind it
        what.outputs->memory = memory_.address(block);
        memory_.keep(block, what.outputs->all);
    }
    return block;
}

inline std::int32_t context::capture_launch(std::int32_t on, const launch_request& what) {
    auto& s = at(on);
    auto& g = *capture_->into;
    const auto takes = time_of(what);
    step(what.name);
    for (const auto& o : what.operands) {
        const auto& b = memory_[o.block];
        if (b.graph == capture_->id && b.in_capture.written.number == 0 && !o.is_written)
            refuse_call(fault::tensor_has_no_value, what.name, {}, "tensors that the capture wrote, or was given",
                        "one that nothing wrote");
        check_order(what.name, b, s.captured.known, o.is_written, true);
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
    const moment now{on, ++s.captured.launched};
    s.captured.known.learn(now);
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
            t = g.given.insert(t, {o.block, o.address, false, !o.is_written || o.is_changed, {}});
        }
        t->is_written = t->is_written || o.is_written;
        t->at.push_back(g.first.back() + i);
    }
    if (block >= 0) memory_[block].in_capture.add(now, true);
    const auto start = s.captured.free;
    if (capture_->machine.is_full()) capture_->machine.grow();
    s.captured.free = capture_->machine.run(start, takes);
    g.takes.add_work(takes);
    g.steps.push_back({what.name, on, start, s.captured.free});
    g.calls.push_back({on, {}});
    if (what.outputs && block >= 0) { // all of it is the graph's
        what.outputs->memory = memory_.address(block);
        for (auto& o : what.outputs->all) {
            o.block = block;
            memory_.hold(block);
        }
        memory_.drop(block);
    }
    return block;
}

inline void context::begin_capture(captured_graph& into, const stream& on, std::optional<mempool_id> pool,
                                   capture_mode mode) {
    const std::scoped_lock turn(turn_);
    check_mine(on.npu_, "capture_begin");
    if (into.is_complete)
        refuse_call(fault::graph_is_captured_already, "capture_begin", {}, "a graph without a capture",
                    "one that has been captured");
    if (on.number_ == 0)
        refuse_call(fault::stream_is_default, "capture_begin", name_of_stream(0), "a stream of new_stream()",
                    "the default one");
    if (capture_)
        refuse_call(fault::capture_is_underway, "capture_begin", name_of_stream(on.number_), "no capture underway",
                    name_of_stream(capture_->origin));
    const auto given = pool ? pool_of(*pool, "capture_begin") : -1;
    if (given >= 0) check_not_recording(given, "beginAllocateToPool");
    step("capture_begin");
    const auto row = given >= 0 ? given : memory_.make_pool({captured_pools_ + 1, 0});
    if (given >= 0) memory_.use(row);
    try {
        step("capture_begin");
    } catch (...) {
        memory_.leave(row);
        throw;
    }
    if (given < 0) ++captured_pools_;
    into.id = ++captures_;
    into.pool = memory_.pool(row).id;
    into.pool_row = row;
    auto& s = at(on.number_);
    s.captured = {};
    s.is_captured = true;
    capture_ = {&into, on.number_, row, mode, std::this_thread::get_id(), into.id, memory_.segments()};
}

inline void context::end_capture(captured_graph& into, const stream& on) {
    const std::scoped_lock turn(turn_);
    if (!is_capturing_into(into))
        refuse_call(fault::capture_has_not_begun, "capture_end", {}, "a capture of this graph underway", "none");
    check_mine(on.npu_, "capture_end");
    const auto origin = capture_->origin;
    if (on.number_ != origin)
        refuse_call(fault::capture_ends_on_another_stream, "capture_end", {}, name_of_stream(origin),
                    name_of_stream(on.number_));
    try {
        step("capture_end");
        const auto& end = at(origin).captured;
        for (std::int32_t i = 0; i < count(); ++i)
            if (at(i).is_captured && !end.known.knows({i, at(i).captured.launched}))
                refuse_call(fault::stream_is_not_joined, "capture_end", name_of_stream(i),
                            short_text("an event behind its last launch, waited for on ")
                                << name_of_stream(origin).view(),
                            "none");
        into.first.push_back(into.externals.size());
        into.link();
        if (at(origin).queue && graph_lanes::are_of_use(into.launches, into.calls))
            into.lanes = std::make_unique<graph_lanes>(into.launches, into.calls);
        into.makespan = end.free;
        for (auto b = memory_.first(); b >= 0; b = memory_[b].behind)
            if (memory_[b].graph == into.id && memory_[b].holders > 0) into.kept.push_back(b);
        step("capture_end");
    } catch (...) {
        abandon();
        throw;
    }
    into.is_complete = true;
    leave_capture();
}

/// Nothing is captured any more.
inline void context::leave_capture() noexcept {
    for (auto b = memory_.first(); b >= 0; b = memory_[b].behind) memory_[b].in_capture.clear();
    for (auto& s : streams_) s.is_captured = false;
    capture_.reset();
}

inline void context::abandon() noexcept {
    auto& g = *capture_->into;
    const auto segments = capture_->segments;
    leave_capture();
    for (auto b = memory_.first(); b >= 0; b = memory_[b].behind)
        if (memory_[b].graph == g.id) memory_[b].graph = 0;
    for (const auto& t : g.given) memory_.drop(t.block);
    memory_.give_back(g.pool_row, segments);
    memory_.leave(g.pool_row);
    g.clear();
}

/// Refuses what would race, read what was never written, or write what another tensor lies in by now.
inline void context::check_replay(const captured_graph& g, const history& known) {
    for (const auto& t : g.given) check_use("replay", memory_[t.block], known, t.is_read, t.is_written);
    for (auto row : g.kept)
        if (memory_[row].graph == g.id) check_order("replay", memory_[row], known, true, false);
    const auto& pool = memory_.pool(g.pool_row);
    if (!known.knows(pool.last_replay))
        refuse_call(fault::streams_race, "replay", name_of_stream(pool.last_replay.stream),
                    "an event between the last replay in this pool and this one", "it writes the same memory");
    if (g.pool_changes == pool.changes) return;
    for (auto row = memory_.first(); row >= 0; row = memory_[row].behind) {
        const auto& b = memory_[row];
        if (b.pool != g.pool_row || b.graph == g.id) continue;
        const auto is_in = [&](const byte_range& r) { return b.offset < r.end && r.begin < b.offset + b.bytes; };
        if (std::none_of(g.own.begin(), g.own.end(), is_in)) continue;
        if (b.holders > 0)
            refuse_call(fault::memory_is_still_held, "replay", print(g.pool),
                        "nobody else's tensor where the graph computes", short_text("one of ") << b.bytes << " bytes");
        check_order("replay", b, known, true, false);
    }
}

inline void context::replay(captured_graph& g, const stream& on) {
    const std::scoped_lock turn(turn_);
    check_mine(on.npu_, "replay");
    if (!g.is_complete)
        refuse_call(fault::graph_is_not_captured, "replay", {}, "a graph that was captured", "one that was not");
    auto& s = at(on.number_);
    if (s.is_captured)
        refuse_call(fault::call_is_illegal_in_capture, "replay", name_of_stream(on.number_),
                    "a stream that is not captured", "one that is");
    step("replay");
    s.eager.known.learn(host_);
    check_replay(g, s.eager.known);
    step("replay");
    const moment now{on.number_, s.eager.launched + 1};
    if (s.queue) {
        s.queue->launch(now.number, g);
    } else {
        try {
            g.run();
        } catch (...) {
            for (const auto& t : g.given)
                if (t.is_written) memory_[t.block].has_value = false;
            for (auto row : g.kept)
                if (memory_[row].graph == g.id) memory_[row].has_value = false;
            throw;
        }
    }
    s.eager.launched = now.number;
    s.eager.known.learn(now);
    for (const auto& t : g.given) used(t.block, now, t.is_written);
    for (auto row : g.kept)
        if (memory_[row].graph == g.id) used(row, now, true);
    auto& pool = memory_.pool(g.pool_row);
    pool.last_replay = g.last_replay = now;
    g.pool_changes = pool.changes;
    ++launches_;
    now_ += options_.device.launch.host;
    auto takes = g.takes;
    takes.alone = options_.device.launch.graph + g.makespan;
    s.eager.free = run_on_machine(s.eager, takes);
}

inline std::int32_t context::replay(captured_graph& g, const stream& on, std::span<const operand> operands) {
    const std::scoped_lock turn(turn_);
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
    g.pool_changes = memory_.pool(g.pool_row).changes; // its memory is one block, and its own
    bool is_moved = false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        g.given.push_back({operands[i].block,
                           operands[i].address,
                           operands[i].is_written,
                           !operands[i].is_written || operands[i].is_changed,
                           {}});
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
    const std::scoped_lock turn(turn_);
    if (memory_[block].graph == g.id)
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

} // namespace ahead::npu
