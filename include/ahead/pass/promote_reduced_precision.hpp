// SPDX-License-Identifier: MIT
// f16 and bf16 calls without a kernel become f32 calls between conversions: kernels compute in f32 anyway, and f32
// calls can be decomposed. The conversion of a weight is done once, by prepare.
// Law: each result is rounded once, as the operator itself does; calls that have an implementation for any dtype (among
// them pointwise ones and products), and calls that only move elements, stay as they are. Called by the built-in passes
// (convert/toolchain.hpp).
// Source: PyTorch's CUDA kernels of half, which accumulate in float (aten/src/ATen/AccumulateType.h).
#pragma once
#include <ahead/pass/decompose.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// How an operator is implemented: by a decomposition, for the calls that it takes, or else by a converter.
struct run_by {
    std::string_view op;
    bool takes_any_dtype = false;
    bool (*takes)(const call_view&) = nullptr; // null: all
    bool computes_in_dtype = false;            // rounding of intermediate results decides the result
};
constexpr bool is_widened(graph_view g, const argument& a) {
    return a.kind == argument_kind::node && ahead::detail::is_tensor_argument(g, a) && is_half(g.value_of(a).type.type);
}

/// The calls with readers that are widened. rows: implementations of operators; the first row that takes a call counts.
class widened_calls {
public:
    constexpr widened_calls(array_view<const run_by> rows, graph_view g, op_table ops)
        : rows_(rows), by_(rows, ops), g_(g), ops_(ops), is_any_(false) {
        for (node_id n : g) is_any_ = is_any_ || makes_rare_dtype(g, g[n]);
    }
    constexpr bool has(node_id id) {
        const auto& n = g_[id];
        if (!is_any_ || n.kind != node_kind::call || !n.op.exists() || n.use_count == 0 || !has_rare_dtype(g_, n))
            return false;
        const auto& row = ops_[static_cast<std::size_t>(n.op.index)];
        const auto& effect = row.effect;
        if (effect.view_of >= 0 || effect.mutates >= 0 || effect.has_side_effect || effect.is_random ||
            effect.moves_elements || effect.picks_results || effect.blocks_take >= 0)
            return false;
        const auto place = by_.of(n);
        return place >= 0 && !is_run_as_it_is(id, static_cast<std::size_t>(place)) && may_be_wide(n, row.schema);
    }

private:
    array_view<const run_by> rows_;
    operator_map<run_by> by_;
    graph_view g_;
    op_table ops_;
    bool is_any_;

    /// Whether the implementation of the call takes any dtype. first: the first row of its operator.
    constexpr bool is_run_as_it_is(node_id id, std::size_t first) const {
        const auto& n = g_[id];
        for (auto i = first; i < rows_.size(); ++i) {
            const auto& row = rows_[i];
            if (!same_name(row.op, n.target)) continue;
            if (row.computes_in_dtype) return true;
            if (row.takes == nullptr) return row.takes_any_dtype;
            bound_arguments bound;
            diagnosis d;
            if (!bind_arguments(g_, id, ops_[static_cast<std::size_t>(n.op.index)], bound, d)) return false;
            if (row.takes(call_view(g_, id, bound, d))) return row.takes_any_dtype;
        }
        return false;
    }
    /// Whether an operand is f16 or bf16, no operand or result has another rare dtype, and no argument requests a half
    /// dtype or half_to_float.
    constexpr bool may_be_wide(const node& n, array_view<const parameter> schema) const {
        bool reads = false, others = false;
        const auto look = [&](dtype type) { others = others || (!has_kernels(type) && !is_half(type)); };
        for_each_operand(g_, n.arguments, [&](const argument& a) {
            if (!ahead::detail::is_tensor_argument(g_, a)) return;
            look(g_.value_of(a).type.type);
            reads = reads || is_widened(g_, a);
        });
        for (std::int32_t k = 0; k < n.values.count; ++k) look(g_[n.values[k]].type.type);
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            const auto name = !a.keyword.empty()                            ? a.keyword
                              : static_cast<std::size_t>(i) < schema.size() ? schema[static_cast<std::size_t>(i)].name
                                                                            : std::string_view();
            others = others || (a.kind == argument_kind::dtype && is_half(a.type())) ||
                     (name == "half_to_float" && a.kind == argument_kind::boolean && a.bits != 0);
        }
        return reads && !others;
    }
};

} // namespace detail

