// SPDX-License-Identifier: MIT
// ATen's composite operators, which torch.export prints before it decomposes: each row is a schema and a law that
// replaces the call by other calls.
// Called by write_out.hpp. Source of schemas and names: aten/src/ATen/native/native_functions.yaml.
#pragma once
#include <ahead/legalize/composite/gradients.hpp>
#include <ahead/legalize/composite/layers.hpp>
#include <ahead/legalize/composite/linalg.hpp>
#include <ahead/legalize/composite/numbers.hpp>
#include <ahead/legalize/composite/order.hpp>
#include <ahead/legalize/composite/pointwise.hpp>
#include <ahead/legalize/composite/products.hpp>
#include <ahead/legalize/composite/shapes.hpp>
#include <ahead/legalize/composite/wider.hpp>
#include <array>

namespace AHEAD_NAMESPACE::detail {

struct composite_row {
    std::string_view name; // without "aten."; Python's operators have their full name
    std::string_view schema;
    composite_law law;
    std::int32_t calls = 4; // maximum number of calls that the law inserts
    std::int32_t each = 0;  // and in addition for each list element, or each unit of the call's first number
};

/// C: composite_call. A template, so that programs without such calls do not instantiate the laws, which cost a
/// twentieth of a small program.
template <class C>
inline constexpr auto composites = std::to_array<composite_row>({
    {"_chunk_cat.default", "Tensor[] tensors, int dim, int num_chunks", &composite::chunk_cat<C>, 1, 2},
    {"_adaptive_avg_pool3d_backward.default", "Tensor grad_output, Tensor self",
     &composite::adaptive_avg_pool3d_backward<C>, 64},
    {"_batch_norm_with_update.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps",
     &composite::batch_norm_with_update<C>, 12},
    {"_embedding_bag_backward.default",
     "Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, int "
     "num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1",
     &composite::embedding_bag_backward<C>, 18},
    {"_embedding_bag_dense_backward.default",
     "Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, int num_weights, bool "
     "scale_grad_by_freq, int mode, Tensor? per_sample_weights, int padding_idx=-1",
     &composite::embedding_bag_backward<C>, 12},
    {"_linalg_det.default", "Tensor A", &composite::linalg_det<C>, 14},
    {"_linalg_slogdet.default", "Tensor A", &composite::slogdet<4, C>, 20},
    {"_linalg_solve_ex.default", "Tensor A, Tensor B, bool left=True, bool check_errors=False",
     &composite::solve_ex<4, C>, 14},
    {"_prelu_kernel_backward.default", "Tensor grad_output, Tensor self, Tensor weight",
     &composite::prelu_kernel_backward<C>, 6},
    {"_weight_norm.default", "Tensor v, Tensor g, int dim=0", &composite::weight_norm<C>},
    {"adaptive_max_pool2d_backward.default", "Tensor grad_output, Tensor self, Tensor indices",
     &composite::max_pool_backward<2, C>, 5},
    {"adaptive_max_pool3d_backward.default", "Tensor grad_output, Tensor self, Tensor indices",
     &composite::max_pool_backward<3, C>, 5},
    {"adjoint.default", "Tensor self", &composite::adjoint<C>},
    {"all.dims", "Tensor self, int[]? dim=None, bool keepdim=False", &composite::all_dims<C>, 10},
    {"argsort.stable", "Tensor self, bool stable, int dim=-1, bool descending=False", &composite::argsort<C>},
    {"atleast_1d.default", "Tensor self", &composite::atleast<1, C>},
    {"atleast_2d.default", "Tensor self", &composite::atleast<2, C>},
    {"atleast_3d.default", "Tensor self", &composite::atleast<3, C>},
    {"atleast_1d.Sequence", "Tensor[] tensors", &composite::atleast_each<1, C>, 0, 1},
    {"atleast_2d.Sequence", "Tensor[] tensors", &composite::atleast_each<2, C>, 0, 1},
    {"atleast_3d.Sequence", "Tensor[] tensors", &composite::atleast_each<3, C>, 0, 1},
    {"avg_pool3d_backward.default",
     "Tensor grad_output, Tensor self, int[] kernel_size, int[] stride, int[] padding, bool ceil_mode, bool "
     "count_include_pad, int? divisor_override",
     &composite::avg_pool3d_backward<C>, 10},
    {"binary_cross_entropy_backward.default",
     "Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1",
     &composite::binary_cross_entropy_backward<C>, 8},
    {"broadcast_tensors.default", "Tensor[] tensors", &composite::broadcast_tensors<C>, 0, 1},
    {"cartesian_prod.default", "Tensor[] tensors", &composite::cartesian_prod<C>, 2, 3},
    {"cholesky_inverse.default", "Tensor self, bool upper=False", &composite::cholesky_inverse<C>, 8},
    {"cholesky_solve.default", "Tensor self, Tensor input2, bool upper=False", &composite::cholesky_solve<C>, 6},
    {"column_stack.default", "Tensor[] tensors", &composite::column_stack<C>, 1, 1},
    {"cosine_embedding_loss.default", "Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1",
     &composite::cosine_embedding_loss<C>, 22},
    {"cumulative_trapezoid.dx", "Tensor y, Scalar dx=1, int dim=-1", &composite::cumulative_trapezoid_dx<C>, 6},
    {"cumulative_trapezoid.x", "Tensor y, Tensor x, int dim=-1", &composite::cumulative_trapezoid_x<C>, 10},
    {"deg2rad.default", "Tensor self", &composite::deg2rad<C>},
    {"diagflat.default", "Tensor self, int offset=0", &composite::diagflat<C>},
    {"diff.default", "Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None", &composite::diff<C>,
     4, 3},
    {"dsplit.array", "Tensor self, int[] indices", &composite::split_at<2, C>},
    {"dsplit.int", "Tensor self, int sections", &composite::split_into<2, C>},
    {"fft_hfft2.default", "Tensor self, int[]? s=None, int[]? dim=None, str? norm=None", &composite::hfft2<C>},
    {"fft_hfftn.default", "Tensor self, int[]? s=None, int[]? dim=None, str? norm=None", &composite::hfftn<C>},
    {"fft_ihfft2.default", "Tensor self, int[]? s=None, int[]? dim=None, str? norm=None", &composite::ihfft2<C>},
    {"fft_ihfftn.default", "Tensor self, int[]? s=None, int[]? dim=None, str? norm=None", &composite::ihfftn<C>},
    {"fill_diagonal_.default", "Tensor self, Scalar fill_value, bool wrap=False", &composite::fill_diagonal<C>, 6},
    {"fliplr.default", "Tensor self", &composite::flipped<1, C>},
    {"flipud.default", "Tensor self", &composite::flipped<0, C>},
    {"float_power.Scalar", "Scalar self, Tensor exponent", &composite::float_power<C>},
    {"float_power.Tensor_Scalar", "Tensor self, Scalar exponent", &composite::float_power<C>},
    {"float_power.Tensor_Tensor", "Tensor self, Tensor exponent", &composite::float_power<C>},
    {"gradient.array", "Tensor self, int[] dim, int edge_order=1", &composite::gradient<C>, 150},
    {"gradient.scalararray", "Tensor self, Scalar spacing, int[] dim, int edge_order=1", &composite::gradient<C>, 150},
    {"gradient.scalarint", "Tensor self, Scalar? spacing=None, int? dim=None, int edge_order=1",
     &composite::gradient<C>, 150},
    {"gradient.scalarrayarray", "Tensor self, float[] spacing, int[] dim, int edge_order=1", &composite::gradient<C>,
     150},
    {"gradient.scalarrayint", "Tensor self, float[] spacing, int? dim=None, int edge_order=1", &composite::gradient<C>,
     150},
    {"grid_sampler.default", "Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners",
     &composite::grid_sampler<C>},
    {"gru_cell.default", "Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None",
     &composite::gru_cell<C>, 18},
    {"hinge_embedding_loss.default", "Tensor self, Tensor target, float margin=1.0, int reduction=1",
     &composite::hinge_embedding_loss<C>, 10},
    {"hsplit.array", "Tensor self, int[] indices", &composite::split_at<1, C>},
    {"hsplit.int", "Tensor self, int sections", &composite::split_into<1, C>},
    {"huber_loss_backward.default", "Tensor grad_output, Tensor self, Tensor target, int reduction, float delta",
     &composite::huber_loss_backward<C>, 5},
    {"isclose.default", "Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False",
     &composite::isclose<C>, 18},
    {"isfinite.default", "Tensor self", &composite::isfinite<C>},
    {"isneginf.default", "Tensor self", &composite::isneginf<C>},
    {"isposinf.default", "Tensor self", &composite::isposinf<C>},
    {"isreal.default", "Tensor self", &composite::isreal<C>},
    {"istft.default",
     "Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool "
     "normalized=False, bool? onesided=None, int? length=None, bool return_complex=False",
     &composite::istft<C>, 24},
    {"kron.default", "Tensor self, Tensor other", &composite::kron<C>, 4},
    {"linalg_cholesky.default", "Tensor self, bool upper=False", &composite::cholesky<C>},
    {"linalg_det.default", "Tensor A", &composite::det<C>, 12},
    {"linalg_diagonal.default", "Tensor A, int offset=0, int dim1=-2, int dim2=-1", &composite::linalg_diagonal<C>},
    {"linalg_eigh.default", "Tensor self, str UPLO=\"L\"", &composite::eigh<C>},
    {"linalg_eigvalsh.default", "Tensor self, str UPLO=\"L\"", &composite::eigvalsh<C>},
    {"linalg_lu_factor.default", "Tensor A, bool pivot=True", &composite::lu_factor<C>},
    {"linalg_multi_dot.default", "Tensor[] tensors", &composite::multi_dot<C>, 4, 1},
    {"linalg_slogdet.default", "Tensor A", &composite::slogdet<2, C>, 18},
    {"linalg_solve.default", "Tensor A, Tensor B, bool left=True", &composite::solve<C>, 12},
    {"linalg_solve_ex.default", "Tensor A, Tensor B, bool left=True, bool check_errors=False",
     &composite::solve_ex<2, C>, 12},
    {"linalg_svd.default", "Tensor A, bool full_matrices=True, str? driver=None", &composite::linalg_svd<C>},
    {"linalg_svdvals.default", "Tensor A, str? driver=None", &composite::svdvals<C>},
    {"linalg_vander.default", "Tensor x, int? N=None", &composite::vander<C>, 6},
    {"linalg_vecdot.default", "Tensor x, Tensor y, int dim=-1", &composite::vecdot<C>},
    {"linspace.Scalar_Tensor",
     "Scalar start, Tensor end, int steps, ScalarType? dtype=None, Layout layout=None, Device "
     "device=None, bool? pin_memory=None",
     &composite::linspace<C>, 16},
    {"linspace.Tensor_Scalar",
     "Tensor start, Scalar end, int steps, ScalarType? dtype=None, Layout layout=None, Device "
     "device=None, bool? pin_memory=None",
     &composite::linspace<C>, 16},
    {"linspace.Tensor_Tensor",
     "Tensor start, Tensor end, int steps, ScalarType? dtype=None, Layout layout=None, Device "
     "device=None, bool? pin_memory=None",
     &composite::linspace<C>, 16},
    {"log_sigmoid.default", "Tensor self", &composite::log_sigmoid<C>, 6},
    {"log_sigmoid_backward.default", "Tensor grad_output, Tensor self, Tensor buffer",
     &composite::log_sigmoid_backward<C>, 14},
    {"logdet.default", "Tensor self", &composite::logdet<C>, 13},
    {"logit_backward.default", "Tensor grad_output, Tensor self, float? eps=None", &composite::logit_backward<C>, 12},
    {"logspace.Scalar_Tensor",
     "Scalar start, Tensor end, int steps, float base=10.0, ScalarType? dtype=None, Layout layout=None, Device "
     "device=None, bool? pin_memory=None",
     &composite::logspace<C>, 18},
    {"logspace.Tensor_Scalar",
     "Tensor start, Scalar end, int steps, float base=10.0, ScalarType? dtype=None, Layout layout=None, Device "
     "device=None, bool? pin_memory=None",
     &composite::logspace<C>, 18},
    {"logspace.Tensor_Tensor",
     "Tensor start, Tensor end, int steps, float base=10.0, ScalarType? dtype=None, Layout layout=None, Device "
     "device=None, bool? pin_memory=None",
     &composite::logspace<C>, 18},
    {"lstm_cell.default", "Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None",
     &composite::lstm_cell<C>, 18},
    {"lu_solve.default", "Tensor self, Tensor LU_data, Tensor LU_pivots", &composite::lu_solve<C>},
    {"mH.default", "Tensor self", &composite::adjoint<C>},
    {"margin_ranking_loss.default", "Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1",
     &composite::margin_ranking_loss<C>, 6},
    {"matrix_H.default", "Tensor self", &composite::adjoint<C>},
    {"max_pool1d_with_indices.default",
     "Tensor self, int[] kernel_size, int[] stride=[], int[] padding=0, int[] dilation=1, bool ceil_mode=False",
     &composite::max_pool1d_with_indices<C>, 6},
    {"max_pool3d_with_indices_backward.default",
     "Tensor grad_output, Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode, "
     "Tensor indices",
     &composite::max_pool_backward<3, C>, 5},
    {"mish_backward.default", "Tensor grad_output, Tensor self", &composite::mish_backward<C>, 14},
    {"msort.default", "Tensor self", &composite::msort<C>},
    {"multilabel_margin_loss.default", "Tensor self, Tensor target, int reduction=1",
     &composite::multilabel_margin_loss<C>, 28},
    {"nanmean.default", "Tensor self, int[]? dim=None, bool keepdim=False, ScalarType? dtype=None",
     &composite::nanmean<C>, 6},
    {"nanquantile.default", "Tensor self, Tensor q, int? dim=None, bool keepdim=False, str interpolation=\"linear\"",
     &composite::quantile<true, C>, 24},
    {"nanquantile.scalar", "Tensor self, float q, int? dim=None, bool keepdim=False, str interpolation=\"linear\"",
     &composite::quantile<true, C>, 24},
    {"nll_loss2d_backward.default",
     "Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, Tensor "
     "total_weight",
     &composite::nll_loss2d_backward<C>, 8},
    {"pairwise_distance.default", "Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool keepdim=False",
     &composite::pairwise_distance<C>},
    {"polygamma_.default", "Tensor self, int n", &composite::polygamma_in_place<C>},
    {"quantile.default", "Tensor self, Tensor q, int? dim=None, bool keepdim=False, str interpolation=\"linear\"",
     &composite::quantile<false, C>, 24},
    {"quantile.scalar", "Tensor self, float q, int? dim=None, bool keepdim=False, str interpolation=\"linear\"",
     &composite::quantile<false, C>, 24},
    {"rad2deg.default", "Tensor self", &composite::rad2deg<C>},
    {"reflection_pad1d_backward.default", "Tensor grad_output, Tensor self, int[] padding",
     &composite::padding_backward<true, C>, 8},
    {"reflection_pad2d_backward.default", "Tensor grad_output, Tensor self, int[] padding",
     &composite::padding_backward<true, C>, 16},
    {"reflection_pad3d_backward.default", "Tensor grad_output, Tensor self, int[] padding",
     &composite::padding_backward<true, C>, 24},
    {"replication_pad1d_backward.default", "Tensor grad_output, Tensor self, int[] padding",
     &composite::padding_backward<false, C>, 5},
    {"replication_pad2d_backward.default", "Tensor grad_output, Tensor self, int[] padding",
     &composite::padding_backward<false, C>, 10},
    {"replication_pad3d_backward.default", "Tensor grad_output, Tensor self, int[] padding",
     &composite::padding_backward<false, C>, 15},
    {"resolve_conj.default", "Tensor self", &composite::same<C>},
    {"resolve_neg.default", "Tensor self", &composite::same<C>},
    {"rnn_relu_cell.default", "Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None",
     &composite::rnn_relu_cell<C>},
    {"rnn_tanh_cell.default", "Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None",
     &composite::rnn_tanh_cell<C>},
    {"smooth_l1_loss_backward.default", "Tensor grad_output, Tensor self, Tensor target, int reduction, float beta",
     &composite::smooth_l1_loss_backward<C>, 7},
    {"soft_margin_loss_backward.default", "Tensor grad_output, Tensor self, Tensor target, int reduction",
     &composite::soft_margin_loss_backward<C>, 10},
    {"softplus_backward.default", "Tensor grad_output, Tensor self, Scalar beta, Scalar threshold",
     &composite::softplus_backward<C>, 12},
    {"special_entr.default", "Tensor self", &composite::entr<C>, 10},
    {"special_log_ndtr.default", "Tensor self", &composite::log_ndtr<C>, 12},
    {"special_ndtr.default", "Tensor self", &composite::ndtr<C>},
    {"special_xlog1py.default", "Tensor self, Tensor other", &composite::xlog1py<C>, 8},
    {"special_xlog1py.other_scalar", "Tensor self, Scalar other", &composite::xlog1py<C>, 8},
    {"special_xlog1py.self_scalar", "Scalar self, Tensor other", &composite::xlog1py<C>, 8},
    {"sum_to_size.default", "Tensor self, int[] size", &composite::sum_to_size<C>},
    {"svd.default", "Tensor self, bool some=True, bool compute_uv=True", &composite::svd<C>, 6},
    {"take_along_dim.default", "Tensor self, Tensor indices, int? dim=None", &composite::take_along_dim<C>},
    {"to.device",
     "Tensor self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat "
     "memory_format=None",
     &composite::to_device<C>},
    {"to.other", "Tensor self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat memory_format=None",
     &composite::to<C>},
    {"triplet_margin_loss.default",
     "Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2.0, float eps=1e-06, bool "
     "swap=False, "
     "int reduction=1",
     &composite::triplet_margin_loss<C>, 16},
    {"unsafe_chunk.default", "Tensor self, int chunks, int dim=0", &composite::unsafe_chunk<C>},
    {"vsplit.array", "Tensor self, int[] indices", &composite::split_at<0, C>},
    {"vsplit.int", "Tensor self, int sections", &composite::split_into<0, C>},
    {"operator.and_", "bool a, bool b", &composite::number_truth<true, C>, 1},
    {"operator.or_", "bool a, bool b", &composite::number_truth<false, C>, 1},
    {"operator.pow", "Scalar a, Scalar b", &composite::number_power<C>, 1},
    {"operator.sym_max", "Scalar a, Scalar b", &composite::number_extreme<true, C>, 1},
    {"operator.sym_min", "Scalar a, Scalar b", &composite::number_extreme<false, C>, 1},
    {"operator.sym_float", "Scalar a", &composite::number_as_real<C>, 1},
    {"operator.trunc", "Scalar a", &composite::number_rounded<checked_int::direction::toward_zero, C>, 1},
    {"operator.floor", "Scalar a", &composite::number_rounded<checked_int::direction::down, C>, 1},
    {"operator.ceil", "Scalar a", &composite::number_rounded<checked_int::direction::up, C>, 1},
    {"operator.round", "Scalar a, int? ndigits=None", &composite::number_rounded<checked_int::direction::to_even, C>,
     1},
});

/// Laws for further cases of known operators, tried if the operator's type rule refuses. Sorted by name.
template <class C>
inline constexpr auto wider_operators = std::to_array<composite_row>({
    {"_native_batch_norm_legit.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float "
     "momentum, float eps",
     &composite::native_batch_norm<C>, 10},
    {"_scaled_dot_product_flash_attention.default",
     "Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, "
     "float? scale=None",
     &composite::flash_attention<C>, 14},
    {"_scaled_dot_product_flash_attention_backward.default",
     "Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor? cum_seq_q, "
     "Tensor? cum_seq_k, int max_q, int max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor "
     "philox_offset, float? scale=None",
     &composite::flash_attention_backward<C>, 8},
    {"addr.default", "Tensor self, Tensor vec1, Tensor vec2, Scalar beta=1, Scalar alpha=1", &composite::addr<C>, 6},
    {"batch_norm.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float "
     "momentum, float eps, bool cudnn_enabled",
     &composite::batch_norm<C>, 10},
    {"clamp_max.Tensor", "Tensor self, Tensor max", &composite::clamp_max<C>},
    {"clamp_min.Tensor", "Tensor self, Tensor min", &composite::clamp_min<C>},
    {"conj_physical.default", "Tensor self", &composite::conj_physical<C>},
    {"conj_physical_.default", "Tensor self", &composite::conj_physical_in_place<C>},
    {"im2col.default", "Tensor self, int[] kernel_size, int[] dilation, int[] padding, int[] stride",
     &composite::im2col<C>},
    {"instance_norm.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool use_input_stats, float "
     "momentum, float eps, bool cudnn_enabled",
     &composite::instance_norm<C>, 18},
    {"mode.default", "Tensor self, int dim=-1, bool keepdim=False", &composite::mode<C>, 6},
    {"multi_margin_loss.default",
     "Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int "
     "reduction=1",
     &composite::multi_margin_loss<C>, 6},
    {"native_batch_norm.default",
     "Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float "
     "momentum, float eps",
     &composite::native_batch_norm<C>, 10},
    {"outer.default", "Tensor self, Tensor vec2", &composite::outer<C>},
    {"pad.default", "Tensor self, int[] pad, str mode=\"constant\", float? value=None", &composite::pad<C>},
    {"poisson_nll_loss.default", "Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction",
     &composite::poisson_nll_loss<C>, 18},
    {"square.default", "Tensor self", &composite::square<C>},
    {"tensordot.default", "Tensor self, Tensor other, int[] dims_self, int[] dims_other", &composite::tensordot<C>, 10},
    {"trapezoid.dx", "Tensor y, Scalar dx=1, int dim=-1", &composite::trapezoid_dx<C>, 8},
    {"trapezoid.x", "Tensor y, Tensor x, int dim=-1", &composite::trapezoid_x<C>, 12},
});
/// The names of wider_operators, in the same order.
inline constexpr std::string_view wider_names[] = {"_native_batch_norm_legit.default"sv,
                                                   "_scaled_dot_product_flash_attention.default"sv,
                                                   "_scaled_dot_product_flash_attention_backward.default"sv,
                                                   "addr.default"sv,
                                                   "batch_norm.default"sv,
                                                   "clamp_max.Tensor"sv,
                                                   "clamp_min.Tensor"sv,
                                                   "conj_physical.default"sv,
                                                   "conj_physical_.default"sv,
                                                   "im2col.default"sv,
                                                   "instance_norm.default"sv,
                                                   "mode.default"sv,
                                                   "multi_margin_loss.default"sv,
                                                   "native_batch_norm.default"sv,
                                                   "outer.default"sv,
                                                   "pad.default"sv,
                                                   "poisson_nll_loss.default"sv,
                                                   "square.default"sv,
                                                   "tensordot.default"sv,
                                                   "trapezoid.dx"sv,
                                                   "trapezoid.x"sv};
/// The index of a name in wider_names; the size of wider_names if it is not there.
constexpr std::size_t find_wider(std::string_view name) {
    constexpr std::uint64_t lengths = [] {
        std::uint64_t out = 0;
        for (const auto& each : wider_names) out |= std::uint64_t{1} << (each.size() + 5);
        return out;
    }();
    std::size_t at = std::size(wider_names);
    if (name.size() < 64 && (lengths >> name.size() & 1) != 0 && name.starts_with("aten."))
        for (at = 0; at < std::size(wider_names) && !same_name(wider_names[at], name.substr(5));) ++at;
    return at;
}

} // namespace ahead::detail
