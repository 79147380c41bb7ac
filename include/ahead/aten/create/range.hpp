// SPDX-License-Identifier: MIT
// Tensors computed from element indices alone: arange, linspace, logspace, prims.iota, eye, tril_indices, triu_indices.
// Source: aten/src/ATen/native/RangeFactories.cpp, TensorFactories.cpp.
#pragma once
#include <ahead/aten/create/create.hpp>
#include <ahead/core/checked.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// A range of numbers: start, start + step, ... before end; start is 0 and step is 1 if Op has no such parameter.
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
    static constexpr std::string_view name = "aten.arange.default"sv;
    enum at : int { end, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("end", parameter_kind::scalar), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
};

/// arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, ...)
struct arange_start : detail::range<arange_start> {
    static constexpr std::string_view name = "aten.arange.start"sv;
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
    static constexpr std::string_view name = "aten.arange.start_step"sv;
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
    static constexpr std::string_view name = "prims.iota.default"sv;
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

namespace detail {

/// Number i of `steps` numbers from start to end, computed from the nearer end; for integer T both are integers.
template <class T>
constexpr double evenly_spaced(const auto& c, int start_at, int end_at, std::int64_t steps, std::int64_t i) {
    using A = std::conditional_t<std::is_integral_v<T>, T, double>;
    const auto start = static_cast<double>(c.number(start_at, A{})), end = static_cast<double>(c.number(end_at, A{}));
    const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
    const bool low = i < steps / 2;
    const auto count = static_cast<double>(low ? i : steps - 1 - i);
    return low || steps == 1 ? start + step * count : end - step * count;
}

} // namespace detail

/// linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, ...): both ends included; no bools
struct linspace {
    static constexpr std::string_view name = "aten.linspace.default"sv;
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
            using T = decltype(as);
            return math::convert<T>(detail::evenly_spaced<T>(c, at::start, at::end, steps, at[0]));
        });
    }
};

/// logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None, ...): base to the power of
/// linspace; floating point only, while PyTorch supports integers as well
struct logspace {
    static constexpr std::string_view name = "aten.logspace.default"sv;
    enum at : int { start, end, steps, base, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("start", parameter_kind::scalar),
                                           required("end", parameter_kind::scalar),
                                           required("steps", parameter_kind::integer),
                                           defaulted("base", parameter_kind::real, argument::of(10.0)),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32;
        if (!is_floating(type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", facts_of(type).annotation);
        return c.result(tensor_of(type, {c.integer(at::steps)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto steps = c.integer(at::steps);
        fill_with(c, [&](const int_list& at, auto as) {
            return math::convert<decltype(as)>(
                math::pow(c.real(logspace::base), detail::evenly_spaced<double>(c, at::start, at::end, steps, at[0])));
        });
    }
};

/// eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, ...): ones on the diagonal
struct eye_m {
    static constexpr std::string_view name = "aten.eye.m"sv;
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
    static constexpr std::string_view name = "aten.eye.default"sv;
    enum at : int { n, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("n", parameter_kind::integer), schemas::dtype_option,
                                           schemas::layout_option, schemas::device_option, schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const int_list sizes = {c.integer(at::n), c.integer(at::n)};
        return c.result(tensor_of(c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32, sizes));
    }
    static constexpr void evaluate(auto& c) { eye_m::evaluate(c); }
};

namespace detail {

/// The indices [2, n], rows and columns, of a matrix's elements on one side of a diagonal, in row-major order.
template <bool Lower> struct triangle_indices {
    enum at : int { row, col, offset, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("row", parameter_kind::integer),
                                           required("col", parameter_kind::integer),
                                           defaulted("offset", parameter_kind::integer, argument::of(0)),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr std::int64_t between(std::int64_t least, std::int64_t x, std::int64_t most) {
        return x < least ? least : x < most ? x : most;
    }
    /// In row r, columns below r + last + 1 are at or below diagonal `last`: these belong to Lower, else the others.
    static constexpr std::int64_t last(const auto& c) {
        const auto offset = between(-c.integer(at::row), c.integer(at::offset), c.integer(at::col) + 1);
        return Lower ? offset : offset - 1;
    }
    static constexpr bool infer(infer_context& c) {
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : dtype::i64;
        const auto rows = c.integer(at::row), columns = c.integer(at::col);
        if (type != dtype::i64 && type != dtype::i32)
            return c.refuse(fault::dtype_is_unsupported, "indices of i64 or i32", facts_of(type).annotation);
        if (!c.check_type(tensor_of(type, {rows, columns}))) return false;
        const auto empty = between(0, -last(c), rows);                 // number of rows without elements
        const auto full = between(empty, columns - 1 - last(c), rows); // first row with all elements
        const auto growing = full - empty;                             // each has one more element than the row before
        const auto count = growing * (empty + last(c) + 1) + growing * (growing - 1) / 2 + (rows - full) * columns;
        return c.result(tensor_of(type, {2, Lower ? count : rows * columns - count}));
    }
    static constexpr void evaluate(auto& c) {
        const auto out = c.output(0, std::int64_t{});
        const auto columns = c.integer(at::col);
        std::int64_t next = 0;
        for (std::int64_t row = 0; row < c.integer(at::row); ++row) {
            const auto edge = between(0, row + last(c) + 1, columns);
            for (auto column = Lower ? 0 : edge; column < (Lower ? edge : columns); ++column) {
                out.put({0, next}, row);
                out.put({1, next++}, column);
            }
        }
    }
};

} // namespace detail

/// tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, ...): elements on and below the diagonal
struct tril_indices : detail::triangle_indices<true> {
    static constexpr std::string_view name = "aten.tril_indices.default"sv;
};
/// triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, ...): elements on and above the diagonal
struct triu_indices : detail::triangle_indices<false> {
    static constexpr std::string_view name = "aten.triu_indices.default"sv;
};

using range_ops =
    op_list<arange, arange_start, arange_start_step, iota, linspace, logspace, eye_m, eye, tril_indices, triu_indices>;

} // namespace ahead::aten
