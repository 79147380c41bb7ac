// Operators that few models have: what each refuses, by name, and what Inductor's random tensors are made of.
// SPDX-License-Identifier: MIT
#include "unit/refused_call.hpp"

using namespace test;

namespace {

using test::refused;

void of_elements() {
    constexpr auto parameters = "x : f32[2, 3], i : i64[3], b : b8[3], h : f16[3], s : f32[]";
    refused({parameters, "nextafter.default(i, i)", fault::dtype_is_unsupported, "a dtype the operator is defined for", "i64"});
    refused({parameters, "gcd.default(x, x)", fault::dtype_is_unsupported, "a dtype the operator is defined for", "f32"});
    refused({parameters, "lcm.default(b, b)", fault::dtype_is_unsupported, "a dtype the operator is defined for", "b8"});
    refused({parameters, "igamma.default(i, i)", fault::dtype_is_unsupported, "a dtype the operator is defined for", "i64"});
    refused({parameters, "igammac.default(i, i)", fault::dtype_is_unsupported, "a dtype the operator is defined for", "i64"});
    refused({parameters, "polygamma.default(-1, x)", fault::argument_has_wrong_kind, "n from 0", "-1"});
    refused({parameters, "mvlgamma.default(x, 0)", fault::argument_has_wrong_kind, "p from 1 to 1000000", "0"});
    refused({parameters, "frexp.Tensor(i)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
}

// The series far from where PyTorch's answers lie, and that none of them goes on for ever.
void series() {
    const auto near = [](double a, double b) { return math::abs(a - b) <= 1e-12 * math::abs(b); };
    check(near(math::polygamma(1, -2.5), 9.539246644989123) && math::isinf(math::polygamma(1, -2.0)) && math::isinf(math::polygamma(3, -1e300)));
    check(math::abs(math::polygamma(2, -1e9 - 0.5)) < 1e-10); // below a pole and above the next one as far
    double sum = 0;
    for (double k = 300; k >= 3; --k) sum += math::pow(k, -21.0);
    check(near(math::polygamma(20, 3.0), -2432902008176640000.0 * sum));
    check(near(math::i0(20.0), 43558282.559553534) && near(math::i0(20.000001), 43558325.014547676) && near(math::i0(700.0), 1.5295933476718735e302));
    check(math::incomplete_gamma(1e30, 1e30, false) > 0.49 && math::incomplete_gamma(1e30, 1e30, true) > 0.49);
    check(math::nextafter(1.0f, 2.0f) == 1 + std::numeric_limits<float>::epsilon() && math::nextafter(-1.0, 0.0) > -1);
    constexpr auto least = std::numeric_limits<std::int32_t>::min();
    check(math::gcd(least, -1) == 1 && math::gcd(least, least) == least && math::gcd(0, 0) == 0);
    static_assert(math::gcd(-12, 18) == 6 && math::i0(0.0) == 1 && math::zeta(2.0, 1.0) > 1.6449 && math::zeta(2.0, 1.0) < 1.645);
    static_assert(math::incomplete_gamma(1.0, 1.0, false) > 0.63212 && math::incomplete_gamma(1.0, 1.0, false) < 0.63213);
}

void creations() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], c : f32[2, 2, 2], i : i64[3], u : u16[3]";
    refused({parameters, "logspace.default(0, 1, 3, dtype = torch.int64)", fault::dtype_is_unsupported, "floating point", "i64"});
    refused({parameters, "logspace.default(0, 1, -3)", fault::size_is_negative, "sizes from 0", "-3"});
    refused({parameters, "tril_indices.default(-1, 3)", fault::size_is_negative, "sizes from 0", "-1"});
    refused({parameters, "triu_indices.default(3, 3, dtype = torch.float32)", fault::dtype_is_unsupported, "indices of i64 or i32", "f32"});
    refused({parameters, "triu_indices.default(16777216, 16777216)", fault::tensor_is_too_large, "fewer than 2^48 elements", "i64[16777216, 16777216]"});
    const auto all = i64s({2, 4}, {0, 0, 1, 1, 0, 1, 0, 1}); // no offset is too large
    check(gives<aten::registry>(ONE_CALL("x : f32[1]", "aten.tril_indices.default(2, 2, 9223372036854775807)"), {f32s({1}, {0})}, all));
    check(gives<aten::registry>(ONE_CALL("x : f32[1]", "aten.triu_indices.default(2, 2, -9223372036854775808)"), {f32s({1}, {0})}, all));
    check(gives<aten::registry>(ONE_CALL("x : f32[1]", "aten.triu_indices.default(2, 2, 9223372036854775807)"), {f32s({1}, {0})}, i64s({2, 0}, {})));
    refused({parameters, "block_diag.default([])", fault::argument_is_missing, "one tensor at least", "an empty list"});
    refused({parameters, "block_diag.default([x, c])", fault::rank_is_wrong, "rank 2 at most", "f32[2, 2, 2]"});
    refused({parameters, "block_diag.default([u, i])", fault::dtypes_differ, "u16", "i64[3]"});
    refused({parameters, "prims.rev.default(x, [0, 0])", fault::dimension_is_repeated, "each dim once", "0"});
    refused({parameters, "pixel_unshuffle.default(x, 2)", fault::rank_is_wrong, "rank 3 at least", "f32[2, 3]"});
    refused({parameters, "pixel_unshuffle.default(c, 3)", fault::window_does_not_fit, "height and width divisible by the factor, from 1", "f32[2, 2, 2]"});
    refused({parameters, "pixel_unshuffle.default(c, 0)", fault::window_does_not_fit, "height and width divisible by the factor, from 1", "f32[2, 2, 2]"});
    refused({parameters, "narrow_copy.default(x, 1, 2, 2)", fault::index_is_out_of_range, "3 elements", "4"});
}

void reductions() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], w : f32[2], d : f64[3], i : i64[3]";
    refused({parameters, "std_mean.correction(i)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "dist.default(v, d)", fault::dtypes_differ, "f32[3]", "f64[3]"});
    refused({parameters, "dist.default(x, w)", fault::shapes_do_not_broadcast, "[2, 3]", "f32[2]"});
    refused({parameters, "dist.default(x, x, -1)", fault::argument_has_wrong_kind, "p from 0", "a number below 0"});
    refused({parameters, "renorm.default(v, 2, 0, 1)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "renorm.default(x, 0, 0, 1)", fault::argument_has_wrong_kind, "p above 0", "another number"});
    refused({parameters, "renorm.default(x, 1, 0, -1)", fault::argument_has_wrong_kind, "maxnorm from 0", "another number"});
    refused({parameters, "renorm.default(i, 1, 0, 1)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "logcumsumexp.default(i, 0)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "logcumsumexp.default(x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "vdot.default(x, v)", fault::rank_is_wrong, "rank 1", "f32[2, 3]"});
}

void counts() {
    constexpr auto parameters = "i : i64[3], b : b8[3], x : f32[2], m : i64[1, 3]";
    const auto with = [](std::initializer_list<int> i) {
        return std::vector{i64s({3}, i), b8s({3}, {0, 0, 0}), f32s({2}, {0, 0}), i64s({1, 3}, {0, 0, 0})};
    };
    refused({parameters, "isin.Tensor_Tensor(b, b)", fault::dtype_is_unsupported, "numbers", "b8"});
    refused({parameters, "bincount.default(i)", fault::dimension_is_dynamic, "minlength: above every element", "as many as data says"});
    refused({parameters, "bincount.default(x, None, 2)", fault::dtype_is_unsupported, "integers", "f32[2]"});
    refused({parameters, "bincount.default(m, None, 2)", fault::rank_is_wrong, "rank 1", "i64[1, 3]"});
    refused({parameters, "bincount.default(i, x, 2)", fault::shapes_do_not_broadcast, "i64[3]", "f32[2]"});
    refused({parameters, "bincount.default(i, None, -2)", fault::size_is_negative, "minlength from 0", "-2"});
    refused({parameters, "bincount.default(i, None, 2)", fault::index_is_out_of_range, "an index below 2", "2", with({0, 2, 1})});
    refused({parameters, "histc.default(b)", fault::dtype_is_unsupported, "numbers", "b8[3]"});
    refused({parameters, "histc.default(x, 0)", fault::argument_has_wrong_kind, "bins from 1", "0"});
    refused({parameters, "histc.default(x, 4, 1, 0)", fault::argument_has_wrong_kind, "min up to max, both finite", "others"});
    refused({parameters, "repeat_interleave.Tensor(i)", fault::dimension_is_dynamic, "output_size: the sum of repeats", "as many as data says"});
    refused({parameters, "repeat_interleave.Tensor(m, output_size = 3)", fault::rank_is_wrong, "rank 1", "i64[1, 3]"});
    refused({parameters, "repeat_interleave.Tensor(i, output_size = 3)", fault::index_is_out_of_range, "an index below 2", "2", with({2, 2, 0})});
    refused({parameters, "repeat_interleave.Tensor(i, output_size = 3)", fault::index_is_out_of_range, "an index below 3", "3", with({1, 1, 0})});
    refused({parameters, "masked_select.default(x, b)", fault::dimension_is_dynamic, "as many elements as a size says: where, or nonzero_static and index",
             "as many as data says"});
}

void writes() {
    constexpr auto parameters = "x : f32[2, 3], i : i64[2], j : i32[2], y : f32[2, 2], v : f32[3], b : b8[2], m : b8[3], k : i64[2, 3], c : b8[2, 3]";
    refused({parameters, "index_reduce.default(x, 1, i, y, 'sum')", fault::argument_has_wrong_kind, "reduce: prod, mean, amax or amin", "sum"});
    refused({parameters, "index_reduce.default(x, 1, i, x, 'prod')", fault::shapes_do_not_broadcast, "f32[2, 2]", "f32[2, 3]"});
    refused({parameters, "index_reduce.default(c, 1, i, y, 'prod')", fault::dtype_is_unsupported, "numbers", "b8[2, 3]"});
    refused({parameters, "put.default(x, j, v)", fault::dtype_is_unsupported, "indices of i64", "i32[2]"});
    refused({parameters, "put.default(x, i, v)", fault::element_counts_differ, "i64[2]", "f32[3]"});
    refused({parameters, "put.default(x, i, i)", fault::dtypes_differ, "f32[2, 3]", "i64[2]"});
    refused({parameters, "_unsafe_masked_index.default(x, i, [i], 0)", fault::dtype_is_unsupported, "b8", "i64[2]"});
    refused({parameters, "_unsafe_masked_index.default(x, b, [i], 0)", fault::shapes_do_not_broadcast, "[2, 3]", "b8[2]"});
    refused({parameters, "_unsafe_masked_index.default(x, m, [b], 0)", fault::dimension_is_dynamic, "indices of i64, or torch.where: how many a mask picks is what data says", "b8[2]"});
    refused({parameters, "_unsafe_masked_index_put_accumulate.default(x, m, [i], k)", fault::dtypes_differ, "f32[2, 3]", "i64[2, 3]"});
    refused({parameters, "_unsafe_masked_index_put_accumulate.default(x, m, [i], y)", fault::shapes_do_not_broadcast, "[2, 3]", "f32[2, 2]"});
}

void products() {
    constexpr auto parameters = "x : f32[2, 3], y : f32[2, 4], v : f32[3], i : i64[2, 3], b : f32[2, 3, 4], o : i32[2], p : i32[3], l : i64[2]";
    const auto zeros = [](std::initializer_list<int> o) {
        host_tensor ends(tensor_of(dtype::i32, {2}), o);
        return std::vector{f32s({2, 3}, {0, 0, 0, 0, 0, 0}),  f32s({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}), f32s({3}, {0, 0, 0}), i64s({2, 3}, {0, 0, 0, 0, 0, 0}),
                           host_tensor(tensor_of(dtype::f32, {2, 3, 4})), ends, host_tensor(tensor_of(dtype::i32, {3})), i64s({2}, {0, 0})};
    };
    refused({parameters, "linalg_cross.default(x, i)", fault::dtypes_differ, "f32[2, 3]", "i64[2, 3]"});
    refused({parameters, "linalg_cross.default(x, v)", fault::rank_is_wrong, "rank 2", "f32[3]"});
    refused({parameters, "linalg_cross.default(x, x, dim = 0)", fault::window_does_not_fit, "3 elements in dim 0", "f32[2, 3]"});
    refused({parameters, "cross.default(y, y)", fault::window_does_not_fit, "3 elements in dim 1", "f32[2, 4]"});
    refused({parameters, "cross.default(x, x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "_trilinear.default(x, x, v, [], [], [], [0])", fault::rank_is_wrong, "2 dims with those that expand adds", "f32[3]"});
    refused({parameters, "_trilinear.default(x, x, y, [], [], [], [0])", fault::shapes_do_not_broadcast, "3 in dim 1", "f32[2, 4]"});
    refused({parameters, "_trilinear.default(x, x, x, [], [], [], [0, 0])", fault::dimension_is_repeated, "each dim once", "0"});
    refused({parameters, "_grouped_mm.default(x, b)", fault::argument_is_missing, "offs: where each group ends", "None"});
    refused({parameters, "_grouped_mm.default(x, b, p)", fault::element_counts_differ, "2 groups", "i32[3]"});
    refused({parameters, "_grouped_mm.default(x, b, l)", fault::dtype_is_unsupported, "offs of i32", "i64[2]"});
    refused({parameters, "_grouped_mm.default(y, b, o)", fault::matmul_inner_extents_differ, "4 rows", "f32[2, 3, 4]"});
    refused({parameters, "_grouped_mm.default(x, b, o, v)", fault::argument_is_unknown, "no bias, as in PyTorch", "bias"});
    refused({parameters, "_grouped_mm.default(x, b, o)", fault::index_is_out_of_range, "an index below 3", "3", zeros({3, 2})});
    refused({parameters, "_grouped_mm.default(x, b, o)", fault::index_is_out_of_range, "an index from 0 on", "-1", zeros({1, 0})});
    refused({parameters, "_linalg_svd.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "_linalg_svd.default(i)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 3]"});
    refused({parameters, "_linalg_svd.default(x, False, True, driver = 'gesvd')", fault::argument_is_unknown, "driver=None", "a driver of CUDA"});
}

void windows() {
    constexpr auto parameters = "x : f32[1, 2, 2], i : i64[1, 2, 2], j : i64[1, 2, 3], v : f32[1, 1, 2, 2, 2]";
    refused({parameters, "max_pool3d.default(x, [2, 2, 2])", fault::rank_is_wrong, "rank 4 or 5", "f32[1, 2, 2]"});
    refused({parameters, "max_unpool2d.default(x, x, [4, 4])", fault::dtype_is_unsupported, "indices of i64", "f32[1, 2, 2]"});
    refused({parameters, "max_unpool2d.default(x, j, [4, 4])", fault::shapes_do_not_broadcast, "f32[1, 2, 2]", "i64[1, 2, 3]"});
    refused({parameters, "max_unpool2d.default(x, i, [4])", fault::rank_is_wrong, "2 sizes", "1"});
    refused({parameters, "max_unpool3d.default(x, i, [4, 4, 4], [1, 1, 1], [0, 0, 0])", fault::rank_is_wrong, "rank 4 or 5", "f32[1, 2, 2]"});
    refused({parameters, "max_unpool2d.default(x, i, [2, 2])", fault::index_is_out_of_range, "an index below 4", "4",
             {f32s({1, 2, 2}, {1, 2, 3, 4}), i64s({1, 2, 2}, {0, 1, 2, 4}), i64s({1, 2, 3}, {0, 0, 0, 0, 0, 0}), host_tensor(tensor_of(dtype::f32, {1, 1, 2, 2, 2}))}});
    refused({parameters, "upsample_nearest3d.vec(x, [4, 4, 4], None)", fault::rank_is_wrong, "rank 5", "f32[1, 2, 2]"});
    refused({parameters, "upsample_trilinear3d.vec(v, None, False, None)", fault::argument_is_missing, "output_size or scale_factors", "neither"});
    constexpr auto images = "x : f32[1, 2, 4, 5], i : i64[1, 2, 4, 5], e : f32[1, 2, 0, 5]";
    refused({images, "upsample_bilinear2d.default(i, [2, 3], False)", fault::dtype_is_unsupported, "floating point", "i64[1, 2, 4, 5]"});
    refused({images, "_upsample_bicubic2d_aa.vec(x, [2], False, None)", fault::rank_is_wrong, "2 sizes", "another count"});
    refused({images, "_upsample_bilinear2d_aa.default(e, [2, 2], False)", fault::window_does_not_fit, "sizes from 1", "2"});
    refused({images, "upsample_nearest2d_backward.default(x, [4, 5], [1, 2, 3])", fault::rank_is_wrong, "4 sizes of the input, 2 of the output",
             "another count"});
    refused({images, "upsample_nearest2d_backward.default(x, [4, 6], [1, 2, 3, 3])", fault::shapes_do_not_broadcast, "f32[1, 2, 4, 6]",
             "f32[1, 2, 4, 5]"});
    refused({images, "upsample_bilinear2d_backward.default(x, [4, 5], [1, 2, 0, 3], False)", fault::window_does_not_fit, "sizes from 1", "0"});
    refused({images, "upsample_bicubic2d_backward.default(i, [4, 5], [1, 2, 3, 3], False)", fault::dtype_is_unsupported, "floating point",
             "i64[1, 2, 4, 5]"});
}

void losses() {
    constexpr auto parameters = "x : f32[1, 2, 1, 2], t : i64[1, 1, 2], u : i64[1, 2], w : f32[3], y : f32[2, 3], c : i64[2], d : f64[3]";
    const auto with = [](std::initializer_list<int> t, std::initializer_list<int> c) {
        return std::vector{f32s({1, 2, 1, 2}, {0, 0, 0, 0}), i64s({1, 1, 2}, t), i64s({1, 2}, {0, 0}), f32s({3}, {0, 0, 0}), f32s({2, 3}, {0, 0, 0, 0, 0, 0}), i64s({2}, c),
                           host_tensor(tensor_of(dtype::f64, {3}))};
    };
    refused({parameters, "nll_loss2d_forward.default(y, t, None, 1, -100)", fault::rank_is_wrong, "rank 4", "f32[2, 3]"});
    refused({parameters, "nll_loss2d_forward.default(x, u, None, 1, -100)", fault::shapes_do_not_broadcast, "i64[1, 1, 2]", "i64[1, 2]"});
    refused({parameters, "nll_loss2d_forward.default(x, t, w, 1, -100)", fault::shapes_do_not_broadcast, "f32[2]", "f32[3]"});
    refused({parameters, "nll_loss2d_forward.default(x, t, None, 3, -100)", fault::argument_has_wrong_kind, "reduction: 0 (none), 1 (mean) or 2 (sum)", "3"});
    refused({parameters, "nll_loss2d_forward.default(x, t, None, 1, -100)", fault::index_is_out_of_range, "an index below 2", "2", with({0, 2}, {0, 0})});
    refused({parameters, "multi_margin_loss.default(y, c, 3)", fault::argument_has_wrong_kind, "p: 1 or 2", "another number"});
    refused({parameters, "multi_margin_loss.default(y, t)", fault::shapes_do_not_broadcast, "f32[2, 3]", "i64[1, 1, 2]"});
    refused({parameters, "multi_margin_loss.default(y, c, 1, 1, d)", fault::dtypes_differ, "f32[2, 3]", "f64[3]"});
    refused({parameters, "multi_margin_loss.default(y, c)", fault::index_is_out_of_range, "an index from 0 on", "-1", with({0, 0}, {0, -1})});
}

void spellings() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], c : f32[2, 6, 2], i : i64[3], s : f32[], u : u16[3], k : f16[2, 2]";
    refused({parameters, "tile.default(x, [2, -1])", fault::size_is_negative, "repeats from 0", "-1"});
    refused({parameters, "hstack.default([])", fault::argument_is_missing, "one tensor at least", "an empty list"});
    refused({parameters, "hstack.default([x, v])", fault::rank_is_wrong, "rank 2", "f32[3]"});
    refused({parameters, "vstack.default([x, s])", fault::shapes_do_not_broadcast, "f32[2, 3]", "f32[]"});
    refused({parameters, "dstack.default([u, i])", fault::dtypes_differ, "u16", "i64[3]"});
    refused({parameters, "channel_shuffle.default(c, 4)", fault::channels_differ, "channels divisible by groups, from 1", "f32[2, 6, 2]"});
    refused({parameters, "channel_shuffle.default(x, 1)", fault::rank_is_wrong, "rank 3 at least", "f32[2, 3]"});
    refused({parameters, "mT.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "movedim.intlist(c, [0, 1], [2])", fault::rank_is_wrong, "2 dims, as many as of source", "1"});
    refused({parameters, "movedim.intlist(c, [0, 0], [2, 1])", fault::dimension_is_repeated, "each dim once", "0"});
    refused({parameters, "movedim.intlist(c, [0, 1], [-1, 2])", fault::dimension_is_repeated, "each dim once", "2"});
    refused({parameters, "movedim.int(c, 3, 0)", fault::dimension_is_out_of_range, "a dim from -3 to 2", "3"});
    refused({parameters, "swapaxes.default(x, 0, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "expand_as.default(c, x)", fault::rank_is_wrong, "3 sizes at least", "2"});
    refused({parameters, "broadcast_to.default(x, [2, 4])", fault::shapes_do_not_broadcast, "3", "4"});
    refused({parameters, "view_as.default(x, v)", fault::element_counts_differ, "6 elements", "3"});
    refused({parameters, "reshape_as.default(x, v)", fault::element_counts_differ, "6 elements", "3"});
    refused({parameters, "squeeze_copy.dims(x, [2])", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "meshgrid.default([v, x])", fault::rank_is_wrong, "rank 1 at most", "f32[2, 3]"});
    refused({parameters, "meshgrid.indexing([v, i], indexing = 'ij')", fault::dtypes_differ, "f32", "i64[3]"});
    refused({parameters, "meshgrid.indexing([v, v], indexing = 'ji')", fault::argument_has_wrong_kind, "indexing: ij or xy", "ji"});
    refused({parameters, "tensor_split.sections(v, 0)", fault::stride_must_be_positive, "1 section at least", "0"});
    refused({parameters, "tensor_split.indices(s, [1])", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
    refused({parameters, "split_with_sizes_copy.default(v, [1, 1])", fault::split_sizes_do_not_add_up, "3", "2"});
    refused({parameters, "max_pool1d.default(v, [1])", fault::rank_is_wrong, "rank 2 or 3", "f32[3]"});
    refused({parameters, "count_nonzero.default(x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    // fault: argument_is_unsupported
    refused(
        {parameters, "linalg_norm.default(x, 3)", fault::argument_is_unsupported, "order 1, 2 or inf, or its negative", "another order"});
    refused({parameters, "linalg_norm.default(c, 0, [0, 1])", fault::argument_is_unsupported, "order 1, 2 or inf, or its negative",
             "another order"});
    refused({parameters, "linalg_norm.default(c, 1)", fault::rank_is_wrong, "1 or 2 dims, or ord=None", "3"});
    refused({parameters, "linalg_norm.default(k, 2)", fault::dtype_is_unsupported, "f32 or f64", "f16[2, 2]"});
    refused({parameters, "frobenius_norm.dim(i, [0])", fault::dtype_is_unsupported, "floating point", "i64"});
    refused({parameters, "rrelu.default(x, 0.1, 0.3, True)", fault::argument_has_wrong_kind, "training=False: slopes here are not drawn", "True"});
    refused({parameters, "trapezoid.x(x, i)", fault::dtypes_differ, "f32[2, 3]", "i64[3]"});
    refused({parameters, "trapezoid.x(c, v)", fault::shapes_do_not_broadcast, "f32[2, 6, 2]", "f32[3]"});
    refused({parameters, "trapezoid.dx(i)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "_assert_tensor_metadata.default(x, dtype = torch.float64)", fault::annotation_differs_from_inference, "f64", "f32[2, 3]"});
    refused({parameters, "_assert_tensor_metadata.default(x, [2, 4])", fault::annotation_differs_from_inference, "f32[2, 4]", "f32[2, 3]"});
    refused({parameters, "_assert_tensor_metadata.default(x, None, [1, 2])", fault::annotation_differs_from_inference, "the strides asserted", "f32[2, 3][3, 1]"});
    // What holds gives nothing, read by nobody as torch.export prints it.
    constexpr std::string_view asserted = R"fx(def forward(self, x : f32[2, 3]):
    _assert_tensor_metadata_default = torch.ops.aten._assert_tensor_metadata.default(x, [2, 3], [3, 1], torch.float32, device = device(type='cpu'), layout = torch.strided);  _assert_tensor_metadata_default = None
    neg = torch.ops.aten.neg.default(x)
    return (neg,)
)fx";
    std::vector<host_tensor> outputs;
    const host_tensor inputs[] = {f32s({2, 3}, {1, 2, 3, 4, 5, 6})};
    check(run<aten::registry>(asserted, inputs, outputs).ok() && outputs.size() == 1 && outputs[0].get<float>({1, 2}) == -6);
}

void class_losses() {
    constexpr auto parameters = "x : f32[2, 3], t : i64[2], u : i64[3], w : f32[2], i : i64[2, 3], y : f32[3], d : f64[2, 3], s : f32[]";
    const auto with = [](std::initializer_list<int> t) {
        return std::vector{f32s({2, 3}, {0, 0, 0, 0, 0, 0}), i64s({2}, t), i64s({3}, {0, 0, 0}), f32s({2}, {0, 0}), i64s({2, 3}, {0, 0, 0, 0, 0, 0}), f32s({3}, {0, 0, 0}),
                           host_tensor(tensor_of(dtype::f64, {2, 3})), f32s({}, {0})};
    };
    refused({parameters, "cross_entropy_loss.default(i, t)", fault::dtype_is_unsupported, "floating point", "i64[2, 3]"});
    refused({parameters, "cross_entropy_loss.default(x, u)", fault::shapes_do_not_broadcast, "i64[2]", "i64[3]"});
    refused({parameters, "cross_entropy_loss.default(x, w)", fault::dtype_is_unsupported, "classes of i64 or u8", "f32[2]"});
    refused({parameters, "cross_entropy_loss.default(x, t, w)", fault::shapes_do_not_broadcast, "f32[3]", "f32[2]"});
    refused({parameters, "cross_entropy_loss.default(x, d)", fault::dtypes_differ, "f32[2, 3]", "f64[2, 3]"});
    refused({parameters, "cross_entropy_loss.default(x, x, None, 1, 0)", fault::argument_is_unknown, "no ignore_index beside probabilities", "0"});
    refused({parameters, "cross_entropy_loss.default(x, t, None, 1, -100, 1.5)", fault::argument_has_wrong_kind, "label_smoothing from 0 to 1", "another number"});
    refused({parameters, "cross_entropy_loss.default(x, t, None, 4)", fault::argument_has_wrong_kind, "reduction: 0 (none), 1 (mean) or 2 (sum)", "4"});
    refused({parameters, "cross_entropy_loss.default(x, t)", fault::index_is_out_of_range, "an index below 3", "3", with({0, 3})});
    refused({parameters, "nll_loss_nd.default(x, t)", fault::index_is_out_of_range, "an index from 0 on", "-1", with({-1, 0})});
    refused({parameters, "nll_loss_nd.default(s, t)", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
    refused({parameters, "poisson_nll_loss.default(x, d, True, False, 0.5, 1)", fault::dtypes_differ, "f32[2, 3]", "f64[2, 3]"});
    refused({parameters, "cosine_similarity.default(x, d)", fault::dtypes_differ, "f32[2, 3]", "f64[2, 3]"});
    refused({parameters, "cosine_similarity.default(x, x, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "_safe_softmax.default(i, 1)", fault::dtype_is_unsupported, "floating point", "i64[2, 3]"});
    refused({parameters, "tensordot.default(x, x, [0], [1])", fault::matmul_inner_extents_differ, "2 in dim 1", "f32[2, 3]"});
    refused({parameters, "tensordot.default(x, x, [0, 0], [0, 1])", fault::dimension_is_repeated, "each dim once", "0"});
    refused({parameters, "tensordot.default(x, x, [0, 0], [0, 0])", fault::dimension_is_repeated, "each dim once", "0"});
    refused({parameters, "tensordot.default(x, x, [0], [])", fault::rank_is_wrong, "1 dims, as many as of self", "0"});
    refused({parameters, "tensordot.default(x, x, [2], [0])", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "inner.default(x, w)", fault::matmul_inner_extents_differ, "3 in dim 0", "f32[2]"});
    refused({parameters, "inner.default(x, d)", fault::dtypes_differ, "f32[2, 3]", "f64[2, 3]"});
    refused({parameters, "_upsample_nearest_exact1d.vec(x, [4], None)", fault::rank_is_wrong, "rank 3", "f32[2, 3]"});
    refused({parameters, "pdist.default(y)", fault::rank_is_wrong, "rank 2", "f32[3]"});
    refused({parameters, "cdist.default(x, d)", fault::dtypes_differ, "f32[2, 3]", "f64[2, 3]"});
    refused({parameters, "embedding_bag.padding_idx(x, t, u, False, 0, False, None, False, -1)", fault::argument_has_wrong_kind, "padding_idx from 0, or None", "-1"});
}

// A tensor is made of its seed's numbers from `offset` on, and of nothing else.
void inductor() {
    constexpr auto parameters = "s : i64[3], x : f32[]";
    refused({parameters, "prims.inductor_lookup_seed.default(s, 3)", fault::index_is_out_of_range, "3 seeds", "3"});
    refused({parameters, "prims.inductor_lookup_seed.default(x, 0)", fault::argument_has_wrong_kind, "seeds, an i64 of rank 1", "f32[]"});
    refused({parameters, "prims.inductor_random.default([2], x, 'rand')", fault::argument_has_wrong_kind, "i64[]", "f32[]"});
    refused({parameters, "prims.inductor_random.default([2], s, 'uniform')", fault::argument_has_wrong_kind, "mode: rand or randn", "uniform"});
    constexpr std::string_view text = R"fx(def forward(self, seeds : i64[3]):
    seed = torch.ops.prims.inductor_lookup_seed.default(seeds, 1)
    even = torch.ops.prims.inductor_random.default([2, 3], seed, 'rand')
    normal = torch.ops.prims.inductor_random.default([5], seed, 'randn', offset = 2)
    whole = torch.ops.prims.inductor_randint.default(-3, 4, [5], seed)
    return (even, normal, whole)
)fx";
    std::vector<host_tensor> outputs;
    const host_tensor inputs[] = {i64s({3}, {5, 6, 7})};
    if (!check(run<aten::registry>(text, inputs, outputs).ok() && outputs.size() == 3)) return;
    random_numbers numbers(6, 0), later(6, 2);
    for (std::int64_t k = 0; k < 5; ++k) {
        check(outputs[0].get<float>({k / 3, k % 3}) == numbers.uniform<float>(k));
        check(outputs[1].get<float>({k}) == later.normal<float>(k));
        check(outputs[2].get<std::int64_t>({k}) == numbers.below(k, 7) - 3);
    }
    check(outputs[0].type == tensor_of(dtype::f32, {2, 3}) && outputs[2].type == tensor_of(dtype::i64, {5}));
}

// In handles: what their types are.
inline constexpr auto handles = trace([](input<"x", f32<2, 3>> x, input<"i", i64<4>> i, input<"w", f32<2, 3, 5>> w, input<"e", i32<2>> e, input<"p", f32<1, 2, 2>> p,
                                         input<"k", i64<1, 2, 2>> k) {
    const auto [mantissa, exponent] = frexp(x);
    return outputs(polygamma<1>(x), sinc(x), i0(x), mantissa, exponent, gcd(i, i), lcm(i, i), nextafter(x, x), igamma(x, x), dist(x, x), dist(x, x, 3.0),
                   logcumsumexp<1>(x), cross(x, x), grouped_mm(x, w, e), isin(i, e), bincount<7>(i), histc<5>(x, -1.0, 1.0), max_unpool2d<4, 6>(p, k));
});
void in_handles() {
    const auto g = decltype(handles)::view();
    std::string types;
    for (node_id n : g)
        if (g[n].kind == node_kind::output)
            for (std::int32_t r = 0; r < returned_by(g).count; ++r) types += std::string(print(g.value_of(g[returned_by(g)[r]]).type).view()) + "; ";
    check_equal(types, "f32[2, 3]; f32[2, 3]; f32[2, 3]; f32[2, 3]; i32[2, 3]; i64[4]; i64[4]; f32[2, 3]; f32[2, 3]; f32[]; f32[]; f32[2, 3]; f32[2, 3]; "
                       "f32[2, 5]; b8[4]; i64[7]; f32[5]; f32[1, 4, 6]; ");
}

} // namespace

int main() {
    in_handles();
    of_elements();
    series();
    creations();
    reductions();
    counts();
    writes();
    products();
    windows();
    losses();
    spellings();
    class_losses();
    inductor();
    return report();
}
