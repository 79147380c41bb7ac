// SPDX-License-Identifier: MIT
// What names one max pooling: the key that kernel/max_pool2d.hpp is instantiated by.
// Invariant: out_h and out_w are given, so ceil_mode is already decided; every window meets the input, as PyTorch
// demands.
#pragma once
#include <ahead/ir/type/dtype.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::target {

/// x[planes, in_h, in_w] -> out[planes, out_h, out_w], planes = batch * channels; indices: also i64[planes, out_h,
/// out_w] into a plane.
struct max_pool2d_key {
    dtype type = dtype::f32;
    std::int64_t planes = 1, in_h = 1, in_w = 1, out_h = 1, out_w = 1, kernel_h = 1, kernel_w = 1;
    std::int64_t stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1;
    bool indices = false;
    friend constexpr bool operator==(const max_pool2d_key&, const max_pool2d_key&) = default;
};

/// Windows of 2x2 side by side, all inside.
constexpr bool takes_pairs(const max_pool2d_key& key) {
    return key.kernel_h == 2 && key.kernel_w == 2 && key.stride_h == 2 && key.stride_w == 2 && key.pad_h == 0 &&
           key.pad_w == 0 && key.dilation_h == 1 && key.dilation_w == 1 && 2 * key.out_h <= key.in_h &&
           2 * key.out_w <= key.in_w;
}

/// A row of maxima, for keys without indices: of columns, or of windows that begin at every column.
constexpr std::size_t workspace_bytes(const max_pool2d_key& key) {
    return key.indices ? 0 : static_cast<std::size_t>(key.in_w) * bytes_of(key.type);
}

} // namespace ahead::target
