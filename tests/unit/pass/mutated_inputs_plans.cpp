// Inputs that the graph writes, in its plan: what is written in place and why, and which broken plans the verifier
// refuses.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "mutated_inputs.hpp"

#include <ahead/ahead.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/print/print_inplace.hpp>

using namespace ahead;
using namespace test;

namespace {

// ---- each decision is counted and explained

template <class Source, class Tools = toolchain<>> void check_explained(std::string_view wanted, inplace_summary sums, location where = location::current()) {
    using program = compiled<fx<Source>, Tools>;
    std::string text;
    check(print_inplace<program>(text) == sums, text, where);
    check_equal(text, wanted, where);
    check(inplace_of<program>() == sums, {}, where);
}
inline constexpr config one_task_per_call_options{.fuse_pointwise = false, .fuse_reductions = false};
using one_task_per_call = toolchain<>::with_options<one_task_per_call_options>;
struct sin_is_used_later {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3]):
    sin = torch.ops.aten.sin.default(x)
    add = torch.ops.aten.add.Tensor(x, 1)
    mm = torch.ops.aten.sum.default(x)
    copy_ = torch.ops.aten.copy_.default(x, sin)
    mul = torch.ops.aten.mul.Tensor(add, mm)
    return (mul,)
)fx";
};
struct other_slice_is_returned { // one half is written, the other is returned
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[4]):
    slice_1 = torch.ops.aten.slice.Tensor(x, 0, 0, 2)
    slice_2 = torch.ops.aten.slice.Tensor(x, 0, 2, 4)
    sin_ = torch.ops.aten.sin_.default(slice_1)
    return (slice_2,)
)fx";
};
struct view_is_read_after {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 2]):
    mul = torch.ops.aten.mul.Tensor(x, 2)
    view = torch.ops.aten.view.default(mul, [4])
    sin = torch.ops.aten.sin.default(mul)
    sum_1 = torch.ops.aten.sum.default(view)
    add = torch.ops.aten.add.Tensor(sin, sum_1)
    return (add,)
)fx";
};
struct same_operand_twice { // f(x, x)
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3]):
    mul = torch.ops.aten.mul.Tensor(x, 2)
    mul_1 = torch.ops.aten.mul.Tensor(mul, mul)
    return (mul_1,)
)fx";
};
struct scatter_chain {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3], r : f32[3], c : f32[3, 1]):
    mul = torch.ops.aten.mul.Tensor(x, 2)
    select_scatter = torch.ops.aten.select_scatter.default(mul, r, 0, 1)
    slice_scatter = torch.ops.aten.slice_scatter.default(select_scatter, c, 1, 2, 3)
    diagonal_scatter = torch.ops.aten.diagonal_scatter.default(slice_scatter, r)
    return (diagonal_scatter,)
)fx";
};
struct two_results { // of one loop: the first takes the only place there is
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[6, 4]):
    sum_1 = torch.ops.aten.sum.dim_IntList(x, [0])
    sigmoid = torch.ops.aten.sigmoid.default(sum_1)
    tanh = torch.ops.aten.tanh.default(sigmoid)
    return (tanh, sigmoid)
)fx";
};
struct cache_row { // a key cache: one row of an input is written, no byte of the others
    static constexpr std::string_view text = R"fx(def forward(self, cache : f32[8, 4], row : f32[1, 4]):
    slice_scatter = torch.ops.aten.slice_scatter.default(cache, row, 0, 5, 6)
    copy_ = torch.ops.aten.copy_.default(cache, slice_scatter)
    sum_1 = torch.ops.aten.sum.dim_IntList(slice_scatter, [0])
    return (sum_1,)
)fx";
};

