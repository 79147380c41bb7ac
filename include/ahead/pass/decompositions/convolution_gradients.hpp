// SPDX-License-Identifier: MIT
// Gradients of convolutions and of average pools, as convolutions: the input's gradient is the transposed convolution;
// the weight's is a convolution of the input by the gradient, with batch and channels exchanged, and stride and
// dilation exchanged. For a transposed convolution, the input's gradient is a convolution, and input and gradient are
// exchanged for the weight's. A call stays as it is if a gradient that output_mask excludes, an empty tensor, has a
// reader.
#pragma once
#include <ahead/pass/decompositions/convolutions.hpp>

namespace AHEAD_NAMESPACE::decomposition {

struct convolution_gradient {
    using op = aten::convolution_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 58;
    static constexpr bool when(const call_view& call) {
        for (int k = 0; k < 3; ++k)
            if (!call.element(at::output_mask, k).boolean() && is_result_used(call.in(), call.id(), k)) return false;
        const auto &x = call.tensor(at::input), &weight = call.tensor(at::weight);
        return is_floating(x.type) && element_count(x) > 0 && element_count(weight) > 0 &&
               element_count(call.tensor(at::grad_output)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const int spatial = c.aten.tensor(at::weight).rank - 2;
        const aten::convolution_window w{.stride = aten::spread(c.aten, at::stride, spatial),
                                         .padding = aten::spread(c.aten, at::padding, spatial),
                                         .dilation = aten::spread(c.aten, at::dilation, spatial),
                                         .output_padding = {},
                                         .groups = c.aten.integer(at::groups)};
        const auto gradient = c.operand(at::grad_output);
        const bool is_transposed = c.aten.boolean(at::transposed);
        if (c.is_result_used(0) && is_transposed) {
            const auto made = convolved(c, gradient, c.operand(at::weight), {}, w);
            c.bind_result(without_rest(c, made, sizes_of(c.aten.tensor(at::input))), 0);
        } else if (c.is_result_used(0)) {
            auto out = sizes_of(c.aten.tensor(at::input));
            for (int d = 0; d < spatial; ++d) out[d] = out[2 + d];
            out.size = spatial;
            c.bind_result(transposed(c, gradient, c.operand(at::weight), {}, w, out), 0);
        }
        if (c.is_result_used(1))
            c.bind_result(is_transposed ? of_weight(c, at::grad_output, at::input, w)
                                   : of_weight(c, at::input, at::grad_output, w),
                     1);
        if (c.is_result_used(2)) c.bind_result(c.call(sum, {gradient, dims_of(~2u, 2 + spatial)}), 2);
    }

private:
    /// Cuts off windows that the stride left out.
    static constexpr argument without_rest(decompose_context& c, argument x, const int_list& sizes) {
        for (int d = 2; d < sizes.size && c.editor().ok(); ++d)
            if (c.type_of(x).size(d) > sizes[d]) x = c.call("aten.slice.Tensor", {x, d, 0, sizes[d]});
        return x;
    }
    /// many: the parameter that windows are taken from; few: the parameter with one position for each window.
    static constexpr argument of_weight(decompose_context& c, int many, int few, const aten::convolution_window& w) {
        const auto sizes = sizes_of(c.aten.tensor(at::weight)), in = sizes_of(c.aten.tensor(many));
        const int spatial = w.stride.size;
        int_list apart{in[0], w.groups, sizes[1]}, order{2, 1, 0}, together{sizes[1], w.groups * in[0]}, turned{1, 0};
        for (int d = 0; d < spatial; ++d) {
            apart.push_back(in[2 + d]);
            order.push_back(3 + d);
            together.push_back(in[2 + d]);
            turned.push_back(2 + d);
        }
        auto x = c.call(permute, {c.call(reshape, {c.operand(many), apart}), order});
        x = c.call(reshape, {x, together});
        const auto filters = c.call("aten.contiguous.default", {c.call(permute, {c.operand(few), turned})});
        const auto made = convolved(c, x, filters, {}, {w.dilation, w.padding, w.stride, {}, false, w.groups});
        const auto out = without_rest(c, made, sizes);
        return c.call("aten.contiguous.default", {c.call(permute, {out, turned})});
    }
};

/// Each gradient, divided by the divisor, is added at all positions of its window: a transposed convolution by ones.
struct average_pool_gradient {
    using op = aten::avg_pool2d_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 48 + most_layout_calls;
    static constexpr bool when(const call_view& call) {
        const bool divides = !call.is_given(at::divisor_override) || call.integer(at::divisor_override) != 0;
        return divides && is_floating(call.result_type().type) && is_dense(call.result_type()) &&
               element_count(call.tensor(at::grad_output)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto w = aten::window_of(c.aten, op::window, 2);
        const auto t = c.aten.result_type(), g = c.aten.tensor(at::grad_output);
        const int_list in{t.size(t.rank - 2), t.size(t.rank - 1)}, out{g.size(g.rank - 2), g.size(g.rank - 1)};
        const auto share = c.call(mul, {c.operand(at::grad_output), factor(c, w, in, out, t.type)});
        const int_list one{1, 1, w.kernel[0], w.kernel[1]};
        const auto planes = c.call(reshape, {share, int_list{element_count(g) / (out[0] * out[1]), 1, out[0], out[1]}});
        if (!c.editor().ok()) return;
        const bool tile = w.kernel == w.stride && w.padding == int_list{0, 0} && in[0] == out[0] * w.kernel[0] &&
                          in[1] == out[1] * w.kernel[1];
        if (tile) {
            const int_list apart{-1, out[0], 1, out[1], 1};
            const auto places =
                c.call(expand, {c.call(reshape, {planes, apart}), int_list{-1, -1, w.kernel[0], -1, w.kernel[1]}});
            return c.bind_result(laid_out_as(c, c.call(reshape, {places, sizes_of(t)}), t));
        }
        const auto ones = full_of(c, one, argument::of(1), t.type);
        const auto sums = transposed(c, planes, ones, {}, {w.stride, w.padding, {1, 1}, {}, true, 1}, in);
        c.bind_result(laid_out_as(c, c.call(reshape, {sums, sizes_of(t)}), t));
    }

private:
    /// The factor of a gradient: a number, or, if padding or an edge cuts windows, one for each window, the pooling of
    /// ones divided by the number of ones in the window.
    static constexpr argument factor(decompose_context& c, const aten::pool_window& w, const int_list& in,
                                     const int_list& out, dtype type) {
        if (c.aten.is_given(at::divisor_override))
            return argument::of(1 / static_cast<double>(c.aten.integer(at::divisor_override)));
        bool is_cut = false;
        for (int d = 0; d < 2; ++d)
            is_cut = is_cut || (w.padding[d] > 0 && !c.aten.boolean(at::count_include_pad)) ||
                     (out[d] - 1) * w.stride[d] + w.kernel[d] > in[d] + 2 * w.padding[d];
        if (!is_cut) return argument::of(1 / static_cast<double>(w.kernel[0] * w.kernel[1]));
        const auto ones = full_of(c, {1, in[0], in[1]}, argument::of(1), type);
        const auto pooled = [&](const argument& divisor) {
            return c.call("aten.avg_pool2d.default",
                          {ones, w.kernel, w.stride, w.padding, c.aten.boolean(at::ceil_mode),
                           c.aten.boolean(at::count_include_pad), divisor});
        };
        return c.call("aten.div.Tensor", {pooled({}), pooled(argument::of(1))});
    }
};

} // namespace ahead::decomposition
