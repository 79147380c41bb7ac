// SPDX-License-Identifier: MIT
// Creation and destruction of streams. The slot of a destroyed stream is reused once all its launches are known to be
// over: launch numbers continue, so that what is known of them stays valid.
// Invariant: the device's number of streams bounds the slots, including their threads; destroying never waits; two
// streams in the same slot are not ordered by that. Called by users.
#pragma once
#include <ahead/npu/context/interface.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

inline stream context::new_stream(std::int32_t priority) {
    check_not_called_back("new_stream");
    if (priority < stream_priorities.highest || priority > stream_priorities.lowest)
        refuse_call(fault::option_is_out_of_range, "new_stream", "priority",
                    short_text() << stream_priorities.highest << ", the highest, to " << stream_priorities.lowest,
                    short_text() << priority);
    const std::scoped_lock lock(mutex_);
    if (const auto live = live_streams(); live >= options_.device.streams)
        refuse_call(fault::device_streams_are_exceeded, "new_stream", {},
                    short_text("at most ") << options_.device.streams << " streams", short_text() << live + 1);
    auto place = left_place();
    if (place < 0 || (count() < options_.device.streams && !host_.knows(at(place).eager.known()))) {
        add_stream(priority);
        place = count() - 1;
    } else {
        auto& s = at(place);
        finish(place);
        rethrow(s.eager.next()); // it may have waited for a failed launch and launched nothing
        if (s.queue) s.queue->begin(priority);
        s.priority = priority;
        s.eager.begin_anew();
        s.is_destroyed = false;
        ++s.life;
    }
    return {*this, place, at(place).life};
}

inline void context::destroy(const stream& s) {
    check_not_called_back("destroy");
    const std::scoped_lock lock(mutex_);
    check_mine(s.npu_, "destroy");
    if (s.number_ == 0)
        refuse_call(fault::stream_is_default, "destroy", name_of_stream(0), "a stream of new_stream()",
                    "the default one");
    if (!s.exists()) return;
    check_not_captured(s.number_, "destroy");
    for (const auto& r : recordings_)
        if (r.stream == s.number_)
            refuse_call(fault::pool_is_recording, "destroy", name_of_stream(s.number_), "a stream without a recording",
                        short_text("one to ") << print(memory_.pool(r.pool).id).view());
    end_stream(at(s.number_));
}

inline void context::end_stream(stream_state& s) noexcept {
    s.is_destroyed = true;
    s.ends_with_capture = false;
    if (s.queue) s.queue->end();
    for (auto& each : streams_)
        if (each.queue && each.is_destroyed) each.queue->reap();
}

/// Like destroy(), but never refused: a stream in use by a capture is destroyed at the end of the capture.
inline void context::disown(const stream& s) noexcept {
    const std::scoped_lock lock(mutex_);
    if (!s.exists() || s.number_ == 0) return;
    std::erase_if(recordings_, [&](const detail::recording& r) {
        if (r.stream == s.number_) memory_.leave(r.pool);
        return r.stream == s.number_;
    });
    if (at(s.number_).is_captured) at(s.number_).ends_with_capture = true;
    else end_stream(at(s.number_));
}

inline bool context::is_there(const stream& s) const {
    const auto& place = streams_[static_cast<std::size_t>(s.number_)];
    return !place.is_destroyed && place.life == s.life_;
}
inline void context::check_exists(const stream& s, std::string_view op) const {
    if (!is_there(s))
        refuse_call(fault::stream_is_destroyed, op, name_of_stream(s.number_), "a stream that is there",
                    "one that was destroyed");
}

inline std::int32_t context::live_streams() const {
    return static_cast<std::int32_t>(
        std::count_if(streams_.begin(), streams_.end(), [](const stream_state& s) { return !s.is_destroyed; }));
}

inline std::int32_t context::left_place() const {
    std::int32_t found = -1;
    for (std::int32_t i = 0; i < count(); ++i) {
        const auto& s = streams_[static_cast<std::size_t>(i)];
        if (!s.is_destroyed) continue;
        if (host_.knows(s.eager.known())) return i;
        if (found < 0) found = i;
    }
    return found;
}

inline bool stream::exists() const {
    const std::scoped_lock lock(npu_->mutex_);
    return npu_->is_there(*this);
}
inline std::int32_t stream::priority() const {
    const std::scoped_lock lock(npu_->mutex_);
    npu_->check_exists(*this, "priority");
    return npu_->at(number_).priority;
}
inline unique_stream::~unique_stream() {
    if (stream_) stream_->npu().disown(*stream_);
}

} // namespace ahead::npu
