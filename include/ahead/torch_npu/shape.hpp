// SPDX-License-Identifier: MIT
// torch_npu's conversions, rearrangements and products that ATen has under another name. An NPU format is a physical
// layout; tensors here have only strides, so a change of format is a plain copy.
#pragma once
#include <ahead/torch_npu/dtype_number.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {
/// Pointwise, so that it has a kernel and can be fused.
struct cast : aten::pointwise<1, promotion::keep> {
    static constexpr effects effect{.moves_elements = true};
    template <class T> static constexpr T meaning(T x, T) { return x; }
};
} // namespace detail

/// npu_dtype_cast(Tensor self, int dtype, int? input_dtype=None): dtype is torch's dtype number
struct npu_dtype_cast : detail::cast {
    static constexpr std::string_view name = "npu.npu_dtype_cast.default"sv;
    enum at : int { self, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dtype", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        auto type = c.tensor(at::self).type;
        return read_dtype(
                   c, at::dtype, type, type, [](ir::dtype) { return true; }, "a dtype of this library") &&
               c.result(like(c.tensor(at::self), type));
    }
};
/// _npu_dtype_cast(Tensor self, ScalarType dtype)
struct npu_dtype_cast_by_name : detail::cast {
    static constexpr std::string_view name = "npu._npu_dtype_cast.default"sv;
    enum at : int { self, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) { return c.result(like(c.tensor(at::self), c.type(at::dtype))); }
};

/// npu_format_cast(Tensor self, int acl_format): self, copied
struct npu_format_cast : aten::copies {
    static constexpr std::string_view name = "npu.npu_format_cast.default"sv;
    enum at : int { self, acl_format };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("acl_format", parameter_kind::integer)};
    static constexpr std::int32_t most_calls = 1;
    static constexpr bool infer(infer_context& c) {
        return c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr void expand(decompose_context& c) {
        c.bind_result(c.call("aten.clone.default", {c.operand(at::self)}));
    }
};

/// npu_transpose(Tensor self, int[] perm, bool require_contiguous=True): aten.permute, copied
struct npu_transpose {
    static constexpr std::string_view name = "npu.npu_transpose.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, perm, require_contiguous };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("perm", parameter_kind::int_list),
        defaulted("require_contiguous", parameter_kind::boolean, argument::of(true))};
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        const auto perm = c.ints(at::perm);
        if (perm.size != t.rank)
            return c.refuse(fault::rank_is_wrong, short_text() << t.rank << " dims", short_text() << perm.size);
        auto turned = t;
        unsigned seen = 0;
        for (int d = 0; d < t.rank; ++d) {
            int from = 0;
            if (!c.wrap_dim(perm[d], t.rank, from)) return false;
            if (seen >> from & 1) return c.refuse(fault::dimension_is_repeated, "each dim once", short_text() << from);
            seen |= 1u << from;
            turned.sizes.at[d] = t.size(from);
            turned.strides.at[d] = t.stride(from);
        }
        return c.result(like(turned, t.type));
    }
    static constexpr void evaluate(auto& c) {
        const auto perm = c.ints(at::perm);
        aten::gather_elements(c, [&](const int_list& at, const tensor_type& t) {
            auto from = at;
            for (int d = 0; d < t.rank; ++d) from[wrapped_dim(perm[d], t.rank)] = at[d];
            return from;
        });
    }
    static constexpr void expand(decompose_context& c) {
        c.bind_result(c.call("aten.clone.default",
                        {c.call("aten.permute.default", {c.operand(at::self), c.aten.ints(at::perm)})}));
    }
};

/// npu_broadcast(Tensor self, int[] size): aten.expand, copied; -1 keeps a size
struct npu_broadcast {
    static constexpr std::string_view name = "npu.npu_broadcast.default"sv;
    static constexpr effects effect{.moves_elements = true};
    enum at : int { self, size };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("size", parameter_kind::int_list)};
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        auto sizes = c.ints(at::size);
        if (sizes.size < t.rank)
            return c.refuse(fault::rank_is_wrong, short_text("at least ") << t.rank << " sizes",
                            short_text() << sizes.size);
        for (int d = 0; d < sizes.size; ++d) {
            const int own = d - (sizes.size - t.rank);
            if (own >= 0 && sizes[d] == -1) sizes[d] = t.size(own);
        }
        return c.check_sizes(sizes) && check_broadcasts_to(c, at::self, sizes) && c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        aten::gather_elements(c, [](const int_list& at, const tensor_type& t) { return broadcast_index(t, at); });
    }
    static constexpr void expand(decompose_context& c) {
        c.bind_result(c.call("aten.clone.default",
                        {c.call(decomposition::expand, {c.operand(at::self), sizes_of(c.aten.result_type())})}));
    }
};

