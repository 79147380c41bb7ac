// SPDX-License-Identifier: MIT
// Boolean and bitwise logic, and shifts.
// Source: aten/src/ATen/native/BinaryOps.cpp, UnaryOps.cpp, cpu/BinaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// logical_not(Tensor self): x == 0
struct logical_not : takes_complex<unary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.logical_not.default"sv;
    template <class T> static constexpr bool meaning(T x) { return x == T{}; }
};

/// logical_and(Tensor self, Tensor other): a nonzero operand is true
struct logical_and : takes_complex<binary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.logical_and.default"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x != T{} && y != T{}; }
};

/// logical_or(Tensor self, Tensor other): a nonzero operand is true
struct logical_or : takes_complex<binary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.logical_or.default"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x != T{} || y != T{}; }
};

/// logical_xor(Tensor self, Tensor other): a nonzero operand is true
struct logical_xor : takes_complex<binary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.logical_xor.default"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return (x != T{}) != (y != T{}); }
};

/// bitwise_not(Tensor self): ~x; !x for bool
struct bitwise_not : unary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_not.default"sv;
    template <class T> static constexpr T meaning(T x) {
        if constexpr (std::same_as<T, bool>) return !x;
        else return static_cast<T>(~x);
    }
};

/// bitwise_and.Tensor(Tensor self, Tensor other): self & other
struct bitwise_and : binary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_and.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) { return static_cast<T>(x & y); }
};

/// bitwise_and.Scalar(Tensor self, Scalar other)
struct bitwise_and_scalar : scalar_overload<bitwise_and> {
    static constexpr std::string_view name = "aten.bitwise_and.Scalar"sv;
};

/// bitwise_or.Tensor(Tensor self, Tensor other): self | other
struct bitwise_or : binary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_or.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) { return static_cast<T>(x | y); }
};

/// bitwise_or.Scalar(Tensor self, Scalar other)
struct bitwise_or_scalar : scalar_overload<bitwise_or> {
    static constexpr std::string_view name = "aten.bitwise_or.Scalar"sv;
};

/// bitwise_xor.Tensor(Tensor self, Tensor other): self ^ other
struct bitwise_xor : binary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_xor.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) { return static_cast<T>(x ^ y); }
};

/// bitwise_xor.Scalar(Tensor self, Scalar other)
struct bitwise_xor_scalar : scalar_overload<bitwise_xor> {
    static constexpr std::string_view name = "aten.bitwise_xor.Scalar"sv;
};

/// bitwise_left_shift.Tensor(Tensor self, Tensor other): 0 if other is out of range
struct bitwise_left_shift : binary<promotion::keep, domain::integers> {
    static constexpr std::string_view name = "aten.bitwise_left_shift.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) {
        return y < 0 || y >= static_cast<T>(8 * sizeof(T)) ? T{} : static_cast<T>(math::wrapping(x) << y);
    }
};

/// bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other)
struct bitwise_left_shift_scalar : scalar_overload<bitwise_left_shift> {
    static constexpr std::string_view name = "aten.bitwise_left_shift.Tensor_Scalar"sv;
};

/// bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other)
struct bitwise_left_shift_of_scalar : bitwise_left_shift {
    static constexpr std::string_view name = "aten.bitwise_left_shift.Scalar_Tensor"sv;
    static constexpr parameter schema[] = {required("self", parameter_kind::scalar),
                                           required("other", parameter_kind::tensor)};
};

/// bitwise_right_shift.Tensor(Tensor self, Tensor other): arithmetic shift
struct bitwise_right_shift : binary<promotion::keep, domain::integers> {
    static constexpr std::string_view name = "aten.bitwise_right_shift.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) {
        return static_cast<T>(x >>
                              (y < 0 || y >= static_cast<T>(8 * sizeof(T)) ? static_cast<T>(8 * sizeof(T) - 1) : y));
    }
};

/// bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other)
struct bitwise_right_shift_scalar : scalar_overload<bitwise_right_shift> {
    static constexpr std::string_view name = "aten.bitwise_right_shift.Tensor_Scalar"sv;
};

/// bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other)
struct bitwise_right_shift_of_scalar : bitwise_right_shift {
    static constexpr std::string_view name = "aten.bitwise_right_shift.Scalar_Tensor"sv;
    static constexpr auto& schema = bitwise_left_shift_of_scalar::schema;
};

/// __lshift__.Scalar(Tensor self, Scalar other)
struct lshift_scalar : scalar_overload<bitwise_left_shift> {
    static constexpr std::string_view name = "aten.__lshift__.Scalar"sv;
};

/// __rshift__.Scalar(Tensor self, Scalar other)
struct rshift_scalar : scalar_overload<bitwise_right_shift> {
    static constexpr std::string_view name = "aten.__rshift__.Scalar"sv;
};

using logic_ops =
    op_list<logical_not, logical_and, logical_or, logical_xor, bitwise_not, bitwise_and, bitwise_and_scalar, bitwise_or,
            bitwise_or_scalar, bitwise_xor, bitwise_xor_scalar, bitwise_left_shift, bitwise_left_shift_scalar,
            bitwise_left_shift_of_scalar, bitwise_right_shift, bitwise_right_shift_scalar,
            bitwise_right_shift_of_scalar, lshift_scalar, rshift_scalar>;

} // namespace ahead::aten
