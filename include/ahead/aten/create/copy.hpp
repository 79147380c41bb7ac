// SPDX-License-Identifier: MIT
// Copies: clone, conversions of dtype, contiguous; copy, fill and zero, also in place; cat, stack.
// Source: aten/src/ATen/native/TensorFactories.cpp, Copy.cpp, TensorShape.cpp, TensorTransformations.cpp.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/type/memory_format.hpp>

namespace AHEAD_NAMESPACE::aten {

/// A new tensor like `t`, in the order of its dims, dense.
constexpr tensor_type like(const tensor_type& t, dtype type) {
    auto out = tensor_of(type, sizes_of(t));
    if (is_dense(t)) {
        out.strides = t.strides;
        return out;
    }
    const tensor_type* operands[] = {&t};
    set_result_strides(out, operands);
    return out;
}

/// Lays `out`, which is as preserve_format has it, out in the memory format given, if any is; refused for another rank
/// than the format's.
constexpr bool set_format(infer_context& c, tensor_type& out, const argument& format) {
    const int rank = format.text == "torch.channels_last" ? 4 : format.text == "torch.channels_last_3d" ? 5 : 0;
    if (format.text == "torch.contiguous_format") make_contiguous(out);
    if (rank == 0) return true;
    if (out.rank != rank)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << rank << " for " << format.text,
                        short_text("rank ") << int{out.rank});
    make_channels_last(out);
    return true;
}
/// One result like `t`, in the memory format that parameter `format` says; no_parameter: preserve.
constexpr bool result_like(infer_context& c, const tensor_type& t, dtype type, int format = no_parameter) {
    auto out = like(t, type);
    if (format != no_parameter && !set_format(c, out, c.at(format))) return false;
    return c.result(out);
}

namespace schemas {
inline constexpr std::string_view memory_formats[] = {"torch.contiguous_format", "torch.preserve_format",
                                                      "torch.channels_last", "torch.channels_last_3d"};
inline constexpr std::string_view own_formats[] = {"torch.contiguous_format", "torch.channels_last",
                                                   "torch.channels_last_3d"}; // where there is none to preserve
inline constexpr std::string_view layouts[] = {"torch.strided"};
inline constexpr parameter format_option =
    one_of(memory_formats, defaulted("memory_format", parameter_kind::memory_format));
inline constexpr parameter dtype_option = defaulted("dtype", parameter_kind::optional_dtype);
inline constexpr parameter layout_option = one_of(layouts, defaulted("layout", parameter_kind::layout));
inline constexpr parameter device_option =
    defaulted("device", parameter_kind::device); // where the graph was exported; it runs where it is compiled for
inline constexpr parameter pin_memory_option = defaulted("pin_memory", parameter_kind::pinned);
/// True and False mean the same: what reads a copy comes after it.
inline constexpr parameter non_blocking_option =
    defaulted("non_blocking", parameter_kind::boolean, argument::of(false));
} // namespace schemas

/// clone(Tensor self, *, MemoryFormat? memory_format=None)
struct clone : copies {
    static constexpr std::string_view name = "aten.clone.default";
    enum at : int { self, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), schemas::format_option};
    static constexpr bool infer(infer_context& c) {
        return result_like(c, c.tensor(at::self), c.tensor(at::self).type, at::memory_format);
    }
};

/// lift_fresh_copy(Tensor self)
struct lift_fresh_copy : copies {
    static constexpr std::string_view name = "aten.lift_fresh_copy.default";
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
};

/// contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format): self where it is contiguous, else a copy
struct contiguous : copies {
    static constexpr std::string_view name = "aten.contiguous.default";
    enum at : int { self, memory_format };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),
        one_of(schemas::own_formats,
               defaulted("memory_format", parameter_kind::memory_format,
                         {.kind = argument_kind::memory_format, .text = "torch.contiguous_format"}))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        auto out = like(t, t.type);
        if (!set_format(c, out, c.at(at::memory_format))) return false;
        return same_strides(out, t) ? c.view_result(t, at::self) : c.result(out);
    }
};

/// _to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None,
///          bool non_blocking=False, MemoryFormat? memory_format=None)
struct to_copy : copies {
    static constexpr std::string_view name = "aten._to_copy.default";
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
    static constexpr std::string_view name = "prims.convert_element_type.default";
    enum at : int { a, dtype };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) { return c.result(like(c.tensor(at::a), c.type(at::dtype))); }
};

