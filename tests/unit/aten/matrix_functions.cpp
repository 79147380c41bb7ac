// Norms, ranks, pseudoinverses, factors and solutions that PyTorch composes of decompositions: what each refuses, by name.
// SPDX-License-Identifier: MIT
#include "unit/refused_call.hpp"

#include <ahead/frontend/bind_symbols.hpp>

using namespace test;

namespace {

// As test::run, but for operators that become others once their operands are typed.
diagnosis run_composed(std::string_view text, std::span<const host_tensor> inputs) {
    constexpr auto& ops = aten::registry::table;
    diagnosis d;
    fx_style style;
    heap_storage read(count_fx(text));
    if (!read_fx(text, ops, read.edit(), style, d)) return d;
    auto room = room_for_numbers(read.view(), {}, array_view<const fx_input>{});
    room.values += static_cast<std::int32_t>(read.values.size());
    heap_storage storage(room);
    copy_graph(read.view(), storage.edit());
    std::vector<host_tensor> outputs;
    if (infer_symbolic_types(storage.edit(), ops, {}, {}, d)) interpret_poisoned<aten::registry>(storage.view(), inputs, outputs, d);
    return d;
}
void refused(const refused_call& wrong, location where = location::current()) {
    check_fault(run_composed(text_of(wrong), wrong.inputs), {.what = wrong.what, .expected = wrong.expected, .found = wrong.found}, where);
}

void norms_of_matrices() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], h : f16[2, 3], i : i64[2, 3], c : f32[2, 3, 4], e : f32[0, 3]";
    constexpr auto orders = "order 1, 2 or inf, or its negative", both = "2 dims, of rows and of columns";
    // fault: argument_is_unsupported
    refused({parameters, "linalg_matrix_norm.default(x, 3)", fault::argument_is_unsupported, orders, "another order"});
    refused({parameters, "linalg_matrix_norm.default(v, 1)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "linalg_matrix_norm.default(x, 1, [0])", fault::rank_is_wrong, both, "1"});
    refused({parameters, "linalg_matrix_norm.default(x, 1, [0, -2])", fault::dimension_is_repeated, "dims once each", "0"});
    refused({parameters, "linalg_matrix_norm.default(x, 1, [0, 2])", fault::dimension_is_out_of_range, "a dim from -2 to 1", "2"});
    refused({parameters, "linalg_matrix_norm.default(h, 2)", fault::dtype_is_unsupported, "f32 or f64", "f16[2, 3]"});
    refused(
        {parameters, "linalg_matrix_norm.default(h, 2, dtype = torch.float32)", fault::dtype_is_unsupported, "f32 or f64", "f16[2, 3]"});
    refused({parameters, "linalg_matrix_norm.default(i, 1)", fault::dtype_is_unsupported, "floating point", "i64"});
    refused({parameters, "linalg_matrix_norm.default(e, -2)", fault::window_does_not_fit, "at least one element", "f32[0]"});
    refused({parameters, "linalg_matrix_norm.str_ord(x, 'max')", fault::argument_has_wrong_kind, "order fro or nuc", "max"});
    refused({parameters, "linalg_norm.ord_str(c, 'fro')", fault::rank_is_wrong, "rank 2, or dims", "f32[2, 3, 4]"});
    refused({parameters, "linalg_norm.ord_str(c, 'nuc', [1])", fault::rank_is_wrong, both, "1"});
    refused({parameters, "nuclear_norm.dim(c, [0])", fault::rank_is_wrong, both, "1"});
    refused({parameters, "nuclear_norm.default(h)", fault::dtype_is_unsupported, "f32 or f64", "f16[2, 3]"});
    refused({parameters, "norm.ScalarOpt_dtype(x, 2, dtype = torch.int64)", fault::dtype_is_unsupported, "floating point", "i64"});
    refused({parameters, "norm.ScalarOpt_dim_dtype(x, 2, [2], False, dtype = torch.float64)", fault::dimension_is_out_of_range,
             "a dim from -2 to 1", "2"});
}
void condition_numbers() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], i : i64[2, 2]";
    constexpr auto square = "square matrices", orders = "order 1, 2 or inf, or its negative";
    refused({parameters, "linalg_cond.default(x, 0)", fault::argument_is_unsupported, orders, "another order"});
    refused({parameters, "linalg_cond.default(x, 1)", fault::matrix_is_not_square, square, "f32[2, 3]"});
    refused({parameters, "linalg_cond.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "linalg_cond.default(i)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 2]"});
    refused({parameters, "linalg_cond.p_str(x, 'nuc')", fault::matrix_is_not_square, square, "f32[2, 3]"});
    refused({parameters, "linalg_cond.p_str(x, 'fro')", fault::matrix_is_not_square, square, "f32[2, 3]"});
    refused({parameters, "linalg_cond.p_str(x, 'abs')", fault::argument_has_wrong_kind, "order fro or nuc", "abs"});
}
void ranks() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], i : i64[2, 3], c : f32[2, 3, 4], t : f32[3]";
    for (const std::string of : {"linalg_matrix_rank", "linalg_pinv"}) {
        refused({parameters, of + ".default(v, 0.5)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
        refused({parameters, of + ".atol_rtol_float(i)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 3]"});
        refused({parameters, of + ".default(x, 0.5, True)", fault::matrix_is_not_square, "square matrices", "f32[2, 3]"});
        refused({parameters, of + ".atol_rtol_tensor(c, atol = t)", fault::shapes_do_not_broadcast, "[3, 1]", "f64[2, 1]"});
    }
    refused({parameters, "linalg_matrix_rank.tol_tensor(c, t)", fault::shapes_do_not_broadcast, "[3, 1]", "f64[2, 1]"});
    refused({parameters, "linalg_pinv.rcond_tensor(c, t)", fault::shapes_do_not_broadcast, "[3, 1]", "f64[2, 1]"});
    refused({parameters, "pinverse.default(v)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
}
void factors_unpacked() {
    constexpr auto parameters = "x : f32[2, 2], v : f32[2], i : i64[2, 2], p : i32[2], q : i64[2], w : i32[1]";
    const auto with = [](int second) {
        return std::vector{f32s({2, 2}, {1, 2, 2, 4}), f32s({2}, {0, 0}),
                           i64s({2, 2}, {0, 0, 0, 0}), host_tensor(tensor_of(dtype::i32, {2}), {1, second}),
                           i64s({2}, {0, 0}),          host_tensor(tensor_of(dtype::i32, {1}))};
    };
    refused({parameters, "lu_unpack.default(x, q)", fault::dtypes_differ, "i32[2]", "i64[2]"});
    refused({parameters, "lu_unpack.default(x, w)", fault::shapes_do_not_broadcast, "i32[2]", "i32[1]"});
    refused({parameters, "lu_unpack.default(v, p)", fault::rank_is_wrong, "rank 2 at least", "f32[2]"});
    refused({parameters, "lu_unpack.default(i, p)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 2]"});
    refused({parameters, "lu_unpack.default(x, p)", fault::index_is_out_of_range, "an index below 2", "2", with(3)});
    refused({parameters, "linalg_lu.default(i)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 2]"});
    refused(
        {parameters, "linalg_lu.default(x, pivot = False)", fault::argument_is_unsupported, "pivot=True", "pivot=False, which is of CUDA"});
}
void least_squares() {
    constexpr auto parameters = "x : f32[3, 2], b : f32[3, 1], y : f32[2, 1], d : f64[3, 1], c : f32[2, 3, 1], i : i64[3, 2]";
    refused({parameters, "linalg_lstsq.default(x, y)", fault::matmul_inner_extents_differ, "3 rows", "f32[2, 1]"});
    refused({parameters, "linalg_lstsq.default(x, d)", fault::dtypes_differ, "f32[3, 2]", "f64[3, 1]"});
    refused({parameters, "linalg_lstsq.default(x, c)", fault::rank_is_wrong, "rank 2, or one less for vectors", "f32[2, 3, 1]"});
    refused({parameters, "linalg_lstsq.default(i, i)", fault::dtype_is_unsupported, "f32 or f64", "i64[3, 2]"});
    refused({parameters, "linalg_lstsq.default(x, b, driver = 'qr')", fault::argument_has_wrong_kind, "driver: gels, gelsy, gelsd or gelss",
             "qr"});
    refused(
        {parameters, "linalg_lstsq.default(x, b, 0.1)", fault::argument_is_unsupported, "rcond=None, or driver gelsd", "rcond of gelsy"});
    const auto whole = std::string(
        "def forward(self, x : f32[3, 2], b : f32[3, 1]):\n    r = torch.ops.aten.linalg_lstsq.default(x, b, driver = 'gelsd')\n"
        "    first = r[1]\n    return (first,)\n");
    check(run_composed(whole, {}).what == fault::dimension_is_dynamic);
    const std::vector inputs{f32s({3, 2}, {1, 0, 0, 0, 0, 0}),
                             f32s({3, 1}, {1, 1, 1}),
                             f32s({2, 1}, {0, 0}),
                             host_tensor(tensor_of(dtype::f64, {3, 1})),
                             host_tensor(tensor_of(dtype::f32, {2, 3, 1})),
                             host_tensor(tensor_of(dtype::i64, {3, 2}))};
    refused({parameters, "linalg_lstsq.default(x, b, driver = 'gels')", fault::matrix_is_singular, "a matrix with an inverse",
             "nothing but 0 to divide by in column 2", inputs});
}
void powers() {
    constexpr auto parameters = "x : f32[2, 3], v : f32[3], i : i64[2, 2], z : f32[2, 2]";
    refused({parameters, "linalg_matrix_power.default(x, 2)", fault::matrix_is_not_square, "square matrices", "f32[2, 3]"});
    refused({parameters, "matrix_power.default(v, 2)", fault::rank_is_wrong, "rank 2 at least", "f32[3]"});
    refused({parameters, "matrix_power.default(i, -1)", fault::dtype_is_unsupported, "f32 or f64", "i64[2, 2]"});
    refused({parameters,
             "matrix_power.default(z, -2)",
             fault::matrix_is_singular,
             "a matrix with an inverse",
             "nothing but 0 to divide by in column 1",
             {f32s({2, 3}, {0, 0, 0, 0, 0, 0}), f32s({3}, {0, 0, 0}), i64s({2, 2}, {0, 0, 0, 0}), f32s({2, 2}, {0, 0, 0, 0})}});
}

} // namespace

int main() {
    norms_of_matrices();
    condition_numbers();
    ranks();
    factors_unpacked();
    least_squares();
    powers();
    return report();
}
