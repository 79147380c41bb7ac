// SPDX-License-Identifier: MIT
// The generic description of an operator: a row of properties and functions. Rows are generated from operator structs
// (ir/registry.hpp, device/device_ops.hpp); parser and inference use only rows, so the same code runs at compile time
// and at run time.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/edit.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::ir {

/// Operator names are written with it, "aten.mm.default"sv: for other literals g++ counts the characters one by one.
using std::string_view_literals::operator""sv;

/// The parameter kinds of schemas, as PyTorch spells them. `optional` ones accept None.
enum class parameter_kind : std::uint8_t {
    tensor,
    optional_tensor,
    tensor_list,      // Tensor[] and Tensor?[]
    tensor_or_scalar, // aten's .Tensor overloads also take Python numbers
    scalar,
    optional_scalar,
    integer,
    optional_integer,
    int_list,      // one entry per dim at most
    long_int_list, // any number of entries
    optional_int_list,
    real,
    optional_real,
    boolean,
    optional_boolean,
    string,
    optional_string,
    dtype,
    optional_dtype,
    device,
    layout,
    memory_format,
    real_list, // may be None
    boolean_list,
    string_list,
    generator, // None: random numbers come from rng_seed and rng_offset
    pinned,    // None or False: the plan manages memory
    block,     // a branch or a loop body
};

/// A parameter's default. Most are None or the parameter is required: these store no argument, because the compiler
/// would keep its many members for every parameter of every schema.
class default_value {
public:
    constexpr default_value() : nothing_() {}
    constexpr default_value(const argument& value) : is_none_(false), value_(value) {}
    constexpr const argument& get() const { return is_none_ ? none_ : value_; }

private:
    static constexpr argument none_{};
    bool is_none_ = true;
    union {
        char nothing_;
        argument value_;
    };
};

/// One parameter of an operator's schema. A parameter without default must be given.
struct parameter {
    std::string_view name;
    parameter_kind kind = parameter_kind::tensor;
    bool has_default = false;
    default_value value{};                      // None if the parameter is required
    array_view<const std::string_view> words{}; // the allowed words; empty: any
};
template <std::size_t N> constexpr parameter required(const char (&name)[N], parameter_kind kind) {
    return {{name, N - 1}, kind, false, {}};
}
constexpr parameter required(std::string_view name, parameter_kind kind) { return {name, kind, false, {}}; }
template <std::size_t N>
constexpr parameter defaulted(const char (&name)[N], parameter_kind kind) {
    return {{name, N - 1}, kind, true, {}};
}
template <std::size_t N>
constexpr parameter defaulted(const char (&name)[N], parameter_kind kind, const argument& value) {
    return {{name, N - 1}, kind, true, value};
}
constexpr parameter defaulted(std::string_view name, parameter_kind kind) { return {name, kind, true, {}}; }
constexpr parameter defaulted(std::string_view name, parameter_kind kind, const argument& value) {
    return {name, kind, true, value};
}

/// A parameter that takes only these words, which are not C++ identifiers; other words are enumerations (ir/words.hpp).
constexpr parameter one_of(array_view<const std::string_view> words, parameter p) {
    p.words = words;
    return p;
}
constexpr bool takes_text(const parameter& p) {
    return p.kind == parameter_kind::string || p.kind == parameter_kind::optional_string;
}

/// The index of a word in the parameter's word list; if None is allowed, None is 0 and words count from 1. -1 for an
/// unknown word. Keys identify a word by this number.
constexpr std::int64_t number_of_word(const parameter& p, const argument& a) {
    const bool or_none = p.kind == parameter_kind::optional_string;
    if (a.kind == argument_kind::none) return or_none ? 0 : -1;
    for (std::size_t k = 0; k < p.words.size(); ++k)
        if (p.words[k] == a.text) return static_cast<std::int64_t>(k) + or_none;
    return -1;
}

inline constexpr int max_parameters = 17; // the maximum for an operator

