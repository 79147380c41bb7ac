// SPDX-License-Identifier: MIT
// Converters of aten/normalise/layer_norm.hpp to npu.layer_norm. The statistics are computed only if they are used.
#pragma once
#include <ahead/aten/normalise/layer_norm.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/layer_norm.hpp>

namespace AHEAD_NAMESPACE::convert {

template <class Op, bool HasStatistics> struct layer_norm {
    using op = Op;
    using supported = cases<support<f32<3, 8>, ints<8>, weight<f32<8>>, weight<f32<8>>, real<"1e-5">>,
                            support<f64<2, 3, 4>, ints<3, 4>, none, none, real<"1e-3">>,
                            support<f32<2, 5>, ints<5>, f32<5>, none, real<"0.1">>>;
    static constexpr bool convert(convert_context& c) {
        std::int64_t count = 1;
        for (auto size : c.aten.ints(op::at::normalized_shape)) count *= size;
        if (count == 0) return c.emit_ai_cpu_call();
        const bool statistics = HasStatistics && (c.is_result_used(1) || c.is_result_used(2));
        const auto given = [&](int parameter) {
            return c.aten.is_given(parameter) ? c.contiguous(c.operand(parameter)) : argument{};
        };
        const auto weight = given(op::at::weight), bias = given(op::at::bias);
        auto made = c.create<device::layer_norm>({c.contiguous(c.operand(op::at::input)),
                                                  weight,
                                                  bias,
                                                  argument::of(count),
                                                  argument::of(c.aten.real(op::at::eps)),
                                                  argument::of(statistics),
                                                  {}});
        if (!c.bind_result(made)) return false;
        for (std::int32_t k = 1; statistics && k < 3; ++k) {
            made.result = k;
            if (!c.bind_result(made, k)) return false;
        }
        return true;
    }
};

using normalise_converters =
    converter_list<layer_norm<aten::native_layer_norm, true>, layer_norm<aten::layer_norm, false>>;

} // namespace ahead::convert
