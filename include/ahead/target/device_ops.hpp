// SPDX-License-Identifier: MIT
// The device's operators. Besides name, schema and infer (as any operator, see ir/registry.hpp) a device operator has
//     // small structural value; kernel/ instantiates one kernel per key
//     static constexpr K key(const call_view&);
//     static constexpr std::int64_t workspace(const K&);   // bytes, where the kernel needs some
//     // result 0 may take argument i's memory, where that is allowed
//     static constexpr bool may_overwrite(const call_view&, int i);
//     // npu.concat: its operands may be written into the result, one behind the other
//     static constexpr bool joins(const call_view&);
//     // what is done with the sums before they are written; pre: has_epilogue(call)
//     static constexpr epilogue_key epilogue(const call_view&);
// npu.view has no key: it is no task. Invariant: a key holds all a kernel knows at compile time.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/target/convolution_key.hpp>
#include <ahead/target/epilogue.hpp>
#include <ahead/target/matmul_key.hpp>
#include <ahead/target/max_pool2d_key.hpp>
#include <ahead/target/pad_key.hpp>
#include <ahead/target/reduce_key.hpp>
#include <ahead/target/rows_key.hpp>
#include <ahead/target/strided_key.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.view(Tensor self): the same bytes under another type, which the converter sets.
struct view {
    static constexpr std::string_view name = "npu.view";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr effects effect{.view_of = 0};
    static constexpr bool infer(infer_context& c) {
        const auto kept = c.in().is_typed(c.id()) ? c.result_type() : c.tensor(0);
        return c.view_result(kept, 0);
    }
};

/// npu.copy(Tensor self): the elements in row-major order, in memory of their own.
struct copy {
    static constexpr std::string_view name = "npu.copy";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.tensor(0).type, sizes_of(c.tensor(0))));
    }
    static constexpr target::strided_key key(const call_view& c) {
        const std::array operands{&c.tensor(0)};
        return target::strided_key_of(c.result_type(), operands);
    }
};

constexpr tensor_type packed_tensor(dtype type, std::int64_t elements) {
    auto out = tensor_of(type, {elements});
    out.layout = memory_layout::packed;
    return out;
}

/// npu.matmul(Tensor a, Tensor b, Tensor? bias, int n, Tensor? r0, Tensor? r1, Tensor? r2, Scalar[]? program): a[m, k]
/// @ b[k, n] + bias, then the steps of the program; b strided, or packed by npu.pack_matmul.
struct matmul {
    static constexpr std::string_view name = "npu.matmul";
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("b", parameter_kind::tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("n", parameter_kind::integer),
                                           defaulted("r0", parameter_kind::optional_tensor),
                                           defaulted("r1", parameter_kind::optional_tensor),
                                           defaulted("r2", parameter_kind::optional_tensor),
                                           defaulted("program", parameter_kind::real_list)};
    static constexpr std::int32_t after = 4; // where the epilogue's operands and program begin
    static constexpr bool has_epilogue(const call_view& c) { return c.is_given(after + target::max_epilogue_operands); }
    static constexpr target::epilogue_key epilogue(const call_view& c) { return target::epilogue_of(c, after); }
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return target::may_overwrite_operand(c, i, after);
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.tensor(0).type, {c.tensor(0).size(0), c.integer(3)}));
    }
    static constexpr target::matmul_key key(const call_view& c) {
        const auto& a = c.tensor(0);
        const auto& b = c.tensor(1);
        target::matmul_key key{};
        key.type = a.type;
        key.m = a.size(0);
        key.k = a.size(1);
        key.n = c.integer(3);
        key.packed = b.layout == memory_layout::packed;
        key.a_row = a.stride(0);
        key.a_col = a.stride(1);
        key.b_row = key.packed ? key.n : b.stride(0);
        key.b_col = key.packed ? 1 : b.stride(1);
        key.bias = c.is_given(2);
        if (key.bias) {
            const auto& bias = c.tensor(2);
            const auto stride = [&](int from_last) {
                const int d = bias.rank - 1 - from_last;
                return d < 0 || bias.size(d) == 1 ? std::int64_t{0} : bias.stride(d);
            };
            key.bias_row = stride(1);
            key.bias_col = stride(0);
        }
        return key;
    }
    static constexpr std::int64_t workspace(const target::matmul_key& k) {
        return static_cast<std::int64_t>(target::workspace_bytes(k));
    }
};

