// SPDX-License-Identifier: MIT
// Views that regroup dims: view, reshape, ravel, flatten, unflatten, as_strided and their kin.
// Invariant: the result's strides are PyTorch's, also for dims of size 1. reshape, ravel and flatten copy if the
// strides do not allow a view; the value's storage tells which, so they do not declare an effect. Source:
// aten/src/ATen/native/TensorShape.cpp, aten/src/ATen/TensorUtils.cpp (computeStride).
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// A view of `t` with these sizes, if the strides allow one. pre: equal element counts.
constexpr bool view_strides(const tensor_type& t, const int_list& sizes, tensor_type& out) {
    out = tensor_of(t.type, sizes);
    out.offset = t.offset;
    if (element_count(t) == 0) {
        if (sizes == sizes_of(t)) out.strides = t.strides;
        return true;
    }
    std::int64_t base = t.rank > 0 ? t.stride(t.rank - 1) : 1;
    std::int64_t chunk = 1;   // elements of the current run of mergeable dims of t
    std::int64_t covered = 1; // elements of the run that the view's dims cover
    int v = sizes.size - 1;
    for (int d = t.rank - 1; d >= 0; --d) {
        chunk *= t.size(d);
        if (d > 0 && (t.size(d - 1) == 1 || t.stride(d - 1) == chunk * base)) continue;
        for (; v >= 0 && (covered < chunk || (covered == chunk && sizes[v] == 1)); --v) {
            out.strides[static_cast<std::size_t>(v)] = covered * base;
            covered *= sizes[v];
        }
        if (covered != chunk) return false;
        if (d > 0) base = t.stride(d - 1);
        chunk = covered = 1;
    }
    for (; v >= 0 && t.rank == 0; --v) out.strides[static_cast<std::size_t>(v)] = 1;
    return v < 0;
}

/// Replaces a -1 by the size that the element count implies. pre: `t` is addressable
constexpr bool resolve_sizes(infer_context& c, const tensor_type& t, int_list& sizes) {
    checked_int product = 1;
    int open = -1;
    for (int d = 0; d < sizes.size; ++d) {
        if (sizes[d] < -1)
            return c.refuse(fault::size_is_negative, "sizes from 0, or one -1", short_text() << sizes[d]);
        if (sizes[d] != -1) product = product * sizes[d];
        else if (open < 0) open = d;
        else return c.refuse(fault::dimension_is_repeated, "one -1 at most", "two");
    }
    const auto count = element_count(t), known = product.get();
    if (open >= 0 && known == 0 && count == 0)
        return c.refuse(fault::element_counts_differ, "a size in place of -1, since any would do", "-1 beside 0");
    if (open >= 0 && known != 0 && count % known == 0) sizes[open] = count / known;
    else if (open >= 0 || known != count)
        return c.refuse(fault::element_counts_differ, short_text() << count << " elements", short_text() << known);
    return true;
}

} // namespace detail

namespace schemas {
struct with_size {
    enum at : int { self, size };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list)};
};
} // namespace schemas

namespace detail {

/// A view of the first parameter with other sizes; refused if the strides do not allow one.
constexpr bool infer_view(infer_context& c, int_list sizes) {
    const auto& self = c.tensor(first_parameter);
    tensor_type out;
    if (!resolve_sizes(c, self, sizes)) return false;
    if (!view_strides(self, sizes, out)) return c.refuse(fault::view_needs_a_copy, print(out), print(self, true));
    return c.view_result(out, first_parameter);
}

/// A view if the strides allow it, else a copy.
constexpr bool infer_reshape(infer_context& c, int_list sizes) {
    const auto& self = c.tensor(first_parameter);
    tensor_type out;
    if (!resolve_sizes(c, self, sizes)) return false;
    if (view_strides(self, sizes, out)) return c.view_result(out, first_parameter);
    return c.result(tensor_of(self.type, sizes));
}

} // namespace detail

