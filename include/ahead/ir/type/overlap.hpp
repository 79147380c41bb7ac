// SPDX-License-Identifier: MIT
// Whether views of one storage may touch the same element, and whether one may be written while another is read. Called
// by ir/infer.hpp and pass/functionalise.hpp. Law: "no" is proved; "yes" may only mean that no proof was found.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The boxes of two views in a common grid: coordinates by the grid's strides, the largest first.
struct grid_box {
    int_list strides, first, count;
};
/// Returns false if the view is not a box: a stride is not positive, dims overlap, or there are more strides than a
/// list holds.
constexpr bool cut_box(const tensor_type& t, const int_list& strides, grid_box& out) {
    out.strides = strides;
    auto rest = t.offset;
    std::int64_t inside = 0; // upper bound of the extent of the dims with smaller strides
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

/// The strides of both views, the largest first, the smallest 1. Returns false if there are too many.
constexpr bool common_strides(const tensor_type& a, const tensor_type& b, int_list& strides) {
    for (const auto* t : {&a, &b})
        for (int d = 0; d <= t->rank; ++d) {
            const auto stride = d < t->rank ? t->stride(d) : 1;
            if (d < t->rank && t->size(d) <= 1) continue;
            int at = 0;
            while (at < strides.size && strides[at] > stride) ++at;
            if (at < strides.size && strides[at] == stride) continue;
            if (strides.size == max_rank) return false;
            strides.push_back(0);
            for (int k = strides.size - 1; k > at; --k) strides[k] = strides[k - 1];
            strides[at] = stride;
        }
    return true;
}

/// Both views as boxes of one grid. Returns false if they cannot be represented so.
constexpr bool cut_boxes(const tensor_type& a, const tensor_type& b, int_list& strides, grid_box& x, grid_box& y) {
    for (const auto* t : {&a, &b})
        for (int d = 0; d < t->rank; ++d)
            if (t->size(d) > 1 && t->stride(d) <= 0) return false;
    return a.type == b.type && common_strides(a, b, strides) && cut_box(a, strides, x) && cut_box(b, strides, y);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Whether the two views may share an element. pre: both are types of tensors in the same storage.
constexpr bool may_overlap(const tensor_type& a, const tensor_type& b) {
    if (element_count(a) == 0 || element_count(b) == 0) return false;
    if (a.type == b.type && (a.offset + extent_of(a) <= b.offset || b.offset + extent_of(b) <= a.offset)) return false;
    int_list strides;
    detail::grid_box x, y;
    if (!detail::cut_boxes(a, b, strides, x, y)) return true;
    for (int k = 0; k < strides.size; ++k)
        if (x.first[k] + x.count[k] <= y.first[k] || y.first[k] + y.count[k] <= x.first[k]) return false;
    return true;
}

/// Whether two indices of the view may address the same element.
constexpr bool may_overlap_itself(const tensor_type& t) {
    if (element_count(t) == 0) return false;
    for (int d = 0; d < t.rank; ++d) {
        if (t.size(d) <= 1) continue;
        std::int64_t inside = 0; // extent of the dims with smaller strides
        for (int e = 0; e < t.rank; ++e)
            if (e != d && t.size(e) > 1 && t.stride(e) <= t.stride(d)) inside += (t.size(e) - 1) * t.stride(e);
        if (inside >= t.stride(d)) return true;
    }
    return false;
}

/// Whether a call that computes each element of `to` from the elements at the same position may read, through `from`,
/// an element that it writes at another position. Also true where PyTorch refuses by the ranges alone
/// (at::assert_no_partial_overlap): both views are dense, their bytes overlap, and they are not the same bytes in the
/// same order.
/// pre: both are types of tensors in the same storage, from's sizes broadcast to to's, `to` does not overlap itself.
constexpr bool may_read_written(const tensor_type& to, const tensor_type& from) {
    if (!may_overlap(to, from)) return false;
    const int more = to.rank - from.rank;
    bool same = to.offset == from.offset, alike = same && more == 0;
    for (int d = 0; d < to.rank; ++d) {
        const int e = d - more;
        const bool equal = e >= 0 && to.size(d) == from.size(e) && to.stride(d) == from.stride(e);
        same = same && (equal || to.size(d) == 1);
        alike = alike && equal;
    }
    if (to.type != from.type || (!alike && is_dense(to) && is_dense(from))) return true;
    if (same) return false;
    int_list strides;
    detail::grid_box x, y;
    if (!detail::cut_boxes(to, from, strides, x, y)) return true;
    // An element in both boxes must have the same position in both.
    const auto grid_of = [&](std::int64_t stride) {
        int k = 0;
        while (strides[k] != stride) ++k;
        return k;
    };
    const auto low = [&](int k) { return x.first[k] > y.first[k] ? x.first[k] : y.first[k]; };
    const auto is_one = [&](int k) {
        return (x.first[k] + x.count[k] < y.first[k] + y.count[k] ? x.first[k] + x.count[k]
                                                                  : y.first[k] + y.count[k]) == low(k) + 1;
    };
    for (int d = 0; d < to.rank; ++d) {
        if (to.size(d) == 1) continue;
        const int e = d - more;
        if (e < 0 || from.size(e) == 1) return true;
        const int k = grid_of(to.stride(d)), m = grid_of(from.stride(e));
        if (k == m ? x.first[k] != y.first[k] : !is_one(k) || !is_one(m) || low(k) - x.first[k] != low(m) - y.first[m])
            return true;
    }
    return false;
}

} // namespace ahead::ir
