// SPDX-License-Identifier: MIT
// Philox4x32-10: random bits as a function of a counter and a key, without state. Source: Salmon, Moraes, Dror, Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Called by core/random_numbers.hpp.
// Invariant: tests/unit/aten/random.cpp checks the known answers of the paper.
#pragma once
#include <ahead/core/build.hpp>
#include <array>
#include <cstdint>

namespace AHEAD_NAMESPACE::core {

using philox_counter = std::array<std::uint32_t, 4>;
using philox_key = std::array<std::uint32_t, 2>;

inline constexpr std::array<std::uint32_t, 2> philox_factors{0xd2511f53, 0xcd9e8d57}, // of words 0 and 2
    philox_key_steps{0x9e3779b9, 0xbb67ae85};                                         // from round to round

/// 128 bits per counter. Different counters, or different keys, give bits that are independent as far as any known test
/// can tell.
constexpr philox_counter philox(philox_counter counter, philox_key key) {
    for (int round = 0; round < 10; ++round) {
        const auto first = std::uint64_t{philox_factors[0]} * counter[0],
                   second = std::uint64_t{philox_factors[1]} * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
        key[0] += philox_key_steps[0];
        key[1] += philox_key_steps[1];
    }
    return counter;
}

} // namespace ahead::core
