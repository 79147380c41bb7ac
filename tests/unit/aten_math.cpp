// math.hpp: the series agree with the C library, the wrapped integer laws hold.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include <ahead/core/math.hpp>
#include <cmath>

using namespace ahead;

static_assert(math::detail::nearbyint(2.5) == 2 && math::detail::nearbyint(3.5) == 4 && math::detail::floor(-0.5) == -1);
static_assert(math::exp(0.0) == 1 && math::sqrt(2.25) == 1.5 && math::pow(2.0, 10.0) == 1024);
static_assert(math::add(std::int32_t{2147483647}, std::int32_t{1}) == -2147483648LL && math::add(true, true) && !math::mul(true, false));
static_assert(math::integer_pow(std::int64_t{-3}, std::int64_t{3}) == -27 && math::integer_pow(std::int64_t{2}, std::int64_t{-1}) == 0);
static_assert(math::convert<std::int32_t>(-1.9) == -1 && math::convert<bool>(0.5));

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
