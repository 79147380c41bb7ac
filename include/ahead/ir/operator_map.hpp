// SPDX-License-Identifier: MIT
// Which of a list of names each operator of a table has: a pass looks the names up once, and then asks by number.
// Invariant: of two places of one name the first counts. Called by passes that know operators by name.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE {

class operator_map {
public:
    constexpr explicit operator_map(op_table ops) : ops_(ops), place_(static_cast<std::int64_t>(ops.size())) {}
    /// The next name of the list; the table need not have it.
    constexpr void add(std::string_view name) {
        ++count_;
        if (const auto op = find_op(ops_, name); op.exists() && place_[op.index] == 0) place_[op.index] = count_;
    }
    /// The place of the operator's name in the list; -1: it is not there. pre: the operator exists
    constexpr std::int32_t of(op_id op) const { return place_[op.index] - 1; }

private:
    op_table ops_;
    fixed_buffer<std::int16_t> place_; // by operator, + 1
    std::int16_t count_ = 0;
};

} // namespace ahead
