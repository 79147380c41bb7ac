// SPDX-License-Identifier: MIT
// Types a text whose sizes are symbols as a graph of constant sizes: each symbol has a number. Numbers that PyTorch
// passes to the graph in addition to its tensors, arg0_1: "Sym(s0)", are then known and not inputs; those of host
// parameters remain inputs.
// Invariant: afterwards the graph has no symbols, and every printed type is satisfied. Called by imported_graph.hpp,
// compile/inspect.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/frontend/infer_printed.hpp>
#include <ahead/legalize/higher_order/typed_rewrites.hpp>
#include <ahead/legalize/higher_order/write_out.hpp>
#include <ahead/legalize/host/host_numbers.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Calls f(name) for each symbol in a printed type until f returns true; returns whether it did.
constexpr bool names_one(std::string_view text, auto f) {
    if (!names_symbols(text)) return false;
    const bool is_number = text.substr(0, 4) == "Sym(";
    const auto end = is_number ? text.size() : text.rfind(']'); // a device follows
    for (auto at = is_number ? 4 : text.find('['); at < end; ++at) {
        const auto from = at;
        while (at < end && is_symbol_char(text[at])) ++at;
        if (at == from || (text[from] >= '0' && text[from] <= '9') || (at < end && text[at] == '(')) continue;
        const auto name = text.substr(from, at - from);
        if (name != "True" && name != "False" && f(name)) return true;
    }
    return false;
}

/// Whether `ranges`, "{s0: VR[2, 16], s1: VR[2, int_oo]}", excludes the symbol's value; `range` is set to the symbol's
/// range.
constexpr bool is_out_of_range(std::string_view ranges, const symbol_value& symbol, std::string_view& range) {
    for (std::size_t at = 0; (at = ranges.find(symbol.name, at)) != ranges.npos; ++at) {
        const auto rest = ranges.substr(at + symbol.name.size());
        if (at == 0 || (ranges[at - 1] != '{' && ranges[at - 1] != ' ') || rest.substr(0, 5) != ": VR[") continue;
        const auto end = rest.find(']'), comma = rest.find(", ");
        if (end == rest.npos || comma > end) return false;
        range = rest.substr(4, end - 3);
        const auto limit = [&](std::string_view text, std::int64_t infinite) {
            std::int64_t out = 0;
            return size_expression(text, {}).read(out) ? out : infinite;
        };
        return symbol.value < limit(rest.substr(5, comma - 5), std::numeric_limits<std::int64_t>::min()) ||
               symbol.value > limit(rest.substr(comma + 2, end - comma - 2), std::numeric_limits<std::int64_t>::max());
    }
    return false;
}

/// Refuses a symbol that the text does not contain (symbol_is_unknown) or that is given twice (symbol_is_given_twice),
/// and a number that the text's range constraints exclude (symbol_is_out_of_range).
constexpr bool check_symbols(graph_view g, symbol_values symbols, std::string_view ranges, diagnosis& d) {
    for (const auto& symbol : symbols) {
        for (const auto& other : symbols)
            if (&other != &symbol && other.name == symbol.name)
                return refuse(d, fault::symbol_is_given_twice, "each symbol once", symbol.name);
        bool is_there = false;
        for (std::int32_t i = 0; i < g.header().used.nodes && !is_there; ++i)
            is_there = names_one(g[node_id{i}].annotation, [&](std::string_view name) { return name == symbol.name; });
        if (!is_there) {
            std::string_view first;
            for (std::int32_t i = 0; i < g.header().used.nodes && first.empty(); ++i)
                names_one(g[node_id{i}].annotation, [&](std::string_view name) { return first = name, true; });
            return refuse(d, fault::symbol_is_unknown,
                          first.empty() ? short_text("a text with symbols")
                                        : short_text("a symbol of the text, such as ") << first,
                          symbol.name);
        }
        if (symbol.is_host_parameter) continue;
        std::string_view range;
        if (symbol.value < 0)
            return refuse(d, fault::symbol_is_out_of_range, "a size from 0",
                          short_text() << symbol.name << " = " << symbol.value);
        if (is_out_of_range(ranges, symbol, range))
            return refuse(d, fault::symbol_is_out_of_range,
                          short_text("a number in ") << range << ", as the export says",
                          short_text() << symbol.name << " = " << symbol.value);
    }
    return true;
}

