// SPDX-License-Identifier: MIT
// npu.fused: several pointwise operators as one loop, which reads every operand once and writes one result. Its program is a list of numbers: how
// many steps, one number per step, then the constants that steps refer to.
// Invariant: all operands, steps and the result have one floating dtype; a step refers to operands, constants and earlier steps; the last step is
// the result. Written by convert/fuse.hpp, read by key().
#pragma once
#include <ahead/target/pointwise_key.hpp>

namespace ahead::target {

inline constexpr int max_fused_operands = 7;
inline constexpr int max_fused_steps = 16;

/// A step as a number: the device operator's row, how many parameters it has, and six bits for each.
struct fused_step_code {
    // What six bits say.
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

struct fused_step {
    op_id op; // a row of the device's registry, a device::pointwise
    std::int32_t parameters = 0;
    std::array<pointwise_slot, max_pointwise_parameters> slots{};
};

struct fused_key {
    basic_strided_key<max_fused_operands + 1> loop;
    std::int32_t count = 0;
    std::array<fused_step, max_fused_steps> steps{};
};

} // namespace ahead::target

namespace ahead::device {

/// npu.fused(Tensor a0, Tensor? a1, ..., Tensor? a6, *, Scalar[] program): see above.
struct fused {
    static constexpr std::string_view name = "npu.fused";
    static constexpr parameter schema[] = {
        required("a0", parameter_kind::tensor),           defaulted("a1", parameter_kind::optional_tensor),
        defaulted("a2", parameter_kind::optional_tensor), defaulted("a3", parameter_kind::optional_tensor),
        defaulted("a4", parameter_kind::optional_tensor), defaulted("a5", parameter_kind::optional_tensor),
        defaulted("a6", parameter_kind::optional_tensor), required("program", parameter_kind::real_list)};
    static constexpr int program = target::max_fused_operands;

    /// The result has the type that the converter gave it.
    static constexpr bool infer(infer_context& c) { return c.in().is_typed(c.id()) || c.result(c.tensor(0)); }
    static constexpr target::fused_key key(const call_view& c) {
        using source = target::pointwise_slot::source;
        using code = target::fused_step_code;
        target::fused_key key;
        std::array<const tensor_type*, target::max_fused_operands> tensors{};
        std::size_t operands = 0;
        while (operands < tensors.size() && c.is_tensor(static_cast<int>(operands))) {
            tensors[operands] = &c.tensor(static_cast<int>(operands));
            ++operands;
        }
        key.loop = target::strided_key_of<target::max_fused_operands + 1>(c.result_type(), array_view(tensors.data(), operands));
        key.count = static_cast<std::int32_t>(c.element(program, 0).bits);
        for (std::int32_t s = 0; s < key.count; ++s) {
            auto& step = key.steps[static_cast<std::size_t>(s)];
            const code given{c.element(program, 1 + s).bits};
            step.op = given.op();
            step.parameters = given.parameters();
            for (int i = 0; i < step.parameters; ++i) {
                auto& slot = step.slots[static_cast<std::size_t>(i)];
                const int what = given.what(i);
                if (what == code::absent) continue;
                if (what == code::one)
                    slot = {source::integer, 1};
                else if (what < code::first_step)
                    slot = {source::operand, what - code::first_operand};
                else if (what < code::first_constant)
                    slot = {source::step, what - code::first_step};
                else {
                    const auto& constant = c.element(program, 1 + key.count + what - code::first_constant);
                    slot = {constant.kind == argument_kind::real ? source::real : source::integer, constant.bits};
                }
            }
        }
        return key;
    }
    /// An operand of the result's own type is read at the very place that is written.
    static constexpr bool may_overwrite(const call_view& c, int i) {
        return i < target::max_fused_operands && c.is_tensor(i) && c.tensor(i) == c.result_type();
    }
};

} // namespace ahead::device
