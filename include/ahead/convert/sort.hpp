// SPDX-License-Identifier: MIT
// Converters of aten/index/sort.hpp: lines in order, or the first of them, become npu.sort. Elements are moved only
// where somebody reads them.
#pragma once
#include <ahead/aten/index/sort.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/cast.hpp>
#include <ahead/target/op/index/sort.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::convert {

/// Results values and places, or places alone. Floats without kernels are ordered as f32.
constexpr bool convert_order(convert_context& c, std::int64_t along, target::ordering kind, bool descending,
                             bool has_values) {
    const auto& self = c.aten.tensor(first_parameter);
    const bool is_rare = is_floating(self.type) && !has_kernels(self.type);
    const bool values = has_values && c.is_result_used(0);
    if (is_complex(self.type) || element_count(self) > std::numeric_limits<std::int32_t>::max()) return c.run_meaning();
    auto x = c.contiguous(c.operand(first_parameter));
    if (is_rare) x = c.emit<device::cast>({x, argument::of(dtype::f32)});
    if (self.rank == 0) x = c.reshaped(x, {1});
    const int dim = self.rank == 0 ? 0 : wrapped_dim(along, self.rank);
    const auto places = has_values;
    const auto& wanted = c.aten.result_type(places);
    auto made =
        c.emit<device::sort>({x, argument::of(dim), argument::of(static_cast<int>(kind)), argument::of(descending),
                              argument::of(values), argument::of(wanted.rank == 0 ? 1 : wanted.size(dim))});
    const auto finish = [&](argument of, std::int32_t k) {
        const auto& type = c.aten.result_type(k);
        if (is_rare && type.type == self.type) of = c.emit<device::cast>({of, argument::of(self.type)});
        if (type.rank == 0) of = c.view(of, type);
        return c.finish_row_major(of, k);
    };
    if (values && !finish(made, 0)) return false;
    made.result = values;
    return finish(made, places);
}

using order_cases = cases<support<f32<3, 70>>, support<f64<2, 3, 40>, integer<-2>, flag<true>>, support<i64<300>>,
                          support<i8<3, 9>, integer<0>, flag<true>>, support<b8<300>>, support<f16<2, 9>, integer<1>>,
                          support<i32<2, 600>, integer<1>, flag<true>>, support<u8<400>>, support<f32<>>,
                          support<f32<0, 3>, integer<1>>, support<i16<300>, integer<0>, flag<true>>,
                          support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, integer<0>>>;

template <class Op, bool HasValues> struct sorted {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using stable_cases = cases<support<f32<3, 70>, none>, support<f64<2, 300>, flag<true>, integer<-1>, flag<true>>>;
    using supported = std::conditional_t<std::same_as<Op, aten::sort_stable>, stable_cases, order_cases>;
    static constexpr bool convert(convert_context& c) {
        return convert_order(c, c.aten.integer(op::at::dim), target::ordering::all, c.aten.boolean(op::at::descending),
                             HasValues);
    }
};

struct topk {
    using op = aten::topk;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<3, 70>, integer<5>>, support<f32<700>, integer<3>>,
                            support<f64<6, 3>, integer<2>, integer<0>, flag<false>>,
                            support<i64<2, 40>, integer<7>, integer<-1>, flag<true>, flag<false>>,
                            support<bf16<2, 9>, integer<3>>, support<f32<>, integer<1>>, support<u8<9>, integer<0>>>;
    static constexpr bool convert(convert_context& c) {
        return convert_order(c, c.aten.integer(op::at::dim),
                             c.aten.boolean(op::at::sorted) ? target::ordering::first : target::ordering::selected,
                             c.aten.boolean(op::at::largest), true);
    }
};

using sort_converters =
    converter_list<sorted<aten::sort, true>, sorted<aten::sort_stable, true>, sorted<aten::argsort, false>, topk>;

} // namespace ahead::convert
