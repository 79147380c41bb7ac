// SPDX-License-Identifier: MIT
// Type inference: binds each call's arguments to its operator's schema, asks the operator for its result types, and
// checks them against the printed ones. Called by the frontends after import and by the verifier after every pass.
// Invariant: after infer_types(g) succeeds, every live node has its values and every view its storage.
#pragma once
#include <ahead/ir/op.hpp>
#include <ahead/ir/type/annotation.hpp>
#include <ahead/ir/type/overlap.hpp>

namespace AHEAD_NAMESPACE {

/// A node's arguments in schema order, defaults filled in.
struct bound_arguments {
    const argument* at[max_parameters]{};
    const parameter* schema = nullptr;
};

/// A call with its arguments in schema order: what type rules, keys and converters see. A parameter is asked for by its
/// operator's name for it, c.integer(at::dim).
template <bool Mutable> class basic_call {
public:
    constexpr basic_call(basic_graph<Mutable> whole, node_id call, const bound_arguments& bound, diagnosis& why)
        : graph_(whole), node_(call), bound_(&bound), diagnosis_(&why) {}

    constexpr basic_graph<Mutable> in() const { return graph_; }
    constexpr node_id id() const { return node_; }
    constexpr const argument& at(int i) const { return *bound_->at[i]; }
    constexpr bool is_given(int i) const { return at(i).kind != argument_kind::none; }
    constexpr bool is_tensor(int i) const { return at(i).kind == argument_kind::node; }
    constexpr const tensor_type& tensor(int i) const { return graph_.value_of(at(i)).type; }
    constexpr std::int64_t integer(int i) const { return at(i).integer(); }
    constexpr bool boolean(int i) const { return at(i).boolean(); }
    constexpr double real(int i) const { return to_real(at(i)); }
    constexpr dtype type(int i) const { return at(i).type(); }
    /// The number of the word given for parameter i, see number_of_word.
    constexpr std::int64_t word(int i) const { return number_of_word(bound_->schema[i], at(i)); }
    /// A list of ints; a single int counts as a list of one, as PyTorch's int[1] parameters take it. pre: of at most
    /// max_rank, as every int_list is
    constexpr int_list ints(int i) const {
        int_list out;
        const auto& a = at(i);
        if (a.kind == argument_kind::integer) out.push_back(a.integer());
        for (std::int32_t k = 0; k < a.children.count; ++k) out.push_back(graph_[a.children[k]].integer());
        return out;
    }
    /// Entry k of such a list of any length, and how many it has.
    constexpr std::int64_t int_at(int i, std::int32_t k) const {
        return at(i).kind == argument_kind::integer ? at(i).integer() : element(i, k).integer();
    }
    constexpr std::int32_t int_count(int i) const { return at(i).kind == argument_kind::integer ? 1 : list_size(i); }
    /// The type of result k. pre: inferred.
    constexpr const tensor_type& result_type(std::int32_t k = 0) const { return graph_.value_of(node_, k).type; }
    constexpr std::int32_t list_size(int i) const { return at(i).children.count; }
    constexpr const argument& element(int i, std::int32_t k) const { return graph_[at(i).children[k]]; }

    /// One result with a storage of its own.
    constexpr bool result(const tensor_type& t)
        requires Mutable
    {
        return results(1) && set(0, t);
    }
    /// One result in the storage of parameter i.
    constexpr bool view_result(const tensor_type& t, int i)
        requires Mutable
    {
        return results(1) && set_view(0, t, i);
    }
    /// For operators with several results: reserve, then set each.
    constexpr bool results(std::int64_t count)
        requires Mutable
    {
        auto& n = graph_[node_];
        if (n.values.count == count) return true; // inferred again
        return reserve_values(graph_, node_, count, *diagnosis_);
    }
    constexpr bool set(std::int32_t k, const tensor_type& t)
        requires Mutable
    {
        if (!check_type(t)) return false;
        const value_id id{graph_[node_].values.first + k};
        graph_[id] = {value_kind::tensor, t, id};
        return true;
    }
    constexpr bool set_view(std::int32_t k, const tensor_type& t, int i)
        requires Mutable
    {
        return set_view(k, t, at(i));
    }
    constexpr bool set_view(std::int32_t k, const tensor_type& t, const argument& of)
        requires Mutable
    {
        if (!check_type(t)) return false;
        graph_[graph_[node_].values[k]] = {value_kind::tensor, t, graph_.value_of(of).storage};
        return true;
    }

    constexpr bool refuse(fault what, short_text expected = {}, short_text found = {}) {
        return ahead::refuse(*diagnosis_, what, expected, found);
    }
    /// Refuses sizes that tensors cannot have, or entries that count or pad: what rules compute with must be looked at
    /// before.
    constexpr bool check_sizes(const int_list& sizes, std::string_view expected = "sizes from 0") {
        for (auto size : sizes)
            if (size < 0) return refuse(fault::size_is_negative, expected, short_text() << size);
        return true;
    }
    /// The gate between numbers that users give and the types of a graph: every result passes it, and what a rule goes
    /// on computing with.
    constexpr bool check_type(const tensor_type& t) {
        if (is_addressable(t)) return true;
        const auto sizes = sizes_of(t);
        const bool strides_reach_too_far = is_addressable(tensor_of(t.type, sizes));
        return check_sizes(sizes) &&
               refuse(fault::tensor_is_too_large, "fewer than 2^48 elements", print(t, strides_reach_too_far));
    }
    /// A dim counted from either end, as PyTorch takes it; rank 0 accepts 0 and -1.
    constexpr bool wrap_dim(std::int64_t dim, int rank, int& out) {
        const int n = rank > 0 ? rank : 1;
        if (dim < -n || dim >= n)
            return refuse(fault::dimension_is_out_of_range, short_text() << "a dim from " << -n << " to " << n - 1,
                          short_text() << dim);
        out = static_cast<int>(dim < 0 ? dim + n : dim);
        return true;
    }

    static constexpr double to_real(const argument& a) {
        return a.kind == argument_kind::real ? a.real() : static_cast<double>(a.bits);
    }

private:
    basic_graph<Mutable> graph_;
    node_id node_;
    const bound_arguments* bound_;
    diagnosis* diagnosis_;
};

namespace detail {

constexpr bool is_number(argument_kind k) {
    return k == argument_kind::integer || k == argument_kind::real || k == argument_kind::boolean;
}

constexpr bool is_tensor_argument(graph_view g, const argument& a) {
    if (a.kind != argument_kind::node) return false;
    const auto values = g[a.node()].values;
    return a.result < values.count && g[value_id{values.first + a.result}].kind == value_kind::tensor;
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

/// Lists of ints with an entry per dim, and those of any length.
constexpr bool is_dims(parameter_kind kind) {
    return kind == parameter_kind::int_list || kind == parameter_kind::optional_int_list;
}
constexpr bool is_ints(parameter_kind kind) { return is_dims(kind) || kind == parameter_kind::long_int_list; }

/// Whether the argument may stand where the schema asks for `kind`.
constexpr bool accepts(graph_view g, parameter_kind kind, const argument& a) {
    using enum parameter_kind;
    const bool none = a.kind == argument_kind::none;
    const bool text = a.kind == argument_kind::string || a.kind == argument_kind::word;
    switch (kind) {
    case tensor: return is_tensor_argument(g, a);
    case optional_tensor: return none || is_tensor_argument(g, a);
    case tensor_list: return list_holds(g, a, argument_kind::node, true);
    case tensor_or_scalar: return is_number(a.kind) || is_tensor_argument(g, a);
    case scalar: return is_number(a.kind);
    case optional_scalar: return none || is_number(a.kind);
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
                                          "None or False, since all memory is the device's"};
    return names[static_cast<std::size_t>(kind)];
}
constexpr std::string_view spelled(argument_kind kind) {
    constexpr std::string_view names[] = {"None",   "Tensor", "int",          "float", "bool", "str",   "ScalarType",
                                          "Device", "Layout", "MemoryFormat", "slice", "list", "tuple", "word"};
    return names[static_cast<std::size_t>(kind)];
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

} // namespace detail

/// Puts the node's arguments into schema order. Refuses missing, unknown and mistyped ones, and those given twice.
constexpr bool bind_arguments(graph_view g, node_id id, const op_row& row, bound_arguments& out, diagnosis& d) {
    const auto& n = g[id];
    const parameter* schema = out.schema = row.schema.data();
    const auto size = static_cast<std::int32_t>(row.schema.size());
    const argument* given = g.arguments().data() + n.arguments.first;
    std::uint32_t are_given = 0; // a bit for each parameter
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
        const bool several = tensor && !row.picks_results && g[a.node()].values.count > 1;
        if (tensor && !several && wanted.kind == parameter_kind::tensor && detail::is_tensor_argument(g, a))
            continue; // as most are
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
                          short_text(detail::spelled(a.kind)));
        }
        if (!wanted.words.empty() && a.kind != argument_kind::none && number_of_word(wanted, a) < 0)
            return refuse(d, fault::argument_has_wrong_kind, detail::spelled_words(wanted), a.text);
    }
    for (std::int32_t k = 0; k < size; ++k) {
        if ((are_given >> k & 1) != 0) continue;
        if (!schema[k].has_default) return refuse(d, fault::argument_is_missing, schema[k].name, "nothing");
        out.at[k] = &schema[k].value;
    }
    return true;
}