void explained() {
    check_explained<sin_is_used_later>("sin: in memory of its own; x is an input\nmul: in memory of its own; x is an input\nx: copied at the end; sin comes before mul, which reads the old value\n"
                                       "in place 0 (0 bytes), missed 1 (12 bytes)\n",
                                       {0, 1, 0, 12});
    check_explained<other_slice_is_returned>("sin_: in memory of its own; x is an input\nas_strided_scatter_5: writes an input of the run\nx: written by as_strided_scatter_5\n"
                                             "in place 1 (16 bytes), missed 0 (0 bytes)\n",
                                             {1, 0, 16, 0});
    check_explained<view_is_read_after, one_task_per_call>("mul: in memory of its own; x is an input\nsin: in memory of its own; mul is read again by sum_1\n"
                                                           "add: in place of sin\nin place 1 (16 bytes), missed 1 (16 bytes)\n",
                                                           {1, 1, 16, 16});
    check_explained<same_operand_twice, one_task_per_call>("mul: in memory of its own; x is an input\nmul_1: in place of mul\nin place 1 (12 bytes), missed 0 (0 bytes)\n",
                                                           {1, 0, 12, 0});
    check_explained<scatter_chain>("mul: in memory of its own; x is an input\nselect_scatter: in place of mul\nslice_scatter: in place of select_scatter\n"
                                   "diagonal_scatter: in place of slice_scatter\nin place 3 (108 bytes), missed 0 (0 bytes)\n",
                                   {3, 0, 108, 0});
    check_explained<two_results>("tanh: in place of sum_1\ntanh[1]: in memory of its own; sum_1 has gone to another result\nin place 1 (16 bytes), missed 1 (16 bytes)\n",
                                 {1, 1, 16, 16});
    check_explained<cache_row>("slice_scatter: writes an input of the run\ncache: written by slice_scatter\nin place 1 (128 bytes), missed 0 (0 bytes)\n",
                               {1, 0, 128, 0});
    check_like_reference<scatter_chain, false, false, false>(0);
    check_like_reference<cache_row, true, false>(1);
    check_like_reference<sin_is_used_later, true>(0);
    check_like_reference<other_slice_is_returned, true>(1);
    check_like_reference<same_operand_twice, false>(0);
    check_like_reference<view_is_read_after, false>(0);
}

// The verifier of plans: a task moved, a plan that pretends, an assignment left out.
struct reads_old_and_new { // clone's sum reads the old x, mul the old one, too, and writes the new one
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3], y : f32[3]):
    sum_1 = torch.ops.aten.sum.default(x)
    mul_ = torch.ops.aten.mul_.Tensor(x, y)
    sum_2 = torch.ops.aten.sum.default(mul_)
    copy_ = torch.ops.aten.copy_.default(y, x)
    add = torch.ops.aten.add.Tensor(sum_1, sum_2)
    return (add,)
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
    static_assert(program::plan.inputs_written == 2 && program::plan.inputs_written_in_place == 1 && program::plan.run_tasks == 5);
    const auto task_of = [&](std::string_view name, const auto& in) {
        std::size_t t = 0;
        while (print(g[in.tasks[t].node].name).view() != name) ++t;
        return t;
    };
    // The old value is read after it was overwritten.
    std::swap(plan.tasks[task_of("sum_1", plan)], plan.tasks[task_of("mul_", program::planned)]);
    check_equal(verdict(plan), "an input whose old value nobody reads any more");
    // The new one before it is there.
    plan = program::planned;
    std::swap(plan.tasks[task_of("mul_", plan)], plan.tasks[task_of("sum_2", program::planned)]);
    check_equal(verdict(plan), "operands that are written and not yet overwritten");
    // It reads what it writes, and the plan does not say so.
    plan = program::planned;
    const auto mul = static_cast<std::size_t>(g[plan.tasks[task_of("mul_", plan)].node].values.first);
    plan.placements[mul].shares = {};
    check_equal(verdict(plan), "the operand whose place it takes");
    // y's old value is read by mul: it cannot be written there.
    plan = program::planned;
    std::swap(plan.tasks[task_of("y", plan)], plan.tasks[task_of("mul_", program::planned)]);
    check(verdict(plan) != "", "y is written first");
    // y does not get its new value.
    plan = program::planned;
    --plan.summary.run_tasks;
    std::swap(plan.tasks[task_of("y", plan)], plan.tasks[4]);
    check_equal(verdict(plan), "no place of its own");
    plan.placements[static_cast<std::size_t>(g[plan.tasks[4].node].values.first)] = {};
    check_equal(verdict(plan), "an input that holds its new value");
    // Into another input, into none.
    plan = program::planned;
    plan.placements[mul].port = 1;
    check(verdict(plan) != "");
    plan.placements[mul].port = 7;
    check_equal(verdict(plan), "an input of the run to write into");
}

} // namespace

int main() {
    explained();
    check_like_reference<reads_old_and_new, true, true>(1);
    broken_plans_are_refused();
    return report();
}
