// SPDX-License-Identifier: MIT
// The cost of a pointwise operator per element: how many instructions, and whether the vector unit has them or takes
// elements one by one. An operator states it in its struct, next to its meaning:
//     static constexpr machine::steps steps{20, false};
// Counted from the formulas: an addition is one, a quotient about ten, exp a polynomial of degree 5 with its bounds,
// tanh, sigmoid and erf a quotient of two polynomials. One that does not state it runs by its meaning, and takes a few,
// or thirty where it says `is_expensive`.
// Invariant: an operator that is said to run in vectors has a vector form in kernels/vector_form.hpp, and vice versa
// (tests/unit/machine/cost.cpp).
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::machine {

struct steps {
    std::int64_t count = 4;
    bool in_vectors = false;
};
inline constexpr std::int64_t exp_steps = 22; // of an exponential, which softmax takes, too

/// The cost of an operator struct.
template <class Op> constexpr steps steps_of() {
    if constexpr (requires(steps out) { out = Op::steps; }) return Op::steps;
    else if constexpr (
        requires { Op::is_expensive; } || requires { Op::is_dear; })
        return {30, false}; // is_dear: 0.1
    else return {};
}

} // namespace ahead::machine
