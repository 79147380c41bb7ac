// SPDX-License-Identifier: MIT
// Converters of aten/index/sort.hpp, median.hpp and search.hpp: sorted lines, or some elements of them, become
// npu.sort, places in a sorted line npu.search. Elements are moved only if they are read.
#pragma once
#include <ahead/aten/index/median.hpp>
#include <ahead/aten/index/search.hpp>
#include <ahead/aten/index/sort.hpp>
#include <ahead/convert/gather.hpp>
#include <ahead/device/cast.hpp>
#include <ahead/device/index/search.hpp>
#include <ahead/device/index/sort.hpp>
#include <limits>
#include <optional>

namespace AHEAD_NAMESPACE::convert {

/// The results of a call on sorted lines: values, places, or both in this order.
struct order_wanted {
    device::ordering kind = device::ordering::all;
    bool descending = false, has_values = true, has_places = true;
    std::int64_t kept = 1, skipped = 0; // of each line
};

/// Sorts along a dim of self, or all its elements if `along` is empty. Floats without kernels are ordered as f32.
constexpr bool convert_order(convert_context& c, std::optional<std::int64_t> along, const order_wanted& wanted) {
    const auto& self = c.aten.tensor(first_parameter);
    const bool is_rare = is_floating(self.type) && !has_kernels(self.type);
    const bool values = wanted.has_values && c.is_result_used(0);
    if (is_complex(self.type) || element_count(self) > std::numeric_limits<std::int32_t>::max())
        return c.emit_ai_cpu_call();
    auto x = c.contiguous(c.operand(first_parameter));
    if (is_rare) x = c.create<device::cast>({x, argument::of(dtype::f32)});
    if (!along) x = c.reshaped(x, {element_count(self)});
    else if (self.rank == 0) x = c.reshaped(x, {1});
    const int dim = along && self.rank > 0 ? wrapped_dim(*along, self.rank) : 0;
    auto made = c.create<device::sort>({x, argument::of(dim), argument::of(static_cast<int>(wanted.kind)),
                                        argument::of(wanted.descending), argument::of(values),
                                        argument::of(wanted.kept), argument::of(wanted.skipped)});
    const auto finish = [&](argument of, std::int32_t k) {
        const auto& type = c.aten.result_type(k);
        if (is_rare && type.type == self.type) of = c.create<device::cast>({of, argument::of(self.type)});
        if (sizes_of(c.type_of(of)) != sizes_of(type)) of = c.reshaped(of, sizes_of(type));
        return c.bind_row_major(of, k);
    };
    if (values && !finish(made, 0)) return false;
    made.result = values;
    return !wanted.has_places || finish(made, wanted.has_values);
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
        const auto dim = c.aten.integer(op::at::dim);
        const auto& self = c.aten.tensor(op::at::self);
        return convert_order(c, dim,
                             {.descending = c.aten.boolean(op::at::descending),
                              .has_values = HasValues,
                              .kept = self.rank > 0 ? self.size(wrapped_dim(dim, self.rank)) : 1});
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
        return convert_order(
            c, c.aten.integer(op::at::dim),
            {.kind = c.aten.boolean(op::at::sorted) ? device::ordering::first : device::ordering::selected,
             .descending = c.aten.boolean(op::at::largest),
             .kept = c.aten.tensor(op::at::self).rank > 0 ? c.aten.integer(op::at::k) : 1});
    }
};

struct kthvalue {
    using op = aten::kthvalue;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<3, 70>, integer<5>>, support<f64<6, 3>, integer<6>, integer<0>, flag<true>>,
                            support<i64<2, 40>, integer<1>, integer<-1>>, support<bf16<2, 9>, integer<3>>,
                            support<f32<>, integer<1>>, support<u8<9>, integer<4>>, support<f32<0, 3>, integer<2>>>;
    static constexpr bool convert(convert_context& c) {
        return convert_order(c, c.aten.integer(op::at::dim), {.skipped = c.aten.integer(op::at::k) - 1});
    }
};

