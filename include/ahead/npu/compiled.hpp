// SPDX-License-Identifier: MIT
// compiled<net>: the whole way from a graph to a program, one named constant per stage:
//     captured (ATen, typed) -> optimized (after passes) -> lowered (device) -> plan -> prepare() and session.
// A fault anywhere is one compile error; what follows it is an empty program. `net` is what trace() or fx<> gives.
#pragma once
#include <ahead/convert/outputs.hpp>
#include <ahead/convert/toolchain.hpp>
#include <ahead/core/require.hpp>
#include <ahead/npu/call_classes.hpp>
#include <ahead/npu/kernels.hpp>
#include <ahead/npu/lift.hpp>
#include <ahead/npu/session.hpp>
#include <ahead/pass/functionalise.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/plan/make_plan.hpp>

namespace ahead {

namespace detail {

template <capacity Capacity> struct lowered_stage {
    graph_storage<Capacity> graph;
    std::array<bool, static_cast<std::size_t>(Capacity.nodes)> constant{};
    diagnosis error;
};

using needs_function = kernel_needs (*)(const call_view&);

/// What Op's kernel asks of the planner for one call.
template <class Op> constexpr kernel_needs needs_of(const call_view& call) {
    kernel_needs out;
    if constexpr (requires { Op::key(call); }) {
        out.is_task = out.has_key = true;
        if constexpr (requires { Op::workspace(Op::key(call)); }) out.workspace = Op::workspace(Op::key(call));
        if constexpr (requires { Op::may_overwrite(call, 0); }) {
            constexpr int count = std::size(Op::schema) < 8 ? static_cast<int>(std::size(Op::schema)) : 8;
            for (int i = 0; i < count; ++i)
                if (Op::may_overwrite(call, i)) out.may_overwrite = static_cast<std::uint8_t>(out.may_overwrite | (1u << i));
        }
    } else if constexpr (requires { Op::scratch_bytes(call); }) {
        out.is_task = true;
        out.workspace = Op::scratch_bytes(call);
    }
    return out;
}

/// Front's graph after an edit: a struct with `room(used)`, the capacity it needs, and `run(graph, ops, diagnosis)`.
template <class Front, class Edit> struct edited_front {
    using registry = typename Front::registry;

private:
    struct stage {
        graph_storage<Edit::room(Front::storage.header.used)> storage;
        diagnosis error;
    };
    static constexpr stage made = [] {
        stage out;
        copy_graph(Front::storage.view(), out.storage.edit());
        Edit::run(out.storage.edit(), registry::table, out.error);
        return out;
    }();

public:
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};

struct functionalising {
    static constexpr capacity room(const capacity& used) { return used; }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { functionalise(g, ops, d); }
};
/// Front itself where nothing is mutated; else its functional form.
template <class Front>
using functional = std::conditional_t<Front::error.ok() && has_in_place(Front::storage.view(), Front::registry::table),
                                      edited_front<Front, functionalising>, Front>;

/// All passes of a toolchain, in the order they run in.
template <class Tools> using passes_of = decltype(Tools::pre_pass | pass::builtin | Tools::post_pass);

template <class Tools> struct passing {
    static constexpr capacity room(const capacity& used) {
        if (std::is_same_v<passes_of<Tools>, std::remove_cv_t<decltype(pass::builtin)>>) return used;
        return {2 * used.nodes + 64, 2 * used.arguments + 512, 2 * used.values + 64}; // those of users may add
    }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { pass::run(passes_of<Tools>{}, Tools::options, g, ops, d); }
};
/// Front itself where no pass would run; else its graph after the passes of Tools.
template <class Front, class Tools>
using passed = std::conditional_t<Front::error.ok() && pass::any_applies(passes_of<Tools>{}, Tools::options, Front::storage.view(), Front::registry::table),
                                  edited_front<Front, passing<Tools>>, Front>;

/// Front's graph on the device. post: error.ok(), or the graph is what was made before the fault.
template <class Front, class Tools> constexpr auto lower_stage() {
    using device_registry = typename Tools::device_registry;
    constexpr capacity size = lowered_capacity(Front::storage.view(), Front::registry::table);
    lowered_stage<size> out;
    if (!Front::error.ok()) return out;
    const graph_view from = Front::storage.view();
    std::array<device_value, static_cast<std::size_t>(Front::storage.header.used.values) + 1> made{};
    const auto g = out.graph.edit();
    if (lower(from, Front::registry::table, Tools::converters::table, g, device_registry::table, made, out.constant, Tools::options, out.error))
        lower_outputs(from, g, device_registry::table, made, out.constant, out.error);
    return out;
}
template <class Front, class Tools> inline constexpr auto lowered_of = lower_stage<Front, Tools>();

/// The device operators that a graph calls, each once; Graph::storage is the graph. Only for these are their structs looked at.
template <class Graph> struct used_operators {
    using registry = typename Graph::registry;
    struct numbering {
        std::int16_t number[registry::size]{}; // + 1; 0: not used
        std::int16_t count = 0;
    };
    static constexpr numbering numbered = [] {
        numbering out;
        const graph_view g = Graph::storage.view();
        for (node_id id : g)
            if (const auto op = g[id].op; op.exists() && out.number[op.index] == 0) out.number[op.index] = ++out.count;
        return out;
    }();
    static constexpr auto ids = [] {
        std::array<op_id, static_cast<std::size_t>(numbered.count)> out{};
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(registry::size); ++i)
            if (numbered.number[i] != 0) out[static_cast<std::size_t>(numbered.number[i] - 1)] = {i};
        return out;
    }();
    template <std::size_t I> using op = typename registry::template at<registry::position_of(ids[I])>;
};

/// What the planner must know of each node, and of each whether there is a kernel.
template <class Graph> struct needs_stage {
    using registry = typename Graph::registry;
    using used = used_operators<Graph>;
    std::array<kernel_needs, static_cast<std::size_t>(Graph::storage.header.used.nodes)> needs{};
    std::array<std::int32_t, static_cast<std::size_t>(Graph::storage.header.used.nodes)> alike{}; // the first node that is the same call, or itself
    diagnosis error;

    template <std::size_t... I> constexpr explicit needs_stage(std::index_sequence<I...>) {
        constexpr needs_function of_op[] = {&needs_of<typename used::template op<I>>..., nullptr};
        constexpr bool has_kernel[] = {requires { sizeof(npu::kernel_for<typename used::template op<I>>); }..., false};
        if (!Graph::is_complete) return;
        const graph_view g = Graph::storage.view();
        npu::call_classes classes(g, registry::size);
        kernel_needs* all = needs.data();
        for (node_id id : g) {
            const auto& n = g[id];
            const auto first = classes.add(id);
            alike[static_cast<std::size_t>(id.index)] = first.index;
            if (n.kind != node_kind::call) continue;
            if (first != id) {
                all[id.index] = all[first.index];
                continue;
            }
            const auto number = used::numbered.number[n.op.index] - 1;
            bound_arguments bound;
            bind_arguments(g, id, registry::table[static_cast<std::size_t>(n.op.index)], bound, error);
            auto& mine = all[id.index];
            mine = of_op[number](call_view(g, id, bound, error));
            if (!mine.is_task || has_kernel[number]) continue;
            error.line = n.from.line;
            error.op = n.target;
            error.name = print(n.name);
            refuse(error, fault::operator_has_no_kernel, "a kernel: npu::kernel_for of it", n.target);
            break;
        }
    }
};
template <class Graph> inline constexpr needs_stage<Graph> needs_in{std::make_index_sequence<used_operators<Graph>::ids.size()>{}};

/// Front's device graph, as a holder of its storage.
template <class Front, class Tools> struct lowered_graph_of {
    using registry = typename Tools::device_registry;
    static constexpr const auto& storage = lowered_of<Front, Tools>.graph;
    static constexpr bool is_complete = lowered_of<Front, Tools>.error.ok();
};

} // namespace detail

