// SPDX-License-Identifier: MIT
// torchvision's roi_align: boxes of images, resized to one size by means of bilinear samples.
// Source: torchvision/csrc/ops/cpu/roi_align_kernel.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::torchvision {

namespace detail {

/// One coordinate of a sample within `size` elements: the two beside it, and how much the second one counts. What lies
/// more than 1 outside counts for nothing.
template <class T> struct sample_place {
    std::int64_t low = 0, high = 0;
    T share = 0;
    bool is_inside = false;

    constexpr sample_place(T at, std::int64_t size) : is_inside(at >= T(-1) && at <= static_cast<T>(size)) {
        if (!is_inside) return;
        if (at < 0) at = 0;
        low = static_cast<std::int64_t>(at);
        high = low + 1;
        if (low >= size - 1) low = high = size - 1;
        else share = at - static_cast<T>(low);
    }
};

} // namespace detail

/// roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int
/// sampling_ratio, bool aligned): of images [N, C, H, W] the boxes [K, 5], an image's number and x1, y1, x2, y2, as [K,
/// C, pooled_height, pooled_width]. sampling_ratio: samples along each side of an element; 0 and below: as many as the
/// box has elements there. An image's number out of range is refused when it is met
struct roi_align {
    static constexpr std::string_view name = "torchvision.roi_align.default"sv;
    enum at : int { input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),         required("rois", parameter_kind::tensor),
        required("spatial_scale", parameter_kind::real),   required("pooled_height", parameter_kind::integer),
        required("pooled_width", parameter_kind::integer), required("sampling_ratio", parameter_kind::integer),
        required("aligned", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &rois = c.tensor(at::rois);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (x.rank != 4) return c.refuse(fault::rank_is_wrong, "rank 4", print(x));
        if (rois.type != x.type) return c.refuse(fault::dtypes_differ, print(x), print(rois));
        if (rois.rank != 2 || rois.size(1) != 5)
            return c.refuse(fault::shapes_do_not_broadcast, "rows of 5", print(rois));
        return c.result(
            tensor_of(x.type, {rois.size(0), x.size(1), c.integer(at::pooled_height), c.integer(at::pooled_width)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto ratio = c.integer(at::sampling_ratio);
        const bool is_aligned = c.boolean(at::aligned);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as), rois = c.input(at::rois, as);
            const auto& sizes = x.type();
            const auto scale = math::convert<T>(c.real(at::spatial_scale));
            for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
                const auto image = c.index(static_cast<std::int64_t>(rois[{at[0], 0}]), sizes.size(0));
                if (!image) return;
                T begin[2]{}, step[2]{}; // along height and width
                std::int64_t samples[2]{};
                for (int d = 0; d < 2; ++d) {
                    const T offset = is_aligned ? T(0.5) : T(0);
                    begin[d] = rois[{at[0], 2 - d}] * scale - offset;
                    T length = rois[{at[0], 4 - d}] * scale - offset - begin[d];
                    if (!is_aligned && length < 1) length = 1;
                    const auto pooled = static_cast<T>(c.result_type().size(2 + d));
                    step[d] = length / pooled;
                    samples[d] = ratio > 0 ? ratio : static_cast<std::int64_t>(math::ceil(length / pooled));
                }
                double sum = 0;
                for_each_index({samples[0], samples[1]}, [&](const int_list& which) {
                    const auto place = [&](int d) {
                        const T own = begin[d] + static_cast<T>(at[2 + d]) * step[d] +
                                      (static_cast<T>(which[d]) + T(0.5)) * step[d] / static_cast<T>(samples[d]);
                        return detail::sample_place<T>(own, sizes.size(2 + d));
                    };
                    const auto row = place(0), column = place(1);
                    if (!row.is_inside || !column.is_inside) return;
                    const auto read = [&](std::int64_t i, std::int64_t j, T weight) {
                        sum += static_cast<double>(weight) * static_cast<double>(x[{*image, at[1], i, j}]);
                    };
                    read(row.low, column.low, (1 - row.share) * (1 - column.share));
                    read(row.low, column.high, (1 - row.share) * column.share);
                    read(row.high, column.low, row.share * (1 - column.share));
                    read(row.high, column.high, row.share * column.share);
                });
                const auto count = samples[0] * samples[1];
                c.output(0, as).put(at, math::convert<T>(sum / static_cast<double>(count > 1 ? count : 1)));
            });
        });
    }
};

} // namespace ahead::torchvision
