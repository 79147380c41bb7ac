// SPDX-License-Identifier: MIT
// Vocabulary of torch_npu's rewrite rules: calls of its operators and of ATen's, and predicates for conditions.
#pragma once
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/pass/rewrite.hpp>
#include <ahead/torch_npu/registry.hpp>

namespace AHEAD_NAMESPACE::torch_npu::detail {

inline constexpr call_site here = call_site::current();

template <class Op, class... Args> constexpr auto joined(const Args&... args) {
    return frontend::call<Op>(here, args...);
}

// ---- predicates for conditions

constexpr bool is_tensor(const match& m, std::string_view name) { return m.operand(name).kind == argument_kind::node; }
/// Both are tensors of one dtype and of equal sizes.
constexpr bool are_alike(const match& m, std::string_view a, std::string_view b) {
    return is_tensor(m, a) && is_tensor(m, b) && m.type(a).type == m.type(b).type &&
           sizes_of(m.type(a)) == sizes_of(m.type(b));
}
constexpr bool is_integer(const match& m, std::string_view name, std::int64_t value) {
    return m.operand(name).kind == argument_kind::integer && m.operand(name).integer() == value;
}
constexpr bool is_number(const match& m, std::string_view name) {
    const auto kind = m.operand(name).kind;
    return kind == argument_kind::integer || kind == argument_kind::real;
}
/// The dim that the operand gives, wrapped by `rank`; -1 if it is not an integer.
constexpr std::int64_t dim_of(const match& m, std::string_view name, int rank) {
    if (m.operand(name).kind != argument_kind::integer) return -1;
    const auto dim = m.operand(name).integer();
    return dim < 0 ? dim + rank : dim;
}
constexpr bool is_last(const match& m, std::string_view name, int rank) { return dim_of(m, name, rank) == rank - 1; }
/// A tensor of one value, or of one per element of x's last dim; or an absent operand.
constexpr bool is_row(const match& m, std::string_view name, std::string_view x) {
    if (!is_tensor(m, name)) return m.operand(name).kind == argument_kind::none;
    const auto &t = m.type(name), &of = m.type(x);
    return t.rank == 1 && (t.size(0) == 1 || t.size(0) == of.size(of.rank - 1));
}
constexpr const tensor_type& made(const match& m) { return m.graph().value_of(m.root()).type; }
/// The list has two sizes, the last one is x's last size: all other dims are flattened.
constexpr bool makes_rows(const match& m, std::string_view name, std::string_view x) {
    const auto& list = m.operand(name);
    const auto& t = m.type(x);
    if (list.children.count != 2) return false;
    const auto g = m.graph();
    const auto& last = g[list.children[1]];
    return last.kind == argument_kind::integer && (last.integer() == t.size(t.rank - 1) || last.integer() == -1);
}
constexpr bool swaps_batch(const match& m, std::string_view a, std::string_view b) {
    const auto p = dim_of(m, a, 3), q = dim_of(m, b, 3);
    return (p == 0 && q == 1) || (p == 1 && q == 0);
}
constexpr bool are_batches(const match& m) { return m.type("x").rank == 3 && m.type("w").rank == 3; }
constexpr bool is_for_npu(const tensor_type& t) { return is_floating(t.type) && t.type != dtype::f64; }

} // namespace ahead::torch_npu::detail
