// SPDX-License-Identifier: MIT
// The operator that Hugging Face's transformers adds: grouped_mm_fallback, the products of a mixture of
// experts. Not part of ahead.hpp, since every operator costs every translation unit compile time.
//     #include <ahead/ahead.hpp>
//     #include <ahead/transformers.hpp>
//     using program = ahead::compiled<ahead::fx<moe, ahead::transformers::registry>, ahead::transformers::tools>;
// Source: transformers/integrations/moe.py.
#pragma once
#include <ahead/convert/toolchain.hpp>
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::transformers {

/// grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs): the rows of [S, K] in groups, each times its matrix
/// of [E, K, N]; offs, of i32 or i64 [E], has the end of each group. Rows after the last group are zeros
struct grouped_mm_fallback {
    static constexpr std::string_view name = "transformers.grouped_mm_fallback.default";
    enum at : int { input, weight, offs };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           required("offs", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &w = c.tensor(at::weight), &ends = c.tensor(at::offs);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (w.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(w));
        tensor_type out;
        if (!aten::infer_product(c, x, tensor_of(w.type, {w.size(1), w.size(2)}), out)) return false;
        if (ends.type != dtype::i32 && ends.type != dtype::i64)
            return c.refuse(fault::dtype_is_unsupported, "i32 or i64", print(ends));
        return aten::check_operand(c, ends, tensor_of(ends.type, {w.size(0)})) && c.result(out);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as), w = c.input(at::weight, as);
            const auto ends = c.input(at::offs, std::int64_t{});
            const auto out = c.output(0, as);
            std::int64_t group = 0;
            for (std::int64_t row = 0; row < out.type().size(0); ++row) {
                while (group < w.type().size(0) && row >= ends[{group}]) ++group;
                for (std::int64_t n = 0; n < out.type().size(1); ++n) {
                    double sum = 0;
                    if (group < w.type().size(0)) sum = aten::sum_of_products<T>(x, {row, 0}, 1, w, {group, 0, n}, 1);
                    out.put({row, n}, math::convert<T>(sum));
                }
            }
        });
    }
};

/// Each row times all matrices; the product with its group's matrix is kept. Only if all products fit into memory; else
/// the AI CPU runs the call.
struct products_of_all_groups {
    using op = grouped_mm_fallback;
    using at = op::at;
    static constexpr std::int64_t most_products = 1 << 22;
    static constexpr std::int32_t most_calls = 17;
    static constexpr bool when(const call_view& call) {
        const auto groups = call.tensor(at::weight).size(0), results = element_count(call.result_type());
        return has_kernels(call.result_type().type) && element_count(call.tensor(at::input)) > 0 && groups > 0 &&
               results > 0 && groups <= most_products / results;
    }
    static constexpr void decompose(decompose_context& c) {
        using decomposition::add, decomposition::mm, decomposition::reshape, decomposition::view;
        const auto out = sizes_of(c.aten.result_type());
        const auto w = c.aten.tensor(at::weight);
        const auto groups = w.size(0);
        const auto turned = c.call("aten.permute.default", {c.operand(at::weight), int_list{1, 0, 2}});
        const auto columns = c.call(reshape, {turned, int_list{w.size(1), groups * w.size(2)}});
        const auto products =
            c.call(view, {c.call(mm, {c.operand(at::input), columns}), int_list{out[0] * groups, out[1]}});
        // a row is in the first group that ends after it, if there is one
        const auto counted = [&](std::int64_t count, std::int64_t step, dtype type) {
            return c.call("aten.arange.start_step", {0, count * step, step, type});
        };
        const auto rows = c.call("aten.unsqueeze.default", {counted(out[0], 1, c.aten.tensor(at::offs).type), 1});
        const auto ends_behind = c.call("aten.gt.Tensor", {c.operand(at::offs), rows});
        const auto group = c.call(
            "aten.amin.default",
            {c.call("aten.where.ScalarOther", {ends_behind, counted(groups, 1, dtype::i64), groups}), int_list{1}});
        const auto place =
            c.call(add, {c.call("aten.clamp_max.default", {group, groups - 1}), counted(out[0], groups, dtype::i64)});
        const auto own = c.call("aten.index_select.default", {products, 0, place});
        const auto has_group = c.call("aten.unsqueeze.default", {c.call("aten.lt.Scalar", {group, groups}), 1});
        c.bind_result(c.call("aten.where.ScalarOther", {has_group, own, 0.0}));
    }
};

/// ATen's operators and this one.
struct registry : aten::registry::with<grouped_mm_fallback> {};
/// Kernels run it, or the AI CPU where groups are many.
using tools = toolchain<>::with<grouped_mm_fallback, products_of_all_groups>;

} // namespace ahead::transformers
