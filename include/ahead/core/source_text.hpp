// SPDX-License-Identifier: MIT
// The text that a graph was read from, and its lines, as errors quote them.
#pragma once
#include <ahead/core/build.hpp>
#include <algorithm>
#include <cstdint>
#include <string_view>

namespace AHEAD_NAMESPACE::core {

/// A text and the name of its file; each is empty if it is not known.
struct source_text {
    std::string_view file{};
    std::string_view text{};

    /// Line `number`, counted from 1, without surrounding blanks; empty if the text has no such line.
    constexpr std::string_view line(std::int32_t number) const {
        auto rest = number > 0 ? text : std::string_view();
        for (; number > 1 && !rest.empty(); --number)
            rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        rest = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        return rest.substr(0, rest.find_last_not_of(" \t\r") + 1);
    }
};

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::source_text;
} // namespace ahead
