// SPDX-License-Identifier: MIT
// Operators on handles that move a window: convolution, pooling, padding. Images are [N, C, H, W].
// A convolution's operands have one dtype, any but b8, which is the result's; pools and paddings keep the dtype of x.
// Omitted options have PyTorch's defaults, and options may be in any order:
//     conv2d<stride<2, 2>, padding<1, 1>>(x, weight, bias), max_pool2d<kernel<2, 2>>(x).
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::frontend {

// Options. One value per spatial dim; groups and ceil_mode have a single value.
template <std::int64_t... Sizes> struct kernel {};
template <std::int64_t... Steps> struct stride {};
template <std::int64_t... Sizes> struct padding {};
template <std::int64_t... Steps> struct dilation {};
template <std::int64_t... Sizes> struct output_padding {};
template <std::int64_t Count> struct groups {};

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

template <class... Options> struct option_list : Options... {};

/// The given option of a family, as ints<...>; otherwise Default.
template <template <std::int64_t...> class Family, class Default, std::int64_t... Values>
ints<Values...> find_option(const Family<Values...>*);
template <template <std::int64_t...> class Family, class Default> Default find_option(const void*);
template <template <std::int64_t...> class Family, class Default, class... Options>
using option = decltype(find_option<Family, Default>(static_cast<const option_list<Options...>*>(nullptr)));

template <std::int64_t Count> integer<Count> find_groups(const groups<Count>*);
integer<1> find_groups(const void*);
template <class... Options>
using group_count = decltype(find_groups(static_cast<const option_list<Options...>*>(nullptr)));

template <class T> inline constexpr bool is_option = false;
template <std::int64_t... V> inline constexpr bool is_option<kernel<V...>> = true;
template <std::int64_t... V> inline constexpr bool is_option<stride<V...>> = true;
template <std::int64_t... V> inline constexpr bool is_option<padding<V...>> = true;
template <std::int64_t... V> inline constexpr bool is_option<dilation<V...>> = true;
template <std::int64_t... V> inline constexpr bool is_option<output_padding<V...>> = true;
template <std::int64_t V> inline constexpr bool is_option<groups<V>> = true;

using zeros1 = ints<0>;
using ones1 = ints<1>;
using zeros2 = ints<0, 0>;
using ones2 = ints<1, 1>;
using zeros3 = ints<0, 0, 0>;
using ones3 = ints<1, 1, 1>;

template <class Zeros, class Ones, bool Transposed, class... Options, class A, class W, class B>
constexpr auto convolve(call_site where, const A& x, const W& weight, const B& bias) {
    return call<aten::convolution>(where, x, weight, bias, option<stride, Ones, Options...>{},
                                   option<padding, Zeros, Options...>{}, option<dilation, Ones, Options...>{},
                                   flag<Transposed>{}, option<output_padding, Zeros, Options...>{},
                                   group_count<Options...>{});
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

template <class T>
concept window_option = detail::is_option<T>;

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::ops {

/// [N, C, L] with weight [K, C / groups, l] and bias [K] gives [N, K, L'].
template <frontend::window_option... Options, class A, class W, class B>
constexpr auto conv1d(const handle<A>& x, const handle<W>& weight, const handle<B>& bias,
                      call_site where = call_site::current()) {
    return detail::convolve<detail::zeros1, detail::ones1, false, Options...>(where, x, weight, bias);
}
template <frontend::window_option... Options, class A, class W>
constexpr auto conv1d(const handle<A>& x, const handle<W>& weight, call_site where = call_site::current()) {
    return detail::convolve<detail::zeros1, detail::ones1, false, Options...>(where, x, weight, none{});
}
/// [N, C, H, W] with weight [K, C / groups, h, w] and bias [K] gives [N, K, H', W'].
template <frontend::window_option... Options, class A, class W, class B>
constexpr auto conv2d(const handle<A>& x, const handle<W>& weight, const handle<B>& bias,
                      call_site where = call_site::current()) {
    return detail::convolve<detail::zeros2, detail::ones2, false, Options...>(where, x, weight, bias);
}
template <frontend::window_option... Options, class A, class W>
constexpr auto conv2d(const handle<A>& x, const handle<W>& weight, call_site where = call_site::current()) {
    return detail::convolve<detail::zeros2, detail::ones2, false, Options...>(where, x, weight, none{});
}
/// [N, C, H, W] with weight [C, K / groups, h, w] and bias [K] gives [N, K, H', W'].
template <frontend::window_option... Options, class A, class W, class B>
constexpr auto conv_transpose2d(const handle<A>& x, const handle<W>& weight, const handle<B>& bias,
                                call_site where = call_site::current()) {
    return detail::convolve<detail::zeros2, detail::ones2, true, Options...>(where, x, weight, bias);
}
template <frontend::window_option... Options, class A, class W>
constexpr auto conv_transpose2d(const handle<A>& x, const handle<W>& weight, call_site where = call_site::current()) {
    return detail::convolve<detail::zeros2, detail::ones2, true, Options...>(where, x, weight, none{});
}

/// The same for volumes, [N, C, D, H, W], and for lines, [N, C, L].
template <frontend::window_option... Options, class A, class W, class B>
constexpr auto conv3d(const handle<A>& x, const handle<W>& weight, const B& bias,
                      call_site where = call_site::current()) {
    return detail::convolve<detail::zeros3, detail::ones3, false, Options...>(where, x, weight, bias);
}
template <frontend::window_option... Options, class A, class W, class B>
constexpr auto conv_transpose1d(const handle<A>& x, const handle<W>& weight, const B& bias,
                                call_site where = call_site::current()) {
    return detail::convolve<detail::zeros1, detail::ones1, true, Options...>(where, x, weight, bias);
}
template <frontend::window_option... Options, class A, class W, class B>
constexpr auto conv_transpose3d(const handle<A>& x, const handle<W>& weight, const B& bias,
                                call_site where = call_site::current()) {
    return detail::convolve<detail::zeros3, detail::ones3, true, Options...>(where, x, weight, bias);
}

/// The largest element of each window, of any dtype but b8: [.., H, W] gives [.., H', W']. Windows do not overlap
/// unless a stride is given.
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto max_pool2d(const handle<A>& x, call_site where = call_site::current()) {
    using sizes = detail::option<frontend::kernel, void, Kernel>;
    return frontend::call_result<0, aten::max_pool2d_with_indices>(
        where, x, sizes{}, detail::option<frontend::stride, sizes, Options...>{},
        detail::option<frontend::padding, detail::zeros2, Options...>{},
        detail::option<frontend::dilation, detail::ones2, Options...>{});
}
/// The same for volumes: [.., D, H, W] gives [.., D', H', W'].
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto max_pool3d(const handle<A>& x, call_site where = call_site::current()) {
    using sizes = detail::option<frontend::kernel, void, Kernel>;
    return frontend::call_result<0, aten::max_pool3d_with_indices>(
        where, x, sizes{}, detail::option<frontend::stride, sizes, Options...>{},
        detail::option<frontend::padding, detail::zeros3, Options...>{},
        detail::option<frontend::dilation, detail::ones3, Options...>{});
}
/// Writes [.., H', W'] to the indices of max_pool2d_with_indices; other elements of [.., Height, Width] are 0.
template <std::int64_t Height, std::int64_t Width, class A, class Indices>
constexpr auto max_unpool2d(const handle<A>& x, const handle<Indices>& indices,
                            call_site where = call_site::current()) {
    return call<aten::max_unpool2d>(where, x, indices, ints<Height, Width>{});
}
/// The mean of each window; padding counts as zeros.
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto avg_pool2d(const handle<A>& x, call_site where = call_site::current()) {
    using sizes = detail::option<frontend::kernel, void, Kernel>;
    return call<aten::avg_pool2d>(where, x, sizes{}, detail::option<frontend::stride, sizes, Options...>{},
                                  detail::option<frontend::padding, detail::zeros2, Options...>{});
}
/// Means over windows that give an output of [.., Height, Width]. Floating-point tensors only.
template <std::int64_t Height, std::int64_t Width, class A>
constexpr auto adaptive_avg_pool2d(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::adaptive_avg_pool2d>(where, x, ints<Height, Width>{});
}

/// The same for lines, [.., L], and volumes, [.., D, H, W].
template <std::int64_t Length, class A>
constexpr auto adaptive_avg_pool1d(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::adaptive_avg_pool1d>(where, x, ints<Length>{});
}
template <std::int64_t Depth, std::int64_t Height, std::int64_t Width, class A>
constexpr auto adaptive_avg_pool3d(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::adaptive_avg_pool3d>(where, x, ints<Depth, Height, Width>{});
}
/// The largest element of such windows, and its index in the flattened last dims: auto [y, places] =
/// adaptive_max_pool<2, 3>(x), for as many last dims as sizes are given.
template <std::int64_t... Sizes, class A>
    requires(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3)
constexpr auto adaptive_max_pool(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Sizes) == 1) return call<aten::adaptive_max_pool1d>(where, x, ints<Sizes...>{});
    else if constexpr (sizeof...(Sizes) == 2) return call<aten::adaptive_max_pool2d>(where, x, ints<Sizes...>{});
    else return call<aten::adaptive_max_pool3d>(where, x, ints<Sizes...>{});
}

/// The gradient of adaptive_avg_pool2d's operand, from that of its result.
template <class G, class A>
constexpr auto adaptive_avg_pool2d_backward(const handle<G>& gradient, const handle<A>& x,
                                            call_site where = call_site::current()) {
    return call<aten::adaptive_avg_pool2d_backward>(where, gradient, x);
}

/// Each window of [N, C, H, W] as a column of [N, C h w, L]; the step is 1 unless a stride is given. Floating point
/// only.
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto im2col(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::im2col>(where, x, detail::option<frontend::kernel, void, Kernel>{},
                              detail::option<frontend::dilation, detail::ones2, Options...>{},
                              detail::option<frontend::padding, detail::zeros2, Options...>{},
                              detail::option<frontend::stride, detail::ones2, Options...>{});
}
/// Adds columns to the positions that im2col takes them from, in an image of this size.
template <std::int64_t Height, std::int64_t Width, class Kernel, frontend::window_option... Options, class A>
constexpr auto col2im(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::col2im>(where, x, ints<Height, Width>{}, detail::option<frontend::kernel, void, Kernel>{},
                              detail::option<frontend::dilation, detail::ones2, Options...>{},
                              detail::option<frontend::padding, detail::zeros2, Options...>{},
                              detail::option<frontend::stride, detail::ones2, Options...>{});
}
/// Samples images [N, C, H, W] at the positions [N, h, w, 2], x and y from -1 to 1: [N, C, h, w]. -1 and 1 are the
/// outer edges, or the centres of the outermost elements with AlignCorners.
template <aten::grid_interpolation By = aten::grid_interpolation::bilinear,
          aten::grid_padding Padding = aten::grid_padding::zeros, bool AlignCorners = false, class A, class G>
constexpr auto grid_sample(const handle<A>& x, const handle<G>& grid, call_site where = call_site::current()) {
    return call<aten::grid_sampler_2d>(where, x, grid, integer<static_cast<std::int64_t>(By)>{},
                                       integer<static_cast<std::int64_t>(Padding)>{}, flag<AlignCorners>{});
}

/// Pads the last dims with a constant: Pad is before and after the last dim, then the one before it, and so on.
template <std::int64_t... Pad, class A, frontend::number N = int>
constexpr auto constant_pad(const handle<A>& x, N value = 0, call_site where = call_site::current()) {
    return call<aten::constant_pad_nd>(where, x, ints<Pad...>{}, value);
}
/// The same list of paddings with a word: pad<"reflect", 1, 2>(x) mirrors without the edge, "replicate" repeats the
/// edge, "circular" continues at the other end, for [N, C, ..].
template <core::fixed_string Mode, std::int64_t... Pad, class A>
constexpr auto pad(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::pad>(where, x, ints<Pad...>{}, word<Mode>{});
}
/// Mirrors the last dim at its ends, without the edge.
template <std::int64_t Left, std::int64_t Right, class A>
constexpr auto reflection_pad1d(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::reflection_pad1d>(where, x, ints<Left, Right>{});
}
/// The same for the last two dims.
template <std::int64_t Left, std::int64_t Right, std::int64_t Top, std::int64_t Bottom, class A>
constexpr auto reflection_pad2d(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::reflection_pad2d>(where, x, ints<Left, Right, Top, Bottom>{});
}

} // namespace ahead::ops

namespace AHEAD_NAMESPACE {
using frontend::dilation, frontend::groups, frontend::kernel, frontend::output_padding, frontend::padding,
    frontend::stride;
} // namespace ahead
