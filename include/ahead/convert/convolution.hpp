// SPDX-License-Identifier: MIT
// Converters of aten/product/convolution.hpp: weights are packed for the kernel, by prepare where they are constants.
#pragma once
#include <ahead/aten/product/convolution.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/device/convolution.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/device/product/matmul.hpp>

namespace AHEAD_NAMESPACE::convert {

constexpr argument create_convolution(convert_context& c, const aten::convolution_window& w) {
    const auto x = c.contiguous(c.operand(aten::convolved::input));
    const auto weight = c.contiguous(c.operand(aten::convolved::weight));
    const auto bias =
        c.aten.is_given(aten::convolved::bias) ? c.contiguous(c.operand(aten::convolved::bias)) : argument{};
    const auto weight_sizes = sizes_of(c.type_of(weight));
    const auto packed = c.create<device::pack_convolution>({weight,
                                                            c.list(sizes_of(c.type_of(x))),
                                                            c.list(w.stride),
                                                            c.list(w.padding),
                                                            c.list(w.dilation),
                                                            argument::of(w.groups),
                                                            {}});
    return c.create<device::convolution>({x,
                                          packed,
                                          bias,
                                          c.list(weight_sizes),
                                          c.list(w.stride),
                                          c.list(w.padding),
                                          c.list(w.dilation),
                                          argument::of(w.groups),
                                          {},
                                          {},
                                          {},
                                          {},
                                          {}});
}

/// Whether 64 bits can count the work of the kernel: the bytes that it copies, that is an input with its padding in
/// whole vectors, and each of its multiplications. The callback returns the additional elements that it copies in
/// spatial dim d.
constexpr bool is_countable(const tensor_type& x, const tensor_type& weight, const aten::convolution_window& w,
                            auto behind) {
    checked_int most = 256; // lanes of a vector by bytes of an element, and a remainder row
    for (int d = 0; d < x.rank; ++d)
        most = most * (d < 2 ? checked_int(x.size(d)) : checked_int(2) * w.padding[d - 2] + x.size(d) + behind(d - 2));
    for (int d = 0; d < weight.rank; ++d) most = most * weight.size(d);
    return !most.is_lost();
}
constexpr bool is_countable(const tensor_type& x, const tensor_type& weight, const aten::convolution_window& w) {
    return is_countable(x, weight, w, [](int) { return checked_int(0); });
}

/// The kernel convolves batches of one or two spatial dims, forward, from and into row-major order; the AI CPU runs all
/// other convolutions.
constexpr bool convert_convolution(convert_context& c, const aten::convolution_window& w) {
    const auto& x = c.aten.tensor(aten::convolved::input);
    const auto& weight = c.aten.tensor(aten::convolved::weight);
    if (w.transposed || weight.rank > 4 || x.rank != weight.rank || !is_floating(x.type) || !is_countable(x, weight, w))
        return c.emit_ai_cpu_call();
    return c.bind_row_major(create_convolution(c, w));
}

struct convolution {
    using op = aten::convolution;
    using supported =
        cases<support<f32<1, 2, 5, 6>, weight<f32<4, 2, 3, 3>>, weight<f32<4>>, ints<1, 1>, ints<1, 1>, ints<1, 1>,
                      flag<false>, ints<0, 0>, integer<1>>,
              support<f64<2, 4, 7, 7>, weight<f64<6, 2, 3, 2>>, none, ints<2>, ints<0, 1>, ints<1, 2>, flag<false>,
                      ints<0, 0>, integer<2>>,
              support<f32<1, 4, 9>, f32<4, 1, 3>, none, ints<1>, ints<1>, ints<1>, flag<false>, ints<0>, integer<4>>>;
    static constexpr bool convert(convert_context& c) { return convert_convolution(c, op::window(c.aten)); }
};

template <class Op, int Spatial> struct forward_convolution {
    using op = Op;
    using supported = std::conditional_t<
        Spatial == 1, cases<support<f32<1, 2, 9>, weight<f32<3, 2, 4>>, weight<f32<3>>, ints<2>>>,
        cases<support<f32<1, 2, 8, 8>, weight<f32<3, 2, 1, 1>>>,
              support<f32<1, 3, 8, 8>, weight<f32<3, 1, 3, 3>>, none, ints<1, 1>, ints<1, 1>, ints<1, 1>, integer<3>>>>;
    static constexpr bool convert(convert_context& c) { return convert_convolution(c, op::window(c.aten)); }
};

using convolution_converters =
    converter_list<convolution, forward_convolution<aten::conv1d, 1>, forward_convolution<aten::conv2d, 2>>;

} // namespace ahead::convert
