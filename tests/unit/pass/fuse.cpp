// Pointwise calls as one loop: how many tasks remain, and that the numbers are those of the calls one by one and of the reference.
// SPDX-License-Identifier: MIT
#include "fused_agreement.hpp"

#include <memory>

using namespace ahead;
using namespace test;

namespace {

// Ten operations, one task.
constexpr auto chain = trace([](input<"x", f32<1000>> x, input<"scale", f32<1000>> scale) {
    auto first = tanh(add(mul(x, scale), 0.5));
    auto second = sigmoid(add(mul(first, 1.5), 0.25));
    return outputs(sigmoid(mul(tanh(sub(mul(second, scale), 0.5)), 2.0)));
});
// A tree with a row, a column and a number that broadcast, and operators without a vector form.
constexpr auto tree = trace([](input<"x", f32<5, 7>> x, input<"row", f32<7>> row, input<"column", f32<5, 1>> column,
                               input<"one", f32<>> one) { return outputs(maximum(mul(erf(add(x, row)), column), sub(neg(x), one))); });
// An operand whose columns are its rows, and one in f64.
constexpr auto turned = trace([](input<"x", f32<6, 4>> x, input<"y", f32<4, 6>> y) { return outputs(relu(add(permute<1, 0>(x), y))); });
constexpr auto doubles = trace([](input<"x", f64<11>> x) { return outputs(exp(mul(abs(x), -2.0))); });
// What two read is made once, and only what has one reader joins it.
constexpr auto two_readers = trace([](input<"x", f32<9>> x) {
    auto a = exp(abs(x));
    return outputs(mul(add(a, 1.0), sigmoid(a)));
});
// Ten operands need two loops, forty steps three.
constexpr auto wide =
    trace([](input<"a", f32<8>> a, input<"b", f32<8>> b, input<"c", f32<8>> c, input<"d", f32<8>> d, input<"e", f32<8>> e,
             input<"f", f32<8>> f, input<"g", f32<8>> g, input<"h", f32<8>> h, input<"i", f32<8>> i,
             input<"j", f32<8>> j) { return outputs(add(add(add(add(a, b), add(c, d)), add(e, f)), add(add(g, h), add(i, j)))); });
constexpr auto deep = trace([](input<"x", f32<70>> x) {
    auto y = mul(x, 0.5);
    for (int k = 0; k < 39; ++k) y = add(y, x);
    return outputs(y);
});
// What prepare can compute stays there.
constexpr auto constants = trace([](input<"x", f32<4>> x, param<"w", f32<4>> w) { return outputs(add(mul(x, exp(mul(w, 2.0))), 1.0)); });
// A constant of another dtype, and what is returned as well as read.
constexpr auto mixed = trace([](input<"x", f32<4>> x, input<"k", i64<4>> k) {
    auto a = neg(add(x, k));
    return outputs(a, relu(mul(a, 2.0)));
});

// The relu of a product, a linear with three dims, a convolution of each algorithm, in f64 too.
constexpr auto products = trace([](input<"x", f32<2, 2>> x, param<"w", f32<2, 9>> w, param<"v", f32<2, 9>> v, param<"b", f32<2>> b) {
    return outputs(relu(linear(relu(mm(x, w)), v, b)));
});
constexpr auto three_dims =
    trace([](input<"x", f32<2, 1, 2>> x, param<"w", f32<5, 2>> w, param<"b", f32<5>> b) { return outputs(relu(linear(x, w, b))); });
constexpr auto convolutions =
    trace([](input<"x", f32<1, 2, 12, 12>> x, param<"a", f32<20, 2, 3, 3>> a, param<"b", f32<4, 20, 3, 3>> b,
             param<"c", f32<8, 4, 8, 8>> c) { return outputs(relu(conv2d(relu(conv2d(relu(conv2d(x, a)), b)), c))); });
constexpr auto small_maps = trace([](input<"x", f64<1, 3, 2, 2>> x, param<"a", f64<5, 3, 3, 3>> a, param<"b", f64<5>> b) {
    return outputs(relu(conv2d<padding<1, 1>>(x, a, b)));
});
// A product that is read twice keeps its sums, and so does one whose relu is not all that is returned.
constexpr auto read_twice = trace([](input<"x", f32<3, 4>> x, param<"w", f32<4, 5>> w) {
    auto m = mm(x, w);
    return outputs(relu(m), m);
});

// A comparison that one step reads is a step with it; one that two read, or of other sizes than what is chosen, is a task of its own.
constexpr auto masks = trace([](input<"x", f32<5, 7>> x, input<"row", f32<7>> row) {
    auto chosen = where(gt(x, 0.25), mul(x, row), expm1(x));
    auto lower = where(le(chosen, row), chosen, masked_fill(neg(x), lt(x, chosen), 0.5));
    return outputs(add(lower, 1.0));
});
constexpr auto kinds_of_masks = trace([](input<"x", f64<33>> x, input<"y", f64<33>> y) {
    auto a = add(add(mul(x, eq(x, y)), mul(x, ne(x, 0.5))), add(mul(y, ge(x, y)), where(isnan(x), y, x)));
    auto b = add(add(where(isinf(y), x, y), where(signbit(x), x, y)), add(where(logical_not(y), y, x), where(logical_and(x, y), x, y)));
    return outputs(a, b);
});
constexpr auto halves = trace([](input<"x", f16<40>> x, input<"y", f16<40>> y) { return outputs(where(gt(x, 0.3), mul(x, y), y)); });
constexpr auto two_choices = trace([](input<"x", f32<9>> x, input<"y", f32<9>> y) {
    auto mask = gt(x, y);
    return outputs(where(mask, x, exp(y)), where(mask, exp(x), y));
});
constexpr auto of_rows = trace([](input<"x", f32<3, 4>> x, input<"row", f32<4>> row) { return outputs(where(gt(row, 0.0), x, neg(x))); });
constexpr auto constant_mask = trace([](input<"x", f32<4>> x, param<"w", f32<4>> w) { return outputs(where(gt(w, 0.0), x, neg(x))); });
constexpr auto masked_product = trace([](input<"x", f32<3, 4>> x, param<"w", f32<4, 5>> w) {
    auto m = mm(x, w);
    return outputs(where(gt(m, 0.0), m, expm1(m)));
});

} // namespace

int main() {
    agrees<masks>(1);
    agrees<kinds_of_masks>(2);
    agrees<halves>(1);
    agrees<two_choices>(5);
    agrees<of_rows>(3);
    agrees<constant_mask>(2, 1);
    agrees<masked_product>(1, 1);
    agrees<products>(2, 2);
    agrees<three_dims>(1, 1);
    agrees<convolutions>(3, 3);
    agrees<small_maps>(1, 1);
    agrees<read_twice>(2, 1);
    agrees<chain>(1);
    agrees<tree>(1);
    agrees<turned>(1);
    agrees<doubles>(1);
    agrees<two_readers>(1);
    agrees<wide>(2);
    agrees<deep>(3);
    agrees<constants>(1, 1);
    agrees<mixed>(2);
    return report();
}
