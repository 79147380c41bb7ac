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

/// A constant: given by parameter ValueAt, or Value where that is none. Sizes: parameter SizeAt, or those of self;
/// dtype: parameter DtypeAt, else Like's self or what the number says.
template <int ValueAt, int Value, int SizeAt, int DtypeAt, bool Like, int FormatAt = -1>
struct constant {
    static constexpr effects effect{.moves_elements = true};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(DtypeAt) ? c.type(DtypeAt)
                          : Like              ? c.tensor(0).type
                          : ValueAt >= 0      ? dtype_of_number(c.at(ValueAt < 0 ? 0 : ValueAt))
                                              : dtype::f32;
        if constexpr (SizeAt >= 0) return c.result(tensor_of(type, c.ints(SizeAt)));
        else return result_like(c, c.tensor(0), type, FormatAt);
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list&, auto as) {
            return ValueAt >= 0 ? c.number(ValueAt < 0 ? 0 : ValueAt, as) : static_cast<decltype(as)>(Value);
        });
    }
};

namespace schemas {
inline constexpr parameter sized[] = {required("size", parameter_kind::int_list), dtype_option, layout_option,
                                      device_option, pin_memory_option};
inline constexpr parameter sized_value[] = {required("size", parameter_kind::int_list),
                                            required("fill_value", parameter_kind::scalar),
                                            dtype_option,
                                            layout_option,
                                            device_option,
                                            pin_memory_option};
inline constexpr parameter like_self[] = {required("self", parameter_kind::tensor),
                                          dtype_option,
                                          layout_option,
                                          device_option,
                                          pin_memory_option,
                                          format_option};
inline constexpr parameter like_value[] = {required("self", parameter_kind::tensor),
                                           required("fill_value", parameter_kind::scalar),
                                           dtype_option,
                                           layout_option,
                                           device_option,
                                           pin_memory_option,
                                           format_option};
inline constexpr parameter new_sized[] = {required("self", parameter_kind::tensor),
                                          required("size", parameter_kind::int_list),
                                          dtype_option,
                                          layout_option,
                                          device_option,
                                          pin_memory_option};
inline constexpr parameter new_value[] = {required("self", parameter_kind::tensor),
                                          required("size", parameter_kind::int_list),
                                          required("fill_value", parameter_kind::scalar),
                                          dtype_option,
                                          layout_option,
                                          device_option,
                                          pin_memory_option};
} // namespace schemas

/// full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...)
struct full : constant<1, 0, 0, 2, false> {
    static constexpr std::string_view name = "aten.full.default";
    static constexpr auto& schema = schemas::sized_value;
};
/// zeros(SymInt[] size, *, ScalarType? dtype=None, ...)
struct zeros : constant<-1, 0, 0, 1, false> {
    static constexpr std::string_view name = "aten.zeros.default";
    static constexpr auto& schema = schemas::sized;
};
/// ones(SymInt[] size, *, ScalarType? dtype=None, ...)
struct ones : constant<-1, 1, 0, 1, false> {
    static constexpr std::string_view name = "aten.ones.default";
    static constexpr auto& schema = schemas::sized;
};
/// empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, ...)
struct empty : zeros {
    static constexpr std::string_view name = "aten.empty.memory_format";
    static constexpr parameter schema[] = {
        required("size", parameter_kind::int_list),
        schemas::dtype_option,
        schemas::layout_option,
        schemas::device_option,
        schemas::pin_memory_option,
        one_of(schemas::own_formats, defaulted("memory_format", parameter_kind::memory_format))};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(1) ? c.type(1) : dtype::f32;
        return result_like(c, tensor_of(type, c.ints(0)), type, 5);
    }
};
/// full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct full_like : constant<1, 0, -1, 2, true, 6> {
    static constexpr std::string_view name = "aten.full_like.default";
    static constexpr auto& schema = schemas::like_value;
};
/// zeros_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct zeros_like : constant<-1, 0, -1, 1, true, 5> {
    static constexpr std::string_view name = "aten.zeros_like.default";
    static constexpr auto& schema = schemas::like_self;
};
/// ones_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct ones_like : constant<-1, 1, -1, 1, true, 5> {
    static constexpr std::string_view name = "aten.ones_like.default";
    static constexpr auto& schema = schemas::like_self;
};
/// empty_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct empty_like : zeros_like {
    static constexpr std::string_view name = "aten.empty_like.default";
};
/// new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...)
struct new_full : constant<2, 0, 1, 3, true> {
    static constexpr std::string_view name = "aten.new_full.default";
    static constexpr auto& schema = schemas::new_value;
};
/// new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_zeros : constant<-1, 0, 1, 2, true> {
    static constexpr std::string_view name = "aten.new_zeros.default";
    static constexpr auto& schema = schemas::new_sized;
};
/// new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_ones : constant<-1, 1, 1, 2, true> {
    static constexpr std::string_view name = "aten.new_ones.default";
    static constexpr auto& schema = schemas::new_sized;
};
/// new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_empty : new_zeros {
    static constexpr std::string_view name = "aten.new_empty.default";
};

