// A text, all the way to a plan at run time: passes, lowering, what each kernel needs and takes, streams. No kernel is compiled.
// SPDX-License-Identifier: MIT
#pragma once
#include "corpus/files.hpp"
#include "harness.hpp"
#include "lowered.hpp"
#include "timed.hpp"

#include <ahead/program/compiled.hpp>
#include <ahead/pass/builtin.hpp>

namespace test {

using namespace ahead;

/// What plan_stages.hpp takes from a program's used operators, for all operators there are.
struct every_operator {
    using registry = device::registry;
    using needs_list = std::vector<ahead::detail::needs_function>;
    using work_list = std::vector<ahead::detail::work_function>;
    template <std::size_t... I> static needs_list list_needs(std::index_sequence<I...>) {
        return {&target::needs_of<registry::at<I>>...};
    }
    template <std::size_t... I> static work_list list_work(std::index_sequence<I...>) {
        return {&target::work_of_call<registry::at<I>>...};
    }
    needs_list needs = list_needs(std::make_index_sequence<registry::size>{});
    work_list work = list_work(std::make_index_sequence<registry::size>{});
};

using model_plan = plan_storage<capacity{1500, 1, 1500}, 8000>;

struct device_model {
    corpus::parsed_text parsed;
    std::unique_ptr<lowered> device;
    std::vector<kernel_needs> needs;
    std::vector<target::demand> demands; // by node, on target::npu

    device_model(std::string text, const every_operator& operators) : parsed(std::move(text), aten::registry::table) {
        const auto& ops = aten::registry::table;
        auto& read = const_cast<heap_storage&>(parsed.storage);
        diagnosis d = parsed.error;
        check(parsed.ok && infer_types(read.edit(), ops, d), d.found.view());
        heap_storage edited(pass::room_for_passes(pass::builtin, read.edit(), ops, room_to_functionalise(read.edit(), ops)));
        copy_graph(read.edit(), edited.edit());
        check(functionalise(edited.edit(), ops, d) && pass::run(pass::builtin, config{}, edited.edit(), ops, d), d.found.view());
        device = std::make_unique<lowered>(edited.view());
        check(device->error.ok(), device->error.found.view());
        const auto g = device->storage.view();
        needs.resize(static_cast<std::size_t>(g.header().used.nodes));
        for (node_id id : g) {
            if (g[id].kind != node_kind::call) continue;
            bound_arguments bound;
            bind_arguments(g, id, device::registry::table[static_cast<std::size_t>(g[id].op.index)], bound, d);
            needs[static_cast<std::size_t>(id.index)] = operators.needs[device::registry::position_of(g[id].op)](call_view(g, id, bound, d));
        }
        const auto one = plan();
        std::vector<target::work> work(static_cast<std::size_t>(one.summary.run_tasks));
        ahead::detail::list_task_work(g, one.view(), device::registry::table, device::registry::rows_of<target::steps_maker>.data(),
                                      [&](op_id op) { return operators.work[device::registry::position_of(op)]; }, work.data());
        demands.resize(needs.size());
        for (std::size_t i = 0; i < work.size(); ++i)
            demands[static_cast<std::size_t>(one.tasks[static_cast<std::size_t>(one.summary.prepare_tasks) + i].node.index)] =
                target::demand_of(work[i], target::npu, ahead::detail::footprint_of(one.view()));
    }
    graph_view graph() const { return device->storage.view(); }

    /// On so many streams.
    model_plan plan(std::int32_t streams = 1, effort most = config{}.effort) const {
        model_plan out;
        const launch_rules rules{streams, demands, target::npu.launch.event};
        make_plan(graph(), {device->constant.get(), needs.size()}, needs, out, target::npu, true, streams > 1 ? &rules : nullptr, most);
        if (!demands.empty()) static_cast<void>(timed(out.view(), demands, target::npu.launch));
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
