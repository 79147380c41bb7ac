// SPDX-License-Identifier: MIT
// Normalisations on handles, and their gradients. Floating point only; results have the dtype of x. A weight or bias
// may be none{}.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The size of a dim, or the product of all sizes from it on; 0 if the tensor has no such dim, or is unknown.
template <class A> constexpr std::int64_t size_of(int dim) {
    if constexpr (!std::same_as<A, unknown>)
        if (dim < A::type.rank) return A::type.size(dim);
    return 0;
}
template <class A> constexpr std::int64_t sizes_from(int dim) {
    std::int64_t count = 1;
    if constexpr (!std::same_as<A, unknown>)
        for (int d = dim; d < A::type.rank; ++d) count *= A::type.size(d);
    return count;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// (x - mean) / std * weight + bias over the last dims, which are Sizes; with mean and 1/std, whose last dims are 1:
/// auto [y, mean, rstd] = native_layer_norm<8>(x, weight, bias).
template <std::int64_t... Sizes, class A, class W, class B>
constexpr auto native_layer_norm(const handle<A>& x, const W& weight, const B& bias, double eps = 1e-5,
                                 call_site where = call_site::current()) {
    return call<aten::native_layer_norm>(where, x, ints<Sizes...>{}, weight, bias, eps);
}
/// The gradients of x, weight and bias, from the gradient of y; an empty tensor for a missing weight or bias.
template <std::int64_t... Sizes, class G, class A, class M, class R, class W, class B>
constexpr auto native_layer_norm_backward(const handle<G>& gradient, const handle<A>& x, const handle<M>& mean,
                                          const handle<R>& rstd, const W& weight, const B& bias,
                                          call_site where = call_site::current()) {
    return call<aten::native_layer_norm_backward>(where, gradient, x, ints<Sizes...>{}, mean, rstd, weight, bias,
                                                  flags<true, true, true>{});
}
/// The same over each of Groups groups of channels of [N, C, ..]; mean and 1/std are [N, Groups].
template <std::int64_t Groups, class A, class W, class B>
constexpr auto native_group_norm(const handle<A>& x, const W& weight, const B& bias, double eps = 1e-5,
                                 call_site where = call_site::current()) {
    return call<aten::native_group_norm>(where, x, weight, bias, integer<detail::size_of<A>(0)>{},
                                         integer<detail::size_of<A>(1)>{}, integer<detail::sizes_from<A>(2)>{},
                                         integer<Groups>{}, eps);
}
/// The gradients of x, weight and bias, the last two [C].
template <std::int64_t Groups, class G, class A, class M, class R, class W>
constexpr auto native_group_norm_backward(const handle<G>& gradient, const handle<A>& x, const handle<M>& mean,
                                          const handle<R>& rstd, const W& weight,
                                          call_site where = call_site::current()) {
    return call<aten::native_group_norm_backward>(
        where, gradient, x, mean, rstd, weight, integer<detail::size_of<A>(0)>{}, integer<detail::size_of<A>(1)>{},
        integer<detail::sizes_from<A>(2)>{}, integer<Groups>{}, flags<true, true, true>{});
}
/// Each channel of [N, C, ..] normalised by the batch's moments: (y, mean, 1/std), the last two [C].
template <class A, class W, class B>
constexpr auto batch_norm(const handle<A>& x, const W& weight, const B& bias, double eps = 1e-5,
                          call_site where = call_site::current()) {
    return call<aten::native_batch_norm_no_stats>(where, x, weight, bias, flag<true>{}, 0.1, eps);
}
/// Each channel of each element of [N, C, ..] normalised by its moments.
template <class A, class W, class B>
constexpr auto instance_norm(const handle<A>& x, const W& weight, const B& bias, double eps = 1e-5,
                             call_site where = call_site::current()) {
    return call<aten::instance_norm>(where, x, weight, bias, none{}, none{}, flag<true>{}, 0.1, eps, flag<false>{});
}
/// Normalised by running statistics of [C].
template <class A, class W, class B, class M, class V>
constexpr auto batch_norm(const handle<A>& x, const W& weight, const B& bias, const handle<M>& running_mean,
                          const handle<V>& running_var, double eps = 1e-5, call_site where = call_site::current()) {
    return frontend::call_result<0, aten::native_batch_norm_legit>(where, x, weight, bias, running_mean, running_var,
                                                                   flag<false>{}, 0.1, eps);
}

/// Only y of native_layer_norm; weight and bias may be none{}.
template <std::int64_t... Sizes, class A, class W, class B>
constexpr auto layer_norm(const handle<A>& x, const W& weight, const B& bias, double eps = 1e-5,
                          call_site where = call_site::current()) {
    return call<aten::layer_norm>(where, x, ints<Sizes...>{}, weight, bias, eps);
}
/// Only y of native_group_norm.
template <std::int64_t Groups, class A, class W, class B>
constexpr auto group_norm(const handle<A>& x, const W& weight, const B& bias, double eps = 1e-5,
                          call_site where = call_site::current()) {
    return call<aten::group_norm>(where, x, integer<Groups>{}, weight, bias, eps);
}
/// x over the root of the mean of x^2 over the last dims, times a weight or none{}.
template <std::int64_t... Sizes, class A, class W>
constexpr auto rms_norm(const handle<A>& x, const W& weight, double eps = 1e-6,
                        call_site where = call_site::current()) {
    return call<aten::rms_norm>(where, x, ints<Sizes...>{}, weight, eps);
}

} // namespace ahead::ops