/// Parameters are numbered as the schema lists them. An operator declares their names in an unscoped enumeration `at`
/// next to the schema, with one enumerator for each parameter, in order, so that rules write c.boolean(at::ceil_mode).
/// The constants are the first parameter of any operator, and a missing parameter, which must be checked before use:
inline constexpr int first_parameter = 0, no_parameter = -1;

/// An operator's effects on storages, and other properties.
struct effects {
    std::int8_t view_of = no_parameter; // parameter whose storage the result shares; none: the result has a new storage
    std::int8_t mutates = no_parameter; // parameter that is written
    bool has_side_effect = false;       // never removed, even if unused
    bool picks_results = false;         // its operands may be one of several results of a node
    bool is_elementwise_device_op =
        false; // device operators: element i of the result depends on element i of each operand (npu.fused)
    bool is_random = false; // takes the run's next random numbers (pass/functionalise_random.hpp)
    bool moves_elements =
        false; // result elements are operand elements, converted or unchanged, or constants: any dtype will do
    bool takes_complex = false;    // operands or results may be complex numbers, and are computed with
    bool copies_a_view = false;    // the result is a view in PyTorch, and a copy of the operand's bytes here
    bool is_elementwise = false;   // in-place operators: each element depends only on operand elements at its position
    bool writes_one_value = false; // in-place operators: writes one value everywhere, so the target may overlap itself
    bool gives_number = false;     // readers receive the number itself: it runs only if the graph returns it
    std::int8_t random_where = no_parameter; // random only if this boolean is not False; none: always
    std::int8_t draws_where = no_parameter;  // if not is_random: random if this number is not 0
    std::int8_t blocks_take = no_parameter;  // calls with blocks: the block parameters are the tensors of the lists
                                             // from this parameter on
    std::int8_t blocks_slice = no_parameter; // of these lists, the one whose tensors are passed slice by slice, without
                                             // the first dim
    std::int8_t blocks_keep = no_parameter;  // the list whose tensors do not change between runs of a block
    std::int8_t printed_like = no_parameter; // PyTorch's result has the strides of this tensor, gaps included; here the
                                             // same order without gaps
    std::int8_t blocks_carry = no_parameter; // the block whose first results are the next values of its first
                                             // parameters: one for each tensor of the first list
};

template <bool Mutable> class basic_call; // call.hpp
using infer_context = basic_call<true>;   // a call whose results may be set
using call_view = basic_call<false>;      // a typed call, to read
using infer_function = bool (*)(infer_context&);

/// Avoids the cost of string_view's == in constant evaluation. Compares from the middle: the names of different
/// operators begin and end alike, with aten. and .default.
constexpr bool same_name(std::string_view a, std::string_view b) {
    const auto size = a.size();
    if (size != b.size()) return false;
    const char* x = a.data();
    const char* y = b.data();
    for (auto i = size / 2; i < size; ++i)
        if (x[i] != y[i]) return false;
    for (auto i = size / 2; i > 0; --i)
        if (x[i - 1] != y[i - 1]) return false;
    return true;
}

/// "add.Tensor" for "aten.add.Tensor"; other names unchanged.
constexpr std::string_view without_aten(std::string_view target) {
    return target.starts_with("aten.") ? target.substr(5) : target;
}
/// "add" for "aten.add.Tensor", "getitem" for "operator.getitem": FX derives node names from it.
constexpr std::string_view base_of(std::string_view target) {
    const char* p = target.data();
    std::size_t first = 0, last = target.size();
    while (first < last && p[first] != '.') ++first;
    if (first == last) return target;
    while (p[last - 1] != '.') --last;
    return last == first + 1 ? target.substr(last) : target.substr(first + 1, last - first - 2);
}

/// Whether it is an operator of torch_npu as FX prints it, "npu.npu_rms_norm.default"; other npu.* are device
/// operators.
constexpr bool is_of_torch_npu(std::string_view target) {
    return target.starts_with("npu.npu_") || target.starts_with("npu._npu_");
}
constexpr bool is_of_device(std::string_view target) { return target.starts_with("npu.") && !is_of_torch_npu(target); }

