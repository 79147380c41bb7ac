// Weights that the graph writes, in its plan: what is prepared, what is written in place and why, and which broken
// plans the verifier refuses.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "states.hpp"

#include <ahead/ahead.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/print/plan_table.hpp>
#include <ahead/print/print_inplace.hpp>
#include <ahead/reference/equivalent.hpp>

using namespace ahead;
using namespace test;

namespace {

// ---- passes and prepare

void states_are_no_constants() {
    using program = compiled<fx<normed_convolution>>;
    static_assert(program::plan.prepare_tasks == 2); // exp of the variance, and the filters in the kernel's order
    for (node_id id : program::optimized_graph()) check(program::optimized_graph()[id].from.made_by != "fold_batch_norm");
    diagnosis d;
    check(equivalent(compiled<fx<cache_views>>::captured(), compiled<fx<cache_views>>::imported::storage.view(), 5, d), d.found.view());
}

// ---- each decision is counted and explained

template <class Source, class Tools = toolchain<>> void check_explained(std::string_view wanted, inplace_summary sums, location where = location::current()) {
    using program = compiled<fx<Source>, Tools>;
    std::string text;
    check(print_inplace<program>(text) == sums, text, where);
    check_equal(text, wanted, where);
}
void explained() {
    check_explained<cache_row>("slice_scatter: writes a state of the session\nb_cache: written by slice_scatter\nin place 1 (128 bytes), missed 0 (0 bytes)\n", {1, 0, 128, 0});
    check_explained<running_mean>("add_: in place of mean\nrelu: in memory of its own; x is an input\nb_mean: copied at the end; add_ comes before relu, which reads the old value\n"
                                  "in place 1 (12 bytes), missed 1 (12 bytes)\n",
                                  {1, 1, 12, 12});
    check_explained<running_mean, one_task_per_call>("sub: in memory of its own; x is an input\nmul_: in memory of its own; b_mean is a state\n"
                                                     "add_: writes a state of the session\nrelu: in place of sub\nb_mean: written by add_\n"
                                                     "in place 2 (60 bytes), missed 0 (0 bytes)\n",
                                                     {2, 0, 60, 0});
    using program = compiled<fx<cache_row>>;
    const auto table = plan_table(program::lowered_graph(), program::plan_view());
    check(table.find("f32[8, 4]             state     [0, 128)") != table.npos && table.find(", states 128 B, effort constant, cores 1\n") != table.npos, table);
}

// ---- the verifier of plans

struct reads_old_and_new { // sum_1 reads the old a, mul the old one, too, and writes the new one
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_a: "f32[3]", b_b: "f32[3]", x: "f32[3]"):
            sum_1: "f32[]" = torch.ops.aten.sum.default(b_a)
            mul_: "f32[3]" = torch.ops.aten.mul_.Tensor(b_a, x);  x = None
            sum_2: "f32[]" = torch.ops.aten.sum.default(mul_);  mul_ = None
            copy_: "f32[3]" = torch.ops.aten.copy_.default(b_b, b_a);  b_b = b_a = None
            add: "f32[]" = torch.ops.aten.add.Tensor(sum_1, sum_2);  sum_1 = sum_2 = None
            return (add,)

Graph signature: 
    # inputs
    b_a: BUFFER target='a' persistent=True
    b_b: BUFFER target='b' persistent=True
    x: USER_INPUT

