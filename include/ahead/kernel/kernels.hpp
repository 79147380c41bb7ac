// SPDX-License-Identifier: MIT
// The kernels of all of the device's own operators: each file ends with the kernel_for of its operators. A new one is
// added here.
#pragma once
#include <ahead/kernel/ai_cpu.hpp>
#include <ahead/kernel/arg_reduce.hpp>
#include <ahead/kernel/average_pool2d.hpp>
#include <ahead/kernel/cast.hpp>
#include <ahead/kernel/control.hpp>
#include <ahead/kernel/convolution/convolution.hpp>
#include <ahead/kernel/copy.hpp>
#include <ahead/kernel/cumulate.hpp>
#include <ahead/kernel/fft.hpp>
#include <ahead/kernel/fused.hpp>
#include <ahead/kernel/fused_rows.hpp>
#include <ahead/kernel/index/embedding_bag.hpp>
#include <ahead/kernel/index/gather.hpp>
#include <ahead/kernel/index/index_select.hpp>
#include <ahead/kernel/index/scatter.hpp>
#include <ahead/kernel/index/search.hpp>
#include <ahead/kernel/index/sort.hpp>
#include <ahead/kernel/layer_norm.hpp>
#include <ahead/kernel/max_pool2d.hpp>
#include <ahead/kernel/pad.hpp>
#include <ahead/kernel/pointwise.hpp>
#include <ahead/kernel/print.hpp>
#include <ahead/kernel/product/attention.hpp>
#include <ahead/kernel/product/int_matmul.hpp>
#include <ahead/kernel/product/matmul.hpp>
#include <ahead/kernel/product/recurrent.hpp>
#include <ahead/kernel/quantised/convolution.hpp>
#include <ahead/kernel/quantised/matmul.hpp>
#include <ahead/kernel/random.hpp>
#include <ahead/kernel/reduce.hpp>
#include <ahead/kernel/resize.hpp>
#include <ahead/kernel/softmax.hpp>
