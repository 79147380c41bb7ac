// SPDX-License-Identifier: MIT
// Operators that fill, look up, count or add at indices, as indexing operators with kernels; among them losses of
// classes and gradients of max pools.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// scatter of a number that is expanded; Op may have a reduction for repeated indices.
template <class Op> struct scatter_number {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        return call.at(at::value).kind != argument_kind::node && element_count(call.tensor(at::index)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto self = c.operand(at::self), index = c.operand(at::index);
        const auto dim = c.aten.integer(at::dim);
        auto value = full_of(c, {}, c.operand(at::value), c.aten.result_type().type);
        if (const auto sizes = sizes_of(c.type_of(index)); sizes.size > 0) value = c.call(expand, {value, sizes});
        if constexpr (requires { at::reduce; }) {
            auto reduce = c.operand(at::reduce);
            reduce.keyword = "reduce";
            c.bind_result(c.call("aten.scatter.reduce", {self, dim, index, value, reduce}));
        } else {
            c.bind_result(c.call("aten.scatter.src", {self, dim, index, value}));
        }
    }
};

/// index_put into all elements as one row.
struct put {
    using op = aten::put;
    using at = op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        return is_contiguous(call.tensor(at::self)) && element_count(call.tensor(at::index)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto in_a_row = [&](int i) {
            return c.call(reshape, {c.operand(i), int_list{element_count(c.aten.tensor(i))}});
        };
        list_argument indices{fixed_buffer<argument>(1)};
        indices.elements[0] = in_a_row(at::index);
        const auto made = c.call("aten.index_put.default",
                                 {in_a_row(at::self), indices, in_a_row(at::source), c.aten.boolean(at::accumulate)});
        c.bind_result(c.call(view, {made, sizes_of(c.aten.result_type())}));
    }
};

/// Indices into a tensor, each clamped to its dim: to 0 or more, or, if `wraps`, to -size or more.
constexpr list_argument clamped_indices(decompose_context& c, const tensor_type& self, int list, bool wraps) {
    list_argument out{fixed_buffer<argument>(c.aten.list_size(list))};
    for (int d = 0; d < c.aten.list_size(list); ++d)
        if (const auto index = c.aten.element(list, d); index.kind == argument_kind::node)
            out.elements[d] =
                c.call("aten.clamp.default", {index, wraps ? -self.size(d) : std::int64_t{0}, self.size(d) - 1});
    return out;
}
/// Lookups at clamped indices, with some results masked out.
struct masked_index {
    using op = aten::unsafe_masked_index;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3 + max_rank;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        return element_count(call.tensor(at::self)) > 0 && call.at(at::fill).kind != argument_kind::node;
    }
    static constexpr void decompose(auto& c) {
        const auto& self = c.aten.tensor(at::self);
        const auto found =
            c.call("aten.index.Tensor", {c.operand(at::self), clamped_indices(c, self, at::indices, false)});
        const auto fill = full_of(c, {}, c.operand(at::fill), self.type);
        c.bind_result(c.call("aten.where.self", {c.operand(at::mask), found, fill}));
    }
};
/// Adds zeros where the mask is false.
struct masked_index_put {
    using op = aten::unsafe_masked_index_put_accumulate;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3 + max_rank;
    static constexpr bool when(const call_view& call) {
        return is_contiguous(call.tensor(at::self)) && element_count(call.tensor(at::self)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto& self = c.aten.tensor(at::self);
        const auto zero = full_of(c, {}, argument::of(0), self.type);
        const auto values = c.call("aten.where.self", {c.operand(at::mask), c.operand(at::values), zero});
        c.bind_result(c.call("aten.index_put.default",
                        {c.operand(at::self), clamped_indices(c, self, at::indices, true), values, true}));
    }
};

/// Adds ones, or weights, at the indices that are the elements.
struct bincount {
    using op = aten::bincount;
    using at = op::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool when(const call_view& call) { return element_count(call.tensor(at::self)) > 0; }
    static constexpr void decompose(auto& c) {
        const auto& self = c.aten.tensor(at::self);
        const auto counts = c.aten.result_type();
        const auto as = [&](int i, dtype type) {
            return c.aten.tensor(i).type == type ? c.operand(i)
                                                 : c.call("prims.convert_element_type.default", {c.operand(i), type});
        };
        const auto zeros = full_of(c, sizes_of(counts), argument::of(0), counts.type);
        const auto added = c.aten.is_given(at::weights) ? as(at::weights, counts.type)
                                                        : full_of(c, sizes_of(self), argument::of(1), counts.type);
        c.bind_result(c.call("aten.index_add.default", {zeros, 0, as(at::self, dtype::i64), added}));
    }
};

/// The search of one number, as the search of a tensor with that number.
template <class Op> struct search_of_number {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        return call.at(Op::number).kind == argument_kind::integer || is_floating(call.tensor(Op::sorted).type);
    }
    static constexpr void decompose(auto& c) {
        const auto number = full_of(c, {}, c.operand(Op::number), c.aten.tensor(Op::sorted).type);
        if constexpr (requires { at::sorter; })
            c.bind_result(
                c.call("aten.searchsorted.Tensor", {c.operand(Op::sorted), number, c.operand(at::out_int32),
                                                    c.operand(at::right), c.operand(at::side), c.operand(at::sorter)}));
        else
            c.bind_result(c.call("aten.bucketize.Tensor",
                            {number, c.operand(Op::sorted), c.operand(at::out_int32), c.operand(at::right)}));
    }
};

