// SPDX-License-Identifier: MIT
// The outcome of lowering one call of a graph: the call is extracted with its operands as inputs, decomposed and
// lowered alone. Thus a graph that does not compile can be examined call by call. Called by print/print_coverage.hpp,
// at run time.
// Invariant: the graph is only read.
#pragma once
#include <ahead/compile/pipeline.hpp>
#include <ahead/convert/lower/lower_graph.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::compile {

struct lowering_outcome {
    bool has_kernels = false;   // device operators run it, or part of it; or it is a view, which needs none
    bool uses_ai_cpu = false;   // the AI CPU runs its meaning, or that of a part of it
    bool is_decomposed = false; // it is decomposed into other operators first
    diagnosis error;            // why it cannot be run
};

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::detail {

/// A graph of one call.
class isolated_call {
public:
    /// `constant`: by value of `from`, whether it is known at load.
    isolated_call(graph_view from, node_id call, op_table ops, array_view<const bool> constant, diagnosis& d)
        : from_(from), constant_(constant), d_(d), copy_of_(static_cast<std::size_t>(from.header().used.values)),
          storage_({2 * count_arguments(from[call].arguments) + 2 * from[call].values.count + 64,
                    4 * count_arguments(from[call].arguments) + 512,
                    2 * count_arguments(from[call].arguments) + 4 * from[call].values.count + 96}) {
        const auto g = storage_.edit();
        take_inputs(from[call].arguments);
        node copy = unlinked(from[call]);
        node_id id;
        if (!reserve_arguments(g, from[call].arguments.count, copy.arguments, d) || !append_node(g, copy, id, d))
            return;
        if (!copy_arguments(from[call].arguments, copy.arguments, id)) return;
        if (const auto written = written_operand(from, from[call], ops);
            written >= 0 && written < copy.arguments.count) {
            auto a = g.argument_of(copy, written); // inputs are not written: the target is a copy
            node clone;
            clone.op = find_op(ops, "aten.clone.default");
            clone.target = "aten.clone.default";
            node_id cloned;
            if (!insert_call(g, clone, array_view<const argument>(&a, 1), id, cloned, d) ||
                !infer_node(g, ops, cloned, d))
                return;
            a = argument::of(cloned);
            set_argument(g, copy.arguments[written], a, id);
        }
        if (!infer_node(g, ops, id, d)) return;
        const bool several = g[id].values.count > 1;
        std::vector<argument> results;
        for (std::int32_t k = 0; k < g[id].values.count; ++k) {
            if (g.value_of(id, k).kind != value_kind::tensor || (several && !is_result_used(from, call, k))) continue;
            if (!several) {
                results.push_back(argument::of(id));
                continue;
            }
            node pick;
            pick.op = find_op(ops, "operator.getitem");
            pick.target = "operator.getitem";
            const argument which[] = {argument::of(id), argument::of(k)};
            node_id picked;
            if (!insert_call(g, pick, which, {}, picked, d) || !infer_node(g, ops, picked, d)) return;
            results.push_back(argument::of(picked));
        }
        node output;
        output.kind = node_kind::output;
        if (!reserve_arguments(g, static_cast<std::int32_t>(results.size()), output.arguments, d) ||
            !append_node(g, output, id, d))
            return;
        for (std::int32_t k = 0; k < output.arguments.count; ++k)
            set_argument(g, output.arguments[k], results[static_cast<std::size_t>(k)], id);
    }
    graph edit() { return storage_.edit(); }

private:
    graph_view from_;
    array_view<const bool> constant_;
    diagnosis& d_;
    std::vector<node_id> copy_of_; // by value of `from`
    heap_storage storage_;

    std::int32_t count_arguments(id_range<argument_id> range) const {
        auto count = range.count;
        for (std::int32_t i = 0; i < range.count; ++i) count += count_arguments(from_[range[i]].children);
        return count;
    }
    void take_inputs(id_range<argument_id> range) {
        const auto g = storage_.edit();
        for (std::int32_t i = 0; i < range.count; ++i) {
            const auto& a = from_[range[i]];
            take_inputs(a.children);
            if (a.kind != argument_kind::node || a.result >= from_[a.node()].values.count) continue;
            const auto value = static_cast<std::size_t>(from_[a.node()].values.first + a.result);
            if (copy_of_[value].exists()) continue;
            node input;
            input.kind = node_kind::placeholder;
            input.role = constant_[value] ? input_role::parameter : input_role::user;
            input.name = from_[a.node()].name;
            node_id id;
            if (!append_node(g, input, id, d_) || !reserve_values(g, id, 1, d_)) return;
            g.value_of(id) = {from_.value_of(a).kind, from_.value_of(a).type, g[id].values[0]};
            copy_of_[value] = id;
        }
    }
    bool copy_arguments(id_range<argument_id> given, id_range<argument_id> to, node_id owner) {
        const auto g = storage_.edit();
        for (std::int32_t i = 0; i < given.count; ++i) {
            auto a = from_[given[i]];
            const auto children = a.children;
            if (a.kind == argument_kind::node) {
                if (a.result >= from_[a.node()].values.count)
                    return refuse(d_, fault::result_is_not_a_tensor, "operands of known types",
                                  print(from_[a.node()].name));
                a.bits = copy_of_[static_cast<std::size_t>(from_[a.node()].values.first + a.result)].index;
                a.result = 0;
            }
            a.next_use = a.previous_use = {};
            if (children.count > 0 &&
                (!reserve_arguments(g, children.count, a.children, d_) || !copy_arguments(children, a.children, owner)))
                return false;
            set_argument(g, to[i], a, owner);
        }
        return true;
    }
};

/// Passes that match patterns of several calls, or rewrite the user's graph, do not apply to a single call.
template <class Tools> struct without_graph_passes : Tools {
    static constexpr pass::pipeline<> pattern_pass{}, pre_pass{}, post_pass{};
};
template <class Tools> constexpr bool has_converter(std::string_view op) {
    for (const auto& row : Tools::converters::table)
        if (same_name(row.op, op)) return true;
    return false;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// The outcome of a call with the decompositions, converters and device operators of Tools. `constant`: by value,
/// whether it is known at load.
/// pre: the call's operator is a row of `ops`
template <class Tools>
lowering_outcome find_lowering_outcome(graph_view g, node_id call, op_table ops, array_view<const bool> constant) {
    lowering_outcome out;
    auto& d = out.error;
    if (holds_blocks(g, g[call])) { // their contents are separate calls
        out.has_kernels = ahead::detail::has_converter<Tools>(g[call].target);
        if (!out.has_kernels) check_holds_none(g, call, d);
        return out;
    }
    ahead::detail::isolated_call alone(g, call, ops, constant, d);
    using pass_stage = compile::pass_stage<ahead::detail::without_graph_passes<Tools>>;
    const auto run = [&]<class Stage>() {
        if constexpr (std::same_as<Stage, pass_stage>)
            return Stage::run(
                alone.edit(), ops, Tools::options, d, {}, [&](std::string_view name, graph_view, std::int32_t changes) {
                    out.is_decomposed =
                        out.is_decomposed || (changes > 0 && (name == pass::builtin_decompositions_pass<>::name ||
                                                              name == pass::custom_decompositions_pass<>::name));
                });
        else return !Stage::applies(alone.edit(), ops) || Stage::run(alone.edit(), ops, Tools::options, d);
    };
    if (!d.ok() || !compile::functional_stages::for_each(run) ||
        !compile::optimization_stages<ahead::detail::without_graph_passes<Tools>>::for_each(run))
        return out;
    const graph_view from = alone.edit();
    heap_storage device(
        convert::lowered_capacity(from, ops, Tools::converters::table, Tools::device_registry::table, Tools::options));
    std::vector<convert::device_value> made(static_cast<std::size_t>(from.header().used.values) + 1);
    if (!lower(from, ops, Tools::converters::table, device.edit(), Tools::device_registry::table, made, Tools::options,
               {}, d))
        return out;
    const graph_view lowered = device.view();
    for (node_id id : lowered) {
        const auto& n = lowered[id];
        if (n.kind != node_kind::call || device::is_view(n) || air::stream_word_of(n) != air::stream_word::none)
            continue;
        if (is_of_device(n.target)) out.has_kernels = true;
        else out.uses_ai_cpu = true;
    }
    if (!out.uses_ai_cpu) out.has_kernels = true; // a view
    return out;
}

} // namespace ahead::compile
