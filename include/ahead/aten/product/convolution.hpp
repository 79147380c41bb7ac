// SPDX-License-Identifier: MIT
// Convolutions of 1 to 3 spatial dims, strided, padded, dilated, grouped and transposed.
// Sums accumulate in double and are rounded once. Source: aten/src/ATen/native/Convolution.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/type/memory_format.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The first parameters of convolutions.
struct convolved {
    enum at : int { input, weight, bias };
};

/// Attributes of a convolution, one entry per spatial dim.
struct convolution_window {
    int_list stride, padding, dilation, output_padding;
    bool transposed = false;
    std::int64_t groups = 1;
    int_list more_behind{}; // additional padding after the input only; empty: none
};

/// Refuses a list that has neither one entry per spatial dim nor a single entry for all.
constexpr bool check_spatial(infer_context& c, int parameter, int count) {
    const auto size = c.ints(parameter).size;
    return size == count || size == 1 ||
           c.refuse(fault::rank_is_wrong, short_text() << count << " spatial dims", short_text() << size);
}
/// The list expanded to one entry per spatial dim.
constexpr int_list spread(const auto& c, int parameter, int count) {
    const auto given = c.ints(parameter);
    int_list out;
    for (int i = 0; i < count; ++i) out.push_back(given[given.size == 1 ? 0 : i]);
    return out;
}

namespace detail {

/// `out`, a result of the convolution of x by k or a gradient of one of them, in PyTorch's memory format: channels_last
/// if x or k is; for volumes only if the CPU uses oneDNN.
/// Source: use_mkldnn and determine_backend_memory_format in aten/src/ATen/native/Convolution.cpp.
constexpr tensor_type convolution_result(const tensor_type& x, const tensor_type& k, std::int64_t groups,
                                         const tensor_type& out) {
    if (x.rank == 5) {
        const bool is_large = (k.size(3) > 3 && k.size(4) > 3) || x.size(0) > 1 ||
                              (checked_int(x.size(0)) * x.size(1) * x.size(2) * x.size(3)).get() > 20'480;
        if (x.type != dtype::f32 || (groups == 1 && !is_large)) return out;
    }
    return in_format_of(is_channels_last(x) ? x : k, out);
}

/// input [N, C, ...] or [C, ...], weight [out, C/groups, ...] ([C, out/groups, ...] if transposed), bias [out].
/// The result is channels_last if input or weight is, else row-major.
constexpr bool infer_convolution(infer_context& c, const convolution_window& w) {
    const auto& x = c.tensor(convolved::input);
    const auto& k = c.tensor(convolved::weight);
    const int spatial = k.rank - 2;
    if (spatial < 1 || spatial > 3) return c.refuse(fault::rank_is_wrong, "a weight of rank 3 to 5", print(k));
    if (x.rank != k.rank && x.rank != k.rank - 1)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(k.rank), print(x));
    if (x.type != k.type) return c.refuse(fault::dtypes_differ, print(x), print(k));
    if (x.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(x));
    const int channel = x.rank - k.rank + 1;
    const auto of_groups = (checked_int(k.size(1)) * w.groups).get();
    const auto in_channels = w.transposed ? k.size(0) : of_groups;
    if (w.groups < 1 || x.size(channel) != in_channels || k.size(0) % w.groups != 0)
        return c.refuse(fault::channels_differ, short_text() << in_channels << " channels",
                        short_text() << x.size(channel));
    const auto out_channels = w.transposed ? of_groups : k.size(0);
    if (c.is_given(convolved::bias)) {
        const auto& bias = c.tensor(convolved::bias);
        if (bias.rank != 1 || bias.size(0) != out_channels)
            return c.refuse(fault::channels_differ, short_text() << out_channels << " values of bias", print(bias));
        if (bias.type != x.type) return c.refuse(fault::dtypes_differ, print(x), print(bias));
    }
    int_list sizes;
    if (!c.check_sizes(w.padding, "paddings from 0") || !c.check_sizes(w.output_padding, "paddings from 0"))
        return false;
    if (channel == 1) sizes.push_back(x.size(0));
    sizes.push_back(out_channels);
    for (int d = 0; d < spatial; ++d) {
        if (w.stride[d] < 1 || w.dilation[d] < 1)
            return c.refuse(fault::stride_must_be_positive, "strides and dilations from 1",
                            short_text() << w.stride[d]);
        const checked_int size = x.size(channel + 1 + d), stride = w.stride[d],
                          behind = d < w.more_behind.size ? w.more_behind[d] : 0,
                          padding = checked_int(2) * w.padding[d] + behind;
        const auto reach = checked_int(w.dilation[d]) * (k.size(2 + d) - 1) + 1;
        const auto room = size + padding - reach;
        const auto out =
            w.transposed ? (size - 1) * stride - padding + reach + w.output_padding[d] : room / w.stride[d] + 1;
        if (out.get() < 1 || (!w.transposed && room.get() < 0))
            return c.refuse(fault::window_does_not_fit, short_text() << reach.get() << " elements, padding included",
                            print(x));
        sizes.push_back(out.get());
    }
    auto result = tensor_of(x.type, sizes);
    if (channel == 1) result = convolution_result(x, k, w.groups, result);
    return c.result(result);
}

