// Inputs that the graph writes: the caller's tensor holds the new value after the run, whichever way the plan brings it there.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/plan/check.hpp>
#include <ahead/print/print_inplace.hpp>
#include <ahead/reference/equivalent.hpp>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 3>;

template <class F> void check_fault(F&& f, fault expected, std::string_view name, location where = location::current()) {
    try {
        f();
        check(false, "threw nothing", where);
    } catch (const error& e) {
        check(e.what_happened.what == expected && e.what_happened.name.view() == name, e.what(), where);
    }
}

struct doubles {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3]):
    mul = torch.ops.aten.mul_.Tensor(x, 2)
    add = torch.ops.aten.add.Tensor(x, 1)
    return (add,)
)fx";
};
void the_callers_tensor_is_updated() {
    using program = compiled<fx<doubles>>;
    static_assert(program::input_port<0>::is_mutated && program::output_count == 1);
    static_assert(program::plan.inputs_written == 1 && program::plan.inputs_written_in_place == 1);
    const auto weights = program::prepare();
    program::session run{weights};
    row x{1, 2, 3};
    const auto added = std::get<0>(run(x)).copy();
    check(x == row{2, 4, 6} && added == row{3, 5, 7});
    std::vector<float> moved{4, 5, 6}; // another address
    check(std::get<0>(run(moved)).copy() == row{9, 11, 13} && moved == std::vector<float>{8, 10, 12});
    float plain[3]{1, 1, 1};
    run(plain);
    run(std::span(plain));
    check(plain[2] == 4);
}

// Graphs, each run on the device and by the reference; what each input holds afterwards is compared, too.
template <class Source, bool... Mutated> void check_like_reference(std::int32_t in_place, location where = location::current()) {
    using program = compiled<fx<Source>>;
    constexpr std::int32_t inputs = program::plan.inputs;
    static_assert(sizeof...(Mutated) == inputs);
    std::vector<host_tensor> given, wanted;
    std::uint64_t seed = 5;
    for (node_id id : program::captured())
        if (program::captured()[id].kind == node_kind::placeholder) given.push_back(random_tensor(program::captured().value_of(id).type, seed));
    wanted = reference<fx<Source>>(given);
    [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
        static_assert(((program::template input_port<I>::is_mutated == Mutated) && ...));
        check_equal(program::plan.inputs_written_in_place, in_place, where);
        std::tuple<std::array<float, tensor_input<static_type<typename program::template input_port<I>>>::extent>...> tensors;
        const auto fill = [](auto& to, const host_tensor& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = from.data.template get<float>(static_cast<std::int64_t>(i));
        };
        (fill(std::get<I>(tensors), given[I]), ...);
        const auto weights = program::prepare();
        typename program::session run{weights};
        const auto outputs = run(std::get<I>(tensors)...);
        std::size_t next = 0;
        const auto same_output = [&](const auto& out) {
            const auto& expected = wanted[next++];
            bool same = true;
            for_each_index(sizes_of(expected.type), [&](const int_list& at) {
                same = same && is_close(out.storage().data()[position_of(std::remove_cvref_t<decltype(out)>::type::type, at)], expected.template get<double>(at));
            });
            check(same, "an output", where);
        };
        std::apply([&](const auto&... out) { (same_output(out), ...); }, outputs);
        const auto same_input = [&](const auto& now, const host_tensor& expected) {
            bool same = true;
            for (std::size_t i = 0; i < now.size(); ++i) same = same && is_close(now[i], expected.data.template get<double>(static_cast<std::int64_t>(i)));
            check(same, "an input", where);
        };
        (same_input(std::get<I>(tensors), Mutated ? wanted[next++] : given[I]), ...);
    }(std::make_integer_sequence<std::int32_t, inputs>{});
}

struct exported {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[3]", y: "f32[3]"):
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y);  x = y = None
            add: "f32[3]" = torch.ops.aten.add.Tensor(mul, 1)
            return (mul, add)

Graph signature: 
    # inputs
    x: USER_INPUT
    y: USER_INPUT

    # outputs
    mul: USER_INPUT_MUTATION target='x'
    add: USER_OUTPUT

