// SPDX-License-Identifier: MIT
// Views with more or fewer dims, or with repeated elements: unsqueeze, squeeze, expand, meshgrid; identity views:
// detach, alias; getitem. Source: aten/src/ATen/native/TensorShape.cpp.
#pragma once
#include <ahead/aten/shape/slice.hpp>
#include <ahead/aten/shape/view.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
struct with_dim {
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer)};
};
} // namespace schemas

namespace detail {

/// Removes the dims of the first parameter that have size 1 and whose bit is set.
constexpr bool infer_squeeze(infer_context& c, unsigned dims) {
    auto out = c.tensor(first_parameter);
    for (int d = out.rank; d-- > 0;)
        if ((dims >> d & 1) && out.size(d) == 1) remove_dim(out, d);
    return c.view_result(out, first_parameter);
}

} // namespace detail

/// squeeze(Tensor self): removes every dim of size 1
struct squeeze : views {
    static constexpr std::string_view name = "aten.squeeze.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return detail::infer_squeeze(c, ~0u); }
};

/// squeeze.dims(Tensor self, int[] dim): removes those of the listed dims that have size 1
struct squeeze_dims : views {
    static constexpr std::string_view name = "aten.squeeze.dims"sv;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::int_list)};
    static constexpr bool find_dims(infer_context& c, unsigned& dims) {
        for (auto given : c.ints(at::dim)) {
            int d = 0;
            if (!c.wrap_dim(given, c.tensor(at::self).rank, d)) return false;
            dims |= 1u << d;
        }
        return true;
    }
    static constexpr bool infer(infer_context& c) {
        unsigned dims = 0;
        return find_dims(c, dims) && detail::infer_squeeze(c, dims);
    }
};

/// squeeze_copy.dims(Tensor self, int[] dim)
struct squeeze_copy : copies {
    static constexpr std::string_view name = "aten.squeeze_copy.dims"sv;
    using at = squeeze_dims::at;
    static constexpr auto& schema = squeeze_dims::schema;
    static constexpr bool infer(infer_context& c) {
        unsigned dims = 0;
        if (!squeeze_dims::find_dims(c, dims)) return false;
        const auto& t = c.tensor(at::self);
        int_list sizes;
        for (int d = 0; d < t.rank; ++d)
            if (!(dims >> d & 1) || t.size(d) != 1) sizes.push_back(t.size(d));
        return c.result(tensor_of(t.type, sizes));
    }
};

/// squeeze.dim(Tensor self, int dim)
struct squeeze_dim : squeeze_dims {
    static constexpr std::string_view name = "aten.squeeze.dim"sv;
    static constexpr auto& schema = schemas::with_dim::schema;
};

/// unsqueeze(Tensor self, int dim): inserts a dim of size 1 before dim
struct unsqueeze : views, schemas::with_dim {
    static constexpr std::string_view name = "aten.unsqueeze.default"sv;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        int dim = 0;
        if (t.rank == max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", print(t));
        if (!c.wrap_dim(c.integer(at::dim), t.rank + 1, dim)) return false;
        auto out = t;
        insert_dim(out, dim);
        return c.view_result(out, at::self);
    }
};

namespace detail {

/// The view of `self` with dims of size 1 repeated; -1 keeps a size.
constexpr bool expanded(infer_context& c, const tensor_type& self, int_list sizes, tensor_type& out) {
    if (sizes.size < self.rank)
        return c.refuse(fault::rank_is_wrong, short_text() << int(self.rank) << " sizes at least",
                        short_text() << sizes.size);
    out = tensor_of(self.type, {});
    out.rank = static_cast<std::uint8_t>(sizes.size);
    out.offset = self.offset;
    for (int d = sizes.size - 1; d >= 0; --d) {
        const int own = d - (sizes.size - self.rank);
        const std::int64_t size = own >= 0 ? self.size(own) : 1;
        if (sizes[d] == -1 && own >= 0) sizes[d] = size;
        if (sizes[d] < 0)
            return c.refuse(fault::size_is_negative,
                            own >= 0 ? "sizes from 0, or -1 for its own" : "sizes from 0 of new dims",
                            short_text() << sizes[d]);
        if (size != sizes[d] && size != 1)
            return c.refuse(fault::shapes_do_not_broadcast, short_text() << size, short_text() << sizes[d]);
        out.sizes[static_cast<std::size_t>(d)] = sizes[d];
        // a new dim of size 1 continues the row-major order, like PyTorch's inferExpandGeometry
        const auto next = d + 1 < sizes.size ? (checked_int(out.size(d + 1)) * out.stride(d + 1)).get() : 1;
        const auto stride = own >= 0 ? self.stride(own) : next;
        out.strides[static_cast<std::size_t>(d)] = size == sizes[d] ? stride : 0;
    }
    return true;
}

} // namespace detail

/// expand(Tensor self, SymInt[] size, *, bool implicit=False)
struct expand : views {
    static constexpr std::string_view name = "aten.expand.default"sv;
    enum at : int { self, size, implicit };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list),
                                           defaulted("implicit", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return detail::expanded(c, c.tensor(at::self), c.ints(at::size), out) && c.view_result(out, at::self);
    }
};

