// SPDX-License-Identifier: MIT
// aten::registry: all operators that ahead knows, by family. Add a family's list here; users append with
// aten::registry::with<my::op>. A struct, not an alias, so that symbols contain `registry` instead of 400 operator
// names.
#pragma once
#include <ahead/air/print.hpp>
#include <ahead/air/streams.hpp>
#include <ahead/aten/control.hpp>
#include <ahead/aten/create/cat.hpp>
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/create/create.hpp>
#include <ahead/aten/create/fill.hpp>
#include <ahead/aten/create/range.hpp>
#include <ahead/aten/index/count.hpp>
#include <ahead/aten/index/embedding.hpp>
#include <ahead/aten/index/gather.hpp>
#include <ahead/aten/index/index.hpp>
#include <ahead/aten/index/index_put.hpp>
#include <ahead/aten/index/masked.hpp>
#include <ahead/aten/index/masked_index.hpp>
#include <ahead/aten/index/median.hpp>
#include <ahead/aten/index/scatter.hpp>
#include <ahead/aten/index/search.hpp>
#include <ahead/aten/index/sort.hpp>
#include <ahead/aten/index/unique.hpp>
#include <ahead/aten/linalg/check_errors.hpp>
#include <ahead/aten/linalg/eigen.hpp>
#include <ahead/aten/linalg/factor.hpp>
#include <ahead/aten/linalg/inverse.hpp>
#include <ahead/aten/linalg/singular_values.hpp>
#include <ahead/aten/linalg/solve.hpp>
#include <ahead/aten/normalise/batch_norm.hpp>
#include <ahead/aten/normalise/class_loss.hpp>
#include <ahead/aten/normalise/cross_entropy.hpp>
#include <ahead/aten/normalise/gradients.hpp>
#include <ahead/aten/normalise/group_norm.hpp>
#include <ahead/aten/normalise/layer_norm.hpp>
#include <ahead/aten/normalise/linear_cross_entropy.hpp>
#include <ahead/aten/normalise/loss.hpp>
#include <ahead/aten/normalise/softmax.hpp>
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/pointwise/arithmetic.hpp>
#include <ahead/aten/pointwise/comparison.hpp>
#include <ahead/aten/pointwise/complex.hpp>
#include <ahead/aten/pointwise/division.hpp>
#include <ahead/aten/pointwise/extremes.hpp>
#include <ahead/aten/pointwise/foreach.hpp>
#include <ahead/aten/pointwise/frexp.hpp>
#include <ahead/aten/pointwise/gated.hpp>
#include <ahead/aten/pointwise/gradients.hpp>
#include <ahead/aten/pointwise/logic.hpp>
#include <ahead/aten/pointwise/nextafter.hpp>
#include <ahead/aten/pointwise/power.hpp>
#include <ahead/aten/pointwise/quantise.hpp>
#include <ahead/aten/pointwise/rounding.hpp>
#include <ahead/aten/pointwise/special.hpp>
#include <ahead/aten/pointwise/ternary.hpp>
#include <ahead/aten/pointwise/unary.hpp>
#include <ahead/aten/product/attention.hpp>
#include <ahead/aten/product/attention_gradients.hpp>
#include <ahead/aten/product/contraction.hpp>
#include <ahead/aten/product/convolution.hpp>
#include <ahead/aten/product/cross.hpp>
#include <ahead/aten/product/einsum.hpp>
#include <ahead/aten/product/fourier.hpp>
#include <ahead/aten/product/matmul.hpp>
#include <ahead/aten/product/multi_head_attention.hpp>
#include <ahead/aten/product/outer.hpp>
#include <ahead/aten/product/quantised.hpp>
#include <ahead/aten/product/recurrent.hpp>
#include <ahead/aten/product/short_time.hpp>
#include <ahead/aten/product/transforms.hpp>
#include <ahead/aten/random/dropout.hpp>
#include <ahead/aten/random/inductor.hpp>
#include <ahead/aten/random/philox.hpp>
#include <ahead/aten/random/random.hpp>
#include <ahead/aten/reduce/arg_reduce.hpp>
#include <ahead/aten/reduce/distance.hpp>
#include <ahead/aten/reduce/hash_tensor.hpp>
#include <ahead/aten/reduce/norm.hpp>
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/aten/reduce/segment_reduce.hpp>
#include <ahead/aten/reduce/trapezoid.hpp>
#include <ahead/aten/reduce/variance.hpp>
#include <ahead/aten/shape/diagonal.hpp>
#include <ahead/aten/shape/expand.hpp>
#include <ahead/aten/shape/number_arithmetic.hpp>
#include <ahead/aten/shape/numbers.hpp>
#include <ahead/aten/shape/permute.hpp>
#include <ahead/aten/shape/rearrange.hpp>
#include <ahead/aten/shape/slice.hpp>
#include <ahead/aten/shape/split.hpp>
#include <ahead/aten/shape/view.hpp>
#include <ahead/aten/shape/view_scatter.hpp>
#include <ahead/aten/window/average_pool.hpp>
#include <ahead/aten/window/columns.hpp>
#include <ahead/aten/window/fractional_pool.hpp>
#include <ahead/aten/window/gradients.hpp>
#include <ahead/aten/window/grid_sampler.hpp>
#include <ahead/aten/window/low_memory_pool.hpp>
#include <ahead/aten/window/pad.hpp>
#include <ahead/aten/window/pool.hpp>
#include <ahead/aten/window/upsample.hpp>
#include <ahead/aten/window/upsample_gradients.hpp>

