// SPDX-License-Identifier: MIT
// npu.gather: the elements of a tensor selected by index tensors, which broadcast.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/indexed_key.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

/// The index tensors of a call: parameter `first` and those after it, up to the first that is None.
struct given_indices {
    std::array<const tensor_type*, max_indices> types{};
    std::size_t count = 0;
    constexpr given_indices(const auto& c, int first) {
        while (count < types.size() && c.is_given(first + static_cast<int>(count))) {
            types[count] = &c.tensor(first + static_cast<int>(count));
            ++count;
        }
    }
    constexpr array_view<const tensor_type* const> all() const { return {types.data(), count}; }
};

/// npu.gather(Tensor self, Tensor index, Tensor? index_1, Tensor? index_2, Tensor? index_3, int[] dims, int[] stride,
/// bool wraps): the indices, i64 or i32, have the sizes of the result, with strides of 0 where they broadcast, and
/// select places in `dims` of self; stride: self's stride for each dim of the result, 0 where only indices select the
/// place.
struct gather {
    static constexpr std::string_view name = "npu.gather"sv;
    enum at : int { self, index, index_1, index_2, index_3, dims, stride, wraps };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("index", parameter_kind::tensor),
                                           required("index_1", parameter_kind::optional_tensor),
                                           required("index_2", parameter_kind::optional_tensor),
                                           required("index_3", parameter_kind::optional_tensor),
                                           required("dims", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("wraps", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.tensor(at::self).type, sizes_of(c.tensor(at::index))));
    }
    static constexpr indexed_key key(const call_view& c) {
        const given_indices indices(c, at::index);
        return indexed_key_of(c.tensor(at::self), c.ints(at::dims), c.ints(at::stride), c.result_type(), indices.all(),
                              c.boolean(at::wraps));
    }
    static constexpr machine::work work(const call_view& c) { return work_of(key(c), {1, true}); }
    /// Indices follow the symbol in the same dims as the result; self does, too, or does not follow it at all.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound()) return {};
        const auto out = c.result();
        bool ok = out.follows();
        for (int i = at::index; i <= at::index_3; ++i)
            if (c.is_tensor(i)) ok = ok && c.follows(i) && c.given(i).dim == out.dim && c.given(i).each == out.each;
        const auto step = ok ? c.of.full[c.at(at::stride).children[out.dim]].integer() : 0;
        if (ok && c.follows(at::self)) {
            const auto self = c.given(at::self);
            ok = self.each == out.each && step == c.type(at::self).stride(self.dim);
            for (std::int32_t k = 0; k < c.at(at::dims).children.count; ++k)
                ok = ok && c.of.full[c.at(at::dims).children[k]].integer() != self.dim;
        } else {
            ok = ok && step == 0;
        }
        return ok ? c.pieces()
                  : c.refuse("indices that follow the symbol where the result does", ahead::print(c.result_type()));
    }
};

} // namespace ahead::device
