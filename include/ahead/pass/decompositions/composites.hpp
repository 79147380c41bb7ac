// SPDX-License-Identifier: MIT
// Composites, operators that PyTorch defines by others: constants with a tensor's sizes, stacks, one-dimensional
// pooling, counts, integrals.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// Channels as [groups, ..], with both dims exchanged.
struct channel_shuffle {
    using op = aten::channel_shuffle;
    using at = op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) {
        return is_contiguous(call.result_type()) && call.tensor(at::self).rank < max_rank;
    }
    static constexpr void decompose(auto& c) {
        const auto& x = c.aten.tensor(at::self);
        const auto groups = c.aten.integer(at::groups);
        int_list apart{x.size(0), groups, x.size(1) / groups};
        for (int d = 2; d < x.rank; ++d) apart.push_back(x.size(d));
        const auto turned = c.call("aten.transpose.int", {c.call(reshape, {c.operand(at::self), apart}), 1, 2});
        c.bind_result(c.call(reshape, {turned, sizes_of(x)}));
    }
};

/// Copies of views of the parts.
struct split_with_sizes_copy {
    using op = aten::split_with_sizes_copy;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2 * decompose_context::most_results;
    static constexpr bool when(const call_view& call) {
        const auto pieces = call.int_count(at::split_sizes);
        return pieces > 0 && pieces <= decompose_context::most_results;
    }
    static constexpr void decompose(auto& c) {
        std::int64_t start = 0;
        for (std::int32_t k = 0; k < c.aten.int_count(at::split_sizes); ++k) {
            const auto size = c.aten.int_at(at::split_sizes, k);
            const auto type = c.aten.result_type(k);
            if (c.is_result_used(k))
                c.bind_result(c.call("aten.view_copy.default",
                                {c.call("aten.slice.Tensor",
                                        {c.operand(at::self), c.aten.integer(at::dim), start, start + size}),
                                 sizes_of(type)}),
                         k);
            start += size;
        }
    }
};

/// A copy of the view.
struct as_strided_copy {
    using op = aten::as_strided_copy;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr void decompose(auto& c) {
        const auto seen = c.call("aten.as_strided.default", {c.operand(at::self), c.aten.ints(at::size),
                                                             c.aten.ints(at::stride), c.operand(at::storage_offset)});
        c.bind_result(c.call("aten.view_copy.default", {seen, c.aten.ints(at::size)}));
    }
};

/// Copies of views of the slices.
struct unbind_copy {
    using op = aten::unbind_copy;
    using at = op::at;
    static constexpr std::int32_t most_calls = 2 * decompose_context::most_results;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr bool when(const call_view& call) {
        const auto& t = call.tensor(at::self);
        return t.size(wrapped_dim(call.integer(at::dim), t.rank)) <= decompose_context::most_results;
    }
    static constexpr void decompose(auto& c) {
        for (std::int32_t k = 0; k < c.editor()[c.aten.id()].values.count; ++k)
            if (c.is_result_used(k))
                c.bind_result(c.call("aten.view_copy.default",
                                {c.call("aten.select.int", {c.operand(at::self), c.aten.integer(at::dim), k}),
                                 sizes_of(c.aten.result_type(k))}),
                         k);
    }
};

/// A constant that depends only on the sizes and dtype of a tensor, so that prepare can make it.
template <class Op, int Value = 0> struct constant_of {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 1;
    static constexpr bool takes_any_dtype = true;
    static constexpr int given = [] {
        if constexpr (requires { at::fill_value; }) return int{at::fill_value};
        else if constexpr (requires { at::value; }) return int{at::value};
        else return no_parameter;
    }();
    static constexpr bool when(const call_view& call) {
        if constexpr (given != no_parameter)
            if (call.at(given).kind == argument_kind::node) return false;
        return is_contiguous(call.result_type());
    }
    static constexpr void decompose(auto& c) {
        const auto type = c.aten.result_type();
        auto value = argument::of(Value);
        if constexpr (given != no_parameter) value = c.operand(given);
        c.bind_result(full_of(c, sizes_of(type), value, type.type));
    }
};

/// cat of the operands, reshaped to enough dims.
template <class Op> struct stack_along {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls(const call_view& call) { return call.list_size(at::tensors) + 1; }
    static constexpr void decompose(auto& c) {
        const auto count = c.aten.list_size(at::tensors);
        list_argument seen{fixed_buffer<argument>(count)};
        for (std::int32_t k = 0; k < count && c.editor().ok(); ++k) {
            const auto given = c.aten.element(at::tensors, k);
            const auto sizes = op::seen(c.type_of(given));
            seen.elements[k] = sizes == sizes_of(c.type_of(given)) ? given : c.call(reshape, {given, sizes});
        }
        if (c.editor().ok()) c.bind_result(c.call("aten.cat.default", {seen, op::dim_of(c.aten.result_type().rank)}));
    }
};

