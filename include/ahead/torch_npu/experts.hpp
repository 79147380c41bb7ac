// SPDX-License-Identifier: MIT
// torch_npu's permutation of rows to experts and back, and the experts' products. They run on the AI CPU, except for
// products with one matrix per weight.
#pragma once
#include <ahead/core/math/order.hpp>
#include <ahead/torch_npu/expansion.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

/// npu_moe_init_routing(Tensor x, Tensor row_idx, Tensor expert_idx, int active_num): (expanded_x, expanded_row_idx,
/// expanded_expert_idx): expanded_expert_idx is expert_idx, i32[rows, k], sorted; expanded_row_idx is the position of
/// each of row_idx in that order; expanded_x is row (row_idx modulo rows) of x for the first min(active_num, rows) * k
/// positions. x: [rows, H]; row_idx: i32[rows, k], a permutation
struct npu_moe_init_routing {
    static constexpr std::string_view name = "npu.npu_moe_init_routing.default"sv;
    enum at : int { x, row_idx, expert_idx, active_num };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("row_idx", parameter_kind::tensor),
        required("expert_idx", parameter_kind::tensor), required("active_num", parameter_kind::integer)};
    using entry = std::pair<std::int64_t, std::int64_t>; // expert, number of its row
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x), e = c.tensor(at::expert_idx);
        if (!check_floating(c, at::x) || !check_rank(c, at::x, 2, 2) || !check_rank(c, at::expert_idx, 2, 2) ||
            !check_dtype(c, at::expert_idx, dtype::i32) || !check_dtype(c, at::row_idx, dtype::i32) ||
            !check_is(c, at::expert_idx, {t.size(0), e.size(1)}) || !check_is(c, at::row_idx, sizes_of(e)))
            return false;
        if (c.integer(at::active_num) < 0)
            return c.refuse(fault::size_is_negative, "active_num from 0", short_text() << c.integer(at::active_num));
        const auto rows = std::min(c.integer(at::active_num), t.size(0)) * e.size(1);
        const auto all = tensor_of(dtype::i32, {element_count(e)});
        return c.results(3) && c.set(0, tensor_of(t.type, {rows, t.size(1)})) && c.set(1, all) && c.set(2, all);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return 2 * static_cast<std::int64_t>(sizeof(entry)) * element_count(c.tensor(at::expert_idx));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{});
        const auto out = c.output(0, float{});
        const auto rows = c.input(at::row_idx, std::int64_t{}), experts = c.input(at::expert_idx, std::int64_t{});
        const auto count = element_count(experts.type());
        auto memory = c.scratch(2 * count, entry{});
        auto* line = memory.data();
        std::int64_t filled = 0;
        for_each_index(sizes_of(experts.type()), [&](const int_list& i) {
            const auto row = c.index(rows[i], count);
            line[filled++] = {experts[i], row ? *row : 0};
        });
        line = sort_stably(line, line + count, count,
                                 [](const entry& a, const entry& b) { return a.first < b.first; });
        for (std::int64_t i = 0; i < count; ++i) c.output(1, std::int64_t{}).put({i}, 0);
        for (std::int64_t i = 0; i < count; ++i) {
            c.output(1, std::int64_t{}).put({line[i].second}, i);
            c.output(2, std::int64_t{}).put({i}, line[i].first);
            if (i >= out.type().size(0)) continue;
            for (std::int64_t h = 0; h < in.type().size(1); ++h)
                out.put({i, h}, in[{line[i].second % in.type().size(0), h}]);
        }
    }
};

