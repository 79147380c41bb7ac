// SPDX-License-Identifier: MIT
// The final check of a program, compiled or inspected: its plan is right, fits the device, and is what the options ask
// for. Called by compile/compiled.hpp, compile/inspect.hpp and aot/verify_written.hpp.
// Invariant: every plan is verified, however it was made.
#pragma once
#include <ahead/plan/check.hpp>
#include <ahead/plan/limits.hpp>
#include <ahead/plan/super_kernels.hpp>
#include <ahead/plan/verify/check_blocks.hpp>

namespace AHEAD_NAMESPACE::detail {

/// blocks: those that calls of the ATen graph hold. streams: the number that the options ask for.
constexpr diagnosis check_plan(graph_view g, array_view<const device::kernel_needs> needs, plan_view plan,
                               array_view<const device::block_needs> blocks, const machine::device& on,
                               std::int32_t streams) {
    diagnosis d;
    if (streams > 1 && air::has_stream_scopes(g)) {
        d.op = "config";
        d.name = "streams";
        refuse(d, fault::option_has_no_effect, "left out: the graph's own scopes say what is on another stream",
               short_text() << streams);
        return d;
    }
    if (check_core_limits(g, on, d) && check_blocks(g, blocks, d) && plan::check_plan(g, needs, plan, d, on) &&
        check_super_kernels(g, plan, d))
        check_limits(plan.summary, on, d);
    return d;
}

} // namespace ahead::detail
