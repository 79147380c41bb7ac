// SPDX-License-Identifier: MIT
// Python's operators on numbers known at compile time, as exported texts use them on sizes: sub = sym_size_int - 1.
// Readers of the call get the number as a constant; also assertions on such numbers.
// Source: torch/fx/experimental/sym_node.py; aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/aten/shape/numbers.hpp>
#include <ahead/core/checked.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

enum class number_law { add, sub, mul, truediv, floordiv, mod, neg, eq, ne, lt, le, gt, ge };

constexpr bool compare_numbers(number_law law, auto a, auto b) {
    switch (law) {
    case number_law::eq: return a == b;
    case number_law::ne: return a != b;
    case number_law::lt: return a < b;
    case number_law::le: return a <= b;
    case number_law::gt: return a > b;
    default: return a >= b;
    }
}
/// Computes in f64 if an operand is real or the law is truediv; None if the result does not fit i64. pre: y != 0 to
/// divide
constexpr argument number_of(number_law law, const argument& x, const argument& y) {
    const bool is_real = x.kind == argument_kind::real || y.kind == argument_kind::real,
               compares = law >= number_law::eq;
    if (is_real || law == number_law::truediv) {
        const double a = infer_context::to_real(x), b = infer_context::to_real(y);
        return compares                 ? argument::of(compare_numbers(law, a, b))
               : law == number_law::add ? argument::of(a + b)
               : law == number_law::sub ? argument::of(a - b)
               : law == number_law::mul ? argument::of(a * b)
               : law == number_law::neg ? argument::of(-a)
                                        : argument::of(a / b);
    }
    if (compares) return argument::of(compare_numbers(law, x.bits, y.bits));
    const checked_int a = x.bits, b = y.bits;
    const auto made = law == number_law::add        ? a + b
                      : law == number_law::sub      ? a - b
                      : law == number_law::mul      ? a * b
                      : law == number_law::neg      ? 0 - a
                      : law == number_law::floordiv ? divide_down(a, y.bits)
                                                    : modulo_down(a, y.bits);
    return made.is_lost() ? argument{} : argument::of(made.get());
}
/// An operator on one or two numbers, computed by Op::law.
template <class Op> struct number_operator {
    static constexpr effects effect{.gives_number = true};
    enum at : int { a, b };
    static constexpr parameter schema[] = {required("a", parameter_kind::real), required("b", parameter_kind::real)};
    static constexpr argument number_of(const auto& c) {
        return detail::number_of(Op::law, c.at(at::a), c.at(std::size(Op::schema) - 1));
    }
    static constexpr bool infer(infer_context& c) { return give_number(c, number_of(c)); }
    static constexpr void evaluate(auto& c) { put_number(c, number_of(c)); }
};
/// A division: refuses a divisor of 0.
template <class Op> struct number_division : number_operator<Op> {
    static constexpr bool infer(infer_context& c) {
        if (c.real(number_division::at::b) == 0)
            return c.refuse(fault::argument_has_wrong_kind, "a divisor other than 0", "0");
        return number_operator<Op>::infer(c);
    }
};
inline constexpr parameter two_integers[] = {required("a", parameter_kind::integer),
                                             required("b", parameter_kind::integer)};

} // namespace detail

