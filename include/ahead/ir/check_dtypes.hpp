// SPDX-License-Identifier: MIT
// Which dtypes without kernels a call accepts. Any operator may read and write f16, bf16 and small integers, which are
// computed in f32 and i64. u16, u32, u64 and the f8 are only moved and converted, and so are complex numbers, except in
// operators that declare support for them. Called where calls are first computed, by the reference and by lower(), and
// where a call with complex operands is typed.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::ir {

/// Whether a result is a tensor of a dtype without kernels.
constexpr bool makes_rare_dtype(graph_view g, const node& n) {
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        if (const auto& made = g[value_id{v}];
            made.type.type != dtype::f32 && made.kind == value_kind::tensor && !has_kernels(made.type.type))
            return true;
    return false;
}
/// Whether an operand, a result or an argument of the call is complex.
constexpr bool meets_complex(graph_view g, const node& n) {
    const auto is_one = [&](const argument& a) {
        if (a.kind == argument_kind::complex) return true;
        if (a.kind != argument_kind::node) return false;
        const auto& v = g.value_of(a);
        return v.kind == value_kind::tensor && is_complex(v.type.type);
    };
    for (std::int32_t i = 0; i < n.arguments.count; ++i) {
        const auto& a = g[n.arguments[i]];
        if (is_one(a)) return true;
        if (a.kind != argument_kind::list && a.kind != argument_kind::tuple) continue;
        for (std::int32_t k = 0; k < a.children.count; ++k)
            if (is_one(g[a.children[k]])) return true;
    }
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        if (const auto& made = g[value_id{v}]; made.kind == value_kind::tensor && is_complex(made.type.type))
            return true;
    return false;
}
/// Whether an operand or a result has a dtype without kernels.
constexpr bool has_rare_dtype(graph_view g, const node& n) {
    bool found = makes_rare_dtype(g, n);
    if (n.kind == node_kind::call)
        for_each_operand(g, n.arguments, [&](const argument& a) { found = found || makes_rare_dtype(g, g[a.node()]); });
    return found;
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

/// Whether T, which converts or decomposes calls, declares support for such dtypes.
template <class T> inline constexpr bool takes_any_dtype = requires { requires T::takes_any_dtype; };

/// The first operand, or else result, whose dtype may only be moved; null if none.
constexpr const tensor_type* only_moved_tensor(graph_view g, const node& n, bool takes_complex) {
    const tensor_type* found = nullptr;
    const auto look = [&](const value& v) {
        const auto type = v.type.type;
        if (found == nullptr && v.kind == value_kind::tensor &&
            (is_only_moved(type) || (is_complex(type) && !takes_complex)))
            found = &v.type;
    };
    for_each_operand(g, n.arguments, [&](const argument& a) { look(g.value_of(a)); });
    for (std::int32_t k = 0; k < n.values.count; ++k) look(g[n.values[k]]);
    return found;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Refuses (dtype_is_unsupported) u16, u32, u64 and the f8 in operators that do more than move elements, and complex
/// numbers in operators that do not declare support for them. Views move no elements, so they are accepted. pre: n is
/// typed
constexpr bool check_dtypes(graph_view g, const node& n, op_table ops, diagnosis& d) {
    if (n.kind != node_kind::call || !n.op.exists()) return true;
    const auto& row = ops[static_cast<std::size_t>(n.op.index)];
    bool views = n.values.count > 0;
    for (std::int32_t k = 0; k < n.values.count; ++k)
        views = views && g[n.values[k]].storage.index != n.values.first + k;
    if (row.effect.moves_elements || row.effect.has_side_effect || (views && row.effect.mutates < 0)) return true;
    const auto* moved = detail::only_moved_tensor(g, n, row.effect.takes_complex);
    return moved == nullptr || refuse(d, fault::dtype_is_unsupported,
                                      is_complex(moved->type) ? "an operator that takes complex numbers, or only moves"
                                                              : "an operator that only moves",
                                      print(*moved));
}

/// Refuses (dtype_is_unsupported) a complex argument of a call whose result is neither complex nor b8. pre: n is typed
constexpr bool check_complex_numbers(graph_view g, const node& n, diagnosis& d) {
    if (n.values.count != 1 || is_complex(g[n.values[0]].type.type) || g[n.values[0]].type.type == dtype::b8)
        return true;
    for (std::int32_t i = 0; i < n.arguments.count; ++i)
        if (const auto& a = g[n.arguments[i]]; a.kind == argument_kind::complex)
            return refuse(d, fault::dtype_is_unsupported, "a real number, as the result is", a.text);
    return true;
}

} // namespace ahead::ir
