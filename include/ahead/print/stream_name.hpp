// SPDX-License-Identifier: MIT
// The displayed name of a plan's stream. Called by the printers of timelines.
#pragma once
#include <ahead/air/stream_map.hpp>

namespace AHEAD_NAMESPACE::printers {

/// "stream 1", or its label if the graph has labels.
constexpr short_text stream_name(const air::stream_map& streams, std::int32_t stream) {
    return streams.has_stream_scopes() && stream < streams.streams() ? short_text(streams.label(stream))
                                                                : short_text("stream ") << stream;
}

} // namespace ahead::printers
