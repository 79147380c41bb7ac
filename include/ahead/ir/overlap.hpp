// SPDX-License-Identifier: MIT
// Whether two views of one storage may touch the same element. Called by pass/functionalise.hpp.
// Law: "no" is proved; "yes" may only mean that no proof was found.
#pragma once
#include <ahead/ir/tensor_type.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// The boxes two views cut out of a common grid: coordinates by the grid's strides, the largest first.
struct grid_box {
    int_list strides, first, count;
};
/// false where the view is no box: a stride that is not positive, dims that reach into one another, more strides than a list holds.
constexpr bool cut_box(const tensor_type& t, const int_list& strides, grid_box& out) {
    out.strides = strides;
    auto rest = t.offset;
    std::int64_t inside = 0; // what the dims with smaller strides reach, at most
    out.first.size = out.count.size = strides.size;
    for (int k = 0; k < strides.size; ++k) {
        out.first[k] = rest / strides[k];
        rest %= strides[k];
        out.count[k] = 1;
        for (int d = 0; d < t.rank; ++d)
            if (t.size(d) > 1 && t.stride(d) == strides[k]) {
                if (out.count[k] != 1) return false;
                out.count[k] = t.size(d);
            }
    }
    for (int k = strides.size; k-- > 0;) {
        inside += (out.first[k] + out.count[k] - 1) * strides[k];
        if (k > 0 && inside >= strides[k - 1]) return false;
    }
    return rest == 0;
}

} // namespace detail

/// pre: both are types of tensors in the same storage.
constexpr bool may_overlap(const tensor_type& a, const tensor_type& b) {
    if (element_count(a) == 0 || element_count(b) == 0) return false;
    if (a.type != b.type) return true;
    for (const auto* t : {&a, &b})
        for (int d = 0; d < t->rank; ++d)
            if (t->size(d) > 1 && t->stride(d) <= 0) return true;
    if (a.offset + extent_of(a) <= b.offset || b.offset + extent_of(b) <= a.offset) return false;
    int_list strides; // of both, the largest first, the smallest 1
    for (const auto* t : {&a, &b})
        for (int d = 0; d <= t->rank; ++d) {
            const auto stride = d < t->rank ? t->stride(d) : 1;
            if (d < t->rank && t->size(d) <= 1) continue;
            int at = 0;
            while (at < strides.size && strides[at] > stride) ++at;
            if (at < strides.size && strides[at] == stride) continue;
            if (strides.size == max_rank) return true;
            strides.push_back(0);
            for (int k = strides.size - 1; k > at; --k) strides[k] = strides[k - 1];
            strides[at] = stride;
        }
    detail::grid_box x, y;
    if (!detail::cut_box(a, strides, x) || !detail::cut_box(b, strides, y)) return true;
    for (int k = 0; k < strides.size; ++k)
        if (x.first[k] + x.count[k] <= y.first[k] || y.first[k] + y.count[k] <= x.first[k]) return false;
    return true;
}

} // namespace ahead
