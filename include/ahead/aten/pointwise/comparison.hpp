// SPDX-License-Identifier: MIT
// Pointwise comparisons and tests; the results are bools.
// Source: aten/src/ATen/native/BinaryOps.cpp, TensorCompare.cpp, UnaryOps.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// eq.Tensor(Tensor self, Tensor other): self == other
struct eq : takes_complex<binary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.eq.Tensor"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x == y; }
};

/// eq.Scalar(Tensor self, Scalar other)
struct eq_scalar : scalar_overload<eq> {
    static constexpr std::string_view name = "aten.eq.Scalar"sv;
};

/// ne.Tensor(Tensor self, Tensor other): self != other
struct ne : takes_complex<binary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.ne.Tensor"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x != y; }
};

/// ne.Scalar(Tensor self, Scalar other)
struct ne_scalar : scalar_overload<ne> {
    static constexpr std::string_view name = "aten.ne.Scalar"sv;
};

/// lt.Tensor(Tensor self, Tensor other): self < other
struct lt : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.lt.Tensor"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x < y; }
};

/// lt.Scalar(Tensor self, Scalar other)
struct lt_scalar : scalar_overload<lt> {
    static constexpr std::string_view name = "aten.lt.Scalar"sv;
};

/// le.Tensor(Tensor self, Tensor other): self <= other
struct le : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.le.Tensor"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x <= y; }
};

/// le.Scalar(Tensor self, Scalar other)
struct le_scalar : scalar_overload<le> {
    static constexpr std::string_view name = "aten.le.Scalar"sv;
};

/// gt.Tensor(Tensor self, Tensor other): self > other
struct gt : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.gt.Tensor"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x > y; }
};

/// gt.Scalar(Tensor self, Scalar other)
struct gt_scalar : scalar_overload<gt> {
    static constexpr std::string_view name = "aten.gt.Scalar"sv;
};

/// ge.Tensor(Tensor self, Tensor other): self >= other
struct ge : binary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.ge.Tensor"sv;
    template <class T> static constexpr bool meaning(T x, T y) { return x >= y; }
};

/// ge.Scalar(Tensor self, Scalar other)
struct ge_scalar : scalar_overload<ge> {
    static constexpr std::string_view name = "aten.ge.Scalar"sv;
};

/// isnan(Tensor self): whether x is NaN
struct isnan : takes_complex<unary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.isnan.default"sv;
    template <class T> static constexpr bool meaning(T x) { return math::isnan(x); }
};

/// isinf(Tensor self): whether x is an infinity
struct isinf : takes_complex<unary<promotion::to_bool>> {
    static constexpr std::string_view name = "aten.isinf.default"sv;
    template <class T> static constexpr bool meaning(T x) { return math::isinf(x); }
};

/// signbit(Tensor self): whether x is negative, -0 included
struct signbit : unary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.signbit.default"sv;
    template <class T> static constexpr bool meaning(T x) { return math::signbit(x); }
};

using comparison_ops = op_list<eq, eq_scalar, ne, ne_scalar, lt, lt_scalar, le, le_scalar, gt, gt_scalar, ge, ge_scalar,
                               isnan, isinf, signbit>;

} // namespace ahead::aten
