// SPDX-License-Identifier: MIT
// The cost of a pointwise operator per element: how many instructions, and whether the vector unit has them or takes
// elements one by one. Counted from the formulas: an addition is one, a quotient about ten, exp a polynomial of degree
// 5 with its bounds, tanh, sigmoid and erf a quotient of two polynomials. An operator that runs by its meaning takes a
// few, or thirty where it says `is_expensive`. A user's operator may state its exact cost in its struct, next to its
// meaning: `static constexpr steps steps{20, false};`.
// Invariant: an operator that is said to run in vectors has a vector form in kernels/vector_form.hpp, and vice versa
// (tests/unit/machine/cost.cpp).
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::machine {

struct steps {
    std::int64_t count = 4;
    bool in_vectors = false;
};

/// The cost of an operator that the vector unit has; for any other one, a few instructions.
constexpr steps steps_named(std::string_view op) {
    struct entry {
        std::string_view name;
        steps cost;
    };
    constexpr entry known[] = {
        {"aten.relu.default", {1, true}},
        {"aten.mul.Tensor", {1, true}},
        {"aten.mul.Scalar", {1, true}},
        {"aten.add.Tensor", {1, true}},
        {"aten.add.Scalar", {1, true}},
        {"aten.sub.Tensor", {1, true}},
        {"aten.sub.Scalar", {1, true}},
        {"aten.pow.Tensor_Scalar", {1, true}}, // a square
        {"aten.div.Tensor", {10, true}},
        {"aten.div.Scalar", {10, true}},
        {"aten.sqrt.default", {12, true}},
        {"aten.exp.default", {22, true}},
        {"aten.tanh.default", {26, true}},
        {"aten.sigmoid.default", {26, true}},
        {"aten.erf.default", {28, true}},
        {"aten.gelu.default", {33, true}}, // not by tanh
        {"aten.log.default", {30, true}},
        {"aten.log1p.default", {55, true}},
        {"aten.expm1.default", {26, true}},
        {"aten.rsqrt.default", {22, true}},
        {"aten.reciprocal.default", {10, true}},
        {"aten.silu.default", {33, true}},
        {"aten.mish.default", {38, true}},
        {"aten.softplus.default", {90, true}},
        {"aten.hardsigmoid.default", {13, true}},
        {"aten.hardswish.default", {14, true}},
        {"aten.clamp.default", {2, true}},
        {"aten.hardtanh.default", {2, true}},
        {"aten.log2.default", {30, true}},
        {"aten.log10.default", {32, true}},
        {"aten.exp2.default", {22, true}},
        {"aten.sin.default", {45, true}},
        {"aten.cos.default", {45, true}},
        {"aten.tan.default", {55, true}},
        {"aten.asin.default", {34, true}},
        {"aten.acos.default", {36, true}},
        {"aten.atan.default", {36, true}},
        {"aten.sinh.default", {40, true}},
        {"aten.cosh.default", {34, true}},
        {"aten.elu.default", {32, true}},
        {"aten.selu.default", {32, true}},
        {"aten.celu.default", {40, true}},
        {"aten.pow.Tensor_Tensor", {100, true}},
        {"aten.pow.Scalar", {100, true}},
        {"aten.atan2.default", {50, true}},
        {"aten.floor.default", {1, true}},
        {"aten.ceil.default", {1, true}},
        {"aten.trunc.default", {3, true}},
        {"aten.silu_backward.default", {32, true}},
        {"aten.gelu_backward.default", {60, true}},
    };
    for (const auto& e : known)
        if (same_name(e.name, op)) return e.cost;
    return {};
}

/// The cost of an ATen operator struct.
template <class Op> constexpr steps steps_of() {
    if constexpr (requires(steps out) { out = Op::steps; }) return Op::steps;
    else if constexpr (requires { Op::is_expensive; } || requires { Op::is_dear; }) { // is_dear: the name in 0.1
        constexpr auto known = steps_named(Op::name);
        return known.in_vectors ? known : steps{30, false};
    } else {
        return steps_named(Op::name);
    }
}

} // namespace ahead::machine
