// SPDX-License-Identifier: MIT
// Integrals by the trapezoidal rule: the sum of the means of neighbors, times their distance.
// Source: aten/src/ATen/native/Integration.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>
#include <ahead/aten/shape/slice.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Op::apart(c, at, k) is the distance of elements k and k + 1 of the row at `at`.
template <class Op> struct trapezoid_rule {
    static constexpr bool check_operands(infer_context& c) {
        const auto& y = c.tensor(first_parameter);
        int dim = 0;
        if (!is_floating(y.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(y));
        return find_dim(c, Op::at::dim, y, dim) && c.result(tensor_of(y.type, sizes_without(y, 1u << dim, false)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto y = c.input(first_parameter, as);
            const int dim = wrapped_dim(c.integer(Op::at::dim), y.type().rank);
            for_each_reduced(y.type(), 1u << dim, false, [&](const int_list& at, auto walk) {
                double total = 0, before = 0;
                walk([&](const int_list& i) {
                    const auto now = static_cast<double>(y[i]);
                    if (i[dim] > 0) total += (before + now) / 2 * Op::apart(c, i, dim, as);
                    before = now;
                });
                c.output(0, as).put(at, math::convert<decltype(as)>(total));
            });
        });
    }
};

} // namespace detail

/// trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1)
struct trapezoid_dx : detail::trapezoid_rule<trapezoid_dx> {
    static constexpr std::string_view name = "aten.trapezoid.dx"sv;
    enum at : int { y, dx, dim };
    static constexpr parameter schema[] = {required("y", parameter_kind::tensor),
                                           defaulted("dx", parameter_kind::scalar, argument::of(1)),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) { return check_operands(c); }
    static constexpr double apart(auto& c, const int_list&, int, auto) { return c.real(at::dx); }
};

/// trapezoid.x(Tensor y, Tensor x, *, int dim=-1): x has the sizes of y, or [n] along dim
struct trapezoid_x : detail::trapezoid_rule<trapezoid_x> {
    static constexpr std::string_view name = "aten.trapezoid.x"sv;
    enum at : int { y, x, dim };
    static constexpr parameter schema[] = {required("y", parameter_kind::tensor), required("x", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        const auto y = c.tensor(at::y), x = c.tensor(at::x);
        if (x.type != y.type) return c.refuse(fault::dtypes_differ, print(y), print(x));
        if (!check_operands(c)) return false;
        const int_list line{y.size(wrapped_dim(c.integer(at::dim), y.rank))};
        return sizes_of(x) == sizes_of(y) || sizes_of(x) == line ||
               c.refuse(fault::shapes_do_not_broadcast, print(y), print(x));
    }
    static constexpr double apart(auto& c, int_list i, int along, auto as) {
        const auto x = c.input(at::x, as);
        if (x.type().rank == 1) i = {i[along]};
        const auto now = static_cast<double>(x[i]);
        --i[x.type().rank == 1 ? 0 : along];
        return now - static_cast<double>(x[i]);
    }
};

using trapezoid_ops = op_list<trapezoid_dx, trapezoid_x>;

} // namespace ahead::aten
