// Views, products, convolutions, pools, pads, reductions, copies: small cases by hand, and the fault of each wrong call.
// SPDX-License-Identifier: MIT
#include "unit/aten_run.hpp"
#include "harness.hpp"
#include <ahead/aten/aten.hpp>

using namespace test;
using views = aten::shape_ops;

constexpr auto six = [] { return f32s({2, 3}, {1, 2, 3, 4, 5, 6}); };

constexpr bool views_right() {
    return gives<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.permute.default(x, [1, 0])"), {six()}, f32s({3, 2}, {1, 4, 2, 5, 3, 6})) &&
           gives<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.view.default(x, [3, -1])"), {six()}, f32s({3, 2}, {1, 2, 3, 4, 5, 6})) &&
           gives<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.slice.Tensor(x, 1, -2, 9223372036854775807)"), {six()},
                        f32s({2, 2}, {2, 3, 5, 6})) &&
           gives<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.select.int(x, 0, -1)"), {six()}, f32s({3}, {4, 5, 6})) &&
           gives<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.diagonal.default(x, 1)"), {six()}, f32s({2}, {2, 6})) &&
           gives<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.as_strided.default(x, [2, 2], [1, 2], 1)"), {six()},
                        f32s({2, 2}, {2, 4, 3, 5})) &&
           gives<views>(ONE_CALL("x: \"f32[2, 1]\"", "aten.expand.default(x, [-1, 2])"), {f32s({2, 1}, {1, 2})},
                        f32s({2, 2}, {1, 1, 2, 2})) &&
           gives<views>(ONE_CALL("x: \"f32[1, 2]\"", "aten.squeeze.dim(x, 0)"), {f32s({1, 2}, {1, 2})}, f32s({2}, {1, 2})) &&
           gives<views>(ONE_CALL("x: \"f32[2]\"", "aten.unsqueeze.default(x, -1)"), {f32s({2}, {1, 2})}, f32s({2, 1}, {1, 2}));
}
static_assert(views_right());

constexpr bool views_refused() {
    return refuses<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.view.default(x, [4])")) == fault::element_counts_differ &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.permute.default(x, [0, 0])")) == fault::dimension_is_repeated &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.permute.default(x, [0, 2])")) == fault::dimension_is_out_of_range &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.select.int(x, 0, 2)")) == fault::index_is_out_of_range &&
           refuses<views>("def forward(self, x: \"f32[2, 3]\"):\n    a = torch.ops.aten.unbind.int(x)\n    b = a[-1]\n    return (b,)\n") == fault::index_is_out_of_range &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.slice.Tensor(x, 0, 0, 1, 0)")) == fault::stride_must_be_positive &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3]\"", "aten.split_with_sizes.default(x, [1, 1], 1)")) ==
               fault::split_sizes_do_not_add_up &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3, 4]\"", "aten.t.default(x)")) == fault::rank_is_wrong &&
           refuses<views>(ONE_CALL("x: \"f32[2, 3][1, 2]cpu\"", "aten.view.default(x, [6])")) == fault::view_needs_a_copy;
}
static_assert(views_refused());

constexpr bool splits() {
    constexpr std::string_view text = "class <lambda>(torch.nn.Module):\n"
                                      "    def forward(self, x: \"f32[2, 3]\"):\n"
                                      "        s = torch.ops.aten.split.Tensor(x, 2, 1)\n"
                                      "        a: \"f32[2, 2]\" = s[0]\n"
                                      "        b: \"f32[2, 1]\" = s[1]\n"
                                      "        return (a, b)\n";
    std::vector<host_tensor> outputs;
    const host_tensor inputs[] = {six()};
    if (run<views>(text, inputs, outputs)) return false;
    return outputs.size() == 2 && outputs[0].get<float>({1, 0}) == 4 && outputs[1].get<float>({1, 0}) == 6;
}
static_assert(splits());

