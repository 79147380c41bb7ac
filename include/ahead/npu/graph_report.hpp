// SPDX-License-Identifier: MIT
// What a call of compiled_graphs did with the graphs, and why: a value that can be asked for after the call, and that
// a listener is told.
// Invariant: a report is of a call that succeeded; one that was refused leaves the last report as it was. Called by
// graph_cache.hpp; print/log_graphs.hpp writes it as log lines.
#pragma once
#include <ahead/npu/graph_options.hpp>
#include <algorithm>
#include <chrono>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// How a call ran. A captured graph is replayed in the same call.
enum class graph_step : std::uint8_t { none, replayed, captured, recaptured, run_eagerly };

/// Why no graph that was there would do.
enum class capture_reason : std::uint8_t {
    none,                // one did
    first_call,          // of this program: no graph of it was captured before
    other_parameters,    // it was captured with others
    was_evicted,         // it was captured under this key, and went for another one
    was_reset,           // it was captured under this key, and reset() gave it back
    mutated_input_moved, // moved_policy::recapture
    output_is_held,      // held_policy::keep
    forced               // force_recapture()
};

/// Host time of the stages of a call; what runs on the device is the device's.
struct stage_times {
    std::chrono::nanoseconds process_inputs{}; // checks, and the search for the graph
    std::chrono::nanoseconds capture{};        // warm-ups included; 0 where a graph was there
    std::chrono::nanoseconds run{};            // the replay, or the eager launch, copies included
};

struct graph_report {
    graph_key key;
    graph_step step = graph_step::none; // none: nothing was called yet
    capture_reason reason = capture_reason::none;
    std::int32_t input = -1; // of mutated_input_moved: which input
    short_text (*name_of_input)(std::int32_t input) = nullptr;
    bool limit_is_reached = false; // there was to be one graph more than capture_limit
    std::optional<graph_key> evicted{};
    std::int32_t stream = 0;
    stage_times times{}; // measured while somebody listens, else 0
};

/// Who is told what each call did: heard(who, report), once it has succeeded. None by default, and then nothing is
/// measured.
struct graph_listener {
    void (*heard)(const void* who, const graph_report& report, const graph_options& options) noexcept = nullptr;
    const void* who = nullptr;
};

/// "first call of the program", ...
constexpr std::string_view words_of(capture_reason reason) {
    switch (reason) {
    case capture_reason::first_call: return "first call of the program";
    case capture_reason::other_parameters: return "no graph was captured with these parameters";
    case capture_reason::was_evicted: return "the graph was evicted";
    case capture_reason::was_reset: return "the graph was reset";
    case capture_reason::mutated_input_moved: return "a mutated input moved";
    case capture_reason::output_is_held: return "an output is still held";
    case capture_reason::forced: return "forced";
    default: return "a graph was there";
    }
}
/// ", a mutated input moved: cache", with what is said before; empty where a graph was there.
inline std::string print_reason(const graph_report& report, std::string_view before) {
    if (report.reason == capture_reason::none) return {};
    auto out = std::string(before) + std::string(words_of(report.reason));
    if (report.input >= 0) out += ": " + std::string(report.name_of_input(report.input).view());
    return out;
}
/// "program 1, parameters at 140245: captured, no graph was captured with these parameters"
inline std::string print(const graph_report& report) {
    if (report.step == graph_step::none) return "nothing was called yet";
    auto out = print(report.key);
    out += report.step == graph_step::replayed     ? ": replayed"
           : report.step == graph_step::captured   ? ": captured"
           : report.step == graph_step::recaptured ? ": captured again"
                                                   : ": run eagerly";
    out += print_reason(report, ", ");
    if (report.evicted) out += "; evicted " + print(*report.evicted);
    return out;
}

/// The keys whose graphs are gone, each once.
class gone_graphs {
public:
    void make_room(std::size_t for_more) { all_.reserve(all_.size() + for_more); }
    /// pre: there is room.
    void add(const graph_key& key, capture_reason went) {
        const auto same = std::find_if(all_.begin(), all_.end(), [&](const gone& one) { return one.key == key; });
        if (same != all_.end()) same->went = went;
        else all_.push_back({key, went});
    }
    /// Why there is no graph of this key. has_others: whether there are graphs of the program.
    capture_reason reason_of(const graph_key& key, bool has_others) const {
        for (const auto& one : all_) {
            if (one.key == key) return one.went;
            has_others = has_others || one.key.program == key.program;
        }
        return has_others ? capture_reason::other_parameters : capture_reason::first_call;
    }

private:
    struct gone {
        graph_key key;
        capture_reason went; // was_evicted, was_reset
    };
    std::vector<gone> all_;
};

} // namespace ahead::npu
