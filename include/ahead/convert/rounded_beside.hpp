// SPDX-License-Identifier: MIT
// Number operands of calls with tensors of f16 or bf16: PyTorch rounds them to the dtype in which the call computes.
// Called by convert.hpp.
#pragma once
#include <ahead/core/math/convert.hpp>
#include <ahead/ir/call.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The number `a`, rounded to f16 or bf16 if the call computes in that dtype.
constexpr argument rounded_beside(const call_view& c, const argument& a) {
    if (a.kind != argument_kind::real && a.kind != argument_kind::integer) return a;
    auto type = c.result_type().type;
    for (int i = 0; i < 2 && type == dtype::b8; ++i) // a comparison
        if (c.is_tensor(i)) type = c.tensor(i).type;
    if (!is_half(type)) return a;
    const auto given = call_view::to_real(a);
    const auto v = type == dtype::f16 ? math::convert<double>(math::convert<float16>(given))
                                      : math::convert<double>(math::convert<bfloat16>(given));
    return v == given ? a : argument::of(v);
}

} // namespace ahead::detail
