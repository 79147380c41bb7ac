// SPDX-License-Identifier: MIT
// Puts a node's arguments, given by position or by name, into the order of its operator's schema.
// Invariant: bound arguments fit their parameters in kind, length and words. Called by inference, passes and lowering.
#pragma once
#include <ahead/ir/call.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool is_number(argument_kind k) {
    return k == argument_kind::integer || k == argument_kind::real || k == argument_kind::boolean;
}

constexpr bool is_tensor_argument(graph_view g, const argument& a) {
    if (a.kind != argument_kind::node) return false;
    const auto& values = g.node_pool()[a.bits].values;
    return a.result < values.count && g.value_of(a).kind == value_kind::tensor;
}

constexpr bool list_holds(graph_view g, const argument& a, argument_kind kind, bool or_none = false) {
    if (a.kind != argument_kind::list && a.kind != argument_kind::tuple) return false;
    for (std::int32_t k = 0; k < a.children.count; ++k) {
        const auto& child = g[a.children[k]];
        const bool fits = kind == argument_kind::node   ? is_tensor_argument(g, child)
                          : kind == argument_kind::real ? is_number(child.kind)
                                                        : child.kind == kind;
        if (!fits && !(or_none && child.kind == argument_kind::none)) return false;
    }
    return true;
}

/// Lists of ints with one entry per dim, and lists of any length.
constexpr bool is_dims(parameter_kind kind) {
    return kind == parameter_kind::int_list || kind == parameter_kind::optional_int_list;
}
constexpr bool is_ints(parameter_kind kind) { return is_dims(kind) || kind == parameter_kind::long_int_list; }

/// Whether a parameter of kind `kind` accepts the argument.
constexpr bool accepts(graph_view g, parameter_kind kind, const argument& a) {
    using enum parameter_kind;
    const bool none = a.kind == argument_kind::none;
    const bool number = is_number(a.kind) || a.kind == argument_kind::complex;
    const bool text = a.kind == argument_kind::string || a.kind == argument_kind::word;
    switch (kind) {
    case tensor: return is_tensor_argument(g, a);
    case optional_tensor: return none || is_tensor_argument(g, a);
    case tensor_list: return list_holds(g, a, argument_kind::node, true);
    case tensor_or_scalar: return number || is_tensor_argument(g, a);
    case scalar: return number;
    case optional_scalar: return none || number;
    case integer: return a.kind == argument_kind::integer;
    case optional_integer: return none || a.kind == argument_kind::integer;
    case int_list:
        return a.kind == argument_kind::integer ||
               (list_holds(g, a, argument_kind::integer) && a.children.count <= max_rank);
    case long_int_list: return a.kind == argument_kind::integer || list_holds(g, a, argument_kind::integer);
    case optional_int_list: return none || accepts(g, int_list, a);
    case real: return is_number(a.kind);
    case optional_real: return none || is_number(a.kind);
    case boolean: return a.kind == argument_kind::boolean;
    case optional_boolean: return none || a.kind == argument_kind::boolean;
    case string: return text;
    case optional_string: return none || text;
    case dtype: return a.kind == argument_kind::dtype;
    case optional_dtype: return none || a.kind == argument_kind::dtype;
    case device: return none || text || a.kind == argument_kind::device;
    case layout: return none || a.kind == argument_kind::layout;
    case memory_format: return none || a.kind == argument_kind::memory_format;
    case real_list: return none || list_holds(g, a, argument_kind::real);
    case boolean_list: return list_holds(g, a, argument_kind::boolean);
    case string_list: return list_holds(g, a, argument_kind::string) || list_holds(g, a, argument_kind::word);
    case generator: return none;
    case pinned: return none || (a.kind == argument_kind::boolean && a.bits == 0);
    case block: return a.kind == argument_kind::block;
    }
    return false;
}