/// view(Tensor self, SymInt[] size): one size may be -1
struct view : views, schemas::with_size {
    static constexpr std::string_view name = "aten.view.default"sv;
    static constexpr bool infer(infer_context& c) { return detail::infer_view(c, c.ints(at::size)); }
};

/// view_as(Tensor self, Tensor other): view with the sizes of other
struct view_as : views, schemas::self_and_other {
    static constexpr std::string_view name = "aten.view_as.default"sv;
    static constexpr bool infer(infer_context& c) { return detail::infer_view(c, sizes_of(c.tensor(at::other))); }
};

/// _unsafe_view(Tensor self, SymInt[] size): view
struct unsafe_view : view {
    static constexpr std::string_view name = "aten._unsafe_view.default"sv;
};

/// reshape(Tensor self, SymInt[] shape)
struct reshape : copies {
    static constexpr std::string_view name = "aten.reshape.default"sv;
    enum at : int { self, shape };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("shape", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) { return detail::infer_reshape(c, c.ints(at::shape)); }
};

/// reshape_as(Tensor self, Tensor other): reshape to the sizes of other
struct reshape_as : copies, schemas::self_and_other {
    static constexpr std::string_view name = "aten.reshape_as.default"sv;
    static constexpr bool infer(infer_context& c) { return detail::infer_reshape(c, sizes_of(c.tensor(at::other))); }
};

/// ravel(Tensor self): one dim of all elements; a view if self is row-major
struct ravel : copies {
    static constexpr std::string_view name = "aten.ravel.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        auto out = tensor_of(t.type, {element_count(t)});
        if (!is_contiguous(t)) return c.result(out);
        out.offset = t.offset;
        return c.view_result(out, at::self);
    }
};

/// view_copy(Tensor self, SymInt[] size)
struct view_copy : copies, schemas::with_size {
    static constexpr std::string_view name = "aten.view_copy.default"sv;
    static constexpr bool infer(infer_context& c) {
        auto sizes = c.ints(at::size);
        return detail::resolve_sizes(c, c.tensor(at::self), sizes) &&
               c.result(tensor_of(c.tensor(at::self).type, sizes));
    }
};

