// SPDX-License-Identifier: MIT
// A constant with fewer values than its type has elements.
// fault: element_counts_differ
// expect: in_operator<[^"]*"constant"
// expect: in_tensor<[^"]*"kernel"
// expect: "6 values for f32.3, 2."
// expect: found<[^"]*"5"
// expect: <source>:15
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<8, 3>> x) {
    auto kernel = constant<"kernel", f32<3, 2>>(x, {0, 1, 2, 3, 4
#ifndef REJECT
                                                    , 5
#endif
                                                });
    return outputs(mm(x, kernel));
});
