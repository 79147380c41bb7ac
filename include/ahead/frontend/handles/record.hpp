// SPDX-License-Identifier: MIT
// Writes the nodes of a trace into a graph, in the order of the user's calls. Used only by call<Op>, outputs and trace.
// Invariant: a recorder without a graph counts exactly the entries that one with a graph writes, so that pools can have
// the exact size.
#pragma once
#include <ahead/frontend/handles/call_facts.hpp>
#include <ahead/frontend/handles/node_names.hpp>

namespace AHEAD_NAMESPACE::frontend {

class recorder {
public:
    constexpr recorder() = default; // counts only
    constexpr recorder(graph g, node_names& names)
        : header_(&g.header()), nodes_(g.nodes().data()), arguments_(g.arguments().data()), values_(g.values().data()),
          names_(&names) {}
    constexpr const capacity& counted() const { return counted_; }

    constexpr node_id placeholder(std::string_view name, std::string_view weight, input_role role,
                                  const tensor_type& type) {
        node n;
        n.kind = node_kind::placeholder;
        n.role = role;
        n.target = name;
        n.weight = weight;
        if (nodes_) n.name = names_->take(name);
        return append_typed(n, 0, 0, type);
    }

    /// Reserves `size` slots for the next call: its arguments, then the elements of list arguments, whose ranges count
    /// from 0. Null while counting.
    constexpr argument* reserve(std::int32_t size) {
        const auto first = counted_.arguments;
        counted_.arguments += size;
        return nodes_ ? arguments_ + first : nullptr;
    }
    /// A call with `count` arguments. pre: all `size` slots, elements included, were just reserved and written.
    constexpr node_id call(const call_facts& facts, std::int32_t size, std::int32_t count, std::int32_t line) {
        const auto results = static_cast<std::int32_t>(facts.results.size());
        if (!nodes_) return append({}, size, count, results);
        if (facts.has_streams) header_->has_streams = true;
        node n = nothing;
        n.op = facts.op;
        n.target = facts.target;
        n.from.line = line;
        n.name = names_->next(facts.base, facts.hash);
        const auto own = counted_.values;
        const auto id = append(n, size, count, results);
        const result_facts* all = facts.results.data();
        for (std::int32_t k = 0; k < results; ++k) {
            const auto& r = all[k];
            const value_id storage = r.storage_of < 0 ? value_id{own + k} : storage_of(nodes_[id.index], size, r);
            values_[own + k] = {r.kind, r.type, storage};
        }
        return id;
    }

    /// `list` is an argument of kind list, followed by its elements.
    constexpr node_id literal(std::string_view name, const tensor_type& type, array_view<const argument> list,
                              std::int32_t line) {
        write(list);
        node n;
        n.kind = node_kind::get_attr;
        n.role = input_role::constant;
        n.target = name;
        n.from.line = line;
        if (nodes_) n.name = names_->next(name, hash_of(name));
        return append_typed(n, static_cast<std::int32_t>(list.size()), 1, type);
    }

    /// `returned` is a tuple, followed by its elements; empty if the graph returns nothing.
    constexpr void output(array_view<const argument> returned, std::int32_t line) {
        write(returned);
        node n;
        n.kind = node_kind::output;
        n.name = {"output", 0};
        n.target = "output";
        n.from.line = line;
        append(n, static_cast<std::int32_t>(returned.size()), returned.empty() ? 0 : 1, 0);
    }

    /// Begins a block that the next call will hold: calls up to leave() are recorded in it. name: without the number
    /// that distinguishes it from others.
    constexpr block_id enter(std::string_view name, array_view<const std::string_view> numbered, std::int32_t line) {
        const block_id b{counted_.nodes++};
        in_ = b.index;
        if (!nodes_) return b;
        ++header_->blocks;
        node n;
        n.kind = node_kind::block;
        const auto number = names_->next(name, hash_of(name)).number;
        n.target = numbered[static_cast<std::size_t>(number) % numbered.size()];
        n.name = {n.target, number / static_cast<std::int32_t>(numbered.size())};
        n.from.line = line;
        nodes_[b.index] = n;
        return b;
    }
    /// pre: entered, and the block's output is recorded; outside: the earlier result of where()
    constexpr void leave(std::int32_t outside) { in_ = outside; }
    /// The block being recorded; negative for the graph itself.
    constexpr std::int32_t where() const { return in_; }

    /// Sets the source line of the calls from node `first` on, which were recorded for one call there.
    constexpr void stand_at(std::int32_t first, std::int32_t line) {
        if (!nodes_) return;
        for (auto i = first; i < counted_.nodes; ++i) nodes_[i].from.line = line;
    }

private:
    /// The storage of a result; for a view, that of the operand.
    constexpr value_id storage_of(const node& n, std::int32_t size, const result_facts& r) const {
        auto number = r.storage_of;
        for (std::int32_t i = 0; i < size; ++i)
            if (const auto& a = arguments_[n.arguments.first + i]; a.kind == argument_kind::node && number-- == 0)
                return values_[nodes_[a.bits].values.first + r.storage_result].storage;
        return {};
    }
    constexpr void write(array_view<const argument> all) {
        if (auto* out = reserve(static_cast<std::int32_t>(all.size())))
            for (const auto& a : all) *out++ = a;
    }
    /// Appends the next node; of the last `size` reserved slots, the first `count` are its arguments.
    constexpr node_id append(node n, std::int32_t size, std::int32_t count, std::int32_t results) {
        const auto id = counted_.nodes++;
        const auto first = counted_.arguments - size;
        n.arguments = {first, count};
        n.values = {counted_.values, results};
        counted_.values += results;
        if (!nodes_) return {id};
        auto& last = in_ < 0 ? header_->last : nodes_[in_].previous;
        n.previous = last;
        (last.index >= 0 ? nodes_[last.index].next : in_ < 0 ? header_->first : nodes_[in_].next) = {id};
        last = {id};
        header_->used = counted_;
        header_->live_nodes = counted_.nodes - header_->blocks;
        nodes_[id] = n;
        for (auto i = first; i < first + size; ++i) {
            auto& a = arguments_[i];
            a.owner = {id};
            if (a.kind == argument_kind::node || a.kind == argument_kind::block) link(i, a);
            else if (a.children.count > 0) a.children.first += first;
        }
        return {id};
    }
    /// The same for one result, a tensor in new memory.
    constexpr node_id append_typed(const node& n, std::int32_t size, std::int32_t count, const tensor_type& type) {
        const auto own = counted_.values;
        const auto id = append(n, size, count, 1);
        if (nodes_) values_[own] = {value_kind::tensor, type, {own}};
        return id;
    }
    /// Links argument i into the uses of its node, as in edit.hpp.
    constexpr void link(std::int32_t i, argument& a) {
        auto& used = nodes_[a.bits];
        const auto last = used.last_use;
        a.previous_use = last;
        (used.use_count++ == 0 ? used.first_use : arguments_[last.index].next_use) = {i};
        used.last_use = {i};
    }

    static constexpr node nothing{};
    capacity counted_;
    graph_header* header_ = nullptr;
    node* nodes_ = nullptr;
    argument* arguments_ = nullptr;
    value* values_ = nullptr;
    node_names* names_ = nullptr;
    std::int32_t in_ = -1; // the head of the block being recorded
};

} // namespace ahead::frontend
