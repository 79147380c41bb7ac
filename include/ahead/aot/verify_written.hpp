// SPDX-License-Identifier: MIT
// The verifier applied to a written program exactly as its sources contain it. Called by the tests that generate/
// writes with them.
// Invariant: nothing that is verified is computed here: graph, plan and addresses are those of the sources.
#pragma once
#include <ahead/aot/written_program.hpp>
#include <ahead/core/error.hpp>
#include <ahead/plan/check_program.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// The operators of a written program. Their type rules are omitted: otherwise the rules of all operators would be
/// compiled.
template <class Operators, std::size_t... Nth> constexpr auto rows_of_written(std::index_sequence<Nth...>) {
    return std::array<needs_row, sizeof...(Nth)>{
        needs_row{{Operators::template op<Nth>::name, Operators::template op<Nth>::schema, nullptr, {}},
                  &device::needs_of<typename Operators::template op<Nth>>}...};
}

/// Of a program or a block: the error in its plan, or in the plan of a block in it.
template <class Written, class Tools> constexpr diagnosis verify_plan_of() {
    diagnosis d;
    using operators = used_operators<written_front<Written::lowered, typename Tools::device_registry>>;
    using blocks = typename blocks_of_written<Written>::type;
    constexpr auto rows = rows_of_written<operators>(std::make_index_sequence<operators::ids.size()>{});
    const auto all = list_needs(
        Written::lowered.view(),
        [&](op_id op) -> const auto& {
            return rows[static_cast<std::size_t>(operators::numbered.number[op.index] - 1)];
        },
        d);
    if (d.ok())
        d = check_plan(Written::lowered.view(), {all.needs.data(), all.needs.size()}, Written::planned.view(),
                       blocks::needs, Tools::device, Tools::options.most_streams());
    if (d.ok()) blocks::for_each([&]<class Block>() { return (d = verify_plan_of<Block, Tools>()).ok(); });
    return d;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::aot {

/// The error in its plan, for its graph, device and options. Also usable at compile time:
///     static_assert(ahead::verify_plan<digits::program>().ok());
template <class Program> constexpr diagnosis verify_plan() {
    return ahead::detail::verify_plan_of<typename Program::sources, typename Program::tools>();
}
/// The same, or a task that reads or writes at other addresses than the plan says (plan_is_broken). At run time.
template <class Program> diagnosis verify_written() {
    const auto g = Program::lowered_graph();
    const auto plan = Program::plan_view();
    auto d = verify_plan<Program>();
    for (std::int32_t t = 0; d.ok() && t < plan.summary.prepare_tasks + plan.summary.run_tasks; ++t) {
        runtime::address written;
        std::int32_t next = 0, addresses = Program::written_address(t, 0, written, d);
        runtime::detail::for_each_address(g, plan, t, [&](const runtime::address& planned) {
            const auto at = next++;
            addresses = Program::written_address(t, at, written, d);
            if (!d.ok() || (at < addresses && written == planned)) return;
            refuse_at(d, g[plan.tasks.data()[t].node], fault::plan_is_broken,
                      short_text("address ") << at << " of its task " << planned.offset << " bytes into its region",
                      at < addresses ? short_text() << written.offset : short_text("none"));
        });
        if (d.ok() && next != addresses)
            refuse_at(d, g[plan.tasks.data()[t].node], fault::plan_is_broken, short_text() << next << " addresses",
                      short_text() << addresses);
    }
    return d;
}

} // namespace ahead::aot

namespace AHEAD_NAMESPACE {
using aot::verify_plan, aot::verify_written;
} // namespace ahead
