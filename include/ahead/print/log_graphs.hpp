// SPDX-License-Identifier: MIT
// The activity of compiled graphs as log lines, in TorchAir's levels: a listener of npu::compiled_graphs.
//     graph_log lines(log);  net.listen(lines);
// Invariant: inactive until it listens; a line that cannot be written is dropped, and no call fails because of it.
// Called by users.
#pragma once
#include <ahead/npu/graph_report.hpp>
#include <ahead/print/log.hpp>

namespace AHEAD_NAMESPACE::printers {

/// "torchair run at stream 1, process input: 3us, compile 0us, graph run: 5us": the compilation at run time is the
/// capture. Whole microseconds, rounded down.
inline std::string print(const npu::stage_times& times, std::int32_t stream) {
    const auto us = [](std::chrono::nanoseconds time) { return std::to_string(time.count() / 1000) + "us"; };
    return "torchair run at stream " + std::to_string(stream) + ", process input: " + us(times.process_inputs) +
           ", compile " + us(times.capture) + ", graph run: " + us(times.run);
}

/// Writes for each call that succeeds, with the source location that made it:
///     [DEBUG] ... Find captured graph of program 0, parameters at 140245
///     [WARNING] ... The capture_limit reached when capturing program 1, ...
///     [INFO] ... Success to capture graph of program 1, parameters at 140245: first call of the program
///     [INFO] ... Success to recapture graph of program 1, parameters at 140245: forced
///     [INFO] ... Evict graph of program 0, parameters at 140245
///     [DEBUG] ... Run program 1 eagerly
///     [EVENT] ... torchair run at stream 1, process input: 3us, compile 0us, graph run: 5us
/// The writer must outlive it, and it must outlive the calls.
class graph_log {
public:
    explicit graph_log(const log_writer& log, const std::source_location& where = std::source_location::current())
        : log_(&log), where_(where) {}
    /// For listen().
    operator npu::graph_listener() const& { return {&heard, this}; }
    operator npu::graph_listener() const&& = delete; // give it a name

private:
    const log_writer* log_;
    std::source_location where_;

    static void heard(const void* who, const npu::graph_report& report, const npu::graph_options& options) noexcept {
        try {
            static_cast<const graph_log*>(who)->write(report, options);
        } catch (...) { // out of memory, or a stream that throws
        }
    }
    template <class Text> void tell(log_level level, Text text) const {
        if (log_->is_on(level)) log_->write(level, text(), where_);
    }
    void write(const npu::graph_report& report, const npu::graph_options& options) const {
        using enum npu::graph_step;
        const auto why = [&] { return print_reason(report, ": "); };
        if (report.limit_is_reached)
            tell(log_level::warning, [&] {
                return "The capture_limit reached when capturing " + print(report.key) +
                       (report.evicted ? ", we will evict the graph that was used the longest ago"
                                       : ", we will run this call eagerly") +
                       ". Each capture costs time, and graphs cost memory. The current capture_limit is " +
                       std::to_string(options.capture_limit);
            });
        switch (report.step) {
        case replayed: tell(log_level::debug, [&] { return "Find captured graph of " + print(report.key); }); break;
        case captured:
            tell(log_level::info, [&] { return "Success to capture graph of " + print(report.key) + why(); });
            break;
        case recaptured:
            tell(log_level::info, [&] { return "Success to recapture graph of " + print(report.key) + why(); });
            break;
        default: tell(log_level::debug, [&] { return "Run " + print(report.key) + " eagerly"; });
        }
        if (report.evicted) tell(log_level::info, [&] { return "Evict graph of " + print(*report.evicted); });
        tell(log_level::event, [&] { return print(report.times, report.stream); });
    }
};

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::graph_log, printers::print;
} // namespace ahead