constexpr std::string_view spelled(parameter_kind kind) {
    constexpr std::string_view names[] = {"Tensor",
                                          "Tensor?",
                                          "Tensor[]",
                                          "Tensor or Scalar",
                                          "Scalar",
                                          "Scalar?",
                                          "int",
                                          "int?",
                                          "int[]",
                                          "int[]",
                                          "int[]?",
                                          "float",
                                          "float?",
                                          "bool",
                                          "bool?",
                                          "str",
                                          "str?",
                                          "ScalarType",
                                          "ScalarType?",
                                          "Device",
                                          "Layout",
                                          "MemoryFormat?",
                                          "float[]",
                                          "bool[]",
                                          "str[]",
                                          "None, since numbers come from rng_seed and rng_offset",
                                          "None or False, since all memory is the device's",
                                          "block, a branch or a loop body"};
    return names[static_cast<std::size_t>(kind)];
}
constexpr std::string_view spelled(argument_kind kind) {
    constexpr std::string_view names[] = {"None",       "Tensor", "int",    "float",        "bool",  "str",
                                          "ScalarType", "Device", "Layout", "MemoryFormat", "slice", "list",
                                          "tuple",      "word",   "block",  "complex"};
    return names[static_cast<std::size_t>(kind)];
}

/// Describes a refused argument: "float"; "list with float", if ints are wanted; a word of torch unchanged.
constexpr short_text spelled_unlike(graph_view g, parameter_kind wanted, const argument& a) {
    if (a.kind == argument_kind::word && a.text.starts_with("torch.")) return a.text; // a dtype, most likely
    short_text out(spelled(a.kind));
    if (a.kind != argument_kind::list && a.kind != argument_kind::tuple) return out;
    const bool tensors = wanted == parameter_kind::tensor_list;
    for (std::int32_t k = 0; k < a.children.count; ++k) {
        const auto& child = g[a.children[k]];
        if (tensors ? is_tensor_argument(g, child) : is_ints(wanted) && child.kind == argument_kind::integer) continue;
        return out << " with " << spelled(child.kind);
    }
    return out;
}

/// "rounding_mode: None, trunc or floor"
constexpr short_text spelled_words(const parameter& p) {
    short_text out(p.name);
    out << ": ";
    const auto count = p.words.size();
    if (p.kind == parameter_kind::optional_string) out << (count > 1 ? "None, " : "None or ");
    for (std::size_t k = 0; k < count; ++k) out << (k == 0 ? "" : k + 1 == count ? " or " : ", ") << p.words[k];
    return out;
}

/// "self, other, alpha"
constexpr short_text names_of(array_view<const parameter> schema) {
    short_text out;
    for (std::size_t k = 0; k < schema.size(); ++k) out << (k == 0 ? "" : ", ") << schema[k].name;
    return out;
}