/// npu.batch_matmul(Tensor a, Tensor b): a[b, m, k] @ b[b, k, n]
struct batch_matmul {
    static constexpr std::string_view name = "npu.batch_matmul";
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("b", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& a = c.tensor(0);
        return c.result(tensor_of(a.type, {a.size(0), a.size(1), c.tensor(1).size(2)}));
    }
    static constexpr target::batch_matmul_key key(const call_view& c) {
        const auto& a = c.tensor(0);
        const auto& b = c.tensor(1);
        target::batch_matmul_key key;
        auto& one = key.product;
        one.type = a.type;
        one.m = a.size(1);
        one.k = a.size(2);
        one.n = b.size(2);
        one.a_row = a.stride(1);
        one.a_col = a.stride(2);
        one.b_row = b.stride(1);
        one.b_col = b.stride(2);
        key.batch = a.size(0);
        key.a_step = a.stride(0);
        key.b_step = b.stride(0);
        return key;
    }
    static constexpr std::int64_t workspace(const target::batch_matmul_key& k) {
        return static_cast<std::int64_t>(target::workspace_bytes(k.product));
    }
};

/// npu.pack_matmul(Tensor b, int m): b[k, n] re-laid for products with m rows.
struct pack_matmul {
    static constexpr std::string_view name = "npu.pack_matmul";
    static constexpr parameter schema[] = {required("b", parameter_kind::tensor),
                                           required("m", parameter_kind::integer)};
    static constexpr target::matmul_key key_for(const tensor_type& b, std::int64_t m) {
        target::matmul_key key{};
        key.type = b.type;
        key.m = m;
        key.k = b.size(0);
        key.n = b.size(1);
        key.packed = true;
        key.a_row = key.k;
        key.a_col = 1;
        key.b_row = b.stride(0);
        key.b_col = b.stride(1);
        return key;
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(packed_tensor(c.tensor(0).type, target::packed_elements(key_for(c.tensor(0), c.integer(1)))));
    }
    static constexpr target::matmul_key key(const call_view& c) { return key_for(c.tensor(0), c.integer(1)); }
};

/// The key of a convolution of x by weights of these sizes; attributes as aten.convolution's: stride, padding,
/// dilation, groups.
constexpr target::convolution_key convolution_key_of(const tensor_type& x, const int_list& weight,
                                                     const int_list& stride, const int_list& padding,
                                                     const int_list& dilation, std::int64_t groups, bool bias) {
    const int last = x.rank - 1;
    const bool plane = x.rank == 4;
    const int w = stride.size - 1;
    target::convolution_key key{};
    key.type = x.type;
    key.batch = x.size(0);
    key.in_channels = x.size(1);
    key.in_h = plane ? x.size(2) : 1;
    key.in_w = x.size(last);
    key.out_channels = weight[0];
    key.kernel_h = plane ? weight[2] : 1;
    key.kernel_w = weight[last];
    key.stride_h = plane ? stride[0] : 1;
    key.stride_w = stride[w];
    key.pad_h = plane ? padding[0] : 0;
    key.pad_w = padding[padding.size - 1];
    key.dilation_h = plane ? dilation[0] : 1;
    key.dilation_w = dilation[dilation.size - 1];
    key.groups = groups;
    key.bias = bias;
    return key;
}

/// npu.pack_convolution(Tensor weight, int[] input, int[] stride, int[] padding, int[] dilation, int groups): weights
/// re-laid for one input size.
struct pack_convolution {
    static constexpr std::string_view name = "npu.pack_convolution";
    static constexpr parameter schema[] = {
        required("weight", parameter_kind::tensor),     required("input", parameter_kind::int_list),
        required("stride", parameter_kind::int_list),   required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list), required("groups", parameter_kind::integer)};
    template <class Call> static constexpr target::convolution_key key_of(const Call& c) {
        return convolution_key_of(tensor_of(c.tensor(0).type, c.ints(1)), sizes_of(c.tensor(0)), c.ints(2), c.ints(3),
                                  c.ints(4), c.integer(5), false);
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(packed_tensor(c.tensor(0).type, target::packed_elements(key_of(c))));
    }
    static constexpr target::convolution_key key(const call_view& c) { return key_of(c); }
};

