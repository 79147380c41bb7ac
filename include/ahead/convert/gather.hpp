// SPDX-License-Identifier: MIT
// Converters of aten/gather.hpp: embedding becomes npu.embedding.
#pragma once
#include <ahead/aten/gather.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/embedding_op.hpp>

namespace ahead::convert {

struct embedding {
    using op = aten::embedding;
    static constexpr bool convert(convert_context& c) {
        return c.finish(c.emit<device::embedding>({c.contiguous(c.operand(0)), c.contiguous(c.operand(1))}));
    }
};

using gather_converters = converter_list<embedding>;

} // namespace ahead::convert
