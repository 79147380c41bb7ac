// SPDX-License-Identifier: MIT
// compiled<net>: the whole way from a graph to a program, one named constant per stage:
//     captured (ATen, typed) -> optimized (after passes) -> lowered (device) -> plan -> prepare() and session.
// A fault anywhere is one compile error; what follows it is an empty program. `net` is what trace() or fx<> gives.
#pragma once
#include <ahead/convert/outputs.hpp>
#include <ahead/convert/toolchain.hpp>
#include <ahead/core/require.hpp>
#include <ahead/ir/check_streams.hpp>
#include <ahead/npu/call_classes.hpp>
#include <ahead/npu/kernels.hpp>
#include <ahead/npu/lift.hpp>
#include <ahead/npu/session.hpp>
#include <ahead/npu/timing.hpp>
#include <ahead/pass/functionalise_random.hpp>
#include <ahead/pass/record_waits.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/plan/limits.hpp>
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
    } else if constexpr (requires { Op::scratch_bytes(call); }) {
        out.is_task = true;
        out.workspace = Op::scratch_bytes(call);
    }
    if constexpr (requires { Op::may_overwrite(call, 0); }) {
        constexpr int count = std::size(Op::schema) < 16 ? static_cast<int>(std::size(Op::schema)) : 16;
        for (int i = 0; i < count; ++i)
            if (Op::may_overwrite(call, i)) out.may_overwrite = static_cast<std::uint16_t>(out.may_overwrite | (1u << i));
    }
    if constexpr (requires { Op::joins(call); }) out.joins = Op::joins(call);
    return out;
}

template <capacity Capacity> struct edited_stage {
    graph_storage<Capacity> storage;
    diagnosis error;
};
/// Front's graph after an edit: a struct with `room(graph, ops)`, the capacity it needs, and `run(graph, ops, diagnosis)`.
template <class Front, class Edit> constexpr auto edit_stage() {
    constexpr capacity room = Edit::room(Front::storage.view(), Front::registry::table);
    edited_stage<room> out;
    copy_graph(Front::storage.view(), out.storage.edit());
    Edit::run(out.storage.edit(), Front::registry::table, out.error);
    return out;
}
template <class Front, class Edit> struct edited_front {
    using registry = typename Front::registry;

private:
    static constexpr auto made = edit_stage<Front, Edit>();

public:
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};

