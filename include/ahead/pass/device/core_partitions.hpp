// SPDX-License-Identifier: MIT
// How calls of device operators are partitioned into parts that cores compute in parallel: products by rows, or by
// columns if there is one row; pools by planes; loops by elements; row operators by rows. Convolutions:
// partition_convolution.hpp; batches of products: batch_partitions.hpp.
// Law: every element is computed as in the whole call, to the bit. So each part has enough rows to keep a register
// tile's order of summation, and columns, filters and elements are partitioned at multiples of vectors.
// A partition is a struct: `op`, the operator; find(call), where it may be partitioned; part(partitioned_call, call,
// slice_bounds). Called by split_over_cores.hpp.
#pragma once
#include <ahead/device/cast.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/fused_rows.hpp>
#include <ahead/device/layer_norm.hpp>
#include <ahead/device/max_pool2d.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/device/reduce.hpp>
#include <ahead/device/softmax.hpp>
#include <ahead/pass/device/partitioned_call.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

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
/// The call that packed the weights of a product or convolution, if it is `op`; else none.
constexpr node_id packer_of(const call_view& c, int packed, std::string_view op) {
    if (!c.is_tensor(packed)) return {};
    const auto id = c.at(packed).node();
    return same_name(c.in()[id].target, op) ? id : node_id{};
}

struct partition_matmul {
    using op = device::matmul;
    static constexpr bool by_columns(const device::matmul_key& key) { return key.m == 1; }
    static constexpr partition find(const call_view& c) {
        const auto key = op::key(c);
        if (!is_floating(key.type) || device::is_dot_product(key)) return {};
        if (key.packed && !packer_of(c, op::at::b, device::pack_matmul::name).exists()) return {};
        return by_columns(key) ? partition{key.n, device::panel_width(key), 1} : partition{key.m, fewest_rows, 0};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        const auto key = op::key(c);
        const bool columns = by_columns(key);
        const auto m = columns ? 1 : s.count, n = columns ? s.count : key.n, first = columns ? s.begin : s.begin * n;
        if (!columns) p.slice(op::at::a, 0, s);
        if (key.packed) {
            auto own = key;
            own.m = m;
            if (columns || device::rows_of_packing(own) != device::rows_of_packing(key)) {
                partitioned_call packed(p.editor(), p.known(), p.at(op::at::b).node());
                if (columns) packed.slice(device::pack_matmul::at::b, 1, s);
                packed.set(device::pack_matmul::at::m, m);
                p.set(op::at::b, argument::of(packed.make()));
            }
        } else if (columns) {
            p.slice(op::at::b, 1, s);
        }
        if (key.bias) {
            const auto& bias = p.type(op::at::bias);
            const int d = bias.rank - (columns ? 1 : 2);
            if (d >= 0 && bias.size(d) != 1) p.slice(op::at::bias, d, s);
        }
        if (columns) p.set(op::at::n, n);
        for (int i = op::at::r0; i < op::at::program && p.is_tensor(i); ++i) {
            const auto count = element_count(p.type(i));
            if (count == key.m * key.n) p.block(i, first, {m, n});
            else if (columns && count == key.n) p.block(i, s.begin, {n});
        }
        return p.make();
    }
};