/// scalar_tensor(Scalar s, *, ScalarType? dtype=None, ...): rank 0
struct scalar_tensor {
    static constexpr std::string_view name = "aten.scalar_tensor.default";
    static constexpr parameter schema[] = {required("s", parameter_kind::scalar), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.is_given(1) ? c.type(1) : dtype::f32, {}));
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list&, auto as) { return c.number(0, as); });
    }
};

/// A range of numbers: start, start + step, ... before end. Parameters: StartAt (0 where -1), EndAt, StepAt (1 where
/// -1).
template <int StartAt, int EndAt, int StepAt, int DtypeAt>
struct range {
    static constexpr bool infer(infer_context& c) {
        bool real = c.at(EndAt).kind == argument_kind::real;
        double start = 0;
        double step = 1;
        if constexpr (StartAt >= 0) {
            start = c.real(StartAt);
            real = real || c.at(StartAt).kind == argument_kind::real;
        }
        if constexpr (StepAt >= 0) {
            step = c.real(StepAt);
            real = real || c.at(StepAt).kind == argument_kind::real;
        }
        const double length = c.real(EndAt) - start;
        if (step == 0 || length / step < 0)
            return c.refuse(fault::stride_must_be_positive, "a step from start towards end", "another");
        const auto type = c.is_given(DtypeAt) ? c.type(DtypeAt) : real ? dtype::f32 : dtype::i64;
        return c.result(tensor_of(type, {checked_int::truncated(math::ceil(length / step)).get()}));
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list& at, auto as) {
            using A = accumulator_t<decltype(as)>;
            const auto start = StartAt >= 0 ? c.number(StartAt < 0 ? 0 : StartAt, A{}) : A{};
            const auto step = StepAt >= 0 ? c.number(StepAt < 0 ? 0 : StepAt, A{}) : A{1};
            return math::convert<decltype(as)>(start + step * static_cast<A>(at[0]));
        });
    }
};
/// arange(Scalar end, *, ScalarType? dtype=None, ...)
struct arange : range<-1, 0, -1, 1> {
    static constexpr std::string_view name = "aten.arange.default";
    static constexpr parameter schema[] = {required("end", parameter_kind::scalar), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
};
/// arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, ...)
struct arange_start : range<0, 1, -1, 2> {
    static constexpr std::string_view name = "aten.arange.start";
    static constexpr parameter schema[] = {required("start", parameter_kind::scalar),
                                           required("end", parameter_kind::scalar),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
};
/// arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, ...)
struct arange_start_step : range<0, 1, 2, 3> {
    static constexpr std::string_view name = "aten.arange.start_step";
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
    static constexpr parameter schema[] = {required("length", parameter_kind::integer),
                                           required("start", parameter_kind::integer),
                                           required("step", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype),
                                           schemas::device_option,
                                           defaulted("requires_grad", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) { return c.result(tensor_of(c.type(3), {c.integer(0)})); }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list& at, auto as) {
            return math::convert<decltype(as)>(math::add(c.integer(1), math::mul(c.integer(2), at[0])));
        });
    }
};

/// linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, ...): both ends included; no bools
struct linspace {
    static constexpr std::string_view name = "aten.linspace.default";
    static constexpr parameter schema[] = {required("start", parameter_kind::scalar),
                                           required("end", parameter_kind::scalar),
                                           required("steps", parameter_kind::integer),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(3) ? c.type(3) : dtype::f32;
        if (type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", "b8");
        return c.result(tensor_of(type, {c.integer(2)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto steps = c.integer(2);
        fill_with(c, [&](const int_list& at, auto as) {
            using A = std::conditional_t<std::is_integral_v<decltype(as)>, decltype(as),
                                         double>; // in an integer dtype both ends are integers
            const auto start = static_cast<double>(c.number(0, A{})), end = static_cast<double>(c.number(1, A{}));
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
    static constexpr parameter schema[] = {required("n", parameter_kind::integer),
                                           required("m", parameter_kind::integer),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const int_list sizes = {c.integer(0), c.integer(1)};
        return c.result(tensor_of(c.is_given(2) ? c.type(2) : dtype::f32, sizes));
    }
    static constexpr void evaluate(auto& c) {
        fill_with(c, [&](const int_list& at, auto as) { return static_cast<decltype(as)>(at[0] == at[1]); });
    }
};
/// eye(SymInt n, *, ScalarType? dtype=None, ...)
struct eye {
    static constexpr std::string_view name = "aten.eye.default";
    static constexpr parameter schema[] = {required("n", parameter_kind::integer), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const int_list sizes = {c.integer(0), c.integer(0)};
        return c.result(tensor_of(c.is_given(1) ? c.type(1) : dtype::f32, sizes));
    }
    static constexpr void evaluate(auto& c) { eye_m::evaluate(c); }
};

using create_ops =
    op_list<full, zeros, ones, empty, full_like, zeros_like, ones_like, empty_like, new_full, new_zeros, new_ones,
            new_empty, scalar_tensor, arange, arange_start, arange_start_step, iota, linspace, eye_m, eye>;

} // namespace ahead::aten