namespace detail {

/// Refuses a write whose result hangs on the order in which elements are written, and those that PyTorch refuses
/// (at::assert_no_internal_overlap, at::assert_no_partial_overlap, at::assert_no_overlap): into a tensor that overlaps
/// itself, or of operands that lie in the same bytes at other places.
constexpr bool check_write(graph_view g, const op_row& row, const bound_arguments& bound, diagnosis& d) {
    const auto& written = *bound.at[row.effect.mutates];
    const auto& self = g.value_of(written);
    if (may_overlap_itself(self.type) && !row.effect.writes_one_value)
        return refuse(d, fault::in_place_needs_alias_analysis, "a tensor that does not overlap itself",
                      print(g[written.node()].name));
    const auto is_apart = [&](const argument& a) {
        if (!is_tensor_argument(g, a) || g.value_of(a).storage != self.storage) return true;
        const auto& type = g.value_of(a).type;
        if (row.effect.is_elementwise ? !may_read_written(self.type, type) : !may_overlap(self.type, type)) return true;
        return refuse(d, fault::in_place_needs_alias_analysis, "operands that do not overlap what is written",
                      print(g[a.node()].name));
    };
    for (std::size_t i = 0; i < row.schema.size(); ++i) {
        if (static_cast<int>(i) == row.effect.mutates) continue;
        if (!is_apart(*bound.at[i])) return false;
        for (std::int32_t k = 0; k < bound.at[i]->children.count; ++k)
            if (!is_apart(g[bound.at[i]->children[k]])) return false;
    }
    return true;
}

} // namespace detail

