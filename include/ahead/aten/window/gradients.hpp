// SPDX-License-Identifier: MIT
// Gradients of convolutions and poolings, as a training graph contains them. Sums accumulate in double and are rounded
// once. Source: aten/src/ATen/native/Convolution.cpp, AveragePool2d.cpp,
// DilatedMaxPool2d.cpp, AdaptiveAveragePooling.cpp;
// tools/autograd/derivatives.yaml.
#pragma once
#include <ahead/aten/product/convolution.hpp>
#include <ahead/aten/reduce/gradient_sums.hpp>
#include <ahead/aten/window/average_pool.hpp>

namespace AHEAD_NAMESPACE::aten {

/// convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride,
/// SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask):
/// gradients of input, weight and bias; an empty tensor instead of PyTorch's None if the mask is False. Batched. If
/// transposed, weight is [C, out/groups, ...], and input and gradient exchange their roles.
struct convolution_backward {
    static constexpr std::string_view name = "aten.convolution_backward.default"sv;
    enum at : int {
        grad_output,
        input,
        weight,
        bias_sizes,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        output_mask
    };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor),      required("input", parameter_kind::tensor),
        required("weight", parameter_kind::tensor),           required("bias_sizes", parameter_kind::optional_int_list),
        required("stride", parameter_kind::int_list),         required("padding", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list),       required("transposed", parameter_kind::boolean),
        required("output_padding", parameter_kind::int_list), required("groups", parameter_kind::integer),
        required("output_mask", parameter_kind::boolean_list)};
    static constexpr bool infer(infer_context& c) {
        const auto gradient = c.tensor(at::grad_output);
        const auto x = c.tensor(at::input);
        const auto w = c.tensor(at::weight);
        const int spatial = w.rank - 2;
        if (w.rank < 3 || x.rank != w.rank || gradient.rank != w.rank)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(w.rank), print(x));
        const bool transposed = c.boolean(at::transposed);
        const auto &many = transposed ? gradient : x, &few = transposed ? x : gradient; // by spatial size
        if (c.integer(at::groups) < 1 || many.size(1) != (checked_int(w.size(1)) * c.integer(at::groups)).get() ||
            few.size(1) != w.size(0))
            return c.refuse(fault::channels_differ, print(w), print(x));
        if (gradient.size(0) != x.size(0)) return c.refuse(fault::shapes_do_not_broadcast, print(x), print(gradient));
        for (int i : {at::stride, at::padding, at::dilation})
            if (!check_spatial(c, i, spatial)) return false;
        if (transposed && !check_spatial(c, at::output_padding, spatial)) return false;
        const auto stride = spread(c, at::stride, spatial), padding = spread(c, at::padding, spatial),
                   dilation = spread(c, at::dilation, spatial);
        const auto behind = transposed ? spread(c, at::output_padding, spatial) : int_list{};
        if (!c.check_sizes(padding, "paddings from 0") || !c.check_sizes(behind, "paddings from 0")) return false;
        for (int d = 0; d < spatial; ++d) {
            if (stride[d] < 1 || dilation[d] < 1)
                return c.refuse(fault::stride_must_be_positive, "strides from 1", short_text() << stride[d]);
            const auto reach = checked_int(dilation[d]) * (w.size(2 + d) - 1) + 1;
            const auto size = transposed ? checked_int(x.size(2 + d) - 1) * stride[d] + reach -
                                               checked_int(2) * padding[d] + behind[d]
                                         : (checked_int(2) * padding[d] + x.size(2 + d) - reach) / stride[d] + 1;
            if (size.get() != gradient.size(2 + d))
                return c.refuse(fault::shapes_do_not_broadcast, short_text() << size.get(), print(gradient));
        }
        const auto laid_out = [&](const tensor_type& t) { // in the layout of the convolution's result
            return detail::convolution_result(x, w, c.integer(at::groups), tensor_of(x.type, sizes_of(t)));
        };
        return detail::set_gradients(c, at::output_mask,
                                     {laid_out(x), laid_out(w), tensor_of(x.type, {gradient.size(1)})});
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return 8 * (element_count(c.tensor(at::input)) + element_count(c.tensor(at::weight)) +
                    c.tensor(at::grad_output).size(1));
    }
    static constexpr void evaluate(auto& c) {
        const bool transposed = c.boolean(at::transposed);
        const int spatial = c.tensor(at::weight).rank - 2;
        const auto stride = spread(c, at::stride, spatial);
        const auto padding = spread(c, at::padding, spatial);
        const auto dilation = spread(c, at::dilation, spatial);
        const auto groups = c.integer(at::groups);
        c.compute_real(c.tensor(at::input).type, [&](auto as) {
            const auto gradient = c.input(at::grad_output, as);
            const auto x = c.input(at::input, as);
            const auto w = c.input(at::weight, as);
            auto to_x = detail::sums_beside(c, x.type());
            auto to_w = detail::sums_beside(c, w.type());
            auto to_bias = detail::sums_beside(c, tensor_of(dtype::f64, {gradient.type().size(1)}));
            const auto& many = transposed ? gradient : x;
            const auto& few = transposed ? x : gradient;
            int_list window;
            for (int d = 1; d < w.type().rank; ++d) window.push_back(w.type().size(d));
            const auto per_group = w.type().size(0) / groups;
            for_each_index(sizes_of(gradient.type()),
                           [&](const int_list& at) { to_bias.add({at[1]}, static_cast<double>(gradient[at])); });
            for_each_index(sizes_of(few.type()), [&](const int_list& at) {
                const auto one = static_cast<double>(few[at]);
                for_each_index(window, [&](const int_list& offset) {
                    int_list i = {at[0], at[1] / per_group * w.type().size(1) + offset[0]};
                    int_list j = {at[1], offset[0]};
                    for (int d = 0; d < spatial; ++d) {
                        i.push_back(at[2 + d] * stride[d] - padding[d] + offset[1 + d] * dilation[d]);
                        j.push_back(offset[1 + d]);
                        if (i[2 + d] < 0 || i[2 + d] >= many.type().size(2 + d)) return;
                    }
                    const auto other = static_cast<double>(many[i]);
                    to_x.add(transposed ? at : i, (transposed ? other : one) * static_cast<double>(w[j]));
                    to_w.add(j, one * other);
                });
            });
            if (detail::wants_gradient(c, at::output_mask, 0)) to_x.round_into(c.output(0, as), as);
            if (detail::wants_gradient(c, at::output_mask, 1)) to_w.round_into(c.output(1, as), as);
            if (detail::wants_gradient(c, at::output_mask, 2)) to_bias.round_into(c.output(2, as), as);
        });
    }
};

