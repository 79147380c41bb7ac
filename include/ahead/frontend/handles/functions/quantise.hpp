// SPDX-License-Identifier: MIT
// Quantisation on handles: numbers on a grid with step `scale`, whose integers are from Low to High, with `zero` for 0.
//     auto q = quantize_per_tensor<dtype::i8, -128, 127>(x, 0.05, 3);
//     auto y = dequantize_per_tensor<dtype::i8, -128, 127>(q, 0.05, 3);
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// x / scale, rounded to even, plus zero, as integers of the dtype; scale and zero are numbers, or tensors of one
/// element.
template <dtype Type, std::int64_t Low, std::int64_t High, class A>
constexpr auto quantize_per_tensor(const handle<A>& x, double scale, std::int64_t zero,
                                   call_site where = call_site::current()) {
    return call<aten::quantize_per_tensor>(where, x, scale, zero, integer<Low>{}, integer<High>{}, dtype_is<Type>{});
}
template <dtype Type, std::int64_t Low, std::int64_t High, class A, class S, class Z>
constexpr auto quantize_per_tensor(const handle<A>& x, const handle<S>& scale, const handle<Z>& zero,
                                   call_site where = call_site::current()) {
    return call<aten::quantize_per_tensor_tensor>(where, x, scale, zero, integer<Low>{}, integer<High>{},
                                                  dtype_is<Type>{});
}
/// Index k of dim Axis uses scales[k] and zeros[k].
template <dtype Type, std::int64_t Low, std::int64_t High, std::int64_t Axis, class A, class S, class Z>
constexpr auto quantize_per_channel(const handle<A>& x, const handle<S>& scales, const handle<Z>& zeros,
                                    call_site where = call_site::current()) {
    return call<aten::quantize_per_channel>(where, x, scales, zeros, integer<Axis>{}, integer<Low>{}, integer<High>{},
                                            dtype_is<Type>{});
}
/// (q - zero) * scale for integers of the dtype, in f32.
template <dtype Type, std::int64_t Low, std::int64_t High, class A>
constexpr auto dequantize_per_tensor(const handle<A>& q, double scale, std::int64_t zero,
                                     call_site where = call_site::current()) {
    return call<aten::dequantize_per_tensor>(where, q, scale, zero, integer<Low>{}, integer<High>{}, dtype_is<Type>{});
}
template <dtype Type, std::int64_t Low, std::int64_t High, class A, class S, class Z>
constexpr auto dequantize_per_tensor(const handle<A>& q, const handle<S>& scale, const handle<Z>& zero,
                                     call_site where = call_site::current()) {
    return call<aten::dequantize_per_tensor_tensor>(where, q, scale, zero, integer<Low>{}, integer<High>{},
                                                    dtype_is<Type>{});
}
template <dtype Type, std::int64_t Low, std::int64_t High, std::int64_t Axis, class A, class S, class Z>
constexpr auto dequantize_per_channel(const handle<A>& q, const handle<S>& scales, const handle<Z>& zeros,
                                      call_site where = call_site::current()) {
    return call<aten::dequantize_per_channel>(where, q, scales, zeros, integer<Axis>{}, integer<Low>{}, integer<High>{},
                                              dtype_is<Type>{});
}
/// The nearest number on the grid, in x's dtype.
template <std::int64_t Low, std::int64_t High, class A>
constexpr auto fake_quantize_per_tensor(const handle<A>& x, double scale, std::int64_t zero,
                                        call_site where = call_site::current()) {
    return call<aten::fake_quantize_per_tensor>(where, x, scale, zero, integer<Low>{}, integer<High>{});
}
template <std::int64_t Low, std::int64_t High, std::int64_t Axis, class A, class S, class Z>
constexpr auto fake_quantize_per_channel(const handle<A>& x, const handle<S>& scales, const handle<Z>& zeros,
                                         call_site where = call_site::current()) {
    return call<aten::fake_quantize_per_channel>(where, x, scales, zeros, integer<Axis>{}, integer<Low>{},
                                                 integer<High>{});
}

} // namespace ahead::ops
