// SPDX-License-Identifier: MIT
// Two nets are asked to mean the same that are not given the same.
// expect: equivalent: both nets take the same inputs, of the same types in the same order
#include <ahead/ahead.hpp>
#include <ahead/compile/equivalent_nets.hpp>

using namespace ahead;

inline constexpr auto one = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });
#ifdef REJECT
inline constexpr auto other = trace([](input<"x", f32<6>> x) { return outputs(relu(x)); });
#else
inline constexpr auto other = trace([](input<"x", f32<2, 3>> x) { return outputs(clamp_min(x, 0)); });
#endif
constexpr bool same = equivalent<one, other>(1);
int main() {}
