// SPDX-License-Identifier: MIT
// The launch request of a program, without its operands; all of its memory is kept.
// Invariant: its demand is that of the context's device, whatever device the program was planned for. Called by
// npu/launch.hpp, npu/compiled_graphs.hpp.
#pragma once
#include <ahead/npu/launch/run_program.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu::detail {

/// The demand of a launch of Program on a device that it may not have been planned for. Throws what check_limits
/// refuses, and memory_is_misaligned.
template <class Program> machine::demand takes_on(const machine::device& on) {
    diagnosis d;
    if (on.alignment < Program::device.alignment) {
        d.name = on.name;
        refuse(d, fault::memory_is_misaligned,
               short_text("memory at multiples of ") << Program::device.alignment << " bytes",
               short_text("of ") << on.alignment);
    }
    if (!d.ok() || !check_limits(Program::plan, on, d))
        refuse_call(d.what, "launch", short_text() << d.name.view(), d.expected, d.found);
    return compile::demand_of_run(Program::plan_view(), ahead::detail::task_work<Program>, on);
}

/// A launch of Program without its operands.
template <class Program> launch_request request_of(const std::byte* constants) {
    const graph_view g = Program::lowered_graph();
    launch_request what;
    what.name = g[Program::plan_view().tasks[static_cast<std::size_t>(Program::plan.prepare_tasks)].node].target;
    if (Program::plan.run_tasks > 1) what.name = short_text() << Program::plan.run_tasks << " tasks";
    what.run = &run_program<Program>;
    what.streams = streams_of<Program, whole_arena<Program>>();
    what.constants = constants;
    what.arena_bytes = std::max<std::int64_t>(Program::plan.peak_bytes, 1);
    constexpr auto takes =
        compile::demand_of_run(Program::plan_view(), ahead::detail::task_work<Program>, Program::device);
    what.takes = takes;
    what.planned_for = &Program::device;
    what.takes_on = &takes_on<Program>;
    what.launches = Program::tools::options.mode == mode::reduce_overhead ? Program::plan.launches : 1;
    return what;
}

/// Output Nth of a launch of Program, in the launch's memory.
template <class Program, std::int32_t Nth> auto output_in(const block_lease& memory) {
    using port = typename Program::template output_port<Nth>;
    return tensor<static_type<port>>(memory, memory.npu()->address(memory.block()) + port::offset);
}

} // namespace ahead::npu::detail
