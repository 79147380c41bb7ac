// SPDX-License-Identifier: MIT
// The maximum number of device cores for a task, as TorchAir's two numbers: AI cores, which multiply matrices, and
// vector cores. Set by scopes (air/stream_map.hpp), by config and, for a block, by the place of its call.
// Invariant: 0 means unlimited; other limits are, on any device that was checked (plan/limits.hpp), from 1 to the
// device's number of cores.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::ir {

struct core_limit {
    std::int32_t ai_cores = 0, vector_cores = 0;
    friend constexpr bool operator==(const core_limit&, const core_limit&) = default;
};

/// The limit inside scope `inner`, nested in `outer`: for each number the inner one if it is set.
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

/// Parses a number of cores as scopes write it: decimal digits, at least 1; 0 if the text is not such a number.
constexpr std::int32_t read_core_count(std::string_view text) {
    std::int32_t out = 0;
    if (text.size() > 9) return 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return 0;
        out = 10 * out + (c - '0');
    }
    return out;
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::print;
} // namespace ahead
