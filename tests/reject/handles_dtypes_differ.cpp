// SPDX-License-Identifier: MIT
// A matrix product does not promote.
// fault: dtypes_differ
// expect: aten.mm.default
// expect: f64.3, 2.
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr dtype other = dtype::f64;
#else
constexpr dtype other = dtype::f32;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", dense<other, 3, 2>> y) {
    return outputs(relu(mm(x, y)));
});
