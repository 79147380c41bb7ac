// The pass fuse_reductions: which reductions are one task with what they reduce and what follows, as PyTorch decomposes
// them, and which are not.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

using namespace ahead;
using namespace test;

namespace {

// Rows, as PyTorch decomposes them: one task each.
struct layer_norm_written_out {
    static constexpr std::string_view text = R"fx(
def forward(self, x: "f32[2, 5, 19]", weight: "f32[19]", bias: "f32[19]"):
    var_mean = torch.ops.aten.var_mean.correction(x, [-1], correction = 0, keepdim = True)
    getitem: "f32[2, 5, 1]" = var_mean[0]
    getitem_1: "f32[2, 5, 1]" = var_mean[1];  var_mean = None
    add: "f32[2, 5, 1]" = torch.ops.aten.add.Tensor(getitem, 1e-05);  getitem = None
    rsqrt: "f32[2, 5, 1]" = torch.ops.aten.rsqrt.default(add);  add = None
    sub: "f32[2, 5, 19]" = torch.ops.aten.sub.Tensor(x, getitem_1);  x = getitem_1 = None
    mul: "f32[2, 5, 19]" = torch.ops.aten.mul.Tensor(sub, rsqrt);  sub = rsqrt = None
    mul_1: "f32[2, 5, 19]" = torch.ops.aten.mul.Tensor(mul, weight);  mul = weight = None
    add_1: "f32[2, 5, 19]" = torch.ops.aten.add.Tensor(mul_1, bias);  mul_1 = bias = None
    return (add_1,)
)fx";
};
// Of two dims, f64, 77 elements in a row.
struct layer_norm_of_two_dims {
    static constexpr std::string_view text = R"fx(
def forward(self, x: "f64[3, 7, 11]", weight: "f64[7, 11]"):
    var_mean = torch.ops.aten.var_mean.correction(x, [1, 2], correction = 0, keepdim = True)
    getitem: "f64[3, 1, 1]" = var_mean[0]
    getitem_1: "f64[3, 1, 1]" = var_mean[1];  var_mean = None
    add: "f64[3, 1, 1]" = torch.ops.aten.add.Tensor(getitem, 1e-05);  getitem = None
    rsqrt: "f64[3, 1, 1]" = torch.ops.aten.rsqrt.default(add);  add = None
    sub: "f64[3, 7, 11]" = torch.ops.aten.sub.Tensor(x, getitem_1);  x = getitem_1 = None
    mul: "f64[3, 7, 11]" = torch.ops.aten.mul.Tensor(sub, rsqrt);  sub = rsqrt = None
    mul_1: "f64[3, 7, 11]" = torch.ops.aten.mul.Tensor(mul, weight);  mul = weight = None
    return (mul_1,)
)fx";
};
constexpr auto softmax_written_out = trace([](input<"x", f32<2, 4, 17, 17>> x) {
    auto t = mul(x, 0.288675);
    auto e = exp(sub(t, amax<3>(t, keepdim)));
    return outputs(div(e, sum<3>(e, keepdim)));
});
constexpr auto log_softmax_written_out = trace([](input<"x", f32<6, 70>> x) {
    auto t = sub(x, amax<1>(x, keepdim));
    return outputs(sub(t, log(sum<1>(exp(t), keepdim))));
});
constexpr auto rms_norm_written_out = trace([](input<"x", f32<3, 4, 33>> x, input<"w", f32<33>> w) {
    auto scale = rsqrt(add(mean<2>(mul(x, x), keepdim), 1e-6));
    return outputs(mul(mul(x, scale), w));
});
// A mask for groups of rows, a residual behind, a row of less than a vector.
constexpr auto masked_softmax = trace([](input<"x", f32<2, 3, 5, 5>> x, input<"mask", f32<5, 5>> mask) {
    auto t = add(x, mask);
    auto e = exp(sub(t, amax<3>(t, keepdim)));
    return outputs(add(div(e, sum<3>(e, keepdim)), x));
});
// One number for each row is what is left.
constexpr auto variance_written_out = trace([](input<"x", f32<4, 9, 40>> x) {
    auto apart = sub(x, mean<2>(x, keepdim));
    return outputs(div(sum<2>(mul(apart, apart)), 39.0));
});
// In place of the product, which nobody reads any more; not where it is read again behind what is left of its row.
constexpr auto softmax_of_product = trace([](input<"x", f32<8, 4>> x, param<"w", f32<4, 32>> w) {
    auto t = mm(x, w);
    auto e = exp(sub(t, amax<1>(t, keepdim)));
    return outputs(mm(div(e, sum<1>(e, keepdim)), permute<1, 0>(w)));
});
constexpr auto softmax_and_product = trace([](input<"x", f32<8, 4>> x, param<"w", f32<4, 32>> w) {
    auto t = mm(x, w);
    auto e = exp(sub(t, amax<1>(t, keepdim)));
    return outputs(mm(sub(div(e, sum<1>(e, keepdim)), t), permute<1, 0>(w)));
});
// Both are read again when their sums are there: one lies where the result will, the other in a row of workspace.
constexpr auto two_rows_wait = trace([](input<"x", f32<6, 50>> x) {
    auto a = exp(x), b = sigmoid(x);
    return outputs(mul(div(a, sum<1>(a, keepdim)), div(b, sum<1>(b, keepdim))));
});
// The result is no row that they could wait in.
constexpr auto rows_wait_for_a_number = trace([](input<"x", f32<6, 50>> x) {
    auto a = exp(x);
    return outputs(sum<1>(mul(sub(a, mean<1>(a, keepdim)), x)));
});
// What is made of y waits for nothing: it is computed when it is read.
constexpr auto nothing_waits = trace([](input<"x", f32<6, 50>> x, input<"y", f32<6, 50>> y) {
    return outputs(add(mul(exp(y), sum<1>(mul(x, x), keepdim)), tanh(y)));
});
// What others read behind it, too, is a result: a number for each row, a row that waits where it is kept.
constexpr auto mean_is_returned = trace([](input<"x", f32<4, 20>> x) {
    auto middle = mean<1>(x, keepdim);
    auto apart = sub(x, middle);
    return outputs(div(apart, sqrt(mean<1>(mul(apart, apart), keepdim))), middle);
});
constexpr auto exponentials_are_returned = trace([](input<"x", f32<4, 20>> x) {
    auto e = exp(sub(x, amax<1>(x, keepdim)));
    return outputs(div(e, sum<1>(e, keepdim)), e);
});
// A residual stream: both results take the place of what they are made of.
constexpr auto residual_norm = trace([](input<"x", f32<6, 32>> x, param<"w", f32<32, 32>> w, param<"scale", f32<32>> scale) {
    auto h = mul(add(permute<0, 1>(x), 1.0), sigmoid(x));
    auto apart = sub(h, mean<1>(h, keepdim));
    auto norm = mul(mul(apart, rsqrt(add(mean<1>(mul(apart, apart), keepdim), 1e-5))), scale);
    return outputs(add(mm(norm, w), h));
});
// Each of them waits in its own row, the second one until the last phase.
constexpr auto all_are_returned = trace([](input<"x", f32<5, 37>> x) {
    auto e = exp(sub(x, amax<1>(x, keepdim)));
    auto s = sum<1>(e, keepdim);
    auto y = div(e, s);
    return outputs(mul(y, sigmoid(x)), e, s, y);
});
// Not the last dims; rows in rows, a task each; a number for each row that is read as one for each column; elements that do not lie in rows.
constexpr auto along_columns = trace([](input<"x", f32<20, 4>> x) {
    auto e = exp(sub(x, amax<0>(x, keepdim)));
    return outputs(div(e, sum<0>(e, keepdim)));
});
constexpr auto other_rows = trace([](input<"x", f32<4, 5, 12>> x) {
    auto apart = sub(x, mean<1, 2>(x, keepdim));
    return outputs(div(apart, amax<2>(apart, keepdim)));
});
constexpr auto columns_of_row_sums = trace([](input<"x", f32<12, 12>> x) {
    return outputs(sub(x, mul(sum<1>(x), 0.5)));
});
// What is as constant as weights is prepared; what is on another stream stays there; what has nothing to stay near for stays a loop and a sum.
constexpr auto of_weights = trace([](input<"x", f32<4, 20>> x, param<"w", f32<4, 20>> w) {
    return outputs(mul(mul(x, rsqrt(mean<1>(mul(x, x), keepdim))), exp(w)));
});
struct on_two_streams {
    static constexpr std::string_view text = R"fx(
def forward(self, x: "f32[4, 20]"):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['side'])
    amax: "f32[4, 1]" = torch.ops.aten.amax.default(x, [1], True)
    sub: "f32[4, 20]" = torch.ops.aten.sub.Tensor(x, amax)
    exp: "f32[4, 20]" = torch.ops.aten.exp.default(sub)
    scope_exit = torch.ops.air.scope_exit.default()
    sum_1: "f32[4, 1]" = torch.ops.aten.sum.dim_IntList(exp, [1], True)
    div: "f32[4, 20]" = torch.ops.aten.div.Tensor(exp, sum_1)
    return (div,)
)fx";
};
constexpr auto sum_of_a_loop = trace([](input<"x", f32<4, 20>> x) { return outputs(sum<1>(exp(abs(x)))); });
// 19 steps are more than a task has: two tasks of rows.
constexpr auto many_steps = trace([](input<"x", f32<5, 24>> x) {
    auto e = exp(sub(x, amax<1>(x, keepdim)));
    auto y = div(e, sum<1>(e, keepdim));
    auto z = add(y, mul(tanh(mul(y, y)), sigmoid(y)));
    return outputs(add(mul(z, sigmoid(mul(z, z))), mul(tanh(z), sub(z, abs(sub(z, 0.5))))));
});
constexpr auto both_ways = trace([](input<"x", f32<12, 12>> x) { return outputs(sub(sum<1>(x), sum<0>(x))); });
constexpr auto number_and_column = trace([](input<"x", f32<12, 12>> x) {
    auto s = sum<1>(x);
    auto y = sub(x, s);
    return outputs(add(sum<1>(mul(y, y)), s));
});
constexpr auto turned = trace([](input<"x", f32<12, 10>> x) {
    auto t = permute<1, 0>(x);
    auto e = exp(sub(t, amax<1>(t, keepdim)));
    return outputs(div(e, sum<1>(e, keepdim)));
});

