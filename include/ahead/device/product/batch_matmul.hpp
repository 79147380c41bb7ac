// SPDX-License-Identifier: MIT
// npu.batch_matmul: a product for each matrix of a batch.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// Offset of a matrix of a batch: `step` elements from one to the next; if there are lists of `inner` matrices, `outer`
/// elements from one list to the next.
constexpr std::int64_t place_in_batch(std::int64_t matrix, std::int64_t inner, std::int64_t step, std::int64_t outer) {
    return inner == 0 ? matrix * step : matrix / inner * outer + matrix % inner * step;
}

/// A batch of products, `*_step` elements from one matrix to the next. inner: matrices in a list, `*_outer` elements
/// from one list to the next; 0: the batch is one list. rows_first: out stores for each list the first rows of all
/// matrices, then the second ones, like heads that are adjacent in a token.
struct batch_matmul_key {
    matmul_key product{};
    std::int64_t batch = 0, a_step = 0, b_step = 0;
    std::int64_t inner = 0, a_outer = 0, b_outer = 0;
    bool rows_first = false;
    friend constexpr bool operator==(const batch_matmul_key&, const batch_matmul_key&) = default;
};
AHEAD_FIELDS(batch_matmul_key, product, batch, a_step, b_step, inner, a_outer, b_outer, rows_first)

/// Where matrix `matrix` of out begins.
constexpr std::int64_t place_in_out(const batch_matmul_key& key, std::int64_t matrix) {
    const auto m = key.product.m, n = key.product.n;
    return key.rows_first ? place_in_batch(matrix, key.inner, n, key.inner * m * n) : matrix * m * n;
}

/// The result type of a batch of products with n columns, for the matrices of a, in one list or in several.
constexpr tensor_type type_of_products(const tensor_type& a, std::int64_t n, bool rows_first) {
    if (a.rank == 3) return tensor_of(a.type, {a.size(0), a.size(1), n});
    return rows_first ? tensor_of(a.type, {a.size(0), a.size(2), a.size(1), n})
                      : tensor_of(a.type, {a.size(0), a.size(1), a.size(2), n});
}

constexpr machine::work work_of(const batch_matmul_key& key) { return times(key.batch, work_of(key.product)); }

constexpr matmul_choice& choice_in(batch_matmul_key& key) { return key.product.choice; }
constexpr bool allows(const batch_matmul_key& key, matmul_choice choice) { return allows(key.product, choice); }
constexpr bool is_by_rule(const batch_matmul_key& key, matmul_choice choice) { return is_by_rule(key.product, choice); }

/// Whether a batch like a is partitioned by the rows of its matrices: if it has one matrix, or one list of matrices
/// whose rows alternate in memory.
constexpr bool is_partitioned_by_rows(const tensor_type& a, const batch_matmul_key& key) {
    return key.batch == 1 || (a.rank == 4 && a.size(0) == 1 && key.rows_first);
}
/// The dim of the result that holds the rows.
constexpr int dim_of_rows(const tensor_type& out, const batch_matmul_key& key) {
    return key.rows_first ? 1 : out.rank - 2;
}

