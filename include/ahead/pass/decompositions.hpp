// SPDX-License-Identifier: MIT
// The built-in decompositions: operators without kernels, as expressions of operators with kernels. Operators that
// remain run on the AI CPU. They run after fold_batch_norm, which needs undecomposed batch norms, and before
// eliminate_duplicates. A user's converter for one of these operators keeps its calls undecomposed. Sources:
// torch/_decomp/decompositions.py and torch/_refs for the definitions of the operators.
#pragma once
#include <ahead/pass/decompositions/attention.hpp>
#include <ahead/pass/decompositions/attention_gradients.hpp>
#include <ahead/pass/decompositions/convolution_gradients.hpp>
#include <ahead/pass/decompositions/convolutions.hpp>
#include <ahead/pass/decompositions/einsum.hpp>
#include <ahead/pass/decompositions/foreach.hpp>
#include <ahead/pass/decompositions/activations.hpp>
#include <ahead/pass/decompositions/indices.hpp>
#include <ahead/pass/decompositions/losses.hpp>
#include <ahead/pass/decompositions/rearrange.hpp>
#include <ahead/pass/decompositions/multi_head_attention.hpp>
#include <ahead/pass/decompositions/norm_gradients.hpp>
#include <ahead/pass/decompositions/norms.hpp>
#include <ahead/pass/decompositions/pools.hpp>
#include <ahead/pass/decompositions/products.hpp>
#include <ahead/pass/decompositions/quantise.hpp>
#include <ahead/pass/decompositions/windows.hpp>
#include <ahead/pass/decompositions/sampling.hpp>
#include <ahead/pass/decompositions/composites.hpp>
#include <ahead/pass/decompositions/transforms.hpp>

