// SPDX-License-Identifier: MIT
// The tensors that a graph node itself reads: the predicate or index, a tensor of one element on the device, or the
// arguments of its host function. Their types are checked at compile time.
// Invariant: a node is refused before any of it is recorded. Called by npu/graph.hpp.
#pragma once
#include <ahead/core/require.hpp>
#include <ahead/npu/device_tensor.hpp>

namespace AHEAD_NAMESPACE::npu::detail {

/// Op: the call; Given: its argument, a bool or (IsIndex) an integer.
template <fixed_string Op, class Given, bool IsIndex> struct chosen_by {
    static constexpr bool fits() {
        if constexpr (!is_tensor<Given>) return false;
        else if constexpr (Given::extent != 1) return false;
        else if constexpr (IsIndex) return Given::type::type.type == dtype::i64 || Given::type::type.type == dtype::i32;
        else return Given::type::type.type == dtype::b8;
    }
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = Op.view();
        d.name = IsIndex ? "index" : "predicate";
        if constexpr (fits()) d.name = {};
        else if constexpr (is_tensor<Given>)
            refuse(d, fault::input_has_wrong_type, IsIndex ? "one i64 or i32" : "one bool", print(Given::type::type));
        else
            refuse(d, fault::input_has_wrong_type, IsIndex ? "one i64 or i32" : "one bool",
                   "a value of the host");
        return d;
    }();
};

/// The arguments of a host function.
template <class... Given> struct read_by_host {
    template <class One> static constexpr void check_operand(diagnosis& d) {
        if constexpr (!is_tensor<One>)
            refuse(d, fault::input_has_wrong_type, "contiguous tensors", "a value of the host");
        else if constexpr (!One::is_contiguous())
            refuse(d, fault::input_has_wrong_type, "contiguous tensors", print(One::type::type) << " of other strides");
    }
    static constexpr diagnosis error = [] {
        diagnosis d;
        d.op = "host";
        (check_operand<Given>(d), ...);
        return d;
    }();
};

} // namespace ahead::npu::detail
