// SPDX-License-Identifier: MIT
// Converters of aten/window/pad.hpp to npu.pad.
#pragma once
#include <ahead/aten/window/pad.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/pad.hpp>

namespace AHEAD_NAMESPACE::convert {

constexpr bool convert_pad(convert_context& c, int list, device::pad_mode mode, const argument& value) {
    const auto pad = aten::paddings_of(c.aten, list, c.aten.result_type().rank);
    return c.bind_row_major(c.create<device::pad>({c.operand(first_parameter), c.list(pad.before), c.list(pad.after),
                                                     argument::of(static_cast<int>(mode)), value}));
}

struct constant_pad_nd {
    using op = aten::constant_pad_nd;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<2, 3>, ints<1, 2, 0, 1>, real<"0.5">>, support<f64<2, 3, 4>, ints<2, 0>>,
                            support<i64<5>, ints<-1, 2>, integer<7>>, support<f32<4, 4>, ints<-1, -1, -1, -1>>>;
    static constexpr bool convert(convert_context& c) {
        auto value = c.aten.at(op::at::value);
        if (value.kind == argument_kind::complex) return c.emit_ai_cpu_call();
        value.keyword = {};
        return convert_pad(c, op::at::pad, device::pad_mode::constant, value);
    }
};
template <class Op, device::pad_mode Mode, class Cases> struct edge_padding {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using supported = Cases;
    static constexpr bool convert(convert_context& c) { return convert_pad(c, op::at::padding, Mode, argument::of(0)); }
};

using pad1d_cases = cases<support<f32<2, 5>, ints<1, 2>>, support<f64<1, 2, 4>, ints<0, 3>>>;
using pad2d_cases = cases<support<f32<2, 4, 5>, ints<1, 2, 0, 3>>, support<i64<1, 2, 4, 4>, ints<2, 0, 1, 1>>>;
using pad3d_cases = cases<support<f32<1, 3, 4, 5>, ints<1, 2, 0, 3, 1, 1>>>;
using pad_converters =
    converter_list<constant_pad_nd, edge_padding<aten::reflection_pad1d, device::pad_mode::reflect, pad1d_cases>,
                   edge_padding<aten::reflection_pad2d, device::pad_mode::reflect, pad2d_cases>,
                   edge_padding<aten::reflection_pad3d, device::pad_mode::reflect, pad3d_cases>,
                   edge_padding<aten::replication_pad1d, device::pad_mode::replicate, pad1d_cases>,
                   edge_padding<aten::replication_pad2d, device::pad_mode::replicate, pad2d_cases>,
                   edge_padding<aten::replication_pad3d, device::pad_mode::replicate, pad3d_cases>>;

} // namespace ahead::convert
