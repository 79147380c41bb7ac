// SPDX-License-Identifier: MIT
// Resizing of the last dims: nearest, linear, cubic and antialiased, in 1, 2 and 3 dims (resize.hpp), to given sizes,
// or by factors (.vec).
// Source: aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/aten/window/resize.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {

struct nearest_vec {
    enum at : int { input, output_size, scale_factors };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("output_size", parameter_kind::optional_int_list),
                                           required("scale_factors", parameter_kind::real_list)};
    static constexpr detail::resize_parameters resized{
        .self = at::input, .output_size = at::output_size, .scale_factors = at::scale_factors};
};
struct linear_vec {
    enum at : int { input, output_size, align_corners, scale_factors };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("output_size", parameter_kind::optional_int_list),
        required("align_corners", parameter_kind::boolean), required("scale_factors", parameter_kind::real_list)};
    static constexpr detail::resize_parameters resized{.self = at::input,
                                                       .output_size = at::output_size,
                                                       .scale_factors = at::scale_factors,
                                                       .align_corners = at::align_corners};
};

/// `first`, followed by one factor per spatial dim under PyTorch's names.
template <int Spatial, std::size_t Count>
constexpr std::array<parameter, Count + Spatial> with_scales(const std::array<parameter, Count>& first) {
    constexpr std::string_view names[] = {"scales_d", "scales_h", "scales_w"};
    std::array<parameter, Count + Spatial> out{};
    for (std::size_t i = 0; i < Count; ++i) out[i] = first[i];
    for (std::size_t d = 0; d < Spatial; ++d)
        out[Count + d] = defaulted(Spatial == 1 ? "scales" : names[3 - Spatial + d], parameter_kind::optional_real);
    return out;
}
template <int Spatial> struct nearest_sized {
    enum at : int { self, output_size }; // followed by the factors
    static constexpr auto schema = with_scales<Spatial>(
        std::array{required("self", parameter_kind::tensor), required("output_size", parameter_kind::int_list)});
    static constexpr detail::resize_parameters resized{
        .self = at::self, .output_size = at::output_size, .scales = at::output_size + 1};
};
template <int Spatial> struct linear_sized {
    enum at : int { self, output_size, align_corners }; // followed by the factors
    static constexpr auto schema = with_scales<Spatial>(std::array{required("self", parameter_kind::tensor),
                                                                   required("output_size", parameter_kind::int_list),
                                                                   required("align_corners", parameter_kind::boolean)});
    static constexpr detail::resize_parameters resized{.self = at::self,
                                                       .output_size = at::output_size,
                                                       .scales = at::align_corners + 1,
                                                       .align_corners = at::align_corners};
};
} // namespace schemas

namespace detail {

/// Resizes by a filter that copies a single element, for any dtype.
template <class Schema, int Spatial, bool Exact = false> struct nearest : Schema {
    static constexpr bool infer(infer_context& c) { return infer_resize<Spatial>(c, Schema::resized); }
    static constexpr void evaluate(auto& c) {
        gather_elements(c, [&](const int_list& at, const tensor_type& t) {
            auto from = at;
            for_each_tap<nearest_filter<Exact>, Spatial>(c, Schema::resized, t, c.result_type(), at,
                                                         [&](const int_list& i, double) { from = i; });
            return from;
        });
    }
};

/// Resizes by a filter with several weighted taps.
template <class Schema, int Spatial, class Filter> struct weighted : Schema {
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(Schema::resized.self);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        return infer_resize<Spatial>(c, Schema::resized);
    }
    static constexpr void evaluate(auto& c) { evaluate_resize<Filter, Spatial>(c, Schema::resized); }
};

} // namespace detail

/// upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest1d : detail::nearest<schemas::nearest_vec, 1> {
    static constexpr std::string_view name = "aten.upsample_nearest1d.vec"sv;
};
/// upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None)
struct upsample_nearest1d_sized : detail::nearest<schemas::nearest_sized<1>, 1> {
    static constexpr std::string_view name = "aten.upsample_nearest1d.default"sv;
};
/// _upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest_exact1d : detail::nearest<schemas::nearest_vec, 1, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact1d.vec"sv;
};
/// _upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None)
struct upsample_nearest_exact1d_sized : detail::nearest<schemas::nearest_sized<1>, 1, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact1d.default"sv;
};
/// upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest2d : detail::nearest<schemas::nearest_vec, 2> {
    static constexpr std::string_view name = "aten.upsample_nearest2d.vec"sv;
};
/// upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None)
struct upsample_nearest2d_sized : detail::nearest<schemas::nearest_sized<2>, 2> {
    static constexpr std::string_view name = "aten.upsample_nearest2d.default"sv;
};
/// _upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest_exact2d : detail::nearest<schemas::nearest_vec, 2, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact2d.vec"sv;
};
/// _upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None)
struct upsample_nearest_exact2d_sized : detail::nearest<schemas::nearest_sized<2>, 2, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact2d.default"sv;
};
/// upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest3d : detail::nearest<schemas::nearest_vec, 3> {
    static constexpr std::string_view name = "aten.upsample_nearest3d.vec"sv;
};
/// upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float?
/// scales_w=None)
struct upsample_nearest3d_sized : detail::nearest<schemas::nearest_sized<3>, 3> {
    static constexpr std::string_view name = "aten.upsample_nearest3d.default"sv;
};
/// _upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest_exact3d : detail::nearest<schemas::nearest_vec, 3, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact3d.vec"sv;
};
/// _upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float?
/// scales_w=None)
struct upsample_nearest_exact3d_sized : detail::nearest<schemas::nearest_sized<3>, 3, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact3d.default"sv;
};
/// upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_linear1d : detail::weighted<schemas::linear_vec, 1, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_linear1d.vec"sv;
};
/// upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None)
struct upsample_linear1d_sized : detail::weighted<schemas::linear_sized<1>, 1, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_linear1d.default"sv;
};
/// upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_bilinear2d : detail::weighted<schemas::linear_vec, 2, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_bilinear2d.vec"sv;
};
/// upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float?
/// scales_w=None)
struct upsample_bilinear2d_sized : detail::weighted<schemas::linear_sized<2>, 2, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_bilinear2d.default"sv;
};
/// upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_trilinear3d : detail::weighted<schemas::linear_vec, 3, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_trilinear3d.vec"sv;
};
/// upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float?
/// scales_h=None, float? scales_w=None)
struct upsample_trilinear3d_sized : detail::weighted<schemas::linear_sized<3>, 3, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_trilinear3d.default"sv;
};
/// upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_bicubic2d : detail::weighted<schemas::linear_vec, 2, cubic_filter> {
    static constexpr std::string_view name = "aten.upsample_bicubic2d.vec"sv;
};
/// upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float?
/// scales_w=None)
struct upsample_bicubic2d_sized : detail::weighted<schemas::linear_sized<2>, 2, cubic_filter> {
    static constexpr std::string_view name = "aten.upsample_bicubic2d.default"sv;
};
/// _upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_bilinear2d_aa : detail::weighted<schemas::linear_vec, 2, antialias_filter<triangle_bell>> {
    static constexpr std::string_view name = "aten._upsample_bilinear2d_aa.vec"sv;
};
/// _upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float?
/// scales_w=None)
struct upsample_bilinear2d_aa_sized : detail::weighted<schemas::linear_sized<2>, 2, antialias_filter<triangle_bell>> {
    static constexpr std::string_view name = "aten._upsample_bilinear2d_aa.default"sv;
};
/// _upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_bicubic2d_aa : detail::weighted<schemas::linear_vec, 2, antialias_filter<cubic_bell>> {
    static constexpr std::string_view name = "aten._upsample_bicubic2d_aa.vec"sv;
};
/// _upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float?
/// scales_w=None)
struct upsample_bicubic2d_aa_sized : detail::weighted<schemas::linear_sized<2>, 2, antialias_filter<cubic_bell>> {
    static constexpr std::string_view name = "aten._upsample_bicubic2d_aa.default"sv;
};

using upsample_ops =
    op_list<upsample_nearest1d, upsample_nearest1d_sized, upsample_nearest_exact1d, upsample_nearest_exact1d_sized,
            upsample_nearest2d, upsample_nearest2d_sized, upsample_nearest_exact2d, upsample_nearest_exact2d_sized,
            upsample_nearest3d, upsample_nearest3d_sized, upsample_nearest_exact3d, upsample_nearest_exact3d_sized,
            upsample_linear1d, upsample_linear1d_sized, upsample_bilinear2d, upsample_bilinear2d_sized,
            upsample_trilinear3d, upsample_trilinear3d_sized, upsample_bicubic2d, upsample_bicubic2d_sized,
            upsample_bilinear2d_aa, upsample_bilinear2d_aa_sized, upsample_bicubic2d_aa, upsample_bicubic2d_aa_sized>;

} // namespace ahead::aten
