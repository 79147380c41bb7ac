// SPDX-License-Identifier: MIT
// Maps ATen tensors to the device calls that compute them, from the values that lowering made of them (device_values of
// compiled.hpp) and what passes replaced these by. Called by compare_with_reference.hpp.
// Invariant: the device value mapped to an ATen tensor has its dtype and sizes, and holds its elements when the call
// has run.
#pragma once
#include <ahead/convert/lower/lower.hpp>
#include <ahead/device/assign.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/pad.hpp>
#include <ahead/device/view.hpp>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE::differential {

/// A tensor of the ATen graph, and its counterpart in the device graph: a call's result, or a view of it.
struct origin {
    node_id node; // of the ATen graph
    std::int32_t result = 0;
    argument stands; // in the device graph
};

class value_map {
public:
    /// `made`: indexed by ATen value, as lower_graph fills it. pre: `device` is the lowered form of `from`, including
    /// outputs.
    value_map(graph_view from, graph_view device, array_view<const convert::device_value> made)
        : from_(from), device_(device), made_(made), by_call_(static_cast<std::size_t>(device.header().used.nodes)),
          called_by_(static_cast<std::size_t>(from.header().used.nodes)),
          exact_(static_cast<std::size_t>(device.header().used.values)),
          node_of_(static_cast<std::size_t>(device.header().used.values)) {
        for (std::int32_t n = 0; n < device_.header().used.nodes; ++n) // the erased ones, too
            for (std::int32_t k = 0; k < device_[node_id{n}].values.count; ++k)
                node_of_[static_cast<std::size_t>(device_[node_id{n}].values.first + k)] = {n};
        for (node_id id : from_)
            for (std::int32_t k = 0; k < from_[id].values.count; ++k)
                if (from_.value_of(id, k).kind == value_kind::tensor) add(id, k);
        for (auto& all : by_call_) keep_last(all);
        for (node_id id : device_) follow(id);
        find_callers();
    }

    /// The ATen tensors that the call computes; empty for an intermediate step.
    const std::vector<origin>& of(node_id device_call) const {
        return by_call_[static_cast<std::size_t>(device_call.index)];
    }
    /// The ATen tensor that a device value, possibly a view, represents; `node` is none() if there is none.
    const origin& of(const argument& device) const {
        return exact_[static_cast<std::size_t>(device_[device.node()].values.first + device.result)];
    }
    /// The device value of an ATen tensor, or the value that a pass replaced it by; None if it has none, because it is
    /// part of a larger step.
    argument device_of(const argument& aten) const {
        const auto& made = made_[static_cast<std::size_t>(from_[aten.node()].values.first + aten.result)];
        if (made.node < 0) return {};
        auto out = made.as_argument();
        while (device_[out.node()].erased) {
            const auto by = device_.value_of(out).replaced_by;
            if (!by.exists()) return {};
            const node_id of = node_of_[static_cast<std::size_t>(by.index)];
            out = argument::of(of, by.index - device_[of].values.first);
        }
        const auto &wanted = from_.value_of(aten).type, &found = device_.value_of(out).type;
        return wanted.type == found.type && sizes_of(wanted) == sizes_of(found) ? out : argument{};
    }
    /// The names of the ATen calls that the device call computes, in the graph's order: "linear, relu".
    std::string names_of(node_id device_call) const {
        std::string out;
        for (node_id id : from_)
            if (called_by_[static_cast<std::size_t>(id.index)] == device_call)
                out.append(out.empty() ? "" : ", ").append(print(from_[id].name).view());
        return out;
    }

private:
    graph_view from_, device_;
    array_view<const convert::device_value> made_;
    std::vector<std::vector<origin>> by_call_; // indexed by device node
    std::vector<node_id> called_by_;           // the device call, indexed by ATen node
    std::vector<origin> exact_;                // indexed by device value
    std::vector<node_id> node_of_;             // the device node, indexed by its value