struct functionalising {
    static constexpr capacity room(graph_view g, op_table ops) { return room_to_functionalise(g, ops); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { functionalise(g, ops, d); }
};
struct functionalising_random {
    static constexpr capacity room(graph_view g, op_table ops) { return room_to_functionalise_random(g, ops); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { functionalise_random(g, ops, d); }
};
/// Front itself where nothing is mutated and nothing random; else its functional form.
template <class Front> constexpr bool mutates() {
    const graph_view g = Front::storage.view(); // a variable: g++ -O2 evaluates a call of constants twice
    return Front::error.ok() && has_in_place(g, Front::registry::table);
}
template <class Front> constexpr bool is_random() {
    const graph_view g = Front::storage.view();
    return Front::error.ok() && has_random(g, Front::registry::table);
}
template <class Front> using deterministic = std::conditional_t<is_random<Front>(), edited_front<Front, functionalising_random>, Front>;
template <class Front> using functional = deterministic<std::conditional_t<mutates<Front>(), edited_front<Front, functionalising>, Front>>;

/// All passes of a toolchain, in the order they run in.
template <class Tools> using passes_of = decltype(custom_passes_of<Tools> | Tools::pre_pass | builtin_passes_of<Tools> | Tools::post_pass);

/// The passes from First up to the next so many, of a graph that began with Imported's nodes.
template <class Tools, class Imported, std::int32_t First> struct passing {
    static constexpr const capacity& began = Imported::storage.header.used;
    static constexpr pass::pass_range which{First, First + pass::passes_at_once(began.nodes)};
    static constexpr capacity room(graph_view g, op_table ops) { return pass::room_for_passes(passes_of<Tools>{}, g, ops, began, which); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { pass::run(passes_of<Tools>{}, Tools::options, g, ops, d, which); }
};
/// Front itself where none of them would run; else its graph after these passes.
template <class Front, class Passing, class Tools>
constexpr bool some_pass_applies() {
    const graph_view g = Front::storage.view();
    return Front::error.ok() && pass::any_applies(passes_of<Tools>{}, Tools::options, g, Front::registry::table, Passing::which);
}
/// Front after all passes of Tools from First on: a large graph takes several constants for that, one after the other.
template <class Front, class Tools, class Imported = Front, std::int32_t First = 0> struct after_passes {
    using passing = detail::passing<Tools, Imported, First>;
    using next = std::conditional_t<some_pass_applies<Front, passing, Tools>(), edited_front<Front, passing>, Front>;
    using type = typename after_passes<next, Tools, Imported, passing::which.end>::type;
};
template <class Front, class Tools, class Imported, std::int32_t First>
    requires(First >= passes_of<Tools>::size)
struct after_passes<Front, Tools, Imported, First> {
    using type = Front;
};
template <class Front, class Tools> using passed = typename after_passes<Front, Tools>::type;

template <class Tools> struct recording_waits {
    static constexpr capacity room(graph_view g, op_table) { return room_to_record_waits(g); }
    static constexpr void run(graph g, op_table ops, diagnosis& d) { record_waits(g, ops, Tools::options, d); }
};
template <class Front> constexpr bool is_waiting() {
    const graph_view g = Front::storage.view();
    return Front::error.ok() && waits_on_tensors(g);
}
/// Front itself where all that is waited for are records; else its graph with records.
template <class Front, class Tools> using with_records = std::conditional_t<is_waiting<Front>(), edited_front<Front, recording_waits<Tools>>, Front>;

template <class Front> constexpr diagnosis streams_fault() {
    diagnosis d;
    if (Front::error.ok()) check_streams(Front::storage.view(), d);
    return d;
}

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

template <std::size_t Size> struct operator_numbers {
    std::int16_t number[Size]{}; // + 1; 0: not used
    std::int16_t count = 0;
};
template <std::size_t Size> constexpr operator_numbers<Size> number_operators(graph_view g) {
    operator_numbers<Size> out;
    for (node_id id : g)
        if (const auto op = g[id].op; op.exists() && out.number[op.index] == 0) out.number[op.index] = ++out.count;
    return out;
}
/// The device operators that a graph calls, each once; Graph::storage is the graph. Only for these are their structs looked at.
template <class Graph> struct used_operators {
    using registry = typename Graph::registry;
    static constexpr auto numbered = number_operators<registry::size>(Graph::storage.view());
    static constexpr auto ids = [] {
        std::array<op_id, static_cast<std::size_t>(numbered.count)> out{};
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(registry::size); ++i)
            if (numbered.number[i] != 0) out[static_cast<std::size_t>(numbered.number[i] - 1)] = {i};
        return out;
    }();
    template <std::size_t I> using op = typename registry::template at<registry::position_of(ids[I])>;

    struct row {
        needs_function needs;
        bool has_kernel;
    };
    static constexpr auto rows = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<row, sizeof...(I)>{row{&needs_of<op<I>>, requires { sizeof(npu::kernel_for<op<I>>); }}...};
    }(std::make_index_sequence<ids.size()>{});
};

/// What the planner must know of each node, and of each whether there is a kernel.
template <std::int32_t Nodes> struct needs_stage {
    std::array<kernel_needs, static_cast<std::size_t>(Nodes)> needs{};
    std::array<std::int32_t, static_cast<std::size_t>(Nodes)> alike{}; // the first node that is the same call, or itself
    diagnosis error;
};
template <class Graph> constexpr auto find_needs() {
    using registry = typename Graph::registry;
    using used = used_operators<Graph>;
    needs_stage<Graph::storage.header.used.nodes> out;
    if (!Graph::is_complete) return out;
    const graph_view g = Graph::storage.view();
    npu::call_classes classes(g, registry::size);
    kernel_needs* all = out.needs.data();
    for (node_id id : g) {
        const auto& n = g[id];
        const auto first = classes.add(id);
        out.alike[static_cast<std::size_t>(id.index)] = first.index;
        if (n.kind != node_kind::call) continue;
        if (first != id) {
            all[id.index] = all[first.index];
            continue;
        }
        const auto& row = used::rows[static_cast<std::size_t>(used::numbered.number[n.op.index] - 1)];
        bound_arguments bound;
        bind_arguments(g, id, registry::table[static_cast<std::size_t>(n.op.index)], bound, out.error);
        auto& mine = all[id.index];
        mine = row.needs(call_view(g, id, bound, out.error));
        if (!mine.is_task || row.has_kernel) continue;
        out.error.line = n.from.line;
        out.error.op = n.target;
        out.error.name = print(n.name);
        refuse(out.error, fault::operator_has_no_kernel, "a kernel: npu::kernel_for of it", n.target);
        break;
    }
    return out;
}
template <class Graph> inline constexpr auto needs_in = find_needs<Graph>();

template <class Tools> constexpr diagnosis check_options() {
    diagnosis d;
    check_config(Tools::options, d);
    return d;
}

/// Front's device graph, as a holder of its storage.
template <class Front, class Tools> struct lowered_graph_of {
    using registry = typename Tools::device_registry;
    static constexpr const auto& storage = lowered_of<Front, Tools>.graph;
    static constexpr bool is_complete = lowered_of<Front, Tools>.error.ok();
};

/// The plan of Front's device graph on one stream.
template <class Front, class Tools, std::size_t Syncs = 0> constexpr auto plan_stage(bool accepted, const launch_rules* rules = nullptr) {
    using device = lowered_graph_of<Front, Tools>;
    plan_storage<lowered_of<Front, Tools>.graph.header.used, Syncs> out;
    if (accepted)
        make_plan(device::storage.view(), lowered_of<Front, Tools>.constant, needs_in<device>.needs, out, Tools::device,
                  Tools::options.is_on(&config::remove_cat_ops), rules);
    return out;
}
/// Whether it takes more than that: the graph has scopes, or may be spread.
template <class Front, class Tools> constexpr bool is_streamed() {
    return lowered_of<Front, Tools>.graph.header.has_streams || Tools::options.streams > 1;
}
/// What npu/timing.hpp asks of a program, of Front on one stream: what each task will take decides where it goes.
template <class Front, class Tools> struct on_one_stream {
    using device_registry = typename Tools::device_registry;
    using operators = used_operators<lowered_graph_of<Front, Tools>>;
    static constexpr auto planned = plan_stage<Front, Tools>(true);
    static constexpr const plan_summary& plan = planned.summary;
    static constexpr graph_view lowered_graph() { return lowered_of<Front, Tools>.graph.view(); }
    static constexpr ahead::plan_view plan_view() { return planned.view(); }
};
template <class Front, class Tools> constexpr auto ticks_by_node() {
    using program = on_one_stream<Front, Tools>;
    std::array<target::ticks, static_cast<std::size_t>(lowered_of<Front, Tools>.graph.header.used.nodes)> out{};
    for (std::size_t i = 0; i < task_ticks<program, Tools::device>.size(); ++i)
        out[static_cast<std::size_t>(program::planned.tasks[static_cast<std::size_t>(program::plan.prepare_tasks) + i].node.index)] =
            task_ticks<program, Tools::device>[i];
    return out;
}
/// The plan of Front's device graph on the streams of its own, or on as many as the options say.
template <class Front, class Tools> constexpr auto plan_streamed(bool accepted) {
    constexpr const auto& graph = lowered_of<Front, Tools>.graph;
    constexpr auto streams = graph.header.has_streams ? stream_map(graph.view()).streams() : Tools::options.streams;
    constexpr auto room = static_cast<std::size_t>(sync_room(graph.header.used.nodes, streams));
    launch_rules rules{streams, {}, Tools::device.launch.event, Tools::options.mode == mode::max_autotune};
    if constexpr (graph.header.has_streams) {
        return plan_stage<Front, Tools, room>(accepted, &rules);
    } else {
        constexpr auto ticks = ticks_by_node<Front, Tools>();
        rules.ticks = ticks;
        return plan_stage<Front, Tools, room>(accepted, &rules);
    }
}
template <class Front, class Tools, bool Accepted> constexpr auto plan_of() {
    if constexpr (Accepted && is_streamed<Front, Tools>()) return plan_streamed<Front, Tools>(Accepted);
    else return plan_stage<Front, Tools>(Accepted);
}
constexpr diagnosis check_plan(graph_view g, plan_view plan, const target::device& on, const config& options) {
    diagnosis d;
    if (options.streams > 1 && g.header().has_streams) {
        d.op = "config";
        d.name = "streams";
        refuse(d, fault::option_has_no_effect, "left out: the graph's own scopes say what is on another stream", short_text() << options.streams);
        return d;
    }
    if (ahead::check_plan(g, plan, d, on)) check_limits(plan.summary, on, d);
    return d;
}
constexpr diagnosis check_device(const target::device& on) {
    diagnosis d;
    ahead::check_device(on, d);
    return d;
}
template <class Tools> struct device_of {
    static constexpr diagnosis error = check_device(Tools::device);
};
/// What user input `port` must be.
constexpr tensor_type input_type(graph_view g, plan_view plan, std::int32_t port) {
    for (node_id id : g)
        if (const auto& p = plan.placements[static_cast<std::size_t>(g[id].values.first)]; p.where == region::input && p.port == port)
            return g.value_of(id).type;
    return {};
}

/// Whether a run writes user input `port`.
constexpr bool is_written(graph_view g, plan_view plan, std::int32_t port) {
    if (plan.summary.inputs_written == 0) return false;
    for (node_id id : g)
        if (const auto& n = g[id]; n.kind == node_kind::call && n.target == device::assign::name)
            if (const auto& p = plan.placements[static_cast<std::size_t>(g.value_of(g.argument_of(n, 0)).storage.index)]; p.where == region::input && p.port == port)
                return true;
    return false;
}

constexpr npu::parameter find_state(array_view<const npu::parameter> all, std::string_view name) {
    for (const auto& p : all)
        if (p.state_at >= 0 && p.name == name) return p;
    return {};
}
constexpr diagnosis check_state(const npu::parameter& found, std::string_view name) {
    diagnosis d;
    d.op = "state";
    if (found.state_at < 0) refuse(d, fault::state_is_unknown, "a weight that the graph writes", name);
    return d;
}

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
    using optimized = detail::with_records<detail::passed<imported, Tools>, Tools>;
    using tools = Tools;
    using passes = detail::passes_of<Tools>;
    using device_registry = typename Tools::device_registry;
    using operators = detail::used_operators<detail::lowered_graph_of<optimized, Tools>>;

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
        static constexpr diagnosis options_error = detail::check_options<Tools>();
        static constexpr diagnosis streams_error = detail::streams_fault<Front>();
        static constexpr const diagnosis& needs_error = detail::needs_in<detail::lowered_graph_of<optimized, Tools>>.error;
        static constexpr const diagnosis& error = !Front::error.ok()      ? needs_error // was reported
                                                  : !options_error.ok()    ? options_error
                                                  : !streams_error.ok()    ? streams_error
                                                  : !imported::error.ok()  ? imported::error
                                                  : !optimized::error.ok() ? optimized::error
                                                  : !lowered.error.ok()    ? lowered.error
                                                  : !needs_error.ok()      ? needs_error
                                                                           : detail::device_of<Tools>::error;
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
    static constexpr auto planned = detail::plan_of<optimized, Tools, accepted>();
    static constexpr ahead::plan_view plan_view() { return planned.view(); }
    struct planning {
        static constexpr diagnosis error = accepted ? detail::check_plan(lowered_graph(), planned.view(), Tools::device, Tools::options) : diagnosis{};
    };
    static_assert(sizeof(require<planning>) > 0);

