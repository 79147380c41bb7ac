// SPDX-License-Identifier: MIT
// What names one strided copy: the key that kernel/copy.hpp is instantiated by.
// Invariant: the output is contiguous; strides are in elements, may be 0 (broadcast) or negative (flip), and 0 behind
// `rank`.
#pragma once
#include <ahead/ir/type/dtype.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::target {

struct copy_key {
    dtype type = dtype::f32;
    int rank = 0;
    std::array<std::int64_t, 8> sizes{}, strides{};
    friend constexpr bool operator==(const copy_key&, const copy_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const copy_key& k, const copy_key& usual, auto f) {
    f("type", k.type, usual.type);
    f("rank", k.rank, usual.rank);
    f("sizes", k.sizes, usual.sizes);
    f("strides", k.strides, usual.strides);
}

constexpr std::int64_t elements(const copy_key& key) {
    std::int64_t count = 1;
    for (int i = 0; i < key.rank; ++i) count *= key.sizes[static_cast<std::size_t>(i)];
    return count;
}

/// The same copy with as few dimensions as can be: those of size 1 dropped, neighbours that lie as one merged.
constexpr copy_key with_dims_merged(const copy_key& key) {
    copy_key merged{key.type, 0, {}, {}};
    std::size_t rank = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(key.rank); ++i) {
        if (key.sizes[i] == 1) continue;
        if (rank > 0 && merged.strides[rank - 1] == key.strides[i] * key.sizes[i]) {
            merged.sizes[rank - 1] *= key.sizes[i];
            merged.strides[rank - 1] = key.strides[i];
        } else {
            merged.sizes[rank] = key.sizes[i];
            merged.strides[rank++] = key.strides[i];
        }
    }
    merged.rank = static_cast<int>(rank);
    return merged;
}

constexpr std::size_t workspace_bytes(const copy_key&) { return 0; }

} // namespace ahead::target
