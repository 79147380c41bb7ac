// SPDX-License-Identifier: MIT
// Functions of numbers that a graph knows: powers, extremes and roundings, from which sizes of dynamic exports are
// computed. A reader of the result receives the number, as in aten/shape/number_arithmetic.hpp; a returned one is a
// constant.
// Source: torch/fx/experimental/sym_node.py.
#pragma once
#include <ahead/aten/shape/numbers.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/core/math/elementary.hpp>
#include <ahead/legalize/composite/composite_call.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term known_number(auto& c, const argument& number) {
    if (!c.ok()) return c.full({}, 0, dtype::f32);
    give_readers(c.g, c.id(), number);
    return c.full({}, number, aten::detail::exact_dtype_of(number));
}
constexpr term known_number(auto& c, checked_int number) {
    if (number.is_lost()) return c.refuse(fault::argument_has_wrong_kind, "a number of i64", "one that is larger");
    return known_number(c, argument::of(number.get()));
}
constexpr bool is_real(const argument& a) { return a.kind == argument_kind::real; }

constexpr term number_power(auto& c) {
    const auto a = c["a"].value, b = c["b"].value;
    if (is_real(a) || is_real(b) || b.bits < 0)
        return known_number(c, argument::of(math::pow(c.number("a"), c.number("b"))));
    checked_int out = 1;
    for (auto times = b.bits > 64 ? 64 + b.bits % 2 : b.bits; times > 0; --times) // results repeat from here on
        out = out * a.bits;
    return known_number(c, out);
}
template <bool Largest> constexpr term number_extreme(auto& c) {
    const auto a = c["a"].value, b = c["b"].value;
    const bool is_less = is_real(a) || is_real(b) ? c.number("a") < c.number("b") : a.bits < b.bits;
    return known_number(c, is_less == Largest ? b : a);
}
constexpr term number_as_real(auto& c) { return known_number(c, argument::of(c.number("a"))); }
template <checked_int::direction To> constexpr term number_rounded(auto& c) {
    const auto a = c["a"].value;
    return known_number(c, is_real(a) ? checked_int::rounded(a.real(), To) : checked_int(a.bits));
}
template <bool Both> constexpr term number_truth(auto& c) {
    const bool a = c.boolean("a"), b = c.boolean("b");
    return known_number(c, argument::of(Both ? a && b : a || b));
}

} // namespace ahead::detail::composite
