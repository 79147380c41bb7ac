// SPDX-License-Identifier: MIT
// npu.solve: systems of triangular matrices, and of the factors of npu.decompose. Its kernels are opt-in:
// ahead/linalg.hpp.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/type/column_major.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// X of A X = B, or of X A = B unless `left`, for `batch` matrices A of count x count. `lu`: A is given as its factors
/// and pivots, and A^T is meant if `adjoint`; else A is one triangle of the matrix given. B is row-major, and has
/// `width` columns, or rows unless `left`. X is row-major if `in_rows`, else column-major.
struct solve_key {
    dtype type = dtype::f32;
    bool lu = false, adjoint = false; // adjoint: only of lu
    bool left = true, in_rows = false;
    bool upper = false, unit = false; // only of a triangle; unit: its diagonal is 1
    std::int64_t batch = 1, count = 1, width = 1;
    friend constexpr bool operator==(const solve_key&, const solve_key&) = default;
};
AHEAD_FIELDS(solve_key, type, lu, adjoint, left, in_rows, upper, unit, batch, count, width)

/// Multiplications one by one.
constexpr machine::work work_of(const solve_key& k) {
    return {.scalar_steps = k.batch * k.count * k.count * k.width * (k.lu ? 2 : 1)};
}

/// npu.solve(Tensor a, Tensor b, Tensor? pivots, bool left, bool in_rows, bool upper, bool unit, bool adjoint): all
/// tensors are contiguous and have the same batch dims. pivots: of a factored matrix.
struct solve {
    static constexpr std::string_view name = "npu.solve"sv;
    static constexpr std::string_view kernel_header = "ahead/linalg.hpp"sv;
    enum at : int { a, b, pivots, left, in_rows, upper, unit, adjoint };
    static constexpr parameter schema[] = {
        required("a", parameter_kind::tensor),
        required("b", parameter_kind::tensor),
        required("pivots", parameter_kind::optional_tensor),
        required("left", parameter_kind::boolean),
        required("in_rows", parameter_kind::boolean),
        required("upper", parameter_kind::boolean),
        required("unit", parameter_kind::boolean),
        required("adjoint", parameter_kind::boolean),
    };
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::b);
        const auto rows = t.size(t.rank - 2), columns = t.size(t.rank - 1);
        return c.result(c.boolean(at::in_rows) ? tensor_of(t.type, sizes_of(t)) : in_columns(t, rows, columns));
    }
    static constexpr solve_key key(const call_view& c) {
        const auto& t = c.tensor(at::b);
        const bool left = c.boolean(at::left);
        solve_key key{.type = t.type,
                      .lu = c.is_given(at::pivots),
                      .adjoint = c.boolean(at::adjoint),
                      .left = left,
                      .in_rows = c.boolean(at::in_rows),
                      .upper = c.boolean(at::upper),
                      .unit = c.boolean(at::unit),
                      .count = t.size(t.rank - (left ? 2 : 1)),
                      .width = t.size(t.rank - (left ? 1 : 2))};
        for (int d = 0; d < t.rank - 2; ++d) key.batch *= t.size(d);
        return key;
    }
    /// A and B in double.
    static constexpr std::int64_t workspace(const solve_key& k) { return 8 * k.count * (k.count + k.width) + 128; }
};

} // namespace ahead::device
