// SPDX-License-Identifier: MIT
// Pointwise comparisons and logic.
// Source: aten/src/ATen/native/BinaryOps.cpp, cpu/BinaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// eq.Tensor(Tensor self, Tensor other): self == other
struct eq : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.eq.Tensor";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x == y;
    }
};

/// eq.Scalar(Tensor self, Scalar other)
struct eq_scalar : scalar_overload<eq> {
    static constexpr std::string_view name = "aten.eq.Scalar";
};

/// ne.Tensor(Tensor self, Tensor other): self != other
struct ne : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.ne.Tensor";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x != y;
    }
};

/// ne.Scalar(Tensor self, Scalar other)
struct ne_scalar : scalar_overload<ne> {
    static constexpr std::string_view name = "aten.ne.Scalar";
};

/// lt.Tensor(Tensor self, Tensor other): self < other
struct lt : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.lt.Tensor";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x < y;
    }
};

/// lt.Scalar(Tensor self, Scalar other)
struct lt_scalar : scalar_overload<lt> {
    static constexpr std::string_view name = "aten.lt.Scalar";
};

/// le.Tensor(Tensor self, Tensor other): self <= other
struct le : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.le.Tensor";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x <= y;
    }
};

/// le.Scalar(Tensor self, Scalar other)
struct le_scalar : scalar_overload<le> {
    static constexpr std::string_view name = "aten.le.Scalar";
};

/// gt.Tensor(Tensor self, Tensor other): self > other
struct gt : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.gt.Tensor";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x > y;
    }
};

/// gt.Scalar(Tensor self, Scalar other)
struct gt_scalar : scalar_overload<gt> {
    static constexpr std::string_view name = "aten.gt.Scalar";
};

/// ge.Tensor(Tensor self, Tensor other): self >= other
struct ge : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.ge.Tensor";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x >= y;
    }
};

/// ge.Scalar(Tensor self, Scalar other)
struct ge_scalar : scalar_overload<ge> {
    static constexpr std::string_view name = "aten.ge.Scalar";
};

/// logical_and(Tensor self, Tensor other): of operands that are not 0
struct logical_and : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.logical_and.default";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x != T{} && y != T{};
    }
};

/// logical_or(Tensor self, Tensor other): of operands that are not 0
struct logical_or : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.logical_or.default";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return x != T{} || y != T{};
    }
};

/// logical_xor(Tensor self, Tensor other): of operands that are not 0
struct logical_xor : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.logical_xor.default";
    template <class T>
    static constexpr bool meaning(T x, T y) {
        return (x != T{}) != (y != T{});
    }
};

/// bitwise_and.Tensor(Tensor self, Tensor other): self & other
struct bitwise_and : binary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_and.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return static_cast<T>(x & y);
    }
};

/// bitwise_and.Scalar(Tensor self, Scalar other)
struct bitwise_and_scalar : scalar_overload<bitwise_and> {
    static constexpr std::string_view name = "aten.bitwise_and.Scalar";
};

/// bitwise_or.Tensor(Tensor self, Tensor other): self | other
struct bitwise_or : binary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_or.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return static_cast<T>(x | y);
    }
};

/// bitwise_or.Scalar(Tensor self, Scalar other)
struct bitwise_or_scalar : scalar_overload<bitwise_or> {
    static constexpr std::string_view name = "aten.bitwise_or.Scalar";
};

/// bitwise_xor.Tensor(Tensor self, Tensor other): self ^ other
struct bitwise_xor : binary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_xor.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return static_cast<T>(x ^ y);
    }
};

/// bitwise_xor.Scalar(Tensor self, Scalar other)
struct bitwise_xor_scalar : scalar_overload<bitwise_xor> {
    static constexpr std::string_view name = "aten.bitwise_xor.Scalar";
};

/// bitwise_left_shift.Tensor(Tensor self, Tensor other): 0 where other is not a bit count
struct bitwise_left_shift : binary<promotion::keep, domain::integers> {
    static constexpr std::string_view name = "aten.bitwise_left_shift.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return y < 0 || y >= static_cast<T>(8 * sizeof(T)) ? T{} : static_cast<T>(math::wrapping(x) << y);
    }
};

/// bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other)
struct bitwise_left_shift_scalar : scalar_overload<bitwise_left_shift> {
    static constexpr std::string_view name = "aten.bitwise_left_shift.Tensor_Scalar";
};

/// bitwise_right_shift.Tensor(Tensor self, Tensor other): arithmetic shift
struct bitwise_right_shift : binary<promotion::keep, domain::integers> {
    static constexpr std::string_view name = "aten.bitwise_right_shift.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return static_cast<T>(x >>
                              (y < 0 || y >= static_cast<T>(8 * sizeof(T)) ? static_cast<T>(8 * sizeof(T) - 1) : y));
    }
};

/// bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other)
struct bitwise_right_shift_scalar : scalar_overload<bitwise_right_shift> {
    static constexpr std::string_view name = "aten.bitwise_right_shift.Tensor_Scalar";
};

/// __lshift__.Scalar(Tensor self, Scalar other)
struct lshift_scalar : scalar_overload<bitwise_left_shift> {
    static constexpr std::string_view name = "aten.__lshift__.Scalar";
};

/// __rshift__.Scalar(Tensor self, Scalar other)
struct rshift_scalar : scalar_overload<bitwise_right_shift> {
    static constexpr std::string_view name = "aten.__rshift__.Scalar";
};

using comparison_ops =
    op_list<eq, eq_scalar, ne, ne_scalar, lt, lt_scalar, le, le_scalar, gt, gt_scalar, ge, ge_scalar, logical_and,
            logical_or, logical_xor, bitwise_and, bitwise_and_scalar, bitwise_or, bitwise_or_scalar, bitwise_xor,
            bitwise_xor_scalar, bitwise_left_shift, bitwise_left_shift_scalar, bitwise_right_shift,
            bitwise_right_shift_scalar, lshift_scalar, rshift_scalar>;

} // namespace ahead::aten
