// SPDX-License-Identifier: MIT
// Inputs and states that are written in place: the task that computes the new value of one writes it there, if no
// later task reads the old value, and if it reads the old value itself only where it may overwrite that. The npu.assign
// is then not a task.
// pre: list_tasks. post: each value that is written into an input or a state is in the buffer of that port, whether
// npu.assign copies it there or it is computed there; assignments of values that are computed there are not tasks.
// Called by make_plan.hpp.
#pragma once
#include <ahead/device/assign.hpp>
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

class port_writer {
public:
    constexpr explicit port_writer(plan_in_progress& plan)
        : plan_(plan), g_(plan.g), made_by_(g_.header().used.values), last_reader_(g_.header().used.values),
          reader_before_(g_.header().used.values) {
        for (std::int32_t t = 0; t < plan.task_count; ++t) {
            const auto& n = g_[plan.tasks[t].node];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) made_by_[v] = t;
            for (const auto storage : plan.reads_of(plan.tasks[t].node)) {
                if (last_reader_[storage] == t + 1) continue;
                reader_before_[storage] = last_reader_[storage];
                last_reader_[storage] = t + 1;
            }
        }
    }

    constexpr void run() {
        fixed_buffer<bool> is_done_elsewhere;
        auto& sum = plan_.summary;
        for (auto t = sum.prepare_tasks; t < plan_.task_count; ++t) {
            const auto& n = g_[plan_.tasks[t].node];
            if (!device::is_assign(n)) continue;
            const auto port = g_.value_of(g_.argument_of(n, 0)).storage.index;
            const auto last = last_reader_[port];
            if (!may_write_through(n, (last == t + 1 ? reader_before_[port] : last) - 1)) {
                plan_.buffers.put(n.values.first, port, tenancy::taken);
                continue;
            }
            const auto made = g_.value_of(g_.argument_of(n, 1)).storage.index;
            const auto producer = plan_.tasks[made_by_[made]].node;
            plan_.buffers.put(made, port, plan_.readings(producer, port) > 0 ? tenancy::taken : tenancy::own);
            ++(plan_.buffers.all[port].where == region::input ? sum.inputs_written_in_place
                                                              : sum.states_written_in_place);
            plan_.leave_out(is_done_elsewhere, t);
        }
        plan_.drop_tasks(is_done_elsewhere);
    }

private:
    plan_in_progress& plan_;
    graph_view g_;
    fixed_buffer<std::int32_t> made_by_;                     // by value: a task
    fixed_buffer<std::int32_t> last_reader_, reader_before_; // by storage: tasks, + 1; 0: none

    /// last_reader: the last task other than n that reads the input or state that n assigns to.
    constexpr bool may_write_through(const node& n, std::int32_t last_reader) const {
        const auto port = g_.value_of(g_.argument_of(n, 0)).storage;
        const auto& source = g_.value_of(g_.argument_of(n, 1));
        const auto made = source.storage;
        if (plan_.buffers.holder_of(made.index).where != region::arena || !(source.type == g_[port].type) ||
            !(g_[made].type == g_[port].type))
            return false;
        if (plan_.readings(g_.last(), made.index) > 0) return false; // an output must stay in the session's arena
        const auto t = made_by_[made.index];
        if (last_reader > t) return false;
        const auto producer = plan_.tasks[t].node;
        const auto reads = plan_.readings(producer, port.index);
        return reads == 0 || reads == plan_.overwritable(producer, made.index, port.index);
    }
};

constexpr void alias_outputs(plan_in_progress& plan) {
    if (plan.summary.inputs_written + plan.summary.states > 0) port_writer(plan).run();
}

} // namespace ahead::detail
