// SPDX-License-Identifier: MIT
// The kernels of all of the device's own operators: each file ends with the kernel_for of its operators. A new one is
// added here.
#pragma once
#include <ahead/kernels/ai_cpu.hpp>
#include <ahead/kernels/arg_reduce.hpp>
#include <ahead/kernels/average_pool2d.hpp>
#include <ahead/kernels/cast.hpp>
#include <ahead/kernels/control.hpp>
#include <ahead/kernels/convolution/convolution.hpp>
#include <ahead/kernels/copy.hpp>
#include <ahead/kernels/cumulate.hpp>
#include <ahead/kernels/fft.hpp>
#include <ahead/kernels/fused.hpp>
#include <ahead/kernels/fused_rows.hpp>
#include <ahead/kernels/index/embedding_bag.hpp>
#include <ahead/kernels/index/gather.hpp>
#include <ahead/kernels/index/index_select.hpp>
#include <ahead/kernels/index/scatter.hpp>
#include <ahead/kernels/index/search.hpp>
#include <ahead/kernels/index/sort.hpp>
#include <ahead/kernels/layer_norm.hpp>
#include <ahead/kernels/max_pool2d.hpp>
#include <ahead/kernels/pad.hpp>
#include <ahead/kernels/pointwise.hpp>
#include <ahead/kernels/print.hpp>
#include <ahead/kernels/product/attention.hpp>
#include <ahead/kernels/product/int_matmul.hpp>
#include <ahead/kernels/product/matmul.hpp>
#include <ahead/kernels/product/recurrent.hpp>
#include <ahead/kernels/quantised/convolution.hpp>
#include <ahead/kernels/quantised/matmul.hpp>
#include <ahead/kernels/random.hpp>
#include <ahead/kernels/reduce.hpp>
#include <ahead/kernels/resize.hpp>
#include <ahead/kernels/softmax.hpp>
