// SPDX-License-Identifier: MIT
// Views of a part: slice, narrow, select, diagonal; unfold.
// Invariant: every result aliases the storage of self. Source: aten/src/ATen/native/TensorShape.cpp.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Elements start, start + step, ... of a dim.
constexpr tensor_type sliced(tensor_type t, int dim, std::int64_t start, std::int64_t count, std::int64_t step = 1) {
    const auto d = static_cast<std::size_t>(dim);
    t.offset += start * t.strides[d];
    t.sizes[d] = count;
    t.strides[d] = (checked_int(t.strides[d]) * step).get();
    return t;
}

/// The least number of pieces of `each` elements that cover `size`. pre: size >= 0, each > 0
constexpr std::int64_t pieces_of(std::int64_t size, std::int64_t each) { return size / each + (size % each != 0); }

/// The dim that a parameter names; refuses a tensor of rank 0.
constexpr bool find_dim(infer_context& c, int parameter, const tensor_type& t, int& dim) {
    if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
    return c.wrap_dim(c.integer(parameter), t.rank, dim);
}
/// A bound of a slice, clamped as in Python.
constexpr std::int64_t slice_bound(const auto& c, int parameter, std::int64_t usual, std::int64_t size) {
    const auto at = c.is_given(parameter) ? wrapped(c.integer(parameter), size) : usual;
    return at < 0 ? 0 : at < size ? at : size;
}
/// Parameter numbers of a slice.
struct slice_parameters {
    int self, dim, start, end, step;
};

/// The slice that these parameters select.
constexpr bool slice_of(infer_context& c, const slice_parameters& of, tensor_type& out) {
    const auto& t = c.tensor(of.self);
    int dim = 0;
    if (!find_dim(c, of.dim, t, dim)) return false;
    const auto size = t.size(dim);
    const auto step = c.integer(of.step);
    if (step < 1) return c.refuse(fault::stride_must_be_positive, "a step from 1", short_text() << step);
    const auto start = slice_bound(c, of.start, 0, size), end = slice_bound(c, of.end, size, size);
    out = sliced(t, dim, start, end > start ? pieces_of(end - start, step) : 0, step);
    return true;
}

/// slice.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1): bounds are clamped as in
/// Python
struct slice : views {
    static constexpr std::string_view name = "aten.slice.Tensor"sv;
    enum at : int { self, dim, start, end, step };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), defaulted("dim", parameter_kind::integer, argument::of(0)),
        defaulted("start", parameter_kind::optional_integer), defaulted("end", parameter_kind::optional_integer),
        defaulted("step", parameter_kind::integer, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return slice_of(c, {.self = at::self, .dim = at::dim, .start = at::start, .end = at::end, .step = at::step},
                        out) &&
               c.view_result(out, at::self);
    }
};

/// narrow(Tensor self, int dim, SymInt start, SymInt length)
struct narrow : views {
    static constexpr std::string_view name = "aten.narrow.default"sv;
    enum at : int { self, dim, start, length };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dim", parameter_kind::integer),
        required("start", parameter_kind::integer), required("length", parameter_kind::integer)};
    static constexpr bool narrowed(infer_context& c, tensor_type& out) {
        const auto& t = c.tensor(at::self);
        int dim = 0;
        if (!find_dim(c, at::dim, t, dim)) return false;
        const auto start = wrapped(c.integer(at::start), t.size(dim));
        if (!c.check_sizes({c.integer(at::length)}, "a length from 0")) return false;
        if (const auto end = checked_int(start) + c.integer(at::length); start < 0 || end.get() > t.size(dim))
            return c.refuse(fault::index_is_out_of_range, short_text() << t.size(dim) << " elements",
                            short_text() << end.get());
        out = sliced(t, dim, start, c.integer(at::length));
        return true;
    }
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return narrowed(c, out) && c.view_result(out, at::self);
    }
};

/// narrow_copy(Tensor self, int dim, SymInt start, SymInt length): a row-major copy
struct narrow_copy {
    static constexpr std::string_view name = "aten.narrow_copy.default"sv;
    static constexpr effects effect{.moves_elements = true};
    using at = narrow::at;
    static constexpr auto& schema = narrow::schema;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        return narrow::narrowed(c, out) && c.result(tensor_of(out.type, sizes_of(out)));
    }
    static constexpr void evaluate(auto& c) {
        gather_elements(c, [&](int_list at, const tensor_type& t) {
            const int dim = wrapped_dim(c.integer(narrow::dim), t.rank);
            at[dim] += wrapped(c.integer(narrow::start), t.size(dim));
            return at;
        });
    }
};

