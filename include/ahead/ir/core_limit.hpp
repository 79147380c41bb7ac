// SPDX-License-Identifier: MIT
// How many of a device's cores a task may have at most, in TorchAir's two numbers: AI cores, which multiply matrices,
// and vector cores. Said by scopes (air/stream_map.hpp), by config and, for a block, by where its call stands.
// Invariant: 0 is no limit; a limit that is one is on any device that was checked (plan/limits.hpp) from 1 to
// what it has.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE {

struct core_limit {
    std::int32_t ai_cores = 0, vector_cores = 0;
    friend constexpr bool operator==(const core_limit&, const core_limit&) = default;
};

/// What holds inside `inner`, which stands inside `outer`: number by number, the inner one where it says one.
constexpr core_limit within(const core_limit& outer, const core_limit& inner) {
    return {inner.ai_cores > 0 ? inner.ai_cores : outer.ai_cores,
            inner.vector_cores > 0 ? inner.vector_cores : outer.vector_cores};
}

/// "12 AI cores, 24 vector cores"; "all cores".
constexpr short_text print(const core_limit& l) {
    short_text out;
    if (l.ai_cores > 0) out << l.ai_cores << " AI cores";
    if (l.ai_cores > 0 && l.vector_cores > 0) out << ", ";
    if (l.vector_cores > 0) out << l.vector_cores << " vector cores";
    return out.view().empty() ? short_text("all cores") : out;
}

/// A number of cores as scopes write it: decimal digits, from 1 on; 0 where the text is none.
constexpr std::int32_t read_core_count(std::string_view text) {
    std::int32_t out = 0;
    if (text.size() > 9) return 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return 0;
        out = 10 * out + (c - '0');
    }
    return out;
}

} // namespace ahead
