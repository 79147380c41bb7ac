// SPDX-License-Identifier: MIT
// The simulated clock of a device: the host's time on it, what a launch takes there, and when it is done beside what
// runs on other streams.
// Invariant: time does not run back. The device's own times count, whatever device a launch was planned for. Called by
// context/.
#pragma once
#include <ahead/machine/shared_machine.hpp>
#include <ahead/npu/launch_request.hpp>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

class device_clock {
public:
    explicit device_clock(const machine::device& device) : device_(device) {}

    /// The host's time, and how many launches it has made.
    machine::ticks now() const { return now_; }
    std::int64_t launches() const { return launches_; }

    void launched(std::int64_t count) {
        launches_ += count;
        now_ += count * device_.launch.host;
    }
    /// The host asks whether an event has happened.
    void polled() { now_ += machine::ticks{1'000'000}; }
    /// The host has waited until then.
    void waited_until(machine::ticks time) {
        if (now_ < time) now_ = time;
    }

    /// What a launch takes on this device. Throws where its plan does not fit here.
    machine::demand time_of(const launch_request& what) {
        if (!what.takes_on) return what.takes;
        auto d = std::find_if(devices_.begin(), devices_.end(),
                              [&](const auto& one) { return one.first == what.planned_for; });
        if (d == devices_.end()) d = devices_.insert(d, {what.planned_for, *what.planned_for == device_});
        if (d->second) return what.takes;
        const auto is_before = [](const auto& one, auto other) { return std::less<>()(one.first, other); };
        auto t = std::lower_bound(times_.begin(), times_.end(), what.takes_on, is_before);
        if (t == times_.end() || t->first != what.takes_on)
            t = times_.insert(t, {what.takes_on, what.takes_on(device_)});
        return t->second;
    }
    /// A launch, from when its stream and the host are there. Gives its end.
    machine::ticks run(machine::ticks from, const machine::demand& takes) {
        if (machine_.is_full()) machine_.forget_before(now_);
        return machine_.run(std::max(from, now_), takes);
    }

private:
    const machine::device& device_;
    machine::ticks now_;
    std::int64_t launches_ = 0;
    machine::shared_machine machine_{1024}; // what streams have launched shares it
    std::vector<std::pair<const machine::device*, bool>>
        devices_; // that launches were planned for, and whether they are this one
    std::vector<std::pair<decltype(launch_request::takes_on), machine::demand>>
        times_; // of those that were planned for another; sorted
};

} // namespace ahead::npu
