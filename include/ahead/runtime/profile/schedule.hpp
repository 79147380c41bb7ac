// SPDX-License-Identifier: MIT
// Which of a program's iterations are recorded: torch.profiler.schedule.
//     profile_schedule steps({.wait = 1, .warmup = 1, .active = 3, .repeat = 2, .skip_first = 10});
//     for (...) {
//         run(image);                                     // run.execution().follow(steps), or npu::device_trace
//         if (steps.action() == profile_action::record_and_save) save();
//         steps.step();
//     }
// Invariant: step n says what torch.profiler.schedule(...)(n) says. Called by profile.hpp, npu/trace/device_trace.hpp.
#pragma once
#include <ahead/core/error.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// ProfilerAction: none: nothing is measured; warmup: times are measured and discarded; record: they are kept;
/// record_and_save: they are kept, and this is the last step of a cycle.
enum class profile_action : std::uint8_t { none, warmup, record, record_and_save };

/// After skip_first steps, cycles of wait, warmup and active steps: `repeat` cycles, or endlessly if that is 0.
struct schedule_options {
    std::int64_t wait = 0, warmup = 0, active = 1, repeat = 0, skip_first = 0;
};

class profile_schedule {
public:
    /// Throws option_is_out_of_range: active is 1 or more, the others are 0 or more.
    constexpr explicit profile_schedule(const schedule_options& options) : options_(options) {
        check_count("wait", options.wait, 0);
        check_count("warmup", options.warmup, 0);
        check_count("active", options.active, 1);
        check_count("repeat", options.repeat, 0);
        check_count("skip_first", options.skip_first, 0);
    }

    /// The action in step n, counted from 0. Throws option_is_out_of_range if n is negative.
    constexpr profile_action at(std::int64_t step) const {
        check_count("step", step, 0);
        if (step < options_.skip_first) return profile_action::none;
        step -= options_.skip_first;
        const auto cycle = options_.wait + options_.warmup + options_.active;
        if (options_.repeat > 0 && step / cycle >= options_.repeat) return profile_action::none;
        const auto now = step % cycle;
        if (now < options_.wait) return profile_action::none;
        if (now < options_.wait + options_.warmup) return profile_action::warmup;
        return now + 1 < cycle ? profile_action::record : profile_action::record_and_save;
    }
    /// The action in the current step, which begins at 0 and increases by one with each step().
    constexpr profile_action action() const { return at(now_); }
    constexpr bool is_recording() const { return action() >= profile_action::record; }
    constexpr std::int64_t now() const { return now_; }
    constexpr void step() { ++now_; }

private:
    schedule_options options_;
    std::int64_t now_ = 0;

    static constexpr void check_count(std::string_view name, std::int64_t found, std::int64_t least) {
        if (found >= least) return;
        diagnosis d;
        d.op = "profile_schedule";
        d.name = name;
        refuse(d, fault::option_is_out_of_range, short_text() << least << " or more", short_text() << found);
        raise(d);
    }
};

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::profile_schedule;
} // namespace ahead
