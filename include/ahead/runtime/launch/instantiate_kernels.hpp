// SPDX-License-Identifier: MIT
// Turns a plan value into straight-line calls: each task becomes kernel_for<op>::run<key>(ports), with operands at
// constant offsets. The only place where the graph turns into types again. Program gives registry, lowered graph and
// plan as static constants.
// Invariant: instantiations depend on keys, not on graphs; a task itself is one small function.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/device/key/call_key.hpp>
#include <ahead/device/key/epilogue.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/runtime/launch/run_kernel.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::runtime {

/// Instantiated only for a type that is not a kernel: its static_assert is the error.
template <class Kernel, bool IsOne = false> struct checked_kernel {
    static_assert(IsOne, "a kernel_for has one of: template <auto Key> static void run(const auto& ports); template "
                         "<class Call> static void run_call(const auto& ports); or, of an operator without key, "
                         "static void run(const call_view&, const auto& ports). One that refuses says static constexpr "
                         "bool refuses = true, returns bool and takes a diagnosis& more");
};

/// Whether Program's tasks are functions that were written at build time (aot/written_program.hpp), instead of being
/// made here from its graph.
template <class Program>
concept is_written = requires { Program::written_tasks; };

/// Whether a task of Program may refuse.
template <class Program> inline constexpr bool kernels_refuse = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
    return (kernels::kernel_refuses<typename Program::operators::template op<Nth>> || ...);
}
(std::make_index_sequence<Program::operators::ids.size()>{});
template <is_written Program> inline constexpr bool kernels_refuse<Program> = true; // not known here, so assumed

namespace detail {

inline constexpr std::int64_t inlined_bytes = 1024; // results so small that the overhead of a call would be noticeable

/// An upper bound of the number of addresses of the tasks.
constexpr std::int32_t count_addresses(graph_view g, array_view<const task> tasks) {
    std::int32_t count = 0;
    for (const auto& t : tasks) {
        const auto& n = g[t.node];
        count += n.arguments.count + n.values.count + 1;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) count += g.argument_of(n, i).children.count;
    }
    return count;
}
template <std::int32_t Tasks, std::int32_t Addresses> struct call_tables {
    address
        addresses[Addresses + 1]{};  // per task: operands (including those in lists), results, workspace
    std::int32_t first[Tasks + 1]{}; // index of the first address of each task
    std::int32_t
        code[Tasks + 1]{}; // 2 * the first task with the same kernel, + 1 if the task is inlined
};
template <class Program, std::int32_t Tasks, std::int32_t Addresses> constexpr auto make_tables() {
    call_tables<Tasks, Addresses> out;
    const graph_view g = Program::lowered_graph();
    const plan_view plan = Program::plan_view();
    const task* all = plan.tasks.data();
    const placement* placements = plan.placements.data();
    const auto* needs = Program::needs.data();
    const std::int32_t* alike = Program::alike.data();
    fixed_buffer<std::int32_t> task_of(
        g.header().used.nodes); // by the first of a group of equal nodes: the first task of that group, + 1
    std::int32_t next = 0;
    for (std::int32_t t = 0; t < Tasks; ++t) {
        const auto id = all[t].node;
        const auto& n = g[id];
        out.first[t] = next;
        for_each_address(g, plan, t, [&](const address& at) { out.addresses[next++] = at; });
        std::int64_t bytes = 0;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) bytes += placements[v].bytes;
        auto& first = task_of[alike[id.index]];
        if (first == 0) first = t + 1;
        const auto kernel = needs[id.index].has_key ? first - 1 : t;
        const bool is_done_once = t < plan.summary.prepare_tasks;
        out.code[t] = 2 * kernel + (bytes <= inlined_bytes && !is_done_once ? 1 : 0);
    }
    out.first[Tasks] = next;
    return out;
}

/// All tasks of a program.
template <class Program> struct kernel_calls {
    static constexpr std::int32_t tasks = Program::plan.prepare_tasks + Program::plan.run_tasks;
    static constexpr std::int32_t addresses =
        count_addresses(Program::lowered_graph(), Program::plan_view().tasks.first(tasks));
    static constexpr call_tables<tasks, addresses> made = make_tables<Program, tasks, addresses>();
};

