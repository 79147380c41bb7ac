// SPDX-License-Identifier: MIT
// Running a program: a session holds the arena and its own copy of the weights that the graph writes, which is
// initialized from the weights. It runs on one thread at a time; weights (prepared_weights.hpp) may serve many sessions
// on many threads.
// Invariant: nothing allocates after construction, and nothing at all if the caller provides the memory; at most
// machine::npu.max_stack_bytes of the caller's stack are used (tests/unit/runtime/memory.cpp measures it).
#pragma once
#include <ahead/runtime/checked_inputs.hpp>
#include <ahead/runtime/held_outputs.hpp>
#include <ahead/runtime/memory/input_memory.hpp>
#include <ahead/runtime/memory/output_memory.hpp>
#include <ahead/runtime/memory/session_arena.hpp>
#include <ahead/runtime/outputs.hpp>
#include <ahead/runtime/prepared_weights.hpp>
#include <ahead/runtime/run_underway.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// How a session executes its plan: tasks in order on the caller's thread. An alternative is on_threads
/// (threaded_session.hpp).
struct in_order {
    /// The state of the execution, which a session of the program stores.
    template <class Program> struct execution {
        /// As run_tasks: false if a kernel refuses its input.
        static bool run(const runtime::region_bases& m, diagnosis* d) {
            constexpr auto first = Program::plan.prepare_tasks;
            return runtime::run_tasks<Program, first, first + Program::plan.run_tasks>(m, d);
        }
    };
};

