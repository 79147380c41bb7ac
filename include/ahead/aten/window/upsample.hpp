// SPDX-License-Identifier: MIT
// Resizing of the last dims: nearest and linear, in 1, 2 and 3 dims. Source: aten/src/ATen/native/UpSample.h.
#pragma once
#include <ahead/aten/create/copy_elements.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/type/memory_format.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Where a resizing operator has what it resizes, and to what; its factors are a list of reals or None.
struct resize_parameters {
    int self, output_size, scale_factors = no_parameter;
};

/// The factor given for spatial dim d, 0 where none is.
constexpr double scale_factor(const auto& c, const resize_parameters& of, int d) {
    if (of.scale_factors == no_parameter || !c.is_given(of.scale_factors)) return 0;
    const auto& a = c.element(of.scale_factors, d);
    return a.kind == argument_kind::real ? a.real() : static_cast<double>(a.bits);
}

/// Sizes as given, or from the factors.
template <int Spatial> constexpr bool infer_upsample(infer_context& c, const resize_parameters& of) {
    const auto& t = c.tensor(of.self);
    if (t.rank != Spatial + 2) return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 2, print(t));
    const bool by_factor = !c.is_given(of.output_size);
    if (by_factor && (of.scale_factors == no_parameter || !c.is_given(of.scale_factors)))
        return c.refuse(fault::argument_is_missing, "output_size or scale_factors", "neither");
    if (by_factor ? c.list_size(of.scale_factors) != Spatial : c.ints(of.output_size).size != Spatial)
        return c.refuse(fault::rank_is_wrong, short_text() << Spatial << " sizes", "another count");
    auto sizes = sizes_of(t);
    for (int d = 0; d < Spatial; ++d) {
        auto& size = sizes[2 + d];
        size = by_factor ? checked_int::truncated(static_cast<double>(size) * scale_factor(c, of, d)).get()
                         : c.ints(of.output_size)[d];
        if (size < 1 || t.size(2 + d) < 1)
            return c.refuse(fault::window_does_not_fit, "sizes from 1", short_text() << size);
    }
    return c.result(in_format_of(t, tensor_of(t.type, sizes)));
}

/// Exact: by the middle of the place, not by its beginning.
template <int Spatial, bool Exact = false> constexpr void evaluate_nearest(auto& c, const resize_parameters& of) {
    gather_elements(c, [&](int_list from, const tensor_type& t) {
        for (int d = 0; d < Spatial; ++d) {
            const auto size = t.size(2 + d);
            const double factor = c.is_given(of.output_size) ? 0 : scale_factor(c, of, d);
            const auto scale = factor > 0 ? static_cast<float>(1 / factor)
                                          : static_cast<float>(size) / static_cast<float>(c.result_type().size(2 + d));
            const auto i = static_cast<std::int64_t>((static_cast<float>(from[2 + d]) + (Exact ? 0.5f : 0.0f)) * scale);
            from[2 + d] = i < size ? i : size - 1;
        }
        return from;
    });
}

/// Where element i of a dim of `to` lies in one of `from`; by the factor, if it is not 0.
constexpr double resized_place(std::int64_t from, std::int64_t to, std::int64_t i, double factor, bool align_corners) {
    const auto size = static_cast<double>(from), wanted = static_cast<double>(to), at = static_cast<double>(i);
    if (align_corners) return to > 1 ? at * (size - 1) / (wanted - 1) : 0;
    return (at + 0.5) * (factor > 0 ? 1 / factor : size / wanted) - 0.5;
}

