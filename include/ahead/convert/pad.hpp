// SPDX-License-Identifier: MIT
// Converters of aten/pad.hpp: all become npu.pad.
#pragma once
#include <ahead/aten/pad.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/device_ops.hpp>

namespace ahead::convert {

/// aten's list gives pairs from the last dim to the first.
constexpr bool convert_pad(convert_context& c, target::pad_mode mode, const argument& value) {
    const auto pairs = c.aten.ints(1);
    const int rank = c.aten.tensor(0).rank;
    int_list before, after;
    for (int d = 0; d < rank; ++d) {
        const int pair = 2 * (rank - 1 - d);
        before.push_back(pair + 1 < pairs.size ? pairs[pair] : 0);
        after.push_back(pair + 1 < pairs.size ? pairs[pair + 1] : 0);
    }
    return c.finish(c.emit<device::pad>({c.operand(0), c.list(before), c.list(after), argument::of(static_cast<int>(mode)), value}));
}

struct constant_pad_nd {
    using op = aten::constant_pad_nd;
    static constexpr bool convert(convert_context& c) {
        auto value = c.aten.at(2);
        value.keyword = {};
        return convert_pad(c, target::pad_mode::constant, value);
    }
};
template <class Op, target::pad_mode Mode> struct edge_padding {
    using op = Op;
    static constexpr bool convert(convert_context& c) { return convert_pad(c, Mode, argument::of(0)); }
};

using pad_converters = converter_list<
    constant_pad_nd, edge_padding<aten::reflection_pad1d, target::pad_mode::reflect>, edge_padding<aten::reflection_pad2d, target::pad_mode::reflect>,
    edge_padding<aten::reflection_pad3d, target::pad_mode::reflect>, edge_padding<aten::replication_pad1d, target::pad_mode::replicate>,
    edge_padding<aten::replication_pad2d, target::pad_mode::replicate>, edge_padding<aten::replication_pad3d, target::pad_mode::replicate>>;

} // namespace ahead::convert
