// SPDX-License-Identifier: MIT
// Prints a double as Python does.
// Invariant: the text reads back as the same double, and no shorter one does.
#pragma once
#include <ahead/core/decimal/read_decimal.hpp>
#include <array>
#include <string_view>

namespace AHEAD_NAMESPACE::core {

/// The text of one number.
struct decimal_text {
    std::array<char, 32> chars{};
    std::size_t size = 0;
    constexpr std::string_view view() const { return {chars.data(), size}; }
    constexpr void append(std::string_view text) {
        for (char c : text) chars[size++] = c;
    }
};

/// As Python's repr(float): the fewest digits that read back as the same double, in e-notation below 1e-4 and from
/// 1e16.
constexpr decimal_text print_decimal(std::int64_t bits) {
    decimal_text out;
    auto magnitude = static_cast<std::uint64_t>(bits) & ~(std::uint64_t{1} << 63);
    if (magnitude > detail::infinity_bits) return out.append("nan"), out;
    if (bits < 0) out.append("-");
    if (magnitude == detail::infinity_bits) return out.append("inf"), out;
    if (magnitude == 0) return out.append("0.0"), out;

    // The value is mantissa * 2^exponent; its first 18 digits (or 19) are those of mantissa * 2^exponent * 10^scale.
    const auto field = static_cast<int>(magnitude >> 52);
    const std::uint64_t mantissa =
        (magnitude & ((std::uint64_t{1} << 52) - 1)) | (field != 0 ? std::uint64_t{1} << 52 : 0);
    const int exponent = (field != 0 ? field : 1) - 1075;
    const int leading = exponent + 63 - std::countl_zero(mantissa);
    const int scale = 17 - (leading * 1233 >> 12);
    detail::natural numerator(mantissa);
    detail::natural denominator(1);
    if (scale >= 0) numerator.multiply_by_power_of_ten(scale);
    else denominator.multiply_by_power_of_ten(-scale);
    if (exponent >= 0) numerator.shift_left(exponent);
    else denominator.shift_left(-exponent);
    const auto q = detail::divide(numerator, denominator);
    int width = 0;
    for (auto rest = q.whole; rest != 0; rest /= 10) ++width;

    std::uint64_t digits = 0;
    int power = 0;
    for (int kept = 1; kept <= 17; ++kept) {
        std::uint64_t unit = 1;
        for (int k = kept; k < width; ++k) unit *= 10;
        digits = q.whole / unit;
        const auto rest = q.whole % unit;
        if (rest > unit / 2 || (unit > 1 && rest == unit / 2 && (!q.exact || (digits & 1) != 0))) ++digits;
        power = width - kept - scale;
        if (detail::nearest_double(detail::natural(digits), power) == magnitude) break;
    }
    for (; digits % 10 == 0; digits /= 10) ++power;

    char reversed[20]{};
    int count = 0;
    for (; digits != 0; digits /= 10) reversed[count++] = static_cast<char>('0' + digits % 10);
    const auto digit = [&](int i) { return std::string_view(&reversed[count - 1 - i], 1); };
    const int point = count + power; // digits before the decimal point
    if (point > -4 && point <= 16) {
        if (point <= 0) out.append("0.");
        for (int k = point; k < 0; ++k) out.append("0");
        for (int k = 0; k < count || k < point; ++k) {
            if (k == point && k != 0) out.append(".");
            out.append(k < count ? digit(k) : "0");
        }
        if (point >= count) out.append(".0");
        return out;
    }
    out.append(digit(0));
    if (count > 1) out.append(".");
    for (int k = 1; k < count; ++k) out.append(digit(k));
    const int shown = point - 1;
    out.append(shown < 0 ? "e-" : "e+");
    const int size = shown < 0 ? -shown : shown;
    constexpr std::string_view ten = "0123456789";
    if (size >= 100) out.append(ten.substr(static_cast<std::size_t>(size / 100), 1));
    out.append(ten.substr(static_cast<std::size_t>(size / 10 % 10), 1));
    out.append(ten.substr(static_cast<std::size_t>(size % 10), 1));
    return out;
}

} // namespace ahead::core
