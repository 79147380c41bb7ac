// SPDX-License-Identifier: MIT
// Restores scaled_dot_product_attention from PyTorch's decomposition for the CPU: a product of scaled queries and
// scaled keys, an added mask, a softmax that gives zeros for rows of only -inf, and a product with the values.
//     where(logical_not(any(logical_not(scores == -inf), -1)), 0, softmax(scores)) @ values
// Law: the meaning is that of the call, whose scores are scaled once, after their product; a query for which the mask
// hides all keys gives zeros. The calls between the products have no other readers, and all of them are on one stream
// in its segment.
// Source: _scaled_dot_product_attention_math of aten/src/ATen/native/transformers/attention.cpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/recompose/value_reader.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class attention_composer : value_reader {
public:
    constexpr explicit attention_composer(Editor& g) : value_reader(g), streams_(g.view()) {}

    constexpr void run() {
        for (node_id n : g_.find_nodes("aten.where.self"))
            if (g_.ok() && find(n)) write();
    }

private:
    air::stream_map streams_;
    // The match.
    node_id scores_, last_; // the two products
    node_id query_, key_, value_, mask_;
    double scale_ = 1;
    int_list sizes_; // of the result

    /// Whether `safe` is a safe softmax between two products.
    constexpr bool find(node_id safe) {
        const auto softmax = g_.operand(safe, 2), adjusted = softmax_of(safe, softmax);
        if (!adjusted.exists() || !find_last(safe)) return false;
        const auto& type = type_of(adjusted);
        if (type.rank < 3 || type.rank == max_rank || element_count(type) == 0) return false;
        mask_ = {};
        scores_ = behind_reshapes_of_two(adjusted);
        for (int i = 0; i < 2 && !scores_.exists() && g_.calls(adjusted, "aten.add.Tensor"); ++i) {
            const auto product = g_.operand(adjusted, i), mask = g_.operand(adjusted, 1 - i);
            if (g_[adjusted].arguments.count != 2 || !product.exists() || !mask.exists() ||
                sizes_of(type_of(product)) != sizes_of(type))
                continue;
            scores_ = behind_reshapes(product, "aten.bmm.default");
            mask_ = mask;
        }
        return scores_.exists() && g_.use_count(scores_) == 1 && streams_.together(scores_, last_) &&
               streams_.together(softmax, last_) && find_operands(sizes_of(type));
    }
    /// The scores of a safe softmax; none if it is not one.
    constexpr node_id softmax_of(node_id safe, node_id softmax) const {
        const auto hidden = g_.operand(safe, 0), zeros = g_.operand(safe, 1);
        if (!hidden.exists() || !zeros.exists() || !softmax.exists() || !g_.calls(softmax, "aten._softmax.default") ||
            !g_.calls(zeros, "aten.full_like.default") || g_.operand(zeros, 0) != softmax || !is_number(zeros, 1, 0) ||
            g_.use_count(softmax) != 2)
            return {};
        const auto scores = g_.operand(softmax, 0);
        const auto rank = type_of(softmax).rank;
        const auto seen = only_operand(hidden, "aten.logical_not.default"), each = only_operand(seen, "aten.any.dim"),
                   masked = only_operand(each, "aten.logical_not.default");
        const bool found = masked.exists() && g_.calls(masked, "aten.eq.Scalar") && g_.operand(masked, 0) == scores &&
                           is_number(masked, 1, -std::numeric_limits<double>::infinity()) &&
                           is_last_dim(seen, 1, rank) && g_.argument_of(seen, 2).boolean() &&
                           is_last_dim(softmax, 1, rank) && g_.use_count(masked) == 1 && g_.use_count(scores) == 2 &&
                           is_floating(type_of(softmax).type) && type_of(softmax).type == type_of(scores).type;
        return found ? scores : node_id{};
    }
    /// The first operand of n, if n is a call of the operator with exactly one use.
    constexpr node_id only_operand(node_id n, std::string_view op) const {
        return n.exists() && g_.calls(n, op) && g_.use_count(n) == 1 ? g_.operand(n, 0) : node_id{};
    }
    /// The product whose reshaped result, read by the two readers of the scores, is the scores unchanged (no mask).
    constexpr node_id behind_reshapes_of_two(node_id adjusted) const {
        if (g_.calls(adjusted, "aten.bmm.default")) return {}; // it has two uses
        const auto from = reshaped_from(adjusted);
        return from.exists() ? behind_reshapes(from, "aten.bmm.default") : node_id{};
    }
    /// Finds the product that is the only reader of the softmax.
    constexpr bool find_last(node_id shares) {
        while (g_.use_count(shares) == 1) {
            const auto by = g_.user(shares);
            if (g_.calls(by, "aten.bmm.default")) {
                last_ = by;
                return g_.operand(by, 0) == shares && g_.operand(by, 1) != shares;
            }
            if (reshaped_from(by) != shares) return false;
            shares = by;
        }
        return false;
    }
    /// The operand of n if n multiplies all elements by a number, which then goes into scale_; otherwise n.
    constexpr node_id unscaled(node_id n) {
        if (!g_.calls(n, "aten.mul.Scalar") && !g_.calls(n, "aten.mul.Tensor")) return n;
        const auto& factor = g_.argument_of(n, 1);
        if (factor.kind != argument_kind::real) return n;
        scale_ *= factor.real();
        return g_.operand(n, 0);
    }
    constexpr bool find_operands(const int_list& scores) {
        const auto as_heads = [&](node_id product, int i) { // [batch..., rows, columns]
            auto sizes = scores;
            const auto operand = g_.operand(product, i);
            for (int d = 1; d <= 2; ++d) sizes[sizes.size - d] = type_of(operand).size(3 - d);
            return with_sizes(operand, sizes);
        };
        scale_ = 1;
        query_ = as_heads(scores_, 0);
        key_ = as_heads(scores_, 1);
        value_ = as_heads(last_, 1);
        if (!query_.exists() || !key_.exists() || !value_.exists()) return false;
        query_ = unscaled(query_);
        key_ = unscaled(key_);
        sizes_ = sizes_of(type_of(query_));
        sizes_[sizes_.size - 1] = type_of(last_).size(2);
        return element_count(type_of(query_)) > 0 && element_count(type_of(value_)) > 0;
    }
    constexpr void write() {
        g_.inserting_before(last_);
        const auto type = type_of(query_).type;
        if (mask_.exists() && type_of(mask_).type != type)
            mask_ = g_.call("prims.convert_element_type.default", {mask_, type});
        const auto keys = g_.call("aten.transpose.int", {key_, -2, -1});
        auto scale = argument::of(scale_);
        scale.keyword = "scale";
        const auto made =
            g_.call("aten.scaled_dot_product_attention.default",
                    {query_, keys, value_, mask_.exists() ? call_argument(mask_) : call_argument(), scale});
        if (!g_.ok()) return;
        if (const auto by = g_.user(last_); g_.use_count(last_) == 1 && reshaped_from(by) == last_ &&
                                            sizes_of(type_of(by)) == sizes_ && !g_.calls(by, "aten.clone.default"))
            g_.replace_node(by, argument::of(made));
        if (g_.use_count(last_) == 0) return;
        g_.replace_all_uses_with(last_, g_.call("aten.reshape.default", {made, sizes_of(type_of(last_))}));
    }
};

struct attention {
    static constexpr bool applies(const called_operators& called) {
        return called.has_all({"aten.bmm.default", "aten.where.self", "aten._softmax.default"});
    }
    static constexpr void compose(auto& g) { attention_composer(g).run(); }
};

} // namespace ahead::pass::detail