    # outputs
    add: USER_OUTPUT

Range constraints: {}
)fx";
};
void broken_plans_are_refused() {
    using program = compiled<fx<reads_old_and_new>, one_task_per_call>;
    const auto g = program::lowered_graph();
    const auto verdict = [&](const auto& plan) {
        diagnosis d;
        check_plan(g, program::needs, plan.view(), d);
        return std::string(d.expected.view());
    };
    auto plan = program::planned;
    check_equal(verdict(plan), "");
    static_assert(program::plan.states == 2 && program::plan.states_written_in_place == 1 && program::plan.run_tasks == 5 && program::plan.state_bytes == 128);
    const auto task_of = [&](std::string_view name) {
        std::size_t t = 0;
        while (print(g[program::planned.tasks[t].node].name).view() != name) ++t;
        return t;
    };
    const auto placed = [&](auto& in, std::string_view name) -> placement& {
        for (node_id id : g)
            if (print(g[id].name).view() == name) return in.placements[static_cast<std::size_t>(g[id].values.first)];
        return in.placements[0];
    };
    // The old value is read after it was overwritten.
    std::swap(plan.tasks[task_of("sum_1")], plan.tasks[task_of("mul_")]);
    check_equal(verdict(plan), "an input whose old value nobody reads any more");
    // The new one before it is there.
    plan = program::planned;
    std::swap(plan.tasks[task_of("mul_")], plan.tasks[task_of("sum_2")]);
    check_equal(verdict(plan), "operands that are written and not yet overwritten");
    // It reads what it writes, and the plan does not say so.
    plan = program::planned;
    placed(plan, "mul_").shares = {};
    check_equal(verdict(plan), "the operand whose place it takes");
    // b does not get its new value.
    plan = program::planned;
    --plan.summary.run_tasks;
    std::swap(plan.tasks[task_of("b_b")], plan.tasks[4]);
    plan.placements[static_cast<std::size_t>(g[plan.tasks[4].node].values.first)] = {};
    check_equal(verdict(plan), "an input that holds its new value");
    // Nor a: its new value is computed elsewhere.
    plan = program::planned;
    placed(plan, "mul_") = placed(plan, "sum_1");
    check(verdict(plan) != "");
    // Into the other state, into none, into the bytes of the other one.
    plan = program::planned;
    placed(plan, "mul_").port = 1;
    check(verdict(plan) != "");
    placed(plan, "mul_").port = 7;
    check_equal(verdict(plan), "an input of the run to write into");
    plan = program::planned;
    placed(plan, "mul_").offset = 64;
    check_equal(verdict(plan), "the place of the state");
    // States that lie on each other, beyond the session's memory, or nowhere a kernel can read.
    plan = program::planned;
    placed(plan, "b_b").offset = 0;
    check_equal(verdict(plan), "the place of what it writes into");
    const auto move_b = [&](std::int64_t offset) {
        placed(plan, "b_b").offset = plan.placements[static_cast<std::size_t>(g[plan.tasks[task_of("b_b")].node].values.first)].offset = offset;
    };
    move_b(0);
    check_equal(verdict(plan), "a state apart from the others");
    move_b(128);
    check_equal(verdict(plan), "an aligned offset inside the states");
    move_b(8);
    check_equal(verdict(plan), "an aligned offset inside the states");
    plan = program::planned;
    plan.summary.peak_bytes += 8;
    check(verdict(plan).ends_with("bytes of arena"), verdict(plan));
    // Nothing to begin with, or another's.
    plan = program::planned;
    placed(plan, "b_a").copy = -1;
    check_equal(verdict(plan), "a copy that the state begins as");
    placed(plan, "b_a").copy = placed(plan, "b_b").copy;
    check_equal(verdict(plan), "a copy that the state begins as");
    // Written into the weights that all sessions share.
    plan = program::planned;
    placed(plan, "b_a").where = placed(plan, "mul_").where = region::parameter;
    check(verdict(plan) != "");
    plan = program::planned;
    plan.summary.states = 0;
    check(verdict(plan) != "");
    // Never written at all: a's new value is somewhere in the arena.
    plan = program::planned;
    placed(plan, "b_a").where = region::parameter;
    auto& elsewhere = placed(plan, "mul_");
    elsewhere = {};
    elsewhere.where = region::arena;
    elsewhere.offset = plan.summary.peak_bytes;
    elsewhere.bytes = 64;
    plan.summary.peak_bytes += 64;
    --plan.summary.states;
    check_equal(verdict(plan), "the next weight, which a run writes");
}

} // namespace

int main() {
    states_are_no_constants();
    explained();
    broken_plans_are_refused();
    return report();
}