/// A base that is constructed before call_view, which reads it.
struct argument_holder {
    bound_arguments bound;
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Puts the node's arguments into schema order. Refuses missing, unknown and mistyped arguments, and those given twice.
/// of_rule: g is the graph of a rewrite rule, whose placeholders match arguments of any kind.
constexpr bool bind_arguments(graph_view g, node_id id, const op_row& row, bound_arguments& out, diagnosis& d,
                              bool of_rule = false) {
    const auto& n = g[id];
    const parameter* schema = out.schema = row.schema.data();
    const auto size = static_cast<std::int32_t>(row.schema.size());
    const argument* given = g.argument_pool() + n.arguments.first;
    std::uint32_t are_given = 0; // one bit per parameter
    std::int32_t position = 0;
    for (std::int32_t i = 0; i < n.arguments.count; ++i) {
        const auto& a = given[i];
        auto slot = size;
        if (a.keyword.empty()) slot = position++;
        else
            for (std::int32_t k = 0; k < size; ++k)
                if (schema[k].name == a.keyword) slot = k;
        if (slot >= size)
            return a.keyword.empty()
                       ? refuse(d, fault::argument_is_unknown,
                                short_text() << size << " arguments at most: " << detail::names_of(row.schema).view(),
                                short_text() << position)
                       : refuse(d, fault::argument_is_unknown, detail::names_of(row.schema), a.keyword);
        const auto& wanted = schema[slot];
        const auto mine = std::uint32_t{1} << slot;
        if ((are_given & mine) != 0)
            return refuse(d, fault::argument_is_given_twice, short_text(wanted.name) << " once", "again by its name");
        are_given |= mine;
        out.at[slot] = &a;
        const bool tensor = a.kind == argument_kind::node;
        if (of_rule && tensor && g[a.node()].kind == node_kind::placeholder) continue;
        const bool several = tensor && g[a.node()].values.count > 1 && !picks_results(row);
        if (tensor && !several && wanted.kind == parameter_kind::tensor && detail::is_tensor_argument(g, a))
            continue; // the common case
        if (a.kind == argument_kind::none && wanted.has_default && wanted.value.get().kind == argument_kind::none)
            continue;
        if (several || !detail::accepts(g, wanted.kind, a)) {
            if (several || (tensor && g.is_typed(a.node()) && !detail::is_tensor_argument(g, a)))
                return refuse(d, fault::result_is_not_a_tensor,
                              short_text() << wanted.name << ": " << detail::spelled(wanted.kind),
                              print(g[a.node()].name));
            if (a.children.count > max_rank && detail::is_dims(wanted.kind) &&
                detail::list_holds(g, a, argument_kind::integer))
                return refuse(d, fault::rank_is_wrong,
                              short_text() << wanted.name << ": at most 8, as many as a tensor has dims",
                              short_text() << a.children.count);
            return refuse(d, fault::argument_has_wrong_kind,
                          short_text() << wanted.name << ": " << detail::spelled(wanted.kind),
                          detail::spelled_unlike(g, wanted.kind, a));
        }
        if (a.kind == argument_kind::complex && !row.effect.takes_complex && !row.effect.moves_elements)
            return refuse(d, fault::dtype_is_unsupported, short_text() << wanted.name << ": a real number", a.text);
        if (!wanted.words.empty() && a.kind != argument_kind::none && number_of_word(wanted, a) < 0)
            return refuse(d, fault::argument_has_wrong_kind, detail::spelled_words(wanted), a.text);
    }
    for (std::int32_t k = 0; k < size; ++k) {
        if ((are_given >> k & 1) != 0) continue;
        if (!schema[k].has_default) return refuse(d, fault::argument_is_missing, schema[k].name, "nothing");
        out.at[k] = &schema[k].value.get();
    }
    return true;
}

/// The same for a typed call, whose arguments are known to fit.
constexpr void bind_typed(graph_view g, node_id id, const op_row& row, bound_arguments& out) {
    const auto& n = g[id];
    const parameter* schema = out.schema = row.schema.data();
    const argument* given = g.argument_pool() + n.arguments.first;
    const auto size = static_cast<std::int32_t>(row.schema.size());
    for (auto k = n.arguments.count; k < size; ++k) out.at[k] = &schema[k].value.get();
    std::int32_t position = 0;
    while (position < n.arguments.count && given[position].keyword.size() == 0) {
        out.at[position] = &given[position];
        ++position;
    }
    for (auto k = position; k < n.arguments.count; ++k) out.at[k] = &schema[k].value.get();
    for (auto i = position; i < n.arguments.count; ++i) {
        auto slot = position;
        while (schema[slot].name != given[i].keyword) ++slot;
        out.at[slot] = &given[i];
    }
}

/// A typed call of a graph, with its arguments bound.
class typed_call : ahead::detail::argument_holder, public call_view {
public:
    constexpr typed_call(graph_view g, node_id id, const op_row& row, diagnosis& d) : call_view(g, id, bound, d) {
        bind_typed(g, id, row, bound);
    }
    constexpr typed_call(graph_view g, node_id id, op_table ops, diagnosis& d)
        : typed_call(g, id, ops.data()[g[id].op.index], d) {}
    typed_call(const typed_call&) = delete;
    typed_call& operator=(const typed_call&) = delete;
};

} // namespace ahead::ir
