// SPDX-License-Identifier: MIT
// A word that the operator does not list.
// fault: argument_has_wrong_kind
// expect: aten.gelu.default
// expect: approximate: none or tanh
// expect: Tanh
// expect: <source>:15:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
#ifdef REJECT
    return outputs(relu(gelu<"Tanh">(x)));
#else
    return outputs(relu(gelu<"tanh">(x)));
#endif
});
