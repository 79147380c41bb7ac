// SPDX-License-Identifier: MIT
// Converters of aten/index/index_put.hpp and scatter.hpp: writes and additions at indexed places become npu.scatter.
// The call after it that writes the result back into the tensor that self is a view of, as a write into a view of a
// buffer does, is merged into it.
#pragma once
#include <ahead/aten/index/index_put.hpp>
#include <ahead/aten/index/scatter.hpp>
#include <ahead/convert/gather.hpp>
#include <ahead/convert/view_scatter.hpp>
#include <ahead/device/index/scatter.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

/// Whether call `user` of the graph is an Op that writes result 0 of `call` into exactly the view `part` of the tensor
/// that `whole` returns.
template <class Op> constexpr bool writes_back(const call_view& call, node_id user, node_id whole, tensor_type part) {
    const auto g = call.in();
    if (g[user].target != Op::name) return false;
    op_row row;
    row.schema = Op::schema;
    diagnosis d;
    const typed_call scatter(g, user, row, d);
    if (scatter.at(Op::at::src).node() != call.id() || scatter.at(Op::at::self).node() != whole) return false;
    const auto& type = scatter.result_type();
    part.offset -= g.value_of(whole).type.offset;
    return g.value_of(whole).type == type && Op::part(scatter, type) == part;
}

/// The tensor of which parameter self of the call is a view, if the graph writes the call's result back into that view,
/// and the result has the view's strides.
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

/// How an old element and the one written to its place are combined, and whether the old element is left out.
struct put_how {
    device::put_as as = device::put_as::itself;
    bool replaces = false;
};
/// Whether kernels can combine elements of this dtype.
constexpr bool may_fold(dtype type) {
    return has_kernels(type) || is_half(type) || (!has_fractions(type) && !is_only_moved(type));
}

/// The target of a scatter: the operand of its call, or the tensor that the next call writes the result back into.
struct scatter_place {
    node_id whole;
    argument into;
    tensor_type part, view; // view: `part` with at least one dim
    bool exists = true;
};
constexpr scatter_place scatter_place_of(convert_context& c, int self) {
    const auto& result = c.aten.result_type();
    const auto whole = written_back_into(c.aten, self);
    scatter_place out{
        whole, c.operand(whole.exists() ? argument::of(whole) : c.aten.at(self)), c.aten.tensor(self), {}};
    if (whole.exists()) {
        out.part.offset += c.type_of(out.into).offset - c.aten.in().value_of(whole).type.offset;
    } else {
        out.part = result;
        if (!same_strides(c.type_of(out.into), result)) {
            out.exists = is_contiguous(result);
            if (out.exists) out.into = c.contiguous(out.into);
        }
    }
    out.view = with_a_dim(out.part);
    return out;
}
/// Writes source, which broadcasts to the walk, to the places of the walk.
constexpr bool write_scatter(convert_context& c, const scatter_place& to, const argument& source, const put_how& how,
                             const index_walk& walk) {
    if (walk.dims.size == 0) return c.emit_ai_cpu_call();
    const auto& [first, second, third, fourth] = walk.indices;
    const auto made = c.create<device::scatter>(
        {to.into, spread(c, source, walk.sizes), first, second, third, fourth, c.list(walk.dims), c.list(walk.stride),
         argument::of(walk.wraps), argument::of(static_cast<int>(how.as)), c.list(sizes_of(to.view)),
         c.list(strides_of(to.view)), argument::of(to.view.offset), argument::of(how.replaces)});
    return c.bind_result(to.whole.exists() ? c.view(made, to.part) : made);
}
/// self with source written into a view, where source broadcasts to the walk that walk_of(view) returns; or the tensor
/// that the next call writes the result back into, if there is one.
constexpr bool scatter(convert_context& c, int self, const argument& source, const put_how& how, auto walk_of) {
    if (how.as != device::put_as::itself && !may_fold(c.aten.result_type().type)) return c.emit_ai_cpu_call();
    const auto to = scatter_place_of(c, self);
    return to.exists ? write_scatter(c, to, source, how, walk_of(to.view)) : c.emit_ai_cpu_call();
}

constexpr device::put_as put_of(aten::scatter_fold kind) {
    using device::put_as;
    switch (kind) {
    case aten::scatter_fold::sum: return put_as::sum;
    case aten::scatter_fold::prod: return put_as::product;
    case aten::scatter_fold::amax: return put_as::largest;
    case aten::scatter_fold::amin: return put_as::smallest;
    case aten::scatter_fold::mean: break;
    }
    return put_as::mean;
}

