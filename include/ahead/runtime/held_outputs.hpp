// SPDX-License-Identifier: MIT
// The refusal of any operation that would change memory that outputs of a run still refer to. Called by session.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Refusal: `leases` outputs of the last run are alive (output_is_still_held).
[[gnu::cold]] inline diagnosis
held_outputs(std::int32_t leases, std::string_view op = {},
             std::string_view expected = "the outputs of the last run gone (keep a copy())") {
    diagnosis d;
    d.op = op;
    refuse(d, fault::output_is_still_held, expected,
           short_text() << leases << (leases == 1 ? " of them is alive" : " of them are alive"));
    return d;
}

} // namespace ahead::detail
