// SPDX-License-Identifier: MIT
// Losses whose targets are classes, as exports print them, and their gradients: nll_loss_forward, of rows and of
// images; multi_margin_loss. Source: aten/src/ATen/native/LossNLL.cpp, LossNLL2d.cpp, LossMultiMargin.cpp.
#pragma once
#include <ahead/aten/index/gather.hpp>
#include <ahead/aten/normalise/loss.hpp>
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// Parameter numbers of nll_loss: the targets, and how they are weighted.
struct target_parameters {
    int self, target, weight, ignore_index;
};

/// Calls f(n, index into self, weight) for each sample n whose target is not ignored. Other targets are classes,
/// counted from 0.
template <class F> constexpr void for_each_target(auto& c, const target_parameters& of, F f) {
    const auto& t = c.tensor(of.self);
    const auto target = c.input(of.target, std::int64_t{});
    const auto classes = t.size(t.rank - 1);
    const auto samples = t.rank == 2 ? t.size(0) : 1;
    for (std::int64_t n = 0; n < samples; ++n) {
        const auto given = target.type().rank == 0 ? target[{}] : target[{n}];
        if (given == c.integer(of.ignore_index)) continue;
        const auto which = c.index(given, classes);
        if (!which) return;
        const double weight = c.is_given(of.weight) ? c.input(of.weight, double{})[{*which}] : 1;
        f(n, t.rank == 2 ? int_list{n, *which} : int_list{*which}, weight);
    }
}

constexpr bool check_targets(infer_context& c, const tensor_type& t, const tensor_type& target) {
    if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
    if (t.rank != 1 && t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 1 or 2", print(t));
    if (target.type != dtype::i64 && target.type != dtype::u8)
        return c.refuse(fault::dtype_is_unsupported, "classes of i64 or u8", print(target));
    if (target.rank != t.rank - 1 || (t.rank == 2 && target.size(0) != t.size(0)))
        return c.refuse(fault::shapes_do_not_broadcast, print(t), print(target));
    return true;
}

} // namespace detail

namespace detail {

/// The class weight from parameter i; 1 if it is not given.
constexpr double class_weight(auto& c, int i, std::int64_t which) {
    return c.is_given(i) ? c.input(i, double{})[{which}] : 1;
}
constexpr bool check_class_weight(infer_context& c, int i, const tensor_type& t, std::int64_t classes) {
    if (!c.is_given(i)) return true;
    const auto& weight = c.tensor(i);
    if (weight.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(weight));
    return sizes_of(weight) == int_list{classes} ||
           c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, {classes})), print(weight));
}

} // namespace detail

/// nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index):
/// (-weight*self[target], total weight)
struct nll_loss_forward {
    static constexpr std::string_view name = "aten.nll_loss_forward.default"sv;
    enum at : int { self, target, weight, reduction, ignore_index };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("target", parameter_kind::tensor),
        required("weight", parameter_kind::optional_tensor), required("reduction", parameter_kind::integer),
        required("ignore_index", parameter_kind::integer)};
    static constexpr detail::target_parameters targets{
        .self = at::self, .target = at::target, .weight = at::weight, .ignore_index = at::ignore_index};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        if (!detail::check_targets(c, c.tensor(at::self), c.tensor(at::target)) ||
            !detail::check_reduction(c, c.integer(at::reduction)))
            return false;
        const bool each = c.word<loss_reduction>(at::reduction) == loss_reduction::none && t.rank == 2;
        return c.results(2) && c.set(0, tensor_of(t.type, each ? int_list{t.size(0)} : int_list{})) &&
               c.set(1, tensor_of(t.type, {}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::self, as);
            const auto out = c.output(0, as);
            if (c.template word<loss_reduction>(at::reduction) == loss_reduction::none)
                for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, T{}); }); // zeros if ignored
            double total = 0;
            double weights = 0;
            detail::for_each_target(c, targets, [&](std::int64_t n, const int_list& at, double weight) {
                const double loss = -weight * static_cast<double>(x[at]);
                if (c.template word<loss_reduction>(at::reduction) == loss_reduction::none)
                    out.put(out.type().rank == 0 ? int_list{} : int_list{n}, math::convert<T>(loss));
                total += loss;
                weights += weight;
            });
            if (c.template word<loss_reduction>(at::reduction) != loss_reduction::none)
                out.put({}, math::convert<T>(c.template word<loss_reduction>(at::reduction) == loss_reduction::mean
                                                 ? total / weights
                                                 : total));
            const bool each =
                c.template word<loss_reduction>(at::reduction) == loss_reduction::none && x.type().rank == 2;
            c.output(1, as).put({}, math::convert<T>(each ? 0 : weights));
        });
    }
};

/// nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt
/// ignore_index, Tensor total_weight)
struct nll_loss_backward {
    static constexpr std::string_view name = "aten.nll_loss_backward.default"sv;
    enum at : int { grad_output, self, target, weight, reduction, ignore_index, total_weight };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("self", parameter_kind::tensor),
        required("target", parameter_kind::tensor),      required("weight", parameter_kind::optional_tensor),
        required("reduction", parameter_kind::integer),  required("ignore_index", parameter_kind::integer),
        required("total_weight", parameter_kind::tensor)};
    static constexpr detail::target_parameters targets{
        .self = at::self, .target = at::target, .weight = at::weight, .ignore_index = at::ignore_index};
    static constexpr bool infer(infer_context& c) {
        return detail::check_targets(c, c.tensor(at::self), c.tensor(at::target)) &&
               detail::check_reduction(c, c.integer(at::reduction)) &&
               c.result(tensor_of(c.tensor(at::self).type, sizes_of(c.tensor(at::self))));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto gradient = c.input(at::grad_output, as);
            const auto out = c.output(0, as);
            for_each_index(sizes_of(out.type()), [&](const int_list& at) { out.put(at, T{}); });
            detail::for_each_target(c, targets, [&](std::int64_t n, const int_list& at, double weight) {
                const auto g = static_cast<double>(gradient.type().rank == 0 ? gradient[{}] : gradient[{n}]);
                const double total = c.template word<loss_reduction>(at::reduction) == loss_reduction::mean
                                         ? static_cast<double>(c.input(at::total_weight, as)[{}])
                                         : 1;
                out.put(at, math::convert<T>(-weight * g / total));
            });
        });
    }
};

/// nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index): nll_loss_forward
/// of images: self [N, C, H, W], target [N, H, W]
struct nll_loss2d_forward {
    static constexpr std::string_view name = "aten.nll_loss2d_forward.default"sv;
    using at = nll_loss_forward::at;
    static constexpr auto& schema = nll_loss_forward::schema;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self), target = c.tensor(at::target);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.rank != 4) return c.refuse(fault::rank_is_wrong, "rank 4", print(t));
        if (target.type != dtype::i64 && target.type != dtype::u8)
            return c.refuse(fault::dtype_is_unsupported, "classes of i64 or u8", print(target));
        const int_list samples{t.size(0), t.size(2), t.size(3)};
        if (sizes_of(target) != samples)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(target.type, samples)), print(target));
        if (!detail::check_class_weight(c, at::weight, t, t.size(1)) ||
            !detail::check_reduction(c, c.integer(at::reduction)))
            return false;
        const bool each = c.word<loss_reduction>(at::reduction) == loss_reduction::none;
        return c.results(2) && c.set(0, tensor_of(t.type, each ? samples : int_list{})) &&
               c.set(1, tensor_of(t.type, {}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::self, as);
            const auto target = c.input(at::target, std::int64_t{});
            const auto out = c.output(0, as);
            const auto reduction = c.template word<loss_reduction>(at::reduction);
            double total = 0, weights = 0;
            for_each_index(sizes_of(target.type()), [&](const int_list& at) {
                const auto given = target[at];
                double loss = 0;
                if (given != c.integer(nll_loss_forward::ignore_index)) {
                    const auto which = c.index(given, x.type().size(1));
                    if (!which) return;
                    const double weight = detail::class_weight(c, nll_loss_forward::weight, *which);
                    loss = -weight * static_cast<double>(x[{at[0], *which, at[1], at[2]}]);
                    weights += weight;
                }
                if (reduction == loss_reduction::none) out.put(at, math::convert<T>(loss));
                total += loss;
            });
            if (reduction == loss_reduction::mean) total /= weights;
            if (reduction != loss_reduction::none) out.put({}, math::convert<T>(total));
            c.output(1, as).put({}, math::convert<T>(reduction == loss_reduction::none ? 0 : weights));
        });
    }
};

/// multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=Mean):
/// for each sample, the mean over all classes except target of max(0, margin - x[target] + x[class])^p, times the
/// weight of target; p is 1 or 2
struct multi_margin_loss {
    static constexpr std::string_view name = "aten.multi_margin_loss.default"sv;
    enum at : int { self, target, p, margin, weight, reduction };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::scalar, argument::of(1)),
                                           defaulted("margin", parameter_kind::scalar, argument::of(1)),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           schemas::reduction_option};
    static constexpr bool infer(infer_context& c) {
        const auto &t = c.tensor(at::self), &target = c.tensor(at::target);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.rank != 1 && t.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 1 or 2", print(t));
        if (target.type != dtype::i64) return c.refuse(fault::dtype_is_unsupported, "classes of i64", print(target));
        const auto samples = t.rank == 2 ? t.size(0) : 1, classes = t.size(t.rank - 1);
        if (target.rank > 1 || element_count(target) != samples || (t.rank == 2 && target.rank == 0))
            return c.refuse(fault::shapes_do_not_broadcast, print(t), print(target));
        if (classes == 0) return c.refuse(fault::window_does_not_fit, "one class at least", print(t));
        if (c.real(at::p) != 1 && c.real(at::p) != 2)
            return c.refuse(fault::argument_has_wrong_kind, "p: 1 or 2", "another number");
        const bool each = c.word<loss_reduction>(at::reduction) == loss_reduction::none && target.rank == 1;
        return detail::check_class_weight(c, at::weight, t, classes) &&
               detail::check_reduction(c, c.integer(at::reduction)) &&
               c.result(tensor_of(t.type, each ? int_list{samples} : int_list{}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::self, as);
            const auto target = c.input(at::target, std::int64_t{});
            const auto out = c.output(0, as);
            const int rank = x.type().rank;
            const auto classes = x.type().size(rank - 1), samples = rank == 2 ? x.type().size(0) : 1;
            const auto reduction = c.template word<loss_reduction>(at::reduction);
            double total = 0;
            for (std::int64_t n = 0; n < samples; ++n) {
                const auto own = c.index(target.type().rank == 0 ? target[{}] : target[{n}], classes);
                if (!own) return;
                const auto element = [&](std::int64_t k) {
                    return static_cast<double>(rank == 2 ? x[{n, k}] : x[{k}]);
                };
                double loss = 0;
                for (std::int64_t k = 0; k < classes; ++k) {
                    const double off = c.real(at::margin) - element(*own) + element(k);
                    if (k != *own && off > 0) loss += c.real(at::p) == 1 ? off : off * off;
                }
                loss *= detail::class_weight(c, at::weight, *own) / static_cast<double>(classes);
                if (out.type().rank == 1) out.put({n}, math::convert<T>(loss));
                total += loss;
            }
            if (reduction == loss_reduction::mean) total /= static_cast<double>(samples);
            if (out.type().rank == 0) out.put({}, math::convert<T>(total));
        });
    }
};

using class_loss_ops = op_list<nll_loss_forward, nll_loss_backward, nll_loss2d_forward, multi_margin_loss>;

} // namespace ahead::aten
