// Complex constants come with the weights.
// SPDX-License-Identifier: MIT
// fault: dtype_is_unsupported
// expect: dtype_is_unsupported
// expect: real numbers: complex constants 
// expect: c64
#include <ahead/ahead.hpp>

using namespace ahead;

#ifdef REJECT
inline constexpr auto net = trace([](input<"x", c64<2>> x) { return outputs(mul(x, constant<"w", c64<2>>(x, {complex64(1, 2), complex64(3)}))); });
#else
inline constexpr auto net = trace([](input<"x", c64<2>> x, param<"w", c64<2>> w) { return outputs(mul(x, w)); });
#endif
static_assert(sizeof(compiled<net>) > 0);
