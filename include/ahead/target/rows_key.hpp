// SPDX-License-Identifier: MIT
// The keys of the kernels that go over rows: softmax and layer norm. Rows are contiguous and lie one behind another.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::target {

struct softmax_key {
    dtype type = dtype::f32;
    std::int64_t rows = 0, count = 0; // count: elements of a row
    bool logarithm = false;
    friend constexpr bool operator==(const softmax_key&, const softmax_key&) = default;
};

struct layer_norm_key {
    dtype type = dtype::f32;
    std::int64_t rows = 0, count = 0;
    bool weight = false, bias = false; // a row of each
    bool statistics = false;           // mean and 1 / std of each row are results, too
    std::int64_t eps_bits = 0;         // the bits of a double
    friend constexpr bool operator==(const layer_norm_key&, const layer_norm_key&) = default;
};

} // namespace ahead::target
