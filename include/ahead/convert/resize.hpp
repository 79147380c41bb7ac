// SPDX-License-Identifier: MIT
// Converters of aten/window/upsample.hpp and upsample_gradients.hpp: dims are resized one at a time, those that become
// smaller first.
#pragma once
#include <ahead/aten/window/upsample_gradients.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/resize.hpp>

namespace AHEAD_NAMESPACE::convert {

template <int Spatial> struct resize_cases;
template <> struct resize_cases<1> {
    using by_size =
        cases<support<f32<2, 3, 9>, ints<14>>, support<f64<1, 2, 9>, ints<4>>, support<f32<1, 1, 5>, ints<1>>>;
    using by_list = cases<support<f32<2, 3, 9>, ints<14>, none>>;
    using weighed = cases<support<f32<2, 3, 9>, ints<14>, flag<false>>, support<f64<1, 2, 9>, ints<4>, flag<true>>,
                          support<f16<1, 1, 5>, ints<1>, flag<true>>>;
    using weighed_list = cases<support<f32<2, 3, 9>, ints<14>, flag<false>, none>>;
};
template <> struct resize_cases<2> {
    using by_size = cases<support<f32<1, 3, 5, 6>, ints<10, 9>>, support<b8<1, 2, 5, 9>, ints<3, 20>>>;
    using by_list = cases<support<f32<1, 2, 5, 6>, ints<10, 4>, none>>;
    using weighed =
        cases<support<f32<1, 3, 5, 6>, ints<10, 19>, flag<false>>, support<f64<1, 2, 9, 7>, ints<4, 7>, flag<true>>,
              support<bf16<1, 1, 5, 4>, ints<1, 8>, flag<true>>>;
    using weighed_list = cases<support<f32<1, 2, 5, 6>, ints<10, 4>, flag<true>, none>>;
};
template <> struct resize_cases<3> {
    using by_size = cases<support<f32<1, 2, 3, 4, 5>, ints<6, 4, 9>>>;
    using by_list = cases<support<f32<1, 2, 3, 4, 5>, ints<6, 4, 9>, none>>;
    using weighed = cases<support<f32<1, 2, 3, 4, 5>, ints<6, 3, 9>, flag<false>>>;
    using weighed_list = cases<support<f32<1, 2, 3, 4, 5>, ints<6, 4, 9>, flag<true>, none>>;
};

/// Whether elements are weighted; else one of them is picked.
constexpr bool weighs(device::resize_filter filter) { return filter > device::resize_filter::nearest_exact; }

namespace detail {
/// A resize of `dims` dims.
struct resizing {
    aten::detail::resize_parameters of;
    int dims;
    device::resize_filter filter;