/// broadcast_to(Tensor self, SymInt[] size): expand
struct broadcast_to : expand {
    static constexpr std::string_view name = "aten.broadcast_to.default"sv;
    using at = schemas::with_size::at;
    static constexpr auto& schema = schemas::with_size::schema;
};

/// expand_as(Tensor self, Tensor other): expand to the sizes of other
struct expand_as : views, schemas::self_and_other {
    static constexpr std::string_view name = "aten.expand_as.default"sv;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return detail::expanded(c, c.tensor(at::self), sizes_of(c.tensor(at::other)), out) &&
               c.view_result(out, at::self);
    }
};

/// Which of the first two tensors varies along the rows.
enum class grid_indexing { ij, xy };

/// meshgrid.indexing(Tensor[] tensors, *, str indexing): each tensor varies along a separate dim and is expanded along
/// the others; 'xy' swaps the first two dims
struct meshgrid_indexing : views {
    static constexpr std::string_view name = "aten.meshgrid.indexing"sv;
    enum at : int { tensors, indexing };
    static constexpr parameter schema[] = {required("tensors", parameter_kind::tensor_list),
                                           one_of<grid_indexing>(required("indexing", parameter_kind::string))};
    static constexpr bool infer(infer_context& c) {
        return infer_grid(c, c.word<grid_indexing>(at::indexing) == grid_indexing::xy);
    }
    static constexpr bool infer_grid(infer_context& c, bool swaps) {
        const auto count = c.list_size(at::tensors);
        if (count == 0) return c.refuse(fault::argument_is_missing, "one tensor at least", "an empty list");
        if (count > max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 tensors", short_text() << count);
        const auto place_of = [&](int k) { return swaps && count > 1 && k < 2 ? 1 - k : k; };
        int_list sizes;
        sizes.size = count;
        for (std::int32_t k = 0; k < count; ++k) {
            if (c.element(at::tensors, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "tensors", "None");
            const auto &t = c.in().value_of(c.element(at::tensors, k)).type,
                       &first = c.in().value_of(c.element(at::tensors, 0)).type;
            if (t.rank > 1) return c.refuse(fault::rank_is_wrong, "rank 1 at most", print(t));
            if (t.type != first.type) return c.refuse(fault::dtypes_differ, facts_of(first.type).annotation, print(t));
            sizes[place_of(k)] = element_count(t);
        }
        if (!c.results(count)) return false;
        for (std::int32_t k = 0; k < count; ++k) {
            const auto given = c.element(at::tensors, k);
            const auto& t = c.in().value_of(given).type;
            auto out = tensor_of(t.type, sizes);
            for (int d = 0; d < count; ++d)
                out.strides[static_cast<std::size_t>(d)] = d == place_of(k) && t.rank == 1 ? t.stride(0) : 0;
            out.offset = t.offset;
            if (!c.set_view(k, out, given)) return false;
        }
        return true;
    }
};

/// meshgrid(Tensor[] tensors): with indexing 'ij'
struct meshgrid : meshgrid_indexing {
    static constexpr std::string_view name = "aten.meshgrid.default"sv;
    enum at : int { tensors };
    static constexpr parameter schema[] = {required("tensors", parameter_kind::tensor_list)};
    static constexpr bool infer(infer_context& c) { return infer_grid(c, false); }
};

/// expand_copy(Tensor self, SymInt[] size, *, bool implicit=False)
struct expand_copy {
    static constexpr std::string_view name = "aten.expand_copy.default"sv;
    static constexpr effects effect{.moves_elements = true};
    using at = expand::at;
    static constexpr auto& schema = expand::schema;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return detail::expanded(c, c.tensor(at::self), c.ints(at::size), out) &&
               c.result(tensor_of(out.type, sizes_of(out)));
    }
    static constexpr void evaluate(auto& c) {
        gather_elements(c, [](const int_list& at, const tensor_type& t) { return broadcast_index(t, at); });
    }
};

namespace detail {

/// A result that is the operand itself.
struct same_tensor : views {
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.view_result(c.tensor(at::self), at::self); }
};

} // namespace detail

/// detach(Tensor self)
struct detach : detail::same_tensor {
    static constexpr std::string_view name = "aten.detach.default"sv;
};

/// alias(Tensor self)
struct alias : detail::same_tensor {
    static constexpr std::string_view name = "aten.alias.default"sv;
};

/// operator.getitem(results, int index): one result of an operator with several; a negative index is refused
struct getitem : views {
    static constexpr std::string_view name = "operator.getitem"sv;
    enum at : int { results, index };
    static constexpr parameter schema[] = {required("results", parameter_kind::tensor),
                                           required("index", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto from = c.at(at::results).node();
        const auto count = c.in()[from].values.count;
        const auto index = c.integer(at::index); // PyTorch accepts indices from 0
        if (index < 0 || index >= count)
            return c.refuse(fault::index_is_out_of_range, short_text() << "a result from 0 to " << count - 1,
                            short_text() << c.integer(at::index));
        const auto picked = argument::of(from, static_cast<std::int32_t>(index));
        return c.results(1) && c.set_view(0, c.in().value_of(picked).type, picked);
    }
};

using expand_ops = op_list<squeeze, squeeze_dims, squeeze_copy, squeeze_dim, unsqueeze, expand, broadcast_to, expand_as,
                           meshgrid_indexing, meshgrid, expand_copy, detach, alias, getitem>;

} // namespace ahead::aten
