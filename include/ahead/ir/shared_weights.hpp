// SPDX-License-Identifier: MIT
// Weights as they pass from an object built for one instruction set to one built for another: weights::shared() there,
// weights(shared_weights) here.
// Invariant: no functions, so it is the same in every build; therefore, and only it, outside of AHEAD_NAMESPACE.
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
    shared_tensor (*read)(const void* set, std::size_t i); // the set's own code
};

} // namespace ahead
