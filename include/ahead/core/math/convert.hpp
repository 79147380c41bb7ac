// SPDX-License-Identifier: MIT
// Converts a number of one element type to another.
// Invariant: defined for every value, and the same in constant expressions and at run time.
#pragma once
#include <ahead/core/float8.hpp>
#include <ahead/core/math/complex.hpp>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace AHEAD_NAMESPACE::math {

/// A C cast that is defined for every value: integers wrap; NaN and values out of range give the smallest integer, as
/// on x86. Integers smaller than i32 are converted through i32, u32 through i64. Of a complex number the real part is
/// converted; conversion to bool tests whether either part is not 0.
template <class To, class From> constexpr To convert(From x) {
    if constexpr (is_complex_number<From> && is_complex_number<To>) {
        using part = typename To::value_type;
        return To(convert<part>(x.re), convert<part>(x.im));
    } else if constexpr (is_complex_number<From> && std::same_as<To, bool>) return x != From{};
    else if constexpr (is_complex_number<From>) return convert<To>(x.re);
    else if constexpr (is_complex_number<To>) return To(convert<typename To::value_type>(x));
    else if constexpr (is_small_float<From>) return convert<To>(static_cast<float>(x));
    else if constexpr (is_small_float<To>) return To(convert<float>(x));
    else if constexpr (std::same_as<To, bool>) return x != From{};
    else if constexpr (std::integral<To> && std::floating_point<From>) {
        const auto wide = static_cast<double>(x);
        if constexpr (std::same_as<To, std::uint64_t>)
            if (wide >= 9.223372036854775808e18 && wide < 1.8446744073709551616e19) return static_cast<To>(wide);
        using through =
            std::conditional_t<sizeof(To) < 4 || std::same_as<To, std::int32_t>, std::int32_t, std::int64_t>;
        constexpr double end =
            sizeof(through) == 4 ? 0x1p31 : 0x1p63; // -2^31 - 0.5 is in range still, -2^63 - 0.5 is not a double
        const bool fits = wide < end && (wide >= -end || (sizeof(through) == 4 && wide > -end - 1));
        return static_cast<To>(fits ? static_cast<through>(wide) : std::numeric_limits<through>::min());
    } else if constexpr (std::same_as<To, float> && std::same_as<From, double>) {
        if (std::is_constant_evaluated() && x == x && (x > 3.4028235677973366e38 || x < -3.4028235677973366e38))
            return x > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
        return static_cast<float>(x);
    } else return static_cast<To>(x);
}

} // namespace ahead::math