/// The call of task Nth of a program in the form that its kernel takes: the key, the operators of the steps, the
/// toolchain; or, if the operator has no key, the call by itself.
template <class Program, std::int32_t Nth> struct kernel_call {
private:
    using registry = typename Program::device_registry;
    static constexpr const node& own_node() { return Program::lowered_graph()[id()]; }
    static constexpr node_id id() { return Program::plan_view().tasks[Nth].node; }
    static constexpr bound_arguments bind() {
        bound_arguments bound;
        bind_typed(Program::lowered_graph(), id(), registry::table[static_cast<std::size_t>(own_node().op.index)],
                   bound);
        return bound;
    }

public:
    using tools = typename Program::tools;
    using op = op_of<registry, registry::position_of(own_node().op)>;
    static constexpr bool has_key = requires(const call_view& call) { op::key(call); };

private:
    static constexpr bound_arguments given = bind();
    /// The result of f for this call.
    template <class F> static constexpr auto of_call(F f) {
        diagnosis d;
        return f(call_view(Program::lowered_graph(), id(), given, d));
    }
    static constexpr device::call_size size() {
        return device::size_of_call(Program::lowered_graph(), id(), std::size(op::schema), given);
    }
    static constexpr auto key_of() {
        if constexpr (has_key) return of_call(op::key);
        else return device::call_key_of<size()>(Program::lowered_graph(), id(), std::size(op::schema), given);
    }
    static constexpr auto epilogue_of() {
        if constexpr (requires(const call_view& call) { op::epilogue(call); }) return of_call(op::epilogue);
        else return device::epilogue_key{};
    }
    static constexpr device::step_ops step_ops() {
        if constexpr (requires(const call_view& call) { op::step_ops(call); }) return of_call(op::step_ops);
        else return {};
    }
    static constexpr device::step_ops steps = step_ops();
    template <std::size_t S> using step_op = typename op_of<registry, registry::position_of(steps.row[S])>::meaning_of;
    template <std::size_t... S> static op_list<step_op<S>...> list_steps(std::index_sequence<S...>);

public:
    static constexpr auto key = key_of();
    static constexpr device::epilogue_key epilogue = epilogue_of();
    /// For a call with blocks: the program of a block, by its number in the ATen graph (compiled_block.hpp).
    template <std::int64_t Block> using held = typename Program::template compiled_block<Block>;
    using operators = decltype(list_steps(std::make_index_sequence<static_cast<std::size_t>(steps.count)>{}));

    /// For an operator without a key: the call; errors in it are reported in d.
    static call_view view(diagnosis& d) { return view_by_itself<kernel_call>(d); }
};

/// The kernel of task Nth of a program.
template <class Program, std::int32_t Nth> struct instantiated_kernel {
    using call = kernel_call<Program, Nth>;
    using op = typename call::op;
    static constexpr node_id id = Program::plan_view().tasks[Nth].node;
    static constexpr std::size_t results = static_cast<std::size_t>(Program::lowered_graph()[id].values.count);
    static constexpr std::size_t operands =
        static_cast<std::size_t>(kernel_calls<Program>::made.first[Nth + 1] - kernel_calls<Program>::made.first[Nth]) -
        results - 1;

    static constexpr bool refuses = kernels::kernel_refuses<op>;
    using kernel = kernels::kernel_for<op>;
    using task_ports = const kernels::ports<operands, results>;
    static constexpr bool has_kernel = [] {
        if constexpr (refuses) return kernels::kernel_like<kernel, call, bool, task_ports, diagnosis>;
        else return kernels::kernel_like<kernel, call, void, task_ports>;
    }();
    static_assert(sizeof(checked_kernel<kernel, has_kernel>) > 0);

    /// d: a diagnosis if the kernel may refuse, otherwise empty.
    template <class... Refusal>
    [[gnu::always_inline]] static auto run_on(const region_bases& m, const address* at, Refusal&... d) {
        if constexpr (!has_kernel) return false; // has already been reported
        else return run_kernel<call, operands, results>(m, at, d...);
    }
};

/// The code of a task, by its `code` entry: a call of the function shared by all tasks with its kernel, or the kernel
/// inline.
template <class Program, std::int32_t Code> struct task_function {
    using kernel = instantiated_kernel<Program, Code / 2>;
    template <class... Refusal>
    static auto run(const std::byte* const* externals, const std::byte* constants, std::byte* arena, const address* at,
                    Refusal&... d) {
        return kernel::run_on({externals, constants, arena}, at, d...);
    }
};
template <class Program, std::int32_t Code>
    requires(Code % 2 == 1)
