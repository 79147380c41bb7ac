// Operators as torch.export prints them before it decomposes: what each refuses, by name; draws of places from probabilities.
// SPDX-License-Identifier: MIT
#include "unit/refused_call.hpp"

using namespace test;

namespace {

using test::refused;

host_tensor doubles(int_list sizes, std::initializer_list<double> values) { return {tensor_of(dtype::f64, sizes), values}; }

void transforms() {
    constexpr auto parameters = "x : f32[2, 3], c : c64[2, 3], h : f16[4], s : f32[], u : u16[3], l : f32[2, 1]";
    refused({parameters, "fft_rfft.default(c)", fault::dtype_is_unsupported, "real numbers: fft of complex ones", "c64[2, 3]"});
    refused({parameters, "fft_ihfft.default(c)", fault::dtype_is_unsupported, "real numbers: fft of complex ones", "c64[2, 3]"});
    refused({parameters, "fft_fft.default(h)", fault::dtype_is_unsupported, "f32, f64, integers or complex numbers", "f16[4]"});
    refused({parameters, "fft_fft.default(u)", fault::dtype_is_unsupported, "an operator that only moves", "u16[3]"});
    refused({parameters, "fft_fft.default(s)", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
    refused({parameters, "fft_fft.default(x, 0)", fault::size_is_negative, "sizes from 1 in dim 1", "0"});
    refused({parameters, "fft_rfft.default(x, -2, 0)", fault::size_is_negative, "sizes from 1 in dim 0", "-2"});
    refused({parameters, "fft_irfft.default(l)", fault::size_is_negative, "sizes from 1 in dim 1", "0"});
    refused({parameters, "fft_irfft.default(x, -9223372036854775808)", fault::size_is_negative, "sizes from 1 in dim 1",
             "-9223372036854775808"});
    refused({parameters, "fft_fft.default(x, None, 2)", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "fft_fft.default(x, None, -1, 'unit')", fault::argument_has_wrong_kind, "norm: None, backward, ortho or forward",
             "unit"});
    refused({parameters, "fft_fft2.default(x, [1, 2, 3])", fault::rank_is_wrong, "2 sizes, one for each dim", "3"});
    refused({parameters, "fft_fft2.default(h)", fault::dtype_is_unsupported, "f32, f64, integers or complex numbers", "f16[4]"});
    refused({parameters, "fft_rfft2.default(s)", fault::rank_is_wrong, "rank 2 at least", "f32[]"});
    refused({parameters, "fft_fftn.default(x, [1, 2, 3])", fault::rank_is_wrong, "rank 3 at least", "f32[2, 3]"});
    refused({parameters, "fft_fftn.default(x, None, [0, -2])", fault::dimension_is_repeated, "dims once each", "0"});
    refused({parameters, "fft_rfftn.default(x, None, [])", fault::argument_is_missing, "one dim at least", "none"});
    refused({parameters, "fft_irfftn.default(s)", fault::argument_is_missing, "one dim at least", "none"});
    refused({parameters, "fft_fft.default(x, 281474976710656)", fault::tensor_is_too_large, "fewer than 2^48 elements",
             "c64[2, 281474976710656]"});
    refused({parameters, "fft_fftfreq.default(0)", fault::size_is_negative, "n from 1", "0"});
    refused({parameters, "fft_rfftfreq.default(4, dtype = torch.int64)", fault::dtype_is_unsupported, "floating point", "i64"});
    refused({parameters, "fft_fftshift.default(x, [2])", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
}

// How many elements there are is what data says.
void sizes_by_data() {
    constexpr auto parameters = "x : f32[2, 3], k : i64[3], m : i64[1, 3], s : f32[]";
    constexpr auto once = "as many elements as a size says: sort, or bincount";
    for (auto call : {"_unique.default(x)", "_unique2.default(x, True, True)", "unique_dim.default(x, 0)", "unique_consecutive.default(x)",
                      "unique_dim_consecutive.default(x, 1)"})
        refused({parameters, call, fault::dimension_is_dynamic, once, "as many as data says"});
    refused({parameters, "repeat_interleave.self_Tensor(x, k, 1)", fault::dimension_is_dynamic, "output_size: the sum of repeats",
             "as many as data says"});
    refused(
        {parameters, "repeat_interleave.self_Tensor(x, k, 0, output_size = 3)", fault::element_counts_differ, "2 repeats, or 1", "i64[3]"});
    refused(
        {parameters, "repeat_interleave.self_Tensor(x, k, output_size = 3)", fault::element_counts_differ, "6 repeats, or 1", "i64[3]"});
    refused({parameters, "repeat_interleave.self_Tensor(x, m, 1, output_size = 3)", fault::rank_is_wrong, "rank 0 or 1", "i64[1, 3]"});
    refused({parameters, "repeat_interleave.self_Tensor(s, k, 0, output_size = 3)", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
    refused({parameters, "repeat_interleave.self_Tensor(x, x, 1, output_size = 3)", fault::dtype_is_unsupported, "indices of i64 or i32",
             "f32[2, 3]"});
    refused({parameters, "repeat_interleave.self_Tensor(x, k, 1, output_size = -1)", fault::size_is_negative, "sizes from 0", "-1"});
    const auto with = [](std::initializer_list<int> k) {
        return std::vector{f32s({2, 3}, {1, 2, 3, 4, 5, 6}), i64s({3}, k), i64s({1, 3}, {0, 0, 0}), f32s({}, {0})};
    };
    refused({parameters, "repeat_interleave.self_Tensor(x, k, 1, output_size = 3)", fault::index_is_out_of_range, "an index below 2", "2",
             with({2, 2, 0})});
    refused({parameters, "repeat_interleave.self_Tensor(x, k, 1, output_size = 3)", fault::index_is_out_of_range, "an index below 3", "3",
             with({1, 0, 1})});
    refused({parameters, "repeat_interleave.self_Tensor(x, k, 1, output_size = 3)", fault::index_is_out_of_range, "an index from 0 on",
             "-1", with({-1, 2, 2})});
}

// Quantised dtypes are none of a tensor's.
void quantised() {
    constexpr auto parameters = "x : f32[2, 3], f : f32[2], i : i64[2]";
    constexpr auto all = "integers: quantized_decomposed.quantize_per_tensor";
    refused({parameters, "quantize_per_tensor.default(x, 0.1, 0, torch.quint8)", fault::dtype_is_unsupported, all, "torch.quint8"});
    refused({parameters, "quantize_per_tensor.tensor_qparams(x, f, i, torch.qint32)", fault::dtype_is_unsupported, all, "torch.qint32"});
    refused({parameters, "quantize_per_tensor_dynamic.default(x, torch.qint8, False)", fault::dtype_is_unsupported, all, "torch.qint8"});
    refused({parameters, "quantize_per_channel.default(x, f, i, 0, torch.qint8)", fault::dtype_is_unsupported,
             "integers: quantized_decomposed.quantize_per_channel", "torch.qint8"});
}

// Numbers that no grid has.
void grids() {
    constexpr auto parameters = "x : f32[2, 3], f : f32[2], i : i64[2], h : f32[3], z : f32[], e : i64[]";
    refused({parameters, "fake_quantize_per_tensor_affine.default(x, -0.5, 0, 0, 15)", fault::argument_has_wrong_kind, "a scale from 0 on",
             "another number"});
    refused({parameters, "fake_quantize_per_tensor_affine.default(x, 0.5, 0, 15, 0)", fault::argument_has_wrong_kind,
             "quant_min up to quant_max", "15"});
    refused(
        {parameters, "fake_quantize_per_tensor_affine.default(i, 0.5, 0, 0, 15)", fault::dtype_is_unsupported, "floating point", "i64[2]"});
    refused(
        {parameters, "fake_quantize_per_channel_affine.default(x, f, i, 1, 0, 15)", fault::shapes_do_not_broadcast, "f32[3]", "f32[2]"});
    refused({parameters, "fake_quantize_per_channel_affine.default(x, i, i, 0, 0, 15)", fault::dtype_is_unsupported,
             "a scale of floating point", "i64[2]"});
    refused({parameters, "fake_quantize_per_channel_affine.default(z, z, e, 0, 0, 15)", fault::rank_is_wrong, "rank 1 at least", "f32[]"});
}

// fault: matrix_is_singular
void inverses() {
    constexpr auto parameters = "x : f32[2, 2, 2], w : f32[2, 3], v : f32[3], i : i64[2, 2]";
    const auto with = [](std::initializer_list<double> x) {
        return std::vector{f32s({2, 2, 2}, x), f32s({2, 3}, {0, 0, 0, 0, 0, 0}), f32s({3}, {0, 0, 0}), i64s({2, 2}, {0, 0, 0, 0})};
    };
    const auto second = with({1, 0, 0, 1, 1, 2, 2, 4}), first = with({0, 1, 0, 2, 1, 0, 0, 1});
    // fault: matrix_is_not_square
    refused({parameters, "linalg_inv.default(w)", fault::matrix_is_not_square, "square matrices", "f32[2, 3]"});
    refused({parameters, "linalg_inv.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "inverse.default(i)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 2]"});
    refused({parameters, "linalg_inv.default(x)", fault::matrix_is_singular, "a matrix with an inverse",
             "nothing but 0 to divide by in column 2", second});
    refused({parameters, "inverse.default(x)", fault::matrix_is_singular, "a matrix with an inverse",
             "nothing but 0 to divide by in column 1", first});
    refused({parameters, "linalg_inv_ex.default(x, check_errors = True)", fault::matrix_is_singular, "a matrix with an inverse",
             "nothing but 0 to divide by in column 2", second});
    std::vector<host_tensor> outputs;
    const std::string text = R"(def forward(self, x : f32[2, 2, 2]):
    r = torch.ops.aten.linalg_inv_ex.default(x)
    a: f32[2, 2, 2][4, 1, 2] = r[0]
    b: i32[2] = r[1]
    return (a, b)
)"; // column by column, as LAPACK has them
    const auto d = run<aten::registry>(text, std::vector{second[0]}, outputs);
    if (!check(d.ok() && outputs.size() == 2)) return;
    for (std::int64_t k = 0; k < 4; ++k) {
        check(outputs[0].get<double>({0, k / 2, k % 2}) == (k == 0 || k == 3));
        check(math::isnan(outputs[0].get<double>({1, k / 2, k % 2})));
    }
    check(outputs[1].get<std::int64_t>({0}) == 0 && outputs[1].get<std::int64_t>({1}) == 2);
}

// ---- decompositions and solutions

// fault: matrix_is_not_positive_definite
void decompositions() {
    constexpr auto parameters = "x : f32[2, 2], w : f32[2, 3], v : f32[2], i : i64[2, 2], d : f64[2, 2], p : i32[2], q : i64[2]";
    const auto with = [](std::initializer_list<double> x, std::initializer_list<int> p) {
        std::vector out{f32s({2, 2}, x), f32s({2, 3}, {0, 0, 0, 0, 0, 0}), f32s({2}, {0, 0}), i64s({2, 2}, {0, 0, 0, 0})};
        out.push_back(host_tensor(tensor_of(dtype::f64, {2, 2})));
        out.push_back(host_tensor(tensor_of(dtype::i32, {2}), p));
        out.push_back(i64s({2}, {0, 0}));
        return out;
    };
    constexpr auto singular = "nothing but 0 to divide by in column 2";
    const auto values = with({1, 2, 2, 4}, {1, 2}), indefinite = with({1, 2, 2, 1}, {3, 2});
    refused({parameters, "_linalg_eigh.default(w)", fault::matrix_is_not_square, "square matrices", "f32[2, 3]"});
    refused({parameters, "_linalg_eigh.default(x, 'M')", fault::argument_has_wrong_kind, "UPLO: L, U, l or u", "M"});
    refused({parameters, "linalg_qr.default(i)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 2]"});
    refused({parameters, "linalg_qr.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[2]"});
    refused({parameters, "linalg_lu_factor_ex.default(x, pivot = False)", fault::argument_is_unsupported, "pivot=True",
             "pivot=False, which is of CUDA"});
    refused({parameters, "linalg_lu_factor_ex.default(x, check_errors = True)", fault::matrix_is_singular, "a matrix with an inverse", singular, values});
    refused({parameters, "linalg_cholesky_ex.default(x, check_errors = True)", fault::matrix_is_not_positive_definite,
             "a positive-definite matrix", "leading minor 2 is not positive", indefinite});
    refused({parameters, "linalg_solve_triangular.default(x, d, upper = True)", fault::dtypes_differ, "f32[2, 2]", "f64[2, 2]"});
    refused({parameters, "linalg_solve_triangular.default(x, w, upper = True, left = False)", fault::matmul_inner_extents_differ, "2 columns", "f32[2, 3]"});
    refused({parameters, "linalg_lu_solve.default(x, q, w)", fault::dtypes_differ, "i32[2]", "i64[2]"});
    refused({parameters, "linalg_lu_solve.default(x, p, w)", fault::index_is_out_of_range, "an index below 2", "2", indefinite});
    const auto checked = [&](std::string_view op, std::string_view name) {
        std::vector<host_tensor> outputs;
        const auto text = "def forward(self, x : f32[2, 2]):\n    r = torch.ops.aten." + std::string(op) +
                          ".default(x)\n    a = r[0]\n    b = r[1]\n    c = torch.ops.aten._linalg_check_errors.default(b, '" + std::string(name) +
                          "', is_matrix = True)\n    return (a,)\n";
        const auto d = run<aten::registry>(text, std::vector{values[0]}, outputs);
        return d.what;
    };
    check(checked("linalg_inv_ex", "linalg.inv") == fault::matrix_is_singular);
    check(checked("linalg_cholesky_ex", "linalg.cholesky") == fault::matrix_is_not_positive_definite);
    check(checked("linalg_cholesky_ex", "linalg.solve") == fault::matrix_is_singular);
}

// ---- multinomial

std::vector<std::int64_t> places(std::string_view type, const host_tensor& of, std::string_view rest, std::int64_t seed) {
    std::vector<host_tensor> outputs;
    const auto d =
        run<aten::registry>("def forward(self, p : " + std::string(type) + "):\n    r = torch.ops.aten.multinomial.default(p, " +
                                std::string(rest) + ")\n    return (r,)\n",
                            std::vector{of, host_tensor(tensor_of(dtype::i64, {}), {static_cast<int>(seed)}), i64s({}, {0})}, outputs);
    std::vector<std::int64_t> out;
    if (check(d.ok() && !outputs.empty() && outputs[0].type.type == dtype::i64, d.found.view()))
        for_each_index(sizes_of(outputs[0].type), [&](const int_list& at) { out.push_back(outputs[0].get<std::int64_t>(at)); });
    return out;
}

void multinomial() {
    constexpr auto parameters = "p : f32[3], i : i64[3], m : f32[2, 3], c : f32[1, 2, 3]";
    constexpr auto what = fault::distribution_is_impossible;
    refused({parameters, "multinomial.default(i, 1)", fault::dtype_is_unsupported, "floating point", "i64[3]"});
    refused({parameters, "multinomial.default(c, 1)", fault::rank_is_wrong, "rank 1 or 2", "f32[1, 2, 3]"});
    refused({parameters, "multinomial.default(p, 0)", fault::size_is_negative, "num_samples from 1", "0"});
    refused({parameters, "multinomial.default(p, 4)", what, "3 samples at most without replacement", "4"});
    const auto with = [](std::initializer_list<double> m) {
        return std::vector{f32s({3}, {0, 0, 0}), i64s({3}, {0, 0, 0}), f32s({2, 3}, m), host_tensor(tensor_of(dtype::f32, {1, 2, 3})),
                           i64s({}, {1}),        i64s({}, {0})};
    };
    refused({parameters, "multinomial.default(m, 2)", what, "finite probabilities from 0 on", "-1.0", with({1, 2, 3, 1, -1, 1})});
    refused({parameters, "multinomial.default(m, 2)", what, "finite probabilities from 0 on", "inf", with({1, HUGE_VAL, 3, 1, 1, 1})});
    refused({parameters, "multinomial.default(m, 2)", what, "as many probabilities above 0 as samples", "1", with({1, 2, 3, 0, 1, 0})});
    refused({parameters, "multinomial.default(m, 2, True)", what, "a probability above 0", "0", with({1, 2, 3, 0, 0, 0})});

    const auto p = doubles({4}, {1, 0, 3, 4});
    constexpr int draws = 8000;
    const auto many = places("f64[4]", p, "8000, True", 3);
    if (!check(many.size() == draws)) return;
    check(many == places("f64[4]", p, "8000, True", 3) && many != places("f64[4]", p, "8000, True", 4));
    double counts[4]{}, pairs = 0;
    for (auto k : many) ++counts[k];
    for (int k = 1; k < draws; ++k) pairs += many[static_cast<std::size_t>(k)] == many[static_cast<std::size_t>(k - 1)];
    const auto near = [](double count, double of, double share) { // within 5 standard deviations
        return math::abs(count - of * share) < 5 * math::sqrt(of * share * (1 - share));
    };
    check(near(counts[0], draws, 0.125) && counts[1] == 0 && near(counts[2], draws, 0.375) && near(counts[3], draws, 0.5));
    check(near(pairs, draws - 1, 0.125 * 0.125 + 0.375 * 0.375 + 0.25)); // one says nothing of the next

    // Without replacement: 4000 rows of two places each; the second one as likely as among those that are left.
    constexpr std::int64_t rows = 4000;
    host_tensor weights(tensor_of(dtype::f32, {rows, 3}));
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t k = 0; k < 3; ++k) weights.put({r, k}, static_cast<double>(k + 1));
    const auto two = places("f32[4000, 3]", weights, "2", 5);
    if (!check(two.size() == 2 * rows)) return;
    double orders[3][3]{};
    for (std::size_t r = 0; r < rows; ++r) ++orders[two[2 * r]][two[2 * r + 1]];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) check(a == b ? orders[a][b] == 0 : near(orders[a][b], rows, (a + 1) / 6. * (b + 1) / (5. - a)));
}

// ---- Inductor's seeds, and the tensors that are made of them

struct inductor_tensors {
    std::vector<double> seeds, even, normal, whole;
    bool operator==(const inductor_tensors&) const = default;
};
constexpr int inductor_size = 8192;
inductor_tensors inductor_run(int seed, int offset) {
    const std::string text = R"(def forward(self, x : f32[1]):
    seeds = torch.ops.prims.inductor_seeds.default(2, device(type='cpu'))
    first = torch.ops.prims.inductor_lookup_seed.default(seeds, 0)
    second = torch.ops.prims.inductor_lookup_seed.default(seeds, 1)
    even = torch.ops.prims.inductor_random.default([64, 128], first, 'rand')
    normal = torch.ops.prims.inductor_random.default([8192], second, 'randn')
    whole = torch.ops.prims.inductor_randint.default(-3, 5, [8192], first)
    return (seeds, even, normal, whole)
)";
    std::vector<host_tensor> outputs;
    inductor_tensors out;
    const auto d = run<aten::registry>(text, std::vector{f32s({1}, {0}), i64s({}, {seed}), i64s({}, {offset})}, outputs);
    if (!check(d.ok() && outputs.size() == 5, d.found.view())) return out;
    check(outputs[4].get<std::int64_t>({}) == offset + 4); // only seeds are drawn: two, rounded up
    std::vector<double>* const all[] = {&out.seeds, &out.even, &out.normal, &out.whole};
    for (std::size_t k = 0; k < 4; ++k)
        for_each_index(sizes_of(outputs[k].type), [&](const int_list& at) { all[k]->push_back(outputs[k].get<double>(at)); });
    return out;
}

void inductor_draws() {
    const auto one = inductor_run(7, 0);
    if (!check(one.even.size() == inductor_size && one.normal.size() == inductor_size && one.whole.size() == inductor_size)) return;
    check(one == inductor_run(7, 0));
    for (const auto& other : {inductor_run(8, 0), inductor_run(7, 4)})
        check(one.seeds != other.seeds && one.even != other.even && one.normal != other.normal && one.whole != other.whole);
    check(one.seeds[0] != one.seeds[1] && one.seeds[0] >= 0 && one.seeds[1] >= 0);
    // Means within 5 standard errors, variances within 5 %.
    const auto distributed = [](const std::vector<double>& all, double mean, double variance, double low, double high) {
        double sum = 0, squares = 0;
        for (auto v : all) {
            check(v >= low && v < high);
            sum += v - mean;
            squares += (v - mean) * (v - mean);
        }
        check(math::abs(sum / inductor_size) < 5 * math::sqrt(variance / inductor_size) &&
                  math::abs(squares / inductor_size / variance - 1) < 0.05,
              std::to_string(sum / inductor_size) + " " + std::to_string(squares / inductor_size));
    };
    distributed(one.even, 0.5, 1. / 12, 0, 1);
    distributed(one.normal, 0, 1, -6.7, 6.7);
    distributed(one.whole, 0.5, 5.25, -3, 5); // -3 to 4
    int counts[8]{};
    for (auto v : one.whole) {
        check(v == math::floor(v));
        ++counts[static_cast<int>(v) + 3];
    }
    for (int count : counts) check(count > 0.8 * inductor_size / 8 && count < 1.2 * inductor_size / 8);
}

} // namespace

int main() {
    transforms();
    sizes_by_data();
    quantised();
    grids();
    inverses();
    decompositions();
    multinomial();
    inductor_draws();
    return report();
}