/// Writes the call's parameter source, of the walk's sizes, to the places selected by its index, dim and self.
template <class Op> constexpr bool scatter_along(convert_context& c, const put_how& how) {
    const auto index = with_a_dim(c, c.operand(Op::at::index));
    return scatter(c, Op::at::self, c.operand(Op::at::src), how, [&](const tensor_type& self) {
        return c.type_of(index).rank == self.rank ? walk_along(c, self, c.aten.integer(Op::at::dim), index)
                                                  : index_walk{}; // an index of nothing
    });
}
template <class Op> constexpr bool scatter_slices(convert_context& c, const argument& source, const put_how& how) {
    const auto index = with_a_dim(c, c.operand(Op::at::index));
    return scatter(c, Op::at::self, source, how,
                   [&](const tensor_type& self) { return walk_slices(c, self, c.aten.integer(Op::at::dim), index); });
}

} // namespace detail

struct index_copy {
    using op = aten::index_copy;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, integer<0>, i64<2>, f32<2, 3>>,
              support<f64<2, 4, 3>, integer<-2>, i64<3>, f64<2, 3, 3>>, support<b8<4>, integer<0>, i64<1>, b8<1>>>;
    static constexpr bool convert(convert_context& c) {
        return detail::scatter_slices<op>(c, c.operand(op::at::source), {device::put_as::itself});
    }
};

struct index_add {
    using op = aten::index_add;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<5, 33>, integer<0>, i64<7>, f32<7, 33>>,
                            support<f64<2, 5, 3>, integer<-2>, i32<4>, f64<2, 4, 3>, keyword<"alpha", real<"0.5">>>,
                            support<i64<5>, integer<0>, i64<>, i64<1>, keyword<"alpha", integer<3>>>,
                            support<b8<5>, integer<0>, i64<9>, b8<9>>, support<f16<5>, integer<0>, i64<9>, f16<9>>>;
    static constexpr bool convert(convert_context& c) {
        const auto type = c.aten.result_type().type;
        auto source = c.operand(op::at::source);
        const auto& alpha = c.aten.at(op::at::alpha);
        if (c.aten.real(op::at::alpha) != 1) {
            if (type == dtype::b8 || !has_kernels(type)) return c.emit_ai_cpu_call();
            const bool is_cut = alpha.kind == argument_kind::real && !is_floating(type);
            const auto factor = is_cut ? argument::of(math::convert<std::int64_t>(alpha.real())) : alpha;
            const argument scaled[] = {source, factor};
            source = c.create("npu.mul.Tensor", array_view<const argument>(scaled, 2));
        }
        return detail::scatter_slices<op>(c, source, {device::put_as::sum});
    }
};

template <class Op, device::put_as Put> struct scatter {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, integer<0>, i64<7, 3>, f32<7, 3>>,
              support<f64<2, 5, 3>, integer<-2>, i32<2, 4, 2>, f64<2, 6, 3>>,
              support<i64<5>, integer<0>, i64<9>, i64<9>>, support<b8<5>, integer<0>, i64<9>, b8<9>>,
              support<bf16<5>, integer<0>, i64<9>, bf16<9>>, support<f32<5, 0>, integer<0>, i64<3, 0>, f32<3, 0>>>;
    static constexpr bool convert(convert_context& c) { return detail::scatter_along<op>(c, {Put}); }
};

struct scatter_reduce {
    using op = aten::scatter_reduce;
    static constexpr bool takes_any_dtype = true;
    using apart = keyword<"include_self", flag<false>>;
    using supported = cases<support<f32<5, 3>, integer<0>, i64<7, 3>, f32<7, 3>, word<"sum">>,
                            support<f64<2, 5, 3>, integer<1>, i64<2, 9, 2>, f64<2, 9, 3>, word<"prod">>,
                            support<i64<5>, integer<0>, i64<9>, i64<9>, word<"amax">>,
                            support<f32<5>, integer<0>, i64<9>, f32<9>, word<"amin">>,
                            support<f32<5, 3>, integer<0>, i64<7, 3>, f32<7, 3>, word<"sum">, apart>,
                            support<f64<5, 3>, integer<0>, i64<7, 2>, f64<7, 3>, word<"prod">, apart>,
                            support<f32<5, 3>, integer<0>, i64<4, 3>, f32<7, 3>, word<"amax">, apart>,
                            support<i64<3, 7>, integer<1>, i64<3, 9>, i64<3, 9>, word<"amin">, apart>,
                            support<i8<6>, integer<0>, i64<3>, i8<3>, word<"amax">, apart>,
                            support<b8<6>, integer<0>, i64<3>, b8<3>, word<"amin">, apart>,
                            support<f32<9, 3>, integer<0>, i64<7, 3>, f32<7, 3>, word<"mean">>,
                            support<f64<2, 5>, integer<-1>, i64<2, 9>, f64<2, 9>, word<"mean">, apart>,
                            support<i32<9>, integer<0>, i64<20>, i32<20>, word<"mean">>,
                            support<u8<9>, integer<0>, i64<20>, u8<20>, word<"mean">, apart>,
                            support<bf16<9>, integer<0>, i64<20>, bf16<20>, word<"mean">>,
                            support<f16<9>, integer<0>, i64<20>, f16<20>, word<"amax">, apart>,
                            support<f32<5, 0>, integer<0>, i64<3, 0>, f32<3, 0>, word<"mean">, apart>>;
    static constexpr bool convert(convert_context& c) {
        return detail::scatter_along<op>(c, {detail::put_of(c.aten.word<aten::scatter_fold>(op::at::reduce)),
                                             !c.aten.boolean(op::at::include_self)});
    }
};

