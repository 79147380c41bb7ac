// SPDX-License-Identifier: MIT
// Converters of aten/product/quantised.hpp: weights are packed, by prepare if they are constants.
#pragma once
#include <ahead/aten/product/quantised.hpp>
#include <ahead/convert/convolution.hpp>
#include <ahead/device/quantised/quantized_convolution.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// Parameter i, in row-major order; None if it is not given.
constexpr argument operand_or_none(convert_context& c, int i) {
    return c.aten.is_given(i) ? c.contiguous(c.operand(i)) : argument{};
}
/// Whether 64 bits can count the work of the kernel: in each spatial dim it copies the input as `stride` phases, and a
/// whole window more.
constexpr bool is_copyable(const tensor_type& x, const tensor_type& weight, const aten::convolution_window& w) {
    return is_countable(x, weight, w,
                        [&](int d) { return checked_int(weight.size(2 + d)) * w.dilation[d] + w.stride[d]; });
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
        if (k == 0 || k > aten::most_quantized_products) return c.emit_ai_cpu_call();
        auto a = c.contiguous(c.operand(op::at::input));
        if (x.rank != 2) a = c.reshaped(a, {rows, k});
        const auto weight = c.operand(op::at::weight);
        const auto packed = c.create<device::pack_quantized>({weight, argument::of(rows), argument::of(x.type)});
        const auto made = c.create<device::quantized_matmul>(
            {a, packed, detail::operand_or_none(c, op::at::starts), detail::operand_or_none(c, op::at::scales),
             detail::operand_or_none(c, op::at::weight_zero_points), detail::operand_or_none(c, op::at::bias),
             detail::operand_or_none(c, op::at::inverse), detail::operand_or_none(c, op::at::zero_point),
             argument::of(c.aten.tensor(op::at::weight).size(0)), detail::end_of_sums<op>(c)});
        return c.bind_result(x.rank == 2 ? made : c.view(made, c.aten.result_type()));
    }
};

struct quantized_convolution {
    using op = aten::quantized_convolution;
    using supported = cases<
        support<i8<1, 3, 5, 6>, weight<i8<9, 3, 3, 3>>, weight<i32<9>>, weight<f32<9>>, weight<i32<9>>, weight<f32<9>>,
                weight<f32<1>>, weight<f32<1>>, integer<-128>, integer<127>, flag<false>, dtype_is<dtype::i8>,
                weight<i32<1>>, ints<2, 1>, ints<1, 1>, ints<1, 1>, integer<1>>,
        support<u8<2, 4, 9>, weight<i8<6, 2, 3>>, weight<i32<6>>, weight<f32<6>>, none, none, none, none, integer<0>,
                integer<0>, flag<true>, dtype_is<dtype::f32>, weight<i32<1>>, ints<1>, ints<0>, ints<2>, integer<2>>>;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool convert(convert_context& c) {
        const auto window = op::window(c.aten);
        const auto &x = c.aten.tensor(op::at::input), &w = c.aten.tensor(op::at::weight);
        const auto products = element_count(w) / std::max<std::int64_t>(1, w.size(0));
        if (products == 0 || products > aten::most_quantized_products || element_count(x) == 0 ||
            !detail::is_copyable(x, w, window))
            return c.emit_ai_cpu_call();
        const auto weight = c.contiguous(c.operand(op::at::weight));
        const auto packed = c.create<device::pack_filters>({weight, argument::of(window.groups), argument::of(x.type)});
        return c.bind_result(c.create<device::quantized_convolution>(
            {c.contiguous(c.operand(op::at::input)), packed, c.operand(op::at::input_zero_point),
             detail::operand_or_none(c, op::at::starts), detail::operand_or_none(c, op::at::scales),
             detail::operand_or_none(c, op::at::weight_zero_points), detail::operand_or_none(c, op::at::bias),
             detail::operand_or_none(c, op::at::inverse), detail::operand_or_none(c, op::at::zero_point),
             c.list(sizes_of(w)), c.list(window.stride), c.list(window.padding), c.list(window.dilation),
             argument::of(window.groups), detail::end_of_sums<op>(c)}));
    }
};

using quantised_converters = converter_list<quantized_linear, quantized_convolution>;

} // namespace ahead::convert
