// SPDX-License-Identifier: MIT
// Resizing, and pools and paddings of lines and volumes, on handles, in addition to window.hpp. A word selects the
// method: resize<"bilinear", 8, 8>(x) for [N, C, H, W].
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <ahead/frontend/handles/functions/window.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

/// The operator that a word selects, for a number of dims.
template <fixed_string By, std::size_t Dims> constexpr auto resize_operator() {
    constexpr auto word = By.view();
    if constexpr (word == "nearest")
        return std::tuple<aten::upsample_nearest1d, aten::upsample_nearest2d, aten::upsample_nearest3d>{};
    else if constexpr (word == "nearest-exact")
        return std::tuple<aten::upsample_nearest_exact1d, aten::upsample_nearest_exact2d,
                          aten::upsample_nearest_exact3d>{};
    else
        return std::tuple<aten::upsample_linear1d, aten::upsample_bilinear2d, aten::upsample_trilinear3d>{};
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// [N, C, ..] with other last dims, as torch.nn.functional.interpolate: "nearest", "nearest-exact", "linear" in 1, 2 or
/// 3 dims; "bicubic" in 2; "antialiased" and "antialiased bicubic" in 2, where each new element is a mean of old ones.
template <core::fixed_string By, std::int64_t... Sizes, class A>
    requires(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3)
constexpr auto resize(const handle<A>& x, call_site where = call_site::current()) {
    constexpr auto word = By.view();
    constexpr std::size_t dims = sizeof...(Sizes);
    if constexpr (word == "bicubic")
        return call<aten::upsample_bicubic2d>(where, x, ints<Sizes...>{}, flag<false>{}, none{});
    else if constexpr (word == "antialiased")
        return call<aten::upsample_bilinear2d_aa>(where, x, ints<Sizes...>{}, flag<false>{}, none{});
    else if constexpr (word == "antialiased bicubic")
        return call<aten::upsample_bicubic2d_aa>(where, x, ints<Sizes...>{}, flag<false>{}, none{});
    else {
        static_assert(word == "nearest" || word == "nearest-exact" || word == "linear",
                      "resize takes nearest, nearest-exact, linear, bicubic, antialiased or antialiased bicubic");
        using op = std::tuple_element_t<dims - 1, decltype(detail::resize_operator<By, dims>())>;
        if constexpr (word == "linear") return call<op>(where, x, ints<Sizes...>{}, flag<false>{}, none{});
        else return call<op>(where, x, ints<Sizes...>{}, none{});
    }
}
/// The mean of each window of lines, [.., L], or volumes, [.., D, H, W]; padding counts as zeros.
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto avg_pool1d(const handle<A>& x, call_site where = call_site::current()) {
    using sizes = detail::option<kernel, void, Kernel>;
    return call<aten::avg_pool1d>(where, x, sizes{}, detail::option<stride, sizes, Options...>{},
                                  detail::option<padding, detail::zeros1, Options...>{});
}
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto avg_pool3d(const handle<A>& x, call_site where = call_site::current()) {
    using sizes = detail::option<kernel, void, Kernel>;
    return call<aten::avg_pool3d>(where, x, sizes{}, detail::option<stride, sizes, Options...>{},
                                  detail::option<padding, detail::zeros3, Options...>{});
}
/// The largest element of each window of lines.
template <class Kernel, frontend::window_option... Options, class A>
constexpr auto max_pool1d(const handle<A>& x, call_site where = call_site::current()) {
    using sizes = detail::option<kernel, void, Kernel>;
    return call<aten::max_pool1d>(where, x, sizes{}, detail::option<stride, sizes, Options...>{},
                                  detail::option<padding, detail::zeros1, Options...>{},
                                  detail::option<dilation, detail::ones1, Options...>{});
}
/// max_unpool2d for volumes.
template <std::int64_t Depth, std::int64_t Height, std::int64_t Width, class A, class Indices>
constexpr auto max_unpool3d(const handle<A>& x, const handle<Indices>& indices,
                            call_site where = call_site::current()) {
    return call<aten::max_unpool3d>(where, x, indices, ints<Depth, Height, Width>{}, ints<1, 1, 1>{},
                                    ints<0, 0, 0>{});
}
/// Mirrors the last three dims at their ends, without the edge: before and after the last one, and so on.
template <std::int64_t... Pad, class A>
constexpr auto reflection_pad3d(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::reflection_pad3d>(where, x, ints<Pad...>{});
}
/// Repeats the edges of the last dims; two numbers for each dim.
template <std::int64_t... Pad, class A>
    requires(sizeof...(Pad) == 2 || sizeof...(Pad) == 4 || sizeof...(Pad) == 6)
constexpr auto replication_pad(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Pad) == 2) return call<aten::replication_pad1d>(where, x, ints<Pad...>{});
    else if constexpr (sizeof...(Pad) == 4) return call<aten::replication_pad2d>(where, x, ints<Pad...>{});
    else return call<aten::replication_pad3d>(where, x, ints<Pad...>{});
}

} // namespace ahead::ops
