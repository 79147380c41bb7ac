// A text run by the reference on a recorded case's tensors, all at run time: parsed, typed, interpreted, compared.
// SPDX-License-Identifier: MIT
#pragma once
#include "recorded.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/frontend/fx/fx.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/pass/builtin.hpp>
#include <ahead/pass/functionalise.hpp>
#include <poisoned.hpp>

namespace cases {

// As the text stands, or, with options, functional and after the passes.
template <class Registry = aten::registry, class Passes = decltype(pass::builtin)>
verdict interpret_text(const std::string& text, const recorded& given, const config* options = nullptr) {
    const corpus::parsed_text parsed(text, Registry::table);
    diagnosis d = parsed.error;
    if (!parsed.ok) return refused("parse", d);
    const auto written = parsed.storage.view();
    auto room = room_for_numbers(written, {}, array_view<const fx_input>{});
    room.values += static_cast<std::int32_t>(parsed.storage.values.size());
    heap_storage storage(room);
    copy_graph(written, storage.edit());
    const auto g = storage.edit();
    const auto tensor_for = [&](const node& n) -> const host_tensor* {
        for (const auto& name : {std::string(n.target), std::string(print(n.name).view())})
            if (const auto found = given.by_placeholder.find(name); found != given.by_placeholder.end()) return &found->second;
        return nullptr;
    };
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind == node_kind::call || n.kind == node_kind::output || !n.annotation.empty() || tensor_for(n) == nullptr) continue;
        if (!reserve_values(g, id, 1, d)) return refused("import", d);
        g.value_of(id) = {value_kind::tensor, tensor_for(n)->type, g[id].values[0]};
    }
    if (!infer_symbolic_types(g, Registry::table, {}, {}, d)) return refused("infer", d);
    std::vector<host_tensor> inputs, outputs;
    // The inputs that a text writes, and how many numbers it has drawn, stand behind what it returns; they were not recorded.
    const auto draws_before = place_of_random_state(g, Registry::table);
    const auto returned = [&, writes = has_in_place(g, Registry::table) || draws_before.exists()](std::vector<host_tensor> all) {
        if (writes && all.size() > given.outputs.size()) all.erase(all.begin() + static_cast<std::ptrdiff_t>(given.outputs.size()), all.end());
        return all;
    };
    for (node_id id : g) {
        const auto& n = g[id];
        if (id == draws_before) inputs.insert(inputs.end(), 2, host_tensor(tensor_of(dtype::i64, {})));
        if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
        const auto* tensor = tensor_for(n);
        if (tensor == nullptr) return {outcome::failed, "no tensor for " + std::string(print(n.name).view())};
        inputs.push_back(*tensor);
    }
    if (options != nullptr) {
        heap_storage edited(pass::room_for_passes(Passes{}, g, Registry::table, pass::room_to_functionalise(g, Registry::table)));
        copy_graph(g, edited.edit());
        if (!pass::functionalise(edited.edit(), Registry::table, d)) return refused("functionalise", d);
        if (!pass::run(Passes{}, *options, edited.edit(), Registry::table, d)) return {outcome::failed, "a pass refuses"};
        if (!interpret<Registry>(edited.view(), inputs, outputs, d)) return refused("interpret", d);
        return compared(returned(outputs), given);
    }
    if (!test::interpret_poisoned<Registry>(g, inputs, outputs, d)) return refused("interpret", d);
    return compared(returned(outputs), given);
}

} // namespace cases
