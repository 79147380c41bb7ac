// SPDX-License-Identifier: MIT
// The common part of operators that return several gradients: which of them are requested, and sums in double.
// Invariant: a gradient that is not requested, PyTorch's None, is an empty tensor. Used by window/gradients.hpp,
// normalise/gradients.hpp, index/embedding.hpp.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten::detail {

/// A scratch tensor of doubles, rounded into a result at the end.
template <class Memory> struct double_sums {
    tensor_type type;
    Memory at_position;
    constexpr void add(const int_list& at, double x) {
        at_position[static_cast<std::size_t>(position_of(type, at))] += x;
    }
    template <class T> constexpr void round_into(const auto& out, T) const {
        for_each_index(sizes_of(type), [&](const int_list& at) {
            out.put(at, math::convert<T>(at_position[static_cast<std::size_t>(position_of(type, at))]));
        });
    }
};

template <class Memory> double_sums(tensor_type, Memory) -> double_sums<Memory>; // clang 16 does not deduce aggregates

constexpr auto sums_beside(auto& c, const tensor_type& t) {
    return double_sums{tensor_of(dtype::f64, sizes_of(t)), c.scratch(element_count(t), 0.0)};
}

/// Whether parameter `mask`, a bool[3], requests gradient k.
constexpr bool wants_gradient(const auto& c, int mask, int k) { return c.element(mask, k).boolean(); }

/// Sets three results; those that are not requested are empty.
constexpr bool set_gradients(infer_context& c, int mask, const tensor_type (&made)[3]) {
    if (c.list_size(mask) != 3) return c.refuse(fault::rank_is_wrong, "3 flags", short_text() << c.list_size(mask));
    if (!c.results(3)) return false;
    for (int k = 0; k < 3; ++k)
        if (!c.set(k, wants_gradient(c, mask, k) ? made[k] : tensor_of(made[k].type, {0}))) return false;
    return true;
}

} // namespace ahead::aten::detail