/// index_put of a number that broadcasts.
template <class Op> struct index_fill {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        const auto& self = call.tensor(at::self);
        return self.rank > 0 && is_contiguous(self) &&
               (call.is_tensor(at::value) ? call.tensor(at::value).type == self.type
                                          : call.at(at::value).kind != argument_kind::node);
    }
    static constexpr void decompose(auto& c) {
        const auto& self = c.aten.tensor(at::self);
        const int dim = wrapped_dim(c.aten.integer(at::dim), self.rank);
        const auto value =
            c.aten.is_tensor(at::value) ? c.operand(at::value) : full_of(c, {}, c.operand(at::value), self.type);
        list_argument indices{fixed_buffer<argument>(dim + 1)};
        indices.elements[dim] = c.operand(at::index);
        c.bind_result(c.call("aten.index_put.default", {c.operand(at::self), indices, value}));
    }
};

/// index_put with a mask, as where.
struct mask_put {
    using op = aten::index_put;
    using at = op::at;
    static constexpr std::int32_t most_calls = 4;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        return aten::mask_of(call) && is_contiguous(call.tensor(at::self)) &&
               (!call.boolean(at::accumulate) || !is_only_moved(call.result_type().type));
    }
    static constexpr void decompose(auto& c) {
        const auto place = aten::mask_of(c.aten);
        const auto& self = c.aten.tensor(at::self);
        const int behind = self.rank - place.behind();
        auto mask = c.aten.element(at::indices, place.first);
        if (behind > 0) {
            auto sizes = sizes_of(c.type_of(mask));
            for (int d = 0; d < behind; ++d) sizes.push_back(1);
            mask = c.call(reshape, {mask, sizes});
        }
        auto values = c.operand(at::values);
        const auto& given = c.type_of(values);
        if (given.rank > behind && place.dims > 1) { // one value for all picked elements: a dim of 1 per mask dim
            int_list sizes;
            for (int d = 0; d < given.rank; ++d) {
                const int copies = d == given.rank - 1 - behind ? place.dims : 1;
                for (int i = 0; i < copies; ++i) sizes.push_back(given.size(d));
            }
            values = c.call(reshape, {values, sizes});
        }
        if (c.aten.boolean(at::accumulate)) values = c.call(add, {c.operand(at::self), values});
        c.bind_result(c.call("aten.where.self", {mask, values, c.operand(at::self)}));
    }
};

/// Gradients added to the elements of their planes at the indices.
struct max_pool_gradient {
    using op = aten::max_pool2d_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 5 + most_layout_calls;
    static constexpr bool when(const call_view& call) {
        return is_dense(call.result_type()) && element_count(call.tensor(at::grad_output)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.result_type();
        const auto in_planes = [&](const tensor_type& of) {
            return int_list{element_count(of) / (of.size(of.rank - 2) * of.size(of.rank - 1)),
                            of.size(of.rank - 2) * of.size(of.rank - 1)};
        };
        const auto planes = [&](int i) { return c.call(reshape, {c.operand(i), in_planes(c.aten.tensor(i))}); };
        const auto zeros = full_of(c, in_planes(t), argument::of(0), t.type);
        const auto sums = c.call("aten.scatter_add.default", {zeros, 1, planes(at::indices), planes(at::grad_output)});
        c.bind_result(laid_out_as(c, c.call(view, {sums, sizes_of(t)}), t));
    }
};

/// Ones summed in bins, with one more bin for elements outside the bounds; for calls with given bounds.
struct histogram {
    using op = aten::histc;
    using at = op::at;
    static constexpr std::int32_t most_calls = 13;
    static constexpr bool when(const call_view& call) {
        const auto& t = call.tensor(at::self);
        const auto [low, high] = bounds(call);
        return is_floating(t.type) && element_count(t) > 0 && low < high;
    }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.tensor(at::self);
        const auto bins = c.aten.integer(at::bins);
        const auto [low, high] = bounds(c.aten);
        const auto x = c.call(reshape, {c.operand(at::self), int_list{-1}});
        const auto inside = c.call("aten.eq.Tensor", {x, c.call("aten.clamp.default", {x, low, high})});
        const double width = t.type == dtype::f64 ? high - low : static_cast<float>(high - low);
        const auto share = c.call("aten.div.Tensor", {c.call(sub, {x, low}), width});
        auto bin = c.call(mul, {share, static_cast<double>(bins)});
        bin = c.call("aten.clamp_max.default", {bin, static_cast<double>(bins - 1)});
        bin = c.call("aten.where.ScalarOther", {inside, bin, static_cast<double>(bins)});
        const auto counts =
            c.call("aten.index_add.default", {full_of(c, {bins + 1}, argument::of(0), t.type), 0,
                                              c.call("prims.convert_element_type.default", {bin, dtype::i64}),
                                              full_of(c, {element_count(t)}, argument::of(1), t.type)});
        c.bind_result(c.call("aten.slice.Tensor", {counts, 0, 0, bins}));
    }

private:
    struct range {
        double low, high;
    };
    static constexpr range bounds(const call_view& call) { // rounded to the dtype
        const auto in = [&](int i) {
            const double v = call.real(i);
            return call.tensor(at::self).type == dtype::f64 ? v : static_cast<double>(static_cast<float>(v));
        };
        return {in(at::min), in(at::max)};
    }
};

