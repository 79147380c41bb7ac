// SPDX-License-Identifier: MIT
// Writes the nodes of a trace into a graph, in the order of the user's calls. Used by call<Op>, outputs and trace only.
// Invariant: a recorder without a graph counts exactly what one with a graph writes, so that pools can be of exact size.
#pragma once
#include <ahead/ir/edit.hpp>
#include <bit>
#include <optional>

namespace ahead {

/// One result of a call, as its operator's type rule gives it.
struct result_facts {
    value_kind kind = value_kind::unknown;
    tensor_type type;
    std::int32_t storage_of = -1;     // views: the number of the tensor operand whose storage it shares; -1: a storage of its own
    std::int32_t storage_result = 0;  // getitem: which of that operand's results
};

/// What a call adds to a graph. All of it follows from types, so that recording a call only copies.
struct call_facts {
    std::string_view target; // "aten.add.Tensor"
    std::string_view base;   // "add": what FX names the node after
    std::size_t hash = 0;    // of base
    op_id op;
    std::span<const result_facts> results;
};

/// "add" of "aten.add.Tensor", "getitem" of "operator.getitem".
constexpr std::string_view base_of(std::string_view target) {
    const auto first = target.find('.');
    const auto last = target.rfind('.');
    return first == last ? target.substr(last + 1) : target.substr(first + 1, last - first - 1);
}

constexpr std::size_t hash_of(std::string_view text) {
    std::size_t hash = text.size();
    for (char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
    return hash;
}

/// Names nodes as FX does: "add", "add_1", "add_2", skipping what placeholders took. pre: more slots than names, a power of two.
class node_names {
public:
    struct slot {
        std::string_view base;
        std::int32_t last = 0; // the highest number given
        bool used = false;
        bool plain = false; // the base itself is taken
    };
    constexpr explicit node_names(std::span<slot> slots) : slots_(slots) {}

    constexpr label next(std::string_view base, std::size_t hash) {
        auto& s = find(base, hash);
        if (!s.plain) {
            s.plain = true;
            return {base, 0};
        }
        return {base, ++s.last};
    }
    /// A placeholder keeps its name; "add_2" makes the next call of add "add", then "add_3".
    constexpr label take(std::string_view name) {
        auto digits = name.size();
        while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
        if (digits > 1 && digits < name.size() && name.size() - digits < 9 && name[digits - 1] == '_') {
            std::int32_t number = 0;
            for (char c : name.substr(digits)) number = number * 10 + (c - '0');
            const auto base = name.substr(0, digits - 1);
            auto& s = find(base, hash_of(base));
            if (number > s.last) s.last = number;
        } else {
            find(name, hash_of(name)).plain = true;
        }
        return {name, 0};
    }

private:
    constexpr slot& find(std::string_view base, std::size_t hash) {
        auto i = hash & (slots_.size() - 1);
        while (slots_[i].used && slots_[i].base != base) i = (i + 1) & (slots_.size() - 1);
        slots_[i].used = true;
        slots_[i].base = base;
        return slots_[i];
    }
    std::span<slot> slots_;
};
constexpr std::size_t slots_for(capacity c) { return std::bit_ceil(static_cast<std::size_t>(c.nodes) + 1); }

class recorder {
public:
    constexpr recorder() = default; // counts
    constexpr recorder(graph g, node_names& names) : graph_(g), names_(&names) {}
    constexpr const capacity& counted() const { return counted_; }

    constexpr node_id placeholder(std::string_view name, std::string_view weight, input_role role, const tensor_type& type) {
        node n;
        n.kind = node_kind::placeholder;
        n.role = role;
        n.target = name;
        n.weight = weight;
        if (names_) n.name = names_->take(name);
        const auto id = append(n, {}, 0, 1);
        if (graph_) graph_->value_of(id) = {value_kind::tensor, type, (*graph_)[id].values[0]};
        return id;
    }

    /// `arguments` are `count` arguments followed by the elements of those that are lists, whose ranges count from 0.
    constexpr node_id call(const call_facts& facts, std::span<const argument> arguments, std::int32_t count, std::int32_t line) {
        node n;
        n.op = facts.op;
        n.target = facts.target;
        n.from.line = line;
        if (names_) n.name = names_->next(facts.base, facts.hash);
        const auto id = append(n, arguments, count, static_cast<std::int32_t>(facts.results.size()));
        if (!graph_) return id;
        auto& g = *graph_;
        for (std::int32_t k = 0; const auto& r : facts.results) {
            const auto own = g[id].values[k++];
            g[own] = {r.kind, r.type, r.storage_of < 0 ? own : g.value_of(operand(arguments, r.storage_of), r.storage_result).storage};
        }
        return id;
    }

    /// `list` is an argument of kind list and its elements.
    constexpr node_id literal(std::string_view name, const tensor_type& type, std::span<const argument> list, std::int32_t line) {
        node n;
        n.kind = node_kind::get_attr;
        n.role = input_role::constant;
        n.target = name;
        n.from.line = line;
        if (names_) n.name = names_->next(name, hash_of(name));
        const auto id = append(n, list, 1, 1);
        if (graph_) graph_->value_of(id) = {value_kind::tensor, type, (*graph_)[id].values[0]};
        return id;
    }

    /// `returned` is a tuple and its elements; nothing returns nothing.
    constexpr void output(std::span<const argument> returned, std::int32_t line) {
        node n;
        n.kind = node_kind::output;
        n.name = {"output", 0};
        n.target = "output";
        n.from.line = line;
        append(n, returned, returned.empty() ? 0 : 1, 0);
    }

private:
    static constexpr node_id operand(std::span<const argument> arguments, std::int32_t number) {
        for (const auto& a : arguments)
            if (a.kind == argument_kind::node && number-- == 0) return a.node();
        return {};
    }
    constexpr node_id append(node& n, std::span<const argument> arguments, std::int32_t count, std::int32_t results) {
        const node_id counted{counted_.nodes++};
        const auto first = counted_.arguments;
        const auto size = static_cast<std::int32_t>(arguments.size());
        counted_.arguments += size;
        counted_.values += results;
        if (!graph_) return counted;
        auto& g = *graph_;
        diagnosis d; // stays ok: the pools have the counted size
        id_range<argument_id> range;
        node_id id;
        reserve_arguments(g, size, range, d);
        n.arguments = {first, count};
        append_node(g, n, id, d);
        reserve_values(g, id, results, d);
        for (std::int32_t i = 0; i < size; ++i) {
            auto a = arguments[static_cast<std::size_t>(i)];
            a.children.first += first;
            set_argument(g, range[i], a, id);
        }
        return id;
    }

    capacity counted_;
    std::optional<graph> graph_;
    node_names* names_ = nullptr;
};

} // namespace ahead
