// SPDX-License-Identifier: MIT
// Bytes that a run uses, to see whether two of them are the same. Called by session.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <functional>

namespace AHEAD_NAMESPACE::detail {

struct memory_range {
    const std::byte* begin;
    std::size_t bytes;
    bool is_written = false;
};
inline bool overlap(const memory_range& a, const memory_range& b) {
    const std::less<const std::byte*> before;
    return a.bytes != 0 && b.bytes != 0 && before(a.begin, b.begin + b.bytes) && before(b.begin, a.begin + a.bytes);
}

} // namespace ahead::detail
