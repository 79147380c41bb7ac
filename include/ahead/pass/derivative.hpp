// SPDX-License-Identifier: MIT
// An operator may define its gradients as an expression of handles,
//     static constexpr auto derivative = [](const auto& self, const auto& result, const auto& gradient) {
//         return gradient * (1 - result * result);
//     };
// a lambda without captures. Its parameters are, in schema order, the call's argument for each parameter (a handle for
// a tensor, a number as it was given), then each result, then the gradient of each result. It returns the gradient of
// each operand: a handle, or a std::tuple with one element per operand; where an operand was broadcast, its gradient
// may have the result's sizes. Operands are the first Op::operands parameters of a pointwise operator, and the tensor
// parameters of other operators.
// Law: the gradients agree with finite differences (tests/unit/aten/derivative.cpp). Source:
// tools/autograd/derivatives.yaml.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class Op>
concept says_derivative = requires { Op::derivative; };

template <class Op> constexpr std::size_t count_operands() {
    if constexpr (is_pointwise<Op>) {
        return static_cast<std::size_t>(Op::operands);
    } else {
        std::size_t count = 0;
        for (const auto& p : Op::schema)
            count += p.kind == parameter_kind::tensor || p.kind == parameter_kind::optional_tensor ||
                     p.kind == parameter_kind::tensor_or_scalar;
        return count;
    }
}

template <class Given> inline constexpr std::size_t gradients_in = std::derived_from<Given, ops::any_handle>;
template <class... Given>
inline constexpr std::size_t gradients_in<std::tuple<Given...>> = (gradients_in<Given> + ... + 0);

/// Whether F takes one handle per index and returns `Gradients` gradients.
template <class F, std::size_t Gradients, std::size_t... Nth>
constexpr bool gives_gradients(std::index_sequence<Nth...>) {
    using anyone = handle<anything>;
    if constexpr (!std::invocable<const F&, decltype((static_cast<void>(Nth), std::declval<const anyone&>()))...>)
        return false;
    else
        return gradients_in<std::invoke_result_t<const F&, decltype((static_cast<void>(Nth),
                                                                     std::declval<const anyone&>()))...>> == Gradients;
}
/// Whether F does so for an operator with 1, 2, ... or most_results results.
template <class Op, class F> constexpr bool gives_gradients() {
    constexpr std::size_t most_results = detail::is_pointwise<Op> ? 1 : 4;
    return []<std::size_t... Results>(std::index_sequence<Results...>) {
        return (gives_gradients<F, count_operands<Op>()>(
                    std::make_index_sequence<std::size(Op::schema) + 2 * (Results + 1)>{}) ||
                ...);
    }(std::make_index_sequence<most_results>{});
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// An operator whose derivative has the form described at the top of this file; checked with handles of any type.
template <class Op>
concept differentiable = ahead::detail::says_derivative<Op> &&
    std::is_empty_v<std::remove_cv_t<decltype(Op::derivative)>> &&
    ahead::detail::gives_gradients<Op, std::remove_cv_t<decltype(Op::derivative)>>();

/// Reports one error that describes the form of a derivative where Op's does not have it.
template <class Op, bool IsOne = false> struct checked_derivative {
    static_assert(IsOne, "a derivative is: static constexpr auto derivative = [](a handle or number for each parameter "
                         "of the schema, each result, the gradient of each result) { return the gradient of each "
                         "operand, a handle or a std::tuple of handles; }, which captures nothing");
};

} // namespace ahead::pass
namespace AHEAD_NAMESPACE::detail {

/// Sums a gradient over the dims along which its operand was broadcast, and gives it the operand's sizes.
template <class Gradient, class Operand>
constexpr auto sum_to(const Gradient& gradient, const Operand& operand, call_site where) {
    if constexpr (!std::derived_from<Operand, ops::any_handle>) return gradient; // the operand is a number
    else if constexpr (sizes_of(Gradient::type()) == sizes_of(Operand::type())) return gradient;
    else {
        static_cast<void>(operand);
        constexpr auto dims = [] {
            int_list out;
            const int more = Gradient::type().rank - Operand::type().rank;
            for (int d = 0; d < Gradient::type().rank; ++d)
                if (d < more || Operand::type().size(d - more) != Gradient::type().size(d)) out.push_back(d);
            return out;
        }();
        return [&]<std::size_t... D, std::size_t... S>(std::index_sequence<D...>, std::index_sequence<S...>) {
            return call<aten::view>(where, call<aten::sum_dims>(where, gradient, ints<dims[static_cast<int>(D)]...>{}),
                                    ints<Operand::type().size(static_cast<int>(S))...>{});
        }(std::make_index_sequence<static_cast<std::size_t>(dims.size)>{},
               std::make_index_sequence<static_cast<std::size_t>(Operand::type().rank)>{});
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// The gradients of the operands of a call of Op; args are the arguments of its derivative. A handle, or a std::tuple
/// with one element per operand, each with its operand's sizes. Recorded at the line `where`.
/// pre: the last argument is a handle
template <differentiable Op, class... Args> constexpr auto gradients_of(call_site where, const Args&... args) {
    const auto all = std::tie(args...);
    recorder& trace = *std::get<sizeof...(Args) - 1>(all).trace;
    const auto first = trace.counted().nodes;
    const auto gradients = Op::derivative(args...);
    trace.stand_at(first, static_cast<std::int32_t>(where.line()));
    if constexpr (std::derived_from<std::remove_const_t<decltype(gradients)>, ops::any_handle>)
        return ahead::detail::sum_to(gradients, std::get<0>(all), where);
    else return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
            return std::tuple{ahead::detail::sum_to(std::get<Nth>(gradients), std::get<Nth>(all), where)...};
        }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(gradients)>>>{});
}

} // namespace ahead::pass

namespace AHEAD_NAMESPACE {
using pass::gradients_of;
} // namespace ahead