/// npu_moe_compute_expert_tokens(Tensor sorted_expert_for_source_row, int num_expert): i32[num_expert]: for each
/// expert, how many entries of the sorted i32[n] are at most its number
struct npu_moe_compute_expert_tokens {
    static constexpr std::string_view name = "npu.npu_moe_compute_expert_tokens.default"sv;
    enum at : int { sorted_expert_for_source_row, num_expert };
    static constexpr parameter schema[] = {required("sorted_expert_for_source_row", parameter_kind::tensor),
                                           required("num_expert", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        const int_list sizes{c.integer(at::num_expert)};
        return check_dtype(c, at::sorted_expert_for_source_row, dtype::i32) &&
               check_rank(c, at::sorted_expert_for_source_row, 1, 1) && c.check_sizes(sizes, "experts from 0") &&
               c.result(tensor_of(dtype::i32, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto sorted = c.input(at::sorted_expert_for_source_row, std::int64_t{});
        std::int64_t place = 0;
        for (std::int64_t expert = 0; expert < c.integer(at::num_expert); ++expert) {
            while (place < sorted.type().size(0) && sorted[{place}] <= expert) ++place;
            c.output(0, std::int64_t{}).put({expert}, place);
        }
    }
};

/// npu_moe_finalize_routing(Tensor expanded_permuted_rows, Tensor? skip1, Tensor? skip2, Tensor? bias, Tensor? scales,
/// Tensor expanded_src_to_dst_row, Tensor? export_for_source_row, int? drop_pad_mode=0, int? k=1): row i is skip1[i] +
/// skip2[i] + the sum over j < K of scales[i, j] * (expanded[expanded_src_to_dst_row[j * rows + i]] +
/// bias[export_for_source_row[i, j]]). expanded: [rows * K, H]; skips: [rows, H]; scales: [rows, K], or, if absent,
/// ones with K = k; bias: [experts, H]; expanded_src_to_dst_row: i32[rows * K]; export_for_source_row: i32[rows, K].
/// drop_pad_mode must be 0
struct npu_moe_finalize_routing {
    static constexpr std::string_view name = "npu.npu_moe_finalize_routing.default"sv;
    enum at : int {
        expanded_permuted_rows,
        skip1,
        skip2,
        bias,
        scales,
        expanded_src_to_dst_row,
        export_for_source_row,
        drop_pad_mode,
        k
    };
    static constexpr parameter schema[] = {
        required("expanded_permuted_rows", parameter_kind::tensor),
        required("skip1", parameter_kind::optional_tensor),
        required("skip2", parameter_kind::optional_tensor),
        required("bias", parameter_kind::optional_tensor),
        required("scales", parameter_kind::optional_tensor),
        required("expanded_src_to_dst_row", parameter_kind::tensor),
        required("export_for_source_row", parameter_kind::optional_tensor),
        defaulted("drop_pad_mode", parameter_kind::optional_integer, argument::of(0)),
        defaulted("k", parameter_kind::optional_integer, argument::of(1))};
    static constexpr std::int64_t each_of(const auto& c) {
        if (c.is_given(at::scales)) return c.tensor(at::scales).size(1);
        return c.is_given(at::k) ? c.integer(at::k) : 1;
    }
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::expanded_permuted_rows);
        if (c.is_given(at::drop_pad_mode) && c.integer(at::drop_pad_mode) != 0)
            return c.refuse(fault::argument_has_wrong_kind, "drop_pad_mode: 0",
                            short_text() << c.integer(at::drop_pad_mode));
        if (!check_floating(c, at::expanded_permuted_rows) || !check_rank(c, at::expanded_permuted_rows, 2, 2) ||
            !check_dtype(c, at::expanded_src_to_dst_row, dtype::i32) ||
            !check_is(c, at::expanded_src_to_dst_row, {t.size(0)}) ||
            (c.is_given(at::scales) && !check_rank(c, at::scales, 2, 2)))
            return false;
        const auto each = each_of(c);
        if (each < 1 || t.size(0) % each != 0)
            return c.refuse(fault::split_sizes_do_not_add_up, short_text("a multiple of ") << each << " rows",
                            print(t));
        const int_list rows{t.size(0) / each, t.size(1)}, picks{rows[0], each};
        for (int i : {at::skip1, at::skip2, at::bias, at::scales}) {
            if (!c.is_given(i)) continue;
            if (!check_same_dtype(c, i, at::expanded_permuted_rows) || !check_rank(c, i, 2, 2)) return false;
            const auto experts = c.tensor(at::bias == i ? i : 0).size(0);
            if (!check_is(c, i, i == at::scales ? picks : i == at::bias ? int_list{experts, rows[1]} : rows))
                return false;
        }
        if (c.is_given(at::bias) && !c.is_given(at::export_for_source_row))
            return c.refuse(fault::argument_is_missing, "export_for_source_row beside a bias", "None");
        if (c.is_given(at::export_for_source_row) &&
            (!check_dtype(c, at::export_for_source_row, dtype::i32) || !check_is(c, at::export_for_source_row, picks)))
            return false;
        return c.result(tensor_of(t.type, rows));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::expanded_permuted_rows, float{});
        const auto places = c.input(at::expanded_src_to_dst_row, std::int64_t{});
        const auto out = c.output(0, float{});
        const auto rows = out.type().size(0), each = each_of(c);
        const auto element = [&](int i, const int_list& at) {
            return c.is_given(i) ? static_cast<double>(c.input(i, float{})[at]) : 0.0;
        };
        for_each_index(sizes_of(out.type()), [&](const int_list& i) {
            double sum = element(at::skip1, i) + element(at::skip2, i);
            for (std::int64_t j = 0; j < each; ++j) {
                const auto place = c.index(places[{j * rows + i[0]}], in.type().size(0));
                if (!place) return;
                double x = static_cast<double>(in[{*place, i[1]}]);
                if (c.is_given(at::bias)) {
                    const auto expert = c.index(c.input(at::export_for_source_row, std::int64_t{})[{i[0], j}],
                                                c.tensor(at::bias).size(0));
                    if (!expert) return;
                    x += element(at::bias, {*expert, i[1]});
                }
                sum += (c.is_given(at::scales) ? element(at::scales, {i[0], j}) : 1.0) * x;
            }
            out.put(i, static_cast<float>(sum));
        });
    }
};

