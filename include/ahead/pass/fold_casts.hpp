// SPDX-License-Identifier: MIT
// Two conversions, one after the other, become one: bf16 -> f32 -> f64 is bf16 -> f64, and f16 -> f32 -> f16 is
// nothing. Automatic mixed precision and the promotion of halves make such pairs.
// Law: the dtype in the middle has every value of the first one, so that only the last conversion rounds; the
// conversions keep the strides.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// The significant bits of a dtype's numbers, and the bits of their exponents: 0 for integers.
struct number_bits {
    int significant = 0, exponent = 0;
    bool is_signed = true;
};
constexpr number_bits bits_of_numbers(dtype type) {
    switch (type) {
    case dtype::b8: return {1, 0, false};
    case dtype::u8: return {8, 0, false};
    case dtype::u16: return {16, 0, false};
    case dtype::u32: return {32, 0, false};
    case dtype::u64: return {64, 0, false};
    case dtype::i8: return {7};
    case dtype::i16: return {15};
    case dtype::i32: return {31};
    case dtype::i64: return {63};
    case dtype::f8_e4m3: return {4, 4};
    case dtype::f8_e5m2: return {3, 5};
    case dtype::f16: return {11, 5};
    case dtype::bf16: return {8, 8};
    case dtype::f32: return {24, 8};
    case dtype::f64: return {53, 11};
    default: return {};
    }
}
/// Whether `type` has every value of `from`. Complex numbers: no answer but no.
constexpr bool has_values_of(dtype type, dtype from) {
    if (is_complex(type) || is_complex(from) || type == dtype::b8) return type == from;
    const auto to = bits_of_numbers(type), of = bits_of_numbers(from);
    if (to.significant < of.significant) return false;
    return of.exponent > 0 ? to.exponent >= of.exponent : to.exponent > 0 || to.is_signed || !of.is_signed;
}
/// By name: most targets differ in length, so that no table of operators is made for graphs without conversions.
constexpr bool is_conversion(const node& n) {
    return n.kind == node_kind::call && ((n.target.size() == aten::to_copy::name.size() &&
                                          same_name(n.target, aten::to_copy::name)) ||
                                         (n.target.size() == aten::convert_element_type::name.size() &&
                                          same_name(n.target, aten::convert_element_type::name)));
}
/// The conversion that the conversion n reads; none() if n is none, or reads another call.
constexpr node_id converted_before(graph_view g, node_id n) {
    if (!is_conversion(g[n])) return node_id::none();
    const auto& from = g.argument_of(g[n], 0);
    return from.kind == argument_kind::node && is_conversion(g[from.node()]) ? from.node() : node_id::none();
}

} // namespace detail

struct fold_casts_pass {
    static constexpr std::string_view name = "fold_casts";
    static constexpr auto option = &config::remove_noop_ops; // a pair that ends as it began is one

    static constexpr bool applies(graph_view g, op_table) {
        const node* nodes = g.node_pool();
        for (auto n = g.first(); n.index >= 0; n = nodes[n.index].next)
            if (detail::converted_before(g, n).exists()) return true;
        return false;
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g) {
            const auto middle = detail::converted_before(g.view(), n);
            if (!middle.exists()) continue;
            const auto& from = g.argument_of(middle, 0);
            const auto &first = g.view().value_of(from).type, &then = g.type_of(middle), &last = g.type_of(n);
            if (!same_strides(first, then) || !same_strides(then, last) ||
                !detail::has_values_of(then.type, first.type))
                continue;
            if (last.type != first.type) {
                if (from.result == 0) g.replace_operand(n, 0, from.node());
            } else if (g.may_be_returned_for(n, from)) {
                g.replace_all_uses_with(n, from.node(), from.result);
                g.erase_node(n);
            }
        }
    }
};
inline constexpr fold_casts_pass fold_casts;

} // namespace ahead::pass
