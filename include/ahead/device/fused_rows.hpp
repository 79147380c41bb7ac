// SPDX-License-Identifier: MIT
// npu.fused_rows: pointwise operators and reductions of rows as one loop over the rows, such as a softmax or a layer
// norm that is written out.
// Invariant: all operands, steps and results have one floating dtype and are stored in row-major order. Made by
// pass/device/fuse_reductions.hpp; key/row_phases.hpp says in which phase each part of a row is computed.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/row_phases.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/device/reduce.hpp>

namespace AHEAD_NAMESPACE::device {

/// Dependent additions where a row is reduced while nothing else of the row can be computed: eight partial sums are
/// joined about when the next elements arrive.
constexpr std::int64_t waits_in_row(std::int64_t count) { return count < 32 ? 1 : waits_of_sum(count); }

/// The instructions of a row's steps: those for every element, and those for the row as a whole. A reduction has the
/// same dependent additions as npu.reduce, and the rest of the row waits for its result.
constexpr machine::work work_of(const fused_rows_key& key, const step_ops& program, const machine::steps* costs) {
    const row_phases phases(key);
    machine::work out;
    out.vector = {key.rows, key.count, 0, 0};
    for (std::int32_t s = 0; s < key.step_count; ++s) {
        const auto& cost = costs[program.row.data()[s].index];
        if (key.reduces(s)) out.row_waits += waits_in_row(key.count);
        if (key.reduces(s) && key.count >= 8) {
            out.vector.steps += 2;
            out.vector.waits += waits_of_sum(key.count);
        } else if (key.reduces(s)) {
            out.scalar_steps += 2 * key.rows * key.count;
        } else if (phases.wide[s] && cost.in_vectors) {
            out.vector.steps += cost.count;
        } else {
            out.scalar_steps += cost.count * key.rows * (phases.wide[s] ? key.count : 1);
        }
    }
    return out;
}

/// npu.fused_rows(int rows, int count, int wide, int reductions, Tensor a0, Tensor? a1, ..., Tensor? a6, *, Scalar[]
/// program, int results): of `rows` rows of `count` elements. wide, bit k: operand k has one element per element of a
/// row; else it has one per row. An operand with fewer rows starts again after its last one. reductions, bit s: step s
/// is an npu.reduce of a row; its parameters are its operand and the reduction. Other steps are pointwise. Results: the
/// last step, and the steps in `results`, each with one element per element of a row or one per row.
struct fused_rows {
    static constexpr std::string_view name = "npu.fused_rows"sv;
    enum at : int { rows, count, wide, reductions, a0 };
    static constexpr parameter schema[] = {required("rows", parameter_kind::integer),
                                           required("count", parameter_kind::integer),
                                           required("wide", parameter_kind::integer),
                                           required("reductions", parameter_kind::integer),
                                           required("a0", parameter_kind::tensor),
                                           defaulted("a1", parameter_kind::optional_tensor),
                                           defaulted("a2", parameter_kind::optional_tensor),
                                           defaulted("a3", parameter_kind::optional_tensor),
                                           defaulted("a4", parameter_kind::optional_tensor),
                                           defaulted("a5", parameter_kind::optional_tensor),
                                           defaulted("a6", parameter_kind::optional_tensor),
                                           required("program", parameter_kind::real_list),
                                           defaulted("results", parameter_kind::integer, argument::of(0))};
    static constexpr int program = at::a0 + max_fused_operands, results = program + 1;

    /// The results have the types that the pass gave them.
    static constexpr bool infer(infer_context& c) { return c.in().is_typed(c.id()) || c.result(c.tensor(at::a0)); }
    static constexpr fused_rows_key key(const call_view& c) {
        fused_rows_key key;
        key.type = c.result_type().type;
        key.rows = c.integer(at::rows);
        key.count = c.integer(at::count);
        key.reductions = c.integer(at::reductions);
        key.results = c.integer(results);
        for (auto& k = key.operands; k < max_fused_operands && c.is_tensor(at::a0 + k); ++k) {
            auto& read = key.read.data()[k];
            read.wide = (c.integer(at::wide) >> k & 1) != 0;
            read.rows = element_count(c.tensor(at::a0 + k)) / (read.wide ? key.count : 1);
        }
        key.step_count = read_steps(c, program, key.steps);
        return key;
    }
    static constexpr device::step_ops step_ops(const call_view& c) { return ops_of_steps(c, program); }
    /// Rows of values that are read again after a reduction and are not stored in the result.
    static constexpr std::int64_t workspace(const fused_rows_key& key) {
        return row_phases(key).rows_of_workspace() * bytes_of_buffer(key);
    }
    /// costs: by row of the device's registry.
    static constexpr machine::work work(const call_view& c, const machine::steps* costs) {
        return work_of(key(c), step_ops(c), costs);
    }
    /// An operand may be overwritten if its row is not read after the phase that first writes to a result's row.
    static constexpr bool each_may_overwrite = true;
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i >= at::a0 && i < program && c.is_tensor(i) && (c.integer(at::wide) >> (i - at::a0) & 1) != 0 &&
               element_count(c.tensor(i)) == c.integer(at::rows) * c.integer(at::count) &&
               row_phases(key(c)).may_overwrite(i - at::a0);
    }
    /// Parts begin at rows where each operand that repeats after some rows begins anew.
    static constexpr partition find_partition(const call_view& c) {
        const auto own = key(c);
        std::int64_t tile_multiple = 1;
        for (std::int32_t k = 0; k < own.operands; ++k)
            if (const auto repeats = own.read.data()[k].rows; repeats < own.rows && tile_multiple % repeats != 0)
                tile_multiple = repeats % tile_multiple == 0 ? repeats : own.rows;
        for (std::int32_t r = 0; r < c.in()[c.id()].values.count; ++r)
            if (!is_contiguous(c.result_type(r))) return {};
        return {own.rows, tile_multiple, 0};
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto own = key(c);
        p.set(at::rows, s.count);
        for (std::int32_t k = 0; k < own.operands; ++k) {
            const auto& read = own.read.data()[k];
            const auto each = read.wide ? own.count : 1;
            if (read.rows == own.rows) p.block(at::a0 + k, s.begin * each, {s.count, each});
        }
        int_list sizes[max_fused_results];
        for (std::int32_t r = 0; r < c.in()[c.id()].values.count; ++r)
            sizes[r] = {s.count, element_count(c.result_type(r)) / own.rows};
        return p.make(sizes);
    }
    /// An operand that is read repeatedly is repeated within the rows of each place.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound(at::rows)) return {};
        const auto full = c.template key<fused_rows>(), less = c.template key<fused_rows>(true);
        const auto each = full.rows - less.rows;
        bool ok = each * c.of.bound == full.rows && full.count == less.count;
        for (std::int32_t k = 0; ok && k < full.operands; ++k) {
            const auto rows = full.read.data()[k].rows;
            const auto i = at::a0 + k;
            ok = c.follows(i) ? c.is_prefix(i) && rows == full.rows
                              : rows > 0 && each % rows == 0 && less.read.data()[k].rows == rows;
        }
        if (!ok || !c.are_results_prefixes())
            return c.refuse("rows that follow the symbol, one behind the other", ahead::print(c.result_type()));
        return c.pieces(each * full.count);
    }
};

} // namespace ahead::device
