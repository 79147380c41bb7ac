// SPDX-License-Identifier: MIT
// torch_npu's operators as functions on handles, for graphs traced with torch_npu::registry:
//     inline constexpr auto net = trace<torch_npu::registry>([](input<"x", f16<4, 64>> x, param<"g", f16<64>> g) {
//         auto [y, rstd] = npu_rms_norm(x, g);
//         return outputs(npu_swiglu(y));
//     });
// Arguments that determine a shape are template arguments. Other parameters of an operator are passed to call<...> by
// keyword.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <ahead/torch_npu/registry.hpp>

namespace AHEAD_NAMESPACE::ops {

// ---- norms and softmax

/// (x / root * gamma, 1 / root in f32), where root = sqrt(mean of squares over gamma's dims + epsilon)
template <class A, class G>
constexpr auto npu_rms_norm(const handle<A>& x, const handle<G>& gamma, double epsilon = 1e-6,
                            call_site where = call_site::current()) {
    return call<torch_npu::npu_rms_norm>(where, x, gamma, epsilon);
}
/// The same with 1 + gamma.
template <class A, class G>
constexpr auto npu_gemma_rms_norm(const handle<A>& x, const handle<G>& gamma, double epsilon = 1e-6,
                                  call_site where = call_site::current()) {
    return call<torch_npu::npu_gemma_rms_norm>(where, x, gamma, epsilon);
}
/// (y, rstd, x1 + x2): npu_rms_norm of the sum
template <class A, class B, class G>
constexpr auto npu_add_rms_norm(const handle<A>& x1, const handle<B>& x2, const handle<G>& gamma, double epsilon = 1e-6,
                                call_site where = call_site::current()) {
    return call<torch_npu::npu_add_rms_norm>(where, x1, x2, gamma, epsilon);
}
/// The softmax of x * scale, with -10000 where mask, b8, is True.
template <class A, class M>
constexpr auto npu_scaled_masked_softmax(const handle<A>& x, const handle<M>& mask, double scale = 1,
                                         call_site where = call_site::current()) {
    return call<torch_npu::npu_scaled_masked_softmax>(where, x, mask, scale);
}

// ---- activations

template <class A> constexpr auto npu_fast_gelu(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_fast_gelu>(where, x);
}
template <class A> constexpr auto npu_silu(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_silu>(where, x);
}
template <class A> constexpr auto npu_mish(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_mish>(where, x);
}
/// Computed by erf, or by tanh: npu_gelu(x, word<"tanh">{}).
template <class A> constexpr auto npu_gelu(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_gelu>(where, x);
}
template <class A, class W>
constexpr auto npu_gelu(const handle<A>& x, const W& approximate, call_site where = call_site::current()) {
    return call<torch_npu::npu_gelu>(where, x, approximate);
}
/// silu(a) * b, where a and b are the halves along Dim.
template <std::int64_t Dim = -1, class A>
constexpr auto npu_swiglu(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_swiglu>(where, x, integer<Dim>{});
}
/// (a * gelu(b), gelu(b)), where a and b are the halves along Dim; gelu by tanh, or by erf if Approximate is 0.
template <std::int64_t Dim = -1, std::int64_t Approximate = 1, class A>
constexpr auto npu_geglu(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_geglu>(where, x, integer<Dim>{}, integer<Approximate>{});
}

// ---- positions and attention

/// x * r1 + rotated(x) * r2; rotates halves, or pairs: npu_rotary_mul(x, r1, r2, word<"interleave">{}).
template <class A, class C, class S>
constexpr auto npu_rotary_mul(const handle<A>& x, const handle<C>& r1, const handle<S>& r2,
                              call_site where = call_site::current()) {
    return call<torch_npu::npu_rotary_mul>(where, x, r1, r2);
}
template <class A, class C, class S, class W>
constexpr auto npu_rotary_mul(const handle<A>& x, const handle<C>& r1, const handle<S>& r2, const W& mode,
                              call_site where = call_site::current()) {
    return call<torch_npu::npu_rotary_mul>(where, x, r1, r2, mode);
}
template <class A, class C, class S>
constexpr auto npu_interleave_rope(const handle<A>& x, const handle<C>& cos, const handle<S>& sin,
                                   call_site where = call_site::current()) {
    return call<torch_npu::npu_interleave_rope>(where, x, cos, sin);
}
/// (query, key), both rotated by halves.
template <class Q, class K, class C, class S>
constexpr auto npu_apply_rotary_pos_emb(const handle<Q>& query, const handle<K>& key, const handle<C>& cos,
                                        const handle<S>& sin, call_site where = call_site::current()) {
    return call<torch_npu::npu_apply_rotary_pos_emb>(where, query, key, cos, sin);
}
/// (attention_out, an empty tensor): Heads query heads, KeyHeads key and value heads (0: same as Heads); Layout "BSH",
/// "BNSD", "BSND" or "BNSD_BSND". A mask hides where it is True.
template <std::int64_t Heads, std::int64_t KeyHeads = 0, core::fixed_string Layout = "BSH", class Q, class K, class V>
constexpr auto npu_fused_infer_attention_score(const handle<Q>& query, const handle<K>& key, const handle<V>& value,
                                               double scale = 1, call_site where = call_site::current()) {
    return call<torch_npu::npu_fused_infer_attention_score>(
        where, query, key, value, keyword<"num_heads", integer<Heads>>{}, keyword<"scale", double>{scale},
        keyword<"input_layout", word<Layout>>{}, keyword<"num_key_value_heads", integer<KeyHeads>>{});
}
template <std::int64_t Heads, std::int64_t KeyHeads = 0, core::fixed_string Layout = "BSH", class Q, class K, class V,
          class M>
constexpr auto npu_fused_infer_attention_score(const handle<Q>& query, const handle<K>& key, const handle<V>& value,
                                               const handle<M>& mask, double scale = 1,
                                               call_site where = call_site::current()) {
    return call<torch_npu::npu_fused_infer_attention_score>(
        where, query, key, value, mask, keyword<"num_heads", integer<Heads>>{}, keyword<"scale", double>{scale},
        keyword<"input_layout", word<Layout>>{}, keyword<"num_key_value_heads", integer<KeyHeads>>{});
}

// ---- quantisation

/// (i8, f32 scales per row)
template <class A> constexpr auto npu_dynamic_quant(const handle<A>& x, call_site where = call_site::current()) {
    return call<torch_npu::npu_dynamic_quant>(where, x);
}
/// i8 by i8; the result is f16, scaled by columns and rows.
template <class A, class B, class S, class P>
constexpr auto npu_quant_matmul(const handle<A>& x1, const handle<B>& x2, const handle<S>& scale,
                                const handle<P>& pertoken_scale, call_site where = call_site::current()) {
    return call<torch_npu::npu_quant_matmul>(where, x1, x2, scale, none{}, pertoken_scale, none{}, integer<5>{});
}

} // namespace ahead::ops
