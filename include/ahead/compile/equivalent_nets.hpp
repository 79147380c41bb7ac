// SPDX-License-Identifier: MIT
// Whether two nets have the same meaning, checked in the compiler: for asserting that a faster graph equals the
// original.
//     static_assert(ahead::equivalent<written, quicker>(1));
// Evidence, not proof. For small graphs: the compiler evaluates them as constant expressions. Called by users.
// Invariant: only the meanings of the two graphs' operators are compiled.
#pragma once
#include <ahead/compile/graph_stages.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether both graphs take the same tensors: equal number, dtypes and sizes, in the same order.
constexpr bool take_the_same(graph_view a, graph_view b) {
    const auto is_given = [](graph_view g, node_id n) {
        return g[n].kind != node_kind::call && g[n].kind != node_kind::output && !is_literal(g[n]);
    };
    const auto next = [&](graph_view g, node_id n) {
        while (n.exists() && !is_given(g, n)) n = g[n].next;
        return n;
    };
    auto x = next(a, a.first()), y = next(b, b.first());
    while (x.exists() && y.exists()) {
        const auto &s = a.value_of(x).type, &t = b.value_of(y).type;
        if (s.type != t.type || sizes_of(s) != sizes_of(t)) return false;
        x = next(a, a[x].next);
        y = next(b, b[y].next);
    }
    return !x.exists() && !y.exists();
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// Whether the outputs of two nets, each the result of trace(...) or fx<...>, agree in number, dtype, sizes and
/// elements (is_close) on inputs made from `seed`, and so do the new values of inputs that both write. In a constant
/// expression or at run time. Errors, as static_assert: they take different inputs, or have different registries.
template <const auto& Before, const auto& After>
    requires compilable<std::remove_cvref_t<decltype(Before)>> && compilable<std::remove_cvref_t<decltype(After)>>
constexpr bool equivalent(std::uint64_t seed) {
    using before = ahead::detail::functional<std::remove_cvref_t<decltype(Before)>>;
    using after = ahead::detail::functional<std::remove_cvref_t<decltype(After)>>;
    using registry = typename before::registry;
    constexpr bool same_registry = std::same_as<registry, typename after::registry>;
    static_assert(same_registry, "equivalent: both nets are of one registry");
    if constexpr (same_registry && before::error.ok() && after::error.ok()) {
        constexpr bool comparable = ahead::detail::take_the_same(before::storage.view(), after::storage.view());
        static_assert(comparable, "equivalent: both nets take the same inputs, of the same types in the same order");
        if constexpr (comparable) {
            diagnosis d;
            return interpreter::equivalent<registry, ahead::detail::table_of_both<before, after>>(
                before::storage.view(), after::storage.view(), seed, d);
        }
    }
    return false;
}

} // namespace ahead::compile

namespace AHEAD_NAMESPACE {
using compile::equivalent;
} // namespace ahead
