// SPDX-License-Identifier: MIT
// How batches of products and attention are partitioned into parts that cores compute in parallel: by lists of
// matrices, by matrices, or by rows. Laws and structs as in core_partitions.hpp; called by split_over_cores.hpp.
#pragma once
#include <ahead/device/product/attention.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/pass/device/core_partitions.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// Whether a batch like a is partitioned by the rows of its matrices: if it has one matrix, or one list of matrices
/// whose rows alternate in memory.
constexpr bool is_partitioned_by_rows(const tensor_type& a, const device::batch_matmul_key& key) {
    return key.batch == 1 || (a.rank == 4 && a.size(0) == 1 && key.rows_first);
}

/// The dim of the result that holds the rows.
constexpr int dim_of_rows(const tensor_type& out, const device::batch_matmul_key& key) {
    return key.rows_first ? 1 : out.rank - 2;
}

struct partition_batch_matmul {
    using op = device::batch_matmul;
    static constexpr partition find(const call_view& c) {
        const auto key = op::key(c);
        if (!is_floating(key.product.type) || device::is_dot_product(key.product)) return {};
        if (is_partitioned_by_rows(c.tensor(op::at::a), key))
            return {key.product.m, fewest_rows, dim_of_rows(c.result_type(), key)};
        const int dim = first_wide_dim(c.tensor(op::at::a));
        return {c.tensor(op::at::a).size(dim), 1, dim};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        const auto& a = c.tensor(op::at::a);
        const bool rows = is_partitioned_by_rows(a, op::key(c));
        const int dim = rows ? a.rank - 2 : first_wide_dim(a);
        p.slice(op::at::a, dim, s);
        if (!rows) p.slice(op::at::b, dim, s);
        if (rows && p.is_tensor(op::at::bias)) p.slice(op::at::bias, 0, s);
        return p.make();
    }
};

/// Partitioned by matrices. If the masks repeat cyclically, parts begin at the first mask; otherwise at the start of a
/// mask, which must be an index of a single dim of the masks. A single matrix is partitioned by rows.
struct partition_attention {
    using op = device::attention;
    /// The dim of the mask along which masks differ; its rank if there is one mask; -1 if there are several such dims.
    static constexpr int dim_of_masks(const call_view& c) {
        const auto& mask = c.tensor(op::at::mask);
        int dim = mask.rank;
        for (int d = 0; d + 2 < mask.rank; ++d)
            if (mask.size(d) > 1 && dim == mask.rank) dim = d;
            else if (mask.size(d) > 1) return -1;
        return dim;
    }
    /// Whether each matrix, or each group of `every` matrices, has a mask of its own (no repetition).
    static constexpr bool is_followed(const device::attention_key& key) {
        return key.mask.step != 0 && key.mask.every * key.mask.cycle == key.scores.batch;
    }
    static constexpr bool by_rows(const call_view& c, const device::attention_key& key) {
        return is_partitioned_by_rows(c.tensor(op::at::q), key.values);
    }
    static constexpr partition find(const call_view& c) {
        const auto key = op::key(c);
        const auto& q = c.tensor(op::at::q);
        if (by_rows(c, key)) return {key.scores.product.m, fewest_rows, dim_of_rows(c.result_type(), key.values)};
        if (is_followed(key) && dim_of_masks(c) < 0) return {};
        const auto tile_multiple = is_followed(key)     ? key.mask.every
                             : key.mask.step != 0 ? key.mask.every * key.mask.cycle
                                                  : 1;
        const int dim = first_wide_dim(q);
        const auto each = dim == 0 && q.rank == 4 ? q.size(1) : 1; // matrices per index of dim
        if (tile_multiple % each == 0) return {q.size(dim), tile_multiple / each, dim};
        return each % tile_multiple == 0 ? partition{q.size(dim), 1, dim} : partition{};
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        const auto key = op::key(c);
        const auto& q = c.tensor(op::at::q);
        const bool rows = by_rows(c, key);
        const int dim = rows ? q.rank - 2 : first_wide_dim(q);
        p.slice(op::at::q, dim, s);
        if (!rows) p.slice(op::at::k, dim, s);
        if (!rows) p.slice(op::at::v, dim, s);
        if (rows && key.mask.row != 0) p.slice(op::at::mask, c.tensor(op::at::mask).rank - 2, s);
        if (!rows && is_followed(key)) {
            const auto each = dim == 0 && q.rank == 4 ? q.size(1) : 1;
            p.slice(op::at::mask, dim_of_masks(c), {s.begin * each / key.mask.every, s.count * each / key.mask.every});
            p.set_entry(op::at::mask_reading, 1, s.count * each / key.mask.every);
        }
        return p.make();
    }
};

} // namespace ahead::pass::detail