/// to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None):
/// self where nothing changes
struct to_dtype : copies {
    static constexpr std::string_view name = "aten.to.dtype";
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

/// type_as(Tensor self, Tensor other)
struct type_as : copies {
    static constexpr std::string_view name = "aten.type_as.default";
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return t.type == c.tensor(at::other).type ? c.view_result(t, at::self)
                                                  : c.result(like(t, c.tensor(at::other).type));
    }
};

/// What copy and fill write: the tensor given for parameter `source`, broadcast to self's sizes, or the number.
constexpr void evaluate_copy(auto& c, int source) {
    compute_copy(c, [&](auto as) {
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            if (!c.is_tensor(source)) {
                out.put(at, c.number(source, as));
                return;
            }
            const auto in = c.input(source, as);
            int_list own;
            for (int d = 0; d < in.type().rank; ++d)
                own.push_back(in.type().size(d) == 1 ? 0 : at[at.size - in.type().rank + d]);
            out.put(at, in[own]);
        });
    });
}
/// Whether `source` broadcasts to the sizes of `self`.
constexpr bool check_source(infer_context& c, const tensor_type& self, const tensor_type& source) {
    auto sizes = sizes_of(self);
    if (!broadcast_into(c, sizes, source)) return false;
    return sizes == sizes_of(self) || c.refuse(fault::shapes_do_not_broadcast, print(self), print(source));
}

/// copy(Tensor self, Tensor src, bool non_blocking=False): src with the sizes and dtype of self
struct copy {
    static constexpr std::string_view name = "aten.copy.default";
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, src, non_blocking };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("src", parameter_kind::tensor), schemas::non_blocking_option};
    static constexpr bool infer(infer_context& c) {
        return check_source(c, c.tensor(at::self), c.tensor(at::src)) &&
               c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) { evaluate_copy(c, at::src); }
};
/// fill.Scalar(Tensor self, Scalar value)
struct fill_scalar {
    static constexpr std::string_view name = "aten.fill.Scalar";
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("value", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) { evaluate_copy(c, at::value); }
};
/// fill.Tensor(Tensor self, Tensor value): value of rank 0
struct fill_tensor {
    static constexpr std::string_view name = "aten.fill.Tensor";
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::value).rank != 0) return c.refuse(fault::rank_is_wrong, "rank 0", print(c.tensor(at::value)));
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) { evaluate_copy(c, at::value); }
};

/// zero(Tensor self)
struct zero {
    static constexpr std::string_view name = "aten.zero.default";
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, as); });
        });
    }
};

/// Operators that write what Op gives into self and return it.
template <class Op, bool OneValue>
struct writes_self {
    using at = typename Op::at;
    static constexpr auto& schema = Op::schema;
    static constexpr effects effect{.view_of = at::self,
                                    .mutates = at::self,
                                    .moves_elements = true,
                                    .is_elementwise = true,
                                    .writes_one_value = OneValue};
    static constexpr bool infer(infer_context& c) { return c.view_result(c.tensor(at::self), at::self); }
    static constexpr void evaluate(auto& c) { Op::evaluate(c); }
};
/// copy_(Tensor(a!) self, Tensor src, bool non_blocking=False)
struct copy_in_place : writes_self<copy, false> {
    static constexpr std::string_view name = "aten.copy_.default";
    static constexpr bool infer(infer_context& c) {
        return check_source(c, c.tensor(at::self), c.tensor(at::src)) && writes_self::infer(c);
    }
};
/// fill_.Scalar(Tensor(a!) self, Scalar value)
struct fill_scalar_in_place : writes_self<fill_scalar, true> {
    static constexpr std::string_view name = "aten.fill_.Scalar";
};
/// zero_(Tensor(a!) self)
struct zero_in_place : writes_self<zero, true> {
    static constexpr std::string_view name = "aten.zero_.default";
};

/// Whether the tensors of the list may be joined: u16, u32 and u64 promote with no other integers.
constexpr bool check_joined(infer_context& c, int list, dtype common) {
    for (std::int32_t k = 0; is_only_moved(common) && k < c.list_size(list); ++k)
        if (const auto& t = c.in().value_of(c.element(list, k)).type; t.type != common)
            return c.refuse(fault::dtypes_differ, facts_of(common).annotation, print(t));
    return true;
}

