// SPDX-License-Identifier: MIT
// Host parameters: a new value is copied to the device on a separate stream while launches and replays that read the
// previous one still run.
// Invariant: an update is ordered after all earlier uses of the block, later uses are ordered after the update, and the
// host waits for neither. The stream of updates has no other launches and never fails: an exception of a reader stays
// with the reader.
#pragma once
#include <ahead/npu/context/traces.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::npu {

inline void context::make_updatable(std::int32_t block) {
    const std::scoped_lock lock(mutex_);
    if (updates_on_ < 0) updates_on_ = new_stream(stream_priorities.highest).number();
    memory_[block].updates = 1;
}

inline void context::update(std::int32_t block, std::span<const std::byte> value) {
    check_not_called_back("update");
    const std::scoped_lock lock(mutex_);
    const traced_call call(*this, "update");
    check_host_call("update");
    auto& b = memory_[block];
    if (b.in_capture.written.number != 0 || !b.in_capture.read.empty())
        refuse_call(fault::stream_is_captured, "update", {}, "a parameter that no capture underway uses",
                    "one that it uses");
    step("update");
    auto& u = at(updates_on_);
    const auto come_behind = [&](moment m) {
        if (u.eager.known().knows(m)) return;
        if (u.queue) u.queue->wait_for_end(*at(m.stream).queue, m.number);
        u.eager.wait(m, at(m.stream).eager.done_at() + options_.device.launch.event);
    };
    u.eager.learn(host_);
    come_behind(b.uses.written);
    for (const auto& m : b.uses.read) come_behind(m);
    const auto now = u.eager.next();
    if (u.queue) u.queue->write(now.number, memory_.address(block), value);
    else std::memcpy(memory_.address(block), value.data(), value.size());
    u.eager.launch();
    used(block, now, true);
    ++b.updates;
    clock_.launched(1);
    u.eager.done_at(clock_.run(u.eager.done_at(), {.alone = options_.device.launch.task}));
}

inline void context::follow_update(stream_state& s, const block& b) {
    const auto by = b.uses.written;
    if (by.stream != updates_on_ || s.eager.known().knows(by)) return;
    auto& u = at(updates_on_);
    if (s.queue) s.queue->wait(*u.queue, by.number);
    s.eager.wait(by, u.eager.done_at() + options_.device.launch.event);
}

} // namespace ahead::npu
