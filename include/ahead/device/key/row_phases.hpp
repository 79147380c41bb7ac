// SPDX-License-Identifier: MIT
// The key of npu.fused_rows, and the order of work within a row that follows from it. A reduction needs the whole row,
// so a row is processed in phases: each computes elements and accumulates the reductions at its end.
// Invariant: a step is computed once, as late as its first reader allows; a value that is read again in a later phase
// is kept until then in a buffer of one row. The first buffer is the result's row; another result is kept in its row.
// Called by device/fused_rows.hpp and kernels/fused_rows.hpp.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/key/fused_steps.hpp>

namespace AHEAD_NAMESPACE::device {

/// How rows read an operand: one element per element of the row, or one per row; it starts again at its first row after
/// `rows` rows.
struct row_operand {
    bool wide = false;
    std::int64_t rows = 0;
    friend constexpr bool operator==(const row_operand&, const row_operand&) = default;
};
AHEAD_FIELDS(row_operand, wide, rows)

struct fused_rows_key {
    dtype type = dtype::f32;
    std::int64_t rows = 0, count = 0; // count: elements of a row
    std::int32_t operands = 0;
    std::array<row_operand, max_fused_operands> read{};
    std::int64_t reductions = 0; // bit s: step s is a reduction
    std::int32_t step_count = 0;
    std::array<fused_step, max_fused_steps> steps{};
    std::int64_t results = 0; // bit s: step s is also a result, after the last step's
    friend constexpr bool operator==(const fused_rows_key&, const fused_rows_key&) = default;
    constexpr bool reduces(std::int32_t s) const { return (reductions >> s & 1) != 0; }
    constexpr bool is_kept(std::int32_t s) const { return (results >> s & 1) != 0; }
};
AHEAD_FIELDS(fused_rows_key, type, rows, count, operands, read, reductions, step_count, steps, results)

/// A row of the key's dtype, rounded up to whole cache lines.
constexpr std::int64_t bytes_of_buffer(const fused_rows_key& key) {
    return (bytes_of(key.type, key.count) + 63) / 64 * 64;
}

/// When each part of a row is computed, and where it is kept.
struct row_phases {
    // By step.
    bool wide[max_fused_steps]{};           // it has one element per element of the row
    std::int32_t when[max_fused_steps]{};   // the phase that computes it; if once per row: known before it
    std::int32_t last[max_fused_steps]{};   // the last phase that reads it
    std::int32_t buffer[max_fused_steps]{}; // its buffer until then: 1 is the first one; 0: none, or the row of another
                                            // result
    std::int32_t last_read[max_fused_operands]{}; // by operand
    std::int32_t phases = 0;                      // values that exist once per row may follow the last one
    std::int32_t buffers = 0;
    std::int32_t first_write = 0; // the first phase that writes to a result's row
    bool is_wide = false;         // the result has one element per element of the row

    constexpr explicit row_phases(const fused_rows_key& key) {
        using source = pointwise_slot::source;
        const std::int32_t steps = key.step_count;
        std::int32_t reads[max_fused_steps]{}; // bits: the operands, then the steps
        for (std::int32_t s = 0; s < steps; ++s) {
            const auto& step = key.steps.data()[s];
            for (std::int32_t i = 0; i < step.parameters; ++i) {
                const auto& slot = step.slots.data()[i];
                if (slot.from != source::operand && slot.from != source::step) continue;
                const auto k = static_cast<std::int32_t>(slot.bits);
                const bool from_step = slot.from == source::step;
                reads[s] |= 1 << (from_step ? max_fused_operands + k : k);
                if (from_step ? wide[k] : key.read.data()[k].wide) wide[s] = true;
                if (from_step && when[k] > when[s]) when[s] = when[k];
            }
            if (!key.reduces(s)) continue;
            wide[s] = false;
            ++when[s];
        }
        is_wide = wide[steps - 1];
        phases = when[steps - 1] + is_wide;
        for (auto s = steps; s-- > 0;) { // a value with only later readers is computed later
            if (wide[s] && s + 1 < steps) when[s] = phases;
            for (auto r = s + 1; r < steps; ++r) {
                const auto then = when[r] - key.reduces(r);
                if ((reads[r] >> (max_fused_operands + s) & 1) == 0) continue;
                if (wide[s] && then < when[s]) when[s] = then;
                if (then > last[s]) last[s] = then;
            }
            for (std::int32_t k = 0; k < key.operands; ++k)
                if ((reads[s] >> k & 1) != 0 && when[s] - key.reduces(s) > last_read[k])
                    last_read[k] = when[s] - key.reduces(s);
        }
        first_write = is_wide ? phases - 1 : phases;
        std::int32_t until[max_fused_steps]{}; // by buffer: the last phase that reads it
        for (std::int32_t phase = 0; phase < phases; ++phase)
            for (std::int32_t s = 0; s + 1 < steps; ++s) {
                if (!wide[s] || when[s] != phase) continue;
                if (key.is_kept(s) && phase < first_write) first_write = phase;
                if (key.is_kept(s) || last[s] == phase) continue;
                std::int32_t b = 0;
                while (b < buffers && until[b] > phase) ++b;
                if (b == buffers) ++buffers;
                if (b == 0 && phase < first_write) first_write = phase;
                until[b] = last[s];
                buffer[s] = b + 1;
            }
    }
    /// Rows of workspace. If the result is wide, its row is the first buffer.
    constexpr std::int32_t rows_of_workspace() const { return is_wide && buffers > 0 ? buffers - 1 : buffers; }
    /// Whether a wide result may take the memory of a wide operand with as many elements.
    constexpr bool may_overwrite(int operand) const { return last_read[operand] <= first_write; }
};

} // namespace ahead::device
