// Logarithms, exponentials, powers, angles and activations in vectors, against long double: every 65,537th float of all there are, every 17th with AHEAD_LONG=1. What they give is no
// further from the exact value than packet_math.hpp says, and what is infinite or no number is so.
// SPDX-License-Identifier: MIT
#include <ahead/kernels/vector/elementary.hpp>
#include <ahead/kernels/vector/powers.hpp>
#include <ahead/kernels/vector/trigonometry.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

#include "harness.hpp"

using namespace ahead::kernels;
using test::check;

namespace {

constexpr int L = widest<float>;
using vector = simd<float, L>;
const bool every = std::getenv("AHEAD_LONG") != nullptr;
constexpr float infinity = std::numeric_limits<float>::infinity();

// most: units of the last place, of what lies between from and to.
void is_near(const char* name, vector (*f)(vector), long double (*exact)(long double), double most, float from = -infinity) {
    double worst = 0;
    int wrong = 0;
    alignas(64) float x[L], y[L];
    const std::uint64_t step = every ? 17 : 65537;
    for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += step * L) {
        for (std::uint64_t i = 0; i < L; ++i) x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(first + i * step));
        f(vector::load(x)).store(y);
        for (int i = 0; i < L; ++i) {
            const auto right = exact(x[i]);
            const auto rounded = static_cast<float>(right);
            if (!std::isfinite(rounded) || !std::isfinite(y[i])) {
                wrong += std::isnan(rounded) ? !std::isnan(y[i]) : rounded != y[i];
            } else if (x[i] >= from) {
                const long double unit = std::max(static_cast<long double>(std::nextafter(std::fabs(rounded), infinity)) - std::fabs(rounded), 0x1p-149L);
                worst = std::max(worst, static_cast<double>(std::fabs(static_cast<long double>(y[i]) - right) / unit));
            }
        }
    }
    check(wrong == 0 && worst <= most, name + (": " + std::to_string(worst)) + ", " + std::to_string(wrong) + " wrong");
    std::cout << name << " " << worst << ", ";
}
long double nan_below(long double x, long double y) { return std::isinf(x) && x < 0 ? std::numeric_limits<long double>::quiet_NaN() : y; } // -inf times 0

// Zeros keep their signs.
void zeros() {
    for (auto f : {+[](vector x) { return log1p(x); }, +[](vector x) { return expm1(x); }, +[](vector x) { return silu(x); }, +[](vector x) { return mish(x); },
                   +[](vector x) { return sin(x); }, +[](vector x) { return tan(x); }, +[](vector x) { return asin(x); }, +[](vector x) { return atan(x); }, +[](vector x) { return sinh(x); }})
        for (float zero : {0.0f, -0.0f}) {
            alignas(64) float y[L];
            f(vector::all(zero)).store(y);
            check(y[0] == 0 && std::signbit(y[0]) == std::signbit(zero));
        }
}

// x to the power of Exponent, and Exponent to the power of x.
template <int Thousandths> void powers(const char* name) {
    constexpr float constant = Thousandths / 1000.0f;
    is_near(name, [](vector x) { return pow(x, vector::all(constant)); }, [](long double x) { return std::pow(x, static_cast<long double>(constant)); }, 0.51);
    is_near(name, [](vector x) { return pow(vector::all(constant), x); }, [](long double x) { return std::pow(static_cast<long double>(constant), x); }, 0.51);
}
// The angle of points that have one coordinate in common.
template <int Thousandths> void angles() {
    constexpr float constant = Thousandths / 1000.0f;
    is_near("atan2", [](vector x) { return atan2(x, vector::all(constant)); }, [](long double x) { return std::atan2(x, static_cast<long double>(constant)); }, 2.9);
    is_near("atan2", [](vector x) { return atan2(vector::all(constant), x); }, [](long double x) { return std::atan2(static_cast<long double>(constant), x); }, 2.9);
}

