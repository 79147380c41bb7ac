// SPDX-License-Identifier: MIT
// Which calls of a graph have kernels, as a table of tab-separated values: one line per operator, in the order of first
// use, with its status, its number of calls, and a histogram of the types of its operands and results.
//     supported     every call runs on kernels, or needs none: a view, or a number for an attribute
//     partial       some calls, or parts of one, run on the AI CPU or not at all
//     AI CPU        every call runs the operator's meaning, element by element
//     missing       no call runs: the last column has the reason
//     untyped       no call is known to run, because it reads a missing result and has no printed type
// Calls in blocks count like others.
// Invariant: any graph has a table, even one that does not compile: a call that cannot be typed has its printed type,
// or counts as missing. At run time; nothing is added to the compiled program. Source: the summary of TorchAir's
// fx_summary.
#pragma once
#include <ahead/compile/lowering_outcome.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/print/text_sink.hpp>
#include <string>
#include <utility>

namespace AHEAD_NAMESPACE::printers {

/// One operator of a graph: its number of calls, what they run on, and their types.
struct coverage_row {
    std::string op;
    std::int32_t calls = 0, on_kernels = 0, on_ai_cpu = 0, on_both = 0, untyped = 0; // the other calls do not run
    std::int32_t decomposed = 0; // how many of the calls that run are decomposed first
    std::vector<std::pair<std::string, std::int32_t>> inputs, outputs;
    std::string why; // why the first call that does not run is refused

