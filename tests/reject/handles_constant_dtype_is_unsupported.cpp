// SPDX-License-Identifier: MIT
// A constant of a dtype that the type system knows and nothing runs.
// fault: dtype_is_unsupported
// expect: in_operator<[^"]*"constant"
// expect: in_tensor<[^"]*"scale"
// expect: "f16.3."
#include <ahead/frontend/functions.hpp>
#include <ahead/frontend/trace.hpp>

using namespace ahead;

#ifdef REJECT
using type = f16<3>;
#else
using type = f32<3>;
#endif

inline constexpr auto net = trace([](input<"x", f32<8, 3>> x) {
    return outputs(x * constant<"scale", type>(x, {0.5, 1, 2}));
});
