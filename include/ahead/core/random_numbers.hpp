// SPDX-License-Identifier: MIT
// The numbers that random operators draw: one endless sequence per seed; a call takes a range that starts at its
// offset. Number k depends on the seed and on k alone, so the reference, the device and parallel threads compute the
// same numbers. Called by aten/random/random.hpp and aten/random/philox.hpp.
// Law: number k is word k mod 4 of philox(k / 4, seed). Where an element needs 64 bits, that word is its upper half,
// and its lower half is the same word of the block whose third counter word is 1. These are not the numbers of
// torch.manual_seed: PyTorch's CPU generator is a Mersenne twister, and its CUDA generator gives each thread a separate
// sequence.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/core/philox.hpp>

namespace AHEAD_NAMESPACE::core {

/// How far a call of `count` numbers advances the offset: whole blocks, as PyTorch counts them.
constexpr std::int64_t numbers_taken(std::int64_t count) { return (count + 3) / 4 * 4; }

class random_numbers {
public:
    /// Offsets are taken modulo 2^64.
    constexpr random_numbers(std::int64_t seed, std::int64_t offset)
        : seed_(static_cast<std::uint64_t>(seed)), offset_(static_cast<std::uint64_t>(offset)) {}
    constexpr std::int64_t seed() const { return static_cast<std::int64_t>(seed_); }
    constexpr std::int64_t offset() const { return static_cast<std::int64_t>(offset_); }

    /// The bits of number offset + i. The numbers of a block are computed together, so ascending i are cheapest.
    constexpr std::uint32_t bits32(std::int64_t i) { return word(offset_ + static_cast<std::uint64_t>(i), 0); }
    constexpr std::uint64_t bits64(std::int64_t i) { return wide(offset_ + static_cast<std::uint64_t>(i)); }

    /// Uniform in [0, 1): multiples of 2^-24 in float, of 2^-53 in double.
    template <class T> constexpr T uniform(std::int64_t i) {
        if constexpr (std::same_as<T, float>) return static_cast<float>(bits32(i) >> 8) * 0x1p-24f;
        else return static_cast<T>(bits64(i) >> 11) * 0x1p-53;
    }
    /// Mean 0 and variance 1, by the Box-Muller method: numbers 2j and 2j + 1 of the sequence are the cosine and the
    /// sine of one angle. Computed in double from 32 bits each for float (the magnitude is at most 6.7), and from 53
    /// for double.
    template <class T> constexpr T normal(std::int64_t i) {
        const auto at = offset_ + static_cast<std::uint64_t>(i);
        const auto pair = at & ~std::uint64_t{1};
        double radius, turn; // in (0, 1] and [0, 1)
        if constexpr (std::same_as<T, float>) {
            radius = (static_cast<double>(word(pair, 0)) + 1) * 0x1p-32;
            turn = static_cast<double>(word(pair + 1, 0)) * 0x1p-32;
        } else {
            radius = (static_cast<double>(wide(pair) >> 11) + 1) * 0x1p-53;
            turn = static_cast<double>(wide(pair + 1) >> 11) * 0x1p-53;
        }
        const double length = math::sqrt(-2 * math::log(radius)), angle = turn * 6.283185307179586476925;
        return math::convert<T>(length * (at == pair ? math::cos(angle) : math::sin(angle)));
    }
    /// An integer from 0 to range - 1, uniform up to an error of range / 2^64. pre: range > 0
    constexpr std::int64_t below(std::int64_t i, std::uint64_t range) {
        return static_cast<std::int64_t>(bits64(i) % range);
    }

private:
    struct block {
        philox_counter words{};
        std::uint64_t number = 0;
        bool made = false;
    };
    std::uint64_t seed_, offset_;
    block blocks_[2]; // for the upper and the lower half

    constexpr std::uint32_t word(std::uint64_t at, std::uint32_t half) {
        auto& b = blocks_[half];
        if (!b.made || b.number != at / 4) {
            b.made = true;
            b.number = at / 4;
            b.words =
                philox({static_cast<std::uint32_t>(b.number), static_cast<std::uint32_t>(b.number >> 32), half, 0},
                       {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
        }
        return b.words[at % 4];
    }
    constexpr std::uint64_t wide(std::uint64_t at) {
        return static_cast<std::uint64_t>(word(at, 0)) << 32 | word(at, 1);
    }
};

} // namespace ahead::core