/// Gives one call its result types. Refuses with the node's op, name and line filled in.
constexpr bool infer_node(graph g, op_table ops, node_id id, diagnosis& d) {
    const auto& n = g[id];
    bool ok = false;
    if (!n.op.exists()) {
        ok = refuse(d, fault::operator_is_unknown, registered_operator(ops, n.target), n.target);
    } else {
        const auto& row = ops[static_cast<std::size_t>(n.op.index)];
        bound_arguments bound;
        if (bind_arguments(g, id, row, bound, d)) {
            infer_context context(g, id, bound, d);
            ok = row.infer(context) && d.ok() && (row.effect.mutates < 0 || detail::check_write(g, row, bound, d));
        }
    }
    if (!ok) {
        d.line = g[id].from.line;
        d.op = g[id].target;
        d.name = print(g[id].name);
    }
    return ok;
}

/// Whether the type the text prints is the type inferred. Strides of dims of size 1 say nothing and are not compared.
constexpr bool agrees(const annotation& printed, const tensor_type& inferred) {
    if (printed.type.type != inferred.type || printed.type.rank != inferred.rank) return false;
    for (int i = 0; i < inferred.rank; ++i) {
        if (printed.type.size(i) != inferred.size(i)) return false;
        if (printed.has_strides && inferred.size(i) > 1 && element_count(inferred) > 0 &&
            printed.type.stride(i) != inferred.stride(i))
            return false;
    }
    return true;
}

