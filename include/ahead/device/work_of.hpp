// SPDX-License-Identifier: MIT
// The work of a call of a device operator, derived from its key: all that the kernel for that key does, including
// padding and copies, so that one calibration of products and of pointwise chains also serves convolutions and rows.
// Each operator defines it in its file, as work_of(key) or work(call). Called by compile/timing.hpp.
// Invariant: bytes are not counted here but from the plan, which knows their addresses.
#pragma once
#include <ahead/device/ai_cpu.hpp>
#include <ahead/device/key/epilogue.hpp>

namespace AHEAD_NAMESPACE::device {

/// Op: the device operator that is called. costs: by row of the device's registry, read by npu.fused, npu.fused_rows.
template <class Op>
constexpr machine::work work_of_call(const call_view& c, [[maybe_unused]] const machine::steps* costs) {
    if constexpr (requires { Op::work(c); }) {
        return Op::work(c);
    } else if constexpr (requires { Op::work(c, costs); }) {
        return Op::work(c, costs);
    } else if constexpr (requires { work_of(Op::key(c)); }) {
        const auto own = work_of(Op::key(c));
        if constexpr (requires { Op::epilogue(c); })
            if (Op::has_epilogue(c)) return with_epilogue(own, Op::step_ops(c), elements_of_results(c), costs);
        return own;
    } else {
        return {.vector = {1, elements_of_results(c), 1, 0}};
    }
}

/// Makes a registry's costs, by row: the cost of a step of npu.fused or npu.fused_rows.
struct steps_maker {
    template <class Op> static constexpr machine::steps cost() {
        if constexpr (requires(machine::steps out) { // an operator's parameter may be named steps
                          typename Op::meaning_of;
                          out = Op::steps;
                      })
            return Op::steps;
        else return {};
    }
    template <class Op> static constexpr machine::steps of = cost<Op>();
};

} // namespace ahead::device
