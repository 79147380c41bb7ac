// SPDX-License-Identifier: MIT
// A graph is a view of pools that the caller owns: graph_storage<capacity> (constexpr, no heap) or heap_storage (run
// time). graph may be edited (edit.hpp), graph_view only read. Both are a few pointers: pass them by value.
// A call may hold blocks: branches and loop bodies (blocks.hpp). Each is a graph over the same pools, with placeholders
// as its parameters and an output as its last node: inside(b) is that graph, which every function on graphs accepts.
// Walks visit the nodes of one graph, not those in its blocks; counts are those of the pools, blocks included.
// Invariant: nodes are linked in program order; every argument of kind node refers to an earlier node of the same graph
// or block.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/core_limit.hpp>
#include <ahead/ir/node.hpp>
#include <array>
#include <cstddef>
#include <type_traits>

namespace AHEAD_NAMESPACE::ir {

struct op_row; // op.hpp
using op_table = array_view<const op_row>;

/// The number of entries in each pool; the frontends count them in the source.
struct capacity {
    std::int32_t nodes = 0;
    std::int32_t arguments = 0;
    std::int32_t values = 0;
    friend constexpr bool operator==(const capacity&, const capacity&) = default;
};

/// The counts of a graph, its blocks included, and the ends of its node list.
struct graph_header {
    capacity used;
    node_id first, last;
    std::int32_t live_nodes = 0;
    std::int32_t blocks = 0;  // number of blocks held
    bool has_streams = false; // whether a typed call assigns streams (air/stream_map.hpp)
    bool on_eigen = false;    // of a device graph: pointwise calls take Eigen's kernels, where there are some
    core_limit limit{};       // for all calls without a limit from their scopes
};

template <bool Mutable> class basic_graph {
    template <class T> using ref = std::conditional_t<Mutable, T, const T>;

public:
    constexpr basic_graph(ref<graph_header>& header, array_view<ref<node>> nodes, array_view<ref<argument>> arguments,
                          array_view<ref<value>> values)
        : header_(&header), nodes_(nodes.data()), arguments_(arguments.data()), values_(values.data()),
          room_{static_cast<std::int32_t>(nodes.size()), static_cast<std::int32_t>(arguments.size()),
                static_cast<std::int32_t>(values.size())} {}
    constexpr basic_graph(const basic_graph<true>& other)
        requires(!Mutable)
        : header_(other.header_), nodes_(other.nodes_), arguments_(other.arguments_), values_(other.values_),
          room_(other.room_), block_(other.block_) {}
    constexpr basic_graph(const basic_graph&) = default;
    constexpr basic_graph& operator=(const basic_graph&) = default;

    constexpr ref<graph_header>& header() const { return *header_; }
    /// The capacity of the pools.
    constexpr const capacity& room() const { return room_; }
    constexpr array_view<ref<node>> nodes() const { return {nodes_, static_cast<std::size_t>(room_.nodes)}; }
    constexpr array_view<ref<argument>> arguments() const {
        return {arguments_, static_cast<std::size_t>(room_.arguments)};
    }
    constexpr array_view<ref<value>> values() const { return {values_, static_cast<std::size_t>(room_.values)}; }

    /// The pools as pointers: constant evaluation is billed by calls, and most of them happen in graph edits.
    constexpr ref<node>* node_pool() const { return nodes_; }
    constexpr ref<argument>* argument_pool() const { return arguments_; }

    // Raw pointers, because constant evaluation is billed by calls and these functions are called most.
    constexpr ref<node>& operator[](node_id id) const { return nodes_[id.index]; }
    constexpr ref<argument>& operator[](argument_id id) const { return arguments_[id.index]; }
    constexpr ref<value>& operator[](value_id id) const { return values_[id.index]; }
    constexpr ref<node>& operator[](block_id id) const { return nodes_[id.index]; }

    /// The block as a graph over the same pools; for none(), the whole graph.
    constexpr basic_graph inside(block_id id) const {
        auto out = *this;
        out.block_ = id.index;
        return out;
    }
    /// The block that this graph is; none() for the whole graph.
    constexpr block_id own() const { return {block_}; }
    /// The first and the last node.
    constexpr ref<node_id>& first() const { return block_ < 0 ? header_->first : nodes_[block_].next; }
    constexpr ref<node_id>& last() const { return block_ < 0 ? header_->last : nodes_[block_].previous; }

    /// Argument i of the node, in the order given.
    constexpr ref<argument>& argument_of(const node& n, std::int32_t i) const {
        return arguments_[n.arguments.first + i];
    }
    /// Result i of the node. pre: the node's type is inferred.
    constexpr ref<value>& value_of(node_id n, std::int32_t i = 0) const {
        return values_[nodes_[n.index].values.first + i];
    }
    /// The value that an argument of kind node refers to.
    constexpr ref<value>& value_of(const argument& a) const { return values_[nodes_[a.bits].values.first + a.result]; }
    constexpr bool is_typed(node_id n) const { return nodes_[n.index].values.count > 0; }

    /// The live nodes in program order, without the nodes in blocks: `for (node_id n : g)`.
    struct iterator {
        const node* nodes;
        std::int32_t at;
        constexpr node_id operator*() const { return {at}; }
        constexpr iterator& operator++() {
            at = nodes[at].next.index;
            return *this;
        }
        constexpr bool operator==(const iterator& other) const { return at == other.at; }
    };
    constexpr iterator begin() const { return {nodes_, block_ < 0 ? header_->first.index : nodes_[block_].next.index}; }
    constexpr iterator end() const { return {nodes_, -1}; }

private:
    friend basic_graph<!Mutable>;
    ref<graph_header>* header_;
    ref<node>* nodes_;
    ref<argument>* arguments_;
    ref<value>* values_;
    capacity room_;
    std::int32_t block_ = -1;
};
using graph = basic_graph<true>;
using graph_view = basic_graph<false>;

/// The node that owns the value; none() if no live node does.
constexpr node_id node_of(graph_view g, value_id v) {
    for (node_id id : g)
        if (const auto& own = g[id].values; v.index >= own.first && v.index < own.first + own.count) return id;
    return {};
}

/// Calls f for each argument that is a node, including those in nested lists, in order; if f returns bool, until it
/// returns false. Returns whether no call returned false.
template <class F> constexpr bool for_each_operand(graph_view g, id_range<argument_id> arguments, const F& f) {
    for (auto i = arguments.first; i < arguments.first + arguments.count; ++i) {
        const auto& a = g[argument_id{i}];
        if (a.kind == argument_kind::node) {
            if constexpr (std::is_void_v<decltype(f(a))>) f(a);
            else if (!f(a)) return false;
        } else if (a.children.count > 0 && !for_each_operand(g, a.children, f)) return false;
    }
    return true;
}

/// The node that owns the bytes of a: for a view, the base of the chain of views. pre: a is typed
constexpr node_id owner_of(graph_view g, const argument& a) {
    const auto storage = g.value_of(a).storage;
    auto n = a.node();
    const auto owns = [&] {
        return storage.index >= g[n].values.first && storage.index < g[n].values.first + g[n].values.count;
    };
    while (!owns()) {
        const auto view = n;
        for_each_operand(g, g[view].arguments, [&](const argument& of) {
            const auto values = g[of.node()].values;
            for (std::int32_t k = 0; n == view && k < values.count; ++k)
                if (g[values[k]].storage == storage) n = of.node();
        });
        if (n == view) break;
    }
    return n;
}
/// Whether a's bytes belong to a placeholder or get_attr. pre: a is typed
constexpr bool is_external(graph_view g, const argument& a) { return g[owner_of(g, a)].kind != node_kind::call; }

/// Whether any node reads result k of n: a getitem of k, or a node that takes n as a whole.
constexpr bool is_result_used(graph_view g, node_id n, std::int64_t k) {
    for (auto use = g[n].first_use; use.exists(); use = g[use].next_use) {
        const auto& user = g[g[use].owner];
        if (user.target != "operator.getitem" || g.argument_of(user, 1).integer() == k) return true;
    }
    return false;
}

/// Whether any value that the graph returns uses the storage.
constexpr bool is_storage_returned(graph_view g, value_id storage) {
    return g.last().exists() && g[g.last()].kind == node_kind::output &&
           !for_each_operand(g, g[g.last()].arguments, [&](const argument& a) {
               return !g.is_typed(a.node()) || g.value_of(a).storage != storage;
           });
}
/// Whether the graph returns n, or a view of its bytes.
constexpr bool is_returned(graph_view g, node_id n) {
    bool is_viewed = false;
    const auto is_view = [&](node_id by) {
        return g.is_typed(by) && g.is_typed(n) && g.value_of(by).storage == g.value_of(n).storage;
    };
    for (auto use = g[n].first_use; use.exists(); use = g[use].next_use) {
        const auto by = g[use].owner;
        if (g[by].kind == node_kind::output) return true;
        is_viewed = is_viewed || is_view(by);
    }
    if (!is_viewed || !is_storage_returned(g, g.value_of(n).storage)) return false; // chains of views can be long
    for (auto use = g[n].first_use; use.exists(); use = g[use].next_use)
        if (const auto by = g[use].owner; is_view(by) && is_returned(g, by)) return true;
    return false;
}

/// Whether `with` may replace n wherever the graph returns n: an output must not become an input, and two outputs must
/// stay two tensors. A value that shares n's storage may replace it.
constexpr bool may_be_returned_for(graph_view g, node_id n, const argument& with) {
    if (!is_returned(g, n)) return true;
    return !is_external(g, with) && (g.value_of(n).storage == g.value_of(with).storage || !is_returned(g, with.node()));
}

constexpr bool is_list(const argument& a) { return a.kind == argument_kind::list || a.kind == argument_kind::tuple; }
/// The returned arguments; for a tuple or a list, its elements. pre: the graph ends with an output
constexpr id_range<argument_id> returned_by(graph_view g) {
    const auto all = g[g.last()].arguments;
    if (all.count != 1) return all;
    const auto& one = g[all[0]];
    return is_list(one) ? one.children : all;
}

/// Makes `to` a copy of `from`, with its blocks. pre: `to` has enough capacity; both are whole graphs.
constexpr void copy_graph(graph_view from, graph to) {
    to.header() = from.header();
    const auto copy = [](auto* out, const auto* all, std::int32_t count) {
        for (std::int32_t i = 0; i < count; ++i) out[i] = all[i];
    };
    copy(to.nodes().data(), from.nodes().data(), from.header().used.nodes);
    copy(to.arguments().data(), from.arguments().data(), from.header().used.arguments);
    copy(to.values().data(), from.values().data(), from.header().used.values);
}

/// The operator of the ATen call that device node n computes; n's own operator if it computes none.
constexpr std::string_view operator_lowered_from(graph_view aten, const node& n) {
    const auto id = n.from.lowered_from;
    return id.exists() && aten[id].kind == node_kind::call ? aten[id].target : n.target;
}

/// Pools inside the object, for a stage's constexpr variable.
/// An entry must be written as a whole before one of its members is: in constant evaluation, g++ 12 to 15 lose the
/// initial values of later entries if a member of an entry in the middle is written first, in all pools of that size.
template <capacity Capacity> struct graph_storage {
    graph_header header;
    std::array<node, static_cast<std::size_t>(Capacity.nodes)> nodes{};
    std::array<argument, static_cast<std::size_t>(Capacity.arguments)> arguments{};
    std::array<value, static_cast<std::size_t>(Capacity.values)> values{};

    constexpr graph edit() { return {header, nodes, arguments, values}; }
    constexpr graph_view view() const { return {header, nodes, arguments, values}; }
};

/// Pools on the heap, for graphs parsed or made at run time.
struct heap_storage {
    graph_header header;
    fixed_buffer<node> nodes;
    fixed_buffer<argument> arguments;
    fixed_buffer<value> values;

    constexpr explicit heap_storage(capacity c)
        : nodes(c.nodes, unset{}), arguments(c.arguments, unset{}), values(c.values, unset{}) {}
    constexpr graph edit() { return {header, nodes.all(), arguments.all(), values.all()}; }
    constexpr graph_view view() const { return {header, nodes.all(), arguments.all(), values.all()}; }
    constexpr bool has_room(capacity c) const {
        return nodes.size() >= c.nodes && arguments.size() >= c.arguments && values.size() >= c.values;
    }
    /// The same graph with its capacity reduced to c. pre: has_room(c)
    constexpr graph edit_within(capacity c) {
        return {header, nodes.all().first(static_cast<std::size_t>(c.nodes)),
                arguments.all().first(static_cast<std::size_t>(c.arguments)),
                values.all().first(static_cast<std::size_t>(c.values))};
    }
};

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::capacity, ir::graph_view;
} // namespace ahead
