// SPDX-License-Identifier: MIT
// The device operators that name blocks: those that run them, and the one that prepares their constants.
#pragma once
#include <ahead/device/blocks/cond.hpp>
#include <ahead/device/blocks/prepare_block.hpp>
#include <ahead/device/blocks/scan.hpp>
#include <ahead/device/blocks/while_loop.hpp>

namespace AHEAD_NAMESPACE::device {

/// Calls f.operator()<Op>() for the operator of the node, if it names blocks; whether it does.
constexpr bool with_block_op(const node& n, auto f) {
    const auto call_if = [&]<class Op>() {
        if (!is_call_of<Op>(n)) return false;
        f.template operator()<Op>();
        return true;
    };
    return call_if.template operator()<prepare_block>() || call_if.template operator()<cond>() ||
           call_if.template operator()<while_loop>() || call_if.template operator()<scan>();
}
/// Whether the call runs blocks.
constexpr bool runs_blocks(const node& n) {
    bool out = false;
    with_block_op(n, [&]<class Op>() { out = !std::same_as<Op, prepare_block>; });
    return out;
}

} // namespace ahead::device