// The one line that picks a result of each split is enough to know how much room its results take.
constexpr bool picks_one_of_many() {
    constexpr std::string_view text = "class <lambda>(torch.nn.Module):\n"
                                      "    def forward(self, x: \"f32[8]\"):\n"
                                      "        s = torch.ops.aten.split.Tensor(x, 1)\n"
                                      "        a: \"f32[1]\" = s[1]\n"
                                      "        t = torch.ops.aten.split.Tensor(x, 1)\n"
                                      "        b: \"f32[1]\" = t[2]\n"
                                      "        u = torch.ops.aten.split.Tensor(x, 1)\n"
                                      "        c: \"f32[1]\" = u[3]\n"
                                      "        v = torch.ops.aten.split.Tensor(x, 1)\n"
                                      "        d: \"f32[1]\" = v[4]\n"
                                      "        w = torch.ops.aten.split.Tensor(x, 1)\n"
                                      "        e: \"f32[1]\" = w[5]\n"
                                      "        return (a, b, c, d, e)\n";
    std::vector<host_tensor> outputs;
    const host_tensor inputs[] = {f32s({8}, {0, 1, 2, 3, 4, 5, 6, 7})};
    return !run<views>(text, inputs, outputs) && outputs[4].get<float>({0}) == 5;
}
static_assert(picks_one_of_many());

constexpr bool multiplies() {
    using op_set = aten::matmul_ops;
    const auto a = f32s({2, 2}, {1, 2, 3, 4});
    return gives<op_set>(ONE_CALL("a: \"f32[2, 2]\"", "aten.mm.default(a, a)"), {a}, f32s({2, 2}, {7, 10, 15, 22})) &&
           gives<op_set>(ONE_CALL("b: \"f32[2]\", a: \"f32[2, 2]\"", "aten.addmm.default(b, a, a, beta = 2, alpha = -1)"),
                      {f32s({2}, {1, 2}), a}, f32s({2, 2}, {-5, -6, -13, -18})) &&
           gives<op_set>(ONE_CALL("a: \"f32[2, 2]\", v: \"f32[2]\"", "aten.matmul.default(v, a)"), {a, f32s({2}, {1, 1})},
                      f32s({2}, {4, 6})) &&
           refuses<op_set>(ONE_CALL("x: \"f32[2, 3]\"", "aten.mm.default(x, x)")) == fault::matmul_inner_extents_differ &&
           refuses<op_set>(ONE_CALL("x: \"f32[2, 2]\", y: \"f64[2, 2]\"", "aten.mm.default(x, y)")) == fault::dtypes_differ;
}
static_assert(multiplies());

constexpr bool attends() {
    using op_set = aten::attention_ops;
    const auto x = f32s({2, 1}, {0, 0});
    return gives<op_set>(ONE_CALL("q: \"f32[2, 1]\", v: \"f32[2, 1]\"", "aten.scaled_dot_product_attention.default(q, q, v)"),
                      {x, f32s({2, 1}, {1, 3})}, f32s({2, 1}, {2, 2})) &&
           gives<op_set>(ONE_CALL("q: \"f32[2, 1]\", v: \"f32[2, 1]\"", "aten.scaled_dot_product_attention.default(q, q, v, None, 0.0, True)"),
                      {x, f32s({2, 1}, {1, 3})}, f32s({2, 1}, {1, 2})) &&
           gives<op_set>(
               ONE_CALL("q: \"f32[2, 1]\", v: \"f32[2, 1]\", m: \"b8[2, 1]\"", "aten.scaled_dot_product_attention.default(q, q, v, m)"),
               {x, f32s({2, 1}, {1, 3}), b8s({2, 1}, {0, 1})}, f32s({2, 1}, {0, 2}));
}
static_assert(attends());

#define ATTENTION(call) \
    ONE_CALL("q: \"f32[2, 4, 3, 8]\", h: \"f32[2, 2, 3, 8]\", k: \"f32[2, 4, 5, 8]\", x: \"f32[3, 8]\", i: \"i64[3, 8]\", " \
             "d: \"f64[2, 4, 3, 8]\", m: \"f32[4, 5]\", b: \"b8[3, 5]\"", \
             "aten." call)
