// SPDX-License-Identifier: MIT
// npu.decompose: dense decompositions of a batch of matrices. Its kernels are opt-in: ahead/linalg.hpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/column_major.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

enum class decomposition : std::uint8_t {
    symmetric_eigen, ///< (eigenvalues, eigenvectors if `vectors`) of one triangle
};

/// The largest number of rows and of columns that the kernels take; the AI CPU takes larger matrices.
inline constexpr std::int64_t most_decomposed = 128;

/// `batch` matrices of rows x columns, row-major; matrices of results are column-major.
struct decompose_key {
    dtype type = dtype::f32;
    decomposition kind = decomposition::symmetric_eigen;
    std::int64_t batch = 1, rows = 1, columns = 1;
    bool upper = false;   // reads the upper triangle
    bool vectors = false; // or: matrices that are results only if they are wanted
    friend constexpr bool operator==(const decompose_key&, const decompose_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const decompose_key& k, const decompose_key& usual, auto f) {
    f("type", k.type, usual.type);
    f("kind", k.kind, usual.kind);
    f("batch", k.batch, usual.batch);
    f("rows", k.rows, usual.rows);
    f("columns", k.columns, usual.columns);
    f("upper", k.upper, usual.upper);
    f("vectors", k.vectors, usual.vectors);
}

/// The smallest power of two from 4 on that is not less than `rows`: kernels of several sizes share the decomposition
/// of matrices of up to that size.
constexpr std::int64_t room_for(std::int64_t rows) {
    std::int64_t out = 4;
    while (out < rows) out *= 2;
    return out;
}

/// Multiplications one by one, of which a decomposition takes some times n^3.
constexpr machine::work work_of(const decompose_key& k) {
    const std::int64_t times = k.vectors ? 9 : 2;
    const auto shorter = k.rows < k.columns ? k.rows : k.columns;
    return {.scalar_steps = k.batch * times * k.rows * k.columns * shorter};
}

/// npu.decompose(Tensor x, int kind, bool upper, bool vectors): x is contiguous; kind: a `decomposition`.
struct decompose {
    static constexpr std::string_view name = "npu.decompose"sv;
    static constexpr std::string_view kernel_header = "ahead/linalg.hpp"sv;
    enum at : int { x, kind, upper, vectors };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("kind", parameter_kind::integer),
        required("upper", parameter_kind::boolean), required("vectors", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::x);
        const auto n = t.size(t.rank - 1);
        auto line = sizes_of(t);
        --line.size;
        const bool vectors = c.boolean(at::vectors);
        return c.results(vectors ? 2 : 1) && c.set(0, tensor_of(t.type, line)) &&
               (!vectors || c.set(1, in_columns(t, n, n)));
    }
    static constexpr decompose_key key(const call_view& c) {
        const auto& t = c.tensor(at::x);
        decompose_key key{.type = t.type,
                          .kind = static_cast<decomposition>(c.integer(at::kind)),
                          .rows = t.size(t.rank - 2),
                          .columns = t.size(t.rank - 1),
                          .upper = c.boolean(at::upper),
                          .vectors = c.boolean(at::vectors)};
        for (int d = 0; d < t.rank - 2; ++d) key.batch *= t.size(d);
        return key;
    }
    /// A matrix in double, and the object that decomposes it, whose parts have room for room_for(n) squared elements.
    static constexpr std::int64_t workspace(const decompose_key& k) {
        const auto room = room_for(k.rows);
        return 8 * (k.rows * k.columns + room * room + 6 * room) + 512;
    }
};

} // namespace ahead::device
