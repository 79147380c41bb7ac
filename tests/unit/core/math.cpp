// math.hpp: the series agree with the C library, the wrapped integer laws hold.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include <ahead/core/math.hpp>
#include <cmath>

using namespace ahead;
using namespace ahead::rooms;

static_assert(math::detail::nearbyint(2.5) == 2 && math::detail::nearbyint(3.5) == 4 && math::detail::floor(-0.5) == -1);
static_assert(math::exp(0.0) == 1 && math::sqrt(2.25) == 1.5 && math::pow(2.0, 10.0) == 1024);
static_assert(math::add(std::int32_t{2147483647}, std::int32_t{1}) == -2147483648LL && math::add(true, true) && !math::mul(true, false));
static_assert(math::integer_pow(std::int64_t{-3}, std::int64_t{3}) == -27 && math::integer_pow(std::int64_t{2}, std::int64_t{-1}) == 0);
static_assert(math::convert<std::int32_t>(-1.9) == -1 && math::convert<bool>(0.5));
static_assert(math::mul(std::int16_t{-1}, std::int16_t{-1}) == 1 && math::mul(std::uint16_t{65535}, std::uint16_t{65535}) == 1);

// What an integer cannot hold, as x86 has it: the smallest i32, through which smaller ones go, or i64, through which u32 goes.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr auto least32 = std::numeric_limits<std::int32_t>::min();
constexpr auto least64 = std::numeric_limits<std::int64_t>::min();
static_assert(math::convert<std::int32_t>(no_number) == least32 && math::convert<std::int32_t>(3e9) == least32 && math::convert<std::int32_t>(-1e30f) == least32);
static_assert(math::convert<std::int32_t>(2147483647.5) == 2147483647 && math::convert<std::int32_t>(-2147483648.5) == least32);
static_assert(math::convert<std::int64_t>(no_number) == least64 && math::convert<std::int64_t>(0x1p63) == least64 && math::convert<std::int64_t>(-0x1p63) == least64);
static_assert(math::convert<std::int64_t>(0x1.fffffffffffffp62) == 9223372036854774784 && math::convert<std::uint32_t>(3e9) == 3000000000u);
static_assert(math::convert<std::int16_t>(70000.0) == 4464 && math::convert<std::int16_t>(3e9) == 0 && math::convert<std::uint8_t>(-1.0) == 255);

// The series end, and say what the C library says, where there is nothing to divide by and where powers are large.
constexpr double infinite = std::numeric_limits<double>::infinity();
static_assert(math::fmod(1.0, 0.0) != math::fmod(1.0, 0.0) && math::fmod(infinite, 2.0) != 0 && math::fmod(5.5, infinite) == 5.5 && math::fmod(-7.5, 2.0) == -1.5);
static_assert(math::pow(-1.0, 2000.0) == 1 && math::pow(-1.0, 2001.0) == -1 && math::pow(-1.0, infinite) == 1 && math::pow(-2.0, infinite) == infinite);
static_assert(math::pow(0.0, -3.0) == infinite && math::pow(-0.0, -3.0) == -infinite && math::pow(0.0, 2.5) == 0 && math::pow(-0.5, 1e300) == 0);

/// Largest relative error of `ours` against `theirs` over [low, high], absolute where |theirs| < 1e-3.
double error_of(auto ours, auto theirs, double low, double high) {
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
        const double x = low + (high - low) * i / 1000;
        const double wanted = theirs(x);
        worst = std::fmax(worst, std::fabs(ours(x) - wanted) / std::fmax(1e-3, std::fabs(wanted)));
    }
    return worst;
}

int main() {
    namespace series = math::detail;
    using test::check;
    check(error_of([](double x) { return series::exp(x); }, [](double x) { return std::exp(x); }, -700, 700) < 2e-15);
    check(error_of([](double x) { return series::expm1(x); }, [](double x) { return std::expm1(x); }, -1, 1) < 1e-15);
    check(error_of([](double x) { return series::log(x); }, [](double x) { return std::log(x); }, 1e-3, 1e3) < 4e-16);
    check(error_of([](double x) { return series::log1p(x); }, [](double x) { return std::log1p(x); }, -0.9, 1) < 1e-15);
    check(error_of([](double x) { return series::sqrt(x); }, [](double x) { return std::sqrt(x); }, 0, 1e6) < 3e-16);
    check(error_of([](double x) { return series::sin_quarter(x, 0); }, [](double x) { return std::sin(x); }, -100, 100) < 4e-15);
    check(error_of([](double x) { return series::sin_quarter(x, 1); }, [](double x) { return std::cos(x); }, -100, 100) < 4e-15);
    check(error_of([](double x) { return series::atan(x); }, [](double x) { return std::atan(x); }, -50, 50) < 1e-15);
    check(error_of([](double x) { return series::tanh(x); }, [](double x) { return std::tanh(x); }, -25, 25) < 1e-15);
    check(error_of([](double x) { return series::erf(x); }, [](double x) { return std::erf(x); }, -6, 6) < 1e-13);
    check(error_of([](double x) { return series::erfc(x); }, [](double x) { return std::erfc(x); }, -3, 25) < 1e-10);
    check(error_of([](double x) { return series::pow(x, 2.3); }, [](double x) { return std::pow(x, 2.3); }, 0.01, 100) < 4e-15);
    check(error_of([](double x) { return series::fmod(x, 0.7); }, [](double x) { return std::fmod(x, 0.7); }, -40, 40) < 1e-11);
    check(error_of([](double x) { return math::lgamma(x); }, [](double x) { return std::lgamma(x); }, 0.05, 60) < 1e-11);
    check(math::isnan(math::convert<float>(std::nan(""))) && math::isinf(math::convert<float>(1e300)));
    return test::report();
}
