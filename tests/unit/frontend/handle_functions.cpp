// Functions on handles: each records the operator that its name says, with the arguments that its template arguments are. One trace a family; what it records,
// as the listing of the graph says, and some types.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>

#include <string>

using namespace ahead;
using namespace test;

namespace {

// The operators in order, by name and overload, without getitems.
std::string listing(graph_view g) {
    std::string out;
    for (node_id n : g)
        if (g[n].kind == node_kind::call && g[n].target != "operator.getitem") out += std::string(g[n].target.substr(g[n].target.find('.') + 1)) + " ";
    for (auto at = out.find(".default"); at != out.npos; at = out.find(".default")) out.erase(at, 8);
    return out;
}

inline constexpr auto pointwise = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y, input<"i", i64<3>> i) {
    return outputs(softplus(x), celu(x, 0.5), rrelu(x), threshold(x, 0.1, 2), fmax(x, y), fmin(x, y), hypot(x, y), copysign(x, y), heaviside(x, y), xlogy(x, y),
                   logaddexp(x, y), logaddexp2(x, y), igammac(x, y), fma(x, y, x), addcmul(x, x, y), addcdiv(x, x, y, 0.5), lerp(x, y, x), lerp(x, y, 0.5), angle(x),
                   nan_to_num(x), mvlgamma<2>(x), bitwise_left_shift(i, i), bitwise_right_shift(i, i));
});

inline constexpr auto scans = trace([](input<"x", f32<2, 3>> x, input<"y", f32<3>> y) {
    const auto [v, m] = var_mean<1>(x);
    const auto [s, n] = std_mean<1>(x, 0);
    const auto [largest, where_largest] = max<1>(x);
    const auto [smallest, where_smallest] = min<1>(x);
    const auto [high, at_high] = cummax<0>(x);
    const auto [low, at_low] = cummin<0>(x);
    const auto [often, at_often] = most_frequent(x);
    const auto [second, at_second] = kthvalue<2>(x);
    const auto [two, at_two] = topk<2>(x);
    const auto [sorted, from] = sort<-1, true>(x);
    return outputs(any_true<0, 1>(x), any_true(x), all_true<1>(x), all_true(x), var<1>(x), standard_deviation<0, 1>(x), v, m, s, n, largest, where_largest, max(x),
                   smallest, where_smallest, min(x), prod<0>(x), prod(x), argmin<1>(x), cumprod<1>(x), high, at_high, low, at_low, logsumexp<1>(x), norm<1>(x), norm(x, 1),
                   nansum<0>(x), count_nonzero<1>(x), count_nonzero(x), diagonal_sum(x), trapezoid(x, 0.5), trapezoid(x, y), renorm<0>(x, 1), cosine_similarity<1>(x, x),
                   often, at_often, second, at_second, two, at_two, sorted, from, argsort<0>(x));
});
static_assert(std::same_as<typed<scans>::node<"logsumexp">::result<>, f32<2>> && std::same_as<typed<scans>::node<"argsort">::result<>, i64<2, 3>>);

inline constexpr auto gathers = trace([](input<"x", f32<4, 3>> x, input<"i", i64<2, 3>> i, input<"j", i64<2>> j, input<"s", f32<2, 3>> s, input<"r", f32<5>> r) {
    return outputs(gather<0>(x, i), index_select<0>(x, j), take(x, i), index(x, tensors(j, j)), index_put<true>(x, tensors(j), s), index_add<0>(x, j, s), index_copy<0>(x, j, s),
                   index_reduce<0, "amax">(x, j, s), put(x, i, s), scatter<0>(x, i, s), scatter<0>(x, i, 2.5), scatter_add<0>(x, i, s), scatter_reduce<0, "mean">(x, i, s),
                   searchsorted(r, x), searchsorted<true>(r, 2.0), repeat_interleave<3, 1>(x));
});
static_assert(std::same_as<typed<gathers>::node<"index">::result<>, f32<2>> && std::same_as<typed<gathers>::node<"repeat_interleave">::result<>, f32<4, 9>>);

