// SPDX-License-Identifier: MIT
// Converters of aten/index/gather.hpp: embedding becomes npu.embedding.
#pragma once
#include <ahead/aten/index/gather.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/embedding.hpp>

namespace AHEAD_NAMESPACE::convert {

struct embedding {
    using op = aten::embedding;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<weight<f32<5, 3>>, i64<4>>, support<f64<4, 2>, i64<2, 3>, integer<0>>,
                            support<weight<i64<4, 1>>, i32<2, 1, 2>>,
                            support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, i64<3>>>;
    static constexpr bool convert(convert_context& c) {
        return c.finish(c.emit<device::embedding>(
            {c.contiguous(c.operand(op::at::weight)), c.contiguous(c.operand(op::at::indices))}));
    }
};

using gather_converters = converter_list<embedding>;

} // namespace ahead::convert