/// The sum of (x != 0), in i64.
template <class Op> struct count_nonzero {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 3;
    static constexpr bool when(const call_view& call) {
        return call.tensor(at::self).rank > 0 && element_count(call.tensor(at::self)) > 0;
    }
    static constexpr void decompose(auto& c) {
        const int rank = c.aten.tensor(at::self).rank;
        auto counted = c.operand(at::self);
        if (c.type_of(counted).type != dtype::b8) counted = c.call("aten.ne.Scalar", {counted, 0});
        counted = c.call("prims.convert_element_type.default", {counted, dtype::i64});
        c.bind_result(c.call(sum, {counted, dims_of(aten::reduced_dims(c.aten, at::dim, rank), rank)}));
    }
};

/// Lookups of slices by number: each number is repeated as often as `repeats` says.
struct repeat_interleave_self {
    using op = aten::repeat_interleave_self;
    using at = op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr bool takes_any_dtype = true; // it moves elements
    static constexpr void decompose(auto& c) {
        const auto size = op::size_of(c.aten);
        auto x = c.operand(at::self), repeats = c.operand(at::repeats);
        if (!c.aten.is_given(at::dim)) x = c.call(reshape, {x, int_list{-1}});
        if (c.type_of(repeats).rank == 0) repeats = c.call(reshape, {repeats, int_list{1}});
        if (element_count(c.type_of(repeats)) != size) repeats = c.call(expand, {repeats, int_list{size}});
        auto total = argument::of(c.aten.integer(at::output_size));
        total.keyword = "output_size";
        const auto numbers = c.call("aten.repeat_interleave.Tensor", {repeats, total});
        c.bind_result(c.call("aten.index_select.default", {x, op::dim_of(c.aten), numbers}));
    }
};

/// Sums of neighbours, from slices, times half their distance.
template <class Op> struct trapezoid {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool when(const call_view& call) {
        const auto& y = call.tensor(at::y);
        return y.size(wrapped_dim(call.integer(at::dim), y.rank)) > 1;
    }
    static constexpr void decompose(auto& c) {
        const auto& y = c.aten.tensor(at::y);
        const int rank = y.rank, dim = wrapped_dim(c.aten.integer(at::dim), rank);
        const auto size = y.size(dim);
        const auto neighbour = [&](const argument& of, int along, int which) {
            return c.call("aten.slice.Tensor", {of, along, which, size - 1 + which});
        };
        const auto both = c.call(add, {neighbour(c.operand(at::y), dim, 0), neighbour(c.operand(at::y), dim, 1)});
        if constexpr (requires { at::dx; }) {
            c.bind_result(c.call(mul, {c.call(sum, {both, int_list{dim}}), c.aten.real(at::dx) / 2}));
        } else {
            const auto x = c.operand(at::x);
            const bool line = c.type_of(x).rank == 1 && rank > 1;
            auto apart = c.call(sub, {neighbour(x, line ? 0 : dim, 1), neighbour(x, line ? 0 : dim, 0)});
            int_list sizes{size - 1};
            for (int d = dim + 1; d < rank; ++d) sizes.push_back(1);
            if (line) apart = c.call(view, {apart, sizes});
            c.bind_result(c.call("aten.div.Tensor", {c.call(sum, {c.call(mul, {both, apart}), int_list{dim}}), 2}));
        }
    }
};

/// Compares each element with all others, if the number of pairs is small enough to be stored.
template <class Op> struct among {
    using op = Op;
    using at = typename Op::at;
    static constexpr std::int32_t most_calls = 5;
    static constexpr std::int64_t most_pairs = 1 << 22;
    static constexpr int elements = 0, tests = 1;
    static constexpr bool when(const call_view& call) {
        if (!call.is_tensor(elements) || !call.is_tensor(tests))
            return !call.is_tensor(tests) || element_count(call.tensor(tests)) > 0;
        const auto &x = call.tensor(elements), &y = call.tensor(tests);
        return x.type == y.type && x.rank < max_rank && element_count(x) > 0 && element_count(y) > 0 &&
               element_count(y) <= most_pairs / element_count(x);
    }
    static constexpr void decompose(auto& c) {
        const bool invert = c.aten.boolean(at::invert);
        const auto x = c.operand(elements), y = c.operand(tests);
        if (!c.aten.is_tensor(tests))
            return c.bind_result(c.call(invert ? "aten.ne.Scalar" : "aten.eq.Scalar", {x, y}));
        argument found;
        if (c.aten.is_tensor(elements)) {
            const auto all = c.call(reshape, {y, int_list{element_count(c.aten.tensor(tests))}});
            const auto pairs = c.call("aten.eq.Tensor", {c.call("aten.unsqueeze.default", {x, -1}), all});
            found = c.call("aten.any.dim", {pairs, -1});
        } else {
            found = c.call("aten.any.default", {c.call("aten.eq.Scalar", {y, x})});
        }
        c.bind_result(invert ? c.call("aten.logical_not.default", {found}) : found);
    }
};

} // namespace ahead::decomposition
