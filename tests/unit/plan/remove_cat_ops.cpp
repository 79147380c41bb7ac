// Concatenations that are not copied: which of their parts are computed in their slices, what stays a copy, and that
// the results are those of the option off, bit by bit.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"
#include "removed_cats.hpp"

using namespace ahead;
using namespace test;
using namespace test::removed_cats;

namespace {

inline constexpr config captured_options{.mode = mode::reduce_overhead};
using captured = toolchain<>::with_options<captured_options>;
inline constexpr config captured_copied_options{.mode = mode::reduce_overhead, .remove_cat_ops = false};
using captured_copied = toolchain<>::with_options<captured_copied_options>;
inline constexpr config as_written_options{
        .remove_noop_ops = false, .decompose = false, .eliminate_dead_code = false, .eliminate_duplicates = false, .fuse_pointwise = false};
using as_written = toolchain<>::with_options<as_written_options>;
inline constexpr config as_written_copied_options = [] {
        auto out = as_written::options;
        out.remove_cat_ops = false;
        return out;
    }();
using as_written_copied = toolchain<>::with_options<as_written_copied_options>;

inline constexpr config spread_options{.streams = 2};
using spread = toolchain<>::with_options<spread_options>;
inline constexpr config spread_copied_options{.streams = 2, .remove_cat_ops = false};
using spread_copied = toolchain<>::with_options<spread_copied_options>;

enum class arena {
    no_larger,
    larger
};

/// How many concatenations are no tasks, and how many parts are in their places; the results are those of Off, bit by bit.
template <const auto& Net, class On = toolchain<>, class Off = copied>
void removes(std::int32_t cats, std::int32_t parts, arena size = arena::no_larger, const location& where = location::current()) {
    using on = compiled<Net, On>;
    using off = compiled<Net, Off>;
    static_assert(off::plan.cats_removed == 0 && off::plan.parts_in_place == 0);
    check_equal(on::plan.cats_removed, cats, where);
    check_equal(on::plan.parts_in_place, parts, where);
    check_equal(on::plan.run_tasks, off::plan.run_tasks - cats, where);
    check_equal(on::plan.peak_bytes <= off::plan.peak_bytes, size == arena::no_larger, where);
    check(on::plan.makespan <= off::plan.makespan && (cats == 0 || on::plan.makespan < off::plan.makespan), "time", where);
    std::uint64_t state = 3;
    std::vector<host_tensor> given;
    const auto g = on::captured();
    for (node_id id : g)
        if (g[id].kind != node_kind::call && g[id].kind != node_kind::output && !is_literal(g[id]))
            given.push_back(random_tensor(g.value_of(id).type, state));
    const auto a = outputs_of<on>(given);
    check(!a.empty() && a == outputs_of<off>(given), "the results of the option off", where);
}

// ---- What is computed in its place.

// Three parts, another order than they are computed in, and an inner concatenation that lies in the outer one.
constexpr auto orders = trace([](input_x x, input_y y, input_a a, input_b b, input_c c, input_d d) {
    const auto exp_a = exp(a);
    const auto relu_b = relu(b);
    const auto sum_a = sum<0>(a, keepdim);
    const auto inner = cat<0>(relu(c), abs(d));
    const auto second = cat<0>(neg(c), exp(d));
    return outputs(cat<0>(exp(x), relu(y), sub(x, y)), cat<0>(sum_a, exp_a, relu_b), cat<0>(abs(b), neg(a)),
                   cat<0>(sin(c), inner, cat<0>(second, cos(d))), sum<0>(inner));
});
// From the first dim that has more than one index on, a slice is one block.
constexpr auto inner_dims = trace([](input<"x", f32<1, 2, 3>> x, input<"y", f32<1, 4, 3>> y) {
    return outputs(cat<1>(relu(x), abs(y)), cat<-2>(neg(y), exp(x), neg(x)), stack<0>(tensors(sin(x), cos(x))),
                   stack<1>(tensors(sin(y), cos(y))));
});
constexpr auto copied_dims = trace([](input_x x, input_y y) {
    return outputs(cat<1>(relu(x), abs(y)), cat<-1>(exp(x), neg(y)), stack<1>(tensors(sin(x), cos(y))), stack<2>(tensors(sin(y), cos(x))));
});
// Views of all that was computed, in its order.
constexpr auto views = trace([](input<"x", f32<6>> x, input<"y", f32<3, 2>> y) {
    return outputs(cat<0>(reshape<2, 3>(relu(x)), permute<1, 0>(abs(permute<1, 0>(reshape<2, 3>(y)))), reshape<2, 3>(exp(y))));
});
// Products, a convolution with what follows it, a window, a reduction, the AI CPU's own.
constexpr auto producers = trace([](input<"x", f32<1, 3, 6, 6>> x, param<"w", f32<4, 3, 3, 3>> w, param<"b", f32<4>> b,
                                    input<"m", f32<3, 5>> m, param<"v", f32<5, 7>> v) {
    const auto convolved = relu(conv2d<padding<1, 1>>(x, w, b));
    const auto pooled = max_pool2d<kernel<1, 1>>(x);
    return outputs(cat<1>(convolved, neg(x), pooled),
                   cat<0>(tensors(relu(mm(m, v)), sum<0>(mm(m, v), keepdim), softmax<1>(mm(m, v)), cumsum<0>(mm(m, v)))));
});
struct two_results {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[1, 2, 4, 4], y : f32[1, 1, 2, 2]):
    max_pool2d_with_indices = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 2], [2, 2])
    getitem = max_pool2d_with_indices[0]
    getitem_1 = max_pool2d_with_indices[1]
    relu = torch.ops.aten.relu.default(y)
    cat = torch.ops.aten.cat.default([relu, getitem], 1)
    add = torch.ops.aten.add.Tensor(getitem_1, 1)
    cat_1 = torch.ops.aten.cat.default([getitem_1, add], 1)
    return (cat, cat_1)
)fx";
};
constexpr auto max_and_indices = fx<two_results>;
constexpr auto with_nothing =
    trace([](input_x x, input<"nothing", f32<0, 3>> nothing) { return outputs(cat<0>(tensors(nothing, relu(x), exp(nothing), abs(x)))); });

