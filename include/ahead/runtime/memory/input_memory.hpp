// SPDX-License-Identifier: MIT
// Checks whether a run may use the memory of its inputs, and of the outputs that it writes into the caller's memory.
// Invariant: no input overlaps the arena of the session, and no input that the graph writes overlaps the constants or
// another input. An output in the caller's memory is treated like such an input. Called by session.hpp.
#pragma once
#include <ahead/runtime/checked_inputs.hpp>
#include <ahead/runtime/memory/memory_range.hpp>
#include <span>

namespace AHEAD_NAMESPACE::detail {

struct session_memory {
    memory_range arena;
    memory_range constants;
};
template <bool AnyWritten> bool are_free(std::span<const memory_range> inputs, const session_memory& own) {
    bool out = true;
    for (const auto& input : inputs) {
        out = out && !overlap(input, own.arena);
        if constexpr (AnyWritten) {
            if (!input.is_written) continue;
            out = out && !overlap(input, own.constants);
            for (const auto& other : inputs) out = out && (&input == &other || !overlap(input, other));
        }
    }
    return out;
}
/// The error for inputs whose memory is not free; outputs may follow the inputs in the list: memory_is_in_use,
/// inputs_overlap, outputs_overlap.
template <class Program>
[[gnu::cold]] void refuse_inputs(std::span<const memory_range> inputs, const session_memory& own, diagnosis& d) {
    const auto output_of = [&](const memory_range& input) {
        return static_cast<std::int32_t>(&input - inputs.data()) - Program::plan.inputs;
    };
    const auto name_of = [&](const memory_range& input) {
        const auto output = output_of(input);
        return output < 0 ? name_of_input<Program>(output + Program::plan.inputs) : short_text("output ") << output;
    };
    for (const auto& input : inputs) {
        if (!d.ok()) break;
        d.name = name_of(input);
        if (overlap(input, own.arena))
            refuse(d, fault::memory_is_in_use, "memory of its own (keep a copy())", "that of the session");
        if (input.is_written && overlap(input, own.constants))
            refuse(d, fault::memory_is_in_use, "memory of its own (keep a copy())", "that of the constants");
        for (const auto& other : inputs)
            if (input.is_written && &input != &other && overlap(input, other))
                refuse(d, output_of(input) < 0 && output_of(other) < 0 ? fault::inputs_overlap : fault::outputs_overlap,
                       short_text("memory of its own, because the ")
                           << (output_of(input) < 0 ? "graph" : "run") << " writes it",
                       short_text("that of ") << name_of(other).view());
    }
}

} // namespace ahead::detail
