// SPDX-License-Identifier: MIT
// What a pointwise operator costs for each element: how many instructions, and whether the vector unit has them or
// takes elements one by one. Counted from the formulas: an addition is one, a quotient about ten, exp a polynomial of
// degree 5 with its bounds, tanh, sigmoid and erf a quotient of two polynomials. An operator of one's own may say it:
// `static constexpr target::steps steps{20, false};`, of its struct, beside its meaning.
// Invariant: what is said to run in vectors has a vector form in kernel/pointwise.hpp, and the other way round
// (tests/unit/cost.cpp).
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::target {

struct steps {
    std::int64_t count = 4;
    bool in_vectors = false;
};

constexpr steps steps_named(std::string_view op) {
    struct entry {
        std::string_view name;
        steps cost;
    };
    constexpr entry known[] = {
        {"aten.relu.default", {1, true}},  {"aten.mul.Tensor", {1, true}},        {"aten.mul.Scalar", {1, true}},
        {"aten.add.Tensor", {1, true}},    {"aten.add.Scalar", {1, true}},        {"aten.sub.Tensor", {1, true}},
        {"aten.sub.Scalar", {1, true}},    {"aten.pow.Tensor_Scalar", {1, true}}, {"aten.div.Tensor", {10, true}},
        {"aten.div.Scalar", {10, true}},   {"aten.sqrt.default", {12, true}},     {"aten.exp.default", {22, true}},
        {"aten.tanh.default", {26, true}}, {"aten.sigmoid.default", {26, true}},  {"aten.erf.default", {28, true}},
        {"aten.gelu.default", {33, true}}, // not by tanh
    };
    for (const auto& e : known)
        if (same_name(e.name, op)) return e.cost;
    // By meaning, one by one: series and library functions, else a few instructions.
    constexpr std::string_view dear[] = {
        "acos", "acosh",  "asin",    "asinh",    "atan",          "atan2",        "atanh",     "cos",  "cosh",
        "erfc", "exp2",   "expm1",   "log",      "log10",         "log1p",        "log2",      "sin",  "sinh",
        "tan",  "lgamma", "digamma", "pow",      "hypot",         "xlogy",        "logaddexp", "silu", "mish",
        "selu", "elu",    "celu",    "softplus", "gelu_backward", "silu_backward"};
    for (auto name : dear)
        if (same_name(base_of(op), name)) return {30, false};
    return {};
}

/// Of an ATen operator struct.
template <class Op> constexpr steps steps_of() {
    if constexpr (requires(steps out) { out = Op::steps; }) return Op::steps;
    else return steps_named(Op::name);
}

} // namespace ahead::target
