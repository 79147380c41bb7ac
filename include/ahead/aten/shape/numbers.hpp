// SPDX-License-Identifier: MIT
// Numbers read from tensors. Numbers of a type, such as sym_size, are known: readers of the call get the number as a
// constant. The element of a one-element tensor is data: a view of rank 0, for operators that accept a tensor instead
// of a number; operators that accept only a number refuse it.
// Source: aten/src/ATen/native/TensorProperties.cpp, Scalar.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The dtype that holds the number exactly: f64 for a real one, unlike the default dtype in dtype_of_number.
constexpr dtype exact_dtype_of(const argument& number) {
    return number.kind == argument_kind::real      ? dtype::f64
           : number.kind == argument_kind::boolean ? dtype::b8
                                                   : dtype::i64;
}
/// Replaces the call by the number in its readers; if the call is returned, its result is a tensor of the number.
constexpr bool give_number(infer_context& c, const argument& number) {
    if (number.kind == argument_kind::none)
        return c.refuse(fault::argument_has_wrong_kind, "a number of i64", "one that is larger");
    give_readers(c.in(), c.id(), number);
    return c.result(tensor_of(exact_dtype_of(number), {}));
}
constexpr void put_number(auto& c, const argument& number) {
    if (number.kind == argument_kind::real) c.output(0, double{}).put({}, number.real());
    else c.output(0, std::int64_t{}).put({}, number.bits);
}

/// An operator that returns Op::of(call), a number of its first parameter's type.
template <class Op> struct type_number {
    static constexpr effects effect{.gives_number = true};
    static constexpr bool infer(infer_context& c) {
        if constexpr (requires { Op::at::dim; }) {
            int dim = 0;
            const auto& t = c.tensor(first_parameter);
            if (t.rank == 0) return c.refuse(fault::dimension_is_out_of_range, "a tensor that has dims", print(t));
            if (!c.wrap_dim(c.integer(Op::at::dim), t.rank, dim)) return false;
        }
        return give_number(c, number_of(c));
    }
    static constexpr argument number_of(const auto& c) { return argument::of(Op::of(c)); }
    static constexpr void evaluate(auto& c) { put_number(c, number_of(c)); }
};

constexpr int asked_dim(const auto& c, int dim) { return wrapped_dim(c.integer(dim), c.tensor(first_parameter).rank); }

} // namespace detail

/// sym_size.int(Tensor self, int dim)
struct sym_size : detail::type_number<sym_size> {
    static constexpr std::string_view name = "aten.sym_size.int"sv;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer)};
    static constexpr std::int64_t of(const auto& c) { return c.tensor(at::self).size(detail::asked_dim(c, at::dim)); }
};

/// sym_stride.int(Tensor self, int dim)
struct sym_stride : detail::type_number<sym_stride> {
    static constexpr std::string_view name = "aten.sym_stride.int"sv;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::integer)};
    static constexpr std::int64_t of(const auto& c) { return c.tensor(at::self).stride(detail::asked_dim(c, at::dim)); }
};

/// sym_numel(Tensor self)
struct sym_numel : detail::type_number<sym_numel> {
    static constexpr std::string_view name = "aten.sym_numel.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr std::int64_t of(const auto& c) { return element_count(c.tensor(at::self)); }
};

/// sym_storage_offset(Tensor self)
struct sym_storage_offset : detail::type_number<sym_storage_offset> {
    static constexpr std::string_view name = "aten.sym_storage_offset.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr std::int64_t of(const auto& c) { return c.tensor(at::self).offset; }
};

/// _local_scalar_dense(Tensor self): the element of a one-element tensor, in its dtype
struct local_scalar_dense : views {
    static constexpr std::string_view name = "aten._local_scalar_dense.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (element_count(t) != 1) return c.refuse(fault::element_counts_differ, "1 element", print(t));
        auto out = tensor_of(t.type, {});
        out.offset = t.offset;
        return c.view_result(out, at::self);
    }
};

/// item(Tensor self): _local_scalar_dense
struct item : local_scalar_dense {
    static constexpr std::string_view name = "aten.item.default"sv;
};

/// _assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device?
/// device=None, Layout? layout=None) -> (): checked at compile time and refused if it fails; nothing runs
struct assert_tensor_metadata {
    static constexpr std::string_view name = "aten._assert_tensor_metadata.default"sv;
    enum at : int { a, size, stride, dtype, device, layout };
    static constexpr effects effect{.takes_complex = true, .gives_number = true}; // without a result
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           defaulted("size", parameter_kind::optional_int_list),
                                           defaulted("stride", parameter_kind::optional_int_list),
                                           schemas::dtype_option,
                                           schemas::device_option,
                                           schemas::layout_option};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::a);
        if (c.is_given(at::dtype) && c.type(at::dtype) != t.type)
            return c.refuse(fault::annotation_differs_from_inference, facts_of(c.type(at::dtype)).annotation, print(t));
        auto asserted = t;
        if (c.is_given(at::size)) asserted = tensor_of(t.type, c.ints(at::size));
        if (sizes_of(asserted) != sizes_of(t))
            return c.refuse(fault::annotation_differs_from_inference, print(asserted), print(t));
        if (!c.is_given(at::stride)) return c.results(0);
        const auto strides = c.ints(at::stride);
        bool holds = strides.size == t.rank;
        for (int d = 0; holds && d < t.rank; ++d) holds = t.size(d) == 1 || strides[d] == t.stride(d);
        return holds ? c.results(0)
                     : c.refuse(fault::annotation_differs_from_inference, "the strides asserted", print(t, true));
    }
    static constexpr void evaluate(auto&) {}
};

namespace detail {

/// PyTorch's run-time assertions on data, which have no result: ignored, because a run does not throw.
struct passed_over {
    static constexpr effects effect{.gives_number = true}; // without a result
    static constexpr bool infer(infer_context& c) { return c.results(0); }
    static constexpr void evaluate(auto&) {}
};

} // namespace detail

/// _assert_async(Tensor self) -> ()
struct assert_async : detail::passed_over {
    static constexpr std::string_view name = "aten._assert_async.default"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
};
/// _assert_async.msg(Tensor self, str assert_msg) -> ()
struct assert_async_msg : detail::passed_over {
    static constexpr std::string_view name = "aten._assert_async.msg"sv;
    enum at : int { self, assert_msg };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("assert_msg", parameter_kind::string)};
};

using number_ops = op_list<sym_size, sym_stride, sym_numel, sym_storage_offset, local_scalar_dense, item,
                           assert_tensor_metadata, assert_async, assert_async_msg>;

} // namespace ahead::aten
