// SPDX-License-Identifier: MIT
// Fuses the pattern of PyTorch's quantised exports, dequantize -> linear, mm, addmm or convolution -> relu -> quantize,
// into one call with integer sums (aten/product/quantised.hpp).
// Law: the input is i8 or u8 on one grid, the weight a constant of i8 on one grid, or on one grid for each filter; relu
// and quantize are included if the calls before them have no other readers. The sums are exact, whereas f32 sums are
// rounded at every step: a quantised result equals that of dequantize, the call in f32 and quantize, or, where rounding
// errors change that one, differs by one step; it is equal if f32 rounds nothing. An f32 result differs as if summed in
// another order. Source: torch/_inductor/fx_passes/quantization.py, which does the same by default.
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
