// SPDX-License-Identifier: MIT
// An input whose elements no memory holds: its own type says so, and nothing else does.
// expect: a tensor has at most 8 sizes, each at least 0, and fewer than 2.48 elements
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 999'999;
#else
constexpr std::int64_t size = 9;
#endif

inline constexpr auto net = trace([](input<"x", f32<size, size, size, size>> x) {
    return outputs(relu(x + x));
});
