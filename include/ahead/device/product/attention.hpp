// SPDX-License-Identifier: MIT
// npu.attention: two products with a softmax between them, one block of query rows at a time, so that the scores of all
// rows are never in memory at once.
// Invariant: the result is bit-identical to the two products, the factor, the mask and the softmax computed one after
// the other.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/softmax.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// How the scores of a batch's matrices read the mask: `every` consecutive matrices share one, and after `cycle` masks
/// the first one follows again.
struct mask_reading {
    bool given = false;
    std::int64_t every = 1, cycle = 1;
    std::int64_t step = 0, row = 0, column = 0; // strides in elements, 0 where it broadcasts
    friend constexpr bool operator==(const mask_reading&, const mask_reading&) = default;
};
AHEAD_FIELDS(mask_reading, given, every, cycle, step, row, column)

/// The operation on a score before the mask is added.
enum class score_factor : std::uint8_t { none, times, over };

struct attention_key {
    score_factor factor = score_factor::none;
    bool safe = false;                   // a row of only -infinity gives zeros
    batch_matmul_key scores{}, values{}; // values: its rows are those of the scores
    std::int64_t number_bits = 0; // the bits of a double
    mask_reading mask{};
    friend constexpr bool operator==(const attention_key&, const attention_key&) = default;
};
AHEAD_FIELDS(attention_key, factor, safe, scores, values, number_bits, mask)

/// Query rows of a block, at most: their scores stay in cache, and a register tile's sums are whole.
inline constexpr std::int64_t rows_of_attention = 24;

/// Rows that are at least this many bytes apart are on separate pages, or nearly: each block would miss the TLB for all
/// of them.
inline constexpr std::int64_t strided_row_bytes = 2048;
/// The right operand of a block's product, packed once for all blocks of a matrix unless its rows are contiguous and,
/// if there are several blocks, close together.
constexpr matmul_key packed_once(matmul_key key) {
    key.packed = key.b_col != 1 ||
                 (key.b_row > key.n && bytes_of(key.type, key.b_row) >= strided_row_bytes && key.m > rows_of_attention);
    key.m = rows_of_attention;
    return key;
}
constexpr std::int64_t packed_once_elements(const matmul_key& key) {
    const auto packed = packed_once(key);
    return packed.packed ? (packed_elements(packed) + 15) / 16 * 16 : 0;
}
constexpr std::int64_t scores_elements(const attention_key& key) {
    const auto rows = key.scores.product.m < rows_of_attention ? key.scores.product.m : rows_of_attention;
    return (rows * key.scores.product.n + 15) / 16 * 16;
}
constexpr std::int64_t workspace_bytes(const attention_key& key) {
    return bytes_of(key.scores.product.type, packed_once_elements(key.scores.product) +
                                                 packed_once_elements(key.values.product) + scores_elements(key));
}

/// Both products as one, their depths added; the softmax of all rows, and the operations before it.
constexpr machine::work work_of(const attention_key& key) {
    const auto &one = key.scores.product, &two = key.values.product;
    const auto rows = key.scores.batch * one.m;
    machine::work out;
    out.cube = {key.scores.batch, one.m, one.k + two.n, one.n};
    out.vector = work_of(softmax_key{.type = one.type, .safe = key.safe, .rows = rows, .count = one.n}).vector;
    out.vector.steps += 3 * (key.factor != score_factor::none) + 4 * key.mask.given;
    out.scalar_steps = key.scores.batch * (packed_once_elements(one) + packed_once_elements(two));
    return out;
}

