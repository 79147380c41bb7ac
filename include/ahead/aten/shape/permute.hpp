// SPDX-License-Identifier: MIT
// Permutations of dims: permute, transpose, movedim and their aliases. Source:
// aten/src/ATen/native/TensorShape.cpp.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
struct with_dims {
    enum at : int { self, dims };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dims", parameter_kind::int_list)};
};
} // namespace schemas

namespace detail {

/// The view in which dim i is dim dims[i] of `t`.
constexpr bool permuted(infer_context& c, const tensor_type& t, const int_list& dims, tensor_type& out) {
    if (dims.size != t.rank)
        return c.refuse(fault::rank_is_wrong, short_text() << int(t.rank) << " dims", short_text() << dims.size);
    out = t;
    unsigned seen = 0;
    for (int i = 0; i < t.rank; ++i) {
        int d = 0;
        if (!c.wrap_dim(dims[i], t.rank, d)) return false;
        if (seen >> d & 1) return c.refuse(fault::dimension_is_repeated, "each dim once", short_text() << d);
        seen |= 1u << d;
        out.sizes[static_cast<std::size_t>(i)] = t.sizes[static_cast<std::size_t>(d)];
        out.strides[static_cast<std::size_t>(i)] = t.stride(d);
    }
    return true;
}

} // namespace detail

/// permute(Tensor self, int[] dims): dim i of the result is dim dims[i] of self
struct permute : views, schemas::with_dims {
    static constexpr std::string_view name = "aten.permute.default"sv;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return detail::permuted(c, c.tensor(at::self), c.ints(at::dims), out) && c.view_result(out, at::self);
    }
};

/// permute_copy(Tensor self, int[] dims)
struct permute_copy : copies, schemas::with_dims {
    static constexpr std::string_view name = "aten.permute_copy.default"sv;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return detail::permuted(c, c.tensor(at::self), c.ints(at::dims), out) &&
               c.result(tensor_of(out.type, sizes_of(out)));
    }
    static constexpr void evaluate(auto& c) {
        const auto dims = c.ints(at::dims);
        gather_elements(c, [&](const int_list& at, const tensor_type&) {
            int_list from = at;
            for (int i = 0; i < dims.size; ++i) from[wrapped_dim(dims[i], dims.size)] = at[i];
            return from;
        });
    }
};

namespace detail {

constexpr void swap_dims(tensor_type& t, int a, int b) {
    std::swap(t.sizes[static_cast<std::size_t>(a)], t.sizes[static_cast<std::size_t>(b)]);
    std::swap(t.strides[static_cast<std::size_t>(a)], t.strides[static_cast<std::size_t>(b)]);
}

} // namespace detail

/// t(Tensor self): rank 2 transposed; rank 0 and 1 unchanged
struct t : views {
    static constexpr std::string_view name = "aten.t.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        if (out.rank > 2) return c.refuse(fault::rank_is_wrong, "rank 2 at most", print(out));
        if (out.rank == 2) detail::swap_dims(out, 0, 1);
        return c.view_result(out, at::self);
    }
};

/// transpose.int(Tensor self, int dim0, int dim1)
struct transpose : views {
    static constexpr std::string_view name = "aten.transpose.int"sv;
    enum at : int { self, dim0, dim1 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim0", parameter_kind::integer),
                                           required("dim1", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        int a = 0;
        int b = 0;
        if (!c.wrap_dim(c.integer(at::dim0), out.rank, a) || !c.wrap_dim(c.integer(at::dim1), out.rank, b))
            return false;
        if (out.rank > 0) detail::swap_dims(out, a, b);
        return c.view_result(out, at::self);
    }
};

/// swapdims(Tensor self, int dim0, int dim1): transpose
struct swapdims : transpose {
    static constexpr std::string_view name = "aten.swapdims.default"sv;
};

/// swapaxes(Tensor self, int axis0, int axis1): transpose
struct swapaxes : transpose {
    static constexpr std::string_view name = "aten.swapaxes.default"sv;
    enum at : int { self, axis0, axis1 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("axis0", parameter_kind::integer),
                                           required("axis1", parameter_kind::integer)};
};

/// mT(Tensor self): the last two dims swapped
struct matrix_transpose : views {
    static constexpr std::string_view name = "aten.mT.default"sv;
    using at = t::at;
    static constexpr auto& schema = t::schema;
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        if (out.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(out));
        detail::swap_dims(out, out.rank - 2, out.rank - 1);
        return c.view_result(out, at::self);
    }
};

/// numpy_T(Tensor self): all dims in reverse order
struct numpy_transpose : views {
    static constexpr std::string_view name = "aten.numpy_T.default"sv;
    using at = t::at;
    static constexpr auto& schema = t::schema;
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        for (int a = 0, b = out.rank - 1; a < b; ++a, --b) detail::swap_dims(out, a, b);
        return c.view_result(out, at::self);
    }
};

/// movedim.intlist(Tensor self, int[] source, int[] destination): moves each dim of source to its position in
/// destination; the others keep their order
struct movedim : views {
    static constexpr std::string_view name = "aten.movedim.intlist"sv;
    enum at : int { self, source, destination };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("source", parameter_kind::int_list),
                                           required("destination", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        const auto from = c.ints(at::source), to = c.ints(at::destination);
        if (from.size != to.size)
            return c.refuse(fault::rank_is_wrong, short_text() << from.size << " dims, as many as of source",
                            short_text() << to.size);
        int_list order; // by position: the dim that moves there
        order.size = t.rank;
        unsigned moved = 0, taken = 0;
        for (int i = 0; i < from.size; ++i) {
            int a = 0, b = 0;
            if (!c.wrap_dim(from[i], t.rank, a) || !c.wrap_dim(to[i], t.rank, b)) return false;
            if ((moved >> a & 1) || (taken >> b & 1))
                return c.refuse(fault::dimension_is_repeated, "each dim once",
                                short_text() << (moved >> a & 1 ? a : b));
            moved |= 1u << a;
            taken |= 1u << b;
            order[b] = a;
        }
        for (int place = 0, next = 0; place < t.rank; ++place) {
            if (taken >> place & 1) continue;
            while (moved >> next & 1) ++next;
            order[place] = next++;
        }
        tensor_type out;
        return detail::permuted(c, t, order, out) && c.view_result(out, at::self);
    }
};

/// movedim.int(Tensor self, int source, int destination)
struct movedim_int : movedim {
    static constexpr std::string_view name = "aten.movedim.int"sv;
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("source", parameter_kind::integer),
                                           required("destination", parameter_kind::integer)};
};

using permute_ops = op_list<permute, permute_copy, t, transpose, swapdims, swapaxes, matrix_transpose, numpy_transpose,
                            movedim, movedim_int>;

} // namespace ahead::aten