/// Element `at` of the result, without bias. Loops over every kernel element of the channel's group.
template <class T>
constexpr accumulator_t<T> convolution_element(const auto& x, const auto& k, const convolution_window& w,
                                               const int_list& at) {
    const int spatial = k.type().rank - 2;
    const int channel = at.size - spatial - 1;
    const auto per_group = (w.transposed ? k.type().size(1) * w.groups : k.type().size(0)) / w.groups;
    const auto group = at[channel] / per_group;
    const auto in_per_group = w.transposed ? k.type().size(0) / w.groups : k.type().size(1);
    int_list window;
    for (int d = 0; d < spatial; ++d) window.push_back(k.type().size(2 + d));
    accumulator_t<T> sum{};
    int_list i = at;
    int_list j;
    j.size = spatial + 2;
    for_each_index(window, [&](const int_list& offset) {
        for (int d = 0; d < spatial; ++d) {
            auto position = w.transposed ? at[channel + 1 + d] + w.padding[d] - offset[d] * w.dilation[d]
                                         : at[channel + 1 + d] * w.stride[d] - w.padding[d] + offset[d] * w.dilation[d];
            if (w.transposed) {
                if (position < 0 || position % w.stride[d] != 0) return;
                position /= w.stride[d];
            }
            if (position < 0 || position >= x.type().size(channel + 1 + d)) return;
            i[channel + 1 + d] = position;
            j[2 + d] = offset[d];
        }
        for (std::int64_t ch = 0; ch < in_per_group; ++ch) {
            i[channel] = group * in_per_group + ch;
            j[0] = w.transposed ? i[channel] : at[channel];
            j[1] = w.transposed ? at[channel] % per_group : ch;
            sum = plus_product<T>(sum, x[i], k[j]);
        }
    });
    return sum;
}

constexpr void evaluate_convolution(auto& c, const convolution_window& w) {
    c.compute([&](auto as) {
        using T = decltype(as);
        const auto x = c.input(convolved::input, as);
        const auto k = c.input(convolved::weight, as);
        const auto out = c.output(0, as);
        const int channel = out.type().rank - (k.type().rank - 2) - 1;
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            auto sum = convolution_element<T>(x, k, w, at);
            if (c.is_given(convolved::bias))
                sum = math::add(sum, static_cast<accumulator_t<T>>(c.input(convolved::bias, as)[{at[channel]}]));
            out.put(at, math::convert<T>(sum));
        });
    });
}

} // namespace detail

/// convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool
/// transposed, SymInt[] output_padding, SymInt groups)
struct convolution {
    static constexpr std::string_view name = "aten.convolution.default"sv;
    enum at : int { input, weight, bias, stride, padding, dilation, transposed, output_padding, groups };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),         required("weight", parameter_kind::tensor),
        required("bias", parameter_kind::optional_tensor), required("stride", parameter_kind::int_list),
        required("padding", parameter_kind::int_list),     required("dilation", parameter_kind::int_list),
        required("transposed", parameter_kind::boolean),   required("output_padding", parameter_kind::int_list),
        required("groups", parameter_kind::integer)};
    static constexpr convolution_window window(const auto& c) {
        const int spatial = c.tensor(at::weight).rank - 2;
        return {spread(c, at::stride, spatial),   spread(c, at::padding, spatial),
                spread(c, at::dilation, spatial), spread(c, at::output_padding, spatial),
                c.boolean(at::transposed),        c.integer(at::groups)};
    }
    static constexpr bool infer(infer_context& c) {
        const int spatial = c.tensor(at::weight).rank - 2;
        for (int i : {at::stride, at::padding, at::dilation, at::output_padding})
            if (!check_spatial(c, i, spatial)) return false;
        return detail::infer_convolution(c, window(c));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_convolution(c, window(c)); }
};

namespace detail {

/// The common part of conv1d, conv2d and conv3d.
template <int Spatial> struct forward_convolution {
    enum at : int { input, weight, bias, stride, padding, dilation, groups };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("stride", parameter_kind::int_list, argument::of(1)),
                                           defaulted("padding", parameter_kind::int_list, argument::of(0)),
                                           defaulted("dilation", parameter_kind::int_list, argument::of(1)),
                                           defaulted("groups", parameter_kind::integer, argument::of(1))};
    static constexpr convolution_window window(const auto& c) {
        return {spread(c, at::stride, Spatial),
                spread(c, at::padding, Spatial),
                spread(c, at::dilation, Spatial),
                {},
                false,
                c.integer(at::groups)};
    }
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::weight).rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 2, print(c.tensor(at::weight)));
        return check_spatial(c, at::stride, Spatial) && check_spatial(c, at::padding, Spatial) &&
               check_spatial(c, at::dilation, Spatial) && infer_convolution(c, window(c));
    }
    static constexpr void evaluate(auto& c) { evaluate_convolution(c, window(c)); }
};

} // namespace detail

/// conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1]
/// dilation=1, SymInt groups=1)
struct conv1d : detail::forward_convolution<1> {
    static constexpr std::string_view name = "aten.conv1d.default"sv;
};

/// conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2]
/// dilation=1, SymInt groups=1)
struct conv2d : detail::forward_convolution<2> {
    static constexpr std::string_view name = "aten.conv2d.default"sv;
};

/// conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3]
/// dilation=1, SymInt groups=1)
struct conv3d : detail::forward_convolution<3> {
    static constexpr std::string_view name = "aten.conv3d.default"sv;
};

/// Padding by word: none, or enough that the result has the input's size.
enum class convolution_padding { valid, same };