// ---- What is copied, as itself or in part.

// Inputs are; a part that two concatenations want is in the place of one of them.
constexpr auto inputs_and_shared = trace([](input_x x, input_y y, input_a a, input_b b) {
    const auto shared = relu(a);
    return outputs(cat<0>(x, relu(y)), cat<0>(x, y), cat<0>(shared, abs(b)), cat<0>(neg(b), shared));
});
constexpr auto half_copied = trace([](input<"x", f32<512, 512>> x) { return outputs(cat<0>(x, relu(x))); });
static_assert(compiled<half_copied>::plan.makespan < compiled<half_copied, copied>::plan.makespan);

constexpr auto of_one = trace([](input_x x) { return outputs(cat<0>(tensors(relu(x)))); });
constexpr auto converted =
    trace([](input_x x, input<"n", i64<2, 3>> n) { return outputs(cat<0>(relu(x), add(n, n)), cat<0>(add(n, 1), mul(n, n))); });
struct constants_only {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3]):
    ones = torch.ops.aten.full.default([2, 3], 1.0)
    twos = torch.ops.aten.full.default([2, 3], 2.0)
    cat = torch.ops.aten.cat.default([ones, twos])
    add = torch.ops.aten.add.Tensor(x, 1)
    cat_1 = torch.ops.aten.cat.default([add, cat])
    return (cat_1,)
)fx";
};
constexpr auto constant_parts = fx<constants_only>;

// ---- Parts that are read besides, returned, or would have been overwritten.