    std::int32_t running() const { return on_kernels + on_ai_cpu + on_both; }
    std::string_view status() const {
        if (on_kernels == calls) return "supported";
        if (on_ai_cpu == calls) return "AI CPU";
        if (untyped == calls) return "untyped";
        return running() == 0 ? "missing" : "partial";
    }
};

} // namespace ahead::printers
namespace AHEAD_NAMESPACE::detail {

using type_histogram = std::vector<std::pair<std::string, std::int32_t>>;
inline void count_types(type_histogram& histogram, const std::string& types) {
    for (auto& [known, times] : histogram)
        if (known == types) {
            ++times;
            return;
        }
    histogram.emplace_back(types, 1);
}
inline std::string print(const type_histogram& histogram) {
    std::string out;
    for (const auto& [types, times] : histogram)
        out.append(out.empty() ? "" : "; ").append(std::to_string(times)).append(" x (").append(types).append(")");
    return out;
}

inline void add_type(std::string& out, graph_view g, const argument& a) {
    if (!out.empty()) out.append(", ");
    const bool typed = a.result < g[a.node()].values.count && g.value_of(a).kind == value_kind::tensor;
    out.append(typed ? ahead::print(g.value_of(a).type).view() : std::string_view("?"));
}

/// Infers types where possible; other values get their printed type, if any. `errors`: by node.
inline void type_leniently(graph g, op_table ops, std::vector<diagnosis>& errors) {
    for (node_id id : g) {
        auto& n = g[id];
        auto& d = errors[static_cast<std::size_t>(id.index)];
        if (n.kind == node_kind::output || (n.kind != node_kind::call && g.is_typed(id))) continue;
        if (n.kind == node_kind::call && infer_node(g, ops, id, d)) continue;
        annotation printed;
        diagnosis ignored;
        if (n.annotation.empty() || n.values.count > 0 || !read_annotation(n.annotation, printed, ignored) ||
            !reserve_values(g, id, 1, ignored))
            continue;
        g.value_of(id) = {value_kind::tensor, printed.type, n.values[0]};
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// The rows of any graph, parsed or traced, for the converters of Tools; `ops` are the operators that it was parsed
/// with.
template <class Tools = toolchain<>> std::vector<coverage_row> list_coverage(graph_view given, op_table ops) {
    const auto& used = given.header().used;
    const capacity room{used.nodes * 2 + 16, used.arguments * 2 + 64,
                        given.room().values + 4 * used.values + 16 * used.nodes};
    heap_storage storage(room);
    copy_graph(given, storage.edit());
    std::vector<diagnosis> errors(static_cast<std::size_t>(storage.nodes.size()));
    detail::type_leniently(storage.edit(), ops, errors);
    bool all_typed = true;
    for (const auto& d : errors) all_typed = all_typed && d.ok();
    if (all_typed && has_in_place(storage.view(), ops)) { // as it will run, if it can be made functional
        heap_storage functional(room);
        copy_graph(storage.view(), functional.edit());
        if (diagnosis d; pass::functionalise(functional.edit(), ops, d)) storage = std::move(functional);
    }
    const auto g = storage.view();
    fixed_buffer<bool> constant(storage.values.size());
    const mutated_weights written(g);
    std::vector<coverage_row> rows;
    const auto is_result = [&](const argument& a) { return a.result < g[a.node()].values.count; }; // typed, so far
    std::vector<node_id> all;
    for_each_graph(g, [&](graph_view in) {
        for (node_id id : in) all.push_back(id);
        return true;
    });
    for (node_id id : all) {
        const auto& n = g[id];
        bool known = is_constant_weight(g, id, written);
        if (n.kind == node_kind::call) {
            known = for_each_operand(g, n.arguments, [&](const argument& a) {
                return is_result(a) && constant[g[a.node()].values.first + a.result];
            });
        }
        for (std::int32_t k = 0; k < n.values.count; ++k) constant[n.values.first + k] = known;
        if (n.kind != node_kind::call || n.target == "operator.getitem") continue;

        coverage_row* row = nullptr;
        for (auto& r : rows)
            if (r.op == n.target) row = &r;
        if (row == nullptr) {
            row = &rows.emplace_back();
            row->op = n.target;
        }
        ++row->calls;
        std::string types;
        for_each_operand(g, n.arguments, [&](const argument& a) { detail::add_type(types, g, a); });
        detail::count_types(row->inputs, types);
        types.clear();
        for (std::int32_t k = 0; k < n.values.count || k == 0; ++k) detail::add_type(types, g, argument::of(id, k));
        detail::count_types(row->outputs, types);

        if (n.op.exists() && !for_each_operand(g, n.arguments, is_result)) {
            ++row->untyped;
            if (row->why.empty()) row->why = "reads what has no type";
            continue;
        }
        if (n.op.exists() && n.use_count == 0 && ops[static_cast<std::size_t>(n.op.index)].effect.gives_number &&
            errors[static_cast<std::size_t>(id.index)].ok()) {
            ++row->on_kernels;
            continue;
        }
        auto outcome = n.op.exists() ? compile::find_lowering_outcome<Tools>(g, id, ops, constant.all())
                                     : compile::lowering_outcome{};
        if (!n.op.exists()) refuse(outcome.error, fault::operator_is_unknown);
        if (outcome.error.ok()) {
            ++(outcome.has_kernels && outcome.uses_ai_cpu ? row->on_both
               : outcome.has_kernels                   ? row->on_kernels
                                                    : row->on_ai_cpu);
            row->decomposed += outcome.is_decomposed;
        } else if (row->why.empty()) {
            const auto& d = errors[static_cast<std::size_t>(id.index)].ok()
                                ? outcome.error
                                : errors[static_cast<std::size_t>(id.index)];
            row->why.append(name_of(d.what));
            if (n.from.line > 0) row->why.append(", line ").append(std::to_string(n.from.line));
        }
    }
    return rows;
}

/// The same as a table.
template <class Tools = toolchain<>, text_sink Sink> void print_coverage(graph_view given, op_table ops, Sink& out) {
    out.append("operator\tstatus\tcalls\tinputs\toutputs\twhy\n");
    for (const auto& row : list_coverage<Tools>(given, ops)) {
        out.append(row.op);
        out.append("\t");
        out.append(row.status());
        out.append("\t");
        out.append(std::to_string(row.calls));
        out.append("\t");
        out.append(detail::print(row.inputs));
        out.append("\t");
        out.append(detail::print(row.outputs));
        out.append("\t");
        out.append(row.why);
        out.append("\n");
    }
}

/// The table of a graph that need not compile: print_coverage<fx<source>>(out), print_coverage<net, my_tools>(out).
template <const auto& Net, class Tools = toolchain<>, text_sink Sink> void print_coverage(Sink& out) {
    using front = std::remove_cvref_t<decltype(Net)>;
    print_coverage<Tools>(front::storage.view(), front::registry::table, out);
}

/// The table of a compiled program, from its functional graph.
template <class Program, text_sink Sink>
    requires requires { typename Program::imported; }
void print_coverage(Sink& out) {
    using imported = typename Program::imported;
    print_coverage<typename Program::tools>(imported::storage.view(), imported::registry::table, out);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::list_coverage, printers::print_coverage;
} // namespace ahead
