// SPDX-License-Identifier: MIT
// The key of one matrix product, by which kernels/product/matmul.hpp is instantiated, and the sizes that follow from
// it.
// Invariant: strides are in elements, 0 broadcasts; `out` is [m, n] with contiguous rows, out_row elements apart; sizes
// depend on the key alone, never on the host's vector width.
// Read by convert/ (to choose), plan/ (to size) and kernels/ (to run).
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/ir/type/dtype.hpp>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::device {

/// Elements of a 64-byte vector, the unit of layouts. Machines with narrower vectors take several registers for one.
constexpr std::int64_t nominal_lanes(dtype type) { return 64 / bytes_of(type, 1); }

/// Which of a product's kernels runs: the one that the functions below select, or the one that was measured to be the
/// fastest (device/choices.hpp). All have the same errors; bits may differ between them where there are few sums.
enum class matmul_choice : std::uint8_t {
    by_rule,
    panels_of_16, ///< columns in a panel of packed b
    panels_of_32,
    panels_of_64,
    in_place, ///< b is read without a copy: its rows are contiguous, or its columns and the rows of a
    copied,   ///< b is copied, panel by panel
    eigen,    ///< Eigen's product (kernels/eigen/products.hpp); packed b has its rows one after the other
};
inline constexpr std::array<std::string_view, 7> matmul_choice_names{
    "by_rule", "panels_of_16", "panels_of_32", "panels_of_64", "in_place", "copied", "eigen"};
constexpr array_view<const std::string_view> names_of(matmul_choice) { return matmul_choice_names; }

/// out[m, n] = a[m, k] @ b[k, n] (+ bias, broadcast by its strides). packed: b is the result of pack_matmul; b_row and
/// b_col are then the strides of the unpacked b. Floating types, i8 for npu.int_matmul, and i8 and u8 for
/// npu.quantized_matmul, whose b is i8.
struct matmul_key {
    dtype type = dtype::f32;
    std::int64_t m = 0, n = 0, k = 0;
    bool bias = false;
    bool packed = false;
    std::int64_t a_row = 0, a_col = 0, b_row = 0, b_col = 0, bias_row = 0, bias_col = 0;
    matmul_choice choice = matmul_choice::by_rule; // one that the key allows
    std::int64_t out_row = 0;                      // 0: n, out is contiguous
    friend constexpr bool operator==(const matmul_key&, const matmul_key&) = default;
};
AHEAD_FIELDS(matmul_key, type, m, n, k, bias, packed, a_row, a_col, b_row, b_col, bias_row, bias_col, choice, out_row)

/// Elements from one row of out to the next.
constexpr std::int64_t row_of_out(const matmul_key& key) { return key.out_row > 0 ? key.out_row : key.n; }

/// The key of contiguous operands, bias (if any) of shape [n].
constexpr matmul_key contiguous_matmul(dtype type, std::int64_t m, std::int64_t n, std::int64_t k, bool bias,
                                       bool packed) {
    return {type, m, n, k, bias, packed, k, 1, n, 1, 0, bias ? 1 : 0};
}

/// With fewer columns than this, the product is computed as dot products along k, over b transposed.
inline constexpr std::int64_t fewest_panel_columns = 4;

constexpr bool is_dot_product(const matmul_key& key) { return key.n < fewest_panel_columns; }

/// Columns of one full panel: wide if few rows share it (it is streamed once), narrow if a 12-row register tile does.
inline constexpr std::int64_t few_rows = 6;
constexpr std::int64_t panel_width(const matmul_key& key) {
    switch (key.choice) {
    case matmul_choice::panels_of_16: return 16;
    case matmul_choice::panels_of_32: return 32;
    case matmul_choice::panels_of_64: return 64;
    default: return key.m <= few_rows ? 64 : 32;
    }
}

/// The last panel's columns, rounded up to a whole vector of 16, 8 or 4.
constexpr std::int64_t padded_panel(std::int64_t columns) {
    if (columns > 8) return (columns + 15) / 16 * 16;
    return columns > 4 ? 8 : columns > 0 ? 4 : 0;
}

/// This many elements of a column are stored next to each other in a panel: 32-bit words of the terms of a dot product,
/// that is quads of i8 and pairs of bf16.
constexpr bool is_byte(dtype type) { return type == dtype::i8 || type == dtype::u8; }
constexpr std::int64_t group_size(dtype type) { return is_byte(type) ? 4 : type == dtype::bf16 ? 2 : 1; }
constexpr std::int64_t groups_of(const matmul_key& key) {
    return (key.k + group_size(key.type) - 1) / group_size(key.type);
}
/// Elements of one column of a panel: whole groups.
constexpr std::int64_t packed_depth(const matmul_key& key) { return groups_of(key) * group_size(key.type); }

/// The padded width of the last panel, where full panels have `columns` columns.
constexpr std::int64_t padded_panel(const matmul_key& key, std::int64_t columns) {
    return is_byte(key.type) ? (columns + 15) / 16 * 16 : padded_panel(columns);
}

/// Elements of packed b: panels [ceil(n / width)][groups of k][width][group], the last one narrower; or b transposed,
/// [n][k], where it is a dot product.
constexpr std::int64_t packed_elements(const matmul_key& key) {
    if (key.choice == matmul_choice::eigen || (is_dot_product(key) && !is_byte(key.type))) return key.n * key.k;
    const std::int64_t width = panel_width(key);
    return packed_depth(key) * (key.n / width * width + padded_panel(key, key.n % width));
}

/// One representative m for all m with the same packing of b; packing depends on m only through this.
constexpr std::int64_t rows_of_packing(const matmul_key& key) {
    auto many = key;
    many.m = few_rows + 1;
    return key.m <= few_rows || is_dot_product(key) || key.n <= panel_width(many) ? 1 : many.m;
}

/// Whether tiles that read panels of b in place would touch more pages than the TLB holds, and there are enough tiles
/// to pay for a copy. Measured at 1024 x 1024 x 1024: in place takes twice as long.
constexpr bool is_scattered(const matmul_key& key) {
    return bytes_of(key.type, key.k * key.b_row) > (1 << 21) && key.m > 48;
}

/// Whether b is one contiguous column and the rows of a are contiguous: the columns' stride is then irrelevant.
constexpr bool is_one_column(const matmul_key& key) {
    return !key.packed && key.n == 1 && key.b_row == 1 && key.a_col == 1;
}

/// Whether an unpacked b is copied panel by panel before a register tile reads it: neither its rows nor its columns are
/// contiguous, or its columns are but a has too many rows for dot products, or its rows are far apart.
constexpr bool packs_on_the_fly(const matmul_key& key) {
    if (key.packed || !is_floating(key.type)) return false;
    if (key.choice != matmul_choice::by_rule) return key.choice == matmul_choice::copied;
    if (is_one_column(key)) return false;
    if (key.b_col == 1) return is_scattered(key);
    const bool dots = key.b_row == 1 && key.a_col == 1 && key.m < 4;
    return !dots;
}

/// The product that a key of f16 or bf16 becomes when a is copied as f32.
constexpr matmul_key with_widened_rows(matmul_key key) {
    key.a_row = key.k;
    key.a_col = 1;
    return key;
}
/// Bytes of that copy; pairs of bf16 do not take more.
constexpr std::int64_t widened_row_bytes(const matmul_key& key) {
    return is_half(key.type) ? (4 * key.m * key.k + 63) / 64 * 64 : 0;
}
/// Rows of one register tile, or of two on machines with few registers.
inline constexpr std::int64_t rows_of_a_tile = 12;
/// Whether b is read from a copy of one panel at a time: if it is packed on the fly, or if it is f16 or bf16 and
/// several tiles share a panel, which is then widened once instead of once per tile.
constexpr bool copies_panels(const matmul_key& key) {
    if (is_half(key.type) && key.m > rows_of_a_tile) return !key.packed || !is_dot_product(key);
    return packs_on_the_fly(key);
}

/// How a product is summed whose k is so large that neither its rows nor a panel of b stay in cache: in `parts` parts
/// of k, one after the other, for `columns` columns at a time, whose sums stay in the workspace until the last part.
/// One part: all of k at once.
struct depth_parts {
    std::int64_t parts = 1, columns = 0;
};
constexpr depth_parts parts_of_depth(const matmul_key& key) {
    constexpr std::int64_t most_terms = 768, most_columns = 256, fewest_panels = 4;
    const auto width = panel_width(key), panels = key.n / width;
    const bool is_deep = key.packed && key.choice != matmul_choice::eigen &&
                         (key.type == dtype::f32 || key.type == dtype::f64) && key.n % width == 0 && key.m >= 32 &&
                         key.m <= 256 && bytes_of(key.type, width * key.k) > 256 * 1024;
    if (!is_deep) return {};
    depth_parts out{(key.k + most_terms - 1) / most_terms, most_columns / width};
    while (out.parts <= key.k / 256 && key.k % out.parts != 0) ++out.parts;
    while (out.columns >= fewest_panels && panels % out.columns != 0) --out.columns;
    if (key.k % out.parts != 0 || out.columns < fewest_panels) return {};
    out.columns *= width;
    return out;
}

constexpr std::size_t workspace_bytes(const matmul_key& key) {
    if (const auto deep = parts_of_depth(key); deep.parts > 1)
        return static_cast<std::size_t>(bytes_of(key.type, key.m * deep.columns));
    const auto rows = widened_row_bytes(key);
    if (!copies_panels(rows > 0 ? with_widened_rows(key) : key)) return static_cast<std::size_t>(rows);
    const std::int64_t width = key.n < panel_width(key) ? padded_panel(key.n) : panel_width(key);
    return static_cast<std::size_t>(rows + bytes_of(computed_as(key.type), key.k * width));
}

/// Whether a product may be computed by this choice. All but by_rule need f32 or f64, and enough columns.
constexpr bool allows(const matmul_key& key, matmul_choice choice) {
    const bool is_free = (key.type == dtype::f32 || key.type == dtype::f64) && !is_dot_product(key);
    switch (choice) {
    case matmul_choice::by_rule: return true;
    case matmul_choice::panels_of_16:
    case matmul_choice::panels_of_32:
    case matmul_choice::panels_of_64: return is_free && key.packed;
    case matmul_choice::in_place:
        return is_free && !key.packed && (key.b_col == 1 || (key.b_row == 1 && key.a_col == 1));
    case matmul_choice::copied: return is_free && !key.packed;
    case matmul_choice::eigen: return key.type == dtype::f32 || key.type == dtype::f64;
    }
    return false;
}
/// Whether the choice selects the same kernel as the rule. pre: allowed
constexpr bool is_by_rule(matmul_key key, matmul_choice choice) {
    if (choice == matmul_choice::by_rule || choice == matmul_choice::eigen) return choice == matmul_choice::by_rule;
    key.choice = choice;
    const auto chosen = key;
    key.choice = matmul_choice::by_rule;
    if (!key.packed) return packs_on_the_fly(key) == packs_on_the_fly(chosen);
    const auto width = panel_width(key), other = panel_width(chosen);
    return width == other || (key.n <= width && key.n <= other); // one panel, of the width that n needs
}

} // namespace ahead::device
