// SPDX-License-Identifier: MIT
// Elementwise losses of two tensors, and their gradients. Source: aten/src/ATen/native/Loss.cpp.
#pragma once
#include <ahead/ir/broadcast.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>
#include <ahead/ir/words.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Reduction of the elements' losses. PyTorch passes it as a number.
enum class loss_reduction { none, mean, sum };

namespace detail {

constexpr bool check_loss(infer_context& c, const tensor_type& a, const tensor_type& b) {
    if (!is_floating(a.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(a));
    if (a.type != b.type) return c.refuse(fault::dtypes_differ, print(a), print(b));
    if (sizes_of(a) != sizes_of(b)) return c.refuse(fault::shapes_do_not_broadcast, print(a), print(b));
    return true;
}

constexpr bool check_reduction(infer_context& c, std::int64_t given) {
    return (given >= 0 && given <= static_cast<int>(loss_reduction::sum)) ||
           c.refuse(fault::argument_has_wrong_kind, "reduction: 0 (none), 1 (mean) or 2 (sum)", short_text() << given);
}

/// The mean or sum of Op::of(c, x, y), times the element's weight, if given. Sizes must be equal; weights broadcast. If
/// Op has pos_weight, Op::of also takes the element's pos_weight, or 1.
template <class Op, class Parameters> struct pairwise_loss : Parameters {
    using at = typename Parameters::at;
    static constexpr bool check_weight(infer_context& c, int i) {
        if (!c.is_given(i)) return true;
        const auto &t = c.tensor(first_parameter), &weight = c.tensor(i);
        auto sizes = sizes_of(t);
        if (weight.type != t.type) return c.refuse(fault::dtypes_differ, print(t), print(weight));
        return (weight.rank <= t.rank && broadcast_into(c, sizes, weight) && sizes == sizes_of(t)) ||
               c.refuse(fault::shapes_do_not_broadcast, print(t), print(weight));
    }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(first_parameter);
        if constexpr (requires { at::weight; })
            if (!check_weight(c, at::weight)) return false;
        if constexpr (requires { at::pos_weight; })
            if (!check_weight(c, at::pos_weight)) return false;
        return check_loss(c, t, c.tensor(at::target)) && check_reduction(c, c.integer(at::reduction)) &&
               c.result(tensor_of(t.type, c.word<loss_reduction>(at::reduction) == loss_reduction::none ? sizes_of(t)
                                                                                                        : int_list{}));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(first_parameter, as);
            const auto y = c.input(at::target, as);
            const auto out = c.output(0, as);
            const auto weight = [&](int i, const int_list& at) {
                if (!c.is_given(i)) return 1.0;
                const auto all = c.input(i, as);
                return static_cast<double>(all[broadcast_index(all.type(), at)]);
            };
            double total = 0;
            for_each_index(sizes_of(x.type()), [&](const int_list& at) {
                const auto a = static_cast<double>(x[at]), b = static_cast<double>(y[at]);
                double loss = 0;
                if constexpr (requires { at::pos_weight; }) loss = Op::of(c, a, b, weight(at::pos_weight, at));
                else loss = Op::of(c, a, b);
                if constexpr (requires { at::weight; }) loss *= weight(at::weight, at);
                if (c.template word<loss_reduction>(at::reduction) == loss_reduction::none)
                    out.put(at, math::convert<T>(loss));
                total += loss;
            });
            if (c.template word<loss_reduction>(at::reduction) == loss_reduction::mean)
                total /= static_cast<double>(element_count(x.type()));
            if (c.template word<loss_reduction>(at::reduction) != loss_reduction::none)
                out.put({}, math::convert<T>(total));
        });
    }
};

} // namespace detail

