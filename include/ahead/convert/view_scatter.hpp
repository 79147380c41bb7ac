// SPDX-License-Identifier: MIT
// Converters of the operators that give a tensor other elements in a view of it: the view alone is written where the
// tensor's memory may be taken over.
#pragma once
#include <ahead/aten/shape/view_scatter.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/scatter_view.hpp>

namespace AHEAD_NAMESPACE::convert {

template <class Op> struct view_scattered {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto& whole = c.aten.result_type();
        auto self = c.operand(op::at::self);
        const auto& now = c.type_of(self);
        bool same_order = true;
        for (int d = 0; d < whole.rank; ++d)
            same_order = same_order && (whole.size(d) == 1 || whole.stride(d) == now.stride(d));
        if (!same_order && !is_contiguous(whole)) return c.run_meaning();
        if (!same_order) self = c.contiguous(self);
        const auto part = Op::part(c.aten, whole);
        int_list strides;
        for (int d = 0; d < part.rank; ++d) strides.push_back(part.stride(d));
        return c.finish(c.template emit<device::scatter_view>(
            {self, c.operand(op::at::src), c.list(sizes_of(part)), c.list(strides), argument::of(part.offset)}));
    }
};

using view_scatter_converters =
    converter_list<view_scattered<aten::slice_scatter>, view_scattered<aten::select_scatter>,
                   view_scattered<aten::diagonal_scatter>, view_scattered<aten::as_strided_scatter>>;

} // namespace ahead::convert
