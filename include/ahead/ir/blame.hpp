// SPDX-License-Identifier: MIT
// Where a fault of a graph is: at a node.
// Invariant: what is said of a node is its line, its operator and its name, and nothing else of the diagnosis changes.
// Called by every check that refuses a node.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/node.hpp>

namespace AHEAD_NAMESPACE {

constexpr void blame(diagnosis& d, const node& n) {
    d.line = n.from.line;
    d.op = n.target;
    d.name = print(n.name);
}

} // namespace ahead
