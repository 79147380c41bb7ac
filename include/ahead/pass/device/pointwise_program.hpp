// SPDX-License-Identifier: MIT
// A program of pointwise calls under construction: collected by the passes that fuse, and written as npu.fused, as
// npu.fused_rows or as the epilogue of a product.
// Invariant: codes refer only to operands, constants and earlier steps. Called by fuse_pointwise.hpp, fuse_epilogue.hpp
// and fuse_reductions.hpp.
#pragma once
#include <ahead/device/key/fused_steps.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

/// A constant of the program, an integer or a real.
struct pointwise_number {
    argument_kind kind = argument_kind::integer;
    std::int64_t bits = 0;
};

/// A value that a program reads.
struct pointwise_operand {
    std::int32_t node = -1, result = 0;
};

struct pointwise_program {
    using code = device::fused_step_code;
    std::int32_t steps = 0, operands = 0, constants = 0;
    code codes[device::max_fused_steps]{};
    pointwise_operand operand[device::max_fused_operands]{};
    pointwise_number constant_at[code::max_constants]{};

    /// The code by which a step refers to the operand. pre: there is room for one more
    constexpr std::int32_t refer_to_operand(const argument& a) {
        std::int32_t k = 0;
        while (k < operands && (operand[k].node != a.bits || operand[k].result != a.result)) ++k;
        if (k == operands) operand[operands++] = {static_cast<std::int32_t>(a.bits), a.result};
        return code::first_operand + k;
    }
    constexpr std::int32_t refer_to_number(const parameter& p, const argument& a) {
        const bool text = a.kind == argument_kind::string || a.kind == argument_kind::word;
        const pointwise_number value{a.kind == argument_kind::real ? argument_kind::real : argument_kind::integer,
                                     text ? number_of_word(p, a) : a.bits};
        if (value.kind == argument_kind::integer && value.bits == 1) return code::one;
        std::int32_t k = 0;
        while (k < constants && (constant_at[k].kind != value.kind || constant_at[k].bits != value.bits)) ++k;
        if (k == constants) constant_at[constants++] = value;
        return code::first_constant + k;
    }
    /// Adds a call of a pointwise operator; `step_of(node)` is the step that computes an operand; -1: no step.
    constexpr void add(graph_view g, op_table ops, node_id id, auto step_of) {
        const auto& n = g[id];
        const argument* arguments = g.argument_pool() + n.arguments.first;
        auto& made = codes[steps++];
        made.begin(n.op, n.arguments.count);
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = arguments[i];
            if (a.kind == argument_kind::node) {
                const std::int32_t step = step_of(static_cast<std::int32_t>(a.bits));
                made.refer(i, step >= 0 ? code::first_step + step : refer_to_operand(a));
            } else if (a.kind != argument_kind::none) {
                made.refer(i, refer_to_number(ops.data()[n.op.index].schema.data()[i], a));
            }
        }
    }
    /// Reads a written program, without its operands.
    constexpr void read(graph_view g, const argument& list) {
        const argument* entries = g.argument_pool() + list.children.first;
        steps = static_cast<std::int32_t>(entries[0].bits);
        for (std::int32_t s = 0; s < steps; ++s) codes[s].bits = entries[1 + s].bits;
        for (auto k = 1 + steps; k < list.children.count; ++k)
            constant_at[constants++] = {entries[k].kind, entries[k].bits};
    }
    /// Reads the steps of a call, npu.fused or pointwise. pre: the program is empty
    constexpr void read_call(graph_view g, op_table ops, node_id id, op_id fused) {
        const auto& n = g[id];
        if (n.op != fused) return add(g, ops, id, [](std::int32_t) { return -1; });
        const argument* arguments = g.arguments().data() + n.arguments.first;
        for (; operands < n.arguments.count - 1; ++operands)
            operand[operands] = {static_cast<std::int32_t>(arguments[operands].bits), arguments[operands].result};
        read(g, arguments[operands]);
    }
    /// Appends another program's steps. what: by operand of the other program, its code in this one.
    constexpr void append(const pointwise_program& other, const std::int32_t* what) {
        const auto before = steps, numbers = constants;
        for (std::int32_t s = 0; s < other.steps; ++s) {
            const auto& one = other.codes[s];
            auto& made = codes[steps++];
            made.begin(one.op(), one.parameters());
            for (int i = 0; i < one.parameters(); ++i) {
                const auto said = one.what(i);
                made.refer(i, said >= code::first_constant  ? said + numbers
                              : said >= code::first_step    ? said + before
                              : said >= code::first_operand ? what[said - code::first_operand]
                                                            : said);
            }
        }
        for (std::int32_t k = 0; k < other.constants; ++k) constant_at[constants++] = other.constant_at[k];
    }
    /// Writes the program as an argument of n, which has become a call of npu.fused, npu.fused_rows or a product.
    constexpr void write(call_rewriter& g, node_id n, std::int32_t argument_at, std::string_view keyword) const {
        auto entry = g.set_list(n, argument_at, 1 + steps + constants, keyword);
        if (!g.ok()) return;
        g.set(entry++, argument_kind::integer, steps);
        for (std::int32_t s = 0; s < steps; ++s) g.set(entry++, argument_kind::integer, codes[s].bits);
        for (std::int32_t k = 0; k < constants; ++k) g.set(entry++, constant_at[k].kind, constant_at[k].bits);
    }
};

/// Whether a call can be a step that computes in this dtype: pointwise, all operands of that dtype, its result not a
/// view, its arguments complete and positional, as lowering gives them. may_read(a) permits an operand of another
/// dtype.
constexpr bool is_elementwise_device_call_in(dtype type, graph_view g, const op_row* rows, const node& n,
                                             auto may_read) {
    if (n.op.index < 0 || !rows[n.op.index].effect.is_elementwise_device_op || n.values.count != 1 ||
        n.arguments.count > device::max_pointwise_parameters ||
        n.arguments.count != static_cast<std::int32_t>(rows[n.op.index].schema.size()))
        return false;
    const argument* arguments = g.argument_pool();
    if (g[value_id{n.values.first}].storage.index != n.values.first ||
        (type != dtype::f32 && (!is_floating(type) || is_f8(type))))
        return false;
    for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i)
        if (const auto& a = arguments[i];
            a.keyword.size() != 0 || (a.kind == argument_kind::node && g.value_of(a).type.type != type && !may_read(a)))
            return false;
    return true;
}
/// Whether all its operands and its result have one floating dtype.
constexpr bool is_elementwise_device_call(graph_view g, const op_row* rows, const node& n) {
    return n.values.count == 1 && is_elementwise_device_call_in(g[value_id{n.values.first}].type.type, g, rows, n,
                                                                [](const argument&) { return false; });
}
/// An upper bound on the constants that the call adds to a program.
constexpr std::int32_t numbers_of(const argument* arguments, const node& n) {
    std::int32_t count = 0;
    for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i) {
        const auto& a = arguments[i];
        count += a.kind != argument_kind::node && a.kind != argument_kind::none &&
                 !(a.kind == argument_kind::integer && a.bits == 1);
    }
    return count;
}

} // namespace ahead::pass