/// npu_grouped_matmul(Tensor[] x, Tensor[] weight, *, Tensor[]? bias=None, Tensor? group_list=None, int? split_item=0,
/// int? group_type=None, int? group_list_type=0, int? act_type=0): a list of products, [m, k] by [k, n], one per pair
/// of x and weight, plus biases [n]; or, with split_item 2 or 3, group_type 0 and a group_list, i64[E]: the rows of a
/// single x in groups, each group times its matrix of a single weight [E, k, n], plus its row of a single bias [E, n].
/// group_list has the end of each group, or with group_list_type 1 its row count; rows after the last group are zeros
struct npu_grouped_matmul {
    static constexpr std::string_view name = "npu.npu_grouped_matmul.default"sv;
    enum at : int { x, weight, bias, group_list, split_item, group_type, group_list_type, act_type };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor_list),
        required("weight", parameter_kind::tensor_list),
        defaulted("bias", parameter_kind::tensor_list),
        defaulted("group_list", parameter_kind::optional_tensor),
        defaulted("split_item", parameter_kind::optional_integer, argument::of(0)),
        defaulted("group_type", parameter_kind::optional_integer),
        defaulted("group_list_type", parameter_kind::optional_integer, argument::of(0)),
        defaulted("act_type", parameter_kind::optional_integer, argument::of(0))};
    static constexpr std::int32_t most_calls = 6 * decompose_context::most_results;
    static constexpr const tensor_type& type_in(const auto& c, int i, std::int32_t k) {
        return c.in().value_of(c.element(i, k)).type;
    }
    static constexpr bool is_given(const auto& c, int i, std::int64_t value) {
        return (c.is_given(i) ? c.integer(i) : 0) == value;
    }
    static constexpr bool infer(infer_context& c) {
        const auto count = c.list_size(at::x);
        const auto biases = c.is_given(at::bias) ? c.list_size(at::bias) : 0;
        if (!is_given(c, at::act_type, 0))
            return c.refuse(fault::argument_has_wrong_kind, "act_type: 0", short_text() << c.integer(at::act_type));
        if (count == 0 || c.list_size(at::weight) != count || (biases != 0 && biases != count))
            return c.refuse(fault::element_counts_differ, "as many weights, and biases if any, as x",
                            short_text() << count << ", " << c.list_size(at::weight) << " and " << biases);
        for (int i : {at::x, at::weight, at::bias})
            for (std::int32_t k = 0; k < (i == at::bias ? biases : count); ++k)
                if (c.element(i, k).kind != argument_kind::node || type_in(c, i, k).type != type_in(c, at::x, 0).type)
                    return c.refuse(fault::dtypes_differ, print(type_in(c, at::x, 0)), "another dtype, or None");
        if (const auto& t = type_in(c, at::x, 0); !is_floating(t.type) || t.type == dtype::f64)
            return c.refuse(fault::dtype_is_unsupported, "f16, bf16 or f32", print(t));
        return c.is_given(at::group_list) ? infer_groups(c, biases) : infer_list(c, count, biases);
    }
    static constexpr bool expands(const call_view& c) {
        return !c.is_given(at::group_list) && c.list_size(at::x) <= decompose_context::most_results;
    }
    static constexpr void evaluate(auto& c) {
        const bool is_grouped = c.is_given(at::group_list);
        for (std::int32_t k = 0; k < c.list_size(at::x); ++k) {
            const auto a = c.list_input(at::x, k, float{}), b = c.list_input(at::weight, k, float{});
            const auto out = c.output(k, float{});
            std::int64_t group = 0, end = 0;
            const auto groups = is_grouped ? b.type().size(0) : 0;
            const auto goes_on = [&](std::int64_t row) { // advances to the group of the row
                for (; is_grouped && group < groups; ++group) {
                    const auto said = c.input(at::group_list, std::int64_t{})[{group}];
                    const auto next = is_given(c, at::group_list_type, 1) ? end + said : said;
                    if (row < next) return;
                    end = next;
                }
            };
            for (std::int64_t row = 0; row < out.type().size(0); ++row) {
                goes_on(row);
                for (std::int64_t n = 0; n < out.type().size(1); ++n) {
                    double sum = 0;
                    for (std::int64_t i = 0; (!is_grouped || group < groups) && i < a.type().size(1); ++i)
                        sum += static_cast<double>(a[{row, i}]) *
                               static_cast<double>(b[is_grouped ? int_list{group, i, n} : int_list{i, n}]);
                    if (c.is_given(at::bias) && c.list_size(at::bias) > 0 && (!is_grouped || group < groups))
                        sum += static_cast<double>(
                            c.list_input(at::bias, k, float{})[is_grouped ? int_list{group, n} : int_list{n}]);
                    out.put({row, n}, static_cast<float>(sum));
                }
            }
        }
    }
    static constexpr void expand(decompose_context& c) {
        const auto wide_in = [&](int i, std::int32_t k) {
            auto a = c.aten.element(i, k);
            a.keyword = {};
            return as_type(c, a, dtype::f32);
        };
        const bool has_bias = c.aten.is_given(at::bias) && c.aten.list_size(at::bias) > 0;
        for (std::int32_t k = 0; k < c.aten.list_size(at::x); ++k) {
            const auto a = wide_in(at::x, k), b = wide_in(at::weight, k);
            finish(c,
                   has_bias ? c.call("aten.addmm.default", {wide_in(at::bias, k), a, b})
                            : c.call(decomposition::mm, {a, b}),
                   k);
        }
    }

