// SPDX-License-Identifier: MIT
// Converters of aten/product/fourier.hpp: one npu.fft for each dim; the step from or to real numbers comes first or
// last. The roots of unity of each length are a constant.
#pragma once
#include <ahead/aten/product/fourier.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/fft.hpp>

namespace AHEAD_NAMESPACE::convert {

/// A transform along dim d, in lines of `count` numbers.
constexpr argument create_fft(convert_context& c, const argument& x, int d, device::fourier kind, std::int64_t count,
                              double scale) {
    const auto type = c.type_of(x).type;
    const auto part = is_complex(type) ? part_of(type) : type;
    const auto roots = c.create<device::fft_roots>({argument::of(count), argument::of(part)});
    return c.create<device::fft>(
        {x, roots, argument::of(d), argument::of(static_cast<int>(kind)), argument::of(count), argument::of(scale)});
}

template <class Op> struct transformed {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool from_real = std::same_as<Op, aten::fft_r2c>, to_real = std::same_as<Op, aten::fft_c2r>;
    using complex_cases = cases<support<c64<3, 8>, ints<1>, integer<0>, flag<true>>,
                                support<c128<2, 6, 5>, ints<0, 2>, integer<1>, flag<false>>,
                                support<c64<7, 11>, ints<0>, integer<2>, flag<false>>,
                                support<c64<0, 3>, ints<1>, integer<0>, flag<true>>>;
    using real_cases = cases<support<f32<9, 20>, ints<1>, integer<0>, flag<true>>,
                             support<f64<2, 15>, ints<1>, integer<1>, flag<false>>,
                             support<f32<4, 6, 3>, ints<0, 1>, integer<2>, flag<true>>>;
    using half_cases = cases<support<c64<9, 11>, ints<1>, integer<2>, integer<20>>,
                             support<c128<2, 8>, ints<1>, integer<1>, integer<15>>,
                             support<c64<4, 4, 3>, ints<0, 1>, integer<0>, integer<6>>>;
    using supported = std::conditional_t<from_real, real_cases, std::conditional_t<to_real, half_cases, complex_cases>>;

    static constexpr bool convert(convert_context& c) {
        using device::fourier;
        const auto dims = aten::detail::transformed_dims(c.aten, Op::at::dim);
        const auto& self = c.aten.tensor(Op::at::self);
        const auto& wanted = c.aten.result_type();
        if (dims.size == 0) return c.bind_row_major(c.create<device::copy>({c.operand(Op::at::self)}));
        const auto whole = sizes_of(to_real ? wanted : self);
        const auto scale = aten::detail::scale_of(
            static_cast<aten::fft_normalization>(c.aten.integer(Op::at::normalization)), whole, dims);
        const int last = static_cast<int>(dims[dims.size - 1]);
        auto x = c.contiguous(c.operand(Op::at::self));
        bool is_scaled = false;
        const auto along = [&](int d, fourier kind) {
            x = create_fft(c, x, d, kind, whole[d], is_scaled ? 1.0 : scale);
            is_scaled = true;
        };
        auto usual = to_real ? fourier::backward : fourier::forward;
        if constexpr (requires { Op::at::forward; })
            if (!c.aten.boolean(Op::at::forward)) usual = fourier::backward;
        if constexpr (from_real)
            along(last, c.aten.boolean(Op::at::onesided) ? fourier::from_real : fourier::from_real_all);
        for (auto d : dims)
            if (!(from_real || to_real) || d != last) along(static_cast<int>(d), usual);
        if constexpr (to_real) along(last, fourier::to_real);
        return c.bind_row_major(x);
    }
};

using fourier_converters =
    converter_list<transformed<aten::fft_c2c>, transformed<aten::fft_r2c>, transformed<aten::fft_c2r>>;

} // namespace ahead::convert
