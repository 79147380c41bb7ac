// SPDX-License-Identifier: MIT
// Converters of aten/window/pool.hpp and average_pool.hpp. Indices are computed only where something uses them.
#pragma once
#include <ahead/aten/window/average_pool.hpp>
#include <ahead/aten/window/low_memory_pool.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/average_pool2d.hpp>
#include <ahead/target/op/max_pool2d.hpp>

namespace AHEAD_NAMESPACE::convert {

template <class Op, bool WithIndices> struct max_pool2d {
    using op = Op;
    using supported =
        cases<support<f32<1, 2, 8, 8>, ints<2, 2>, ints<2, 2>>, support<f64<2, 7, 9>, ints<3>, ints<2>, ints<1>>,
              support<f32<1, 1, 9, 9>, ints<2, 2>, ints<2, 2>, ints<0, 0>, ints<2, 2>, flag<true>>>;
    static constexpr bool convert(convert_context& c) {
        const auto w = aten::window_of(c.aten, op::window, 2);
        const auto& out = c.aten.result_type();
        const int_list plane{out.size(out.rank - 2), out.size(out.rank - 1)};
        const bool indices = WithIndices && c.is_result_used(1);
        const auto x = c.contiguous(c.operand(op::at::self));
        auto made = c.emit<device::max_pool2d>({x, c.list(w.kernel), c.list(w.stride), c.list(w.padding),
                                                c.list(w.dilation), c.list(plane), argument::of(indices)});
        if (!c.finish_row_major(made)) return false;
        made.result = 1;
        return !indices || c.finish_row_major(made, 1);
    }
};

/// Maxima alone: where in its window each one is, is for the AI CPU.
template <class Op> struct pool_with_offsets {
    using op = Op;
    static constexpr bool takes_any_dtype = true; // offsets are i8, also where nobody reads them
    static constexpr bool convert(convert_context& c) {
        if (c.is_result_used(1) || !has_kernels(c.aten.result_type().type) || op::spatial_of(c.aten) != 2)
            return c.run_meaning();
        return max_pool2d<Op, false>::convert(c);
    }
};

/// The last Spatial sizes of the result.
template <int Spatial> constexpr int_list plane_of_result(const convert_context& c) {
    const auto& out = c.aten.result_type();
    int_list plane;
    for (int d = out.rank - Spatial; d < out.rank; ++d) plane.push_back(out.size(d));
    return plane;
}

/// Floating dtypes only: the sum is one of f64.
template <class Op, int Spatial> struct average_pool {
    using op = Op;
    using line =
        cases<support<f32<1, 2, 9>, ints<3>>, support<f64<2, 8>, ints<3>, ints<2>, ints<1>, flag<true>, flag<false>>>;
    using plane =
        cases<support<f32<1, 2, 8, 8>, ints<2, 2>>,
              support<f64<2, 7, 9>, ints<3>, ints<2>, ints<1>, flag<true>, flag<false>>,
              support<f32<2, 1, 5, 6>, ints<2, 3>, ints<1, 2>, ints<1, 0>, flag<false>, flag<true>, integer<5>>>;
    using supported = std::conditional_t<Spatial == 1, line, plane>;
    static constexpr bool convert(convert_context& c) {
        if (!is_floating(c.aten.result_type().type) || element_count(c.aten.result_type()) == 0) return c.run_meaning();
        const auto w = aten::window_of(c.aten, op::window, Spatial);
        return c.finish_row_major(c.emit<device::average_pool2d>(
            {c.contiguous(c.operand(op::at::self)), c.list(w.kernel), c.list(w.stride), c.list(w.padding),
             c.list(plane_of_result<Spatial>(c)), argument::of(c.aten.boolean(op::at::count_include_pad)),
             argument::of(c.aten.is_given(op::at::divisor_override) ? c.aten.integer(op::at::divisor_override) : 0)}));
    }
};
template <class Op, int Spatial> struct adaptive_average_pool {
    using op = Op;
    using line = cases<support<f32<1, 2, 9>, ints<4>>, support<f64<2, 3>, ints<5>>>;
    using plane = cases<support<f32<1, 2, 7, 9>, ints<1, 1>>, support<f64<2, 5, 8>, ints<3, 4>>,
                        support<f32<1, 1, 2, 3>, ints<4, 3>>>;
    using supported = std::conditional_t<Spatial == 1, line, plane>;
    static constexpr bool convert(convert_context& c) {
        if (!is_floating(c.aten.result_type().type) || element_count(c.aten.result_type()) == 0) return c.run_meaning();
        return c.finish_row_major(c.emit<device::average_pool2d>(
            {c.contiguous(c.operand(op::at::self)), c.list({}), c.list({}), c.list({}),
             c.list(plane_of_result<Spatial>(c)), argument::of(false), argument::of(0)}));
    }
};

using pool_converters =
    converter_list<max_pool2d<aten::max_pool2d_with_indices, true>, max_pool2d<aten::max_pool2d, false>,
                   pool_with_offsets<aten::low_memory_max_pool2d_with_offsets>,
                   pool_with_offsets<aten::low_memory_max_pool_with_offsets>, average_pool<aten::avg_pool1d, 1>,
                   average_pool<aten::avg_pool2d, 2>, adaptive_average_pool<aten::adaptive_avg_pool1d, 1>,
                   adaptive_average_pool<aten::adaptive_avg_pool2d, 2>,
                   adaptive_average_pool<aten::exported_adaptive_avg_pool2d, 2>>;

} // namespace ahead::convert