/// What a graph comes as: a type with static constants `error` and `storage`, a typed ATen graph, and a `registry`. trace() and fx<> give
/// objects of such types.
template <class Front>
concept compilable = requires {
    Front::error;
    Front::storage;
    typename Front::registry;
};

/// The program of Front.
template <compilable Front, class Tools = toolchain<>> struct compiled_graph : require<Front> {
    using imported = detail::functional<Front>;
    using optimized = detail::passed<imported, Tools>;
    using device_registry = typename Tools::device_registry;

    /// The ATen graph, as written or parsed.
    static constexpr graph_view captured() { return Front::storage.view(); }

    /// The ATen graph that is converted: functional, and after all passes.
    static constexpr graph_view optimized_graph() { return optimized::storage.view(); }

    /// The device graph.
    static constexpr const auto& lowered = detail::lowered_of<optimized, Tools>;
    static constexpr graph_view lowered_graph() { return lowered.graph.view(); }
    /// What each node's kernel asks of the planner.
    static constexpr const auto& needs = detail::needs_in<detail::lowered_graph_of<optimized, Tools>>.needs;
    static constexpr const auto& alike = detail::needs_in<detail::lowered_graph_of<optimized, Tools>>.alike;

    struct lowering {
        static constexpr const diagnosis& needs_error = detail::needs_in<detail::lowered_graph_of<optimized, Tools>>.error;
        static constexpr const diagnosis& error = !Front::error.ok()      ? needs_error // was reported
                                                  : !imported::error.ok()  ? imported::error
                                                  : !optimized::error.ok() ? optimized::error
                                                  : !lowered.error.ok()    ? lowered.error
                                                                           : needs_error;
    };
    static_assert(sizeof(require<lowering>) > 0);
    /// The device graph as typed_graph takes it: typed_graph<program::device_graph>::node<"mm">.
    struct device_graph {
        using registry = device_registry;
        static constexpr const auto& storage = lowered.graph;
        static constexpr const diagnosis& error = lowering::error;
    };
    static constexpr bool accepted = Front::error.ok() && imported::error.ok() && optimized::error.ok() && lowering::error.ok();

    static constexpr capacity used = lowered.graph.header.used;
    static constexpr auto planned = [] {
        plan_storage<used> out;
        if (accepted) make_plan(lowered_graph(), lowered.constant, needs, out);
        return out;
    }();
    static constexpr ahead::plan_view plan_view() { return planned.view(); }
    struct planning {
        static constexpr diagnosis error = [] {
            diagnosis d;
            if (accepted) check_plan(lowered_graph(), planned.view(), d);
            return d;
        }();
    };
    static_assert(sizeof(require<planning>) > 0);

    /// Sizes in bytes and numbers of tasks: plan.peak_bytes, plan.constant_bytes, plan.run_tasks, ...
    static constexpr const plan_summary& plan = planned.summary;

    static constexpr std::int32_t output_count = accepted ? lowered_graph()[lowered_graph().last()].arguments.count : 0;
    template <std::int32_t I> struct input_port {
        static constexpr tensor_type type = [] {
            for (node_id id : lowered_graph()) {
                const auto& p = planned.placements[static_cast<std::size_t>(lowered_graph()[id].values.first)];
                if (p.where == region::input && p.port == I) return lowered_graph().value_of(id).type;
            }
            return tensor_type{};
        }();
    };
    template <std::int32_t I> struct output_port {
        static constexpr graph_view g = lowered_graph();
        static constexpr const value& source = g.value_of(g.argument_of(g[g.last()], I));
        static constexpr tensor_type type = [] {
            auto t = source.type;
            t.offset = 0;
            return t;
        }();
        static constexpr std::int64_t offset = npu::detail::address_of(g, planned.view(), source, false).offset;
    };

    /// Checks names, shapes and dtypes of all weights, then runs the prepare program: folds, packs, copies. Throws ahead::error.
    static prepared_weights<compiled_graph> prepare(const weights& from = {}) { return prepared_weights<compiled_graph>(from); }
    using session = ahead::session<compiled_graph>;
};

/// compiled<net>, where net is the object that trace(...) or fx<...> is.
template <const auto& Net, class Tools = toolchain<>>
    requires compilable<std::remove_cvref_t<decltype(Net)>>
using compiled = compiled_graph<std::remove_cvref_t<decltype(Net)>, Tools>;

} // namespace ahead