/// Loops over elements. If every operand has the result's sizes in row-major order or one element, the loop is
/// partitioned by elements; otherwise along the outermost dim, along which only operands that broadcast are not sliced.
struct partitioned_loop {
    static constexpr std::int32_t arguments(const call_view& c) { return c.in()[c.id()].arguments.count; }
    static constexpr bool is_flat(const call_view& c) {
        const auto& out = c.result_type();
        for (std::int32_t i = 0; i < arguments(c); ++i) {
            if (!c.is_tensor(i)) continue;
            const auto& own = c.tensor(i);
            const bool same = is_contiguous(own) && sizes_of(own) == sizes_of(out);
            if (!same && element_count(own) != 1) return false;
        }
        return true;
    }
    static constexpr partition find(const call_view& c) {
        const auto& out = c.result_type();
        if (!is_contiguous(out)) return {};
        return is_flat(c) ? partition{element_count(out), loop_tile, 0} : outermost(out, out.rank);
    }
    /// several: whether there may be more than one result.
    static constexpr node_id part_of(partitioned_call& p, const call_view& c, slice_bounds s, bool several) {
        const auto& out = c.result_type();
        const bool flat = is_flat(c);
        const int dim = first_wide_dim(out);
        auto sizes = sizes_of(out);
        if (flat) sizes = {s.count};
        else sizes[dim] = s.count;
        for (std::int32_t i = 0; i < arguments(c); ++i) {
            if (!p.is_tensor(i)) continue;
            const auto& own = p.type(i);
            const int d = dim - (out.rank - own.rank);
            if (flat && element_count(own) == element_count(out)) p.block(i, s.begin, sizes);
            else if (!flat && d >= 0 && own.size(d) != 1) p.slice(i, d, s);
        }
        const int_list all[] = {sizes, sizes, sizes, sizes};
        static_assert(std::size(all) == device::max_fused_results);
        return several ? p.make(all) : p.make();
    }
};
template <class Op> struct partition_loop : partitioned_loop {
    using op = Op;
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        return part_of(p, c, s, requires { op::results; });
    }
};
/// Stands in for every pointwise operator in a call that is not fused.
struct any_pointwise {};

struct partition_fused_rows {
    using op = device::fused_rows;
    /// Parts begin at rows where each operand that repeats after some rows begins anew.
    static constexpr partition find(const call_view& c) {
        const auto key = op::key(c);
        std::int64_t tile_multiple = 1;
        for (std::int32_t k = 0; k < key.operands; ++k)
            if (const auto rows = key.read.data()[k].rows; rows < key.rows && tile_multiple % rows != 0)
                tile_multiple = rows % tile_multiple == 0 ? rows : key.rows;
        for (std::int32_t r = 0; r < c.in()[c.id()].values.count; ++r)
            if (!is_contiguous(c.result_type(r))) return {};
        return {key.rows, tile_multiple, 0};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        const auto key = op::key(c);
        p.set(op::at::rows, s.count);
        for (std::int32_t k = 0; k < key.operands; ++k) {
            const auto& read = key.read.data()[k];
            const auto each = read.wide ? key.count : 1;
            if (read.rows == key.rows) p.block(op::at::a0 + k, s.begin * each, {s.count, each});
        }
        int_list sizes[device::max_fused_results];
        for (std::int32_t r = 0; r < c.in()[c.id()].values.count; ++r)
            sizes[r] = {s.count, element_count(c.result_type(r)) / key.rows};
        return p.make(sizes);
    }
};

/// Operators whose rows are the last dims of a row-major tensor.
template <class Op> struct partition_rows {
    using op = Op;
    static constexpr partition find(const call_view& c) {
        return is_contiguous(c.tensor(op::at::x)) ? partition{op::key(c).rows, 1, 0} : partition{};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        const auto count = c.integer(op::at::count);
        p.block(op::at::x, s.begin * count, {s.count, count});
        return p.make();
    }
};

/// Partitioned along the outermost dim that is not reduced.
struct partition_reduce {
    using op = device::reduce;
    static constexpr int dim_of(const call_view& c) {
        const auto& x = c.tensor(op::at::x);
        for (int d = 0; d < x.rank; ++d) {
            bool reduced = false;
            for (auto r : c.ints(op::at::dims)) reduced = reduced || r == d;
            if (!reduced && x.size(d) > 1) return d;
        }
        return x.rank;
    }
    static constexpr partition find(const call_view& c) {
        return dim_of(c) < c.tensor(op::at::x).rank
                   ? partition{c.tensor(op::at::x).size(dim_of(c)), loop_tile, first_wide_dim(c.result_type())}
                   : partition{};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        p.slice(op::at::x, dim_of(c), s);
        return p.make();
    }
};

/// Pools are partitioned by planes: along the dims before those that windows move along.
template <class Op> struct partition_pool {
    using op = Op;
    static constexpr partition find(const call_view& c) {
        const auto& x = c.tensor(op::at::x);
        return is_contiguous(x) ? outermost(x, x.rank - c.ints(op::at::out).size) : partition{};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        p.slice(op::at::x, first_wide_dim(c.tensor(op::at::x)), s);
        return p.make();
    }
};

} // namespace ahead::pass::detail
