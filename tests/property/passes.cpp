// Every built-in pass on random graphs. Laws: the graph is verified after it, returns tensors of the same types, and means the same; a pass that
// says it does not apply changes nothing; run again it changes nothing. The coverage is printed; a pass that hardly ever fires fails the test.
// AHEAD_LONG=1 runs ten times as many graphs.
// fold_batch_norm needs convolutions: its random graphs are in unit/pass/fold_batch_norm.cpp.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "random_graph.hpp"

#include <ahead/reference/equivalent.hpp>
#include <ahead/core/fault_names.hpp>
#include <ahead/frontend/fx/read_fx.hpp>
#include <ahead/pass/builtin.hpp>
#include <ahead/ir/verify.hpp>
#include <ahead/pass/functionalise.hpp>

#include <cstdlib>
#include <iostream>

using namespace ahead;
using namespace test;

namespace {

constexpr op_table op_rows = aten::registry::table;
int graphs = 1000;

bool complain(const diagnosis& d, std::string_view what, std::string_view text) {
    std::cout << what << ": " << name_of(d.what) << " at '" << d.name.view() << "': expected " << d.expected.view() << ", found "
              << d.found.view() << '\n'
              << text;
    return check(false);
}

// Runs the passes on a copy; how often they changed it.
template <class Pipeline>
std::int32_t run_on(Pipeline passes, graph_view before, std::string_view text, std::uint64_t seed) {
    const config options;
    const bool applies = pass::any_applies(passes, options, before, op_rows);
    heap_storage copy(pass::room_for_passes(passes, before, op_rows, before.header().used));
    copy_graph(before, copy.edit());
    diagnosis d;
    std::int32_t changes = 0;
    const auto count = [&](std::string_view, graph_view, std::int32_t more) { changes += more; };
    if (!pass::run(passes, options, copy.edit(), op_rows, d, count)) return complain(d, "a pass", text), 0;
    if (!applies && !check(changes == 0, "a pass that does not apply changed something")) std::cout << text;
    if (changes > 0 && !equivalent(before, copy.view(), seed, d)) complain(d, "not equivalent", text);
    const auto first = changes;
    std::string_view again;
    if (!pass::run(passes, options, copy.edit(), op_rows, d, [&](std::string_view name, graph_view, std::int32_t more) {
            changes += more;
            if (more > 0) again = name;
        }))
        return complain(d, "a pass, again", text), 0;
    if (!check(changes == first, again)) std::cout << text;
    return first;
}

int views = 0, views_of_views = 0, broadcasts = 0, promotions = 0;

// What the graph holds. A pure call that reads two tensors of other sizes, or of other dtypes, broadcasts or promotes.
void count_kinds(graph_view g) {
    bool view = false, view_of_view = false, broadcast = false, promotes = false;
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind != node_kind::call || n.values.count != 1) continue;
        const auto is_view = [&](node_id of) {
            return g[of].kind == node_kind::call && g.value_of(of).storage != g[of].values[0] && op_rows[static_cast<std::size_t>(g[of].op.index)].effect.mutates < 0;
        };
        const argument* first = n.arguments.count > 0 ? &g.argument_of(n, 0) : nullptr;
        const argument* second = n.arguments.count > 1 ? &g.argument_of(n, 1) : nullptr;
        if (first == nullptr || first->kind != argument_kind::node) continue;
        if (is_view(id)) {
            view = true;
            view_of_view = view_of_view || is_view(first->node());
        }
        if (second == nullptr || second->kind != argument_kind::node || n.target == "aten.mm.default" ||
            op_rows[static_cast<std::size_t>(n.op.index)].effect.mutates >= 0)
            continue;
        const auto &a = g.value_of(*first).type, &b = g.value_of(*second).type;
        broadcast = broadcast || sizes_of(a) != sizes_of(b);
        promotes = promotes || a.type != b.type;
    }
    views += view;
    views_of_views += view_of_view;
    broadcasts += broadcast;
    promotions += promotes;
}

} // namespace

int main() {
    if (const char* const asked = std::getenv("AHEAD_LONG"); asked != nullptr && std::string_view(asked) == "1") graphs = 10000;
    int fired[4]{}, in_place = 0, writes_inputs = 0, calls_before = 0, calls_after = 0;
    for (int seed = 0; seed < graphs; ++seed) {
        const auto text = write_graph(static_cast<std::uint64_t>(seed));
        const std::string_view view(text.text.data(), text.size);
        heap_storage parsed(count_fx(view));
        diagnosis d;
        fx_style style;
        if (!read_fx(view, op_rows, parsed.edit(), style, d) || !infer_types(parsed.edit(), op_rows, d)) return complain(d, "a text", view), 1;
        in_place += has_in_place(parsed.view(), op_rows);
        count_kinds(parsed.view());
        heap_storage functional(pass::room_to_functionalise(parsed.view(), op_rows));
        const auto g = functional.edit();
        copy_graph(parsed.view(), g);
        if (!pass::functionalise(g, op_rows, d) || !verify(g, d)) return complain(d, "functionalise", view), 1;
        if (!equivalent(parsed.view(), functional.view(), 11, d)) complain(d, "functionalise", view);
        writes_inputs += [&] {
            for (std::int32_t i = 0; i < g.header().used.arguments; ++i)
                if (g[argument_id{i}].writes.exists()) return true;
            return false;
        }();
        fired[0] += run_on(pass::pipeline<pass::remove_noop_ops_pass>{}, g, view, 7) > 0;
        fired[1] += run_on(pass::pipeline<pass::eliminate_duplicates_pass>{}, g, view, 8) > 0;
        fired[2] += run_on(pass::pipeline<pass::eliminate_dead_code_pass>{}, g, view, 9) > 0;
        fired[3] += run_on(pass::builtin, g, view, 10) > 0;
        check(true);
        calls_before += g.header().live_nodes;
        heap_storage after(pass::room_for_passes(pass::builtin, g, op_rows, g.header().used));
        copy_graph(g, after.edit());
        pass::run(pass::builtin, config{}, after.edit(), op_rows, d);
        calls_after += after.view().header().live_nodes;
    }
    std::cout << "graphs that hold views " << views << ", views of views " << views_of_views << ", broadcasts " << broadcasts << ", promotion "
              << promotions << ", in-place operators " << in_place << '\n';
    for (int count : {views, views_of_views, broadcasts, promotions, in_place}) check(count >= graphs / 5);
    std::cout << graphs << " graphs, " << in_place << " with in-place operators, " << writes_inputs << " that write inputs; fired on: remove_noop_ops " << fired[0]
              << ", eliminate_duplicates " << fired[1] << ", eliminate_dead_code " << fired[2] << ", all " << fired[3] << "; nodes "
              << calls_before << " -> " << calls_after << '\n';
    for (int count : fired) check(count >= graphs / 5);
    check(writes_inputs >= graphs / 5);
    return report();
}
