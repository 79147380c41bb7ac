// SPDX-License-Identifier: MIT
// Windows as columns and back: im2col copies each window of an image into a column, col2im accumulates columns into the
// image. Images are [N, C, H, W] or [C, H, W], columns [N, C h w, L] or [C h w, L], L windows in row-major order. Sums
// accumulate in double. Source: aten/src/ATen/native/Im2Col.cpp, Col2Im.cpp, im2col_shape_check.h.
#pragma once
#include <ahead/aten/reduce/gradient_sums.hpp>
#include <ahead/aten/window/pool.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

template <class At>
inline constexpr pool_parameters columns_of{At::self, At::kernel_size, At::stride, At::padding, At::dilation};

/// Number of windows along dim d (0: height, 1: width) of an image; below 1 if none fits.
constexpr std::int64_t windows_along(const pool_window& w, int d, std::int64_t size) {
    const auto room = checked_int(2) * w.padding[d] + size - (checked_int(w.dilation[d]) * (w.kernel[d] - 1) + 1);
    return room.get() < 0 ? 0 : (room / w.stride[d] + 1).get();
}

/// Refuses invalid windows, and windows that do not fit into an image of height and width `size`.
template <class At> constexpr bool check_windows(infer_context& c, const int_list& size) {
    for (int i : {At::kernel_size, At::dilation, At::padding, At::stride})
        if (!check_spatial(c, i, 2)) return false;
    const auto w = window_of(c, columns_of<At>, 2);
    if (!c.check_sizes(w.padding, "paddings from 0")) return false;
    for (int d = 0; d < 2; ++d) {
        if (w.kernel[d] < 1 || w.stride[d] < 1 || w.dilation[d] < 1)
            return c.refuse(fault::stride_must_be_positive, "kernel, stride and dilation from 1",
                            short_text() << w.kernel[d] << ", " << w.stride[d] << ", " << w.dilation[d]);
        if (windows_along(w, d, size[d]) < 1)
            return c.refuse(fault::window_does_not_fit, short_text() << w.kernel[d] << " elements, padding included",
                            short_text() << size[d]);
    }
    return true;
}

/// Calls f(column, pixel, is_inside) for each element of the columns; a pixel that is not inside is padding.
template <class F> constexpr void for_each_in_columns(const tensor_type& image, const pool_window& w, F f) {
    const int batch = image.rank - 3;
    const std::int64_t count[] = {windows_along(w, 0, image.size(batch + 1)),
                                  windows_along(w, 1, image.size(batch + 2))};
    const auto kernel = w.kernel[0] * w.kernel[1];
    int_list sizes;
    for (int d = 0; d < image.rank - 2; ++d) sizes.push_back(image.size(d));
    for (auto k : {w.kernel[0], w.kernel[1], count[0], count[1]}) sizes.push_back(k);
    for_each_index(sizes, [&](const int_list& at) {
        int_list column, pixel;
        bool is_inside = true;
        for (int d = 0; d <= batch; ++d) {
            column.push_back(at[d]);
            pixel.push_back(at[d]);
        }
        column[batch] = at[batch] * kernel + at[batch + 1] * w.kernel[1] + at[batch + 2];
        column.push_back(at[batch + 3] * count[1] + at[batch + 4]);
        for (int d = 0; d < 2; ++d) {
            const auto i = at[batch + 3 + d] * w.stride[d] - w.padding[d] + at[batch + 1 + d] * w.dilation[d];
            is_inside = is_inside && i >= 0 && i < image.size(image.rank - 2 + d);
            pixel.push_back(i);
        }
        f(static_cast<const int_list&>(column), static_cast<const int_list&>(pixel), is_inside);
    });
}

} // namespace detail

/// im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride): padding reads as zeros
struct im2col {
    static constexpr std::string_view name = "aten.im2col.default"sv;
    enum at : int { self, kernel_size, dilation, padding, stride };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("kernel_size", parameter_kind::int_list),
        required("dilation", parameter_kind::int_list), required("padding", parameter_kind::int_list),
        required("stride", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank != 3 && t.rank != 4) return c.refuse(fault::rank_is_wrong, "rank 3 or 4", print(t));
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        for (int d = t.rank - 3; d < t.rank; ++d)
            if (t.size(d) == 0)
                return c.refuse(fault::window_does_not_fit, "elements in every dim but that of the batch", print(t));
        const int_list size{t.size(t.rank - 2), t.size(t.rank - 1)};
        if (!detail::check_windows<at>(c, size)) return false;
        const auto w = window_of(c, detail::columns_of<at>, 2);
        int_list sizes;
        if (t.rank == 4) sizes.push_back(t.size(0));
        sizes.push_back((checked_int(t.size(t.rank - 3)) * w.kernel[0] * w.kernel[1]).get());
        sizes.push_back(
            (checked_int(detail::windows_along(w, 0, size[0])) * detail::windows_along(w, 1, size[1])).get());
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            const auto w = window_of(c, detail::columns_of<at>, 2);
            detail::for_each_in_columns(in.type(), w,
                                        [&](const int_list& column, const int_list& pixel, bool is_inside) {
                                            out.put(column, is_inside ? in[pixel] : decltype(as){});
                                        });
        });
    }
};

/// col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride):
/// drops elements in the padding
struct col2im {
    static constexpr std::string_view name = "aten.col2im.default"sv;
    enum at : int { self, output_size, kernel_size, dilation, padding, stride };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),          required("output_size", parameter_kind::int_list),
        required("kernel_size", parameter_kind::int_list), required("dilation", parameter_kind::int_list),
        required("padding", parameter_kind::int_list),     required("stride", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank != 2 && t.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 2 or 3", print(t));
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (!check_spatial(c, at::output_size, 2)) return false;
        const auto size = spread(c, at::output_size, 2);
        if (!c.check_sizes(size)) return false;
        if (!detail::check_windows<at>(c, size)) return false;
        const auto w = window_of(c, detail::columns_of<at>, 2);
        const auto rows = t.size(t.rank - 2);
        const auto kernel = (checked_int(w.kernel[0]) * w.kernel[1]).get();
        if (rows == 0 || rows % kernel != 0)
            return c.refuse(fault::channels_differ, short_text() << "rows divisible by " << kernel, print(t));
        const auto columns =
            (checked_int(detail::windows_along(w, 0, size[0])) * detail::windows_along(w, 1, size[1])).get();
        if (t.size(t.rank - 1) != columns)
            return c.refuse(fault::element_counts_differ, short_text() << columns << " columns", print(t));
        int_list sizes;
        if (t.rank == 3) sizes.push_back(t.size(0));
        for (auto each : {rows / kernel, size[0], size[1]}) sizes.push_back(each);
        return c.result(tensor_of(t.type, sizes));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 8 * element_count(c.result_type()); }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto in = c.input(at::self, as);
            const auto w = window_of(c, detail::columns_of<at>, 2);
            auto sums = detail::sums_beside(c, c.result_type());
            detail::for_each_in_columns(sums.type, w,
                                        [&](const int_list& column, const int_list& pixel, bool is_inside) {
                                            if (is_inside) sums.add(pixel, static_cast<double>(in[column]));
                                        });
            sums.round_into(c.output(0, as), as);
        });
    }
};

using column_ops = op_list<im2col, col2im>;

} // namespace ahead::aten
