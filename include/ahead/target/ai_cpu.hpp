// SPDX-License-Identifier: MIT
// Operators that the AI CPU runs: it reads the operator's own meaning instead of a kernel of the vector or cube unit.
// An ATen operator in a device graph or in a plan table is one of these; all others are called npu.*.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// Op: an ATen operator struct with an evaluate (reference/evaluate.hpp). The same name, schema and type rule on the
/// device.
template <class Op> struct ai_cpu : Op {
    using meaning_of = Op;
    static constexpr effects effect{.picks_results = true};
    static constexpr bool infer(infer_context& c) {
        if constexpr (requires { &Op::template evaluate<infer_context>; }) return Op::infer(c);
        else return c.refuse(fault::operator_has_no_converter, "a converter for the operator", Op::name);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        if constexpr (requires { Op::scratch_bytes(c); }) return Op::scratch_bytes(c);
        else return 0;
    }
};

} // namespace ahead::device
