// SPDX-License-Identifier: MIT
// A slice with step 0.
// fault: stride_must_be_positive
// expect: aten.slice.Tensor
// expect: a step from 1
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t step = 0;
#else
constexpr std::int64_t step = 2;
#endif

inline constexpr auto net = trace([](input<"x", f32<4>> x) {
    return outputs(relu(slice<0, 0, 4, step>(x)));
});
