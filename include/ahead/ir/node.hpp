// SPDX-License-Identifier: MIT
// The parts of a graph: node, argument, value. Plain data in pools, with indices instead of pointers, so that a graph
// can be copied, frozen in a constexpr variable and walked at run time alike. Names and text are views of the source
// text.
// Invariant: the uses of a node form a list threaded through the arguments that mention it (see edit.hpp).
#pragma once
#include <ahead/ir/type/tensor_type.hpp>
#include <bit>
#include <compare>
#include <cstdint>
#include <string_view>

namespace AHEAD_NAMESPACE::ir {

/// An index into one pool of one graph; `none()` is the empty link of a list.
template <class Tag> struct pool_id {
    std::int32_t index = -1;
    static constexpr pool_id none() { return {}; }
    constexpr bool exists() const { return index >= 0; }
    friend constexpr auto operator<=>(pool_id, pool_id) = default;
};
using node_id = pool_id<struct node_tag>;
using argument_id = pool_id<struct argument_tag>;
using value_id = pool_id<struct value_tag>;
using block_id = pool_id<struct block_tag>; // index of its head node; none(): the graph itself
/// A row of the graph's operator table (ATen or device).
using op_id = pool_id<struct op_tag>;

template <class Id> struct id_range {
    std::int32_t first = 0;
    std::int32_t count = 0;
    constexpr Id operator[](std::int32_t i) const { return {first + i}; }
    friend constexpr bool operator==(const id_range&, const id_range&) = default;
};

/// A node's name. FX names are views of the text; names made by passes add a number: {"add", 3} is "add_3".
struct label {
    std::string_view text;
    std::int32_t number = 0; // 0: none
    friend constexpr bool operator==(label, label) = default;
};
constexpr short_text print(label l) {
    short_text out(l.text);
    if (l.number != 0) out << "_" << l.number;
    return out;
}

enum class argument_kind : std::uint8_t {
    none,    // Python's None
    node,    // result `result` of another node
    integer, // also every size, dim and step
    real,
    boolean,
    string,        // text without its quotes
    dtype,         // torch.float32
    device,        // text: "cpu", "cuda:0"
    layout,        // text: "torch.strided"
    memory_format, // text: "torch.contiguous_format"
    slice,         // children: start, stop, step
    list,          // children
    tuple,         // children
    word,          // text that print(gm.graph) shows without quotes: a string, or another kind that the schema decides
    block,         // a block that the node holds
    complex,       // a complex number: text as printed (ir/complex_literal.hpp)
};

/// One argument of a node, one element of a list argument, or one returned value.
struct argument {
    argument_kind kind = argument_kind::none;
    std::int32_t result = 0;    // node: which result
    std::int64_t bits = 0;      // integer, boolean, dtype: its value; real: its bits; node, block: its index
    std::string_view text{};    // as printed: strings, devices, the digits of a real, complex numbers
    std::string_view keyword{}; // the name, if the argument was given by name
    node_id owner{};            // the node it belongs to; may be none() for numbers and texts in lists
    node_id writes{};           // returned values: the input whose new value it is; none() for an output
    argument_id next_use{}, previous_use{}; // node: the list of uses of that node
    id_range<argument_id> children{};       // list, tuple, slice

    constexpr std::int64_t integer() const { return bits; }
    constexpr bool boolean() const { return bits != 0; }
    constexpr double real() const { return std::bit_cast<double>(bits); }
    constexpr dtype type() const { return static_cast<dtype>(bits); }
    constexpr node_id node() const { return {static_cast<std::int32_t>(bits)}; }
    constexpr block_id block() const { return {static_cast<std::int32_t>(bits)}; }

    static constexpr argument of(std::int64_t v) { return {.kind = argument_kind::integer, .bits = v}; }
    static constexpr argument of(int v) { return of(static_cast<std::int64_t>(v)); }
    static constexpr argument of(bool v) { return {.kind = argument_kind::boolean, .bits = v}; }
    static constexpr argument of(double v) {
        return {.kind = argument_kind::real, .bits = std::bit_cast<std::int64_t>(v)};
    }
    static constexpr argument of(dtype v) {
        return {.kind = argument_kind::dtype, .bits = static_cast<std::int64_t>(v)};
    }
    static constexpr argument of(node_id n, std::int32_t result = 0) {
        return {.kind = argument_kind::node, .result = result, .bits = n.index};
    }
};

/// Where a value's bytes are. Views share the storage of the value that owns it.
enum class value_kind : std::uint8_t { unknown, tensor, none, integer, real, boolean };

/// One result of a node, once its type is known.
struct value {
    value_kind kind = value_kind::unknown;
    tensor_type type; // tensors only
    value_id storage; // tensors only: the value that owns the bytes, itself unless this is a view
    value_id replaced_by{}; // the value that its readers were made to read instead; none() if none was
    friend constexpr bool operator==(const value&, const value&) = default;
};

enum class node_kind : std::uint8_t {
    placeholder,
    get_attr,
    call,
    output,
    block // the head of a block, not part of any graph: `next` and `previous` are the block's first and last node, its
          // one use is the argument of the call that holds it, and its target is the class that FX prints it as
};
inline constexpr std::string_view node_kind_names[] = {"placeholder", "get_attr", "call", "output", "block"};
static_assert(std::size(node_kind_names) == static_cast<std::size_t>(node_kind::block) + 1);

/// The role of a placeholder: FX text of ExportedProgram states it, otherwise the user does.
enum class input_role : std::uint8_t { user, parameter, buffer, constant };
inline constexpr std::string_view role_names[] = {"user", "parameter", "buffer", "constant"};
static_assert(std::size(role_names) == static_cast<std::size_t>(input_role::constant) + 1);

/// The origin of a node, kept through every pass.
struct provenance {
    std::int32_t line = 0;    // of the text, or of the user's source file
    std::string_view comment; // "File: ..." comment above the line, if present
    std::string_view module_path;
    std::string_view made_by; // the pass or converter that made the node; empty for the frontends
    node_id lowered_from{};   // of a device graph: the node of the ATen graph that the call computes
};

struct node {
    node_kind kind = node_kind::call;
    op_id op; // calls: the operator's row; none() while the operator is unknown
    input_role role = input_role::user;
    bool erased = false;
    bool constant = false; // in a device graph: depends only on weights and literals, so its task runs in prepare
    label name;
    std::string_view
        target; // calls: operator as printed without "torch.ops."; placeholders, get_attr: the name they refer to
    std::string_view weight;     // parameters, buffers, constants: the tensor's name in the weight file
    std::string_view annotation; // the type as printed, empty if the form prints none
    id_range<argument_id> arguments;
    id_range<value_id> values; // empty until inferred
    argument_id first_use, last_use;
    std::int32_t use_count = 0;
    node_id previous, next; // program order
    provenance from;
};

/// A copy to insert elsewhere: without arguments, results and uses.
constexpr node unlinked(node n) {
    n.arguments = {};
    n.values = {};
    n.first_use = n.last_use = {};
    n.use_count = 0;
    return n;
}

/// Whether the node is a constant with its values in the graph: a get_attr without a weight, with one argument, the
/// list of its elements in row-major order.
constexpr bool is_literal(const node& n) { return n.kind == node_kind::get_attr && n.weight.empty(); }

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::argument, ir::argument_kind, ir::input_role, ir::label, ir::node_id, ir::print;
} // namespace ahead
