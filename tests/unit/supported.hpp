// SPDX-License-Identifier: MIT
// Every case of the converters of a list, run, and lowered many times over: what the supported_*.cpp tests are written with.
#pragma once
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/differential/run_supported.hpp>

namespace test {

inline int graphs_counted = 0, graphs_beyond_usual = 0;

// How much room lowering takes is counted: a graph of the cases, its calls made 1, 4, 10 and 50 times, is lowered in exactly that.
// The calls that read inputs, `copies` times each.
inline ahead::ir::heap_storage repeated(ahead::graph_view from, ahead::ir::op_table op_rows, int copies, ahead::diagnosis& d) {
    using namespace ahead;
    using namespace ahead::rooms;
    const auto& used = from.header().used;
    heap_storage out({used.nodes * copies, used.arguments * copies, used.values * copies});
    const auto g = out.edit();
    copy_graph(from, g);
    for (int k = 1; k < copies; ++k)
        for (node_id id : from) {
            if (from[id].kind != node_kind::call || from[id].target == "operator.getitem") continue;
            node n = unlinked(from[id]);
            n.name.number += k * 1000;
            node_id made;
            if (!reserve_arguments(g, from[id].arguments.count, n.arguments, d) || !insert_node(g, n, g.last(), made, d)) break;
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                auto a = from.argument_of(from[id], i);
                const auto list = a.children;
                if (list.count > 0 && !reserve_arguments(g, list.count, a.children, d)) break;
                for (std::int32_t e = 0; e < list.count; ++e) set_argument(g, a.children[e], from[list[e]], made);
                set_argument(g, n.arguments[i], a, made);
            }
            if (!infer_node(g, op_rows, made, d)) break;
        }
    return out;
}

template <class Tools> void check_room(ahead::graph_view from, ahead::ir::op_table op_rows, std::string_view op) {
    using namespace ahead;
    using namespace ahead::rooms;
    const auto room = convert::lowered_capacity(from, op_rows, Tools::converters::table, Tools::device_registry::table, Tools::options);
    const auto usual = convert::usual_lowered_capacity(from);
    ++graphs_counted;
    graphs_beyond_usual += room.nodes > usual.nodes || room.arguments > usual.arguments || room.values > usual.values;
    heap_storage device(room);
    diagnosis d;
    const bool ok = convert::lower_graph(from, op_rows, Tools::converters::table, device.edit(), Tools::device_registry::table, Tools::options, d);
    check(ok && device.header.used.nodes == room.nodes && device.header.used.arguments == room.arguments && device.header.used.values == room.values,
          std::string(op) + ": " + std::string(name_of(d.what)) + ", " + std::string(d.expected.view()));
}

// The law of create_result and create_same: a call that took the ATen call's type has the one that its own rule says.
template <class Tools> void check_types(ahead::graph_view from, ahead::ir::op_table op_rows, std::string_view op) {
    using namespace ahead;
    using namespace ahead::rooms;
    auto room = convert::lowered_capacity(from, op_rows, Tools::converters::table, Tools::device_registry::table, Tools::options);
    room.values = 2 * room.values + 16;
    heap_storage device(room);
    fixed_buffer<convert::device_value> made(from.header().used.values);
    diagnosis d;
    const auto g = device.edit();
    const auto& rows = Tools::device_registry::table;
    if (!lower(from, op_rows, Tools::converters::table, g, rows, made.all(), Tools::options, {}, d)) return;
    for (node_id id : g) {
        if (g[id].kind != node_kind::call || g[id].target == device::view::name) continue;
        const auto before = g[id].values;
        g[id].values = {};
        check(infer_node(g, rows, id, d) && g[id].values.count == before.count, op);
        for (std::int32_t k = 0; d.ok() && k < before.count; ++k)
            check(g.value_of(id, k).type == g[before[k]].type,
                  std::string(op) + ": " + std::string(print(g.value_of(id, k).type, true).view()) + " by its rule, " +
                      std::string(print(g[before[k]].type, true).view()));
        g[id].values = before;
    }
}

// The law of converters' views: a view begins where the tensor that it sees does, or behind, wherever that lies in its storage.
template <class Tools> void check_views(ahead::graph_view from, ahead::ir::op_table op_rows, std::string_view op) {
    using namespace ahead;
    using namespace ahead::rooms;
    const auto& used = from.header().used;
    heap_storage moved({used.nodes, used.arguments, 2 * used.values});
    const auto m = moved.edit();
    copy_graph(from, m);
    diagnosis d;
    for (node_id id : m) {
        if (m[id].kind == node_kind::output) continue;
        if (m[id].kind != node_kind::call) m.value_of(id).type.offset += 4; // even: parts of complex numbers lie in pairs
        else if (m[id].values = {}; !check(infer_node(m, op_rows, id, d), op)) return;
    }
    heap_storage device(convert::lowered_capacity(moved.view(), op_rows, Tools::converters::table, Tools::device_registry::table, Tools::options));
    const auto g = device.edit();
    if (!check(convert::lower_graph(moved.view(), op_rows, Tools::converters::table, g, Tools::device_registry::table, Tools::options, d), op)) return;
    const auto begin_of = [](const tensor_type& t) { return t.offset * static_cast<std::int64_t>(bytes_of(t.type)); };
    for (node_id id : g)
        if (g[id].kind == node_kind::call && g[id].target == device::view::name)
            check(begin_of(g.value_of(id).type) >= begin_of(g.value_of(g.argument_of(g[id], 0)).type), std::string(op) + ": a view of " + std::string(print(g.value_of(id).type, true).view()));
}

template <class Tools> void check_copies(ahead::graph_view g, ahead::ir::op_table op_rows, std::string_view op) {
    for (int copies : {1, 4, 10, 50}) {
        ahead::diagnosis d;
        const auto many = repeated(g, op_rows, copies, d);
        if (check(d.ok(), op)) check_room<Tools>(many.view(), op_rows, op);
    }
}

// Converters whose cases are tests; returns how many cases there were.
template <class Converter, class Tools = ahead::toolchain<>, class Registry = ahead::aten::registry>
std::size_t check_supported() {
    const auto results = ahead::run_supported<Converter, Tools, Registry>();
    for (const auto& result : results) check(result.wrong.empty(), result.call + ": " + result.wrong);
    const auto graph = ahead::detail::supported_graph<Converter, Registry>::storage.view();
    check_copies<Tools>(graph, Registry::table, Converter::op::name);
    check_types<Tools>(graph, Registry::table, Converter::op::name);
    check_views<Tools>(graph, Registry::table, Converter::op::name);
    return results.size();
}
template <class List>
struct converters;
template <class... C>
struct converters<ahead::convert::converter_list<C...>> {
    static std::size_t check() {
        std::size_t count = 0;
        const auto one = [&]<class Converter>() {
            if constexpr (requires { typename Converter::supported; }) count += check_supported<Converter>();
        };
        (one.template operator()<C>(), ...);
        return count;
    }
};

} // namespace test
