// SPDX-License-Identifier: MIT
// A random case as the device sees it: its text lowered at run time, and which ways of their kernels its calls take. Called by write.cpp and run_cases.cpp.
#pragma once
#include "families.hpp"

#include <ahead/compile/inspect_fx.hpp>

#include <map>
#include <set>

namespace test {

using device_registry = ahead::toolchain<>::device_registry;

struct inspected_case {
    std::string_view name; // the family's
    random_case written;
    std::string text;
    ahead::compile::inspected_graph made;

    inspected_case(const family& of, std::uint64_t seed);
    inspected_case(const inspected_case&) = delete;

    ahead::graph_view graph() const { return made.lowered_graph(); }
    /// f(id) of each task, in the graph's order.
    template <class F> void for_each_task(F f) const {
        for (ahead::node_id id : graph())
            if (graph()[id].kind == ahead::ir::node_kind::call && made.needs[static_cast<std::size_t>(id.index)].is_task) f(id);
    }
    /// Why it is left out; empty where it is not: it was refused, no kernel of the device runs it, or one writes to its operand.
    std::string why_not() const;
};

/// How often kernels went which way, and how many elements stood over a vector of 16 in their innermost loops.
struct way_counts {
    std::map<std::string, int> ways;
    std::set<std::int64_t> tails;
    void add(const inspected_case& of);
    /// The ways that a family must take.
    static std::vector<std::string> of_family(std::string_view name);
};

} // namespace test
