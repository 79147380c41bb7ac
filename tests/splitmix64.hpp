// SPDX-License-Identifier: MIT
// Numbers by a formula, which what made a reference has computed as well.
#pragma once
#include <cstdint>

namespace test {

// Source: https://prng.di.unimi.it/splitmix64.c
inline std::uint64_t splitmix64(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

} // namespace test