/// Inserts an untyped call, a tensor of the number that `id` represents, before another node.
constexpr bool insert_number(graph g, op_table ops, node_id id, const argument& number, dtype type, node_id before,
                             node_id& made, diagnosis& d) {
    node n;
    n.kind = node_kind::call;
    n.name = g[id].name;
    n.from = g[id].from;
    n.target = "aten.scalar_tensor.default";
    n.op = find_op(ops, n.target);
    auto as = argument::of(type);
    as.keyword = "dtype";
    const argument all[] = {number, as};
    return insert_call(g, n, all, before, made, d);
}

/// Removes a placeholder that represents a number from the inputs: calls that read it receive the number, and if the
/// graph returns it, it returns a tensor of the number.
constexpr bool give_number(graph g, op_table ops, node_id id, const argument& number, diagnosis& d) {
    give_readers(g, id, number);
    if (g[id].use_count > 0) {
        node_id first = g[id].next, made;
        while (g[first].kind != node_kind::call && g[first].kind != node_kind::output) first = g[first].next;
        const auto type = number.kind == argument_kind::boolean ? dtype::b8 : dtype::i64;
        if (!insert_number(g, ops, id, number, type, first, made, d)) return false;
        replace_all_uses(g, id, made);
    }
    erase(g, id);
    return true;
}

/// Removes numbers, bools and None that an export has among its inputs: they have no type, and their readers contain
/// the values. A placeholder without a type and without readers is not an input.
constexpr void erase_untyped_inputs(graph g) {
    for (node_id id : g)
        if (const auto& n = g[id]; n.kind == node_kind::placeholder && n.role == input_role::user &&
                                   n.annotation.empty() && n.use_count == 0 && !g.is_typed(id))
            erase(g, id);
}

/// The host parameter in a printed type; empty if there is none.
constexpr std::string_view host_symbol_in(std::string_view text, symbol_values symbols) {
    std::string_view out;
    names_one(text, [&](std::string_view name) {
        for (const auto& symbol : symbols)
            if (symbol.is_host_parameter && symbol.name == name) out = name;
        return !out.empty();
    });
    return out;
}
constexpr bool is_number_of(std::string_view text, std::string_view symbol) {
    return text.size() == symbol.size() + 5 && text.substr(0, 4) == "Sym(" && text.substr(4, symbol.size()) == symbol;
}

/// A placeholder for a host parameter stays an input, of type i64[]; further ones of the same symbol are replaced by
/// the first.
constexpr bool keep_host_number(graph g, node_id id, std::string_view symbol, host_numbers& numbers, diagnosis& d) {
    for (node_id first = g.first(); first != id; first = g[first].next)
        if (numbers.symbol_of(first) == symbol) {
            replace_all_uses(g, id, first);
            erase(g, id);
            return true;
        }
    if (!g.is_typed(id) && !reserve_values(g, id, 1, d)) return false;
    g.value_of(id) = {value_kind::tensor, tensor_of(dtype::i64, {}), g[id].values[0]};
    numbers.add(id, symbol);
    return true;
}
/// As infer_printed_types, but each call to be rewritten is rewritten once all nodes before it are typed.
template <class Laws>
constexpr bool infer_rewritten(graph g, op_table ops, typed_rewrites<Laws>& rewrites, diagnosis& d) {
    auto from = g.first();
    for (node_id id = g.first(), next; id.exists(); id = next) {
        next = g[id].next;
        if (!rewrites.concerns(id)) continue;
        if (from != id && !infer_printed_types<Laws>(g, ops, d, from, id)) return false;
        if (!rewrites.rewrite(id, from, next)) return false;
    }
    return !from.exists() || infer_printed_types<Laws>(g, ops, d, from);
}
/// The number of calls that host_numbers may rewrite. inputs: types that the text does not print.
constexpr std::int32_t count_host_readers(graph_view g, symbol_values symbols, const auto& inputs) {
    fixed_buffer<bool> is_host(g.header().used.nodes);
    std::int32_t out = 0;
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind == node_kind::placeholder) {
            auto type = n.annotation;
            for (const auto& input : inputs)
                if (same_name(n.name.text, input.placeholder) && !input.type.empty()) type = input.type;
            is_host[id.index] = !host_symbol_in(type, symbols).empty();
        }
        if (n.kind != node_kind::call) continue;
        if (is_item(n)) {
            is_host[id.index] = true;
            continue;
        }
        std::int32_t reads = 0;
        for_each_operand(g, n.arguments, [&](const argument& a) { reads += is_host[a.node().index]; });
        out += reads == 0 ? 0 : lengths_of_keys(n.target).empty() ? 1 : 2 + n.arguments.count + reads;
        is_host[id.index] = reads > 0 && n.target.substr(0, 9) == "operator.";
    }
    return out;
}

