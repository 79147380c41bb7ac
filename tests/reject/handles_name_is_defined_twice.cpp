// SPDX-License-Identifier: MIT
// Two parameters of one name.
// fault: name_is_defined_twice
// expect: a name for each parameter
// expect: found<[^"]*"x"
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
using second = input<"x", f32<4>>;
#else
using second = input<"y", f32<4>>;
#endif

inline constexpr auto net = trace([](input<"x", f32<4>> x, second y) {
    return outputs(x + y);
});
