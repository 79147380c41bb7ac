// SPDX-License-Identifier: MIT
// Arithmetic on numbers from users: an int64 that records whether a step of its computation overflowed int64 ("lost").
// Invariant: no operation here overflows; a result computed from a lost number is lost. Called by type rules and
// readers of text.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>
#include <limits>

namespace AHEAD_NAMESPACE::core {

class checked_int {
public:
    constexpr checked_int(std::int64_t value) : value_(value) {}
    /// Rounded towards 0; lost if the result does not fit into int64, as for NaN.
    static constexpr checked_int truncated(double x) {
        const bool fits = x > -0x1p63 && x < 0x1p63;
        return {!fits, fits ? static_cast<std::int64_t>(x) : 0, 0};
    }
    /// to_even: to the nearest integer, ties to even.
    enum class direction { toward_zero, down, up, to_even };
    static constexpr checked_int rounded(double x, direction to) {
        const auto cut = truncated(x);
        if (to == direction::toward_zero || cut.lost_) return cut;
        const auto below = static_cast<double>(cut.value_) > x ? cut - 1 : cut;
        const double beyond = x - static_cast<double>(below.value_);
        const bool is_up = to == direction::up ? beyond > 0 : beyond > 0.5 || (beyond == 0.5 && below.value_ % 2 != 0);
        return to != direction::down && is_up ? below + 1 : below;
    }
    constexpr bool is_lost() const { return lost_; }
    /// The number; if it is lost, the largest int64, which is too large for any tensor.
    constexpr std::int64_t get() const { return lost_ ? std::numeric_limits<std::int64_t>::max() : value_; }

    friend constexpr checked_int operator+(checked_int a, checked_int b) {
        return {__builtin_add_overflow(a.value_, b.value_, &a.value_), a, b};
    }
    friend constexpr checked_int operator-(checked_int a, checked_int b) {
        return {__builtin_sub_overflow(a.value_, b.value_, &a.value_), a, b};
    }
    friend constexpr checked_int operator*(checked_int a, checked_int b) {
        return {__builtin_mul_overflow(a.value_, b.value_, &a.value_), a, b};
    }
    /// Rounds towards 0. pre: by > 0
    friend constexpr checked_int operator/(checked_int a, std::int64_t by) {
        a.value_ /= by;
        return a;
    }
    /// Rounds down, as Python's // does. pre: by != 0
    friend constexpr checked_int divide_down(checked_int a, std::int64_t by) {
        if (by == -1) return 0 - a; // -INT64_MIN does not fit
        const auto rest = a.value_ % by;
        a.value_ = a.value_ / by - (rest != 0 && (rest < 0) != (by < 0));
        return a;
    }
    /// The remainder of divide_down, with the divisor's sign, as Python's % gives. pre: by != 0
    friend constexpr checked_int modulo_down(checked_int a, std::int64_t by) {
        const auto rest = by == -1 ? 0 : a.value_ % by;
        a.value_ = rest != 0 && (rest < 0) != (by < 0) ? rest + by : rest;
        return a;
    }

private:
    constexpr checked_int(bool lost, const checked_int& a, const checked_int& b)
        : value_(a.value_), lost_(lost || a.lost_ || b.lost_) {}
    std::int64_t value_;
    bool lost_ = false;
};

} // namespace ahead::core