constexpr bool attention_refused() {
    using op_set = aten::attention_ops;
    return refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, k, k, None, 1.1)")) == fault::distribution_is_impossible &&
           refuses<op_set>(ATTENTION("_scaled_dot_product_efficient_attention.default(q, k, k, None, False, -0.5)")) ==
               fault::distribution_is_impossible &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, k, k, b, 0.0, True)")) == fault::argument_has_wrong_kind &&
           refuses<op_set>(ATTENTION("_scaled_dot_product_flash_attention.default(q, q, q, 0.0, False, True)")) ==
               fault::argument_has_wrong_kind &&
           refuses<op_set>(ATTENTION("_scaled_dot_product_efficient_attention.default(x, x, x, None, False)")) == fault::rank_is_wrong &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(x, x, x, enable_gqa = True)")) == fault::rank_is_wrong &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(i, i, i)")) == fault::dtype_is_unsupported &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, k, d)")) == fault::dtypes_differ &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, m, m)")) == fault::matmul_inner_extents_differ &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, q, k)")) == fault::matmul_inner_extents_differ &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, k, k, m)")) == fault::shapes_do_not_broadcast &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(x, x, x, q)")) == fault::shapes_do_not_broadcast &&
           refuses<op_set>(ATTENTION("_scaled_dot_product_efficient_attention.default(q, k, k, b, False)")) == fault::dtype_is_unsupported &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(d, d, d, m)")) == fault::dtype_is_unsupported &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(q, h, h)")) == fault::shapes_do_not_broadcast &&
           refuses<op_set>(ATTENTION("_scaled_dot_product_efficient_attention.default(q, h, h, None, False)")) ==
               fault::shapes_do_not_broadcast &&
           refuses<op_set>(ATTENTION("scaled_dot_product_attention.default(h, q, q, enable_gqa = True)")) == fault::shapes_do_not_broadcast &&
           refuses<op_set>(ATTENTION("_scaled_dot_product_flash_attention.default(q, k, k, 0.0, True)")) == fault::shapes_do_not_broadcast;
}
static_assert(attention_refused());

#define GRADIENT(call) \
    ONE_CALL("q: \"f32[2, 4, 3, 8]\", h: \"f32[2, 2, 3, 8]\", k: \"f32[2, 4, 5, 8]\", l: \"f32[2, 4, 3]\", s: \"f32[2, 4, 2]\", " \
             "d: \"f64[2, 4, 3, 8]\", e: \"f64[2, 4, 3]\", b: \"f32[3, 5]\"", \
             "aten." call)
constexpr bool attention_gradients_refused() {
    using op_set = aten::attention_gradient_ops;
    return refuses<op_set>(GRADIENT("_scaled_dot_product_efficient_attention_backward.default(q, q, k, k, None, q, l, None, None, 0.1, [True, True, True, "
                              "False])")) == fault::argument_is_missing &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_efficient_attention_backward.default(q, q, k, k, b, q, l, None, None, 0.0, [True, True, True, "
                              "True], True)")) == fault::argument_has_wrong_kind &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_efficient_attention_backward.default(q, q, k, k, None, q, l, None, None, 0.0, [True, True, "
                              "True])")) == fault::rank_is_wrong &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_efficient_attention_backward.default(k, q, k, k, None, q, l, None, None, 0.0, [True, True, True, "
                              "False])")) == fault::shapes_do_not_broadcast &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_flash_attention_for_cpu_backward.default(q, q, k, k, d, l, 0.0, False)")) == fault::dtypes_differ &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_flash_attention_for_cpu_backward.default(q, q, k, k, q, s, 0.0, False)")) ==
               fault::shapes_do_not_broadcast &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_flash_attention_for_cpu_backward.default(q, q, k, k, q, e, 0.0, False)")) ==
               fault::dtype_is_unsupported &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_flash_attention_for_cpu_backward.default(q, q, h, h, q, l, 0.0, False)")) ==
               fault::shapes_do_not_broadcast &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_flash_attention_backward.default(q, q, k, k, q, l, None, None, 3, 5, 0.5, False, None, None)")) ==
               fault::argument_is_missing &&
           refuses<op_set>(GRADIENT("_scaled_dot_product_flash_attention_backward.default(q, q, k, k, q, l, None, None, 3, 5, 0.0, True, None, None)")) ==
               fault::shapes_do_not_broadcast;
}
static_assert(attention_gradients_refused());

