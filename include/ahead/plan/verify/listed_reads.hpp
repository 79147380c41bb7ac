// SPDX-License-Identifier: MIT
// Which storages each task of a plan reads: its operands, and for a concatenation the parts that are in their slices,
// because a reader of the concatenation reads them there.
// Called by verify/check_bytes.hpp, when task_verifier has listed operands and parts.
#pragma once
#include <ahead/plan/verify/verifier_state.hpp>

namespace AHEAD_NAMESPACE::detail {

class listed_reads {
public:
    constexpr explicit listed_reads(const verifier_state& trial)
        : t_(trial), room_(count_readings()), end_room_(std::int64_t{trial.total} + 2), reads_(room_.data()) {
        const auto* operands = t_.operands.data();
        const auto* end_of_operands = t_.end_of_operands.data() + 1;
        const auto* concat_of = t_.concat_of.data();
        auto* end_of_reads = end_room_.data() + 1;
        for (std::int32_t t = 0, i = 0; t <= t_.total; ++t) {
            for (; i < end_of_operands[t]; ++i) {
                const auto& one = operands[i];
                if (concat_of[one.storage] != 0) list_storage(one.storage, one.argument);
                else reads_[count_++] = one;
            }
            end_of_reads[t] = count_;
        }
    }

    /// The reads of all tasks in order, then of the output.
    constexpr const reading* reads() const { return room_.data(); }
    /// By task; there is a 0 before the first.
    constexpr const std::int32_t* end_of_reads() const { return end_room_.data() + 1; }

private:
    const verifier_state& t_;
    fixed_buffer<reading> room_;
    fixed_buffer<std::int32_t> end_room_;
    reading* reads_;
    std::int32_t count_ = 0;

    constexpr std::int64_t count_readings() const {
        const auto operands = t_.end_of_operands[t_.total + 1];
        std::int64_t count = operands;
        if (t_.parts > 0)
            for (std::int32_t i = 0; i < operands; ++i) count += count_parts(t_.operands[i].storage);
        return count;
    }
    /// The number of storages that are read for this one.
    constexpr std::int64_t count_parts(std::int32_t storage) const {
        if (storage < 0 || t_.concat_of[storage] == 0) return 1;
        std::int64_t count = 1;
        t_.each_part(t_.g[node_id{t_.concat_of[storage] - 1}],
                     [&](std::int32_t part, std::int64_t, std::int64_t) { count += count_parts(part); });
        return count;
    }
    constexpr void list_storage(std::int32_t storage, std::int32_t number) {
        if (t_.concat_of[storage] != 0) {
            t_.each_part(t_.g[node_id{t_.concat_of[storage] - 1}],
                         [&](std::int32_t part, std::int64_t, std::int64_t) { list_storage(part, number); });
            if (t_.joined[storage] != 0) return;
        }
        reads_[count_++] = {storage, number};
    }
};

} // namespace ahead::detail
