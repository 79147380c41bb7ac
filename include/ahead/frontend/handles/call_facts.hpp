// SPDX-License-Identifier: MIT
// The recorded properties of a call, which follow from its types. Called by record.hpp, call/results.hpp.
// Invariant: constants of the operator and the types, so that recording a call only copies them.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// One result of a call, as its operator's type rule gives it.
struct result_facts {
    value_kind kind = value_kind::unknown;
    tensor_type type;
    std::int32_t storage_of = -1;    // views: index of the tensor operand whose storage it shares; -1: a new storage
    std::int32_t storage_result = 0; // getitem: index of the operand's result
};

/// The data that a call adds to a graph. All of it follows from types, so that recording a call only copies it.
struct call_facts {
    std::string_view target; // "aten.add.Tensor"
    std::string_view base;   // "add": the base of FX's name for the node
    std::size_t hash = 0;    // of base
    op_id op;
    array_view<const result_facts> results;
    bool has_streams = false; // as in graph_header
};

} // namespace ahead::frontend
