// SPDX-License-Identifier: MIT
// The key of one reduction kernel: the dims that stay and the dims that go, with their strides.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::target {

enum class reduction : std::uint8_t { sum, mean, largest, smallest, product };

struct dim_list {
    std::int32_t rank = 0;
    std::array<std::int64_t, max_rank> sizes{}, strides{}; // strides in elements
    friend constexpr bool operator==(const dim_list&, const dim_list&) = default;
    constexpr std::int64_t elements() const {
        std::int64_t n = 1;
        for (std::int32_t d = 0; d < rank; ++d) n *= sizes[static_cast<std::size_t>(d)];
        return n;
    }
};

struct reduce_key {
    dtype type = dtype::f32;
    reduction kind = reduction::sum;
    dim_list kept, reduced;
    friend constexpr bool operator==(const reduce_key&, const reduce_key&) = default;
};

} // namespace ahead::target
