// SPDX-License-Identifier: MIT
// Converters of aten/product/quantised.hpp: weights are packed, by prepare where they are constants.
#pragma once
#include <ahead/aten/product/quantised.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/quantised/quantised_matmul.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// Parameter i, in row-major order; None where it is not given.
constexpr argument operand_or_none(convert_context& c, int i) {
    return c.aten.is_given(i) ? c.contiguous(c.operand(i)) : argument{};
}
/// Low, high, relu, dtype.
template <class Op> constexpr argument end_of_sums(convert_context& c) {
    return c.list({c.aten.integer(Op::at::quant_min), c.aten.integer(Op::at::quant_max),
                   std::int64_t{c.aten.boolean(Op::at::relu)}, static_cast<std::int64_t>(c.aten.type(Op::at::dtype))});
}

} // namespace detail

struct quantized_linear {
    using op = aten::quantized_linear;
    using supported =
        cases<support<u8<3, 5>, weight<i8<7, 5>>, weight<i32<7>>, weight<f32<7>>, none, weight<f32<7>>, weight<f32<1>>,
                      weight<f32<1>>, integer<0>, integer<255>, flag<true>, dtype_is<dtype::u8>>>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto& x = c.aten.tensor(op::at::input);
        const auto k = x.size(x.rank - 1), rows = k == 0 ? 1 : element_count(x) / k;
        if (k == 0) return c.run_meaning();
        auto a = c.contiguous(c.operand(op::at::input));
        if (x.rank != 2) a = c.view(a, tensor_of(x.type, {rows, k}));
        const auto weight = c.operand(op::at::weight);
        const auto packed = c.emit<device::pack_quantised>({weight, argument::of(rows), argument::of(x.type)});
        const auto made = c.emit<device::quantised_matmul>(
            {a, packed, detail::operand_or_none(c, op::at::starts), detail::operand_or_none(c, op::at::scales),
             detail::operand_or_none(c, op::at::weight_zero_points), detail::operand_or_none(c, op::at::bias),
             detail::operand_or_none(c, op::at::inverse), detail::operand_or_none(c, op::at::zero_point),
             argument::of(c.aten.tensor(op::at::weight).size(0)), detail::end_of_sums<op>(c)});
        return c.finish(x.rank == 2 ? made : c.view(made, c.aten.result_type()));
    }
};

using quantised_converters = converter_list<quantized_linear>;

} // namespace ahead::convert
