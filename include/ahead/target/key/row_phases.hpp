// SPDX-License-Identifier: MIT
// The key of npu.fused_rows, and what it says of the order within a row. A reduction needs all of a row, so a row is
// gone through in phases: each computes elements, and joins what the reductions at its end reduce.
// Invariant: a step is computed once, as late as its first reader allows; what is read again in a later phase lies in a
// buffer, a row long, until then. Buffer 0 is the result's own row. Called by op/fused_rows.hpp and
// kernel/fused_rows.hpp.
#pragma once
#include <ahead/target/key/fused_steps.hpp>

namespace AHEAD_NAMESPACE::target {

/// How rows read an operand: an element for each of the row's, or one for the row; again from its first row on after
/// `rows` of them.
struct row_operand {
    bool wide = false;
    std::int64_t rows = 0;
    friend constexpr bool operator==(const row_operand&, const row_operand&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const row_operand& k, const row_operand& usual, auto f) {
    f("wide", k.wide, usual.wide);
    f("rows", k.rows, usual.rows);
}

struct fused_rows_key {
    dtype type = dtype::f32;
    std::int64_t rows = 0, count = 0; // count: elements of a row
    std::int32_t operands = 0;
    std::array<row_operand, max_fused_operands> read{};
    std::int64_t reductions = 0; // bit s: step s is one
    std::int32_t step_count = 0;
    std::array<fused_step, max_fused_steps> steps{};
    friend constexpr bool operator==(const fused_rows_key&, const fused_rows_key&) = default;
    constexpr bool reduces(std::size_t s) const { return (reductions >> s & 1) != 0; }
};
/// f(name, value, default) for each field.
constexpr void fields(const fused_rows_key& k, const fused_rows_key& usual, auto f) {
    f("type", k.type, usual.type);
    f("rows", k.rows, usual.rows);
    f("count", k.count, usual.count);
    f("operands", k.operands, usual.operands);
    f("read", k.read, usual.read);
    f("reductions", k.reductions, usual.reductions);
    f("step_count", k.step_count, usual.step_count);
    f("steps", k.steps, usual.steps);
}

/// A row of the key's dtype, up to whole cache lines.
constexpr std::int64_t bytes_of_buffer(const fused_rows_key& key) {
    return (key.count * static_cast<std::int64_t>(bytes_of(key.type)) + 63) / 64 * 64;
}

struct row_phases {
    struct moment {
        bool wide = false;     // an element for each of the row's
        std::int32_t when = 0; // the phase that computes it; of one for the row: before which it is there
        std::int32_t last = 0; // the last phase that reads it
        std::int32_t buffer = -1;
    };
    std::array<moment, max_fused_steps> step{};
    std::int32_t phases = 0; // what is for the row alone may follow behind the last one
    std::int32_t buffers = 0;
    std::array<std::int32_t, max_fused_operands> last_read{}; // by operand: the last phase that does
    std::int32_t first_write = 0;                             // to the result's row

    constexpr explicit row_phases(const fused_rows_key& key) : steps_(static_cast<std::size_t>(key.step_count)) {
        find_earliest(key);
        phases = step[steps_ - 1].when + step[steps_ - 1].wide;
        first_write = phases;
        postpone(key);
        find_last_reads(key);
        place_buffers();
        of_rows_ = key.rows;
        operand_ = key.read;
    }
    /// How many rows of workspace there are.
    constexpr std::int64_t buffers_apart() const {
        const bool result_is_one = step[steps_ - 1].wide;
        return result_is_one ? (buffers > 1 ? buffers - 1 : 0) : buffers;
    }
    /// The same of one buffer: which row of workspace; -1: the result's.
    constexpr std::int32_t row_of_workspace(std::int32_t buffer) const { return buffer - step[steps_ - 1].wide; }
    constexpr bool may_overwrite(int operand) const {
        const auto k = static_cast<std::size_t>(operand);
        return step[steps_ - 1].wide && operand_[k].wide && operand_[k].rows == of_rows_ && last_read[k] <= first_write;
    }

private:
    using source = pointwise_slot::source;
    std::size_t steps_;
    std::int64_t of_rows_ = 0;
    std::array<row_operand, max_fused_operands> operand_{};

    /// f(slot) for each parameter that is an operand or a step.
    constexpr void each_read(const fused_rows_key& key, std::size_t s, auto f) const {
        for (std::size_t i = 0; i < static_cast<std::size_t>(key.steps[s].parameters); ++i)
            if (const auto& slot = key.steps[s].slots[i]; slot.from == source::operand || slot.from == source::step)
                f(slot.from == source::step, static_cast<std::size_t>(slot.bits));
    }
    constexpr void find_earliest(const fused_rows_key& key) {
        for (std::size_t s = 0; s < steps_; ++s) {
            auto& mine = step[s];
            each_read(key, s, [&](bool is_step, std::size_t k) {
                if (is_step ? step[k].wide : key.read[k].wide) mine.wide = true;
                if (is_step && step[k].when > mine.when) mine.when = step[k].when;
            });
            if (!key.reduces(s)) continue;
            mine.wide = false;
            ++mine.when;
        }
    }
    /// Elements that are read later only are computed later.
    constexpr void postpone(const fused_rows_key& key) {
        for (std::size_t s = steps_ - 1; s-- > 0;) {
            if (!step[s].wide) continue;
            auto latest = phases;
            for (std::size_t reader = s + 1; reader < steps_; ++reader)
                each_read(key, reader, [&](bool is_step, std::size_t k) {
                    const auto then = step[reader].when - key.reduces(reader);
                    if (is_step && k == s && then < latest) latest = then;
                });
            step[s].when = latest;
        }
    }
    constexpr void find_last_reads(const fused_rows_key& key) {
        for (std::size_t s = 0; s < steps_; ++s)
            each_read(key, s, [&](bool is_step, std::size_t k) {
                auto& last = is_step ? step[k].last : last_read[k];
                const auto then = step[s].when - key.reduces(s);
                if (then > last) last = then;
            });
    }
    constexpr void place_buffers() {
        std::array<std::int32_t, max_fused_steps> until{}; // by buffer: the last phase that reads it
        for (std::int32_t phase = 0; phase < phases; ++phase)
            for (std::size_t s = 0; s + 1 < steps_; ++s) {
                auto& mine = step[s];
                if (!mine.wide || mine.when != phase || mine.last == phase) continue;
                mine.buffer = 0;
                while (mine.buffer < buffers && until[static_cast<std::size_t>(mine.buffer)] > phase) ++mine.buffer;
                if (mine.buffer == buffers) ++buffers;
                until[static_cast<std::size_t>(mine.buffer)] = mine.last;
                if (mine.buffer == 0 && phase < first_write) first_write = phase;
            }
        if (step[steps_ - 1].wide && phases - 1 < first_write) first_write = phases - 1;
    }
};

} // namespace ahead::target
