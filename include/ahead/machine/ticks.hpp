// SPDX-License-Identifier: MIT
// Time on a device. A strong type with one unit; the clock of a device description is deterministic, so times are
// constants of the program.
// Invariant: one tick is a picosecond, on every device. Compares with, and converts to, any std::chrono::duration
// without including <chrono>.
#pragma once
#include <ahead/core/build.hpp>
#include <compare>
#include <cstdint>

namespace AHEAD_NAMESPACE::machine {

template <class T>
concept duration = requires(const T& d) {
    d.count();
    T::period::num;
    T::period::den;
};

struct ticks {
    std::int64_t count = 0; // picoseconds

    /// Converts a std::chrono duration: `plan.makespan < 40us`.
    template <duration D> static constexpr ticks of(const D& d) {
        constexpr std::int64_t second = 1'000'000'000'000;
        static_assert(second % D::period::den == 0, "a period of whole picoseconds");
        return {static_cast<std::int64_t>(d.count() * (second / D::period::den * D::period::num))};
    }
    constexpr double microseconds() const { return static_cast<double>(count) / 1e6; }

    constexpr ticks& operator+=(ticks other) {
        count += other.count;
        return *this;
    }
    friend constexpr ticks operator+(ticks a, ticks b) { return {a.count + b.count}; }
    friend constexpr ticks operator-(ticks a, ticks b) { return {a.count - b.count}; }
    friend constexpr ticks operator*(std::int64_t times, ticks t) { return {times * t.count}; }
    friend constexpr auto operator<=>(ticks, ticks) = default;
    friend constexpr bool operator==(ticks, ticks) = default;
    template <duration D> friend constexpr auto operator<=>(ticks a, const D& b) { return a <=> of(b); }
    template <duration D> friend constexpr bool operator==(ticks a, const D& b) { return a == of(b); }
};

/// The time for `amount` at `per_microsecond`, rounded up; never less for a larger amount. pre: per_microsecond > 0
constexpr ticks time_of(std::int64_t amount, std::int64_t per_microsecond) {
    const auto rest = amount % per_microsecond * 1'000'000;
    return {amount / per_microsecond * 1'000'000 + rest / per_microsecond + (rest % per_microsecond != 0 ? 1 : 0)};
}

} // namespace ahead::machine
