// SPDX-License-Identifier: MIT
// Constants: full, zeros, ones, empty and their _like and new_ forms; scalar_tensor. empty is implemented as zeros.
// Source: aten/src/ATen/native/TensorFactories.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The dtype of a tensor made from a Python number.
constexpr dtype dtype_of_number(const argument& a) {
    return a.kind == argument_kind::complex   ? dtype::c64
           : a.kind == argument_kind::real    ? dtype::f32
           : a.kind == argument_kind::integer ? dtype::i64
                                              : dtype::b8;
}

} // namespace detail

/// Writes f(at) to every element, in the result's type.
template <class F> constexpr void fill_with(auto& c, F f) {
    c.compute_any([&](auto as) {
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

namespace detail {

/// A constant tensor filled with parameter fill_value, or with Value if Op has no such parameter. Sizes come from
/// parameter size, or from self; the dtype comes from parameter dtype, else from self, else from the number.
template <class Parameters, int Value = 0> struct constant : Parameters {
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

} // namespace detail

/// full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...)
struct full : detail::constant<schemas::sized_value> {
    static constexpr std::string_view name = "aten.full.default"sv;
};

/// zeros(SymInt[] size, *, ScalarType? dtype=None, ...)
struct zeros : detail::constant<schemas::sized, 0> {
    static constexpr std::string_view name = "aten.zeros.default"sv;
};

/// ones(SymInt[] size, *, ScalarType? dtype=None, ...)
struct ones : detail::constant<schemas::sized, 1> {
    static constexpr std::string_view name = "aten.ones.default"sv;
};

/// empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, ...)
struct empty : zeros {
    static constexpr std::string_view name = "aten.empty.memory_format"sv;
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

/// empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, ...): zeros with these strides, which must
/// be those of a dense tensor
struct empty_strided : zeros {
    static constexpr std::string_view name = "aten.empty_strided.default"sv;
    enum at : int { size, stride, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("size", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const auto strides = c.ints(at::stride);
        if (c.ints(at::size).size != strides.size)
            return c.refuse(fault::rank_is_wrong, "as many strides as sizes", short_text() << strides.size);
        auto out = tensor_of(c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32, c.ints(at::size));
        if (!c.check_type(out)) return false;
        for (int d = 0; d < out.rank; ++d) out.strides[static_cast<std::size_t>(d)] = strides[d];
        return is_dense(out) ? c.result(out)
                             : c.refuse(fault::view_needs_a_copy, "strides of a dense tensor", print(out, true));
    }
};

/// empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, ...): zeros, dense; physical_layout
/// is the order of the dims in memory, outermost first
struct empty_permuted : zeros {
    static constexpr std::string_view name = "aten.empty_permuted.default"sv;
    enum at : int { size, physical_layout, dtype, layout, device, pin_memory };
    static constexpr parameter schema[] = {required("size", parameter_kind::int_list),
                                           required("physical_layout", parameter_kind::int_list),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option};
    static constexpr bool infer(infer_context& c) {
        const auto order = c.ints(at::physical_layout);
        auto out = tensor_of(c.is_given(at::dtype) ? c.type(at::dtype) : dtype::f32, c.ints(at::size));
        if (order.size != out.rank)
            return c.refuse(fault::rank_is_wrong, "as many dims as sizes", short_text() << order.size);
        if (!c.check_type(out)) return false;
        unsigned seen = 0;
        std::int64_t stride = 1;
        for (int i = out.rank - 1; i >= 0; --i) {
            if (order[i] < 0 || order[i] >= out.rank || (seen >> order[i] & 1) != 0)
                return c.refuse(fault::dimension_is_repeated, "each dim once", short_text() << order[i]);
            seen |= 1u << order[i];
            out.strides[static_cast<std::size_t>(order[i])] = stride;
            stride *= std::max<std::int64_t>(out.size(static_cast<int>(order[i])), 1);
        }
        return c.result(out);
    }
};

/// full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct full_like : detail::constant<schemas::like_value> {
    static constexpr std::string_view name = "aten.full_like.default"sv;
};

/// zeros_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct zeros_like : detail::constant<schemas::like_self, 0> {
    static constexpr std::string_view name = "aten.zeros_like.default"sv;
};

/// ones_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct ones_like : detail::constant<schemas::like_self, 1> {
    static constexpr std::string_view name = "aten.ones_like.default"sv;
};

/// empty_like(Tensor self, *, ScalarType? dtype=None, ..., MemoryFormat? memory_format=None)
struct empty_like : zeros_like {
    static constexpr std::string_view name = "aten.empty_like.default"sv;
};

/// new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...)
struct new_full : detail::constant<schemas::new_value> {
    static constexpr std::string_view name = "aten.new_full.default"sv;
};

/// new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_zeros : detail::constant<schemas::new_sized, 0> {
    static constexpr std::string_view name = "aten.new_zeros.default"sv;
};

/// new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_ones : detail::constant<schemas::new_sized, 1> {
    static constexpr std::string_view name = "aten.new_ones.default"sv;
};

/// new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, ...)
struct new_empty : new_zeros {
    static constexpr std::string_view name = "aten.new_empty.default"sv;
};

/// scalar_tensor(Scalar s, *, ScalarType? dtype=None, ...): rank 0
struct scalar_tensor {
    static constexpr std::string_view name = "aten.scalar_tensor.default"sv;
    static constexpr effects effect{.moves_elements = true};
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

using create_ops = op_list<full, zeros, ones, empty, empty_strided, empty_permuted, full_like, zeros_like, ones_like,
                           empty_like, new_full, new_zeros, new_ones, new_empty, scalar_tensor>;

} // namespace ahead::aten
