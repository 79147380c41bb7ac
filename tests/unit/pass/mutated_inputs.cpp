// Inputs that the graph writes: the caller's tensor holds the new value after the run, whichever way the plan brings it
// there.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "mutated_inputs.hpp"

#include <ahead/ahead.hpp>

using namespace ahead;
using namespace test;

namespace {

using row = std::array<float, 3>;

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
    check_fault([&] { run(cache, rows, std::array<std::int64_t, 2>{1, 8}); }, {.what = fault::index_is_out_of_range, .name = "index_put_"});
}

// fault: inputs_overlap
void inputs_that_are_written_are_alone_in_their_memory() {
    using program = compiled<fx<trailing_copy>>;
    const auto weights = program::prepare();
    program::session run{weights};
    std::array<float, 12> memory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const auto before = memory;
    const auto first = std::span(memory).first<6>();
    check_fault([&] { run(first, std::span<const float, 6>(first)); }, {.what = fault::inputs_overlap, .name = "x"});
    check_fault([&] { run(first, std::span<const float, 6>(std::span(memory).subspan<5, 6>())); }, {.what = fault::inputs_overlap, .name = "x"});
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
    caches();
    inputs_that_are_written_are_alone_in_their_memory();
    vectors_have_the_right_size();
    return report();
}
