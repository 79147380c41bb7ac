// SPDX-License-Identifier: MIT
// npu.copy: the elements of a tensor of any strides, in row-major order.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/strided_key.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

constexpr machine::work work_of(const strided_key& copy) { return rows_of(copy, {1, true}); }

/// npu.copy(Tensor self): the elements in row-major order, in new memory.
struct copy : partitioned_loop {
    static constexpr std::string_view name = "npu.copy"sv;
    enum at : int { self };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(c.tensor(at::self).type, sizes_of(c.tensor(at::self))));
    }
    static constexpr strided_key key(const call_view& c) {
        const std::array operands{&c.tensor(at::self)};
        return strided_key_of(c.result_type(), operands);
    }
    static constexpr bounded_call bounded(const auto& c) { return bounded_loop(c); }
};

} // namespace ahead::device
