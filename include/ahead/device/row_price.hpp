// SPDX-License-Identifier: MIT
// Whether calls on rows take less time on a device as one npu.fused_rows than separately, by the cost model (cost.hpp).
// Separate calls have a launch each and pass their data through memory; in a fused call the rest of a row waits for the
// row's reductions. Called by pass/device/fuse_reductions.hpp for each task that it might make.
// Invariant: integers only. A step counts as one instruction, since it is the same in both cases, and so does each
// value that is read or written. The group's bytes are used as the whole footprint, since the addresses of values are
// not known yet.
#pragma once
#include <ahead/device/fused_rows.hpp>
#include <ahead/machine/cost.hpp>

namespace AHEAD_NAMESPACE::device {

/// Calls on `rows` rows of `count` elements, added one at a time.
class row_price {
public:
    /// As one task they read and write `values` values per element of all rows, and `bytes` bytes in all.
    constexpr row_price(const machine::device& on, std::int64_t rows, std::int64_t count, std::int64_t values,
                        std::int64_t bytes)
        : on_(on), rows_(rows), count_(count) {
        together_.vector = {rows, count, values, 0};
        together_.moved_bytes = bytes;
        has_times_ = on.vector.cores > 0 && on.vector.clock_mhz > 0 && on.vector.lanes > 0 && on.memory[0].bytes > 0;
        for (const auto& level : on.memory) has_times_ = has_times_ && (level.bytes == 0 || level.bytes_per_us > 0);
    }

    /// An npu.reduce of the rows that moves `bytes` bytes.
    constexpr void add_reduction(std::int64_t bytes) {
        machine::work mine;
        if (count_ >= 8) {
            mine.vector = {rows_, count_, 3, waits_of_sum(count_)};
            together_.vector.steps += 2;
            together_.vector.waits += waits_of_sum(count_);
        } else {
            mine.scalar_steps = 2 * rows_ * count_;
            together_.scalar_steps += mine.scalar_steps;
        }
        together_.row_waits += waits_in_row(count_);
        add(mine, bytes);
    }
    /// `steps` pointwise steps for each element of a row, which read and write `values` values per element, and `bytes`
    /// bytes in all; by_row: some values exist once per row.
    constexpr void add_loop(std::int64_t steps, std::int64_t values, bool by_row, std::int64_t bytes) {
        machine::work mine;
        mine.vector = {by_row ? rows_ : 1, by_row ? count_ : rows_ * count_, steps + values, 0};
        together_.vector.steps += steps;
        add(mine, bytes);
    }
    /// The same for values that exist once per row.
    constexpr void add_number(std::int64_t steps, std::int64_t bytes) {
        machine::work mine;
        mine.vector = {1, rows_, steps, 0};
        together_.scalar_steps += steps * rows_;
        add(mine, bytes);
    }
    /// Whether one task takes no longer than separate ones. Devices that the cost model cannot describe are refused
    /// elsewhere (plan/limits.hpp).
    constexpr bool pays() const { return !has_times_ || machine::time_of(together_, on_, used()) <= apart_; }

private:
    const machine::device& on_;
    std::int64_t rows_, count_;
    bool has_times_ = false;
    machine::work together_;
    machine::ticks apart_;

    constexpr machine::footprint used() const { return {together_.moved_bytes, together_.moved_bytes}; }
    constexpr void add(machine::work& mine, std::int64_t bytes) {
        mine.moved_bytes = bytes;
        if (has_times_) apart_ += machine::time_of(mine, on_, used());
    }
};

} // namespace ahead::device
