// SPDX-License-Identifier: MIT
// npu.embedding: rows of a matrix, as indices name them.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::target {

/// `count` rows of row_bytes each, out of `rows`.
struct embedding_key {
    dtype index = dtype::i64; // or i32
    std::int64_t rows = 0, row_bytes = 0, count = 0;
    friend constexpr bool operator==(const embedding_key&, const embedding_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const embedding_key& k, const embedding_key& usual, auto f) {
    f("index", k.index, usual.index);
    f("rows", k.rows, usual.rows);
    f("row_bytes", k.row_bytes, usual.row_bytes);
    f("count", k.count, usual.count);
}

} // namespace ahead::target

namespace AHEAD_NAMESPACE::device {

/// npu.embedding(Tensor weight, Tensor indices): both contiguous; indices i64 or i32.
struct embedding {
    static constexpr std::string_view name = "npu.embedding";
    static constexpr std::string_view refused_as = "aten.embedding.default"; // as the graph that was given calls it
    enum at : int { weight, indices };
    static constexpr parameter schema[] = {required("weight", parameter_kind::tensor),
                                           required("indices", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        auto sizes = sizes_of(c.tensor(at::indices));
        sizes.push_back(c.tensor(at::weight).size(1));
        return c.result(tensor_of(c.tensor(at::weight).type, sizes));
    }
    static constexpr target::embedding_key key(const call_view& c) {
        const auto &weight = c.tensor(at::weight), &indices = c.tensor(at::indices);
        return {indices.type, weight.size(0), bytes_of(weight.type, weight.size(1)), element_count(indices)};
    }
};

} // namespace ahead::device
