// SPDX-License-Identifier: MIT
// torchvision's nms: keeps the boxes of the best scores among overlapping ones. Its result size depends on data, so it
// is refused; nms_static, which this library adds, takes an upper bound and also returns the number of kept boxes.
// Source: torchvision/csrc/ops/cpu/nms_kernel.cpp.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::torchvision {

/// nms(Tensor dets, Tensor scores, float iou_threshold): refused; use nms_static, which takes an upper bound
struct nms {
    static constexpr std::string_view name = "torchvision.nms.default"sv;
    enum at : int { dets, scores, iou_threshold };
    static constexpr parameter schema[] = {required("dets", parameter_kind::tensor),
                                           required("scores", parameter_kind::tensor),
                                           required("iou_threshold", parameter_kind::real)};
    static constexpr bool infer(infer_context& c) {
        return c.refuse(fault::dimension_is_dynamic,
                        "as many boxes as a size says: torchvision.nms_static(dets, scores, iou_threshold, size)",
                        "as many as data says");
    }
};

/// nms_static(Tensor dets, Tensor scores, float iou_threshold, SymInt size, int fill_value=-1): (i64[size], i64[]); the
/// indices of the kept boxes of [N, 4], (x1, y1, x2, y2), by falling scores [N], the first `size` of them, padded with
/// fill_value; and the number of kept boxes. A box is dropped if its intersection with a kept box exceeds iou_threshold
/// times their union
struct nms_static {
    static constexpr std::string_view name = "torchvision.nms_static.default"sv;
    enum at : int { dets, scores, iou_threshold, size, fill_value };
    static constexpr parameter schema[] = {
        required("dets", parameter_kind::tensor), required("scores", parameter_kind::tensor),
        required("iou_threshold", parameter_kind::real), required("size", parameter_kind::integer),
        defaulted("fill_value", parameter_kind::integer, argument::of(-1))};
    static constexpr bool infer(infer_context& c) {
        const auto &boxes = c.tensor(at::dets), &scores = c.tensor(at::scores);
        if (!is_floating(boxes.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(boxes));
        if (boxes.rank != 2 || boxes.size(1) != 4)
            return c.refuse(fault::shapes_do_not_broadcast, "rows of 4", print(boxes));
        if (scores.type != boxes.type) return c.refuse(fault::dtypes_differ, print(boxes), print(scores));
        if (sizes_of(scores) != int_list{boxes.size(0)})
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(boxes.type, {boxes.size(0)})),
                            print(scores));
        return c.results(2) && c.set(0, tensor_of(dtype::i64, {c.integer(at::size)})) &&
               c.set(1, tensor_of(dtype::i64, {}));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return c.tensor(at::dets).size(0); }
    static constexpr void evaluate(auto& c) {
        const auto kept = c.output(0, std::int64_t{});
        const auto boxes_count = c.tensor(at::dets).size(0), size = c.integer(at::size);
        auto gone = c.scratch(boxes_count, char{}); // 1 once a box is kept or dropped
        std::int64_t count = 0;
        c.compute_real(c.tensor(at::dets).type, [&](auto as) {
            using T = decltype(as);
            const auto boxes = c.input(at::dets, as), scores = c.input(at::scores, as);
            const auto area = [&](std::int64_t k) {
                return (boxes[{k, 2}] - boxes[{k, 0}]) * (boxes[{k, 3}] - boxes[{k, 1}]);
            };
            const auto common = [&](std::int64_t a, std::int64_t b) {
                T side[2]{};
                for (int d = 0; d < 2; ++d) {
                    const T low = boxes[{a, d}] > boxes[{b, d}] ? boxes[{a, d}] : boxes[{b, d}],
                            high = boxes[{a, 2 + d}] < boxes[{b, 2 + d}] ? boxes[{a, 2 + d}] : boxes[{b, 2 + d}];
                    side[d] = high > low ? high - low : T{};
                }
                return side[0] * side[1];
            };
            for (;;) {
                std::int64_t best = -1; // NaN counts as the largest, as in sort
                for (std::int64_t k = 0; k < boxes_count; ++k) {
                    if (gone[static_cast<std::size_t>(k)]) continue;
                    if (best < 0 || scores[{k}] > scores[{best}] ||
                        (math::isnan(scores[{k}]) && !math::isnan(scores[{best}])))
                        best = k;
                }
                if (best < 0) return;
                if (count < size) kept.put({count}, best);
                ++count;
                gone[static_cast<std::size_t>(best)] = 1;
                for (std::int64_t k = 0; k < boxes_count; ++k) {
                    auto& is_gone = gone[static_cast<std::size_t>(k)];
                    if (is_gone) continue;
                    const T both = common(best, k);
                    is_gone = static_cast<double>(both / (area(best) + area(k) - both)) > c.real(at::iou_threshold);
                }
            }
        });
        for (auto k = count; k < size; ++k) kept.put({k}, c.integer(at::fill_value));
        c.output(1, std::int64_t{}).put({}, count < size ? count : size);
    }
};

} // namespace ahead::torchvision
