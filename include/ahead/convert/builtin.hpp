// SPDX-License-Identifier: MIT
// The built-in converters and the device operators that they create, one list each. A new family of converters is added
// here.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/convert/complex.hpp>
#include <ahead/convert/concat.hpp>
#include <ahead/convert/control.hpp>
#include <ahead/convert/convolution.hpp>
#include <ahead/convert/copy.hpp>
#include <ahead/convert/fourier.hpp>
#include <ahead/convert/gather.hpp>
#include <ahead/convert/index_put.hpp>
#include <ahead/convert/linalg.hpp>
#include <ahead/convert/normalise.hpp>
#include <ahead/convert/pad.hpp>
#include <ahead/convert/pointwise.hpp>
#include <ahead/convert/pool.hpp>
#include <ahead/convert/product/matmul.hpp>
#include <ahead/convert/product/quantised.hpp>
#include <ahead/convert/product/recurrent.hpp>
#include <ahead/convert/random.hpp>
#include <ahead/convert/reduce.hpp>
#include <ahead/convert/resize.hpp>
#include <ahead/convert/softmax.hpp>
#include <ahead/convert/sort.hpp>
#include <ahead/convert/view_scatter.hpp>
#include <ahead/device/device_ops.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class Ops> struct for_pointwise;
template <class... Ops> struct for_pointwise<op_list<Ops...>> {
    using converters = convert::converter_list<convert::pointwise<Ops>...>;
    using device_ops = op_list<device::pointwise<Ops>...>;
};
template <class Ops> struct for_ai_cpu;
template <class... Ops> struct for_ai_cpu<op_list<Ops...>> { using device_ops = op_list<device::ai_cpu<Ops>...>; };

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::convert {

// The lists are structs, not aliases, so that symbols contain `registry` and not every operator.

struct builtin_converters
    : join<convert::matmul_converters, convert::quantised_converters, convert::convolution_converters,
           convert::pool_converters, convert::pad_converters, convert::reduce_converters, convert::softmax_converters,
           convert::normalise_converters, convert::copy_converters, convert::view_scatter_converters,
           convert::concat_converters, convert::control_converters, convert::gather_converters,
           convert::index_put_converters, convert::sort_converters, convert::resize_converters,
           convert::resize_gradient_converters, convert::recurrent_converters, convert::random_converters,
           convert::fourier_converters, convert::complex_converters, convert::linalg_converters,
           ahead::detail::for_pointwise<aten::pointwise_ops>::converters> {};

} // namespace ahead::convert
namespace AHEAD_NAMESPACE::device {

struct registry : join<own_ops, aten::stream_ops, ahead::detail::for_pointwise<aten::pointwise_ops>::device_ops,
                       ahead::detail::for_ai_cpu<aten::evaluated_ops>::device_ops> {};

} // namespace ahead::device
