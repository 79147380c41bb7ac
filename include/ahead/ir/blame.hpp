// SPDX-License-Identifier: MIT
// Locates a fault at a node of a graph.
// Invariant: the diagnosis of a node has its line, its operator and its name.
// Called by every check that refuses a node.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/node.hpp>

namespace AHEAD_NAMESPACE::ir {

constexpr void blame(diagnosis& d, const node& n) {
    d.line = n.from.line;
    d.op = n.target;
    d.name = print(n.name);
}
/// Calls refuse(), which returns false, with the location of a node.
constexpr bool refuse_at(diagnosis& d, const node& n, fault what, const short_text& expected = {},
                         const short_text& found = {}) {
    blame(d, n);
    return refuse(d, what, expected, found);
}
constexpr bool refuse_at(diagnosis& d, const node& n, custom_rule rule, const short_text& expected = {},
                         const short_text& found = {}) {
    blame(d, n);
    return refuse(d, rule, expected, found);
}

} // namespace ahead::ir
