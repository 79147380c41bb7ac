// SPDX-License-Identifier: MIT
// Converts the text of a number to the nearest double.
// Invariant: correctly rounded, ties to even, from the exact quotient of two natural numbers.
#pragma once
#include <ahead/core/decimal/natural.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

inline constexpr int most_significant_digits = 400; // in one text
inline constexpr std::uint64_t infinity_bits = 0x7ff0'0000'0000'0000;
inline constexpr std::uint64_t nan_bits = 0x7ff8'0000'0000'0000;
inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// The bits of the double nearest to digits * 10^power, ties to even. pre: digits < 10^most_significant_digits.
constexpr std::uint64_t nearest_double(natural digits, int power) {
    if (digits.size == 0 || power < -324 - most_significant_digits)
        return 0; // below half of the smallest double, 2.47e-324
    if (power > 310) return infinity_bits;
    natural denominator(1);
    if (power >= 0) digits.multiply_by_power_of_ten(power);
    else denominator.multiply_by_power_of_ten(-power);
    const int scale = 57 - (digits.bit_length() - denominator.bit_length());
    if (scale >= 0) digits.shift_left(scale);
    else denominator.shift_left(-scale);
    const auto q = divide(digits, denominator); // 57 or 58 bits
    const int width = 64 - std::countl_zero(q.whole);
    const int exponent = width - 1 - scale;
    const int kept = exponent >= -1022 ? 53 : 53 - (-1022 - exponent);
    if (kept < 0) return 0;
    const int dropped = width - kept;
    const std::uint64_t rest = q.whole & ((std::uint64_t{1} << dropped) - 1);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    std::uint64_t mantissa = q.whole >> dropped;
    if (rest > half || (rest == half && (!q.exact || (mantissa & 1) != 0))) ++mantissa;
    const auto bits = exponent >= -1022 ? (static_cast<std::uint64_t>(exponent + 1022) << 52) + mantissa : mantissa;
    return bits >= infinity_bits ? infinity_bits : bits;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// Reads all of `text` as Python prints a float: -0.5, 1e-05, inf, nan; an integer is accepted too. Returns false if
/// the text is not such a number.
constexpr bool read_decimal(std::string_view text, std::int64_t& bits) {
    const char* p = text.data();
    const auto size = static_cast<int>(text.size());
    int i = size > 0 && p[0] == '-' ? 1 : 0;
    const std::uint64_t sign = i != 0 ? std::uint64_t{1} << 63 : 0;
    if (size - i == 3 && (p[i] == 'i' || p[i] == 'n')) {
        const auto word = text.substr(static_cast<std::size_t>(i));
        bits = static_cast<std::int64_t>(sign | (word == "inf" ? detail::infinity_bits : detail::nan_bits));
        return word == "inf" || word == "nan";
    }
    std::uint64_t little = 0;
    int digits = 0;
    int significant = 0;
    int power = 0;
    bool point = false;
    const int first = i;
    for (; i < size && ((p[i] >= '0' && p[i] <= '9') || (p[i] == '.' && !point)); ++i) {
        if (p[i] == '.') {
            point = true;
            continue;
        }
        ++digits;
        if (point) --power;
        if (significant > 0 || p[i] != '0') ++significant;
        if (significant <= 19) little = little * 10 + static_cast<std::uint64_t>(p[i] - '0');
    }
    const int last = i;
    if (digits == 0 || significant > detail::most_significant_digits) return false;
    if (i < size && p[i] == 'e') {
        ++i;
        const bool negative = i < size && p[i] == '-';
        if (i < size && (p[i] == '-' || p[i] == '+')) ++i;
        int exponent = 0;
        const int exponent_first = i;
        for (; i < size && p[i] >= '0' && p[i] <= '9'; ++i)
            exponent = exponent < 10000 ? exponent * 10 + (p[i] - '0') : exponent;
        if (i == exponent_first) return false;
        power += negative ? -exponent : exponent;
    }
    if (i != size) return false;
    if (significant <= 19 && little <= (std::uint64_t{1} << 53) && power >= -22 && power <= 22) {
        const double exact = static_cast<double>(little);
        const double scale = detail::exact_powers_of_ten[power < 0 ? -power : power];
        bits =
            static_cast<std::int64_t>(sign | std::bit_cast<std::uint64_t>(power < 0 ? exact / scale : exact * scale));
        return true;
    }
    detail::natural all(significant <= 19 ? little : 0);
    if (significant > 19)
        for (int k = first; k < last; ++k)
            if (p[k] != '.') all.multiply_add(10, static_cast<std::uint32_t>(p[k] - '0'));
    bits = static_cast<std::int64_t>(sign | detail::nearest_double(all, power));
    return true;
}

} // namespace ahead::core
