// SPDX-License-Identifier: MIT
// Converters of aten/matmul.hpp: everything becomes npu.matmul; a right operand known at load is packed by prepare.
#pragma once
#include <ahead/aten/matmul.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/device_ops.hpp>

namespace ahead::convert {

/// a @ b + bias, bias None where there is none. Packs b if it is a constant of a floating dtype.
constexpr argument emit_matmul(convert_context& c, const argument& a, argument b, const argument& bias) {
    const auto m = c.type_of(a).size(0);
    const auto n = c.type_of(b).size(1);
    if (c.is_constant(b) && !c.is_constant(a) && is_floating(c.type_of(b).type)) b = c.emit<device::pack_matmul>({b, argument::of(m)});
    return c.emit<device::matmul>({a, b, bias, argument::of(n)});
}

struct mm {
    using op = aten::mm;
    static constexpr bool convert(convert_context& c) { return c.finish(emit_matmul(c, c.operand(0), c.operand(1), {})); }
};

/// With beta or alpha other than 1, the product and the bias are scaled by the pointwise operators that mean it.
struct addmm {
    using op = aten::addmm;
    static constexpr bool convert(convert_context& c) {
        if (c.aten.real(3) != 1 || c.aten.real(4) != 1)
            return c.refuse(fault::operator_has_no_kernel, "beta = 1 and alpha = 1", short_text("another factor"));
        return c.finish(emit_matmul(c, c.operand(1), c.operand(2), c.operand(0)));
    }
};

} // namespace ahead::convert