constexpr bool convolves() {
    using op_set = aten::convolution_ops;
    const auto x = f32s({1, 1, 4}, {1, 2, 3, 4});
    const auto w = f32s({1, 1, 3}, {1, 0, -1});
    return gives<op_set>(
               ONE_CALL("x: \"f32[1, 1, 4]\", w: \"f32[1, 1, 3]\"", "aten.convolution.default(x, w, None, [1], [0], [1], False, [0], 1)"),
               {x, w}, f32s({1, 1, 2}, {-2, -2})) &&
           gives<op_set>(
               ONE_CALL("x: \"f32[1, 1, 4]\", w: \"f32[1, 1, 3]\"", "aten.convolution.default(x, w, None, [2], [1], [1], False, [0], 1)"),
               {x, w}, f32s({1, 1, 2}, {-2, -2})) &&
           gives<op_set>(
               ONE_CALL("x: \"f32[1, 1, 4]\", w: \"f32[1, 1, 3]\"", "aten.convolution.default(x, w, None, [1], [1], [1], True, [0], 1)"),
               {x, w}, f32s({1, 1, 4}, {2, 2, 2, -3})) &&
           refuses<op_set>(ONE_CALL("x: \"f32[1, 2, 4]\", w: \"f32[1, 1, 3]\"", "aten.conv1d.default(x, w)")) == fault::channels_differ &&
           refuses<op_set>(ONE_CALL("x: \"f32[1, 1, 2]\", w: \"f32[1, 1, 3]\"", "aten.conv1d.default(x, w)")) == fault::window_does_not_fit;
}
static_assert(convolves());

