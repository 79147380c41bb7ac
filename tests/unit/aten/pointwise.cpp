// Pointwise operators: meaning, promotion, refusals. Laws with NaN and infinity hold at run time only.
// SPDX-License-Identifier: MIT
#include "unit/aten_run.hpp"
#include "harness.hpp"
#include <ahead/aten/aten.hpp>

using namespace test;
using pointwise = aten::pointwise_ops;

constexpr bool adds() {
    return gives<pointwise>(ONE_CALL("x: \"f32[2]\", y: \"f32[2]\"", "aten.add.Tensor(x, y, alpha = 2)"),
                             {f32s({2}, {1, 2}), f32s({2}, {10, 20})}, f32s({2}, {21, 42})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[2]\"", "aten.add.Tensor(x, 1.5)"), {i64s({2}, {1, 2})}, f32s({2}, {2.5, 3.5})) &&
           gives<pointwise>(ONE_CALL("x: \"b8[2]\", y: \"b8[2]\"", "aten.add.Tensor(x, y)"), {b8s({2}, {1, 0}), b8s({2}, {1, 0})},
                             b8s({2}, {1, 0}));
}
static_assert(adds());

constexpr bool broadcasts() {
    return gives<pointwise>(ONE_CALL("x: \"f32[2, 1]\", y: \"f32[2]\"", "aten.mul.Tensor(x, y)"),
                             {f32s({2, 1}, {1, 2}), f32s({2}, {3, 4})}, f32s({2, 2}, {3, 4, 6, 8}));
}
static_assert(broadcasts());

constexpr bool divides_integers() {
    const auto x = i64s({4}, {7, -7, 7, -7});
    const auto y = i64s({4}, {2, 2, -2, -2});
    return gives<pointwise>(ONE_CALL("x: \"i64[4]\", y: \"i64[4]\"", "aten.div.Tensor(x, y)"), {x, y},
                             f32s({4}, {3.5, -3.5, -3.5, 3.5})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[4]\", y: \"i64[4]\"", "aten.div.Tensor_mode(x, y, rounding_mode = 'floor')"), {x, y},
                             i64s({4}, {3, -4, -4, 3})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[4]\", y: \"i64[4]\"", "aten.div.Tensor_mode(x, y, rounding_mode = 'trunc')"), {x, y},
                             i64s({4}, {3, -3, -3, 3})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[4]\", y: \"i64[4]\"", "aten.remainder.Tensor(x, y)"), {x, y}, i64s({4}, {1, 1, -1, -1})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[4]\", y: \"i64[4]\"", "aten.fmod.Tensor(x, y)"), {x, y}, i64s({4}, {1, -1, 1, -1}));
}
static_assert(divides_integers());

constexpr bool rounds_half_to_even() {
    return gives<pointwise>(ONE_CALL("x: \"f32[5]\"", "aten.round.default(x)"), {f32s({5}, {0.5, 1.5, 2.5, -0.5, -1.5})},
                                  f32s({5}, {0, 2, 2, -0.0, -2}));
}
static_assert(rounds_half_to_even());

constexpr bool computes_curves() {
    return gives<pointwise>(ONE_CALL("x: \"f32[2]\"", "aten.sigmoid.default(x)"), {f32s({2}, {0, 2})},
                                       f32s({2}, {0.5, 0.88079707797788})) &&
           gives<pointwise>(ONE_CALL("x: \"f32[2]\"", "aten.tanh.default(x)"), {f32s({2}, {0.5, -3})},
                                  f32s({2}, {0.46211715726, -0.99505475368})) &&
           gives<pointwise>(ONE_CALL("x: \"f32[2]\"", "aten.gelu.default(x, approximate = 'tanh')"), {f32s({2}, {1, -1})},
                             f32s({2}, {0.8411919906, -0.1588080094})) &&
           gives<pointwise>(ONE_CALL("x: \"f32[2]\"", "aten.leaky_relu.default(x, 0.1)"), {f32s({2}, {1, -1})}, f32s({2}, {1, -0.1}));
}
static_assert(computes_curves());

constexpr bool selects() {
    return gives<pointwise>(ONE_CALL("m: \"b8[2]\", x: \"f32[2]\"", "aten.where.ScalarOther(m, x, 7)"),
                             {b8s({2}, {1, 0}), f32s({2}, {1, 2})}, f32s({2}, {1, 7})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[3]\"", "aten.clamp.default(x, None, 2)"), {i64s({3}, {1, 2, 3})}, i64s({3}, {1, 2, 2})) &&
           gives<pointwise>(ONE_CALL("x: \"i64[3]\"", "aten.gt.Scalar(x, 1.5)"), {i64s({3}, {1, 2, 3})}, b8s({3}, {0, 1, 1}));
}
static_assert(selects());

