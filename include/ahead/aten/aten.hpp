// SPDX-License-Identifier: MIT
// aten::registry: every operator that ahead knows. Add a family's list here; users append with
// aten::registry::with<my::op>. A struct rather than a name for the list, so that symbols say `registry` and not 300
// operators.
#pragma once
#include <ahead/air/print.hpp>
#include <ahead/air/streams.hpp>
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/create/create.hpp>
#include <ahead/aten/index/gather.hpp>
#include <ahead/aten/index/scatter.hpp>
#include <ahead/aten/index/sort.hpp>
#include <ahead/aten/normalise/loss.hpp>
#include <ahead/aten/normalise/normalise.hpp>
#include <ahead/aten/normalise/softmax.hpp>
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/pointwise/arithmetic.hpp>
#include <ahead/aten/pointwise/attributes.hpp>
#include <ahead/aten/pointwise/comparison.hpp>
#include <ahead/aten/pointwise/gradients.hpp>
#include <ahead/aten/pointwise/unary.hpp>
#include <ahead/aten/product/convolution.hpp>
#include <ahead/aten/product/matmul.hpp>
#include <ahead/aten/random/philox.hpp>
#include <ahead/aten/random/random.hpp>
#include <ahead/aten/reduce/arg_reduce.hpp>
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/aten/shape/rearrange.hpp>
#include <ahead/aten/shape/slice.hpp>
#include <ahead/aten/shape/view.hpp>
#include <ahead/aten/shape/view_scatter.hpp>
#include <ahead/aten/window/gradients.hpp>
#include <ahead/aten/window/pad.hpp>
#include <ahead/aten/window/pool.hpp>
#include <ahead/aten/window/upsample.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The operators that are one line of meaning.
using pointwise_ops = join<unary_ops, activation_ops, arithmetic_ops, comparison_ops, attribute_ops, gradient_ops>;

/// Those of TorchAir.
using air_ops = join<op_list<air::print, air::wait_tensor>, stream_ops>;

/// The others: those that compute have an evaluate.
using evaluated_ops =
    join<view_ops, slice_ops, matmul_ops, convolution_ops, pool_ops, pad_ops, reduce_ops, arg_reduce_ops, softmax_ops,
         copy_ops, rearrange_ops, view_scatter_ops, create_ops, gather_ops, scatter_ops, normalise_ops, sort_ops,
         upsample_ops, loss_ops, model_gradient_ops, philox_ops>;

struct registry : join<pointwise_ops, in_place_unary_ops, in_place_activation_ops, in_place_arithmetic_ops,
                       in_place_attribute_ops, evaluated_ops, random_ops, air_ops> {};

} // namespace ahead::aten
