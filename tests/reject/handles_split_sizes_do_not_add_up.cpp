// SPDX-License-Identifier: MIT
// Parts that are more than the whole.
// fault: split_sizes_do_not_add_up
// expect: aten.split_with_sizes.default
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t second = 3;
#else
constexpr std::int64_t second = 2;
#endif

inline constexpr auto net = trace([](input<"x", f32<4>> x) {
    return outputs(relu(std::get<0>(split_with_sizes<ints<2, second>>(x))));
});
