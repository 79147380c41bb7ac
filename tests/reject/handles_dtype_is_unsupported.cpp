// SPDX-License-Identifier: MIT
// The mean of integers.
// fault: dtype_is_unsupported
// expect: aten.mean.dim
// expect: floating point
// expect: i64
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr dtype type = dtype::i64;
#else
constexpr dtype type = dtype::f32;
#endif

inline constexpr auto net = trace([](input<"x", dense<type, 2, 3>> x) {
    return outputs(relu(mean<1>(x)));
});
