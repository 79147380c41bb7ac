// SPDX-License-Identifier: MIT
// The third of two rows.
// fault: index_is_out_of_range
// expect: aten.select.int
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t row = 2;
#else
constexpr std::int64_t row = 1;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
    return outputs(relu(select<0, row>(x)));
});
