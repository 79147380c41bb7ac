// SPDX-License-Identifier: MIT
// A kernel larger than the image.
// fault: window_does_not_fit
// expect: aten.convolution.default
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 4;
#else
constexpr std::int64_t size = 5;
#endif

inline constexpr auto net = trace([](input<"x", f32<1, 3, size, size>> x, input<"w", f32<6, 3, 5, 5>> w) {
    return outputs(relu(conv2d(x, w)));
});