template <int Spatial> constexpr void evaluate_linear(auto& c, const resize_parameters& of, bool align_corners) {
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(of.self, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            std::array<std::int64_t, Spatial> low{};
            std::array<double, Spatial> part{};
            for (std::size_t d = 0; d < Spatial; ++d) {
                const int dim = static_cast<int>(d) + 2;
                const double factor = c.is_given(of.output_size) ? 0 : scale_factor(c, of, static_cast<int>(d));
                double place = resized_place(in.type().size(dim), out.type().size(dim), at[dim], factor, align_corners);
                if (place < 0) place = 0;
                low[d] = static_cast<std::int64_t>(place);
                if (low[d] > in.type().size(dim) - 1) low[d] = in.type().size(dim) - 1;
                part[d] = place - static_cast<double>(low[d]);
            }
            double total = 0;
            for (unsigned corner = 0; corner < 1u << Spatial; ++corner) {
                int_list i = at;
                double weight = 1;
                for (std::size_t d = 0; d < Spatial; ++d) {
                    const int dim = static_cast<int>(d) + 2;
                    const bool high = corner >> d & 1;
                    i[dim] = high && low[d] + 1 < in.type().size(dim) ? low[d] + 1 : low[d];
                    weight *= high ? part[d] : 1 - part[d];
                }
                total += weight * static_cast<double>(in[i]);
            }
            out.put(at, math::convert<T>(total));
        });
    });
}

} // namespace detail

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
    static constexpr detail::resize_parameters resized{
        .self = at::input, .output_size = at::output_size, .scale_factors = at::scale_factors};
};
} // namespace schemas

namespace detail {

/// The element whose place, scaled, begins nearest below; Exact: in which the middle of the new one's lies.
template <int Spatial, bool Exact = false> struct nearest : schemas::nearest_vec {
    static constexpr bool infer(infer_context& c) { return infer_upsample<Spatial>(c, resized); }
    static constexpr void evaluate(auto& c) { evaluate_nearest<Spatial, Exact>(c, resized); }
};

/// Between the elements on either side, weighted by how near they are.
template <int Spatial> struct linear_resize : schemas::linear_vec {
    static constexpr bool infer(infer_context& c) { return infer_upsample<Spatial>(c, resized); }
    static constexpr void evaluate(auto& c) { evaluate_linear<Spatial>(c, resized, c.boolean(at::align_corners)); }
};

} // namespace detail

/// upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest1d : detail::nearest<1> {
    static constexpr std::string_view name = "aten.upsample_nearest1d.vec";
};

/// upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest2d : detail::nearest<2> {
    static constexpr std::string_view name = "aten.upsample_nearest2d.vec";
};

/// upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest3d : detail::nearest<3> {
    static constexpr std::string_view name = "aten.upsample_nearest3d.vec";
};

/// _upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest_exact1d : detail::nearest<1, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact1d.vec";
};
/// _upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest_exact2d : detail::nearest<2, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact2d.vec";
};
/// _upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)
struct upsample_nearest_exact3d : detail::nearest<3, true> {
    static constexpr std::string_view name = "aten._upsample_nearest_exact3d.vec";
};

/// upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_linear1d : detail::linear_resize<1> {
    static constexpr std::string_view name = "aten.upsample_linear1d.vec";
};

/// upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_bilinear2d : detail::linear_resize<2> {
    static constexpr std::string_view name = "aten.upsample_bilinear2d.vec";
};

/// upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors)
struct upsample_trilinear3d : detail::linear_resize<3> {
    static constexpr std::string_view name = "aten.upsample_trilinear3d.vec";
};

/// upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None): given factors
/// are refused, say the size
struct upsample_nearest2d_sized {
    static constexpr std::string_view name = "aten.upsample_nearest2d.default";
    enum at : int { self, output_size, scales_h, scales_w };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("output_size", parameter_kind::int_list),
        defaulted("scales_h", parameter_kind::optional_real), defaulted("scales_w", parameter_kind::optional_real)};
    static constexpr detail::resize_parameters resized{.self = at::self, .output_size = at::output_size};
    static constexpr bool infer(infer_context& c) {
        if (c.is_given(at::scales_h) || c.is_given(at::scales_w))
            return c.refuse(fault::argument_is_unknown, "output_size only", "scales");
        return detail::infer_upsample<2>(c, resized);
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_nearest<2>(c, resized); }
};

using upsample_ops = op_list<upsample_nearest1d, upsample_nearest2d, upsample_nearest3d, upsample_nearest_exact1d,
                             upsample_nearest_exact2d, upsample_nearest_exact3d, upsample_linear1d, upsample_bilinear2d,
                             upsample_trilinear3d, upsample_nearest2d_sized>;

} // namespace ahead::aten
