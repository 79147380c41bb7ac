// SPDX-License-Identifier: MIT
// Appends results to a graph's output. Called by functionaliser.hpp.
// Invariant: the earlier results keep their positions, and the tuple or list that they were in.
#pragma once
#include <ahead/ir/edit.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Makes the graph also return `more`, after its earlier results.
constexpr bool append_returned(graph g, array_view<const argument> more, diagnosis& d) {
    const auto output = g.last();
    const auto given = g[output].arguments;
    const bool in_tuple =
        given.count == 1 && (g[given[0]].kind == argument_kind::tuple || g[given[0]].kind == argument_kind::list);
    const auto old = in_tuple ? g[given[0]].children : given;
    argument all{.kind = argument_kind::tuple, .owner = output};
    id_range<argument_id> one;
    if (!reserve_arguments(g, old.count + static_cast<std::int32_t>(more.size()), all.children, d) ||
        !reserve_arguments(g, 1, one, d))
        return false;
    for (std::int32_t i = 0; i < old.count; ++i) {
        const auto a = g[old[i]];
        set_argument(g, old[i], {}, output);
        set_argument(g, all.children[i], a, output);
    }
    auto next = all.children.first + old.count;
    for (const auto& a : more) set_argument(g, {next++}, a, output);
    if (in_tuple) all.kind = g[given[0]].kind;
    g[one[0]] = all;
    g[output].arguments = one;
    return true;
}

} // namespace ahead::detail
