// SPDX-License-Identifier: MIT
// Which tensors of the ATen graph a device graph's calls compute: what lowering knew and kept to itself. Found by
// lowering the graph once more, at run time, so that programs which nobody asks pay nothing. Called by
// compare_with_reference.hpp.
// Invariant: the device value said to stand for an ATen tensor has its dtype and sizes, and holds its elements when the
// call has run.
#pragma once
#include <ahead/convert/lower/lower.hpp>
#include <ahead/device/assign.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/fused.hpp>
#include <ahead/device/pad.hpp>
#include <ahead/device/view.hpp>
#include <string>
#include <utility>
#include <vector>

namespace AHEAD_NAMESPACE {

/// A tensor of the ATen graph, and what stands for it in the device graph: a call's result, or a view of it.
struct origin {
    node_id node; // of the ATen graph
    std::int32_t result = 0;
    argument stands; // in the device graph
};

class value_map {
public:
    /// `made`: by ATen value, as lower() gives it. pre: `device` is what `from` was lowered to, outputs included.
    value_map(graph_view from, graph_view device, std::vector<device_value> made)
        : from_(from), device_(device), made_(std::move(made)),
          by_call_(static_cast<std::size_t>(device.header().used.nodes)),
          called_by_(static_cast<std::size_t>(from.header().used.nodes)),
          exact_(static_cast<std::size_t>(device.header().used.values)) {
        for (node_id id : from_)
            for (std::int32_t k = 0; k < from_[id].values.count; ++k)
                if (from_.value_of(id, k).kind == value_kind::tensor) add(id, k);
        for (auto& all : by_call_) keep_last(all);
        for (node_id id : device_) follow(id);
        find_callers();
    }

    /// What the call computes; none where it is a step on the way only.
    const std::vector<origin>& of(node_id device_call) const {
        return by_call_[static_cast<std::size_t>(device_call.index)];
    }
    /// What a device value, a view or not, stands for; `node` is none() where it is nothing.
    const origin& of(const argument& device) const {
        return exact_[static_cast<std::size_t>(device_[device.node()].values.first + device.result)];
    }
    /// What stands for an ATen tensor; a None where nothing does, because it is part of a larger step.
    argument device_of(const argument& aten) const {
        const auto& made = made_[static_cast<std::size_t>(from_[aten.node()].values.first + aten.result)];
        return made.node < 0 || device_[node_id{made.node}].erased ? argument{} : made.as_argument();
    }
    /// The names of the ATen calls that the call does at once, in the graph's order: "linear, relu".
    std::string names_of(node_id device_call) const {
        std::string out;
        for (node_id id : from_)
            if (called_by_[static_cast<std::size_t>(id.index)] == device_call)
                out.append(out.empty() ? "" : ", ").append(print(from_[id].name).view());
        return out;
    }

private:
    graph_view from_, device_;
    std::vector<device_value> made_;
    std::vector<std::vector<origin>> by_call_; // by device node
    std::vector<node_id> called_by_;           // by ATen node: the device call
    std::vector<origin> exact_;                // by device value

    /// The device call in whose bytes a value lies.
    node_id owner_of(argument a) const {
        while (device_[a.node()].kind == node_kind::call && device_[a.node()].target == device::view::name)
            a = device_.argument_of(device_[a.node()], 0);
        return a.node();
    }
    void add(node_id id, std::int32_t k) {
        const auto stands = device_of(argument::of(id, k));
        if (stands.kind == argument_kind::none) return;
        const origin mine{id, k, stands};
        const auto exactly = static_cast<std::size_t>(device_[stands.node()].values.first + stands.result);
        exact_[exactly] = mine;                                           // the last one: the sum, then its relu
        if (from_.value_of(id, k).storage != from_[id].values[k]) return; // a view
        const auto owner = owner_of(stands);
        called_by_[static_cast<std::size_t>(id.index)] = owner;
        by_call_[static_cast<std::size_t>(owner.index)].push_back(mine);
    }
    /// A call that does several at once holds the last of them; a part of it may be another tensor still.
    void keep_last(std::vector<origin>& all) const {
        const auto count = [&](const origin& o) { return element_count(from_.value_of(o.node, o.result).type); };
        const origin* last = nullptr;
        for (const auto& o : all)
            if (last == nullptr || count(o) >= count(*last)) last = &o;
        if (last != nullptr) std::erase_if(all, [node = last->node](const origin& o) { return o.node != node; });
    }
    /// What is copied or assigned at the end stands for what it copies.
    void follow(node_id id) {
        const auto& n = device_[id];
        if (n.kind != node_kind::call || n.from.made_by != "outputs") return;
        const auto source = of(device_.argument_of(n, n.target == device::assign::name ? 1 : 0));
        if (!source.node.exists()) return;
        const origin mine{source.node, source.result, argument::of(id)};
        exact_[static_cast<std::size_t>(n.values.first)] = mine;
        by_call_[static_cast<std::size_t>(id.index)] = {mine};
    }
    /// The call that does all who read n; none where there are several.
    node_id caller_of_readers(const node& n) const {
        node_id found;
        for (auto use = n.first_use; use.exists(); use = from_[use].next_use) {
            const auto caller = called_by_[static_cast<std::size_t>(from_[use].owner.index)];
            if (found.exists() && caller != found) return {};
            found = caller;
        }
        return found;
    }
    /// A call that nothing stands for is done by whoever reads it.
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
    using front = typename Program::optimized;
    using tools = typename Program::tools;
    const graph_view from = Program::optimized_graph();
    heap_storage again(Program::lowered_graph().header().used);
    std::vector<device_value> made(static_cast<std::size_t>(from.header().used.values) + 1);
    diagnosis d; // stays empty: it was lowered before
    static_cast<void>(lower(from, front::registry::table, tools::converters::table, again.edit(),
                            Program::device_registry::table, made, tools::options, Program::block_list, d));
    return {from, Program::lowered_graph(), std::move(made)};
}

} // namespace ahead
