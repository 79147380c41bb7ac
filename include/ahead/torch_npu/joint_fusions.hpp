// SPDX-License-Identifier: MIT
// Rules that replace subgraphs of ATen's operators by torch_npu's operators. Optional, as in TorchAir:
//     #include <ahead/torch_npu.hpp>
//     #include <ahead/torch_npu/joint_fusions.hpp>
//     using my_tools = torch_npu::tools::with_pattern_pass<torch_npu::joint_fusions, torch_npu::fusions>;
// Law: they apply to f32 only, and preserve results but for the order of sums. Source:
// python/torchair/_utils/npu_fx_passes of TorchAir.
#pragma once
#include <ahead/torch_npu/match_words.hpp>
#include <ahead/torch_npu/written_attention.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

/// x * rsqrt(mean(x * x, -1, keepdim) + epsilon) * gamma, in f32; f16 would round between the parts.
template <bool Powers, bool GammaFirst, fixed_string Name>
inline constexpr auto written_rms_norm =
    pass::rule<Name>([](any<"x"> x, any<"gamma"> gamma, any<"dim"> dim, any<"epsilon"> epsilon) {
        const auto square = [&] {
            if constexpr (Powers) return joined<aten::pow_tensor_scalar>(x, 2);
            else return joined<aten::mul>(x, x);
        }();
        const auto root =
            joined<aten::rsqrt>(joined<aten::add>(joined<aten::mean_dims>(square, dim, flag<true>{}), epsilon));
        const auto y = joined<aten::mul>(x, root);
        const auto norm = joined<npu_rms_norm>(x, gamma, epsilon);
        if constexpr (GammaFirst) return rewrite(joined<aten::mul>(gamma, y), pick<0>(norm));
        else return rewrite(joined<aten::mul>(y, gamma), pick<0>(norm));
    }).when([](const match& m) {
        if (!is_tensor(m, "x") || !is_tensor(m, "gamma") || !is_number(m, "epsilon")) return false;
        const auto &t = m.type("x"), &g = m.type("gamma");
        const auto& dims = m.operand("dim");
        if (t.type != dtype::f32 || g.type != dtype::f32 || g.rank != 1 || t.rank == 0) return false;
        if (dims.children.count != 1 || g.size(0) != t.size(t.rank - 1)) return false;
        const auto dim = m.graph()[dims.children[0]].integer();
        return dim == -1 || dim == t.rank - 1;
    });
/// x * cos + cat(-second half, first half) * sin, in f32.
inline constexpr auto written_rotary =
    pass::rule<"rotary_mul">([](any<"x"> x, any<"cos"> cos, any<"sin"> sin, any<"d"> d, any<"from"> from,
                                any<"half"> half, any<"e"> e, any<"middle"> middle, any<"end"> end, any<"axis"> axis) {
        const auto first = joined<aten::slice>(x, d, from, half), second = joined<aten::slice>(x, e, middle, end);
        const auto turned = joined<aten::cat>(tensors(joined<aten::neg>(second), first), axis);
        return rewrite(joined<aten::add>(joined<aten::mul>(x, cos), joined<aten::mul>(turned, sin)),
                       joined<npu_rotary_mul>(x, cos, sin));
    }).when([](const match& m) {
        if (!is_tensor(m, "x") || !is_tensor(m, "cos") || !is_tensor(m, "sin")) return false;
        const auto& t = m.type("x");
        if (t.type != dtype::f32 || t.rank < 3 || t.rank > 4 || sizes_of(made(m)) != sizes_of(t)) return false;
        const auto size = t.size(t.rank - 1);
        for (std::string_view dim : {"d", "e", "axis"})
            if (!is_last(m, dim, t.rank)) return false;
        for (std::string_view other : {"cos", "sin"})
            if (m.type(other).type != dtype::f32 || m.type(other).rank > t.rank) return false;
        const auto &from = m.operand("from"), &end = m.operand("end");
        return size % 2 == 0 && (from.kind == argument_kind::none || is_integer(m, "from", 0)) &&
               is_integer(m, "half", size / 2) && is_integer(m, "middle", size / 2) &&
               (end.kind == argument_kind::none || (end.kind == argument_kind::integer && end.integer() >= size));
    });

} // namespace detail

/// Builds npu_rms_norm, npu_rotary_mul and npu_fusion_attention from their ATen subgraphs, in f32.
inline constexpr auto joint_fusions = detail::written_rms_norm<true, false, "rms_norm_of_powers"> |
                                      detail::written_rms_norm<true, true, "gamma_rms_norm_of_powers"> |
                                      detail::written_rms_norm<false, false, "rms_norm_of_products"> |
                                      detail::written_rms_norm<false, true, "gamma_rms_norm_of_products"> |
                                      detail::written_rotary | detail::written_attentions;

} // namespace ahead::torch_npu
