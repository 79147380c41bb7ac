// Calls as parts on several cores: each kind of call is cut as it should be, and every bit is that of the whole call, in order and on threads.
// SPDX-License-Identifier: MIT
// fault: option_is_out_of_range
// fault: option_has_no_effect
#include "fused_agreement.hpp"
#include "refusal.hpp"

#include <ahead/differential/value_map.hpp>
#include <ahead/machine/xeon_2core.hpp>
#include <ahead/print/print_cats.hpp>
#include <ahead/runtime/threads/threaded_session.hpp>

using namespace ahead;
using namespace test;

namespace {

inline constexpr machine::device cut_device = where_meeting_is_free(machine::xeon_2core, 3);
template <int Cores> inline constexpr config cut_options{.cores = Cores};
template <int Cores> using cut = toolchain<>::with_device<cut_device>::with_options<cut_options<Cores>>;

inline constexpr machine::device cut_apart_device = where_meeting_is_free(machine::xeon_2core, 3);
inline constexpr config cut_apart_options{.cores = 2, .remove_cat_ops = false};
using cut_apart = toolchain<>::with_device<cut_apart_device>::with_options<cut_apart_options>;

// Whether each tensor that the graph returns has a device value, and each task an ATen node that it was lowered from.
template <class Program> bool keeps_identity() {
    const auto g = Program::optimized_graph();
    const auto map = differential::find_value_map<Program>();
    bool out = true;
    for_each_operand(g, g[g.last()].arguments, [&](const argument& a) { out = out && map.device_of(a).kind == argument_kind::node; });
    for (const auto& t : Program::plan_view().tasks) out = out && Program::lowered_graph()[t.node].from.lowered_from.exists();
    return out;
}

template <const auto& Net, int Cores> void is_cut(std::string_view op, int parts, const location& where) {
    using whole = compiled<Net, cut<1>>;
    using in_parts = compiled<Net, cut<Cores>>;
    check_equal(tasks_of<in_parts>(op), parts, where);
    check(keeps_identity<in_parts>(), "identity", where);
    check_equal(tasks_of<in_parts>("npu.concat"), tasks_of<whole>("npu.concat"), where);
    const auto given = random_inputs(whole::captured());
    const auto wanted = outputs_of<whole>(given);
    check(outputs_of<in_parts>(given) == wanted, "in order", where);
    check(outputs_of<in_parts, threaded_session<in_parts>>(given) == wanted, "on threads", where);
}
// Tasks of this operator on two cores, and on three.
template <const auto& Net> void is_cut(std::string_view op, int on_two, int on_three, const location& where = location::current()) {
    is_cut<Net, 2>(op, on_two, where);
    is_cut<Net, 3>(op, on_three, where);
}

// Products: rows with a bias by column, a residual and steps; what is packed for few rows; an unpacked b, turned; columns of one row; few rows.
constexpr auto rows = trace([](input<"x", f32<37, 20>> x, input<"r", f32<37, 24>> r, param<"w", f32<20, 24>> w, param<"b", f32<24>> b) {
    return outputs(add(relu(addmm(b, x, w)), r));
});
constexpr auto bias_by_row = trace([](input<"x", f64<16, 5>> x, param<"w", f64<5, 9>> w, param<"b", f64<16, 1>> b) { return outputs(addmm(b, x, w)); });
constexpr auto turned = trace([](input<"x", f32<24, 20>> x, input<"y", f32<18, 20>> y) { return outputs(mm(x, permute<1, 0>(y))); });
constexpr auto columns = trace([](input<"x", f32<1, 40>> x, input<"r", f32<1, 200>> r, param<"w", f32<40, 200>> w, param<"b", f32<200>> b) {
    return outputs(add(gelu(addmm(b, x, w)), r));
});
constexpr auto few_rows = trace([](input<"x", f32<7, 20>> x, param<"w", f32<20, 24>> w) { return outputs(mm(x, w)); });
// The parts of the second product read those of the first: no row meets another core's.
constexpr auto chain = trace([](input<"x", f32<32, 16>> x, param<"v", f32<16, 40>> v, param<"w", f32<40, 24>> w) { return outputs(mm(relu(mm(x, v)), w)); });
constexpr auto batch = trace([](input<"x", f32<3, 5, 8>> x, input<"y", f32<3, 8, 6>> y) { return outputs(bmm(x, y)); });
constexpr auto one_of_batch = trace([](input<"x", f32<1, 40, 8>> x, input<"y", f32<1, 8, 6>> y) { return outputs(bmm(x, y)); });

// Convolutions: filters across vectors, pixels across vectors, images, groups, one pixel.
constexpr auto filters = trace([](input<"x", f32<1, 3, 9, 9>> x, input<"r", f32<1, 96, 9, 9>> r, param<"w", f32<96, 3, 3, 3>> w, param<"b", f32<96>> b) {
    return outputs(relu(add(conv2d<padding<1, 1>>(x, w, b), r)));
});
constexpr auto pixels = trace([](input<"x", f32<1, 2, 6, 40>> x, param<"w", f32<64, 2, 3, 3>> w, param<"s", f32<64, 1, 1>> s) {
    return outputs(mul(conv2d<padding<1, 1>, stride<1, 2>>(x, w), s));
});
constexpr auto images = trace([](input<"x", f32<4, 3, 7, 7>> x, param<"w", f32<5, 3, 3, 3>> w, param<"b", f32<5>> b) { return outputs(hardswish(conv2d(x, w, b))); });
constexpr auto depthwise = trace([](input<"x", f32<1, 12, 8, 8>> x, param<"w", f32<24, 1, 3, 3>> w) { return outputs(conv2d<groups<12>>(x, w)); });
constexpr auto signal = trace([](input<"x", f32<1, 4, 50>> x, param<"w", f32<64, 4, 5>> w) { return outputs(conv1d<stride<2>>(x, w)); });
// Winograd's, by rows of tiles: with what is read at the very place that is written, a number and a row that no tile fills; a chain; several groups of a row,
// without padding; and by filters, where so few rows of tiles are shared unevenly.
constexpr auto tiles = trace([](input<"x", f32<1, 16, 35, 33>> x, input<"r", f32<1, 24, 35, 33>> r, input<"f", f32<>> f, param<"w", f32<24, 16, 3, 3>> w, param<"b", f32<24>> b) {
    return outputs(relu(add(mul(conv2d<padding<1, 1>>(x, w, b), f), r)));
});
constexpr auto tiles_twice = trace([](input<"x", f32<1, 16, 32, 36>> x, param<"v", f32<16, 16, 3, 3>> v, param<"w", f32<16, 16, 3, 3>> w, param<"s", f32<16, 1, 1>> s) {
    return outputs(add(mul(conv2d<padding<1, 1>>(relu(conv2d<padding<1, 1>>(x, v)), w), s), x));
});
constexpr auto wide_tiles = trace([](input<"x", f32<1, 16, 34, 130>> x, param<"w", f32<16, 16, 3, 3>> w) { return outputs(conv2d(x, w)); });
constexpr auto few_tiles = trace([](input<"x", f32<1, 16, 28, 36>> x, param<"w", f32<64, 16, 3, 3>> w) { return outputs(conv2d<padding<1, 1>>(x, w)); });

// Loops and rows: all elements alike; an operand for all rows; several results; a conversion; a transposing copy; planes of a pool; reductions.
constexpr auto loop = trace([](input<"x", f32<5, 77>> x, input<"y", f32<5, 77>> y) { return outputs(mul(sigmoid(x), tanh(y))); });
constexpr auto one_step = trace([](input<"x", f32<5, 77>> x) { return outputs(mul(x, 0.125)); });
constexpr auto broadcast = trace([](input<"x", f32<1, 6, 50>> x, input<"y", f32<50>> y, input<"z", f32<6, 1>> z) { return outputs(mul(add(x, y), z)); });
constexpr auto two_results = trace([](input<"x", f32<400>> x, input<"z", f32<400>> z) {
    auto t = sigmoid(x);
    return outputs(mul(t, z), t);
});
constexpr auto turned_copy = trace([](input<"x", f32<30, 40>> x) { return outputs(contiguous(permute<1, 0>(x))); });
constexpr auto pool = trace([](input<"x", f32<1, 6, 8, 8>> x) { return outputs(max_pool2d<kernel<2, 2>>(x)); });
constexpr auto sums = trace([](input<"x", f32<200, 3, 20>> x) { return outputs(sum<2>(x), amax<1>(x)); });
constexpr auto normal = trace([](input<"x", f32<2, 9, 40>> x, param<"w", f32<40>> w, param<"b", f32<40>> b) { return outputs(softmax<2>(layer_norm<40>(x, w, b))); });
constexpr auto written_rows = trace([](input<"x", f32<16, 9, 512>> x, input<"f", f32<9, 512>> f, param<"w", f32<512>> w) {
    auto h = add(x, f);
    return outputs(mul(mul(h, rsqrt(add(mean<2>(mul(h, h), keepdim), 1e-6))), w), h);
});

void products() {
    is_cut<rows>("npu.matmul", 2, 3);
    is_cut<bias_by_row>("npu.matmul", 2, 2);
    is_cut<turned>("npu.matmul", 2, 3);
    is_cut<columns>("npu.matmul", 2, 3);
    is_cut<few_rows>("npu.matmul", 1, 1);
    is_cut<chain>("npu.matmul", 4, 6);
    static_assert(compiled<chain, cut<2>>::plan.events == 2, "one to fork, one to join");
    is_cut<batch>("npu.batch_matmul", 2, 3);
    is_cut<one_of_batch>("npu.batch_matmul", 2, 3);
}

void convolutions() {
    is_cut<filters>("npu.convolution", 2, 3);
    is_cut<pixels>("npu.convolution", 2, 2);
    is_cut<images>("npu.convolution", 2, 3);
    is_cut<depthwise>("npu.convolution", 2, 3);
    is_cut<signal>("npu.convolution", 2, 2);
    is_cut<tiles>("npu.convolution", 2, 3);
    is_cut<tiles_twice>("npu.convolution", 4, 6);
    is_cut<wide_tiles>("npu.convolution", 2, 3);
    is_cut<few_tiles>("npu.convolution", 2, 2);
    // Each part's rows lie among the other's in the whole, and both read the same weights; where nothing is joined, all are copied together.
    using woven = compiled<tiles, cut<2>>;
    static_assert(cats_of<woven>().removed == 1 && cats_of<woven>().in_place == 2 && cats_of<woven>().copied == 0);
    static_assert(woven::plan.constant_bytes == compiled<tiles, cut<1>>::plan.constant_bytes);
    using twice = compiled<tiles_twice, cut<2>>; // each core goes on with its own rows
    constexpr auto stream_of = [](int k) { return twice::plan_view().tasks[static_cast<std::size_t>(twice::plan.prepare_tasks + k)].stream; };
    constexpr auto is_upper = [](int k) {
        const auto g = twice::lowered_graph();
        const auto& n = g[twice::plan_view().tasks[static_cast<std::size_t>(twice::plan.prepare_tasks + k)].node];
        return g.argument_of(n, device::convolution::row_begin).integer() == 0;
    };
    static_assert(stream_of(0) != stream_of(1) && stream_of(2) != stream_of(3));
    static_assert((stream_of(0) == stream_of(2)) == (is_upper(0) == is_upper(2)), "whichever is launched first");
    constexpr auto workspace_of = [](int k) { return twice::plan_view().tasks[static_cast<std::size_t>(twice::plan.prepare_tasks + k)].workspace_offset; };
    constexpr int next = stream_of(0) == stream_of(2) ? 2 : 3; // of the first one's core, which has its old workspace in its cache
    static_assert(workspace_of(0) == workspace_of(next) && workspace_of(1) == workspace_of(5 - next));
    using copied = compiled<tiles, cut_apart>;
    static_assert(cats_of<copied>().copied == 2 && cats_of<copied>().in_place == 0);
    const auto given = random_inputs(copied::captured());
    check(outputs_of<copied, threaded_session<copied>>(given) == outputs_of<compiled<tiles, cut<1>>>(given));
}

void loops() {
    is_cut<loop>("npu.fused", 2, 3);
    is_cut<one_step>("npu.mul.Tensor", 2, 3);
    is_cut<broadcast>("npu.fused", 2, 3);
    is_cut<two_results>("npu.fused", 2, 3);
    is_cut<turned_copy>("npu.copy", 2, 3);
    is_cut<pool>("npu.max_pool2d", 2, 3);
    is_cut<sums>("npu.reduce", 4, 6);
    is_cut<normal>("npu.layer_norm", 2, 3);
    is_cut<normal>("npu.softmax", 2, 3);
    is_cut<written_rows>("npu.fused_rows", 2, 3); // f begins anew behind 9 rows
}

// On machines where it costs something to meet, what is small stays whole; a graph with streams of its own stays as it is.
inline constexpr config here_options{.cores = 2};
using here = toolchain<>::with_device<machine::xeon_2core>::with_options<here_options>;
void where_it_pays() {
    static_assert(compiled<rows, here>::plan.run_tasks == compiled<rows>::plan.run_tasks);
    static_assert(!machine::xeon_2core.memory[2].is_shared);
}

void refusals() {
    const auto fault_of = [](const config& options) {
        diagnosis d;
        static_cast<void>(pass::check_config(options, d) && pass::check_cores(options, machine::xeon_2core, d));
        return d;
    };
    check(fault_of({.cores = 2}).ok());
    check_fault(fault_of({.cores = 0}), {fault::option_is_out_of_range});
    check_fault(fault_of({.cores = -1}), {fault::option_is_out_of_range});
    check_fault(fault_of({.mode = mode::reduce_overhead, .cores = 2}), {fault::option_has_no_effect});
    check_fault(fault_of({.cores = 65}),
                {.what = fault::option_is_out_of_range, .op = "config", .name = "cores", .expected = "at most 2, as the device Xeon, 2 cores has"});
    diagnosis d;
    check(!pass::check_cores({.cores = 2}, machine::npu, d) && d.expected.view() == "at most 1, as the device npu has");
}

} // namespace

int main() {
    products();
    convolutions();
    loops();
    where_it_pays();
    refusals();
    return test::report();
}
