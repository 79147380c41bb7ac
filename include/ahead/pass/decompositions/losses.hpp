// SPDX-License-Identifier: MIT
// Losses of pairs, of classes and of probabilities, similarities, softmaxes of fully masked rows, as pointwise
// operators and sums.
#pragma once
#include <ahead/pass/decompositions/names.hpp>
#include <numbers>

namespace AHEAD_NAMESPACE::decomposition {

/// Reduces the losses of all elements as the `reduction` parameter says.
constexpr void finish_loss(auto& c, int parameter, const argument& loss) {
    const auto reduction = c.aten.template word<aten::loss_reduction>(parameter);
    const bool averages = reduction == aten::loss_reduction::mean;
    c.bind_result(reduction == aten::loss_reduction::none
                 ? loss
                 : c.call(averages ? "aten.mean.default" : "aten.sum.default", {loss}));
}

/// softmax, with zeros if all elements of a row are -inf.
struct safe_softmax {
    using op = aten::safe_softmax;
    using at = op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.result_type().type;
        auto x = c.operand(at::self);
        if (c.type_of(x).type != type) x = c.call("prims.convert_element_type.default", {x, type});
        const auto usual = c.call("aten._softmax.default", {x, c.aten.integer(at::dim), false});
        const auto hidden = c.call("aten.eq.Scalar", {x, -std::numeric_limits<double>::infinity()});
        const auto nothing = c.call("aten.all.dim", {hidden, c.aten.integer(at::dim), true});
        c.bind_result(c.call("aten.where.ScalarSelf", {nothing, 0.0, usual}));
    }
};

/// g - e^y sum(g), or (g - sum(g y)) y, along a dim.
template <class Op, bool Logarithm> struct softmax_gradient {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr bool when(const call_view& call) {
        const auto& y = call.tensor(at::output);
        return call.tensor(at::grad_output).type == y.type && call.result_type().type == y.type && y.rank > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto g = c.operand(at::grad_output), y = c.operand(at::output);
        const auto total = c.call(sum, {Logarithm ? g : c.call(mul, {g, y}), int_list{c.aten.integer(at::dim)}, true});
        c.bind_result(Logarithm ? c.call(sub, {g, c.call(mul, {c.call("aten.exp.default", {y}), total})})
                           : c.call(mul, {c.call(sub, {g, total}), y}));
    }
};

/// A loss of pairs: Law::of(c, x, y) of each, times its weight, averaged or summed.
template <class Law> struct loss_of_pairs : Law {
    using op = typename Law::op;
    using at = typename op::at;
    static constexpr std::int32_t most_calls = Law::steps + 2;
    static constexpr void decompose(auto& c) {
        auto loss = Law::of(c, c.operand(first_parameter), c.operand(at::target));
        if constexpr (requires { at::weight; })
            if (c.aten.is_given(at::weight)) loss = c.call(mul, {loss, c.operand(at::weight)});
        finish_loss(c, at::reduction, loss);
    }
};

/// |x - y| or (x - y)^2
template <class Op, bool Squared> struct difference {
    using op = Op;
    static constexpr std::int32_t steps = 2;
    static constexpr argument of(decompose_context& c, const argument& x, const argument& y) {
        const auto off = c.call(sub, {x, y});
        return Squared ? c.call(mul, {off, off}) : c.call("aten.abs.default", {off});
    }
};

/// Quadratic near zero, linear beyond: with m = min(|x - y|, border), m (|x - y| - m / 2), divided by the border for
/// smooth_l1_loss.
template <class Op, int Border> struct rounded_difference {
    using op = Op;
    static constexpr std::int32_t steps = 6;
    static constexpr bool is_smooth = std::same_as<Op, aten::smooth_l1_loss>;
    static constexpr bool when(const call_view& call) {
        const double border = call.real(Border);
        return border > 0 || (border == 0 && is_smooth);
    }
    static constexpr argument of(decompose_context& c, const argument& x, const argument& y) {
        const double border = c.aten.real(Border);
        const auto off = c.call("aten.abs.default", {c.call(sub, {x, y})});
        if (border == 0) return off;
        const auto within = c.call("aten.clamp_max.default", {off, border});
        const auto middle = c.call(sub, {off, c.call(mul, {within, 0.5})});
        return c.call(mul, {is_smooth && border != 1 ? c.call("aten.div.Tensor", {within, border}) : within, middle});
    }
};

