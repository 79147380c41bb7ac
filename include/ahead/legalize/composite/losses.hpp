// SPDX-License-Identifier: MIT
// Losses that PyTorch composes from other operators: distances, margins and labels.
// Source: aten/src/ATen/native/Loss.cpp, Distance.cpp, LossMultiLabelMargin.cpp.
#pragma once
#include <ahead/legalize/composite/composite_call.hpp>

namespace AHEAD_NAMESPACE::detail::composite {

constexpr term clamped(const term& x) { return x.call("aten.clamp_min.default", {x, 0}); }
/// reduction: 0 none, 1 mean, 2 sum
constexpr term reduced(auto& c, const term& loss) {
    const auto reduction = c.integer("reduction");
    return reduction == 1 ? c("aten.mean.default", {loss}) : reduction == 2 ? c("aten.sum.default", {loss}) : loss;
}
constexpr term where(const term& mask, const term& x, const call_argument& otherwise) {
    return x.call(otherwise.value.kind == argument_kind::node ? "aten.where.self" : "aten.where.ScalarOther",
                  {mask, x, otherwise});
}

/// ||x1 - x2 + eps||_p along the last dim
constexpr term distance(auto& c, const term& x, const term& y, bool keepdim) {
    return c("aten.linalg_vector_norm.default", {(x - y) + c.number("eps"), c.number("p"), int_list{-1}, keepdim});
}
constexpr term pairwise_distance(auto& c) { return distance(c, c["x1"], c["x2"], c.boolean("keepdim")); }

/// max(0, margin + d(anchor, positive) - d(anchor, negative)); swap: uses the smaller of the two distances to the
/// negative
constexpr term triplet_margin_loss(auto& c) {
    const auto anchor = c["anchor"], positive = c["positive"], negative = c["negative"];
    const auto of_positive = distance(c, anchor, positive, false);
    auto of_negative = distance(c, anchor, negative, false);
    if (c.boolean("swap"))
        of_negative = c("aten.minimum.default", {of_negative, distance(c, positive, negative, false)});
    return reduced(c, clamped((of_positive + c.number("margin")) - of_negative));
}

/// max(0, -target (x1 - x2) + margin)
constexpr term margin_ranking_loss(auto& c) {
    return reduced(c, clamped(-c["target"] * (c["input1"] - c["input2"]) + c["margin"]));
}

/// x where target is 1, max(0, margin - x) where it is -1, the sum of both elsewhere
constexpr term hinge_embedding_loss(auto& c) {
    const auto x = c["self"], target = c["target"];
    const auto within = clamped(c("aten.rsub.Scalar", {x, c["margin"]}));
    return reduced(c,
                   where(c("aten.ne.Scalar", {target, 1}), within, 0) + where(c("aten.ne.Scalar", {target, -1}), x, 0));
}

/// 1 - cos where target is 1, max(0, cos - margin) where it is -1
constexpr term cosine_embedding_loss(auto& c) {
    const auto x = c["input1"], y = c["input2"], target = c["target"];
    constexpr double epsilon = 1e-12f;
    const auto product = [&](const term& a, const term& b) {
        return c("aten.sum.dim_IntList", {a * b, int_list{target.type().rank}});
    };
    const auto cosine = product(x, y) / c("aten.sqrt.default", {(product(x, x) + epsilon) * (product(y, y) + epsilon)});
    return reduced(c, where(c("aten.eq.Scalar", {target, 1}), c("aten.rsub.Scalar", {cosine, 1}), 0) +
                          where(c("aten.eq.Scalar", {target, -1}), clamped(cosine - c["margin"]), 0));
}

/// max(0, 1 - (x[label] - x[other])), summed over labels (up to the first -1) and all other classes, divided by classes
constexpr term multilabel_margin_loss(auto& c) {
    auto x = c["self"], labels = c["target"];
    const bool is_batch = x.type().rank == 2;
    const auto classes = element_count(x.type()) / (is_batch ? x.size(0) : 1);
    const auto rows = is_batch ? x.size(0) : 1;
    x = c("aten.reshape.default", {x, int_list{rows, classes}});
    labels = c("aten.reshape.default", {labels, int_list{rows, classes}});
    const auto is_label = c.converted(c("aten.ge.Scalar", {labels, 0}), dtype::i64);
    const auto counts = c("aten.cumprod.default", {is_label, 1});
    const auto places = labels * counts;
    const auto none = c.full({rows, classes}, 0, dtype::i64);
    const auto others = c("aten.eq.Scalar", {c("aten.scatter_add.default", {none, 1, places, counts}), 0});
    const auto of_labels = c("aten.unsqueeze.default", {c("aten.gather.default", {x, 1, places}), 2});
    const auto above = clamped((c("aten.unsqueeze.default", {x, 1}) - of_labels) + 1);
    const auto both =
        c("aten.unsqueeze.default", {c("aten.gt.Scalar", {counts, 0}), 2}) * c("aten.unsqueeze.default", {others, 1});
    auto loss = c("aten.sum.dim_IntList", {where(both, above, 0), int_list{1, 2}}) / static_cast<double>(classes);
    if (!is_batch) loss = c("aten.reshape.default", {loss, int_list{}});
    return reduced(c, loss);
}

} // namespace ahead::detail::composite
