// SPDX-License-Identifier: MIT
// Events: recorded on streams, and waited for by other streams and by the host.
// Invariant: a point of a capture is waited for in that capture only; eager launches never wait for it.
#pragma once
#include <ahead/npu/context/traces.hpp>

namespace AHEAD_NAMESPACE::npu {

inline void context::record(event& e, const stream& on) {
    check_not_called_back("record");
    const std::scoped_lock lock(mutex_);
    check_exists(on, "record");
    if (!e.taken_ || e.taken_.use_count() > 1 || e.taken_->taken != events_taken_) {
        if (*events_taken_ >= options_.device.events)
            refuse_call(fault::device_events_are_exceeded, "record", name_of_stream(on.number_),
                        short_text("at most ") << options_.device.events << " events",
                        short_text() << *events_taken_ + 1);
        e.taken_ = std::make_shared<const detail::taken_event>(events_taken_);
    }
    mark(e, on);
}

inline void context::mark(event& e, const stream& on) {
    const auto& s = at(on.number_);
    e.npu_ = this;
    (s.is_captured ? s.captured : s.eager).mark(e.when_);
    if (!s.is_captured) e.when_.at = std::max(e.when_.at, clock_.now());
    e.capture_ = s.is_captured ? capture_->id : 0;
}

inline void context::wait(const event& e, const stream& on) {
    check_not_called_back("wait");
    const std::scoped_lock lock(mutex_);
    check_exists(on, "wait");
    if (!e.npu_) return;
    check_mine(e.npu_, "wait");
    auto& s = at(on.number_);
    if (e.capture_ != 0 ? !capture_ || capture_->id != e.capture_ : s.is_captured)
        refuse_call(fault::event_is_outside_the_capture, "wait", name_of_stream(on.number_),
                    "an event of the same capture",
                    e.capture_ == 0 ? "one that was recorded in none" : "one of a capture that is over");
    if (e.capture_ != 0 && on.number_ == 0)
        refuse_call(fault::stream_is_default, "wait", name_of_stream(0), "a stream of new_stream()", "the default one");
    if (e.capture_ != 0 && !s.is_captured) {
        s.captured = launch_order(on.number_);
        s.is_captured = true;
    }
    auto& l = s.is_captured ? s.captured : s.eager;
    for (std::int32_t i = 0; (s.queue || s.is_captured) && i < count();
         ++i) { // not only the recording stream: it may have waited for others since
        const moment last{i, e.when_.known.of(i)};
        if (i == on.number_ || l.known().knows(last)) continue;
        if (s.is_captured) capture_->into->calls.push_back({on.number_, last});
        else s.queue->wait(*at(i).queue, last.number);
    }
    l.wait(e.when_, options_.device.launch.event);
}

inline void context::check_not_captured(const event& e, const short_text& op) const {
    if (e.capture_ != 0 && capture_ && capture_->id == e.capture_)
        refuse_call(fault::stream_is_captured, op, name_of_stream(e.when_.last.stream),
                    "an event that was recorded in no capture underway", "one of the capture");
}

inline bool context::query(const event& e) {
    check_not_called_back("query");
    const std::scoped_lock lock(mutex_);
    check_not_captured(e, "query");
    if (e.capture_ != 0 || host_.knows(e.when_.known)) return true;
    if (options_.run == execution::in_order) {
        clock_.polled();
        return clock_.now() >= e.when_.at;
    }
    for (std::int32_t i = 0; i < count(); ++i)
        if (at(i).queue->finished().count() < e.when_.known.of(i)) return false;
    return true;
}

inline void context::synchronize(const event& e) {
    check_not_called_back("synchronize");
    context_lock lock(mutex_);
    const traced_call call(*this, "event synchronize");
    check_not_captured(e, "synchronize");
    if (e.capture_ != 0) return;
    finish(lock, e.when_.known, e.when_.at);
    for (std::int32_t i = 0; i < count(); ++i) rethrow({i, e.when_.known.of(i)});
}

inline void event::record(const stream& on) { on.record(*this); }
inline bool event::query() const { return !npu_ || npu_->query(*this); }
inline void event::synchronize() const {
    if (npu_) npu_->synchronize(*this);
}
inline void stream::record(event& e) const { npu_->record(e, *this); }
inline void stream::wait(const event& e) const { npu_->wait(e, *this); }
inline bool stream::query() const {
    npu_->check_not_called_back("query");
    const std::scoped_lock lock(npu_->mutex_);
    npu_->check_exists(*this, "query");
    event now;
    npu_->mark(now, *this);
    return now.query();
}
inline void stream::synchronize() const {
    npu_->check_not_called_back("synchronize");
    context::context_lock lock(npu_->mutex_);
    npu_->check_exists(*this, "synchronize");
    const context::traced_call call(*npu_, "stream synchronize");
    npu_->check_not_captured(number_, "synchronize");
    const auto last = npu_->at(number_).eager.last();
    npu_->wait_for_stream(lock, number_);
    npu_->rethrow(last);
}
inline bool stream::is_capturing() const {
    const std::scoped_lock lock(npu_->mutex_);
    npu_->check_exists(*this, "is_capturing");
    return npu_->at(number_).is_captured;
}
inline machine::ticks stream::busy_until() const {
    const std::scoped_lock lock(npu_->mutex_);
    npu_->check_exists(*this, "busy_until");
    return npu_->at(number_).eager.done_at();
}

} // namespace ahead::npu
