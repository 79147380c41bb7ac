// SPDX-License-Identifier: MIT
// Batches of matrices: all dims of a tensor but the last two count matrices. For the operators of this folder.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/column_major.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten::detail {

constexpr bool check_matrices(infer_context& c, int i) {
    const auto& t = c.tensor(i);
    if (t.rank < 2) return c.refuse(fault::rank_is_wrong, "rank 2 at least", print(t));
    return t.type == dtype::f32 || t.type == dtype::f64 ||
           c.refuse(fault::dtype_is_unsupported, "f32 or f64", print(t));
}
constexpr bool check_square(infer_context& c, int i) {
    if (!check_matrices(c, i)) return false;
    const auto& t = c.tensor(i);
    return t.size(t.rank - 2) == t.size(t.rank - 1) ||
           c.refuse(fault::matrix_is_not_square, "square matrices", print(t));
}

constexpr std::int64_t row_count(const tensor_type& t) { return t.size(t.rank - 2); }
constexpr std::int64_t column_count(const tensor_type& t) { return t.size(t.rank - 1); }
constexpr int_list batch_of(const tensor_type& t) {
    int_list sizes;
    for (int d = 0; d < t.rank - 2; ++d) sizes.push_back(t.size(d));
    return sizes;
}
/// The batch dims, and one of this size after them.
constexpr int_list line_for_each(const tensor_type& t, std::int64_t size) {
    auto sizes = batch_of(t);
    sizes.push_back(size);
    return sizes;
}

/// Calls f(index in the batch dims) for each matrix.
constexpr void for_each_matrix(const tensor_type& t, auto f) { for_each_index(batch_of(t), f); }
constexpr int_list place_in(int_list matrix, std::int64_t row, std::int64_t column) {
    matrix.push_back(row);
    matrix.push_back(column);
    return matrix;
}

/// to: the matrix in columns, as math::matrix_columns.
constexpr void read_matrix(const auto& from, const int_list& matrix, const auto& to) {
    for (std::int64_t k = 0; k < column_count(from.type()); ++k)
        for (std::int64_t i = 0; i < row_count(from.type()); ++i)
            to(i, k) = static_cast<double>(from[place_in(matrix, i, k)]);
}
/// Writes the result `to` of dtype T.
template <class T> constexpr void write_matrix(const auto& to, const int_list& matrix, const auto& from, T) {
    for (std::int64_t k = 0; k < column_count(to.type()); ++k)
        for (std::int64_t i = 0; i < row_count(to.type()); ++i)
            to.put(place_in(matrix, i, k), math::convert<T>(from(i, k)));
}

constexpr void refuse_singular(auto& c, std::int64_t column) {
    c.refuse(fault::matrix_is_singular, "a matrix with an inverse",
             short_text("nothing but 0 to divide by in column ") << column);
}

} // namespace ahead::aten::detail
