// A text as run_decompositions() writes it, and whether it becomes the calls that it was: shared by the tests of
// recompose.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "rendered.hpp"
#include "splitmix64.hpp"

#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>
#include <ahead/reference/interpreter.hpp>

#include <cmath>

namespace test::recomposed {

using namespace ahead;
using namespace ahead::rooms;

// Inputs from a seed, those of a text in their order; what `set` does to one stands.
using fill = void (*)(std::size_t which, host_tensor& t);
inline std::vector<host_tensor> inputs_of(graph_view g, fill set) {
    std::vector<host_tensor> out;
    std::uint64_t drawn = 0;
    for (node_id id : g) {
        if (g[id].kind == node_kind::call || g[id].kind == node_kind::output || is_literal(g[id])) continue;
        auto& t = out.emplace_back(g.value_of(id).type);
        for (std::int64_t i = 0; i < element_count(t.type); ++i)
            if (t.type.type == dtype::b8) t.data.put(i, splitmix64(++drawn) % 3 != 0);
            else t.data.put(i, static_cast<double>(splitmix64(++drawn) % 2001) / 1000 - 1);
        set(out.size() - 1, t);
    }
    return out;
}
inline std::vector<host_tensor> values_of(graph_view g, const std::vector<host_tensor>& inputs) {
    std::vector<host_tensor> out;
    diagnosis d;
    check(interpret<aten::registry>(g, inputs, out, d), render(d));
    return out;
}
/// How many calls of an operator there are.
inline int count_calls(graph_view g, std::string_view op) {
    int count = 0;
    for (node_id id : g) count += g[id].kind == node_kind::call && g[id].target == op;
    return count;
}

struct expected_calls {
    std::string_view op;
    int calls;
};
/// The text is accepted, its device graph has these calls, its optimised graph those of ATen, and means what was written; returns what it gives.
inline std::vector<host_tensor> agrees(const std::string& text, std::initializer_list<expected_calls> on_device, fill set = [](std::size_t, host_tensor&) {}) {
    const auto made = inspect_fx(text);
    if (!check(made.error.ok(), render(made.error) + "\n" + text)) return {};
    for (const auto& one : on_device) {
        const auto count = count_calls(one.op.starts_with("aten.") ? made.optimized_graph() : made.lowered_graph(), one.op);
        check(count == one.calls, std::to_string(count) + " of " + std::string(one.op) + "\n" + text);
    }
    const auto inputs = inputs_of(made.captured(), set);
    const auto written = values_of(made.captured(), inputs), now = values_of(made.optimized_graph(), inputs);
    if (!check(written.size() == now.size())) return {};
    double worst = 0, scale = 1;
    for (std::size_t k = 0; k < now.size(); ++k) {
        const double step = written[k].type.type == dtype::bf16 ? 1e-2 : written[k].type.type == dtype::f16 ? 2e-3 : 2e-6;
        for (std::int64_t i = 0; i < element_count(now[k].type); ++i) {
            const auto a = written[k].data.get<double>(i), b = now[k].data.get<double>(i);
            scale = std::max(scale, std::abs(a));
            if (!(std::isnan(a) && std::isnan(b)) && a != b) worst = std::max(worst, std::isnan(a - b) ? 1e30 : std::abs(a - b) / step);
        }
    }
    check(worst <= scale, "off by " + std::to_string(worst) + "\n" + text);
    return now;
}

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) text.replace(at, what.size(), with);
    return text;
}

} // namespace test::recomposed
