// SPDX-License-Identifier: MIT
// Layers of BERT-base and of GPT-2 small, and attention by itself.
#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

/// Part I of the projections [Tokens, 3 * 768], as [1, 12, Tokens, 64].
template <int Tokens, int I, class A> constexpr auto heads(const A& qkv) {
    return permute<0, 2, 1, 3>(view<1, Tokens, 12, 64>(slice<1, I * 768, I * 768 + 768>(qkv)));
}
template <int Tokens, class Q, class K, class V> constexpr auto attend(const Q& q, const K& k, const V& v) {
    return reshape<Tokens, 768>(permute<0, 2, 1, 3>(scaled_dot_product_attention(q, k, v)));
}

template <fixed_string Name, std::int64_t... Sizes> using weight = param<Name, f32<Sizes...>>;

// The norms come after what they are of.
inline constexpr auto encoder =
    trace([](input<"x", f32<128, 768>> x, weight<"qkv.weight", 2304, 768> qkv, weight<"qkv.bias", 2304> qkv_bias,
             weight<"proj.weight", 768, 768> proj, weight<"proj.bias", 768> proj_bias,
             weight<"norm1.weight", 768> norm1, weight<"norm1.bias", 768> norm1_bias, weight<"up.weight", 3072, 768> up,
             weight<"up.bias", 3072> up_bias, weight<"down.weight", 768, 3072> down, weight<"down.bias", 768> down_bias,
             weight<"norm2.weight", 768> norm2, weight<"norm2.bias", 768> norm2_bias) {
        auto all = linear(x, qkv, qkv_bias);
        auto seen = attend<128>(heads<128, 0>(all), heads<128, 1>(all), heads<128, 2>(all));
        auto h = layer_norm<768>(add(x, linear(seen, proj, proj_bias)), norm1, norm1_bias);
        return outputs(
            layer_norm<768>(add(h, linear(gelu(linear(h, up, up_bias)), down, down_bias)), norm2, norm2_bias));
    });

// The norms come first. k and v are what is cached; what the token adds to them is put out for its caller to keep.
template <int Positions>
inline constexpr auto decode = trace(
    [](input<"x", f32<1, 768>> x, input<"k", f32<1, 12, Positions, 64>> k, input<"v", f32<1, 12, Positions, 64>> v,
       weight<"qkv.weight", 2304, 768> qkv, weight<"qkv.bias", 2304> qkv_bias, weight<"proj.weight", 768, 768> proj,
       weight<"proj.bias", 768> proj_bias, weight<"norm1.weight", 768> norm1, weight<"norm1.bias", 768> norm1_bias,
       weight<"up.weight", 3072, 768> up, weight<"up.bias", 3072> up_bias, weight<"down.weight", 768, 3072> down,
       weight<"down.bias", 768> down_bias, weight<"norm2.weight", 768> norm2, weight<"norm2.bias", 768> norm2_bias) {
        auto all = linear(layer_norm<768>(x, norm1, norm1_bias), qkv, qkv_bias);
        auto h = add(x, linear(attend<1>(heads<1, 0>(all), k, v), proj, proj_bias));
        auto y = add(h, linear(gelu(linear(layer_norm<768>(h, norm2, norm2_bias), up, up_bias)), down, down_bias));
        return outputs(y, slice<1, 768>(all));
    });

inline constexpr auto attention =
    trace([](input<"q", f32<1, 8, 512, 64>> q, input<"k", f32<1, 8, 512, 64>> k, input<"v", f32<1, 8, 512, 64>> v) {
        return outputs(scaled_dot_product_attention(q, k, v));
    });

[[maybe_unused]] const bool added[] = {
    bench::add_ahead<encoder>("encoder"),          bench::add_ahead<decode<1>>("decode_1"),
    bench::add_ahead<decode<128>>("decode_128"),   bench::add_ahead<decode<512>>("decode_512"),
    bench::add_ahead<decode<2048>>("decode_2048"), bench::add_ahead<attention>("attention"),
};

} // namespace
