// SPDX-License-Identifier: MIT
// The members of a program that depend only on its device graph and its plan, however these were made: its ports,
// prepare and session. Part of compiled_graph (compiled.hpp), and a base of written_program (aot/written_program.hpp).
// Invariant: two programs of equal graphs and plans have equal ports. Program defines lowered_graph(), plan_view(),
// plan, device and accepted, as constants.
#pragma once
#include <ahead/device/assign.hpp>
#include <ahead/runtime/session.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The required type of user input `port`.
constexpr tensor_type input_type(graph_view g, plan_view plan, std::int32_t port) {
    for (node_id id : g)
        if (const auto& p = plan.placements[static_cast<std::size_t>(g[id].values.first)];
            p.where == region::input && p.port == port)
            return g.value_of(id).type;
    return {};
}

/// Whether a run writes user input `port`.
constexpr bool is_written(graph_view g, plan_view plan, std::int32_t port) {
    if (plan.summary.inputs_written == 0) return false;
    for (node_id id : g)
        if (const auto& n = g[id]; device::is_assign(n))
            if (const auto& p =
                    plan.placements[static_cast<std::size_t>(g.value_of(g.argument_of(n, 0)).storage.index)];
                p.where == region::input && p.port == port)
                return true;
    return false;
}

constexpr runtime::prepare_input find_state(array_view<const runtime::prepare_input> all, std::string_view name) {
    for (const auto& p : all)
        if (p.state_at >= 0 && p.name == name) return p;
    return {};
}
constexpr diagnosis check_state(const runtime::prepare_input& found, std::string_view name) {
    diagnosis d;
    d.op = "state";
    if (found.state_at < 0) refuse(d, fault::state_is_unknown, "a weight that the graph writes", name);
    return d;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

template <class Program> struct planned_program {
    template <std::int32_t Nth> struct input_port {
        static constexpr tensor_type type =
            ahead::detail::input_type(Program::lowered_graph(), Program::plan_view(), Nth);
        /// Whether a run writes it: then it takes a non-const tensor of the caller, which holds the new value
        /// afterwards.
        static constexpr bool is_mutated =
            ahead::detail::is_written(Program::lowered_graph(), Program::plan_view(), Nth);
    };
    template <std::int32_t Nth> struct output_port {
        static constexpr graph_view g = Program::lowered_graph();
        static constexpr const value& source = g.value_of(g.argument_of(g[g.last()], Nth));
        static constexpr tensor_type type = [] {
            auto own = source.type;
            own.offset = 0;
            return own;
        }();
        static constexpr std::int64_t offset =
            runtime::detail::address_of(g, Program::plan_view(), source, false).offset;
    };

    /// A weight that the graph writes, by its name in the weights: the offset of a session's value of it, in bytes from
    /// the start of its states.
    template <fixed_string Name> struct state_port {
        static constexpr runtime::prepare_input found =
            ahead::detail::find_state(runtime::parameters<Program>::made.all, Name.view());
        static constexpr tensor_type type = found.type;
        static constexpr std::int64_t offset = found.state_at;
        static constexpr diagnosis error = Program::accepted ? ahead::detail::check_state(found, Name.view())
                                                             : diagnosis{}; // other faults were reported
    };

    /// Checks names, shapes and dtypes of all weights, then runs the prepare program: folds, packs, copies. Throws
    /// ahead::error. With {.strict = false} weights with unknown names are ignored.
    static prepared_weights<Program> prepare(const weights& from = {}, runtime::prepare_options options = {}) {
        return prepared_weights<Program>(from, options);
    }
    /// The same, but returns the error instead of throwing it.
    static result<prepared_weights<Program>> try_prepare(const weights& from = {},
                                                         runtime::prepare_options options = {}) {
        return prepared_weights<Program>::make(from, options);
    }
    static result<prepared_weights<Program>> try_prepare(const weights& from, std::span<std::byte> memory,
                                                         runtime::prepare_options options = {}) {
        return prepared_weights<Program>::make(from, memory, options);
    }
    using session = runtime::session<Program>;
};

} // namespace ahead::compile
