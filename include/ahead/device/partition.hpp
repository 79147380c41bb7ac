// SPDX-License-Identifier: MIT
// How a call is partitioned into parts that cores compute in parallel. A device operator that may be partitioned has
//     static constexpr partition find_partition(const call_view&);            // where it may be partitioned
//     static constexpr node_id part(auto& p, const call_view&, slice_bounds); // p.make() of the call's slice
// and may have
//     static constexpr bool is_same_part(const call_view&, slice_bounds);     // false: the part's bits would differ
// p is a pass::detail::partitioned_call: the call, whose arguments `part` replaces by their slices.
// Law: every element is computed as in the whole call, to the bit. So each part has enough rows to keep a register
// tile's order of summation, and columns, filters and elements are partitioned at multiples of vectors.
// Called by pass/device/split_over_cores.hpp.
#pragma once
#include <ahead/ir/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// A range of indices of the partitioned extent.
struct slice_bounds {
    std::int64_t begin = 0, count = 0;
};

/// How a call may be partitioned: `extent` indices, cut at multiples of `tile_multiple`; the results of the parts are
/// concatenated along their dim `dim`.
struct partition {
    std::int64_t extent = 0; // 0: not partitioned
    std::int64_t tile_multiple = 1;
    int dim = 0;
};

/// Products of at least this many rows sum along k in one pass, whatever the width (kernels/product/matmul_tiles.hpp).
inline constexpr std::int64_t fewest_rows = 8;
/// Loops are partitioned at multiples of this many elements: whole cache lines and vectors.
inline constexpr std::int64_t loop_tile = 64;

/// The first dim whose size is not 1; rank if there is none.
constexpr int first_wide_dim(const tensor_type& t) {
    int d = 0;
    while (d < t.rank && t.size(d) == 1) ++d;
    return d;
}
/// A partition along that dim of a row-major tensor, if the dim comes before dim `end`.
constexpr partition outermost(const tensor_type& t, int end) {
    const int d = first_wide_dim(t);
    return d < end && is_contiguous(t) ? partition{t.size(d), 1, d} : partition{};
}
/// Whether Packer made argument `packed` of a product or convolution.
template <class Packer> constexpr bool is_packed_by(const call_view& c, int packed) {
    return c.is_tensor(packed) && is_call_of<Packer>(c.in()[c.at(packed).node()]);
}

/// The base of loops over elements. If every operand has the result's sizes in row-major order or one element, the loop
/// is partitioned by elements; otherwise along the outermost dim, along which only operands that broadcast are not
/// sliced.
struct partitioned_loop {
    static constexpr partition find_partition(const call_view& c) {
        const auto& out = c.result_type();
        if (!is_contiguous(out)) return {};
        return is_flat(c) ? partition{element_count(out), loop_tile, 0} : outermost(out, out.rank);
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        static_cast<void>(slice_operands(p, c, s));
        return p.make();
    }

protected:
    static constexpr std::int32_t count_arguments(const call_view& c) { return c.in()[c.id()].arguments.count; }
    static constexpr bool is_flat(const call_view& c) {
        const auto& out = c.result_type();
        for (std::int32_t i = 0; i < count_arguments(c); ++i) {
            if (!c.is_tensor(i)) continue;
            const auto& own = c.tensor(i);
            const bool same = is_contiguous(own) && sizes_of(own) == sizes_of(out);
            if (!same && element_count(own) != 1) return false;
        }
        return true;
    }
    /// The sizes of the part's results.
    static constexpr int_list slice_operands(auto& p, const call_view& c, slice_bounds s) {
        const auto& out = c.result_type();
        const bool flat = is_flat(c);
        const int dim = first_wide_dim(out);
        auto sizes = sizes_of(out);
        if (flat) sizes = {s.count};
        else sizes[dim] = s.count;
        for (std::int32_t i = 0; i < count_arguments(c); ++i) {
            if (!p.is_tensor(i)) continue;
            const auto& own = p.type(i);
            const int d = dim - (out.rank - own.rank);
            if (flat && element_count(own) == element_count(out)) p.block(i, s.begin, sizes);
            else if (!flat && d >= 0 && own.size(d) != 1) p.slice(i, d, s);
        }
        return sizes;
    }
};

/// The base of operators on rows, the last dims of a row-major operand x, each of `count` elements.
template <class Op> struct partitioned_rows {
    static constexpr partition find_partition(const call_view& c) {
        const auto& x = c.tensor(Op::at::x);
        return is_contiguous(x) ? partition{element_count(x) / c.integer(Op::at::count), 1, 0} : partition{};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto count = c.integer(Op::at::count);
        p.block(Op::at::x, s.begin * count, {s.count, count});
        return p.make();
    }
};

} // namespace ahead::device
