// SPDX-License-Identifier: MIT
// A range of bytes that a run uses, for overlap checks. Called by session.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::detail {

struct memory_range {
    const std::byte* begin;
    std::size_t bytes;
    bool is_written = false;
};
inline bool overlap(const memory_range& a, const memory_range& b) {
    const auto address = [](const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); };
    return a.bytes != 0 && b.bytes != 0 && address(a.begin) < address(b.begin) + b.bytes &&
           address(b.begin) < address(a.begin) + a.bytes;
}

} // namespace ahead::detail
