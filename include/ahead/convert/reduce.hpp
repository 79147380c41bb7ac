// SPDX-License-Identifier: MIT
// Converters of aten/reduce/reduce.hpp: folds over dims become npu.reduce.
#pragma once
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/reduce.hpp>

namespace AHEAD_NAMESPACE::convert {

/// Over the dims that Op's parameter dim names, or over all of them where it has none.
template <class Op, target::reduction Kind> struct fold {
    using op = Op;
    static constexpr bool has_dim = requires { Op::at::dim; };
    using all_elements =
        cases<support<f32<3, 7>>, support<f64<5>>, support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>>>;
    using one_dim = cases<support<f32<3, 7>, integer<1>>, support<f64<2, 3, 4>, integer<-2>, flag<true>>>;
    using dims = cases<support<f32<3, 7>, ints<1>>, support<f64<2, 3, 4>, ints<0, -1>, flag<true>>,
                       support<f32<2, 3, 4>, ints<0, 1>>>;
    using supported = std::conditional_t<!has_dim, all_elements,
                                         std::conditional_t<Kind == target::reduction::product, one_dim, dims>>;
    static constexpr bool convert(convert_context& c) {
        const auto& x = c.aten.tensor(op::at::self);
        if (x.type != c.aten.result_type().type) return c.run_meaning(); // the kernel keeps the dtype
        int_list dims;
        int dim = no_parameter;
        bool keep = false;
        if constexpr (has_dim) {
            dim = op::at::dim;
            keep = c.aten.boolean(op::at::keepdim);
        }
        for (int d = 0; d < x.rank; ++d)
            if (aten::reduced_dims(c.aten, dim, x.rank) >> d & 1) dims.push_back(d);
        return c.finish(c.emit<device::reduce>(
            {c.operand(op::at::self), c.list(dims), argument::of(static_cast<int>(Kind)), argument::of(keep)}));
    }
};

using reduce_converters =
    converter_list<fold<aten::sum, target::reduction::sum>, fold<aten::sum_dims, target::reduction::sum>,
                   fold<aten::mean, target::reduction::mean>, fold<aten::mean_dims, target::reduction::mean>,
                   fold<aten::prod, target::reduction::product>, fold<aten::prod_dim, target::reduction::product>,
                   fold<aten::amax, target::reduction::largest>, fold<aten::amin, target::reduction::smallest>,
                   fold<aten::max, target::reduction::largest>, fold<aten::min, target::reduction::smallest>>;

} // namespace ahead::convert
