// SPDX-License-Identifier: MIT
// Copies: clone, dtype conversions, contiguous; and the strides, memory formats and options of tensors like another.
// Source: aten/src/ATen/native/TensorFactories.cpp, Copy.cpp, TensorConversions.cpp.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten {

/// PyTorch's memory formats, in the order of schemas::memory_formats.
enum class format { contiguous_format, preserve_format, channels_last, channels_last_3d };

namespace schemas {
inline constexpr std::string_view memory_formats[] = {"torch.contiguous_format", "torch.preserve_format",
                                                      "torch.channels_last", "torch.channels_last_3d"};
} // namespace schemas

namespace detail {

/// The format that an argument names; None means preserve. pre: one of the words that the schema lists
constexpr format format_of(const argument& given) {
    for (std::size_t k = 0; k < std::size(schemas::memory_formats); ++k)
        if (same_name(given.text, schemas::memory_formats[k])) return static_cast<format>(k);
    return format::preserve_format;
}

/// Converts `out`, which is in preserve_format, to the memory format `given`, if any. Refuses a rank other than the
/// format's.
constexpr bool set_format(infer_context& c, tensor_type& out, const argument& given) {
    const auto wanted = format_of(given);
    if (wanted == format::contiguous_format) make_contiguous(out);
    if (wanted == format::contiguous_format || wanted == format::preserve_format) return true;
    const int rank = wanted == format::channels_last ? 4 : 5;
    if (out.rank != rank)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << rank << " for " << given.text,
                        short_text("rank ") << int{out.rank});
    make_channels_last(out);
    return true;
}

} // namespace detail

/// Sets the result to a tensor like `t` in the memory format of parameter `format`; no_parameter: preserve.
constexpr bool result_like(infer_context& c, const tensor_type& t, dtype type, int format = no_parameter) {
    auto out = like(t, type);
    if (format != no_parameter && !detail::set_format(c, out, c.at(format))) return false;
    return c.result(out);
}

namespace schemas {
inline constexpr std::string_view own_formats[] = {"torch.contiguous_format", "torch.channels_last",
                                                   "torch.channels_last_3d"}; // if there is nothing to preserve
inline constexpr std::string_view layouts[] = {"torch.strided"};
inline constexpr parameter format_option =
    one_of(memory_formats, defaulted("memory_format", parameter_kind::memory_format));
inline constexpr parameter dtype_option = defaulted("dtype", parameter_kind::optional_dtype);
inline constexpr parameter layout_option = one_of(layouts, defaulted("layout", parameter_kind::layout));
inline constexpr parameter device_option =
    defaulted("device", parameter_kind::device); // where the graph was exported; it runs where it is compiled for
inline constexpr parameter pin_memory_option = defaulted("pin_memory", parameter_kind::pinned);
/// True and False are equivalent: readers of a copy always run after it.
inline constexpr parameter non_blocking_option =
    defaulted("non_blocking", parameter_kind::boolean, argument::of(false));
} // namespace schemas

/// clone(Tensor self, *, MemoryFormat? memory_format=None)
struct clone : copies {
    static constexpr std::string_view name = "aten.clone.default"sv;
    enum at : int { self, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), schemas::format_option};
    static constexpr bool infer(infer_context& c) {
        return result_like(c, c.tensor(at::self), c.tensor(at::self).type, at::memory_format);
    }
};

/// lift_fresh_copy(Tensor self)
struct lift_fresh_copy : copies {
    static constexpr std::string_view name = "aten.lift_fresh_copy.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
};

/// contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format): self if it is contiguous, else a copy
struct contiguous : copies {
    static constexpr std::string_view name = "aten.contiguous.default"sv;
    enum at : int { self, memory_format };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),
        one_of(schemas::own_formats,
               defaulted("memory_format", parameter_kind::memory_format,
                         {.kind = argument_kind::memory_format, .text = "torch.contiguous_format"}))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        auto out = like(t, t.type);
        if (!detail::set_format(c, out, c.at(at::memory_format))) return false;
        return same_strides(out, t) ? c.view_result(t, at::self) : c.result(out);
    }
};

/// _to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None,
///          bool non_blocking=False, MemoryFormat? memory_format=None)
struct to_copy : copies {
    static constexpr std::string_view name = "aten._to_copy.default"sv;
    enum at : int { self, dtype, layout, device, pin_memory, non_blocking, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option,
                                           schemas::non_blocking_option,
                                           schemas::format_option};
    static constexpr bool infer(infer_context& c) {
        return result_like(c, c.tensor(at::self), c.is_given(at::dtype) ? c.type(at::dtype) : c.tensor(at::self).type,
                           at::memory_format);
    }
};

/// prims.convert_element_type(Tensor a, ScalarType dtype)
struct convert_element_type : copies {
    static constexpr std::string_view name = "prims.convert_element_type.default"sv;
    enum at : int { a, dtype };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) { return c.result(like(c.tensor(at::a), c.type(at::dtype))); }
};

/// prims.device_put(Tensor a, Device device, bool non_blocking=False): a copy with the strides of a; there is only one
/// device
struct device_put : copies {
    static constexpr std::string_view name = "prims.device_put.default"sv;
    enum at : int { a, device, non_blocking };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("device", parameter_kind::device), schemas::non_blocking_option};
    static constexpr bool infer(infer_context& c) { return c.result(like(c.tensor(at::a), c.tensor(at::a).type)); }
};

/// to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None):
/// self if nothing changes
struct to_dtype : copies {
    static constexpr std::string_view name = "aten.to.dtype"sv;
    enum at : int { self, dtype, non_blocking, copy, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dtype", parameter_kind::dtype), schemas::non_blocking_option,
                                           defaulted("copy", parameter_kind::boolean, argument::of(false)),
                                           schemas::format_option};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.type == c.type(at::dtype) && !c.boolean(at::copy) && !c.is_given(at::memory_format))
            return c.view_result(t, at::self);
        return result_like(c, t, c.type(at::dtype), at::memory_format);
    }
};

/// to.dtype_layout(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
/// pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None): self if nothing
/// changes
struct to_dtype_layout : copies {
    static constexpr std::string_view name = "aten.to.dtype_layout"sv;
    enum at : int { self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           schemas::dtype_option,
                                           schemas::layout_option,
                                           schemas::device_option,
                                           schemas::pin_memory_option,
                                           schemas::non_blocking_option,
                                           defaulted("copy", parameter_kind::boolean, argument::of(false)),
                                           schemas::format_option};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto type = c.is_given(at::dtype) ? c.type(at::dtype) : t.type;
        if (t.type == type && !c.boolean(at::copy) && !c.is_given(at::memory_format)) return c.view_result(t, at::self);
        return result_like(c, t, type, at::memory_format);
    }
};

/// type_as(Tensor self, Tensor other)
struct type_as : copies, schemas::self_and_other {
    static constexpr std::string_view name = "aten.type_as.default"sv;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return t.type == c.tensor(at::other).type ? c.view_result(t, at::self)
                                                  : c.result(like(t, c.tensor(at::other).type));
    }
};

using copy_ops = op_list<clone, lift_fresh_copy, contiguous, to_copy, convert_element_type, device_put, to_dtype,
                         to_dtype_layout, type_as>;

} // namespace ahead::aten