namespace AHEAD_NAMESPACE::aten {

/// pointwise/: operators defined by a one-line meaning.
using pointwise_ops =
    join<unary_ops, rounding_ops, activation_ops, arithmetic_ops, division_ops, power_ops, extreme_ops, comparison_ops,
         logic_ops, ternary_ops, gradient_ops, special_ops, complex_pointwise_ops>;
/// The pointwise operators that also have an in-place form.
using in_place_pointwise_ops =
    join<in_place_unary_ops, in_place_rounding_ops, in_place_activation_ops, in_place_arithmetic_ops,
         in_place_power_ops, in_place_extreme_ops, in_place_ternary_ops>;

using shape_ops = join<view_ops, permute_ops, expand_ops, slice_ops, split_ops, rearrange_ops, view_scatter_ops,
                       diagonal_ops, number_ops, number_arithmetic_ops>;
using product_ops =
    join<matmul_ops, convolution_ops, attention_ops, attention_gradient_ops, outer_ops, einsum_ops, recurrent_ops,
         fourier_ops, transform_ops, contraction_ops, cross_ops, short_time_ops, multi_head_ops, quantised_product_ops>;
using linear_algebra_ops = join<check_ops, eigen_ops, factor_ops, inverse_ops, singular_value_ops, solve_ops>;
using window_ops = join<pool_ops, low_memory_pool_ops, average_pool_ops, pad_ops, upsample_ops, upsample_gradient_ops,
                        grid_sampler_ops, column_ops, fractional_pool_ops, window_gradient_ops>;
using reduction_ops = join<reduce_ops, variance_ops, norm_ops, distance_ops, arg_reduce_ops, trapezoid_ops,
                           segment_reduce_ops, hash_tensor_ops>;
using normalise_ops = join<softmax_ops, layer_norm_ops, group_norm_ops, batch_norm_ops, norm_gradient_ops, loss_ops,
                           class_loss_ops, cross_entropy_ops, linear_cross_entropy_ops>;
using creation_ops = join<copy_ops, fill_ops, cat_ops, create_ops, range_ops>;
using indexing_ops = join<gather_ops, embedding_ops, index_ops, scatter_ops, index_put_ops, masked_ops, sort_ops,
                          median_ops, search_ops, count_ops, masked_index_ops, unique_ops>;

/// TorchAir's operators.
using air_ops = join<op_list<air::print, air::wait_tensor>, stream_ops>;

/// All other operators; those that compute elements have an evaluate.
using evaluated_ops =
    join<shape_ops, gated_ops, product_ops, linear_algebra_ops, window_ops, reduction_ops, normalise_ops, creation_ops,
         indexing_ops, philox_ops, inductor_ops, frexp_ops, nextafter_ops, quantise_ops, complex_ops, foreach_ops>;

struct registry : join<pointwise_ops, in_place_pointwise_ops, evaluated_ops, random_ops, control_ops, air_ops> {};

} // namespace ahead::aten