/// Whether this is an operator that computes a number.
constexpr bool is_named_as_number(std::string_view target) {
    return target.starts_with("aten.sym_") || (target.starts_with("operator.") && target != "operator.getitem");
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// Whether a symbol is a host parameter.
constexpr bool has_host_parameters(symbol_values symbols) {
    for (const auto& symbol : symbols)
        if (symbol.is_host_parameter) return true;
    return false;
}

/// The capacity of a graph that is typed with symbols: a returned number becomes a call, readers of host parameters
/// become several, and so do higher-order and composite calls. inputs: rows of fx_input.
template <class Laws = detail::all_laws>
constexpr capacity room_for_numbers(graph_view g, symbol_values symbols, const auto& inputs) {
    auto room = g.header().used;
    for (const auto& more : {detail::room_to_write_out(g), Laws::room(g)})
        room = {room.nodes + more.nodes, room.arguments + more.arguments, room.values + more.values};
    if (has_host_parameters(symbols) || detail::has_items(g)) {
        const auto readers = detail::count_host_readers(g, symbols, inputs);
        room.nodes += detail::host_numbers::nodes_for_each * readers;
        room.values += (detail::host_numbers::nodes_for_each + 1) * readers;
        room.arguments += detail::host_numbers::arguments_for_each * readers;
    }
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind == node_kind::call ? !detail::is_named_as_number(n.target)
                                      : symbols.empty() || n.annotation.substr(0, 4) != "Sym(")
            continue;
        ++room.nodes;
        ++room.values;
        room.arguments += 2;
    }
    return room;
}

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