inline constexpr auto rearranged = trace([](input<"x", f32<2, 3>> x, input<"y", f32<3>> y, input<"p", f32<1, 4, 2, 2>> p, input<"s", f32<2, 2>> s) {
    const auto [a, b] = tensor_split<2, 1>(x);
    const auto [g, h] = meshgrid(tensors(y, y));
    return outputs(repeat<2, 1, 2>(x), tile<2>(x), flip<0, 1>(x), roll<1, 0>(x), rot90(x), tril(x), triu<1>(x), diag(y), diag_embed(x), diagonal(x), movedim<0, 1>(x), ravel(x),
                   unflatten<1, 3, 1>(x), narrow<1, 1, 2>(x), unfold<1, 2, 1>(x), expand_as(y, x), broadcast_to<2, 3>(y), a, b, g, h, hstack(tensors(x, x)), vstack(tensors(x, x)),
                   dstack(tensors(x, x)), block_diag(tensors(x, x)), pixel_shuffle<2>(p), pixel_unshuffle<2>(p), channel_shuffle<2>(p), slice_scatter<1, 0, 2>(x, s),
                   select_scatter<0, 1>(x, y), diagonal_scatter(s, narrow<0, 0, 2>(y)));
});
static_assert(std::same_as<typed<rearranged>::node<"block_diag">::result<>, f32<4, 6>> && std::same_as<typed<rearranged>::node<"pixel_shuffle">::result<>, f32<1, 1, 4, 4>>);

inline constexpr auto created = trace([](input<"x", f32<2, 3>> x) {
    return outputs(ones<2, 3>(x), zeros<4>(x), full<2>(x, 1.5), eye<3>(x), eye<2, 3, dtype::i64>(x), arange<0, 5>(x), arange<0, 10, 3, dtype::f32>(x), linspace<5>(x, 0, 1),
                   logspace<3>(x, 0, 2), tril_indices<3, 3>(x), triu_indices<2, 4>(x), ones_like(x), zeros_like(x), full_like(x, 7));
});
static_assert(std::same_as<typed<created>::node<"eye_1">::result<>, i64<2, 3>> && std::same_as<typed<created>::node<"arange">::result<>, i64<5>>);

inline constexpr auto products = trace([](input<"a", f32<2, 3>> a, input<"b", f32<3>> b, input<"c", f32<2>> c, input<"w", f32<4, 3, 3>> w, input<"q", f32<5, 2, 3>> q,
                                          input<"k", f32<5, 3, 4>> k, input<"z", f32<2, 4>> z, input<"h", f32<1, 2, 6>> h, input<"u", f32<6, 3>> u, input<"v", f32<6, 6>> v) {
    const auto [left, values, right] = svd<true>(a);
    const auto [y, hidden] = rnn_tanh<1>(q, h, tensors(u, v));
    const auto [y2, hidden2] = rnn_relu<1>(q, h, tensors(u, v));
    return outputs(mv(a, b), dot(b, b), inner(a, b), tensordot<ints<1>, ints<0>>(a, b), bilinear(a, a, w, none{}), baddbmm(z, q, k), addbmm(z, q, k), addmv(c, a, b), left, values,
                   right, y, hidden, y2, hidden2);
});
static_assert(std::same_as<typed<products>::node<"bilinear">::result<>, f32<2, 4>>);

inline constexpr auto losses = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y, input<"t", i64<2>> t, input<"w", f32<3>> w) {
    return outputs(mse_loss(x, y), l1_loss<aten::loss_reduction::none>(x, y), smooth_l1_loss(x, y, 2), huber_loss(x, y), binary_cross_entropy(x, y),
                   binary_cross_entropy_with_logits(x, y), soft_margin_loss(x, y), poisson_nll_loss(x, y), nll_loss(x, t), cross_entropy<aten::loss_reduction::sum>(x, t),
                   multi_margin_loss(x, t), layer_norm<3>(x, w, w), group_norm<3>(x, none{}, none{}), rms_norm<3>(x, w));
});
static_assert(std::same_as<typed<losses>::node<"l1_loss">::result<>, f32<2, 3>> && std::same_as<typed<losses>::node<"cross_entropy_loss">::result<>, f32<>>);