/// flatten.using_ints(Tensor self, int start_dim=0, int end_dim=-1): merges dims start_dim to end_dim
struct flatten : copies {
    static constexpr std::string_view name = "aten.flatten.using_ints"sv;
    enum at : int { self, start_dim, end_dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("start_dim", parameter_kind::integer, argument::of(0)),
                                           defaulted("end_dim", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int first = 0;
        int last = 0;
        if (!c.wrap_dim(c.integer(at::start_dim), t.rank, first) || !c.wrap_dim(c.integer(at::end_dim), t.rank, last))
            return false;
        if (first > last)
            return c.refuse(fault::dimension_is_out_of_range, "start_dim before end_dim", short_text() << first);
        int_list sizes;
        std::int64_t joined = 1;
        for (int d = 0; d < t.rank; ++d) {
            joined = d > first && d <= last ? joined * t.size(d) : t.size(d);
            if (d < first || d >= last) sizes.push_back(joined);
        }
        if (t.rank == 0) sizes.push_back(1);
        return detail::infer_reshape(c, sizes);
    }
};

/// unflatten.int(Tensor self, int dim, SymInt[] sizes): splits one dim
struct unflatten : views {
    static constexpr std::string_view name = "aten.unflatten.int"sv;
    enum at : int { self, dim, sizes };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("sizes", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int dim = 0;
        if (!c.wrap_dim(c.integer(at::dim), t.rank, dim)) return false;
        auto parts = c.ints(at::sizes);
        if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
        if (!detail::resolve_sizes(c, tensor_of(t.type, {t.size(dim)}), parts)) return false;
        if (t.rank + parts.size - 1 > max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", print(t));
        int_list sizes;
        for (int d = 0; d < t.rank; ++d) {
            if (d != dim) sizes.push_back(t.size(d));
            else
                for (auto s : parts) sizes.push_back(s);
        }
        return detail::infer_view(c, sizes);
    }
};

/// _reshape_alias(Tensor self, SymInt[] size, SymInt[] stride): a view with given strides
struct reshape_alias : views {
    static constexpr std::string_view name = "aten._reshape_alias.default"sv;
    enum at : int { self, size, stride };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) { return detail::infer_view(c, c.ints(at::size)); }
};

/// as_strided(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None): any view of the storage
struct as_strided : views {
    static constexpr std::string_view name = "aten.as_strided.default"sv;
    enum at : int { self, size, stride, storage_offset };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("size", parameter_kind::int_list),
        required("stride", parameter_kind::int_list), defaulted("storage_offset", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto sizes = c.ints(at::size);
        const auto strides = c.ints(at::stride);
        if (sizes.size != strides.size)
            return c.refuse(fault::rank_is_wrong, "as many strides as sizes", short_text() << strides.size);
        if (!c.check_sizes(sizes)) return false;
        auto out = tensor_of(c.tensor(at::self).type, sizes);
        for (int d = 0; d < out.rank; ++d) {
            if (strides[d] < 0)
                return c.refuse(fault::stride_must_be_positive, "strides from 0", short_text() << strides[d]);
            out.strides[static_cast<std::size_t>(d)] = strides[d];
        }
        out.offset = c.is_given(at::storage_offset) ? c.integer(at::storage_offset) : c.tensor(at::self).offset;
        const auto& owner = c.in()[c.in().value_of(c.at(at::self)).storage].type;
        const auto held = owner.offset + extent_of(owner);
        if (!is_addressable(out) || out.offset + extent_of(out) > held)
            return c.refuse(fault::index_is_out_of_range, short_text() << held << " elements of storage",
                            print(out, true));
        return c.view_result(out, at::self);
    }
};

/// as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None): as_strided, copied
struct as_strided_copy {
    static constexpr std::string_view name = "aten.as_strided_copy.default"sv;
    static constexpr effects effect{.moves_elements = true};
    using at = as_strided::at;
    static constexpr auto& schema = as_strided::schema;
    static constexpr bool infer(infer_context& c) {
        if (!as_strided::infer(c)) return false;
        return c.result(tensor_of(c.tensor(at::self).type, c.ints(at::size)));
    }
    static constexpr void evaluate(auto& c) {
        const auto strides = c.ints(at::stride);
        const auto first = c.is_given(at::storage_offset) ? c.integer(at::storage_offset) : c.tensor(at::self).offset;
        c.compute_any([&](auto as) {
            const auto in = c.input(at::self, as);
            for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
                auto place = first;
                for (int d = 0; d < at.size; ++d) place += at[d] * strides[d];
                c.output(0, as).put(at, in.at_position(place));
            });
        });
    }
};

/// resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None): self, if the sizes do not change.
/// Other sizes are refused: readers of self rely on a single type of it, and the plan owns its storage.
struct resize : views {
    static constexpr std::string_view name = "aten.resize_.default"sv;
    enum at : int { self, size, memory_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list),
                                           defaulted("memory_format", parameter_kind::memory_format)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (c.is_given(at::memory_format))
            return c.refuse(fault::in_place_needs_alias_analysis, "contiguous, a copy, in place of a memory format",
                            c.at(at::memory_format).text);
        if (sizes_of(t) != c.ints(at::size))
            return c.refuse(fault::in_place_needs_alias_analysis,
                            short_text() << "a new tensor, or as_strided for fewer elements than " << print(t).view(),
                            print(tensor_of(t.type, c.ints(at::size))));
        return c.view_result(t, at::self);
    }
};

using view_ops = op_list<view, view_as, unsafe_view, reshape, reshape_as, ravel, view_copy, flatten, unflatten,
                         reshape_alias, as_strided, as_strided_copy, resize>;

} // namespace ahead::aten
