// SPDX-License-Identifier: MIT
// Attributes of a model as Python spells them, getattr(self.layers, "0").weight, and their names, layers.0.weight.
// Called by weights.hpp, io/fx/listing.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE {

/// f(text) for each piece of the name, "layers", ".", "0", ".weight"; of a name it is the name.
constexpr void for_each_piece_of_path(std::string_view spelled, auto f) {
    constexpr std::string_view call = "getattr(", self = "self.", begin = ", \"", end = "\")";
    if (spelled.substr(0, call.size()) != call) return f(spelled);
    while (spelled.substr(0, call.size()) == call) spelled.remove_prefix(call.size());
    bool is_first = spelled.substr(0, self.size()) != self; // getattr(self, "0")
    spelled.remove_prefix(self.size() - is_first);
    while (!spelled.empty()) {
        const auto next = spelled.find(begin);
        if (next != 0) f(spelled.substr(0, next));
        if (next == spelled.npos) return;
        if (!is_first) f(".");
        is_first = false;
        spelled.remove_prefix(next + begin.size());
        const auto close = spelled.find(end);
        f(spelled.substr(0, close));
        if (close == spelled.npos) return;
        spelled.remove_prefix(close + end.size());
    }
}

} // namespace ahead
