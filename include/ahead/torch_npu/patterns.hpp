// SPDX-License-Identifier: MIT
// TorchAir's patterns as rewrite rules (pass/rewrite.hpp) for torch_npu's operators.
//     fusions         replacements that TorchAir makes in every graph: the pattern_pass of torch_npu::tools
//     joint_fusions   replacements of subgraphs of ATen's operators: torch_npu/joint_fusions.hpp
// Law: f32 rules preserve results but for the order of sums; a subgraph that rounds to f16 or bf16 between its parts is
// fused only if the fused operator rounds there, too. Any epsilon is kept.
// Source: python/torchair/patterns of TorchAir.
#pragma once
#include <ahead/torch_npu/match_words.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

// ---- fusions of npu_add_rms_norm

template <class Op> struct cast_to_f32;
template <> struct cast_to_f32<aten::convert_element_type> {
    static constexpr auto of(const auto& y) { return joined<aten::convert_element_type>(y, dtype_is<dtype::f32>{}); }
};
template <> struct cast_to_f32<aten::to_copy> {
    static constexpr auto of(const auto& y) {
        return joined<aten::to_copy>(y, keyword<"dtype", dtype_is<dtype::f32>>{});
    }
};
inline constexpr auto add_rms_norm =
    pass::rule<"add_rms_norm">([](any<"a"> a, any<"b"> b, any<"gamma"> gamma, any<"epsilon"> epsilon) {
        const auto sum = joined<aten::add>(a, b), norm = joined<npu_rms_norm>(sum, gamma, epsilon);
        const auto both = joined<npu_add_rms_norm>(a, b, gamma, epsilon);
        return rewrite(tensors(pick<0>(norm), pick<1>(norm), sum),
                       tensors(pick<0>(both), pick<1>(both), pick<2>(both)));
    }).when([](const match& m) { return are_alike(m, "a", "b"); });
inline constexpr auto add_rms_norm_quant =
    pass::rule<"add_rms_norm_quant">([](any<"a"> a, any<"b"> b, any<"gamma"> gamma, any<"epsilon"> epsilon,
                                        any<"scales"> scales, any<"zeros"> zeros, any<"dtype"> type, any<"axis"> axis,
                                        any<"div"> div) {
        const auto norm = joined<npu_add_rms_norm>(a, b, gamma, epsilon);
        const auto all =
            joined<npu_add_rms_norm_quant>(a, b, gamma, scales, zeros, keyword<"epsilon", any<"epsilon">>{epsilon},
                                           keyword<"div_mode", any<"div">>{div});
        return rewrite(tensors(joined<npu_quantize>(pick<0>(norm), scales, zeros, type, axis, div), pick<2>(norm)),
                       tensors(pick<0>(all), pick<2>(all)));
    }).when([](const match& m) {
        return made(m).type == dtype::i8 && is_last(m, "axis", made(m).rank) && is_row(m, "scales", "a") &&
               is_row(m, "zeros", "a");
    });
inline constexpr auto add_rms_norm_dynamic_quant = pass::rule<"add_rms_norm_dynamic_quant">(
    [](any<"a"> a, any<"b"> b, any<"gamma"> gamma, any<"epsilon"> epsilon, any<"smooth"> smooth, any<"type"> type) {
        const auto norm = joined<npu_add_rms_norm>(a, b, gamma, epsilon);
        const auto made = joined<npu_dynamic_quant>(pick<0>(norm), smooth, none{}, type);
        const auto all =
            joined<npu_add_rms_norm_dynamic_quant>(a, b, gamma, smooth, keyword<"epsilon", any<"epsilon">>{epsilon});
        return rewrite(tensors(pick<0>(made), pick<1>(made), pick<2>(norm)),
                       tensors(pick<0>(all), pick<3>(all), pick<2>(all)));
    });
/// With all rows flattened to one dim.
inline constexpr auto add_rms_norm_dynamic_quant_rows =
    pass::rule<"add_rms_norm_dynamic_quant_rows">([](any<"a"> a, any<"b"> b, any<"gamma"> gamma, any<"epsilon"> epsilon,
                                                     any<"size"> size, any<"smooth"> smooth, any<"type"> type) {
        const auto norm = joined<npu_add_rms_norm>(a, b, gamma, epsilon);
        const auto made = joined<npu_dynamic_quant>(joined<aten::view>(pick<0>(norm), size), smooth, none{}, type);
        const auto all =
            joined<npu_add_rms_norm_dynamic_quant>(a, b, gamma, smooth, keyword<"epsilon", any<"epsilon">>{epsilon});
        return rewrite(tensors(pick<0>(made), pick<1>(made), pick<2>(norm)),
                       tensors(joined<aten::view>(pick<0>(all), size), joined<aten::view>(pick<3>(all), ints<-1>{}),
                               pick<2>(all)));
    }).when([](const match& m) { return makes_rows(m, "size", "a"); });
