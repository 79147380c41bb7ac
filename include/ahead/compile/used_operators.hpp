// SPDX-License-Identifier: MIT
// The device operators that one graph calls, out of a registry, and their kernels' needs for the planner. Called by
// plan_stages.hpp, inspect.hpp and aot/.
// Invariant: operators that the graph does not call are not instantiated.
#pragma once
#include <ahead/compile/equal_calls.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/kernel_needs.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <array>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

using needs_function = device::kernel_needs (*)(const call_view&);

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
/// The header that has the operator's kernel, if ahead.hpp does not include it.
template <class Op> constexpr std::string_view kernel_header_of() {
    if constexpr (requires { Op::kernel_header; }) return Op::kernel_header;
    else return {};
}
template <class Op> inline constexpr bool has_kernel = requires { sizeof(kernels::kernel_for<Op>); };
/// Whether a call has a kernel on Eigen's expressions that is not included.
template <class Op> constexpr bool lacks_eigen_kernel([[maybe_unused]] const call_view& c) {
    if constexpr (device::may_be_on_eigen<Op> && !requires { sizeof(kernels::has_eigen_kernel<Op>); })
        return device::is_on_eigen<Op>(c);
    else return false;
}

/// The device operators that a graph calls, each once; Graph::storage is the graph. Only their structs are
/// instantiated.
template <class Graph> struct used_operators {
    using registry = typename Graph::registry;
    static constexpr auto numbered = number_operators<registry::size>(Graph::storage.view());
    static constexpr auto ids = [] {
        std::array<op_id, static_cast<std::size_t>(numbered.count)> used{};
        for (std::int32_t place = 0; place < static_cast<std::int32_t>(registry::size); ++place)
            if (numbered.number[place] != 0) used[static_cast<std::size_t>(numbered.number[place] - 1)] = {place};
        return used;
    }();
    template <std::size_t Nth> using op = op_of<registry, registry::position_of(ids[Nth])>;

    struct row {
        needs_function needs;
        bool has_kernel;
        std::string_view kernel_header;
        bool (*lacks_eigen)(const call_view&);
    };
    static constexpr auto rows = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return std::array<row, sizeof...(Nth)>{
            row{&device::needs_of<op<Nth>>, has_kernel<op<Nth>>, kernel_header_of<op<Nth>>(),
                &lacks_eigen_kernel<op<Nth>>}...};
    }(std::make_index_sequence<ids.size()>{});
};

/// An operator in the form that list_needs reads.
struct needs_row {
    op_row op; // its type rule is not used
    needs_function needs;
};
/// By node of a device graph: the needs of its kernel, and the first node that is alike.
struct needs_list {
    std::vector<device::kernel_needs> needs;
    std::vector<std::int32_t> alike;
};
/// The needs of a typed device graph, for the planner and the cost model. row_of: an operator's needs_row.
template <class RowOf> constexpr needs_list list_needs(graph_view g, RowOf row_of, diagnosis& d) {
    const auto nodes = static_cast<std::size_t>(g.header().used.nodes);
    needs_list out{std::vector<device::kernel_needs>(nodes), std::vector<std::int32_t>(nodes)};
    compile::equal_calls classes(g);
    for (node_id id : g) {
        const auto own = static_cast<std::size_t>(id.index);
        const auto first = classes.add(id);
        out.alike[own] = first.index;
        if (g[id].kind != node_kind::call) continue;
        if (first != id) {
            out.needs[own] = out.needs[static_cast<std::size_t>(first.index)];
            continue;
        }
        const auto& row = row_of(g[id].op);
        out.needs[own] = row.needs(typed_call(g, id, row.op, d));
    }
    return out;
}

} // namespace ahead::detail
