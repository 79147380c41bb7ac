// SPDX-License-Identifier: MIT
// An attribute that the operator of a node does not have.
// fault: argument_is_unknown
// expect: argument_is_unknown
// expect: aten._softmax.default
// expect: "self, dim, half_to_float"
// expect: found<[^"]*"axis"
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>
#include <ahead/ir/static_node.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) { return outputs(softmax<1>(x)); });
#ifdef REJECT
constexpr auto along = typed<net>::node<"_softmax">::attribute<"axis">;
#else
constexpr auto along = typed<net>::node<"_softmax">::attribute<"dim">;
#endif
