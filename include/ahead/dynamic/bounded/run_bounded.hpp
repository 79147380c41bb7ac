// SPDX-License-Identifier: MIT
// A run of a bounded program for fewer places than its bound: each task runs by its bounded_call (bounded_calls.hpp). A
// run at the bound is the program's run (instantiate_kernels.hpp). Called by bounded_session.hpp.
// Invariant: addresses are those of the plan; a piece begins `each` bytes after the previous one, tensor by tensor.
#pragma once
#include <ahead/dynamic/bounded/bounded_program.hpp>
#include <ahead/kernels/dynamic/attention.hpp>
#include <ahead/kernels/dynamic/products.hpp>
#include <ahead/kernels/dynamic/recurrent.hpp>
#include <ahead/kernels/dynamic/reduce.hpp>
#include <ahead/kernels/dynamic/rows.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>

namespace AHEAD_NAMESPACE::dynamic {

namespace detail {

/// The bytes that a tensor of a task moves by per place of the symbol: from one piece to the next, and its start.
struct place_step {
    std::int64_t each = 0, moved = 0;
    friend constexpr bool operator==(const place_step&, const place_step&) = default;
};
template <std::int32_t Addresses> struct place_steps {
    place_step of[Addresses + 1]{};
};
template <class Bounded> constexpr auto make_place_steps() {
    using program = typename Bounded::program;
    using calls = runtime::detail::kernel_calls<program>;
    place_steps<calls::addresses> out;
    const graph_view g = program::lowered_graph();
    const auto step_of = [&](const ahead::detail::bounded_value& own, const tensor_type& type) {
        return place_step{own.follows() ? bytes_of(type.type, own.each * type.stride(own.dim)) : 0,
                          own.moved < 0 ? -bytes_of(type.type, -own.moved) : bytes_of(type.type, own.moved)};
    };
    for (std::int32_t t = 0; t < calls::tasks; ++t) {
        const auto& n = g[program::plan_view().tasks.data()[t].node];
        auto next = calls::made.first[t];
        for_each_operand(g, n.arguments, [&](const argument& a) {
            out.of[next++] = step_of(Bounded::made.given.data()[&a - g.argument_pool()], g.value_of(a).type);
        });
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
            out.of[next++] = step_of(Bounded::made.made.data()[v], g[value_id{v}].type);
    }
    return out;
}
template <class Bounded> inline constexpr auto place_steps_of = make_place_steps<Bounded>();

template <class Ports> void move_on(Ports& ports, const place_step* steps, std::int64_t places) {
    for (auto& in : ports.inputs) in += steps++->each * places;
    for (auto& out : ports.outputs) out += steps++->each * places;
}

/// Call with fewer of dimension In.
template <class Call, device::dynamic_extent In, std::int32_t Dim> struct dynamic_call : Call {
    static constexpr device::dynamic_extent extent = In;
    static constexpr std::int32_t dynamic_dim = Dim;
};

/// Task Nth for `size` places. d: set if the kernel refuses.
template <class Bounded, std::int32_t Nth> struct bounded_task {
    using program = typename Bounded::program;
    using whole = runtime::detail::instantiated_kernel<program, Nth>;
    using task_ports = kernels::ports<whole::operands, whole::results>;
    static constexpr device::bounded_call rule = Bounded::made.calls[static_cast<std::size_t>(whole::id.index)];
    using way = device::bounded_call::way;
    template <std::int64_t Size>
    using piece = runtime::detail::kernel_call<ahead::detail::piece_program<Bounded, Size>, Nth>;
    /// Whether a piece's workspace fits in the one planned for the whole call.
    template <class Piece> static constexpr bool has_workspace() {
        if constexpr (requires { whole::op::workspace(Piece::key); })
            return whole::op::workspace(Piece::key) <= whole::op::workspace(whole::call::key);
        else return true;
    }

    static task_ports at_begin(const runtime::region_bases& m, const runtime::address* at, const place_step* steps,
                               std::int64_t size) {
        auto out = runtime::ports_at<whole::operands, whole::results>(m, at);
        const auto fewer = size - Bounded::most;
        for (auto& in : out.inputs) in += steps++->moved * fewer;
        for (auto& result : out.outputs) result += steps++->moved * fewer;
        return out;
    }
    /// Pieces of 16^Level places, then smaller ones.
    template <std::int32_t Level, class... Refusal>
    static bool in_pieces(task_ports& at, const place_step* steps, std::int64_t left, Refusal&... d) {
        constexpr auto size = ahead::detail::size_of_level(Level);
        static_assert(has_workspace<piece<size>>());
        for (; left >= size; left -= size) {
            if constexpr (whole::refuses) {
                if (!runtime::run_on<piece<size>>(std::as_const(at), d...)) return false;
            } else {
                runtime::run_on<piece<size>>(std::as_const(at), d...);
            }
            move_on(at, steps, size);
        }
        if constexpr (Level > 0) return in_pieces<Level - 1>(at, steps, left, d...);
        else return true;
    }
    template <class... Refusal>
    static bool run(const runtime::region_bases& m, const runtime::address* at, const place_step* steps,
                    std::int64_t size, Refusal&... d) {
        auto all = at_begin(m, at, steps, size);
        if constexpr (rule.how == way::dynamic) {
            kernels::dynamic_kernel_for<typename whole::op>::template run<
                dynamic_call<typename whole::call, rule.in, rule.dim>>(
                std::as_const(all), kernels::runtime_extents{rule.rows * size, rule.columns * size, rule.terms * size});
            return true;
        } else if constexpr (rule.how == way::pieces) {
            return in_pieces<rule.levels>(all, steps, size, d...);
        } else if constexpr (whole::refuses) {
            return runtime::run_on<typename whole::call>(std::as_const(all), d...);
        } else {
            runtime::run_on<typename whole::call>(std::as_const(all), d...);
            return true;
        }
    }
};

/// The first task whose function task Nth may call: one with the same kernel, divided in the same way.
template <class Bounded, std::int32_t Nth> constexpr std::int32_t task_like() {
    using program = typename Bounded::program;
    const auto first = runtime::detail::kernel_calls<program>::made.code[Nth] / 2;
    const auto& calls = Bounded::made.calls;
    const auto tasks = program::plan_view().tasks;
    const auto rule_of = [&](std::int32_t t) {
        return calls[static_cast<std::size_t>(tasks[static_cast<std::size_t>(t)].node.index)];
    };
    return rule_of(first) == rule_of(Nth) ? first : Nth;
}
template <class Bounded, std::int32_t Nth>
bool take_bounded_step(const runtime::region_bases& m, std::int64_t size, [[maybe_unused]] diagnosis* d) {
    using program = typename Bounded::program;
    using task = bounded_task<Bounded, task_like<Bounded, Nth>()>;
    constexpr auto first = runtime::detail::kernel_calls<program>::made.first[Nth];
    const auto* const at = runtime::detail::kernel_calls<program>::made.addresses + first;
    const auto* const steps = place_steps_of<Bounded>.of + first;
    if constexpr (task::whole::refuses) {
        const bool done = task::run(m, at, steps, size, *d);
        if (!done) runtime::detail::blame<program, Nth>(*d);
        return done;
    } else {
        return task::run(m, at, steps, size);
    }
}

} // namespace detail

/// Tasks [Begin, End) of a bounded program for `size` places, in order. Like run_tasks.
template <class Bounded, std::int32_t Begin, std::int32_t End>
bool run_bounded_tasks(const runtime::region_bases& m, std::int64_t size, diagnosis* d) {
    if constexpr (End == Begin) return true;
    else if constexpr (End - Begin <= runtime::detail::chunk_size)
        return [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) {
            return (detail::take_bounded_step<Bounded, Begin + Nth>(m, size, d) && ...);
        }(std::make_integer_sequence<std::int32_t, End - Begin>{});
    else {
        constexpr auto middle = Begin + (End - Begin) / 2;
        return run_bounded_tasks<Bounded, Begin, middle>(m, size, d) &&
               run_bounded_tasks<Bounded, middle, End>(m, size, d);
    }
}

} // namespace ahead::dynamic
