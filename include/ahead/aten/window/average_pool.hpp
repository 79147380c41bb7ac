// SPDX-License-Identifier: MIT
// Average pooling: avg_pool1d to 3d; and adaptive pooling, average or max, whose windows follow from the result's
// sizes.
// Source: aten/src/ATen/native/Pool.h, AveragePool2d.cpp, AdaptiveAveragePooling.cpp.
#pragma once
#include <ahead/aten/window/pool.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
struct avg_pool {
    enum at : int { self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("kernel_size", parameter_kind::int_list),
                                           defaulted("stride", parameter_kind::int_list, {.kind = argument_kind::list}),
                                           defaulted("padding", parameter_kind::int_list, argument::of(0)),
                                           defaulted("ceil_mode", parameter_kind::boolean, argument::of(false)),
                                           defaulted("count_include_pad", parameter_kind::boolean, argument::of(true)),
                                           defaulted("divisor_override", parameter_kind::optional_integer)};
    static constexpr pool_parameters window{
        .self = at::self, .kernel_size = at::kernel_size, .stride = at::stride, .padding = at::padding};
};
} // namespace schemas

namespace detail {

/// Means of windows; the divisor counts elements inside the input, or padding as well, or is given.
template <int Spatial> struct average_pool : schemas::avg_pool {
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        if (!infer_pool(c, window, Spatial, c.boolean(at::ceil_mode), sizes)) return false;
        if (c.is_given(at::divisor_override) && c.integer(at::divisor_override) == 0)
            return c.refuse(fault::stride_must_be_positive, "a divisor that is not 0", "0");
        return c.result(pooled(c, c.tensor(at::self).type, sizes, Spatial));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto w = window_of(c, window, Spatial);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                accumulator_t<T> sum{};
                std::int64_t inside = 0;
                for_each_in_window(in.type(), w, at, [&](const int_list& i) {
                    sum = math::add(sum, static_cast<accumulator_t<T>>(in[i]));
                    ++inside;
                });
                std::int64_t padded = 1;
                for (int d = 0; d < Spatial; ++d) {
                    const int dim = at.size - Spatial + d;
                    const auto start = at[dim] * w.stride[d] - w.padding[d];
                    const auto end = start + w.kernel[d];
                    const auto limit = in.type().size(dim) + w.padding[d];
                    padded *= (end < limit ? end : limit) - start;
                }
                const auto divisor = c.is_given(at::divisor_override)   ? c.integer(at::divisor_override)
                                     : c.boolean(at::count_include_pad) ? padded
                                                                        : inside;
                out.put(at, math::convert<T>(sum / static_cast<accumulator_t<T>>(divisor)));
            });
        });
    }
};

} // namespace detail

/// avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool
/// count_include_pad=True): also accepts a divisor_override, unlike PyTorch's
struct avg_pool1d : detail::average_pool<1> {
    static constexpr std::string_view name = "aten.avg_pool1d.default"sv;
};

/// avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool
/// count_include_pad=True,
///            int? divisor_override=None)
struct avg_pool2d : detail::average_pool<2> {
    static constexpr std::string_view name = "aten.avg_pool2d.default"sv;
};

/// avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool
/// count_include_pad=True, int? divisor_override=None)
struct avg_pool3d : detail::average_pool<3> {
    static constexpr std::string_view name = "aten.avg_pool3d.default"sv;
};

namespace detail {

/// The window of an adaptive pooling; along each of the last dims from floor(i*in/out) to ceil((i+1)*in/out).
struct adaptive_window {
    int_list first, sizes;
    std::int64_t count = 1;
    constexpr int_list element(const int_list& offset) const {
        auto i = first;
        for (int d = 0; d < sizes.size; ++d) i[i.size - sizes.size + d] += offset[d];
        return i;
    }
};
/// The window of element `at` of the pooled tensor.
constexpr adaptive_window adaptive_window_of(const tensor_type& in, const tensor_type& out, const int_list& at,
                                             int spatial) {
    adaptive_window w{at, {}};
    for (int d = at.size - spatial; d < at.size; ++d) {
        const auto from = in.size(d), to = out.size(d);
        w.first[d] = at[d] * from / to;
        w.sizes.push_back(((at[d] + 1) * from + to - 1) / to - w.first[d]);
        w.count *= w.sizes[w.sizes.size - 1];
    }
    return w;
}

/// The schema of adaptive poolings, and the result's sizes.
template <int Spatial> struct adaptive_pool {
    enum at : int { self, output_size };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("output_size", parameter_kind::int_list)};
    static constexpr bool infer_sizes(infer_context& c, int_list& sizes) {
        const auto& x = c.tensor(at::self);
        if (x.rank != Spatial + 1 && x.rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 1 << " or " << Spatial + 2,
                            print(x));
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (!check_spatial(c, at::output_size, Spatial)) return false;
        const auto wanted = spread(c, at::output_size, Spatial);
        sizes = sizes_of(x);
        for (int d = 0; d < Spatial; ++d) {
            if (wanted[d] < 0)
                return c.refuse(fault::window_does_not_fit, "an output size from 0", short_text() << wanted[d]);
            if (x.size(x.rank - Spatial + d) == 0)
                return c.refuse(fault::window_does_not_fit, "elements to pool", print(x));
            sizes[x.rank - Spatial + d] = wanted[d];
        }
        return true;
    }
};