/// npu_one_hot(Tensor self, int num_classes=-1, int depth=1, Scalar on_value=1, Scalar off_value=0): f32[.., depth],
/// on_value at the index that the integer in self gives, off_value elsewhere; off_value everywhere if the index is out
/// of range. num_classes, the position of the new dim, must be -1, the last one
struct npu_one_hot {
    static constexpr std::string_view name = "npu.npu_one_hot.default"sv;
    enum at : int { self, num_classes, depth, on_value, off_value };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("num_classes", parameter_kind::integer, argument::of(-1)),
                                           defaulted("depth", parameter_kind::integer, argument::of(1)),
                                           defaulted("on_value", parameter_kind::scalar, argument::of(1)),
                                           defaulted("off_value", parameter_kind::scalar, argument::of(0))};
    static constexpr std::int32_t most_calls = 6;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.type != dtype::i32 && t.type != dtype::i64)
            return c.refuse(fault::dtype_is_unsupported, "i32 or i64", print(t));
        if (!check_rank(c, at::self, 0, max_rank - 1)) return false;
        if (c.integer(at::num_classes) != -1)
            return c.refuse(fault::argument_has_wrong_kind, "num_classes: -1",
                            short_text() << c.integer(at::num_classes));
        auto sizes = sizes_of(t);
        sizes.push_back(c.integer(at::depth));
        return c.check_sizes(sizes, "a depth from 0") && c.result(tensor_of(dtype::f32, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::self, std::int64_t{});
        const auto out = c.output(0, float{});
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            auto own = at;
            --own.size;
            out.put(at, static_cast<float>(c.real(x[own] == at[own.size] ? at::on_value : at::off_value)));
        });
    }
    static constexpr void expand(decompose_context& c) {
        const double on = c.aten.real(at::on_value), off = c.aten.real(at::off_value);
        const auto places = c.call("aten.arange.default", {c.aten.integer(at::depth)});
        const auto hot =
            c.call("aten.eq.Tensor", {c.call("aten.unsqueeze.default", {c.operand(at::self), -1}), places});
        auto made = as_type(c, hot, dtype::f32);
        if (on - off != 1) made = c.call(mul, {made, on - off});
        c.bind_result(off == 0 ? made : c.call(add, {made, off}));
    }
    static constexpr bool expands(const call_view& c) {
        const double on = c.real(at::on_value), off = c.real(at::off_value); // otherwise rounding would change results
        return element_count(c.result_type()) > 0 && static_cast<double>(static_cast<float>(on - off)) + off == on;
    }
};

/// npu_sort_v2(Tensor self, int dim=-1, bool descending=False): the sorted values only; NaN is largest
struct npu_sort_v2 {
    static constexpr std::string_view name = "npu.npu_sort_v2.default"sv;
    enum at : int { self, dim, descending };
    static constexpr auto& schema = aten::sort::schema;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool infer(infer_context& c) {
        int dim = 0;
        return c.wrap_dim(c.integer(at::dim), c.tensor(at::self).rank, dim) &&
               c.result(like(c.tensor(at::self), c.tensor(at::self).type));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return aten::sort::scratch_bytes(c); }
    static constexpr void evaluate(auto& c) {
        aten::detail::evaluate_sort(c, c.integer(at::dim), c.boolean(at::descending), 0, no_parameter);
    }
    static constexpr void expand(decompose_context& c) {
        c.bind_result(c.pick(
            c.call("aten.sort.default", {c.operand(at::self), c.aten.integer(at::dim), c.aten.boolean(at::descending)}),
            0));
    }
};

/// npu_linear(Tensor input, Tensor weight, Tensor? bias=None): aten.linear
struct npu_linear : aten::linear {
    static constexpr std::string_view name = "npu.npu_linear.default"sv;
    static constexpr std::int32_t most_calls = 5;
    static constexpr bool infer(infer_context& c) { return check_floating(c, at::input) && linear::infer(c); }
    static constexpr void expand(decompose_context& c) {
        const auto bias = c.aten.is_given(at::bias) ? call_argument(wide(c, at::bias)) : call_argument{};
        finish(c, c.call("aten.linear.default", {wide(c, at::input), wide(c, at::weight), bias}));
    }
};

/// npu_bmmV2(Tensor self, Tensor mat2, int[] output_sizes): aten.bmm; output_sizes is [] or the result's sizes
struct npu_bmm_v2 : aten::product {
    static constexpr std::string_view name = "npu.npu_bmmV2.default"sv;
    enum at : int { self, mat2, output_sizes };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("mat2", parameter_kind::tensor),
                                           required("output_sizes", parameter_kind::int_list)};
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool infer(infer_context& c) {
        tensor_type out;
        if (!check_floating(c, at::self) || !aten::infer_batch(c, c.tensor(at::self), c.tensor(at::mat2), out))
            return false;
        const auto sizes = c.ints(at::output_sizes);
        if (sizes.size > 0 && sizes != sizes_of(out))
            return c.refuse(fault::shapes_do_not_broadcast, print(out), print(tensor_of(out.type, sizes)));
        return c.result(out);
    }
    static constexpr void expand(decompose_context& c) {
        finish(c, c.call(decomposition::bmm, {wide(c, at::self), wide(c, at::mat2)}));
    }
};

