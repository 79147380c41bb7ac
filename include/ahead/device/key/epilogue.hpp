// SPDX-License-Identifier: MIT
// The operations that a product or convolution applies to its sums before it writes them: the steps of a program
// (fused_steps.hpp), whose operand 0 is the sum and whose other operands are tensors, such as a residual.
// Invariant: all have the dtype of the sums and are stored in row-major order. An operand has as many elements as the
// result, and is read at the place that is written; or it has one for every column of a product or filter of a
// convolution; or just one. Written by pass/device/fuse_epilogue.hpp.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/key/fused_steps.hpp>

namespace AHEAD_NAMESPACE::device {

inline constexpr int max_epilogue_operands = 3; // in addition to the sum

enum class epilogue_reading : std::uint8_t { place, column, number };

struct epilogue_key {
    std::int32_t operands = 0; // in addition to the sum
    std::int32_t count = 0;
    std::array<epilogue_reading, max_epilogue_operands> read{};
    std::array<fused_step, max_fused_steps> steps{};
    friend constexpr bool operator==(const epilogue_key&, const epilogue_key&) = default;
};
AHEAD_FIELDS(epilogue_key, operands, count, read, steps)

/// The operands are the parameters from `first` on; the program is the parameter after them.
constexpr epilogue_key epilogue_of(const call_view& c, int first) {
    epilogue_key key;
    const auto elements = element_count(c.result_type());
    while (key.operands < max_epilogue_operands && c.is_tensor(first + key.operands)) {
        const auto own = element_count(c.tensor(first + key.operands));
        key.read[static_cast<std::size_t>(key.operands++)] = own == elements ? epilogue_reading::place
                                                             : own == 1      ? epilogue_reading::number
                                                                             : epilogue_reading::column;
    }
    key.count = read_steps(c, first + max_epilogue_operands, key.steps);
    return key;
}

/// Whether the result may take the memory of parameter i, if it is an operand: it is read at the place that is written.
constexpr bool may_overwrite_operand(const call_view& c, int i, int first) {
    if (i < first || i >= first + max_epilogue_operands || !c.is_tensor(i)) return false;
    return c.tensor(i).offset == 0 && element_count(c.tensor(i)) == element_count(c.result_type());
}

/// Adds the work of the epilogue of a product or convolution to `out`.
constexpr machine::work with_epilogue(machine::work out, const step_ops& program, std::int64_t elements,
                                      const machine::steps* costs) {
    const auto all = steps_of(program, costs);
    out.after = {1, elements, all.in_vectors, 0};
    out.scalar_steps += all.one_by_one * elements;
    return out;
}

/// The base of an operator Op with an optional epilogue: its last parameters are r0, r1, r2 and program.
template <class Op> struct takes_epilogue {
    static constexpr std::int32_t after = Op::at::r0; // index of the epilogue's first operand
    static constexpr bool has_epilogue(const call_view& c) { return c.is_given(after + max_epilogue_operands); }
    /// An epilogue without steps if the call has none.
    static constexpr epilogue_key epilogue(const call_view& c) {
        return has_epilogue(c) ? epilogue_of(c, after) : epilogue_key{};
    }
    static constexpr device::step_ops step_ops(const call_view& c) {
        return has_epilogue(c) ? ops_of_steps(c, after + max_epilogue_operands) : device::step_ops{};
    }
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return may_overwrite_operand(c, i, after);
    }
};

} // namespace ahead::device
