// SPDX-License-Identifier: MIT
// Converters of aten/index/index_put.hpp: index_copy, and index_put with one index tensor, become npu.index_copy; so
// does what writes the result back into the tensor that self is a view of, as a write into a view of a buffer does.
#pragma once
#include <ahead/aten/index/index_put.hpp>
#include <ahead/convert/view_scatter.hpp>
#include <ahead/target/op/index/index_copy.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// Whether call `user` of the graph is Op, writes result 0 of the call into exactly the view `part` of the tensor that
/// `whole` gives.
template <class Op> constexpr bool writes_back(const call_view& call, node_id user, node_id whole, tensor_type part) {
    const auto g = call.in();
    if (g[user].target != Op::name) return false;
    op_row row;
    row.schema = Op::schema;
    bound_arguments bound;
    bind_typed(g, user, row, bound);
    diagnosis d;
    const call_view scatter(g, user, bound, d);
    if (scatter.at(Op::at::src).node() != call.id() || scatter.at(Op::at::self).node() != whole) return false;
    const auto& type = scatter.result_type();
    part.offset -= g.value_of(whole).type.offset;
    return g.value_of(whole).type == type && Op::part(scatter, type) == part;
}

/// The tensor that parameter self of the call is a view of, where the graph gives that tensor the call's result in its
/// place: as dense as the view is.
constexpr node_id written_back_into(const call_view& call, int self) {
    const auto g = call.in();
    const auto& part = call.tensor(self);
    const auto whole = owner_of(g, call.at(self));
    if (whole == call.at(self).node() || g[whole].values.count != 1 || !same_strides(part, call.result_type()))
        return {};
    for (auto use = g[call.id()].first_use; use.exists(); use = g[use].next_use)
        if (const auto user = g[use].owner; writes_back<aten::slice_scatter>(call, user, whole, part) ||
                                            writes_back<aten::select_scatter>(call, user, whole, part) ||
                                            writes_back<aten::as_strided_scatter>(call, user, whole, part))
            return whole;
    return {};
}

/// self with slices along dim written from source; what the scatter behind it would make of that, where there is one.
constexpr bool copy_slices(convert_context& c, int self, const argument& index, const argument& source, int dim,
                           bool wraps) {
    const auto& result = c.aten.result_type();
    auto part = c.aten.tensor(self);
    const auto whole = written_back_into(c.aten, self);
    auto into = c.operand(whole.exists() ? argument::of(whole) : c.aten.at(self));
    if (whole.exists()) {
        part.offset += c.type_of(into).offset - c.aten.in().value_of(whole).type.offset;
    } else {
        part = result;
        if (!same_strides(c.type_of(into), result)) {
            if (!is_contiguous(result)) return c.run_meaning();
            into = c.contiguous(into);
        }
    }
    const auto made =
        c.emit<device::index_copy>({into, c.contiguous(index), source, argument::of(dim), argument::of(wraps),
                                    c.list(sizes_of(part)), c.list(strides_of(part)), argument::of(part.offset)});
    return c.finish(whole.exists() ? c.view(made, part) : made);
}

} // namespace detail

struct index_copy {
    using op = aten::index_copy;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, integer<0>, i64<2>, f32<2, 3>>,
              support<f64<2, 4, 3>, integer<-2>, i64<3>, f64<2, 3, 3>>, support<b8<4>, integer<0>, i64<1>, b8<1>>>;
    static constexpr bool convert(convert_context& c) {
        const auto& self = c.aten.tensor(op::at::self);
        if (self.rank == 0) return c.run_meaning();
        auto index = c.operand(op::at::index);
        if (c.type_of(index).rank == 0) index = c.view(index, tensor_of(c.type_of(index).type, {1}));
        return detail::copy_slices(c, op::at::self, index, c.operand(op::at::source),
                                   wrapped_dim(c.aten.integer(op::at::dim), self.rank), false);
    }
};

/// With one index tensor, of rank 0 or 1, and no sums; what else there is, the AI CPU runs.
struct index_put {
    using op = aten::index_put;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<5, 3>, tensor_list<i64<2>>, f32<2, 3>>,
                            support<f64<2, 4, 3>, tensor_list<none, i32<2>>, f64<3>>,
                            support<i64<4, 5>, tensor_list<none, i64<>>, i64<>>>;
    static constexpr bool convert(convert_context& c) {
        const auto plan = aten::index_plan_of(c.aten);
        int dim = 0;
        while (plan.indexed >> dim > 1) ++dim;
        if (plan.indexed != 1u << dim || plan.sizes.size > 1 || c.aten.boolean(op::at::accumulate))
            return c.run_meaning();
        auto index = c.operand(c.aten.element(op::at::indices, dim));
        const auto& given = c.type_of(index);
        if (given.type != dtype::i64 && given.type != dtype::i32) return c.run_meaning(); // a mask
        auto source = c.operand(op::at::values);
        if (given.rank == 0) {
            index = c.view(index, tensor_of(given.type, {1}));
            // The values have no dim where the index stood.
            auto type = c.type_of(source);
            const int place = type.rank - (c.aten.tensor(op::at::self).rank - 1) + dim;
            if (place >= 0) {
                insert_dim(type, place);
                source = c.view(source, type);
            }
        }
        return detail::copy_slices(c, op::at::self, index, source, dim, true);
    }
};

using index_put_converters = converter_list<index_copy, index_put>;

} // namespace ahead::convert
