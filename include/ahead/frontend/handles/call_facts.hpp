// SPDX-License-Identifier: MIT
// What is recorded of a call, and follows from its types. Called by record.hpp, call/results.hpp.
// Invariant: a constant of the operator and the types, so that recording a call only copies.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE {

/// One result of a call, as its operator's type rule gives it.
struct result_facts {
    value_kind kind = value_kind::unknown;
    tensor_type type;
    std::int32_t storage_of =
        -1; // views: the number of the tensor operand whose storage it shares; -1: a storage of its own
    std::int32_t storage_result = 0; // getitem: which of that operand's results
};

/// What a call adds to a graph. All of it follows from types, so that recording a call only copies.
struct call_facts {
    std::string_view target; // "aten.add.Tensor"
    std::string_view base;   // "add": what FX names the node after
    std::size_t hash = 0;    // of base
    op_id op;
    array_view<const result_facts> results;
    bool has_streams = false; // as graph_header's
};

} // namespace ahead
