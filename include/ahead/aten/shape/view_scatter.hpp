// SPDX-License-Identifier: MIT
// A tensor with one view of it replaced: slice_scatter, select_scatter, diagonal_scatter, as_strided_scatter. A write
// into a view becomes one of these in a functional graph. Each operator defines its view: part(call, t) is the type of
// the view of a tensor of type t.
// Invariant: all other elements of self are kept.
#pragma once
#include <ahead/aten/shape/slice.hpp>
#include <ahead/ir/broadcast.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The common first parameters.
struct scattered {
    enum at : int { self, src };
    static constexpr effects effect{.moves_elements = true, .printed_like = at::self};
};

namespace detail {

/// Copies self, then writes src into the view of the copy that `part` gives.
constexpr void scatter_view(auto& c, const tensor_type& part) {
    c.compute_any([&](auto as) {
        const auto self = c.input(scattered::self, as);
        const auto source = c.input(scattered::src, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, self[at]); });
        for_each_index(sizes_of(part),
                       [&](const int_list& at) { out.put_position(position_of(part, at), source[at]); });
    });
}

constexpr bool check_scatter(infer_context& c, const tensor_type& part) {
    const auto &self = c.tensor(scattered::self), &src = c.tensor(scattered::src);
    if (sizes_of(src) != sizes_of(part)) return c.refuse(fault::shapes_do_not_broadcast, print(part), print(src));
    return src.type == self.type || c.refuse(fault::dtypes_differ, print(self), print(src));
}

constexpr bool infer_scatter(infer_context& c, const tensor_type& part) {
    const auto& self = c.tensor(scattered::self);
    return check_scatter(c, part) && c.result(like(self, self.type));
}

} // namespace detail

/// slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1): src replaces
/// a slice
struct slice_scatter : scattered {
    static constexpr std::string_view name = "aten.slice_scatter.default"sv;
    enum at : int { self, src, dim, start, end, step };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("src", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::integer, argument::of(0)),
                                           defaulted("start", parameter_kind::optional_integer),
                                           defaulted("end", parameter_kind::optional_integer),
                                           defaulted("step", parameter_kind::integer, argument::of(1))};
    static constexpr bool infer(infer_context& c) {
        tensor_type taken;
        return slice_of(c, {.self = at::self, .dim = at::dim, .start = at::start, .end = at::end, .step = at::step},
                        taken) &&
               detail::infer_scatter(c, taken);
    }
    static constexpr tensor_type part(const auto& c, const tensor_type& t) {
        const int dim = wrapped_dim(c.integer(at::dim), t.rank);
        return sliced(t, dim, slice_bound(c, at::start, 0, t.size(dim)), c.tensor(at::src).size(dim),
                      c.integer(at::step));
    }
    static constexpr void evaluate(auto& c) { detail::scatter_view(c, part(c, c.result_type())); }
};

/// select_scatter(Tensor self, Tensor src, int dim, SymInt index): src replaces one index
struct select_scatter : scattered {
    static constexpr std::string_view name = "aten.select_scatter.default"sv;
    enum at : int { self, src, dim, index };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("src", parameter_kind::tensor),
        required("dim", parameter_kind::integer), required("index", parameter_kind::integer)};
    static constexpr tensor_type part(const auto& c, const tensor_type& t) {
        return selected(c, at::dim, at::index, t);
    }
    static constexpr bool infer(infer_context& c) {
        return check_selected(c, at::dim, at::index) && detail::infer_scatter(c, part(c, c.tensor(at::self)));
    }
    static constexpr void evaluate(auto& c) { detail::scatter_view(c, part(c, c.result_type())); }
};

/// diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1): src replaces a diagonal
struct diagonal_scatter : scattered {
    static constexpr std::string_view name = "aten.diagonal_scatter.default"sv;
    enum at : int { self, src, offset, dim1, dim2 };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("src", parameter_kind::tensor),
                                           defaulted("offset", parameter_kind::integer, argument::of(0)),
                                           defaulted("dim1", parameter_kind::integer, argument::of(0)),
                                           defaulted("dim2", parameter_kind::integer, argument::of(1))};
    static constexpr tensor_type part(const auto& c, const tensor_type& t) {
        return diagonal_of(c, at::offset, at::dim1, at::dim2, t);
    }
    static constexpr bool infer(infer_context& c) {
        return check_diagonal(c, at::dim1, at::dim2) && detail::infer_scatter(c, part(c, c.tensor(at::self)));
    }
    static constexpr void evaluate(auto& c) { detail::scatter_view(c, part(c, c.result_type())); }
};

