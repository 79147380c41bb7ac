// SPDX-License-Identifier: MIT
// Attributes of a model as Python spells them, getattr(self.layers, "0").weight, and the equivalent names,
// layers.0.weight.
// Called by weights.hpp, runtime/launch/literals.hpp, print/fx/listing.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::ir {

/// Whether a name has the Python spelling.
constexpr bool is_python_path(std::string_view name) {
    return !name.empty() && name.data()[0] == 'g' && name.starts_with("getattr(");
}

/// Calls f(text) for each piece of the name: "l", ..., ".", "0", ...; concatenated, they are the plain name.
constexpr void for_each_piece_of_path(std::string_view spelled, auto f) {
    constexpr std::string_view call = "getattr(", self = "self.", begin = ", \"", end = "\")";
    if (!is_python_path(spelled)) return f(spelled);
    while (spelled.starts_with(call)) spelled.remove_prefix(call.size());
    bool is_first = !spelled.starts_with(self); // getattr(self, "0")
    for (spelled.remove_prefix(self.size() - is_first); !spelled.empty();) {
        const bool begins = spelled.starts_with(begin), ends = spelled.starts_with(end);
        if (!ends && !(begins && is_first)) f(begins ? "." : spelled.substr(0, 1));
        is_first = is_first && !begins;
        spelled.remove_prefix(begins ? begin.size() : ends ? end.size() : 1);
    }
}

} // namespace ahead::ir
