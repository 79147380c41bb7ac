// SPDX-License-Identifier: MIT
// A graph is a view of pools that somebody else holds: graph_storage<capacity> (constexpr, no heap) or heap_storage (run time).
// graph may be edited (edit.hpp), graph_view only read. Both are a few pointers: pass them by value.
// Invariant: nodes are linked in program order; every argument of kind node refers to an earlier node.
#pragma once
#include <ahead/ir/node.hpp>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace ahead {

struct op_row; // op.hpp
using op_table = std::span<const op_row>;

/// How many entries each pool holds; counted from the source by the frontends.
struct capacity {
    std::int32_t nodes = 0;
    std::int32_t arguments = 0;
    std::int32_t values = 0;
    friend constexpr bool operator==(const capacity&, const capacity&) = default;
};

/// The counts and list ends of a graph.
struct graph_header {
    capacity used;
    node_id first, last;
    std::int32_t live_nodes = 0;
};

template <bool Mutable> class basic_graph {
    template <class T> using ref = std::conditional_t<Mutable, T, const T>;

public:
    constexpr basic_graph(ref<graph_header>& header, std::span<ref<node>> nodes, std::span<ref<argument>> arguments,
                          std::span<ref<value>> values)
        : header_(&header), nodes_(nodes), arguments_(arguments), values_(values) {}
    constexpr basic_graph(const basic_graph<true>& other)
        requires(!Mutable)
        : header_(&other.header()), nodes_(other.nodes()), arguments_(other.arguments()), values_(other.values()) {}
    constexpr basic_graph(const basic_graph&) = default;

    constexpr ref<graph_header>& header() const { return *header_; }
    constexpr std::span<ref<node>> nodes() const { return nodes_; }
    constexpr std::span<ref<argument>> arguments() const { return arguments_; }
    constexpr std::span<ref<value>> values() const { return values_; }

    constexpr ref<node>& operator[](node_id id) const { return nodes_[static_cast<std::size_t>(id.index)]; }
    constexpr ref<argument>& operator[](argument_id id) const { return arguments_[static_cast<std::size_t>(id.index)]; }
    constexpr ref<value>& operator[](value_id id) const { return values_[static_cast<std::size_t>(id.index)]; }

    constexpr node_id first() const { return header_->first; }
    constexpr node_id last() const { return header_->last; }

    /// Argument i of the node, in the order given.
    constexpr ref<argument>& argument_of(const node& n, std::int32_t i) const { return (*this)[n.arguments[i]]; }
    /// Result i of the node. pre: the node's type is inferred.
    constexpr ref<value>& value_of(node_id n, std::int32_t i = 0) const { return (*this)[(*this)[n].values[i]]; }
    /// The value that an argument of kind node refers to.
    constexpr ref<value>& value_of(const argument& a) const { return value_of(a.node(), a.result); }
    constexpr bool is_typed(node_id n) const { return (*this)[n].values.count > 0; }

    /// The live nodes in program order: `for (node_id n : g)`.
    struct iterator {
        const basic_graph* graph;
        node_id at;
        constexpr node_id operator*() const { return at; }
        constexpr iterator& operator++() {
            at = (*graph)[at].next;
            return *this;
        }
        constexpr bool operator==(const iterator& other) const { return at == other.at; }
    };
    constexpr iterator begin() const { return {this, first()}; }
    constexpr iterator end() const { return {this, node_id::none()}; }

private:
    ref<graph_header>* header_;
    std::span<ref<node>> nodes_;
    std::span<ref<argument>> arguments_;
    std::span<ref<value>> values_;
};
using graph = basic_graph<true>;
using graph_view = basic_graph<false>;

/// Pools inside the object: what a stage's constexpr variable holds.
template <capacity Capacity> struct graph_storage {
    graph_header header;
    std::array<node, static_cast<std::size_t>(Capacity.nodes)> nodes{};
    std::array<argument, static_cast<std::size_t>(Capacity.arguments)> arguments{};
    std::array<value, static_cast<std::size_t>(Capacity.values)> values{};

    constexpr graph edit() { return {header, nodes, arguments, values}; }
    constexpr graph_view view() const { return {header, nodes, arguments, values}; }

    /// The same graph as `from`. pre: what `from` uses fits.
    constexpr void take(graph_view from) {
        header = from.header();
        for (std::size_t i = 0; i < static_cast<std::size_t>(header.used.nodes); ++i) nodes[i] = from.nodes()[i];
        for (std::size_t i = 0; i < static_cast<std::size_t>(header.used.arguments); ++i) arguments[i] = from.arguments()[i];
        for (std::size_t i = 0; i < static_cast<std::size_t>(header.used.values); ++i) values[i] = from.values()[i];
    }
};

/// Pools on the heap, for graphs parsed or made at run time.
struct heap_storage {
    graph_header header;
    std::vector<node> nodes;
    std::vector<argument> arguments;
    std::vector<value> values;

    constexpr explicit heap_storage(capacity c)
        : nodes(static_cast<std::size_t>(c.nodes)), arguments(static_cast<std::size_t>(c.arguments)),
          values(static_cast<std::size_t>(c.values)) {}
    constexpr graph edit() { return {header, nodes, arguments, values}; }
    constexpr graph_view view() const { return {header, nodes, arguments, values}; }
};

} // namespace ahead
