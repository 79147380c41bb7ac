// SPDX-License-Identifier: MIT
// Short lists of integers, one for each dim of a tensor: sizes, strides, dims, paddings.
// Invariant: no heap; at most max_rank entries.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace AHEAD_NAMESPACE::ir {

inline constexpr int max_rank = 8;

/// A list of up to max_rank integers: sizes, strides, dims, paddings.
struct int_list {
    std::int64_t at[max_rank]{};
    int size = 0;

    constexpr int_list() = default;
    constexpr int_list(std::initializer_list<std::int64_t> values) {
        for (auto v : values) push_back(v);
    }
    constexpr void push_back(std::int64_t v) { at[size++] = v; }
    constexpr std::int64_t operator[](int i) const { return at[i]; }
    constexpr std::int64_t& operator[](int i) { return at[i]; }
    constexpr const std::int64_t* begin() const { return at; }
    constexpr const std::int64_t* end() const { return at + size; }
    friend constexpr bool operator==(const int_list&, const int_list&) = default;
};

/// One T for each dim. Constant evaluation is billed by calls, and a subscript of std::array costs three.
template <class T> struct per_dim {
    T at[max_rank]{};
    constexpr T& operator[](std::size_t d) { return at[d]; }
    constexpr const T& operator[](std::size_t d) const { return at[d]; }
};
template <class T> constexpr bool operator==(const per_dim<T>& a, const per_dim<T>& b) {
    for (int d = 0; d < max_rank; ++d)
        if (!(a.at[d] == b.at[d])) return false;
    return true;
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::int_list;
} // namespace ahead
