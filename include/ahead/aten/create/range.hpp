// SPDX-License-Identifier: MIT
// Tensors that follow from where an element is: arange, linspace, prims.iota, eye.
// Source: aten/src/ATen/native/RangeFactories.cpp, TensorFactories.cpp.
#pragma once
#include <ahead/aten/create/create.hpp>
#include <ahead/core/checked.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// A range of numbers: start, start + step, ... before end; from 0 and by 1 where Op has no such parameter.
template <class Op> struct range {
    static constexpr bool infer(infer_context& c) {
        using at = typename Op::at;
        bool real = c.at(at::end).kind == argument_kind::real;
        double start = 0;
        double step = 1;
        if constexpr (requires { at::start; }) {
            start = c.real(at::start);
            real = real || c.at(at::start).kind == argument_kind::real;
        }
        if constexpr (requires { at::step; }) {
            step = c.real(at::step);
            real = real || c.at(at::step).kind == argument_kind::real;
        }
        const double length = c.real(at::end) - start;
        if (step == 0 || length / step < 0)
            return c.refuse(fault::stride_must_be_positive, "a step from start towards end", "another");
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : real ? dtype::f32 : dtype::i64;
        return c.result(tensor_of(type, {checked_int::truncated(math::ceil(length / step)).get()}));
    }
    static constexpr void evaluate(auto& c) {
        using parameters = typename Op::at;
        fill_with(c, [&](const int_list& at, auto as) {
            using A = accumulator_t<decltype(as)>;
            A start{}, step{1};
            if constexpr (requires { parameters::start; }) start = c.number(parameters::start, A{});
            if constexpr (requires { parameters::step; }) step = c.number(parameters::step, A{});
            return math::convert<decltype(as)>(start + step * static_cast<A>(at[0]));
        });
    }
};

} // namespace detail

/// arange(Scalar end, *, ScalarType? dtype=None, ...)
struct arange : detail::range<arange> {
    static constexpr std::string_view name = "aten.arange.default";
    enum at : int { end, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("end", parameter_kind::scalar), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
};

/// arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, ...)
struct arange_start : detail::range<arange_start> {
    static constexpr std::string_view name = "aten.arange.start";
    enum at : int { start, end, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("start", parameter_kind::scalar),
                                           required("end", parameter_kind::scalar),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
};

/// arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, ...)
struct arange_start_step : detail::range<arange_start_step> {
    static constexpr std::string_view name = "aten.arange.start_step";
    enum at : int { start, end, step, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("start", parameter_kind::scalar),
                                           required("end", parameter_kind::scalar),
                                           defaulted("step", parameter_kind::scalar, argument::of(1)),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
};

/// prims.iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool requires_grad)
struct iota {
    static constexpr std::string_view name = "prims.iota.default";
    enum at : int { length, start, step, dtype, device, requires_grad };
    static constexpr parameter schema[] = {required("length", parameter_kind::integer),
                                           required("start", parameter_kind::integer),
                                           required("step", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype),
                                           schemas::device_option,
                                           defaulted("requires_grad", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.type(at::dtype), {c.integer(at::length)}));
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list& at, auto as) {
            return math::convert<decltype(as)>(math::add(c.integer(at::start), math::mul(c.integer(at::step), at[0])));
        });
    }
};

/// linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, ...): both ends included; no bools
struct linspace {
    static constexpr std::string_view name = "aten.linspace.default";
    enum at : int { start, end, steps, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("start", parameter_kind::scalar),
                                           required("end", parameter_kind::scalar),
                                           required("steps", parameter_kind::integer),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32;
        if (type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", "b8");
        return c.result(tensor_of(type, {c.integer(at::steps)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto steps = c.integer(at::steps);
        fill_with(c, [&](const int_list& at, auto as) {
            using A = std::conditional_t<std::is_integral_v<decltype(as)>, decltype(as),
                                         double>; // in an integer dtype both ends are integers
            const auto start = static_cast<double>(c.number(at::start, A{})),
                       end = static_cast<double>(c.number(at::end, A{}));
            const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
            const bool low = at[0] < steps / 2;
            const auto i = static_cast<double>(low ? at[0] : steps - 1 - at[0]);
            return math::convert<decltype(as)>(low || steps == 1 ? start + step * i : end - step * i);
        });
    }
};

/// eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, ...): ones on the diagonal
struct eye_m {
    static constexpr std::string_view name = "aten.eye.m";
    enum at : int { n, m, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("n", parameter_kind::integer),
                                           required("m", parameter_kind::integer),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const int_list sizes = {c.integer(at::n), c.integer(at::m)};
        return c.result(tensor_of(c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32, sizes));
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list& at, auto as) { return static_cast<decltype(as)>(at[0] == at[1]); });
    }
};

/// eye(SymInt n, *, ScalarType? dtype=None, ...)
struct eye {
    static constexpr std::string_view name = "aten.eye.default";
    enum at : int { n, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("n", parameter_kind::integer), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const int_list sizes = {c.integer(at::n), c.integer(at::n)};
        return c.result(tensor_of(c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32, sizes));
    }
    static constexpr void evaluate(auto& c) { eye_m::evaluate(c); }
};

using range_ops = op_list<arange, arange_start, arange_start_step, iota, linspace, eye_m, eye>;

} // namespace ahead::aten
