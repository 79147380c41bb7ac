// Inputs and concatenations that the tests of remove_cat_ops share.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/ahead.hpp>

namespace test::removed_cats {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr config copied_options{.remove_cat_ops = false};
using copied = toolchain<>::with_options<copied_options>;

using small = f32<2, 3>;
using input_x = input<"x", small>;
using input_y = input<"y", small>;
// Where several cases are one program, each has inputs of its own: nothing that one computes is another's.
using input_a = input<"a", small>;
using input_b = input<"b", small>;
using input_c = input<"c", small>;
using input_d = input<"d", small>;

inline constexpr auto two = trace([](input_x x, input_y y) { return outputs(cat<0>(relu(x), abs(y))); });

inline constexpr auto without_task = trace([](input<"x", f32<3, 3>> x, param<"p", f32<3, 3>> p) {
    const auto made = exp(x);
    const auto c = constant<"c", f32<1, 3>>(x, {1, 2, 3});
    return outputs(cat<0>(tensors(permute<1, 0>(made), abs(x), slice<0, 0, 2>(made), reshape<3, 3>(made), p, c, relu(p))));
});
inline constexpr auto twice_in_one = trace([](input_x x) {
    const auto a = relu(x);
    return outputs(cat<0>(a, a), cat<0>(a, abs(x), a));
});

inline constexpr auto not_taken_over = trace([](input_x x, input_y y) {
    const auto a = relu(x);
    return outputs(mm(a, permute<1, 0>(exp(cat<0>(a, abs(y))))));
});
inline constexpr auto part_beside_whole = trace([](input<"x", f32<1, 3>> x, input<"y", f32<2, 3>> y) {
    const auto a = relu(x);
    return outputs(mul(cat<0>(a, abs(y)), a));
});
struct part_is_an_input_now { // the new value of x, and a concatenation that is y's
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 3], y : f32[4, 3]):
    mul_ = torch.ops.aten.mul_.Tensor(x, 2)
    relu = torch.ops.aten.relu.default(y)
    cat = torch.ops.aten.cat.default([mul_, relu])
    sum_1 = torch.ops.aten.sum.dim_IntList(cat, [0])
    exp = torch.ops.aten.exp.default(mul_)
    neg = torch.ops.aten.neg.default(mul_)
    cat_1 = torch.ops.aten.cat.default([exp, neg])
    copy_ = torch.ops.aten.copy_.default(y, cat_1)
    return (sum_1,)
)fx";
};

} // namespace test::removed_cats