inline constexpr auto resized = trace([](input<"l", f32<1, 2, 6>> l, input<"x", f32<1, 2, 4, 4>> x, input<"v", f32<1, 2, 3, 4, 4>> v, input<"i", i64<1, 2, 3, 4, 4>> i) {
    return outputs(resize<"nearest", 8>(l), resize<"nearest-exact", 8, 8>(x), resize<"linear", 9>(l), resize<"linear", 8, 8>(x), resize<"linear", 2, 8, 8>(v),
                   resize<"bicubic", 3, 3>(x), resize<"antialiased", 2, 2>(x), resize<"antialiased bicubic", 2, 2>(x), avg_pool1d<kernel<2>>(l), avg_pool3d<kernel<1, 2, 2>>(v),
                   max_pool1d<kernel<3>, stride<1>, padding<1>>(l), max_unpool3d<6, 8, 8>(v, i), reflection_pad3d<1, 1, 1, 1, 1, 1>(v), replication_pad<1, 2>(l),
                   replication_pad<1, 2, 0, 1>(x), replication_pad<1, 2, 0, 1, 1, 1>(v));
});
static_assert(std::same_as<typed<resized>::node<"_upsample_bilinear2d_aa">::result<>, f32<1, 2, 2, 2>>);

inline constexpr auto quantised = trace([](input<"x", f32<2, 3>> x, input<"q", i8<2, 3>> q, input<"s", f32<1>> s, input<"z", i64<1>> z, input<"c", f32<3>> c, input<"k", i64<3>> k,
                                           input<"r", i8<3, 2>> r) {
    return outputs(quantize_per_tensor<dtype::i8, -128, 127>(x, 0.1, 3), quantize_per_tensor<dtype::u8, 0, 255>(x, s, z), quantize_per_channel<dtype::i8, -8, 7, 1>(x, c, k),
                   dequantize_per_tensor<dtype::i8, -128, 127>(q, 0.1, 3), dequantize_per_tensor<dtype::i8, -128, 127>(q, s, z),
                   dequantize_per_channel<dtype::i8, -128, 127, 1>(q, c, k), fake_quantize_per_tensor<0, 15>(x, 0.1, 3), fake_quantize_per_channel<0, 15, -1>(x, c, k), int_mm(q, r));
});
static_assert(std::same_as<typed<quantised>::node<"quantize_per_tensor">::result<>, i8<2, 3>> && std::same_as<typed<quantised>::node<"quantize_per_tensor_1">::result<>, u8<2, 3>> &&
              std::same_as<typed<quantised>::node<"quantize_per_channel">::result<>, i8<2, 3>> && std::same_as<typed<quantised>::node<"dequantize_per_channel">::result<>, f32<2, 3>> &&
              std::same_as<typed<quantised>::node<"_int_mm">::result<>, i32<2, 2>>);
static_assert(typed<quantised>::node<"quantize_per_channel">::attribute<"axis"> == 1 && typed<quantised>::node<"quantize_per_channel">::attribute<"quant_min"> == -8 &&
              typed<quantised>::node<"fake_quantize_per_tensor_affine">::attribute<"quant_max"> == 15 &&
              typed<quantised>::node<"fake_quantize_per_channel_affine">::attribute<"axis"> == -1);