/// npu.convolution(Tensor x, Tensor packed, Tensor? bias, int[] weight, int[] stride, int[] padding, int[] dilation,
/// int groups, Tensor? r0, Tensor? r1, Tensor? r2, Scalar[]? program): the convolution, then the steps of the program.
struct convolution {
    static constexpr std::string_view name = "npu.convolution";
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("packed", parameter_kind::tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("weight", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("padding", parameter_kind::int_list),
                                           required("dilation", parameter_kind::int_list),
                                           required("groups", parameter_kind::integer),
                                           defaulted("r0", parameter_kind::optional_tensor),
                                           defaulted("r1", parameter_kind::optional_tensor),
                                           defaulted("r2", parameter_kind::optional_tensor),
                                           defaulted("program", parameter_kind::real_list)};
    static constexpr std::int32_t after = 8; // where the epilogue's operands and program begin
    static constexpr bool has_epilogue(const call_view& c) { return c.is_given(after + target::max_epilogue_operands); }
    static constexpr target::epilogue_key epilogue(const call_view& c) { return target::epilogue_of(c, after); }
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return target::may_overwrite_operand(c, i, after);
    }
    template <class Call> static constexpr target::convolution_key key_of(const Call& c) {
        return convolution_key_of(c.tensor(0), c.ints(3), c.ints(4), c.ints(5), c.ints(6), c.integer(7), c.is_given(2));
    }
    static constexpr bool infer(infer_context& c) {
        const auto k = key_of(c);
        int_list sizes{k.batch, k.out_channels};
        if (c.tensor(0).rank == 4) sizes.push_back(target::out_h(k));
        sizes.push_back(target::out_w(k));
        return c.result(tensor_of(k.type, sizes));
    }
    static constexpr target::convolution_key key(const call_view& c) { return key_of(c); }
    static constexpr std::int64_t workspace(const target::convolution_key& k) {
        return static_cast<std::int64_t>(target::workspace_bytes(k));
    }
};

/// npu.max_pool2d(Tensor x, int[] kernel, int[] stride, int[] padding, int[] dilation, int[] out, bool indices): [..,
/// C, H, W]; out: rows and columns of the result, which decide ceil_mode. Results: the maxima and, if asked for, their
/// places in the plane.
struct max_pool2d {
    static constexpr std::string_view name = "npu.max_pool2d";
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor),          required("kernel", parameter_kind::int_list),
        required("stride", parameter_kind::int_list),   required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list), required("out", parameter_kind::int_list),
        required("indices", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(0));
        sizes[sizes.size - 2] = c.ints(5)[0];
        sizes[sizes.size - 1] = c.ints(5)[1];
        const bool indices = c.boolean(6);
        return c.results(indices ? 2 : 1) && c.set(0, tensor_of(c.tensor(0).type, sizes)) &&
               (!indices || c.set(1, tensor_of(dtype::i64, sizes)));
    }
    static constexpr target::max_pool2d_key key(const call_view& c) {
        const auto& x = c.tensor(0);
        const auto pair = [&](int i, int k) { return c.ints(i)[c.ints(i).size == 1 ? 0 : k]; };
        target::max_pool2d_key key{};
        key.type = x.type;
        for (int d = 0; d + 2 < x.rank; ++d) key.planes *= x.size(d);
        key.in_h = x.size(x.rank - 2);
        key.in_w = x.size(x.rank - 1);
        key.out_h = c.ints(5)[0];
        key.out_w = c.ints(5)[1];
        key.kernel_h = pair(1, 0);
        key.kernel_w = pair(1, 1);
        key.stride_h = pair(2, 0);
        key.stride_w = pair(2, 1);
        key.pad_h = pair(3, 0);
        key.pad_w = pair(3, 1);
        key.dilation_h = pair(4, 0);
        key.dilation_w = pair(4, 1);
        key.indices = c.boolean(6);
        return key;
    }
    static constexpr std::int64_t workspace(const target::max_pool2d_key& k) {
        return static_cast<std::int64_t>(target::workspace_bytes(k));
    }
};

