// SPDX-License-Identifier: MIT
// Converters of the operators that only copy (aten/copy_elements.hpp). Nothing is written twice on the device, so a copy of elements that
// lie in the right order already is a view of them.
#pragma once
#include <ahead/aten/copy.hpp>
#include <ahead/aten/view.hpp>
#include <ahead/convert/convert.hpp>

namespace ahead::convert {

template <class Op> struct copied {
    using op = Op;
    static constexpr bool convert(convert_context& c) {
        const auto& from = c.aten.tensor(0);
        auto to = c.aten.result_type();
        if (from.type != to.type) return c.run_meaning();
        auto source = c.operand(0);
        const bool same_order = sizes_of(from) == sizes_of(to) && from.strides == to.strides;
        if (!same_order && !is_contiguous(to)) return c.run_meaning();
        if (!same_order) source = c.contiguous(source);
        to.offset = c.type_of(source).offset;
        return c.finish(c.view(source, to));
    }
};

using copy_converters = converter_list<copied<aten::clone>, copied<aten::lift_fresh_copy>, copied<aten::contiguous>, copied<aten::to_copy>,
                                       copied<aten::convert_element_type>, copied<aten::to_dtype>, copied<aten::type_as>, copied<aten::reshape>,
                                       copied<aten::view_copy>, copied<aten::flatten>>;

} // namespace ahead::convert
