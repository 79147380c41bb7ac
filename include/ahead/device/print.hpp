// SPDX-License-Identifier: MIT
// air.print on the device: the same operator, which the AI CPU runs. It does not have a key because the text that it
// prints is read from the call.
#pragma once
#include <ahead/air/print.hpp>

namespace AHEAD_NAMESPACE::device {

struct print : air::print {
    static constexpr std::int64_t scratch_bytes(const call_view&) { return 0; }
};

} // namespace ahead::device
