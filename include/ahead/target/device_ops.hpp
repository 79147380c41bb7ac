// SPDX-License-Identifier: MIT
// The device's operators, a file each in op/: key, operator (device_operator.hpp says what one is), needs, work.
// npu.view has no key: it is no task. What the AI CPU runs has none either: its kernel reads the call itself.
#pragma once
#include <ahead/ir/registry.hpp>
#include <ahead/target/op/ai_cpu.hpp>
#include <ahead/target/op/arg_reduce.hpp>
#include <ahead/target/op/assign.hpp>
#include <ahead/target/op/average_pool2d.hpp>
#include <ahead/target/op/blocks/cond.hpp>
#include <ahead/target/op/blocks/prepare_block.hpp>
#include <ahead/target/op/blocks/scan.hpp>
#include <ahead/target/op/blocks/while_loop.hpp>
#include <ahead/target/op/cast.hpp>
#include <ahead/target/op/concat.hpp>
#include <ahead/target/op/convolution.hpp>
#include <ahead/target/op/copy.hpp>
#include <ahead/target/op/cumulate.hpp>
#include <ahead/target/op/fft.hpp>
#include <ahead/target/op/fused.hpp>
#include <ahead/target/op/fused_rows.hpp>
#include <ahead/target/op/index/embedding_bag.hpp>
#include <ahead/target/op/index/gather.hpp>
#include <ahead/target/op/index/index_select.hpp>
#include <ahead/target/op/index/scatter.hpp>
#include <ahead/target/op/index/search.hpp>
#include <ahead/target/op/index/sort.hpp>
#include <ahead/target/op/layer_norm.hpp>
#include <ahead/target/op/max_pool2d.hpp>
#include <ahead/target/op/pack_convolution.hpp>
#include <ahead/target/op/pad.hpp>
#include <ahead/target/op/pointwise.hpp>
#include <ahead/target/op/print.hpp>
#include <ahead/target/op/product/attention.hpp>
#include <ahead/target/op/product/batch_matmul.hpp>
#include <ahead/target/op/product/int_matmul.hpp>
#include <ahead/target/op/product/matmul.hpp>
#include <ahead/target/op/product/pack_matmul.hpp>
#include <ahead/target/op/product/recurrent.hpp>
#include <ahead/target/op/quantised/quantized_convolution.hpp>
#include <ahead/target/op/quantised/quantized_matmul.hpp>
#include <ahead/target/op/random.hpp>
#include <ahead/target/op/reduce.hpp>
#include <ahead/target/op/resize.hpp>
#include <ahead/target/op/scatter_view.hpp>
#include <ahead/target/op/softmax.hpp>
#include <ahead/target/op/view.hpp>

namespace AHEAD_NAMESPACE::device {

/// All but those that are made of ATen's: device::pointwise, device::ai_cpu. A new one is added here.
using own_ops = op_list<print, view, copy, cast, assign, scatter_view, fused, fused_rows, matmul, batch_matmul,
                        attention, int_matmul, pack_matmul, quantized_matmul, pack_quantized, quantized_convolution,
                        pack_filters, convolution, pack_convolution, max_pool2d, pad, reduce, arg_reduce, cumulate,
                        softmax, layer_norm, concat, index_select, gather, scatter, sort, search, average_pool2d, resize,
                        recurrent, random, fft_roots, fft, embedding_bag, prepare_block, cond, while_loop, scan>;

} // namespace ahead::device
