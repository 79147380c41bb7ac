// SPDX-License-Identifier: MIT
// The existing name that is most similar to an unknown one, for error messages.
// Called by ir/weights.hpp, runtime/launch/parameters.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <string_view>

namespace AHEAD_NAMESPACE::core {

/// Of the offered names, the first with the most characters in common with `name`, at its begin and its end, and with
/// at least half of them: "module.fc1.weight" for "fc1.weight". Empty if there is none.
struct nearest_name {
    std::string_view name;
    std::string_view found{};
    std::size_t most = 0;

    constexpr void offer(std::string_view other) {
        const auto shorter = name.size() < other.size() ? name.size() : other.size();
        std::size_t begin = 0, end = 0;
        while (begin < shorter && name[begin] == other[begin]) ++begin;
        while (end < shorter - begin && name[name.size() - 1 - end] == other[other.size() - 1 - end]) ++end;
        if (begin + end <= most || 2 * (begin + end) < name.size()) return;
        most = begin + end;
        found = other;
    }
};

} // namespace ahead::core