inline constexpr auto more = trace([](input<"x", f32<2, 3>> x, input<"y", f32<3, 3>> y, input<"s", f32<2, 2>> s, input<"k", i64<3>> k) {
    const auto [a, b] = unsafe_split<1>(x);
    const auto [inverse, info] = linalg_inv_ex(y);
    return outputs(a, b, inverse, info, as_strided<ints<2, 2>, ints<1, 2>, 1>(x), as_strided_scatter<ints<2, 2>, ints<3, 1>>(x, s), new_zeros<2, 5>(k), new_ones<4>(x), new_full<3>(k, 7),
                   new_empty<2>(x), scalar_tensor(x, 2.5), scalar_tensor<dtype::i64>(x, 3), frobenius_norm<0, 1>(x), linalg_norm(x), linalg_norm<1>(x), linalg_norm<1>(x, 1),
                   linalg_inv(y), repeat_interleave<7, 1>(x, k), multinomial<2>(x), multinomial<5, true>(x));
});
static_assert(std::same_as<typed<more>::node<"new_zeros">::result<>, i64<2, 5>> && std::same_as<typed<more>::node<"new_full">::result<>, i64<3>> &&
              std::same_as<typed<more>::node<"scalar_tensor">::result<>, f32<>> && std::same_as<typed<more>::node<"scalar_tensor_1">::result<>, i64<>> &&
              std::same_as<typed<more>::node<"frobenius_norm">::result<>, f32<>> && std::same_as<typed<more>::node<"linalg_norm">::result<>, f32<>> &&
              std::same_as<typed<more>::node<"linalg_norm_2">::result<>, f32<2>> && std::same_as<typed<more>::node<"repeat_interleave">::result<>, f32<2, 7>> &&
              std::same_as<typed<more>::node<"multinomial_1">::result<>, i64<2, 5>>);
static_assert(typed<more>::node<"as_strided">::attribute<"stride">[1] == 2 && typed<more>::node<"as_strided">::attribute<"storage_offset"> == 1);

inline constexpr auto attention = trace([](input<"x", f32<2, 3, 8>> x, param<"w", f32<24, 8>> w, param<"b", f32<24>> b, param<"p", f32<8, 8>> p, param<"c", f32<8>> c) {
    const auto [y, weights] = native_multi_head_attention<8, 2>(x, x, x, w, b, p, c);
    return outputs(y, weights);
});
static_assert(typed<attention>::node<"_native_multi_head_attention">::attribute<"num_head"> == 2);

inline constexpr auto transforms = trace([](input<"x", f32<2, 4, 6>> x, input<"c", c64<2, 3>> c, input<"s", f32<2, 20>> s, input<"w", f32<4>> w) {
    return outputs(fft_fft(c), fft_ifft<5, 0, word<"ortho">>(c), fft_rfft<8>(x), fft_irfft(c), fft_hfft(c), fft_ihfft(x), fft_fft2(c), fft_ifft2<ints<0, 1>>(c), fft_rfft2(x), fft_irfft2(c),
                   fft_fftn(c), fft_ifftn<none, ints<3, 3>, word<"forward">>(c), fft_rfftn<ints<0, 1>>(x), fft_irfftn(c), fft_fftfreq<5>(x), fft_rfftfreq<6>(x, 0.5), fft_fftshift(x),
                   fft_ifftshift<ints<1>>(c), stft<8, 3>(s), stft<8, 0, 4, false, true>(s, w));
});
static_assert(std::same_as<typed<transforms>::node<"fft_ifft">::result<>, c64<5, 3>> && std::same_as<typed<transforms>::node<"fft_rfft">::result<>, c64<2, 4, 5>> &&
              std::same_as<typed<transforms>::node<"fft_irfft">::result<>, f32<2, 4>> && std::same_as<typed<transforms>::node<"fft_ifftn">::result<>, c64<3, 3>> &&
              std::same_as<typed<transforms>::node<"fft_rfftn">::result<>, c64<2, 3, 6>> && std::same_as<typed<transforms>::node<"fft_rfftfreq">::result<>, f32<4>>);
static_assert(typed<transforms>::node<"stft_1">::attribute<"win_length"> == 4 && !typed<transforms>::node<"stft_1">::attribute<"onesided">);

} // namespace