/// y (log y - x), with y given by its logarithm, or as xlogy(y, y) - y x
template <class Op> struct divergence {
    using op = Op;
    static constexpr std::int32_t steps = 3;
    static constexpr argument of(decompose_context& c, const argument& x, const argument& y) {
        return c.aten.boolean(Op::at::log_target)
                   ? c.call(mul, {c.call("aten.exp.default", {y}), c.call(sub, {y, x})})
                   : c.call(sub, {c.call("aten.xlogy.Tensor", {y, y}), c.call(mul, {y, x})});
    }
};

/// log(1 + e^-xy)
template <class Op> struct soft_margin {
    using op = Op;
    static constexpr std::int32_t steps = 4;
    static constexpr argument of(decompose_context& c, const argument& x, const argument& y) {
        const auto product = c.call(mul, {c.call("aten.neg.default", {x}), y});
        return c.call("aten.log1p.default", {c.call("aten.exp.default", {product})});
    }
};

/// (y - 1) log(1 - x) - y log x, with each logarithm clamped to at least -100
template <class Op> struct cross_entropy_of_rates {
    using op = Op;
    static constexpr std::int32_t steps = 9;
    static constexpr argument of(decompose_context& c, const argument& x, const argument& y) {
        const auto bounded = [&](const argument& log) { return c.call("aten.clamp_min.default", {log, -100}); };
        const auto of_zero = bounded(c.call("aten.log1p.default", {c.call("aten.neg.default", {x})}));
        const auto of_one = bounded(c.call("aten.log.default", {x}));
        return c.call(sub, {c.call(mul, {c.call(sub, {y, 1}), of_zero}), c.call(mul, {y, of_one})});
    }
};

/// (1 - y) x + w (log(1 + e^-|x|) - min(x, 0)), where w is (pos_weight - 1) y + 1
template <class Op> struct cross_entropy_of_logits {
    using op = Op;
    static constexpr std::int32_t steps = 13;
    static constexpr argument of(decompose_context& c, const argument& x, const argument& y) {
        const auto power = c.call("aten.exp.default", {c.call("aten.neg.default", {c.call("aten.abs.default", {x})})});
        auto log = c.call(sub, {c.call("aten.log1p.default", {power}), c.call("aten.clamp_max.default", {x, 0})});
        if (c.aten.is_given(Op::at::pos_weight)) {
            const auto more = c.call(sub, {c.operand(Op::at::pos_weight), 1});
            log = c.call(mul, {log, c.call(add, {c.call(mul, {more, y}), 1})});
        }
        return c.call(add, {c.call(mul, {c.call("aten.rsub.Scalar", {y, 1}), x}), log});
    }
};

