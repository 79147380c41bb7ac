// SPDX-License-Identifier: MIT
// Walks over the elements of a tensor by logical index, and the accumulator types of sums; used by every evaluate.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::ir {

/// Floats are summed in double and rounded once, complex numbers in two doubles; integers and bool in int64.
template <class T> struct accumulator {
    using type = std::int64_t;
};
template <> struct accumulator<float> {
    using type = double;
};
template <> struct accumulator<double> {
    using type = double;
};
template <> struct accumulator<complex128> { using type = complex128; };
template <class T> using accumulator_t = typename accumulator<T>::type;

/// Calls f(at) for every index of a tensor of these sizes, in row-major order.
template <class F> constexpr void for_each_index(const int_list& sizes, F f) {
    for (auto size : sizes)
        if (size == 0) return;
    int_list at;
    at.size = sizes.size;
    for (;;) {
        f(static_cast<const int_list&>(at));
        int d = sizes.size;
        while (d-- > 0) {
            if (++at[d] < sizes[d]) break;
            at[d] = 0;
        }
        if (d < 0) return;
    }
}

constexpr std::int64_t position_of(const tensor_type& t, const int_list& at) {
    std::int64_t position = t.offset;
    for (int d = 0; d < t.rank; ++d) position += at[d] * t.stride(d);
    return position;
}

/// The index into tensor t, which broadcasts to the tensor indexed by `at`, for the first `rank` dims of t; the last of
/// these is aligned with entry end - 1 of `at`.
constexpr int_list broadcast_index(const tensor_type& t, const int_list& at, int rank, int end) {
    int_list own;
    for (int d = 0; d < rank; ++d) own.push_back(t.size(d) == 1 ? 0 : at[end - rank + d]);
    return own;
}
constexpr int_list broadcast_index(const tensor_type& t, const int_list& at) {
    return broadcast_index(t, at, t.rank, at.size);
}

/// The row-major index of element `k`.
constexpr int_list index_of(const tensor_type& t, std::int64_t k) {
    int_list at;
    at.size = t.rank;
    for (int d = t.rank; d-- > 0;) {
        at[d] = k % t.size(d);
        k /= t.size(d);
    }
    return at;
}

} // namespace ahead::ir
