// SPDX-License-Identifier: MIT
// npu.embedding: rows of a matrix, as indices name them.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.embedding(Tensor weight, Tensor indices): both contiguous; indices i64 or i32. It has no key: a fault names the
/// call itself.
struct embedding {
    static constexpr std::string_view name = "npu.embedding";
    static constexpr parameter schema[] = {required("weight", parameter_kind::tensor),
                                           required("indices", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(1));
        sizes.push_back(c.tensor(0).size(1));
        return c.result(tensor_of(c.tensor(0).type, sizes));
    }
    static constexpr std::int64_t scratch_bytes(const call_view&) { return 0; }
};

} // namespace ahead::device