struct scatter_with_reduce {
    using op = aten::scatter_with_reduce;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, integer<0>, i64<7, 3>, f32<7, 3>, keyword<"reduce", word<"add">>>,
              support<f64<2, 5, 3>, integer<-2>, i64<2, 4, 2>, f64<2, 6, 3>, keyword<"reduce", word<"multiply">>>,
              support<f16<5>, integer<0>, i64<9>, f16<9>, keyword<"reduce", word<"multiply">>>>;
    static constexpr bool convert(convert_context& c) {
        const bool adds = c.aten.word<aten::scatter_with>(op::at::reduce) == aten::scatter_with::add;
        return detail::scatter_along<op>(c, {adds ? device::put_as::sum : device::put_as::product});
    }
};

struct index_reduce {
    using op = aten::index_reduce;
    static constexpr bool takes_any_dtype = true;
    using apart = keyword<"include_self", flag<false>>;
    using supported = cases<support<f32<5, 3>, integer<0>, i64<7>, f32<7, 3>, word<"prod">>,
                            support<f64<2, 5, 3>, integer<-2>, i32<4>, f64<2, 4, 3>, word<"mean">, apart>,
                            support<i64<5>, integer<0>, i64<>, i64<1>, word<"amax">>,
                            support<f32<4, 5>, integer<1>, i64<9>, f32<4, 9>, word<"amin">, apart>>;
    static constexpr bool convert(convert_context& c) {
        return detail::scatter_slices<op>(c, c.operand(op::at::source),
                                          {detail::put_of(aten::fold_of(c.aten.word<aten::index_fold>(op::at::reduce))),
                                           !c.aten.boolean(op::at::include_self)});
    }
};

/// At most max_indices indices. More go to the AI CPU, as do sums of floats without kernels.
struct index_put {
    using op = aten::index_put;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<
        support<f32<5, 3>, tensor_list<i64<2>>, f32<2, 3>>, support<f64<2, 4, 3>, tensor_list<none, i32<2>>, f64<3>>,
        support<i64<4, 5>, tensor_list<none, i64<>>, i64<>>,
        support<f32<2, 3, 4, 5>, tensor_list<none, none, i64<3, 2, 1, 1>, i64<2, 2>>, f32<3, 2, 2, 2>, flag<true>>,
        support<f32<4, 5, 4>, tensor_list<i64<3>, none, i64<2, 1>>, f32<1, 5>, flag<true>>,
        support<i8<4, 5>, tensor_list<i64<30>, i64<30>>, i8<>, flag<true>>,
        support<f16<4, 5>, tensor_list<i64<3, 1>, i64<2>>, f16<3, 2>>>;
    static constexpr bool convert(convert_context& c) {
        if (aten::mask_of(c.aten)) return c.emit_ai_cpu_call(); // if a decomposition is off
        const auto plan = aten::index_plan_of(c.aten);
        const bool adds = c.aten.boolean(op::at::accumulate);
        return detail::scatter(c, op::at::self, c.operand(op::at::values),
                               {adds ? device::put_as::sum : device::put_as::itself},
                               [&](const tensor_type& self) { return walk_list(c, self, plan, op::at::indices); });
    }
};

using index_put_converters =
    converter_list<index_copy, index_add, index_put, scatter<aten::scatter_src, device::put_as::itself>,
                   scatter<aten::scatter_add, device::put_as::sum>, scatter_reduce, scatter_with_reduce, index_reduce>;

} // namespace ahead::convert
