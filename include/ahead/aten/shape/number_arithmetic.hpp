// SPDX-License-Identifier: MIT
// Python's operators on numbers that a graph knows, as exported texts have them between sizes: sub = sym_size_int - 1.
// The number is given to whoever reads it, as if it were written there; and assertions on such numbers.
// Source: torch/fx/experimental/sym_node.py; aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/aten/shape/numbers.hpp>
#include <ahead/core/checked.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// An operator of one number or two: Op::of(a, b) is a checked_int, or a bool.
template <class Op> struct number_operator {
    static constexpr effects effect{.gives_number = true};
    enum at : int { a, b };
    static constexpr parameter schema[] = {required("a", parameter_kind::integer),
                                           required("b", parameter_kind::integer)};
    static constexpr auto number_of(const auto& c) {
        if constexpr (std::size(Op::schema) == 1) return Op::of(c.integer(at::a));
        else return Op::of(c.integer(at::a), c.integer(at::b));
    }
    static constexpr bool infer(infer_context& c) {
        const auto number = number_of(c);
        if constexpr (std::is_same_v<decltype(number), const bool>) {
            give_readers(c.in(), c.id(), argument::of(number));
            return c.result(tensor_of(dtype::b8, {}));
        } else {
            if (number.is_lost()) return c.refuse(fault::tensor_is_too_large, "a number of i64", "one that is larger");
            give_readers(c.in(), c.id(), argument::of(number.get()));
            return c.result(tensor_of(dtype::i64, {}));
        }
    }
    static constexpr void evaluate(auto& c) {
        const auto number = number_of(c);
        if constexpr (std::is_same_v<decltype(number), const bool>) c.output(0, bool{}).put({}, number);
        else c.output(0, std::int64_t{}).put({}, number.get());
    }
};
/// An operator that divides: refuses 0.
template <class Op> struct number_division : number_operator<Op> {
    using typename number_operator<Op>::at;
    static constexpr bool infer(infer_context& c) {
        if (c.integer(at::b) == 0) return c.refuse(fault::argument_has_wrong_kind, "a divisor other than 0", "0");
        return number_operator<Op>::infer(c);
    }
};

} // namespace detail

/// operator.add(int a, int b)
struct number_add : detail::number_operator<number_add> {
    static constexpr std::string_view name = "operator.add"sv;
    static constexpr checked_int of(checked_int a, checked_int b) { return a + b; }
};
/// operator.sub(int a, int b)
struct number_sub : detail::number_operator<number_sub> {
    static constexpr std::string_view name = "operator.sub"sv;
    static constexpr checked_int of(checked_int a, checked_int b) { return a - b; }
};
/// operator.mul(int a, int b)
struct number_mul : detail::number_operator<number_mul> {
    static constexpr std::string_view name = "operator.mul"sv;
    static constexpr checked_int of(checked_int a, checked_int b) { return a * b; }
};
/// operator.floordiv(int a, int b)
struct number_floordiv : detail::number_division<number_floordiv> {
    static constexpr std::string_view name = "operator.floordiv"sv;
    static constexpr checked_int of(checked_int a, std::int64_t b) { return divide_down(a, b); }
};
/// operator.mod(int a, int b): of the divisor's sign
struct number_mod : detail::number_division<number_mod> {
    static constexpr std::string_view name = "operator.mod"sv;
    static constexpr checked_int of(checked_int a, std::int64_t b) { return modulo_down(a, b); }
};
/// operator.eq(int a, int b)
struct number_eq : detail::number_operator<number_eq> {
    static constexpr std::string_view name = "operator.eq"sv;
    static constexpr bool of(std::int64_t a, std::int64_t b) { return a == b; }
};
/// operator.ne(int a, int b)
struct number_ne : detail::number_operator<number_ne> {
    static constexpr std::string_view name = "operator.ne"sv;
    static constexpr bool of(std::int64_t a, std::int64_t b) { return a != b; }
};
/// operator.lt(int a, int b)
struct number_lt : detail::number_operator<number_lt> {
    static constexpr std::string_view name = "operator.lt"sv;
    static constexpr bool of(std::int64_t a, std::int64_t b) { return a < b; }
};
/// operator.le(int a, int b)
struct number_le : detail::number_operator<number_le> {
    static constexpr std::string_view name = "operator.le"sv;
    static constexpr bool of(std::int64_t a, std::int64_t b) { return a <= b; }
};
/// operator.gt(int a, int b)
struct number_gt : detail::number_operator<number_gt> {
    static constexpr std::string_view name = "operator.gt"sv;
    static constexpr bool of(std::int64_t a, std::int64_t b) { return a > b; }
};
/// operator.ge(int a, int b)
struct number_ge : detail::number_operator<number_ge> {
    static constexpr std::string_view name = "operator.ge"sv;
    static constexpr bool of(std::int64_t a, std::int64_t b) { return a >= b; }
};
/// operator.neg(int a)
struct number_neg : detail::number_operator<number_neg> {
    static constexpr std::string_view name = "operator.neg"sv;
    enum at : int { a };
    static constexpr parameter schema[] = {required("a", parameter_kind::integer)};
    static constexpr checked_int of(checked_int a) { return 0 - a; }
};

/// _assert_scalar(Scalar self, str assert_msg) -> (): of a number that is known; refused where it does not hold, in the
/// text's own words
struct assert_scalar {
    static constexpr std::string_view name = "aten._assert_scalar.default"sv;
    enum at : int { self, assert_msg };
    static constexpr effects effect{.gives_number = true}; // or rather nothing
    static constexpr parameter schema[] = {required("self", parameter_kind::scalar),
                                           required("assert_msg", parameter_kind::string)};
    static constexpr bool infer(infer_context& c) {
        if (c.at(at::self).bits != 0) return c.results(0);
        return c.refuse(fault::symbol_is_out_of_range, c.at(at::assert_msg).text, "one that does not hold");
    }
    static constexpr void evaluate(auto&) {}
};
/// sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> (): of a number that is known
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
    op_list<number_add, number_sub, number_mul, number_floordiv, number_mod, number_eq, number_ne, number_lt, number_le,
            number_gt, number_ge, number_neg, assert_scalar, sym_constrain_range_for_size>;

} // namespace ahead::aten