/// One arena, followed by the states. Neither copied nor moved, because outputs point into it. Destroying it before its
/// outputs are gone ends the program with a message (output_is_still_held).
template <class Program, class Execution = in_order> class session {
public:
    static constexpr std::size_t bytes = static_cast<std::size_t>(Program::plan.peak_bytes + Program::plan.state_bytes);

    explicit session(const prepared_weights<Program>& weights)
        : constants_(weights.constants()), arena_(bytes, Program::device.alignment) {
        begin_states();
    }
    /// In the caller's memory, at least `bytes` of it, aligned to 64 or as the program's device requires; it must
    /// outlive the session and must not be used by another session until then. Throws what fits() refuses.
    session(const prepared_weights<Program>& weights, std::span<std::byte> memory)
        : constants_(weights.constants()), arena_(memory, bytes, Program::device.alignment) {
        begin_states();
    }
    /// In the memory of a session made of several (compiled_gears.hpp).
    session(const prepared_weights<Program>& weights, region_memory part)
        : constants_(weights.constants()), arena_(std::move(part)) {
        begin_states();
    }
    session(const prepared_weights<Program>&&) = delete; // name the weights: the session reads them while it lives
    session(const prepared_weights<Program>&&, std::span<std::byte>) = delete;
    /// Whether the caller's memory is suitable: memory_is_too_small, memory_is_misaligned, memory_is_in_use if another
    /// living session has it.
    static bool fits(std::span<std::byte> memory, diagnosis& d) {
        return session_arena::fits(memory, bytes, Program::device.alignment, d);
    }
    session(const session&) = delete; // outputs point into it: use std::optional or std::unique_ptr to hold one
    session& operator=(const session&) = delete;
    ~session() {
        if (leases_ != 0)
            end_program(
                error(ahead::detail::held_outputs(leases_, "session", "its outputs gone before it (keep a copy())")));
    }

    using outputs =
        typename ahead::detail::outputs_of<Program,
                                           std::make_integer_sequence<std::int32_t, Program::output_count>>::type;

    /// Runs once: takes one tensor per user input, in the graph's order; returns a tuple of one output per returned
    /// tensor. Arrays and spans have a size in their type, which must be the input's (input_has_wrong_type,
    /// input_count_differs). An input that the graph writes (Program::input_port<Nth>::is_mutated) holds its new value
    /// afterwards, and must not be const (mutated_input_is_const). Throws before anything changes: output_is_still_held
    /// if an output of an earlier run is still alive, element_counts_differ for a vector of another size,
    /// memory_is_in_use for an input in the session's own memory, inputs_overlap if an input that is written shares
    /// memory with another, and, in debug builds, session_is_running if another thread runs it. A run that throws
    /// later, because an index is out of range, may have written such inputs in part.
    template <class... Inputs> outputs operator()(Inputs&&... inputs) {
        static_cast<void>(require<ahead::detail::checked_inputs<Program, Inputs...>>{});
        if constexpr (ahead::detail::checked_inputs<Program, Inputs...>::error.ok() && Program::accepted)
            return run_on(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{}, inputs...);
        else raise(held());
    }
    /// The same, but returns the error instead of throwing it: for programs without exceptions, and for callers that
    /// expect a refusal. It throws nothing itself; exceptions from a print of the toolchain pass through.
    template <class... Inputs> result<outputs> try_run(Inputs&&... inputs) {
        static_cast<void>(require<ahead::detail::checked_inputs<Program, Inputs...>>{});
        if constexpr (ahead::detail::checked_inputs<Program, Inputs...>::error.ok() && Program::accepted)
            return try_run_on(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{}, inputs...);
        else return held();
    }

    /// Runs once, and writes the outputs into the caller's memory, in the order of their indices: run(into(y), x).
    /// Costs one copy per output, allocates nothing, and leaves no lease. An array or span whose type has another size
    /// or dtype than the output is a compile error (output_count_differs, output_has_wrong_type). Throws what a run
    /// throws, and before anything changes: element_counts_differ and memory_is_too_small for a vector or bytes,
    /// outputs_overlap if an output shares memory with an input or another output, memory_is_in_use if it shares memory
    /// with the session or the constants. A run that throws later has written no output.
    template <class... Given, class... Inputs> void operator()(output_memory<Given...> to, Inputs&&... inputs) {
        using checked = ahead::detail::checked_run<Program, output_memory<Given...>, Inputs...>;
        static_cast<void>(require<checked>{});
        if constexpr (checked::error.ok() && Program::accepted) {
            if (diagnosis d; !run_into(to, d, inputs...)) raise(d);
        }
    }
    /// The same, but returns the error instead of throwing it.
    template <class... Given, class... Inputs>
    result<std::tuple<>> try_run(output_memory<Given...> to, Inputs&&... inputs) {
        using checked = ahead::detail::checked_run<Program, output_memory<Given...>, Inputs...>;
        static_cast<void>(require<checked>{});
        diagnosis d;
        if constexpr (checked::error.ok() && Program::accepted)
            if (!run_into(to, d, inputs...)) return d;
        return std::tuple<>{};
    }

    /// The value that the next run reads for a weight that the graph writes, by its name in the weights; a lease. A
    /// compile error for any other name (state_is_unknown).
    template <fixed_string Name> auto state() {
        using port = typename Program::template state_port<Name>;
        static_cast<void>(require<port>{});
        return tensor_output<static_type<port>>{
            reinterpret_cast<const element_t<port::type.type>*>(states() + port::offset), leases_};
    }
    /// Resets every state to its value in the weights. Refuses output_is_still_held.
    bool reset(diagnosis& d) {
        if (leases_ != 0) return d = held(), false;
        begin_states();
        return true;
    }
    /// The same. Throws what it refuses.
    void reset() {
        if (diagnosis d; !reset(d)) raise(d);
    }
    /// Whether outputs of an earlier run are alive.
    bool is_held() const { return leases_ != 0; }
    /// The object that executes the runs; for a profiled_session (profile.hpp), it has the times of the last run's
    /// tasks.
    const auto& execution() const { return execution_; }
    auto& execution() { return execution_; }

    /// From now on the session runs in `given`: at least `bytes` of it, aligned as the constructor requires; it must
    /// outlive the session or last until the next move. States are copied along, also if old and new memory overlap;
    /// the old memory is the caller's again, or freed. Allocates nothing. Refuses output_is_still_held,
    /// memory_is_too_small, memory_is_misaligned, and memory_is_in_use if it overlaps the constants or another session;
    /// nothing has changed then.
    bool update_feature_memory_base(std::span<std::byte> memory, diagnosis& d) {
        return is_unused(memory, bytes, "update_feature_memory_base", {constants_, prepared_weights<Program>::bytes},
                         "the constants", d) &&
               arena_.move_to(memory, bytes, Program::device.alignment,
                              static_cast<std::size_t>(Program::plan.state_bytes), d);
    }
    /// Copies the constants to `given`, and from now on the session reads them there: at least prepared_weights::bytes
    /// of it, with the same alignment, not written while the session uses it. The prepared weights may then be
    /// destroyed. For memory that holds the constants already, use prepared_weights(weights, memory). Refuses what
    /// update_feature_memory_base does: memory_is_in_use if it overlaps the arena or the constants that the session
    /// reads.
    bool set_const_memory_base(std::span<std::byte> memory, diagnosis& d) {
        constexpr auto size = prepared_weights<Program>::bytes;
        if (!is_unused(memory, size, "set_const_memory_base", {constants_, size}, "the constants", d) ||
            !is_unused(memory, size, "set_const_memory_base", {arena_.begin(), bytes}, "what the session runs in", d) ||
            !region_memory::fits(memory, size, Program::device.alignment, d))
            return false;
        if constexpr (size > 0) std::memcpy(memory.data(), constants_, size);
        constants_ = memory.data();
        return true;
    }
    /// The same; they throw what the functions above refuse.
    void update_feature_memory_base(std::span<std::byte> memory) {
        if (diagnosis d; !update_feature_memory_base(memory, d)) raise(d);
    }
    void set_const_memory_base(std::span<std::byte> memory) {
        if (diagnosis d; !set_const_memory_base(memory, d)) raise(d);
    }

private:
    template <std::int32_t Nth, class Given>
    using place = ahead::detail::output_place<static_type<typename Program::template output_port<Nth>>, Given>;

    /// Whether the session may move to memory of `size` bytes now, and that memory does not overlap `other`.
    bool is_unused(std::span<std::byte> memory, std::size_t size, std::string_view op,
                   const ahead::detail::memory_range& other, std::string_view what, diagnosis& d) const {
        if (leases_ != 0) return d = held(), false;
        if (memory.size() < size || !ahead::detail::overlap({memory.data(), size}, other)) return true;
        d.op = op;
        return refuse(d, fault::memory_is_in_use, "memory that the session does not use", what);
    }
    std::byte* states() const { return arena_.begin() + Program::plan.peak_bytes; }
    void begin_states() const { runtime::begin_states<Program>(constants_, states()); }
    /// Whether input Nth has the required number of elements, if its type does not say so.
    template <std::int32_t Nth> static bool has_size(const auto& input, diagnosis& d) {
        if (ahead::detail::run_input<Program, Nth>::has_size(input, d)) return true;
        d.name = short_text("input ") << Nth;
        return false;
    }
    template <std::int32_t... In, class... Inputs>
    outputs run_on(std::integer_sequence<std::int32_t, In...> ports, Inputs&... inputs) {
        if ([[maybe_unused]] diagnosis d; !(has_size<In>(inputs, d) && ...)) raise(d);
        execute<0>([](const diagnosis& what) { raise(what); }, {}, ports, inputs...);
        return all_outputs(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    }
    template <std::int32_t... In, class... Inputs>
    result<outputs> try_run_on(std::integer_sequence<std::int32_t, In...> ports, Inputs&... inputs) {
        diagnosis d;
        if ((has_size<In>(inputs, d) && ...))
            execute<0>([&](const diagnosis& what) { d = what; }, {}, ports, inputs...);
        if (!d.ok()) return d;
        return all_outputs(std::make_integer_sequence<std::int32_t, Program::output_count>{});
    }
    template <class... Given, class... Inputs>
    bool run_into(const output_memory<Given...>& to, diagnosis& d, Inputs&... inputs) {
        [&]<std::int32_t... In, std::int32_t... Out>(std::integer_sequence<std::int32_t, In...> ports,
                                                     std::integer_sequence<std::int32_t, Out...>) {
            if (!(has_size<In>(inputs, d) && ...) ||
                !(place<Out, Given>::has_size(std::get<Out>(to.all), Out, d) && ...))
                return;
            execute<sizeof...(Out)>([&](const diagnosis& what) { d = what; },
                                    {place<Out, Given>::range_of(std::get<Out>(to.all))...}, ports, inputs...);
            if (d.ok())
                (place<Out, Given>::copy(arena_.begin() + Program::template output_port<Out>::offset,
                                         reinterpret_cast<std::byte*>(std::data(std::get<Out>(to.all)))),
                 ...);
        }(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{},
          std::make_integer_sequence<std::int32_t, Program::output_count>{});
        return d.ok();
    }
    /// Executes a run, or calls refuse_with(the reason). to: memory for outputs, which must not overlap any other
    /// memory of the run.
    template <std::size_t Outputs, class Refuse, std::int32_t... In>
    void execute(Refuse refuse_with, const std::array<ahead::detail::memory_range, Outputs>& to,
                 std::integer_sequence<std::int32_t, In...>, const ahead::detail::run_input<Program, In>&... inputs) {
        const ahead::detail::run_underway now(is_running_);
        const auto all = [&]<std::size_t... Out>(std::index_sequence<Out...>) {
            return std::array<ahead::detail::memory_range, sizeof...(In) + Outputs>{
                ahead::detail::memory_range{reinterpret_cast<const std::byte*>(inputs.data()),
                                            sizeof(*inputs.data()) * std::remove_cvref_t<decltype(inputs)>::extent,
                                            Program::template input_port<In>::is_mutated}...,
                to[Out]...};
        }(std::make_index_sequence<Outputs>{});
        if (!now.is_only_one || leases_ != 0 ||
            !ahead::detail::are_free<((Outputs > 0) || ... || Program::template input_port<In>::is_mutated)>(all,
                                                                                                             memory()))
            return refuse_with(refusal_of(all, now.is_only_one));
        const std::array<const std::byte*, sizeof...(In) + 1> externals{
            reinterpret_cast<const std::byte*>(inputs.data())..., Program::plan.states > 0 ? states() : nullptr};
        const runtime::region_bases regions{externals.data(), constants_, arena_.begin()};
        if constexpr (runtime::kernels_refuse<Program>) {
            if (diagnosis d; !execution_.run(regions, &d)) refuse_with(d);
        } else {
            execution_.run(regions, nullptr);
        }
    }
    template <std::int32_t... Out> outputs all_outputs(std::integer_sequence<std::int32_t, Out...>) {
        return outputs{output_at<Out>()...};
    }
    template <std::int32_t Nth> auto output_at() {
        using port = typename Program::template output_port<Nth>;
        return std::tuple_element_t<Nth, outputs>{
            reinterpret_cast<const element_t<port::type.type>*>(arena_.begin() + port::offset), leases_};
    }
    ahead::detail::session_memory memory() const {
        return {{arena_.begin(), bytes}, {constants_, prepared_weights<Program>::bytes}};
    }
    diagnosis held() const { return ahead::detail::held_outputs(leases_); }
    /// The error in a run on these inputs.
    [[gnu::cold]] diagnosis refusal_of(std::span<const ahead::detail::memory_range> inputs, bool is_only_one) const {
        diagnosis d;
        d.op = "run";
        if (!is_only_one) return refuse(d, fault::session_is_running, "one run at a time", "another one underway"), d;
        if (leases_ != 0) return held();
        ahead::detail::refuse_inputs<Program>(inputs, memory(), d);
        return d;
    }

    const std::byte* constants_;
    session_arena arena_;
    std::int32_t leases_ = 0;
    bool is_running_ = false; // used in debug builds only
    [[no_unique_address]] typename Execution::template execution<Program> execution_;
};

} // namespace ahead::runtime

namespace AHEAD_NAMESPACE {
using runtime::in_order, runtime::session;
} // namespace ahead