    /// Sizes in bytes and numbers of tasks: plan.peak_bytes, plan.constant_bytes, plan.run_tasks, ...
    /// plan.timeline and plan.makespan are the time on the toolchain's device, computed where they are asked for (npu/timing.hpp).
    static constexpr plan_summary_with<timed_plan<compiled_graph>> plan{planned.summary, {}};
    static constexpr const target::device& device = Tools::device;

    static constexpr std::int32_t output_count = accepted ? lowered_graph()[lowered_graph().last()].arguments.count : 0;
    template <std::int32_t I> struct input_port {
        static constexpr tensor_type type = detail::input_type(lowered_graph(), plan_view(), I);
        /// Whether a run writes it: then it takes a tensor of the caller's that is not const, which holds the new value afterwards.
        static constexpr bool is_mutated = detail::is_written(lowered_graph(), plan_view(), I);
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

    /// A weight that the graph writes, by its name in the weights: where a session's value of it lies, in bytes from the begin of its memory.
    template <fixed_string Name> struct state_port {
        static constexpr npu::parameter found = detail::find_state(npu::parameters<compiled_graph>::made.all, Name.view());
        static constexpr tensor_type type = found.type;
        static constexpr std::int64_t offset = found.state_at;
        static constexpr diagnosis error = accepted ? detail::check_state(found, Name.view()) : diagnosis{}; // the rest was reported
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
