// SPDX-License-Identifier: MIT
// A view of another number of elements.
// fault: element_counts_differ
// expect: aten.view.default
// expect: 6 elements
// expect: found<[^"]*"5"
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 5;
#else
constexpr std::int64_t size = 6;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
    return outputs(relu(view<size>(x)));
});