/// For each row the mean of max(0, margin - x[class of the row] + x)^p over all other classes, weighted by that class.
struct multi_margin_loss {
    using op = aten::multi_margin_loss;
    using at = op::at;
    static constexpr std::int32_t most_calls = 18;
    static constexpr bool when(const call_view& call) { return element_count(call.tensor(at::self)) > 0; }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.tensor(at::self);
        const auto classes = t.size(t.rank - 1), rows = element_count(t) / classes;
        const auto x = c.call(reshape, {c.operand(at::self), int_list{rows, classes}});
        const auto target = c.call(reshape, {c.operand(at::target), int_list{rows, 1}});
        const auto own = c.call("aten.gather.default", {x, 1, target});
        const auto off = c.call(add, {c.call(sub, {x, own}), c.operand(at::margin)});
        auto loss = c.call("aten.clamp_min.default", {off, 0});
        if (c.aten.real(at::p) == 2) loss = c.call(mul, {loss, loss});
        const auto other = c.call("aten.ne.Tensor", {target, c.call("aten.arange.default", {classes})});
        loss = c.call(sum, {c.call("aten.where.ScalarOther", {other, loss, 0.0}), int_list{1}});
        loss = c.call("aten.div.Tensor", {loss, static_cast<double>(classes)});
        if (c.aten.is_given(at::weight)) {
            const auto lookup = c.call(reshape, {target, int_list{rows}});
            loss = c.call(mul, {loss, c.call("aten.index_select.default", {c.operand(at::weight), 0, lookup})});
        }
        if (c.aten.result_type().rank == 0 &&
            c.aten.template word<aten::loss_reduction>(at::reduction) == aten::loss_reduction::none)
            return c.bind_result(c.call(view, {loss, int_list{}}));
        finish_loss(c, at::reduction, loss);
    }
};

/// 2 (x - y) g, divided by the count for a mean.
struct mse_loss_gradient {
    using op = aten::mse_loss_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) {
        const auto &x = call.tensor(at::self), &y = call.tensor(at::target), &g = call.tensor(at::grad_output);
        return is_contiguous(x) && is_contiguous(y) && sizes_of(x) == sizes_of(y) && x.type == y.type &&
               g.type == x.type && element_count(x) > 0;
    }
    static constexpr void decompose(auto& c) {
        const bool averages = c.aten.template word<aten::loss_reduction>(at::reduction) == aten::loss_reduction::mean;
        const double factor = averages ? 2 / static_cast<double>(element_count(c.aten.tensor(at::self))) : 2;
        const auto off = c.call(sub, {c.operand(at::self), c.operand(at::target)});
        c.bind_result(c.call(mul, {c.call(mul, {off, c.operand(at::grad_output)}), factor}));
    }
};

/// The product of both, divided by their norms.
struct cosine_similarity {
    using op = aten::cosine_similarity;
    using at = op::at;
    static constexpr std::int32_t most_calls = 13;
    static constexpr bool when(const call_view& call) { return op::broadcast_type(call).rank > 0; }
    static constexpr void decompose(auto& c) {
        const auto both = op::broadcast_type(c.aten);
        const int_list dim{wrapped_dim(c.aten.integer(at::dim), both.rank)};
        const auto spread = [&](int i) {
            const auto x = c.operand(i);
            return sizes_of(c.type_of(x)) == sizes_of(both) ? x : c.call(expand, {x, sizes_of(both)});
        };
        const auto x = spread(at::x1), y = spread(at::x2);
        const auto norm = [&](const argument& of) {
            const auto root = c.call("aten.sqrt.default", {c.call(sum, {c.call(mul, {of, of}), dim})});
            return c.call("aten.clamp_min.default", {root, c.aten.real(at::eps)});
        };
        const auto product = c.call(sum, {c.call(mul, {x, y}), dim});
        c.bind_result(c.call("aten.div.Tensor", {product, c.call(mul, {norm(x), norm(y)})}));
    }
};

/// e^x - yx, or x - y log(x + eps); optionally plus Stirling's term.
struct poisson_nll_loss {
    using op = aten::poisson_nll_loss;
    using at = op::at;
    static constexpr std::int32_t most_calls = 16;
    static constexpr void decompose(auto& c) {
        const auto x = c.operand(at::input), y = c.operand(at::target);
        const auto log = [&](const argument& of) { return c.call("aten.log.default", {of}); };
        auto loss = c.aten.boolean(at::log_input)
                        ? c.call(sub, {c.call("aten.exp.default", {x}), c.call(mul, {y, x})})
                        : c.call(sub, {x, c.call(mul, {y, log(c.call(add, {x, c.aten.real(at::eps)}))})});
        if (c.aten.boolean(at::full)) {
            const auto root = c.call(mul, {log(c.call(mul, {y, 2 * std::numbers::pi})), 0.5});
            const auto term = c.call(add, {c.call(sub, {c.call(mul, {y, log(y)}), y}), root});
            loss = c.call(add, {loss, c.call("aten.where.ScalarOther", {c.call("aten.gt.Scalar", {y, 1}), term, 0.0})});
        }
        finish_loss(c, at::reduction, loss);
    }
};

