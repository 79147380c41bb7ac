// SPDX-License-Identifier: MIT
// npu.index_select: slices along one dim, selected by indices. With dim 0 of a matrix it is an embedding.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// For each of `outer` blocks: `count` rows of row_bytes each, selected out of `rows`.
struct index_select_key {
    dtype index = dtype::i64; // or i32
    bool wraps = false;       // an index below 0 counts from the end
    std::int64_t outer = 1, rows = 0, row_bytes = 0, count = 0;
    friend constexpr bool operator==(const index_select_key&, const index_select_key&) = default;
};
AHEAD_FIELDS(index_select_key, index, wraps, outer, rows, row_bytes, count)

/// npu.index_select(Tensor self, Tensor index, int dim, bool wraps): both are contiguous; index is i64 or i32, of any
/// rank: its dims replace dim.
struct index_select {
    static constexpr std::string_view name = "npu.index_select"sv;
    enum at : int { self, index, dim, wraps };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("index", parameter_kind::tensor),
        required("dim", parameter_kind::integer), required("wraps", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto &self = c.tensor(at::self), &index = c.tensor(at::index);
        int_list sizes;
        for (int d = 0; d < self.rank; ++d)
            if (d != c.integer(at::dim)) sizes.push_back(self.size(d));
            else
                for (auto size : sizes_of(index)) sizes.push_back(size);
        return c.result(tensor_of(self.type, sizes));
    }
    static constexpr index_select_key key(const call_view& c) {
        const auto& self = c.tensor(at::self);
        const auto dim = static_cast<int>(c.integer(at::dim));
        index_select_key key{.index = c.tensor(at::index).type, .wraps = c.boolean(at::wraps)};
        std::int64_t inner = 1;
        for (int d = 0; d < self.rank; ++d)
            if (d != dim) (d < dim ? key.outer : inner) *= self.size(d);
        key.rows = self.size(dim);
        key.row_bytes = bytes_of(self.type, inner);
        key.count = element_count(c.tensor(at::index));
        return key;
    }
    static constexpr bounded_call bounded(const auto& c) {
        return c.follows(at::index) ? bounded_count<index_select>(c, at::index, &index_select_key::count)
                                    : bounded_count<index_select>(c, at::self, &index_select_key::outer);
    }
};

} // namespace ahead::device
