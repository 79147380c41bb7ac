// SPDX-License-Identifier: MIT
// A dim that the tensor does not have.
// fault: dimension_is_out_of_range
// expect: aten.transpose.int
// expect: a dim from -2 to 1
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t second = 2;
#else
constexpr std::int64_t second = 1;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
    return outputs(relu(transpose<0, second>(x)));
});
