// SPDX-License-Identifier: MIT
// Several pointwise operators as a program, a list of numbers: how many steps, one number per step, then the constants
// that steps refer to.
// Invariant: a step refers to operands, constants and earlier steps; the last step is the result. In npu.fused and
// npu.fused_rows, parameter `results` marks the steps that are additional results, in their order after the last
// step's: bit s is step s. Written by pass/device/, read by the keys of npu.fused (device/fused.hpp), npu.fused_rows
// (row_phases.hpp) and of epilogues (epilogue.hpp).
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/key/pointwise_key.hpp>
#include <ahead/ir/infer.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::device {

inline constexpr int max_fused_operands = 7;
inline constexpr int max_fused_steps = 16;
inline constexpr int max_fused_results = 4;

/// A step as a number: the device operator's row, its number of parameters, and six bits for each.
struct fused_step_code {
    // The values of these six bits.
    static constexpr int absent = 0, one = 1, first_operand = 2, first_step = first_operand + max_fused_operands,
                         first_constant = first_step + max_fused_steps, max_constants = 12;
    static_assert(first_constant + max_constants <= 64);

    std::int64_t bits = 0;
    constexpr void begin(op_id op, int parameters) { bits = op.index | std::int64_t{parameters} << 16; }
    constexpr void refer(int parameter, int what) { bits |= std::int64_t{what} << (20 + 6 * parameter); }
    constexpr op_id op() const { return {static_cast<std::int32_t>(bits & 0xffff)}; }
    constexpr int parameters() const { return static_cast<int>(bits >> 16 & 15); }
    constexpr int what(int parameter) const { return static_cast<int>(bits >> (20 + 6 * parameter) & 63); }
};

struct step_ops {
    std::int32_t count = 0;
    std::array<op_id, max_fused_steps> row{};
};

/// A step of a key: the sources of its parameters. Its operator is passed next to the key, as a type.
struct fused_step {
    std::int32_t parameters = 0;
    std::array<pointwise_slot, max_pointwise_parameters> slots{};
    friend constexpr bool operator==(const fused_step&, const fused_step&) = default;
};
AHEAD_FIELDS(fused_step, parameters, slots)

/// The operators of the steps of a program, which is parameter `program` of the call: rows of the device's registry,
/// all of pointwise operators.
constexpr step_ops ops_of_steps(const call_view& c, int program) {
    step_ops out;
    out.count = static_cast<std::int32_t>(c.element(program, 0).bits);
    for (std::int32_t s = 0; s < out.count; ++s)
        out.row[static_cast<std::size_t>(s)] = fused_step_code{c.element(program, 1 + s).bits}.op();
    return out;
}

/// Reads the steps of the program in parameter `program` of the call; returns their number.
constexpr std::int32_t read_steps(const call_view& c, int program, std::array<fused_step, max_fused_steps>& steps) {
    using source = pointwise_slot::source;
    using code = fused_step_code;
    const auto count = static_cast<std::int32_t>(c.element(program, 0).bits);
    for (std::int32_t s = 0; s < count; ++s) {
        auto& step = steps[static_cast<std::size_t>(s)];
        const code given{c.element(program, 1 + s).bits};
        step.parameters = given.parameters();
        for (int i = 0; i < step.parameters; ++i) {
            auto& slot = step.slots[static_cast<std::size_t>(i)];
            const int what = given.what(i);
            if (what == code::absent) continue;
            if (what == code::one) slot = {source::integer, 1};
            else if (what < code::first_step) slot = {source::operand, what - code::first_operand};
            else if (what < code::first_constant) slot = {source::step, what - code::first_step};
            else {
                const auto& constant = c.element(program, 1 + count + what - code::first_constant);
                slot = {constant.kind == argument_kind::real ? source::real : source::integer, constant.bits};
            }
        }
    }
    return count;
}

/// Index of the result that step s, of `count`, writes; `results`: the steps that are additional results; -1: not a
/// result.
constexpr std::int32_t result_of_step(std::int64_t results, std::int32_t count, std::int32_t s) {
    if (s + 1 == count) return 0;
    return (results >> s & 1) != 0 ? std::popcount(static_cast<std::uint64_t>(results) << (63 - s)) : -1;
}

/// The instructions of a program of pointwise steps, in vectors and one by one. costs: by row of the device's registry.
struct program_steps {
    std::int64_t in_vectors = 0, one_by_one = 0;
};
constexpr program_steps steps_of(const step_ops& program, const machine::steps* costs) {
    program_steps out;
    for (std::int32_t s = 0; s < program.count; ++s) {
        const auto& cost = costs[program.row[static_cast<std::size_t>(s)].index];
        (cost.in_vectors ? out.in_vectors : out.one_by_one) += cost.count;
    }
    return out;
}

} // namespace ahead::device