private:
    static constexpr bool infer_list(infer_context& c, std::int32_t count, std::int32_t biases) {
        if (!is_given(c, at::split_item, 0) && !is_given(c, at::split_item, 1))
            return c.refuse(fault::argument_is_missing, "a group_list for split_item 2 and 3", "None");
        if (!c.results(count)) return false;
        for (std::int32_t k = 0; k < count; ++k) {
            tensor_type out;
            if (!aten::infer_product(c, type_in(c, at::x, k), type_in(c, at::weight, k), out)) return false;
            if (biases > 0 && sizes_of(type_in(c, at::bias, k)) != int_list{out.size(1)})
                return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(out.type, {out.size(1)})),
                                print(type_in(c, at::bias, k)));
            if (!c.set(k, out)) return false;
        }
        return true;
    }
    static constexpr bool infer_groups(infer_context& c, std::int32_t biases) {
        const auto t = type_in(c, at::x, 0), w = type_in(c, at::weight, 0);
        if (c.list_size(at::x) != 1 || !c.is_given(at::group_type) || c.integer(at::group_type) != 0 ||
            (!is_given(c, at::split_item, 2) && !is_given(c, at::split_item, 3)))
            return c.refuse(fault::argument_has_wrong_kind,
                            "one x, group_type 0 and split_item 2 or 3 beside a group_list", "others");
        if (!is_given(c, at::group_list_type, 0) && !is_given(c, at::group_list_type, 1))
            return c.refuse(fault::argument_has_wrong_kind, "group_list_type: 0 or 1",
                            short_text() << c.integer(at::group_list_type));
        if (t.rank != 2 || w.rank != 3) return c.refuse(fault::rank_is_wrong, "x[m, k] and weight[E, k, n]", print(w));
        if (t.size(1) != w.size(1))
            return c.refuse(fault::matmul_inner_extents_differ, short_text() << t.size(1) << " rows of each weight",
                            print(w));
        if (!check_dtype(c, at::group_list, dtype::i64) || !check_is(c, at::group_list, {w.size(0)})) return false;
        if (biases > 0 && sizes_of(type_in(c, at::bias, 0)) != int_list{w.size(0), w.size(2)})
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(t.type, {w.size(0), w.size(2)})),
                            print(type_in(c, at::bias, 0)));
        return c.results(1) && c.set(0, tensor_of(t.type, {t.size(0), w.size(2)}));
    }
};

using expert_ops =
    op_list<npu_moe_init_routing, npu_moe_compute_expert_tokens, npu_moe_finalize_routing, npu_grouped_matmul>;

} // namespace ahead::torch_npu
