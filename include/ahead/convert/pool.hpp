// SPDX-License-Identifier: MIT
// Converters of aten/window/pool.hpp and average_pool.hpp. Indices are computed only if they are used.
#pragma once
#include <ahead/aten/window/average_pool.hpp>
#include <ahead/aten/window/low_memory_pool.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/average_pool2d.hpp>
#include <ahead/device/max_pool2d.hpp>

namespace AHEAD_NAMESPACE::convert {

/// The pooled sizes of the result: the last `spatial` ones.
constexpr int_list pooled_sizes(const convert_context& c, int spatial) {
    const auto& out = c.aten.result_type();
    int_list sizes;
    for (int d = out.rank - spatial; d < out.rank; ++d) sizes.push_back(out.size(d));
    return sizes;
}
/// An empty window is adaptive.
constexpr bool convert_max_pool(convert_context& c, int spatial, const aten::pool_window& w, bool with_indices) {
    const bool indices = with_indices && c.is_result_used(1);
    auto made = c.create<device::max_pool2d>({c.contiguous(c.operand(first_parameter)), c.list(w.kernel),
                                              c.list(w.stride), c.list(w.padding), c.list(w.dilation),
                                              c.list(pooled_sizes(c, spatial)), argument::of(indices)});
    if (!c.bind_row_major(made)) return false;
    made.result = 1;
    return !indices || c.bind_row_major(made, 1);
}

template <class Op, int Spatial, bool WithIndices> struct max_pool {
    using op = Op;
    using line = cases<support<f32<1, 2, 9>, ints<3>, ints<2>, ints<1>>>;
    using plane =
        cases<support<f32<1, 2, 8, 8>, ints<2, 2>, ints<2, 2>>, support<f64<2, 7, 9>, ints<3>, ints<2>, ints<1>>,
              support<f32<1, 1, 9, 9>, ints<2, 2>, ints<2, 2>, ints<0, 0>, ints<2, 2>, flag<true>>>;
    using volume = cases<support<f32<1, 2, 4, 5, 6>, ints<2>>,
                         support<f64<2, 5, 4, 9>, ints<3, 2, 3>, ints<2, 1, 2>, ints<1, 0, 1>>,
                         support<f32<1, 1, 5, 7, 9>, ints<2>, ints<2>, ints<1>, ints<2, 3, 1>, flag<true>>>;
    using supported = std::conditional_t<Spatial == 1, line, std::conditional_t<Spatial == 2, plane, volume>>;
    static constexpr bool convert(convert_context& c) {
        return convert_max_pool(c, Spatial, aten::window_of(c.aten, op::window, Spatial), WithIndices);
    }
};
template <class Op, int Spatial> struct adaptive_max_pool {
    using op = Op;
    using line = cases<support<f32<1, 2, 9>, ints<4>>>;
    using plane = cases<support<f32<1, 2, 8, 6>, ints<4, 3>>, support<f64<2, 7, 9>, ints<3, 4>>>;
    using volume = cases<support<f32<1, 2, 4, 5, 7>, ints<2, 3, 9>>, support<f64<1, 4, 6, 2>, ints<2, 3, 1>>>;
    using supported = std::conditional_t<Spatial == 1, line, std::conditional_t<Spatial == 2, plane, volume>>;
    static constexpr bool convert(convert_context& c) {
        if (element_count(c.aten.result_type()) == 0) return c.emit_ai_cpu_call();
        return convert_max_pool(c, Spatial, {}, true);
    }
};

/// Maxima alone; the AI CPU computes their places in the windows.
template <class Op> struct pool_with_offsets {
    using op = Op;
    static constexpr bool takes_any_dtype = true; // offsets are i8, even if they are not read
    static constexpr bool convert(convert_context& c) {
        if (c.is_result_used(1) || !has_kernels(c.aten.result_type().type)) return c.emit_ai_cpu_call();
        const int spatial = op::spatial_of(c.aten);
        return convert_max_pool(c, spatial, aten::window_of(c.aten, op::window, spatial), false);
    }
};

/// Floating dtypes only: the sum is computed in f64.
template <class Op, int Spatial> struct average_pool {
    using op = Op;
    using line =
        cases<support<f32<1, 2, 9>, ints<3>>, support<f64<2, 8>, ints<3>, ints<2>, ints<1>, flag<true>, flag<false>>>;
    using plane =
        cases<support<f32<1, 2, 8, 8>, ints<2, 2>>,
              support<f64<2, 7, 9>, ints<3>, ints<2>, ints<1>, flag<true>, flag<false>>,
              support<f32<2, 1, 5, 6>, ints<2, 3>, ints<1, 2>, ints<1, 0>, flag<false>, flag<true>, integer<5>>>;
    using volume = cases<support<f32<1, 2, 4, 5, 6>, ints<2>>,
                         support<f64<2, 5, 7, 9>, ints<3>, ints<2>, ints<1>, flag<true>, flag<false>>,
                         support<f32<1, 2, 4, 5, 6>, ints<3, 2, 2>, ints<2>, ints<1>, flag<true>, flag<true>>>;
    using supported = std::conditional_t<Spatial == 1, line, std::conditional_t<Spatial == 2, plane, volume>>;
    static constexpr bool convert(convert_context& c) {
        if (!is_floating(c.aten.result_type().type) || element_count(c.aten.result_type()) == 0)
            return c.emit_ai_cpu_call();
        const auto w = aten::window_of(c.aten, op::window, Spatial);
        return c.bind_row_major(c.create<device::average_pool2d>(
            {c.contiguous(c.operand(op::at::self)), c.list(w.kernel), c.list(w.stride), c.list(w.padding),
             c.list(pooled_sizes(c, Spatial)), argument::of(c.aten.boolean(op::at::count_include_pad)),
             argument::of(c.aten.is_given(op::at::divisor_override) ? c.aten.integer(op::at::divisor_override) : 0)}));
    }
};
template <class Op, int Spatial> struct adaptive_average_pool {
    using op = Op;
    using line = cases<support<f32<1, 2, 9>, ints<4>>, support<f64<2, 3>, ints<5>>>;
    using plane = cases<support<f32<1, 2, 7, 9>, ints<1, 1>>, support<f64<2, 5, 8>, ints<3, 4>>,
                        support<f32<1, 1, 2, 3>, ints<4, 3>>>;
    using volume = cases<support<f32<1, 2, 4, 5, 7>, ints<2, 3, 9>>, support<f64<1, 4, 6, 2>, ints<2, 3, 1>>>;
    using supported = std::conditional_t<Spatial == 1, line, std::conditional_t<Spatial == 2, plane, volume>>;
    static constexpr bool convert(convert_context& c) {
        if (!is_floating(c.aten.result_type().type) || element_count(c.aten.result_type()) == 0)
            return c.emit_ai_cpu_call();
        return c.bind_row_major(
            c.create<device::average_pool2d>({c.contiguous(c.operand(op::at::self)), c.list({}), c.list({}), c.list({}),
                                              c.list(pooled_sizes(c, Spatial)), argument::of(false), argument::of(0)}));
    }
};

using pool_converters = converter_list<
    max_pool<aten::max_pool2d_with_indices, 2, true>, max_pool<aten::max_pool3d_with_indices, 3, true>,
    max_pool<aten::max_pool1d, 1, false>, max_pool<aten::max_pool2d, 2, false>, max_pool<aten::max_pool3d, 3, false>,
    adaptive_max_pool<aten::adaptive_max_pool1d, 1>, adaptive_max_pool<aten::adaptive_max_pool2d, 2>,
    adaptive_max_pool<aten::adaptive_max_pool3d, 3>, pool_with_offsets<aten::low_memory_max_pool2d_with_offsets>,
    pool_with_offsets<aten::low_memory_max_pool_with_offsets>, average_pool<aten::avg_pool1d, 1>,
    average_pool<aten::avg_pool2d, 2>, average_pool<aten::avg_pool3d, 3>,
    adaptive_average_pool<aten::adaptive_avg_pool1d, 1>, adaptive_average_pool<aten::adaptive_avg_pool2d, 2>,
    adaptive_average_pool<aten::adaptive_avg_pool3d, 3>, adaptive_average_pool<aten::exported_adaptive_avg_pool2d, 2>,
    adaptive_average_pool<aten::exported_adaptive_avg_pool3d, 3>>;

} // namespace ahead::convert