/// One element of each line, or of all elements if the operator has no dim.
template <class Op, device::ordering Kind> struct one_of_line {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    static constexpr bool has_dim = requires { Op::at::dim; };
    using of_all = cases<support<f32<3, 33>>, support<i64<2, 4>>, support<f16<9>>, support<f64<>>>;
    using along = cases<support<f32<3, 70>, integer<1>>, support<f64<2, 8, 3>, integer<-2>, flag<true>>,
                        support<i32<200>, integer<0>>, support<i8<3, 9>, integer<0>>, support<bf16<2, 9>, integer<1>>,
                        support<f32<>, integer<0>>, support<f32<0, 3>, integer<1>>,
                        support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, integer<1>>>;
    using supported = std::conditional_t<has_dim, along, of_all>;
    static constexpr bool convert(convert_context& c) {
        if constexpr (has_dim) return convert_order(c, c.aten.integer(Op::at::dim), {.kind = Kind});
        else if (element_count(c.aten.tensor(Op::at::self)) == 0) return c.emit_ai_cpu_call();
        else return convert_order(c, {}, {.kind = Kind, .has_places = false});
    }
};

/// The places of x in `sorted`; `order`, if it is given, is the permutation that sorts it. Floats without kernels are
/// compared as f32.
constexpr bool convert_search(convert_context& c, argument sorted, argument x, const argument& order, bool right) {
    const auto type = c.type_of(x).type;
    if (is_complex(type) || is_only_moved(type)) return c.emit_ai_cpu_call();
    for (argument* each : {&sorted, &x}) {
        *each = c.contiguous(*each);
        if (is_half(type)) *each = c.create<device::cast>({*each, argument::of(dtype::f32)});
    }
    if (order.kind == argument_kind::node) {
        const auto& whole = c.type_of(sorted);
        sorted = create_gathered(c, sorted, walk_along(c, whole, whole.rank - 1, order));
    }
    return c.bind_result(
        c.create<device::search>({sorted, x, argument::of(right), argument::of(c.aten.result_type().type)}));
}

struct searchsorted {
    using op = aten::searchsorted;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<9>, f32<2, 17>>, support<f64<2, 9>, f64<2, 17>, flag<true>>,
                            support<i64<2, 3, 1>, i64<2, 3, 4>, flag<false>, flag<true>>, support<f32<0>, f32<3>>,
                            support<f16<9>, f16<>, keyword<"side", word<"right">>>, support<i8<9>, i8<0>>,
                            support<f32<2, 5>, f32<2, 3>, keyword<"sorter", i64<2, 5>>>,
                            support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, f32<4, 3>>>;
    static constexpr bool convert(convert_context& c) {
        const bool right =
            c.aten.boolean(op::at::right) || c.aten.word<aten::search_side>(op::at::side) == aten::search_side::right;
        return convert_search(c, c.operand(op::at::sorted_sequence), c.operand(op::at::self),
                              c.aten.is_given(op::at::sorter) ? c.operand(op::at::sorter) : argument{}, right);
    }
};
struct bucketize {
    using op = aten::bucketize;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<3, 33>, f32<9>>, support<i64<>, i64<300>, flag<true>, flag<true>>>;
    static constexpr bool convert(convert_context& c) {
        return convert_search(c, c.operand(op::at::boundaries), c.operand(op::at::self), {},
                              c.aten.boolean(op::at::right));
    }
};

using sort_converters =
    converter_list<sorted<aten::sort, true>, sorted<aten::sort_stable, true>, sorted<aten::argsort, false>, topk,
                   kthvalue, one_of_line<aten::median_dim, device::ordering::middle>,
                   one_of_line<aten::nanmedian_dim, device::ordering::middle_of_numbers>,
                   one_of_line<aten::median, device::ordering::middle>,
                   one_of_line<aten::nanmedian, device::ordering::middle_of_numbers>,
                   one_of_line<aten::mode, device::ordering::most_frequent>, searchsorted, bucketize>;

} // namespace ahead::convert