/// Whether the call computes a number of the text, including numbers that are not size expressions,
/// Sym(FloatTrueDiv(1.0, s0)).
constexpr bool gives_number(op_table ops, const node& n) {
    return n.kind == node_kind::call && n.op.exists() && ops[static_cast<std::size_t>(n.op.index)].effect.gives_number;
}
/// Replaces numbers that the graph returns by constants. pre: room_for_numbers fits
template <class Laws> constexpr bool return_constants(graph g, op_table ops, diagnosis& d) {
    for (node_id id = g.first(), next; id.exists(); id = next) {
        next = g[id].next;
        if (!gives_number(ops, g[id]) || g[id].use_count == 0) continue;
        node_id made;
        const auto type = g.value_of(id).type.type;
        // inference now gives the number to the call's reader
        if (!insert_number(g, ops, id, argument::of(id), type, next, made, d) || !infer_node(g, ops, id, d) ||
            !infer_node(g, ops, made, d))
            return false;
        replace_all_uses(g, id, made);
        erase(g, id);
    }
    return true;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// As infer_printed_types, for a text with these symbol values: it removes inputs that are only numbers, and rewrites
/// higher-order calls. ranges: the text's constraints on symbols, "{s0: VR[2, 16]}". Refuses uses that a host parameter
/// cannot have (host_parameter_is_fixed). pre: d.ok(), room_for_numbers fits
template <class Laws = detail::all_laws>
constexpr bool infer_symbolic_types(graph g, op_table ops, symbol_values symbols, std::string_view ranges,
                                    diagnosis& d) {
    detail::erase_untyped_inputs(g);
    const auto written_out = detail::written_out_calls::of(g);
    fixed_buffer<detail::autocast_mode> modes(written_out.autocast ? g.room().nodes : 0);
    if constexpr (Laws::are_any)
        if (written_out.any && !detail::higher_order_writer<graph>(ops, modes, d).write_out(g)) return false;
    const bool has_host = has_host_parameters(symbols), has_numbers = has_host || detail::has_items(g),
               has_rewrites = has_numbers || written_out.autocast || written_out.batches;
    if (symbols.empty() && !has_rewrites)
        return infer_printed_types<Laws>(g, ops, d) && detail::return_constants<Laws>(g, ops, d);
    if (!detail::check_symbols(g, symbols, ranges, d)) return false;
    detail::host_numbers numbers(g, ops, d, has_numbers);
    numbers.add_items();
    detail::typed_rewrites<Laws> rewrites(g, ops, numbers, modes, written_out.batches, d);
    const auto infer = [&] {
        return has_rewrites
                   ? detail::infer_rewritten<Laws>(g, ops, rewrites, d) && (!has_numbers || numbers.check_copies())
                   : infer_printed_types<Laws>(g, ops, d);
    };
    if (symbols.empty()) return infer() && detail::return_constants<Laws>(g, ops, d);
    fixed_buffer<std::string_view> said(g.header().used.nodes); // by node: a type with symbols
    for (std::int32_t i = 0; i < said.size(); ++i)
        if (auto& n = g[node_id{i}]; detail::names_symbols(n.annotation)) {
            said[i] = n.annotation;
            n.annotation = {};
            const auto symbol = has_host ? detail::host_symbol_in(said[i], symbols) : std::string_view();
            if (symbol.empty() ||
                (n.kind == node_kind::call ? said[i].substr(0, 4) == "Sym(" : detail::is_number_of(said[i], symbol)))
                continue;
            return refuse_at(d, n, fault::host_parameter_is_fixed, detail::host_numbers::updatable,
                             short_text(symbol) << " in " << said[i]);
        }
    for (auto id = g.first(); id.exists();) {
        const auto next = g[id].next;
        const auto text = said.size() > id.index ? said[id.index] : std::string_view();
        if (g[id].kind != node_kind::call && !text.empty()) {
            annotation type;
            std::int64_t number = 0;
            dtype of = dtype::i64;
            const auto host = has_host ? detail::host_symbol_in(text, symbols) : std::string_view();
            bool ok = read_annotation(text, type, d, symbols);
            if (ok && !host.empty()) ok = detail::keep_host_number(g, id, host, numbers, d);
            else if (ok && detail::read_number(text, symbols, number, of) && of != dtype::f64)
                ok = detail::give_number(g, ops, id, of == dtype::b8 ? argument::of(number != 0) : argument::of(number),
                                         d);
            else if (ok && (ok = g.is_typed(id) || reserve_values(g, id, 1, d)))
                g.value_of(id) = {value_kind::tensor, type.type, g[id].values[0]};
            if (!ok) {
                blame(d, g[id]);
                return false;
            }
        }
        id = next;
    }
    const bool is_typed = infer();
    for (std::int32_t i = 0; i < said.size(); ++i) {
        const node_id id{i};
        auto& n = g[id];
        if (said[i].empty() || n.erased || n.kind == node_kind::block || !g.is_typed(id)) continue;
        if (has_numbers && numbers.has_other_type(id)) continue;
        annotation type;
        diagnosis own;
        const bool is_read = read_annotation(said[i], type, own, symbols);
        if (is_read ? n.values.count == 1 && agrees(type, g.value_of(id).type) : detail::gives_number(ops, n)) continue;
        n.annotation = said[i];
        if (own.ok()) refuse_annotation(g, id, type, own);
        d = own;
        blame(d, n);
        return false;
    }
    return is_typed && detail::return_constants<Laws>(g, ops, d);
}

} // namespace ahead::frontend