/// -share * log(probability) summed over all classes; the shares are 1 for the target and 0 for the others, or as
/// given, smoothed and weighted. A target is looked up among the classes, so that embedding refuses one that is out of
/// range.
template <class Op> struct class_loss {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 30;
    static constexpr bool when(const call_view& call) {
        return element_count(call.tensor(at::self)) > 0 && call.tensor(at::self).rank < max_rank &&
               (!Op::is_of_classes(call) || call.tensor(at::target).type == dtype::i64);
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.tensor(at::self);
        const int dim = Op::class_dim(t);
        const auto classes = t.size(dim);
        const double smooth = Op::smoothing(c.aten);
        const bool of_classes = Op::is_of_classes(c.aten);
        auto x = c.operand(at::self);
        if (Op::is_of_scores) x = c.call("aten._log_softmax.default", {x, dim, false});
        argument weight{}, kept{};
        if (c.aten.is_given(at::weight)) {
            int_list sizes{classes};
            for (int d = dim + 1; d < t.rank; ++d) sizes.push_back(1);
            weight = t.rank > dim + 1 ? c.call(view, {c.operand(at::weight), sizes}) : c.operand(at::weight);
            x = c.call(mul, {x, weight});
        }
        argument loss, own{};
        if (of_classes) {
            auto with_class = sizes_of(t);
            with_class[dim] = 1;
            const auto target = c.operand(at::target);
            kept = c.call("aten.ne.Scalar", {target, c.aten.integer(at::ignore_index)});
            const auto known = c.call("aten.where.ScalarOther", {kept, target, 0});
            const auto all = c.call("aten.arange.default", {classes});
            const auto looked_up = c.call("aten.embedding.default", {c.call(view, {all, int_list{classes, 1}}), known});
            int_list along{classes};
            for (int d = dim + 1; d < t.rank; ++d) along.push_back(1);
            const auto named = t.rank > dim + 1 ? c.call(view, {all, along}) : all;
            own = c.call("aten.eq.Tensor", {c.call(view, {looked_up, with_class}), named});
            const auto picked = c.call("aten.where.ScalarOther", {own, x, 0.0});
            loss = c.call(sum, {picked, int_list{dim}});
        } else {
            loss = c.call(sum, {c.call(mul, {x, c.operand(at::target)}), int_list{dim}});
        }
        loss = c.call(mul, {loss, smooth - 1});
        if (smooth != 0)
            loss = c.call(
                sub, {loss, c.call(mul, {c.call(sum, {x, int_list{dim}}), smooth / static_cast<double>(classes)})});
        if (of_classes) loss = c.call("aten.where.ScalarOther", {kept, loss, 0.0});
        const auto reduction = c.aten.template word<aten::loss_reduction>(at::reduction);
        if (reduction == aten::loss_reduction::none) return c.bind_result(loss);
        const auto total = c.call("aten.sum.default", {loss});
        if (reduction == aten::loss_reduction::sum) return c.bind_result(total);
        if (!of_classes)
            return c.bind_result(c.call("aten.div.Tensor", {total, static_cast<double>(element_count(t) / classes)}));
        auto counted = c.call("prims.convert_element_type.default", {kept, t.type});
        if (c.aten.is_given(at::weight)) {
            const auto of_own = c.call("aten.where.ScalarOther", {own, weight, 0.0});
            counted = c.call(mul, {c.call(sum, {of_own, int_list{dim}}), counted});
        }
        c.bind_result(c.call("aten.div.Tensor", {total, c.call("aten.sum.default", {counted})}));
    }
};

} // namespace ahead::decomposition