// Where a row waits for its sums, and a launch costs nothing, rows are one task where memory is slower than that: not 64 of 24, but 512 of 768.
inline constexpr machine::device waiting_rows_device = [] {
        machine::device on;
        on.vector.row_latency = 4;
        on.memory = {{{"near", 1 << 20, 100'000}, {"far", 1 << 30, 10'000}}};
        on.launch = {};
        return on;
    }();
using waiting_rows = toolchain<>::with_device<waiting_rows_device>;
template <std::int64_t Rows, std::int64_t Count> constexpr auto softmax_of = trace([](input<"x", f32<Rows, Count>> x) {
    auto e = exp(sub(x, amax<1>(x, keepdim)));
    return outputs(div(e, sum<1>(e, keepdim)));
});
static_assert(compiled<softmax_of<64, 24>>::plan.run_tasks == 1 && compiled<softmax_of<64, 24>, waiting_rows>::plan.run_tasks == 4);
static_assert(compiled<softmax_of<512, 768>, waiting_rows>::plan.run_tasks == 1);

} // namespace

int main() {
    agrees<fx<layer_norm_written_out>>(1);
    agrees<fx<layer_norm_of_two_dims>>(1);
    agrees<softmax_written_out>(1);
    agrees<log_softmax_written_out>(1);
    agrees<rms_norm_written_out>(1);
    agrees<masked_softmax>(1);
    agrees<variance_written_out>(1);
    agrees<softmax_of_product>(3, 2);
    agrees<softmax_and_product>(3, 2);
    static_assert(compiled<softmax_of_product>::plan.peak_bytes == (8 * 32 + 32) * 4 && compiled<softmax_and_product>::plan.peak_bytes == 2 * 8 * 32 * 4);
    agrees<two_rows_wait>(1);
    agrees<rows_wait_for_a_number>(1);
    agrees<nothing_waits>(1);
    static_assert(compiled<softmax_written_out>::plan.workspace_bytes == 0 && compiled<nothing_waits>::plan.workspace_bytes == 0);
    static_assert(compiled<two_rows_wait>::plan.workspace_bytes == 256 && compiled<rows_wait_for_a_number>::plan.workspace_bytes == 256);
    agrees<mean_is_returned>(1);
    agrees<exponentials_are_returned>(1);
    agrees<residual_norm>(2, 1);
    agrees<all_are_returned>(1);
    static_assert(compiled<residual_norm>::plan.peak_bytes == 2 * 6 * 32 * 4 && compiled<all_are_returned>::plan.workspace_bytes == 0);
    agrees<along_columns>(4);
    agrees<other_rows>(2);
    agrees<columns_of_row_sums>(2);
    agrees<of_weights>(1, 1);
    agrees<fx<on_two_streams>>(2);
    agrees<sum_of_a_loop>(2);
    agrees<many_steps>(2);
    agrees<both_ways>(2);
    agrees<number_and_column>(2);
    agrees<turned>(4);
    is_exact<fx<layer_norm_written_out>>();
    is_exact<fx<layer_norm_of_two_dims>>();
    is_exact<softmax_written_out>();
    is_exact<log_softmax_written_out>();
    is_exact<rms_norm_written_out>();
    is_exact<masked_softmax>();
    is_exact<variance_written_out>();
    is_exact<two_rows_wait>();
    is_exact<rows_wait_for_a_number>();
    is_exact<nothing_waits>();
    is_exact<mean_is_returned>();
    is_exact<exponentials_are_returned>();
    is_exact<residual_norm>();
    is_exact<all_are_returned>();
    const auto rows = log_of<softmax_written_out>();
    check(rows.find("fuse_epilogue: ") < rows.find("fuse_reductions: ") && rows.find("fuse_reductions: ") < rows.find("npu.fused_rows("), rows);
    return report();
}
