// SPDX-License-Identifier: MIT
// The device's operators, each in a file of this folder: key, operator (see device_operator.hpp), needs, work. npu.view
// does not have a key because it is not a task. Operators of the AI CPU, npu.prepare_block, npu.cond, npu.while_loop
// and npu.scan do not have one either: the AI CPU, or the kernel, reads the call.
#pragma once
#include <ahead/device/ai_cpu.hpp>
#include <ahead/device/arg_reduce.hpp>
#include <ahead/device/assign.hpp>
#include <ahead/device/average_pool2d.hpp>
#include <ahead/device/blocks/cond.hpp>
#include <ahead/device/blocks/prepare_block.hpp>
#include <ahead/device/blocks/scan.hpp>
#include <ahead/device/blocks/while_loop.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/convolution.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/cumulate.hpp>
#include <ahead/device/fft.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/fused_rows.hpp>
#include <ahead/device/index/embedding_bag.hpp>
#include <ahead/device/index/gather.hpp>
#include <ahead/device/index/index_select.hpp>
#include <ahead/device/index/scatter.hpp>
#include <ahead/device/index/search.hpp>
#include <ahead/device/index/sort.hpp>
#include <ahead/device/layer_norm.hpp>
#include <ahead/device/linalg/decompose.hpp>
#include <ahead/device/linalg/solve.hpp>
#include <ahead/device/max_pool2d.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/device/pad.hpp>
#include <ahead/device/pointwise.hpp>
#include <ahead/device/print.hpp>
#include <ahead/device/product/attention.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/product/int_matmul.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/device/product/recurrent.hpp>
#include <ahead/device/product/weight_int8_matmul.hpp>
#include <ahead/device/quantised/quantized_convolution.hpp>
#include <ahead/device/quantised/quantized_matmul.hpp>
#include <ahead/device/random.hpp>
#include <ahead/device/reduce.hpp>
#include <ahead/device/resize.hpp>
#include <ahead/device/scatter_view.hpp>
#include <ahead/device/softmax.hpp>
#include <ahead/device/view.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::device {

/// All except those derived from ATen's: pointwise, ai_cpu. A new one is added here.
using own_ops =
    op_list<print, view, copy, cast, assign, scatter_view, fused, fused_rows, matmul, batch_matmul, attention,
            int_matmul, weight_int8_matmul, pack_matmul, quantized_matmul, pack_quantized, quantized_convolution,
            pack_filters, convolution, pack_convolution, max_pool2d, pad, reduce, arg_reduce, cumulate, softmax,
            layer_norm, concat, index_select, gather, scatter, sort, search, average_pool2d, resize, recurrent, random,
            fft_roots, fft, decompose, solve, embedding_bag, prepare_block, cond, while_loop, scan>;
/// The operators with a key that passes ask how they are partitioned and which kernels they may have. A toolchain adds
/// a user's (convert/toolchain.hpp).
struct builtin_operators {
    using device_ops = own_ops;
};

} // namespace ahead::device