namespace AHEAD_NAMESPACE::pass {

using builtin_decompositions = decomposition_list<
    decomposition::scaled_product<aten::addmm, false>, decomposition::scaled_product<aten::baddbmm, true>,
    decomposition::scaled_product<aten::addmm, false, true>, decomposition::scaled_product<aten::baddbmm, true, true>,
    decomposition::product<aten::matmul>, decomposition::product<aten::mv>, decomposition::product<aten::dot>,
    decomposition::product<aten::vdot>, decomposition::batch_norm<aten::native_batch_norm>,
    decomposition::batch_norm<aten::native_batch_norm_no_training>,
    decomposition::batch_norm<aten::native_batch_norm_legit>,
    decomposition::training_batch_norm<aten::native_batch_norm>,
    decomposition::training_batch_norm<aten::native_batch_norm_no_stats>,
    decomposition::training_batch_norm<aten::native_batch_norm_functional>, decomposition::layer_norm_gradient,
    decomposition::group_norm_gradient, decomposition::batch_norm_gradient,
    decomposition::group_norm<aten::native_group_norm, true>, decomposition::group_norm<aten::group_norm, false>,
    decomposition::rms_norm<aten::rms_norm>, decomposition::rms_norm<aten::fused_rms_norm>,
    decomposition::on_grid<aten::fake_quantize_per_tensor, aten::grid_step::both>,
    decomposition::on_grid<aten::fake_quantize_per_channel, aten::grid_step::both>,
    decomposition::on_grid<aten::quantize_per_tensor, aten::grid_step::quantize>,
    decomposition::on_grid<aten::quantize_per_tensor_tensor, aten::grid_step::quantize>,
    decomposition::on_grid<aten::quantize_per_channel, aten::grid_step::quantize>,
    decomposition::on_grid<aten::dequantize_per_tensor, aten::grid_step::dequantize>,
    decomposition::on_grid<aten::dequantize_per_tensor_tensor, aten::grid_step::dequantize>,
    decomposition::on_grid<aten::dequantize_per_channel, aten::grid_step::dequantize>, decomposition::safe_softmax,
    decomposition::cosine_similarity, decomposition::poisson_nll_loss, decomposition::class_loss<aten::nll_loss_nd>,
    decomposition::class_loss<aten::nll_loss>, decomposition::class_loss<aten::nll_loss2d>,
    decomposition::class_loss<aten::cross_entropy_loss>, decomposition::contraction<aten::tensordot>,
    decomposition::contraction<aten::inner>, decomposition::variance<aten::var, false, false>,
    decomposition::variance<aten::var_dim, false, false>, decomposition::variance<aten::std_correction, true, false>,
    decomposition::variance<aten::var_mean, false, true>, decomposition::variance<aten::std_mean, true, true>,
    decomposition::variance<aten::std_dim, true, false>, decomposition::variance<aten::var_mean_dim, false, true>,
    decomposition::variance<aten::std_mean_dim, true, true>, decomposition::variance<aten::var_all, false, false>,
    decomposition::variance<aten::std_all, true, false>, decomposition::variance<aten::var_mean_all, false, true>,
    decomposition::variance<aten::std_mean_all, true, true>, decomposition::logsumexp,
    decomposition::weight_norm_interface, decomposition::logcumsumexp,
    decomposition::nansum, decomposition::among<aten::isin>, decomposition::among<aten::isin_scalar>,
    decomposition::among<aten::isin_element>, decomposition::unpooled<aten::max_unpool2d, 2>,
    decomposition::unpooled<aten::max_unpool3d, 3>, decomposition::norm<aten::linalg_vector_norm>,
    decomposition::norm<aten::norm_scalar>, decomposition::norm<aten::norm_dim>,
    decomposition::loss_of_pairs<decomposition::difference<aten::mse_loss, true>>,
    decomposition::loss_of_pairs<decomposition::difference<aten::l1_loss, false>>,
    decomposition::loss_of_pairs<decomposition::rounded_difference<aten::smooth_l1_loss, aten::smooth_l1_loss::beta>>,
    decomposition::loss_of_pairs<decomposition::rounded_difference<aten::huber_loss, aten::huber_loss::delta>>,
    decomposition::loss_of_pairs<decomposition::divergence<aten::kl_div>>,
    decomposition::loss_of_pairs<decomposition::soft_margin<aten::soft_margin_loss>>,
    decomposition::loss_of_pairs<decomposition::cross_entropy_of_rates<aten::binary_cross_entropy>>,
    decomposition::loss_of_pairs<decomposition::cross_entropy_of_logits<aten::binary_cross_entropy_with_logits>>,
    decomposition::multi_margin_loss, decomposition::tiled_mean<aten::adaptive_avg_pool2d, 2>,
    decomposition::tiled_mean<aten::adaptive_avg_pool1d, 1>, decomposition::tiled_mean<aten::adaptive_avg_pool3d, 3>,
    decomposition::outer_product<aten::outer>, decomposition::outer_product<aten::addr>, decomposition::bilinear,
    decomposition::tiled_mean_gradient, decomposition::adaptive_mean_gradient, decomposition::columns,
    decomposition::cdist<aten::cdist_forward>, decomposition::cdist<aten::cdist>, decomposition::pixel_shuffle,
    decomposition::pixel_unshuffle, decomposition::narrow_copy, decomposition::dist,
    decomposition::repeat<aten::repeat, aten::repeat::repeats>, decomposition::repeat<aten::tile, aten::tile::at::dims>,
    decomposition::channel_shuffle, decomposition::split_with_sizes_copy, decomposition::as_strided_copy,
    decomposition::unbind_copy, decomposition::stack_along<aten::hstack>, decomposition::stack_along<aten::vstack>,
    decomposition::stack_along<aten::dstack>, decomposition::count_nonzero<aten::count_nonzero>,
    decomposition::count_nonzero<aten::count_nonzero_dims>, decomposition::trapezoid<aten::trapezoid_dx>,
    decomposition::trapezoid<aten::trapezoid_x>, decomposition::rrelu, decomposition::rrelu_with_noise,
    decomposition::norm<aten::linalg_norm>, decomposition::norm<aten::frobenius_norm>, decomposition::einsum,
    decomposition::trilinear, decomposition::complex_product<aten::mm>, decomposition::complex_product<aten::bmm>,
    decomposition::complex_linear<aten::linear>, decomposition::shifted_spectrum<aten::fft_fftshift>,
    decomposition::shifted_spectrum<aten::fft_ifftshift>, decomposition::part_of_complex<aten::real, 0>,
    decomposition::part_of_complex<aten::imag, 1>, decomposition::conjugates<aten::conj>,
    decomposition::conjugates<aten::lazy_conj>, decomposition::conjugates<aten::conj_physical>,
    decomposition::columns_back, decomposition::histogram, decomposition::convolution<aten::convolution>,
    decomposition::convolution<aten::conv1d>, decomposition::convolution<aten::conv2d>,
    decomposition::convolution<aten::conv3d>, decomposition::convolution<aten::conv_transpose1d>,
    decomposition::convolution<aten::conv_transpose2d>, decomposition::convolution<aten::conv_transpose3d>,
    decomposition::convolution<aten::conv1d_padding>, decomposition::convolution<aten::conv2d_padding>,
    decomposition::convolution<aten::conv3d_padding>, decomposition::converted_softmax<aten::softmax_int, false>,
    decomposition::converted_softmax<aten::log_softmax_int, true>, decomposition::glu, decomposition::glu_backward,
    decomposition::prelu, decomposition::elu_backward, decomposition::one_hot, decomposition::padding,
    decomposition::gradient_of_view<aten::slice_backward>, decomposition::gradient_of_view<aten::select_backward>,
    decomposition::tiled_mean<aten::exported_adaptive_avg_pool2d, 2>,
    decomposition::tiled_mean<aten::exported_adaptive_avg_pool3d, 3>, decomposition::batch_norm<aten::batch_norm>,
    decomposition::training_batch_norm<aten::batch_norm>, decomposition::batch_norm<aten::instance_norm>,
    decomposition::group_norm<aten::instance_norm, false>, decomposition::attention<aten::scaled_dot_product_attention>,
    decomposition::attention<aten::scaled_dot_product_efficient_attention>,
    decomposition::attention<aten::scaled_dot_product_flash_attention_for_cpu>,
    decomposition::attention<aten::scaled_dot_product_flash_attention>,
    decomposition::attention<aten::scaled_dot_product_cudnn_attention>,
    decomposition::attention<aten::scaled_dot_product_fused_attention_overrideable>,
    decomposition::attention_gradient<aten::scaled_dot_product_efficient_attention_backward>,
    decomposition::attention_gradient<aten::scaled_dot_product_flash_attention_for_cpu_backward>,
    decomposition::attention_gradient<aten::scaled_dot_product_flash_attention_backward>,
    decomposition::attention_gradient<aten::scaled_dot_product_cudnn_attention_backward>,
    decomposition::attention_gradient<aten::scaled_dot_product_fused_attention_overrideable_backward>,
    decomposition::repeat_interleave_self, decomposition::transform<aten::fft_fft>,
    decomposition::transform<aten::fft_ifft>, decomposition::transform<aten::fft_rfft>,
    decomposition::transform<aten::fft_irfft>, decomposition::transform<aten::fft_hfft>,
    decomposition::transform<aten::fft_ihfft>, decomposition::transform<aten::fft_fft2>,
    decomposition::transform<aten::fft_ifft2>, decomposition::transform<aten::fft_rfft2>,
    decomposition::transform<aten::fft_irfft2>, decomposition::transform<aten::fft_fftn>,
    decomposition::transform<aten::fft_ifftn>, decomposition::transform<aten::fft_rfftn>,
    decomposition::transform<aten::fft_irfftn>, decomposition::short_time, decomposition::multi_head_attention,
    decomposition::constant_of<aten::full_like>, decomposition::constant_of<aten::zeros_like>,
    decomposition::constant_of<aten::ones_like, 1>, decomposition::constant_of<aten::empty_like>,
    decomposition::constant_of<aten::new_full>, decomposition::constant_of<aten::new_zeros>,
    decomposition::constant_of<aten::new_ones, 1>, decomposition::constant_of<aten::new_empty>,
    decomposition::constant_of<aten::zero>, decomposition::constant_of<aten::fill_scalar>, decomposition::fill_tensor,
    decomposition::looked_up_seed, decomposition::permute_copy, decomposition::expand_copy,
    decomposition::flip<aten::flip>, decomposition::flip<aten::rev>, decomposition::roll,
    decomposition::triangle<aten::tril, true>, decomposition::triangle<aten::triu, false>, decomposition::diag_embed,
    decomposition::repeat_interleave, decomposition::embedding_gradient,
    decomposition::scatter_number<aten::scatter_value>, decomposition::scatter_number<aten::scatter_value_with_reduce>,
    decomposition::put, decomposition::masked_index, decomposition::masked_index_put, decomposition::bincount,
    decomposition::search_of_number<aten::searchsorted_scalar>, decomposition::search_of_number<aten::bucketize_scalar>,
    decomposition::pool_with_offsets<aten::low_memory_max_pool2d_with_offsets>,
    decomposition::pool_with_offsets<aten::low_memory_max_pool_with_offsets>,
    decomposition::pool_places<aten::low_memory_max_pool2d_offsets_to_indices>,
    decomposition::pool_places<aten::low_memory_max_pool_offsets_to_indices>,
    decomposition::grid_sample<aten::grid_sampler_2d, 2>, decomposition::grid_sample<aten::grid_sampler_3d, 3>,
    decomposition::index_fill<aten::index_fill>, decomposition::index_fill<aten::index_fill_tensor>,
    decomposition::mask_put, decomposition::max_pool_gradient, decomposition::convolution_gradient,
    decomposition::average_pool_gradient, decomposition::nll_loss_forward, decomposition::nll_loss_gradient,
    decomposition::mse_loss_gradient, decomposition::softmax_gradient<aten::softmax_backward, false>,
    decomposition::softmax_gradient<aten::log_softmax_backward, true>, decomposition::foreach<aten::foreach_neg>,
    decomposition::foreach<aten::foreach_sqrt>, decomposition::foreach<aten::foreach_add_scalar>,
    decomposition::foreach<aten::foreach_sub_scalar>, decomposition::foreach<aten::foreach_mul_scalar>,
    decomposition::foreach<aten::foreach_div_scalar>, decomposition::foreach<aten::foreach_add>,
    decomposition::foreach<aten::foreach_sub>, decomposition::foreach<aten::foreach_mul>,
    decomposition::foreach<aten::foreach_div>, decomposition::foreach<aten::foreach_lerp>,
    decomposition::foreach<aten::foreach_addcmul>, decomposition::foreach<aten::foreach_addcdiv>>;

/// A struct rather than an alias of its base, so that symbol names do not list the decompositions.
struct decompose_pass : builtin_decompositions::builtin_pass {};
inline constexpr decompose_pass decompose;

} // namespace ahead::pass
