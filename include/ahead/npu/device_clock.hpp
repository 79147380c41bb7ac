// SPDX-License-Identifier: MIT
// The simulated clock of a device: the host's time on it, the demand of a launch, and when a launch ends while others
// run on other streams.
// Invariant: time never decreases. Times are those of this device, whatever device a launch was planned for. Called by
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

    /// The host's time, and the number of launches it has made.
    machine::ticks now() const { return now_; }
    std::int64_t launches() const { return launches_; }

    void launched(std::int64_t count) {
        launches_ += count;
        now_ += count * device_.launch.host;
    }
    /// Advances the host's time by one query of an event.
    void polled() { now_ += machine::ticks{1'000'000}; }
    /// Advances the host's time to the end of a wait.
    void waited_until(machine::ticks time) {
        if (now_ < time) now_ = time;
    }

    /// The demand of a launch on this device. Throws if its plan does not fit this device.
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
    /// Runs a launch once its stream and the host are ready. Returns its end.
    machine::ticks run(machine::ticks from, const machine::demand& takes) {
        if (machine_.is_full()) machine_.forget_before(now_);
        return machine_.run(std::max(from, now_), takes);
    }

private:
    const machine::device& device_;
    machine::ticks now_;
    std::int64_t launches_ = 0;
    machine::shared_machine machine_{1024}; // shared by the launches of all streams
    std::vector<std::pair<const machine::device*, bool>>
        devices_; // the devices of launched plans, and whether each equals device_
    std::vector<std::pair<decltype(launch_request::takes_on), machine::demand>>
        times_; // of launches planned for another device; sorted
};

} // namespace ahead::npu