template <class Cast, fixed_string Name>
inline constexpr auto add_rms_norm_cast =
    pass::rule<Name>([](any<"a"> a, any<"b"> b, any<"gamma"> gamma, any<"epsilon"> epsilon) {
        const auto norm = joined<npu_add_rms_norm>(a, b, gamma, epsilon);
        const auto y = pick<0>(norm);
        const auto all = joined<npu_add_rms_norm_cast>(a, b, gamma, epsilon);
        return rewrite(tensors(y, pick<1>(norm), pick<2>(norm), cast_to_f32<Cast>::of(y)),
                       tensors(pick<1>(all), pick<2>(all), pick<3>(all), pick<0>(all)));
    }).when([](const match& m) { return m.type("a").type != dtype::f32; });
template <class Cast, fixed_string Name>
inline constexpr auto add_rms_norm_cast_view =
    pass::rule<Name>([](any<"a"> a, any<"b"> b, any<"gamma"> gamma, any<"epsilon"> epsilon, any<"size"> size) {
        const auto norm = joined<npu_add_rms_norm>(a, b, gamma, epsilon);
        const auto y = pick<0>(norm);
        const auto all = joined<npu_add_rms_norm_cast>(a, b, gamma, epsilon);
        return rewrite(tensors(y, pick<1>(norm), pick<2>(norm), cast_to_f32<Cast>::of(joined<aten::view>(y, size))),
                       tensors(pick<1>(all), pick<2>(all), pick<3>(all), joined<aten::view>(pick<0>(all), size)));
    }).when([](const match& m) { return m.type("a").type != dtype::f32; });

// ---- products with a permuted result

inline constexpr auto order = ints<1, 0, 2>{};
template <bool TurnsInput> constexpr auto swapped_matmul(const auto& x, const auto& w) {
    constexpr keyword<"perm_y", ints<1, 0, 2>> turned{};
    if constexpr (TurnsInput)
        return joined<npu_transpose_batchmatmul>(x, w, keyword<"perm_x1", ints<1, 0, 2>>{}, turned);
    else return joined<npu_transpose_batchmatmul>(x, w, turned);
}
template <bool TurnsInput, fixed_string Name>
inline constexpr auto transposed_batchmatmul =
    pass::rule<Name>([](any<"x"> x, any<"w"> w, any<"p"> p, any<"q"> q, any<"r"> r, any<"s"> s) {
        if constexpr (TurnsInput)
            return rewrite(joined<aten::transpose>(joined<aten::bmm>(joined<aten::transpose>(x, p, q), w), r, s),
                           swapped_matmul<true>(x, w));
        else return rewrite(joined<aten::transpose>(joined<aten::bmm>(x, w), r, s), swapped_matmul<false>(x, w));
    }).when([](const match& m) {
        return are_batches(m) && is_for_npu(made(m)) && swaps_batch(m, "r", "s") &&
               (!TurnsInput || swaps_batch(m, "p", "q"));
    });
template <bool TurnsInput, fixed_string Name>
inline constexpr auto permuted_batchmatmul =
    pass::rule<Name>([](any<"x"> x, any<"w"> w) {
        if constexpr (TurnsInput)
            return rewrite(joined<aten::permute>(joined<aten::bmm>(joined<aten::permute>(x, order), w), order),
                           swapped_matmul<true>(x, w));
        else return rewrite(joined<aten::permute>(joined<aten::bmm>(x, w), order), swapped_matmul<false>(x, w));
    }).when([](const match& m) { return are_batches(m) && is_for_npu(made(m)); });

} // namespace detail

/// Fuses npu_add_rms_norm with the sum before it or with a cast or quantisation after it, and aten.bmm with the
/// permutation of its result. Larger patterns come first.
inline constexpr auto fusions = detail::add_rms_norm | detail::add_rms_norm_dynamic_quant_rows |
                                detail::add_rms_norm_dynamic_quant | detail::add_rms_norm_quant |
                                detail::add_rms_norm_cast_view<aten::convert_element_type, "add_rms_norm_cast_view"> |
                                detail::add_rms_norm_cast_view<aten::to_copy, "add_rms_norm_to_view"> |
                                detail::add_rms_norm_cast<aten::convert_element_type, "add_rms_norm_cast"> |
                                detail::add_rms_norm_cast<aten::to_copy, "add_rms_norm_to"> |
                                detail::transposed_batchmatmul<true, "transpose_batchmatmul_of_transposed"> |
                                detail::transposed_batchmatmul<false, "transpose_batchmatmul"> |
                                detail::permuted_batchmatmul<true, "permute_batchmatmul_of_permuted"> |
                                detail::permuted_batchmatmul<false, "permute_batchmatmul">;

} // namespace ahead::torch_npu
