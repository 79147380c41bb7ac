// SPDX-License-Identifier: MIT
// Losses on handles, a distance of x from y: the mean over all elements, or By: none, sum. Operands have one
// floating-point dtype; classes are i64.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// (x - y)^2.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto mse_loss(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::mse_loss>(where, x, y, integer<static_cast<std::int64_t>(By)>{});
}
/// |x - y|.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto l1_loss(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::l1_loss>(where, x, y, integer<static_cast<std::int64_t>(By)>{});
}
/// (x - y)^2 / 2 beta where |x - y| is below beta, else |x - y| - beta / 2.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto smooth_l1_loss(const handle<A>& x, const handle<B>& y, double beta = 1,
                              call_site where = call_site::current()) {
    return call<aten::smooth_l1_loss>(where, x, y, integer<static_cast<std::int64_t>(By)>{}, beta);
}
/// (x - y)^2 / 2 where |x - y| is at most delta, else delta (|x - y| - delta / 2).
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto huber_loss(const handle<A>& x, const handle<B>& y, double delta = 1,
                          call_site where = call_site::current()) {
    return call<aten::huber_loss>(where, x, y, integer<static_cast<std::int64_t>(By)>{}, delta);
}
/// -(y log x + (1 - y) log(1 - x)), x from 0 to 1; also for sigmoid(x).
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto binary_cross_entropy(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::binary_cross_entropy>(where, x, y, none{}, integer<static_cast<std::int64_t>(By)>{});
}
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto binary_cross_entropy_with_logits(const handle<A>& x, const handle<B>& y,
                                                call_site where = call_site::current()) {
    return call<aten::binary_cross_entropy_with_logits>(where, x, y, none{}, none{},
                                                        integer<static_cast<std::int64_t>(By)>{});
}
/// log(1 + e^(-x y)), where y is 1 or -1.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto soft_margin_loss(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::soft_margin_loss>(where, x, y, integer<static_cast<std::int64_t>(By)>{});
}
/// e^x - y x, where x is the logarithm of a rate.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto poisson_nll_loss(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::poisson_nll_loss>(where, x, y, flag<true>{}, flag<false>{}, 1e-8,
                                        integer<static_cast<std::int64_t>(By)>{});
}
/// -x[class] for log-probabilities [N, C, ..] and classes [N, ..]; also for log_softmax(x), where classes may be
/// probabilities, too.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto nll_loss(const handle<A>& x, const handle<B>& classes, call_site where = call_site::current()) {
    return call<aten::nll_loss_nd>(where, x, classes, none{}, integer<static_cast<std::int64_t>(By)>{});
}
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto cross_entropy(const handle<A>& x, const handle<B>& classes, call_site where = call_site::current()) {
    return call<aten::cross_entropy_loss>(where, x, classes, none{}, integer<static_cast<std::int64_t>(By)>{});
}
/// The mean over other classes of max(0, margin - x[class] + x[other]).
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto multi_margin_loss(const handle<A>& x, const handle<B>& classes, double margin = 1,
                                 call_site where = call_site::current()) {
    return call<aten::multi_margin_loss>(where, x, classes, integer<1>{}, margin, none{},
                                         integer<static_cast<std::int64_t>(By)>{});
}

} // namespace ahead::ops