/// Means of adaptive windows.
template <int Spatial> struct adaptive_average : adaptive_pool<Spatial> {
    using at = typename adaptive_pool<Spatial>::at;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        return adaptive_pool<Spatial>::infer_sizes(c, sizes) &&
               c.result(pooled(c, c.tensor(at::self).type, sizes, Spatial));
    }
    static constexpr void evaluate(auto& c) {
        c.compute([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto w = adaptive_window_of(in.type(), out.type(), at, Spatial);
                accumulator_t<T> sum{};
                for_each_index(w.sizes, [&](const int_list& offset) {
                    sum += static_cast<accumulator_t<T>>(in[w.element(offset)]);
                });
                out.put(at, math::convert<T>(sum / static_cast<accumulator_t<T>>(w.count)));
            });
        });
    }
};

/// The largest element of each adaptive window, and its index in the plane; NaN is largest.
template <int Spatial> struct adaptive_maximum : adaptive_pool<Spatial> {
    using at = typename adaptive_pool<Spatial>::at;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        if (!adaptive_pool<Spatial>::infer_sizes(c, sizes)) return false;
        const auto type = c.tensor(at::self).type;
        return c.results(2) && c.set(0, pooled(c, type, sizes, Spatial)) &&
               c.set(1, pooled(c, dtype::i64, sizes, Spatial));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto places = c.output(1, std::int64_t{});
            for_each_index(sizes_of(out.type()), [&](const int_list& at) {
                const auto w = adaptive_window_of(in.type(), out.type(), at, Spatial);
                auto best = smallest_of<decltype(as)>;
                auto place = w.first;
                for_each_index(w.sizes, [&](const int_list& offset) {
                    const auto x = in[w.element(offset)];
                    if (!(x > best) && !math::isnan(x)) return;
                    best = x;
                    place = w.element(offset);
                });
                out.put(at, best);
                places.put(at, place_in_plane(in.type(), place, Spatial));
            });
        });
    }
};

} // namespace detail

/// adaptive_avg_pool1d(Tensor self, int[1] output_size)
struct adaptive_avg_pool1d : detail::adaptive_average<1> {
    static constexpr std::string_view name = "aten.adaptive_avg_pool1d.default"sv;
};

/// _adaptive_avg_pool2d(Tensor self, SymInt[2] output_size)
struct adaptive_avg_pool2d : detail::adaptive_average<2> {
    static constexpr std::string_view name = "aten._adaptive_avg_pool2d.default"sv;
};

/// _adaptive_avg_pool3d(Tensor self, SymInt[3] output_size)
struct adaptive_avg_pool3d : detail::adaptive_average<3> {
    static constexpr std::string_view name = "aten._adaptive_avg_pool3d.default"sv;
};

/// adaptive_avg_pool2d(Tensor self, SymInt[2] output_size): the user-level name
struct exported_adaptive_avg_pool2d : adaptive_avg_pool2d {
    static constexpr std::string_view name = "aten.adaptive_avg_pool2d.default"sv;
};

/// adaptive_avg_pool3d(Tensor self, SymInt[3] output_size): the user-level name
struct exported_adaptive_avg_pool3d : adaptive_avg_pool3d {
    static constexpr std::string_view name = "aten.adaptive_avg_pool3d.default"sv;
};

/// adaptive_max_pool1d(Tensor self, int[1] output_size): (values, indices in the line)
struct adaptive_max_pool1d : detail::adaptive_maximum<1> {
    static constexpr std::string_view name = "aten.adaptive_max_pool1d.default"sv;
};

/// adaptive_max_pool2d(Tensor self, int[2] output_size): (values, indices in the plane)
struct adaptive_max_pool2d : detail::adaptive_maximum<2> {
    static constexpr std::string_view name = "aten.adaptive_max_pool2d.default"sv;
};

/// adaptive_max_pool3d(Tensor self, int[3] output_size): (values, indices in the volume)
struct adaptive_max_pool3d : detail::adaptive_maximum<3> {
    static constexpr std::string_view name = "aten.adaptive_max_pool3d.default"sv;
};

using average_pool_ops = op_list<avg_pool1d, avg_pool2d, avg_pool3d, adaptive_avg_pool1d, adaptive_avg_pool2d,
                                 adaptive_avg_pool3d, exported_adaptive_avg_pool2d, exported_adaptive_avg_pool3d,
                                 adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d>;

} // namespace ahead::aten
