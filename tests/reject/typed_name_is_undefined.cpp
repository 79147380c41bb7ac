// SPDX-License-Identifier: MIT
// A node asked for by a name that the graph does not have.
// fault: name_is_undefined
// expect: name_is_undefined
// expect: found<[^"]*"mn"
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/ir/static_node.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) { return outputs(mm(x, x)); });
#ifdef REJECT
using product = typed<net>::node<"mn">;
#else
using product = typed<net>::node<"mm">;
#endif
static_assert(product::result_count < 2);
