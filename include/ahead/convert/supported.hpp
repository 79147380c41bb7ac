// SPDX-License-Identifier: MIT
// The calls that a converter declares to support, which become tests (differential/run_supported.hpp).
//     struct convert_add {
//         using op = aten::add;
//         static constexpr bool convert(convert_context&);
//         using supported = cases<support<f32<2, 2>, f32<2, 1>, keyword<"alpha", integer<2>>>, support<f64<3>,
//         weight<f64<3>>>>;
//     };
// Invariant: only names. A case costs nothing unless it is run. Source: TorchAir's declare_supported.
#pragma once
#include <ahead/ir/type/static_type.hpp>

namespace AHEAD_NAMESPACE::convert {

/// A tensor that is one of the weights, so that prepare may change its layout; all others are inputs of the run.
template <class Type> struct weight {};

/// A list of tensors as one argument; `none` for a tensor that is left out.
template <class... Tensors> struct tensor_list {};

/// A floating-point argument, as C++ writes it: real<"1e-5">.
template <fixed_string Digits> struct real {};

/// One call: its arguments in schema order. Tensor types, weight, tensor_list, integer, flag, real, ints, dtype_is,
/// word, none; keyword of these.
template <class... Arguments> struct support {};

/// All declared cases.
template <class... Supports> struct cases {};

} // namespace ahead::convert

namespace AHEAD_NAMESPACE {
using convert::cases, convert::real, convert::support, convert::tensor_list, convert::weight;
} // namespace ahead
