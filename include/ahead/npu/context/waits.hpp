// SPDX-License-Identifier: MIT
// How the host waits for streams, and which call throws the exception of a launch.
// Invariant: the exception of a launch is thrown once, by the first call that waits for it; then nothing is pending,
// and the outputs of launches that failed or did not run have no value.
#pragma once
#include <ahead/npu/context/traces.hpp>

namespace AHEAD_NAMESPACE::npu {

inline void context::finish(const history& known, machine::ticks time) {
    for (std::int32_t i = 0; i < count(); ++i)
        if (at(i).queue) at(i).queue->finished().wait_for(known.of(i));
    host_.learn(known);
    clock_.waited_until(time);
}

inline void context::finish(context_lock& lock, const history& known, machine::ticks time) {
    history until;
    if (!spare_.empty()) {
        until = std::move(spare_.back());
        spare_.pop_back();
    }
    until = known;
    for (std::int32_t i = 0; i < count(); ++i) {
        const auto* queue = at(i).queue.get();
        if (!queue || queue->finished().count() >= until.of(i)) continue;
        lock.unlock();
        queue->finished().wait_for(until.of(i));
        lock.lock();
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

inline void context::check_value(const short_text& op, const block& b) {
    if (host_.knows(b.uses.written)) rethrow(b.uses.written);
    if (!b.has_value) refuse_call(fault::tensor_has_no_value, op, {}, "tensors that were written", "one that was not");
}

inline void context::synchronize() {
    check_not_called_back("synchronize");
    context_lock lock(mutex_);
    const traced_call call(*this, "synchronize");
    if (capture_)
        refuse_call(fault::stream_is_captured, "synchronize", {}, "no capture underway",
                    name_of_stream(capture_->origin));
    for (std::int32_t s = 0; s < count(); ++s) wait_for_stream(lock, s);
    for (std::int32_t s = 0; s < count(); ++s) rethrow({s, host_.of(s)});
}

template <class F> void context::access(std::int32_t block, bool writing, const short_text& what, F f) {
    check_not_called_back(what);
    context_lock lock(mutex_);
    const traced_call call(*this, what.view());
    for (;;) { // others may have used or captured it while this thread waited
        check_host_call(what);
        const auto& b = memory_[block];
        if (b.in_capture.written.number != 0 || !b.in_capture.read.empty())
            refuse_call(fault::stream_is_captured, what, {}, "a tensor that no capture underway uses",
                        "one that it uses");
        const auto* use = b.uses.unordered(host_, writing);
        if (!use) break;
        const auto waited_for = *use;
        wait_for_stream(lock, waited_for.stream);
        rethrow(waited_for);
    }
    if (!writing) check_value(what, memory_[block]);
    f();
    if (writing) {
        memory_[block].uses.clear();
        memory_[block].has_value = true;
    }
}

} // namespace ahead::npu
