// SPDX-License-Identifier: MIT
// Four vectors that broadcast to more elements than there is memory, and than fit into 64 bits.
// fault: tensor_is_too_large
// expect: aten.where.self
// expect: fewer than 2.48 elements
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 99'999'999;
#else
constexpr std::int64_t size = 9;
#endif

inline constexpr auto net = trace([](input<"x", b8<size, 1, 1>> x, input<"y", f32<1, size, 1>> y, input<"z", f32<1, 1, size>> z) {
    return outputs(relu(where(x, y, z)));
});
