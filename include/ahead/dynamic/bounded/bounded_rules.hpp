// SPDX-License-Identifier: MIT
// Which calls support a bounded dim, and how they are computed for fewer places of it: by the rule of the device
// operator (device/bounded.hpp), which it also says the law of.
// Called by bounded_program.hpp.
#pragma once
#include <ahead/device/device_ops.hpp>
#include <ahead/dynamic/bounded/bounded_calls.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A constant that has the same elements at each size, up to that size: it is prepared for the bound, and read in part.
constexpr bool is_part_of_constant(const call_at_sizes& c, bool is_elementwise) {
    const auto is = [&](std::string_view name) { return c.is(name); };
    if (is("aten.full.default") || is("aten.ones.default") || is("aten.zeros.default") || is("aten.arange.default"))
        return c.has_equal_numbers(0);
    if (is("aten.arange.start") || is("aten.arange.start_step")) return c.has_equal_numbers(1);
    if (is("aten.triu.default") || is("aten.tril.default"))
        return c.has_equal_numbers() && c.given(0).where == c.result().where;
    bool ok = is_elementwise && c.has_equal_numbers();
    for_each_operand(c.of.full, c.own().arguments, [&](const argument& a) {
        const auto own = c.given(a);
        const int shift = c.result_type().rank - c.type_of(a).rank;
        for (int d = 0; d < c.type_of(a).rank; ++d)
            ok = ok && (own.follows_in(d) == c.result().follows_in(d + shift) || c.type_of(a).size(d) == 1);
    });
    return ok;
}

/// The rule of an operator, as data.
struct bounded_rule {
    bounded_call (*call)(const call_at_sizes&) = nullptr; // null: it does not support a bounded dim
    bool is_prepared_for_bound = false, is_elementwise = false;
};
struct bounded_rule_maker {
    template <class Op> static constexpr bounded_rule make() {
        bounded_rule out;
        if constexpr (requires(const call_at_sizes& c) { Op::bounded(c); }) out.call = &Op::bounded;
        if constexpr (requires { Op::is_prepared_for_bound; }) out.is_prepared_for_bound = Op::is_prepared_for_bound;
        if constexpr (requires { Op::is_elementwise; }) out.is_elementwise = Op::is_elementwise;
        return out;
    }
    template <class Op> static constexpr bounded_rule of = make<Op>();
};
/// Ops: the device operators with a key.
template <class Ops> constexpr bounded_rule rule_for(const call_at_sizes& c) {
    if (c.own().kind != node_kind::call) return {};
    if (c.row().effect.is_elementwise_device_op)
        return {.call = [](const call_at_sizes& of) { return device::bounded_loop(of); }, .is_elementwise = true};
    const auto* rule = find_made<Ops, bounded_rule_maker>(c.own().target);
    return rule != nullptr ? *rule : bounded_rule{};
}

/// How the call is computed for fewer places. Refuses a call for which this is not known.
template <class Ops> constexpr bounded_call rule_of_call(const call_at_sizes& c) {
    const auto rule = rule_for<Ops>(c);
    if (c.own().constant && c.reads_moved_views()) // it is computed once, from where the view begins at the bound
        return c.refuse("a constant that reads the same elements at each size", print(c.result_type()));
    if (rule.is_prepared_for_bound || !c.has_sound_views()) return {};
    if (!c.follows()) { // whole, but operands may begin elsewhere
        static_cast<void>(c.has_sound_values() && c.has_equal_numbers());
        return {};
    }
    const auto is_output = c.own().kind == node_kind::output;
    if (is_output || (c.own().constant && c.result().dims > 1)) {
        if (!c.has_sound_values(max_rank) || is_output || is_part_of_constant(c, rule.is_elementwise)) return {};
        return c.refuse("a constant whose elements do not depend on the size", print(c.result_type()));
    }
    if (c.own().constant && is_part_of_constant(c, rule.is_elementwise)) return {};
    if (rule.call != nullptr) return rule.call(c);
    return c.is_sound() ? c.refuse("a call that knows bounded dims, or one that reads none", c.own().target)
                        : bounded_call{};
}

} // namespace ahead::detail
