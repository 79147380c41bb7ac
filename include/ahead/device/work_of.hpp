// SPDX-License-Identifier: MIT
// What a call of a device operator asks for, read off its key: what the kernel of that key does, padding, copies and
// all, so that one calibration of products and of pointwise chains serves convolutions and rows, too. Each operator
// says it in its own file (op/), as work_of(key). Called by compile/timing.hpp.
// Invariant: bytes are not counted here but from the plan, which knows where they lie.
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

/// Maker of a registry's costs, by row: what a step of npu.fused or npu.fused_rows takes.
struct steps_maker {
    template <class Op> static constexpr machine::steps cost() {
        if constexpr (requires(machine::steps out) { // a parameter of the operator may be called steps
                          typename Op::meaning_of;
                          out = Op::steps;
                      })
            return Op::steps;
        else return {};
    }
    template <class Op> static constexpr machine::steps of = cost<Op>();
};

} // namespace ahead::device
