// SPDX-License-Identifier: MIT
// A probability that a lambda gives as a number is looked at when the graph is compiled.
// fault: distribution_is_impossible
// expect: in_operator<[^"]*"aten.dropout.default"
// expect: expected<[^"]*"a probability from 0 to 1"
// expect: found<[^"]*"1.5"
#include <ahead/ahead.hpp>

using namespace ahead;

#ifdef REJECT
inline constexpr double p = 1.5;
#else
inline constexpr double p = 0.5;
#endif
inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(dropout(x, p)); });
using program = compiled<net>;

int main() {
    return sizeof(program) > 0 ? 0 : 1;
}
