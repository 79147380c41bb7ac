// SPDX-License-Identifier: MIT
// The report of a call of compiled_graphs: what the call did with the graphs, and why. The value is available after
// the call, and passed to a listener.
// Invariant: a report describes a call that succeeded; a refused call leaves the last report unchanged. Called by
// graph_cache.hpp; print/log_graphs.hpp writes it as log lines.
#pragma once
#include <ahead/npu/graph_options.hpp>
#include <algorithm>
#include <chrono>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// How a call ran. A captured graph is replayed in the same call.
enum class graph_step : std::uint8_t { none, replayed, captured, recaptured, run_eagerly };

/// Why no existing graph could be used.
enum class capture_reason : std::uint8_t {
    none,                // one could
    first_call,          // of this program: none of its graphs was captured before
    other_parameters,    // only graphs with other parameters were captured
    was_evicted,         // was captured under this key, and evicted for another one
    was_reset,           // was captured under this key, and released by reset()
    mutated_input_moved, // moved_policy::recapture
    output_is_held,      // held_policy::keep
    forced               // force_recapture()
};

/// Host time of the stages of a call; the time of the device is not included.
struct stage_times {
    std::chrono::nanoseconds process_inputs{}; // checks, and the lookup of the graph
    std::chrono::nanoseconds capture{};        // warm-ups included; 0 if a graph existed
    std::chrono::nanoseconds run{};            // the replay or the eager launch, copies included
};

struct graph_report {
    graph_key key;
    graph_step step = graph_step::none; // none: no call yet
    capture_reason reason = capture_reason::none;
    std::int32_t input = -1; // of mutated_input_moved: the index of the input
    short_text (*name_of_input)(std::int32_t input) = nullptr;
    bool limit_is_reached = false; // a graph beyond capture_limit was needed
    std::optional<graph_key> evicted{};
    std::int32_t stream = 0;
    stage_times times{}; // measured only while there is a listener, else 0
};

/// A listener: `heard` is called after each successful call, with its own pointer, the report and the options. None by
/// default, and then nothing is measured.
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
/// ", a mutated input moved: cache", with `before` in front; empty if a graph existed.
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

/// The keys of released graphs, each once.
class gone_graphs {
public:
    void make_room(std::size_t for_more) { all_.reserve(all_.size() + for_more); }
    /// pre: make_room was called for it.
    void add(const graph_key& key, capture_reason went) {
        const auto same = std::find_if(all_.begin(), all_.end(), [&](const gone& one) { return one.key == key; });
        if (same != all_.end()) same->went = went;
        else all_.push_back({key, went});
    }
    /// Why this key has no graph. has_others: whether the program has graphs.
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
