// SPDX-License-Identifier: MIT
// The key of a loop over places that index tensors select: the offset of each element in self is the sum of what the
// strides and the indices contribute. Used by npu.gather, which reads there, and npu.scatter, which writes.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/key/strided_key.hpp>

namespace AHEAD_NAMESPACE::device {

inline constexpr int max_indices = 4;
using indexed_loop = basic_strided_key<2 + max_indices>;

/// Dims are in the order in which elements are visited, neighbours merged.
struct indexed_key {
    std::int32_t indices = 0;
    bool wraps = false;                            // indices below 0 count from the end
    std::array<std::int64_t, max_indices> rows{};  // how many places each index may select
    std::array<std::int64_t, max_indices> steps{}; // the stride of these places in self
    indexed_loop loop{};                           // self, the other tensor, the indices
    friend constexpr bool operator==(const indexed_key&, const indexed_key&) = default;
};
AHEAD_FIELDS(indexed_key, indices, wraps, rows, steps, loop)

/// self: the tensor, or part of one, whose dims `dims` the indices select from, in their order. stride: self's stride
/// for each dim of the loop, 0 where only indices select the place. other, indices: of the loop's sizes.
constexpr indexed_key indexed_key_of(const tensor_type& self, const int_list& dims, const int_list& stride,
                                     const tensor_type& other, array_view<const tensor_type* const> indices,
                                     bool wraps) {
    indexed_key key{.indices = static_cast<std::int32_t>(indices.size()), .wraps = wraps};
    key.loop.operands = key.indices + 1;
    key.loop.types[0] = key.loop.types[1] = other.type;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const auto dim = static_cast<int>(dims[static_cast<int>(k)]);
        key.rows[k] = self.size(dim);
        key.steps[k] = self.stride(dim);
        key.loop.types[2 + k] = indices[k]->type;
    }
    for (int d = 0; d < other.rank; ++d) {
        std::array<std::int64_t, 2 + max_indices> steps{stride[d], other.stride(d)};
        for (std::size_t k = 0; k < indices.size(); ++k) steps[2 + k] = indices[k]->stride(d);
        key.loop.add(other.size(d), steps);
    }
    return key;
}

/// The number of innermost dims along which no index changes: their places are selected together.
constexpr int dims_of_slice(const indexed_loop& loop) {
    int count = 0;
    for (auto d = static_cast<std::size_t>(loop.rank); d-- > 0; ++count)
        for (std::size_t t = 2; t < loop.strides.size(); ++t)
            if (loop.strides[t][d] != 0) return count;
    return count;
}
/// These dims of tensors `to` and `from` of the loop.
constexpr basic_strided_key<2> slice_of(const indexed_loop& loop, std::size_t to, std::size_t from) {
    basic_strided_key<2> out{.operands = 1};
    out.types = {loop.types[to], loop.types[from]};
    for (auto d = static_cast<std::size_t>(loop.rank - dims_of_slice(loop)); d < static_cast<std::size_t>(loop.rank);
         ++d)
        out.add(loop.sizes[d], {loop.strides[to][d], loop.strides[from][d]});
    return out;
}
/// The elements of index k: the dims along which it changes.
constexpr basic_strided_key<1> elements_of_index(const indexed_loop& loop, std::size_t k) {
    basic_strided_key<1> out;
    for (std::size_t d = 0; d < static_cast<std::size_t>(loop.rank); ++d)
        if (loop.strides[2 + k][d] != 0) out.add(loop.sizes[d], {loop.strides[2 + k][d]});
    return out;
}

/// Each index is checked, and looked up where a slice begins; `each` is the steps for one element of a slice.
constexpr machine::work work_of(const indexed_key& key, machine::steps each) {
    const auto slice = slice_of(key.loop, 0, 1);
    const auto elements = key.loop.elements(), of_slice = slice.elements();
    if (elements == 0) return {};
    auto out = times(elements / of_slice, rows_of(slice, each));
    for (std::size_t k = 0; k < static_cast<std::size_t>(key.indices); ++k)
        out.scalar_steps += 2 * elements_of_index(key.loop, k).elements() + 2 * elements / of_slice;
    return out;
}

} // namespace ahead::device
