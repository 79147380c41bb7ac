// SPDX-License-Identifier: MIT
// A view that the strides of a transposed tensor do not allow.
// fault: view_needs_a_copy
// expect: aten.view.default
// expect: f32.3, 2..1, 3.
// expect: <source>:14:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
#ifdef REJECT
    return outputs(relu(view<6>(t(x))));
#else
    return outputs(relu(reshape<6>(t(x))));
#endif
});