constexpr bool refuses_what_torch_refuses() {
    return refuses<pointwise>(ONE_CALL("x: \"b8[2]\", y: \"b8[2]\"", "aten.sub.Tensor(x, y)")) == fault::dtype_is_unsupported &&
           refuses<pointwise>(ONE_CALL("x: \"i64[2]\"", "aten.pow.Tensor_Scalar(x, -1)")) == fault::dtype_is_unsupported &&
           refuses<pointwise>(ONE_CALL("x: \"f32[2]\", y: \"f32[3]\"", "aten.add.Tensor(x, y)")) == fault::shapes_do_not_broadcast &&
           refuses<pointwise>(ONE_CALL("x: \"i64[2]\"", "aten.silu.default(x)")) == fault::dtype_is_unsupported;
}
static_assert(refuses_what_torch_refuses());

// u16, u32 and u64 are moved and converted, not computed with.
constexpr bool refuses_what_is_only_moved() {
    return refuses<pointwise>(ONE_CALL("x: \"u16[2]\"", "aten.add.Tensor(x, x)"), {host_tensor(tensor_of(dtype::u16, {2}))}) == fault::dtype_is_unsupported &&
           refuses<pointwise>(ONE_CALL("x: \"u64[2]\"", "aten.mul.Tensor(x, 0.5)"), {host_tensor(tensor_of(dtype::u64, {2}))}) == fault::dtype_is_unsupported;
}
static_assert(refuses_what_is_only_moved());

// In-place operators write through views: the base sees it.
constexpr bool writes_through_views() {
    using op_set = ahead::ir::join<aten::in_place_arithmetic_ops, aten::shape_ops>;
    constexpr std::string_view text = "class <lambda>(torch.nn.Module):\n"
                                      "    def forward(self, x: \"f32[2, 2]\"):\n"
                                      "        v: \"f32[2, 2]\" = torch.ops.aten.permute.default(x, [1, 0])\n"
                                      "        w: \"f32[2, 2]\" = torch.ops.aten.add_.Tensor(v, v);  v = None\n"
                                      "        return (x, w)\n";
    std::vector<host_tensor> outputs;
    const host_tensor inputs[] = {f32s({2, 2}, {1, 2, 3, 4})};
    if (run<op_set>(text, inputs, outputs) || outputs.size() != 3) return false; // the third: what x holds in the end
    return outputs[0].get<float>({0, 1}) == 4 && outputs[1].get<float>({0, 1}) == 6 && outputs[2].get<float>({1, 1}) == 8;
}

int main() {
    check(adds());
    check(broadcasts());
    check(divides_integers());
    check(rounds_half_to_even());
    check(computes_curves());
    check(selects());
    check(refuses_what_torch_refuses());
    check(writes_through_views());

    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    check(gives<pointwise>(ONE_CALL("x: \"f32[3]\", y: \"f32[3]\"", "aten.maximum.default(x, y)"),
                            {f32s({3}, {nan, 1, 2}), f32s({3}, {1, nan, 3})}, f32s({3}, {nan, nan, 3})));
    check(gives<pointwise>(ONE_CALL("x: \"f32[3]\", y: \"f32[3]\"", "aten.fmax.default(x, y)"),
                            {f32s({3}, {nan, 1, 2}), f32s({3}, {1, nan, 3})}, f32s({3}, {1, 1, 3})));
    check(gives<pointwise>(ONE_CALL("x: \"f32[3]\"", "aten.relu.default(x)"), {f32s({3}, {nan, -inf, inf})},
                                      f32s({3}, {nan, 0, inf})));
    check(
        gives<pointwise>(ONE_CALL("x: \"f32[3]\"", "aten.sign.default(x)"), {f32s({3}, {nan, -inf, 0})}, f32s({3}, {0, -1, 0})));
    check(
        gives<pointwise>(ONE_CALL("x: \"f32[3]\"", "aten.clamp.default(x, 0, 1)"), {f32s({3}, {nan, -inf, inf})}, f32s({3}, {nan, 0, 1})));
    check(gives<pointwise>(ONE_CALL("x: \"f32[3]\"", "aten.div.Tensor(x, 0)"), {f32s({3}, {0, -1, 1})}, f32s({3}, {nan, -inf, inf})));
    return report();
}
