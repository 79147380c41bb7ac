// SPDX-License-Identifier: MIT
// Converters of the operators that replace the elements of a view of a tensor: only the view is written if the tensor's
// memory may be taken over.
#pragma once
#include <ahead/aten/shape/view_scatter.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/index/scatter.hpp>
#include <ahead/device/scatter_view.hpp>
#include <ahead/device/view.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// If src is the view that an npu.scatter of self wrote, and that scatter wrote exactly this view and nothing else, its
/// result; else None.
constexpr argument written_so(const convert_context& c, const argument& self, const argument& src,
                              const tensor_type& part) {
    const auto g = c.out();
    const auto& view = g[src.node()];
    if (!device::is_view(view) || g[view.arguments[0]].kind != argument_kind::node) return {};
    const auto made = g[view.arguments[0]];
    const auto& written = g[made.node()];
    if (!is_call_of<device::scatter>(written) || g.value_of(src).type != part) return {};
    const auto& into = g.argument_of(written, device::scatter::at::self);
    const bool is_whole = into.node() == self.node() && into.result == self.result;
    const auto given = [&](int i) { return g.argument_of(written, i); };
    bool same = is_whole && given(device::scatter::at::offset).integer() == part.offset;
    const auto sizes = given(device::scatter::at::size), strides = given(device::scatter::at::stride);
    same = same && sizes.children.count == part.rank;
    for (int d = 0; same && d < part.rank; ++d)
        same = g[sizes.children[d]].integer() == part.size(d) && g[strides.children[d]].integer() == part.stride(d);
    return same ? argument::of(made.node()) : argument{};
}
/// self with src in the view `part`.
constexpr bool convert_view_scatter(convert_context& c, argument self, const argument& src, const tensor_type& part) {
    const auto& whole = c.aten.result_type();
    const auto& now = c.type_of(self);
    bool same_order = true;
    for (int d = 0; d < whole.rank; ++d)
        same_order = same_order && (whole.size(d) == 1 || whole.stride(d) == now.stride(d));
    if (!same_order) self = c.laid_out_as(self, whole);
    if (const auto made = written_so(c, self, src, part); made.kind == argument_kind::node) return c.bind_result(made);
    return c.bind_result(c.create<device::scatter_view>(
        {self, src, c.list(sizes_of(part)), c.list(strides_of(part)), argument::of(part.offset)}));
}

} // namespace detail

template <class Op> struct view_scattered {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        return detail::convert_view_scatter(c, c.operand(op::at::self), c.operand(op::at::src),
                                            Op::part(c.aten, c.aten.result_type()));
    }
};

using view_scatter_converters =
    converter_list<view_scattered<aten::slice_scatter>, view_scattered<aten::select_scatter>,
                   view_scattered<aten::diagonal_scatter>, view_scattered<aten::as_strided_scatter>>;

} // namespace ahead::convert
