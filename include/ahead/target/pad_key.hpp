// SPDX-License-Identifier: MIT
// The key of one padding kernel.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::target {

enum class pad_mode : std::uint8_t { constant, reflect, replicate };

/// out[i...] = x[source(i - before)...]; out is contiguous, x has the strides given, in elements.
struct pad_key {
    dtype type = dtype::f32;
    pad_mode mode = pad_mode::constant;
    std::int32_t rank = 0;
    std::int64_t value_bits = 0; // constant: the bits of a double
    std::array<std::int64_t, max_rank> in{}, out{}, before{}, strides{};
    friend constexpr bool operator==(const pad_key&, const pad_key&) = default;
};

} // namespace ahead::target
