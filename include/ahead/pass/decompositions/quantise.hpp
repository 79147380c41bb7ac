// SPDX-License-Identifier: MIT
// Quantisation, aten/pointwise/quantise.hpp, as pointwise operators and conversions.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// quantize, dequantize, or both. Bounds that f32 cannot represent are left to the AI CPU.
template <class Op, aten::grid_step Step> struct on_grid {
    using op = Op;
    using enum aten::grid_step;
    static constexpr bool takes_any_dtype = true; // computed in f32 or f64, and rounded once
    static constexpr std::int32_t most_calls = 14;
    static constexpr int low = Op::low_at(), high = low + 1;

    static constexpr bool when(const call_view& call) {
        constexpr std::int64_t most = 1 << 24; // integers up to this bound are exact in f32
        return Step == dequantize || (call.integer(low) >= -most && call.integer(high) <= most);
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.tensor(0);
        const auto in = (Step == quantize ? t : c.aten.result_type()).type == dtype::f64 ? dtype::f64 : dtype::f32;
        const auto as = [&](const argument& x, dtype type) {
            if (!c.editor().ok() || c.type_of(x).type == type) return x;
            return c.call("prims.convert_element_type.default", {x, type});
        };
        const auto grid = [&](int i) { // a number, or a tensor that broadcasts
            const auto given = c.operand(i);
            if (given.kind != argument_kind::node) return given;
            int_list sizes;
            if (const int axis = Op::axis_of(c.aten); axis != no_parameter)
                for (int d = axis; d < t.rank; ++d) sizes.push_back(d == axis ? t.size(d) : 1);
            return c.call(view, {as(given, in), sizes});
        };
        const auto scale = grid(Op::step_at);
        const auto zero = c.aten.is_given(Op::zero_at) ? grid(Op::zero_at) : argument{};
        auto x = as(c.operand(0), in);
        if (Step != dequantize) {
            x = c.call(mul, {x, inverse(c, scale, in)});
            x = c.call("aten.round.default", {x});
            if (zero.kind != argument_kind::none) x = c.call(add, {x, zero});
            const auto least = c.aten.integer(low), most = c.aten.integer(high);
            const auto first = static_cast<double>(least), last = static_cast<double>(most);
            x = c.call("aten.nan_to_num.default", {x, first, last, first}); // clamp would keep NaN
            x = c.call("aten.clamp.default", {x, least, most});
        }
        if (Step != quantize) {
            if (zero.kind != argument_kind::none) x = c.call(sub, {x, zero});
            x = c.call(mul, {x, scale});
        }
        if (c.editor().ok()) c.bind_result(as(x, c.aten.result_type().type));
    }

private:
    static constexpr argument inverse(decompose_context& c, const argument& scale, dtype in) {
        if (scale.kind == argument_kind::node) return c.call("aten.reciprocal.default", {scale});
        const auto step = call_view::to_real(scale);
        return argument::of(in == dtype::f64 ? 1 / step : static_cast<double>(1 / static_cast<float>(step)));
    }
};

} // namespace ahead::decomposition
