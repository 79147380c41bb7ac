// SPDX-License-Identifier: MIT
// Pooling windows, and max pooling: max_pool2d, max_pool3d, also with indices, and max_unpool2d, max_unpool3d, their
// inverses. Spatial dims are the last ones. Source: aten/src/ATen/native/Pool.h, DilatedMaxPool2d.cpp,
// DilatedMaxPool3d.cpp, MaxUnpooling.cpp.
#pragma once
#include <ahead/aten/product/convolution.hpp>

namespace AHEAD_NAMESPACE::aten {

/// A pooling window; an empty stride means the kernel size.
struct pool_window {
    int_list kernel, stride, padding, dilation;
};

/// Parameter numbers of a pooling's operand and window; dilation is 1 if the parameter does not exist.
struct pool_parameters {
    int self, kernel_size, stride, padding, dilation = no_parameter;
};

constexpr pool_window window_of(const auto& c, const pool_parameters& of, int spatial) {
    pool_window w;
    w.kernel = spread(c, of.kernel_size, spatial);
    w.stride = c.ints(of.stride).size == 0 ? w.kernel : spread(c, of.stride, spatial);
    w.padding = spread(c, of.padding, spatial);
    w.dilation = w.padding;
    for (int d = 0; d < spatial; ++d) w.dilation[d] = 1;
    if (of.dilation != no_parameter) w.dilation = spread(c, of.dilation, spatial);
    return w;
}

/// The sizes after pooling. With ceil_mode the last window may exceed the input if it starts inside.
constexpr bool infer_pool(infer_context& c, const pool_parameters& of, int spatial, bool ceil_mode, int_list& sizes) {
    const auto& x = c.tensor(of.self);
    if (x.rank != spatial + 1 && x.rank != spatial + 2)
        return c.refuse(fault::rank_is_wrong, short_text() << "rank " << spatial + 1 << " or " << spatial + 2,
                        print(x));
    if (x.type == dtype::b8) return c.refuse(fault::dtype_is_unsupported, "numbers", print(x));
    for (int d = x.rank == spatial + 2 ? 1 : 0; d < x.rank; ++d)
        if (x.size(d) == 0)
            return c.refuse(fault::window_does_not_fit, "elements in every dim but that of the batch", print(x));
    for (int i : {of.kernel_size, of.stride, of.padding, of.dilation}) {
        if (i == no_parameter || (i == of.stride && c.ints(i).size == 0)) continue;
        if (!check_spatial(c, i, spatial)) return false;
    }
    const auto w = window_of(c, of, spatial);
    sizes = sizes_of(x);
    for (int d = 0; d < spatial; ++d) {
        if (w.kernel[d] < 1 || w.stride[d] < 1 || w.dilation[d] < 1)
            return c.refuse(fault::stride_must_be_positive, "kernel, stride and dilation from 1",
                            short_text() << w.stride[d]);
        if (w.padding[d] < 0 || w.padding[d] > w.kernel[d] / 2)
            return c.refuse(fault::padding_is_too_large, short_text() << "at most " << w.kernel[d] / 2,
                            short_text() << w.padding[d]);
        auto& size = sizes[x.rank - spatial + d];
        const auto room = checked_int(2) * w.padding[d] + size - (checked_int(w.dilation[d]) * (w.kernel[d] - 1) + 1);
        if (room.get() < 0)
            return c.refuse(fault::window_does_not_fit, short_text() << w.kernel[d] << " elements, padding included",
                            print(x));
        auto out = (room + (ceil_mode ? w.stride[d] - 1 : 0)) / w.stride[d] + 1;
        if (ceil_mode && ((out - 1) * w.stride[d]).get() >= (checked_int(size) + w.padding[d]).get()) out = out - 1;
        size = out.get();
    }
    return true;
}

/// The type of a pooling's result: images keep the operand's format; lines and volumes are row-major.
constexpr tensor_type pooled(const infer_context& c, dtype type, const int_list& sizes, int spatial = 2) {
    const auto out = tensor_of(type, sizes);
    return spatial == 2 && out.rank == 4 ? in_format_of(c.tensor(first_parameter), out) : out;
}

/// Calls f(at) for each element of the input inside the window of output element `at`, in row-major order.
template <class F>
constexpr void for_each_in_window(const tensor_type& in, const pool_window& w, const int_list& at, F f) {
    const int spatial = w.kernel.size;
    int_list i = at;
    for_each_index(w.kernel, [&](const int_list& offset) {
        for (int d = 0; d < spatial; ++d) {
            const int dim = at.size - spatial + d;
            i[dim] = at[dim] * w.stride[d] - w.padding[d] + offset[d] * w.dilation[d];
            if (i[dim] < 0 || i[dim] >= in.size(dim)) return;
        }
        f(static_cast<const int_list&>(i));
    });
}

namespace schemas {
struct max_pool {
    enum at : int { self, kernel_size, stride, padding, dilation, ceil_mode };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("kernel_size", parameter_kind::int_list),
                                           defaulted("stride", parameter_kind::int_list, {.kind = argument_kind::list}),
                                           defaulted("padding", parameter_kind::int_list, argument::of(0)),
                                           defaulted("dilation", parameter_kind::int_list, argument::of(1)),
                                           defaulted("ceil_mode", parameter_kind::boolean, argument::of(false))};
    static constexpr pool_parameters window{.self = at::self,
                                            .kernel_size = at::kernel_size,
                                            .stride = at::stride,
                                            .padding = at::padding,
                                            .dilation = at::dilation};
};
} // namespace schemas

