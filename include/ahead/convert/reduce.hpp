// SPDX-License-Identifier: MIT
// Converters of aten/reduce/reduce.hpp: folds over dims become npu.reduce.
#pragma once
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/device_ops.hpp>

namespace AHEAD_NAMESPACE::convert {

/// DimAt, KeepAt: the schema's parameters, or no_parameter.
template <class Op, target::reduction Kind, int DimAt, int KeepAt> struct fold {
    using op = Op;
    using all_elements =
        cases<support<f32<3, 7>>, support<f64<5>>, support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>>>;
    using one_dim = cases<support<f32<3, 7>, integer<1>>, support<f64<2, 3, 4>, integer<-2>, flag<true>>>;
    using dims = cases<support<f32<3, 7>, ints<1>>, support<f64<2, 3, 4>, ints<0, -1>, flag<true>>,
                       support<f32<2, 3, 4>, ints<0, 1>>>;
    using supported = std::conditional_t<(DimAt < 0), all_elements,
                                         std::conditional_t<Kind == target::reduction::product, one_dim, dims>>;
    static constexpr bool convert(convert_context& c) {
        const auto& x = c.aten.tensor(0);
        if (x.type != c.aten.result_type().type) return c.run_meaning(); // the kernel keeps the dtype
        int_list dims;
        for (int d = 0; d < x.rank; ++d)
            if (aten::reduced_dims(c.aten, DimAt, x.rank) >> d & 1) dims.push_back(d);
        bool keep = false;
        if constexpr (KeepAt >= 0) keep = c.aten.boolean(KeepAt);
        return c.finish(c.emit<device::reduce>(
            {c.operand(0), c.list(dims), argument::of(static_cast<int>(Kind)), argument::of(keep)}));
    }
};

inline constexpr int none = no_parameter;
using reduce_converters = converter_list<
    fold<aten::sum, target::reduction::sum, none, none>, fold<aten::sum_dims, target::reduction::sum, 1, 2>,
    fold<aten::mean, target::reduction::mean, none, none>, fold<aten::mean_dims, target::reduction::mean, 1, 2>,
    fold<aten::prod, target::reduction::product, none, none>, fold<aten::prod_dim, target::reduction::product, 1, 2>,
    fold<aten::amax, target::reduction::largest, 1, 2>, fold<aten::amin, target::reduction::smallest, 1, 2>,
    fold<aten::max, target::reduction::largest, none, none>, fold<aten::min, target::reduction::smallest, none, none>>;

} // namespace ahead::convert
