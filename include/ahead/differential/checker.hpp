// SPDX-License-Identifier: MIT
// Compares what each task of a program wrote with what the reference computed for the ATen nodes that the task
// implements. Called by compare_with_reference.hpp, which runs both.
// Invariant: a task's memory is read directly after the task, before it is reused; only a repair changes it.
#pragma once
#include <ahead/differential/find_difference.hpp>
#include <ahead/differential/value_map.hpp>
#include <ahead/reference/host_bytes.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::detail {

/// Reads a device tensor; `first` points to its first element.
inline host_tensor read_tensor(const tensor_type& type, const std::byte* first) {
    const auto size = bytes_of(type.type, 1);
    std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(type) * size));
    auto* to = bytes.data();
    for_each_index(sizes_of(type), [&](const int_list& at) {
        std::memcpy(to, first + (position_of(type, at) - type.offset) * size, static_cast<std::size_t>(size));
        to += size;
    });
    host_tensor out;
    from_bytes(type, bytes, out);
    return out;
}
/// The inverse of read_tensor. pre: `from` has the type's dtype and sizes, and is contiguous
inline void write_tensor(const host_tensor& from, const tensor_type& type, std::byte* first) {
    const auto size = bytes_of(type.type, 1);
    std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(type) * size));
    to_bytes(from, bytes);
    const auto* next = bytes.data();
    for_each_index(sizes_of(type), [&](const int_list& at) {
        std::memcpy(first + (position_of(type, at) - type.offset) * size, next, static_cast<std::size_t>(size));
        next += size;
    });
}
class differential_checker {
public:
    differential_checker(graph_view aten, graph_view device, plan_view plan, const value_map& from,
                         differential_options options)
        : aten_(aten), device_(device), plan_(plan), value_map_(from), options_(options),
          expected_(aten.values().size()), is_needed_(aten.values().size()) {
        report_.tasks = plan_.summary.prepare_tasks + plan_.summary.run_tasks;
        for (std::int32_t t = 0; t < report_.tasks; ++t)
            for (const auto& o : value_map_.of(node_of(t))) is_needed_[value_of(o)] = true;
        for_each_returned([&](const argument& a, const origin&) {
            is_needed_[static_cast<std::size_t>(aten_[a.node()].values.first + a.result)] = true;
        });
    }

    /// Reads the inputs of the reference from where the device reads its inputs.
    void read_inputs(const runtime::region_bases& preparing, const runtime::region_bases& running,
                     std::vector<host_tensor>& out) {
        for (node_id id : aten_) {
            const auto& n = aten_[id];
            if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
            const auto stands = value_map_.device_of(argument::of(id));
            const auto& v = device_.value_of(stands);
            const bool is_parameter =
                plan_.placements[static_cast<std::size_t>(v.storage.index)].where == region::parameter;
            auto& tensor = expected_[static_cast<std::size_t>(n.values.first)];
            tensor = read_tensor(v.type, place_of(stands, is_parameter ? preparing : running, is_parameter));
            if (!is_literal(n)) out.push_back(tensor);
        }
    }
    /// The callback of `interpret`: keeps the values that are needed.
    void operator()(node_id id, visit_moment now, const std::vector<host_buffer>& storages) {
        if (now == visit_moment::before_call) return;
        for (std::int32_t k = 0; k < aten_[id].values.count; ++k)
            if (const auto v = static_cast<std::size_t>(aten_[id].values.first + k); is_needed_[v])
                expected_[v] = copy_of(aten_, argument::of(id, k), storages);
    }