struct task_function<Program, Code> {
    using kernel = instantiated_kernel<Program, Code / 2>;
    template <class... Refusal>
    [[gnu::always_inline]] static auto run(const std::byte* const* externals, const std::byte* constants,
                                           std::byte* arena, const address* at, Refusal&... d) {
        return kernel::run_on({externals, constants, arena}, at, d...);
    }
};
/// Names task Nth in d as the one that refused, unless its kernel has already named an operator.
template <class Program, std::int32_t Nth> [[gnu::cold, gnu::noinline]] void blame(diagnosis& d) {
    static constexpr const node& n = Program::lowered_graph()[Program::plan_view().tasks[Nth].node];
    static constexpr auto line = n.from.line;
    static constexpr auto name = n.name;
    static constexpr auto op = operator_lowered_from(Program::optimized_graph(), n);
    if (d.op.length != 0) return;
    d.op = op;
    d.line = line;
    d.name = print(name);
}
/// Returns false if the kernel of task Nth refuses its input. d may be null if no kernel refuses.
template <class Program, std::int32_t Nth>
[[gnu::always_inline]] inline bool call_task(const std::byte* const* externals, const std::byte* constants,
                                             std::byte* arena, const address* at, [[maybe_unused]] diagnosis* d) {
    using function = detail::task_function<Program, kernel_calls<Program>::made.code[Nth]>;
    if constexpr (function::kernel::refuses) {
        const bool done = function::run(externals, constants, arena, at, *d);
        if (!done) blame<Program, Nth>(*d);
        return done;
    } else {
        function::run(externals, constants, arena, at);
        return true;
    }
}

inline constexpr std::int32_t chunk_size = 128; // clang refuses fold expressions over 256 operands

/// The arena is accessed only through `arena` (no input overlaps it: a run is refused while an output of an earlier one
/// is held; states do not overlap it either), so a value that a task writes there may stay in a register until the next
/// task has read it.
template <class Program, std::int32_t Begin, std::int32_t End>
inline bool run_chunk(const std::byte* const* externals, const std::byte* constants, std::byte* __restrict arena,
                      [[maybe_unused]] diagnosis* d) {
    constexpr const auto& all = kernel_calls<Program>::made;
    return [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) __attribute__((always_inline)) {
        if constexpr (kernels_refuse<Program>)
            return (call_task<Program, Begin + Nth>(externals, constants, arena, all.addresses + all.first[Begin + Nth],
                                                    d) &&
                    ...);
        else
            return (task_function<Program, all.code[Begin + Nth]>::run(externals, constants, arena,
                                                              all.addresses + all.first[Begin + Nth]),
                    ...),
                   true;
    }(std::make_integer_sequence<std::int32_t, End - Begin>{});
}

} // namespace detail

/// Runs tasks [Begin, End) of the program's plan, in order, on the caller's thread. Returns false if one refuses its
/// input, with the reason in *d; d may be null if kernels_refuse<Program> is false.
template <class Program, std::int32_t Begin, std::int32_t End>
inline bool run_tasks(const region_bases& m, diagnosis* d) {
    if constexpr (End == Begin) return true;
    else if constexpr (is_written<Program>) {
        return Program::template run_written<Begin, End>(m, d);
    } else if constexpr (End - Begin <= detail::chunk_size) {
        return detail::run_chunk<Program, Begin, End>(m.externals, m.constants, m.arena, d);
    } else {
        constexpr auto middle = Begin + (End - Begin) / 2;
        return run_tasks<Program, Begin, middle>(m, d) && run_tasks<Program, middle, End>(m, d);
    }
}
/// The same. Throws if a task refuses.
template <class Program, std::int32_t Begin, std::int32_t End> inline void run_tasks(const region_bases& m) {
    if constexpr (kernels_refuse<Program>) {
        if (diagnosis d; !run_tasks<Program, Begin, End>(m, &d)) raise(d);
    } else {
        run_tasks<Program, Begin, End>(m, nullptr);
    }
}

} // namespace ahead::runtime
