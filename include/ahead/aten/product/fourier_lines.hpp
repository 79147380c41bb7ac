// SPDX-License-Identifier: MIT
// The transform of every line along one dim of a complex tensor, in place, by Cooley-Tukey: a line of n numbers is
// split by the smallest prime factor of n, recursively. Called by aten/product/fourier.hpp.
// Invariant: memory is the call's scratch (spectrum_bytes); nothing is scaled.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/walk.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::aten::detail {

constexpr std::int64_t longest_of(const int_list& sizes) {
    std::int64_t out = 1;
    for (auto size : sizes) out = std::max(out, size);
    return out;
}
constexpr std::int64_t spectrum_bytes(const int_list& sizes) {
    return static_cast<std::int64_t>(sizeof(complex128)) *
           (element_count(tensor_of(dtype::c128, sizes)) + 4 * longest_of(sizes));
}
constexpr std::int64_t smallest_factor(std::int64_t n) {
    for (std::int64_t p = 2; p * p <= n; ++p)
        if (n % p == 0) return p;
    return n;
}

/// Numbers is the type of scratch(count, complex128{}) of an evaluation.
template <class Numbers> class spectrum {
public:
    constexpr spectrum(auto& c, const int_list& sizes)
        : type_(tensor_of(dtype::c128, sizes)), all_(c.scratch(element_count(type_), complex128{})),
          line_(c.scratch(longest_of(sizes), complex128{})), made_(c.scratch(longest_of(sizes), complex128{})),
          roots_(c.scratch(longest_of(sizes), complex128{})), part_(c.scratch(longest_of(sizes), complex128{})) {}

    constexpr complex128& operator[](std::int64_t position) { return all_[static_cast<std::size_t>(position)]; }
    constexpr complex128& at(const int_list& index) { return (*this)[position_of(type_, index)]; }
    constexpr const complex128& at(const int_list& index) const {
        return all_[static_cast<std::size_t>(position_of(type_, index))];
    }

    /// Transforms every line along dim d; only lines below `end` in dim `bounded`, if given. forward: with exp(-i ..).
    constexpr void transform(int d, bool forward, std::int64_t end = 0, int bounded = -1) {
        const auto n = type_.size(d);
        for (std::int64_t k = 0; k < n; ++k) {
            const auto turn = 2 * math::pi * static_cast<double>(k) / static_cast<double>(n);
            roots_[static_cast<std::size_t>(k)] = complex128(math::cos(turn), (forward ? -1 : 1) * math::sin(turn));
        }
        auto lines = sizes_of(type_);
        lines[d] = 1;
        if (bounded >= 0) lines[bounded] = end;
        for_each_index(lines, [&](const int_list& first) {
            const auto from = position_of(type_, first);
            const auto number = [&](std::int64_t k) -> complex128& { return (*this)[from + k * type_.stride(d)]; };
            for (std::int64_t k = 0; k < n; ++k) line_[static_cast<std::size_t>(k)] = number(k);
            sum(0, 1, 0, n, n);
            for (std::int64_t k = 0; k < n; ++k) number(k) = made_[static_cast<std::size_t>(k)];
        });
    }
    /// Fills the other half of a onesided spectrum along dim d: number n - k is the conjugate of number k.
    constexpr void mirror(int d) {
        auto lines = sizes_of(type_);
        lines[d] = 1;
        const auto n = type_.size(d);
        for_each_index(lines, [&](const int_list& first) {
            const auto from = position_of(type_, first);
            for (std::int64_t k = 1; k < n - n / 2; ++k)
                (*this)[from + (n - k) * type_.stride(d)] = conjugate((*this)[from + k * type_.stride(d)]);
        });
    }

private:
    tensor_type type_;
    Numbers all_, line_, made_, roots_, part_;

    /// made[to, to + n) = the transform of n numbers of the line, starting at `from`, `stride` apart. whole: the line's
    /// size.
    constexpr void sum(std::int64_t from, std::int64_t stride, std::int64_t to, std::int64_t n, std::int64_t whole) {
        const auto made = [&](std::int64_t k) -> complex128& { return made_[static_cast<std::size_t>(to + k)]; };
        if (n == 1) {
            made(0) = line_[static_cast<std::size_t>(from)];
            return;
        }
        const auto parts = smallest_factor(n), size = n / parts;
        for (std::int64_t r = 0; r < parts; ++r) sum(from + r * stride, stride * parts, to + r * size, size, whole);
        for (std::int64_t k = 0; k < size; ++k) {
            for (std::int64_t r = 0; r < parts; ++r) part_[static_cast<std::size_t>(r)] = made(r * size + k);
            for (std::int64_t q = 0; q < parts; ++q) {
                auto out = part_[0];
                const auto place = k + q * size;
                for (std::int64_t r = 1; r < parts; ++r)
                    out = out + part_[static_cast<std::size_t>(r)] *
                                    roots_[static_cast<std::size_t>(r * place % n * (whole / n))];
                made(place) = out;
            }
        }
    }
};
template <class Context> spectrum(Context& c, const int_list& sizes) -> spectrum<decltype(c.scratch(1, complex128{}))>;

} // namespace ahead::aten::detail