namespace detail {

template <class T>
inline constexpr T smallest_of =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

/// The first tap of the window along spatial dim d that is not before the input; past the input's end if the whole
/// window is padding.
constexpr std::int64_t first_tap(const pool_window& w, const int_list& at, int d) {
    const auto start = at[at.size - w.kernel.size + d] * w.stride[d] - w.padding[d];
    return start < 0 ? start + (-start + w.dilation[d] - 1) / w.dilation[d] * w.dilation[d] : start;
}

/// The row-major index within the plane, the last dims.
constexpr std::int64_t place_in_plane(const tensor_type& t, const int_list& at, int spatial) {
    std::int64_t place = 0;
    for (int d = t.rank - spatial; d < t.rank; ++d) place = place * t.size(d) + at[d];
    return place;
}
/// Writes the largest element of each window; put_place(at, i) takes its index i in the input. If all elements are the
/// smallest number, i is the window's first tap, which may be outside of the plane.
constexpr void evaluate_max_pool(auto& c, const pool_window& w, auto put_place) {
    c.compute([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(schemas::max_pool::at::self, as);
        const auto out = c.output(0, as);
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            T best = smallest_of<T>;
            auto place = at;
            for (int d = 0; d < w.kernel.size; ++d) place[at.size - w.kernel.size + d] = first_tap(w, at, d);
            for_each_in_window(in.type(), w, at, [&](const int_list& i) {
                const T x = in[i];
                if (!(x > best) && !math::isnan(x)) return;
                best = x;
                place = i;
            });
            out.put(at, best);
            put_place(at, place);
        });
    });
}

/// The largest element of each window and its index in the plane.
template <int Spatial> struct max_pool_with_indices : schemas::max_pool {
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        if (!infer_pool(c, window, Spatial, c.boolean(at::ceil_mode), sizes)) return false;
        const auto type = c.tensor(at::self).type;
        return c.results(2) && c.set(0, pooled(c, type, sizes, Spatial)) &&
               c.set(1, pooled(c, dtype::i64, sizes, Spatial));
    }
    static constexpr void evaluate(auto& c) {
        const auto indices = c.output(1, std::int64_t{});
        evaluate_max_pool(c, window_of(c, window, Spatial), [&](const int_list& out, const int_list& place) {
            indices.put(out, place_in_plane(c.tensor(at::self), place, Spatial));
        });
    }
};

} // namespace detail

/// max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool
/// ceil_mode=False): the largest element of each window and its index in the plane; NaN is largest
struct max_pool2d_with_indices : detail::max_pool_with_indices<2> {
    static constexpr std::string_view name = "aten.max_pool2d_with_indices.default"sv;
};

