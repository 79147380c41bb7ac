// SPDX-License-Identifier: MIT
// Sorted lines. An element becomes an unsigned key with the same order, stored with its position; long lines are sorted
// by radix, on the bytes of the keys, the last byte first; short ones by counting the entries that precede each.
// Invariant: equal elements have equal keys, also both zeros and all NaN, which are largest; the same entries are
// selected as by the meaning of aten.topk. Semantics: aten.sort, argsort, topk, kthvalue, median, nanmedian, mode.
#pragma once
#include <ahead/core/math/order.hpp>
#include <ahead/device/index/sort.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <class T>
using sort_bits =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T> struct sort_entry {
    sort_bits<T> bits;
    std::int32_t place;
};

/// The key of x: smaller if x comes first.
template <bool Descending, class T> [[gnu::always_inline]] inline sort_bits<T> sort_bits_of(T x) {
    using bits = sort_bits<T>;
    constexpr auto sign = static_cast<bits>(bits{1} << (8 * sizeof(T) - 1)), all = static_cast<bits>(~bits{0});
    bits out;
    if constexpr (std::floating_point<T>) {
        out = std::bit_cast<bits>(x + T(0)); // -0 becomes 0
        out = x != x ? all : static_cast<bits>((out & sign) != 0 ? ~out : out | sign);
    } else {
        out = static_cast<bits>(static_cast<bits>(x) ^ (std::is_signed_v<T> ? sign : bits{0}));
    }
    return Descending ? static_cast<bits>(out ^ all) : out;
}

/// Sorts stably, alternating between `line` and `spare`; returns the one that holds the result.
template <class T> inline sort_entry<T>* sort_by_digits(sort_entry<T>* line, sort_entry<T>* spare, std::int64_t size) {
    constexpr int digits = static_cast<int>(sizeof(T));
    std::array<std::array<std::int64_t, 256>, digits> ends{};
    for (std::int64_t i = 0; i < size; ++i)
        for (int d = 0; d < digits; ++d) ++ends[static_cast<std::size_t>(d)][line[i].bits >> (8 * d) & 255];
    for (int d = 0; d < digits; ++d) {
        auto& begins = ends[static_cast<std::size_t>(d)];
        if (begins[line[0].bits >> (8 * d) & 255] == size) continue; // all digits are equal
        std::int64_t before = 0;
        for (auto& count : begins) before += std::exchange(count, before);
        for (std::int64_t i = 0; i < size; ++i) spare[begins[line[i].bits >> (8 * d) & 255]++] = line[i];
        std::swap(line, spare);
    }
    return line;
}

/// The same for Size entries, by counting.
template <std::int64_t Size, class T>
inline sort_entry<T>* sort_by_rank(const sort_entry<T>* line, sort_entry<T>* spare) {
    sort_bits<T> bits[Size];
    for (std::int64_t i = 0; i < Size; ++i) bits[i] = line[i].bits;
    for (std::int64_t i = 0; i < Size; ++i) {
        sort_bits<T> rank = 0; // of the keys' size, so that the counting is vectorized
        for (std::int64_t k = 0; k < Size; ++k) rank = static_cast<sort_bits<T>>(rank + (bits[k] < bits[i]));
        for (std::int64_t k = 0; k < i; ++k) rank = static_cast<sort_bits<T>>(rank + (bits[k] == bits[i]));
        spare[rank] = line[i];
    }
    return spare;
}

/// The index of the selected entry in a sorted line: of the mode or the median.
template <device::ordering Kind, class T>
inline std::int64_t rank_of_one(const sort_entry<T>* line, std::int64_t size) {
    const auto is_nan = [](const sort_entry<T>& e) {
        return std::floating_point<T> && e.bits == static_cast<sort_bits<T>>(~sort_bits<T>{0});
    };
    if constexpr (Kind == device::ordering::most_frequent) {
        std::int64_t best = 0, most = 0, count = 0;
        for (std::int64_t k = 0; k < size; ++k) {
            count = k > 0 && line[k].bits == line[k - 1].bits && !is_nan(line[k]) ? count + 1 : 1;
            if (count > most) most = count, best = k;
        }
        return best;
    } else {
        auto numbers = size;
        while (numbers > 0 && is_nan(line[numbers - 1])) --numbers;
        if (Kind == device::ordering::middle && numbers < size) return numbers;
        return numbers > 0 ? (numbers - 1) / 2 : 0;
    }
}

} // namespace detail

template <device::sort_key Key, class T = element_t<Key.type>>
inline void sort(const T* x, std::int64_t* places, [[maybe_unused]] T* values, std::byte* workspace) {
    using entry = detail::sort_entry<T>;
    constexpr auto outer = Key.outer, count = Key.count, inner = Key.inner, kept = Key.kept;
    static_assert(count <= std::numeric_limits<std::int32_t>::max());
    constexpr auto before = [](const entry& a, const entry& b) { return a.bits < b.bits; };
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            const T* const from = x + o * count * inner + i;
            entry* line = reinterpret_cast<entry*>(workspace);
            for (std::int64_t k = 0; k < count; ++k)
                line[k] = {detail::sort_bits_of<Key.descending>(from[k * inner]), static_cast<std::int32_t>(k)};
            if constexpr (Key.kind == device::ordering::selected || Key.kind == device::ordering::first)
                select_first(line, count, kept, Key.kind == device::ordering::first, before);
            else if constexpr (device::by_digits(Key)) line = detail::sort_by_digits<T>(line, line + count, count);
            else if constexpr (count > 0) line = detail::sort_by_rank<count, T>(line, line + count);
            if constexpr (device::is_one_of_all(Key.kind)) line += detail::rank_of_one<Key.kind, T>(line, count);
            else line += Key.skipped;
            const auto to = o * kept * inner + i;
            for (std::int64_t k = 0; k < kept; ++k) {
                places[to + k * inner] = line[k].place;
                if constexpr (Key.values) values[to + k * inner] = from[line[k].place * inner];
            }
        }
}

template <> struct kernel_for<device::sort> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        if constexpr (Key.values)
            kernels::sort<Key>(at.template in<T>(0), at.template out<std::int64_t>(1), at.template out<T>(),
                               at.workspace);
        else
            kernels::sort<Key>(at.template in<T>(0), at.template out<std::int64_t>(), static_cast<T*>(nullptr),
                               at.workspace);
    }
};

} // namespace ahead::kernels