namespace detail {

/// Checks that the gradient has the pooling's result sizes.
constexpr bool check_pooled(infer_context& c, const pool_parameters& of, bool ceil_mode, const tensor_type& gradient) {
    int_list sizes;
    if (!infer_pool(c, of, 2, ceil_mode, sizes)) return false;
    const auto pooled = tensor_of(c.tensor(of.self).type, sizes);
    return sizes_of(gradient) == sizes || c.refuse(fault::shapes_do_not_broadcast, print(pooled), print(gradient));
}

} // namespace detail

/// max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding,
/// int[2] dilation, bool ceil_mode, Tensor indices): adds each gradient to the element given by its index
struct max_pool2d_backward {
    static constexpr std::string_view name = "aten.max_pool2d_with_indices_backward.default"sv;
    enum at : int { grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor),   required("self", parameter_kind::tensor),
        required("kernel_size", parameter_kind::int_list), required("stride", parameter_kind::int_list),
        required("padding", parameter_kind::int_list),     required("dilation", parameter_kind::int_list),
        required("ceil_mode", parameter_kind::boolean),    required("indices", parameter_kind::tensor)};
    static constexpr pool_parameters window{.self = at::self,
                                            .kernel_size = at::kernel_size,
                                            .stride = at::stride,
                                            .padding = at::padding,
                                            .dilation = at::dilation};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!detail::check_pooled(c, window, c.boolean(at::ceil_mode), c.tensor(at::grad_output))) return false;
        if (sizes_of(c.tensor(at::grad_output)) != sizes_of(c.tensor(at::indices)))
            return c.refuse(fault::shapes_do_not_broadcast, print(c.tensor(at::grad_output)),
                            print(c.tensor(at::indices)));
        return c.result(in_format_of(t, tensor_of(t.type, sizes_of(t))));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.tensor(at::self)); }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto gradient = c.input(at::grad_output, as);
            const auto indices = c.input(at::indices, std::int64_t{});
            const auto& t = c.tensor(at::self);
            auto sums = detail::sums_beside(c, t);
            for_each_index(sizes_of(gradient.type()), [&](const int_list& at) {
                int_list to = at;
                const auto k = c.index(indices[at], t.size(t.rank - 2) * t.size(t.rank - 1));
                if (!k) return;
                to[t.rank - 2] = *k / t.size(t.rank - 1);
                to[t.rank - 1] = *k % t.size(t.rank - 1);
                sums.add(to, static_cast<double>(gradient[at]));
            });
            sums.round_into(c.output(0, as), as);
        });
    }
};

/// avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool
/// ceil_mode, bool count_include_pad, int? divisor_override): distributes each gradient evenly over its window
struct avg_pool2d_backward {
    static constexpr std::string_view name = "aten.avg_pool2d_backward.default"sv;
    enum at : int { grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor),
                                           required("kernel_size", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("padding", parameter_kind::int_list),
                                           required("ceil_mode", parameter_kind::boolean),
                                           required("count_include_pad", parameter_kind::boolean),
                                           required("divisor_override", parameter_kind::optional_integer)};
    static constexpr pool_parameters window{
        .self = at::self, .kernel_size = at::kernel_size, .stride = at::stride, .padding = at::padding};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        return detail::check_pooled(c, window, c.boolean(at::ceil_mode), c.tensor(at::grad_output)) &&
               c.result(in_format_of(t, tensor_of(t.type, sizes_of(t))));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.tensor(at::self)); }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto gradient = c.input(at::grad_output, as);
            const auto& t = c.tensor(at::self);
            const auto w = window_of(c, window, 2);
            auto sums = detail::sums_beside(c, t);
            for_each_index(sizes_of(gradient.type()), [&](const int_list& at) {
                std::int64_t inside = 0;
                for_each_in_window(t, w, at, [&](const int_list&) { ++inside; });
                std::int64_t padded = 1;
                for (int d = 0; d < 2; ++d) {
                    const int dim = at.size - 2 + d;
                    const auto start = at[dim] * w.stride[d] - w.padding[d];
                    const auto limit = t.size(dim) + w.padding[d];
                    padded *= (start + w.kernel[d] < limit ? start + w.kernel[d] : limit) - start;
                }
                const auto divisor = c.is_given(at::divisor_override)   ? c.integer(at::divisor_override)
                                     : c.boolean(at::count_include_pad) ? padded
                                                                        : inside;
                for_each_in_window(t, w, at, [&](const int_list& i) {
                    sums.add(i, static_cast<double>(gradient[at]) / static_cast<double>(divisor));
                });
            });
            sums.round_into(c.output(0, as), as);
        });
    }
};

/// _adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self): distributes each gradient evenly over its window
struct adaptive_avg_pool2d_backward {
    static constexpr std::string_view name = "aten._adaptive_avg_pool2d_backward.default"sv;
    enum at : int { grad_output, self };
    static constexpr parameter schema[] = {required("grad_output", parameter_kind::tensor),
                                           required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &gradient = c.tensor(at::grad_output);
        if (t.rank != 3 && t.rank != 4) return c.refuse(fault::rank_is_wrong, "rank 3 or 4", print(t));
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (gradient.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(gradient));
        if (gradient.rank != t.rank)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(t.rank), print(gradient));
        for (int d = 0; d < t.rank - 2; ++d)
            if (gradient.size(d) != t.size(d))
                return c.refuse(fault::shapes_do_not_broadcast, print(t), print(gradient));
        for (int d = 1; d < t.rank; ++d)
            if (gradient.size(d) == 0 || t.size(d) == 0)
                return c.refuse(fault::window_does_not_fit, "elements in every dim but that of the batch",
                                print(gradient.size(d) == 0 ? gradient : t));
        return c.result(in_format_of(t, tensor_of(t.type, sizes_of(t))));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.tensor(at::self)); }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto gradient = c.input(at::grad_output, as);
            auto sums = detail::sums_beside(c, c.tensor(at::self));
            for_each_index(sizes_of(gradient.type()), [&](const int_list& at) {
                const auto w = detail::adaptive_window_of(c.tensor(at::self), gradient.type(), at, 2);
                for_each_index(w.sizes, [&](const int_list& offset) {
                    sums.add(w.element(offset), static_cast<double>(gradient[at]) / static_cast<double>(w.count));
                });
            });
            sums.round_into(c.output(0, as), as);
        });
    }
};

using window_gradient_ops =
    op_list<convolution_backward, max_pool2d_backward, avg_pool2d_backward, adaptive_avg_pool2d_backward>;

} // namespace ahead::aten