/// npu.attention(Tensor q, Tensor k, Tensor v, Tensor? mask, int[] mask_reading, int factor, Scalar number, bool safe,
/// bool rows_first): q[b, m, d], k[b, d, n] and v[b, n, e] give softmax(q @ k * number + mask) @ v, [b, m, e]. With
/// lists of matrices, q[o, i, m, d] etc. give [o, i, m, e], or [o, m, i, e] if rows_first. factor: a score_factor;
/// mask_reading: the fields of a mask_reading.
struct attention {
    static constexpr std::string_view name = "npu.attention"sv;
    enum at : int { q, k, v, mask, mask_reading, factor, number, safe, rows_first };
    static constexpr parameter schema[] = {required("q", parameter_kind::tensor),
                                           required("k", parameter_kind::tensor),
                                           required("v", parameter_kind::tensor),
                                           required("mask", parameter_kind::optional_tensor),
                                           required("mask_reading", parameter_kind::int_list),
                                           required("factor", parameter_kind::integer),
                                           required("number", parameter_kind::real),
                                           required("safe", parameter_kind::boolean),
                                           defaulted("rows_first", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        const auto &q = c.tensor(at::q), &v = c.tensor(at::v);
        return c.result(type_of_products(q, v.size(v.rank - 1), c.boolean(at::rows_first)));
    }
    /// The key of a[b, m, k] @ b[b, k, n]; the rows of a are contiguous.
    static constexpr batch_matmul_key product_of(const tensor_type& b, std::int64_t m) {
        const int rows = b.rank - 2, cols = b.rank - 1;
        batch_matmul_key out;
        auto& one = out.product;
        one.type = b.type;
        one.m = m;
        one.k = b.size(rows);
        one.n = b.size(cols);
        one.a_row = one.k;
        one.a_col = 1;
        one.b_row = b.stride(rows);
        one.b_col = b.stride(cols);
        out.batch = b.size(0) * (rows > 1 ? b.size(1) : 1);
        out.b_step = b.stride(rows - 1);
        if (rows > 1) {
            out.inner = b.size(1);
            out.b_outer = b.stride(0);
        }
        return out;
    }
    static constexpr attention_key key(const call_view& c) {
        const auto& q = c.tensor(at::q);
        const int rows = q.rank - 2;
        attention_key key;
        key.scores = product_of(c.tensor(at::k), q.size(rows));
        key.scores.a_step = q.stride(rows - 1);
        if (rows > 1) key.scores.a_outer = q.stride(0);
        key.scores.product.a_row = q.stride(rows);
        key.scores.product.a_col = q.stride(rows + 1);
        key.values = product_of(c.tensor(at::v), q.size(rows));
        key.values.rows_first = rows > 1 && c.boolean(at::rows_first);
        if (key.values.rows_first) key.values.product.out_row = key.values.inner * key.values.product.n;
        key.factor = static_cast<score_factor>(c.integer(at::factor));
        key.number_bits = std::bit_cast<std::int64_t>(c.real(at::number));
        key.safe = c.boolean(at::safe);
        if (c.is_given(at::mask)) {
            const auto numbers = c.ints(at::mask_reading);
            key.mask = {true, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
        }
        return key;
    }
    static constexpr std::int64_t workspace(const attention_key& k) { return workspace_bytes(k); }
    /// Partitioned by matrices. If the masks repeat cyclically, parts begin at the first mask; otherwise at the start
    /// of a mask, which must be an index of a single dim of the masks. A single matrix is partitioned by rows.
    static constexpr partition find_partition(const call_view& c) {
        const auto own = key(c);
        const auto& q = c.tensor(at::q);
        if (by_rows(c, own)) return {own.scores.product.m, fewest_rows, dim_of_rows(c.result_type(), own.values)};
        if (is_followed(own) && dim_of_masks(c) < 0) return {};
        const auto tile_multiple = is_followed(own)     ? own.mask.every
                                   : own.mask.step != 0 ? own.mask.every * own.mask.cycle
                                                        : 1;
        const int dim = first_wide_dim(q);
        const auto each = dim == 0 && q.rank == 4 ? q.size(1) : 1; // matrices per index of dim
        if (tile_multiple % each == 0) return {q.size(dim), tile_multiple / each, dim};
        return each % tile_multiple == 0 ? partition{q.size(dim), 1, dim} : partition{};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto own = key(c);
        const auto& q = c.tensor(at::q);
        const bool rows = by_rows(c, own);
        const int dim = rows ? q.rank - 2 : first_wide_dim(q);
        p.slice(at::q, dim, s);
        if (!rows) p.slice(at::k, dim, s);
        if (!rows) p.slice(at::v, dim, s);
        if (rows && own.mask.row != 0) p.slice(at::mask, c.tensor(at::mask).rank - 2, s);
        if (!rows && is_followed(own)) {
            const auto each = dim == 0 && q.rank == 4 ? q.size(1) : 1;
            p.slice(at::mask, dim_of_masks(c), {s.begin * each / own.mask.every, s.count * each / own.mask.every});
            p.set_entry(at::mask_reading, 1, s.count * each / own.mask.every);
        }
        return p.make();
    }
    /// Fewer matrices; or fewer queries of each, fewer keys, or both.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.has_sound_values(2) || !c.has_equal_numbers(at::mask_reading)) return {};
        const auto key = c.template key<attention>();
        if (is_of_fewer_matrices(c, key)) return c.pieces();
        const auto q = c.given(at::q), k = c.given(at::k), v = c.given(at::v);
        const int first = c.type(at::q).rank - 2; // the dim of rows
        const bool rows = q.follows_in(first), keys = k.follows_in(first + 1);
        const auto one = packed_once(key.scores.product);
        bool ok = q.dims == rows && k.dims == keys && v.dims == keys && v.follows_in(first) == keys &&
                  k.each == v.each && key.values.product.b_col == 1 && !(one.packed && is_dot_product(one));
        if (key.mask.given) {
            const auto mask = c.given(at::mask);
            const int rank = c.type(at::mask).rank;
            ok = ok && (key.mask.column == 0 || mask.follows_in(rank - 1) == keys) &&
                 (key.mask.row == 0 || mask.follows_in(rank - 2) == rows) &&
                 mask.dims == mask.follows_in(rank - 1) + mask.follows_in(rank - 2);
        }
        if (!ok) return c.refuse("matrices, queries or keys that follow the symbol", ahead::print(c.result_type()));
        return {.how = bounded_call::way::dynamic,
                .in = dynamic_extent::columns,
                .rows = rows ? q.each : 0,
                .columns = keys ? k.each : 0};
    }

private:
    /// Fewer matrices, each with its mask at the bound.
    static constexpr bool is_of_fewer_matrices(const auto& c, const attention_key& key) {
        const auto each = c.given(at::q).each;
        const auto& mask = key.mask;
        bool ok = c.are_results_prefixes();
        for (const int i : {at::q, at::k, at::v})
            ok = ok && c.given(i).follows_in(0) && c.given(i).dims == 1 && c.given(i).each == each;
        const auto matrices = each * (key.scores.inner > 0 ? key.scores.inner : 1); // for each place
        if (!c.follows(at::mask)) return ok && (mask.step == 0 || matrices % (mask.every * mask.cycle) == 0);
        return ok && c.given(at::mask).dims == 1 && mask.every * mask.cycle == key.scores.batch &&
               matrices % mask.every == 0 &&
               c.step_of(c.given(at::mask), c.type(at::mask)) == matrices / mask.every * mask.step;
    }
    /// The dim of the mask along which masks differ; its rank if there is one mask; -1 if there are several such dims.
    static constexpr int dim_of_masks(const call_view& c) {
        const auto& mask = c.tensor(at::mask);
        int dim = mask.rank;
        for (int d = 0; d + 2 < mask.rank; ++d)
            if (mask.size(d) > 1 && dim == mask.rank) dim = d;
            else if (mask.size(d) > 1) return -1;
        return dim;
    }
    /// Whether each matrix, or each group of `every` matrices, has a mask of its own (no repetition).
    static constexpr bool is_followed(const attention_key& key) {
        return key.mask.step != 0 && key.mask.every * key.mask.cycle == key.scores.batch;
    }
    static constexpr bool by_rows(const call_view& c, const attention_key& key) {
        return is_partitioned_by_rows(c.tensor(at::q), key.values);
    }
};

} // namespace ahead::device