/// npu.batch_matmul(Tensor a, Tensor b, int? choice, bool rows_first, Tensor? bias): a[b, m, k] @ b[b, k, n] + bias[m],
/// one number per row; or lists of matrices, a[o, i, m, k] @ b[o, i, k, n], which give [o, i, m, n], or [o, m, i, n] if
/// rows_first.
struct batch_matmul {
    static constexpr std::string_view name = "npu.batch_matmul"sv;
    enum at : int { a, b, choice, rows_first, bias };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor), required("b", parameter_kind::tensor),
                                           defaulted("choice", parameter_kind::optional_integer),
                                           defaulted("rows_first", parameter_kind::boolean, argument::of(false)),
                                           defaulted("bias", parameter_kind::optional_tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto& a = c.tensor(at::a);
        const auto n = c.tensor(at::b).size(a.rank - 1);
        return c.result(type_of_products(a, n, c.boolean(at::rows_first)));
    }
    static constexpr batch_matmul_key key(const call_view& c) {
        const auto& a = c.tensor(at::a);
        const auto& b = c.tensor(at::b);
        const int rows = a.rank - 2, cols = a.rank - 1;
        batch_matmul_key key;
        auto& one = key.product;
        one.type = a.type;
        one.m = a.size(rows);
        one.k = a.size(cols);
        one.n = b.size(cols);
        one.a_row = a.stride(rows);
        one.a_col = a.stride(cols);
        one.b_row = b.stride(rows);
        one.b_col = b.stride(cols);
        one.choice = choice_of<matmul_choice>(c, at::choice);
        one.bias = c.is_given(at::bias);
        if (one.bias) one.bias_row = c.tensor(at::bias).stride(0);
        key.batch = a.size(0) * (rows > 1 ? a.size(1) : 1);
        key.a_step = a.stride(rows - 1);
        key.b_step = b.stride(rows - 1);
        if (rows > 1) {
            key.inner = a.size(1);
            key.a_outer = a.stride(0);
            key.b_outer = b.stride(0);
            key.rows_first = c.boolean(at::rows_first);
            if (key.rows_first) one.out_row = key.inner * one.n;
        }
        return key;
    }
    static constexpr std::int64_t workspace(const batch_matmul_key& k) {
        return static_cast<std::int64_t>(workspace_bytes(k.product));
    }
    using kernel_choice = matmul_choice;
    static constexpr operand_sizes operands(const batch_matmul_key& k) {
        const auto last = [&](std::int64_t step, std::int64_t outer) {
            return k.inner == 0 ? (k.batch - 1) * step : (k.inner - 1) * step + (k.batch / k.inner - 1) * outer;
        };
        auto out = operands_of(k.product);
        out.x += last(k.a_step, k.a_outer);
        out.weight += last(k.b_step, k.b_outer);
        out.out *= k.batch;
        out.packed = 0;
        return out;
    }
    /// Partitioned by lists of matrices, by matrices, or by rows.
    static constexpr partition find_partition(const call_view& c) {
        const auto own = key(c);
        if (!is_floating(own.product.type) || is_dot_product(own.product)) return {};
        const auto& x = c.tensor(at::a);
        if (is_partitioned_by_rows(x, own)) return {own.product.m, fewest_rows, dim_of_rows(c.result_type(), own)};
        const int dim = first_wide_dim(x);
        return {x.size(dim), 1, dim};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto& x = c.tensor(at::a);
        const bool rows = is_partitioned_by_rows(x, key(c));
        const int dim = rows ? x.rank - 2 : first_wide_dim(x);
        p.slice(at::a, dim, s);
        if (!rows) p.slice(at::b, dim, s);
        if (rows && p.is_tensor(at::bias)) p.slice(at::bias, 0, s);
        return p.make();
    }
    /// Fewer matrices, or lists of them; or fewer rows of each, and fewer columns or terms.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.has_sound_values(2) || !c.has_equal_numbers()) return {};
        const auto a = c.given(at::a), b = c.given(at::b);
        const auto key = c.template key<batch_matmul>().product;
        if (a.follows_in(0) && b.follows_in(0) && a.dims == 1 && b.dims == 1 && a.each == b.each &&
            c.are_results_prefixes())
            return c.pieces();
        const int rows = c.type(at::a).rank - 2;
        const auto made = bounded_product(key, a, b, rows);
        if ((a.follows_in(1) && rows > 1) || c.is_tensor(at::bias)) // of each list; a row has its own bias
            return c.refuse("lists of as many matrices at each size", ahead::print(c.result_type()));
        if (made.how != bounded_call::way::dynamic || a.follows_in(0) || b.follows_in(0))
            return c.refuse("matrices, rows, columns or terms that follow the symbol", ahead::print(c.result_type()));
        return made;
    }
};

} // namespace ahead::device