namespace detail {

/// A convolution with padding by word; an odd total adds one element more after the input.
template <int Spatial> struct padded_convolution {
    enum at : int { input, weight, bias, stride, padding, dilation, groups };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),
        required("weight", parameter_kind::tensor),
        defaulted("bias", parameter_kind::optional_tensor),
        defaulted("stride", parameter_kind::int_list, argument::of(1)),
        one_of<convolution_padding>(
            defaulted("padding", parameter_kind::string, argument_of_word<convolution_padding::valid>())),
        defaulted("dilation", parameter_kind::int_list, argument::of(1)),
        defaulted("groups", parameter_kind::integer, argument::of(1))};
    static constexpr convolution_window window(const auto& c) {
        convolution_window w{.stride = spread(c, at::stride, Spatial),
                             .padding = {},
                             .dilation = spread(c, at::dilation, Spatial),
                             .output_padding = {},
                             .groups = c.integer(at::groups)};
        for (int d = 0; d < Spatial; ++d) {
            const bool same = c.template word<convolution_padding>(at::padding) == convolution_padding::same;
            const auto reach = (checked_int(w.dilation[d]) * (c.tensor(at::weight).size(2 + d) - 1)).get();
            const auto all = same && reach > 0 ? reach : 0;
            w.padding.push_back(all / 2);
            w.more_behind.push_back(all % 2);
        }
        return w;
    }
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::weight).rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 2, print(c.tensor(at::weight)));
        if (!check_spatial(c, at::stride, Spatial) || !check_spatial(c, at::dilation, Spatial)) return false;
        const auto w = window(c);
        if (c.template word<convolution_padding>(at::padding) == convolution_padding::same)
            for (auto step : w.stride)
                if (step != 1)
                    return c.refuse(fault::argument_has_wrong_kind, "a stride of 1 beside padding same",
                                    short_text() << step);
        return infer_convolution(c, w);
    }
    static constexpr void evaluate(auto& c) { evaluate_convolution(c, window(c)); }
};

/// A transposed convolution.
template <int Spatial> struct transposed_convolution {
    enum at : int { input, weight, bias, stride, padding, output_padding, groups, dilation };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("stride", parameter_kind::int_list, argument::of(1)),
                                           defaulted("padding", parameter_kind::int_list, argument::of(0)),
                                           defaulted("output_padding", parameter_kind::int_list, argument::of(0)),
                                           defaulted("groups", parameter_kind::integer, argument::of(1)),
                                           defaulted("dilation", parameter_kind::int_list, argument::of(1))};
    static constexpr convolution_window window(const auto& c) {
        return {spread(c, at::stride, Spatial),
                spread(c, at::padding, Spatial),
                spread(c, at::dilation, Spatial),
                spread(c, at::output_padding, Spatial),
                true,
                c.integer(at::groups)};
    }
    static constexpr bool infer(infer_context& c) {
        if (c.tensor(at::weight).rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 2, print(c.tensor(at::weight)));
        for (int i : {at::stride, at::padding, at::output_padding, at::dilation})
            if (!check_spatial(c, i, Spatial)) return false;
        return infer_convolution(c, window(c));
    }
    static constexpr void evaluate(auto& c) { evaluate_convolution(c, window(c)); }
};

} // namespace detail

/// conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding="valid", SymInt[1]
/// dilation=1, SymInt groups=1)
struct conv1d_padding : detail::padded_convolution<1> {
    static constexpr std::string_view name = "aten.conv1d.padding"sv;
};

/// conv2d.padding: the same for planes
struct conv2d_padding : detail::padded_convolution<2> {
    static constexpr std::string_view name = "aten.conv2d.padding"sv;
};

/// conv3d.padding: the same for volumes
struct conv3d_padding : detail::padded_convolution<3> {
    static constexpr std::string_view name = "aten.conv3d.padding"sv;
};

/// conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1]
/// output_padding=0, SymInt groups=1, SymInt[1] dilation=1)
struct conv_transpose1d : detail::transposed_convolution<1> {
    static constexpr std::string_view name = "aten.conv_transpose1d.default"sv;
};

/// conv_transpose2d.input: the same for planes
struct conv_transpose2d : detail::transposed_convolution<2> {
    static constexpr std::string_view name = "aten.conv_transpose2d.input"sv;
};

/// conv_transpose3d.input: the same for volumes
struct conv_transpose3d : detail::transposed_convolution<3> {
    static constexpr std::string_view name = "aten.conv_transpose3d.input"sv;
};

using convolution_ops = op_list<convolution, conv1d, conv2d, conv3d, conv1d_padding, conv2d_padding, conv3d_padding,
                                conv_transpose1d, conv_transpose2d, conv_transpose3d>;

} // namespace ahead::aten