/// Decompose: the pass whose `table` lists decompositions. Converters: a list with a `table` of rows.
template <class Converters, class Decompose> struct promote_reduced_precision_pass {
    static constexpr std::string_view name = "promote_reduced_precision";
    static constexpr toggle config::* option = &config::decompose;

    static constexpr bool applies(graph_view g, op_table ops) {
        detail::widened_calls calls(rows, g, ops);
        for (node_id n : g)
            if (calls.has(n)) return true;
        return false;
    }
    /// The capacity for a conversion of each operand and result, and for the call.
    static constexpr capacity growth(graph_view g, op_table ops) {
        detail::widened_calls calls(rows, g, ops);
        capacity out{0, 0, 0};
        for (node_id n : g) {
            if (!calls.has(n)) continue;
            auto all = g[n].arguments.count + 1;
            for (std::int32_t i = 0; i < g[n].arguments.count; ++i) all += g.argument_of(g[n], i).children.count;
            const auto results = g[n].values.count;
            out.nodes += all + 2 * results;
            out.arguments += 3 * all + 4 * results;
            out.values += all + 3 * results;
        }
        return out;
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        detail::widened_calls calls(rows, g.view(), g.operators());
        for (node_id n : g)
            if (g.ok() && calls.has(n)) widen(g, n);
    }

private:
    static constexpr auto rows = [] {
        std::array<detail::run_by, Decompose::table.size() + Converters::table.size()> out{};
        std::size_t count = 0;
        for (const auto& row : Decompose::table)
            out[count++] = {row.op, row.takes_any_dtype, row.takes, row.computes_in_dtype};
        for (const auto& row : Converters::table) out[count++] = {row.op, row.takes_any_dtype};
        return out;
    }();

    static constexpr argument converted(graph_editor& g, argument a, dtype to) {
        auto made = argument::of(g.call("prims.convert_element_type.default", {argument::of(a.node(), a.result), to}));
        made.keyword = a.keyword;
        return made;
    }
    static constexpr void widen(graph_editor& g, node_id n) {
        bound_arguments bound;
        if (!bind_arguments(g.view(), n, g.operators()[static_cast<std::size_t>(g[n].op.index)], bound, g.faults()))
            return;
        decompose_context c(call_view(g.view(), n, bound, g.faults()), g);
        const auto given = g[n].arguments;
        std::int32_t in_lists = 0;
        for (std::int32_t i = 0; i < given.count; ++i) in_lists += g.argument_of(n, i).children.count;
        fixed_buffer<argument> arguments(given.count), elements(in_lists);
        std::int32_t used = 0;
        for (std::int32_t i = 0; i < given.count; ++i) {
            auto& a = arguments[i] = g.argument_of(n, i);
            if (detail::is_widened(g.view(), a)) a = converted(g, a, dtype::f32);
            const auto list = a.children;
            if (list.count > 0) a.children.first = used;
            for (std::int32_t k = 0; k < list.count; ++k, ++used) {
                elements[used] = g.view()[list[k]];
                if (detail::is_widened(g.view(), elements[used]))
                    elements[used] = converted(g, elements[used], dtype::f32);
            }
        }
        const auto made = g.call(g[n].target, arguments.all(), elements.all());
        const auto results = g[n].values.count;
        for (std::int32_t k = 0; k < results && g.ok(); ++k) {
            if (!c.is_result_used(k)) continue;
            auto result = results == 1 ? argument::of(made) : c.pick(argument::of(made), k);
            const auto type = c.aten.result_type(k).type;
            if (g.ok() && c.type_of(result).type != type) result = converted(g, result, type);
            c.bind_result(result, k);
        }
        if (g.ok()) c.replace();
    }
};

} // namespace ahead::pass