/// as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None): src
/// replaces any view. self must be dense and have offset 0; the result has its strides.
struct as_strided_scatter : scattered {
    static constexpr std::string_view name = "aten.as_strided_scatter.default"sv;
    enum at : int { self, src, size, stride, storage_offset };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("src", parameter_kind::tensor),
        required("size", parameter_kind::int_list), required("stride", parameter_kind::int_list),
        defaulted("storage_offset", parameter_kind::optional_integer)};
    static constexpr tensor_type part(const auto& c, const tensor_type& t) {
        auto out = tensor_of(t.type, c.ints(at::size), c.ints(at::stride));
        out.offset = c.is_given(at::storage_offset) ? c.integer(at::storage_offset) : 0;
        return out;
    }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (c.ints(at::size).size != c.ints(at::stride).size)
            return c.refuse(fault::rank_is_wrong, "as many strides as sizes", short_text() << c.ints(at::stride).size);
        if (!is_dense(t) || t.offset != 0)
            return c.refuse(fault::view_needs_a_copy, "a dense tensor that begins its storage", print(t, true));
        if (!c.check_sizes(c.ints(at::size))) return false;
        const auto wanted = part(c, t);
        for (int d = 0; d < wanted.rank; ++d)
            if (wanted.stride(d) < 0)
                return c.refuse(fault::stride_must_be_positive, "strides from 0", short_text() << wanted.stride(d));
        if (!is_addressable(wanted) || wanted.offset + extent_of(wanted) > element_count(t))
            return c.refuse(fault::index_is_out_of_range, short_text() << element_count(t) << " elements",
                            print(wanted, true));
        return detail::check_scatter(c, wanted) && c.result(t);
    }
    static constexpr void evaluate(auto& c) { detail::scatter_view(c, part(c, c.result_type())); }
};

namespace detail {

/// The first parameters of gradients of views: the view's gradient, and the sizes of the viewed tensor.
struct viewed {
    enum at : int { grad_output, input_sizes, dim };
    static constexpr effects effect{.moves_elements = true};
};

/// Zeros of the given sizes, except for the view `Op::part`, which is grad_output.
template <class Op> struct gradient_of_view : viewed {
    static constexpr void evaluate(auto& c) {
        c.compute_any([&](auto as) {
            const auto gradient = c.input(viewed::grad_output, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, {}); });
            const auto part = Op::part(c, out.type());
            for_each_index(sizes_of(part),
                           [&](const int_list& at) { out.put_position(position_of(part, at), gradient[at]); });
        });
    }
    static constexpr bool infer(infer_context& c) {
        const auto& gradient = c.tensor(viewed::grad_output);
        const auto whole = tensor_of(gradient.type, c.ints(viewed::input_sizes));
        int dim = 0;
        if (!c.check_type(whole)) return false;
        if (whole.rank == 0) return c.refuse(fault::rank_is_wrong, "sizes of rank 1 at least", "none");
        if (!c.wrap_dim(c.integer(viewed::dim), whole.rank, dim) || !Op::check_view(c, whole.size(dim))) return false;
        const auto part = tensor_of(gradient.type, sizes_of(Op::part(c, whole)));
        return sizes_of(part) == sizes_of(gradient)
                   ? c.result(whole)
                   : c.refuse(fault::shapes_do_not_broadcast, print(part), print(gradient));
    }
};

} // namespace detail

/// slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step): the
/// gradient of slice's operand
struct slice_backward : detail::gradient_of_view<slice_backward> {
    static constexpr std::string_view name = "aten.slice_backward.default"sv;
    enum at : int { grad_output, input_sizes, dim, start, end, step };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("input_sizes", parameter_kind::int_list),
        required("dim", parameter_kind::integer),        required("start", parameter_kind::integer),
        required("end", parameter_kind::integer),        required("step", parameter_kind::integer)};
    static constexpr bool check_view(infer_context& c, std::int64_t) {
        const auto step = c.integer(at::step);
        return step > 0 || c.refuse(fault::stride_must_be_positive, "a step from 1", short_text() << step);
    }
    static constexpr tensor_type part(const auto& c, const tensor_type& t) {
        const int dim = wrapped_dim(c.integer(at::dim), t.rank);
        const auto step = c.integer(at::step), size = t.size(dim);
        const auto start = slice_bound(c, at::start, 0, size), end = slice_bound(c, at::end, size, size);
        return sliced(t, dim, start, end > start ? pieces_of(end - start, step) : 0, step);
    }
};

/// select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index): the gradient of select's operand
struct select_backward : detail::gradient_of_view<select_backward> {
    static constexpr std::string_view name = "aten.select_backward.default"sv;
    enum at : int { grad_output, input_sizes, dim, index };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("input_sizes", parameter_kind::int_list),
        required("dim", parameter_kind::integer), required("index", parameter_kind::integer)};
    static constexpr bool check_view(infer_context& c, std::int64_t size) {
        const auto index = c.integer(at::index);
        return (index >= -size && index < size) ||
               c.refuse(fault::index_is_out_of_range, short_text() << size << " elements", short_text() << index);
    }
    static constexpr tensor_type part(const auto& c, const tensor_type& t) {
        return selected(c, at::dim, at::index, t);
    }
};

using view_scatter_ops =
    op_list<slice_scatter, select_scatter, diagonal_scatter, as_strided_scatter, slice_backward, select_backward>;

} // namespace ahead::aten
