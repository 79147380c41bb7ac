// SPDX-License-Identifier: MIT
// The form in which weights pass between objects built for different instruction sets: weights::shared() in one,
// weights(shared_weights) in the other.
// Invariant: it has no functions, so it is the same in every build; it is the only type outside AHEAD_NAMESPACE.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>

namespace ahead {

struct shared_tensor {
    const char* name;
    std::size_t name_size;
    int type; // a dtype
    const std::int64_t* sizes;
    std::size_t rank;
    const std::byte* bytes;
    std::size_t byte_count;
};
struct shared_weights {
    const void* set;
    std::size_t count;
    shared_tensor (*read)(const void* set, std::size_t i); // code of the object that owns the set
};

} // namespace ahead
