// SPDX-License-Identifier: MIT
// Converters of aten/reduce/reduce.hpp and arg_reduce.hpp: reductions over dims become npu.reduce, npu.arg_reduce if
// the place of an extreme is needed, npu.cumulate if they are cumulative.
#pragma once
#include <ahead/aten/reduce/arg_reduce.hpp>
#include <ahead/aten/reduce/reduce.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/arg_reduce.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/cumulate.hpp>
#include <ahead/device/reduce.hpp>

namespace AHEAD_NAMESPACE::convert {

/// Reduces x, the value of the first parameter, over the dims in parameter dim, or over all dims if the call does not
/// have that parameter.
constexpr argument create_fold_over(convert_context& c, device::reduction kind, const argument& x, int dim, bool keep,
                                    aten::no_dims empty) {
    const int rank = c.aten.tensor(first_parameter).rank;
    int_list dims;
    for (int d = 0; d < rank; ++d)
        if (aten::reduced_dims(c.aten, dim, rank, empty) >> d & 1) dims.push_back(d);
    return c.create<device::reduce>({x, c.list(dims), argument::of(static_cast<int>(kind)), argument::of(keep), {}});
}
/// The same over the dims in Op's parameter dim.
template <class Op>
constexpr argument create_fold(convert_context& c, device::reduction kind, const argument& x,
                               aten::no_dims empty = aten::no_dims::are_all) {
    if constexpr (requires { Op::at::dim; })
        return create_fold_over(c, kind, x, Op::at::dim, c.aten.boolean(Op::at::keepdim), empty);
    else return create_fold_over(c, kind, x, no_parameter, false, empty);
}
/// The same for self.
template <class Op> constexpr argument create_fold(convert_context& c, device::reduction kind) {
    return create_fold<Op>(c, kind, c.operand(Op::at::self));
}

template <class Op, device::reduction Kind> struct fold {
    using op = Op;
    static constexpr bool has_dim = requires { Op::at::dim; };
    using all_elements =
        cases<support<f32<3, 7>>, support<f64<5>>, support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>>>;
    using one_dim = cases<support<f32<3, 7>, integer<1>>, support<f64<2, 3, 4>, integer<-2>, flag<true>>>;
    using dims = cases<support<f32<3, 7>, ints<1>>, support<f64<2, 3, 4>, ints<0, -1>, flag<true>>,
                       support<f32<2, 3, 4>, ints<0, 1>>>;
    using supported = std::conditional_t<!has_dim, all_elements,
                                         std::conditional_t<Kind == device::reduction::product, one_dim, dims>>;
    static constexpr bool convert(convert_context& c) {
        const auto from = c.aten.tensor(op::at::self).type, to = c.aten.result_type().type;
        if (!has_kernels(from) || !device::cast::takes(from, to)) return c.emit_ai_cpu_call();
        auto x = c.operand(op::at::self);
        if (from != to) x = c.create<device::cast>({x, argument::of(to)}); // the kernel keeps the dtype
        return c.bind_result(create_fold<op>(c, Kind, x));
    }
};

/// Two reductions, or the one that is read.
struct aminmax {
    using op = aten::aminmax;
    using supported = cases<support<f32<3, 7>>, support<f64<2, 3, 4>, keyword<"dim", integer<-2>>>,
                            support<f32<3, 7>, keyword<"dim", integer<1>>, keyword<"keepdim", flag<true>>>>;
    static constexpr bool convert(convert_context& c) {
        if (c.is_result_used(0) && !c.bind_result(create_fold<op>(c, device::reduction::smallest), 0)) return false;
        return !c.is_result_used(1) || c.bind_result(create_fold<op>(c, device::reduction::largest), 1);
    }
};

/// Any (largest) or all (smallest) of the elements that are not 0.
template <class Op, device::reduction Kind, aten::no_dims Empty = aten::no_dims::are_all> struct truth {
    using op = Op;
    using all_elements = cases<support<b8<3, 7>>, support<f32<5>>, support<i64<2, 3>>>;
    using one_dim = cases<support<b8<3, 7>, integer<1>>, support<f64<2, 3, 4>, integer<-2>, flag<true>>>;
    using dims = cases<support<b8<3, 7>, ints<1>>, support<f32<2, 3, 4>, ints<0, -1>, flag<true>>>;
    using supported = std::conditional_t<!fold<Op, Kind>::has_dim, all_elements,
                                         std::conditional_t<Empty == aten::no_dims::are_none, dims, one_dim>>;
    static constexpr bool convert(convert_context& c) {
        const auto& self = c.aten.tensor(op::at::self);
        if (c.aten.result_type().type != dtype::b8) return c.emit_ai_cpu_call();
        auto x = c.operand(op::at::self);
        const argument and_zero[] = {x, argument::of(0)};
        if (self.type != dtype::b8) x = c.create("npu.ne.Scalar", array_view<const argument>(and_zero, 2));
        return c.bind_result(create_fold<op>(c, Kind, x, Empty));
    }
};

/// The place of the extreme along the dim in parameter at_dim, and its value if has_values is set and the value is
/// read; a reduction if the place is not read. Floats without kernels are compared as f32.
constexpr bool convert_arg_extreme(convert_context& c, int at_dim, bool is_largest, bool has_values) {
    const auto& self = c.aten.tensor(first_parameter);
    const bool is_rare = is_floating(self.type) && !has_kernels(self.type);
    const bool values = has_values && c.is_result_used(0);
    auto x = c.contiguous(c.operand(first_parameter));
    if (is_rare) x = c.create<device::cast>({x, argument::of(dtype::f32)});
    int dim = 0;
    if (!c.aten.is_given(at_dim)) x = c.reshaped(x, {element_count(self)});
    else if (self.rank == 0) x = c.reshaped(x, {1});
    else dim = wrapped_dim(c.aten.integer(at_dim), self.rank);
    const auto finish = [&](argument made, std::int32_t k) {
        const auto& wanted = c.aten.result_type(k);
        if (is_rare && wanted.type == self.type) made = c.create<device::cast>({made, argument::of(self.type)});
        return c.bind_result(c.reshaped(made, sizes_of(wanted)), k);
    };
    if (has_values && !c.is_result_used(1)) {
        const auto kind = is_largest ? device::reduction::largest : device::reduction::smallest;
        return finish(
            c.create<device::reduce>({x, c.list({dim}), argument::of(static_cast<int>(kind)), argument::of(false), {}}),
            0);
    }
    auto made = c.create<device::arg_reduce>({x, argument::of(dim), argument::of(is_largest), argument::of(values)});
    if (!values) return finish(made, has_values);
    if (!finish(made, 0)) return false;
    made.result = 1;
    return finish(made, 1);
}
template <class Op, bool Largest, bool HasValues> struct arg_extreme {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using along =
        cases<support<f32<3, 70>, integer<1>>, support<f64<2, 3, 40>, integer<-2>, flag<true>>,
              support<i64<4, 9>, integer<-1>>, support<b8<3, 4>, integer<1>>, support<i8<3, 9>, integer<1>>,
              support<i16<3, 9>, integer<0>>, support<f16<2, 9>, integer<1>>, support<f32<0, 3>, integer<1>>,
              support<f32<>, integer<0>>, support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, integer<0>>>;
    using of_all = cases<support<f32<3, 700>>, support<f64<>>, support<i32<5, 2>, none, flag<true>>,
                         support<f32<3, 70>, integer<0>, flag<true>>, support<i32<2, 3, 5>, integer<-1>>,
                         support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>>>;
    using supported = std::conditional_t<HasValues, along, of_all>;
    static constexpr bool convert(convert_context& c) {
        return convert_arg_extreme(c, op::at::dim, Largest, HasValues);
    }
};

/// The cumulative results of self along a dim, computed in a dtype with kernels; a tensor of rank 0 is a row of one.
template <class Op> constexpr argument create_cumulate(convert_context& c, device::reduction kind, dtype computed) {
    auto x = c.operand(Op::at::self);
    const int rank = c.type_of(x).rank;
    if (c.type_of(x).type != computed) x = c.create<device::cast>({x, argument::of(computed)});
    x = c.contiguous(x);
    if (rank == 0) x = c.reshaped(x, {1});
    const int dim = rank == 0 ? 0 : wrapped_dim(c.aten.integer(Op::at::dim), rank);
    return c.create<device::cumulate>({x, argument::of(dim), argument::of(static_cast<int>(kind))});
}
/// Binds one of its results to result k.
constexpr bool finish_cumulate(convert_context& c, argument made, std::int32_t k) {
    made.result = k;
    const auto& wanted = c.aten.result_type(k);
    if (c.type_of(made).type != wanted.type) made = c.create<device::cast>({made, argument::of(wanted.type)});
    return c.bind_result(wanted.rank == 0 ? c.view(made, wanted) : made, k);
}

/// In the dtype of the result, or in f32 or i64 if that has no kernels. Bools go to the AI CPU.
template <class Op, device::reduction Kind> struct cumulated {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<3, 70>, integer<1>>, support<f64<2, 3, 40>, integer<-2>>, support<i32<9, 2, 3>, integer<0>>,
              support<f32<3, 70>, integer<0>, keyword<"dtype", dtype_is<dtype::f64>>>,
              support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, integer<0>>, support<f32<>, integer<0>>,
              support<u8<3, 40>, integer<1>>, support<i8<2, 9>, integer<0>, keyword<"dtype", dtype_is<dtype::i16>>>,
              support<bf16<3, 9>, integer<1>>, support<b8<3, 9>, integer<1>>>;
    static constexpr bool convert(convert_context& c) {
        const auto from = c.aten.tensor(op::at::self).type, to = c.aten.result_type().type;
        if (to == dtype::b8 || !device::cast::takes(from, to)) return c.emit_ai_cpu_call();
        return finish_cumulate(c, create_cumulate<op>(c, Kind, computed_as(to)), 0);
    }
};

/// Floats without kernels are compared as f32.
template <class Op, device::reduction Kind> struct cumulated_extreme {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<3, 70>, integer<1>>, support<f64<2, 3, 40>, integer<-2>>, support<i32<9, 2, 3>, integer<0>>,
              support<u8<9>, integer<0>>, support<f16<2, 9>, integer<1>>, support<b8<3, 4>, integer<1>>,
              support<f32<>, integer<0>>, support<f32<0, 3>, integer<0>>,
              support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, integer<0>>>;
    static constexpr bool convert(convert_context& c) {
        const auto type = c.aten.tensor(op::at::self).type;
        if (!device::cast::takes(type, type)) return c.emit_ai_cpu_call();
        const bool is_rare = is_floating(type) && !has_kernels(type);
        const auto made = create_cumulate<op>(c, Kind, is_rare ? dtype::f32 : type);
        return finish_cumulate(c, made, 0) && finish_cumulate(c, made, 1);
    }
};

using reduce_converters =
    converter_list<fold<aten::sum, device::reduction::sum>, fold<aten::sum_dims, device::reduction::sum>,
                   fold<aten::mean, device::reduction::mean>, fold<aten::mean_dims, device::reduction::mean>,
                   fold<aten::prod, device::reduction::product>, fold<aten::prod_dim, device::reduction::product>,
                   fold<aten::amax, device::reduction::largest>, fold<aten::amin, device::reduction::smallest>, aminmax,
                   fold<aten::max, device::reduction::largest>, fold<aten::min, device::reduction::smallest>,
                   truth<aten::any, device::reduction::largest>, truth<aten::any_dim, device::reduction::largest>,
                   truth<aten::any_dims, device::reduction::largest, aten::no_dims::are_none>,
                   truth<aten::all, device::reduction::smallest>, truth<aten::all_dim, device::reduction::smallest>,
                   arg_extreme<aten::argmax, true, false>, arg_extreme<aten::argmin, false, false>,
                   arg_extreme<aten::max_dim, true, true>, arg_extreme<aten::min_dim, false, true>,
                   cumulated<aten::cumsum, device::reduction::sum>,
                   cumulated<aten::cumprod, device::reduction::product>,
                   cumulated_extreme<aten::cummax, device::reduction::largest>,
                   cumulated_extreme<aten::cummin, device::reduction::smallest>>;

} // namespace ahead::convert
