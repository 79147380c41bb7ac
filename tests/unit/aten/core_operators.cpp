// The operators of core ATen that are the least like others: numbers asked of tensors; and what each refuses, by name: what was expected, what was found.
// SPDX-License-Identifier: MIT
#include "unit/refused_call.hpp"

using namespace test;

namespace {

using test::refused;

void norms() {
    constexpr auto layer = "x : f32[2, 4], y : f32[2, 3], i : i64[2, 4], m : f32[2, 1], w : f32[4], v : f32[3]";
    refused({layer, "native_layer_norm_backward.default(y, x, [4], m, m, w, w, [True, True, True])", fault::shapes_do_not_broadcast, "f32[2, 4]", "f32[2, 3]"});
    refused({layer, "native_layer_norm_backward.default(i, x, [4], m, m, w, w, [True, True, True])", fault::dtypes_differ, "f32[2, 4]", "i64[2, 4]"});
    refused({layer, "native_layer_norm_backward.default(i, i, [4], m, m, w, w, [True, True, True])", fault::dtype_is_unsupported, "floating point", "i64[2, 4]"});
    refused({layer, "native_layer_norm_backward.default(x, x, [4], w, m, w, w, [True, True, True])", fault::shapes_do_not_broadcast, "f32[2, 1]", "f32[4]"});
    refused({layer, "native_layer_norm_backward.default(x, x, [4], m, m, v, w, [True, True, True])", fault::shapes_do_not_broadcast, "f32[4]", "f32[3]"});
    refused({layer, "native_layer_norm_backward.default(x, x, [4], m, m, w, w, [True, True])", fault::rank_is_wrong, "3 flags", "2"});

    constexpr auto group = "x : f32[2, 4, 3], m : f32[2, 2], w : f32[4]";
    refused({group, "native_group_norm_backward.default(x, x, m, m, w, 2, 4, 3, 3, [True, True, True])", fault::channels_differ, "channels divisible by 3", "f32[2, 4, 3]"});
    refused({group, "native_group_norm_backward.default(x, x, m, m, w, 2, 4, 4, 2, [True, True, True])", fault::element_counts_differ, "f32[2, 4, 3]", "2 x 4 x 4"});
    refused({group, "native_group_norm_backward.default(x, x, w, m, w, 2, 4, 3, 2, [True, True, True])", fault::shapes_do_not_broadcast, "f32[2, 2]", "f32[4]"});
    refused({group, "native_group_norm_backward.default(x, x, m, m, m, 2, 4, 3, 2, [True, True, True])", fault::shapes_do_not_broadcast, "f32[4]", "f32[2, 2]"});

    refused({group, "_native_batch_norm_legit.default(x, w, w, w, w, True, 0.1, 0.5)", fault::in_place_needs_alias_analysis, "_native_batch_norm_legit_functional",
             "running statistics written"});
    refused({group, "_native_batch_norm_legit.default(x, w, w, None, w, False, 0.1, 0.5)", fault::argument_has_wrong_kind, "running_mean: Tensor", "None"});
    refused({group, "_native_batch_norm_legit.no_stats(x, w, w, False, 0.1, 0.5)", fault::argument_is_missing, "running_mean and running_var, or training=True", "None"});
}

void indices() {
    constexpr auto rows = "g : f32[2, 3], i : i64[2], w : f32[4, 3], o : i64[2], f : f32[2], z : i64[0], d : i64[2, 1]";
    const auto g = f32s({2, 3}, {1, 2, 3, 4, 5, 6}), w = f32s({4, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), f = f32s({2}, {1, 2});
    const auto o = i64s({2}, {0, 1}), z = i64s({0}, {}), d = i64s({2, 1}, {0, 1});
    const auto with = [&](std::initializer_list<int> i, const host_tensor& offsets) { return std::vector{g, i64s({2}, i), w, offsets, f, z, d}; };
    refused({rows, "embedding_dense_backward.default(g, f, 4, -1, False)", fault::dtype_is_unsupported, "indices of i64 or i32", "f32[2]"});
    refused({rows, "embedding_dense_backward.default(i, i, 4, -1, False)", fault::dtype_is_unsupported, "floating point", "i64[2]"});
    refused({rows, "embedding_dense_backward.default(f, i, 4, -1, False)", fault::rank_is_wrong, "rank 2", "f32[2]"});
    refused({rows, "embedding_dense_backward.default(w, i, 4, -1, False)", fault::shapes_do_not_broadcast, "f32[2, 3]", "f32[4, 3]"});
    refused({rows, "embedding_dense_backward.default(g, i, -4, -1, False)", fault::size_is_negative, "sizes from 0", "-4"});
    refused({rows, "embedding_dense_backward.default(g, i, 4, -1, False)", fault::index_is_out_of_range, "an index below 4", "4", with({0, 4}, o)});

    refused({rows, "_embedding_bag.default(f, i, o)", fault::rank_is_wrong, "rank 2", "f32[2]"});
    refused({rows, "_embedding_bag.default(w, d, o)", fault::rank_is_wrong, "rank 1", "i64[2, 1]"});
    refused({rows, "_embedding_bag.default(w, i, o, False, 3)", fault::argument_has_wrong_kind, "mode: 0 (sum), 1 (mean) or 2 (max)", "3"});
    refused({rows, "_embedding_bag.default(w, i, z, False, 0, False, None, True)", fault::element_counts_differ, "a last offset", "i64[0]"});
    refused({rows, "_embedding_bag.default(w, i, o, False, 1, False, f)", fault::argument_is_unknown, "per_sample_weights for mode 0 (sum) only", "1"});
    refused({rows, "_embedding_bag.default(w, i, o, False, 0, False, g)", fault::shapes_do_not_broadcast, "i64[2]", "f32[2, 3]"});
    constexpr auto bag = "_embedding_bag.default(w, i, o)";
    refused({rows, bag, fault::index_is_out_of_range, "an index below 4", "4", with({0, 4}, o)});
    refused({rows, bag, fault::index_is_out_of_range, "an index below 1", "1", with({0, 1}, i64s({2}, {1, 2}))}); // bags begin at 0
    refused({rows, bag, fault::index_is_out_of_range, "an index below 3", "3", with({0, 1}, i64s({2}, {0, 3}))});

    constexpr auto mask = "x : f32[2, 3], m : b8[2, 3], n : b8[2, 2], s : f32[2], i : i64[6]";
    refused({mask, "masked_scatter.default(x, s, s)", fault::dtype_is_unsupported, "b8", "f32"});
    refused({mask, "masked_scatter.default(x, m, i)", fault::dtypes_differ, "f32[2, 3]", "i64[6]"});
    refused({mask, "masked_scatter.default(x, n, s)", fault::shapes_do_not_broadcast, "[2, 3]", "b8[2, 2]"});
    refused({mask, "masked_scatter.default(x, m, s)", fault::index_is_out_of_range, "an index below 2", "2",
             {g, b8s({2, 3}, {1, 0, 1, 0, 1, 0}), b8s({2, 2}, {0, 0, 0, 0}), f, i64s({6}, {0, 0, 0, 0, 0, 0})}});
    refused({mask, "nonzero_static.default(x, size = -1)", fault::size_is_negative, "sizes from 0", "-1"});
    refused({mask, "nonzero.default(x)", fault::dimension_is_dynamic, "as many rows as a size says: nonzero_static", "as many as data says"});
}

void windows() {
    constexpr auto images = "x : f32[1, 2, 4, 4], y : f32[1, 2, 3, 3], i : i64[1, 2, 4, 4], c : f32[1, 8, 9], e : f32[1, 2, 0, 3], g : f32[1, 3, 3, 2]";
    refused({images, "_adaptive_avg_pool2d_backward.default(x, c)", fault::rank_is_wrong, "rank 3", "f32[1, 2, 4, 4]"});
    refused({images, "_adaptive_avg_pool2d_backward.default(i, x)", fault::dtypes_differ, "f32[1, 2, 4, 4]", "i64[1, 2, 4, 4]"});
    refused({images, "_adaptive_avg_pool2d_backward.default(g, x)", fault::shapes_do_not_broadcast, "f32[1, 2, 4, 4]", "f32[1, 3, 3, 2]"});
    refused({images, "_adaptive_avg_pool2d_backward.default(e, x)", fault::window_does_not_fit, "elements in every dim but that of the batch",
             "f32[1, 2, 0, 3]"});
    refused({images, "max_pool3d_with_indices.default(c, [2, 2, 2])", fault::rank_is_wrong, "rank 4 or 5", "f32[1, 8, 9]"});
    refused({images, "max_pool3d_with_indices.default(x, [2, 2])", fault::rank_is_wrong, "3 spatial dims", "2"});
    refused({images, "max_pool3d_with_indices.default(x, [2, 5, 2])", fault::window_does_not_fit, "5 elements, padding included", "f32[1, 2, 4, 4]"});

    refused({images, "im2col.default(x, [5, 2], [1, 1], [0, 0], [1, 1])", fault::window_does_not_fit, "5 elements, padding included", "4"});
    refused({images, "im2col.default(x, [2, 2], [1, 1], [0, 0], [0, 1])", fault::stride_must_be_positive, "kernel, stride and dilation from 1", "2, 0, 1"});
    refused({images, "im2col.default(x, [2, 2], [1, 1], [-1, 0], [1, 1])", fault::size_is_negative, "paddings from 0", "-1"});
    refused({images, "im2col.default(i, [2, 2], [1, 1], [0, 0], [1, 1])", fault::dtype_is_unsupported, "floating point", "i64[1, 2, 4, 4]"});
    refused({images, "im2col.default(e, [1, 1], [1, 1], [1, 1], [1, 1])", fault::window_does_not_fit, "elements in every dim but that of the batch",
             "f32[1, 2, 0, 3]"});
    refused({images, "im2col.default(x, [9223372036854775807, 2], [9223372036854775807, 1], [0, 0], [1, 1])", fault::tensor_is_too_large,
             "fewer than 2^48 elements", "f32[1, 9223372036854775807, 9223372036854775807]"});
    refused({images, "col2im.default(c, [4, 4], [3, 2], [1, 1], [0, 0], [1, 1])", fault::channels_differ, "rows divisible by 6", "f32[1, 8, 9]"});
    refused({images, "col2im.default(c, [5, 4], [2, 2], [1, 1], [0, 0], [1, 1])", fault::element_counts_differ, "12 columns", "f32[1, 8, 9]"});
    refused({images, "col2im.default(x, [4, 4], [2, 2], [1, 1], [0, 0], [1, 1])", fault::rank_is_wrong, "rank 2 or 3", "f32[1, 2, 4, 4]"});

    refused({images, "grid_sampler_2d.default(x, c, 0, 0, False)", fault::rank_is_wrong, "rank 4", "f32[1, 8, 9]"});
    refused({images, "grid_sampler_2d.default(x, y, 0, 0, False)", fault::shapes_do_not_broadcast, "f32[1, 2, 3, 2]", "f32[1, 2, 3, 3]"});
    refused({images, "grid_sampler_2d.default(e, g, 0, 0, False)", fault::window_does_not_fit, "elements in height and width", "f32[1, 2, 0, 3]"});
    refused({images, "grid_sampler_2d.default(x, g, 3, 0, False)", fault::argument_has_wrong_kind, "interpolation_mode: 0 (bilinear), 1 (nearest) or 2 (bicubic)",
             "3"});
    refused({images, "grid_sampler_2d.default(x, g, 0, 3, False)", fault::argument_has_wrong_kind, "padding_mode: 0 (zeros), 1 (border) or 2 (reflection)", "3"});
}

void distances() {
    constexpr auto rows = "x : f32[2, 3], y : f32[4, 2], i : i64[2, 3], v : f32[3], b : f32[3, 2, 3], d : f32[2, 2, 3]";
    refused({rows, "_cdist_forward.default(x, y, 2.0, None)", fault::shapes_do_not_broadcast, "f32[2, 3]", "f32[4, 2]"});
    refused({rows, "_cdist_forward.default(x, i, 2.0, None)", fault::dtypes_differ, "f32[2, 3]", "i64[2, 3]"});
    refused({rows, "_cdist_forward.default(i, i, 2.0, None)", fault::dtype_is_unsupported, "floating point", "i64[2, 3]"});
    refused({rows, "_cdist_forward.default(x, v, 2.0, None)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({rows, "_cdist_forward.default(x, x, -1.0, None)", fault::argument_has_wrong_kind, "p from 0", "a number below 0"});
    refused({rows, "_cdist_forward.default(x, x, 2.0, 3)", fault::argument_has_wrong_kind, "compute_mode: 0, 1, 2 or None", "3"});
    refused({rows, "_cdist_forward.default(b, d, 2.0, None)", fault::shapes_do_not_broadcast, "[3]", "f32[2]"});
    refused({rows, "_pdist_forward.default(v)", fault::rank_is_wrong, "rank 2", "f32[3]"});
    refused({rows, "_pdist_forward.default(x, -1.0)", fault::argument_has_wrong_kind, "p from 0", "a number below 0"});
}

// What a graph of x : f32[2, 3] and s : f32[1, 1] with this body returns.
std::vector<host_tensor> results(std::string_view body) {
    const auto text = "def forward(self, x : f32[2, 3], s : f32[1, 1]):\n" + std::string(body);
    const host_tensor inputs[] = {f32s({2, 3}, {1, 2, 3, 4, 5, 6}), f32s({1, 1}, {10})};
    std::vector<host_tensor> outputs;
    const auto d = run<aten::registry>(text, inputs, outputs);
    check(d.ok(), text + std::string(name_of(d.what)) + ", " + std::string(d.expected.view()) + ", " + std::string(d.found.view()));
    return outputs;
}
std::vector<double> elements_of(const host_tensor& t) {
    std::vector<double> out;
    for_each_index(sizes_of(t.type), [&](const int_list& at) { out.push_back(t.get<double>(at)); });
    return out;
}

// Numbers of types stand, in lists and alone, as if they were written there; returned, they are tensors.
void numbers() {
    const auto out = results("    n = torch.ops.aten.sym_size.int(x, -1)\n"
                             "    all = torch.ops.aten.sym_numel.default(x)\n"
                             "    t = torch.ops.aten.transpose.int(x, 0, 1)\n"
                             "    step = torch.ops.aten.sym_stride.int(t, 1)\n"
                             "    last = torch.ops.aten.select.int(x, 0, 1)\n"
                             "    begin = torch.ops.aten.sym_storage_offset.default(last)\n"
                             "    flat = torch.ops.aten.view.default(x, [all])\n"
                             "    seen = torch.ops.aten.view.default(flat, [2, n])\n"
                             "    more = torch.ops.aten.add.Tensor(seen, step, alpha = begin)\n"
                             "    return (more, n, step, begin)\n");
    if (!check(out.size() == 4)) return;
    check(sizes_of(out[0].type) == int_list{2, 3} && elements_of(out[0]) == std::vector<double>{10, 11, 12, 13, 14, 15});
    for (std::size_t k = 1; k < 4; ++k) check(out[k].type == tensor_of(dtype::i64, {}) && elements_of(out[k]) == std::vector<double>{3});
    constexpr auto parameters = "x : f32[2, 3], s : f32[]";
    refused({parameters, "sym_size.int(x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "sym_stride.int(s, 0)", fault::dimension_is_out_of_range, "a tensor that has dims", "f32[]"});

    // the element of a tensor
    const auto sums = results("    k = torch.ops.aten._local_scalar_dense.default(s)\n"
                              "    r = torch.ops.aten.add.Tensor(x, k)\n"
                              "    return (r,)\n");
    check(sums.size() == 1 && elements_of(sums[0]) == std::vector<double>{11, 12, 13, 14, 15, 16});
    refused({parameters, "_local_scalar_dense.default(x)", fault::element_counts_differ, "1 element", "f32[2, 3]"});
}

void storages() {
    const auto out = results("    e = torch.ops.aten.empty_strided.default([2, 3], [1, 2], dtype = torch.float32)\n"
                             "    z = torch.ops.aten.zeros_like.default(e)\n"
                             "    step = torch.ops.aten.sym_stride.int(e, 1)\n"
                             "    other = torch.ops.aten.sym_stride.int(z, 0)\n"
                             "    same = torch.ops.aten.resize_.default(x, [2, 3])\n"
                             "    twice = torch.ops.aten.add.Tensor(same, z)\n"
                             "    return (step, other, twice)\n");
    if (!check(out.size() == 3)) return;
    check(elements_of(out[0])[0] == 2 && elements_of(out[1])[0] == 1 && elements_of(out[2]) == std::vector<double>{1, 2, 3, 4, 5, 6});
    constexpr auto parameters = "x : f32[2, 3]";
    refused({parameters, "empty_strided.default([2, 3], [1])", fault::rank_is_wrong, "as many strides as sizes", "1"});
    refused({parameters, "empty_strided.default([2, 3], [0, 1])", fault::view_needs_a_copy, "strides of a dense tensor", "f32[2, 3][0, 1]"});
    refused({parameters, "empty_strided.default([2, -1], [1, 1])", fault::size_is_negative, "sizes from 0", "-1"});
    refused({parameters, "resize_.default(x, [4])", fault::in_place_needs_alias_analysis, "a new tensor, or as_strided for fewer elements than f32[2, 3]",
             "f32[4]"});
    refused({parameters, "resize_.default(x, [2, 3], memory_format = torch.contiguous_format)", fault::in_place_needs_alias_analysis,
             "contiguous, a copy, in place of a memory format", "torch.contiguous_format"});
}

// All of them in handles: what their types are.
inline constexpr auto handles = trace([](input<"x", f32<2, 4, 6, 6>> x, input<"m", f32<5, 6>> m, input<"i", i64<3>> i, input<"o", i64<2>> o,
                                         input<"b", b8<6>> b, input<"g", f32<2, 3, 3, 2>> g, param<"w", f32<4>> w, param<"r", f32<6>> r) {
    const auto [y, mean, rstd] = native_layer_norm<6>(x, r, none{});
    const auto [to_x, to_r, to_bias] = native_layer_norm_backward<6>(y, x, mean, rstd, r, none{});
    const auto [z, of_group, spread] = native_group_norm<2>(x, w, w);
    const auto [to_z, to_w, to_shift] = native_group_norm_backward<2>(z, x, of_group, spread, w);
    const auto [own, own_mean, own_rstd] = batch_norm(x, w, w);
    const auto pooled = max_pool3d<kernel<2, 2, 2>, stride<1, 2, 2>>(x);
    const auto columns = im2col<kernel<2, 3>, stride<2, 3>>(x);
    const auto [middle, place] = median<0>(hardshrink(m));
    const auto [number, its_place] = nanmedian<1>(softshrink(m));
    return outputs(to_x, to_r, to_bias, to_z, to_w, to_shift, own_mean, batch_norm(x, w, w, w, w), pooled, columns,
                   col2im<6, 6, kernel<2, 3>, stride<2, 3>>(columns), grid_sample<aten::grid_interpolation::nearest>(x, g),
                   adaptive_avg_pool2d_backward(max_pool2d<kernel<2, 2>>(x), x), cdist(m, m), pdist(m, 1.0),
                   embedding_dense_backward<7>(embedding(m, i), i), embedding_bag<aten::bag_reduction::mean>(m, i, o),
                   masked_scatter(m, b, m), nonzero_static<4>(m), addr(r, w, r), outer(r, w), middle, place, number, its_place, bucketize(m, r));
});
// The same of what people write before PyTorch takes it apart.
inline constexpr auto written = trace([](input<"x", f32<2, 4, 6, 6>> x, input<"m", f32<5, 6>> m, input<"i", i64<3>> i, input<"h", f64<5, 6>> h,
                                         param<"w", f32<4>> w, param<"k", f32<4, 3, 2, 2>> k, param<"s", f32<1, 6, 2>> s, param<"a", f32<8, 6>> a,
                                         param<"u", f32<8, 2>> u, param<"b", f32<6, 6>> b, param<"v", f32<6, 2>> v, param<"d", f32<6>> d) {
    const auto steps = select<0, 0>(x);
    const auto [y, hidden, cells] = lstm(steps, s, s, tensors(a, u));
    const auto [z, last] = gru<1, false, true>(transpose<0, 1>(steps), s, tensors(b, v, d, d));
    const auto [largest, places] = adaptive_max_pool<2, 3>(x);
    return outputs(glu<1>(x), glu_backward<1>(glu<1>(x), x), prelu(x, w), elu_backward(m, m), softmax<1, dtype::f32>(h), log_softmax<0, dtype::f64>(m), kl_div(m, m),
                   one_hot<7>(i), index_fill<0>(m, i, 2), slice_backward<ints<9, 6>, 0, 2, 7>(m), select_backward<ints<5, 4, 6>, 1, -1>(m), instance_norm(x, w, none{}),
                   einsum<"ij,kj->ik">(m, m), einsum<"ij->j">(m), einsum<"ij,kj,kl">(tensors(m, m, m)), conv_transpose2d<stride<2, 2>>(x, k), largest, places,
                   adaptive_avg_pool1d<3>(flatten<0, 1>(x)), pad<"circular", 1, 2, 3, 4>(x), pad<"reflect", 1, 0>(m), y, hidden, cells, z, last);
});

template <class Traced> std::string types_of() {
    const auto g = Traced::view();
    std::string types;
    for (node_id n : g)
        if (g[n].kind == node_kind::output)
            for (std::int32_t k = 0; k < returned_by(g).count; ++k) types += std::string(print(g.value_of(g[returned_by(g)[k]]).type).view()) + "; ";
    return types;
}
void in_handles() {
    check_equal(types_of<decltype(handles)>(), "f32[2, 4, 6, 6]; f32[6]; f32[0]; f32[2, 4, 6, 6]; f32[4]; f32[4]; f32[4]; f32[2, 4, 6, 6]; f32[2, 3, 3, 3]; f32[2, 24, 6]; "
                       "f32[2, 4, 6, 6]; f32[2, 4, 3, 3]; f32[2, 4, 6, 6]; f32[5, 5]; f32[10]; f32[7, 6]; f32[2, 6]; f32[5, 6]; i64[4, 2]; f32[4, 6]; f32[6, 4]; f32[6]; i64[6]; f32[5]; i64[5]; i64[5, 6]; ");
    check_equal(types_of<decltype(written)>(), "f32[2, 2, 6, 6]; f32[2, 4, 6, 6]; f32[2, 4, 6, 6]; f32[5, 6]; f32[5, 6]; f64[5, 6]; f32[]; i64[3, 7]; f32[5, 6]; f32[9, 6]; "
                                               "f32[5, 4, 6]; f32[2, 4, 6, 6]; f32[5, 5]; f32[6]; f32[5, 6]; f32[2, 3, 12, 12]; f32[2, 4, 2, 3]; i64[2, 4, 2, 3]; f32[8, 6, 3]; "
                                               "f32[2, 4, 13, 9]; f32[5, 7]; f32[4, 6, 2]; f32[1, 6, 2]; f32[1, 6, 2]; f32[6, 4, 2]; f32[1, 6, 2]; ");
}

void others() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], i : i64[3], b : b8[3], z : f32[2, 0], s : f32[], w : f32[2, 4]";
    refused({parameters, "median.dim(z, 1)", fault::window_does_not_fit, "at least one element", "f32[2, 0]"});
    refused({parameters, "median.dim(x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "nanmedian.default(b)", fault::dtype_is_unsupported, "numbers", "b8[3]"});
    refused({parameters, "kthvalue.default(x, 4)", fault::index_is_out_of_range, "k from 1 to 3", "4"});
    refused({parameters, "searchsorted.Tensor(v, i)", fault::dtypes_differ, "f32[3]", "i64[3]"});
    refused({parameters, "searchsorted.Tensor(s, v)", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
    refused({parameters, "searchsorted.Tensor(x, v)", fault::rank_is_wrong, "rank 2", "f32[3]"});
    refused({parameters, "searchsorted.Tensor(v, v, right = True, side = 'left')", fault::argument_has_wrong_kind, "side: right, or right=False", "left"});
    refused({parameters, "searchsorted.Tensor(v, v, sorter = v)", fault::dtype_is_unsupported, "places of i64", "f32[3]"});
    refused({parameters, "bucketize.Tensor(x, x)", fault::rank_is_wrong, "rank 1", "f32[2, 3]"});
    refused({parameters, "diag.default(s)", fault::rank_is_wrong, "rank 1 or 2", "f32[]"});
    refused({parameters, "diag_embed.default(x, 0, 1, 1)", fault::dimension_is_repeated, "two dims", "1"});
    refused({parameters, "diag_embed.default(x, 9223372036854775807)", fault::tensor_is_too_large, "fewer than 2^48 elements",
             "f32[2, 9223372036854775807, 9223372036854775807]"});
    refused({parameters, "trace.default(v)", fault::rank_is_wrong, "rank 2", "f32[3]"});
    refused({parameters, "rot90.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "rot90.default(x, 1, [0, 0])", fault::dimension_is_repeated, "each dim once", "0"});
    refused({parameters, "outer.default(v, i)", fault::dtypes_differ, "f32[3]", "i64[3]"});
    refused({parameters, "addr.default(x, v, v)", fault::shapes_do_not_broadcast, "[3, 3]", "f32[2, 3]"});
    refused({parameters, "huber_loss.default(x, v)", fault::shapes_do_not_broadcast, "f32[2, 3]", "f32[3]"});
    refused({parameters, "soft_margin_loss.default(x, x, 3)", fault::argument_has_wrong_kind, "reduction: 0 (none), 1 (mean) or 2 (sum)", "3"});
    refused({parameters, "binary_cross_entropy.default(v, v, x)", fault::shapes_do_not_broadcast, "f32[3]", "f32[2, 3]"});
    refused({parameters, "binary_cross_entropy_with_logits.default(x, x, None, i)", fault::dtypes_differ, "f32[2, 3]", "i64[3]"});
}

// What people write, before PyTorch takes it apart.
void written_operators() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], i : i64[3], s : f32[], y : f32[4, 4], c : f32[1, 4, 5, 5], w : f32[4, 2, 3, 3], h : f32[4]";
    refused({parameters, "softmax.int(i, 0)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "softmax.int(x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "log_softmax.int(x, 0, torch.float16)", fault::dtype_is_unsupported, "f32 or f64, or self converted before", "f16"});
    refused({parameters, "glu.default(v)", fault::split_sizes_do_not_add_up, "two halves of a dim", "f32[3]"});
    refused({parameters, "glu.default(s)", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
    refused({parameters, "glu_backward.default(v, y, 0)", fault::shapes_do_not_broadcast, "f32[2, 4]", "f32[3]"});
    refused({parameters, "prelu.default(x, y)", fault::rank_is_wrong, "a weight of rank 0 or 1", "f32[4, 4]"});
    refused({parameters, "prelu.default(y, v)", fault::channels_differ, "1 weight or 4", "f32[3]"});
    refused({parameters, "elu_backward.default(x, -1, 1, 1, True, x)", fault::argument_has_wrong_kind, "alpha from 0, beside a result", "a number below 0"});
    refused({parameters, "elu_backward.default(i, 1, 1, 1, False, i)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "kl_div.default(x, v)", fault::shapes_do_not_broadcast, "f32[2, 3]", "f32[3]"});

    const auto three = i64s({3}, {0, 2, 1});
    const std::vector inputs{f32s({2, 3}, {1, 2, 3, 4, 5, 6}), f32s({3}, {1, 2, 3}), three};
    constexpr auto data = "x : f32[2, 3], v : f32[3], i : i64[3]";
    refused({parameters, "one_hot.default(i)", fault::dimension_is_dynamic, "num_classes", "as many as data says"});
    refused({data, "one_hot.default(i, 0)", fault::index_is_out_of_range, "an index below 0", "0", inputs});
    refused({parameters, "one_hot.default(x, 3)", fault::dtype_is_unsupported, "indices of i64", "f32[2, 3]"});
    refused({data, "one_hot.default(i, 2)", fault::index_is_out_of_range, "an index below 2", "2", inputs});
    refused({data, "index_fill.int_Scalar(x, 0, i, 1.0)", fault::index_is_out_of_range, "an index below 2", "2", inputs});
    refused({parameters, "index_fill.int_Scalar(x, 0, y, 1.0)", fault::dtype_is_unsupported, "indices of i64", "f32[4, 4]"});
    refused({parameters, "index_fill.int_Tensor(x, 1, i, v)", fault::rank_is_wrong, "a value of rank 0", "f32[3]"});
    refused({parameters, "slice_backward.default(x, [5, 3], 0, 0, 9, 1)", fault::shapes_do_not_broadcast, "f32[5, 3]", "f32[2, 3]"});
    refused({parameters, "slice_backward.default(x, [5, 3], 0, 0, 9, 0)", fault::stride_must_be_positive, "a step from 1", "0"});
    refused({parameters, "select_backward.default(v, [4, 3], 0, 4)", fault::index_is_out_of_range, "4 elements", "4"});
    refused({parameters, "select_backward.default(v, [], 0, 0)", fault::rank_is_wrong, "sizes of rank 1 at least", "none"});

    refused({parameters, "pad.default(x, [1, 1, 1])", fault::rank_is_wrong, "two paddings per dim", "3"});
    refused({parameters, "pad.default(x, [1, 1], 'round')", fault::argument_has_wrong_kind, "mode: constant, reflect, replicate or circular", "round"});
    refused({parameters, "pad.default(x, [1, 1], 'reflect', 1.0)", fault::argument_is_unknown, "a value for mode constant only", "another mode"});
    refused({parameters, "pad.default(x, [1], 'reflect')", fault::rank_is_wrong, "2, 4 or 6 paddings", "1"});
    refused({parameters, "pad.default(x, [3, 1], 'reflect')", fault::padding_is_too_large, "less than 3", "3"});
    refused({parameters, "pad.default(x, [1, 1, 1, 1, 1, 1], 'circular')", fault::rank_is_wrong, "two paddings for each dim but batch and channels, 6 at most", "6 for rank 2"});
    refused({parameters, "pad.default(c, [6, 0, 0, 0], 'circular')", fault::padding_is_too_large, "at most 5", "6"});
    refused({parameters, "adaptive_max_pool2d.default(x, [1, 1])", fault::rank_is_wrong, "rank 3 or 4", "f32[2, 3]"});
    refused({parameters, "adaptive_max_pool2d.default(c, [-1, 1])", fault::window_does_not_fit, "an output size from 0", "-1"});
    refused({parameters, "instance_norm.default(c, None, None, h, h, True, 0.1, 0.5, False)", fault::in_place_needs_alias_analysis,
             "_native_batch_norm_legit_functional", "running statistics written"});
    refused({parameters, "instance_norm.default(c, None, None, None, None, False, 0.1, 0.5, False)", fault::argument_is_missing, "running_mean and running_var", "None"});
    refused({parameters, "batch_norm.default(c, v, None, None, None, True, 0.1, 0.5, False)", fault::shapes_do_not_broadcast, "f32[4]", "f32[3]"});

    refused({parameters, "conv_transpose2d.input(c, w, None, [1, 1], [9, 9])", fault::window_does_not_fit, "3 elements, padding included", "f32[1, 4, 5, 5]"});
    refused({parameters, "conv_transpose2d.input(c, y)", fault::rank_is_wrong, "rank 4", "f32[4, 4]"});
    refused({parameters, "conv2d.padding(c, w, None, [2, 1], 'same', [1, 1], 2)", fault::argument_has_wrong_kind, "a stride of 1 beside padding same", "2"});
    refused({parameters, "conv2d.padding(c, w, None, [1, 1], 'full', [1, 1], 2)", fault::argument_has_wrong_kind, "padding: valid or same", "full"});

    refused({parameters, "bilinear.default(x, x, y)", fault::rank_is_wrong, "rank 3", "f32[4, 4]"});
    refused({parameters, "upsample_bicubic2d.vec(c, [7, 0], False, None)", fault::window_does_not_fit, "sizes from 1", "0"});
    constexpr auto network = "x : f32[5, 2, 3], h : f32[1, 2, 4], w : f32[16, 3], u : f32[16, 4], b : f32[16], v : f32[12, 3], d : f64[16]";
    const auto lstm = [](const std::string& weights, const std::string& rest) { return "lstm.input(x, [h, h], [" + weights + "], " + rest + ", False, False)"; };
    refused({network, lstm("w, u", "True, 1, 0.0, False"), fault::element_counts_differ, "4 weights and biases", "2"});
    refused({network, lstm("w, u", "False, 2, 0.0, False"), fault::shapes_do_not_broadcast, "f32[2, 2, 4]", "f32[1, 2, 4]"});
    refused({network, lstm("v, u", "False, 1, 0.0, False"), fault::shapes_do_not_broadcast, "f32[16, 3]", "f32[12, 3]"});
    refused({network, lstm("w, u, b, d", "True, 1, 0.0, False"), fault::dtypes_differ, "f32[16]", "f64[16]"});
    refused({network, lstm("w, u", "False, 2, 0.5, True"), fault::argument_has_wrong_kind, "train: False, or a dropout of 0", "True"});
    refused({network, lstm("w, u", "False, 0, 0.0, False"), fault::size_is_negative, "layers from 1", "0"});
    refused({network, "lstm.input(x, [h], [w, u], False, 1, 0.0, False, False, False)", fault::element_counts_differ, "2 states", "1"});
    refused({network, "gru.input(b, h, [v, u], False, 1, 0.0, False, False, False)", fault::rank_is_wrong, "rank 3", "f32[16]"});
    refused({network, "gru.input(x, h, [v, u], False, 1, 0.0, False, False, False)", fault::shapes_do_not_broadcast, "f32[12, 4]", "f32[16, 4]"});
    refused({parameters, "einsum.default('ij,jk->ik', [x])", fault::argument_has_wrong_kind, "an equation of 1 terms before ->", "ij,jk->ik"});
    refused({parameters, "einsum.default('ij,j1->i', [x, y])", fault::argument_has_wrong_kind, "terms of letters and at most one ...", "ij,j1->i"});
    refused({parameters, "einsum.default('i,j', [x, v])", fault::rank_is_wrong, "a tensor with the dims of i", "f32[2, 3]"});
    refused({parameters, "einsum.default('ij,jk', [x, y])", fault::shapes_do_not_broadcast, "3 elements in dim 0", "f32[4, 4]"});
    refused({parameters, "einsum.default('ii', [x])", fault::shapes_do_not_broadcast, "2 elements in dim 1", "f32[2, 3]"});
    refused({parameters, "einsum.default('ij->ijk', [x])", fault::argument_has_wrong_kind, "a result of letters of the terms, each once", "ij->ijk"});
    refused({parameters, "einsum.default('ij->ii', [x])", fault::argument_has_wrong_kind, "a result of letters of the terms, each once", "ij->ii"});
    refused({parameters, "einsum.default('i,i', [v, i])", fault::dtypes_differ, "f32[3]", "i64[3]"});
}

} // namespace

int main() {
    written_operators();
    others();
    in_handles();
    norms();
    numbers();
    storages();
    indices();
    windows();
    distances();
    return report();
}
