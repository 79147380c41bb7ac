// SPDX-License-Identifier: MIT
// Pooling pads at most half its kernel.
// fault: padding_is_too_large
// expect: aten.max_pool2d_with_indices
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t edge = 2;
#else
constexpr std::int64_t edge = 1;
#endif

inline constexpr auto net = trace([](input<"x", f32<1, 1, 8, 8>> x) {
    return outputs(relu(max_pool2d<kernel<2, 2>, padding<edge, edge>>(x)));
});
