// SPDX-License-Identifier: MIT
// Branches that return tensors of different sizes.
// fault: block_results_differ
// expect: block_results_differ
// expect: in_operator<[^"]*"higher_order.cond"
// expect: expected<[^"]*"f32\[3\]\[1\]"
// expect: found<[^"]*"f32\[\]\[\]"
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3>> x, input<"p", b8<>> p) {
#ifdef REJECT
    auto [y] = cond(p, [](auto a) { return outputs(sin(a)); }, [](auto a) { return outputs(sum(a)); }, tensors(x));
#else
    auto [y] = cond(p, [](auto a) { return outputs(sin(a)); }, [](auto a) { return outputs(cos(a)); }, tensors(x));
#endif
    return outputs(add(y, 1));
});
using program = compiled<net>;
static_assert(sizeof(program) > 0);