/// Refuses a dim of the first parameter, or an index in it, that is out of range.
constexpr bool check_selected(infer_context& c, int dim_at, int index_at) {
    const auto& t = c.tensor(first_parameter);
    int dim = 0;
    if (!find_dim(c, dim_at, t, dim)) return false;
    const auto index = wrapped(c.integer(index_at), t.size(dim));
    return (index >= 0 && index < t.size(dim)) ||
           c.refuse(fault::index_is_out_of_range, short_text() << t.size(dim) << " elements",
                    short_text() << c.integer(index_at));
}
/// The view of t at that index.
constexpr tensor_type selected(const auto& c, int dim_at, int index_at, const tensor_type& t) {
    const int dim = wrapped_dim(c.integer(dim_at), t.rank);
    auto out = sliced(t, dim, wrapped(c.integer(index_at), t.size(dim)), 1);
    remove_dim(out, dim);
    return out;
}

/// select.int(Tensor self, int dim, SymInt index): removes the dim
struct select : views {
    static constexpr std::string_view name = "aten.select.int"sv;
    enum at : int { self, dim, index };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer),
                                           required("index", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        return check_selected(c, at::dim, at::index) &&
               c.view_result(selected(c, at::dim, at::index, c.tensor(at::self)), at::self);
    }
};

/// Refuses dims of the first parameter that are out of range or equal.
constexpr bool check_diagonal(infer_context& c, int dim1_at, int dim2_at) {
    const auto& t = c.tensor(first_parameter);
    int a = 0, b = 0;
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    if (!c.wrap_dim(c.integer(dim1_at), t.rank, a) || !c.wrap_dim(c.integer(dim2_at), t.rank, b)) return false;
    return a != b || c.refuse(fault::dimension_is_repeated, "two dims", short_text() << a);
}
/// The diagonal of these dims, shifted towards the second, as the last dim.
constexpr tensor_type diagonal_of(const auto& c, int offset_at, int dim1_at, int dim2_at, const tensor_type& self) {
    const auto shift = c.integer(offset_at);
    const int a = wrapped_dim(c.integer(dim1_at), self.rank), b = wrapped_dim(c.integer(dim2_at), self.rank);
    const auto rows = self.size(a) + (shift < 0 ? shift : 0);
    const auto columns = self.size(b) - (shift > 0 ? shift : 0);
    const auto least = rows < columns ? rows : columns;
    const auto count = least > 0 ? least : 0;
    const auto stride = self.stride(a) + self.stride(b);
    auto out = self;
    if (count > 0) out.offset += shift > 0 ? shift * self.stride(b) : -shift * self.stride(a);
    remove_dim(out, a > b ? a : b);
    remove_dim(out, a > b ? b : a);
    out.sizes[out.rank] = count;
    out.strides[out.rank] = stride;
    ++out.rank;
    return out;
}

/// diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1): the diagonal of two dims becomes the last dim
struct diagonal : views {
    static constexpr std::string_view name = "aten.diagonal.default"sv;
    enum at : int { self, offset, dim1, dim2 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("offset", parameter_kind::integer, argument::of(0)),
                                           defaulted("dim1", parameter_kind::integer, argument::of(0)),
                                           defaulted("dim2", parameter_kind::integer, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        return check_diagonal(c, at::dim1, at::dim2) &&
               c.view_result(diagonal_of(c, at::offset, at::dim1, at::dim2, c.tensor(at::self)), at::self);
    }
};

/// unfold(Tensor self, int dimension, int size, int step): windows of a dim; their elements become the last dim
struct unfold : views {
    static constexpr std::string_view name = "aten.unfold.default"sv;
    enum at : int { self, dimension, size, step };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("dimension", parameter_kind::integer),
        required("size", parameter_kind::integer), required("step", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        auto out = c.tensor(at::self);
        int dim = 0;
        if (out.rank == max_rank) return c.refuse(fault::rank_is_wrong, "rank 7 at most", print(out));
        if (!c.wrap_dim(c.integer(at::dimension), out.rank, dim)) return false;
        const auto size = c.integer(at::size);
        const auto step = c.integer(at::step);
        const std::int64_t extent = out.rank == 0 ? 1 : out.size(dim), stride = out.rank == 0 ? 1 : out.stride(dim);
        if (step < 1) return c.refuse(fault::stride_must_be_positive, "a step from 1", short_text() << step);
        if (!c.check_sizes({size}, "a size from 0")) return false;
        if (size > extent) return c.refuse(fault::window_does_not_fit, short_text() << extent, short_text() << size);
        if (out.rank > 0) out = sliced(out, dim, 0, (extent - size) / step + 1, step);
        out.sizes[out.rank] = size;
        out.strides[out.rank] = stride;
        ++out.rank;
        return c.view_result(out, at::self);
    }
};

using slice_ops = op_list<slice, narrow, narrow_copy, select, diagonal, unfold>;

} // namespace ahead::aten
