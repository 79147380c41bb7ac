// SPDX-License-Identifier: MIT
// npu.decompose: dense decompositions of a batch of matrices. Its kernels are opt-in: ahead/linalg.hpp.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/column_major.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

enum class decomposition : std::uint8_t {
    symmetric_eigen, ///< (eigenvalues, eigenvectors if `vectors`) of one triangle
    singular_values, ///< (values, U and V^T if `vectors`)
    qr,              ///< (R, Q if `vectors`)
    cholesky,        ///< (the factor of one triangle, info)
    lu,              ///< (L and U in one matrix, pivots, info)
    inverse,         ///< (inverse, info)
};

/// The largest number of rows and of columns that the kernels take; the AI CPU takes larger matrices.
inline constexpr std::int64_t most_decomposed = 128;

/// `batch` matrices of rows x columns, row-major; matrices of results are column-major.
struct decompose_key {
    dtype type = dtype::f32;
    decomposition kind = decomposition::symmetric_eigen;
    bool upper = false;   // reads the upper triangle
    bool vectors = false; // or: matrices that are results only if they are wanted
    bool full = false;    // bases of all rows, or columns
    bool checks = false;  // refuses a matrix whose info is not 0
    std::int64_t batch = 1, rows = 1, columns = 1;
    friend constexpr bool operator==(const decompose_key&, const decompose_key&) = default;
};
AHEAD_FIELDS(decompose_key, type, kind, upper, vectors, full, checks, batch, rows, columns)

/// The smallest power of two from 4 on that is not less than `rows`: kernels of several sizes share the decomposition
/// of matrices of up to that size.
constexpr std::int64_t room_for(std::int64_t rows) {
    std::int64_t out = 4;
    while (out < rows) out *= 2;
    return out;
}

/// Multiplications one by one, of which a decomposition takes some times n^3.
constexpr machine::work work_of(const decompose_key& k) {
    const std::int64_t times = k.kind > decomposition::qr ? 1 : k.vectors ? 9 : 2;
    const auto shorter = k.rows < k.columns ? k.rows : k.columns;
    return {.scalar_steps = k.batch * times * k.rows * k.columns * shorter};
}

/// npu.decompose(Tensor x, int kind, bool upper, bool vectors, bool full, bool checks): x is contiguous; kind: a
/// `decomposition`, which names the results.
struct decompose {
    static constexpr std::string_view name = "npu.decompose"sv;
    static constexpr std::string_view kernel_header = "ahead/linalg.hpp"sv;
    enum at : int { x, kind, upper, vectors, full, checks };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor),      required("kind", parameter_kind::integer),
        required("upper", parameter_kind::boolean), required("vectors", parameter_kind::boolean),
        required("full", parameter_kind::boolean),  required("checks", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::x);
        const auto rows = t.size(t.rank - 2), columns = t.size(t.rank - 1), shorter = rows < columns ? rows : columns;
        const bool full = c.boolean(at::full), vectors = c.boolean(at::vectors);
        int_list batch, line;
        for (int d = 0; d < t.rank - 2; ++d) batch.push_back(t.size(d)), line.push_back(t.size(d));
        line.push_back(shorter);
        const auto info = tensor_of(dtype::i32, batch);
        const auto matrix = in_columns(t, rows, columns);
        const auto taken = full ? rows : shorter;
        switch (static_cast<decomposition>(c.integer(at::kind))) {
        case decomposition::symmetric_eigen:
            return c.results(vectors ? 2 : 1) && c.set(0, tensor_of(t.type, line)) && (!vectors || c.set(1, matrix));
        case decomposition::singular_values:
            return c.results(vectors ? 3 : 1) && c.set(0, tensor_of(t.type, line)) &&
                   (!vectors || (c.set(1, in_columns(t, rows, taken)) &&
                                 c.set(2, in_columns(t, full ? columns : shorter, columns))));
        case decomposition::qr:
            return c.results(vectors ? 2 : 1) && c.set(0, in_columns(t, taken, columns)) &&
                   (!vectors || c.set(1, in_columns(t, rows, taken)));
        case decomposition::lu:
            return c.results(3) && c.set(0, matrix) && c.set(1, tensor_of(dtype::i32, line)) && c.set(2, info);
        case decomposition::cholesky:
        case decomposition::inverse: break;
        }
        return c.results(2) && c.set(0, matrix) && c.set(1, info);
    }
    static constexpr decompose_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        decompose_key key{.type = t.type,
                          .kind = static_cast<decomposition>(c.integer(at::kind)),
                          .upper = c.boolean(at::upper),
                          .vectors = c.boolean(at::vectors),
                          .full = c.boolean(at::full),
                          .checks = c.boolean(at::checks),
                          .rows = t.size(t.rank - 2),
                          .columns = t.size(t.rank - 1)};
        for (int d = 0; d < t.rank - 2; ++d) key.batch *= t.size(d);
        return key;
    }
    /// Matrices in double; and for the first two kinds the object that decomposes one, whose parts have room for
    /// room_for(n) squared elements each.
    static constexpr std::int64_t workspace(const decompose_key& k) {
        const auto longer = k.rows < k.columns ? k.columns : k.rows, shorter = k.rows + k.columns - longer;
        const auto own = k.rows * k.columns + 4 * longer, room = room_for(shorter);
        switch (k.kind) {
        case decomposition::symmetric_eigen: return 8 * (own + room * room + 6 * room) + 512;
        case decomposition::singular_values:
            return 8 * (3 * own + longer * longer + 2 * shorter * shorter + 4 * room * room + 16 * room) + 2048;
        case decomposition::qr: return 8 * (own + k.rows * k.rows + 4 * longer) + 512;
        default: return 8 * (2 * own) + 512;
        }
    }
};

} // namespace ahead::device
