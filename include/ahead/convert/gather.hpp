// SPDX-License-Identifier: MIT
// Converters of aten/index/gather.hpp and index.hpp: one index in one dim becomes npu.index_select; an index per
// element, or several indices together, become npu.gather.
#pragma once
#include <ahead/aten/index/embedding.hpp>
#include <ahead/aten/index/index.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/device/index/embedding_bag.hpp>
#include <ahead/device/index/gather.hpp>
#include <ahead/device/index/index_select.hpp>

namespace AHEAD_NAMESPACE::convert {

/// A loop over the places of a tensor that indices select, as npu.gather and npu.scatter run it.
struct index_walk {
    int_list sizes;                                      // of the loop
    int_list dims;                                       // of the tensor, which the indices select from
    int_list stride;                                     // the tensor's per dim of the loop; 0 where indices select
    std::array<argument, device::max_indices> indices{}; // as many as dims, of the loop's sizes
    bool wraps = false;
};

/// A view of the value for a loop of these sizes. The value's last dim is the loop's last dim, or, if the last argument
/// is k, the dim before the loop's last k dims. Dims of size 1 and missing dims broadcast.
constexpr argument spread(convert_context& c, const argument& a, const int_list& sizes, int behind = 0) {
    const auto own = c.type_of(a);
    auto seen = tensor_of(own.type, sizes);
    seen.offset = own.offset;
    for (int d = 0; d < seen.rank; ++d) {
        const int k = d + behind + own.rank - seen.rank;
        const bool varies = k >= 0 && k < own.rank && own.size(k) != 1;
        seen.strides[static_cast<std::size_t>(d)] = varies ? own.stride(k) : 0;
    }
    return seen == own ? a : c.view(a, seen);
}
/// The type with a dim of size 1 if it has rank 0.
constexpr tensor_type with_a_dim(tensor_type t) {
    if (t.rank == 0) insert_dim(t, 0);
    return t;
}
constexpr argument with_a_dim(convert_context& c, const argument& a) {
    return c.type_of(a).rank > 0 ? a : c.view(a, with_a_dim(c.type_of(a)));
}

/// An index of self's rank, at least 1, which selects places in `dim`; in its other dims its sizes are at most self's.
constexpr index_walk walk_along(const convert_context& c, const tensor_type& self, std::int64_t dim,
                                const argument& index) {
    const int along = wrapped_dim(dim, self.rank);
    index_walk out{
        .sizes = sizes_of(c.type_of(index)), .dims = {along}, .stride = strides_of(self), .indices = {index}};
    out.stride[along] = 0;
    return out;
}
/// An index of rank 1 which selects slices in `dim` of self.
constexpr index_walk walk_slices(convert_context& c, const tensor_type& self, std::int64_t dim, const argument& index) {
    const int along = wrapped_dim(dim, self.rank);
    index_walk out{sizes_of(self), {along}, strides_of(self), {}};
    out.sizes[along] = element_count(c.type_of(index));
    out.stride[along] = 0;
    out.indices[0] = spread(c, index, out.sizes, self.rank - along - 1);
    return out;
}
/// A list of indices for the dims of self. A result without dims means that there are too many indices.
constexpr index_walk walk_list(convert_context& c, const tensor_type& self, const aten::index_plan& plan, int list) {
    const int behind = plan.result.size - plan.start - plan.sizes.size;
    index_walk out{plan.result, {}, {}, {}, true};
    for (int d = 0; d < self.rank; ++d) {
        if (out.stride.size == plan.start)
            while (out.stride.size < plan.start + plan.sizes.size) out.stride.push_back(0);
        if (!(plan.indexed >> d & 1)) {
            out.stride.push_back(self.stride(d));
        } else if (out.dims.size == device::max_indices) {
            return {};
        } else {
            const auto index = c.operand(c.aten.element(list, d));
            out.indices[static_cast<std::size_t>(out.dims.size)] = spread(c, index, plan.result, behind);
            out.dims.push_back(d);
        }
    }
    while (out.stride.size < plan.result.size) out.stride.push_back(0);
    return out;
}

/// The elements of self that the walk selects, contiguous.
constexpr argument create_gathered(convert_context& c, const argument& self, const index_walk& walk) {
    const auto& [first, second, third, fourth] = walk.indices;
    return c.create<device::gather>(
        {self, first, second, third, fourth, c.list(walk.dims), c.list(walk.stride), argument::of(walk.wraps)});
}

/// Slices of self along dim, selected by index.
constexpr argument create_selected(convert_context& c, const argument& self, const argument& index, int dim,
                                   bool wraps) {
    return c.create<device::index_select>(
        {c.contiguous(self), c.contiguous(index), argument::of(dim), argument::of(wraps)});
}

struct embedding {
    using op = aten::embedding;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<weight<f32<5, 3>>, i64<4>>, support<f64<4, 2>, i64<2, 3>, integer<0>>,
                            support<weight<i64<4, 1>>, i32<2, 1, 2>>,
                            support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, i64<3>>>;
    static constexpr bool convert(convert_context& c) {
        return c.bind_result(create_selected(c, c.operand(op::at::weight), c.operand(op::at::indices), 0, false));
    }
};

struct index_select {
    using op = aten::index_select;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<5, 3>, integer<0>, i64<4>>, support<f64<2, 4, 3>, integer<-2>, i32<2>>,
                            support<strided<dtype::i64, ints<3, 4>, ints<1, 3>, 0>, integer<1>, i64<2>>,
                            support<b8<4>, integer<0>, i64<>>>;
    static constexpr bool convert(convert_context& c) {
        const auto& self = c.aten.tensor(op::at::self);
        if (self.rank == 0) return c.emit_ai_cpu_call();
        auto index = c.operand(op::at::index);
        if (c.type_of(index).rank == 0) index = c.reshaped(index, {1});
        const auto dim = wrapped_dim(c.aten.integer(op::at::dim), self.rank);
        return c.bind_row_major(create_selected(c, c.operand(op::at::self), index, dim, false));
    }
};

struct gather {
    using op = aten::gather;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<f32<5, 3>, integer<0>, i64<4, 3>>, support<f64<2, 5, 3>, integer<-2>, i32<2, 2, 1>>,
                            support<strided<dtype::i16, ints<6, 5>, ints<1, 6>, 0>, integer<1>, i64<6, 2>>,
                            support<f32<>, integer<0>, i64<0>>, support<f32<5>, integer<0>, i64<>>,
                            support<f32<0, 5>, integer<1>, i64<0, 4>>>;
    static constexpr bool convert(convert_context& c) {
        const auto self = with_a_dim(c, c.operand(op::at::self)), index = with_a_dim(c, c.operand(op::at::index));
        const auto& wanted = c.aten.result_type();
        if (c.type_of(index).rank != c.type_of(self).rank) return c.emit_ai_cpu_call(); // an index of nothing
        const auto made = create_gathered(c, self, walk_along(c, c.type_of(self), c.aten.integer(op::at::dim), index));
        return c.bind_result(c.reshaped(made, sizes_of(wanted)));
    }
};

struct take {
    using op = aten::take;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, i64<2, 2>>, support<strided<dtype::f64, ints<2, 4>, ints<1, 2>, 0>, i64<>>>;
    static constexpr bool convert(convert_context& c) {
        auto self = c.contiguous(c.operand(op::at::self));
        self = c.reshaped(self, {element_count(c.type_of(self))});
        const auto index = c.operand(op::at::index);
        index_walk walk{sizes_of(c.type_of(index)), {0}, {}, {index}, true};
        for (int d = 0; d < walk.sizes.size; ++d) walk.stride.push_back(0);
        return c.bind_result(create_gathered(c, self, walk));
    }
};

/// One select after another, if the dims of size other than 1 are different for each index tensor and follow those of
/// the previous one, like the rows and columns of an image; else all at once. More than max_indices indices go to the
/// AI CPU.
template <class Op> struct index {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, tensor_list<i64<4>>>, support<f64<2, 4, 3>, tensor_list<none, i32<2, 2>>>,
              support<f32<1, 2, 4, 5>, tensor_list<none, none, i64<3, 1>, i64<2>>>,
              support<i64<4, 5>, tensor_list<i64<>, i64<2, 1>>>, support<f32<4, 5>, tensor_list<i64<3>, i32<3>>>,
              support<f32<4, 5, 4>, tensor_list<i64<3>, none, i64<2, 1>>>,
              support<f64<4, 5, 4>, tensor_list<i64<1, 3>, i64<2, 1>, i64<2, 3>>>>;
    static constexpr bool convert(convert_context& c) {
        const auto plan = aten::index_plan_of(c.aten);
        if (!are_apart(c.aten, plan)) {
            const auto self = c.operand(op::at::self);
            const auto walk = walk_list(c, c.type_of(self), plan, op::at::indices);
            return walk.dims.size > 0 ? c.bind_row_major(create_gathered(c, self, walk)) : c.emit_ai_cpu_call();
        }
        auto made = c.operand(op::at::self);
        int dim = 0; // the dim of `made` that is self's dim d
        for (int d = 0; d < c.aten.list_size(op::at::indices); ++d, ++dim) {
            if (!(plan.indexed >> d & 1)) continue;
            const auto index = c.contiguous(c.operand(c.aten.element(op::at::indices, d)));
            int_list own;
            for (auto size : sizes_of(c.type_of(index)))
                if (size != 1) own.push_back(size);
            made = create_selected(c, made, c.reshaped(index, own), dim, true);
            dim += own.size - 1;
        }
        return c.bind_row_major(c.reshaped(made, sizes_of(c.aten.result_type())));
    }

private:
    static constexpr bool are_apart(const call_view& call, const aten::index_plan& plan) {
        int rank = call.tensor(op::at::self).rank;
        int last = -1, next = 0; // of self's dims, of those that index tensors share
        for (int d = 0; d < call.list_size(op::at::indices); ++d) {
            if (!(plan.indexed >> d & 1)) continue;
            if (last >= 0 && d != last + 1) return false;
            last = d;
            --rank;
            const auto& index = call.in().value_of(call.element(op::at::indices, d)).type;
            const int begin = plan.sizes.size - index.rank;
            for (int k = 0; k < index.rank; ++k) {
                if (index.size(k) == 1) continue;
                if (begin + k < next) return false;
                next = begin + k + 1;
                ++rank;
            }
            if (rank > max_rank) return false;
        }
        return true;
    }
};

/// Bags of f32 and f64. Offsets begin at 0, which a case cannot express.
template <class Op> struct embedding_bag {
    using op = Op;
    using at = typename Op::at;
    static constexpr bool convert(convert_context& c) {
        const auto notes = c.aten.result_type(2).type;
        const auto scales =
            c.aten.is_given(at::per_sample_weights) ? c.contiguous(c.operand(at::per_sample_weights)) : argument{};
        auto made = c.create<device::embedding_bag>(
            {c.contiguous(c.operand(at::weight)), c.contiguous(c.operand(at::indices)),
             c.contiguous(c.operand(at::offsets)), scales, argument::of(c.aten.integer(at::mode)),
             argument::of(c.aten.boolean(at::include_last_offset)), argument::of(Op::padding_of(c.aten)),
             argument::of(Op::notes_bags(c.aten)), argument::of(notes == dtype::i64)});
        for (std::int32_t k = 0; k < 4; ++k) {
            made.result = k;
            if (!c.bind_result(made, k)) return false;
        }
        return true;
    }
};

using gather_converters =
    converter_list<embedding_bag<aten::embedding_bag>, embedding_bag<aten::embedding_bag_forward_only>,
                   embedding_bag<aten::embedding_bag_padding>, embedding, index_select, gather, take,
                   index<aten::index>, index<aten::unsafe_index>>;

} // namespace ahead::convert
