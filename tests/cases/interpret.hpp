// A text run by the reference on a recorded case's tensors, all at run time: parsed, typed, interpreted, compared.
// SPDX-License-Identifier: MIT
#pragma once
#include "recorded.hpp"

#include <ahead/aten/aten.hpp>
#include <ahead/frontend/fx/infer_printed.hpp>
#include <ahead/reference/interpreter.hpp>
#include <ahead/pass/builtin.hpp>
#include <ahead/pass/functionalise.hpp>
#include <poisoned.hpp>

namespace cases {

// As the text stands, or, with options, functional and after the passes.
template <class Registry = aten::registry, class Passes = decltype(pass::builtin)>
verdict interpret_text(const std::string& text, const recorded& given, const config* options = nullptr) {
    const corpus::parsed_text parsed(text, Registry::table);
    auto& storage = const_cast<heap_storage&>(parsed.storage);
    diagnosis d = parsed.error;
    if (!parsed.ok) return refused("parse", d);
    const auto g = storage.edit();
    std::vector<host_tensor> inputs, outputs;
    // The inputs that a text writes, and how many numbers it has drawn, stand behind what it returns; they were not recorded.
    const auto draws_before = place_of_random_state(g, Registry::table);
    const auto returned = [&, writes = has_in_place(g, Registry::table) || draws_before.exists()](std::vector<host_tensor> all) {
        if (writes && all.size() > given.outputs.size()) all.erase(all.begin() + static_cast<std::ptrdiff_t>(given.outputs.size()), all.end());
        return all;
    };
    for (node_id id : g) {
        auto& n = g[id];
        if (id == draws_before) inputs.insert(inputs.end(), 2, host_tensor(tensor_of(dtype::i64, {})));
        if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
        const auto found = given.by_placeholder.find(std::string(print(n.name).view()));
        const auto target = given.by_placeholder.find(std::string(n.target));
        if (found == given.by_placeholder.end() && target == given.by_placeholder.end()) return {outcome::failed, "no tensor for " + std::string(print(n.name).view())};
        inputs.push_back(found == given.by_placeholder.end() ? target->second : found->second);
        if (!n.annotation.empty()) continue;
        if (!reserve_values(g, id, 1, d)) return refused("import", d);
        g.value_of(id) = {value_kind::tensor, inputs.back().type, n.values[0]};
    }
    if (!infer_printed_types(g, Registry::table, d)) return refused("infer", d);
    if (options != nullptr) {
        heap_storage edited(pass::room_for_passes(Passes{}, g, Registry::table, room_to_functionalise(g, Registry::table)));
        copy_graph(g, edited.edit());
        if (!functionalise(edited.edit(), Registry::table, d)) return refused("functionalise", d);
        if (!pass::run(Passes{}, *options, edited.edit(), Registry::table, d)) return {outcome::failed, "a pass refuses"};
        if (!interpret<Registry>(edited.view(), inputs, outputs, d)) return refused("interpret", d);
        return compared(returned(outputs), given);
    }
    if (!test::interpret_poisoned<Registry>(g, inputs, outputs, d)) return refused("interpret", d);
    return compared(returned(outputs), given);
}

} // namespace cases
