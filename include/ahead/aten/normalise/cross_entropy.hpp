// SPDX-License-Identifier: MIT
// Losses of classes in their user-level forms: nll_loss, nll_loss_nd, cross_entropy_loss.
// Source: aten/src/ATen/native/LossNLL.cpp.
#pragma once
#include <ahead/aten/normalise/class_loss.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// A loss of classes along dim 1, or along the only dim. The input is log-probabilities, or scores (Op::is_of_scores)
/// to which log_softmax is applied. Targets are class indices over the other dims, or (where Op smooths labels)
/// probabilities of all classes.
template <class Op> struct class_loss {
    enum at : int { self, target, weight, reduction, ignore_index };
    static constexpr int class_dim(const tensor_type& t) { return t.rank > 1; }
    static constexpr bool is_of_classes(const auto& c) {
        return !Op::is_of_scores || sizes_of(c.tensor(at::self)) != sizes_of(c.tensor(at::target));
    }
    static constexpr double smoothing(const auto& c) {
        if constexpr (Op::is_of_scores) return c.real(Op::at::label_smoothing);
        else return 0;
    }
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &target = c.tensor(at::target);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
        const auto samples = sizes_without(t, 1u << class_dim(t), false);
        if (!is_of_classes(c)) {
            if (target.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(target));
            if (c.integer(at::ignore_index) >= 0)
                return c.refuse(fault::argument_is_unknown, "no ignore_index beside probabilities",
                                short_text() << c.integer(at::ignore_index));
        } else if (target.type != dtype::i64 && target.type != dtype::u8) {
            return c.refuse(fault::dtype_is_unsupported, "classes of i64 or u8", print(target));
        } else if (sizes_of(target) != samples) {
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(target.type, samples)), print(target));
        }
        if (!(smoothing(c) >= 0 && smoothing(c) <= 1))
            return c.refuse(fault::argument_has_wrong_kind, "label_smoothing from 0 to 1", "another number");
        return check_class_weight(c, at::weight, t, t.size(class_dim(t))) &&
               check_reduction(c, c.integer(at::reduction)) &&
               c.result(tensor_of(t.type, c.word<loss_reduction>(at::reduction) == loss_reduction::none ? samples
                                                                                                        : int_list{}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto x = c.input(class_loss::self, as);
            const auto out = c.output(0, as);
            const auto& t = x.type();
            const int dim = class_dim(t);
            const auto classes = t.size(dim);
            const auto reduction = c.template word<loss_reduction>(class_loss::reduction);
            const bool of_classes = is_of_classes(c);
            const double smooth = smoothing(c), spread = smooth / static_cast<double>(classes);
            double total = 0, weights = 0;
            for_each_reduced(t, 1u << dim, false, [&](const int_list& at, auto walk) {
                double largest = 0, sum = 0, loss = 0;
                bool first = true;
                if (Op::is_of_scores) {
                    walk([&](const int_list& i) {
                        const auto score = static_cast<double>(x[i]);
                        if (first || score > largest || math::isnan(score)) largest = score;
                        first = false;
                    });
                    walk([&](const int_list& i) { sum += math::exp(static_cast<double>(x[i]) - largest); });
                    largest += math::log(sum);
                }
                std::int64_t own = -1;
                if (of_classes) {
                    const auto given = c.input(class_loss::target, std::int64_t{})[at];
                    if (given == c.integer(class_loss::ignore_index)) {
                        if (reduction == loss_reduction::none) out.put(at, decltype(as){});
                        return;
                    }
                    const auto which = c.index(given, classes);
                    if (!which) return;
                    own = *which;
                    weights += class_weight(c, class_loss::weight, own);
                } else {
                    weights += 1;
                }
                walk([&](const int_list& i) {
                    double share = own == i[dim];
                    if (!of_classes) share = static_cast<double>(c.input(class_loss::target, as)[i]);
                    share = share * (1 - smooth) + spread;
                    if (share != 0)
                        loss -=
                            (static_cast<double>(x[i]) - largest) * share * class_weight(c, class_loss::weight, i[dim]);
                });
                if (reduction == loss_reduction::none) out.put(at, math::convert<decltype(as)>(loss));
                total += loss;
            });
            if (reduction == loss_reduction::mean) total /= weights;
            if (reduction != loss_reduction::none) out.put({}, math::convert<decltype(as)>(total));
        });
    }
};

} // namespace detail

/// nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100):
/// -weight[target] * self[target] of [C], [N, C] or [N, C, ..]
struct nll_loss_nd : detail::class_loss<nll_loss_nd> {
    static constexpr std::string_view name = "aten.nll_loss_nd.default"sv;
    static constexpr bool is_of_scores = false;
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("target", parameter_kind::tensor),
        defaulted("weight", parameter_kind::optional_tensor), schemas::reduction_option,
        defaulted("ignore_index", parameter_kind::integer, argument::of(-100))};
};
/// nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100)
struct nll_loss : nll_loss_nd {
    static constexpr std::string_view name = "aten.nll_loss.default"sv;
};
/// nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100): images,
/// self [N, C, H, W], target [N, H, W]
struct nll_loss2d : nll_loss_nd {
    static constexpr std::string_view name = "aten.nll_loss2d.default"sv;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (t.rank != 4) return c.refuse(fault::rank_is_wrong, "rank 4", print(t));
        return nll_loss_nd::infer(c);
    }
};

/// cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100,
/// float label_smoothing=0.0): nll_loss_nd of log_softmax; target has class indices, or a probability per class. The
/// share label_smoothing of every target is distributed evenly over all classes
struct cross_entropy_loss : detail::class_loss<cross_entropy_loss> {
    static constexpr std::string_view name = "aten.cross_entropy_loss.default"sv;
    static constexpr bool is_of_scores = true;
    enum at : int { self, target, weight, reduction, ignore_index, label_smoothing };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           schemas::reduction_option,
                                           defaulted("ignore_index", parameter_kind::integer, argument::of(-100)),
                                           defaulted("label_smoothing", parameter_kind::real, argument::of(0.0))};
};
using cross_entropy_ops = op_list<nll_loss_nd, nll_loss, nll_loss2d, cross_entropy_loss>;

} // namespace ahead::aten