/// operator.add(Scalar a, Scalar b)
struct number_add : detail::number_operator<number_add> {
    static constexpr std::string_view name = "operator.add"sv;
    static constexpr auto law = detail::number_law::add;
};
/// operator.sub(Scalar a, Scalar b)
struct number_sub : detail::number_operator<number_sub> {
    static constexpr std::string_view name = "operator.sub"sv;
    static constexpr auto law = detail::number_law::sub;
};
/// operator.mul(Scalar a, Scalar b)
struct number_mul : detail::number_operator<number_mul> {
    static constexpr std::string_view name = "operator.mul"sv;
    static constexpr auto law = detail::number_law::mul;
};
/// operator.truediv(Scalar a, Scalar b): in f64
struct number_truediv : detail::number_division<number_truediv> {
    static constexpr std::string_view name = "operator.truediv"sv;
    static constexpr auto law = detail::number_law::truediv;
};
/// operator.floordiv(int a, int b)
struct number_floordiv : detail::number_division<number_floordiv> {
    static constexpr std::string_view name = "operator.floordiv"sv;
    static constexpr auto law = detail::number_law::floordiv;
    static constexpr auto& schema = detail::two_integers;
};
/// operator.mod(int a, int b): has the divisor's sign
struct number_mod : detail::number_division<number_mod> {
    static constexpr std::string_view name = "operator.mod"sv;
    static constexpr auto law = detail::number_law::mod;
    static constexpr auto& schema = detail::two_integers;
};
/// operator.eq(Scalar a, Scalar b)
struct number_eq : detail::number_operator<number_eq> {
    static constexpr std::string_view name = "operator.eq"sv;
    static constexpr auto law = detail::number_law::eq;
};
/// operator.ne(Scalar a, Scalar b)
struct number_ne : detail::number_operator<number_ne> {
    static constexpr std::string_view name = "operator.ne"sv;
    static constexpr auto law = detail::number_law::ne;
};
/// operator.lt(Scalar a, Scalar b)
struct number_lt : detail::number_operator<number_lt> {
    static constexpr std::string_view name = "operator.lt"sv;
    static constexpr auto law = detail::number_law::lt;
};
/// operator.le(Scalar a, Scalar b)
struct number_le : detail::number_operator<number_le> {
    static constexpr std::string_view name = "operator.le"sv;
    static constexpr auto law = detail::number_law::le;
};
/// operator.gt(Scalar a, Scalar b)
struct number_gt : detail::number_operator<number_gt> {
    static constexpr std::string_view name = "operator.gt"sv;
    static constexpr auto law = detail::number_law::gt;
};
/// operator.ge(Scalar a, Scalar b)
struct number_ge : detail::number_operator<number_ge> {
    static constexpr std::string_view name = "operator.ge"sv;
    static constexpr auto law = detail::number_law::ge;
};
/// operator.neg(Scalar a)
struct number_neg : detail::number_operator<number_neg> {
    static constexpr std::string_view name = "operator.neg"sv;
    static constexpr auto law = detail::number_law::neg;
    enum at : int { a };
    static constexpr parameter schema[] = {required("a", parameter_kind::real)};
};

/// _assert_scalar(Scalar self, str assert_msg) -> (): asserts a number known at compile time; a failure is refused with
/// the text's message
struct assert_scalar {
    static constexpr std::string_view name = "aten._assert_scalar.default"sv;
    enum at : int { self, assert_msg };
    static constexpr effects effect{.gives_number = true}; // without a result
    static constexpr parameter schema[] = {required("self", parameter_kind::scalar),
                                           required("assert_msg", parameter_kind::string)};
    static constexpr bool infer(infer_context& c) {
        if (c.at(at::self).bits != 0) return c.results(0);
        return c.refuse(fault::symbol_is_out_of_range, c.at(at::assert_msg).text, "one that does not hold");
    }
    static constexpr void evaluate(auto&) {}
};
/// sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> (): of a number known at compile time
struct sym_constrain_range_for_size {
    static constexpr std::string_view name = "aten.sym_constrain_range_for_size.default"sv;
    enum at : int { size, min, max };
    static constexpr effects effect{.gives_number = true};
    static constexpr parameter schema[] = {required("size", parameter_kind::scalar),
                                           defaulted("min", parameter_kind::optional_integer),
                                           defaulted("max", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto number = c.integer(at::size);
        if (number >= (c.is_given(at::min) ? c.integer(at::min) : 0) &&
            (!c.is_given(at::max) || number <= c.integer(at::max)))
            return c.results(0);
        return c.refuse(fault::symbol_is_out_of_range, "a size from min to max", short_text() << number);
    }
    static constexpr void evaluate(auto&) {}
};

using number_arithmetic_ops =
    op_list<number_add, number_sub, number_mul, number_truediv, number_floordiv, number_mod, number_eq, number_ne,
            number_lt, number_le, number_gt, number_ge, number_neg, assert_scalar, sym_constrain_range_for_size>;

} // namespace ahead::aten