/// Refuses what the text prints of the call's results, annotation_differs_from_inference, and says in what the two
/// differ: the number of results, rank, the first dim with another size, dtype, or the first dim with another stride.
constexpr bool refuse_annotation(graph_view g, node_id id, const annotation& printed, diagnosis& d) {
    const auto& n = g[id];
    const auto differs = [&](short_text expected, short_text found) {
        const auto inferred =
            n.values.count == 1 ? print(g.value_of(id).type, printed.has_strides) : short_text("no type of its own");
        return refuse(d, fault::annotation_differs_from_inference, expected << ": " << inferred.view(),
                      found << ": " << n.annotation);
    };
    if (n.values.count != 1) return differs(short_text() << n.values.count << " results", "1 result");
    const auto &inferred = g.value_of(id).type, &type = printed.type;
    if (type.rank != inferred.rank)
        return differs(short_text("rank ") << int{inferred.rank}, short_text("rank ") << int{type.rank});
    for (int i = 0; i < inferred.rank; ++i)
        if (type.size(i) != inferred.size(i))
            return differs(short_text() << inferred.size(i) << " in dim " << i, short_text()
                                                                                    << type.size(i) << " in dim " << i);
    if (type.type != inferred.type) return differs(facts_of(inferred.type).annotation, facts_of(type.type).annotation);
    int i = 0;
    while (i + 1 < inferred.rank && (inferred.size(i) <= 1 || type.stride(i) == inferred.stride(i))) ++i;
    return differs(short_text("stride ") << inferred.stride(i) << " in dim " << i,
                   short_text("stride ") << type.stride(i) << " in dim " << i);
}

/// What the text says of the types of calls holds for the graph as it was written: an edited one may have other
/// strides.
constexpr void forget_annotations(graph g) {
    for (node_id id : g)
        if (g[id].kind == node_kind::call) g[id].annotation = {};
}

/// Infers all nodes in program order. Placeholders take their printed type, unless a type was set before.
constexpr bool infer_types(graph g, op_table ops, diagnosis& d) {
    for (node_id id : g) {
        auto& n = g[id];
        if (n.kind == node_kind::output) continue;
        annotation printed;
        const bool annotated = !n.annotation.empty();
        bool ok = !annotated || read_annotation(n.annotation, printed, d);
        if (ok && n.kind != node_kind::call && !g.is_typed(id)) {
            ok = annotated ? reserve_values(g, id, 1, d)
                           : refuse(d, fault::input_type_is_missing, "a type such as f32[2, 3]", "none");
            if (ok) g.value_of(id) = {value_kind::tensor, printed.type, n.values[0]};
        }
        if (!ok) {
            d.line = n.from.line;
            d.op = n.target;
            d.name = print(n.name);
            return false;
        }
        if (n.kind == node_kind::call && !infer_node(g, ops, id, d)) return false;
        if (!annotated || (n.values.count == 1 && agrees(printed, g.value_of(id).type))) continue;
        d.line = n.from.line;
        d.op = n.target;
        d.name = print(n.name);
        return refuse_annotation(g, id, printed, d);
    }
    return true;
}

} // namespace ahead