// All pairs of numbers that are special to powers and angles, as the C++ library has them, the sign of a zero included.
void pairs() {
    constexpr float special[] = {0.0f,   -0.0f,  1.0f,   -1.0f, 2.0f,  -2.0f,       3.0f,       -3.0f,        0.5f,        -0.5f,      infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                                 1e-40f, -1e-40f, 3e38f, -3e38f, 2e38f, 16777217.0f, 16777215.0f, -16777215.0f, -8388609.0f, -8388607.5f, 1e30f,    0.3f,      -0.3f};
    for (float x : special)
        for (float y : special) {
            const auto is_like = [&](const char* name, vector made, float right, float most) {
                alignas(64) float got[L];
                made.store(got);
                const bool same = std::isnan(right) ? std::isnan(got[0]) : std::signbit(right) == std::signbit(got[0]) && (right == got[0] || std::fabs(right - got[0]) <= most * std::fabs(right) + 1.5e-45f);
                check(same, std::string(name) + " of " + std::to_string(x) + ", " + std::to_string(y) + ": " + std::to_string(got[0]) + ", not " + std::to_string(right));
            };
            is_like("pow", pow(vector::all(x), vector::all(y)), std::pow(x, y), 1.2e-7f);
            is_like("atan2", atan2(vector::all(x), vector::all(y)), std::atan2(x, y), 3e-7f);
        }
    for (float x : special) {
        alignas(64) float got[L];
        root(vector::all(x)).store(got);
        const float right = std::pow(x, 0.5f);
        check(std::isnan(right) ? std::isnan(got[0]) : right == got[0] && std::signbit(right) == std::signbit(got[0]), "a root");
    }
}
// Whole parts, with the sign of what is 0.
void whole_parts() {
    for (float x : {0.0f, -0.0f, 0.3f, -0.3f, 0.5f, -0.5f, 1.5f, -1.5f, 2.0f, -2.0f, 8388607.5f, -8388607.5f, 16777216.0f, 1e30f, -1e30f, 1e-42f, -1e-42f, infinity, -infinity}) {
        const auto is = [&](vector made, float right) {
            alignas(64) float got[L];
            made.store(got);
            check(got[0] == right && std::signbit(got[0]) == std::signbit(right), std::to_string(x));
        };
        is(floor(vector::all(x)), std::floor(x)), is(ceil(vector::all(x)), std::ceil(x)), is(trunc(vector::all(x)), std::trunc(x));
    }
}

} // namespace

#define AHEAD_NEAR(name, most) is_near(#name, [](vector x) { return name(x); }, [](long double x) { return std::name(x); }, most)

int main() {
    AHEAD_NEAR(log2, 1.4), AHEAD_NEAR(log10, 1.9), AHEAD_NEAR(exp2, 1.3);
    AHEAD_NEAR(sin, 1.6), AHEAD_NEAR(cos, 1.6), AHEAD_NEAR(tan, 3.7), AHEAD_NEAR(asin, 2.5), AHEAD_NEAR(acos, 1.3), AHEAD_NEAR(atan, 2.9);
    AHEAD_NEAR(sinh, 1.7), AHEAD_NEAR(cosh, 1.5);
    powers<2300>("pow 2.3"), powers<-1700>("pow -1.7"), powers<250>("pow 0.25"), powers<7000>("pow 7"), powers<41500>("pow 41.5"), powers<1000100>("pow 1000.1");
    angles<1000>(), angles<-3>();
    pairs();
    whole_parts();

    is_near("log", [](vector x) { return log(x); }, [](long double x) { return std::log(x); }, 0.8);
    is_near("log1p", [](vector x) { return log1p(x); }, [](long double x) { return std::log1p(x); }, 1.5);
    is_near("expm1", [](vector x) { return expm1(x); }, [](long double x) { return std::expm1(x); }, 5.4);
    is_near("silu", [](vector x) { return silu(x); }, [](long double x) { return nan_below(x, x / (1 + std::exp(-x))); }, 3.1, -80);
    is_near("mish", [](vector x) { return mish(x); }, [](long double x) { return nan_below(x, x * std::tanh(std::log1p(std::exp(x)))); }, 4.5, -80);
    is_near("softplus", [](vector x) { return softplus(x, vector::all(1), vector::all(20)); }, [](long double x) { return x > 20 ? x : std::log1p(std::exp(x)); },
            2.3, -80);
    std::cout << "\n";
    zeros();
    return test::report();
}
