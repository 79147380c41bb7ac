// Random graphs with branches in branches, loops and scans: the program that is planned for each gives what the reference gives, whatever the predicates are, in the
// plan's order and in others that it allows; every plan, of graphs and of blocks, is verified, and no number of what a call says of its blocks can be another one.
// AHEAD_LONG=1: ten times as many.
// SPDX-License-Identifier: MIT
#include "../branches.hpp"
#include "../harness.hpp"
#include "../plan_execution.hpp"

#include <ahead/core/error.hpp>
#include <ahead/reference/interpreter.hpp>

#include <cstdlib>

using namespace ahead;
using namespace test;

namespace {

int branches = 0, nested = 0, graphs_that_nest = 0, loops = 0, runs = 0, longest = 0, mutated = 0, caught = 0;

bool is_same(const host_tensor& a, const host_tensor& b) {
    bool same = sizes_of(a.type) == sizes_of(b.type);
    if (same)
        for_each_index(sizes_of(a.type), [&](const int_list& at) {
            const auto x = a.get<double>(at), y = b.get<double>(at);
            same = same && (x == y || (x != x && y != y));
        });
    return same;
}
/// The numbers that device calls say of blocks, one after the other another one.
void mutate(const compile::inspected_graph& made) {
    for (const auto& one : made.blocks) mutate(one);
    heap_storage copy(made.lowered_graph().header().used);
    copy_graph(made.lowered_graph(), copy.edit());
    const auto needs = made.needs_of_blocks();
    const auto g = copy.edit();
    diagnosis d;
    if (!check(check_blocks(g, needs, d), render(d))) return;
    for (node_id id : g) {
        const auto& n = g[id];
        const bool holds = n.target == device::cond::name || n.target == device::while_loop::name || n.target == device::scan::name;
        if (n.kind != node_kind::call || (!holds && n.target != device::prepare_block::name)) continue;
        for (std::int32_t i = 1; i < n.arguments.count; ++i) {
            // Said by the ATen graph and not by blocks: how many are carried, sliced, stepped over, and how long a bounded loop is said to take.
            if (n.target == device::scan::name && i != device::scan::combine && i != device::scan::arena) continue;
            if (n.target == device::while_loop::name && (i == device::while_loop::ticks || i == device::while_loop::bound)) continue;
            auto& a = g.argument_of(n, i);
            const auto own = a.bits;
            for (const std::int64_t other : {own - 1, own + 1, own + 64, std::int64_t{-1}, std::int64_t{1} << 40}) {
                a.bits = other;
                ++mutated;
                diagnosis why;
                caught += !check_blocks(g, needs, why);
            }
            a.bits = own;
        }
    }
}
void run_seed(std::uint32_t seed) {
    const branched_graph graph(seed);
    branches += graph.branches();
    nested += graph.nested();
    graphs_that_nest += graph.nested() > 0;
    loops += graph.loops();
    auto options = meaning_tools::options;
    std::mt19937 random(seed);
    options.streams = 1 + static_cast<std::int32_t>(random() % 3);
    const auto made = inspect_fx<meaning_tools>(graph.text(), options);
    if (!check(made.error.ok(), render(made.error) + "\n" + graph.text())) return;
    mutate(made);
    for (int which = 0; which < 4; ++which) {
        std::vector<host_tensor> inputs, wanted;
        for (const auto& sizes : {int_list{2, 3}, int_list{2, 3}, int_list{3}}) {
            host_tensor t(tensor_of(dtype::f32, sizes));
            for (std::int64_t i = 0; i < t.data.size(); ++i) t.data.put(i, static_cast<double>(random() % 2000) * 1e-3 - 1);
            inputs.push_back(t);
        }
        for (int bit = 0; bit < 2; ++bit) {
            inputs.emplace_back(tensor_of(dtype::b8, {}));
            inputs.back().data.put(0, (which >> bit & 1) != 0);
        }
        inputs.emplace_back(tensor_of(dtype::i64, {}));
        inputs.back().data.put(0, static_cast<std::int64_t>(random() % 4));
        diagnosis d;
        if (!check(interpret<aten::registry>(made.captured(), {inputs.data(), inputs.size()}, wanted, d), render(d))) return;
        for (int order = 0; order < 3; ++order) {
            std::vector<host_tensor> got;
            plan_execution run(made, order == 0 ? nullptr : &random);
            if (!check(run(inputs, got, d) && got.size() == wanted.size(), render(d))) return;
            ++runs;
            for (std::size_t k = 0; k < got.size(); ++k)
                if (!check(is_same(got[k], wanted[k]), "output " + std::to_string(k) + " of seed " + std::to_string(seed) + "\n" + graph.text())) return;
        }
    }
    longest = std::max(longest, made.plan().run_tasks);
}

} // namespace

int main() {
    const char* is_long = std::getenv("AHEAD_LONG");
    const std::uint32_t count = is_long != nullptr && *is_long == '1' ? 5000 : 500;
    for (std::uint32_t seed = 1; seed <= count; ++seed) run_seed(seed);
    std::cout << count << " graphs, " << graphs_that_nest << " with branches in blocks; " << branches << " branches, " << nested << " of them in blocks, and " << loops << " loops; " << runs << " runs; " << caught << " of " << mutated
              << " wrong numbers of blocks refused\n";
    check(graphs_that_nest > 250 && loops > 250);
    check_equal(caught, mutated);
    return report();
}
