// SPDX-License-Identifier: MIT
// torchvision's roi_align: boxes of images, resized to one size by bilinear samples.
// Source: torchvision/csrc/ops/cpu/roi_align_kernel.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>
#include <ahead/pass/decompositions/sampling.hpp>

namespace AHEAD_NAMESPACE::torchvision {

namespace detail {

/// One coordinate of a sample within `size` elements: its two neighbors, and the weight of the second one. A coordinate
/// more than 1 outside contributes nothing.
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
/// sampling_ratio, bool aligned): resizes boxes [K, 5], (image index, x1, y1, x2, y2), of images [N, C, H, W] to [K, C,
/// pooled_height, pooled_width]. sampling_ratio: samples per result element along each dim; if <= 0, the number of
/// image elements that the box covers per result element. An image index out of range is an error at run time
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

/// Reads all samples of all boxes at once if sampling_ratio fixes their number; otherwise the AI CPU runs the operator.
struct samples_of_boxes {
    using op = roi_align;
    using at = op::at;
    static constexpr std::int32_t most_calls = decomposition::most_sample_calls + 80;
    static constexpr bool when(const call_view& call) {
        return call.integer(at::sampling_ratio) > 0 &&
               decomposition::can_sample(call.tensor(at::input), call.result_type());
    }
    static constexpr void decompose(auto& c) {
        using decomposition::add, decomposition::mean, decomposition::mul, decomposition::sub, decomposition::view;
        const auto image = c.aten.tensor(at::input);
        const auto out = sizes_of(c.aten.result_type());
        const auto boxes = out[0], samples = c.aten.integer(at::sampling_ratio);
        const bool is_aligned = c.aten.boolean(at::aligned);
        const auto column = [&](int k) {
            const auto one = c.call("aten.slice.Tensor", {c.operand(at::rois), 1, k, k + 1});
            return c.call("aten.reshape.default", {one, int_list{boxes, 1, 1}});
        };
        const auto edge = [&](int k) {
            const auto x = c.call(mul, {column(k), c.aten.real(at::spatial_scale)});
            return is_aligned ? c.call(sub, {x, 0.5}) : x;
        };
        const auto is_positive = [&](const argument& x) { // 1 if x >= 0, else 0
            return c.call("aten.clamp.default", {c.call(add, {c.call("aten.sign.default", {x}), 1}), 0.0, 1.0});
        };
        decomposition::sampled_dim dims[2];
        for (int d = 0; d < 2; ++d) {
            const auto begin = edge(2 - d);
            auto length = c.call(sub, {edge(4 - d), begin});
            if (!is_aligned) length = c.call("aten.clamp.default", {length, 1.0});
            const auto step = c.call("aten.div.Tensor", {length, out[2 + d]});
            const auto which = decomposition::counted(c, 0, 1, samples, image.type, 2, 3);
            const auto inner = c.call("aten.div.Tensor", {c.call(mul, {c.call(add, {which, 0.5}), step}), samples});
            const auto outer = c.call(mul, {decomposition::counted(c, 0, 1, out[2 + d], image.type, 1, 3), step});
            int_list sizes{boxes, 1, 1};
            sizes[1 + d] = out[2 + d] * samples;
            auto place = c.call(view, {c.call(add, {c.call(add, {begin, outer}), inner}), sizes});
            place = c.call("aten.nan_to_num.default", {place, -9.0});
            dims[d].size = image.size(2 + d);
            const auto inside = c.call(mul, {is_positive(c.call(add, {place, 1})),
                                             is_positive(c.call("aten.rsub.Scalar", {place, dims[d].size}))});
            place = c.call("aten.clamp.default", {place, 0.0, static_cast<double>(dims[d].size - 1)});
            decomposition::read_both(c, place, image.type, d, 5, dims[d]);
            const auto away = c.call(mul, {c.call("aten.rsub.Scalar", {inside, 1}), 2 * dims[d].size});
            dims[d].element = c.call(add, {dims[d].element, away});
        }
        const auto first = c.call("aten.trunc.default", {column(0)});
        const auto sums = decomposition::sampled(c, c.operand(at::input), first, dims);
        const auto each = c.call(view, {sums, int_list{boxes, out[2], samples, out[3], samples, out[1]}});
        c.bind_result(decomposition::channels_first(c, c.call(mean, {each, int_list{2, 4}}), out));
    }
};

} // namespace ahead::torchvision