constexpr bool pools_and_pads() {
    const auto x = f32s({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    return gives<aten::window_ops>(ONE_CALL("x: \"f32[1, 2, 4]\"", "aten.max_pool2d.default(x, [2, 2])"), {x}, f32s({1, 1, 2}, {6, 8})) &&
           gives<aten::window_ops>(ONE_CALL("x: \"f32[1, 2, 4]\"", "aten.avg_pool2d.default(x, [2, 2])"), {x},
                                   f32s({1, 1, 2}, {3.5, 5.5})) &&
           gives<aten::window_ops>(ONE_CALL("x: \"f32[1, 2, 4]\"", "aten._adaptive_avg_pool2d.default(x, [1, 1])"), {x},
                                   f32s({1, 1, 1}, {4.5})) &&
           refuses<aten::window_ops>(ONE_CALL("x: \"f32[1, 2, 4]\"", "aten.max_pool2d.default(x, [2, 2], [2, 2], [2, 2])")) ==
               fault::padding_is_too_large &&
           gives<aten::window_ops>(ONE_CALL("x: \"f32[1, 3]\"", "aten.reflection_pad1d.default(x, [2, 1])"), {f32s({1, 3}, {1, 2, 3})},
                                   f32s({1, 6}, {3, 2, 1, 2, 3, 2})) &&
           gives<aten::window_ops>(ONE_CALL("x: \"f32[3]\"", "aten.constant_pad_nd.default(x, [1, -1], 9)"), {f32s({3}, {1, 2, 3})},
                                   f32s({3}, {9, 1, 2})) &&
           refuses<aten::window_ops>(
               ONE_CALL("x: \"f32[1, 1, 16, 16]\"",
                        "prims._low_memory_max_pool2d_with_offsets.default(x, [8, 16], [1, 1], [0, 0], [1, 1], False)")) ==
               fault::window_does_not_fit &&
           refuses<aten::window_ops>(
               ONE_CALL("x: \"f32[1, 4]\"", "prims._low_memory_max_pool_with_offsets.default(x, [2], [1], [0], [1], False)")) ==
               fault::rank_is_wrong &&
           refuses<aten::window_ops>(
               ONE_CALL("x: \"f32[1, 4]\"", "prims._low_memory_max_pool2d_offsets_to_indices.default(x, 2, 4, [1, 1], [0, 0])")) ==
               fault::dtype_is_unsupported &&
           refuses<aten::window_ops>(
               ONE_CALL("x: \"i8[4]\"", "prims._low_memory_max_pool2d_offsets_to_indices.default(x, 2, 4, [1, 1], [0, 0])")) ==
               fault::rank_is_wrong &&
           refuses<aten::window_ops>(
               ONE_CALL("x: \"i8[1, 4]\"", "prims._low_memory_max_pool2d_offsets_to_indices.default(x, 0, 4, [1, 1], [0, 0])")) ==
               fault::stride_must_be_positive &&
           refuses<aten::window_ops>(ONE_CALL("x: \"f32[1, 3]\"", "aten.reflection_pad1d.default(x, [3, 1])")) ==
               fault::padding_is_too_large;
}
static_assert(pools_and_pads());

constexpr bool reduces() {
    using op_set = aten::reduction_ops;
    return gives<op_set>(ONE_CALL("x: \"f32[2, 3]\"", "aten.mean.dim(x, [-1], True)"), {six()}, f32s({2, 1}, {2, 5})) &&
           gives<op_set>(ONE_CALL("x: \"f32[2, 3]\"", "aten.sum.dim_IntList(x, [0])"), {six()}, f32s({3}, {5, 7, 9})) &&
           gives<op_set>(ONE_CALL("x: \"b8[3]\"", "aten.sum.default(x)"), {b8s({3}, {1, 0, 1})}, i64s({}, {2})) &&
           gives<op_set>(ONE_CALL("x: \"f32[2, 3]\"", "aten.var.correction(x, [1], correction = 0)"), {six()},
                      f32s({2}, {2.0 / 3, 2.0 / 3})) &&
           refuses<op_set>(ONE_CALL("x: \"i64[2]\"", "aten.mean.default(x)")) == fault::dtype_is_unsupported &&
           refuses<op_set>(ONE_CALL("x: \"f32[0]\"", "aten.amax.default(x)")) == fault::window_does_not_fit &&
           refuses<op_set>(ONE_CALL("x: \"f32[0, 0]\"", "aten.aminmax.default(x, dim = 1)")) == fault::window_does_not_fit &&
           refuses<op_set>(ONE_CALL("x: \"f32[2]\"", "aten.aminmax.default(x, dim = 1)")) == fault::dimension_is_out_of_range;
}
static_assert(reduces());

constexpr bool copies() {
    return gives<aten::creation_ops>(ONE_CALL("a: \"f32[1, 2]\", b: \"f32[1, 1]\"", "aten.cat.default([a, b], -1)"),
                                     {f32s({1, 2}, {1, 2}), f32s({1, 1}, {3})}, f32s({1, 3}, {1, 2, 3})) &&
           gives<aten::creation_ops>(ONE_CALL("x: \"f32[3]\"", "aten._to_copy.default(x, dtype = torch.int64)"),
                                     {f32s({3}, {1.7, -1.7, 2})}, i64s({3}, {1, -1, 2}));
}
static_assert(copies());

// An operator struct without evaluate types but does not run.
struct mute {
    static constexpr std::string_view name = "aten.mute.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
};
constexpr bool needs_a_meaning() {
    return refuses<op_list<mute>>(ONE_CALL("x: \"f32[1]\"", "aten.mute.default(x)"), {f32s({1}, {1})}) == fault::operator_has_no_meaning;
}
static_assert(needs_a_meaning());

// An index that data gives is checked when it is met.
constexpr bool checks_indices() {
    return refuses<aten::indexing_ops>(ONE_CALL("w: \"f32[2, 1]\", i: \"i64[1]\"", "aten.embedding.default(w, i)"),
                                       {f32s({2, 1}, {1, 2}), i64s({1}, {2})}) == fault::index_is_out_of_range;
}
static_assert(checks_indices());

// Numbers that no tensor has are refused by name, at one place; none of them overflows on the way there.
using families = ahead::ir::join<aten::shape_ops, aten::window_ops, aten::creation_ops, aten::product_ops>;
struct wrong_number {
    std::string_view text;
    fault what;
    std::string_view expected, found;
};
constexpr wrong_number wrong_numbers[] = {
    {ONE_CALL("x: \"f32[6]\"", "aten.view.default(x, [-2, -3])"), fault::size_is_negative, "sizes from 0, or one -1", "-2"},
    {ONE_CALL("x: \"f32[6]\"", "aten.view.default(x, [1, 1, 1, 1, 1, 1, 1, 1, 6])"), fault::rank_is_wrong,
     "size: at most 8, as many as a tensor has dims", "9"},
    {ONE_CALL("x: \"f32[1099511627776, 3][1, 1099511627776]\"", "aten.view.default(x, [1, 3298534883328])"), fault::view_needs_a_copy,
     "f32[1, 3298534883328]", "f32[1099511627776, 3][1, 1099511627776]"},
    {ONE_CALL("x: \"f32[0, 3]\"", "aten.view.default(x, [-1, 0])"), fault::element_counts_differ,
     "a size in place of -1, since any would do", "-1 beside 0"},
    {ONE_CALL("x: \"f32[6, 0]\"", "aten.unflatten.int(x, 0, [7, 2])"), fault::element_counts_differ, "6 elements", "14"},
    {ONE_CALL("x: \"f32[6]\"", "aten.expand.default(x, [-2])"), fault::size_is_negative, "sizes from 0, or -1 for its own", "-2"},
    {ONE_CALL("x: \"f32[6]\"", "aten.expand.default(x, [4611686018427387904, 6])"), fault::tensor_is_too_large, "fewer than 2^48 elements",
     "f32[4611686018427387904, 6]"},
    {ONE_CALL("x: \"f32[6]\"", "aten.as_strided.default(x, [-1], [1])"), fault::size_is_negative, "sizes from 0", "-1"},
    {ONE_CALL("x: \"f32[6]\"", "aten.as_strided.default(x, [5], [4611686018427387904])"), fault::index_is_out_of_range,
     "6 elements of storage", "f32[5][4611686018427387904]"},
    {ONE_CALL("x: \"f32[6]\"", "aten.narrow.default(x, 0, 1, 9223372036854775807)"), fault::index_is_out_of_range, "6 elements",
     "9223372036854775807"},
    {ONE_CALL("x: \"f32[6]\"", "aten.narrow.default(x, 0, 1, -1)"), fault::size_is_negative, "a length from 0", "-1"},
    {ONE_CALL("x: \"f32[6]\"", "aten.split_with_sizes.default(x, [-1, 7])"), fault::size_is_negative, "split sizes from 0", "-1"},
    {ONE_CALL("x: \"f32[6]\"", "aten.split_with_sizes.default(x, [9223372036854775807, 9223372036854775807, 8])"),
     fault::split_sizes_do_not_add_up, "6", "9223372036854775807"},
    {ONE_CALL("x: \"f32[6]\"", "aten.slice.Tensor(x, 0, 0, 3, 9223372036854775807)"), fault::tensor_is_too_large,
     "fewer than 2^48 elements", "f32[1][9223372036854775807]"},
    {ONE_CALL("x: \"f32[6]\"", "aten.unfold.default(x, 0, -1, 1)"), fault::size_is_negative, "a size from 0", "-1"},
    {ONE_CALL("x: \"f32[6]\"", "aten.repeat.default(x, [-1])"), fault::size_is_negative, "repeats from 0", "-1"},
    {ONE_CALL("x: \"f32[4]\"", "aten.repeat.default(x, [4611686018427387905])"), fault::tensor_is_too_large, "fewer than 2^48 elements",
     "f32[9223372036854775807]"},
    {ONE_CALL("x: \"f32[1, 4, 2, 2]\"", "aten.pixel_shuffle.default(x, 4294967296)"), fault::channels_differ,
     "channels divisible by the factor squared", "f32[1, 4, 2, 2]"},
    {ONE_CALL("x: \"f32[6]\"", "aten.zeros.default([4611686018427387904, 4])"), fault::tensor_is_too_large, "fewer than 2^48 elements",
     "f32[4611686018427387904, 4]"},
    {ONE_CALL("x: \"f32[6]\"", "aten.zeros.default([2, -1])"), fault::size_is_negative, "sizes from 0", "-1"},
    {ONE_CALL("x: \"f32[6]\"", "aten.arange.default(1e300)"), fault::tensor_is_too_large, "fewer than 2^48 elements",
     "f32[9223372036854775807]"},
    {ONE_CALL("x: \"f32[4]\"", "aten.constant_pad_nd.default(x, [9223372036854775807, 1])"), fault::tensor_is_too_large,
     "fewer than 2^48 elements", "f32[9223372036854775807]"},
    {ONE_CALL("x: \"f32[4]\"", "aten.constant_pad_nd.default(x, [3, -5])"), fault::padding_is_too_large, "at most 4 cropped", "-5"},
    {ONE_CALL("x: \"f32[1, 1, 3, 3]\", w: \"f32[1, 1, 2, 2]\"",
              "aten.convolution.default(x, w, None, [1, 1], [9223372036854775807, 0], [1, 1], False, [0, 0], 1)"),
     fault::tensor_is_too_large, "fewer than 2^48 elements", "f32[1, 1, 9223372036854775807, 2]"},
    {ONE_CALL("x: \"f32[1, 1, 3, 3]\", w: \"f32[1, 1, 2, 2]\"",
              "aten.convolution.default(x, w, None, [1, 1], [-1, 0], [1, 1], False, [0, 0], 1)"),
     fault::size_is_negative, "paddings from 0", "-1"},
};
constexpr bool is_refused(const wrong_number& wrong) {
    std::vector<host_tensor> outputs;
    const auto d = run<families>(wrong.text, {}, outputs);
    return d.what == wrong.what && d.expected.view() == wrong.expected && d.found.view() == wrong.found && d.line == 3;
}
constexpr bool wrong_numbers_refused() {
    for (const auto& wrong : wrong_numbers)
        if (!is_refused(wrong)) return false;
    return true;
}
static_assert(wrong_numbers_refused());

// Split sizes and paddings are no dims: there may be more than 8.
constexpr bool long_lists() {
    constexpr std::string_view nine = "class <lambda>(torch.nn.Module):\n"
                                      "    def forward(self, x: \"f32[10]\"):\n"
                                      "        s = torch.ops.aten.split_with_sizes.default(x, [1, 1, 1, 1, 1, 1, 1, 1, 2])\n"
                                      "        a: \"f32[2]\" = s[8]\n"
                                      "        return (a,)\n";
    const host_tensor ten = f32s({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), one = f32s({1, 1, 1, 1, 1}, {5}), inputs[] = {ten};
    std::vector<host_tensor> outputs;
    return !run<families>(nine, inputs, outputs) && outputs[0].get<float>({0}) == 8 && outputs[0].get<float>({1}) == 9 &&
           gives<families>(ONE_CALL("x: \"f32[1, 1, 1, 1, 1]\"", "aten.constant_pad_nd.default(x, [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], 7)"),
                           {one}, f32s({2, 1, 1, 1, 2}, {7, 7, 5, 7})) &&
           gives<families>(ONE_CALL("x: \"f32[10]\"", "aten.split.Tensor(x, 9223372036854775807)"), {ten}, ten);
}
static_assert(long_lists());

int main() {
    for (const auto& wrong : wrong_numbers) check(is_refused(wrong), wrong.text);
    check(long_lists());
    check(views_right());
    check(views_refused());
    check(splits());
    check(picks_one_of_many());
    check(multiplies());
    check(attends());
    check(attention_refused());
    check(convolves());
    check(pools_and_pads());
    check(reduces());
    check(copies());
    check(needs_a_meaning());
    check(checks_indices());
    return report();
}
