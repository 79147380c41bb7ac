// SPDX-License-Identifier: MIT
// A differential run: runs the program's tasks one by one and compares what each task wrote with what the reference
// computes for its ATen nodes. Names the first node whose device result differs: the fault is a wrong kernel,
// converter, fusion or plan. Slow, and allocates: use it to search for faults only.
// Invariant: the device executes the tasks of a session, in the same memory layout, but on one stream in task order,
// which is compatible with every schedule.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/differential/checker.hpp>
#include <ahead/reference/equivalent.hpp>

namespace AHEAD_NAMESPACE::detail {

using task_function = void (*)(const runtime::region_bases&);
template <class Program, std::int32_t... Nth> constexpr auto list_tasks(std::integer_sequence<std::int32_t, Nth...>) {
    return std::array<task_function, sizeof...(Nth)>{&runtime::run_tasks<Program, Nth, Nth + 1>...};
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::differential {

/// Runs Program repeatedly, like a session: states persist from run to run.
template <class Program> class differential_run {
public:
    /// `from` must outlive the object. Throws option_is_out_of_range, and the errors of prepare.
    explicit differential_run(const weights& from, differential_options options = {})
        : options_(options), constants_(prepared_weights<Program>::bytes, alignment),
          scratch_(static_cast<std::size_t>(Program::plan.scratch_bytes), alignment),
          arena_(Program::session::bytes, alignment), value_map_(find_value_map<Program>()) {
        if (diagnosis d;
            !check_tolerances(options, d) ||
            !runtime::place_parameters<Program>(from, {options.strict}, parameters_.data(), constants_.get(), d))
            raise(d);
        reset();
    }

    /// Takes the arguments of a session's run. Updates the inputs that the graph writes; these must not share memory
    /// with others. Compares the results of the passes, the tasks of prepare, the tasks of the run, and the final
    /// results.
    /// Throws what the reference refuses: an operator without a meaning, an index out of range.
    template <class... Inputs> differential_report operator()(Inputs&&... inputs) {
        static_cast<void>(require<detail::checked_inputs<Program, Inputs...>>{});
        if constexpr (detail::checked_inputs<Program, Inputs...>::error.ok() && Program::accepted)
            return run_typed(std::make_integer_sequence<std::int32_t, Program::plan.inputs>{}, inputs...);
        else return {}; // the error was already reported
    }
    /// Runs on tensors generated from `seed` (random_tensor): floating elements in [-1, 1), integers from 0 to 3.
    differential_report on_random_inputs(std::uint64_t seed) {
        std::array<std::vector<std::byte>, static_cast<std::size_t>(Program::plan.inputs) + 1> tensors;
        std::array<const std::byte*, static_cast<std::size_t>(Program::plan.inputs) + 1> externals{};
        const graph_view g = Program::lowered_graph();
        for (node_id id : g) {
            if (g[id].kind == node_kind::call || g[id].kind == node_kind::output) continue;
            const auto& p = Program::plan_view().placements[static_cast<std::size_t>(g[id].values.first)];
            if (p.where != region::input) continue;
            const auto port = static_cast<std::size_t>(p.port);
            const auto& type = g.value_of(id).type;
            tensors[port].resize(static_cast<std::size_t>(extent_of(type)) * bytes_of(type.type) + 1);
            detail::write_tensor(random_tensor(type, seed), type, tensors[port].data());
            externals[port] = tensors[port].data();
        }
        externals.back() = states();
        return run(externals.data());
    }
    /// Resets every state to its value in the weights.
    void reset() { runtime::begin_states<Program>(constants_.get(), states()); }

private:
    static constexpr auto alignment = static_cast<std::size_t>(Program::device.alignment);
    static constexpr std::int32_t tasks = Program::plan.prepare_tasks + Program::plan.run_tasks;

    differential_options options_;
    std::array<const std::byte*, static_cast<std::size_t>(Program::plan.parameters) + 1> parameters_{};
    aligned_memory constants_, scratch_, arena_;
    value_map value_map_;

    std::byte* states() const { return arena_.get() + Program::plan.peak_bytes; }

    template <std::int32_t... Nth>
    differential_report run_typed(std::integer_sequence<std::int32_t, Nth...>,
                                  const detail::run_input<Program, Nth>&... inputs) {
        const std::array<const std::byte*, sizeof...(Nth) + 1> externals{
            reinterpret_cast<const std::byte*>(inputs.data())..., states()};
        return run(externals.data());
    }
    differential_report run(const std::byte* const* externals) {
        static constexpr auto steps = detail::list_tasks<Program>(std::make_integer_sequence<std::int32_t, tasks>{});
        using front = typename Program::optimized;
        const runtime::region_bases preparing{parameters_.data(), constants_.get(), scratch_.get()},
            running{externals, constants_.get(), arena_.get()};
        detail::differential_checker checker(Program::optimized_graph(), Program::lowered_graph(), Program::plan_view(),
                                              value_map_, options_);
        std::vector<host_tensor> inputs, outputs;
        diagnosis d;
        checker.read_inputs(preparing, running, inputs);
        if (!interpret<typename front::registry, detail::table_of_graph<front>>(front::storage.view(), inputs, outputs,
                                                                                d, checker))
            raise(d);
        if constexpr (!std::same_as<typename Program::imported, front>) {
            using before = typename Program::imported;
            std::vector<host_tensor> expected;
            if (!interpret<typename before::registry, detail::table_of_graph<before>>(before::storage.view(), inputs,
                                                                                      expected, d))
                raise(d);
            checker.check_passes(before::storage.view(), expected, outputs);
        }
        for (std::int32_t t = 0; t < tasks; ++t) {
            const auto& memory = t < Program::plan.prepare_tasks ? preparing : running;
            steps[static_cast<std::size_t>(t)](memory);
            checker.check_task(t, memory);
        }
        checker.check_results(running);
        return std::move(checker.report());
    }
};

/// A single differential run: compare_with_reference<program>(weights, x, y).ok(). Throws the same errors.
template <class Program, class... Inputs>
differential_report compare_with_reference(const weights& from, Inputs&&... inputs) {
    return differential_run<Program>(from)(std::forward<Inputs>(inputs)...);
}
template <class Program, class... Inputs>
differential_report compare_with_reference(const differential_options& options, const weights& from,
                                           Inputs&&... inputs) {
    return differential_run<Program>(from, options)(std::forward<Inputs>(inputs)...);
}

} // namespace ahead::differential

namespace AHEAD_NAMESPACE {
using differential::compare_with_reference;
} // namespace ahead
