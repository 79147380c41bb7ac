// SPDX-License-Identifier: MIT
// Converters of the operators that only copy (aten/create/copy_elements.hpp). Every device value is written once, so a
// copy of elements that already have the right order is a view of them.
#pragma once
#include <ahead/aten/create/fill.hpp>
#include <ahead/aten/shape/expand.hpp>
#include <ahead/aten/shape/view.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/convert/gather.hpp>
#include <ahead/device/cast.hpp>

namespace AHEAD_NAMESPACE::convert {

/// The converter that all of them share.
struct copying {
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto& from = c.aten.tensor(first_parameter);
        auto to = c.aten.result_type();
        auto source = c.operand(first_parameter);
        if (from.type != to.type) {
            if (!device::cast::takes(from.type, to.type)) return c.emit_ai_cpu_call();
            source = c.create<device::cast>({source, argument::of(to.type)});
            if (same_strides(like(from, to.type), to)) return c.bind_result(source);
        }
        const bool same_sizes = sizes_of(from) == sizes_of(to);
        if (same_sizes && c.type_of(source).strides != to.strides) return c.bind_row_major(source);
        if (!same_sizes && !is_contiguous(to)) return c.emit_ai_cpu_call();
        if (!same_sizes) source = c.contiguous(source);
        to.offset = c.type_of(source).offset;
        return c.bind_result(c.view(source, to));
    }
};
template <class Op, class Cases = cases<>> struct copied : copying {
    using op = Op;
    using supported = Cases;
};

/// No cases: a device argument cannot be written in one.
struct device_put : copying {
    using op = aten::device_put;
};

/// copy: the elements of parameter 1, which broadcast, in the layout of parameter 0.
struct copied_like {
    using op = aten::copy;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto &from = c.aten.tensor(op::at::src), &to = c.aten.result_type();
        if (from.type != to.type && !device::cast::takes(from.type, to.type)) return c.emit_ai_cpu_call();
        auto source = c.operand(op::at::src);
        if (from.type != to.type) source = c.create<device::cast>({source, argument::of(to.type)});
        return c.bind_row_major(spread(c, source, sizes_of(to)));
    }
    using supported =
        cases<support<f32<4, 3>, strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>>, support<i64<4>, i64<4>>,
              support<f32<2, 3>, f32<3>>, support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, i64<4, 1>>>;
};

using columns_first = strided<dtype::f32, ints<3, 4>, ints<1, 3>, 0>; // [4, 3] with its dims exchanged
using copy_cases = cases<support<f32<2, 3>>, support<columns_first>, support<i64<4>>, support<b8<2, 2>>>;
using reshape_cases =
    cases<support<f32<2, 3>, ints<3, 2>>, support<columns_first, ints<2, 6>>, support<f64<8>, ints<2, -1, 2>>>;
using copy_converters =
    converter_list<copied_like, copied<aten::clone, copy_cases>, copied<aten::lift_fresh_copy, copy_cases>,
                   copied<aten::contiguous, copy_cases>, copied<aten::to_copy, copy_cases>,
                   copied<aten::convert_element_type,
                          cases<support<f32<3>, dtype_is<dtype::f32>>, support<f32<3>, dtype_is<dtype::bf16>>,
                                support<i64<2, 3>, dtype_is<dtype::f32>>, support<f64<3>, dtype_is<dtype::i8>>,
                                support<columns_first, dtype_is<dtype::f16>>>>,
                   device_put, copied<aten::to_dtype, cases<support<columns_first, dtype_is<dtype::f32>>>>,
                   copied<aten::to_dtype_layout, copy_cases>, copied<aten::ravel, cases<support<columns_first>>>,
                   copied<aten::reshape_as, cases<support<f32<2, 3>, f32<3, 2>>, support<columns_first, f64<2, 6>>>>,
                   copied<aten::squeeze_copy, cases<support<f32<2, 1, 3>, ints<1, 2>>>>,
                   copied<aten::type_as, cases<support<f32<2, 2>, f32<5>>>>, copied<aten::reshape, reshape_cases>,
                   copied<aten::view_copy, cases<support<f32<2, 3>, ints<3, 2>>>>,
                   copied<aten::flatten, cases<support<f32<2, 3, 4>, integer<1>>, support<columns_first>>>>;

} // namespace ahead::convert