namespace schemas {
inline constexpr parameter reduction_option =
    defaulted("reduction", parameter_kind::integer, argument::of(static_cast<int>(loss_reduction::mean)));
struct loss {
    enum at : int { self, target, reduction };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor), reduction_option};
};
struct loss_with_beta {
    enum at : int { self, target, reduction, beta };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor), reduction_option,
                                           defaulted("beta", parameter_kind::real, argument::of(1.0))};
};
struct loss_with_delta {
    enum at : int { self, target, reduction, delta };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor), reduction_option,
                                           defaulted("delta", parameter_kind::real, argument::of(1.0))};
};
struct loss_of_logarithms {
    enum at : int { self, target, reduction, log_target };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor), reduction_option,
                                           defaulted("log_target", parameter_kind::boolean, argument::of(false))};
};
struct weighted_loss {
    enum at : int { self, target, weight, reduction };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor),
                                           defaulted("weight", parameter_kind::optional_tensor), reduction_option};
};
struct weighted_loss_of_logits {
    enum at : int { self, target, weight, pos_weight, reduction };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("target", parameter_kind::tensor),
                                           defaulted("weight", parameter_kind::optional_tensor),
                                           defaulted("pos_weight", parameter_kind::optional_tensor), reduction_option};
};
} // namespace schemas

/// mse_loss(Tensor self, Tensor target, int reduction=Mean): (x - y)^2
struct mse_loss : detail::pairwise_loss<mse_loss, schemas::loss> {
    static constexpr std::string_view name = "aten.mse_loss.default"sv;
    static constexpr double of(const auto&, double x, double y) { return (x - y) * (x - y); }
};

/// l1_loss(Tensor self, Tensor target, int reduction=Mean): |x - y|
struct l1_loss : detail::pairwise_loss<l1_loss, schemas::loss> {
    static constexpr std::string_view name = "aten.l1_loss.default"sv;
    static constexpr double of(const auto&, double x, double y) { return math::abs(x - y); }
};

/// kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False): y (log y - x), where x is a
/// log-probability; target is y, or log y if log_target. Sizes must be equal
struct kl_div : detail::pairwise_loss<kl_div, schemas::loss_of_logarithms> {
    static constexpr std::string_view name = "aten.kl_div.default"sv;
    static constexpr double of(const auto& c, double x, double y) {
        if (c.boolean(at::log_target)) return math::exp(y) * (y - x);
        return (y == 0 ? 0 : y * math::log(y)) - y * x;
    }
};

/// soft_margin_loss(Tensor self, Tensor target, int reduction=Mean): log(1 + e^(-xy)), where y is 1 or -1
struct soft_margin_loss : detail::pairwise_loss<soft_margin_loss, schemas::loss> {
    static constexpr std::string_view name = "aten.soft_margin_loss.default"sv;
    static constexpr double of(const auto&, double x, double y) { return math::log1p(math::exp(-x * y)); }
};

/// smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0): (x - y)^2 / 2 beta if |x - y| <
/// beta, else |x - y| - beta / 2
struct smooth_l1_loss : detail::pairwise_loss<smooth_l1_loss, schemas::loss_with_beta> {
    static constexpr std::string_view name = "aten.smooth_l1_loss.default"sv;
    static constexpr double of(const auto& c, double x, double y) {
        const double off = math::abs(x - y), beta = c.real(at::beta);
        return off < beta ? off * off / (2 * beta) : off - beta / 2;
    }
};

/// huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0): (x - y)^2 / 2 if |x - y| <= delta, else
/// delta (|x - y| - delta / 2)
struct huber_loss : detail::pairwise_loss<huber_loss, schemas::loss_with_delta> {
    static constexpr std::string_view name = "aten.huber_loss.default"sv;
    static constexpr double of(const auto& c, double x, double y) {
        const double off = math::abs(x - y), delta = c.real(at::delta);
        return off <= delta ? off * off / 2 : delta * (off - delta / 2);
    }
};

/// binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean): -(y log x + (1 - y) log(1
/// - x)), where logarithms are clamped to at least -100; x must be in [0, 1]: else the loss is NaN, while PyTorch
/// throws
struct binary_cross_entropy : detail::pairwise_loss<binary_cross_entropy, schemas::weighted_loss> {
    static constexpr std::string_view name = "aten.binary_cross_entropy.default"sv;
    static constexpr double of(const auto&, double x, double y) {
        const auto bounded = [](double log) { return log < -100 ? -100 : log; };
        return (y - 1) * bounded(math::log1p(-x)) - y * bounded(math::log(x));
    }
};

/// binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int
/// reduction=Mean): binary_cross_entropy of sigmoid(self); pos_weight is the weight of the positive part
struct binary_cross_entropy_with_logits
    : detail::pairwise_loss<binary_cross_entropy_with_logits, schemas::weighted_loss_of_logits> {
    static constexpr std::string_view name = "aten.binary_cross_entropy_with_logits.default"sv;
    static constexpr double of(const auto&, double x, double y, double of_ones) {
        const double below = x < 0 ? -x : 0;
        return (1 - y) * x + ((of_ones - 1) * y + 1) * (math::log1p(math::exp(-math::abs(x))) + below);
    }
};

namespace schemas {
struct poisson_loss {
    enum at : int { input, target, log_input, full, eps, reduction };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),      required("target", parameter_kind::tensor),
        required("log_input", parameter_kind::boolean), required("full", parameter_kind::boolean),
        required("eps", parameter_kind::real),          required("reduction", parameter_kind::integer)};
};
} // namespace schemas

/// poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction): e^x - yx if x is
/// the logarithm of a rate (log_input), else x - y log(x + eps); full adds Stirling's log(y!) for y > 1
struct poisson_nll_loss : detail::pairwise_loss<poisson_nll_loss, schemas::poisson_loss> {
    static constexpr std::string_view name = "aten.poisson_nll_loss.default"sv;
    static constexpr double of(const auto& c, double x, double y) {
        const double loss = c.boolean(at::log_input) ? math::exp(x) - y * x : x - y * math::log(x + c.real(at::eps));
        if (!c.boolean(at::full) || !(y > 1)) return loss;
        return loss + y * math::log(y) - y + 0.5 * math::log(6.283185307179586476925 * y);
    }
};

/// mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction): 2 (x - y) grad, divided by the
/// count for a mean
struct mse_loss_backward {
    static constexpr std::string_view name = "aten.mse_loss_backward.default"sv;
    enum at : int { grad_output, self, target, reduction };
    static constexpr parameter schema[] = {
        required("grad_output", parameter_kind::tensor), required("self", parameter_kind::tensor),
        required("target", parameter_kind::tensor), required("reduction", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!detail::check_loss(c, t, c.tensor(at::target)) || !detail::check_reduction(c, c.integer(at::reduction)))
            return false;
        if (c.tensor(at::grad_output).rank != 0 && sizes_of(c.tensor(at::grad_output)) != sizes_of(t))
            return c.refuse(fault::shapes_do_not_broadcast, print(t), print(c.tensor(at::grad_output)));
        return c.result(tensor_of(t.type, sizes_of(t)));
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto gradient = c.input(at::grad_output, as);
            const auto x = c.input(at::self, as);
            const auto y = c.input(at::target, as);
            const auto out = c.output(0, as);
            const double count = c.template word<loss_reduction>(at::reduction) == loss_reduction::mean
                                     ? static_cast<double>(element_count(x.type()))
                                     : 1;
            for_each_index(sizes_of(x.type()), [&](const int_list& at) {
                const auto g = static_cast<double>(gradient.type().rank == 0 ? gradient[{}] : gradient[at]);
                out.put(at,
                        math::convert<T>(2 * (static_cast<double>(x[at]) - static_cast<double>(y[at])) * g / count));
            });
        });
    }
};

using loss_ops = op_list<poisson_nll_loss, soft_margin_loss, smooth_l1_loss, huber_loss, binary_cross_entropy,
                         binary_cross_entropy_with_logits, mse_loss, l1_loss, kl_div, mse_loss_backward>;

} // namespace ahead::aten