struct op_row {
    std::string_view name; // as FX prints it after "torch.ops.": "aten.add.Tensor"; builtins: "operator.getitem"
    array_view<const parameter> schema;
    infer_function infer = nullptr;
    effects effect;
    bool is_pointwise = false; // its meaning is one function of single elements
};

/// Whether its operands may be one of several results of a node: getitem, and device operators.
constexpr bool picks_results(const op_row& row) {
    return row.effect.picks_results || is_of_device(row.name) || same_name(row.name, "operator.getitem");
}

/// The row with this name, by binary search for its length, and then for the character in its middle, because every
/// call counts in constant evaluation. pre: `table` is sorted by length, as registries build it.
constexpr op_id find_op(op_table table, std::string_view name) {
    if (name.empty()) return {};
    const op_row* rows = table.data();
    const auto size = static_cast<std::int32_t>(table.size());
    const auto length = name.size(), probe = (length - 1) / 2;
    const char there = name.data()[probe];
    std::int32_t low = 0;
    for (auto high = size; low < high;) {
        const auto middle = (low + high) / 2;
        if (rows[middle].name.size() < length) low = middle + 1;
        else high = middle;
    }
    for (; low < size && rows[low].name.size() == length; ++low)
        if (rows[low].name.data()[probe] == there && same_name(rows[low].name, name)) return {low};
    return {};
}

/// The operator's row, by its struct.
template <class Op> constexpr op_id find_op(op_table table) { return find_op(table, Op::name); }
/// Whether the node is a call of Op.
template <class Op> constexpr bool is_call_of(const node& n) {
    return n.kind == node_kind::call && same_name(n.target, Op::name);
}

/// Whether two names differ by at most one typing error: an inserted, missing, changed or transposed character,
/// compared without case. Digits must agree, because they distinguish operators (max_pool2d, max_pool3d). least:
/// shorter names may differ only by a transposition.
constexpr bool is_slip(std::string_view a, std::string_view b, std::size_t least) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::size_t begin = 0, end = 0; // length of the common prefix and suffix
    const auto shorter = a.size() < b.size() ? a.size() : b.size(), longer = a.size() + b.size() - shorter;
    while (begin < shorter && lower(a[begin]) == lower(b[begin])) ++begin;
    while (end < shorter - begin && lower(a[a.size() - 1 - end]) == lower(b[b.size() - 1 - end])) ++end;
    a = a.substr(begin, a.size() - begin - end);
    b = b.substr(begin, b.size() - begin - end);
    for (const char c : a)
        if (c >= '0' && c <= '9') return false;
    for (const char c : b)
        if (c >= '0' && c <= '9') return false;
    if (a.size() <= 1 && b.size() <= 1) return longer >= least || (a.empty() && b.empty());
    return a.size() == 2 && b.size() == 2 && lower(a[0]) == lower(b[1]) && lower(a[1]) == lower(b[0]);
}
/// A suggestion for an unknown operator: the same name with another overload, or else a name with the same first
/// character and one typing error. Of several overloads it prefers the given one or a similar one, then default, then
/// Tensor. Empty if none. The first character must agree because ATen has relu, prelu and rrelu, elu, gelu and celu.
constexpr std::string_view similar_op(op_table table, std::string_view name) {
    const auto parts = [](std::string_view whole) { // library, name, overload; empty if missing
        struct {
            std::string_view library, base, overload;
        } out;
        const auto first = whole.find('.'), last = whole.rfind('.');
        if (first == whole.npos) return out;
        out.library = whole.substr(0, first);
        out.base = whole.substr(first + 1, (last == first ? whole.size() : last) - first - 1);
        if (last != first) out.overload = whole.substr(last + 1);
        return out;
    };
    const auto asked = parts(name);
    std::string_view best;
    if (asked.base.empty()) return best;
    for (int most = 0; const auto& row : table) {
        const auto known = parts(row.name);
        if (known.library != asked.library || known.base.empty()) continue;
        const bool is_same = known.base == asked.base;
        if (!is_same && ((known.base[0] | 0x20) != (asked.base[0] | 0x20) || !is_slip(known.base, asked.base, 5)))
            continue;
        const int likeness = (is_same ? 8 : 0) + (known.overload == asked.overload             ? 5
                                                  : is_slip(known.overload, asked.overload, 0) ? 4
                                                  : known.overload == "default"                ? 3
                                                  : known.overload == "Tensor"                 ? 2
                                                                                               : 1);
        if (likeness <= most) continue;
        most = likeness;
        best = row.name;
    }
    return best;
}
/// The `expected` text for an unknown operator name, with advice.
constexpr short_text registered_operator(op_table table, std::string_view name) {
    const bool is_aten = name.starts_with("aten.") || name.starts_with("prims.");
    const std::string_view others = is_aten ? ": ATen's others export with .run_decompositions()" : "";
    if (const auto meant = similar_op(table, name); !meant.empty())
        return short_text(meant) << ", or another registered operator" << others;
    if (is_of_torch_npu(name) && !find_op(table, "npu.npu_rms_norm.default").exists())
        return "torch_npu's operators: #include <ahead/torch_npu.hpp> and give torch_npu::registry and "
               "torch_npu::tools";
    return short_text("a registered operator") << others << ", or your own, given to the registry";
}

