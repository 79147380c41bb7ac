// SPDX-License-Identifier: MIT
// Appends the device graph's output node, after all calls.
// Outputs that are inputs or constants are copied, so that every output is in the arena. Nested lists and tuples are
// flattened; None is dropped. A value returned into an input (argument::writes) or a weight is assigned to it after
// everything else, when all readers of the old value have run.
#pragma once
#include <ahead/convert/convert.hpp>
#include <ahead/ir/mutated_weights.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool is_output_in_place(graph_view g, const argument& a) {
    return !g[a.node()].constant && !is_external(g, a);
}

/// Inserts a call of one of the device's operators, for node `of` of the ATen graph, before `position`. like: its name
/// and place in the source.
constexpr bool insert_device_call(graph out, op_table device_ops, std::string_view op,
                                  array_view<const argument> arguments, node_id of, const node& like, node_id position,
                                  argument& made, diagnosis& d) {
    node n;
    n.op = find_op(device_ops, op);
    n.target = op;
    n.name = like.name;
    n.from = like.from;
    n.from.made_by = "outputs";
    n.from.lowered_from = of;
    node_id id;
    if (!insert_call(out, n, arguments, position, id, d) || !infer_node(out, device_ops, id, d)) return false;
    made = argument::of(id);
    return true;
}

/// The first position for a call that reads n: after n and all placeholders.
constexpr node_id first_place_behind(graph_view out, node_id n) {
    n = out[n].next;
    while (out[n].kind == node_kind::placeholder || out[n].kind == node_kind::get_attr) n = out[n].next;
    return n;
}

/// Assigns the values that the graph returns into inputs: sources that are stored in such an input are copied first,
/// then all inputs are written. `is_in_port`: whether a device value is stored in such an input.
template <class IsInPort>
constexpr bool write_inputs(graph_view from, graph out, op_table device_ops,
                            array_view<const convert::device_value> made, id_range<argument_id> returned,
                            std::int32_t count, IsInPort is_in_port, node_id position, diagnosis& d) {
    fixed_buffer<argument> sources(count);
    std::int32_t k = 0;
    const auto value_of = [&](const argument& given) {
        return made[static_cast<std::size_t>(from[given.node()].values[given.result].index)].as_argument();
    };
    const auto port_of = [&](const argument& given) {
        return made[static_cast<std::size_t>(from[given.writes].values.first)].as_argument();
    };
    const auto each = [&](auto f) {
        return for_each_operand(from, returned,
                                [&](const argument& given) { return !given.writes.exists() || f(given); });
    };
    if (!each([&](const argument& given) {
            auto& source = sources[k++] = value_of(given);
            if (source.node() == port_of(given).node() || !is_in_port(source)) return true;
            return insert_device_call(out, device_ops, "npu.copy", array_view<const argument>(&source, 1), given.node(),
                                      from[given.node()], first_place_behind(out, source.node()), source, d);
        }))
        return false;
    k = 0;
    return each([&](const argument& given) {
        const argument both[] = {port_of(given), sources[k++]};
        argument done;
        return both[0].node() == both[1].node() || insert_device_call(out, device_ops, "npu.assign", both, given.writes,
                                                                      from[given.writes], position, done, d);
    });
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::convert {

/// post: the last node of `out` is its output, one tensor argument per tensor that `from` returns.
constexpr bool lower_outputs(graph_view from, graph out, op_table device_ops, array_view<const device_value> made,
                             diagnosis& d) {
    const auto& returned = from[from.last()];
    std::int32_t count = 0, written = 0;
    if (!for_each_operand(from, returned.arguments, [&](const argument& a) {
            if (from[a.node()].values.count != 1 || from.value_of(a).kind != value_kind::tensor)
                return refuse(d, fault::result_is_not_a_tensor, "a tensor", print(from[a.node()].name));
            ++(a.writes.exists() ? written : count);
            return true;
        })) {
        d.line = returned.from.line;
        d.op = "output";
        return false;
    }
    node n;
    n.kind = node_kind::output;
    n.name = {"output", 0};
    n.from = returned.from;
    node_id id;
    if (!reserve_arguments(out, count, n.arguments, d) || !append_node(out, n, id, d)) return false;
    fixed_buffer<bool> is_port(written > 0 ? out.header().used.values
                                           : 0); // by device storage: an input that the graph returns a value into
    if (written > 0)
        for_each_operand(from, returned.arguments, [&](const argument& a) {
            if (a.writes.exists())
                is_port[out.value_of(made[static_cast<std::size_t>(from[a.writes].values.first)].as_argument())
                            .storage.index] = true;
        });
    const auto is_in_port = [&](const argument& a) {
        const auto storage = out.value_of(a).storage.index;
        return storage < is_port.size() && is_port[storage];
    };
    fixed_buffer<std::int32_t> returned_from(count > 1 ? out.header().used.values
                                                       : 0); // by device storage: its ATen storage as an output, + 1
    std::int32_t k = 0;
    return for_each_operand(
               from, returned.arguments,
               [&](const argument& a) {
                   if (a.writes.exists()) return true;
                   auto value = made[static_cast<std::size_t>(from[a.node()].values[a.result].index)].as_argument();
                   bool is_another =
                       false; // a copy in the graph that lowering made a view of another output: two must not alias
                   if (count > 1) {
                       auto& first = returned_from[out.value_of(value).storage.index];
                       const auto own = from.value_of(a).storage.index + 1;
                       if (first == 0) first = own;
                       is_another = first != own;
                   }
                   if (is_another || !ahead::detail::is_output_in_place(out, value)) {
                       node like = from[a.node()];
                       like.from = returned.from;
                       // A value stored in an input that is written later is copied early, so that the task that
                       // computes the new value may do so in place.
                       const bool at_once = is_in_port(value);
                       const auto position = at_once ? ahead::detail::first_place_behind(out, value.node()) : id;
                       if (!ahead::detail::insert_device_call(out, device_ops, "npu.copy",
                                                              array_view<const argument>(&value, 1), a.node(), like,
                                                              position, value, d))
                           return false;
                   }
                   set_argument(out, out[id].arguments[k++], value, id);
                   return true;
               }) &&
           (written == 0 ||
            ahead::detail::write_inputs(from, out, device_ops, made, returned.arguments, written, is_in_port, id, d));
}

} // namespace ahead::convert
