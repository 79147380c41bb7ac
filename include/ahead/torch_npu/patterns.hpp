// SPDX-License-Identifier: MIT
// TorchAir's patterns as rewrite rules (pass/rewrite.hpp) for torch_npu's operators.
//     fusions         what TorchAir replaces in every graph: torch_npu::tools has them as its pattern_pass
//     joint_fusions   what is written out in ATen's operators, which TorchAir replaces where it is asked to; so here:
//                     struct my_tools : torch_npu::tools {
//                         static constexpr auto pattern_pass = torch_npu::joint_fusions | torch_npu::fusions;
//                     };
// Law: those of f32 compute what was there before, but for the order of sums; what rounds to f16 or bf16 between its
// parts is joined only where the joined operator rounds there, too. An epsilon goes along, whatever it is.
// Source: python/torchair/patterns and _utils/npu_fx_passes of TorchAir.
#pragma once
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/pass/rewrite.hpp>
#include <ahead/torch_npu/registry.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

inline constexpr call_site here = call_site::current();

template <class Op, class... Args> constexpr auto joined(const Args&... args) { return ahead::call<Op>(here, args...); }

// ---- what conditions ask

constexpr bool is_tensor(const match& m, std::string_view name) { return m.operand(name).kind == argument_kind::node; }
/// Both are tensors, of one dtype and the same sizes.
constexpr bool are_alike(const match& m, std::string_view a, std::string_view b) {
    return is_tensor(m, a) && is_tensor(m, b) && m.type(a).type == m.type(b).type &&
           sizes_of(m.type(a)) == sizes_of(m.type(b));
}
constexpr bool is_integer(const match& m, std::string_view name, std::int64_t value) {
    return m.operand(name).kind == argument_kind::integer && m.operand(name).integer() == value;
}
constexpr bool is_number(const match& m, std::string_view name) {
    const auto kind = m.operand(name).kind;
    return kind == argument_kind::integer || kind == argument_kind::real;
}
/// The dim, of so many, that the operand says.
constexpr std::int64_t dim_of(const match& m, std::string_view name, int rank) {
    if (m.operand(name).kind != argument_kind::integer) return -1;
    const auto dim = m.operand(name).integer();
    return dim < 0 ? dim + rank : dim;
}
constexpr bool is_last(const match& m, std::string_view name, int rank) { return dim_of(m, name, rank) == rank - 1; }
/// One value, or one for each place of x's last dim, of floating point unless it is left out.
constexpr bool is_row(const match& m, std::string_view name, std::string_view x) {
    if (!is_tensor(m, name)) return m.operand(name).kind == argument_kind::none;
    const auto &t = m.type(name), &of = m.type(x);
    return t.rank == 1 && (t.size(0) == 1 || t.size(0) == of.size(of.rank - 1));
}
constexpr const tensor_type& made(const match& m) { return m.graph().value_of(m.root()).type; }
/// The list says two sizes, of which the last is x's: all other dims as one.
constexpr bool makes_rows(const match& m, std::string_view name, std::string_view x) {
    const auto& list = m.operand(name);
    const auto& t = m.type(x);
    if (list.children.count != 2) return false;
    const auto& last = m.graph()[list.children[1]];
    return last.kind == argument_kind::integer && (last.integer() == t.size(t.rank - 1) || last.integer() == -1);
}
constexpr bool swaps_batch(const match& m, std::string_view a, std::string_view b) {
    const auto p = dim_of(m, a, 3), q = dim_of(m, b, 3);
    return (p == 0 && q == 1) || (p == 1 && q == 0);
}
constexpr bool are_batches(const match& m) { return m.type("x").rank == 3 && m.type("w").rank == 3; }
constexpr bool is_for_npu(const tensor_type& t) { return is_floating(t.type) && t.type != dtype::f64; }

// ---- what becomes of npu_add_rms_norm

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
/// Of all rows in one dim.
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

// ---- products whose result is turned

inline constexpr auto order = ints<1, 0, 2>{};
template <bool TurnsInput> constexpr auto turned_product(const auto& x, const auto& w) {
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
                           turned_product<true>(x, w));
        else return rewrite(joined<aten::transpose>(joined<aten::bmm>(x, w), r, s), turned_product<false>(x, w));
    }).when([](const match& m) {
        return are_batches(m) && is_for_npu(made(m)) && swaps_batch(m, "r", "s") &&
               (!TurnsInput || swaps_batch(m, "p", "q"));
    });
template <bool TurnsInput, fixed_string Name>
inline constexpr auto permuted_batchmatmul =
    pass::rule<Name>([](any<"x"> x, any<"w"> w) {
        if constexpr (TurnsInput)
            return rewrite(joined<aten::permute>(joined<aten::bmm>(joined<aten::permute>(x, order), w), order),
                           turned_product<true>(x, w));
        else return rewrite(joined<aten::permute>(joined<aten::bmm>(x, w), order), turned_product<false>(x, w));
    }).when([](const match& m) { return are_batches(m) && is_for_npu(made(m)); });

// ---- what is written out

/// x * rsqrt(mean(x * x, -1, keepdim) + epsilon) * gamma, in f32; f16 would be rounded in between.
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

/// npu_add_rms_norm with the sum before it or a cast or quantisation behind it, and aten.bmm whose result is turned.
/// Those with more around them come first.
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

/// npu_rms_norm and npu_rotary_mul from what they are written out as, in f32.
inline constexpr auto joint_fusions = detail::written_rms_norm<true, false, "rms_norm_of_powers"> |
                                      detail::written_rms_norm<true, true, "gamma_rms_norm_of_powers"> |
                                      detail::written_rms_norm<false, false, "rms_norm_of_products"> |
                                      detail::written_rms_norm<false, true, "gamma_rms_norm_of_products"> |
                                      detail::written_rotary;

} // namespace ahead::torch_npu