/// max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool
/// ceil_mode=False): the largest element of each window and its index in the volume; NaN is largest
struct max_pool3d_with_indices : detail::max_pool_with_indices<3> {
    static constexpr std::string_view name = "aten.max_pool3d_with_indices.default"sv;
};

namespace detail {

/// The largest element of each window.
template <int Spatial> struct max_pool : schemas::max_pool {
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        return infer_pool(c, window, Spatial, c.boolean(at::ceil_mode), sizes) &&
               c.result(pooled(c, c.tensor(at::self).type, sizes, Spatial));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_max_pool(c, window_of(c, window, Spatial), [](const int_list&, const int_list&) {});
    }
};

/// Writes each element to its index in a plane of zeros; of equal indices the last one in row-major order wins.
template <int Spatial> struct max_unpool {
    static constexpr bool infer_unpooled(infer_context& c, int output_size) {
        enum { self, indices };
        const auto &t = c.tensor(self), &places = c.tensor(indices);
        if (t.rank != Spatial + 1 && t.rank != Spatial + 2)
            return c.refuse(fault::rank_is_wrong, short_text() << "rank " << Spatial + 1 << " or " << Spatial + 2,
                            print(t));
        if (places.type != dtype::i64) return c.refuse(fault::dtype_is_unsupported, "indices of i64", print(places));
        if (sizes_of(places) != sizes_of(t)) return c.refuse(fault::shapes_do_not_broadcast, print(t), print(places));
        const auto plane = c.ints(output_size);
        if (plane.size != Spatial)
            return c.refuse(fault::rank_is_wrong, short_text() << Spatial << " sizes", short_text() << plane.size);
        auto sizes = sizes_of(t);
        for (int d = 0; d < Spatial; ++d) sizes[t.rank - Spatial + d] = plane[d];
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        enum { self, indices };
        c.compute([&](auto as) {
            const auto in = c.input(self, as);
            const auto places = c.input(indices, std::int64_t{});
            const auto out = c.output(0, as);
            std::int64_t plane = 1;
            for (int d = out.type().rank - Spatial; d < out.type().rank; ++d) plane *= out.type().size(d);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, as); });
            for_each_index(sizes_of(in.type()), [&](const int_list& at) {
                const auto place = c.index(places[at], plane);
                if (!place) return;
                auto to = at;
                auto rest = *place;
                for (int d = at.size; d-- > at.size - Spatial; rest /= out.type().size(d))
                    to[d] = rest % out.type().size(d);
                out.put(to, in[at]);
            });
        });
    }
};

} // namespace detail

/// max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool
/// ceil_mode=False)
struct max_pool2d : detail::max_pool<2> {
    static constexpr std::string_view name = "aten.max_pool2d.default"sv;
};
/// max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool
/// ceil_mode=False)
struct max_pool3d : detail::max_pool<3> {
    static constexpr std::string_view name = "aten.max_pool3d.default"sv;
};

/// max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size): a plane with self's elements at the indices of
/// max_pool2d_with_indices, zeros elsewhere
struct max_unpool2d : detail::max_unpool<2> {
    static constexpr std::string_view name = "aten.max_unpool2d.default"sv;
    enum at : int { self, indices, output_size };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("indices", parameter_kind::tensor),
                                           required("output_size", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) { return infer_unpooled(c, at::output_size); }
};
/// max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding): the same for
/// volumes; stride and padding are ignored
struct max_unpool3d : detail::max_unpool<3> {
    static constexpr std::string_view name = "aten.max_unpool3d.default"sv;
    enum at : int { self, indices, output_size, stride, padding };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("indices", parameter_kind::tensor),
        required("output_size", parameter_kind::int_list), required("stride", parameter_kind::int_list),
        required("padding", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) { return infer_unpooled(c, at::output_size); }
};

/// max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool
/// ceil_mode=False): lines, [N, C, L] or [C, L]
struct max_pool1d : detail::max_pool<1> {
    static constexpr std::string_view name = "aten.max_pool1d.default"sv;
};

using pool_ops = op_list<max_pool2d_with_indices, max_pool3d_with_indices, max_pool1d, max_pool2d, max_pool3d,
                         max_unpool2d, max_unpool3d>;

} // namespace ahead::aten
