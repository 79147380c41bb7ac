// SPDX-License-Identifier: MIT
// Decimal text to double and back, correctly rounded, in constant expressions and at run time alike.
// Invariant: read_decimal(print_decimal(bits)) == bits, and print_decimal gives the fewest digits for which that holds
// (Python's repr). Doubles travel as their bits, so no floating-point arithmetic is needed where a compiler cannot fold
// it. Called by the FX parser and printers.
#pragma once
#include <ahead/core/build.hpp>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace AHEAD_NAMESPACE {

namespace detail {

/// A natural number below 2^3072, enough for any double's numerator and denominator.
struct natural {
    std::uint32_t limbs[96]{};
    int size = 0; // limbs in use; the highest is not 0

    constexpr natural() = default;
    constexpr explicit natural(std::uint64_t value) {
        for (; value != 0; value >>= 32) limbs[size++] = static_cast<std::uint32_t>(value);
    }
    constexpr std::uint32_t at(int i) const { return limbs[i]; }
    constexpr int bit_length() const { return size == 0 ? 0 : 32 * size - std::countl_zero(at(size - 1)); }
    constexpr void multiply_add(std::uint32_t factor, std::uint32_t carry_in) {
        std::uint64_t carry = carry_in;
        for (int i = 0; i < size; ++i) {
            carry += static_cast<std::uint64_t>(at(i)) * factor;
            limbs[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) limbs[size++] = static_cast<std::uint32_t>(carry);
    }
    constexpr void multiply_by_power_of_ten(int power) {
        for (; power >= 9; power -= 9) multiply_add(1'000'000'000, 0);
        for (; power > 0; --power) multiply_add(10, 0);
    }
    constexpr void shift_left(int bits) {
        if (size == 0 || bits == 0) return;
        const int whole = bits / 32;
        const int part = bits % 32;
        for (int i = size + whole; i >= 0; --i) {
            const std::uint64_t high = i - whole >= 0 && i - whole < size ? at(i - whole) : 0;
            const std::uint64_t low = i - whole - 1 >= 0 && i - whole - 1 < size ? at(i - whole - 1) : 0;
            limbs[i] = static_cast<std::uint32_t>((high << 32 | low) << part >> 32);
        }
        size += whole + 1;
        while (size > 0 && at(size - 1) == 0) --size;
    }
    constexpr bool below(const natural& other) const {
        if (size != other.size) return size < other.size;
        for (int i = size; i-- > 0;)
            if (at(i) != other.at(i)) return at(i) < other.at(i);
        return false;
    }
    constexpr void subtract(const natural& other) {
        std::int64_t borrow = 0;
        for (int i = 0; i < size; ++i) {
            borrow += static_cast<std::int64_t>(at(i)) - (i < other.size ? other.at(i) : 0);
            limbs[i] = static_cast<std::uint32_t>(borrow);
            borrow >>= 32;
        }
        while (size > 0 && at(size - 1) == 0) --size;
    }
};

struct quotient {
    std::uint64_t whole = 0;
    bool exact = true;
};
/// pre: the quotient is below 2^64.
constexpr quotient divide(natural numerator, natural denominator) {
    quotient q;
    denominator.shift_left(63);
    for (int step = 0; step < 64; ++step) {
        q.whole <<= 1;
        if (!numerator.below(denominator)) {
            numerator.subtract(denominator);
            q.whole |= 1;
        }
        numerator.shift_left(1);
    }
    q.exact = numerator.size == 0;
    return q;
}

inline constexpr int most_significant_digits = 400; // of a text
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

} // namespace detail

/// Reads all of `text` as Python prints a float: -0.5, 1e-05, inf, nan; an integer is accepted too. false: it is none.
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
    std::uint64_t small = 0;
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
        if (significant <= 19) small = small * 10 + static_cast<std::uint64_t>(p[i] - '0');
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
    if (significant <= 19 && small <= (std::uint64_t{1} << 53) && power >= -22 && power <= 22) {
        const double exact = static_cast<double>(small);
        const double scale = detail::exact_powers_of_ten[power < 0 ? -power : power];
        bits =
            static_cast<std::int64_t>(sign | std::bit_cast<std::uint64_t>(power < 0 ? exact / scale : exact * scale));
        return true;
    }
    detail::natural all(significant <= 19 ? small : 0);
    if (significant > 19)
        for (int k = first; k < last; ++k)
            if (p[k] != '.') all.multiply_add(10, static_cast<std::uint32_t>(p[k] - '0'));
    bits = static_cast<std::int64_t>(sign | detail::nearest_double(all, power));
    return true;
}

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

} // namespace ahead