    /// The device call that owns the bytes of a value.
    node_id owner_of(argument a) const {
        while (device::is_view(device_[a.node()])) a = device_.argument_of(device_[a.node()], 0);
        return a.node();
    }
    void add(node_id id, std::int32_t k) {
        const auto stands = device_of(argument::of(id, k));
        if (stands.kind == argument_kind::none) return;
        const origin mine{id, k, stands};
        const auto exactly = static_cast<std::size_t>(device_[stands.node()].values.first + stands.result);
        exact_[exactly] = mine;                                           // the last one wins: the sum, then its relu
        if (from_.value_of(id, k).storage != from_[id].values[k]) return; // skip views
        const auto owner = owner_of(stands);
        called_by_[static_cast<std::size_t>(id.index)] = owner;
        by_call_[static_cast<std::size_t>(owner.index)].push_back(mine);
    }
    /// A call that computes several nodes holds the last one's tensor. Smaller ones are skipped: they may be parts of
    /// it.
    void keep_last(std::vector<origin>& all) const {
        const auto count = [&](const origin& o) { return element_count(from_.value_of(o.node, o.result).type); };
        const origin* last = nullptr;
        for (const auto& o : all)
            if (last == nullptr || count(o) >= count(*last)) last = &o;
        if (last != nullptr) std::erase_if(all, [node = last->node](const origin& o) { return o.node != node; });
    }
    /// A copy or assignment at the end of the graph represents the tensor that it copies.
    void follow(node_id id) {
        const auto& n = device_[id];
        if (n.kind != node_kind::call || n.from.made_by != "outputs") return;
        const auto source = of(device_.argument_of(n, device::is_assign(n) ? 1 : 0));
        if (!source.node.exists()) return;
        const origin mine{source.node, source.result, argument::of(id)};
        exact_[static_cast<std::size_t>(n.values.first)] = mine;
        by_call_[static_cast<std::size_t>(id.index)] = {mine};
    }
    /// The device call that computes all readers of n; none() if there are several.
    node_id caller_of_readers(const node& n) const {
        node_id found;
        for (auto use = n.first_use; use.exists(); use = from_[use].next_use) {
            const auto caller = called_by_[static_cast<std::size_t>(from_[use].owner.index)];
            if (found.exists() && caller != found) return {};
            found = caller;
        }
        return found;
    }
    /// An ATen call without a device value is assigned to the device call that computes its readers.
    void find_callers() {
        std::vector<node_id> calls;
        for (node_id id : from_)
            if (from_[id].kind == node_kind::call) calls.push_back(id);
        for (auto i = calls.size(); i-- > 0;) {
            auto& mine = called_by_[static_cast<std::size_t>(calls[i].index)];
            const auto& n = from_[calls[i]];
            if (mine.exists() || device_of(argument::of(calls[i])).kind != argument_kind::none) continue;
            mine = caller_of_readers(n);
        }
    }
};

/// The value_map of Program's device graph. pre: the program was accepted
template <class Program> value_map find_value_map() {
    if constexpr (requires { Program::device_values(); }) {
        return {Program::optimized_graph(), Program::lowered_graph(), Program::device_values()};
    } else { // a written program has no room for them: its ATen graph is lowered again, once
        static const auto made = [] {
            using tools = typename Program::tools;
            const graph_view from = Program::optimized_graph();
            heap_storage again(Program::lowered_graph().header().used);
            std::vector<convert::device_value> out(static_cast<std::size_t>(from.header().used.values) + 1);
            diagnosis d; // stays empty: the same lowering succeeded when the program was written
            static_cast<void>(convert::lower(from, Program::optimized::registry::table, tools::converters::table,
                                             again.edit(), Program::device_registry::table, out, tools::options,
                                             Program::block_list, d));
            return out;
        }();
        return {Program::optimized_graph(), Program::lowered_graph(), made};
    }
}

} // namespace ahead::differential
