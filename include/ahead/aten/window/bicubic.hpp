// SPDX-License-Identifier: MIT
// upsample_bicubic2d: planes resized by cubic convolution, in double. Source: aten/src/ATen/native/UpSample.h.
#pragma once
#include <ahead/aten/window/grid_sampler.hpp>
#include <ahead/aten/window/upsample.hpp>

namespace AHEAD_NAMESPACE::aten {

/// upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors): of the four
/// elements around each place in either dim; beyond the edge is the edge
struct upsample_bicubic2d : schemas::linear_vec {
    static constexpr std::string_view name = "aten.upsample_bicubic2d.vec";
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::input);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        return detail::infer_upsample<2>(c, resized);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::input, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                std::int64_t first[2]{};
                double weights[2][4]{};
                for (int d = 0; d < 2; ++d) {
                    const double factor = c.is_given(at::output_size) ? 0 : detail::scale_factor(c, resized, d);
                    const double place = detail::resized_place(in.type().size(2 + d), out.type().size(2 + d), at[2 + d],
                                                               factor, c.boolean(at::align_corners));
                    const double whole = math::floor(place);
                    first[d] = static_cast<std::int64_t>(whole) - 1;
                    detail::cubic_weights(place - whole, weights[d]);
                }
                const auto within = [&](int dim, std::int64_t i) {
                    const auto last = in.type().size(dim) - 1;
                    return i < 0 ? 0 : i < last ? i : last;
                };
                double total = 0;
                for (int y = 0; y < 4; ++y)
                    for (int x = 0; x < 4; ++x)
                        total +=
                            weights[0][y] * weights[1][x] *
                            static_cast<double>(in[{at[0], at[1], within(2, first[0] + y), within(3, first[1] + x)}]);
                out.put(at, math::convert<decltype(as)>(total));
            });
        });
    }
};

using bicubic_ops = op_list<upsample_bicubic2d>;

} // namespace ahead::aten