Range constraints: {}
)fx";
};
void exported_signatures() {
    using program = compiled<fx<exported>>;
    static_assert(program::input_port<0>::is_mutated && !program::input_port<1>::is_mutated && program::output_count == 1);
    const auto weights = program::prepare();
    program::session run{weights};
    row x{1, 2, 3};
    const row y{4, 5, 6};
    const auto [added] = run(x, y);
    check(x == row{4, 10, 18} && added.copy() == row{5, 11, 19});
}

struct trailing_copy { // as functionalisation leaves it
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    mul = torch.ops.aten.mul.Tensor(x, y)
    add = torch.ops.aten.add.Tensor(mul, 1)
    copy_ = torch.ops.aten.copy_.default(x, mul)
    return (add,)
)fx";
};
struct copy_of_other_strides { // the view of x asks for its strides
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[3, 2]):
    permute = torch.ops.aten.permute.default(y, [1, 0])
    copy_ = torch.ops.aten.copy_.default(x, permute)
    view = torch.ops.aten.view.default(x, [6])
    sin = torch.ops.aten.sin.default(view)
    return (sin,)
)fx";
};
struct fills_what_overlaps_itself {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3]):
    slice_1 = torch.ops.aten.slice.Tensor(x, 0, 1, 2)
    expand = torch.ops.aten.expand.default(slice_1, [4, 3])
    fill_ = torch.ops.aten.fill_.Scalar(expand, 7)
    sin = torch.ops.aten.sin.default(fill_)
    return (sin,)
)fx";
};
struct view_is_written {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    select = torch.ops.aten.select.int(x, 0, 1)
    sin_ = torch.ops.aten.sin_.default(select)
    add = torch.ops.aten.add.Tensor(x, y)
    return (add, select)
)fx";
};
struct old_value_is_read_later {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    clone = torch.ops.aten.clone.default(x)
    mul_ = torch.ops.aten.mul_.Tensor(x, y)
    mm = torch.ops.aten.sum.default(mul_)
    add = torch.ops.aten.add.Tensor(clone, mm)
    return (add,)
)fx";
};
struct outputs_are_inputs { // old values of both, and a new one
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    clone = torch.ops.aten.clone.default(x)
    clone_1 = torch.ops.aten.clone.default(y)
    mul_ = torch.ops.aten.mul_.Tensor(x, 2)
    add_ = torch.ops.aten.add_.Tensor(y, x)
    permute = torch.ops.aten.permute.default(y, [1, 0])
    return (clone, clone_1, permute)
)fx";
};
struct swapped {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    clone = torch.ops.aten.clone.default(x)
    copy_ = torch.ops.aten.copy_.default(x, y)
    copy__1 = torch.ops.aten.copy_.default(y, clone)
    return (x,)
)fx";
};
struct turned_onto_itself {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    clone = torch.ops.aten.clone.default(x)
    permute = torch.ops.aten.permute.default(clone, [1, 0])
    copy_ = torch.ops.aten.copy_.default(x, permute)
    return (copy_,)
)fx";
};
struct copied_onto_itself {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    copy_ = torch.ops.aten.copy_.default(x, x)
    add = torch.ops.aten.add.Tensor(copy_, y)
    return (add,)
)fx";
};
struct transposed_product { // a kernel that reads its operand while it writes
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3], y : f32[3, 3]):
    mm = torch.ops.aten.mm.default(x, y)
    copy_ = torch.ops.aten.copy_.default(x, mm)
    sum_1 = torch.ops.aten.sum.default(mm)
    return (sum_1,)
)fx";
};
struct product_of_others {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3], y : f32[3, 3]):
    mm = torch.ops.aten.mm.default(y, y)
    copy_ = torch.ops.aten.copy_.default(x, mm)
    sum_1 = torch.ops.aten.sum.default(mm)
    return (sum_1,)
)fx";
};
struct list_of_tensors {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    add_ = torch.ops.aten.add_.Tensor(x, 1)
    add__1 = torch.ops.aten.add_.Tensor(y, x)
    cat = torch.ops.aten.cat.default([x, y, add_])
    return (cat,)
)fx";
};
struct computed_elsewhere {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[2, 3]):
    fill = torch.ops.aten.fill.Scalar(y, 2.0)
    copy_ = torch.ops.aten.copy_.default(x, y)
    return (fill,)
)fx";
};

