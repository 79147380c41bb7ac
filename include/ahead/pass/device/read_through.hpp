// SPDX-License-Identifier: MIT
// Access through a copy, as strides of the copy's source: the positions that the elements of a dim had before npu.copy
// wrote them in row-major order. Called by the passes that remove copies.
// Invariant: index i of a dim maps to the position from which the copy read that element; not ok() if strides cannot
// express the mapping.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// `size` elements, `stride` apart.
struct stride_run {
    std::int64_t size = 1, stride = 0;
    friend constexpr bool operator==(const stride_run&, const stride_run&) = default;
};
/// Nested runs, the innermost first, merged where possible.
struct stride_runs {
    stride_run at[max_rank]{};
    int count = 0;

    /// False if it is full.
    constexpr bool add(stride_run next) {
        if (next.size == 1) return true;
        if (count > 0 && next.stride == at[count - 1].stride * at[count - 1].size) {
            at[count - 1].size *= next.size;
            return true;
        }
        if (count == max_rank) return false;
        at[count++] = next;
        return true;
    }
    friend constexpr bool operator==(const stride_runs& a, const stride_runs& b) {
        bool same = a.count == b.count;
        for (int i = 0; same && i < a.count; ++i) same = a.at[i] == b.at[i];
        return same;
    }
};

/// All dims of a tensor as runs.
constexpr stride_runs runs_of(const tensor_type& t) {
    stride_runs out;
    for (int d = t.rank; d-- > 0;) out.add({t.size(d), t.stride(d)});
    return out;
}

/// The access of a row-major copy of `copied`, mapped to `copied`.
class copy_reading {
public:
    /// read: a type over the copy's bytes.
    constexpr copy_reading(const tensor_type& copied, const tensor_type& read)
        : copied_(copied), offset_(copied.offset) {
        row_major_ = copied;
        make_contiguous(row_major_);
        for (int d = 0; d < copied.rank; ++d) {
            const auto place = read.offset / row_major_.stride(d) % copied.size(d);
            last_[d] = place;
            offset_ += place * copied.stride(d);
        }
        for (int d = 0; d < read.rank && ok_; ++d) ok_ = find(read.size(d), read.stride(d), dims_[d]);
        for (int d = 0; d < copied.rank; ++d) ok_ = ok_ && last_[d] < copied.size(d); // no carry into the next dim
    }
    constexpr bool ok() const { return ok_; }
    constexpr std::int64_t offset() const { return offset_; }
    /// The runs of dim d of `read`.
    constexpr const stride_runs& runs(int d) const { return dims_[d]; }

private:
    tensor_type copied_, row_major_;
    stride_runs dims_[max_rank]{};
    std::int64_t last_[max_rank]{}; // the last index read along a dim of the copy
    std::int64_t offset_;
    bool ok_ = true;

    constexpr bool find(std::int64_t size, std::int64_t step, stride_runs& out) {
        while (size > 1) {
            int d = copied_.rank - 1;
            while (d >= 0 && (copied_.size(d) == 1 || step >= row_major_.stride(d) * copied_.size(d))) --d;
            if (d < 0 || step == 0 || step % row_major_.stride(d) != 0) return false;
            const auto apart = step / row_major_.stride(d), places = copied_.size(d);
            auto taken = size;
            if ((size - 1) * apart >= places) { // continues in the next outer dim
                taken = places / apart;
                if (places % apart != 0 || size % taken != 0) return false;
            }
            last_[d] += (taken - 1) * apart;
            if (!out.add({taken, apart * copied_.stride(d)})) return false;
            step = row_major_.stride(d) * places;
            size /= taken;
        }
        return true;
    }
};

} // namespace ahead::pass::detail
