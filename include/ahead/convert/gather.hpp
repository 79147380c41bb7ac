// SPDX-License-Identifier: MIT
// Converters of aten/index/gather.hpp and index.hpp: embedding, index_select and index become npu.index_select.
#pragma once
#include <ahead/aten/index/index.hpp>
#include <ahead/convert/convert.hpp>
#include <ahead/target/op/index/index_select.hpp>

namespace AHEAD_NAMESPACE::convert {

/// self along dim, as index names it.
constexpr argument emit_selected(convert_context& c, const argument& self, const argument& index, int dim, bool wraps) {
    return c.emit<device::index_select>(
        {c.contiguous(self), c.contiguous(index), argument::of(dim), argument::of(wraps)});
}

struct embedding {
    using op = aten::embedding;
    static constexpr bool takes_any_dtype = true;
    using supported = cases<support<weight<f32<5, 3>>, i64<4>>, support<f64<4, 2>, i64<2, 3>, integer<0>>,
                            support<weight<i64<4, 1>>, i32<2, 1, 2>>,
                            support<strided<dtype::f32, ints<4, 3>, ints<1, 4>, 0>, i64<3>>>;
    static constexpr bool convert(convert_context& c) {
        return c.finish(emit_selected(c, c.operand(op::at::weight), c.operand(op::at::indices), 0, false));
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
        if (self.rank == 0) return c.run_meaning();
        auto index = c.operand(op::at::index);
        if (c.type_of(index).rank == 0) index = c.view(index, tensor_of(c.type_of(index).type, {1}));
        const auto dim = wrapped_dim(c.aten.integer(op::at::dim), self.rank);
        return c.finish_row_major(emit_selected(c, c.operand(op::at::self), index, dim, false));
    }
};

/// One select after another, where the dims of each index tensor that are not 1 are its own and follow those of the one
/// before it, as the rows and columns of an image do; what else there is, the AI CPU runs.
template <class Op> struct index {
    using op = Op;
    static constexpr bool takes_any_dtype = true;
    using supported =
        cases<support<f32<5, 3>, tensor_list<i64<4>>>, support<f64<2, 4, 3>, tensor_list<none, i32<2, 2>>>,
              support<f32<1, 2, 4, 5>, tensor_list<none, none, i64<3, 1>, i64<2>>>,
              support<i64<4, 5>, tensor_list<i64<>, i64<2, 1>>>>;
    static constexpr bool convert(convert_context& c) {
        const auto plan = aten::index_plan_of(c.aten);
        if (!are_apart(c.aten, plan)) return c.run_meaning();
        auto made = c.operand(op::at::self);
        int dim = 0; // where the self's dim lies by now
        for (int d = 0; d < c.aten.list_size(op::at::indices); ++d, ++dim) {
            if (!(plan.indexed >> d & 1)) continue;
            const auto index = c.contiguous(c.operand(c.aten.element(op::at::indices, d)));
            int_list own;
            for (auto size : sizes_of(c.type_of(index)))
                if (size != 1) own.push_back(size);
            made = emit_selected(c, made, c.view(index, tensor_of(c.type_of(index).type, own)), dim, true);
            dim += own.size - 1;
        }
        return c.finish_row_major(c.view(made, tensor_of(c.aten.result_type().type, sizes_of(c.aten.result_type()))));
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

using gather_converters = converter_list<embedding, index_select, index<aten::index>, index<aten::unsafe_index>>;

} // namespace ahead::convert
