// SPDX-License-Identifier: MIT
// Pointwise operators of one tensor: sign and magnitude, integer part and fraction; nan_to_num.
// Source: aten/src/ATen/native/UnaryOps.cpp and cpu/UnaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// abs(Tensor self): absolute value, real for complex numbers; the smallest integer stays as it is
struct abs : gives_real<unary<promotion::keep, domain::number>> {
    static constexpr std::string_view name = "aten.abs.default"sv;
    template <class T> static constexpr T meaning(T x) {
        if constexpr (is_complex_number<T>) return math::magnitude(x);
        else return math::abs(x);
    }
};

/// neg(Tensor self): -x
struct neg : takes_complex<unary<promotion::keep, domain::operands>> {
    static constexpr std::string_view name = "aten.neg.default"sv;
    template <class T> static constexpr T meaning(T x) { return math::neg(x); }
};

/// positive(Tensor self): x
struct positive : takes_complex<unary<promotion::keep, domain::operands>> {
    static constexpr std::string_view name = "aten.positive.default"sv;
    template <class T> static constexpr T meaning(T x) { return x; }
};

/// sign(Tensor self): -1, 0 or 1; 0 for NaN
struct sign : unary<promotion::keep> {
    static constexpr std::string_view name = "aten.sign.default"sv;
    template <class T> static constexpr T meaning(T x) { return static_cast<T>((T{} < x) - (x < T{})); }
};

/// sgn(Tensor self): sign(x); for complex numbers x / |x|, 0 at 0
struct sgn : takes_complex<unary<promotion::keep>> {
    static constexpr std::string_view name = "aten.sgn.default"sv;
    template <class T> static constexpr T meaning(T x) {
        if constexpr (is_complex_number<T>) return x == T{} ? x : x / T(math::magnitude(x));
        else return sign::meaning(x);
    }
};

/// ceil(Tensor self): smallest integer not below x
struct ceil : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.ceil.default"sv;
    static constexpr machine::steps steps{1, true};
    template <class T> static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::ceil(x);
        else return x;
    }
};

/// floor(Tensor self): largest integer not above x
struct floor : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.floor.default"sv;
    static constexpr machine::steps steps{1, true};
    template <class T> static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::floor(x);
        else return x;
    }
};

/// trunc(Tensor self): integer part
struct trunc : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.trunc.default"sv;
    static constexpr machine::steps steps{3, true};
    template <class T> static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::trunc(x);
        else return x;
    }
};

/// round(Tensor self): nearest integer, halves to even
struct round : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.round.default"sv;
    template <class T> static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::nearbyint(x);
        else return x;
    }
};

/// round.decimals(Tensor self, int decimals): nearest multiple of 10^-decimals, halves to even
struct round_decimals : pointwise<1, promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.round.decimals"sv;
    enum at : int { self, decimals };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("decimals", parameter_kind::integer)};
    template <class T> static constexpr T meaning(T x, T decimals) {
        const T power = math::pow(T(10), math::abs(decimals));
        return decimals < 0 ? math::nearbyint(x / power) * power : math::nearbyint(x * power) / power;
    }
};

/// frac(Tensor self): x - trunc(x)
struct frac : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.frac.default"sv;
    template <class T> static constexpr T meaning(T x) { return x - math::trunc(x); }
};

/// nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None): replaces NaN, inf and -inf by
/// finite numbers
struct nan_to_num : pointwise<1, promotion::keep> {
    static constexpr std::string_view name = "aten.nan_to_num.default"sv;
    enum at : int { self, nan, posinf, neginf };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), defaulted("nan", parameter_kind::optional_real),
        defaulted("posinf", parameter_kind::optional_real), defaulted("neginf", parameter_kind::optional_real)};
    template <class T> static constexpr T absent(int i) {
        return i == at::nan ? T{} : i == at::posinf ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    }
    template <class T> static constexpr T meaning(T x, T nan, T above, T below) {
        return math::isnan(x) ? nan : math::isinf(x) ? (x > T{} ? above : below) : x;
    }
};

using rounding_ops =
    op_list<abs, neg, positive, sign, sgn, ceil, floor, trunc, round, round_decimals, frac, nan_to_num>;
using in_place_rounding_ops = op_list<in_place<abs>, in_place<neg>, in_place<floor>, in_place<ceil>, in_place<round>>;

} // namespace ahead::aten
