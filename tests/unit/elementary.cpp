// Logarithms, e^x - 1 and activations in vectors, against long double: every 65,537th float of all there are, every 17th with AHEAD_LONG=1. What they give is no
// further from the exact value than packet_math.hpp says, and what is infinite or no number is so.
// SPDX-License-Identifier: MIT
#include <ahead/kernel/vector/elementary.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

#include "harness.hpp"

using namespace ahead::npu::kernel;
using test::check;

namespace {

constexpr int L = widest<float>;
using vector = lanes<float, L>;
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
    std::cout << name << " " << worst << (std::string(name) == "softplus" ? "\n" : ", ");
}
long double nan_below(long double x, long double y) { return std::isinf(x) && x < 0 ? std::numeric_limits<long double>::quiet_NaN() : y; } // -inf times 0

// Zeros keep their signs.
void zeros() {
    for (auto f : {+[](vector x) { return log1p(x); }, +[](vector x) { return expm1(x); }, +[](vector x) { return silu(x); }, +[](vector x) { return mish(x); }})
        for (float zero : {0.0f, -0.0f}) {
            alignas(64) float y[L];
            f(vector::all(zero)).store(y);
            check(y[0] == 0 && std::signbit(y[0]) == std::signbit(zero));
        }
}

} // namespace

int main() {
    is_near("log", [](vector x) { return log(x); }, [](long double x) { return std::log(x); }, 0.8);
    is_near("log1p", [](vector x) { return log1p(x); }, [](long double x) { return std::log1p(x); }, 1.5);
    is_near("expm1", [](vector x) { return expm1(x); }, [](long double x) { return std::expm1(x); }, 5.4);
    is_near("silu", [](vector x) { return silu(x); }, [](long double x) { return nan_below(x, x / (1 + std::exp(-x))); }, 3.1, -80);
    is_near("mish", [](vector x) { return mish(x); }, [](long double x) { return nan_below(x, x * std::tanh(std::log1p(std::exp(x)))); }, 4.5, -80);
    is_near("softplus", [](vector x) { return softplus(x, vector::all(1), vector::all(20)); }, [](long double x) { return x > 20 ? x : std::log1p(std::exp(x)); },
            2.3, -80);
    zeros();
    return test::report();
}