/// The index of the argument that a call writes; -1: none.
constexpr std::int32_t written_operand(graph_view g, const node& n, op_table ops) {
    if (n.kind != node_kind::call || !n.op.exists()) return -1;
    const auto& row = ops[static_cast<std::size_t>(n.op.index)];
    const auto place = row.effect.mutates;
    if (place < 0 || (place < n.arguments.count && g.argument_of(n, place).keyword.empty())) return place;
    for (std::int32_t i = 0; i < n.arguments.count; ++i)
        if (g.argument_of(n, i).keyword == row.schema[static_cast<std::size_t>(place)].name) return i;
    return -1; // not given: typing refuses the call
}

/// Whether any call of the graph writes to an operand.
constexpr bool has_in_place(graph_view g, op_table ops) {
    const node* nodes = g.node_pool();
    const op_row* rows = ops.data();
    for (auto at = g.first().index; at >= 0; at = nodes[at].next.index)
        if (const auto op = nodes[at].op.index; op >= 0 && rows[op].effect.mutates >= 0) return true;
    return false;
}

/// Whether the node calls a random operator.
constexpr bool is_random(const node& n, op_table ops) {
    return n.kind == node_kind::call && n.op.exists() && ops[static_cast<std::size_t>(n.op.index)].effect.is_random;
}

/// Whether the call draws random numbers: dropout in evaluation mode and attention without dropout do not.
constexpr bool draws_numbers(graph_view g, node_id id, op_table ops) {
    if (g[id].kind != node_kind::call || !g[id].op.exists()) return false;
    const auto& row = ops[static_cast<std::size_t>(g[id].op.index)];
    const bool where_given = row.effect.draws_where >= 0;
    if (!row.effect.is_random && !where_given) return false;
    const int where = where_given ? row.effect.draws_where : row.effect.random_where;
    if (where < 0) return true;
    for (std::int32_t i = 0; i < g[id].arguments.count; ++i) {
        const auto& a = g.argument_of(g[id], i);
        const bool is_meant =
            a.keyword.empty() ? i == where : same_name(a.keyword, row.schema[static_cast<std::size_t>(where)].name);
        if (!is_meant) continue;
        if (where_given) return a.kind == argument_kind::real ? a.real() != 0 : a.bits != 0;
        if (a.kind == argument_kind::boolean && !a.boolean()) return false;
    }
    return !where_given;
}

/// If the graph draws random numbers, the node before which its seed and offset are inserted: the end of its
/// placeholders. Otherwise none().
constexpr node_id place_of_random_state(graph_view g, op_table ops) {
    bool draws = false;
    node_id place = g.first();
    for (node_id id : g) {
        draws = draws || draws_numbers(g, id, ops);
        if (g[id].kind == node_kind::placeholder) place = g[id].next;
    }
    return draws ? place : node_id{};
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::call_view, ir::defaulted, ir::effects, ir::infer_context, ir::parameter, ir::parameter_kind, ir::required;
} // namespace ahead
