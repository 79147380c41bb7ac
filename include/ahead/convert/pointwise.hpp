// SPDX-License-Identifier: MIT
// The converter of every pointwise operator: the device operator of the same meaning, with the same arguments. In-place operators
// do not come here; import makes them functional.
#pragma once
#include <ahead/convert/convert.hpp>
#include <ahead/target/pointwise_op.hpp>

namespace ahead::convert {

template <class Op> struct pointwise {
    using op = Op;
    static constexpr bool convert(convert_context& c) {
        std::array<argument, max_parameters> arguments{};
        const auto count = std::size(Op::schema);
        for (std::size_t i = 0; i < count; ++i) {
            const auto& given = c.aten.at(static_cast<int>(i));
            arguments[i] = given.kind == argument_kind::node ? c.operand(given) : given;
            arguments[i].keyword = {};
        }
        return c.finish(c.emit(device::pointwise<Op>::name, std::span(arguments.data(), count)));
    }
};

} // namespace ahead::convert
