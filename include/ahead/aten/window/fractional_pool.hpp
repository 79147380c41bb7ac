// SPDX-License-Identifier: MIT
// fractional_max_pool2d and 3d: the largest elements of windows at pseudo-random positions; the random samples are an
// operand. Source: aten/src/ATen/native/FractionalMaxPooling.h, FractionalMaxPool2d.cpp, FractionalMaxPool3d.cpp.
#pragma once
#include <ahead/aten/window/pool.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Start of window k of a dim: `windows` windows of `kernel` elements over `size`, the last one at the end; rounded to
/// the dtype at every step, as PyTorch does.
template <class T>
constexpr std::int64_t window_start(auto& c, dtype type, T sample, std::int64_t k, std::int64_t size,
                                    std::int64_t windows, std::int64_t kernel) {
    if (k == windows - 1) return size - kernel;
    const auto round = [&](T v) { return c.rounded(type, v); };
    const T alpha = round(static_cast<T>(size - kernel) / static_cast<T>(windows - 1));
    return static_cast<std::int64_t>(round(round(static_cast<T>(k) + sample) * alpha)) -
           static_cast<std::int64_t>(round(sample * alpha));
}

template <int Spatial> struct fractional_pool {
    enum at : int { self, kernel_size, output_size, random_samples };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("kernel_size", parameter_kind::int_list),
        required("output_size", parameter_kind::int_list), required("random_samples", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::self), &samples = c.tensor(at::random_samples);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (x.rank != Spatial + 1 && x.rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 1 << " or " << Spatial + 2,
                            print(x));
        if (!check_spatial(c, at::kernel_size, Spatial) || !check_spatial(c, at::output_size, Spatial)) return false;
        const auto kernel = spread(c, at::kernel_size, Spatial), windows = spread(c, at::output_size, Spatial);
        auto sizes = sizes_of(x);
        for (int d = 0; d < Spatial; ++d) {
            auto& size = sizes[x.rank - Spatial + d];
            if (kernel[d] < 1 || windows[d] < 1)
                return c.refuse(fault::stride_must_be_positive, "kernel_size and output_size from 1",
                                short_text() << (kernel[d] < 1 ? kernel[d] : windows[d]));
            // volumes need one element more, as in PyTorch
            if (const auto needed = windows[d] + kernel[d] - (Spatial == 2); needed > size)
                return c.refuse(fault::window_does_not_fit, short_text() << needed << " elements", print(x));
            size = windows[d];
        }
        const bool batch = x.rank == Spatial + 2;
        if (!check_operand(c, samples,
                           tensor_of(x.type, {batch ? x.size(0) : 1, x.size(batch ? 1 : 0), std::int64_t{Spatial}})))
            return false;
        return c.results(2) && c.set(0, tensor_of(x.type, sizes)) && c.set(1, tensor_of(dtype::i64, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto kernel = spread(c, at::kernel_size, Spatial);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as), samples = c.input(at::random_samples, as);
            const auto& t = in.type();
            const int batch = t.rank - Spatial - 1; // dims before the channel
            for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
                int_list first = at;
                for (int d = 0; d < Spatial; ++d) {
                    const int dim = batch + 1 + d;
                    // for planes the first sample is for the width, for volumes for the depth
                    const std::int64_t which = Spatial == 2 ? 1 - d : d;
                    const T sample = samples[{batch > 0 ? at[0] : 0, at[batch], which}];
                    first[dim] =
                        window_start(c, t.type, sample, at[dim], t.size(dim), c.result_type().size(dim), kernel[d]);
                }
                T largest = smallest_of<T>;
                auto place = place_in_plane(t, first, Spatial);
                for_each_index(kernel, [&](const int_list& offset) {
                    auto i = first;
                    for (int d = 0; d < Spatial; ++d) i[batch + 1 + d] += offset[d];
                    const T v = in[i];
                    if (!(v > largest) && !math::isnan(v)) return;
                    largest = v;
                    place = place_in_plane(t, i, Spatial);
                });
                c.output(0, as).put(at, largest);
                c.output(1, std::int64_t{}).put(at, place);
            });
        });
    }
};

} // namespace detail

/// fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples): (values, indices
/// in the plane); random_samples is [N, C, 2], for width and height
struct fractional_max_pool2d : detail::fractional_pool<2> {
    static constexpr std::string_view name = "aten.fractional_max_pool2d.default"sv;
};
/// fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples): random_samples is
/// [N, C, 3], for depth, height and width
struct fractional_max_pool3d : detail::fractional_pool<3> {
    static constexpr std::string_view name = "aten.fractional_max_pool3d.default"sv;
};

using fractional_pool_ops = op_list<fractional_max_pool2d, fractional_max_pool3d>;

} // namespace ahead::aten
