// SPDX-License-Identifier: MIT
// Random numbers, several blocks of words at a time. Semantics: aten/random/philox.hpp.
// Invariant: the numbers of core/random_numbers.hpp, whatever the vector width. One function per dtype and
// distribution; the position of its numbers in the sequence is given at run time.
#pragma once
#include <ahead/core/random_numbers.hpp>
#include <ahead/device/random.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/vector/normal.hpp>
#include <ahead/kernels/vector/philox.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

inline constexpr int drawn_together = 64; // 16 blocks

/// Converts words to numbers: `lower` has the lower halves of 64-bit words; f32 does not use it.
template <device::randomness Kind, class T> struct draw {
    T first, range; // begin and length of the range; for normal numbers mean and deviation

    draw(double from, double second)
        : first(math::convert<T>(from)),
          range(Kind == device::randomness::normal ? math::convert<T>(second) : math::convert<T>(second) - first) {}
    void operator()(const std::uint32_t* words, const std::uint32_t* lower, T* out) const {
        constexpr bool in_vectors = std::same_as<T, float> && widest<double> != 1;
        T drawn[drawn_together];
        if constexpr (Kind == device::randomness::normal && in_vectors) {
            normal_numbers<drawn_together>(words, drawn);
        } else if constexpr (Kind == device::randomness::normal) {
            constexpr auto unit = std::same_as<T, float> ? 0x1p-32 : 0x1p-53;
            const auto fraction = [&](int i) {
                return static_cast<double>(std::same_as<T, float> ? words[i] : wide(words, lower, i) >> 11);
            };
            for (int i = 0; i < drawn_together; i += 2) {
                const double length = std::sqrt(-2 * std::log((fraction(i) + 1) * unit)),
                             angle = fraction(i + 1) * unit * 6.283185307179586476925;
                drawn[i] = static_cast<T>(length * std::cos(angle));
                drawn[i + 1] = static_cast<T>(length * std::sin(angle));
            }
        } else if constexpr (std::same_as<T, float>) {
            for (int i = 0; i < drawn_together; ++i)
                drawn[i] = static_cast<float>(static_cast<std::int32_t>(words[i] >> 8)) * 0x1p-24f;
        } else {
            for (int i = 0; i < drawn_together; ++i) drawn[i] = static_cast<T>(wide(words, lower, i) >> 11) * 0x1p-53;
        }
        const T from = first, by = range; // local copies: else reloaded for each element, as out may alias them
        for (int i = 0; i < drawn_together; ++i) out[i] = from + by * drawn[i];
    }
    static std::uint64_t wide(const std::uint32_t* words, const std::uint32_t* lower, int i) {
        return std::uint64_t{words[i]} << 32 | lower[i];
    }
};
template <> struct draw<device::randomness::integers, std::int64_t> {
    std::int64_t first;
    std::uint64_t range;

    draw(std::int64_t low, std::int64_t high) : first(low), range(static_cast<std::uint64_t>(math::sub(high, low))) {}
    void operator()(const std::uint32_t* words, const std::uint32_t* lower, std::int64_t* out) const {
        for (int i = 0; i < drawn_together; ++i)
            out[i] = math::add(first, static_cast<std::int64_t>((std::uint64_t{words[i]} << 32 | lower[i]) % range));
    }
};

/// Writes the numbers of the seed's sequence from `offset` on.
template <class Draw, class T>
[[gnu::noinline]] void fill_random(const Draw& draw, std::uint64_t seed, std::uint64_t offset, std::int64_t count,
                                   T* out) {
    constexpr bool is_wide = sizeof(T) > 4;
    constexpr int blocks = drawn_together / 4;
    alignas(64) std::uint32_t words[drawn_together], lower[is_wide ? drawn_together : 1];
    auto block = offset / 4;
    for (auto skipped = static_cast<std::int64_t>(offset % 4); count > 0; block += blocks, skipped = 0) {
        philox_words<blocks>(block, 0, seed, words);
        if constexpr (is_wide) philox_words<blocks>(block, 1, seed, lower);
        const auto here = std::min<std::int64_t>(drawn_together - skipped, count);
        if (here == drawn_together) {
            draw(words, lower, out);
        } else {
            T drawn[drawn_together];
            draw(words, lower, drawn);
            std::copy_n(drawn + skipped, here, out);
        }
        out += here;
        count -= here;
    }
}

/// Each position takes one of the remaining numbers, those from it on, one position after the other.
[[gnu::noinline]] inline void fill_shuffled(random_numbers numbers, std::int64_t count, std::int64_t* out) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = i;
    for (std::int64_t i = 0; i < count; ++i)
        std::swap(out[i], out[i + numbers.below(i, static_cast<std::uint64_t>(count - i))]);
}

} // namespace detail

template <device::random_key Key, class T = element_t<Key.type>>
inline void random(const std::int64_t* seed, const std::int64_t* offset, T* out) {
    if constexpr (Key.count > 0) {
        const auto from =
            static_cast<std::uint64_t>(Key.before) + static_cast<std::uint64_t>(Key.has_offset ? *offset : 0);
        const auto number = [](std::int64_t bits) {
            if constexpr (Key.kind == device::randomness::integers) return bits;
            else return std::bit_cast<double>(bits);
        };
        if constexpr (Key.kind == device::randomness::shuffled)
            detail::fill_shuffled({*seed, static_cast<std::int64_t>(from)}, Key.count, out);
        else
            detail::fill_random(detail::draw<Key.kind, T>(number(Key.first), number(Key.second)),
                                static_cast<std::uint64_t>(*seed), from, Key.count, out);
    }
}

template <> struct kernel_for<device::random> {
    template <auto Key> static void run(const auto& at) {
        kernels::random<Key>(at.template in<std::int64_t>(0), at.template in_or_null<std::int64_t>(1),
                             at.template out<element_t<Key.type>>());
    }
};

} // namespace ahead::kernels
