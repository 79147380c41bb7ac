// SPDX-License-Identifier: MIT
// How streams and the host wait for each other, and who is told what a launch threw: a part of context.hpp, which
// includes it.
// Invariant: who waits for an event waits for all that its stream knew of when it was recorded, not for that stream's
// launches alone.
#pragma once
#include <ahead/npu/context.hpp>

namespace AHEAD_NAMESPACE::npu {

inline void context::finish(const history& known, target::ticks time) {
    for (std::int32_t i = 0; i < count(); ++i)
        if (at(i).queue) at(i).queue->finished().wait_for(known.of(i));
    host_.learn(known);
    if (now_ < time) now_ = time;
}

inline void context::finish(turn_lock& turn, const history& known, target::ticks time) {
    history until;
    if (!spare_.empty()) {
        until = std::move(spare_.back());
        spare_.pop_back();
    }
    until = known;
    for (std::int32_t i = 0; i < count(); ++i) {
        const auto* queue = at(i).queue.get();
        if (!queue || queue->finished().count() >= until.of(i)) continue;
        turn.unlock();
        queue->finished().wait_for(until.of(i));
        turn.lock();
    }
    finish(until, time);
    spare_.push_back(std::move(until));
}

inline void context::rethrow(moment m) {
    const auto failed = [&](moment at_most) {
        const auto& q = at(at_most.stream).queue;
        return q && q->first_failed() != 0 && q->first_failed() <= at_most.number;
    };
    if (!failed(m)) return;
    const auto thrown = at(m.stream).queue->error();
    for (std::int32_t i = 0; i < count(); ++i) finish(i);
    for (auto& s : streams_) s.queue->drain();
    for (auto b = memory_.first(); b >= 0; b = memory_[b].behind) {
        const auto written = memory_[b].uses.written;
        if (failed(written) && at(written.stream).queue->error() == thrown) memory_[b].has_value = false;
    }
    for (auto& s : streams_)
        if (s.queue->error() == thrown) s.queue->forget_error();
    std::rethrow_exception(thrown);
}

inline void context::check_value(short_text op, const block& b) {
    if (host_.knows(b.uses.written)) rethrow(b.uses.written);
    if (!b.has_value) refuse_call(fault::tensor_has_no_value, op, {}, "tensors that were written", "one that was not");
}

inline void context::record(event& e, const stream& on) {
    const std::scoped_lock turn(turn_);
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
    const auto& l = s.is_captured ? s.captured : s.eager;
    e.npu_ = this;
    e.when_ = {on.number_, l.launched};
    e.known_ = l.known;
    e.at_ = l.free;
    if (!s.is_captured && e.at_ < now_) e.at_ = now_;
    e.capture_ = s.is_captured ? capture_->id : 0;
}

inline void context::wait(const event& e, const stream& on) {
    const std::scoped_lock turn(turn_);
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
        s.captured = {};
        s.is_captured = true;
    }
    auto& l = s.is_captured ? s.captured : s.eager;
    for (std::int32_t i = 0; s.queue && i < count();
         ++i) { // not for the stream of the record alone: it may have waited for others since
        const moment last{i, e.known_.of(i)};
        if (i == on.number_ || l.known.knows(last)) continue;
        if (s.is_captured) capture_->into->calls.push_back({on.number_, last});
        else s.queue->wait(*at(i).queue, last.number);
    }
    l.known.learn(e.known_);
    if (const auto seen = e.at_ + options_.device.launch.event; l.free < seen && e.when_.stream != on.number_)
        l.free = seen;
}

inline void context::check_not_captured(const event& e, short_text op) const {
    if (e.capture_ != 0 && capture_ && capture_->id == e.capture_)
        refuse_call(fault::stream_is_captured, op, name_of_stream(e.when_.stream),
                    "an event that was recorded in no capture underway", "one of the capture");
}

inline bool context::query(const event& e) {
    const std::scoped_lock turn(turn_);
    check_not_captured(e, "query");
    if (e.capture_ != 0 || host_.knows(e.known_)) return true;
    if (options_.run == execution::in_order) {
        now_ += target::ticks{1'000'000};
        return now_ >= e.at_;
    }
    for (std::int32_t i = 0; i < count(); ++i)
        if (at(i).queue->finished().count() < e.known_.of(i)) return false;
    return true;
}

inline void context::synchronize(const event& e) {
    turn_lock turn(turn_);
    check_not_captured(e, "synchronize");
    if (e.capture_ != 0) return;
    finish(turn, e.known_, e.at_);
    for (std::int32_t i = 0; i < count(); ++i) rethrow({i, e.known_.of(i)});
}

inline void event::record(const stream& on) { on.record(*this); }
inline bool event::query() const { return !npu_ || npu_->query(*this); }
inline void event::synchronize() const {
    if (npu_) npu_->synchronize(*this);
}
inline void stream::record(event& e) const { npu_->record(e, *this); }
inline void stream::wait(const event& e) const { npu_->wait(e, *this); }
inline bool stream::query() const {
    const std::scoped_lock turn(npu_->turn_);
    event now;
    npu_->mark(now, *this);
    return now.query();
}
inline void stream::synchronize() const {
    context::turn_lock turn(npu_->turn_);
    npu_->check_not_captured(number_, "synchronize");
    const moment last{number_, npu_->at(number_).eager.launched};
    npu_->wait_for_stream(turn, number_);
    npu_->rethrow(last);
}
inline bool stream::is_capturing() const {
    const std::scoped_lock turn(npu_->turn_);
    return npu_->at(number_).is_captured;
}
inline target::ticks stream::busy_until() const {
    const std::scoped_lock turn(npu_->turn_);
    return npu_->at(number_).eager.free;
}

} // namespace ahead::npu
