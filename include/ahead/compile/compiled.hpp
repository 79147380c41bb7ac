// SPDX-License-Identifier: MIT
// compiled<net>: the whole way from a graph to a program, one named constant per stage:
//     captured (ATen, typed) -> optimized (after passes) -> lowered (device) -> plan -> prepare() and session.
// A fault in any stage is one compile error; the program after it is empty. `net` is the result of trace() or fx<>.
#pragma once
#include <ahead/air/check_streams.hpp>
#include <ahead/compile/graph_summary.hpp>
#include <ahead/compile/plan_stages.hpp>
#include <ahead/compile/planned_program.hpp>
#include <ahead/core/require.hpp>
#include <ahead/plan/check_program.hpp>
#include <ahead/runtime/launch/instantiate_kernels.hpp>

namespace AHEAD_NAMESPACE::detail {

template <class Front> constexpr diagnosis streams_fault() {
    diagnosis d;
    if (Front::error.ok()) air::check_streams(Front::storage.view(), d);
    return d;
}

template <class Tools> constexpr diagnosis check_options() {
    diagnosis d;
    static_cast<void>(pass::check_config(Tools::options, d) && pass::check_cores(Tools::options, Tools::device, d));
    return d;
}

constexpr diagnosis check_device(const machine::device& on) {
    diagnosis d;
    plan::check_device(on, d);
    return d;
}
template <class Tools> struct device_of {
    static constexpr diagnosis error = check_device(Tools::device);
};
/// Whether a trace was refused where it was written.
template <class Front> inline constexpr bool is_refused_trace = requires { Front::returned; };
/// The number of outputs of a refused graph: one if it is not known.
template <class Front> constexpr std::int32_t returned_by() {
    if constexpr (is_refused_trace<Front>) return Front::returned;
    else {
        const graph_view g = Front::storage.view();
        if (!g.last().exists() || g[g.last()].kind != node_kind::output || g[g.last()].arguments.count == 0) return 1;
        std::int32_t count = 0;
        for_each_operand(g, g[g.last()].arguments, [&](const argument& a) { count += !a.writes.exists(); });
        return count;
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// The program of Front.
template <compilable Front, class Given = toolchain<>> struct compiled_graph : require<Front> {
    using tools = typename ahead::detail::kept_toolchain<Given>::type;
    using imported = ahead::detail::functional<Front>;
    using optimized = ahead::detail::optimized<Front, tools>;
    using passes = compile::passes_of<tools>;
    using device_passes = ahead::detail::device_passes_of<tools>;
    using device_registry = typename tools::device_registry;
    using operators = ahead::detail::used_operators<ahead::detail::lowered_graph_of<optimized, tools>>;

    /// The program of a block that a call of the optimized graph holds, by its number there.
    template <std::int64_t Block>
    using compiled_block = ahead::detail::compiled_block<optimized, tools, static_cast<std::int32_t>(Block)>;
    template <std::int64_t Block>
    using held_block [[deprecated("it is called compiled_block")]] = compiled_block<Block>;

    /// The needs of these blocks.
    static constexpr const auto& block_list = ahead::detail::needs_of_blocks<optimized, tools>;

    /// The ATen graph, as written or parsed.
    static constexpr graph_view captured() { return Front::storage.view(); }

    /// The ATen graph that is converted: functional, and after all passes.
    static constexpr graph_view optimized_graph() { return optimized::storage.view(); }

    /// The device graph.
    static constexpr const auto& lowered = ahead::detail::lowered_of<optimized, tools>;
    static constexpr graph_view lowered_graph() { return lowered.graph.view(); }
    /// By value of the optimized graph: the value of the lowered graph that it became, before the passes over that
    /// graph, which may have erased its node. device_value{}: none, it is a part of a larger step.
    static constexpr array_view<const convert::device_value> device_values() {
        return {lowered.made.data(), lowered.made.size()};
    }
    /// The needs of each node's kernel, for the planner.
    static constexpr const auto& needs =
        ahead::detail::needs_in<ahead::detail::lowered_graph_of<optimized, tools>>.needs;
    static constexpr const auto& alike =
        ahead::detail::needs_in<ahead::detail::lowered_graph_of<optimized, tools>>.alike;

    struct lowering {
        static constexpr source_text source = ahead::detail::source_of<Front>();
        static constexpr diagnosis options_error = ahead::detail::check_options<tools>();
        static constexpr diagnosis streams_error = ahead::detail::streams_fault<Front>();
        static constexpr const diagnosis& needs_error =
            ahead::detail::needs_in<ahead::detail::lowered_graph_of<optimized, tools>>.error;
        static constexpr diagnosis none{};
        static constexpr const diagnosis& error = !Front::error.ok() || tools::operators::is_refused
                                                      ? none // was reported
                                                  : !options_error.ok()    ? options_error
                                                  : !streams_error.ok()    ? streams_error
                                                  : !imported::error.ok()  ? imported::error
                                                  : !optimized::error.ok() ? optimized::error
                                                  : !lowered.error.ok()    ? lowered.error
                                                  : !needs_error.ok()      ? needs_error
                                                                           : ahead::detail::device_of<tools>::error;
    };
    static_assert(sizeof(require<lowering>) > 0);
    /// The device graph in the form that typed_graph takes: typed_graph<program::device_graph>::node<"mm">.
    struct device_graph {
        using registry = device_registry;
        static constexpr const auto& storage = lowered.graph;
        static constexpr const diagnosis& error = lowering::error;
    };
    static constexpr bool accepted = Front::error.ok() && !ahead::detail::is_refused_trace<Front> &&
                                     !tools::operators::is_refused && imported::error.ok() && optimized::error.ok() &&
                                     lowering::error.ok();

    static constexpr capacity used = lowered.graph.header.used;
    static constexpr auto planned = ahead::detail::plan_of<optimized, tools, accepted>();
    static constexpr plan::plan_view plan_view() { return planned.view(); }
    struct planning {
        static constexpr source_text source = lowering::source;
        static constexpr diagnosis error =
            accepted ? ahead::detail::check_plan(lowered_graph(), needs, planned.view(), block_list, tools::device,
                                                 tools::options.most_streams())
                     : diagnosis{};
    };
    static_assert(sizeof(require<planning>) > 0);

    /// Sizes in bytes and numbers of tasks: plan.peak_bytes, plan.constant_bytes, plan.run_tasks, ... plan.timeline and
    /// plan.makespan are the time on the toolchain's device, computed only if they are used (compile/timing.hpp).
    static constexpr plan_summary_with<timed_plan<compiled_graph>> plan{planned.summary, {}};
    static constexpr const machine::device& device = tools::device;
    /// The sizes that a caller that provides the memory needs: summary.const_memory_bytes,
    /// summary.feature_memory_bytes, ...
    static constexpr graph_summary summary = summarize(planned.summary, tools::device);

    static constexpr std::int32_t output_count =
        accepted ? lowered_graph()[lowered_graph().last()].arguments.count : ahead::detail::returned_by<Front>();

    // The members of planned_program: named here, because clang does not look into the base of a refused program.
    using ports = planned_program<compiled_graph>;
    template <std::int32_t Nth> using input_port = typename ports::template input_port<Nth>;
    template <std::int32_t Nth> using output_port = typename ports::template output_port<Nth>;
    template <fixed_string Name> using state_port = typename ports::template state_port<Name>;
    using session = typename ports::session;
    static prepared_weights<compiled_graph> prepare(const weights& from = {}, runtime::prepare_options options = {}) {
        return ports::prepare(from, options);
    }
    static result<prepared_weights<compiled_graph>> try_prepare(const weights& from = {},
                                                                runtime::prepare_options options = {}) {
        return ports::try_prepare(from, options);
    }
    static result<prepared_weights<compiled_graph>> try_prepare(const weights& from, std::span<std::byte> memory,
                                                                runtime::prepare_options options = {}) {
        return ports::try_prepare(from, memory, options);
    }
};

/// compiled<net>, where net is the object that trace(...) or fx<...> is.
template <const auto& Net, class Tools = toolchain<>>
    requires compilable<std::remove_cvref_t<decltype(Net)>>
using compiled = compiled_graph<std::remove_cvref_t<decltype(Net)>, Tools>;

} // namespace ahead::compile

namespace AHEAD_NAMESPACE {
using compile::compiled, compile::compiled_graph;
} // namespace ahead