/// cat(Tensor[] tensors, int dim=0): joined along a dim that exists; empty tensors of rank 1 count for nothing; dtypes
/// promote
struct cat {
    static constexpr std::string_view name = "aten.cat.default";
    static constexpr effects effect{.moves_elements = true};
    enum at : int { tensors, dim };
    static constexpr parameter schema[] = {required("tensors", parameter_kind::tensor_list),
                                           defaulted("dim", parameter_kind::integer, argument::of(0))};
    static constexpr bool is_nothing(const tensor_type& t) { return t.rank == 1 && t.size(0) == 0; }
    static constexpr bool infer(infer_context& c) {
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        int_list sizes = {0};
        common_dtype common;
        int dim = 0;
        bool first = true;
        bool channels_last = true; // all of them
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            common.add(t);
            channels_last = channels_last && is_channels_last(t);
            if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
            if (is_nothing(t)) continue;
            if (first) {
                sizes = sizes_of(t);
                first = false;
                if (!c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
                continue;
            }
            if (t.rank != sizes.size)
                return c.refuse(fault::rank_is_wrong, short_text() << "rank " << sizes.size, print(t));
            for (int d = 0; d < t.rank; ++d)
                if (d != dim && t.size(d) != sizes[d])
                    return c.refuse(fault::shapes_do_not_broadcast, short_text() << sizes[d] << " in dim " << d,
                                    print(t));
            sizes[dim] = (checked_int(sizes[dim]) + t.size(dim)).get();
        }
        auto out = tensor_of(common.get(), sizes);
        if (channels_last) make_channels_last(out);
        return check_joined(c, at::tensors, common.get()) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto out = c.output(0, as);
            const int dim = c.wrap_dim(c.integer(at::dim), out.type().rank);
            std::int64_t start = 0;
            for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
                const auto in = c.list_input(at::tensors, k, as);
                if (is_nothing(in.type())) continue;
                for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                    int_list to = at;
                    to[dim] += start;
                    out.put(to, in[at]);
                });
                start += in.type().size(dim);
            }
        });
    }
};

/// stack(Tensor[] tensors, int dim=0): joined along a new dim; sizes and dtypes equal
struct stack {
    static constexpr std::string_view name = "aten.stack.default";
    static constexpr effects effect{.moves_elements = true};
    using at = cat::at;
    static constexpr auto& schema = cat::schema;
    static constexpr bool infer(infer_context& c) {
        if (c.list_size(at::tensors) == 0)
            return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        int_list sizes;
        common_dtype common;
        int dim = 0;
        for (std::int32_t k = 0; k < c.list_size(at::tensors); ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto& t = c.in().value_of(c.element(at::tensors, k)).type;
            common.add(t);
            if (k == 0) sizes = sizes_of(t);
            else if (sizes_of(t) != sizes)
                return c.refuse(fault::shapes_do_not_broadcast, print(c.in().value_of(c.element(at::tensors, 0)).type),
                                print(t));
        }
        if (sizes.size == max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", "9");
        if (!c.wrap_dim(c.integer(at::dim), sizes.size + 1, dim)) return false;
        int_list joined;
        for (int d = 0; d <= sizes.size; ++d)
            joined.push_back(d == dim ? c.list_size(at::tensors) : sizes[d - (d > dim)]);
        return check_joined(c, at::tensors, common.get()) && c.result(tensor_of(common.get(), joined));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            const auto out = c.output(0, as);
            const int dim = c.wrap_dim(c.integer(at::dim), out.type().rank);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                int_list from;
                for (int d = 0; d < at.size; ++d)
                    if (d != dim) from.push_back(at[d]);
                out.put(at, c.list_input(at::tensors, static_cast<std::int32_t>(at[dim]), as)[from]);
            });
        });
    }
};

using copy_ops =
    op_list<clone, lift_fresh_copy, contiguous, to_copy, convert_element_type, to_dtype, type_as, copy, fill_scalar,
            fill_tensor, zero, copy_in_place, fill_scalar_in_place, zero_in_place, cat, stack>;

} // namespace ahead::aten
