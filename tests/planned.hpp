// A text, all the way to a plan at run time: inspect_fx of what must be accepted, and its plans on other streams.
// SPDX-License-Identifier: MIT
#pragma once
#include "corpus/files.hpp"
#include "harness.hpp"
#include "timed.hpp"

#include <ahead/compile/inspect_fx.hpp>
#include <ahead/core/error.hpp>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

using model_plan = heap_plan;

struct device_model {
    std::string text;
    compile::inspected_graph made;
    std::vector<machine::demand> demands; // by node, on machine::npu

    explicit device_model(std::string source) : text(std::move(source)), made(inspect_fx(text)) {
        check(made.error.ok(), render(made.error));
        demands.resize(needs().size());
        const auto of_tasks = ahead::detail::list_demands<device::registry>(made, made.planned.view(), machine::npu);
        for (std::size_t i = 0; i < of_tasks.size(); ++i)
            demands[static_cast<std::size_t>(made.planned.tasks[static_cast<std::size_t>(made.plan().prepare_tasks) + i].node.index)] =
                of_tasks[i];
    }
    device_model(const device_model&) = delete;
    graph_view graph() const { return made.lowered_graph(); }
    const std::vector<device::kernel_needs>& needs() const { return made.needs; }

    /// On so many streams.
    model_plan plan(std::int32_t streams = 1, effort most = config{}.effort) const {
        auto out = compile::plan_lowered(made, {.streams = streams, .effort = most});
        if (!demands.empty()) static_cast<void>(timed(out.view(), demands, machine::npu.launch));
        return out;
    }
};

/// When a plan's last task ends, less the launch of the graph; and what no schedule on so many streams goes below: the longest way through the graph,
/// an even share of all tasks, and what they ask of any one unit.
struct quality {
    std::int64_t makespan = 0, bound = 0;
    double ratio() const { return bound == 0 ? 1 : static_cast<double>(makespan) / static_cast<double>(bound); }
};

} // namespace test
