// SPDX-License-Identifier: MIT
// The converter of every pointwise operator: the device operator with the same meaning and the same arguments. In-place
// operators do not reach it: import makes them functional.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/pointwise.hpp>

namespace AHEAD_NAMESPACE::convert {

/// Numbers that PyTorch rounds to the f16 or bf16 of the other operands are rounded here: keys hold the values that are
/// computed with. Refuses complex numbers that c64 cannot represent, next to tensors of f64 and c128, because kernels
/// hold them as c64.
template <unsigned Rounded> constexpr bool convert_pointwise(convert_context& c) {
    if (is_complex(c.aten.result_type().type)) {
        const auto g = c.aten.in();
        const auto& n = g[c.aten.id()];
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g[n.arguments[i]];
            if (a.kind != argument_kind::complex || c.aten.result_type().type == dtype::c64) continue;
            const auto number = complex_of(a);
            if (complex128(math::convert<complex64>(number)) == number) continue;
            return c.refuse(fault::dtype_is_unsupported, "a number that c64 holds, or a tensor of c128", a.text);
        }
    }
    return c.create_same(Rounded);
}

template <class Op> struct pointwise {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool (&convert)(convert_context&) = 
        convert_pointwise<aten::bits_of(Op::numbers, Op::operands, std::size(Op::schema))>; // one function per kind
};

} // namespace ahead::convert
