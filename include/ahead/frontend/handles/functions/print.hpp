// SPDX-License-Identifier: MIT
// print<"sum {} of {}">(a, b): prints tensors while a program runs, in order with the other calls. Each {} is replaced
// by one tensor.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// Of dims longer than 2 * Summarize only the first and last Summarize elements are shown; -1 shows all. With
/// TensorDetail dtype and shape follow the elements: tensor([1 2], dtype=torch.float32, shape=[2]). Errors:
/// argument_is_missing if the numbers of tensors and of {} differ; summarize_size_is_invalid.
template <core::fixed_string Format, std::int64_t Summarize = 3, bool TensorDetail = false, class A>
constexpr void print(const handle<A>& a, call_site where = call_site::current()) {
    static_cast<void>(call<air::print>(where, tensors<A>(a), word<Format>{}, word<"{}">{}, integer<Summarize>{},
                                       flag<TensorDetail>{}));
}
template <core::fixed_string Format, std::int64_t Summarize = 3, bool TensorDetail = false, class A, class B>
constexpr void print(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    static_cast<void>(call<air::print>(where, tensors<A, B>(a, b), word<Format>{}, word<"{}">{}, integer<Summarize>{},
                                       flag<TensorDetail>{}));
}
template <core::fixed_string Format, std::int64_t Summarize = 3, bool TensorDetail = false, class A, class B, class C>
constexpr void print(const handle<A>& a, const handle<B>& b, const handle<C>& c,
                     call_site where = call_site::current()) {
    static_cast<void>(call<air::print>(where, tensors<A, B, C>(a, b, c), word<Format>{}, word<"{}">{},
                                       integer<Summarize>{}, flag<TensorDetail>{}));
}

} // namespace ahead::ops