/// npu_transpose_batchmatmul(Tensor input, Tensor weight, *, Tensor? bias=None, Tensor? scale=None, int[]? perm_x1=[0,
/// 1, 2], int[]? perm_x2=[0, 1, 2], int[]? perm_y=[1, 0, 2], int? batch_split_factor=1): aten.bmm with permuted
/// operands and a permuted result. A bias, a scale and a split batch are refused
struct npu_transpose_batchmatmul {
    static constexpr std::string_view name = "npu.npu_transpose_batchmatmul.default"sv;
    enum at : int { input, weight, bias, scale, perm_x1, perm_x2, perm_y, batch_split_factor };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),
        required("weight", parameter_kind::tensor),
        defaulted("bias", parameter_kind::optional_tensor),
        defaulted("scale", parameter_kind::optional_tensor),
        defaulted("perm_x1", parameter_kind::optional_int_list),
        defaulted("perm_x2", parameter_kind::optional_int_list),
        defaulted("perm_y", parameter_kind::optional_int_list),
        defaulted("batch_split_factor", parameter_kind::optional_integer, argument::of(1))};
    static constexpr std::int32_t most_calls = 7;
    static constexpr int_list order(const auto& c, int i) {
        if (c.is_given(i)) return c.ints(i);
        return i == at::perm_y ? int_list{1, 0, 2} : int_list{0, 1, 2};
    }
    static constexpr tensor_type permuted(const tensor_type& t, const int_list& by) {
        return tensor_of(t.type, {t.size(static_cast<int>(by[0])), t.size(static_cast<int>(by[1])),
                                  t.size(static_cast<int>(by[2]))});
    }
    static constexpr bool infer(infer_context& c) {
        for (int i : {at::bias, at::scale})
            if (!refuse_given(c, i, schema[i].name)) return false;
        if (c.is_given(at::batch_split_factor) && c.integer(at::batch_split_factor) != 1)
            return c.refuse(fault::argument_has_wrong_kind, "batch_split_factor: 1",
                            short_text() << c.integer(at::batch_split_factor));
        for (int i : {at::perm_x1, at::perm_x2, at::perm_y}) {
            const auto by = order(c, i);
            std::uint32_t seen = 0;
            for (auto dim : by) seen |= dim >= 0 && dim < 3 ? 1u << dim : 8u;
            if (by.size != 3 || seen != 7)
                return c.refuse(fault::dimension_is_repeated, short_text(schema[i].name) << ": each of 0, 1 and 2",
                                "others");
        }
        tensor_type out;
        if (!check_floating(c, at::input) || !check_rank(c, at::input, 3, 3) || !check_rank(c, at::weight, 3, 3) ||
            !aten::infer_batch(c, permuted(c.tensor(at::input), order(c, at::perm_x1)),
                               permuted(c.tensor(at::weight), order(c, at::perm_x2)), out))
            return false;
        return c.result(permuted(out, order(c, at::perm_y)));
    }
    static constexpr void evaluate(auto& c) {
        const auto a = c.input(at::input, double{}), b = c.input(at::weight, double{});
        const auto out = c.output(0, double{});
        const auto first = order(c, at::perm_x1), second = order(c, at::perm_x2), last = order(c, at::perm_y);
        const auto from = [](const int_list& place, const int_list& by) { // the index before the permutation
            int_list index{0, 0, 0};
            for (int d = 0; d < 3; ++d) index[static_cast<int>(by[d])] = place[d];
            return index;
        };
        const auto inner = a.type().size(static_cast<int>(first[2]));
        for_each_index(sizes_of(out.type()), [&](const int_list& i) {
            const auto y = from(i, last);
            double sum = 0;
            for (std::int64_t k = 0; k < inner; ++k)
                sum += a[from({y[0], y[1], k}, first)] * b[from({y[0], k, y[2]}, second)];
            out.put(i, sum);
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto turned = [&](const argument& x, int i) {
            return c.call("aten.permute.default", {x, order(c.aten, i)});
        };
        const auto y = c.call(decomposition::bmm,
                              {turned(wide(c, at::input), at::perm_x1), turned(wide(c, at::weight), at::perm_x2)});
        finish(c, turned(y, at::perm_y));
    }
};

using shape_ops = op_list<npu_dtype_cast, npu_dtype_cast_by_name, npu_format_cast, npu_transpose, npu_broadcast,
                          npu_one_hot, npu_sort_v2, npu_linear, npu_bmm_v2, npu_transpose_batchmatmul>;

} // namespace ahead::torch_npu
