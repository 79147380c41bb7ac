// What follows a product or convolution becomes part of its task: how many tasks remain, what must stay apart, and that the numbers are those of
// the calls one by one and of the reference.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

using namespace ahead;
using namespace test;

namespace {

inline constexpr config without_activation_options{.fuse_activation = false};
using without_activation = toolchain<>::with_options<without_activation_options>;
inline constexpr config without_residual_options{.fuse_residual = false};
using without_residual = toolchain<>::with_options<without_residual_options>;
inline constexpr config without_pointwise_options{.fuse_pointwise = false};
using without_pointwise = toolchain<>::with_options<without_pointwise_options>;
// A user's own way for relu: what it creates is fused as any other call.
struct my_relu {
    using op = aten::relu;
    static constexpr bool convert(convert_context& c) { return c.create_same(); }
};
using my_tools = toolchain<>::with<my_relu>;

// Every shape of a product is a kernel to compile, and short sums are quick to compile; kernels_epilogue has long ones and wide ones.
using wide_input = input<"x", f32<2, 2>>;
using wide_weight = param<"w", f32<2, 4>>;
using small_input = input<"x", f32<2, 3>>;
using small_weight = param<"w", f32<3, 4>>;

// Activations, written whole or out.
constexpr auto whole = trace([](wide_input x, wide_weight w, param<"v", f32<4, 4>> v, param<"b", f32<4>> b) {
    auto y = gelu(mm(x, w));
    y = silu(linear(y, v, b));
    y = hardtanh(linear(y, v), 0, 6);
    y = leaky_relu(elu(linear(y, v, b)));
    return outputs(gelu<"tanh">(linear(y, v, b)));
});
constexpr auto written_out = trace([](wide_input x, wide_weight w, param<"v", f32<4, 2>> v) {
    auto y = mm(x, w);
    auto z = mm(mul(y, sigmoid(y)), v);
    return outputs(mul(mul(z, 0.5), add(erf(mul(z, 0.7071067811865476)), 1)));
});
// What is absent, behind a product and for a row.
constexpr auto absent = trace([](wide_input x, wide_weight w, input<"y", f32<3, 8>> y) {
    return outputs(logit(sigmoid(nan_to_num(mm(x, w)))), div(y, logit(nan_to_num(sigmoid(sum<1>(mul(y, y), keepdim))))));
});
// The residual block: the second convolution takes the sum, whichever of the two branches comes first.
constexpr auto block =
    trace([](input<"x", f32<1, 4, 8, 8>> x, param<"a", f32<4, 4, 3, 3>> a, param<"b", f32<4, 4, 3, 3>> b, param<"c", f32<4, 4, 1, 1>> c) {
        auto branch = conv2d<padding<1, 1>>(relu(conv2d<stride<2, 2>, padding<1, 1>>(x, a)), b);
        auto y = relu(add(branch, conv2d<stride<2, 2>>(x, c)));
        return outputs(relu(add(conv2d<padding<1, 1>>(relu(conv2d<padding<1, 1>>(y, b)), b), y)));
    });
// What the residual is made of comes after the product in program order.
constexpr auto made_later = trace([](input<"x", f64<2, 2>> x, param<"w", f64<2, 2>> w) {
    auto y = mm(x, w);
    auto later = sum<1>(mul(x, x), keepdim);
    return outputs(add(y, relu(sub(x, later))));
});
// Biases and scales by column and by filter, and one number; views between.
constexpr auto by_column = trace([](wide_input x, wide_weight w, param<"s", f32<4>> s, param<"b", f32<1, 4>> b, param<"n", f32<>> n) {
    return outputs(add(mul(add(mm(x, w), b), s), n));
});
constexpr auto by_filter = trace([](input<"x", f32<2, 3, 6, 6>> x, param<"w", f32<7, 3, 3, 3>> w, input<"s", f32<7, 1, 1>> s,
                                    input<"b", f32<1, 7, 1, 1>> b) { return outputs(relu(add(mul(conv2d(x, w), s), b))); });
constexpr auto through_views =
    trace([](input<"x", f32<2, 1, 2>> x, param<"w", f32<2, 5>> w, param<"b", f32<5>> b, input<"r", f32<2, 1, 5>> r) {
        return outputs(add(view<2, 1, 5>(add(mm(view<2, 2>(x), w), b)), r));
    });
constexpr auto three_dims =
    trace([](input<"x", f32<2, 1, 2>> x, param<"w", f32<2, 2>> w, param<"b", f32<2>> b) { return outputs(add(x, gelu(linear(x, w, b)))); });
// Two products, one sum: the later one takes the other.
constexpr auto both = trace([](wide_input x, wide_weight w, param<"v", f32<2, 4>> v) { return outputs(mul(silu(mm(x, w)), mm(x, v))); });

// What must stay apart.
constexpr auto read_twice = trace([](small_input x, small_weight w) {
    auto y = mm(x, w);
    return outputs(relu(y), y);
});
constexpr auto viewed_twice = trace([](small_input x, small_weight w) {
    auto y = mm(x, w);
    return outputs(relu(view<4, 2>(y)), view<8>(y));
});
constexpr auto transposed_residual =
    trace([](small_input x, small_weight w, input<"r", f32<4, 2>> r) { return outputs(add(mm(x, w), permute<1, 0>(r))); });
constexpr auto by_row = trace([](small_input x, small_weight w, input<"r", f32<2, 1>> r) { return outputs(add(mm(x, w), r)); });
constexpr auto larger = trace([](small_input x, small_weight w, input<"r", f32<2, 2, 4>> r) { return outputs(add(mm(x, w), r)); });
constexpr auto part_of_it = trace([](small_input x, small_weight w) { return outputs(relu(slice<0, 1, 2>(mm(x, w)))); });
constexpr auto too_many =
    trace([](small_input x, small_weight w, input<"a", f32<2, 4>> a, input<"b", f32<2, 4>> b, input<"c", f32<2, 4>> c,
             input<"d", f32<2, 4>> d) { return outputs(add(add(mm(x, w), a), add(b, add(c, d)))); });
constexpr auto whole_numbers = trace([](input<"x", i64<3, 4>> x, input<"w", i64<4, 5>> w) { return outputs(relu(mm(x, w))); });
constexpr auto other_dtype = trace([](small_input x, small_weight w, input<"r", f64<2, 4>> r) { return outputs(add(mm(x, w), r)); });
constexpr auto known_product =
    trace([](input<"x", f32<2, 4>> x, param<"v", f32<2, 3>> v, param<"w", f32<3, 4>> w) { return outputs(add(mm(v, w), x)); });
constexpr auto known_all = trace([](input<"x", f32<2, 4>> x, param<"v", f32<2, 3>> v, param<"w", f32<3, 4>> w) {
    return outputs(tanh(mm(x, permute<1, 0>(relu(mm(v, w))))));
});

} // namespace

int main() {
    agrees<whole>(5, 2); // one weight is packed once
    agrees<written_out>(2, 2);
    agrees<absent>(2, 1);
    agrees<block>(5, 3);
    agrees<made_later>(2, 1);
    agrees<by_column>(1, 1);
    agrees<by_filter>(1, 1);
    agrees<through_views>(1, 1);
    agrees<three_dims>(1, 1);
    agrees<both>(2, 2);

    agrees<read_twice>(2, 1);
    agrees<viewed_twice>(2, 1);
    agrees<transposed_residual>(2, 1);
    agrees<by_row>(2, 1);
    agrees<larger>(2, 1);
    agrees<part_of_it>(2, 1);
    agrees<too_many>(2, 1);
    agrees<whole_numbers>(2);
    agrees<other_dtype>(2, 1);
    agrees<known_product>(1, 1);
    agrees<known_all>(1, 2);

    agrees<block, without_activation>(7, 3);
    agrees<block, without_residual>(7, 3);
    agrees<block, without_pointwise>(7, 3);
    agrees<block, one_by_one>(11, 3);
    agrees<block, my_tools>(5, 3);
    return report();
}
