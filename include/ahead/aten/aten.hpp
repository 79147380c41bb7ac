// SPDX-License-Identifier: MIT
// aten::registry: every operator that ahead knows. Add a family's list here; users append with aten::registry::with<my::op>.
// A struct rather than a name for the list, so that symbols say `registry` and not 300 operators.
#pragma once
#include <ahead/aten/arg_reduce.hpp>
#include <ahead/aten/convolution.hpp>
#include <ahead/aten/copy.hpp>
#include <ahead/aten/create.hpp>
#include <ahead/aten/gather.hpp>
#include <ahead/aten/gradients.hpp>
#include <ahead/aten/loss.hpp>
#include <ahead/aten/matmul.hpp>
#include <ahead/aten/normalise.hpp>
#include <ahead/aten/pad.hpp>
#include <ahead/aten/philox.hpp>
#include <ahead/aten/pointwise_activation.hpp>
#include <ahead/aten/pointwise_arithmetic.hpp>
#include <ahead/aten/pointwise_attributes.hpp>
#include <ahead/aten/pointwise_comparison.hpp>
#include <ahead/aten/pointwise_gradients.hpp>
#include <ahead/aten/pointwise_unary.hpp>
#include <ahead/aten/pool.hpp>
#include <ahead/aten/print.hpp>
#include <ahead/aten/random.hpp>
#include <ahead/aten/rearrange.hpp>
#include <ahead/aten/reduce.hpp>
#include <ahead/aten/scatter.hpp>
#include <ahead/aten/slice.hpp>
#include <ahead/aten/softmax.hpp>
#include <ahead/aten/sort.hpp>
#include <ahead/aten/streams.hpp>
#include <ahead/aten/upsample.hpp>
#include <ahead/aten/view.hpp>
#include <ahead/aten/view_scatter.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The operators that are one line of meaning.
using pointwise_ops = join<unary_ops, activation_ops, arithmetic_ops, comparison_ops, attribute_ops, gradient_ops>;

/// Those of TorchAir.
using air_ops = join<op_list<air::print, air::wait_tensor>, stream_ops>;

/// The others: those that compute have an evaluate.
using evaluated_ops = join<view_ops, slice_ops, matmul_ops, convolution_ops, pool_ops, pad_ops, reduce_ops, arg_reduce_ops, softmax_ops, copy_ops,
                           rearrange_ops, view_scatter_ops, create_ops, gather_ops, scatter_ops, normalise_ops, sort_ops, upsample_ops, loss_ops, model_gradient_ops, philox_ops>;

struct registry
    : join<pointwise_ops, in_place_unary_ops, in_place_activation_ops, in_place_arithmetic_ops, in_place_attribute_ops, evaluated_ops, random_ops, air_ops> {};

} // namespace ahead::aten
