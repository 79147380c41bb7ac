// SPDX-License-Identifier: MIT
// A convolution of an image with other channels than its weight.
// fault: channels_differ
// expect: aten.convolution.default
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t channels = 4;
#else
constexpr std::int64_t channels = 3;
#endif

inline constexpr auto net = trace([](input<"x", f32<1, channels, 8, 8>> x, input<"w", f32<6, 3, 3, 3>> w) {
    return outputs(relu(conv2d(x, w)));
});
