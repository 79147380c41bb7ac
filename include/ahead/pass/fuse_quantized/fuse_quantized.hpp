// SPDX-License-Identifier: MIT
// What PyTorch's quantised exports print, dequantize -> linear, mm, addmm or convolution -> relu -> quantize, as one
// call that adds up integers (aten/product/quantised.hpp).
// Law: the input is i8 or u8 on one grid, the weight a constant of i8 on one grid, or on one for each filter; relu and
// quantize go along where nobody else reads what lies before them. The sums are exact, where f32's are rounded at every
// step: a result on a grid is what dequantize, the call in f32 and quantize give, or, where these are wrong by their
// rounding, one step beside it; the same where f32 rounds nothing. A result of f32 differs as one summed in another
// order does. Source: torch/_inductor/fx_passes/quantization.py, which does the same by default.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/fuse_quantized/integer_sums.hpp>

namespace AHEAD_NAMESPACE::pass {

struct fuse_quantized_pass {
    static constexpr std::string_view name = "fuse_quantized";
    static constexpr toggle config::* option = &config::fuse_quantized;

    static constexpr bool applies(graph_view g, op_table ops) {
        return find_op(ops, aten::quantized_linear::name).exists() && detail::grid_reader(g, ops).any();
    }
    /// Each product or convolution may become a dozen calls.
    static constexpr capacity growth(graph_view g, op_table ops) {
        capacity more;
        if (!applies(g, ops)) return more;
        for (std::string_view op : {aten::linear::name, aten::mm::name, aten::addmm::name, aten::conv1d::name,
                                    aten::conv2d::name, aten::convolution::name})
            for ([[maybe_unused]] node_id n : calls_of(g, find_op(ops, op))) more.nodes += 20;
        more.arguments = 6 * more.nodes;
        more.values = more.nodes;
        return more;
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::integer_sums(g).run(); }
};
inline constexpr fuse_quantized_pass fuse_quantized;

} // namespace ahead::pass