    /// x with dim d of these resized.
    constexpr argument along(convert_context& c, const argument& x, int d, bool is_gradient = false) const {
        const auto dim = argument::of(2 + d), size = argument::of(c.aten.result_type().size(2 + d)),
                   by = argument::of(static_cast<int>(filter)),
                   aligns = argument::of(aten::detail::aligns_corners(c.aten, of)),
                   factor = argument::of(aten::detail::place_factor(c.aten, of, d));
        return is_gradient ? c.create<device::resize>({x, dim, size, by, aligns, factor, argument::of(true)})
                           : c.create<device::resize>({x, dim, size, by, aligns, factor});
    }
    constexpr bool convert(convert_context& c) const {
        const auto &self = c.aten.tensor(first_parameter), &wanted = c.aten.result_type();
        const bool is_rare = weighs(filter) && !has_kernels(self.type);
        auto x = c.contiguous(c.operand(first_parameter));
        if (is_rare) x = c.create<device::cast>({x, argument::of(dtype::f32)});
        for (int d = 0; d < dims; ++d)
            if (wanted.size(2 + d) < self.size(2 + d)) x = along(c, x, d);
        for (int d = dims - 1; d >= 0; --d)
            if (wanted.size(2 + d) >= self.size(2 + d)) x = along(c, x, d);
        if (is_rare) x = c.create<device::cast>({x, argument::of(self.type)});
        return c.bind_row_major(x);
    }
    /// The dims one at a time, the last one last: it is the most expensive, and by then there are fewer lines if sizes
    /// were enlarged.
    constexpr bool convert_gradient(convert_context& c) const {
        const auto& self = c.aten.tensor(first_parameter);
        const bool is_rare = !has_kernels(self.type);
        auto x = c.contiguous(c.operand(first_parameter));
        if (is_rare) x = c.create<device::cast>({x, argument::of(dtype::f32)});
        for (int d = 0; d < dims; ++d) x = along(c, x, d, true);
        if (is_rare) x = c.create<device::cast>({x, argument::of(self.type)});
        return c.bind_row_major(x);
    }
};
} // namespace detail

template <class Op, int Spatial, device::resize_filter Filter> struct resized {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool is_listed = Op::resized.scale_factors != no_parameter;
    using given = resize_cases<Spatial>;
    using supported =
        std::conditional_t<weighs(Filter),
                           std::conditional_t<is_listed, typename given::weighed_list, typename given::weighed>,
                           std::conditional_t<is_listed, typename given::by_list, typename given::by_size>>;
    static constexpr bool convert(convert_context& c) {
        return detail::resizing{Op::resized, Spatial, Filter}.convert(c);
    }
};

template <int Spatial> struct resize_gradient_cases;
template <> struct resize_gradient_cases<1> {
    using nearest =
        cases<support<f32<2, 3, 14>, ints<14>, ints<2, 3, 9>>, support<f64<1, 2, 4>, ints<4>, ints<1, 2, 9>>>;
    using linear = cases<support<f32<2, 3, 14>, ints<14>, ints<2, 3, 9>, flag<false>>,
                         support<f16<1, 1, 4>, ints<4>, ints<1, 1, 9>, flag<true>>>;
};
template <> struct resize_gradient_cases<2> {
    using nearest = cases<support<f32<1, 3, 10, 18>, ints<10, 18>, ints<1, 3, 5, 9>>,
                          support<f64<1, 2, 3, 20>, ints<3, 20>, ints<1, 2, 5, 9>>>;
    using linear = cases<support<f32<1, 3, 10, 19>, ints<10, 19>, ints<1, 3, 5, 17>, flag<false>>,
                         support<f64<1, 2, 4, 7>, ints<4, 7>, ints<1, 2, 9, 7>, flag<true>>,
                         support<bf16<1, 1, 1, 8>, ints<1, 8>, ints<1, 1, 5, 4>, flag<true>>>;
};
template <> struct resize_gradient_cases<3> {
    using nearest = cases<support<f32<1, 2, 6, 4, 9>, ints<6, 4, 9>, ints<1, 2, 3, 4, 5>>>;
    using linear = cases<support<f32<1, 2, 6, 4, 9>, ints<6, 4, 9>, ints<1, 2, 3, 4, 5>, flag<true>>>;
};

template <class Op, int Spatial, device::resize_filter Filter> struct resized_back {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using given = resize_gradient_cases<Spatial>;
    using supported = std::conditional_t<weighs(Filter), typename given::linear, typename given::nearest>;
    static constexpr bool convert(convert_context& c) {
        return detail::resizing{Op::resized, Spatial, Filter}.convert_gradient(c);
    }
};

using resize_gradient_converters =
    converter_list<resized_back<aten::upsample_nearest1d_backward, 1, device::resize_filter::nearest>,
                   resized_back<aten::upsample_nearest_exact1d_backward, 1, device::resize_filter::nearest_exact>,
                   resized_back<aten::upsample_nearest2d_backward, 2, device::resize_filter::nearest>,
                   resized_back<aten::upsample_nearest_exact2d_backward, 2, device::resize_filter::nearest_exact>,
                   resized_back<aten::upsample_nearest3d_backward, 3, device::resize_filter::nearest>,
                   resized_back<aten::upsample_nearest_exact3d_backward, 3, device::resize_filter::nearest_exact>,
                   resized_back<aten::upsample_linear1d_backward, 1, device::resize_filter::linear>,
                   resized_back<aten::upsample_bilinear2d_backward, 2, device::resize_filter::linear>,
                   resized_back<aten::upsample_trilinear3d_backward, 3, device::resize_filter::linear>,
                   resized_back<aten::upsample_bicubic2d_backward, 2, device::resize_filter::cubic>,
                   resized_back<aten::upsample_bilinear2d_aa_backward, 2, device::resize_filter::antialiased_linear>,
                   resized_back<aten::upsample_bicubic2d_aa_backward, 2, device::resize_filter::antialiased_cubic>>;

using resize_converters =
    converter_list<resized<aten::upsample_nearest1d, 1, device::resize_filter::nearest>,
                   resized<aten::upsample_nearest1d_sized, 1, device::resize_filter::nearest>,
                   resized<aten::upsample_nearest_exact1d, 1, device::resize_filter::nearest_exact>,
                   resized<aten::upsample_nearest_exact1d_sized, 1, device::resize_filter::nearest_exact>,
                   resized<aten::upsample_nearest2d, 2, device::resize_filter::nearest>,
                   resized<aten::upsample_nearest2d_sized, 2, device::resize_filter::nearest>,
                   resized<aten::upsample_nearest_exact2d, 2, device::resize_filter::nearest_exact>,
                   resized<aten::upsample_nearest_exact2d_sized, 2, device::resize_filter::nearest_exact>,
                   resized<aten::upsample_nearest3d, 3, device::resize_filter::nearest>,
                   resized<aten::upsample_nearest3d_sized, 3, device::resize_filter::nearest>,
                   resized<aten::upsample_nearest_exact3d, 3, device::resize_filter::nearest_exact>,
                   resized<aten::upsample_nearest_exact3d_sized, 3, device::resize_filter::nearest_exact>,
                   resized<aten::upsample_linear1d, 1, device::resize_filter::linear>,
                   resized<aten::upsample_linear1d_sized, 1, device::resize_filter::linear>,
                   resized<aten::upsample_bilinear2d, 2, device::resize_filter::linear>,
                   resized<aten::upsample_bilinear2d_sized, 2, device::resize_filter::linear>,
                   resized<aten::upsample_trilinear3d, 3, device::resize_filter::linear>,
                   resized<aten::upsample_trilinear3d_sized, 3, device::resize_filter::linear>,
                   resized<aten::upsample_bicubic2d, 2, device::resize_filter::cubic>,
                   resized<aten::upsample_bicubic2d_sized, 2, device::resize_filter::cubic>,
                   resized<aten::upsample_bilinear2d_aa, 2, device::resize_filter::antialiased_linear>,
                   resized<aten::upsample_bilinear2d_aa_sized, 2, device::resize_filter::antialiased_linear>,
                   resized<aten::upsample_bicubic2d_aa, 2, device::resize_filter::antialiased_cubic>,
                   resized<aten::upsample_bicubic2d_aa_sized, 2, device::resize_filter::antialiased_cubic>>;

} // namespace ahead::convert
