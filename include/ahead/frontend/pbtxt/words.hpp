// SPDX-License-Identifier: MIT
// The vocabulary of a graph as the text of a TensorFlow GraphDef, as print_pbtxt writes and read_pbtxt reads it.
// Source: tensorflow/core/framework/{graph,node_def,attr_value,tensor_shape,types}.proto.
// Invariant: every word that both sides use is defined here.
#pragma once
#include <ahead/ir/graph.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::pbtxt_words {

/// The operators of nodes that are not calls. A call has its own operator's name, "aten.mm.default".
inline constexpr std::string_view placeholder = "Placeholder";
inline constexpr std::string_view get_attr = "Variable";
inline constexpr std::string_view output = "NetOutput";

/// By dtype.
inline constexpr std::string_view dtypes[] = {
    "DT_BOOL",     "DT_UINT8",  "DT_INT8",   "DT_INT16",         "DT_INT32",       "DT_INT64",
    "DT_UINT16",   "DT_UINT32", "DT_UINT64", "DT_FLOAT8_E4M3FN", "DT_FLOAT8_E5M2", "DT_HALF",
    "DT_BFLOAT16", "DT_FLOAT",  "DT_DOUBLE", "DT_COMPLEX64",     "DT_COMPLEX128"};
static_assert(std::size(dtypes) == std::size(dtype_table));

/// The functions that encode arguments which no attribute can hold, by kind; empty for the other kinds.
inline constexpr std::string_view functions[] = {
    "None",          "",      "",     "",      "",     "",      "dtype",  "device", "layout",
    "memory_format", "slice", "list", "tuple", "word", "block", "complex"};
static_assert(std::size(functions) == static_cast<std::size_t>(argument_kind::complex) + 1);

/// The function that encodes a write to an input after a run; it holds `to`, the input, and `value`.
inline constexpr std::string_view write = "write";

/// The key of positional argument i: its parameter's name, or "arg2" if the operator is unknown or has fewer
/// parameters.
constexpr short_text key_of(const op_row* row, std::int32_t i) {
    if (row != nullptr && i < static_cast<std::int32_t>(row->schema.size()))
        return row->schema[static_cast<std::size_t>(i)].name;
    return short_text("arg") << i;
}
/// The row of a call's operator; null if there is none.
constexpr const op_row* row_of(op_table ops, op_id op) {
    return op.exists() ? &ops[static_cast<std::size_t>(op.index)] : nullptr;
}

/// Whether the call reads all results of its operand as a tuple and picks one by its second argument.
constexpr bool picks_one(std::string_view target) { return target == "operator.getitem"; }

} // namespace ahead::pbtxt_words