/// npu.pad(Tensor x, int[] before, int[] after, int mode, Scalar value): every dim grows at both ends (or shrinks,
/// below 0).
struct pad {
    static constexpr std::string_view name = "npu.pad";
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("before", parameter_kind::int_list),
        required("after", parameter_kind::int_list), required("mode", parameter_kind::integer),
        required("value", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(0));
        for (int d = 0; d < sizes.size; ++d) sizes[d] += c.ints(1)[d] + c.ints(2)[d];
        return c.result(tensor_of(c.tensor(0).type, sizes));
    }
    static constexpr target::pad_key key(const call_view& c) {
        target::pad_key key;
        key.type = c.tensor(0).type;
        key.rank = c.tensor(0).rank;
        key.mode = static_cast<target::pad_mode>(c.integer(3));
        key.value_bits = std::bit_cast<std::int64_t>(c.real(4));
        for (int d = 0; d < key.rank; ++d) {
            const auto at = static_cast<std::size_t>(d);
            key.in[at] = c.tensor(0).size(d);
            key.strides[at] = c.tensor(0).stride(d);
            key.before[at] = c.ints(1)[d];
            key.out[at] = c.result_type().size(d);
        }
        return key;
    }
};

/// npu.reduce(Tensor x, int[] dims, int kind, bool keepdim): sum, mean, ... over the dims, in row-major order.
struct reduce {
    static constexpr std::string_view name = "npu.reduce";
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("dims", parameter_kind::int_list),
        required("kind", parameter_kind::integer), required("keepdim", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        const auto dims = c.ints(1);
        for (int d = 0; d < c.tensor(0).rank; ++d) {
            bool reduced = false;
            for (auto r : dims) reduced = reduced || r == d;
            if (!reduced) sizes.push_back(c.tensor(0).size(d));
            else if (c.boolean(3)) sizes.push_back(1);
        }
        return c.result(tensor_of(c.tensor(0).type, sizes));
    }
    static constexpr target::reduce_key key(const call_view& c) {
        target::reduce_key key;
        key.type = c.tensor(0).type;
        key.kind = static_cast<target::reduction>(c.integer(2));
        const auto dims = c.ints(1);
        for (int d = 0; d < c.tensor(0).rank; ++d) {
            bool reduced = false;
            for (auto r : dims) reduced = reduced || r == d;
            auto& list = reduced ? key.reduced : key.kept;
            list.sizes[static_cast<std::size_t>(list.rank)] = c.tensor(0).size(d);
            list.strides[static_cast<std::size_t>(list.rank++)] = c.tensor(0).stride(d);
        }
        return key;
    }
};

/// npu.softmax(Tensor x, int count, bool log): of rows of `count` elements; x contiguous
struct softmax {
    static constexpr std::string_view name = "npu.softmax";
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("count", parameter_kind::integer),
                                           required("log", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.tensor(0).type, sizes_of(c.tensor(0))));
    }
    static constexpr target::softmax_key key(const call_view& c) {
        return {c.tensor(0).type, element_count(c.tensor(0)) / c.integer(1), c.integer(1), c.boolean(2)};
    }
};

/// npu.layer_norm(Tensor x, Tensor? weight, Tensor? bias, int count, float eps, bool statistics): of rows of `count`
/// elements; all contiguous. Results: the rows and, if asked for, mean and 1 / std of each.
struct layer_norm {
    static constexpr std::string_view name = "npu.layer_norm";
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("weight", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("count", parameter_kind::integer),
                                           required("eps", parameter_kind::real),
                                           required("statistics", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(0);
        const auto out = tensor_of(x.type, sizes_of(x));
        if (!c.boolean(5)) return c.result(out);
        auto sizes = sizes_of(x);
        for (std::int64_t covered = 1; covered < c.integer(3);) {
            int d = sizes.size - 1;
            while (sizes[d] == 1) --d;
            covered *= sizes[d];
            sizes[d] = 1;
        }
        const auto moments = tensor_of(x.type, sizes);
        return c.results(3) && c.set(0, out) && c.set(1, moments) && c.set(2, moments);
    }
    static constexpr target::layer_norm_key key(const call_view& c) {
        const auto& x = c.tensor(0);
        return {x.type,       element_count(x) / c.integer(3),       c.integer(3), c.is_given(1), c.is_given(2),
                c.boolean(5), std::bit_cast<std::int64_t>(c.real(4))};
    }
};

} // namespace ahead::device
