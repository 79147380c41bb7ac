// SPDX-License-Identifier: MIT
// The state of the verifiers: the plan, its graph, and what the verifiers have found out about both. They run in order:
// check_tasks.hpp, check_places.hpp, check_bytes.hpp, check_order.hpp, check_summary.hpp. None of them depends on how
// plans are made. Filled by these, called by plan/check.hpp.
// Invariant: an index is checked before it is used, so no plan makes a verifier read out of bounds.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/device/assign.hpp>
#include <ahead/device/kernel_needs.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A storage that a node reads, and the argument through which it does.
struct reading {
    std::int32_t storage = 0;
    std::int32_t argument = 0;
};

/// A plan, its graph, and what the verifiers find out about both.
struct verifier_state {
    graph_view g;
    array_view<const device::kernel_needs> needs; // by node
    plan_view plan;
    const machine::device& on;
    diagnosis& d;
    // Pointers, because calls dominate the cost of constant evaluation.
    const node* nodes = g.nodes().data();
    const argument* arguments = g.arguments().data();
    const value* types = g.values().data();
    const task* tasks = plan.tasks.data();
    const placement* places = plan.placements.data();
    std::int32_t values = g.header().used.values;
    std::int32_t total = 0;                                      // of tasks
    fixed_buffer<std::int32_t> task_of{g.header().used.nodes};   // by node: its task, + 1; 0: none
    fixed_buffer<std::int32_t> number_of{g.header().used.nodes}; // by node: how many nodes are before it in the graph
    fixed_buffer<std::int32_t> joined{
        g.header().used.values}; // by value: the concatenation without a task that computes it, + 1; 0: none
    fixed_buffer<std::int32_t> concat_of{
        g.header().used.values}; // by value: the same, or one with a task that does not copy all of its parts
    fixed_buffer<std::int32_t> assigned_by{
        g.header().used.values};                         // by value, a port: the npu.assign to it, + 1; 0: none
    fixed_buffer<bool> in_slice{g.header().used.values}; // by value: it is stored in its slice of a concatenation
    fixed_buffer<std::int32_t> woven_into{
        g.header().used.values}; // by value: the concatenation that it is woven into, between other parts, + 1
    fixed_buffer<reading> operands{g.header().used.arguments}; // of all tasks in order, then of the output
    fixed_buffer<std::int32_t> end_of_operands{};              // by task, + 1; there is a 0 before the first
    std::int32_t inputs = 0, parameters = 0, states = 0, parts = 0, assigns = 0; // how many there are
    std::int32_t cats_removed = 0;
    std::int32_t written[2]{}, in_place[2]{}; // inputs, states
    std::int64_t constant_bytes = 0, state_bytes = 0;

    constexpr bool broken(node_id n, std::string_view expected, const short_text& found) const {
        return refuse_at(d, g[n], fault::plan_is_broken, expected, found);
    }
    constexpr bool broken_of(std::int32_t v, std::string_view expected, std::int64_t found) const {
        const auto n = node_of(g, {v});
        return broken(n.exists() ? n : g.last(), expected, short_text() << found);
    }
    constexpr bool is(std::string_view what, std::int64_t said, std::int64_t found) const {
        return said == found || broken(g.last(), (short_text() << found << " " << what).view(), short_text() << said);
    }
    constexpr std::int64_t aligned(std::int64_t bytes) const { return machine::aligned(bytes, on); }
    /// The least size of a value's storage.
    constexpr std::int64_t needed(std::int32_t v) const {
        const auto& type = types[v].type;
        return bytes_of(type.type, extent_of(type));
    }
    /// Whether bytes [offset, offset + bytes) are in a region of region_bytes.
    static constexpr bool lies_in(std::int64_t offset, std::int64_t bytes, std::int64_t region_bytes) {
        return offset >= 0 && bytes >= 0 && bytes <= region_bytes && offset <= region_bytes - bytes;
    }
    /// Also, whether they begin at an address that kernels can use.
    constexpr bool is_inside(std::int64_t offset, std::int64_t bytes, std::int64_t region_bytes) const {
        return lies_in(offset, bytes, region_bytes) && offset % on.alignment == 0;
    }
    /// f(storage, its begin in the whole, its bytes) for each operand of a concatenation that is stored in its slice.
    template <class F> constexpr void each_part(const node& concat, F f) const {
        const auto of = g.argument_of(concat, 0).children;
        if (woven_into[g.value_of(g[of[0]]).storage.index] == concat.values.first + 1) {
            const auto& whole = places[concat.values.first];
            for (std::int32_t k = 0; k < of.count; ++k) {
                const auto v = g.value_of(g[of[k]]).storage.index;
                f(v, places[v].offset - whole.offset, places[v].bytes);
            }
            return;
        }
        std::int64_t begin = 0;
        for (std::int32_t k = 0; k < of.count; ++k) {
            const auto& part = g.value_of(g[of[k]]);
            const auto bytes = bytes_of(part.type.type, element_count(part.type));
            const auto v = part.storage.index;
            if (in_slice[v] && places[v].part_of.index == concat.values.first &&
                places[v].offset - places[concat.values.first].offset == begin)
                f(v, begin, bytes);
            begin += bytes;
        }
    }
};

} // namespace ahead::detail
