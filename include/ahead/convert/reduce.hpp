// SPDX-License-Identifier: MIT
// Converters of aten/reduce/reduce.hpp: folds over dims become npu.reduce.
#pragma once
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/reduce.hpp>

namespace AHEAD_NAMESPACE::convert {

/// x, which stands for parameter self, over the dims that Op's parameter dim names, or over all of them where it has
/// none.
template <class Op>
constexpr argument emit_fold(convert_context& c, target::reduction kind, const argument& x,
                             aten::no_dims empty = aten::no_dims::are_all) {
    const int rank = c.aten.tensor(Op::at::self).rank;
    int_list dims;
    int dim = no_parameter;
    bool keep = false;
    if constexpr (requires { Op::at::dim; }) {
        dim = Op::at::dim;
        keep = c.aten.boolean(Op::at::keepdim);
    }
    for (int d = 0; d < rank; ++d)
        if (aten::reduced_dims(c.aten, dim, rank, empty) >> d & 1) dims.push_back(d);
    return c.emit<device::reduce>({x, c.list(dims), argument::of(static_cast<int>(kind)), argument::of(keep)});
}
/// The same of self itself.
template <class Op> constexpr argument emit_fold(convert_context& c, target::reduction kind) {
    return emit_fold<Op>(c, kind, c.operand(Op::at::self));
}

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
        if (c.aten.tensor(op::at::self).type != c.aten.result_type().type)
            return c.run_meaning(); // the kernel keeps the dtype
        return c.finish(emit_fold<op>(c, Kind));
    }
};

/// Two folds, or the one that is read.
struct aminmax {
    using op = aten::aminmax;
    using supported = cases<support<f32<3, 7>>, support<f64<2, 3, 4>, keyword<"dim", integer<-2>>>,
                            support<f32<3, 7>, keyword<"dim", integer<1>>, keyword<"keepdim", flag<true>>>>;
    static constexpr bool convert(convert_context& c) {
        if (c.is_result_used(0) && !c.finish(emit_fold<op>(c, target::reduction::smallest), 0)) return false;
        return !c.is_result_used(1) || c.finish(emit_fold<op>(c, target::reduction::largest), 1);
    }
};

/// Any (largest) or all (smallest) of what is not 0.
template <class Op, target::reduction Kind, aten::no_dims Empty = aten::no_dims::are_all> struct truth {
    using op = Op;
    using all_elements = cases<support<b8<3, 7>>, support<f32<5>>, support<i64<2, 3>>>;
    using one_dim = cases<support<b8<3, 7>, integer<1>>, support<f64<2, 3, 4>, integer<-2>, flag<true>>>;
    using dims = cases<support<b8<3, 7>, ints<1>>, support<f32<2, 3, 4>, ints<0, -1>, flag<true>>>;
    using supported = std::conditional_t<!fold<Op, Kind>::has_dim, all_elements,
                                         std::conditional_t<Empty == aten::no_dims::are_none, dims, one_dim>>;
    static constexpr bool convert(convert_context& c) {
        const auto& self = c.aten.tensor(op::at::self);
        if (c.aten.result_type().type != dtype::b8) return c.run_meaning();
        auto x = c.operand(op::at::self);
        const argument and_zero[] = {x, argument::of(0)};
        if (self.type != dtype::b8) x = c.emit("npu.ne.Scalar", array_view<const argument>(and_zero, 2));
        return c.finish(emit_fold<op>(c, Kind, x, Empty));
    }
};

using reduce_converters =
    converter_list<fold<aten::sum, target::reduction::sum>, fold<aten::sum_dims, target::reduction::sum>,
                   fold<aten::mean, target::reduction::mean>, fold<aten::mean_dims, target::reduction::mean>,
                   fold<aten::prod, target::reduction::product>, fold<aten::prod_dim, target::reduction::product>,
                   fold<aten::amax, target::reduction::largest>, fold<aten::amin, target::reduction::smallest>, aminmax,
                   fold<aten::max, target::reduction::largest>, fold<aten::min, target::reduction::smallest>,
                   truth<aten::any, target::reduction::largest>, truth<aten::any_dim, target::reduction::largest>,
                   truth<aten::any_dims, target::reduction::largest, aten::no_dims::are_none>,
                   truth<aten::all, target::reduction::smallest>, truth<aten::all_dim, target::reduction::smallest>>;

} // namespace ahead::convert
