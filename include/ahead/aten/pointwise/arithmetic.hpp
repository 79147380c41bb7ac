// SPDX-License-Identifier: MIT
// Sums, differences, products and true quotients of two operands.
// Source: aten/src/ATen/native/BinaryOps.cpp, cpu/BinaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::aten {

/// add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1): self + alpha * other; "or" for bool
struct add : scaled<>, schemas::with_alpha {
    static constexpr std::string_view name = "aten.add.Tensor"sv;
    static constexpr machine::steps steps{1, true};
    template <class T> static constexpr T meaning(T x, T y, T alpha) { return math::add(x, math::mul(alpha, y)); }
    static constexpr auto derivative = [](const auto&, const auto&, const auto& alpha, const auto&,
                                          const auto& gradient) { return std::tuple{gradient, gradient * alpha}; };
};

/// add.Scalar(Tensor self, Scalar other, Scalar alpha=1)
struct add_scalar : add {
    static constexpr std::string_view name = "aten.add.Scalar"sv;
    static constexpr machine::steps steps{1, true};
    static constexpr auto& schema = schemas::scalar_with_alpha::schema;
};

/// sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1): self - alpha * other
struct sub : scaled<domain::operands>, schemas::with_alpha {
    static constexpr std::string_view name = "aten.sub.Tensor"sv;
    static constexpr machine::steps steps{1, true};
    template <class T> static constexpr T meaning(T x, T y, T alpha) { return math::sub(x, math::mul(alpha, y)); }
    static constexpr auto derivative = [](const auto&, const auto&, const auto& alpha, const auto&,
                                          const auto& gradient) { return std::tuple{gradient, gradient * alpha * -1}; };
};

/// sub.Scalar(Tensor self, Scalar other, Scalar alpha=1)
struct sub_scalar : sub {
    static constexpr std::string_view name = "aten.sub.Scalar"sv;
    static constexpr machine::steps steps{1, true};
    static constexpr auto& schema = schemas::scalar_with_alpha::schema;
};

/// rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1): other - alpha * self
struct rsub : second_first<scaled<domain::operands>>, schemas::with_alpha {
    static constexpr std::string_view name = "aten.rsub.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y, T alpha) { return math::sub(y, math::mul(alpha, x)); }
};

/// rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1)
struct rsub_scalar : rsub {
    static constexpr std::string_view name = "aten.rsub.Scalar"sv;
    static constexpr auto& schema = schemas::scalar_with_alpha::schema;
};

/// mul.Tensor(Tensor self, Tensor other): self * other; "and" for bool
struct mul : takes_complex<binary<promotion::keep>> {
    static constexpr auto numbers = rounded_numbers::none;
    static constexpr std::string_view name = "aten.mul.Tensor"sv;
    static constexpr machine::steps steps{1, true};
    template <class T> static constexpr T meaning(T x, T y) { return math::mul(x, y); }
    static constexpr auto derivative = [](const auto& self, const auto& other, const auto&, const auto& gradient) {
        return std::tuple{gradient * other, gradient * self};
    };
};

/// mul.Scalar(Tensor self, Scalar other)
struct mul_scalar : scalar_overload<mul> {
    static constexpr std::string_view name = "aten.mul.Scalar"sv;
    static constexpr machine::steps steps{1, true};
};

/// div.Tensor(Tensor self, Tensor other): self / other, in floating point
struct div : takes_complex<binary<promotion::to_real>> {
    static constexpr auto numbers = rounded_numbers::none;
    static constexpr std::string_view name = "aten.div.Tensor"sv;
    static constexpr machine::steps steps{10, true};
    template <class T> static constexpr T meaning(T x, T y) { return x / y; }
    static constexpr auto derivative = [](const auto&, const auto& other, const auto& result, const auto& gradient) {
        return std::tuple{gradient / other, gradient * result / other * -1};
    };
};

/// div.Scalar(Tensor self, Scalar other)
struct div_scalar : scalar_overload<div> {
    static constexpr std::string_view name = "aten.div.Scalar"sv;
    static constexpr machine::steps steps{10, true};
};

using arithmetic_ops = op_list<add, add_scalar, sub, sub_scalar, rsub, rsub_scalar, mul, mul_scalar, div, div_scalar>;
using in_place_arithmetic_ops =
    op_list<in_place<add>, in_place<sub>, in_place<mul>, in_place<div>, in_place<add_scalar>, in_place<sub_scalar>,
            in_place<mul_scalar>, in_place<div_scalar>>;

} // namespace ahead::aten