/// The targets of rows of classes: the mask of rows that are kept, and the class of each, as a column; 0 for other
/// rows. A class out of range is refused by the lookup.
struct class_targets {
    argument kept, classes, weights; // bools [n]; i64 [n, 1]; [n], or None: all are 1

    template <class Op> static constexpr class_targets of(decompose_context& c) {
        using at = typename Op::at;
        class_targets out;
        const auto target = c.operand(at::target);
        out.kept = c.call("aten.ne.Scalar", {target, c.aten.integer(at::ignore_index)});
        const auto known = c.call("aten.where.ScalarOther", {out.kept, target, 0});
        out.classes = c.call("aten.unsqueeze.default", {known, 1});
        if (c.aten.is_given(at::weight))
            out.weights = c.call("aten.index_select.default", {c.operand(at::weight), 0, known});
        return out;
    }
    template <class Op> static constexpr bool when(const call_view& call) {
        using at = typename Op::at;
        return call.tensor(at::self).rank == 2 && element_count(call.tensor(at::self)) > 0 &&
               call.tensor(at::target).type == dtype::i64;
    }
    constexpr argument weighted(decompose_context& c, const argument& x) const {
        return weights.kind == argument_kind::none ? x : c.call(mul, {x, weights});
    }
    constexpr argument where_kept(decompose_context& c, const argument& x) const {
        return c.call("aten.where.ScalarOther", {kept, x, 0.0});
    }
};

/// The negated elements at the classes, weighted; and the sum of the weights.
struct nll_loss_forward {
    using op = aten::nll_loss_forward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 14;
    static constexpr bool when(const call_view& call) { return class_targets::when<op>(call); }
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.result_type().type;
        const auto rows = class_targets::of<op>(c);
        const auto reduction = c.aten.template word<aten::loss_reduction>(at::reduction);
        auto loss = c.call("aten.gather.default", {c.operand(at::self), 1, rows.classes});
        loss = c.call("aten.neg.default", {c.call("aten.squeeze.dim", {loss, 1})});
        loss = rows.where_kept(c, rows.weighted(c, loss));
        if (reduction == aten::loss_reduction::none) {
            c.bind_result(loss, 0);
            return c.bind_result(full_of(c, {}, argument::of(0), type), 1);
        }
        const auto own = rows.weights.kind == argument_kind::none
                             ? c.call("prims.convert_element_type.default", {rows.kept, type})
                             : rows.where_kept(c, rows.weights);
        const auto total = c.call("aten.sum.default", {loss}), weights = c.call("aten.sum.default", {own});
        c.bind_result(reduction == aten::loss_reduction::mean ? c.call("aten.div.Tensor", {total, weights}) : total, 0);
        c.bind_result(weights, 1);
    }
};

/// Zeros, with minus each row's part of the gradient at its class.
struct nll_loss_gradient {
    using op = aten::nll_loss_backward;
    using at = op::at;
    static constexpr std::int32_t most_calls = 14;
    static constexpr bool when(const call_view& call) { return class_targets::when<op>(call); }
    static constexpr void decompose(auto& c) {
        const auto t = c.aten.tensor(at::self);
        const auto rows = class_targets::of<op>(c);
        auto share = c.call("aten.neg.default", {c.operand(at::grad_output)});
        if (c.aten.template word<aten::loss_reduction>(at::reduction) == aten::loss_reduction::mean)
            share = c.call("aten.div.Tensor", {share, c.operand(at::total_weight)});
        share = rows.where_kept(c, rows.weighted(c, share));
        const auto zeros = full_of(c, sizes_of(t), argument::of(0), t.type);
        const auto column = c.call("aten.unsqueeze.default", {share, 1});
        c.bind_result(c.call("aten.scatter.src", {zeros, 1, rows.classes, column}));
    }
};

/// Rows of the identity matrix, which prepare makes, if it is small.
struct one_hot {
    using op = aten::one_hot;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool when(const call_view& call) {
        return call.integer(at::num_classes) <= 1024 && element_count(call.result_type()) > 0;
    }
    static constexpr void decompose(auto& c) {
        const auto identity = c.call("aten.eye.default", {c.aten.integer(at::num_classes), dtype::i64});
        c.bind_result(c.call("aten.embedding.default", {identity, c.operand(at::self)}));
    }
};

} // namespace ahead::decomposition
