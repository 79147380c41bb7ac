// SPDX-License-Identifier: MIT
// Negative sizes whose product is the right one.
// fault: size_is_negative
// expect: aten.view.default
// expect: sizes from 0, or one -1
// expect: -2
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t factor = -1;
#else
constexpr std::int64_t factor = 1;
#endif

inline constexpr auto net = trace([](input<"x", f32<6>> x) {
    return outputs(relu(view<2 * factor, 3 * factor>(x)));
});
