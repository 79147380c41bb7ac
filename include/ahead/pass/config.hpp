// SPDX-License-Identifier: MIT
// What a user may choose about a compilation. A constant of the toolchain's: `static constexpr config options{.remove_noop_ops = false};`.
#pragma once

namespace ahead {

/// Which of the built-in passes may run, under the names that TorchAir gives them where it has them.
struct config {
    bool remove_noop_ops = true;      // full slices, copies of the same type, views of the same shape
    bool fold_batch_norm = true;      // what scales and shifts a convolution's channels into its weight and bias
    bool eliminate_dead_code = true;  // calls that nobody reads
    bool eliminate_duplicates = true; // the same call of the same operands again (common subexpressions)
    bool fuse_activation = true;      // relu into the product or convolution that it is taken of
    bool fuse_pointwise = true;       // chains and trees of pointwise calls as one task that passes over memory once
};

} // namespace ahead