void values() {
    check_like_reference<copy_of_other_strides, true, false>(1);
    check_like_reference<fills_what_overlaps_itself, true>(1);
    check_like_reference<trailing_copy, true, false>(1);
    check_like_reference<view_is_written, true, false>(1);
    check_like_reference<old_value_is_read_later, true, false>(0);
    check_like_reference<outputs_are_inputs, true, true>(1); // y is returned, so that its new value is computed in the session's memory
    check_like_reference<swapped, true, true>(1); // y takes the old x straight from it, once its own old value is put aside
    check_like_reference<turned_onto_itself, true>(0);
    check_like_reference<copied_onto_itself, false, false>(0);
    check_like_reference<transposed_product, true, false>(0);
    check_like_reference<product_of_others, true, false>(1);
    check_like_reference<list_of_tensors, true, true>(2);
    check_like_reference<computed_elsewhere, true, false>(0);
}

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
struct cache_by_index { // the same with an index that data gives
    static constexpr std::string_view text = R"fx(def forward(self, cache : f32[8, 4], rows : f32[2, 4], at : i64[2]):
    index_put_ = torch.ops.aten.index_put_.default(cache, [at], rows)
    sum_1 = torch.ops.aten.sum.dim_IntList(cache, [0])
    return (sum_1,)
)fx";
};
void caches() {
    using program = compiled<fx<cache_by_index>>;
    static_assert(program::plan.inputs_written_in_place == 1 && program::plan.run_tasks == 2);
    const auto weights = program::prepare();
    program::session run{weights};
    std::array<float, 32> cache{};
    const std::array<float, 8> rows{1, 2, 3, 4, 5, 6, 7, 8};
    check(std::get<0>(run(cache, rows, std::array<std::int64_t, 2>{5, 0})).copy() == std::array<float, 4>{6, 8, 10, 12});
    check(std::get<0>(run(cache, rows, std::array<std::int64_t, 2>{1, -1})).copy() == std::array<float, 4>{12, 16, 20, 24});
    check(cache[0] == 5 && cache[4] == 1 && cache[20] == 1 && cache[28] == 5 && cache[8] == 0);
    check_fault([&] { run(cache, rows, std::array<std::int64_t, 2>{1, 8}); }, fault::index_is_out_of_range, "index_put_");
}
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

// fault: inputs_overlap
void inputs_that_are_written_are_alone_in_their_memory() {
    using program = compiled<fx<trailing_copy>>;
    const auto weights = program::prepare();
    program::session run{weights};
    std::array<float, 12> memory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const auto before = memory;
    const auto first = std::span(memory).first<6>();
    check_fault([&] { run(first, std::span<const float, 6>(first)); }, fault::inputs_overlap, "x");
    check_fault([&] { run(first, std::span<const float, 6>(std::span(memory).subspan<5, 6>())); }, fault::inputs_overlap, "x");
    check_throws<error>([&] { run(first, std::span<const float, 6>(first)); },
                        "run 'x': inputs overlap: expected memory of its own, because the graph writes it, found that of y");
    check(memory == before);
    const auto [sum] = run(first, std::span<const float, 6>(std::span(memory).subspan<6, 6>()));
    check(memory[5] == 72 && memory[6] == 7 && sum(0, 0) == 8);
    // Two that are only read may be one.
    using reader = compiled<fx<copied_onto_itself>>;
    const auto no_weights = reader::prepare();
    reader::session add{no_weights};
    const row more[2]{{1, 2, 3}, {4, 5, 6}};
    const std::array<float, 6> both{more[0][0], 2, 3, 4, 5, 6};
    check(std::get<0>(add(both, both))(1, 2) == 12);
}
void vectors_have_the_right_size() {
    using program = compiled<fx<doubles>>;
    const auto weights = program::prepare();
    program::session run{weights};
    std::vector<float> two{1, 2};
    check_throws<error>([&] { run(two); }, "expected 3 elements for f32[3], found 2");
    check(two == std::vector<float>{1, 2});
}

} // namespace

int main() {
    the_callers_tensor_is_updated();
    exported_signatures();
    values();
    explained();
    caches();
    check_like_reference<reads_old_and_new, true, true>(1);
    broken_plans_are_refused();
    inputs_that_are_written_are_alone_in_their_memory();
    vectors_have_the_right_size();
    return report();
}
