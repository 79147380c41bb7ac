// SPDX-License-Identifier: MIT
// Gradients of resizing (upsample.hpp): adds each element's gradient to its source elements, by their weights.
// Source: aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/aten/window/upsample.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
template <int Spatial> struct nearest_gradient {
    enum at : int { grad_output, output_size, input_size }; // followed by the factors
    static constexpr auto schema = with_scales<Spatial>(std::array{required("grad_output", parameter_kind::tensor),
                                                                   required("output_size", parameter_kind::int_list),
                                                                   required("input_size", parameter_kind::int_list)});
    static constexpr detail::resize_parameters resized{.self = at::grad_output,
                                                       .output_size = at::output_size,
                                                       .scales = at::input_size + 1,
                                                       .input_size = at::input_size};
};
template <int Spatial> struct linear_gradient {
    enum at : int { grad_output, output_size, input_size, align_corners }; // followed by the factors
    static constexpr auto schema = with_scales<Spatial>(std::array{
        required("grad_output", parameter_kind::tensor), required("output_size", parameter_kind::int_list),
        required("input_size", parameter_kind::int_list), required("align_corners", parameter_kind::boolean)});
    static constexpr detail::resize_parameters resized{.self = at::grad_output,
                                                       .output_size = at::output_size,
                                                       .scales = at::align_corners + 1,
                                                       .align_corners = at::align_corners,
                                                       .input_size = at::input_size};
};
} // namespace schemas

namespace detail {

/// Type rule: the sizes of the resized tensor, in the gradient's dtype and format. spatial: number of resized dims.
constexpr bool infer_resize_gradient(infer_context& c, const resize_parameters& of, int spatial) {
    const auto& t = c.tensor(of.self);
    const auto sizes = c.ints(of.input_size), made = c.ints(of.output_size);
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (sizes.size != spatial + 2 || made.size != spatial)
        return c.refuse(fault::rank_is_wrong,
                        short_text() << spatial + 2 << " sizes of the input, " << spatial << " of the output",
                        "another count");
    auto whole = sizes;
    for (int d = 0; d < spatial; ++d) {
        whole[2 + d] = made[d];
        if (made[d] < 1 || sizes[2 + d] < 1)
            return c.refuse(fault::window_does_not_fit, "sizes from 1",
                            short_text() << (made[d] < 1 ? made[d] : sizes[2 + d]));
    }
    for (int d = 0; d < 2; ++d)
        if (sizes[d] < 0) return c.refuse(fault::size_is_negative, "sizes from 0", short_text() << sizes[d]);
    if (sizes_of(t) != whole)
        return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, whole)), print(t));
    return c.result(in_format_of(t, tensor_of(t.type, sizes)));
}
template <class Schema, int Spatial, class Filter> struct resize_gradient : Schema {
    static constexpr auto of = Schema::resized;
    static constexpr bool infer(infer_context& c) { return infer_resize_gradient(c, of, Spatial); }
    static constexpr void evaluate(auto& c) { evaluate_resize_gradient<Filter, Spatial>(c, of); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.result_type()); }
};

} // namespace detail

/// upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None)
struct upsample_nearest1d_backward : detail::resize_gradient<schemas::nearest_gradient<1>, 1, nearest_filter<false>> {
    static constexpr std::string_view name = "aten.upsample_nearest1d_backward.default"sv;
};
/// _upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float?
/// scales=None)
struct upsample_nearest_exact1d_backward
    : detail::resize_gradient<schemas::nearest_gradient<1>, 1, nearest_filter<true>> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact1d_backward.default"sv;
};
/// upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None,
/// float? scales_w=None)
struct upsample_nearest2d_backward : detail::resize_gradient<schemas::nearest_gradient<2>, 2, nearest_filter<false>> {
    static constexpr std::string_view name = "aten.upsample_nearest2d_backward.default"sv;
};
/// _upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float?
/// scales_h=None, float? scales_w=None)
struct upsample_nearest_exact2d_backward
    : detail::resize_gradient<schemas::nearest_gradient<2>, 2, nearest_filter<true>> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact2d_backward.default"sv;
};
/// upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None,
/// float? scales_h=None, float? scales_w=None)
struct upsample_nearest3d_backward : detail::resize_gradient<schemas::nearest_gradient<3>, 3, nearest_filter<false>> {
    static constexpr std::string_view name = "aten.upsample_nearest3d_backward.default"sv;
};
/// _upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float?
/// scales_d=None, float? scales_h=None, float? scales_w=None)
struct upsample_nearest_exact3d_backward
    : detail::resize_gradient<schemas::nearest_gradient<3>, 3, nearest_filter<true>> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact3d_backward.default"sv;
};
/// upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool align_corners,
/// float? scales=None)
struct upsample_linear1d_backward : detail::resize_gradient<schemas::linear_gradient<1>, 1, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_linear1d_backward.default"sv;
};
/// upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners,
/// float? scales_h=None, float? scales_w=None)
struct upsample_bilinear2d_backward : detail::resize_gradient<schemas::linear_gradient<2>, 2, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_bilinear2d_backward.default"sv;
};
/// upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool align_corners,
/// float? scales_d=None, float? scales_h=None, float? scales_w=None)
struct upsample_trilinear3d_backward : detail::resize_gradient<schemas::linear_gradient<3>, 3, linear_filter> {
    static constexpr std::string_view name = "aten.upsample_trilinear3d_backward.default"sv;
};
/// upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners,
/// float? scales_h=None, float? scales_w=None)
struct upsample_bicubic2d_backward : detail::resize_gradient<schemas::linear_gradient<2>, 2, cubic_filter> {
    static constexpr std::string_view name = "aten.upsample_bicubic2d_backward.default"sv;
};
/// _upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool
/// align_corners, float? scales_h=None, float? scales_w=None)
struct upsample_bilinear2d_aa_backward
    : detail::resize_gradient<schemas::linear_gradient<2>, 2, antialias_filter<triangle_bell>> {
    static constexpr std::string_view name = "aten._upsample_bilinear2d_aa_backward.default"sv;
};
/// _upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners,
/// float? scales_h=None, float? scales_w=None)
struct upsample_bicubic2d_aa_backward
    : detail::resize_gradient<schemas::linear_gradient<2>, 2, antialias_filter<cubic_bell>> {
    static constexpr std::string_view name = "aten._upsample_bicubic2d_aa_backward.default"sv;
};

using upsample_gradient_ops =
    op_list<upsample_nearest1d_backward, upsample_nearest_exact1d_backward, upsample_nearest2d_backward,
            upsample_nearest_exact2d_backward, upsample_nearest3d_backward, upsample_nearest_exact3d_backward,
            upsample_linear1d_backward, upsample_bilinear2d_backward, upsample_trilinear3d_backward,
            upsample_bicubic2d_backward, upsample_bilinear2d_aa_backward, upsample_bicubic2d_aa_backward>;

} // namespace ahead::aten
