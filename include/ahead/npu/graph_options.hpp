// SPDX-License-Identifier: MIT
// The options, the counters and the keys of compiled_graphs.
// Invariant: every default is correct for every program; the comment on a policy names its cost. Read by
// graph_cache.hpp.
#pragma once
#include <ahead/npu/context.hpp>
#include <optional>
#include <string>

namespace AHEAD_NAMESPACE::npu {

/// If a call gives another tensor for an input that the graph writes: the graph is bound to it; or it is captured
/// again; or the graph gets a tensor of its own there, and the caller's is copied into it, and back after the replay.
/// Inputs that are only read are always bound.
enum class moved_policy : std::uint8_t { bind, recapture, copy_back };

/// If a call needs one graph more than the limit: the least recently called one is evicted; or this call is launched
/// eagerly, and all graphs stay; or it is an error.
enum class full_policy : std::uint8_t { evict_oldest, run_eagerly, refuse };

/// If an output of an earlier call, or another tensor, is held where the graph computes: an error; or the graph is
/// captured again elsewhere, and the held tensor stays unchanged.
enum class held_policy : std::uint8_t { refuse, keep };

struct graph_options {
    std::int64_t capture_limit = 64; // number of graphs; at least 1
    full_policy when_full = full_policy::evict_oldest;
    moved_policy moved_inputs = moved_policy::bind;
    held_policy held_outputs = held_policy::refuse;
    bool frozen_parameters = false;   // prepared weights are fixed: others are refused, never captured
    bool force_eager = false;         // never captures: tells a wrong program from a wrong capture; of the other
                                      // options only frozen_parameters has an effect with it
    std::int64_t num_warmups = 0;     // eager launches before a first capture, with copies of what it writes
    std::optional<mempool_id> pool{}; // for all graphs; none: a pool of the object
    capture_mode mode = capture_mode::global;
};

/// Refuses (option_is_out_of_range) a limit below 1 and warm-ups below 0, and (option_has_no_effect) options of graphs
/// together with force_eager.
inline bool check_options(const graph_options& options, diagnosis& d) {
    d.op = "compiled_graphs";
    const auto at_least = [&](std::string_view name, std::int64_t least, std::int64_t value) {
        if (value >= least) return true;
        d.name = name;
        return refuse(d, fault::option_is_out_of_range, short_text() << least << " or more", short_text() << value);
    };
    const auto unused = [&](std::string_view name, bool is_given) {
        if (!options.force_eager || !is_given) return true;
        d.name = name;
        return refuse(d, fault::option_has_no_effect, "left out: nothing is captured", "given, with force_eager");
    };
    const graph_options usual;
    return at_least("capture_limit", 1, options.capture_limit) && at_least("num_warmups", 0, options.num_warmups) &&
           unused("capture_limit", options.capture_limit != usual.capture_limit) &&
           unused("when_full", options.when_full != usual.when_full) &&
           unused("moved_inputs", options.moved_inputs != usual.moved_inputs) &&
           unused("held_outputs", options.held_outputs != usual.held_outputs) &&
           unused("num_warmups", options.num_warmups != usual.num_warmups) &&
           unused("pool", options.pool.has_value()) && unused("mode", options.mode != usual.mode);
}

/// The key of a graph: the program, and the address of its prepared weights.
struct graph_key {
    std::size_t program = 0; // in the order of compiled_graphs<...>
    const std::byte* parameters = nullptr;
    friend bool operator==(const graph_key&, const graph_key&) = default;
};

struct graph_counters {
    std::int64_t captured = 0; // with a new key
    std::int64_t replayed = 0;
    std::int64_t bound = 0;                         // input tensors that replaced the bound ones
    std::int64_t recaptured_for_mutated_inputs = 0; // with the same key
    std::int64_t recaptured_for_held_outputs = 0;
    std::int64_t recaptured_by_force = 0; // TorchAir's recapture_due_to_force_recapture
    std::int64_t evicted = 0;
    std::int64_t run_eagerly = 0;
    std::int64_t copied_back = 0; // tensors
    friend bool operator==(const graph_counters&, const graph_counters&) = default;
};

/// "program 1, parameters at 140245", or "program 0" if it has no parameters.
inline std::string print(const graph_key& key) {
    auto out = "program " + std::to_string(key.program);
    if (key.parameters) out += ", parameters at " + std::to_string(reinterpret_cast<std::uintptr_t>(key.parameters));
    return out;
}
/// "captured 2, replayed 10, ...": the counters that are not 0.
inline std::string print(const graph_counters& c) {
    std::string out;
    const auto add = [&](const char* name, std::int64_t n) {
        if (n != 0) out += (out.empty() ? "" : ", ") + (name + (" " + std::to_string(n)));
    };
    add("captured", c.captured);
    add("replayed", c.replayed);
    add("bound", c.bound);
    add("recaptured for mutated inputs", c.recaptured_for_mutated_inputs);
    add("recaptured for held outputs", c.recaptured_for_held_outputs);
    add("recaptured by force", c.recaptured_by_force);
    add("evicted", c.evicted);
    add("run eagerly", c.run_eagerly);
    add("copied back", c.copied_back);
    return out;
}

} // namespace ahead::npu
