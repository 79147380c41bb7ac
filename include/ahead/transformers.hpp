// SPDX-License-Identifier: MIT
// The operator of its own that Hugging Face's transformers has: grouped_mm_fallback, the products of a mixture of
// experts. Not part of ahead.hpp, since every operator costs every translation unit compile time.
//     #include <ahead/ahead.hpp>
//     #include <ahead/transformers.hpp>
//     using program = ahead::compiled<ahead::fx<moe, ahead::transformers::registry>, ahead::transformers::tools>;
// Source: transformers/integrations/moe.py.
#pragma once
#include <ahead/convert/toolchain.hpp>

namespace AHEAD_NAMESPACE::transformers {

/// grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs): the rows of [S, K] in groups, each times its matrix
/// of [E, K, N]; offs, of i32 or i64 [E], says where groups end. Rows behind the last one are zeros
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

/// ATen's operators and this one.
struct registry : aten::registry::with<grouped_mm_fallback> {};
/// The AI CPU runs it.
struct tools : toolchain<>::with<grouped_mm_fallback> {};

} // namespace ahead::transformers
