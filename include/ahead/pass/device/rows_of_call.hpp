// SPDX-License-Identifier: MIT
// What a call of a device graph does with rows: which rows a reduction reduces, how a call reads its operands row by
// row, and its steps as a program. Called by fuse_rows.hpp.
// Invariant: rows are the last dims of a contiguous tensor, two elements or more.
#pragma once
#include <ahead/pass/device/pointwise_program.hpp>
#include <ahead/target/op/fused.hpp>
#include <ahead/target/op/reduce.hpp>

namespace AHEAD_NAMESPACE::pass {

/// A value that rows are made of, and whether it has an element for each of a row's.
struct row_read {
    std::int32_t node = -1, result = 0;
    bool wide = false;
    friend constexpr bool operator==(const row_read&, const row_read&) = default;
};

enum class row_kind : std::uint8_t {
    none,
    full,   // all elements of all rows
    number, // a number for each row: their dims are 1
    flat,   // the same without their dims
};

/// The tensor that rows are of: `dims` of its last dims are a row.
struct row_shape {
    dtype type = dtype::f32;
    int_list sizes{};
    int dims = 0;
    std::int64_t rows = 1, count = 1;

    /// Of a result of that type.
    constexpr row_kind kind_of(const tensor_type& t) const {
        if (t.type != type || !is_contiguous(t)) return row_kind::none;
        const int outer = sizes.size - dims;
        if (t.rank != sizes.size && t.rank != outer) return row_kind::none;
        for (int d = 0; d < outer; ++d)
            if (t.size(d) != sizes[d]) return row_kind::none;
        if (t.rank == outer) return row_kind::flat;
        bool full = true, ones = true;
        for (int d = outer; d < sizes.size; ++d) {
            full = full && t.size(d) == sizes[d];
            ones = ones && t.size(d) == 1;
        }
        return full ? row_kind::full : ones ? row_kind::number : row_kind::none;
    }
    /// Whether a call with such a result can read such an operand row by row; `wide`: how.
    constexpr bool is_read(const tensor_type& result, bool reduces, const tensor_type& t, bool& wide) const {
        const auto kind = kind_of(result);
        if (reduces) return wide = true, kind_of(t) == row_kind::full;
        const int outer = sizes.size - dims, rank = kind == row_kind::flat ? outer : sizes.size;
        if (kind == row_kind::none || t.type != type || t.rank > rank || !is_contiguous(t)) return false;
        const auto size = [&](int d) { return d < rank - t.rank ? std::int64_t{1} : t.size(d - (rank - t.rank)); };
        bool full = kind == row_kind::full, ones = true;
        for (int d = outer; d < rank; ++d) {
            full = full && size(d) == sizes[d];
            ones = ones && size(d) == 1;
        }
        if (!full && !ones) return false;
        wide = full;
        int d = outer - 1;
        while (d >= 0 && size(d) == sizes[d]) --d; // it begins again after these
        while (d >= 0 && size(d) == 1) --d;
        return d < 0;
    }
};

/// Calls that may be part of a task of rows.
class calls_of_rows {
public:
    constexpr calls_of_rows(graph_view g, op_table ops)
        : g_(g), ops_(ops), fused_(find_op(ops, device::fused::name).index),
          reduce_(find_op(ops, device::reduce::name).index) {}

    constexpr bool is_reduction(const node& n) const { return n.op.index >= 0 && n.op.index == reduce_; }
    constexpr bool is_candidate(const node& n) const {
        if (n.kind != node_kind::call || n.op.index < 0) return false;
        if (n.op.index == fused_) return true;
        row_shape rows;
        return is_reduction(n) ? reduces_rows(n, rows) : is_step(g_, ops_.data(), n);
    }
    /// The rows of the nearest reduction that the call is, or that it is computed from, so many calls back at most.
    constexpr bool find_rows(node_id id, row_shape& rows, int most) const {
        const auto& n = g_[id];
        if (is_reduction(n)) return reduces_rows(n, rows);
        for (const bool far : {false, true})
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto& a = g_.argument_of(n, i);
                if (a.kind != argument_kind::node || !is_candidate(g_[a.node()])) continue;
                if (far ? most > 1 && find_rows(a.node(), rows, most - 1)
                        : is_reduction(g_[a.node()]) && reduces_rows(g_[a.node()], rows))
                    return true;
            }
        return false;
    }
    struct program_size {
        std::int32_t steps = 1, numbers = 0;
    };
    constexpr program_size size_of(node_id id) const {
        const auto& n = g_[id];
        if (is_reduction(n)) return {1, 1};
        if (n.op.index != fused_) return {1, numbers_of(g_.arguments().data(), n)};
        const auto& list = g_.argument_of(n, n.arguments.count - 1);
        const auto steps = static_cast<std::int32_t>(g_[list.children[0]].bits);
        return {steps, list.children.count - 1 - steps};
    }
    /// The call's steps and what they read.
    constexpr pointwise_program program_of(node_id id) const {
        pointwise_program out;
        const auto& n = g_[id];
        if (is_reduction(n)) {
            auto& made = out.codes[out.steps++];
            made.begin(n.op, 2);
            made.refer(0, out.refer_to_operand(g_.argument_of(n, device::reduce::x)));
            made.refer(1, out.refer_to_number(device::reduce::schema[device::reduce::kind],
                                              g_.argument_of(n, device::reduce::kind)));
        } else if (n.op.index == fused_) {
            const auto count = n.arguments.count - 1;
            for (; out.operands < count; ++out.operands) {
                const auto& a = g_.argument_of(n, out.operands);
                out.operand[out.operands] = {a.node().index, a.result};
            }
            out.read(g_, g_.argument_of(n, count));
        } else {
            out.add(g_, ops_, id, [](std::int32_t) { return -1; });
        }
        return out;
    }

private:
    graph_view g_;
    op_table ops_;
    std::int32_t fused_, reduce_;

    /// Whether it reduces rows, all of their dims, of a dtype that loops compute in.
    constexpr bool reduces_rows(const node& n, row_shape& rows) const {
        const auto& x = g_.value_of(g_.argument_of(n, device::reduce::x)).type;
        const auto& dims = g_.argument_of(n, device::reduce::dims).children;
        if (!is_contiguous(x) || !is_floating(x.type) || !has_kernels(x.type) || dims.count == 0 ||
            g_[n.values[0]].storage.index != n.values.first)
            return false;
        rows = {x.type, sizes_of(x), dims.count};
        for (int d = 0; d < x.rank; ++d) (d < x.rank - dims.count ? rows.rows : rows.count) *= x.size(d);
        for (std::int32_t k = 0; k < dims.count; ++k)
            if (g_[dims[k]].bits != x.rank - dims.count + k) return false;
        return rows.count > 1 && rows.rows > 0;
    }
};

} // namespace ahead::pass