int main() {
    check_equal(listing(decltype(quantised)::view()),
                "quantize_per_tensor quantize_per_tensor.tensor quantize_per_channel dequantize_per_tensor dequantize_per_tensor.tensor dequantize_per_channel "
                "fake_quantize_per_tensor_affine fake_quantize_per_channel_affine _int_mm ");
    check_equal(listing(decltype(more)::view()),
                "unsafe_split.Tensor linalg_inv_ex as_strided as_strided_scatter new_zeros new_ones new_full new_empty scalar_tensor scalar_tensor frobenius_norm.dim linalg_norm "
                "linalg_norm linalg_norm linalg_inv repeat_interleave.self_Tensor multinomial multinomial ");
    check_equal(listing(decltype(transforms)::view()),
                "fft_fft fft_ifft fft_rfft fft_irfft fft_hfft fft_ihfft fft_fft2 fft_ifft2 fft_rfft2 fft_irfft2 fft_fftn fft_ifftn fft_rfftn fft_irfftn fft_fftfreq fft_rfftfreq "
                "fft_fftshift fft_ifftshift stft stft ");
    check_equal(listing(decltype(pointwise)::view()),
                "softplus celu rrelu threshold fmax fmin hypot copysign.Tensor heaviside xlogy.Tensor logaddexp logaddexp2 igammac fma addcmul "
                "addcdiv lerp.Tensor lerp.Scalar angle nan_to_num mvlgamma bitwise_left_shift.Tensor bitwise_right_shift.Tensor ");
    check_equal(listing(decltype(scans)::view()),
                "var_mean.correction std_mean.correction max.dim min.dim cummax cummin mode kthvalue topk sort any.dims any all.dim all "
                "var.correction std.correction max min prod.dim_int prod argmin cumprod logsumexp linalg_vector_norm linalg_vector_norm nansum "
                "count_nonzero.dim_IntList count_nonzero trace trapezoid.dx trapezoid.x renorm cosine_similarity argsort ");
    check_equal(listing(decltype(gathers)::view()),
                "gather index_select take index.Tensor index_put index_add index_copy index_reduce put scatter.src scatter.value scatter_add "
                "scatter_reduce.two searchsorted.Tensor searchsorted.Scalar repeat_interleave.self_int ");
    check_equal(listing(decltype(rearranged)::view()),
                "tensor_split.sections meshgrid repeat tile flip roll rot90 tril triu diag diag_embed diagonal movedim.int ravel unflatten.int "
                "narrow unfold expand_as broadcast_to hstack vstack dstack block_diag pixel_shuffle pixel_unshuffle channel_shuffle slice_scatter "
                "select_scatter narrow diagonal_scatter ");
    check_equal(listing(decltype(created)::view()),
                "ones zeros full eye.m eye.m arange.start_step arange.start_step linspace logspace tril_indices triu_indices ones_like zeros_like "
                "full_like ");
    check_equal(listing(decltype(products)::view()),
                "_linalg_svd rnn_tanh.input rnn_relu.input mv dot inner tensordot bilinear baddbmm addbmm addmv ");
    check_equal(listing(decltype(losses)::view()),
                "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits soft_margin_loss poisson_nll_loss "
                "nll_loss_nd cross_entropy_loss multi_margin_loss layer_norm group_norm rms_norm ");
    check_equal(listing(decltype(resized)::view()),
                "upsample_nearest1d.vec _upsample_nearest_exact2d.vec upsample_linear1d.vec upsample_bilinear2d.vec upsample_trilinear3d.vec "
                "upsample_bicubic2d.vec _upsample_bilinear2d_aa.vec _upsample_bicubic2d_aa.vec avg_pool1d avg_pool3d max_pool1d max_unpool3d "
                "reflection_pad3d replication_pad1d replication_pad2d replication_pad3d ");
    return report();
}
