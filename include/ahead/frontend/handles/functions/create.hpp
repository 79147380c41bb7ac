// SPDX-License-Identifier: MIT
// Functions on handles that create tensors from sizes and numbers, in addition to constant.hpp: ones<2, 3>(x), in f32
// unless stated otherwise. The handle is any tensor of the trace: it identifies the trace. Prepare computes known
// values.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// Ones, zeros, or a number, with these sizes.
template <std::int64_t... Sizes, class A>
constexpr auto ones(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::ones>(beside, where, ints<Sizes...>{});
}
template <std::int64_t... Sizes, class A>
constexpr auto zeros(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::zeros>(beside, where, ints<Sizes...>{});
}
template <std::int64_t... Sizes, class A, frontend::number N>
constexpr auto full(const handle<A>& beside, N value, call_site where = call_site::current()) {
    return call_in<aten::full>(beside, where, ints<Sizes...>{}, value);
}
/// Ones on the diagonal.
template <std::int64_t Rows, std::int64_t Columns = Rows, dtype Type = dtype::f32, class A>
constexpr auto eye(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::eye_m>(beside, where, integer<Rows>{}, integer<Columns>{}, keyword<"dtype", dtype_is<Type>>{});
}
/// From Begin up to, but not including, End; in i64 unless a dtype is given: arange<0, 5>(x).
template <std::int64_t Begin, std::int64_t End, std::int64_t Step = 1, dtype Type = dtype::i64, class A>
constexpr auto arange(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::arange_start_step>(beside, where, integer<Begin>{}, integer<End>{}, integer<Step>{},
                                            keyword<"dtype", dtype_is<Type>>{});
}
/// The given number of values, both ends included; or the powers of 10 with these exponents.
template <std::int64_t Steps, class A>
constexpr auto linspace(const handle<A>& beside, double first, double last, call_site where = call_site::current()) {
    return call_in<aten::linspace>(beside, where, first, last, integer<Steps>{});
}
template <std::int64_t Steps, class A>
constexpr auto logspace(const handle<A>& beside, double first, double last, call_site where = call_site::current()) {
    return call_in<aten::logspace>(beside, where, first, last, integer<Steps>{});
}
/// The rows and columns of the elements up to a diagonal, or from it on, [2, n] in i64.
template <std::int64_t Rows, std::int64_t Columns, std::int64_t Offset = 0, class A>
constexpr auto tril_indices(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::tril_indices>(beside, where, integer<Rows>{}, integer<Columns>{}, integer<Offset>{});
}
template <std::int64_t Rows, std::int64_t Columns, std::int64_t Offset = 0, class A>
constexpr auto triu_indices(const handle<A>& beside, call_site where = call_site::current()) {
    return call_in<aten::triu_indices>(beside, where, integer<Rows>{}, integer<Columns>{}, integer<Offset>{});
}
/// With the dtype, sizes and strides of x.
template <class A> constexpr auto ones_like(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::ones_like>(where, x);
}
template <class A> constexpr auto zeros_like(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::zeros_like>(where, x);
}
template <class A, frontend::number N>
constexpr auto full_like(const handle<A>& x, N value, call_site where = call_site::current()) {
    return call<aten::full_like>(where, x, value);
}
/// With x's dtype and these sizes; elements of new_empty are 0.
template <std::int64_t... Sizes, class A>
constexpr auto new_ones(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::new_ones>(where, x, ints<Sizes...>{});
}
template <std::int64_t... Sizes, class A>
constexpr auto new_zeros(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::new_zeros>(where, x, ints<Sizes...>{});
}
template <std::int64_t... Sizes, class A>
constexpr auto new_empty(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::new_empty>(where, x, ints<Sizes...>{});
}
template <std::int64_t... Sizes, class A, frontend::number N>
constexpr auto new_full(const handle<A>& x, N value, call_site where = call_site::current()) {
    return call<aten::new_full>(where, x, ints<Sizes...>{}, value);
}
/// A number as a tensor of rank 0.
template <dtype Type = dtype::f32, class A, frontend::number N>
constexpr auto scalar_tensor(const handle<A>& beside, N value, call_site where = call_site::current()) {
    return call_in<aten::scalar_tensor>(beside, where, value, keyword<"dtype", dtype_is<Type>>{});
}

} // namespace ahead::ops