constexpr auto read_besides = trace([](input_x x, input_y y) {
    const auto a = relu(x);
    const auto before = sum<1>(a);
    const auto joined = cat<0>(a, abs(y));
    const auto after = sum<0>(a);
    return outputs(before, neg(joined), after, mm(a, permute<1, 0>(joined)));
});
// Returned, and the last reader's result in the concatenation's bytes. neg could take relu's, but for whoever reads the part later, or beside it.
constexpr auto returned_and_taken_over = trace([](input_x x, input_y y, input_a a, input_b b, input_c c, input_d d) {
    const auto p = relu(x), q = abs(y);
    const auto joined = cat<0>(p, q);
    const auto kept = relu(a);
    const auto whole = cat<0>(kept, abs(b));
    return outputs(p, joined, neg(q), slice<0, 1, 3>(joined), mm(neg(kept), permute<1, 0>(whole)), sum<0>(exp(cat<0>(relu(c), abs(d)))));
});

void inputs_are_written() {
    const auto run_of = []<class Program>(std::type_identity<Program>) {
        const auto weights = Program::prepare();
        typename Program::session run{weights};
        std::array<float, 6> x{1, -2, 3, 0.5f, -5, 6};
        std::array<float, 12> y{1, 2, -3, 4, -5, 6, 7, -8, 9, 10, -11, 12};
        const auto sums = std::get<0>(run(x, y)).copy();
        return std::tuple(x, y, sums);
    };
    using on = compiled<fx<part_is_an_input_now>>;
    using off = compiled<fx<part_is_an_input_now>, copied>;
    static_assert(on::plan.cats_removed == 0 && on::plan.parts_in_place == 1);
    static_assert(on::plan.inputs_written == 2 && on::plan.inputs_written_in_place == 2 && off::plan.inputs_written_in_place == 2);
    check(run_of(std::type_identity<on>{}) == run_of(std::type_identity<off>{}));
}

// The space of a concatenation is taken when its first part is computed: a small part long before a large one keeps it.
constexpr auto early_part = trace([](input<"x", f32<16, 64>> x, param<"w", f32<64, 1024>> w) {
    const auto first = sum<0>(x, keepdim);
    const auto wide = sum<0>(mm(x, w), keepdim);
    return outputs(cat<0>(first, mul(x, slice<1, 0, 64>(wide))));
});

// On two streams: the parts come from both, and who reads the whole waits for both.
constexpr auto across = trace([](input<"x", f32<256, 256>> x, input<"y", f32<256, 256>> y) {
    const auto joined = cat<0>(relu(mm(x, y)), relu(mm(y, x)));
    return outputs(mm(joined, x));
});
// One part is copied, and the other one read on another stream meanwhile.
constexpr auto half_across = trace([](input<"x", f32<256, 256>> x, input<"y", f32<256, 256>> y) {
    const auto a = mm(x, y);
    return outputs(cat<0>(x, a), mm(a, x));
});
static_assert(compiled<half_across, spread>::plan.streams == 2);
static_assert(compiled<across, spread>::plan.streams == 2 && compiled<across, spread>::plan.events > 0);

} // namespace

int main() {
    removes<two>(1, 2);
    removes<orders>(7, 17);
    removes<inner_dims>(4, 9);
    removes<copied_dims>(0, 0);
    removes<views>(1, 3);
    removes<producers>(2, 7, arena::larger); // the convolution's workspace lies beside the whole
    removes<max_and_indices>(2, 4);
    removes<with_nothing>(1, 2);

    removes<inputs_and_shared>(1, 4);
    removes<without_task>(0, 2);
    removes<twice_in_one>(0, 2);
    removes<of_one, as_written, as_written_copied>(1, 1);
    removes<converted>(1, 2);
    removes<constant_parts>(0, 1);

    removes<read_besides>(1, 2);
    removes<returned_and_taken_over>(3, 6);
    removes<not_taken_over>(1, 2);
    removes<part_beside_whole>(1, 2);
    inputs_are_written();
    removes<early_part>(1, 2, arena::larger);

    removes<read_besides, captured, captured_copied>(1, 2);
    removes<across, spread, spread_copied>(1, 2);
    removes<half_across, spread, spread_copied>(0, 1);
    return report();
}
