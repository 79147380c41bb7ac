// SPDX-License-Identifier: MIT
// A node of a captured graph that is not a kernel launch: previously captured graphs, of which it runs the only
// one, one that it selects, or one in rounds; or a host function. In its graph it is one launch, whose kernel is
// run_node() (run_node.hpp) and which uses everything that its graphs use.
// Invariant: a node holds its graphs; its choice is made when it runs, from the device's memory. Made by
// context/nodes.hpp.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/machine/ticks.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

class context;
struct captured_graph;

enum class captured_kind : std::uint8_t { child, if_, while_, switch_, host };

/// The name in listings of launches.
constexpr std::string_view name_of(captured_kind kind) {
    constexpr std::string_view all[] = {"CHILD", "IF", "WHILE", "SWITCH", "HOST"};
    return all[static_cast<int>(kind)];
}
/// The name of the call that records it.
constexpr std::string_view call_of(captured_kind kind) {
    constexpr std::string_view all[] = {"child", "if_", "while_", "switch_", "host"};
    return all[static_cast<int>(kind)];
}

struct graph_node {
    captured_kind kind = captured_kind::child;
    std::vector<std::shared_ptr<captured_graph>> graphs{};
    std::int64_t bound = 0;       // of while_: the largest number of rounds
    bool is_narrow = false;       // of switch_: the index is an i32
    const context* npu = nullptr; // of host: the context that it must not call
    std::function<void(const std::byte* const* externals)> function{};
    short_text name{};     // as errors name it
    std::size_t step = 0;  // index among its graph's launches
    machine::ticks worst{}; // longest time that its graphs can take, all rounds, if nothing else runs

    /// Whether each replay of it runs one of its graphs, so that what all of them write is written.
    bool runs_one_for_sure() const {
        return kind == captured_kind::child || (kind == captured_kind::if_ && graphs.size() == 2);
    }
    /// The name of graph number i in listings.
    short_text name_of_graph(std::size_t i) const {
        switch (kind) {
        case captured_kind::if_: return i == 0 ? "yes" : "no";
        case captured_kind::while_: return "body";
        case captured_kind::switch_: return short_text() << i;
        default: return "part";
        }
    }
};

/// A graph that a node of another one runs, directly or nested.
struct graph_part {
    captured_graph* graph = nullptr;
    bool is_certain = false;        // every replay runs it
    std::uint64_t pool_changes = 0; // as in captured_graph, for replays of the whole
};

} // namespace ahead::npu
