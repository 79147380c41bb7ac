// SPDX-License-Identifier: MIT
// Which tasks read the storages that a graph assigns to: a new value may not be written before they are done.
// Filled and read by streams/task_edges.hpp.
// Invariant: a graph without npu.assign has no room for readings.
#pragma once
#include <ahead/device/assign.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The tasks that read each storage that the graph assigns to.
class reader_lists {
public:
    constexpr explicit reader_lists(graph_view g) : first_(g.header().used.values) {
        std::int32_t written = 0;
        for (node_id id : g)
            if (const auto& n = g[id]; device::is_assign(n)) {
                first_[g.value_of(g.argument_of(n, 0)).storage.index] = -1;
                ++written;
            }
        if (written > 0) readings_ = fixed_buffer<reading>(g.header().used.arguments);
    }
    /// Called in the order of tasks.
    constexpr void add(std::int32_t storage, std::int32_t task) {
        auto& first = first_[storage];
        if (first == 0 || (first > 0 && readings_[first - 1].task == task)) return;
        readings_[count_] = {task, first};
        first = ++count_;
    }
    template <class F> constexpr void for_each(std::int32_t storage, F f) const {
        for (auto i = first_[storage]; i > 0; i = readings_[i - 1].next) f(readings_[i - 1].task);
    }

private:
    struct reading {
        std::int32_t task, next;
    };
    fixed_buffer<std::int32_t>
        first_; // by storage: its last reading, + 1; -1: no task reads it yet, 0: the graph does not assign to it
    fixed_buffer<reading> readings_;
    std::int32_t count_ = 0;
};

} // namespace ahead::detail
