// SPDX-License-Identifier: MIT
// Tensors from nothing: full, zeros, ones, empty and their _like and new_ forms, arange, linspace, eye, scalar_tensor,
// prims.iota. empty is zeros here. Source: aten/src/ATen/native/TensorFactories.cpp, RangeFactories.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/core/checked.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The dtype of a tensor made from a Python number.
constexpr dtype dtype_of_number(const argument& a) {
    return a.kind == argument_kind::real ? dtype::f32 : a.kind == argument_kind::integer ? dtype::i64 : dtype::b8;
}

/// Writes f(at) everywhere, in the type of the result.
template <class F>
constexpr void fill_with(auto& c, F f) {
    c.compute([&](auto as) {
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, f(at, as)); });
    });
}

namespace schemas {
struct sized {
    enum at : int { size, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("size", parameter_kind::int_list), dtype_option, layout_option,
                                           device_option, pin_memory_option};
};
struct sized_value {
    enum at : int { size, fill_value, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("size", parameter_kind::int_list),
                                           required("fill_value", parameter_kind::scalar),
                                           dtype_option,
                                           layout_option,
                                           device_option,
                                           pin_memory_option};
};
struct like_self {
    enum at : int { self, dtype, layout, device, pin_memory, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           dtype_option,
                                           layout_option,
                                           device_option,
                                           pin_memory_option,
                                           format_option};
};
struct like_value {
    enum at : int { self, fill_value, dtype, layout, device, pin_memory, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("fill_value", parameter_kind::scalar),
                                           dtype_option,
                                           layout_option,
                                           device_option,
                                           pin_memory_option,
                                           format_option};
};
struct new_sized {
    enum at : int { self, size, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list),
                                           dtype_option,
                                           layout_option,
                                           device_option,
                                           pin_memory_option};
};
struct new_value {
    enum at : int { self, size, fill_value, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list),
                                           required("fill_value", parameter_kind::scalar),
                                           dtype_option,
                                           layout_option,
                                           device_option,
                                           pin_memory_option};
};
} // namespace schemas

/// A constant: what its parameter fill_value says, or Value where it has none. Its other parameters say by their names
/// the rest: sizes are those of size, or of self; the dtype is dtype's, else self's, or the number's.
template <class Parameters, int Value = 0>
struct constant : Parameters {
    using at = typename Parameters::at;
    static constexpr effects effect{.moves_elements = true};
    static constexpr bool infer(infer_context& c) {
        auto type = dtype::f32;
        if (c.is_given(at::dtype)) type = c.type(at::dtype);
        else if constexpr (requires { at::self; }) type = c.tensor(at::self).type;
        else if constexpr (requires { at::fill_value; }) type = dtype_of_number(c.at(at::fill_value));
        if constexpr (requires { at::size; }) return c.result(tensor_of(type, c.ints(at::size)));
        else return result_like(c, c.tensor(at::self), type, at::memory_format);
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list&, auto as) {
            if constexpr (requires { at::fill_value; }) return c.number(at::fill_value, as);
            else return static_cast<decltype(as)>(Value);
        });
    }
};

/// full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...)
struct full : constant<schemas::sized_value> {
    static constexpr std::string_view name = "aten.full.default";
};
/// zeros(SymInt[] size, *, ScalarType? dtype=None, ...)
struct zeros : constant<schemas::sized, 0> {
    static constexpr std::string_view name = "aten.zeros.default";
};
/// ones(SymInt[] size, *, ScalarType? dtype=None, ...)
struct ones : constant<schemas::sized, 1> {
    static constexpr std::string_view name = "aten.ones.default";
};
/// empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, ...)
struct empty : zeros {
    static constexpr std::string_view name = "aten.empty.memory_format";
    enum at : int { size, dtype, layout, device, pin_memory, memory_format };
    static constexpr parameter schema[] = {
        required("size", parameter_kind::int_list),
        schemas::dtype_option,
        schemas::layout_option,
        schemas::device_option,
        schemas::pin_memory_option,
        one_of(schemas::own_formats, defaulted("memory_format", parameter_kind::memory_format))};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32;
        return result_like(c, tensor_of(type, c.ints(at::size)), type, at::memory_format);
    }
};
/// full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct full_like : constant<schemas::like_value> {
    static constexpr std::string_view name = "aten.full_like.default";
};
/// zeros_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct zeros_like : constant<schemas::like_self, 0> {
    static constexpr std::string_view name = "aten.zeros_like.default";
};
/// ones_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct ones_like : constant<schemas::like_self, 1> {
    static constexpr std::string_view name = "aten.ones_like.default";
};
/// empty_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct empty_like : zeros_like {
    static constexpr std::string_view name = "aten.empty_like.default";
};
/// new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...)
struct new_full : constant<schemas::new_value> {
    static constexpr std::string_view name = "aten.new_full.default";
};
/// new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_zeros : constant<schemas::new_sized, 0> {
    static constexpr std::string_view name = "aten.new_zeros.default";
};
/// new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_ones : constant<schemas::new_sized, 1> {
    static constexpr std::string_view name = "aten.new_ones.default";
};
/// new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_empty : new_zeros {
    static constexpr std::string_view name = "aten.new_empty.default";
};

/// scalar_tensor(Scalar s, *, ScalarType? dtype=None, ...): rank 0
struct scalar_tensor {
    static constexpr std::string_view name = "aten.scalar_tensor.default";
    enum at : int { s, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("s", parameter_kind::scalar), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32, {}));
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list&, auto as) { return c.number(at::s, as); });
    }
};

/// A range of numbers: start, start + step, ... before end; from 0 and by 1 where Op has no such parameter.
template <class Op>
struct range {
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
/// arange(Scalar end, *, ScalarType? dtype=None, ...)
struct arange : range<arange> {
    static constexpr std::string_view name = "aten.arange.default";
    enum at : int { end, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("end", parameter_kind::scalar), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
};
/// arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, ...)
struct arange_start : range<arange_start> {
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
struct arange_start_step : range<arange_start_step> {
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

using create_ops =
    op_list<full, zeros, ones, empty, full_like, zeros_like, ones_like, empty_like, new_full, new_zeros, new_ones,
            new_empty, scalar_tensor, arange, arange_start, arange_start_step, iota, linspace, eye_m, eye>;

} // namespace ahead::aten
