// SPDX-License-Identifier: MIT
// npu.weight_int8_matmul: a product with i8 weights that have a scale for each column of the result.
// Invariant: the bits of an element depend on its row and its column alone, not on the tile that computes it.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::device {

/// How many columns of the result a register tile has.
enum class int8_tile : std::uint8_t { by_rule, columns_of_2, columns_of_4, columns_of_8 };
inline constexpr std::string_view int8_tile_names[] = {"by_rule", "columns_of_2", "columns_of_4", "columns_of_8"};
constexpr array_view<const std::string_view> names_of(int8_tile) { return int8_tile_names; }

/// a[m, k] @ weight[n, k]^T * scales[n], all row-major; a, scales and the result are f32 or f64.
struct weight_int8_key {
    dtype type = dtype::f32;
    int8_tile choice = int8_tile::by_rule;
    std::int64_t m = 0, n = 0, k = 0;
    friend constexpr bool operator==(const weight_int8_key&, const weight_int8_key&) = default;
};
AHEAD_FIELDS(weight_int8_key, type, choice, m, n, k)

/// Rows and columns of a register tile. The rule's columns are measured: of 4096 x 4096 with one row, 8 take half as
/// long as 2; of several rows they are the fastest with AVX-512, and within 1.3 of it with AVX2.
struct int8_tile_sizes {
    std::int64_t rows, columns;
};
constexpr int8_tile_sizes tile_of(const weight_int8_key& key) {
    const std::int64_t rows = std::clamp<std::int64_t>(key.m, 1, 4);
    switch (key.choice) {
    case int8_tile::columns_of_2: return {rows, 2};
    case int8_tile::columns_of_4: return {rows, 4};
    default: return {rows, 8}; // columns_of_8, and the rule's
    }
}
constexpr bool allows(const weight_int8_key& key, int8_tile choice) {
    auto chosen = key;
    chosen.choice = choice;
    return choice == int8_tile::by_rule || tile_of(chosen).columns <= key.n;
}
constexpr bool is_by_rule(weight_int8_key key, int8_tile choice) {
    key.choice = int8_tile::by_rule;
    const auto rule = tile_of(key).columns;
    key.choice = choice;
    return tile_of(key).columns == rule;
}

/// npu.weight_int8_matmul(Tensor a, Tensor weight, Tensor scales, int? choice): a[m, k] @ weight[n, k]^T * scales[n];
/// weight is i8.
struct weight_int8_matmul {
    static constexpr std::string_view name = "npu.weight_int8_matmul"sv;
    enum at : int { a, weight, scales, choice };
    static constexpr parameter schema[] = {
        required("a", parameter_kind::tensor), required("weight", parameter_kind::tensor),
        required("scales", parameter_kind::tensor), defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::a);
        return c.result(tensor_of(x.type, {x.size(0), c.tensor(at::weight).size(0)}));
    }
    static constexpr weight_int8_key key(const call_view& c) {
        const auto& x = c.tensor(at::a);
        return {x.type, choice_of<int8_tile>(c, at::choice), x.size(0), c.tensor(at::weight).size(0), x.size(1)};
    }
    /// A product, and the conversion of the weights once for each row of tiles.
    static constexpr machine::work work(const call_view& c) {
        const auto own = key(c);
        const auto converted = (own.m + tile_of(own).rows - 1) / tile_of(own).rows * own.n * own.k;
        return {.cube = {1, own.m, own.k, own.n}, .vector = {1, converted, 2, 0}};
    }
    using kernel_choice = int8_tile;
    static constexpr operand_sizes operands(const weight_int8_key& k) {
        return {.type = k.type, .x = k.m * k.k, .weight = k.n * k.k, .bias = k.n, .out = k.m * k.n};
    }
    /// By rows, or by columns if there is one row.
    static constexpr partition find_partition(const call_view& c) {
        const auto own = key(c);
        return own.m == 1 ? partition{own.n, 16, 1} : partition{own.m, 1, 0};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        if (c.tensor(at::a).size(0) > 1) {
            p.slice(at::a, 0, s);
        } else {
            p.slice(at::weight, 0, s);
            p.slice(at::scales, 0, s);
        }
        return p.make();
    }
    static constexpr bounded_call bounded(const auto& c) {
        return bounded_count<weight_int8_matmul>(c, at::a, &weight_int8_key::m);
    }
};

} // namespace ahead::device