    /// Checks the passes: compares the outputs of the graph `before` them with those of the graph after them, on the
    /// same inputs. pre: both have the same number of outputs
    void check_passes(graph_view before, const std::vector<host_tensor>& wanted, const std::vector<host_tensor>& got) {
        std::size_t k = 0;
        for_each_operand(before, before[before.last()].arguments, [&](const argument& a) {
            auto out = find_difference(got[k], wanted[k], options_, report_.max_difference);
            if (out.wrong > 0) {
                describe(before, a.node(), out);
                out.stage = differential_stage::passes;
                report_.diverging.push_back(std::move(out));
            }
            ++k;
        });
    }
    /// pre: the reference has run, and the task has just run in `memory`
    void check_task(std::int32_t t, const runtime::region_bases& memory) {
        const auto id = node_of(t);
        const auto& all = value_map_.of(id);
        std::string_view reason = device_[id].values.count == 0 ? "it computes no tensor"
                                  : all.empty()                 ? "a step on the way to its node"
                                                                : "";
        for (const auto& o : all)
            if (const auto why = compare(o, memory, t); !why.empty()) reason = why;
        if (reason.empty()) ++report_.compared;
        else
            report_.skipped.push_back(
                {t, std::string(print(device_[id].name).view()), std::string(device_[id].target), std::string(reason)});
    }
    /// Compares the results of the run, and the inputs and states that it writes. pre: all tasks were verified
    void check_results(const runtime::region_bases& memory) {
        for_each_returned([&](const argument&, const origin& o) { static_cast<void>(compare(o, memory, -1)); });
    }
    differential_report& report() { return report_; }

private:
    graph_view aten_, device_;
    plan_view plan_;
    const value_map& value_map_;
    differential_options options_;
    std::vector<host_tensor> expected_; // indexed by ATen value
    std::vector<bool> is_needed_;       // indexed by ATen value
    differential_report report_;

    node_id node_of(std::int32_t task) const { return plan_.tasks[static_cast<std::size_t>(task)].node; }
    std::size_t value_of(const origin& o) const {
        return static_cast<std::size_t>(aten_[o.node].values.first + o.result);
    }
    std::byte* place_of(const argument& stands, const runtime::region_bases& memory, bool preparing) const {
        return const_cast<std::byte*>(runtime::detail::resolve(
            memory, runtime::detail::address_of(device_, plan_, device_.value_of(stands), preparing)));
    }

    /// Calls f(returned argument, its location at the end of the run): outputs, then writes to inputs and states.
    template <class F> void for_each_returned(F f) const {
        std::int32_t output = 0;
        for_each_operand(aten_, aten_[aten_.last()].arguments, [&](const argument& a) {
            const auto stands = a.writes.exists() ? value_map_.device_of(argument::of(a.writes))
                                                  : device_.argument_of(device_[device_.last()], output++);
            f(a, origin{a.node(), a.result, stands});
        });
    }

    /// Returns why the tensor could not be compared; empty if it was compared.
    std::string_view compare(const origin& o, const runtime::region_bases& memory, std::int32_t task) {
        const auto& type = device_.value_of(o.stands).type;
        const auto& wanted = expected_[value_of(o)];
        if (type.layout != memory_layout::strided) return "its layout is the device's own";
        if (type.type != wanted.type.type || sizes_of(type) != sizes_of(wanted.type))
            return "its type is the device's own";
        auto* first = place_of(o.stands, memory, false);
        auto out = find_difference(read_tensor(type, first), wanted, options_, report_.max_difference);
        if (out.wrong == 0) return {};
        describe(aten_, o.node, out);
        out.stage = task < 0 ? differential_stage::results : differential_stage::tasks;
        if (task >= 0) {
            out.task = task;
            out.device_op = device_[node_of(task)].target;
            out.fused = value_map_.names_of(node_of(task));
        }
        report_.diverging.push_back(std::move(out));
        if (options_.repairs && task >= 0) write_tensor(wanted, type, first);
        return {};
    }
    static void describe(graph_view g, node_id id, divergence& out) {
        const auto& n = g[id];
        out.name = print(n.name).view();
        out.op = n.target;
        out.line = n.from.line;
        out.comment = n.from.comment;
    }
};

} // namespace ahead::detail
