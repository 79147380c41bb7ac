// SPDX-License-Identifier: MIT
// A pointwise program in the making, of one step or more: what convert/fuse.hpp collects, and gives to a task of its
// own or, with convert/epilogue.hpp, to the product before it. Invariant: what codes refer to is among operands,
// constants and earlier steps.
#pragma once
#include <ahead/convert/convert.hpp>
#include <ahead/target/key/fused_steps.hpp>

namespace AHEAD_NAMESPACE::convert {

/// A constant of the program, an integer or a real.
struct pointwise_number {
    argument_kind kind = argument_kind::integer;
    std::int64_t bits = 0;
};

/// A device value that a program reads.
struct pointwise_operand {
    device_value made;
    argument from;         // the ATen value that it stands for
    std::int32_t uses = 0; // how often the program reads that; 0: it reads others too that are made the same
};

struct pointwise_group {
    node_id root; // the ATen call whose result the last step gives
    bool constant = false;
    std::int32_t steps = 0, operands = 0, constants = 0;
    target::fused_step_code codes[target::max_fused_steps]{};
    pointwise_operand operand[target::max_fused_operands]{};
    pointwise_number constant_at[target::fused_step_code::max_constants]{};
};

/// The program of a group, as an argument of the node `owner`; None after a refusal.
constexpr argument write_program(graph out, const pointwise_group& group, node_id owner, diagnosis& d) {
    argument program{.kind = argument_kind::list};
    if (!reserve_arguments(out, 1 + group.steps + group.constants, program.children, d)) return {};
    auto next = program.children.first;
    const auto put = [&](const argument& a) { set_argument(out, {next++}, a, owner); };
    put(argument::of(std::int64_t{group.steps}));
    for (std::int32_t s = 0; s < group.steps; ++s) put(argument::of(group.codes[s].bits));
    for (std::int32_t k = 0; k < group.constants; ++k)
        put({.kind = group.constant_at[k].kind, .bits = group.constant_at[k].bits});
    return program;
}

} // namespace ahead::convert
