// SPDX-License-Identifier: MIT
// Rewrites a call that reads a host number as a tensor of rank 0, so that it computes the same result as with a number.
// Invariant: a tensor of rank 0 promotes as a number does, with two exceptions: with integers of rank 0 the number is
// cast to their dtype, and with f16 and bf16 it is rounded by the law of aten/pointwise/pointwise.hpp. Called by
// host_numbers.hpp.
// Source: c10/core/ScalarType.h, TensorIterator's wrapped numbers.
#pragma once
#include <ahead/ir/functional_form.hpp>
#include <ahead/legalize/host/call_editor.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether the call uses the host number in the dtype of its other operands.
constexpr bool is_arithmetic(const call_editor& e, node_id id) {
    const auto& n = e.g[id];
    if (!n.op.exists()) return false;
    const auto schema = e.ops[static_cast<std::size_t>(n.op.index)].schema;
    return schema.size() > 1 && schema[1].kind == parameter_kind::tensor_or_scalar;
}
/// With integers of rank 0 a number takes their dtype, and a tensor does not; a number with a fraction promotes
/// integers to f32, and a tensor of f64 does not.
constexpr bool cast_beside_integers(call_editor& e, node_id id, const auto& is_host) {
    std::optional<dtype> common;
    bool has_dims = false, has_fraction = false;
    for (std::int32_t i = 0; i < e.g[id].arguments.count; ++i) {
        const auto& a = e.g.argument_of(e.g[id], i);
        if (!is_tensor_argument(e.g, a)) continue;
        const auto& t = e.g.value_of(a).type;
        if (is_host(a)) {
            has_fraction = has_fraction || has_fractions(t.type);
            continue;
        }
        if (t.type == dtype::b8) continue;
        has_dims = has_dims || t.rank > 0 || has_fractions(t.type) || is_complex(t.type);
        common = common ? promote(*common, t.type) : t.type;
    }
    if (has_fraction && common && !has_fractions(*common) && !is_complex(*common)) common = dtype::f32;
    else if (has_fraction || has_dims || !common || *common == dtype::i64) return true;
    for (std::int32_t i = 0; i < e.g[id].arguments.count; ++i) {
        const auto a = e.g.argument_of(e.g[id], i);
        if (!is_host(a)) continue;
        const auto narrow = e.cast(id, a, *common);
        if (!narrow.exists()) return false;
        e.replace(id, i, narrow);
    }
    return true;
}
/// Whether the operator rounds numbers to f16 or bf16 first (rounded_numbers): all operators except products and
/// quotients.
constexpr bool rounds_numbers(std::string_view name) {
    for (std::string_view op : {"aten.mul.", "aten.div.", "aten.floor_divide."})
        if (name.starts_with(op)) return false;
    return true;
}
/// With f16 and bf16 operands a number is used in f32, rounded first where PyTorch rounds it, and the result is
/// rounded; an in-place call computes its functional form and copies the result.
constexpr bool compute_beside_small_floats(call_editor& e, node_id id, const auto& is_host) {
    dtype little = dtype::b8;
    for (std::int32_t i = 0; i < e.g[id].arguments.count; ++i) {
        const auto& a = e.g.argument_of(e.g[id], i);
        if (!is_tensor_argument(e.g, a) || is_host(a) || !has_fractions(e.g.value_of(a).type.type)) continue;
        const auto type = e.g.value_of(a).type.type;
        if (!is_half(type) || (little != dtype::b8 && little != type)) return true;
        little = type;
    }
    if (little == dtype::b8 || !is_arithmetic(e, id)) return true;
    const auto& row = e.ops[static_cast<std::size_t>(e.g[id].op.index)];
    const bool writes = row.effect.mutates >= 0;
    const auto computed = writes ? functional_form(e.ops, row.name) : e.g[id].op;
    if (!computed.exists()) return false;
    const auto name = e.ops[static_cast<std::size_t>(computed.index)].name;
    const auto written = e.g.argument_of(e.g[id], 0);
    for (std::int32_t i = 0; i < e.g[id].arguments.count; ++i) {
        const auto a = e.g.argument_of(e.g[id], i);
        if (!is_tensor_argument(e.g, a) || (is_host(a) ? !rounds_numbers(name) : e.g.value_of(a).type.type != little))
            continue;
        const auto made = e.cast(id, a, is_host(a) ? little : dtype::f32);
        if (!made.exists()) return false;
        e.replace(id, i, made);
    }
    for (std::string_view compared : {"aten.eq.", "aten.ne.", "aten.lt.", "aten.le.", "aten.gt.", "aten.ge."})
        if (!writes && name.starts_with(compared)) return true;
    const auto result = e.move_in_front(id);
    if (!result.exists() || !e.become(result, name)) return false;
    if (writes) {
        const argument copied[] = {argument::of(written.node(), written.result), argument::of(result)};
        return e.give(id, copied) && e.become(id, "aten.copy_.default");
    }
    auto type = argument::of(little);
    type.keyword = "dtype";
    const argument all[] = {argument::of(result), type};
    return e.give(id, all) && e.become(id, "aten._to_copy.default");
}
/// is_host: whether an argument is such a number.
constexpr bool promote_as_number(call_editor& e, node_id id, const auto& is_host) {
    return cast_beside_integers(e, id, is_host) && compute_beside_small_floats(e, id, is_host);
}

} // namespace ahead::detail
