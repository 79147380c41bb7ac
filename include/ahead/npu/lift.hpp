// SPDX-License-Identifier: MIT
// From a plan value to straight-line calls: each task becomes kernel_for<op>::run<key>(ports), operands at constant offsets.
// The only place where the graph turns into types again. Program gives registry, lowered graph and plan as static constants.
// Invariant: instantiations depend on keys, not on graphs; a task itself is one small function.
#pragma once
#include <ahead/aten/registry.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/plan/plan.hpp>
#include <cstddef>

namespace ahead::npu {

/// Specialised next to every kernel: `template <auto Key> static void run(const ports<I, O>&)`, or, where the operator has no key,
/// `static void run(graph_view, node_id, const bound_arguments&, const ports<I, O>&)`.
template <class DeviceOp> struct kernel_for;

/// Addresses of a task's tensors: the first element of each operand, in the order of the arguments, and of each result.
template <std::size_t Inputs, std::size_t Outputs> struct ports {
    std::array<const std::byte*, Inputs> inputs;
    std::array<std::byte*, Outputs> outputs;
    std::byte* workspace;

    template <class T> const T* in(std::size_t i) const { return reinterpret_cast<const T*>(inputs[i]); }
    template <class T> T* out(std::size_t i = 0) const { return reinterpret_cast<T*>(outputs[i]); }
    template <class T> const T* in_or_null(std::size_t i) const {
        if constexpr (Inputs > 0) if (i < Inputs) return reinterpret_cast<const T*>(inputs[i]);
        return nullptr;
    }
};

/// Where the regions of one execution begin.
struct memory {
    const std::byte* const* externals; // the inputs of a run, the parameters of a prepare
    const std::byte* constants;
    std::byte* arena; // scratch while preparing
};

namespace detail {

struct address {
    region where = region::nowhere;
    std::int32_t port = 0;
    std::int64_t offset = 0; // bytes
};

/// Where an operand's first element lies. In a run, parameters are read from their copy in the constant region.
constexpr address address_of(graph_view g, plan_view plan, const value& v, bool preparing) {
    const auto& p = plan.placements[static_cast<std::size_t>(v.storage.index)];
    address at{p.where, p.port, p.offset};
    if (p.where == region::parameter && !preparing) {
        at.where = region::constants;
        for (std::int32_t i = 0; i < plan.summary.copies; ++i)
            if (plan.copies[static_cast<std::size_t>(i)].parameter == v.storage) at.offset = plan.copies[static_cast<std::size_t>(i)].offset;
    }
    // An external tensor is given by its first element, which its own type puts at its offset.
    const bool external = at.where == region::input || at.where == region::parameter || (p.where == region::parameter && !preparing);
    const auto origin = external ? g[v.storage].type.offset : 0;
    at.offset += (v.type.offset - origin) * static_cast<std::int64_t>(bytes_of(v.type.type));
    return at;
}

template <address At> [[gnu::always_inline]] inline const std::byte* resolve(const memory& m) {
    if constexpr (At.where == region::input || At.where == region::parameter) return m.externals[At.port] + At.offset;
    else if constexpr (At.where == region::constants) return m.constants + At.offset;
    else return m.arena + At.offset;
}

constexpr std::size_t operand_count(graph_view g, const node& n) {
    std::size_t count = 0;
    for (std::int32_t i = 0; i < n.arguments.count; ++i) {
        const auto& a = g.argument_of(n, i);
        count += a.kind == argument_kind::node;
        for (std::int32_t k = 0; k < a.children.count; ++k) count += g[a.children[k]].kind == argument_kind::node;
    }
    return count;
}

/// Task I of a program, as constants.
template <class Program, std::int32_t I> struct lifted_task {
    static constexpr graph_view g = Program::lowered_graph();
    static constexpr plan_view plan = Program::plan_view();
    static constexpr node_id id = plan.tasks[I].node;
    static constexpr bool preparing = I < plan.summary.prepare_tasks;
    using op = typename Program::device_registry::template at<Program::device_registry::position_of(g[id].op)>;

    static constexpr bool has_key = requires(const call_view& call) { op::key(call); };
    static constexpr auto bind() {
        bound_arguments bound;
        diagnosis d;
        bind_arguments(g, id, Program::device_registry::table[static_cast<std::size_t>(g[id].op.index)], bound, d);
        if constexpr (has_key) return op::key(call_view(g, id, bound, d));
        else return bound;
    }
    /// The kernel's key, or the arguments in schema order where the operator has none.
    static constexpr auto key = bind();
    static constexpr auto inputs = [] {
        std::array<address, operand_count(g, g[id])> out{};
        std::size_t at = 0;
        for (std::int32_t i = 0; i < g[id].arguments.count; ++i) {
            const auto& a = g.argument_of(g[id], i);
            if (a.kind == argument_kind::node) out[at++] = address_of(g, plan, g.value_of(a), preparing);
            for (std::int32_t k = 0; k < a.children.count; ++k)
                if (g[a.children[k]].kind == argument_kind::node) out[at++] = address_of(g, plan, g.value_of(g[a.children[k]]), preparing);
        }
        return out;
    }();
    static constexpr auto outputs = [] {
        std::array<address, static_cast<std::size_t>(g[id].values.count)> out{};
        for (std::int32_t k = 0; k < g[id].values.count; ++k)
            out[static_cast<std::size_t>(k)] = address_of(g, plan, g.value_of(id, k), preparing);
        return out;
    }();
    static constexpr std::int64_t workspace = plan.tasks[I].workspace_offset;
};

template <class Program, std::int32_t I> [[gnu::always_inline]] inline void run_task(const memory& m) {
    using t = lifted_task<Program, I>;
    [&]<std::size_t... In, std::size_t... Out>(std::index_sequence<In...>, std::index_sequence<Out...>) __attribute__((always_inline)) {
        const ports<sizeof...(In), sizeof...(Out)> at{{resolve<t::inputs[In]>(m)...}, {const_cast<std::byte*>(resolve<t::outputs[Out]>(m))...}, m.arena + t::workspace};
        if constexpr (t::has_key) kernel_for<typename t::op>::template run<t::key>(at);
        else kernel_for<typename t::op>::run(t::g, t::id, t::key, at);
    }(std::make_index_sequence<t::inputs.size()>{}, std::make_index_sequence<t::outputs.size()>{});
}

inline constexpr std::int32_t chunk_size = 128; // clang refuses fold expressions over 256 operands

/// The arena is named by `arena` alone (no input lies in it: a run is refused while an output of an earlier one is held), so what a task
/// leaves there may stay in a register until the next task has read it.
template <class Program, std::int32_t Begin, std::int32_t End>
inline void run_chunk(const std::byte* const* externals, const std::byte* constants, std::byte* __restrict arena) {
    const memory m{externals, constants, arena};
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) __attribute__((always_inline)) { (run_task<Program, Begin + I>(m), ...); }
    (std::make_integer_sequence<std::int32_t, End - Begin>{});
}

} // namespace detail

/// Tasks [Begin, End) of the program's plan, in order, on the caller's thread.
template <class Program, std::int32_t Begin, std::int32_t End> inline void run_tasks(const memory& m) {
    if constexpr (End - Begin <= detail::chunk_size) {
        if constexpr (End > Begin) detail::run_chunk<Program, Begin, End>(m.externals, m.constants, m.arena);
    } else {
        constexpr auto middle = Begin + (End - Begin) / 2;
        run_tasks<Program, Begin, middle>(m);
        run_tasks<Program, middle, End>(m);
    }
}

} // namespace ahead::npu
