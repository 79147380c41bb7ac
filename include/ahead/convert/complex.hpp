// SPDX-License-Identifier: MIT
// Converters of aten/pointwise/complex.hpp: complex numbers and their parts are the same bytes, so view_as_real and
// view_as_complex convert to views.
#pragma once
#include <ahead/aten/pointwise/complex.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/copy.hpp>

namespace AHEAD_NAMESPACE::convert {

/// In row-major order, in memory that a call of the graph writes, not in an input or a constant: an input of which
/// several views are returned becomes one tensor.
constexpr argument own_contiguous(convert_context& c, const argument& x) {
    const auto made = c.contiguous(x);
    const bool is_given = made.kind == argument_kind::node && is_external(c.out(), made);
    return is_given ? c.create<device::copy>({made}) : made;
}

struct parts_of_complex {
    using op = aten::view_as_real;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<c64<2, 3>>, support<c128<4>>, support<c64<>>,
                            support<strided<dtype::c64, ints<3, 2>, ints<1, 3>, 0>>>;
    static constexpr bool convert(convert_context& c) {
        const auto x = own_contiguous(c, c.operand(op::at::self));
        auto type = c.aten.result_type();
        type.offset = 2 * c.type_of(x).offset;
        return c.bind_result(c.view(x, type));
    }
};

struct complex_of_parts {
    using op = aten::view_as_complex;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<3, 2>>, support<f64<2, 4, 2>>, support<f32<2>>>;
    static constexpr bool convert(convert_context& c) {
        auto x = own_contiguous(c, c.operand(op::at::self));
        if (c.type_of(x).offset % 2 != 0) x = c.create<device::copy>({x}); // a number must be aligned for its dtype
        auto type = c.aten.result_type();
        type.offset = c.type_of(x).offset / 2;
        return c.bind_result(c.view(x, type));
    }
};

using complex_converters = converter_list<parts_of_complex, complex_of_parts>;

} // namespace ahead::convert
