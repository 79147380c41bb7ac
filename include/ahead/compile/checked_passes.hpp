// SPDX-License-Identifier: MIT
// config::check_passes: after every pass that changed the graph, including a user's, the reference runs the graph
// before it and the graph after it on the same random inputs, while the program is compiled. Evidence, not proof.
// Called by graph_stages.hpp, inspect.hpp.
// Law: if the option is off, no operator's meaning is compiled; if it is on, only those of the graph's operators.
#pragma once
#include <ahead/pass/pipeline.hpp>
#include <ahead/reference/equivalent.hpp>

namespace AHEAD_NAMESPACE::compile {

/// The most elements that all tensors of a graph, including its inputs and weights, may have if its passes are checked.
inline constexpr std::int64_t most_checked_elements = 16'384;

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::detail {

constexpr std::int64_t count_elements(graph_view g) {
    std::int64_t count = 0;
    for (node_id id : g)
        for (std::int32_t k = 0; k < g[id].values.count; ++k) count += element_count(g.value_of(id, k).type);
    return count;
}

/// Refuses graphs that are too large to be compared (option_is_out_of_range), graphs that differ (outputs_differ), and
/// graphs that the reference refuses to run.
template <class Registry, class Table>
constexpr bool check_pass(graph_view before, graph_view after, std::string_view pass, diagnosis& d) {
    const auto count = count_elements(before) + count_elements(after);
    if (count > 2 * compile::most_checked_elements) {
        d.op = "config";
        d.name = "check_passes";
        return refuse(d, fault::option_is_out_of_range,
                      short_text("graphs of at most ") << compile::most_checked_elements << " elements in all tensors",
                      short_text() << count / 2 << ", around the pass " << pass);
    }
    if (equivalent<Registry, Table>(before, after, 1, d)) return true;
    d.found << ", behind the pass " << pass;
    return false;
}

template <class Before, class After> struct table_of_both {
    static constexpr evaluate_function at(op_id id) {
        const auto found = table_of_graph<After>::at(id);
        return found != nullptr ? found : table_of_graph<Before>::at(id);
    }
};
template <class Passes> constexpr std::string_view name_of_pass(std::int32_t position) {
    std::string_view name;
    Passes::for_each([&](const auto& pass) {
        if (position-- == 0) name = std::remove_cvref_t<decltype(pass)>::name;
    });
    return name;
}
template <class Before, class After, class Passes, std::int32_t Position> constexpr diagnosis check_fronts() {
    auto d = After::error;
    if (d.ok())
        check_pass<typename Before::registry, table_of_both<Before, After>>(
            Before::storage.view(), After::storage.view(), name_of_pass<Passes>(Position), d);
    return d;
}
/// After, compared with Before, from which one pass made it.
template <class Before, class After, class Passes, std::int32_t Position> struct checked_front {
    using registry = typename Before::registry;
    static constexpr const auto& storage = After::storage;
    static constexpr diagnosis error = check_fronts<Before, After, Passes, Position>();
};

} // namespace ahead::detail
